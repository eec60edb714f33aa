// Kernels as many hands write them: books, courses, samples, blogs, homework; each section in several manners.
// None is in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
#define FULL_MASK 0xffffffffu
#define WARP 32

// ======== reductions ==================================================================================================

// Interleaved pairs in place, the index scaled by the stride.
__global__ void sumNeighbouredInPlace(int *g_idata, int *g_odata, unsigned int n)
{
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
    int *idata = g_idata + blockIdx.x * blockDim.x;
    if (idx >= n) return;
    for (int stride = 1; stride < blockDim.x; stride *= 2)
    {
        int index = 2 * stride * tid;
        if (index < blockDim.x) idata[index] += idata[index + stride];
        __syncthreads();
    }
    if (tid == 0) g_odata[blockIdx.x] = idata[0];
}

// Eight blocks' data by one block, then a tree in shared memory whose last warp is unrolled over volatile.
__global__ void sumUnrollEightVolatile(const float *g_idata, float *g_odata, unsigned int n)
{
    __shared__ float smem[512];
    unsigned int tid = threadIdx.x;
    unsigned int idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    float tmpSum = 0.0f;
    if (idx + 7 * blockDim.x < n)
    {
        float a1 = g_idata[idx];
        float a2 = g_idata[idx + blockDim.x];
        float a3 = g_idata[idx + 2 * blockDim.x];
        float a4 = g_idata[idx + 3 * blockDim.x];
        float b1 = g_idata[idx + 4 * blockDim.x];
        float b2 = g_idata[idx + 5 * blockDim.x];
        float b3 = g_idata[idx + 6 * blockDim.x];
        float b4 = g_idata[idx + 7 * blockDim.x];
        tmpSum = a1 + a2 + a3 + a4 + b1 + b2 + b3 + b4;
    }
    smem[tid] = tmpSum;
    __syncthreads();
    if (blockDim.x >= 512 && tid < 256) smem[tid] += smem[tid + 256];
    __syncthreads();
    if (blockDim.x >= 256 && tid < 128) smem[tid] += smem[tid + 128];
    __syncthreads();
    if (blockDim.x >= 128 && tid < 64) smem[tid] += smem[tid + 64];
    __syncthreads();
    if (tid < 32)
    {
        volatile float *vsmem = smem;
        vsmem[tid] += vsmem[tid + 32];
        vsmem[tid] += vsmem[tid + 16];
        vsmem[tid] += vsmem[tid + 8];
        vsmem[tid] += vsmem[tid + 4];
        vsmem[tid] += vsmem[tid + 2];
        vsmem[tid] += vsmem[tid + 1];
    }
    if (tid == 0) g_odata[blockIdx.x] = smem[0];
}

// A product of vectors in doubles as a first book has it: a cache, a while loop, i halved.
__global__ void dotCacheHalving(const double *a, const double *b, double *c, int N) {
    __shared__ double cache[256];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        c[blockIdx.x] = cache[0];
}

__inline__ __device__ int warpAddDown(int val) {
  for (int offset = WARP / 2; offset > 0; offset /= 2)
    val += __shfl_down_sync(FULL_MASK, val, offset);
  return val;
}

// Four ints a load, a warp's sum by shuffles, an atomic a block.
__global__ void sumInt4ThenAtomic(const int4 *in, int *out, int n4) {
  __shared__ int shared[32];
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n4; i += blockDim.x * gridDim.x) {
    int4 val = in[i];
    sum += (val.x + val.y) + (val.z + val.w);
  }
  int lane = threadIdx.x % WARP;
  int wid = threadIdx.x / WARP;
  sum = warpAddDown(sum);
  if (lane == 0) shared[wid] = sum;
  __syncthreads();
  sum = (threadIdx.x < blockDim.x / WARP) ? shared[lane] : 0;
  if (wid == 0) sum = warpAddDown(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

// No shared memory at all: each warp adds its sum to the one result.
__global__ void sumWarpsStraightToOne(const float *x, float *total, int n) {
  float s = 0.f;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) s = x[i];
#pragma unroll
  for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(FULL_MASK, s, k);
  if ((threadIdx.x & 31) == 0) atomicAdd(total, s);
}

// The greatest absolute value, through the order of the bits of floats that are not negative.
__global__ void maxMagnitudeBits(const float *x, int *bits, size_t n) {
  float best = 0.0f;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) best = fmaxf(best, fabsf(x[i]));
  for (int d = 1; d < 32; d *= 2) best = fmaxf(best, __shfl_xor_sync(FULL_MASK, best, d));
  if (threadIdx.x % 32 == 0) atomicMax(bits, __float_as_int(best));
}

// The least and where it is: two arrays in dynamic shared memory, ties to the lower index.
__global__ void leastAndPlace(const float *values, float *leastValue, int *leastPlace, int n) {
  extern __shared__ float pool[];
  int tid = threadIdx.x;
  float v = 3.4e38f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) {
    float x = values[i];
    if (x < v) {
      v = x;
      at = i;
    }
  }
  pool[tid] = v;
  pool[blockDim.x + tid] = __int_as_float(at);
  __syncthreads();
  for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) {
      float w = pool[tid + s];
      int p = __float_as_int(pool[blockDim.x + tid + s]);
      if (w < v || (w == v && p < at)) {
        v = w;
        at = p;
        pool[tid] = v;
        pool[blockDim.x + tid] = __int_as_float(at);
      }
    }
    __syncthreads();
  }
  if (tid == 0) {
    leastValue[blockIdx.x] = v;
    leastPlace[blockIdx.x] = at;
  }
}

// Sum and sum of squares as a float2 in shared memory; a block a row of its own.
__global__ void meanAndDeviationRows(const float *data, float *mean, float *deviation, int cols) {
  __shared__ float2 acc[256];
  const float *row = data + (size_t)blockIdx.x * cols;
  float2 mine = make_float2(0.0f, 0.0f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float v = row[c];
    mine.x += v;
    mine.y += v * v;
  }
  acc[threadIdx.x] = mine;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      float2 other = acc[threadIdx.x + s];
      mine.x += other.x;
      mine.y += other.y;
      acc[threadIdx.x] = mine;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    float m = mine.x / cols;
    mean[blockIdx.x] = m;
    deviation[blockIdx.x] = sqrtf(mine.y / cols - m * m);
  }
}

// Any block size, also no power of two: the upper half, rounded up, folds onto the lower.
__global__ void sumSquaresAnyBlock(const float *x, float *out, int n) {
  extern __shared__ float fold[];
  unsigned int t = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + t;
  float v = i < n ? x[i] : 0.0f;
  fold[t] = v * v;
  __syncthreads();
  unsigned int active = blockDim.x;
  while (active > 1) {
    unsigned int half = (active + 1) / 2;
    if (t + half < active) fold[t] += fold[t + half];
    __syncthreads();
    active = half;
  }
  if (t == 0) out[blockIdx.x] = fold[0];
}

// The last block to finish adds the blocks' sums; a flag in shared memory tells the block.
__global__ void singlePassTotal(const int *input, volatile int *partials, int *result, unsigned int *retired, unsigned int n) {
  __shared__ int warpSums[32];
  __shared__ bool amLast;
  unsigned int t = threadIdx.x, lane = t & 31, wid = t >> 5;
  int sum = 0;
  for (unsigned int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += input[i];
  sum = warpAddDown(sum);
  if (lane == 0) warpSums[wid] = sum;
  __syncthreads();
  if (t == 0) {
    int block = 0;
    for (int w = 0; w < blockDim.x / 32; ++w) block += warpSums[w];
    partials[blockIdx.x] = block;
    __threadfence();
    unsigned int ticket = atomicInc(retired, gridDim.x);
    amLast = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (amLast) {
    sum = 0;
    for (unsigned int i = t; i < gridDim.x; i += blockDim.x) sum += partials[i];
    sum = warpAddDown(sum);
    if (lane == 0) warpSums[wid] = sum;
    __syncthreads();
    if (t == 0) {
      int all = 0;
      for (int w = 0; w < blockDim.x / 32; ++w) all += warpSums[w];
      *result = all;
    }
  }
}

// Segments of one length, four lanes a segment.
__global__ void segmentMaxFourLanes(const int *x, int *segmentMax, int segments, int len) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int seg = gid / 4;
  int sub = gid % 4;
  int m = -2147483647;
  if (seg < segments)
    for (int k = sub; k < len; k += 4) m = max(m, x[seg * len + k]);
  m = max(m, __shfl_down_sync(FULL_MASK, m, 2, 4));
  m = max(m, __shfl_down_sync(FULL_MASK, m, 1, 4));
  if (sub == 0 && seg < segments) segmentMax[seg] = m;
}

// Softmax of rows, a block a row: greatest, sum of exponentials, quotient.
__global__ void softmaxRowThreePass(const float *in, float *out, int cols) {
  __shared__ float red[128];
  int t = threadIdx.x;
  const float *x = in + (size_t)blockIdx.x * cols;
  float *y = out + (size_t)blockIdx.x * cols;
  float m = -1e30f;
  for (int c = t; c < cols; c += blockDim.x) m = fmaxf(m, x[c]);
  red[t] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) red[t] = fmaxf(red[t], red[t + s]);
    __syncthreads();
  }
  m = red[0];
  __syncthreads();
  float sum = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) {
    float e = expf(x[c] - m);
    y[c] = e;
    sum += e;
  }
  red[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) red[t] += red[t + s];
    __syncthreads();
  }
  float inv = 1.0f / red[0];
  for (int c = t; c < cols; c += blockDim.x) y[c] *= inv;
}

// A thread adds eight neighbours of its own; what it reads is not coalesced.
__global__ void sumOwnEight(const double *x, double *perThread, int threads) {
  int id = blockDim.x * blockIdx.x + threadIdx.x;
  if (id < threads) {
    double s = 0.0;
    for (int k = 0; k < 8; k++) s += x[id * 8 + k];
    perThread[id] = s;
  }
}

// The distance of each point to one centre, three coordinates in three arrays; the least a block.
__global__ void nearestToCentre(const float *px, const float *py, const float *pz, float *least, float cx, float cy, float cz, int n) {
  __shared__ float warpLeast[32];
  float best = 1e30f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float dx = px[i] - cx, dy = py[i] - cy, dz = pz[i] - cz;
    best = fminf(best, dx * dx + dy * dy + dz * dz);
  }
  for (int o = 16; o > 0; o >>= 1) best = fminf(best, __shfl_down_sync(FULL_MASK, best, o));
  if ((threadIdx.x & 31) == 0) warpLeast[threadIdx.x >> 5] = best;
  __syncthreads();
  if (threadIdx.x < 32) {
    best = threadIdx.x < (blockDim.x + 31) / 32 ? warpLeast[threadIdx.x] : 1e30f;
    for (int o = 16; o > 0; o >>= 1) best = fminf(best, __shfl_down_sync(FULL_MASK, best, o));
    if (threadIdx.x == 0) least[blockIdx.x] = sqrtf(best);
  }
}

// Second pass: one block takes what the first left.
__global__ void finishSums(const float *partial, float *result, int count) {
  __shared__ float s[1024];
  float v = 0.0f;
  for (int i = threadIdx.x; i < count; i += blockDim.x) v += partial[i];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int h = blockDim.x / 2; h >= 1; h /= 2) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) result[0] = s[0];
}

// A warp a row of float2: the greatest less the least.
__global__ void rangeOfRowsWarp(const float2 *m, float *range, int rows, int pairs) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int lane = threadIdx.x & 31;
  if (row >= rows) return;
  float lo = 1e30f, hi = -1e30f;
  for (int k = lane; k < pairs; k += 32) {
    float2 v = m[row * pairs + k];
    lo = fminf(lo, fminf(v.x, v.y));
    hi = fmaxf(hi, fmaxf(v.x, v.y));
  }
  for (int d = 16; d > 0; d >>= 1) {
    lo = fminf(lo, __shfl_xor_sync(FULL_MASK, lo, d));
    hi = fmaxf(hi, __shfl_xor_sync(FULL_MASK, hi, d));
  }
  if (lane == 0) range[row] = hi - lo;
}

// Two loads a round as a sample has it, the second where there is one; products of integers kept in long long.
__global__ void crossEnergy(const int *a, const int *b, long long *energy, unsigned int n) {
  __shared__ long long sdata[512];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  unsigned int gridSize = blockDim.x * 2 * gridDim.x;
  long long mySum = 0;
  while (i < n) {
    mySum += (long long)a[i] * b[i];
    if (i + blockDim.x < n) mySum += (long long)a[i + blockDim.x] * b[i + blockDim.x];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      mySum += sdata[tid + s];
      sdata[tid] = mySum;
    }
    __syncthreads();
  }
  if (tid == 0) energy[blockIdx.x] = mySum;
}

// Column sums, a thread a column, the rows in slices of the grid's second dimension.
__global__ void columnSlices(const double *m, double *slice, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  int per = (rows + gridDim.y - 1) / gridDim.y;
  int from = blockIdx.y * per;
  int to = min(from + per, rows);
  double s = 0.0;
  for (int r = from; r < to; r++) s += m[(size_t)r * cols + c];
  slice[blockIdx.y * cols + c] = s;
}

// How many are odd: the block's barrier counts.
__global__ void oddOnesByBarrier(const int *x, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int odd = 0;
  if (i < n) odd = x[i] & 1;
  int here = __syncthreads_count(odd);
  if (threadIdx.x == 0) atomicAdd(count, here);
}

// ======== scans =======================================================================================================

// Two buffers in one array, swapped by their offsets; exclusive.
__global__ void scanPingPong(float *g_odata, const float *g_idata, int n)
{
    extern __shared__ float temp[];
    int thid = threadIdx.x;
    int base = blockIdx.x * n;
    int pout = 0, pin = 1;
    temp[pout * n + thid] = (thid > 0) ? g_idata[base + thid - 1] : 0.0f;
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2)
    {
        pout = 1 - pout;
        pin = 1 - pout;
        if (thid >= offset)
            temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
        else
            temp[pout * n + thid] = temp[pin * n + thid];
        __syncthreads();
    }
    g_odata[base + thid] = temp[pout * n + thid];
}

__device__ __forceinline__ int padded(int i) { return i + (i >> 5); }

// Work-efficient with a pad every 32 elements.
__global__ void prescanEvery32(int *g_odata, const int *g_idata, int n)
{
    extern __shared__ int padTemp[];
    int thid = threadIdx.x;
    int base = blockIdx.x * n;
    int offset = 1;
    int ai = thid;
    int bi = thid + (n / 2);
    padTemp[padded(ai)] = g_idata[base + ai];
    padTemp[padded(bi)] = g_idata[base + bi];
    for (int d = n >> 1; d > 0; d >>= 1)
    {
        __syncthreads();
        if (thid < d)
        {
            int left = padded(offset * (2 * thid + 1) - 1);
            int right = padded(offset * (2 * thid + 2) - 1);
            padTemp[right] += padTemp[left];
        }
        offset *= 2;
    }
    if (thid == 0) padTemp[padded(n - 1)] = 0;
    for (int d = 1; d < n; d *= 2)
    {
        offset >>= 1;
        __syncthreads();
        if (thid < d)
        {
            int left = padded(offset * (2 * thid + 1) - 1);
            int right = padded(offset * (2 * thid + 2) - 1);
            int t = padTemp[left];
            padTemp[left] = padTemp[right];
            padTemp[right] += t;
        }
    }
    __syncthreads();
    g_odata[base + ai] = padTemp[padded(ai)];
    g_odata[base + bi] = padTemp[padded(bi)];
}

// Kogge and Stone as a textbook prints it, a temporary between two barriers; doubles.
__global__ void koggeStoneTemp(const double *X, double *Y, unsigned int N) {
  __shared__ double XY[512];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) XY[threadIdx.x] = X[i];
  else XY[threadIdx.x] = 0.0;
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    double temp;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}

// Brent and Kung, a section of 1024 by 512 threads, the block's sum kept.
__global__ void brentKungSection(const float *X, float *Y, float *S, unsigned int N) {
  __shared__ float XY[1024];
  unsigned int i = 2 * blockIdx.x * blockDim.x + threadIdx.x;
  XY[threadIdx.x] = i < N ? X[i] : 0.0f;
  XY[threadIdx.x + blockDim.x] = i + blockDim.x < N ? X[i + blockDim.x] : 0.0f;
  for (unsigned int stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * 2 * stride - 1;
    if (index < 2 * blockDim.x) XY[index] += XY[index - stride];
  }
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    __syncthreads();
    unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < 2 * blockDim.x) XY[index + stride] += XY[index];
  }
  __syncthreads();
  if (i < N) Y[i] = XY[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = XY[threadIdx.x + blockDim.x];
  if (threadIdx.x == 0) S[blockIdx.x] = XY[2 * blockDim.x - 1];
}

// Three phases in a block: eight neighbours a thread in sequence, a scan of the last ones, then what stands before.
__global__ void coarseThreePhase(const int *in, int *out) {
  __shared__ int sec[2048];
  __shared__ int ends[256];
  int t = threadIdx.x;
  int base = blockIdx.x * 2048;
  for (int k = 0; k < 8; k++) sec[k * 256 + t] = in[base + k * 256 + t];
  __syncthreads();
  for (int k = 1; k < 8; k++) sec[t * 8 + k] += sec[t * 8 + k - 1];
  ends[t] = sec[t * 8 + 7];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = t >= d ? ends[t - d] : 0;
    __syncthreads();
    ends[t] += v;
    __syncthreads();
  }
  if (t > 0) {
    int before = ends[t - 1];
    for (int k = 0; k < 8; k++) sec[t * 8 + k] += before;
  }
  __syncthreads();
  for (int k = 0; k < 8; k++) out[base + k * 256 + t] = sec[k * 256 + t];
}

// Warps by shuffles, totals in shared memory, scanned by the first warp; exclusive, any number of warps.
__global__ void exclusiveByWarps(const unsigned int *in, unsigned int *out, unsigned int *sums, int n) {
  __shared__ unsigned int totals[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  unsigned int x = i < n ? in[i] : 0u;
  unsigned int v = x;
#pragma unroll
  for (int d = 1; d <= 16; d <<= 1) {
    unsigned int y = __shfl_up_sync(FULL_MASK, v, d);
    if (lane >= d) v += y;
  }
  if (lane == 31) totals[w] = v;
  __syncthreads();
  if (w == 0) {
    unsigned int s = lane < (blockDim.x >> 5) ? totals[lane] : 0u;
#pragma unroll
    for (int d = 1; d <= 16; d <<= 1) {
      unsigned int y = __shfl_up_sync(FULL_MASK, s, d);
      if (lane >= d) s += y;
    }
    totals[lane] = s;
  }
  __syncthreads();
  if (w > 0) v += totals[w - 1];
  if (i < n) out[i] = v - x;
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = v;
}

// The last step of the three: each block adds what stands before it, four elements a thread.
__global__ void addBeforeFour(float *data, const float *before, int n) {
  float b = before[blockIdx.x];
  int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  for (int k = 0; k < 4; ++k, i += blockDim.x)
    if (i < n) data[i] += b;
}

// Keeps the positive multiples: flags, their scan in shared memory, a place from one atomic a block.
__global__ void compactByScan(const int *in, int *out, int *kept, int divisor, int n) {
  __shared__ int pos[256];
  __shared__ int start;
  int t = threadIdx.x;
  int i = blockIdx.x * 256 + t;
  int v = i < n ? in[i] : 0;
  int flag = (i < n && v % divisor == 0) ? 1 : 0;
  pos[t] = flag;
  __syncthreads();
  for (int d = 1; d < 256; d <<= 1) {
    int add = t >= d ? pos[t - d] : 0;
    __syncthreads();
    pos[t] += add;
    __syncthreads();
  }
  if (t == 255) start = atomicAdd(kept, pos[255]);
  __syncthreads();
  if (flag) out[start + pos[t] - 1] = v;
}

// Segmented in warps: a head where the flag is set; the distance to the nearest head bounds what a lane takes.
__global__ void segmentedLanes(const float *x, const int *flags, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  float v = 0.0f;
  int head = 1;
  if (i < n) {
    v = x[i];
    head = flags[i] < 128;
  }
  if (lane == 0) head = 1;
  unsigned int heads = __ballot_sync(FULL_MASK, head);
  unsigned int upTo = heads & (FULL_MASK >> (31 - lane));
  int first = 31 - __clz(upTo);
  for (int d = 1; d < 32; d *= 2) {
    float y = __shfl_up_sync(FULL_MASK, v, d);
    if (lane - d >= first) v += y;
  }
  if (i < n) out[i] = v;
}

// ======== transposes and copies =======================================================================================

__global__ void transposeByColsLoad(float *out, const float *in, const int nx, const int ny)
{
    unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    if (ix < nx && iy < ny) out[iy * nx + ix] = in[ix * ny + iy];
}

// Blocks by diagonal coordinates, no shared memory.
__global__ void transposeDiagonalRow(float *out, const float *in, const int nx, const int ny)
{
    unsigned int blk_y = blockIdx.x;
    unsigned int blk_x = (blockIdx.x + blockIdx.y) % gridDim.x;
    unsigned int ix = blockDim.x * blk_x + threadIdx.x;
    unsigned int iy = blockDim.y * blk_y + threadIdx.y;
    if (ix < nx && iy < ny) out[ix * ny + iy] = in[iy * nx + ix];
}

// A tile of 32 by 32 with four rows a thread, banks left to conflict.
__global__ void tileEightRowsNoPad(double *odata, const double *idata)
{
  __shared__ double tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  int width = gridDim.x * 32;
  int height = gridDim.y * 32;
  for (int j = 0; j < 32; j += 8)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A rectangular tile, 32 columns by 16 rows, the thread's number taken apart anew for the write; padded by two.
__global__ void rectTilePadTwo(float *out, const float *in, int nx, int ny)
{
    __shared__ float tile[16][32 + 2];
    unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
    unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
    unsigned int ti = iy * nx + ix;
    unsigned int bidx = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned int irow = bidx / blockDim.y;
    unsigned int icol = bidx % blockDim.y;
    unsigned int ox = blockDim.y * blockIdx.y + icol;
    unsigned int oy = blockDim.x * blockIdx.x + irow;
    unsigned int to = oy * ny + ox;
    if (ix < nx && iy < ny) tile[threadIdx.y][threadIdx.x] = in[ti];
    __syncthreads();
    if (ox < ny && oy < nx) out[to] = tile[icol][irow];
}

// Elements of sixteen bytes.
__global__ void transposeFloat4s(const float4 *src, float4 *dst, int w, int h) {
  __shared__ float4 t[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) t[threadIdx.y][threadIdx.x] = src[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < h && y < w) dst[y * h + x] = t[threadIdx.x][threadIdx.y];
}

// Many small matrices of 32 by 32, one a block.
__global__ void transposeBatch32(const int *in, int *out) {
  __shared__ int m[32][33];
  int base = blockIdx.x * 1024;
  int c = threadIdx.x & 31;
  for (int r = threadIdx.x >> 5; r < 32; r += blockDim.x >> 5) m[r][c] = in[base + r * 32 + c];
  __syncthreads();
  for (int r = threadIdx.x >> 5; r < 32; r += blockDim.x >> 5) out[base + r * 32 + c] = m[c][r];
}

// A tile of 64 by 64 floats, read and written as float4 by 16 by 16 threads.
__global__ void transposeTile64Quads(const float4 *in, float4 *out, int n) {
  __shared__ float tile[64][65];
  int tx = threadIdx.x, ty = threadIdx.y;
  int n4 = n / 4;
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int r = ty + 16 * k;
    float4 v = in[(blockIdx.y * 64 + r) * n4 + blockIdx.x * 16 + tx];
    tile[r][tx * 4] = v.x;
    tile[r][tx * 4 + 1] = v.y;
    tile[r][tx * 4 + 2] = v.z;
    tile[r][tx * 4 + 3] = v.w;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 4; k++) {
    int r = ty + 16 * k;
    out[(blockIdx.x * 64 + r) * n4 + blockIdx.y * 16 + tx] =
        make_float4(tile[tx * 4][r], tile[tx * 4 + 1][r], tile[tx * 4 + 2][r], tile[tx * 4 + 3][r]);
  }
}

__global__ void copyGridStrideLongs(const long long *from, long long *to, size_t count) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
    to[i] = from[i];
}
// Eight loads of a thread, then eight stores.
__global__ void copyEightInFlight(const float *a, float *b) {
  int i = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  float r[8];
#pragma unroll
  for (int k = 0; k < 8; k++) r[k] = a[i + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < 8; k++) b[i + k * blockDim.x] = r[k];
}
__global__ void copyWindow(const int *src, int srcPitch, int *dst, int dstPitch, int left, int top, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) dst[y * dstPitch + x] = src[(y + top) * srcPitch + x + left];
}

// ======== strides, offsets, indices ===================================================================================

__global__ void strideIncrement(float *a, int s)
{
  int i = (blockDim.x * blockIdx.x + threadIdx.x) * s;
  a[i] = a[i] + 1.0f;
}
__global__ void offsetIncrementDouble(double *a, int s)
{
  int i = blockDim.x * blockIdx.x + threadIdx.x + s;
  a[i] = a[i] + 1.0;
}
// The whole array is read, a lane's elements `stride` apart, wrapped round.
__global__ void strideWrapSum(const int *x, int *out, int stride, int rounds, int mask) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int at = id * stride;
  int sum = 0;
  for (int r = 0; r < rounds; r++) {
    sum += x[(at + r) & mask];
  }
  out[id] = sum;
}
__global__ void gatherOfGather(const int *outer, const int *inner, const float *table, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[inner[outer[i]]];
}
// One float of each structure of eight.
__global__ void oneFieldOfEight(const float *records, float *field, int which, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  field[i] = records[8 * i + which] * 0.5f;
}
__global__ void scatterAddWeights(const int *target, const float *weight, float *sums, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&sums[target[i]], weight[i]);
}
__global__ void mirrorQuads(const float4 *in, float4 *out, int n4) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n4) {
    float4 v = in[n4 - 1 - i];
    out[i] = make_float4(v.w, v.z, v.y, v.x);
  }
}

// ======== histograms ==================================================================================================

// The two lower bytes of words, an atomic in memory each.
__global__ void bytesOfWordsGlobal(const unsigned int *buffer, long long size, unsigned int *histo) {
    long long i = threadIdx.x + (long long)blockIdx.x * blockDim.x;
    long long stride = (long long)blockDim.x * gridDim.x;
    while (i < size) {
        unsigned int word = buffer[i];
        atomicAdd(&histo[word & 255u], 1u);
        atomicAdd(&histo[(word >> 8) & 255u], 1u);
        i += stride;
    }
}
// A bin a thread to clear and to add.
__global__ void binPerThread256(const unsigned int *buffer, int size, unsigned int *histo) {
    __shared__ unsigned int temp[256];
    temp[threadIdx.x] = 0;
    __syncthreads();
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    int offset = blockDim.x * gridDim.x;
    while (i < size) {
        atomicAdd(&temp[buffer[i] >> 2], 1u);
        i += offset;
    }
    __syncthreads();
    atomicAdd(&histo[threadIdx.x], temp[threadIdx.x]);
}
// Each thread a run of neighbours.
__global__ void contiguousPartition(const int *data, unsigned int length, unsigned int *histo, unsigned int coarse, unsigned int bins) {
  extern __shared__ unsigned int histo_s[];
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) histo_s[bin] = 0u;
  __syncthreads();
  unsigned int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned int i = tid * coarse; i < min(length, (tid + 1) * coarse); ++i) {
    int value = data[i];
    if (value >= 0 && value < 1024) atomicAdd(&histo_s[value * bins / 1024], 1u);
  }
  __syncthreads();
  for (unsigned int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned int binValue = histo_s[bin];
    if (binValue > 0) atomicAdd(&histo[bin], binValue);
  }
}
// Sixty-four bins a warp, added up at the end.
__global__ void warpOwn64(const int *x, int *bins, int n) {
  __shared__ int own[32][64];
  int w = threadIdx.x / 32, lane = threadIdx.x % 32, warps = blockDim.x / 32;
  own[w][lane] = 0;
  own[w][lane + 32] = 0;
  __syncwarp();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[w][x[i] >> 4], 1);
  __syncthreads();
  if (threadIdx.x < 64) {
    int s = 0;
    for (int k = 0; k < warps; k++) s += own[k][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], s);
  }
}
// Four thousand bins in shared memory, two values to a bin's number.
__global__ void bins4096TwoValues(const int *a, const int *b, int *hist, int n) {
  __shared__ int h[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x) h[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int bin = (a[i] >> 4) * 64 + (b[i] >> 4);
    atomicAdd(&h[bin], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    if (h[k]) atomicAdd(&hist[k], h[k]);
}
// Floats between two bounds, bins of one width, what lies outside left out.
__global__ void floatBinsByWidth(const float *x, int *hist, float low, float width, int bins, int n) {
  extern __shared__ int counts[];
  for (int k = threadIdx.x; k < bins; k += blockDim.x) counts[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int bin = (int)((x[i] - low) / width);
    if (bin >= 0 && bin < bins) atomicAdd(&counts[bin], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x) atomicAdd(&hist[k], counts[k]);
}
// A privatised copy in memory for each of eight groups of blocks.
__global__ void copiesInMemory(const int *x, int *copies, int bins, int n) {
  int *mine = copies + (blockIdx.x % 8) * bins;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i] % bins], 1);
}

// ======== neighbours ==================================================================================================

#define RADIUS 3
#define BLOCK_SIZE 512
__global__ void windowSumHalo(const int *in, int *out) {
  __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + blockDim.x] = in[gindex + blockDim.x];
  }
  __syncthreads();
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++)
    result += temp[lindex + offset];
  out[gindex - RADIUS] = result;
}
// Five points, interior only, tile of the block with a rim read by its edge threads.
__global__ void relaxRimTile(const double *u, double *v, int n) {
  __shared__ double s[18][18];
  int i = blockIdx.x * 16 + threadIdx.x + 1, j = blockIdx.y * 16 + threadIdx.y + 1;
  int li = threadIdx.x + 1, lj = threadIdx.y + 1;
  s[lj][li] = u[j * n + i];
  if (threadIdx.x == 0) s[lj][0] = u[j * n + i - 1];
  if (threadIdx.x == 15) s[lj][17] = u[j * n + i + 1];
  if (threadIdx.y == 0) s[0][li] = u[(j - 1) * n + i];
  if (threadIdx.y == 15) s[17][li] = u[(j + 1) * n + i];
  __syncthreads();
  v[j * n + i] = 0.25 * (s[lj][li - 1] + s[lj][li + 1] + s[lj - 1][li] + s[lj + 1][li]);
}
// Rows against a kernel of 17 weights.
__global__ void rowsBy17(const float *img, float *out, const float *weights, int w, int h) {
  __shared__ float line[128 + 16];
  int x0 = blockIdx.x * 128;
  int y = blockIdx.y;
  for (int k = threadIdx.x; k < 144; k += 128) {
    int x = x0 + k - 8;
    line[k] = (x >= 0 && x < w) ? img[y * w + x] : 0.0f;
  }
  __syncthreads();
  int x = x0 + threadIdx.x;
  if (x < w) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 17; k++) sum += weights[k] * line[threadIdx.x + k];
    out[y * w + x] = sum;
  }
}
__global__ void sobelBoth(const int *img, int *edges, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int p = y * w + x;
  int gx = img[p - w + 1] + 2 * img[p + 1] + img[p + w + 1] - img[p - w - 1] - 2 * img[p - 1] - img[p + w - 1];
  int gy = img[p + w - 1] + 2 * img[p + w] + img[p + w + 1] - img[p - w - 1] - 2 * img[p - w] - img[p - w + 1];
  edges[p] = min(abs(gx) + abs(gy), 255);
}

// ======== matrices ====================================================================================================

// A block a row of the matrix.
__global__ void rowTimesVectorBlock(const float *A, const float *x, float *y, int cols) {
  __shared__ float s[256];
  int row = blockIdx.x;
  float sum = 0.0f;
  for (int j = threadIdx.x; j < cols; j += blockDim.x) sum += A[(size_t)row * cols + j] * x[j];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[row] = s[0];
}
__global__ void matVecThreadRowDouble(const double *A, const double *x, double *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    double acc = 0;
    for (int c = 0; c < cols; c++) acc += A[r * cols + c] * x[c];
    y[r] = acc;
  }
}
#define TILE_WIDTH 16
// Tiles as a textbook has them, the width no multiple of the tile.
__global__ void matMulTextbookGuard(const float *M, const float *N, float *P, int Width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * TILE_WIDTH + ty;
  int Col = bx * TILE_WIDTH + tx;
  float Pvalue = 0;
  for (int ph = 0; ph < (Width + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    if (Row < Width && ph * TILE_WIDTH + tx < Width)
      Mds[ty][tx] = M[Row * Width + ph * TILE_WIDTH + tx];
    else
      Mds[ty][tx] = 0.0f;
    if (ph * TILE_WIDTH + ty < Width && Col < Width)
      Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * Width + Col];
    else
      Nds[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE_WIDTH; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (Row < Width && Col < Width) P[Row * Width + Col] = Pvalue;
}
// Integers, no tiles; C = A * B with three sizes.
__global__ void matMulIntsPlain(const int *a, const int *b, int *c, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < k && row < m) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[row * n + i] * b[i * k + col];
    c[row * k + col] = sum;
  }
}
// A sparse matrix in ELLPACK, eight entries a row, the columns within 256 of each other.
__global__ void ellpackEight(const int *col, const float *val, const float *x, float *y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float dot = 0.0f;
    for (int k = 0; k < 8; k++) {
      int at = k * rows + r;
      dot += val[at] * x[col[at]];
    }
    y[r] = dot;
  }
}

// ======== sorts in a block ============================================================================================

// Bitonic, a thread an element, in dynamic shared memory.
__global__ void bitonicEach(const int *in, int *out) {
  extern __shared__ int keys[];
  unsigned int tid = threadIdx.x;
  keys[tid] = in[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned int k = 2; k <= blockDim.x; k *= 2) {
    for (unsigned int j = k / 2; j > 0; j /= 2) {
      unsigned int ixj = tid ^ j;
      if (ixj > tid) {
        int a = keys[tid], b = keys[ixj];
        bool up = (tid & k) == 0;
        if ((a > b) == up) {
          keys[tid] = b;
          keys[ixj] = a;
        }
      }
      __syncthreads();
    }
  }
  out[blockIdx.x * blockDim.x + tid] = keys[tid];
}
// Odd and even pairs in turn, as many turns as elements.
__global__ void oddEvenTurns(const float *in, float *out) {
  __shared__ float a[256];
  int t = threadIdx.x;
  int n = blockDim.x;
  a[t] = in[blockIdx.x * n + t];
  __syncthreads();
  for (int turn = 0; turn < n; turn++) {
    int left = 2 * t + (turn & 1);
    if (left + 1 < n) {
      float lo = fminf(a[left], a[left + 1]);
      float hi = fmaxf(a[left], a[left + 1]);
      a[left] = lo;
      a[left + 1] = hi;
    }
    __syncthreads();
  }
  out[blockIdx.x * n + t] = a[t];
}

// ======== much arithmetic =============================================================================================

__global__ void escapeTimes(int *iterations, float x0, float y0, float step, int width, int height, int limit) {
  int px = blockIdx.x * blockDim.x + threadIdx.x;
  int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  float cr = x0 + px * step, ci = y0 + py * step;
  float zr = 0.0f, zi = 0.0f;
  int n = 0;
  while (n < limit && zr * zr + zi * zi < 4.0f) {
    float t = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = t;
    n++;
  }
  iterations[py * width + px] = n;
}
// Bodies in tiles of the block, softened.
__global__ void gravityTiles(const float4 *bodies, float4 *accel, int n, float soft) {
  extern __shared__ float4 near[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int tile = 0; tile < n / blockDim.x; tile++) {
    near[threadIdx.x] = bodies[tile * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float4 other = near[j];
      float rx = other.x - me.x, ry = other.y - me.y, rz = other.z - me.z;
      float d2 = rx * rx + ry * ry + rz * rz + soft;
      float inv = rsqrtf(d2);
      float s = other.w * inv * inv * inv;
      ax += rx * s;
      ay += ry * s;
      az += rz * s;
    }
    __syncthreads();
  }
  accel[i] = make_float4(ax, ay, az, 0.0f);
}
// A polynomial of any degree, coefficients in shared memory.
__global__ void polynomialShared(const double *x, const double *coefficients, double *y, int degree, int n) {
  __shared__ double c[64];
  if (threadIdx.x <= degree) c[threadIdx.x] = coefficients[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double v = x[i], p = c[degree];
    for (int k = degree - 1; k >= 0; k--) p = p * v + c[k];
    y[i] = p;
  }
}
// How many steps until one, and the highest on the way.
__global__ void hailstonePeaks(int *steps, unsigned int *peaks, int first, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned int v = first + i, top = v;
  int count = 0;
  while (v != 1u && count < 200) {
    v = (v & 1u) ? 3u * v + 1u : v >> 1;
    top = max(top, v);
    count++;
  }
  steps[i] = count;
  peaks[i] = top;
}
__global__ void rootByNewton(const float *x, float *root, int rounds, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float a = x[i], r = 1.0f;
    for (int k = 0; k < rounds; k++) r = 0.5f * (r + a / r);
    root[i] = r;
  }
}

// ======== branches and votes ==========================================================================================

__global__ void evenOddPaths(const float *in, float *out, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n) return;
  float a = in[tid];
  if (tid % 2 == 0) {
    for (int k = 0; k < 16; k++) a = sinf(a) + 0.5f;
  } else {
    for (int k = 0; k < 16; k++) a = sqrtf(a + 1.0f);
  }
  out[tid] = a;
}
__global__ void warpWisePaths(const float *in, float *out, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid >= n) return;
  float a = in[tid];
  if ((tid / WARP) % 2 == 0) {
    for (int k = 0; k < 16; k++) a = sinf(a) + 0.5f;
  } else {
    for (int k = 0; k < 16; k++) a = sqrtf(a + 1.0f);
  }
  out[tid] = a;
}
// One of six operations by the data.
__global__ void operationByData(const int *what, const int *x, int *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = x[i];
  int r = 0;
  switch (what[i] % 6) {
    case 0:
      r = v + 7;
      break;
    case 1:
      r = v * v;
      break;
    case 2:
      r = v / 10;
      break;
    case 3:
      r = v << 3;
      break;
    case 4:
      r = __popc(v);
      break;
    default:
      r = -v;
      break;
  }
  y[i] = r;
}
// Where lanes agree: the size of the group with the same value, and whether any or all pass a limit.
__global__ void laneAgreement(const int *x, int *sizes, int *warpFlags, int limit, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? x[i] : 0;
  unsigned int votes = __ballot_sync(FULL_MASK, v > limit);
  int any = __any_sync(FULL_MASK, v == limit);
  int all = __all_sync(FULL_MASK, v < 1024);
  int before = __popc(votes & ((1u << (threadIdx.x & 31)) - 1u));
  if (i < n) sizes[i] = v > limit ? before : -1;
  if ((threadIdx.x & 31) == 0) warpFlags[i / 32] = any + 2 * all + 4 * __popc(votes);
}
