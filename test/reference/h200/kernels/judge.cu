// Kernels that someone would choose who wants to know how far a simulator for a course on reductions and warps can be
// trusted; none in an earlier file. Written and simulated before they were measured on an H200.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions: several loads a thread, types, operations, endings -----------------------------------------
K sumTwoLoads(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
  float v = i < n ? in[i] : 0.0f;
  if (i + (int)blockDim.x < n) v += in[i + blockDim.x];
  s[tid] = v;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    int index = 2 * stride * tid;
    if (index < blockDim.x) s[index] += s[index + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
K sumThree(const int *in, int *out, int n) {
  extern __shared__ int si[];
  int tid = threadIdx.x, i = (blockIdx.x * blockDim.x + tid) * 3;
  int v = 0;
  if (i + 2 < n) v = in[i] + in[i + 1] + in[i + 2];
  si[tid] = v;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) si[tid] += si[tid + stride];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = si[0];
}
K sumFive(const float *in, float *out, int n) {
  extern __shared__ float s[];
  int tid = threadIdx.x, base = blockIdx.x * blockDim.x * 5 + tid;
  float v = 0.0f;
  for (int k = 0; k < 5; k++) {
    int i = base + k * blockDim.x;
    if (i < n) v += in[i];
  }
  s[tid] = v;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride >= 32; stride /= 2) {
    if (tid < stride) s[tid] += s[tid + stride];
    __syncthreads();
  }
  if (tid < 32) {
    v = s[tid];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
    if (tid == 0) out[blockIdx.x] = v;
  }
}
K minDouble(const double *in, double *out, int n) {
  extern __shared__ double sd[];
  int tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + tid;
  double v = in[i];
  v = min(v, in[i + blockDim.x]);
  sd[tid] = v;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) sd[tid] = min(sd[tid], sd[tid + s]);
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sd[0];
}
K productXor(const float *in, float *out, int n) {
  __shared__ float warps[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float p = i < n ? in[i] : 1.0f;
  p *= __shfl_xor_sync(FULL, p, 16);
  p *= __shfl_xor_sync(FULL, p, 8);
  p *= __shfl_xor_sync(FULL, p, 4);
  p *= __shfl_xor_sync(FULL, p, 2);
  p *= __shfl_xor_sync(FULL, p, 1);
  if (lane == 0) warps[w] = p;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 1.0f;
    for (int k = 0; k < blockDim.x / 32; k++) all *= warps[k];
    out[blockIdx.x] = all;
  }
}
K xorWords(const uint *in, uint *out, int n) {
  uint v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v ^= in[i];
  for (int d = 16; d > 0; d >>= 1) v ^= __shfl_xor_sync(FULL, v, d);
  if ((threadIdx.x & 31) == 0) atomicXor(out, v);
}
K andOrWords(const uint *in, uint *all, uint *any, int n) {
  __shared__ uint a[256];
  __shared__ uint o[256];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  uint x = in[i], y = in[i + 256];
  a[t] = x & y;
  o[t] = x | y;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) {
      a[t] &= a[t + s];
      o[t] |= o[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    atomicAnd(all, a[0]);
    atomicOr(any, o[0]);
  }
}
K sumLongShfl(const long long *in, long long *out, int n) {
  __shared__ long long part[32];
  long long v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0) part[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < blockDim.x / 32 ? part[lane] : 0;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
K maxLongStrided(const long long *in, long long *out, int n) {
  extern __shared__ long long sl[];
  int tid = threadIdx.x;
  sl[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) sl[tid] = max(sl[tid], sl[tid + s]);
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = sl[0];
}
K sumTile16(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d, 16);
  if ((threadIdx.x & 15) == 0) atomicAdd(out + (blockIdx.x & 63), v);
}
K sumTicket(const float *in, volatile float *partial, uint *ticket, float *out, int n) {
  __shared__ float s[256];
  __shared__ int last;
  int t = threadIdx.x;
  float v = 0.0f;
  for (int i = blockIdx.x * 512 + t; i < n; i += 512 * gridDim.x) v += in[i] + in[i + 256];
  s[t] = v;
  __syncthreads();
  for (int d = 128; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    uint order = atomicInc(ticket, gridDim.x);
    last = order == gridDim.x - 1 ? 1 : 0;
  }
  __syncthreads();
  if (last != 0) {
    v = 0.0f;
    for (int i = t; i < gridDim.x; i += 256) v += partial[i];
    s[t] = v;
    __syncthreads();
    for (int d = 128; d > 0; d >>= 1) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
    if (t == 0) out[0] = s[0];
  }
}
K sumKahan(const float *in, float *out, int n) {
  float sum = 0.0f, c = 0.0f;
  int threads = gridDim.x * blockDim.x, id = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = id; i < n; i += threads) {
    float y = in[i] - c;
    float t = sum + y;
    c = (t - sum) - y;
    sum = t;
  }
  out[id] = sum;
}
K squaresDouble(const float *in, double *out, int n) {
  __shared__ double s[512];
  int t = threadIdx.x;
  double v = 0.0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    double x = in[i];
    v += x * x;
  }
  s[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K dotInt4(const int4 *a, const int4 *b, int *out, int quads) {
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 x = a[i], y = b[i];
    v += x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
  }
  v = __reduce_add_sync(FULL, v);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
K segmentTile8(const float *in, float *out, int length) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, segment = t / 8, lane = t % 8;
  float v = 0.0f;
  for (int k = lane; k < length; k += 8) v += in[segment * length + k];
  v += __shfl_xor_sync(FULL, v, 4, 8);
  v += __shfl_xor_sync(FULL, v, 2, 8);
  v += __shfl_xor_sync(FULL, v, 1, 8);
  if (lane == 0) out[segment] = v;
}
K rowMaxBlock(const float *in, float *out, int cols) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  float m = -1e30f;
  for (int c = t; c < cols; c += blockDim.x) m = fmaxf(m, in[blockIdx.x * cols + c]);
  s[t] = m;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K columnMeans(const float *in, float *out, int rows, int cols) {
  __shared__ float s[8][32];
  int x = threadIdx.x, y = threadIdx.y, c = blockIdx.x * 32 + x;
  float v = 0.0f;
  for (int r = y; r < rows; r += 8) v += in[r * cols + c];
  s[y][x] = v;
  __syncthreads();
  for (int d = 4; d > 0; d >>= 1) {
    if (y < d) s[y][x] += s[y + d][x];
    __syncthreads();
  }
  if (y == 0) out[c] = s[0][x] / rows;
}
K sumVolatile(const int *in, int *out, int n) {
  extern __shared__ int si[];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x * 4 + tid;
  si[tid] = in[i] + in[i + blockDim.x] + in[i + 2 * blockDim.x] + in[i + 3 * blockDim.x];
  __syncthreads();
  for (int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) si[tid] += si[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    volatile int *v = si;
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = si[0];
}
// ---- scans ---------------------------------------------------------------------------------------------------
K brentKung(const float *in, float *out) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  s[t] = in[base + t];
  s[t + blockDim.x] = in[base + t + blockDim.x];
  for (int stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    int index = (t + 1) * 2 * stride - 1;
    if (index < n) s[index] += s[index - stride];
  }
  for (int stride = n / 4; stride > 0; stride /= 2) {
    __syncthreads();
    int index = (t + 1) * stride * 2 - 1;
    if (index + stride < n) s[index + stride] += s[index];
  }
  __syncthreads();
  out[base + t] = s[t];
  out[base + t + blockDim.x] = s[t + blockDim.x];
}
K hillisDouble(const double *in, double *out) {
  extern __shared__ double sd[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  double v = in[i];
  sd[t] = v;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    if (t >= d) v += sd[t - d];
    __syncthreads();
    sd[t] = v;
    __syncthreads();
  }
  out[i] = v;
}
K scanRowWarp(const int *in, int *out, int length) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  int carry = 0;
  for (int k = lane; k < length; k += 32) {
    int v = in[w * length + k];
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(FULL, v, d);
      if (lane >= d) v += u;
    }
    v += carry;
    out[w * length + k] = v;
    carry = __shfl_sync(FULL, v, 31);
  }
}
K scanTops(const int *in, int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  int before = 0;
  for (int base = 0; base < n; base += 1024) {
    int v = in[base + t];
    s[t] = v;
    __syncthreads();
    for (int d = 1; d < 1024; d *= 2) {
      int u = t >= d ? s[t - d] : 0;
      __syncthreads();
      s[t] += u;
      __syncthreads();
    }
    out[base + t] = before + s[t] - v;
    before += s[1023];
    __syncthreads();
  }
}
K segmentedScan(const int *in, const int *heads, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = in[i], flag = heads[i] > 900 ? 1 : 0;
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(FULL, v, d);
    int f = __shfl_up_sync(FULL, flag, d);
    if (lane >= d) {
      if (flag == 0) v += u;
      flag |= f;
    }
  }
  out[i] = v;
}
// ---- transposes ------------------------------------------------------------------------------------------------
K transpose8(const float *in, float *out, int w, int h) {
  __shared__ float tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 8 + threadIdx.x;
  y = blockIdx.x * 8 + threadIdx.y;
  out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
K transpose64(const float *in, float *out, int w, int h) {
  __shared__ float tile[64][65];
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y;
  for (int j = 0; j < 64; j += 4) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 64 + threadIdx.x;
  y = blockIdx.x * 64 + threadIdx.y;
  for (int j = 0; j < 64; j += 4) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeGuarded(const float *in, float *out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < w && y + j < h) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < h && y + j < w) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeColumns(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
// ---- copies, strides, offsets, indices ----------------------------------------------------------------------
K saxpy2(float a, const float2 *x, float2 *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 p = x[i], q = y[i];
    q.x = a * p.x + q.x;
    q.y = a * p.y + q.y;
    y[i] = q;
  }
}
K saxpy4(float a, const float4 *x, float4 *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float4 p = x[i], q = y[i];
    q.x += a * p.x;
    q.y += a * p.y;
    q.z += a * p.z;
    q.w += a * p.w;
    y[i] = q;
  }
}
K daxpy(double a, const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
K copyLong(const long long *in, long long *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}
K copyChunks(const int *in, int *out, int each) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int k = 0; k < each; k++) out[first + k] = in[first + k];
}
K offsetBoth(const float *in, float *out, int from, int to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i + to] = in[i + from];
}
K writeStrideDouble(const double *in, double *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * stride] = in[i];
}
K reverseGlobal(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
K gatherDouble(const double *in, const int *index, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[index[i]];
}
K gatherRows(const float *table, const int *index, float *out, int cols) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int row = index[w] & 65535;
  for (int c = lane; c < cols; c += 32) out[w * cols + c] = table[row * cols + c];
}
K scatterAdd(const float *in, const int *index, float *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[index[i] & 16383], in[i]);
}
K ringCopy(const int *in, int *out, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i + shift) % n];
}
// ---- histograms --------------------------------------------------------------------------------------------
K histBytes(const uint *data, uint *bins, int n) {
  __shared__ uint s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint d = data[i] * 2654435761u;
    atomicAdd(&s[d & 255], 1u);
    atomicAdd(&s[(d >> 8) & 255], 1u);
    atomicAdd(&s[(d >> 16) & 255], 1u);
    atomicAdd(&s[d >> 24], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
K histChunks(const int *data, int *bins, int each) {
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = 0;
  __syncthreads();
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int k = 0; k < each; k++) atomicAdd(&s[data[first + k] >> 4], 1);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
K histTwoCopies(const int *data, int *bins, int n) {
  __shared__ int s[2][1025];
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) {
    s[0][b] = 0;
    s[1][b] = 0;
  }
  __syncthreads();
  int copy = threadIdx.x & 1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[copy][data[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) atomicAdd(&bins[b], s[0][b] + s[1][b]);
}
K histPlain256(const int *data, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[(data[i] >> 2) * 16], 1);
}
// ---- stencils ----------------------------------------------------------------------------------------------
K average7(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  int count = 0;
  for (int d = -3; d <= 3; d++) {
    int j = i + d;
    if (j >= 0 && j < n) {
      v += in[j];
      count++;
    }
  }
  if (i < n) out[i] = v / count;
}
K halo12(const float *in, float *out, int n) {
  __shared__ float s[256 + 24];
  int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x;
  s[t + 12] = in[i];
  if (t < 12) s[t] = i >= 12 ? in[i - 12] : 0.0f;
  if (t >= 244) s[t + 24] = i + 12 < n ? in[i + 12] : 0.0f;
  __syncthreads();
  float v = 0.0f;
  for (int d = 0; d <= 24; d++) v += s[t + d];
  out[i] = v * 0.04f;
}
K sobel(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    int a = in[(y - 1) * w + x - 1], b = in[(y - 1) * w + x], c = in[(y - 1) * w + x + 1];
    int d = in[y * w + x - 1], e = in[y * w + x + 1];
    int f = in[(y + 1) * w + x - 1], g = in[(y + 1) * w + x], k = in[(y + 1) * w + x + 1];
    int gx = c - a + 2 * (e - d) + k - f, gy = f - a + 2 * (g - b) + k - c;
    out[y * w + x] = abs(gx) + abs(gy);
  }
}
K wave(const float *now, const float *before, float *next, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int i = y * w + x;
    next[i] = 2.0f * now[i] - before[i] + 0.2f * (now[i - 1] + now[i + 1] + now[i - w] + now[i + w] - 4.0f * now[i]);
  }
}
// ---- matrices ----------------------------------------------------------------------------------------------
K matVecWarp4(const float4 *A, const float4 *x, float *y, int quads) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float v = 0.0f;
  for (int c = lane; c < quads; c += 32) {
    float4 a = A[row * quads + c], b = x[c];
    v += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if (lane == 0) y[row] = v;
}
K matVecStaged(const double *A, const double *x, double *y, int rows, int cols) {
  __shared__ double part[128];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double v = 0.0;
  for (int base = 0; base < cols; base += 128) {
    part[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
    for (int c = 0; c < 128; c++) v += A[(base + c) * rows + row] * part[c];
    __syncthreads();
  }
  y[row] = v;
}
K matMulInt(const int *A, const int *B, int *C, int m, int n, int k) {
  __shared__ int a[16][16];
  __shared__ int b[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  int v = 0;
  for (int t = 0; t < k; t += 16) {
    a[ty][tx] = A[row * k + t + tx];
    b[ty][tx] = B[(t + ty) * n + col];
    __syncthreads();
    for (int j = 0; j < 16; j++) v += a[ty][j] * b[j][tx];
    __syncthreads();
  }
  C[row * n + col] = v;
}
K matMulRegisters(const float *A, const float *B, float *C, int n) {
  __shared__ float a[16][64];
  __shared__ float b[16][64];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  float acc[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) acc[i][j] = 0.0f;
  for (int p = 0; p < n; p += 16) {
    for (int l = 0; l < 4; l++) {
      int e = l * 256 + t;
      a[e % 16][e / 16] = A[(blockIdx.y * 64 + e / 16) * n + p + e % 16];
      b[e / 64][e % 64] = B[(p + e / 64) * n + blockIdx.x * 64 + e % 64];
    }
    __syncthreads();
    for (int q = 0; q < 16; q++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += a[q][ty * 4 + i] * b[q][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) C[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = acc[i][j];
}
K outerProduct(const float *a, const float *b, float *c, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  c[i * n + j] = a[i] * b[j];
}
K addColumns(const float *a, const float *b, float *c, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < h)
    for (int x = 0; x < w; x++) c[y * w + x] = a[y * w + x] + b[y * w + x];
}
// ---- compaction, sorting -------------------------------------------------------------------------------------
K compactNaive(const int *in, int *out, int *count, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = in[i];
    if (x >= limit) {
      int at = atomicAdd(count, 1);
      out[at] = x;
    }
  }
}
K compactBlock(const int *in, int *out, int *count, int n, int limit) {
  __shared__ int kept;
  __shared__ int base;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) kept = 0;
  __syncthreads();
  int x = in[i], place = 0;
  bool keep = x >= limit;
  if (keep) place = atomicAdd(&kept, 1);
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(count, kept);
  __syncthreads();
  if (keep) out[base + place] = x;
}
K headFlags(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i == 0 || in[i] != in[i - 1] ? 1 : 0;
}
K rankSort(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x;
  int x = in[blockIdx.x * 256 + t];
  s[t] = x;
  __syncthreads();
  int rank = 0;
  for (int k = 0; k < 256; k++) {
    int y = s[k];
    if (y < x || (y == x && k < t)) rank++;
  }
  out[blockIdx.x * 256 + rank] = x;
}
K bitonicWarp(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int x = in[i];
  for (int k = 2; k <= 32; k *= 2) {
    for (int j = k / 2; j > 0; j /= 2) {
      int y = __shfl_xor_sync(FULL, x, j);
      bool up = (lane & k) == 0, lower = (lane & j) == 0;
      x = up == lower ? min(x, y) : max(x, y);
    }
  }
  out[i] = x;
}
// ---- divergence, arithmetic ----------------------------------------------------------------------------------
K primes(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i + 2, prime = 1;
  for (int d = 2; d * d <= x; d++) {
    if (x % d == 0) {
      prime = 0;
      break;
    }
  }
  out[i] = prime;
}
K laneSwitch(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  int which = threadIdx.x & 3;
  if (which == 0) {
    for (int k = 0; k < 16; k++) x = x * x - 0.5f;
  } else if (which == 1) {
    for (int k = 0; k < 16; k++) x = sqrtf(x + 1.0f);
  } else if (which == 2) {
    for (int k = 0; k < 16; k++) x = 1.0f / (x + 2.0f);
  } else {
    for (int k = 0; k < 16; k++) x = __expf(-x);
  }
  out[i] = x;
}
K logistic(double *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = (i + 1) * (1.0 / 4194304.0);
  for (int k = 0; k < rounds; k++) x = 3.9 * x * (1.0 - x);
  out[i] = x;
}
K hash64(unsigned long long *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long h = i + 1;
  for (int k = 0; k < rounds; k++) {
    h ^= h >> 33;
    h *= 1099511628211;
    h += k;
  }
  out[i] = h;
}
K distances(const float4 *p, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = p[i];
  float least = 1e30f;
  for (int k = 0; k < n; k++) {
    float4 b = p[k];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    least = fminf(least, sqrtf(dx * dx + dy * dy + dz * dz + b.w));
  }
  out[i] = least;
}
K softplus(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = logf(1.0f + expf(in[i]));
}
K voteLoop(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i] + 1, rounds = 0;
  while (__any_sync(FULL, x > 1)) {
    x = x > 1 ? ((x & 1) == 0 ? x / 2 : (3 * x + 1) / 2) : x;
    rounds++;
    if (rounds >= 24) break;
  }
  out[i] = rounds + x;
}
