// The probes' kernels at other sizes and in other blocks (../h200/kernels/probes.cu), and further reductions, scans, transposes,
// strides and histograms that are in no other table. Simulated before they were measured on an H200.
#include "probes.cu"
#define K extern "C" __global__ void
#define ALL 0xffffffff

// ---- reductions --------------------------------------------------------------------------------------------------
// Each thread sums a piece of a column, a block's pieces meet in an atomic.
K columnAtomics(const float *in, float *sums, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float v = 0.0f;
  for (int r = blockIdx.y; r < rows; r += gridDim.y) v += in[r * cols + c];
  atomicAdd(&sums[c], v);
}
K minMaxGlobal(const int *in, int *result, int n) {
  int low = 2147483647, high = -2147483647;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int x = in[i];
    low = min(low, x);
    high = max(high, x);
  }
  for (int d = 16; d > 0; d >>= 1) {
    low = min(low, __shfl_xor_sync(ALL, low, d));
    high = max(high, __shfl_xor_sync(ALL, high, d));
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(&result[0], low);
    atomicMax(&result[1], high);
  }
}
// Eight lanes a row of a matrix with short rows.
K rowSumsEight(const float *in, float *out, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  if (row >= rows) return;
  float v = 0.0f;
  for (int c = lane; c < cols; c += 8) v += in[row * cols + c];
  v += __shfl_down_sync(ALL, v, 4, 8);
  v += __shfl_down_sync(ALL, v, 2, 8);
  v += __shfl_down_sync(ALL, v, 1, 8);
  if (lane == 0) out[row] = v;
}
K sumTwoQuads(const int4 *in, int *total, int quads) {
  extern __shared__ int si[];
  int t = threadIdx.x, all = gridDim.x * blockDim.x, v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < quads; i += 2 * all) {
    int4 a = in[i];
    v += a.x + a.y + a.z + a.w;
    if (i + all < quads) {
      int4 b = in[i + all];
      v += b.x + b.y + b.z + b.w;
    }
  }
  si[t] = v;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) si[t] += si[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, si[0]);
}
K varianceRow(const float *in, float *out, int cols) {
  __shared__ float s[256];
  int t = threadIdx.x;
  const float *x = in + blockIdx.x * cols;
  float v = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) v += x[c];
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  float mean = s[0] / cols;
  __syncthreads();
  v = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) {
    float d = x[c] - mean;
    v += d * d;
  }
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0] / (cols - 1);
}
K logSumExpWarp(const float *in, float *out, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float m = -1e30f, v = 0.0f;
  for (int c = lane; c < cols; c += 32) m = fmaxf(m, in[row * cols + c]);
  for (int d = 16; d > 0; d >>= 1) m = fmaxf(m, __shfl_xor_sync(ALL, m, d));
  for (int c = lane; c < cols; c += 32) v += __expf(in[row * cols + c] - m);
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(ALL, v, d);
  if (lane == 0) out[row] = m + __logf(v);
}
K dotBatch(const float *a, const float *b, float *out, int length) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  float v = 0.0f;
  for (int k = lane; k < length; k += 32) v += a[w * length + k] * b[w * length + k];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(ALL, v, d);
  if (lane == 0) out[w] = v;
}
K treeLongAtomic(const long long *in, unsigned long long *total, int n) {
  extern __shared__ long long sl[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  long long v = i < n ? in[i] : 0;
  if (i + blockDim.x < n) v += in[i + blockDim.x];
  sl[t] = v;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) sl[t] += sl[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(total, (unsigned long long)sl[0]);
}
K countRuns(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int here = i < n ? in[i] >> 8 : 0, before = i > 0 && i < n ? in[i - 1] >> 8 : -1;
  unsigned m = __ballot_sync(ALL, here != before);
  if (threadIdx.x % 32 == 0) out[i / 32] = __popc(m);
}
// ---- scans -------------------------------------------------------------------------------------------------------
K scanTwoLevel(const int *in, int *out, int n) {
  __shared__ int sums[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  int x = i < n ? in[i] : 0, v = x;
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(ALL, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) sums[w] = v;
  __syncthreads();
  if (w == 0) {
    int s = sums[lane];
    for (int d = 1; d < 32; d <<= 1) {
      int u = __shfl_up_sync(ALL, s, d);
      if (lane >= d) s += u;
    }
    sums[lane] = s;
  }
  __syncthreads();
  if (i < n) out[i] = v - x + (w > 0 ? sums[w - 1] : 0);
}
K headsScan(const float *in, const int *keys, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (i >= n) return;
  float v = in[i];
  int head = (keys[i] & 7) == 0;
  for (int d = 1; d < 32; d *= 2) {
    float u = __shfl_up_sync(ALL, v, d);
    int h = __shfl_up_sync(ALL, head, d);
    if (lane >= d && !head) {
      v += u;
      head |= h;
    }
  }
  out[i] = v;
}
K runningMaxRow(const float *in, float *out, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float carry = -1e30f;
  for (int c = lane; c < cols; c += 32) {
    float v = in[row * cols + c];
    for (int d = 1; d < 32; d *= 2) {
      float u = __shfl_up_sync(ALL, v, d);
      if (lane >= d) v = fmaxf(v, u);
    }
    v = fmaxf(v, carry);
    out[row * cols + c] = v;
    carry = __shfl_sync(ALL, v, 31);
  }
}
K scanDoubleShared(const double *in, double *out) {
  extern __shared__ double sd[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sd[t] = in[i];
  for (int d = 1; d < blockDim.x; d *= 2) {
    __syncthreads();
    double v = t >= d ? sd[t - d] : 0.0;
    __syncthreads();
    sd[t] += v;
  }
  out[i] = sd[t];
}
K scanSixteenEach(const int4 *in, int4 *out) {
  __shared__ int ends[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  const int4 *mine = in + (blockIdx.x * blockDim.x + t) * 4;
  int4 a = mine[0], b = mine[1], c = mine[2], d = mine[3];
  int sum = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + d.x + d.y + d.z + d.w;
  int v = sum;
  for (int k = 1; k < 32; k *= 2) {
    int u = __shfl_up_sync(ALL, v, k);
    if (lane >= k) v += u;
  }
  if (lane == 31) ends[w] = v;
  __syncthreads();
  int run = v - sum;
  for (int k = 0; k < w; k++) run += ends[k];
  int4 *o = out + (blockIdx.x * blockDim.x + t) * 4;
  o[0] = make_int4(run + a.x, run + a.x + a.y, run + a.x + a.y + a.z, run + a.x + a.y + a.z + a.w);
  run += a.x + a.y + a.z + a.w;
  o[1] = make_int4(run + b.x, run + b.x + b.y, run + b.x + b.y + b.z, run + b.x + b.y + b.z + b.w);
  run += b.x + b.y + b.z + b.w;
  o[2] = make_int4(run + c.x, run + c.x + c.y, run + c.x + c.y + c.z, run + c.x + c.y + c.z + c.w);
  run += c.x + c.y + c.z + c.w;
  o[3] = make_int4(run + d.x, run + d.x + d.y, run + d.x + d.y + d.z, run + d.x + d.y + d.z + d.w);
}
// ---- transposes --------------------------------------------------------------------------------------------------
K transposeStrip(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * 8;
  if (x >= width) return;
  for (int k = 0; k < 8; k++) out[x * height + y + k] = in[(y + k) * width + x];
}
K transposeQuads(const float *in, float4 *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || 4 * q >= height) return;
  const float *p = in + 4 * q * width + x;
  out[x * (height / 4) + q] = make_float4(p[0], p[width], p[2 * width], p[3 * width]);
}
K transposeWideTile(const float *in, float *out, int width, int height) {
  __shared__ float tile[32][65];
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    tile[j][threadIdx.x] = in[(y + j) * width + x];
    tile[j][threadIdx.x + 32] = in[(y + j) * width + x + 32];
  }
  __syncthreads();
  int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 64;
  for (int j = threadIdx.y; j < 64; j += blockDim.y) out[(oy + j) * height + ox] = tile[threadIdx.x][j];
}
K permuteLastTwo(const int *in, int *out, int a, int b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int plane = i / (a * b), rest = i % (a * b), row = rest / b, col = rest % b;
  out[plane * a * b + col * a + row] = in[i];
}
K transposeShuffled(const int *in, int *out, int width, int height) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  int tilesWide = width / 4, ty = warp / tilesWide * 8, tx = warp % tilesWide * 4;
  int v = in[(ty + lane / 4) * width + tx + lane % 4];
  v = __shfl_sync(ALL, v, (lane % 8) * 4 + lane / 8);
  out[(tx + lane / 8) * height + ty + lane % 8] = v;
}
// ---- strides and offsets -----------------------------------------------------------------------------------------
K zip(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[2 * i] = a[i];
    out[2 * i + 1] = b[i];
  }
}
K unzip(const float *in, float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[2 * i];
    b[i] = in[2 * i + 1];
  }
}
K storeStride(const int *in, int *out, int stride, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i * stride) & mask] = in[i];
}
K loadStrideLoop(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int k = i * stride; k < n; k += gridDim.x * blockDim.x * stride) v += in[k];
  out[i] = v;
}
K everyRow(const float *in, float *out, int pitch, int step, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  if (c < cols) out[r * cols + c] = in[r * step * pitch + c] * 0.5f;
}
K halveImage(const float *in, float *out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *p = in + 2 * y * width + 2 * x;
  out[y * (width / 2) + x] = 0.25f * (p[0] + p[1] + p[width] + p[width + 1]);
}
K threeBack(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 3;
  if (i < n) out[i] = in[i] - 3.0 * in[i - 1] + 3.0 * in[i - 2] - in[i - 3];
}
// ---- histograms --------------------------------------------------------------------------------------------------
K histInRegisters(const int *in, int *bins, int n) {
  int c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int b = in[i] >> 8;
    c0 += b == 0;
    c1 += b == 1;
    c2 += b == 2;
    c3 += b == 3;
  }
  c0 = __reduce_add_sync(ALL, c0);
  c1 = __reduce_add_sync(ALL, c1);
  c2 = __reduce_add_sync(ALL, c2);
  c3 = __reduce_add_sync(ALL, c3);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&bins[0], c0);
    atomicAdd(&bins[1], c1);
    atomicAdd(&bins[2], c2);
    atomicAdd(&bins[3], c3);
  }
}
K histQuads(const int4 *in, int *bins, int quads) {
  __shared__ int s[1024];
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 q = in[i];
    atomicAdd(&s[q.x], 1);
    atomicAdd(&s[q.y], 1);
    atomicAdd(&s[q.z], 1);
    atomicAdd(&s[q.w], 1);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 1024; b += blockDim.x)
    if (s[b] > 0) atomicAdd(&bins[b], s[b]);
}
K digitCounts(const int *in, int *counts, int n, int shift) {
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&s[(in[i] >> shift) & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = s[threadIdx.x];
}
K histFloatWeights(const int *keys, const float *weights, float *bins, int n) {
  __shared__ float s[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) s[b] = 0.0f;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[keys[i] >> 2], weights[i]);
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], s[b]);
}
K histBlockParts(const int *in, int *parts, int each) {
  extern __shared__ int si[];
  for (int b = threadIdx.x; b < 512; b += blockDim.x) si[b] = 0;
  __syncthreads();
  const int *mine = in + blockIdx.x * each;
  for (int k = threadIdx.x; k < each; k += blockDim.x) atomicAdd(&si[mine[k] & 511], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 512; b += blockDim.x) parts[blockIdx.x * 512 + b] = si[b];
}
