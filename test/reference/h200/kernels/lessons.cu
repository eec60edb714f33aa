// Kernels as a lesson's exercises ask for them: other reductions, scans, transposes, strides, histograms, and neighbours of these.
// None is in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
#define WARP_MASK 0xffffffff
#define BIG_FLOAT 3.0e38f

// ======== reductions ==================================================================================================
__global__ void blockMinFloat(const float *x, float *minima, int n) {
  extern __shared__ float low[];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  if (i < n) low[t] = x[i];
  else low[t] = BIG_FLOAT;
  __syncthreads();
  for (int half = blockDim.x >> 1; half >= 1; half >>= 1) {
    if (t < half && low[t + half] < low[t]) low[t] = low[t + half];
    __syncthreads();
  }
  if (t == 0) minima[blockIdx.x] = low[0];
}

__device__ __forceinline__ double warpMaxD(double v) {
  for (int m = 16; m >= 1; m /= 2) v = fmax(v, __shfl_xor_sync(WARP_MASK, v, m));
  return v;
}
__global__ void maxAbsDoubles(const double *x, double *result, size_t count) {
  __shared__ double perWarp[32];
  double best = 0.0;
  for (size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x; k < count; k += (size_t)gridDim.x * blockDim.x) {
    best = fmax(best, fabs(x[k]));
  }
  best = warpMaxD(best);
  if ((threadIdx.x & 31) == 0) perWarp[threadIdx.x >> 5] = best;
  __syncthreads();
  if (threadIdx.x < 32) {
    best = threadIdx.x < blockDim.x / 32 ? perWarp[threadIdx.x] : 0.0;
    best = warpMaxD(best);
    if (threadIdx.x == 0) result[blockIdx.x] = best;
  }
}

__device__ float addWarp(float v) {
  v += __shfl_down_sync(WARP_MASK, v, 16);
  v += __shfl_down_sync(WARP_MASK, v, 8);
  v += __shfl_down_sync(WARP_MASK, v, 4);
  v += __shfl_down_sync(WARP_MASK, v, 2);
  v += __shfl_down_sync(WARP_MASK, v, 1);
  return v;
}
__global__ void sumSquaresQuads(const float4 *v, float *total, int quads) {
  __shared__ float warpSums[32];
  float acc = 0.0f;
  int step = blockDim.x * gridDim.x;
  for (int q = threadIdx.x + blockIdx.x * blockDim.x; q < quads; q += step) {
    float4 a = v[q];
    acc += a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
  }
  acc = addWarp(acc);
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  if (lane == 0) warpSums[warp] = acc;
  __syncthreads();
  if (warp == 0) {
    acc = lane < (blockDim.x >> 5) ? warpSums[lane] : 0.0f;
    acc = addWarp(acc);
    if (lane == 0) atomicAdd(total, acc);
  }
}

// The place of the least value, by shuffles of value and place together.
__global__ void argminShuffles(const float *x, float *leastValue, int *leastPlace, int n) {
  __shared__ float values[32];
  __shared__ int places[32];
  float v = BIG_FLOAT;
  int p = -1;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
    float now = x[i];
    if (now < v) { v = now; p = i; }
  }
  for (int d = 16; d > 0; d >>= 1) {
    float ov = __shfl_down_sync(WARP_MASK, v, d);
    int op = __shfl_down_sync(WARP_MASK, p, d);
    if (ov < v || (ov == v && op < p)) { v = ov; p = op; }
  }
  int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  if (lane == 0) { values[w] = v; places[w] = p; }
  __syncthreads();
  if (w == 0) {
    int warps = blockDim.x / 32;
    v = lane < warps ? values[lane] : BIG_FLOAT;
    p = lane < warps ? places[lane] : -1;
    for (int d = 16; d > 0; d >>= 1) {
      float ov = __shfl_down_sync(WARP_MASK, v, d);
      int op = __shfl_down_sync(WARP_MASK, p, d);
      if (ov < v || (ov == v && op < p)) { v = ov; p = op; }
    }
    if (lane == 0) { leastValue[blockIdx.x] = v; leastPlace[blockIdx.x] = p; }
  }
}

// First pass of a norm: each block its share of the squares; second pass: one block, and the root.
__global__ void normPartials(const double *x, double *partials, int n) {
  __shared__ double s[256];
  double sum = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    sum += x[i] * x[i];
    i += blockDim.x * gridDim.x;
  }
  s[threadIdx.x] = sum;
  __syncthreads();
  int active = blockDim.x / 2;
  do {
    if (threadIdx.x < active) s[threadIdx.x] += s[threadIdx.x + active];
    __syncthreads();
    active /= 2;
  } while (active > 0);
  if (threadIdx.x == 0) partials[blockIdx.x] = s[0];
}
__global__ void normFinish(const double *partials, double *norm, int count) {
  __shared__ double s[512];
  double sum = 0;
  for (int k = threadIdx.x; k < count; k += blockDim.x) sum += partials[k];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int h = blockDim.x / 2; h > 0; h /= 2) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) *norm = sqrt(s[0]);
}

__global__ void productTree(const float *in, float *out, unsigned n) {
  __shared__ float prod[1024];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * blockDim.x * 2 + tid;
  float p = 1.0f;
  if (i < n) p *= in[i];
  if (i + blockDim.x < n) p *= in[i + blockDim.x];
  prod[tid] = p;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) {
      p *= prod[tid + s];
      prod[tid] = p;
    }
    __syncthreads();
  }
  if (tid < 32) {
    if (blockDim.x >= 64) p *= prod[tid + 32];
    for (int d = 16; d > 0; d /= 2) p *= __shfl_down_sync(WARP_MASK, p, d);
    if (tid == 0) out[blockIdx.x] = p;
  }
}

__global__ void sumLongsAtomic(const long long *data, unsigned long long *sum, int n) {
  long long mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += data[i];
  for (int offset = 16; offset; offset >>= 1) mine += __shfl_down_sync(WARP_MASK, mine, offset);
  __shared__ long long blockSum;
  if (threadIdx.x == 0) blockSum = 0;
  __syncthreads();
  if ((threadIdx.x & 31) == 0) atomicAdd((unsigned long long *)&blockSum, (unsigned long long)mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, (unsigned long long)blockSum);
}

// Least and greatest of pairs, with the warp's own reductions.
__global__ void extremesOfPairs(const int2 *pairs, int *lows, int *highs, int n) {
  int lo = 0x7fffffff, hi = -0x7fffffff;
#pragma unroll 4
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int2 p = pairs[i];
    lo = min(lo, min(p.x, p.y));
    hi = max(hi, max(p.x, p.y));
  }
  lo = __reduce_min_sync(WARP_MASK, lo);
  hi = __reduce_max_sync(WARP_MASK, hi);
  __shared__ int sLo[32], sHi[32];
  int w = threadIdx.x / 32;
  if (threadIdx.x % 32 == 0) { sLo[w] = lo; sHi[w] = hi; }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < blockDim.x / 32; k++) {
      lo = min(lo, sLo[k]);
      hi = max(hi, sHi[k]);
    }
    lows[blockIdx.x] = lo;
    highs[blockIdx.x] = hi;
  }
}

// Variance about a first guess: sums of x - x[0] and of its square, kept in double.
__global__ void shiftedVariance(const float *x, double *sums, double *squares, int n) {
  __shared__ double a[192];
  __shared__ double b[192];
  float guess = x[0];
  double s = 0.0, q = 0.0;
  for (int i = blockIdx.x * 192 + threadIdx.x; i < n; i += 192 * gridDim.x) {
    float d = x[i] - guess;
    s += d;
    q += d * d;
  }
  a[threadIdx.x] = s;
  b[threadIdx.x] = q;
  __syncthreads();
  if (threadIdx.x < 64) {
    a[threadIdx.x] += a[threadIdx.x + 64] + a[threadIdx.x + 128];
    b[threadIdx.x] += b[threadIdx.x + 64] + b[threadIdx.x + 128];
  }
  __syncthreads();
  for (int h = 32; h > 0; h >>= 1) {
    if (threadIdx.x < h) {
      a[threadIdx.x] += a[threadIdx.x + h];
      b[threadIdx.x] += b[threadIdx.x + h];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = a[0];
    squares[blockIdx.x] = b[0];
  }
}

__global__ void isSorted(const int *x, int *sorted, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool fine = true;
  if (i + 1 < n) fine = x[i] <= x[i + 1];
  if (!__all_sync(WARP_MASK, fine) && threadIdx.x % 32 == 0) atomicAnd(sorted, 0);
}

// Blocks of any multiple of 64 threads: first down to 64 by a loop, then by halves.
__global__ void foldTo64(const int *g, int *o, int n) {
  extern __shared__ int fold[];
  int me = threadIdx.x;
  int sum = 0;
  int base = blockIdx.x * blockDim.x * 4 + me;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    int at = base + j * blockDim.x;
    if (at < n) sum += g[at];
  }
  fold[me] = sum;
  __syncthreads();
  if (me < 64) {
    for (int k = me + 64; k < blockDim.x; k += 64) sum += fold[k];
    fold[me] = sum;
  }
  __syncthreads();
  if (me < 32) {
    sum += fold[me + 32];
    sum = __reduce_add_sync(WARP_MASK, sum);
    if (me == 0) o[blockIdx.x] = sum;
  }
}

__global__ void dotPairsDouble(const double2 *a, const double2 *b, double *dots, int n) {
  __shared__ double cache[256];
  double d = 0.0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    double2 u = a[i];
    double2 w = b[i];
    d += u.x * w.x;
    d += u.y * w.y;
  }
  cache[threadIdx.x] = d;
  __syncthreads();
  for (unsigned int s = 128; s >= 1; s /= 2) {
    if (threadIdx.x < s) cache[threadIdx.x] += cache[threadIdx.x + s];
    __syncthreads();
  }
  if (!threadIdx.x) dots[blockIdx.x] = cache[0];
}

// A block for each row: greatest less least.
__global__ void rowSpread(const float *m, float *spread, int cols) {
  const float *row = m + blockIdx.x * cols;
  float lo = row[0], hi = row[0];
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    lo = fminf(lo, row[c]);
    hi = fmaxf(hi, row[c]);
  }
  __shared__ float s[2][8];
  for (int d = 1; d < 32; d <<= 1) {
    lo = fminf(lo, __shfl_xor_sync(WARP_MASK, lo, d));
    hi = fmaxf(hi, __shfl_xor_sync(WARP_MASK, hi, d));
  }
  if ((threadIdx.x & 31) == 0) {
    s[0][threadIdx.x >> 5] = lo;
    s[1][threadIdx.x >> 5] = hi;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < blockDim.x / 32; k++) {
      lo = fminf(lo, s[0][k]);
      hi = fmaxf(hi, s[1][k]);
    }
    spread[blockIdx.x] = hi - lo;
  }
}

// Columns in strips of 32 rows, strips added by atomics.
__global__ void columnStrips(const float *m, float *colSum, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  int r0 = blockIdx.y * 32;
  int r1 = min(r0 + 32, rows);
  float sum = 0.0f;
  for (int r = r0; r < r1; ++r) sum += m[r * cols + c];
  atomicAdd(&colSum[c], sum);
}

__global__ void sumInt4Unrolled(const int4 *data, int *out, int n4) {
  int total = 0;
  const int stride = gridDim.x * blockDim.x;
#pragma unroll 2
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += stride) {
    const int4 q = data[i];
    total += q.x + q.y + q.z + q.w;
  }
  __shared__ int warpTotals[32];
  total = __reduce_add_sync(WARP_MASK, total);
  if (threadIdx.x % 32 == 0) warpTotals[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x < 32) {
    int v = threadIdx.x < blockDim.x / 32 ? warpTotals[threadIdx.x] : 0;
    v = __reduce_add_sync(WARP_MASK, v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}

// One launch: the last block to finish reduces what the others wrote.
__global__ void maxLastBlock(const float *x, float *blockMax, float *answer, unsigned int *finished, int n) {
  __shared__ float s[256];
  __shared__ int isLast;
  float m = -BIG_FLOAT;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) m = fmaxf(m, x[i]);
  s[threadIdx.x] = m;
  __syncthreads();
  for (int h = 128; h > 0; h >>= 1) {
    if (threadIdx.x < h) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + h]);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    blockMax[blockIdx.x] = s[0];
    __threadfence();
    unsigned int before = atomicAdd(finished, 1u);
    isLast = before == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast) {
    m = -BIG_FLOAT;
    for (int k = threadIdx.x; k < gridDim.x; k += 256) m = fmaxf(m, blockMax[k]);
    s[threadIdx.x] = m;
    __syncthreads();
    for (int h = 128; h > 0; h >>= 1) {
      if (threadIdx.x < h) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + h]);
      __syncthreads();
    }
    if (threadIdx.x == 0) *answer = s[0];
  }
}

// A warp for every `length` elements.
__global__ void warpSegmentMax(const int *x, int *most, int length, int segments) {
  int segment = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (segment >= segments) return;
  int lane = threadIdx.x % 32;
  const int *mine = x + segment * length;
  int m = -1;
  for (int k = lane; k < length; k += 32) m = max(m, mine[k]);
  for (int d = 16; d > 0; d /= 2) m = max(m, __shfl_down_sync(WARP_MASK, m, d));
  if (lane == 0) most[segment] = m;
}

__global__ void minLongsModulo(const long long *in, long long *out, int n) {
  __shared__ long long s[512];
  int tid = threadIdx.x;
  int gid = blockIdx.x * blockDim.x + tid;
  s[tid] = gid < n ? in[gid] : 0x7fffffffll;
  __syncthreads();
  for (int step = 1; step < blockDim.x; step <<= 1) {
    if (tid % (step << 1) == 0) {
      long long other = s[tid + step];
      if (other < s[tid]) s[tid] = other;
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}

// Four sums at once: the particles' mass and what it weighs along x, y and z.
__global__ void centreOfMass(const float4 *particles, float *acc, int n) {
  float mx = 0.0f, my = 0.0f, mz = 0.0f, m = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float4 p = particles[i];
    mx += p.w * p.x;
    my += p.w * p.y;
    mz += p.w * p.z;
    m += p.w;
  }
  mx = addWarp(mx);
  my = addWarp(my);
  mz = addWarp(mz);
  m = addWarp(m);
  __shared__ float part[4][8];
  int w = threadIdx.x >> 5;
  if ((threadIdx.x & 31) == 0) {
    part[0][w] = mx;
    part[1][w] = my;
    part[2][w] = mz;
    part[3][w] = m;
  }
  __syncthreads();
  if (threadIdx.x < 4) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 8; k++) sum += part[threadIdx.x][k];
    atomicAdd(acc + threadIdx.x, sum);
  }
}

// A thread adds eight of its own neighbours, or eight a block apart.
__global__ void blockedEight(const float *x, float *sums, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0.0f;
  for (int k = 0; k < 8; k++) {
    int i = t * 8 + k;
    if (i < n) s += x[i];
  }
  sums[t] = s;
}
__global__ void cyclicEight(const float *x, float *sums, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float s = 0.0f;
  for (int k = 0; k < 8; k++) {
    int i = t + k * threads;
    if (i < n) s += x[i];
  }
  sums[t] = s;
}

// ======== scans =======================================================================================================
// Hillis and Steele with two buffers, running maximum.
__global__ void runningMaxTwoBuffers(const float *in, float *out, int n) {
  extern __shared__ float both[];
  int t = threadIdx.x, width = blockDim.x;
  int i = blockIdx.x * width + t;
  int from = 0, to = 1;
  both[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = 1; d < width; d *= 2) {
    if (t >= d) both[to * width + t] = fmaxf(both[from * width + t], both[from * width + t - d]);
    else both[to * width + t] = both[from * width + t];
    __syncthreads();
    to = 1 - to;
    from = 1 - from;
  }
  if (i < n) out[i] = both[from * width + t];
}

// Blelloch, two elements a thread, the block's sum kept for a second pass.
__global__ void sweepUpDown(float *data, float *blockSums) {
  extern __shared__ float temp[];
  int tid = threadIdx.x;
  int n = 2 * blockDim.x;
  int offset = 1;
  float *mine = data + blockIdx.x * n;
  temp[2 * tid] = mine[2 * tid];
  temp[2 * tid + 1] = mine[2 * tid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (tid < d) {
      int a = offset * (2 * tid + 1) - 1;
      int b = offset * (2 * tid + 2) - 1;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (tid == 0) {
    blockSums[blockIdx.x] = temp[n - 1];
    temp[n - 1] = 0.0f;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (tid < d) {
      int a = offset * (2 * tid + 1) - 1;
      int b = offset * (2 * tid + 2) - 1;
      float t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  mine[2 * tid] = temp[2 * tid];
  mine[2 * tid + 1] = temp[2 * tid + 1];
}

__global__ void warpExclusiveLongs(const long long *in, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  long long own = i < n ? in[i] : 0;
  long long v = own;
#pragma unroll
  for (int d = 1; d <= 16; d <<= 1) {
    long long below = __shfl_up_sync(WARP_MASK, v, d);
    if (lane >= d) v += below;
  }
  if (i < n) out[i] = v - own;
}

// A block scans a chunk of its own piece by piece and carries the sum along.
__global__ void scanChunkCarry(const int *in, int *out, int chunk) {
  __shared__ int warpSum[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  int carry = 0;
  int begin = blockIdx.x * chunk;
  for (int at = begin + threadIdx.x; at < begin + chunk; at += blockDim.x) {
    int v = in[at];
    for (int d = 1; d < 32; d *= 2) {
      int up = __shfl_up_sync(WARP_MASK, v, d);
      if (lane >= d) v += up;
    }
    if (lane == 31) warpSum[warp] = v;
    __syncthreads();
    int before = carry, all = carry;
    for (int w = 0; w < warps; w++) {
      if (w == warp) before = all;
      all += warpSum[w];
    }
    out[at] = before + v;
    carry = all;
    __syncthreads();
  }
}

// The second half of a long scan: each block adds up the sums before it, then adds that to its quads.
__global__ void addSumsBefore(int4 *data, const int *sums) {
  __shared__ int offset[256];
  int t = threadIdx.x;
  int acc = 0;
  for (int k = t; k < blockIdx.x; k += blockDim.x) acc += sums[k];
  offset[t] = acc;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (t < s) offset[t] += offset[t + s];
    __syncthreads();
  }
  int add = offset[0];
  int4 q = data[blockIdx.x * blockDim.x + t];
  q.x += add;
  q.y += add;
  q.z += add;
  q.w += add;
  data[blockIdx.x * blockDim.x + t] = q;
}

__device__ int scanLanes(int v) {
  int lane = threadIdx.x % 32;
#pragma unroll
  for (int i = 1; i < 32; i *= 2) {
    int w = __shfl_up_sync(WARP_MASK, v, i);
    v = lane >= i ? v + w : v;
  }
  return v;
}
__global__ void scanQuadsInclusive(const int4 *in, int4 *out, int quads) {
  __shared__ int sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int4 q = make_int4(0, 0, 0, 0);
  if (i < quads) q = in[i];
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;
  int v = scanLanes(q.w);
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 31) sums[warp] = v;
  __syncthreads();
  if (warp == 0) sums[lane] = scanLanes(lane < blockDim.x / 32 ? sums[lane] : 0);
  __syncthreads();
  int before = v - q.w + (warp > 0 ? sums[warp - 1] : 0);
  if (i < quads) out[i] = make_int4(q.x + before, q.y + before, q.z + before, q.w + before);
}

// Segmented: a flag wherever the key says a segment starts.
__global__ void segmentedSharedInts(const int *values, const int *keys, int *out, int every) {
  __shared__ int val[256];
  __shared__ int flag[256];
  int t = threadIdx.x;
  int g = blockIdx.x * 256 + t;
  val[t] = values[g];
  flag[t] = keys[g] % every == 0;
  for (int d = 1; d < 256; d <<= 1) {
    __syncthreads();
    int v = val[t], f = flag[t];
    if (t >= d && f == 0) {
      v += val[t - d];
      f |= flag[t - d];
    }
    __syncthreads();
    val[t] = v;
    flag[t] = f;
  }
  out[g] = val[t];
}

// A thread for each column goes down the rows.
__global__ void downColumnsDouble(const double *in, double *out, int rows, int cols) {
  int c = threadIdx.x + blockIdx.x * blockDim.x;
  if (c < cols) {
    double running = 0;
    for (int r = 0; r < rows; r++) {
      running += in[r * cols + c];
      out[r * cols + c] = running;
    }
  }
}

// Each warp scans its 32 places of shared memory without block barriers.
__global__ void warpScanVolatile(const int *in, int *out, int n) {
  __shared__ volatile int s[512];
  int t = threadIdx.x, lane = t & 31;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncwarp();
  for (int d = 1; d < 32; d += d) {
    int v = 0;
    if (lane >= d) v = s[t - d];
    __syncwarp();
    s[t] += v;
    __syncwarp();
  }
  if (i < n) out[i] = s[t];
}

// ======== transposes ==================================================================================================
__global__ void flipPairsNaive(const int2 *a, int2 *b, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) b[c * rows + r] = a[r * cols + c];
}
__global__ void flipTile24(const float *a, float *b, int rows, int cols) {
  __shared__ float t[24][25];
  int c = blockIdx.x * 24 + threadIdx.x, r = blockIdx.y * 24 + threadIdx.y;
  if (r < rows && c < cols) t[threadIdx.y][threadIdx.x] = a[r * cols + c];
  __syncthreads();
  int c2 = blockIdx.y * 24 + threadIdx.x, r2 = blockIdx.x * 24 + threadIdx.y;
  if (r2 < cols && c2 < rows) b[r2 * rows + c2] = t[threadIdx.x][threadIdx.y];
}
#define TD 32
#define STEP 8
__global__ void flipRectInts(const int *src, int *dst, int width, int height) {
  __shared__ int tile[TD][TD + 1];
  int x = blockIdx.x * TD + threadIdx.x;
  int y = blockIdx.y * TD + threadIdx.y;
#pragma unroll
  for (int k = 0; k < TD; k += STEP)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = src[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * TD + threadIdx.x;
  y = blockIdx.x * TD + threadIdx.y;
#pragma unroll
  for (int k = 0; k < TD; k += STEP)
    if (x < height && y + k < width) dst[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}
// No padding, doubles.
__global__ void flipDoublesNoPad(const double *src, double *dst, int n) {
  __shared__ double tile[TD][TD];
  int x = blockIdx.x * TD + threadIdx.x;
  int y = blockIdx.y * TD + threadIdx.y;
  for (int k = 0; k < TD; k += blockDim.y) tile[threadIdx.y + k][threadIdx.x] = src[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * TD + threadIdx.x;
  y = blockIdx.x * TD + threadIdx.y;
  for (int k = 0; k < TD; k += blockDim.y) dst[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
// In place without shared memory: the threads below the diagonal swap.
__global__ void flipInPlaceNaive(double *m, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (c < r && r < n) {
    double keep = m[r * n + c];
    m[r * n + c] = m[c * n + r];
    m[c * n + r] = keep;
  }
}
// Four rows a thread, columns read, rows written.
__global__ void flipReadColumnsRows4(const float *a, float *b, int n) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) b[(y + j) * n + x] = a[x * n + (y + j)];
}
// Rows are read in pairs of floats, a tile of 32 x 64.
__global__ void flipFloat2Rows(const float2 *a, float *b, int rows, int cols) {
  __shared__ float t[32][65];
  int pair = blockIdx.x * 32 + threadIdx.x;
  for (int k = threadIdx.y; k < 32; k += blockDim.y) {
    float2 p = a[(blockIdx.y * 32 + k) * (cols / 2) + pair];
    t[k][2 * threadIdx.x] = p.x;
    t[k][2 * threadIdx.x + 1] = p.y;
  }
  __syncthreads();
  for (int k = threadIdx.y; k < 64; k += blockDim.y)
    b[(blockIdx.x * 64 + k) * rows + blockIdx.y * 32 + threadIdx.x] = t[threadIdx.x][k];
}
// Many matrices of 8 x 8, four a block.
__global__ void flipBatch8(const float *a, float *b) {
  __shared__ float s[4][8][9];
  int m = threadIdx.x / 64, e = threadIdx.x % 64;
  int r = e / 8, c = e % 8;
  int base = (blockIdx.x * 4 + m) * 64;
  s[m][r][c] = a[base + e];
  __syncthreads();
  b[base + e] = s[m][c][r];
}

// ======== strided reads and writes ====================================================================================
__global__ void everyNth(const float *in, float *out, int step, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i * step] + 1.0f;
}
__global__ void spreadInts(const int *in, int *out, int step, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) out[i * step] = in[i];
}
__global__ void shiftedSaxpy(const float *x, float *y, float a, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i + shift] + y[i];
}
__global__ void everyNthPair(const int2 *in, int2 *out, int step) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 p = in[i * step];
  out[i] = make_int2(p.y, p.x);
}
__global__ void magnitudes(const float2 *z, float *r, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  float2 c = z[i];
  r[i] = sqrtf(c.x * c.x + c.y * c.y);
}
// Three arrays into one of structures of three.
__global__ void packThree(const float *x, const float *y, const float *z, float *xyz, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) {
    xyz[3 * i + 0] = x[i];
    xyz[3 * i + 1] = y[i];
    xyz[3 * i + 2] = z[i];
  }
}
__global__ void backwardsDouble(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
// A block of memory for each thread, gone through one element at a time.
__global__ void ownBlocks(const int *in, int *out, int each) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int best = in[t * each];
  for (int k = 1; k < each; k++) {
    int v = in[t * each + k];
    best = v > best ? v : best;
  }
  out[t] = best;
}

// ======== histograms ==================================================================================================
// Sixteen bins, a copy for each warp.
__global__ void warpCopies16(const int *x, int *bins, int n) {
  __shared__ int copies[32 * 16];
  int warp = threadIdx.x / 32;
  for (int k = threadIdx.x; k < 32 * 16; k += blockDim.x) copies[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&copies[warp * 16 + (x[i] >> 6)], 1);
  __syncthreads();
  if (threadIdx.x < 16) {
    int sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++) sum += copies[w * 16 + threadIdx.x];
    atomicAdd(bins + threadIdx.x, sum);
  }
}
// Bytes, four in a word.
__global__ void byteCounts(const unsigned int *words, unsigned int *counts, int n) {
  __shared__ unsigned int local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  int stride = blockDim.x * gridDim.x;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += stride) {
    unsigned int w = words[i];
    atomicAdd(&local[w & 0xff], 1u);
    atomicAdd(&local[(w >> 8) & 0xff], 1u);
    atomicAdd(&local[(w >> 16) & 0xff], 1u);
    atomicAdd(&local[w >> 24], 1u);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}
// Floats between 0 and 1, straight to global memory.
__global__ void floatCountsGlobal(const float *x, int *bins, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int b = (int)(x[i] * count);
    if (b > count - 1) b = count - 1;
    atomicAdd(&bins[b], 1);
  }
}
__global__ void manyBinsDynamic(const int *keys, int *bins, int binCount, int n) {
  extern __shared__ int b[];
  for (int k = threadIdx.x; k < binCount; k += blockDim.x) b[k] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    atomicAdd(&b[keys[i] & (binCount - 1)], 1);
    i += gridDim.x * blockDim.x;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < binCount; k += blockDim.x)
    if (b[k] > 0) atomicAdd(&bins[k], b[k]);
}
__global__ void longCounts(const int *keys, unsigned long long *bins, int n) {
  __shared__ unsigned long long s[512];
  s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[keys[i] / 2], 1ull);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
// Runs of equal keys become one atomic: eight neighbouring keys a thread.
__global__ void runsOfEight(const int *keys, int *bins, int n) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (first >= n) return;
  int key = keys[first] & 63;
  int run = 1;
  for (int k = 1; k < 8; k++) {
    int next = keys[first + k] & 63;
    if (next == key) run++;
    else {
      atomicAdd(&bins[key], run);
      key = next;
      run = 1;
    }
  }
  atomicAdd(&bins[key], run);
}
// Eight copies of 64 bins, interleaved so that neighbours use different banks.
__global__ void eightCopies64(const int *keys, int *bins, int n) {
  __shared__ int s[64 * 8];
  int t = threadIdx.x;
  for (int k = t; k < 512; k += blockDim.x) s[k] = 0;
  __syncthreads();
  int copy = t & 7;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) {
    int bin = keys[i] & 63;
    atomicAdd(&s[bin * 8 + copy], 1);
  }
  __syncthreads();
  if (t < 64) {
    int sum = 0;
#pragma unroll
    for (int c = 0; c < 8; c++) sum += s[t * 8 + c];
    atomicAdd(&bins[t], sum);
  }
}

// ======== neighbours ==================================================================================================
__global__ void smooth7Double(const double *in, double *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 3 && i < n - 3) {
    double sum = 0.0;
    for (int k = -3; k <= 3; k++) sum += in[i + k];
    out[i] = sum / 7.0;
  }
}
#define EDGE 16
// A tile with its edge loaded by the threads at the tile's sides.
__global__ void diffuseTile(const float *u, float *v, float k, int w, int h) {
  __shared__ float s[EDGE + 2][EDGE + 2];
  int x = blockIdx.x * EDGE + threadIdx.x, y = blockIdx.y * EDGE + threadIdx.y;
  int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
  int at = y * w + x;
  s[ly][lx] = u[at];
  if (threadIdx.x == 0) s[ly][0] = x > 0 ? u[at - 1] : 0.0f;
  if (threadIdx.x == EDGE - 1) s[ly][EDGE + 1] = x < w - 1 ? u[at + 1] : 0.0f;
  if (threadIdx.y == 0) s[0][lx] = y > 0 ? u[at - w] : 0.0f;
  if (threadIdx.y == EDGE - 1) s[EDGE + 1][lx] = y < h - 1 ? u[at + w] : 0.0f;
  __syncthreads();
  v[at] = s[ly][lx] + k * (s[ly - 1][lx] + s[ly + 1][lx] + s[ly][lx - 1] + s[ly][lx + 1] - 4.0f * s[ly][lx]);
}
// Matrix times vector: a thread a row in quads, a block a row, a warp a row in double.
__global__ void rowThreadQuads(const float4 *A, const float4 *x, float *y, int rows, int quads) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0.0f;
    for (int q = 0; q < quads; q++) {
      float4 a = A[r * quads + q], v = x[q];
      sum += a.x * v.x + a.y * v.y + a.z * v.z + a.w * v.w;
    }
    y[r] = sum;
  }
}
__global__ void rowBlockShuffle(const float *A, const float *x, float *y, int cols) {
  __shared__ float w[32];
  float sum = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += A[blockIdx.x * cols + c] * x[c];
  sum = addWarp(sum);
  if (threadIdx.x % 32 == 0) w[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
    for (int k = 0; k < blockDim.x / 32; k++) total += w[k];
    y[blockIdx.x] = total;
  }
}
__global__ void rowWarpDouble(const double *A, const double *x, double *y, int rows, int cols) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  double sum = 0.0;
  for (int c = threadIdx.x; c < cols; c += 32) sum += A[row * cols + c] * x[c];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(WARP_MASK, sum, d);
  if (threadIdx.x == 0) y[row] = sum;
}
#define T8 8
__global__ void productTiles8(const float *A, const float *C, float *P_, int n) {
  __shared__ float a[T8][T8], c[T8][T8];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * T8 + ty, col = blockIdx.x * T8 + tx;
  float sum = 0.0f;
  for (int m = 0; m < n / T8; ++m) {
    a[ty][tx] = A[row * n + m * T8 + tx];
    c[ty][tx] = C[(m * T8 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < T8; ++k) sum += a[ty][k] * c[k][tx];
    __syncthreads();
  }
  P_[row * n + col] = sum;
}
#define T32 32
__global__ void productTiles32Double(const double *A, const double *C, double *P_, int n) {
  __shared__ double a[T32][T32];
  __shared__ double c[T32][T32];
  int row = blockIdx.y * T32 + threadIdx.y, col = blockIdx.x * T32 + threadIdx.x;
  double sum = 0.0;
  for (int m = 0; m < n; m += T32) {
    a[threadIdx.y][threadIdx.x] = A[row * n + (m + threadIdx.x)];
    c[threadIdx.y][threadIdx.x] = C[(m + threadIdx.y) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < T32; k++) sum += a[threadIdx.y][k] * c[k][threadIdx.x];
    __syncthreads();
  }
  P_[row * n + col] = sum;
}
__global__ void gatherAdd(const int *index, const float *table, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += table[index[i]];
}
__global__ void scatterDoubled(const int *index, const int *in, int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[index[i]] = 2 * in[i];
}
// What passes the test goes to the front: one atomic a warp, the order within warps kept.
__global__ void keepLarge(const float *in, float *out, int *length, float limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : -1.0f;
  unsigned int kept = __ballot_sync(WARP_MASK, v > limit);
  int lane = threadIdx.x & 31;
  int start = 0;
  if (lane == 0 && kept != 0) start = atomicAdd(length, __popc(kept));
  start = __shfl_sync(WARP_MASK, start, 0);
  if (v > limit) out[start + __popc(kept & ((1u << lane) - 1))] = v;
}
__global__ void threeBranches(const int *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = in[i];
  float r;
  if (v < 256) {
    r = sqrtf((float)v);
  } else if (v < 768) {
    r = 1.0f;
    for (int k = 0; k < 6; k++) r = r * 0.5f + v * 0.001f;
  } else {
    r = __expf(-0.001f * v);
  }
  out[i] = r;
}
__global__ void halvings(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int v = in[i], steps = 0;
    while (v > 0) {
      v >>= 1;
      steps++;
    }
    out[i] = steps;
  }
}
__global__ void blendQuads(const float4 *a, const float4 *b, float4 *c, float t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 p = a[i], q = b[i], r;
    r.x = p.x + t * (q.x - p.x);
    r.y = p.y + t * (q.y - p.y);
    r.z = p.z + t * (q.z - p.z);
    r.w = p.w + t * (q.w - p.w);
    c[i] = r;
  }
}
