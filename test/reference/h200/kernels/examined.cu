// Reductions, scans, transposes, strided accesses and histograms after text books and samples that the other tables have
// not drawn on or have drawn on in other forms; none is in an earlier file. Simulated before they
// were measured on an H200.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions --------------------------------------------------------------------------------------------------
// In place in global memory, its steps written out (Professional CUDA C Programming, chapter 5).
K reduceGmemSteps(int *g_idata, int *g_odata, uint n) {
  uint tid = threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x;
  uint idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= n) return;
  if (blockDim.x >= 1024 && tid < 512) idata[tid] += idata[tid + 512];
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) idata[tid] += idata[tid + 256];
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) idata[tid] += idata[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) idata[tid] += idata[tid + 64];
  __syncthreads();
  if (tid < 32) {
    int v = idata[tid] + idata[tid + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    if (tid == 0) g_odata[blockIdx.x] = v;
  }
}
K reduceSmemSteps(const int *g_idata, int *g_odata, uint n) {
  __shared__ int smem[1024];
  uint tid = threadIdx.x, idx = blockIdx.x * blockDim.x + tid;
  smem[tid] = idx < n ? g_idata[idx] : 0;
  __syncthreads();
  if (blockDim.x >= 1024 && tid < 512) smem[tid] += smem[tid + 512];
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) smem[tid] += smem[tid + 256];
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) smem[tid] += smem[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) smem[tid] += smem[tid + 64];
  __syncthreads();
  if (tid < 32) {
    int v = smem[tid] + smem[tid + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
    if (tid == 0) g_odata[blockIdx.x] = v;
  }
}
// Two elements a thread, in place, thread t at 2 t (Programming Massively Parallel Processors, chapter 10).
K sumDivergent(float *in, float *out) {
  uint segment = 2 * blockDim.x * blockIdx.x, i = segment + 2 * threadIdx.x;
  for (uint stride = 1; stride <= blockDim.x; stride *= 2) {
    if (threadIdx.x % stride == 0) in[i] += in[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = in[i];
}
K sumConvergent(float *in, float *out) {
  uint segment = 2 * blockDim.x * blockIdx.x, i = segment + threadIdx.x;
  for (uint stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride) in[i] += in[i + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = in[i];
}
K sumCoarsened(const float *in, float *out, int factor) {
  extern __shared__ float s[];
  uint t = threadIdx.x, segment = factor * 2 * blockDim.x * blockIdx.x, i = segment + t;
  float sum = in[i];
  for (uint tile = 1; tile < factor * 2; tile++) sum += in[i + tile * blockDim.x];
  s[t] = sum;
  for (uint stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    if (t < stride) s[t] += s[t + stride];
  }
  if (t == 0) atomicAdd(out, s[0]);
}
// A block for each pair of vectors, 1024 accumulators (the sample scalarProd).
K scalarProducts(float *c, const float *a, const float *b, int vectors, int elements) {
  __shared__ float acc[1024];
  for (int v = blockIdx.x; v < vectors; v += gridDim.x) {
    int base = elements * v, end = base + elements;
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) {
      float sum = 0.0f;
      for (int pos = base + k; pos < end; pos += 1024) sum += a[pos] * b[pos];
      acc[k] = sum;
    }
    for (int stride = 512; stride > 0; stride >>= 1) {
      __syncthreads();
      for (int k = threadIdx.x; k < stride; k += blockDim.x) acc[k] += acc[stride + k];
    }
    __syncthreads();
    if (threadIdx.x == 0) c[v] = acc[0];
  }
}
// Payoffs of paths, their sum and that of their squares (the sample MonteCarlo).
K optionPaths(const float *samples, float *sums, float *squares, int paths, float drift, float vol) {
  __shared__ float s1[256];
  __shared__ float s2[256];
  float spot = 20.0f + blockIdx.x % 64, strike = 30.0f, a = 0.0f, b = 0.0f;
  for (int k = threadIdx.x; k < paths; k += blockDim.x) {
    float pay = spot * __expf(drift + vol * samples[k]) - strike;
    pay = pay > 0.0f ? pay : 0.0f;
    a += pay;
    b += pay * pay;
  }
  s1[threadIdx.x] = a;
  s2[threadIdx.x] = b;
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    __syncthreads();
    if (threadIdx.x < k) {
      s1[threadIdx.x] += s1[threadIdx.x + k];
      s2[threadIdx.x] += s2[threadIdx.x + k];
    }
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = s1[0];
    squares[blockIdx.x] = s2[0];
  }
}
K boundsOfPoints(const float4 *points, float4 *low, float4 *high, int n) {
  float ax = 1e30f, ay = 1e30f, az = 1e30f, bx = -1e30f, by = -1e30f, bz = -1e30f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 p = points[i];
    ax = fminf(ax, p.x);
    ay = fminf(ay, p.y);
    az = fminf(az, p.z);
    bx = fmaxf(bx, p.x);
    by = fmaxf(by, p.y);
    bz = fmaxf(bz, p.z);
  }
  for (int d = 16; d > 0; d /= 2) {
    ax = fminf(ax, __shfl_xor_sync(FULL, ax, d));
    ay = fminf(ay, __shfl_xor_sync(FULL, ay, d));
    az = fminf(az, __shfl_xor_sync(FULL, az, d));
    bx = fmaxf(bx, __shfl_xor_sync(FULL, bx, d));
    by = fmaxf(by, __shfl_xor_sync(FULL, by, d));
    bz = fmaxf(bz, __shfl_xor_sync(FULL, bz, d));
  }
  if (threadIdx.x % 32 == 0) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    low[w] = make_float4(ax, ay, az, 0.0f);
    high[w] = make_float4(bx, by, bz, 0.0f);
  }
}
// The smallest value and its place in one word of 64 bits.
K minPacked(const int *in, unsigned long long *out, int n) {
  __shared__ unsigned long long warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  unsigned long long key = ~0ULL;
  for (; i < n; i += gridDim.x * blockDim.x) {
    unsigned long long here = ((unsigned long long)in[i] << 32) | (unsigned long long)i;
    key = here < key ? here : key;
  }
  for (int d = 16; d > 0; d >>= 1) {
    unsigned long long other = __shfl_down_sync(FULL, key, d);
    key = other < key ? other : key;
  }
  if (lane == 0) warps[w] = key;
  __syncthreads();
  if (w == 0) {
    key = lane < blockDim.x / 32 ? warps[lane] : ~0ULL;
    for (int d = 16; d > 0; d >>= 1) {
      unsigned long long other = __shfl_down_sync(FULL, key, d);
      key = other < key ? other : key;
    }
    if (lane == 0) atomicMin(out, key);
  }
}
K dotWide(const int *a, const int *b, long long *out, int n) {
  __shared__ long long warps[32];
  int t = threadIdx.x, all = gridDim.x * blockDim.x;
  long long v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += all) v += (long long)a[i] * b[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if (t % 32 == 0) warps[t / 32] = v;
  __syncthreads();
  if (t == 0) {
    long long sum = 0;
    for (int k = 0; k < blockDim.x / 32; k++) sum += warps[k];
    out[blockIdx.x] = sum;
  }
}
K sumDouble2(const double2 *in, double *out, int pairs) {
  __shared__ double warps[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = 0.0;
  if (i < pairs) {
    double2 p = in[i];
    v = p.x + p.y;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
  if ((t & 31) == 0) warps[t >> 5] = v;
  __syncthreads();
  if (t < 32) {
    v = t < blockDim.x / 32 ? warps[t] : 0.0;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
// Counts, means and squares of differences by warps, merged pairwise.
K welfordMerge(const float *in, float *mean, float *square, int each) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float m = 0.0f, q = 0.0f, count = 0.0f;
  for (int k = lane; k < each; k += 32) {
    float x = in[w * each + k], d = x - m;
    count += 1.0f;
    m += d / count;
    q += d * (x - m);
  }
  for (int d = 16; d > 0; d >>= 1) {
    float m2 = __shfl_down_sync(FULL, m, d), q2 = __shfl_down_sync(FULL, q, d), c2 = __shfl_down_sync(FULL, count, d);
    float delta = m2 - m, sum = count + c2;
    m += delta * c2 / sum;
    q += q2 + delta * delta * count * c2 / sum;
    count = sum;
  }
  if (lane == 0) {
    mean[w] = m;
    square[w] = q;
  }
}
// One pass for the maximum and the sum of exponentials, a second one for the quotients.
K softmaxOnline(const float *in, float *out, int cols) {
  __shared__ float sm[32];
  __shared__ float ss[32];
  int t = threadIdx.x, lane = t % 32, w = t / 32;
  const float *x = in + blockIdx.x * cols;
  float m = -1e30f, s = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) {
    float v = x[c], top = fmaxf(m, v);
    s = s * __expf(m - top) + __expf(v - top);
    m = top;
  }
  for (int d = 16; d > 0; d >>= 1) {
    float om = __shfl_xor_sync(FULL, m, d), os = __shfl_xor_sync(FULL, s, d), top = fmaxf(m, om);
    s = s * __expf(m - top) + os * __expf(om - top);
    m = top;
  }
  if (lane == 0) {
    sm[w] = m;
    ss[w] = s;
  }
  __syncthreads();
  m = sm[0];
  s = ss[0];
  for (int k = 1; k < blockDim.x / 32; k++) {
    float top = fmaxf(m, sm[k]);
    s = s * __expf(m - top) + ss[k] * __expf(sm[k] - top);
    m = top;
  }
  for (int c = t; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = __fdividef(__expf(x[c] - m), s);
}
// A row of four elements a thread, kept in registers.
K standardizeRow(const float4 *in, float4 *out) {
  __shared__ float parts[64];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, warps = blockDim.x / 32;
  float4 q = in[blockIdx.x * blockDim.x + t];
  float v = q.x + q.y + q.z + q.w;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
  if (lane == 0) parts[w] = v;
  __syncthreads();
  float mean = 0.0f;
  for (int k = 0; k < warps; k++) mean += parts[k];
  mean /= 4 * blockDim.x;
  float a = q.x - mean, b = q.y - mean, c = q.z - mean, e = q.w - mean;
  v = a * a + b * b + c * c + e * e;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
  if (lane == 0) parts[32 + w] = v;
  __syncthreads();
  float var = 0.0f;
  for (int k = 0; k < warps; k++) var += parts[32 + k];
  float scale = rsqrtf(var / (4 * blockDim.x) + 1e-5f);
  out[blockIdx.x * blockDim.x + t] = make_float4(a * scale, b * scale, c * scale, e * scale);
}
K argmaxRows(const float *in, int *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  float best = -1e30f;
  int at = 0;
  for (int c = lane; c < cols; c += 32) {
    float v = in[row * cols + c];
    if (v > best) {
      best = v;
      at = c;
    }
  }
  for (int d = 16; d > 0; d >>= 1) {
    float v = __shfl_down_sync(FULL, best, d);
    int where = __shfl_down_sync(FULL, at, d);
    if (v > best) {
      best = v;
      at = where;
    }
  }
  if (lane == 0) out[row] = at;
}
// Four columns a thread, the block's rows meet in a tree over y.
K columnSumsQuads(const float4 *in, float4 *out, int rows, int quads) {
  __shared__ float4 s[16][32];
  int x = threadIdx.x, y = threadIdx.y, q = blockIdx.x * 32 + x;
  float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (int r = blockIdx.y * blockDim.y + y; r < rows; r += gridDim.y * blockDim.y) {
    float4 v = in[r * quads + q];
    a += v.x;
    b += v.y;
    c += v.z;
    d += v.w;
  }
  s[y][x] = make_float4(a, b, c, d);
  __syncthreads();
  for (int k = blockDim.y / 2; k > 0; k >>= 1) {
    if (y < k) {
      float4 m = s[y][x], o = s[y + k][x];
      s[y][x] = make_float4(m.x + o.x, m.y + o.y, m.z + o.z, m.w + o.w);
    }
    __syncthreads();
  }
  if (y == 0) out[blockIdx.y * quads + q] = s[0][x];
}
// Sums and weighted sums of sixteen words a thread.
K adlerParts(const int4 *in, int *plain, int *weighted, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, a = 0, b = 0;
  for (int k = 0; k < 4; k++) {
    int at = i * 4 + k;
    if (at < quads) {
      int4 q = in[at];
      a += q.x;
      b += a;
      a += q.y;
      b += a;
      a += q.z;
      b += a;
      a += q.w;
      b += a;
    }
  }
  plain[i] = a % 65521;
  weighted[i] = b % 65521;
}
// One add to shared memory a warp, of floats.
K totalsSharedFloat(const float *in, float *out, int each) {
  __shared__ float total;
  if (threadIdx.x == 0) total = 0.0f;
  __syncthreads();
  float v = 0.0f;
  for (int k = threadIdx.x; k < each; k += blockDim.x) v += in[blockIdx.x * each + k];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, v);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
// ---- matrices ----------------------------------------------------------------------------------------------------
K sumMatrix2D2D(const float *a, const float *b, float *c, int nx, int ny) {
  uint ix = threadIdx.x + blockIdx.x * blockDim.x, iy = threadIdx.y + blockIdx.y * blockDim.y, idx = iy * nx + ix;
  if (ix < nx && iy < ny) c[idx] = a[idx] + b[idx];
}
K sumMatrix2D1D(const int *a, const int *b, int *c, int nx, int ny) {
  uint ix = threadIdx.x + blockIdx.x * blockDim.x, iy = blockIdx.y, idx = iy * nx + ix;
  if (ix < nx && iy < ny) c[idx] = a[idx] + b[idx];
}
// Discrete cosine transform of 8 x 8 pixels a block.
K dct8x8(const float *in, const float *basis, float *out, int width) {
  __shared__ float x[8][8];
  __shared__ float m[8][8];
  int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 8 + ty) * width + blockIdx.x * 8 + tx;
  x[ty][tx] = in[at] - 0.5f;
  __syncthreads();
  float v = 0.0f;
  for (int k = 0; k < 8; k++) v += basis[ty * 8 + k] * x[k][tx];
  m[ty][tx] = v;
  __syncthreads();
  v = 0.0f;
  for (int k = 0; k < 8; k++) v += m[ty][k] * basis[tx * 8 + k];
  out[at] = v;
}
// Columns of a separable filter of 17 taps, a tile of 16 x 80 (the sample convolutionSeparable).
K convolveColumns(const float *in, const float *taps, float *out, int pitch) {
  __shared__ float s[16][81];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = (blockIdx.y * 8 - 1) * 8 + ty;
  for (int k = 1; k < 9; k++) s[tx][ty + k * 8] = in[(y + k * 8) * pitch + x];
  s[tx][ty] = y >= 0 ? in[y * pitch + x] : 0.0f;
  s[tx][ty + 72] = gridDim.y * 64 > y + 72 ? in[(y + 72) * pitch + x] : 0.0f;
  __syncthreads();
  for (int k = 1; k < 9; k++) {
    float sum = 0.0f;
    for (int j = -8; j <= 8; j++) sum += taps[8 - j] * s[tx][ty + k * 8 + j];
    out[(y + k * 8) * pitch + x] = sum;
  }
}
K maxPool3(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (2 * x + 2 >= width || 2 * y + 2 >= height) return;
  float m = -1e30f;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) m = fmaxf(m, in[(2 * y + r) * width + 2 * x + c]);
  out[y * (width / 2) + x] = m;
}
// How many eigenvalues of a tridiagonal matrix are smaller than a shift (the sample eigenvalues).
K sturmCounts(const float *diagonal, const float *below, int *counts, int n, float step) {
  __shared__ float sd[256];
  __shared__ float sb[256];
  float shift = (blockIdx.x * blockDim.x + threadIdx.x) * step, delta = 1.0f;
  int count = 0;
  for (int base = 0; base < n; base += 256) {
    __syncthreads();
    for (int k = threadIdx.x; k < 256; k += blockDim.x) {
      float b = below[base + k];
      sd[k] = diagonal[base + k];
      sb[k] = b * b;
    }
    __syncthreads();
    for (int k = 0; k < 256; k++) {
      delta = sd[k] - shift - __fdividef(sb[k], delta);
      count += delta < 0.0f ? 1 : 0;
    }
  }
  counts[blockIdx.x * blockDim.x + threadIdx.x] = count;
}
// ---- sparse and indirect -----------------------------------------------------------------------------------------
K spmvCsrThread(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows, int scale) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = starts[row] * scale; k < starts[row + 1] * scale; k++) sum += values[k] * x[columns[k]];
  y[row] = sum;
}
K spmvCsrWarp(const int *starts, const int *columns, const float *values, const float *x, float *y, int rows, int scale) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  int from = starts[row] * scale, to = starts[row + 1] * scale;
  float sum = 0.0f;
  for (int k = from + lane; k < to; k += 32) sum += values[k] * x[columns[k]];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
  if (lane == 0) y[row] += sum;
}
K spmvCoo(const int *rows, const int *columns, const float *values, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&y[rows[i]], values[i] * x[columns[i]]);
}
K gatherTwice(const int *first, const int *second, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[second[first[i]] & 0xffff];
}
K gatherSorted(const int *index, const float2 *in, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}
// Where thread t's part of two sorted sequences starts is searched, then merged one by one.
K mergeParts(const int *a, const int *b, int *out, int m, int n, int each) {
  int k = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (k >= m + n) return;
  int low = max(0, k - n), high = min(k, m);
  while (low < high) {
    int i = (low + high) / 2, j = k - i - 1;
    if (a[i] <= b[j]) low = i + 1;
    else high = i;
  }
  int i = low, j = k - low, end = min(k + each, m + n);
  for (; k < end; k++) {
    bool left = j >= n || (i < m && a[i] <= b[j]);
    if (left) {
      out[k] = a[i];
      i++;
    } else {
      out[k] = b[j];
      j++;
    }
  }
}
// ---- scans -------------------------------------------------------------------------------------------------------
K koggeStoneBuffers(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0, to = blockDim.x;
  s[t] = i < n ? in[i] : 0.0f;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    s[to + t] = t >= stride ? s[from + t] + s[from + t - stride] : s[from + t];
    int swap = from;
    from = to;
    to = swap;
  }
  if (i < n) out[i] = s[from + t];
}
// One warp scans what all have brought, each lane a part of its own, with a word of padding every 32.
K scanRaking(const int *in, int *out, int n) {
  __shared__ int s[1056];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, each = blockDim.x / 32;
  s[t + t / 32] = i < n ? in[i] : 0;
  __syncthreads();
  if (t < 32) {
    int sum = 0;
    for (int k = 0; k < each; k++) sum += s[t * each + k + (t * each + k) / 32];
    int v = sum;
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(FULL, v, d);
      if (t >= d) v += u;
    }
    int run = v - sum;
    for (int k = 0; k < each; k++) {
      int at = t * each + k + (t * each + k) / 32, x = s[at];
      s[at] = run;
      run += x;
    }
  }
  __syncthreads();
  if (i < n) out[i] = s[t + t / 32];
}
K prefixMaxBlock(const float *in, float *out, float *ends, int n) {
  __shared__ float warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  float v = i < n ? in[i] : -1e30f;
  for (int d = 1; d < 32; d *= 2) {
    float u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v = fmaxf(v, u);
  }
  if (lane == 31) warps[w] = v;
  __syncthreads();
  for (int k = 0; k < w; k++) v = fmaxf(v, warps[k]);
  if (i < n) out[i] = v;
  if (t == blockDim.x - 1) ends[blockIdx.x] = v;
}
// From the end: what comes behind each element of a block, two elements a thread.
K suffixSums(const float2 *in, float2 *out, int pairs) {
  __shared__ float warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  float x = 0.0f, y = 0.0f;
  if (i < pairs) {
    float2 p = in[i];
    x = p.x;
    y = p.y;
  }
  float v = x + y;
  for (int d = 1; d < 32; d *= 2) {
    float u = __shfl_down_sync(FULL, v, d);
    if (lane + d < 32) v += u;
  }
  if (lane == 0) warps[w] = v;
  __syncthreads();
  float behind = 0.0f;
  for (int k = w + 1; k < blockDim.x / 32; k++) behind += warps[k];
  v += behind;
  if (i < pairs) out[i] = make_float2(v, v - x);
}
// Segments begin where the flag's bits are set; the warp's votes say how far back a lane may look.
K segmentsByVote(const int *in, const int *flags, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = i < n ? in[i] : 0, head = i < n ? (flags[i] & 3) == 0 : 0;
  uint heads = __ballot_sync(FULL, head) | 1;
  int start = 31 - __clz(heads & (0xffffffff >> (31 - lane)));
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(FULL, v, d);
    if (lane - d >= start) v += u;
  }
  if (i < n) out[i] = v;
}
K rankOfBits(const int *in, int *out, int n, int bit) {
  __shared__ int warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  int set = i < n ? (in[i] >> bit) & 1 : 0;
  uint votes = __ballot_sync(FULL, set);
  if (lane == 0) warps[w] = __popc(votes);
  __syncthreads();
  int before = __popc(votes & ((1u << lane) - 1));
  for (int k = 0; k < w; k++) before += warps[k];
  if (i < n) out[i] = set ? before : t - before;
}
K rowPrefixQuads(const int4 *in, int4 *out, int quads) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, carry = 0;
  for (int base = 0; base < quads; base += 32) {
    int4 q = in[row * quads + base + lane];
    q.y += q.x;
    q.z += q.y;
    q.w += q.z;
    int v = q.w;
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(FULL, v, d);
      if (lane >= d) v += u;
    }
    int before = carry + v - q.w;
    out[row * quads + base + lane] = make_int4(q.x + before, q.y + before, q.z + before, q.w + before);
    carry += __shfl_sync(FULL, v, 31);
  }
}
// A sorting network of odd and even merges, keys with values.
K oddEvenPairs(const int *keysIn, const int *valuesIn, int *keys, int *values) {
  __shared__ int sk[1024];
  __shared__ int sv[1024];
  int t = threadIdx.x, size = 2 * blockDim.x, base = blockIdx.x * size;
  sk[t] = keysIn[base + t];
  sv[t] = valuesIn[base + t];
  sk[t + blockDim.x] = keysIn[base + t + blockDim.x];
  sv[t + blockDim.x] = valuesIn[base + t + blockDim.x];
  for (int length = 2; length <= size; length <<= 1) {
    int stride = length / 2, offset = t & (stride - 1);
    for (int first = 1; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      if (first == 1 || offset >= stride) {
        int a = first == 1 ? pos : pos - stride, b = a + stride;
        int x = sk[a], y = sk[b];
        if (x > y) {
          sk[a] = y;
          sk[b] = x;
          int z = sv[a];
          sv[a] = sv[b];
          sv[b] = z;
        }
      }
      first = 0;
    }
  }
  __syncthreads();
  keys[base + t] = sk[t];
  values[base + t] = sv[t];
  keys[base + t + blockDim.x] = sk[t + blockDim.x];
  values[base + t + blockDim.x] = sv[t + blockDim.x];
}
// ---- transposes and tiles ----------------------------------------------------------------------------------------
// Two by two elements a thread, a block's width and height apart.
K transposeTwoByTwo(const float *in, float *out, int nx, int ny) {
  int ix = blockDim.x * blockIdx.x * 2 + threadIdx.x, iy = blockDim.y * blockIdx.y * 2 + threadIdx.y;
  int jx = ix + blockDim.x, jy = iy + blockDim.y;
  if (jx < nx && jy < ny) {
    float a = in[iy * nx + ix], b = in[iy * nx + jx], c = in[jy * nx + ix], d = in[jy * nx + jx];
    out[ix * ny + iy] = a;
    out[ix * ny + jy] = c;
    out[jx * ny + iy] = b;
    out[jx * ny + jy] = d;
  }
}
K transposeUnroll4Col(const float *in, float *out, int nx, int ny) {
  uint ix = blockDim.x * blockIdx.x * 4 + threadIdx.x, iy = blockDim.y * blockIdx.y + threadIdx.y;
  uint ti = iy * nx + ix, to = ix * ny + iy;
  if (ix + 3 * blockDim.x < nx && iy < ny) {
    out[ti] = in[to];
    out[ti + blockDim.x] = in[to + blockDim.x * ny];
    out[ti + 2 * blockDim.x] = in[to + 2 * blockDim.x * ny];
    out[ti + 3 * blockDim.x] = in[to + 3 * blockDim.x * ny];
  }
}
// Two tiles a block, padded, of doubles (chapter 5's transposeSmemUnrollPad).
K transposeTwoPadded(const double *in, double *out, int nx, int ny) {
  __shared__ double tile[16 * 66];
  uint ix = 2 * blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y, ti = iy * nx + ix;
  uint bidx = threadIdx.y * blockDim.x + threadIdx.x, irow = bidx / blockDim.y, icol = bidx % blockDim.y;
  uint ox = blockIdx.y * blockDim.y + icol, oy = 2 * blockIdx.x * blockDim.x + irow, to = oy * ny + ox;
  if (ix + blockDim.x < nx && iy < ny) {
    uint row = threadIdx.y * (blockDim.x * 2 + 2) + threadIdx.x;
    tile[row] = in[ti];
    tile[row + blockDim.x] = in[ti + blockDim.x];
    __syncthreads();
    uint col = icol * (blockDim.x * 2 + 2) + irow;
    out[to] = tile[col];
    out[to + ny * blockDim.x] = tile[col + blockDim.x];
  }
}
// A tile written by columns, read by rows, in dynamic shared memory with and without padding.
K setColReadRow(int *out, int pad) {
  extern __shared__ int si[];
  uint idx = threadIdx.y * blockDim.x + threadIdx.x, side = blockDim.x;
  si[threadIdx.x * (side + pad) + threadIdx.y] = idx;
  __syncthreads();
  out[blockIdx.x * side * side + idx] = si[threadIdx.y * (side + pad) + threadIdx.x];
}
// ---- strides, offsets, layouts -----------------------------------------------------------------------------------
K readOffsetThree(const int *a, const double *b, double *c, int n, int offset) {
  int i = blockIdx.x * blockDim.x * 3 + threadIdx.x, k = i + offset;
  if (k + 2 * blockDim.x < n) {
    c[i] = a[k] * b[k];
    c[i + blockDim.x] = a[k + blockDim.x] * b[k + blockDim.x];
    c[i + 2 * blockDim.x] = a[k + 2 * blockDim.x] * b[k + 2 * blockDim.x];
  }
}
K writeOffsetUnroll2(const float *a, const float *b, float *c, int n, int offset) {
  uint i = blockIdx.x * blockDim.x * 2 + threadIdx.x, k = i + offset;
  if (k + blockDim.x < n) {
    c[k] = a[i] + b[i];
    c[k + blockDim.x] = a[i + blockDim.x] + b[i + blockDim.x];
  }
}
K arraysToStructs(const float *x, const float *y, const float *z, const int *w, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make_float4(x[i], y[i], z[i], (float)w[i]);
}
K fieldOfStructs(const float *in, float *out, int n, int fields, int field) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * fields + field] * 2.0f + in[i * fields];
}
K diagonals(const float *in, float *out, int side, int matrices) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, m = i / side, k = i % side;
  if (m < matrices) out[i] = in[m * side * side + k * (side + 1)];
}
K strideSumDouble2(const double2 *in, double *out, int n, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double v = 0.0;
  for (int k = 0; k < 4; k++) {
    int at = (t * 4 + k) * stride;
    if (at < n) {
      double2 p = in[at];
      v += p.x * p.y;
    }
  }
  out[t] = v;
}
// Four elements a thread exchanged with the neighbour (chapter 5's shuffles of arrays).
K shuffleArrays(const int *in, int *out, int mask) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  int a = in[i], b = in[i + 1], c = in[i + 2], d = in[i + 3];
  a = __shfl_xor_sync(FULL, a, mask);
  b = __shfl_xor_sync(FULL, b, mask);
  c = __shfl_xor_sync(FULL, c, mask);
  d = __shfl_xor_sync(FULL, d, mask);
  out[i] = a;
  out[i + 1] = b;
  out[i + 2] = c;
  out[i + 3] = d;
}
K windowMax(const float *in, float *out, int n, int width) {
  extern __shared__ float s[];
  int t = threadIdx.x, base = blockIdx.x * blockDim.x;
  for (int k = t; k < blockDim.x + width - 1; k += blockDim.x) s[k] = base + k < n ? in[base + k] : -1e30f;
  __syncthreads();
  float m = s[t];
  for (int k = 1; k < width; k++) m = fmaxf(m, s[t + k]);
  if (base + t < n) out[base + t] = m;
}
// ---- histograms --------------------------------------------------------------------------------------------------
// Eight bins by votes; lane b of each warp counts bin b.
K histByVotes(const int *in, int *bins, int n) {
  int lane = threadIdx.x & 31, count = 0;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    int i = base + threadIdx.x, b = i < n ? in[i] >> 7 : 8;
    uint v0 = __ballot_sync(FULL, b & 1), v1 = __ballot_sync(FULL, b & 2), v2 = __ballot_sync(FULL, b & 4), v3 = __ballot_sync(FULL, b & 8);
    uint mine = ~v3 & (lane & 1 ? v0 : ~v0) & (lane & 2 ? v1 : ~v1) & (lane & 4 ? v2 : ~v2);
    count += __popc(mine);
  }
  if (lane < 8) atomicAdd(&bins[lane], count);
}
// Each lane modulo eight has bins of its own, in neighbouring banks.
K histLaneCopies(const int *in, int *bins, int n) {
  __shared__ int s[2048];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x) s[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[(in[i] >> 2) * 8 + threadIdx.x % 8], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) {
    int sum = 0;
    for (int k = 0; k < 8; k++) sum += s[b * 8 + (k + b) % 8];
    atomicAdd(&bins[b], sum);
  }
}
K weightsGlobalDouble(const int *keys, const double *weights, double *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[keys[i]], weights[i]);
}
K maximaOfBins(const int *keys, const int *values, int *bins, int n) {
  __shared__ int s[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) s[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicMax(&s[keys[i] & 255], values[i]);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicMax(&bins[k], s[k]);
}
// Which value of eight follows which.
K transitions(const int *in, int *bins, int n) {
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + 1 < n; i += gridDim.x * blockDim.x) atomicAdd(&s[(in[i] >> 7) * 8 + (in[i + 1] >> 7)], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
