// Many small kernels, each in another form of loop, index, type, condition or memory: reductions, scans, transposes, strided
// accesses, histograms, stencils, matrices and bytes; none is in an earlier file. Simulated before they were
// measured on an H200.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- reductions --------------------------------------------------------------------------------------------------
K sumBackward(const int *in, int *out, int n) {
  __shared__ int s[512];
  int t = threadIdx.x, v = 0;
  for (int i = n - 1 - (blockIdx.x * blockDim.x + t); i >= 0; i -= gridDim.x * blockDim.x) v += in[i];
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x >> 1; k != 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K sumLongIndex(const float *in, float *out, long long n) {
  float v = 0.0f;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) v += in[i];
  for (int d = 1; d < 32; d <<= 1) v += __shfl_xor_sync(FULL, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
K parityOfAll(const uint *in, uint *result, uint n) {
  uint x = 0, i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    x ^= in[i];
    i += blockDim.x * gridDim.x;
  }
  for (uint d = 16; d; d >>= 1) x ^= __shfl_down_sync(FULL, x, d);
  if ((threadIdx.x & 31) == 0) atomicXor(result, x);
}
K commonBits(const int *in, int *all, int *some, int n) {
  __shared__ int both[2];
  if (threadIdx.x == 0) both[0] = -1;
  if (threadIdx.x == 1) both[1] = 0;
  __syncthreads();
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
  int a = -1, o = 0;
  if (i < n) {
    a = in[i];
    o = in[i];
  }
  if (i + 1 < n) {
    a &= in[i + 1];
    o |= in[i + 1];
  }
  atomicAnd(&both[0], a);
  atomicOr(&both[1], o);
  __syncthreads();
  if (threadIdx.x == 0) {
    all[blockIdx.x] = both[0];
    some[blockIdx.x] = both[1];
  }
}
K maxDifference(const float *a, const float *b, int *out, int n) {
  float m = 0.0f;
  int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) m = fmaxf(m, fabsf(a[i] - b[i]));
  for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_down_sync(FULL, m, d));
  if ((threadIdx.x & 31) == 0) atomicMax(out, __float_as_int(m));
}
K sumOfRoots(const double *in, double *out, int n) {
  extern __shared__ double sd[];
  uint t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sd[t] = i < n ? sqrt(in[i]) : 0.0;
  __syncthreads();
  for (uint k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) sd[t] += sd[t + k];
    __syncthreads();
  }
  if (!t) out[blockIdx.x] = sd[0];
}
K harmonicSum(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  float v = 0.0f;
#pragma unroll
  for (int k = 0; k < 4; k++) v += 1.0f / in[i + k * blockDim.x];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(FULL, v, d);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = v;
}
K sumOfLogs(const float *in, float *out, int n) {
  __shared__ float s[256];
  float v = 0.0f;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) v += logf(in[i]);
  s[threadIdx.x] = v;
  __syncthreads();
  if (threadIdx.x < 64) s[threadIdx.x] += s[threadIdx.x + 64] + s[threadIdx.x + 128] + s[threadIdx.x + 192];
  __syncthreads();
  if (threadIdx.x < 32) {
    v = s[threadIdx.x] + s[threadIdx.x + 32];
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}
__device__ __forceinline__ float blockTotal(float v, float *s) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if (lane == 0) s[w] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? s[lane] : 0.0f;
  if (w == 0)
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  return v;
}
K crossEntropy(const float *p, const float *q, float *out, int n) {
  __shared__ float s[32];
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v -= p[i] * __logf(q[i]);
  v = blockTotal(v, s);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}
K weightedMean(const float *x, const float *w, float *out, int n) {
  __shared__ float s[32];
  float a = 0.0f, b = 0.0f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    b = w[i];
    a = x[i] * b;
  }
  a = blockTotal(a, s);
  __syncthreads();
  b = blockTotal(b, s);
  if (threadIdx.x == 0) out[blockIdx.x] = a / b;
}
K nearestToTarget(const float *in, float *best, int *where, float target, int n) {
  float d = 1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float e = fabsf(in[i] - target);
    if (e < d) {
      d = e;
      at = i;
    }
  }
  for (int k = 16; k > 0; k >>= 1) {
    float e = __shfl_down_sync(FULL, d, k);
    int a = __shfl_down_sync(FULL, at, k);
    if (e < d || (e == d && a < at)) {
      d = e;
      at = a;
    }
  }
  if (threadIdx.x % 32 == 0) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    best[w] = d;
    where[w] = at;
  }
}
K countByBarrier(const int *in, int *out, int limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int count = __syncthreads_count(i < n && in[i] > limit);
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}
K rangeOfBlock(const int *in, int *low, int *high) {
  __shared__ int lo, hi;
  if (threadIdx.x == 0) {
    lo = 2147483647;
    hi = -2147483647;
  }
  __syncthreads();
  int x = in[blockIdx.x * blockDim.x + threadIdx.x];
  int a = __reduce_min_sync(FULL, x), b = __reduce_max_sync(FULL, x);
  if ((threadIdx.x & 31) == 0) {
    atomicMin(&lo, a);
    atomicMax(&hi, b);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    low[blockIdx.x] = lo;
    high[blockIdx.x] = hi;
  }
}
K sumSquaresLong(const uint *in, unsigned long long *out, int n) {
  unsigned long long v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint x = in[i];
    v += (unsigned long long)x * x;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
K sumNotThirds(const int *in, int *out, int each) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x), all = gridDim.x * blockDim.x, v = 0;
  for (int k = 0; k < each; k++) {
    if (k % 3 == 1) continue;
    v += in[first + k * all];
  }
  out[first] = v;
}
K hammingDistance(const uint *a, const uint *b, uint *out, int n) {
  __shared__ uint total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, bits = 0;
  for (; i < n; i += gridDim.x * blockDim.x) bits += __popc(a[i] ^ b[i]);
  bits = __reduce_add_sync(FULL, bits);
  if (threadIdx.x % 32 == 0) atomicAdd(&total, (uint)bits);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, total);
}
K manhattan(const int4 *a, const int4 *b, int *out, int quads) {
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 p = a[i], q = b[i];
    v += abs(p.x - q.x) + abs(p.y - q.y) + abs(p.z - q.z) + abs(p.w - q.w);
  }
  v += __shfl_xor_sync(FULL, v, 16);
  v += __shfl_xor_sync(FULL, v, 8);
  v += __shfl_xor_sync(FULL, v, 4);
  v += __shfl_xor_sync(FULL, v, 2);
  v += __shfl_xor_sync(FULL, v, 1);
  if (threadIdx.x % 32 == 0) atomicAdd(&out[blockIdx.x % 64], v);
}
K sumToDouble(const float *in, double *out, int n) {
  __shared__ double s[1024];
  double v = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += (double)in[i];
  s[threadIdx.x] = v;
  for (int k = blockDim.x / 2; k >= 1; k >>= 1) {
    __syncthreads();
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0] / n;
}
K rowsAcrossWarps(const float *in, float *out, int cols) {
  __shared__ float s[8][32];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.x;
  float v = 0.0f;
  for (int c = y * 32 + x; c < cols; c += 32 * blockDim.y) v += in[row * cols + c];
  s[y][x] = v;
  __syncthreads();
  for (int k = blockDim.y / 2; k > 0; k /= 2) {
    if (y < k) s[y][x] += s[y + k][x];
    __syncthreads();
  }
  if (y == 0) {
    v = s[0][x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
    if (x == 0) out[row] = v;
  }
}
K rmsOfColumns(const float *in, float *out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  const float *p = in + c;
  float v = 0.0f;
#pragma unroll 4
  for (int r = 0; r < rows; r++) {
    v = fmaf(*p, *p, v);
    p += cols;
  }
  out[c] = sqrtf(v / rows);
}
K infinityNorm(const float *in, float *out, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  float m = 0.0f;
#pragma unroll 2
  for (int c = threadIdx.x; c < cols; c += 32) m = fmaxf(m, fabsf(in[row * cols + c]));
  for (int d = 16; d > 0; d >>= 1) m = fmaxf(m, __shfl_xor_sync(FULL, m, d));
  if (threadIdx.x == 0) out[row] = m;
}
K lastBlockSum(const int *in, int *parts, uint *done, int *total, int n) {
  __shared__ int s[256];
  __shared__ uint last;
  uint t = threadIdx.x, i = blockIdx.x * 512 + t;
  int v = 0;
  if (i < n) v = in[i];
  if (i + 256 < n) v += in[i + 256];
  s[t] = v;
  __syncthreads();
  for (uint k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    parts[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(done, gridDim.x - 1);
  }
  __syncthreads();
  if (last != gridDim.x - 1) return;
  v = 0;
  for (uint k = t; k < gridDim.x; k += 256) v += parts[k];
  s[t] = v;
  __syncthreads();
  for (uint k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) *total = s[0];
}

// ---- scans and compaction ------------------------------------------------------------------------------------------
K xorScanWarp(const uint *in, uint *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  uint v = in[i];
  for (int d = 1; d < 32; d <<= 1) {
    uint u = __shfl_up_sync(FULL, v, d);
    v ^= lane >= d ? u : 0;
  }
  out[i] = v;
}
K minScanTwoBuffers(const int *in, int *out) {
  extern __shared__ int si[];
  int t = threadIdx.x, b = blockDim.x, from = 0, to = 1;
  si[t] = in[blockIdx.x * b + t];
  __syncthreads();
  for (int d = 1; d < b; d <<= 1) {
    if (t >= d) si[to * b + t] = min(si[from * b + t], si[from * b + t - d]);
    else si[to * b + t] = si[from * b + t];
    __syncthreads();
    from = to;
    to = 1 - from;
  }
  out[blockIdx.x * b + t] = si[from * b + t];
}
K scanEightLocal(const int *in, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int x[8];
#pragma unroll
  for (int k = 0; k < 8; k++) x[k] = in[t * 8 + k];
#pragma unroll
  for (int k = 1; k < 8; k++) x[k] += x[k - 1];
  int v = x[7];
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += u;
  }
  v -= x[7];
#pragma unroll
  for (int k = 0; k < 8; k++) out[t * 8 + k] = v + x[k];
}
K suffixProducts(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float v = i < n ? in[i] : 1.0f;
  for (int d = 1; d < 32; d += d) {
    float u = __shfl_down_sync(FULL, v, d);
    v *= lane + d < 32 ? u : 1.0f;
  }
  if (i < n) out[i] = v;
}
K sweepLongs(const unsigned long long *in, unsigned long long *out) {
  extern __shared__ unsigned long long sl[];
  uint t = threadIdx.x, b = blockDim.x, base = blockIdx.x * b * 2, d = 1;
  sl[2 * t] = in[base + 2 * t];
  sl[2 * t + 1] = in[base + 2 * t + 1];
  for (uint k = b; k > 0; k >>= 1) {
    __syncthreads();
    if (t < k) sl[d * (2 * t + 2) - 1] += sl[d * (2 * t + 1) - 1];
    d <<= 1;
  }
  if (t == 0) sl[2 * b - 1] = 0;
  for (uint k = 1; k <= b; k <<= 1) {
    d >>= 1;
    __syncthreads();
    if (t < k) {
      uint l = d * (2 * t + 1) - 1, r = d * (2 * t + 2) - 1;
      unsigned long long x = sl[l];
      sl[l] = sl[r];
      sl[r] += x;
    }
  }
  __syncthreads();
  out[base + 2 * t] = sl[2 * t];
  out[base + 2 * t + 1] = sl[2 * t + 1];
}
K linearRecurrence(const float *a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  if (i >= n) return;
  float p = a[i] * 0.5f, q = x[i];
  for (int d = 1; d < 32; d *= 2) {
    float pp = __shfl_up_sync(FULL, p, d), qq = __shfl_up_sync(FULL, q, d);
    if (lane >= d) {
      q = p * qq + q;
      p = p * pp;
    }
  }
  y[i] = q;
}
K compactWithBase(const int *in, int *out, int *cursor, int limit, int n) {
  __shared__ int count, base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i < n ? in[i] : 0, place = -1;
  if (x >= limit) place = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(cursor, count);
  __syncthreads();
  if (place >= 0) out[base + place] = x;
}
K rankFlags(const int *in, int *out, int *counts, int bit) {
  __shared__ int warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  bool one = (in[i] >> bit) & 1;
  uint m = __ballot_sync(FULL, one);
  int r = __popc(m & ((1u << lane) - 1));
  if (lane == 0) warps[w] = __popc(m);
  __syncthreads();
  for (int k = 0; k < w; k++) r += warps[k];
  out[i] = one ? r : t - r;
  if (t == blockDim.x - 1) counts[blockIdx.x] = r + one;
}
K copyUnlessZero(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x & 1) out[i] = x;
  else if (x & 2) out[i] = -x;
}

// ---- transposes and other orders -------------------------------------------------------------------------------------
K transposeDynamicPad(const int *in, int *out, int n, int pitch) {
  extern __shared__ int si[];
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  si[threadIdx.y * pitch + threadIdx.x] = in[y * n + x];
  __syncthreads();
  x = blockIdx.y * blockDim.y + threadIdx.x;
  y = blockIdx.x * blockDim.x + threadIdx.y;
  out[y * n + x] = si[threadIdx.x * pitch + threadIdx.y];
}
K transposeSwapped(const float *in, float *out, int width, int height) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && col < width) out[col * height + row] = in[row * width + col];
}
K transposeFlat(const float *in, float *out, uint width, uint height) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) {
    uint row = i / width, col = i % width;
    out[col * height + row] = in[i];
  }
}
K transposeQuadTile(const float4 *in, float4 *out, int quads) {
  __shared__ float s[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  float4 v = in[(blockIdx.y * 32 + y) * quads + blockIdx.x * 8 + x];
  s[4 * x][y] = v.x;
  s[4 * x + 1][y] = v.y;
  s[4 * x + 2][y] = v.z;
  s[4 * x + 3][y] = v.w;
  __syncthreads();
  out[(blockIdx.x * 32 + y) * quads + blockIdx.y * 8 + x] = make_float4(s[y][4 * x], s[y][4 * x + 1], s[y][4 * x + 2], s[y][4 * x + 3]);
}
K rotateImage(const int *in, int *out, int width, int height) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
  __syncthreads();
  int ox = blockIdx.y * 16 + threadIdx.x, oy = blockIdx.x * 16 + threadIdx.y;
  if (ox < height && oy < width) out[oy * height + (height - 1 - ox)] = tile[threadIdx.x][threadIdx.y];
}
K mirrorRows(const float *in, float *out, int width, int height) {
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
    for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
      out[y * width + width - 1 - x] = in[y * width + x];
}
K planesOfPixels(const uint *in, uint *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i >= n) return;
  uint a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
  for (int k = 0; k < 4; k++) {
    uint p = (a >> 8 * k & 255) + ((b >> 8 * k & 255) << 8) + ((c >> 8 * k & 255) << 16) + (d >> 8 * k << 24);
    out[k * (n / 4) + i] = p;
  }
}
K transposeBits(const uint *in, uint *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  uint x = in[i], mine = 0;
  for (int k = 0; k < 32; k++) {
    uint m = __ballot_sync(FULL, x >> k & 1);
    if (lane == k) mine = m;
  }
  out[i] = mine;
}
K tilesToRows(const float *in, float *out, int tilesWide) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  uint inside = i & 255, tile = i >> 8;
  uint x = tile % tilesWide * 16 + (inside & 15), y = tile / tilesWide * 16 + (inside >> 4);
  out[y * (tilesWide * 16) + x] = in[i];
}
K rotateAxes(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
  if (x < nx) out[((size_t)x * nz + z) * ny + y] = in[((size_t)z * ny + y) * nx + x];
}
K mortonOrder(const int *in, int *out, int width) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, a = x, b = y;
  a = (a | a << 8) & 0x00ff00ff;
  a = (a | a << 4) & 0x0f0f0f0f;
  a = (a | a << 2) & 0x33333333;
  a = (a | a << 1) & 0x55555555;
  b = (b | b << 8) & 0x00ff00ff;
  b = (b | b << 4) & 0x0f0f0f0f;
  b = (b | b << 2) & 0x33333333;
  b = (b | b << 1) & 0x55555555;
  out[a | b << 1] = in[y * width + x];
}

// ---- strides and patterns --------------------------------------------------------------------------------------------
K strideModulo(const float *in, float *out, uint stride, uint n) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride % n];
}
K copyWrapped(const int *in, int *out, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[(i + shift) % n];
}
K normalizePoints(const float *in, float *out, int points) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  float x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
  float r = rsqrtf(x * x + y * y + z * z);
  out[3 * i] = x * r;
  out[3 * i + 1] = y * r;
  out[3 * i + 2] = z * r;
}
K updateSpeeds(float *particles, int n, float dt) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float *p = particles + 6 * i;
    p[0] += dt * p[3];
    p[1] += dt * p[4];
    p[2] += dt * p[5];
  }
}
K strideTriple(const double *in, double *out, int stride, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = i * stride;
  if (j + 2 * stride < n) out[i] = in[j] + in[j + stride] + in[j + 2 * stride];
}
K copyPairsShifted(const int2 *in, int2 *out, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + shift;
  if (i < n) {
    int2 v = in[i];
    out[i] = make_int2(v.y, v.x);
  }
}
K everyOtherWarp(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if ((threadIdx.x >> 5) % 2 == 0) out[i] = in[i] * 2.0f;
  else out[i] = 0.0f;
}
K strideHalving(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int k = n >> 1; k >= n >> 6; k >>= 1) v += in[(i & (k - 1)) + k];
  out[i] = v;
}

// ---- histograms ------------------------------------------------------------------------------------------------------
K histRemainder(const uint *in, uint *bins, uint count, int n) {
  extern __shared__ uint su[];
  for (uint b = threadIdx.x; b < count; b += blockDim.x) su[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&su[in[i] % count], 1u);
  __syncthreads();
  for (uint b = threadIdx.x; b < count; b += blockDim.x) atomicAdd(&bins[b], su[b]);
}
K histScaled(const int *in, int *bins, int n) {
  __shared__ int s[100];
  if (threadIdx.x < 100) s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    atomicAdd(&s[in[i] * 100 / 1024], 1);
    i += blockDim.x * gridDim.x;
  }
  __syncthreads();
  if (threadIdx.x < 100 && s[threadIdx.x]) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
K histClasses(const int *in, int *counts, int n) {
  __shared__ int s[5];
  if (threadIdx.x < 5) s[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = in[i], c;
    if (x < 64) c = 0;
    else if (x < 200) c = 1;
    else if (x < 500) c = 2;
    else if (x < 900) c = 3;
    else c = 4;
    atomicAdd(&s[c], 1);
  }
  __syncthreads();
  if (threadIdx.x < 5) atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
}
K histJoint(const int *a, const int *b, int *bins, int n) {
  __shared__ int s[32][32];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) s[k / 32][k % 32] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[a[i] >> 5][b[i] >> 5], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) atomicAdd(&bins[k], s[k / 32][k % 32]);
}
K histOfFloats(const float *in, int *bins, int n) {
  __shared__ int s[64];
  if (threadIdx.x < 64) s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int b = (int)(in[i] * 64.0f);
    b = b < 0 ? 0 : b > 63 ? 63 : b;
    atomicAdd(&s[b], 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(bins + threadIdx.x, s[threadIdx.x]);
}
K histLogarithmic(const int *in, int *bins, int n) {
  __shared__ int s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[31 - __clz(in[i] | 1)], 1);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
K histPackedHalves(const int *in, int *bins, int n) {
  __shared__ uint s[128];
  for (int b = threadIdx.x; b < 128; b += blockDim.x) s[b] = 0;
  __syncthreads();
  int start = blockIdx.x * blockDim.x * 8 + threadIdx.x;
#pragma unroll 4
  for (int k = 0; k < 8; k++) {
    int i = start + k * blockDim.x;
    if (i < n) {
      int b = in[i] >> 2;
      atomicAdd(&s[b >> 1], 1u << ((b & 1) * 16));
    }
  }
  __syncthreads();
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], (int)(s[b >> 1] >> ((b & 1) * 16) & 0xffff));
}
K placesInBins(const int *in, int *places, int *counts) {
  __shared__ int s[256];
  for (int b = threadIdx.x; b < 256; b += blockDim.x) s[b] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x, b = in[i] & 255;
  places[i] = atomicAdd(&s[b], 1);
  __syncthreads();
  for (b = threadIdx.x; b < 256; b += blockDim.x) counts[blockIdx.x * 256 + b] = s[b];
}

// ---- stencils, matrices, points ----------------------------------------------------------------------------------------
K stencilPeriodic(const float *in, float *out, uint w, uint h) {
  uint x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  uint l = (x + w - 1) % w, r = (x + 1) % w, u = (y + h - 1) % h, d = (y + 1) % h;
  out[y * w + x] = 0.25f * (in[y * w + l] + in[y * w + r] + in[u * w + x] + in[d * w + x]);
}
K medianOfThree(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) {
    int a = in[i - 1], b = in[i], c = in[i + 1];
    out[i] = max(min(a, b), min(max(a, b), c));
  } else if (i == 0 || i == n - 1) out[i] = in[i];
}
K erodeImage(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int m = 2147483647;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int xx = min(max(x + dx, 0), w - 1), yy = min(max(y + dy, 0), h - 1);
      m = min(m, in[yy * w + xx]);
    }
  out[y * w + x] = m;
}
K smoothDoubleHalo(const double *in, double *out, int n) {
  __shared__ double s[258];
  int t = threadIdx.x + 1, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[t] = in[i];
  if (threadIdx.x == 0) s[0] = i > 0 ? in[i - 1] : 0.0;
  if (threadIdx.x == blockDim.x - 1) s[t + 1] = i < n - 1 ? in[i + 1] : 0.0;
  __syncthreads();
  out[i] = 0.25 * s[t - 1] + 0.5 * s[t] + 0.25 * s[t + 1];
}
K edgeStrength(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const float *p = in + y * w + x;
  float gx = p[1] - p[-1], gy = p[w] - p[-w];
  out[y * w + x] = sqrtf(gx * gx + gy * gy);
}
K rankOneUpdate(float *a, const float *x, const float *y, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float yc = y[c];
  for (int r = blockIdx.y; r < n; r += gridDim.y) a[r * n + c] += x[r] * yc;
}
K vectorTimesMatrix(const float *x, const float *a, float *y, int rows, int cols) {
  __shared__ float part[256];
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int base = 0; base < rows; base += 256) {
    part[threadIdx.x] = x[base + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 256; k++) v += part[k] * a[(base + k) * cols + c];
    __syncthreads();
  }
  y[c] = v;
}
K productByTransposed(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[16][17];
  __shared__ float tb[16][17];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16;
  float v = 0.0f;
  for (int k = 0; k < n; k += 16) {
    ta[y][x] = a[row * n + k + x];
    tb[y][x] = b[(col + y) * n + k + x];
    __syncthreads();
    for (int j = 0; j < 16; j++) v += ta[y][j] * tb[x][j];
    __syncthreads();
  }
  c[row * n + col + x] = v;
}
K rowOfInts(const int *a, const int *x, long long *y, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
  long long v = 0;
  for (int c = lane; c < cols; c += 16) v += (long long)a[row * cols + c] * x[c];
  for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d, 16);
  if (lane == 0) y[row] = v;
}
K clearAbove(float *a, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > y && x < n && y < n) a[y * n + x] = 0.0f;
}
K nearestOfSixteen(const float2 *points, const float2 *centers, int *out, int n) {
  __shared__ float2 c[16];
  if (threadIdx.x < 16) c[threadIdx.x] = centers[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = points[i];
  float best = 1e30f;
  int which = 0;
  for (int k = 0; k < 16; k++) {
    float dx = p.x - c[k].x, dy = p.y - c[k].y, d = dx * dx + dy * dy;
    which = d < best ? k : which;
    best = fminf(best, d);
  }
  out[i] = which;
}
K complexProduct(const float2 *a, const float2 *b, float2 *c, int n) {
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float2 p = a[i], q = b[i];
    c[i] = make_float2(p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x);
  }
}
K rotatePoints(const float2 *in, float2 *out, const float *angle, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = sinf(angle[i]), c = cosf(angle[i]);
    float2 p = in[i];
    out[i] = make_float2(c * p.x - s * p.y, s * p.x + c * p.y);
  }
}

// ---- numbers, bytes, sorting ---------------------------------------------------------------------------------------------
K digitSums(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], s = 0;
  while (x > 0) {
    s += x % 10;
    x /= 10;
  }
  out[i] = s;
}
K powersModulo(const uint *in, uint *out, uint exponent) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, base = in[i], r = 1;
  for (uint e = exponent; e != 0; e >>= 1) {
    if (e & 1) r = (unsigned long long)r * base % 65521;
    base = (unsigned long long)base * base % 65521;
  }
  out[i] = r;
}
K integerRoots(const uint *in, uint *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uint x = in[i] * 4097u, r = 0;
    for (uint b = 1u << 15; b > 0; b >>= 1) {
      uint c = r | b;
      if (c * c <= x) r = c;
    }
    out[i] = r;
  }
}
K countBytes(const uint *text, int *out, uint wanted, int words) {
  int count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    uint w = text[i];
    for (int k = 0; k < 32; k += 8)
      if ((w >> k & 0xff) == wanted) count++;
  }
  count = __reduce_add_sync(FULL, count);
  if (threadIdx.x % 32 == 0) atomicAdd(out, count);
}
K swapBytes(const uint *in, uint *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uint x = in[i];
    out[i] = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
  }
}
K upperCase(const uint4 *in, uint4 *out, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  uint4 v = in[i];
  uint w[4];
  w[0] = v.x;
  w[1] = v.y;
  w[2] = v.z;
  w[3] = v.w;
  for (int k = 0; k < 4; k++) {
    uint r = 0;
    for (int b = 0; b < 32; b += 8) {
      uint c = w[k] >> b & 255;
      if (c >= 97 && c <= 122) c -= 32;
      r |= c << b;
    }
    w[k] = r;
  }
  out[i] = make_uint4(w[0], w[1], w[2], w[3]);
}
K grayToBinary(const uint *in, uint *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint x = in[i];
  x ^= x >> 16;
  x ^= x >> 8;
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  out[i] = __brev(x) ^ __funnelshift_l(x, x, 7);
}
K fixedPoint(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (int)((long long)a[i] * b[i] >> 16) + __mulhi(a[i] << 8, b[i] << 12);
}
K gammaCorrect(const float *in, float *out, float gamma, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = powf(in[i], gamma);
}
K gelu(const float4 *in, float4 *out, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  float4 v = in[i];
  v.x = 0.5f * v.x * (1.0f + tanhf(0.79788456f * (v.x + 0.044715f * v.x * v.x * v.x)));
  v.y = 0.5f * v.y * (1.0f + tanhf(0.79788456f * (v.y + 0.044715f * v.y * v.y * v.y)));
  v.z = 0.5f * v.z * (1.0f + tanhf(0.79788456f * (v.z + 0.044715f * v.z * v.z * v.z)));
  v.w = 0.5f * v.w * (1.0f + tanhf(0.79788456f * (v.w + 0.044715f * v.w * v.w * v.w)));
  out[i] = v;
}
K divideThree(const int *a, const int *b, int *out, const double *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / (b[i] + 1) + (int)(d[i] / 3.0) + a[i] % 7;
}
K applyByCase(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], r;
  switch (x & 3) {
    case 0:
      r = x * x;
      break;
    case 1:
      r = x << 3;
      break;
    case 2:
      r = -x;
      break;
    default:
      r = x / 3;
  }
  out[i] = r;
}
K xorshiftHits(int *out, uint seed, int tries) {
  uint i = blockIdx.x * blockDim.x + threadIdx.x, x = seed + i * 2654435761u + 1u;
  int hits = 0;
  for (int k = 0; k < tries; k++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    float u = (x >> 8) * (1.0f / 16777216.0f);
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    float v = (x >> 8) * (1.0f / 16777216.0f);
    if (u * u + v * v < 1.0f) hits++;
  }
  out[i] = hits;
}
K sortFour(const int4 *in, int4 *out, int quads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  int4 v = in[i];
  int a = min(v.x, v.y), b = max(v.x, v.y), c = min(v.z, v.w), d = max(v.z, v.w);
  int lo = min(a, c), m1 = max(a, c), m2 = min(b, d), hi = max(b, d);
  out[i] = make_int4(lo, min(m1, m2), max(m1, m2), hi);
}
K oddEvenLongs(const unsigned long long *in, unsigned long long *out) {
  __shared__ unsigned long long s[128];
  uint t = threadIdx.x;
  s[2 * t] = in[blockIdx.x * 128 + 2 * t];
  s[2 * t + 1] = in[blockIdx.x * 128 + 2 * t + 1];
  for (uint step = 0; step < 128; step++) {
    __syncthreads();
    uint k = 2 * t + (step & 1);
    if (k < 127) {
      unsigned long long a = s[k], b = s[k + 1];
      if (a > b) {
        s[k] = b;
        s[k + 1] = a;
      }
    }
  }
  __syncthreads();
  out[blockIdx.x * 128 + 2 * t] = s[2 * t];
  out[blockIdx.x * 128 + 2 * t + 1] = s[2 * t + 1];
}
K rankInWarp(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, x = in[i], r = 0;
#pragma unroll 4
  for (int k = 0; k < 32; k++) {
    int y = __shfl_sync(FULL, x, k);
    r += y < x || (y == x && k < lane);
  }
  out[i - lane + r] = x;
}
K firstAbove(const float *in, int *out, float limit, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, found = length;
  for (int k = 0; k < length; k++)
    if (in[k * (gridDim.x * blockDim.x) + row] > limit) {
      found = k;
      break;
    }
  out[row] = found;
}
