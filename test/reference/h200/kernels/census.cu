// Reductions, scans, transposes, strided accesses and histograms in further forms, in blocks that are no powers of two as
// well; none in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
typedef unsigned int uint;
typedef unsigned long long ull;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions ------------------------------------------------------------------------------------------------
K sumOddBlock(const float *in, float *out, int n) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float v = i < n ? in[i] : 0.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if (lane == 0) part[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < (blockDim.x + 31) / 32 ? part[lane] : 0.0f;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
K sumRaking(const int *in, int *out) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  if (t < 32) {
    int v = 0;
    for (int k = 0; k < 16; k++) v += s[t * 16 + k];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
K sumRakingSpread(const int *in, int *out) {
  __shared__ int s[512];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  if (t < 32) {
    int v = 0;
    for (int k = 0; k < 16; k++) v += s[t + k * 32];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
    if (t == 0) out[blockIdx.x] = v;
  }
}
K sumEightLoads(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 8) + tid;
  float v = 0.0f;
  if (i + 7 * blockDim.x < n) {
    float a = in[i], b = in[i + blockDim.x], c = in[i + 2 * blockDim.x], d = in[i + 3 * blockDim.x];
    float e = in[i + 4 * blockDim.x], f = in[i + 5 * blockDim.x], g = in[i + 6 * blockDim.x], h = in[i + 7 * blockDim.x];
    v = ((a + b) + (c + d)) + ((e + f) + (g + h));
  }
  s[tid] = v;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
K sumWhile(const int *in, int *out, uint n) {
  extern __shared__ int si[];
  uint tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid, gridSize = blockDim.x * 2 * gridDim.x;
  int v = 0;
  while (i < n) {
    v += in[i];
    if (i + blockDim.x < n) v += in[i + blockDim.x];
    i += gridSize;
  }
  si[tid] = v;
  __syncthreads();
  for (uint s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) {
      v += si[tid + s];
      si[tid] = v;
    }
    __syncthreads();
  }
  if (tid < 32) {
    if (blockDim.x >= 64) v += si[tid + 32];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
  }
  if (tid == 0) out[blockIdx.x] = v;
}
K sumSharedAtomic(const int *in, int *out, int n) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  v += __shfl_down_sync(FULL, v, 16);
  v += __shfl_down_sync(FULL, v, 8);
  v += __shfl_down_sync(FULL, v, 4);
  v += __shfl_down_sync(FULL, v, 2);
  v += __shfl_down_sync(FULL, v, 1);
  if ((threadIdx.x & 31) == 0) atomicAdd(&total, v);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
K maxAbs(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float m = 0.0f;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) m = fmaxf(m, fabsf(in[i]));
  s[t] = m;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] = fmaxf(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K minMaxInt(const int *in, int *least, int *most, int n) {
  int lo = 2147483647, hi = -2147483647 - 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int x = in[i];
    lo = min(lo, x);
    hi = max(hi, x);
  }
  for (int d = 16; d > 0; d /= 2) {
    lo = min(lo, __shfl_xor_sync(FULL, lo, d));
    hi = max(hi, __shfl_xor_sync(FULL, hi, d));
  }
  if ((threadIdx.x & 31) == 0) {
    atomicMin(least, lo);
    atomicMax(most, hi);
  }
}
K norm2(const double *in, double *out, int n) {
  __shared__ double part[8];
  double v = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i] * in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 8) {
    v = part[threadIdx.x];
    v += __shfl_down_sync(255, v, 4);
    v += __shfl_down_sync(255, v, 2);
    v += __shfl_down_sync(255, v, 1);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}
K meanVariance(const float *in, float *mean, float *var, int n) {
  __shared__ float sums[32];
  __shared__ float squares[32];
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float s = 0.0f, q = 0.0f;
  const float *row = in + blockIdx.x * n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    float x = row[i];
    s += x;
    q += x * x;
  }
  for (int d = 16; d > 0; d >>= 1) {
    s += __shfl_down_sync(FULL, s, d);
    q += __shfl_down_sync(FULL, q, d);
  }
  if (lane == 0) {
    sums[w] = s;
    squares[w] = q;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float a = 0.0f, b = 0.0f;
    for (int k = 0; k < blockDim.x / 32; k++) {
      a += sums[k];
      b += squares[k];
    }
    float m = a / n;
    mean[blockIdx.x] = m;
    var[blockIdx.x] = b / n - m * m;
  }
}
K dotThree(const float *a, const float *b, const float *c, float *out, int n) {
  __shared__ float s[192];
  int t = threadIdx.x, i = blockIdx.x * 192 + t;
  s[t] = i < n ? a[i] * b[i] * c[i] : 0.0f;
  __syncthreads();
  if (t < 64) s[t] += s[t + 64] + s[t + 128];
  __syncthreads();
  for (int k = 32; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K sumInt2(const int2 *in, int *out, int pairs) {
  __shared__ int s[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int2 p = in[i];
  s[t] = p.x + p.y;
  __syncthreads();
  for (int k = blockDim.x >> 1; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K sumModuloDouble(const double *in, double *out) {
  extern __shared__ double sd[];
  int t = threadIdx.x;
  sd[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0) sd[t] += sd[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sd[0];
}
K columnSumsWarp(const float *in, float *out, int rows, int cols) {
  int x = blockIdx.x * 32 + threadIdx.x;
  float v = 0.0f;
  for (int y = blockIdx.y * 64 + threadIdx.y; y < blockIdx.y * 64 + 64; y += blockDim.y) v += in[y * cols + x];
  atomicAdd(&out[x & 4095], v);
}
K sumSyncwarp(const int *in, int *out) {
  __shared__ volatile int s[384];
  int t = threadIdx.x, lane = t & 31, base = t & ~31;
  s[t] = in[blockIdx.x * 384 + t];
  __syncwarp();
  if (lane < 16) s[t] = s[t] + s[t + 16];
  __syncwarp();
  if (lane < 8) s[t] = s[t] + s[t + 8];
  __syncwarp();
  if (lane < 4) s[t] = s[t] + s[t + 4];
  __syncwarp();
  if (lane < 2) s[t] = s[t] + s[t + 2];
  __syncwarp();
  if (lane == 0) out[(blockIdx.x * 384 + t) / 32] = s[base] + s[base + 1];
}
K countBits(const uint *in, int *out, int n) {
  __shared__ int ones;
  if (threadIdx.x == 0) ones = 0;
  __syncthreads();
  int c = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint b = __ballot_sync(FULL, in[i] > 511);
    c += __popc(b);
  }
  if ((threadIdx.x & 31) == 0) atomicAdd(&ones, c);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, ones);
}
// ---- scans -----------------------------------------------------------------------------------------------------
K scanShflBlock(const int *in, int *out, int *sums, int n) {
  __shared__ int warps[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int x = i < n ? in[i] : 0, v = x;
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[w] = v;
  __syncthreads();
  if (w == 0) {
    int s = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 1; d < 32; d <<= 1) {
      int u = __shfl_up_sync(FULL, s, d);
      if (lane >= d) s += u;
    }
    warps[lane] = s;
  }
  __syncthreads();
  int before = w > 0 ? warps[w - 1] : 0;
  if (i < n) out[i] = before + v - x;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = before + v;
}
K scanDoubleBuffer(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int t = threadIdx.x, b = blockDim.x, from = 0, to = 1;
  s[t] = in[blockIdx.x * b + t];
  __syncthreads();
  for (int d = 1; d < b; d <<= 1) {
    to = 1 - to;
    from = 1 - to;
    if (t >= d) s[from * b + t] = s[to * b + t] + s[to * b + t - d];
    else s[from * b + t] = s[to * b + t];
    __syncthreads();
  }
  out[blockIdx.x * b + t] = s[from * b + t];
}
K scanEightEach(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x, base = (blockIdx.x * 256 + t) * 8;
  int x[8];
  int sum = 0;
  for (int k = 0; k < 8; k++) {
    sum += in[base + k];
    x[k] = sum;
  }
  s[t] = sum;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int u = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += u;
    __syncthreads();
  }
  int before = t > 0 ? s[t - 1] : 0;
  for (int k = 0; k < 8; k++) out[base + k] = before + x[k];
}
K blellochDouble(const double *in, double *out, int n) {
  extern __shared__ double sd[];
  int t = threadIdx.x, offset = 1, base = blockIdx.x * n;
  sd[2 * t] = in[base + 2 * t];
  sd[2 * t + 1] = in[base + 2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      sd[b] += sd[a];
    }
    offset *= 2;
  }
  if (t == 0) sd[n - 1] = 0.0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      double x = sd[a];
      sd[a] = sd[b];
      sd[b] += x;
    }
  }
  __syncthreads();
  out[base + 2 * t] = sd[2 * t];
  out[base + 2 * t + 1] = sd[2 * t + 1];
}
K maxScanWarp(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  float v = i < n ? in[i] : 0.0f;
  for (int d = 1; d < 32; d *= 2) {
    float u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v = fmaxf(v, u);
  }
  if (i < n) out[i] = v;
}
// ---- transposes ------------------------------------------------------------------------------------------------
K transposeSwizzle(const float *in, float *out, int w, int h) {
  __shared__ float tile[32][32];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  for (int j = 0; j < 32; j += 8) tile[ty + j][tx ^ (ty + j)] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[tx][(ty + j) ^ tx];
}
K transposeFull(const int *in, int *out, int w) {
  __shared__ int tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  out[y * w + x] = tile[threadIdx.x][threadIdx.y];
}
K transposeTall(const float *in, float *out, int w, int h) {
  __shared__ float tile[16][65];
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 16;
  for (int j = 0; j < 16; j++) tile[j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  int tx = threadIdx.x & 15, ty = threadIdx.x >> 4;
  for (int j = 0; j < 64; j += 4) out[(blockIdx.x * 64 + ty + j) * h + y + tx] = tile[tx][ty + j];
}
K transposeInPlace(float *a, int w) {
  __shared__ float s[32][33];
  __shared__ float d[32][33];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  if (bx > by) return;
  for (int j = 0; j < 32; j += 8) {
    s[ty + j][tx] = a[(by * 32 + ty + j) * w + bx * 32 + tx];
    d[ty + j][tx] = a[(bx * 32 + ty + j) * w + by * 32 + tx];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += 8) {
    a[(bx * 32 + ty + j) * w + by * 32 + tx] = s[tx][ty + j];
    a[(by * 32 + ty + j) * w + bx * 32 + tx] = d[tx][ty + j];
  }
}
K transposeLong(const long long *in, long long *out, int w) {
  __shared__ long long tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * w + x] = tile[threadIdx.x][threadIdx.y];
}
K permuteAxes(const float *in, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int z = i % c, y = i / c % b, x = i / c / b;
  out[(y * a + x) * c + z] = in[i];
}
K transposeFourRows(const float *in, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
  float a = in[y * w + x], b = in[(y + 1) * w + x], c = in[(y + 2) * w + x], d = in[(y + 3) * w + x];
  out[x * w + y] = a;
  out[x * w + y + 1] = b;
  out[x * w + y + 2] = c;
  out[x * w + y + 3] = d;
}
// ---- strides, offsets, structures ------------------------------------------------------------------------------
K strideReadLoop(const float *in, float *out, int n, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float v = 0.0f;
  for (int i = t; i < n / stride; i += all) v += in[i * stride];
  out[t] = v;
}
K strideReadDouble(const double *in, double *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}
K strideUpdate(int *data, int stride) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  data[i] = data[i] + 1;
}
K columnRead(const float *in, float *out, int w) {
  int x = blockIdx.x, y = threadIdx.x;
  out[x * blockDim.x + y] = in[y * w + x];
}
K structOfThree(const float *p, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2];
    out[i] = sqrtf(x * x + y * y + z * z);
  }
}
K structOfEight(const float *p, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = p[8 * i] + p[8 * i + 5];
}
K misalignedSum(const int *a, const int *b, int *out, int from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + from;
  if (i < n) out[i] = a[i - 1] + b[i] * 3;
}
K everyOther(const float *in, float *out, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  if (i < n) out[i] = in[i] * 2.0f;
}
K blockStride(const int *in, int *out, int n) {
  int t = threadIdx.x, base = blockIdx.x * blockDim.x * 4;
  int a = in[base + t], b = in[base + t + blockDim.x], c = in[base + t + 2 * blockDim.x], d = in[base + t + 3 * blockDim.x];
  out[base + t] = a + 1;
  out[base + t + blockDim.x] = b + 1;
  out[base + t + 2 * blockDim.x] = c + 1;
  out[base + t + 3 * blockDim.x] = d + 1;
}
K threadStride(const int *in, int *out, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < 4; k++) out[first + k] = in[first + k] + 1;
}
// ---- histograms ------------------------------------------------------------------------------------------------
K histSixteen(const int *in, int *bins, int n) {
  __shared__ int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i] >> 6], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
K hist256Book(const uint *in, uint *bins, int n) {
  __shared__ uint temp[256];
  temp[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x, offset = blockDim.x * gridDim.x;
  while (i < n) {
    atomicAdd(&temp[in[i] & 255], 1);
    i += offset;
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], temp[threadIdx.x]);
}
K histWarpCopies(const int *in, int *bins, int n) {
  __shared__ int s[8 * 257];
  int t = threadIdx.x, mine = (t >> 5) * 257;
  for (int k = t; k < 8 * 257; k += 256) s[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&s[mine + (in[i] & 255)], 1);
  __syncthreads();
  int sum = 0;
  for (int w = 0; w < 8; w++) sum += s[w * 257 + t];
  atomicAdd(&bins[t], sum);
}
K histGlobal4096(const int *in, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[(in[i] * 4 + (i & 3)) & 4095], 1);
}
K histCoarse(const int *in, int *bins, int n, int each) {
  __shared__ int s[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k] = 0;
  __syncthreads();
  int first = blockIdx.x * blockDim.x * each + threadIdx.x;
  for (int k = 0; k < each; k++) {
    int i = first + k * blockDim.x;
    if (i < n) atomicAdd(&s[in[i]], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    if (s[k] > 0) atomicAdd(&bins[k], s[k]);
}
K histPrivateBytes(const int *in, int *bins, int n) {
  __shared__ int s[64 * 64];
  int t = threadIdx.x;
  for (int k = 0; k < 64; k++) s[k * 64 + t] = 0;
  for (int i = blockIdx.x * 64 + t; i < n; i += gridDim.x * 64) s[(in[i] >> 4) * 64 + t] += 1;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; k++) sum += s[t * 64 + ((k + t) & 63)];
  atomicAdd(&bins[t], sum);
}
K weightedBins(const int *in, const float *weight, float *bins, int n) {
  __shared__ float s[128];
  if (threadIdx.x < 128) s[threadIdx.x] = 0.0f;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&s[in[i] & 127], weight[i]);
  __syncthreads();
  if (threadIdx.x < 128) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
