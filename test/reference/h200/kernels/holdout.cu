// Kernels a course on reductions and warps leads to, none of them in an earlier file: measured on an H200 after the timing
// model was done (h200/measured/holdout.json), to see what it is worth on kernels that nobody looked at while it was made.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void

// ---- reductions ------------------------------------------------------------------------------------
K sumGrid(const float *in, float *out, int n) {
  extern __shared__ float part[];
  int t = threadIdx.x;
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
  part[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) part[t] += part[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
K sumGrid2(const int *in, int *out, int n) {
  __shared__ int part[256];
  int t = threadIdx.x, step = gridDim.x * blockDim.x * 2;
  int v = 0;
  for (int i = blockIdx.x * blockDim.x * 2 + t; i < n; i += step) v += in[i] + in[i + blockDim.x];
  part[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) part[t] += part[t + k];
    __syncthreads();
  }
  if (t < 32) {
    v = part[t] + part[t + 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
K sumGrid4(const float *in, float *out, int n) {
  __shared__ float warpSums[32];
  int t = threadIdx.x, span = gridDim.x * blockDim.x;
  float a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += 4 * span) {
    a += in[i];
    b += in[i + span];
    c += in[i + 2 * span];
    d += in[i + 3 * span];
  }
  float v = (a + b) + (c + d);
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if (t % 32 == 0) warpSums[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    v = t < blockDim.x / 32 ? warpSums[t] : 0.0f;
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    if (t == 0) out[blockIdx.x] = v;
  }
}
K sumVec4(const float4 *in, float *out, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  while (i < quads) {
    float4 q = in[i];
    v += q.x + q.y + q.z + q.w;
    i += gridDim.x * blockDim.x;
  }
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}
K sumEight(const int *in, int *out, int n) {
  extern __shared__ int cells[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 8 + t;
  int v = 0;
  for (int k = 0; k < 8; k++) {
    if (i + k * blockDim.x < n) v += in[i + k * blockDim.x];
  }
  cells[t] = v;
  __syncthreads();
  for (int k = blockDim.x >> 1; k > 0; k >>= 1) {
    if (t < k) {
      v += cells[t + k];
      cells[t] = v;
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = v;
}
K maxShfl(const float *in, float *out, int n) {
  __shared__ float warpMax[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = i < n ? in[i] : -3.0e38f;
  for (int o = 16; o > 0; o /= 2) v = fmaxf(v, __shfl_down_sync(0xffffffff, v, o));
  if (t % 32 == 0) warpMax[t / 32] = v;
  __syncthreads();
  if (t == 0) {
    float most = warpMax[0];
    for (int w = 1; w < blockDim.x / 32; w++) most = fmaxf(most, warpMax[w]);
    out[blockIdx.x] = most;
  }
}
K sumDouble(const double *in, double *out, int n) {
  __shared__ double part[256];
  int t = threadIdx.x;
  double v = 0.0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
  part[t] = v;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) part[t] += part[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
K sumLongShared(const long long *in, long long *out, int n) {
  extern __shared__ long long wide[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  long long v = 0;
  if (i < n) v = in[i];
  if (i + blockDim.x < n) v += in[i + blockDim.x];
  wide[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) wide[t] += wide[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = wide[0];
}
K minAtomic(const int *in, int *out, int n) {
  int v = 2147483647;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v = min(v, in[i]);
  for (int o = 16; o > 0; o >>= 1) v = min(v, __shfl_down_sync(0xffffffff, v, o));
  if (threadIdx.x % 32 == 0) atomicMin(out, v);
}
K sumPartials(const int *in, int *out, int n) {
  __shared__ int part[1024];
  int t = threadIdx.x, v = 0;
  for (int i = t; i < n; i += blockDim.x) v += in[i];
  part[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) part[t] += part[t + k];
    __syncthreads();
  }
  if (t == 0) out[0] = part[0];
}
K sumWarpAtomic(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
K sumBlockAtomic(const int *in, int *out, int n) {
  extern __shared__ int cells[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  cells[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 1; k < blockDim.x; k *= 2) {
    int j = 2 * k * t;
    if (j < blockDim.x) cells[j] += cells[j + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(out, cells[0]);
}
K moments(const float *in, float *sums, float *squares, int n) {
  __shared__ float s[8], q[8];
  int t = threadIdx.x;
  float a = 0.0f, b = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    a += x;
    b += x * x;
  }
  for (int o = 16; o > 0; o >>= 1) {
    a += __shfl_down_sync(0xffffffff, a, o);
    b += __shfl_down_sync(0xffffffff, b, o);
  }
  if ((t & 31) == 0) { s[t >> 5] = a; q[t >> 5] = b; }
  __syncthreads();
  if (t < 8) {
    a = s[t];
    b = q[t];
    for (int o = 4; o > 0; o >>= 1) {
      a += __shfl_down_sync(0xff, a, o);
      b += __shfl_down_sync(0xff, b, o);
    }
    if (t == 0) { sums[blockIdx.x] = a; squares[blockIdx.x] = b; }
  }
}
K rowSums(const float *in, float *out, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= rows) return;
  float v = 0.0f;
  for (int c = lane; c < cols; c += 32) v += in[row * cols + c];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
  if (lane == 0) out[row] = v;
}
K colSums(const float *in, float *out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float v = 0.0f;
  for (int r = 0; r < rows; r++) v += in[r * cols + c];
  out[c] = v;
}
K chunkSum(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = 0;
  for (int k = 0; k < 16; k++) v += in[i * 16 + k];
  if (i < n) out[i] = v;
}
K countAbove(const int *in, int *out, int n, int limit) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int c = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) c += in[i] > limit;
  c = __reduce_add_sync(0xffffffff, c);
  if ((threadIdx.x & 31) == 0) atomicAdd(&total, c);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
K argmaxShfl(const float *in, float *best, int *where, int n) {
  __shared__ float v[32];
  __shared__ int at[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float x = i < n ? in[i] : -1e30f;
  int j = i;
  for (int o = 16; o > 0; o >>= 1) {
    float y = __shfl_down_sync(0xffffffff, x, o);
    int k = __shfl_down_sync(0xffffffff, j, o);
    if (y > x) { x = y; j = k; }
  }
  if (t % 32 == 0) { v[t / 32] = x; at[t / 32] = j; }
  __syncthreads();
  if (t < 32) {
    x = t < blockDim.x / 32 ? v[t] : -1e30f;
    j = t < blockDim.x / 32 ? at[t] : 0;
    for (int o = 16; o > 0; o >>= 1) {
      float y = __shfl_down_sync(0xffffffff, x, o);
      int k = __shfl_down_sync(0xffffffff, j, o);
      if (y > x) { x = y; j = k; }
    }
    if (t == 0) { best[blockIdx.x] = x; where[blockIdx.x] = j; }
  }
}
K dotVec4(const float4 *a, const float4 *b, float *out, int quads) {
  float s = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    float4 x = a[i], y = b[i];
    s += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, s);
}
// ---- scans ---------------------------------------------------------------------------------------------
K scanBlock(const int *in, int *out, int n) {
  __shared__ int sums[32];
  int t = threadIdx.x, lane = t % 32, w = t / 32, i = blockIdx.x * blockDim.x + t;
  int v = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) sums[w] = v;
  __syncthreads();
  int before = 0;
  for (int k = 0; k < w; k++) before += sums[k];
  if (i < n) out[i] = v + before;
}
K scanInPlace(const float *in, float *out, int n) {
  extern __shared__ float f[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  f[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    float x = 0.0f;
    if (t >= d) x = f[t - d];
    __syncthreads();
    f[t] += x;
    __syncthreads();
  }
  if (i < n) out[i] = f[t];
}
__device__ __forceinline__ int padded(int i) { return i + (i >> 5); }
K scanPadded(const int *in, int *out, int *sums) {
  extern __shared__ int s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, step = 1;
  s[padded(t)] = in[base + t];
  s[padded(t + blockDim.x)] = in[base + t + blockDim.x];
  for (int d = n / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) s[padded(step * (2 * t + 2) - 1)] += s[padded(step * (2 * t + 1) - 1)];
    step *= 2;
  }
  if (t == 0) { sums[blockIdx.x] = s[padded(n - 1)]; s[padded(n - 1)] = 0; }
  for (int d = 1; d < n; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      int a = padded(step * (2 * t + 1) - 1), b = padded(step * (2 * t + 2) - 1);
      int x = s[a];
      s[a] = s[b];
      s[b] += x;
    }
  }
  __syncthreads();
  out[base + t] = s[padded(t)];
  out[base + t + blockDim.x] = s[padded(t + blockDim.x)];
}
K scanFour(const int4 *in, int4 *out, int quads) {
  __shared__ int sums[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  if (i >= quads) return;
  int4 q = in[i];
  int a = q.x, b = a + q.y, c = b + q.z, d = c + q.w, v = d;
  for (int o = 1; o < 32; o <<= 1) {
    int u = __shfl_up_sync(0xffffffff, v, o);
    if (lane >= o) v += u;
  }
  if (lane == 31) sums[w] = v;
  __syncthreads();
  if (w == 0) {
    int s = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int o = 1; o < 32; o <<= 1) {
      int u = __shfl_up_sync(0xffffffff, s, o);
      if (lane >= o) s += u;
    }
    sums[lane] = s;
  }
  __syncthreads();
  int base = v - d + (w > 0 ? sums[w - 1] : 0);
  out[i] = make_int4(base + a, base + b, base + c, base + d);
}
K addBase(int *data, const int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && blockIdx.x > 0) data[i] += sums[blockIdx.x - 1];
}
// ---- transposes -----------------------------------------------------------------------------------------
K copyMatrix(const float *in, float *out, int w) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) out[(y + j) * w + x] = in[(y + j) * w + x];
}
K transposeRead(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = in[x * w + y];
}
K transposeWrite(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
K transpose16(const float *in, float *out, int w) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * w + x] = tile[threadIdx.x][threadIdx.y];
}
K transpose16Pad(const float *in, float *out, int w) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * w + x] = tile[threadIdx.x][threadIdx.y];
}
K transpose32Pad(const float *in, float *out, int w) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeDiagonal(const float *in, float *out, int w) {
  __shared__ float tile[32][33];
  int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = by * 32 + threadIdx.x;
  y = bx * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * w + x] = tile[threadIdx.x][threadIdx.y + j];
}
// ---- streams, strides, index arrays -------------------------------------------------------------------
K copyFloat(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
K scaleFloat2(const float2 *in, float2 *out, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 q = in[i];
    out[i] = make_float2(q.x * factor, q.y * factor);
  }
}
K triad(const float *a, const float *b, float *c, float factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + factor * b[i];
}
K saxpy(float alpha, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i] + y[i];
}
K fillInt(int *out, int value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}
K strideWrite(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = in[i];
}
K strideLoad(const int *in, int *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride] + 1;
}
K shiftWrite(const float *in, float *out, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + shift < n) out[i + shift] = in[i] + in[i + shift];
}
K gather(const float *in, const int *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}
K scatter(const float *in, const int *index, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[index[i]] = in[i];
}
K pointsToArrays(const float *in, float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = in[3 * i] + in[3 * i + 2];
    y[i] = in[3 * i + 1];
  }
}
K reverseShared(const int *in, int *out, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[blockDim.x - 1 - t] = in[i];
  __syncthreads();
  out[n - (blockIdx.x + 1) * blockDim.x + t] = s[t];
}
K binarySearch(const int *sorted, const int *keys, int *out, int n, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = keys[i], lo = 0, hi = size;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (sorted[mid] < key) lo = mid + 1;
    else hi = mid;
  }
  out[i] = lo;
}
// ---- histograms ------------------------------------------------------------------------------------------
K hist64(const int *in, int *bins, int n) {
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i] >> 4], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
K hist1024(const int *in, int *bins, int n) {
  __shared__ int s[1024];
  for (int j = threadIdx.x; j < 1024; j += blockDim.x) s[j] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i]], 1);
  __syncthreads();
  for (int j = threadIdx.x; j < 1024; j += blockDim.x) atomicAdd(&bins[j], s[j]);
}
K histGlobal1024(const int *in, int *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[in[i]], 1);
}
K histWarps(const int *in, int *bins, int n) {
  __shared__ int s[8][64];
  int w = threadIdx.x >> 5;
  for (int j = threadIdx.x & 31; j < 64; j += 32) s[w][j] = 0;
  __syncwarp();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[w][in[i] & 63], 1);
  __syncthreads();
  if (threadIdx.x < 64) {
    int c = 0;
    for (int k = 0; k < 8; k++) c += s[k][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], c);
  }
}
K histMatch(const int *in, int *bins, int n) {
  __shared__ int s[256];
  if (threadIdx.x < 256) s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int bin = in[i] >> 2;
    unsigned peers = __match_any_sync(0xffffffff, bin);
    if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&s[bin], __popc(peers));
  }
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
// ---- stencils ---------------------------------------------------------------------------------------------
K stencil5(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 && i < n - 2) out[i] = (in[i - 2] + in[i - 1] + in[i] + in[i + 1] + in[i + 2]) * 0.2f;
}
K stencilNine(const float *in, float *out, int n) {
  __shared__ float s[520];
  int t = threadIdx.x + 4, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t] = in[i];
  if (threadIdx.x < 4) {
    s[t - 4] = i >= 4 ? in[i - 4] : 0.0f;
    s[t + blockDim.x] = i + blockDim.x < n ? in[i + blockDim.x] : 0.0f;
  }
  __syncthreads();
  float v = 0.0f;
  for (int k = -4; k <= 4; k++) v += s[t + k];
  out[i] = v / 9.0f;
}
K heat(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int i = y * w + x;
    out[i] = in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - w] + in[i + w] - 4.0f * in[i]);
  }
}
K heatTile(const float *in, float *out, int w, int h) {
  __shared__ float s[18][18];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, i = y * w + x;
  s[ty][tx] = in[i];
  if (threadIdx.x == 0) s[ty][0] = x > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 15) s[ty][17] = x < w - 1 ? in[i + 1] : 0.0f;
  if (threadIdx.y == 0) s[0][tx] = y > 0 ? in[i - w] : 0.0f;
  if (threadIdx.y == 15) s[17][tx] = y < h - 1 ? in[i + w] : 0.0f;
  __syncthreads();
  out[i] = s[ty][tx] + 0.1f * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4.0f * s[ty][tx]);
}
// ---- matrices --------------------------------------------------------------------------------------------
K matMul32(const float *A, const float *B, float *C, int n) {
  __shared__ float a[32][32], b[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 32 + ty, col = blockIdx.x * 32 + tx;
  float s = 0.0f;
  for (int m = 0; m < n; m += 32) {
    a[ty][tx] = A[row * n + m + tx];
    b[ty][tx] = B[(m + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; k++) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  C[row * n + col] = s;
}
K matMulTwo(const float *A, const float *B, float *C, int n) {
  __shared__ float a[16][16], b[16][32];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 32 + tx;
  float s = 0.0f, r = 0.0f;
  for (int m = 0; m < n; m += 16) {
    a[ty][tx] = A[row * n + m + tx];
    b[ty][tx] = B[(m + ty) * n + col];
    b[ty][tx + 16] = B[(m + ty) * n + col + 16];
    __syncthreads();
    for (int k = 0; k < 16; k++) {
      s += a[ty][k] * b[k][tx];
      r += a[ty][k] * b[k][tx + 16];
    }
    __syncthreads();
  }
  C[row * n + col] = s;
  C[row * n + col + 16] = r;
}
K matMulPlain(const float *A, const float *B, float *C, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0.0f;
  for (int k = 0; k < n; k++) s += A[row * n + k] * B[k * n + col];
  C[row * n + col] = s;
}
K matVecBlock(const float *A, const float *x, float *y, int cols) {
  __shared__ float part[128];
  int t = threadIdx.x, row = blockIdx.x;
  float s = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) s += A[row * cols + c] * x[c];
  part[t] = s;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) part[t] += part[t + k];
    __syncthreads();
  }
  if (t == 0) y[row] = part[0];
}
K matVecColumn(const float *A, const float *x, float *y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r0 = blockIdx.y * 64;
  if (c >= cols) return;
  float s = 0.0f;
  for (int r = r0; r < r0 + 64; r++) s += A[r * cols + c] * x[r];
  atomicAdd(&y[c], s);
}
// ---- shared memory banks, divergence, arithmetic -------------------------------------------------------
K banks(int *out, int stride) {
  __shared__ int s[2048];
  int t = threadIdx.x;
  for (int j = t; j < 2048; j += blockDim.x) s[j] = j;
  __syncthreads();
  int at = (t * stride) & 2047, v = 0;
  for (int k = 0; k < 64; k++) v += s[(at + k * 32) & 2047];
  out[blockIdx.x * blockDim.x + t] = v;
}
K fourWays(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  int way = threadIdx.x & 3;
  if (way == 0) { for (int k = 0; k < 24; k++) v = v * 1.01f + 0.1f; }
  else if (way == 1) { for (int k = 0; k < 24; k++) v = v * 0.99f - 0.2f; }
  else if (way == 2) { for (int k = 0; k < 24; k++) v = v * 0.98f + 0.3f; }
  else { for (int k = 0; k < 24; k++) v = v * 1.02f - 0.4f; }
  out[i] = v;
}
K laneLoop(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i], rounds = threadIdx.x & 31;
  while (rounds > 0) {
    v = v * 3 + rounds;
    rounds--;
  }
  out[i] = v;
}
K halfWarps(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  if ((threadIdx.x & 16) != 0) {
    for (int k = 0; k < 20; k++) v = (v ^ k) * 5;
  }
  out[i] = v;
}
K fmaChain(float *out, float a, float b, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i;
  for (int k = 0; k < rounds; k++) v = v * a + b;
  out[i] = v;
}
K fmaFour(float *out, float a, float b, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i, w = i + 1, x = i + 2, y = i + 3;
  for (int k = 0; k < rounds; k++) {
    v = v * a + b;
    w = w * a + b;
    x = x * a + b;
    y = y * a + b;
  }
  out[i] = v + w + x + y;
}
K intMix(int *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = i;
  for (int k = 0; k < rounds; k++) {
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
    v += k;
  }
  out[i] = v;
}
K rootLoop(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 16; k++) v = sqrtf(v + 1.0f);
  out[i] = v;
}
K sineLoop(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 8; k++) v = __sinf(v) + __cosf(v);
  out[i] = v;
}
K sigmoid(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f / (1.0f + expf(-in[i]));
}
K gcd(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = a[i] + 1, y = b[i] + 1;
  while (y != 0) {
    unsigned r = x % y;
    x = y;
    y = r;
  }
  out[i] = x;
}
K mandelbrot(int *out, int w, int h, int most) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float cx = -2.0f + 3.0f * px / w, cy = -1.5f + 3.0f * py / h, x = 0.0f, y = 0.0f;
  int k = 0;
  while (k < most && x * x + y * y < 4.0f) {
    float z = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = z;
    k++;
  }
  out[py * w + px] = k;
}
K bodies(const float4 *pos, float4 *force, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = pos[i];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int base = 0; base < n; base += 128) {
    tile[threadIdx.x] = pos[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; k++) {
      float4 q = tile[k];
      float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      float d = dx * dx + dy * dy + dz * dz + 0.01f;
      float r = rsqrtf(d);
      float f = q.w * r * r * r;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
    __syncthreads();
  }
  force[i] = make_float4(fx, fy, fz, 0.0f);
}
K circleHits(int *hits, int perThread) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = 0;
  unsigned s = (unsigned)i * 747796405u + 12345u;
  for (int k = 0; k < perThread; k++) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    unsigned x = s & 0xffff, y = s >> 16;
    if (x * x / 2 + y * y / 2 < 0x7fff0000u) c++;
  }
  for (int o = 16; o > 0; o >>= 1) c += __shfl_down_sync(0xffffffff, c, o);
  if ((threadIdx.x & 31) == 0) atomicAdd(hits, c);
}
// ---- compaction, sorting --------------------------------------------------------------------------------
K compact(const int *in, int *out, int *counter, int n, int limit) {
  __shared__ int counts[32];
  __shared__ int base;
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  int x = i < n ? in[i] : 0;
  unsigned m = __ballot_sync(0xffffffff, x > limit);
  if (lane == 0) counts[w] = __popc(m);
  __syncthreads();
  if (t == 0) {
    int total = 0;
    for (int k = 0; k < blockDim.x / 32; k++) {
      int c = counts[k];
      counts[k] = total;
      total += c;
    }
    base = atomicAdd(counter, total);
  }
  __syncthreads();
  if (x > limit) out[base + counts[w] + __popc(m & ((1u << lane) - 1))] = x;
}
K bitonicStep(const int *in, int *out, int j, int k) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ j;
  int a = in[i], b = in[other];
  bool up = (i & k) == 0;
  out[i] = (other > i) == up ? min(a, b) : max(a, b);
}
K bitonicBlock(const int *in, int *out) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (unsigned k = 2; k <= blockDim.x; k <<= 1) {
    for (unsigned j = k >> 1; j > 0; j >>= 1) {
      unsigned other = t ^ j;
      if (other > t) {
        int a = s[t], b = s[other];
        if ((a > b) == ((t & k) == 0)) { s[t] = b; s[other] = a; }
      }
      __syncthreads();
    }
  }
  out[i] = s[t];
}
K oddEven(int *data, int n, int odd) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (i + 1 < n) {
    int a = data[i], b = data[i + 1];
    data[i] = min(a, b);
    data[i + 1] = max(a, b);
  }
}
K lookup(const int *in, const int *table, int *out, int n) {
  __shared__ int s[256];
  s[threadIdx.x & 255] = table[threadIdx.x & 255];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = s[in[i] & 255];
}
