// Kernels as many hands write them: books, courses, samples, blogs, homework; each section in several manners.
// None is in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
#define ALL_LANES 0xffffffff

// ======== reductions ==================================================================================================

// Interleaved, the threads that work by a remainder.
__global__ void treeByRemainder(int *g_in, int *g_out) {
  extern __shared__ int sremainder[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sremainder[tid] = g_in[i];
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if (tid % (2 * s) == 0) {
      sremainder[tid] += sremainder[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) g_out[blockIdx.x] = sremainder[0];
}
// Interleaved, the threads that work side by side; the greatest, doubles.
__global__ void treeByIndexMaxDouble(const double *in, double *out, int n) {
  __shared__ double m[512];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  m[tid] = i < n ? in[i] : -1e300;
  __syncthreads();
  for (int s = 1; s < blockDim.x; s <<= 1) {
    int at = 2 * s * tid;
    if (at < blockDim.x) m[at] = fmax(m[at], m[at + s]);
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = m[0];
}
// Halves onto halves, long long.
__global__ void halvesOfLongs(const long long *values, long long *sums, unsigned int n) {
  extern __shared__ long long slonghalves[];
  unsigned int t = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + t;
  slonghalves[t] = (i < n) ? values[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) slonghalves[t] += slonghalves[t + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = slonghalves[0];
}
// The first step while loading; minimum.
__global__ void firstStepMin(const float *g_idata, float *g_odata, unsigned int n) {
  __shared__ float sdata[1024];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float least = (i < n) ? g_idata[i] : 1e30f;
  if (i + blockDim.x < n) least = fminf(least, g_idata[i + blockDim.x]);
  sdata[tid] = least;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      least = fminf(least, sdata[tid + s]);
      sdata[tid] = least;
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = least;
}
// The last warp without the block's barriers, read, then written, between barriers of the warp.
__global__ void lastWarpSyncwarp(const int *in, int *out) {
  extern __shared__ int swarplast[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x * 2 + tid;
  swarplast[tid] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) swarplast[tid] += swarplast[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    int v = swarplast[tid];
    v += swarplast[tid + 32]; __syncwarp();
    swarplast[tid] = v; __syncwarp();
    v += swarplast[tid + 16]; __syncwarp();
    swarplast[tid] = v; __syncwarp();
    v += swarplast[tid + 8]; __syncwarp();
    swarplast[tid] = v; __syncwarp();
    v += swarplast[tid + 4]; __syncwarp();
    swarplast[tid] = v; __syncwarp();
    v += swarplast[tid + 2]; __syncwarp();
    swarplast[tid] = v; __syncwarp();
    v += swarplast[tid + 1]; __syncwarp();
    swarplast[tid] = v;
  }
  if (tid == 0) out[blockIdx.x] = swarplast[0];
}
// All steps written out for 256 threads, two loads a round, the grid striding; the last warp by shuffles.
__global__ void unrolled256Striding(const float *g_idata, float *g_odata, unsigned int n) {
  __shared__ float s[256];
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = 256 * 2 * gridDim.x;
  unsigned int i = blockIdx.x * 512 + tid;
  float mySum = 0;
  while (i < n) {
    mySum += g_idata[i] + g_idata[i + 256];
    i += gridSize;
  }
  s[tid] = mySum;
  __syncthreads();
  if (tid < 128) {
    mySum += s[tid + 128];
    s[tid] = mySum;
  }
  __syncthreads();
  if (tid < 64) {
    mySum += s[tid + 64];
    s[tid] = mySum;
  }
  __syncthreads();
  if (tid < 32) {
    mySum += s[tid + 32];
    mySum += __shfl_down_sync(ALL_LANES, mySum, 16);
    mySum += __shfl_down_sync(ALL_LANES, mySum, 8);
    mySum += __shfl_down_sync(ALL_LANES, mySum, 4);
    mySum += __shfl_down_sync(ALL_LANES, mySum, 2);
    mySum += __shfl_down_sync(ALL_LANES, mySum, 1);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
// A sample's template for 128 threads and doubles, its tests of the block's size already decided.
__global__ void volatile128Doubles(const double *in, double *out, unsigned int n) {
  __shared__ double sd[128];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * 256 + tid;
  double sum = 0.0;
  while (i < n) {
    sum += in[i];
    if (i + 128 < n) sum += in[i + 128];
    i += 256 * gridDim.x;
  }
  sd[tid] = sum;
  __syncthreads();
  if (tid < 64) sd[tid] += sd[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile double *v = sd;
    v[tid] += v[tid + 32];
    v[tid] += v[tid + 16];
    v[tid] += v[tid + 8];
    v[tid] += v[tid + 4];
    v[tid] += v[tid + 2];
    v[tid] += v[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = sd[0];
}

__device__ __forceinline__ float lanesAdd(float v) {
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(ALL_LANES, v, mask);
  return v;
}
__device__ float blockAddAll(float v) {
  __shared__ float parts[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  v = lanesAdd(v);
  __syncthreads();
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  v = lane < (blockDim.x >> 5) ? parts[lane] : 0.0f;
  return lanesAdd(v);
}

// Four floats a load and a tail of up to three.
__global__ void sumQuadsAndTail(const float *x, float *sums, int n) {
  const float4 *x4 = (const float4 *)x;
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = blockDim.x * gridDim.x;
  float a = 0.0f;
  for (int i = tid; i < n / 4; i += stride) {
    float4 v = x4[i];
    a += v.x;
    a += v.y;
    a += v.z;
    a += v.w;
  }
  int rest = (n / 4) * 4 + tid;
  if (rest < n) a += x[rest];
  a = blockAddAll(a);
  if (threadIdx.x == 0) sums[blockIdx.x] = a;
}
// The least of ints in fours: a warp's by one instruction, an atomic a warp.
__global__ void leastOfFoursRedux(const int4 *in, int *least, int quads) {
  int best = 0x7fffffff;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 q = in[i];
    best = min(best, min(min(q.x, q.y), min(q.z, q.w)));
  }
  best = __reduce_min_sync(ALL_LANES, best);
  if ((threadIdx.x & 31) == 0) atomicMin(least, best);
}
// The greatest and its place as one word of 64 bits.
__global__ void placeOfMaxPacked(const float *x, unsigned long long *result, int n) {
  __shared__ unsigned long long warpBest[32];
  unsigned long long best = 0;
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    unsigned long long key = ((unsigned long long)__float_as_int(x[i]) << 32) | (unsigned int)(~i);
    if (key > best) best = key;
  }
  for (int o = 16; o > 0; o >>= 1) {
    unsigned long long other = __shfl_down_sync(ALL_LANES, best, o);
    best = other > best ? other : best;
  }
  if (threadIdx.x % 32 == 0) warpBest[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++)
      if (warpBest[w] > best) best = warpBest[w];
    atomicMax(result, best);
  }
}
// The least and its place, two arrays of the block.
__global__ void placeOfMinTwoArrays(const int *in, int *minimum, int *where, int n) {
  __shared__ int val[256];
  __shared__ int pos[256];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  val[t] = i < n ? in[i] : 2147483647;
  pos[t] = i;
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) {
      if (val[t + half] < val[t]) {
        val[t] = val[t + half];
        pos[t] = pos[t + half];
      }
    }
  }
  if (t == 0) {
    minimum[blockIdx.x] = val[0];
    where[blockIdx.x] = pos[0];
  }
}
// Squares of deviations from a mean that an earlier kernel left.
__global__ void squaredDeviations(const float *x, const float *total, float *out, int n) {
  __shared__ float cache[1024];
  float mean = total[0] / n;
  float acc = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float d = x[i] - mean;
    acc += d * d;
  }
  cache[threadIdx.x] = acc;
  __syncthreads();
  int k = blockDim.x / 2;
  while (k > 0) {
    if (threadIdx.x < k) cache[threadIdx.x] += cache[threadIdx.x + k];
    __syncthreads();
    k /= 2;
  }
  if (threadIdx.x == 0) atomicAdd(out, cache[0]);
}
// Count, mean and squares joined pair by pair, as Chan has them.
__global__ void joinedMoments(const float *x, float *means, float *squares, int n) {
  __shared__ float cs[256], ms[256], qs[256];
  int t = threadIdx.x;
  float count = 0.0f, mean = 0.0f, m2 = 0.0f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i];
    count += 1.0f;
    float delta = v - mean;
    mean += delta / count;
    m2 += delta * (v - mean);
  }
  cs[t] = count;
  ms[t] = mean;
  qs[t] = m2;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
      float nb = cs[t + s];
      float total = count + nb;
      float delta = ms[t + s] - mean;
      if (total > 0.0f) {
        mean += delta * nb / total;
        m2 += qs[t + s] + delta * delta * count * nb / total;
      }
      count = total;
      cs[t] = count;
      ms[t] = mean;
      qs[t] = m2;
    }
    __syncthreads();
  }
  if (t == 0) {
    means[blockIdx.x] = mean;
    squares[blockIdx.x] = m2;
  }
}
// A product of vectors in pairs, a sum a block.
__global__ void __launch_bounds__(512) dotInPairs(const float2 *__restrict__ a, const float2 *__restrict__ b, float *__restrict__ c, int pairs) {
  float sum = 0.0f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) {
    float2 u = a[i];
    float2 v = b[i];
    sum = u.x * v.x + u.y * v.y;
  }
  sum = blockAddAll(sum);
  if (threadIdx.x == 0) c[blockIdx.x] = sum;
}
// A product of doubles, atomics by the warps.
__global__ void dotDoublesAtomic(const double *x, const double *y, double *result, int n) {
  double p = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p += x[i] * y[i];
  for (int d = 16; d >= 1; d >>= 1) p += __shfl_down_sync(ALL_LANES, p, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(result, p);
}
// Each thread adds to one counter of the block, the block to one of the grid.
__global__ void oneCounterOfBlock(const int *data, int *sum, int n) {
  __shared__ int blockSum;
  if (threadIdx.x == 0) blockSum = 0;
  __syncthreads();
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) mine += data[i];
  atomicAdd(&blockSum, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, blockSum);
}
// Least and greatest; the block that comes last looks through those of all.
__global__ void rangeLastBlock(const float *x, volatile float *lows, volatile float *highs, float *range, unsigned int *done, int n) {
  __shared__ float lo[256], hi[256];
  __shared__ bool last;
  int t = threadIdx.x;
  float a = 1e30f, b = -1e30f;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i];
    a = fminf(a, v);
    b = fmaxf(b, v);
  }
  lo[t] = a;
  hi[t] = b;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
      lo[t] = fminf(lo[t], lo[t + s]);
      hi[t] = fmaxf(hi[t], hi[t + s]);
    }
    __syncthreads();
  }
  if (t == 0) {
    lows[blockIdx.x] = lo[0];
    highs[blockIdx.x] = hi[0];
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  a = 1e30f;
  b = -1e30f;
  for (int i = t; i < gridDim.x; i += blockDim.x) {
    a = fminf(a, lows[i]);
    b = fmaxf(b, highs[i]);
  }
  lo[t] = a;
  hi[t] = b;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
      lo[t] = fminf(lo[t], lo[t + s]);
      hi[t] = fmaxf(hi[t], hi[t + s]);
    }
    __syncthreads();
  }
  if (t == 0) {
    range[0] = lo[0];
    range[1] = hi[0];
  }
}
// Which column is the greatest, a block a row.
__global__ void rowArgmaxBlock(const float *m, int *arg, int cols) {
  __shared__ float bv[32];
  __shared__ int bi[32];
  const float *row = m + blockIdx.x * cols;
  float v = -1e30f;
  int at = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float w = row[c];
    if (w > v) {
      v = w;
      at = c;
    }
  }
  for (int o = 16; o > 0; o /= 2) {
    float w = __shfl_down_sync(ALL_LANES, v, o);
    int p = __shfl_down_sync(ALL_LANES, at, o);
    if (w > v || (w == v && p < at)) {
      v = w;
      at = p;
    }
  }
  if (threadIdx.x % 32 == 0) {
    bv[threadIdx.x / 32] = v;
    bi[threadIdx.x / 32] = at;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++)
      if (bv[w] > v || (bv[w] == v && bi[w] < at)) {
        v = bv[w];
        at = bi[w];
      }
    arg[blockIdx.x] = at;
  }
}
// Columns' sums: 32 columns a block, the block's rows joined in shared memory.
__global__ void columnsByRowsOfBlock(const float *m, float *sums, int rows, int cols) {
  __shared__ float part[32][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  float s = 0.0f;
  for (int r = threadIdx.y; r < rows; r += blockDim.y) s += m[r * cols + col];
  part[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < blockDim.y; k++) s += part[k][threadIdx.x];
    sums[col] = s;
  }
}
// Two blocks' data a block, then halves, in place in global memory.
__global__ void unrollTwoInPlace(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x * 2;
  if (idx + blockDim.x < n) g_idata[idx] += g_idata[idx + blockDim.x];
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
#define COARSE 4
// A book's coarse tree: eight values a thread before the first barrier, an atomic at the end.
__global__ void coarseTreeBook(float *input, float *output) {
  extern __shared__ float input_s[];
  unsigned int segment = COARSE * 2 * blockDim.x * blockIdx.x;
  unsigned int i = segment + threadIdx.x;
  unsigned int t = threadIdx.x;
  float sum = input[i];
  for (unsigned int tile = 1; tile < COARSE * 2; ++tile) sum += input[i + tile * blockDim.x];
  input_s[t] = sum;
  for (unsigned int stride = blockDim.x / 2; stride >= 1; stride /= 2) {
    __syncthreads();
    if (t < stride) input_s[t] += input_s[t + stride];
  }
  if (t == 0) atomicAdd(output, input_s[0]);
}
// Segments of 64, sixteen lanes each, four ints a lane.
__global__ void segmentsSixteenLanes(const int4 *x, int *sums, int segments) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  int segment = gid >> 4;
  if (segment >= segments) return;
  int4 v = x[gid];
  int s = v.x + v.y + v.z + v.w;
  for (int o = 8; o > 0; o >>= 1) s += __shfl_xor_sync(ALL_LANES, s, o, 16);
  if ((gid & 15) == 0) sums[segment] = s;
}
// One block for what is left, any number of threads.
__global__ void greatestOfPartials(const double *partial, double *result, int count) {
  __shared__ double s[1024];
  int t = threadIdx.x;
  double v = -1.0;
  for (int i = t; i < count; i += blockDim.x) v = partial[i] > v ? partial[i] : v;
  s[t] = v;
  __syncthreads();
  int left = blockDim.x;
  while (left > 1) {
    int half = (left + 1) >> 1;
    if (t < left - half) s[t] = s[t] > s[t + half] ? s[t] : s[t + half];
    __syncthreads();
    left = half;
  }
  if (t == 0) *result = s[0];
}
// Points in the quarter of a circle, votes of a warp.
__global__ void insideQuarter(const float *x, const float *y, unsigned int *hits, int n) {
  unsigned int mine = 0;
  int stride = gridDim.x * blockDim.x;
  for (int base = blockIdx.x * blockDim.x; base < n; base += stride) {
    int i = base + threadIdx.x;
    bool in = false;
    if (i < n) in = x[i] * x[i] + y[i] * y[i] <= 1.0f;
    unsigned int vote = __ballot_sync(ALL_LANES, in);
    mine += __popc(vote);
  }
  if (threadIdx.x % 32 == 0) atomicAdd(hits, mine);
}

// ======== scans =======================================================================================================

// Two buffers of the block, taken in turn.
__global__ void hillisTwoBuffers(const int *in, int *out, int n) {
  __shared__ int buf[2][1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  int cur = 0;
  buf[0][t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    int v = buf[cur][t];
    if (t >= d) v += buf[cur][t - d];
    buf[1 - cur][t] = v;
    cur = 1 - cur;
    __syncthreads();
  }
  if (i < n) out[i] = buf[cur][t];
}
// One buffer, two barriers a step, doubles.
__global__ void hillisInPlaceDoubles(const double *in, double *out) {
  extern __shared__ double shillis[];
  int t = threadIdx.x;
  int g = blockIdx.x * blockDim.x + t;
  shillis[t] = in[g];
  for (int offset = 1; offset < blockDim.x; offset *= 2) {
    __syncthreads();
    double add = 0.0;
    if (t >= offset) add = shillis[t - offset];
    __syncthreads();
    shillis[t] += add;
  }
  out[g] = shillis[t];
}
// Up and down the tree, two neighbours a thread, no pad.
__global__ void upAndDownNoPad(float *g_odata, float *g_idata, int n) {
  extern __shared__ float tree[];
  int thid = threadIdx.x;
  int offset = 1;
  int base = blockIdx.x * n;
  tree[2 * thid] = g_idata[base + 2 * thid];
  tree[2 * thid + 1] = g_idata[base + 2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      tree[bi] += tree[ai];
    }
    offset *= 2;
  }
  if (thid == 0) tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      float t = tree[ai];
      tree[ai] = tree[bi];
      tree[bi] += t;
    }
  }
  __syncthreads();
  g_odata[base + 2 * thid] = tree[2 * thid];
  g_odata[base + 2 * thid + 1] = tree[2 * thid + 1];
}
__device__ __forceinline__ int apart(int k) { return k + (k >> 4); }
// The same with a pad every sixteen, halves loaded apart, long long, totals of the blocks kept.
__global__ void upAndDownPadLongs(const long long *in, long long *out, long long *totals, int n) {
  extern __shared__ long long stall[];
  int t = threadIdx.x;
  long long base = (long long)blockIdx.x * n;
  int ai = t, bi = t + n / 2;
  stall[apart(ai)] = in[base + ai];
  stall[apart(bi)] = in[base + bi];
  int step = 1;
  for (int d = n / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) {
      int a = apart(step * (2 * t + 1) - 1), b = apart(step * (2 * t + 2) - 1);
      stall[b] += stall[a];
    }
    step *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = stall[apart(n - 1)];
    stall[apart(n - 1)] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    step /= 2;
    __syncthreads();
    if (t < d) {
      int a = apart(step * (2 * t + 1) - 1), b = apart(step * (2 * t + 2) - 1);
      long long keep = stall[a];
      stall[a] = stall[b];
      stall[b] += keep;
    }
  }
  __syncthreads();
  out[base + ai] = stall[apart(ai)];
  out[base + bi] = stall[apart(bi)];
}
// A book's, exclusive: shifted by one as it is loaded.
__global__ void koggeShifted(unsigned int *X, unsigned int *Y, unsigned int N) {
  __shared__ unsigned int XY[512];
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N && threadIdx.x != 0) XY[threadIdx.x] = X[i - 1];
  else XY[threadIdx.x] = 0;
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    unsigned int temp = 0;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < N) Y[i] = XY[threadIdx.x];
}
// Two elements a thread, down a tree and up it again, inclusive.
__global__ void brentSections(const int *X, int *Y, int N) {
  extern __shared__ int section[];
  int size = 2 * blockDim.x;
  int i = blockIdx.x * size + threadIdx.x;
  section[threadIdx.x] = i < N ? X[i] : 0;
  section[threadIdx.x + blockDim.x] = i + blockDim.x < N ? X[i + blockDim.x] : 0;
  for (int stride = 1; stride <= blockDim.x; stride *= 2) {
    __syncthreads();
    int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index < size) section[index] += section[index - stride];
  }
  for (int stride = size / 4; stride > 0; stride /= 2) {
    __syncthreads();
    int index = (threadIdx.x + 1) * stride * 2 - 1;
    if (index + stride < size) section[index + stride] += section[index];
  }
  __syncthreads();
  if (i < N) Y[i] = section[threadIdx.x];
  if (i + blockDim.x < N) Y[i + blockDim.x] = section[threadIdx.x + blockDim.x];
}
__device__ __forceinline__ int warpPrefix(int v, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(ALL_LANES, v, d);
    if (lane >= d) v += u;
  }
  return v;
}
// Four ints a thread, warps by shuffles, the warps' sums by the first warp.
__global__ void prefixOfFours(const int4 *in, int4 *out, int *blockTotals, int quads) {
  __shared__ int sums[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int4 v = make_int4(0, 0, 0, 0);
  if (i < quads) v = in[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  int inclusive = warpPrefix(v.w, lane);
  if (lane == 31) sums[warp] = inclusive;
  __syncthreads();
  if (warp == 0) {
    int s = lane < blockDim.x / 32 ? sums[lane] : 0;
    s = warpPrefix(s, lane);
    sums[lane] = s;
  }
  __syncthreads();
  int before = inclusive - v.w + (warp > 0 ? sums[warp - 1] : 0);
  v.x += before;
  v.y += before;
  v.z += before;
  v.w += before;
  if (i < quads) out[i] = v;
  if (threadIdx.x == blockDim.x - 1) blockTotals[blockIdx.x] = sums[blockDim.x / 32 - 1];
}
// First of three passes: the totals of tiles of 2048.
__global__ void tileTotals2048(const float *in, float *totals) {
  const float *tile = in + blockIdx.x * 2048;
  float s = 0.0f;
  for (int k = threadIdx.x; k < 2048; k += blockDim.x) s += tile[k];
  s = blockAddAll(s);
  if (threadIdx.x == 0) totals[blockIdx.x] = s;
}
// Second: one block scans the totals, a stretch a thread.
__global__ void totalsBefore(const float *totals, float *before, int tiles) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  int per = (tiles + blockDim.x - 1) / blockDim.x;
  int from = t * per, to = min(from + per, tiles);
  float sum = 0.0f;
  for (int k = from; k < to; k++) sum += totals[k];
  s[t] = sum;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    float u = t >= d ? s[t - d] : 0.0f;
    __syncthreads();
    s[t] += u;
    __syncthreads();
  }
  float run = s[t] - sum;
  for (int k = from; k < to; k++) {
    before[k] = run;
    run += totals[k];
  }
}
// Third: the tiles again, from what stands before them, a turn of the block at a time.
__global__ void tilesFromBefore(const float *in, const float *before, float *out) {
  __shared__ float warpSum[32];
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, warps = blockDim.x >> 5;
  float carry = before[blockIdx.x];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x) {
    float v = in[blockIdx.x * 2048 + k];
    for (int d = 1; d < 32; d *= 2) {
      float u = __shfl_up_sync(ALL_LANES, v, d);
      if (lane >= d) v += u;
    }
    if (lane == 31) warpSum[warp] = v;
    __syncthreads();
    float ahead = carry;
    for (int w = 0; w < warp; w++) ahead += warpSum[w];
    for (int w = 0; w < warps; w++) carry += warpSum[w];
    out[blockIdx.x * 2048 + k] = v + ahead;
    __syncthreads();
  }
}
// Heads mark where sums begin again; pairs of value and flag.
__global__ void headedScanBlock(const int *values, const int *heads, int *out, int n) {
  __shared__ int v[512];
  __shared__ int f[512];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  v[t] = i < n ? values[i] : 0;
  f[t] = i < n ? (heads[i] < 40 ? 1 : 0) : 1;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int nv = v[t], nf = f[t];
    if (t >= d) {
      if (nf == 0) nv += v[t - d];
      nf |= f[t - d];
    }
    __syncthreads();
    v[t] = nv;
    f[t] = nf;
    __syncthreads();
  }
  if (i < n) out[i] = v[t];
}
// The greatest so far along rows, a warp a row.
__global__ void greatestSoFarRows(const float *m, float *out, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float carry = -1e30f;
  for (int c = lane; c < cols; c += 32) {
    float v = m[(size_t)row * cols + c];
    for (int d = 1; d < 32; d <<= 1) {
      float u = __shfl_up_sync(ALL_LANES, v, d);
      if (lane >= d) v = fmaxf(v, u);
    }
    v = fmaxf(v, carry);
    out[(size_t)row * cols + c] = v;
    carry = __shfl_sync(ALL_LANES, v, 31);
  }
}
// A stretch of eight a thread in registers, threads' sums scanned in shared memory, exclusive.
__global__ void eightInRegisters(const int *in, int *out) {
  extern __shared__ int threadSums[];
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  int r[8];
#pragma unroll
  for (int k = 0; k < 8; k++) r[k] = in[base + k];
  int sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    int v = r[k];
    r[k] = sum;
    sum += v;
  }
  threadSums[threadIdx.x] = sum;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int u = 0;
    if (threadIdx.x >= d) u = threadSums[threadIdx.x - d];
    __syncthreads();
    threadSums[threadIdx.x] += u;
    __syncthreads();
  }
  int before = threadIdx.x > 0 ? threadSums[threadIdx.x - 1] : 0;
#pragma unroll
  for (int k = 0; k < 8; k++) out[base + k] = r[k] + before;
}

// ======== transposes ==================================================================================================

// Rows read, columns written.
__global__ void turnRowsRead(const int *in, int *out, int nx, int ny) {
  unsigned int ix = blockDim.x * blockIdx.x + threadIdx.x;
  unsigned int iy = blockDim.y * blockIdx.y + threadIdx.y;
  if (ix < nx && iy < ny) out[ix * ny + iy] = in[iy * nx + ix];
}
// Columns read, rows written; doubles.
__global__ void turnColumnsRead(const double *in, double *out, int rows, int cols) {
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows && c < cols) out[c * rows + r] = in[r * cols + c];
}
#define TILE_DIM 32
#define BLOCK_ROWS 8
// A blog's tile, four rows a thread, no pad.
__global__ void tileBlogNoPad(float *odata, const float *idata) {
  __shared__ float tile[TILE_DIM][TILE_DIM];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  int width = gridDim.x * TILE_DIM;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
// With a pad, edges guarded, any shape.
__global__ void tilePadAnyShape(float *dst, const float *src, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = src[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width) dst[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
// The column exclusive-ored with the row in place of a pad; doubles.
__global__ void turnXorDoubles(const double *__restrict__ in, double *__restrict__ out, int n) {
  __shared__ double t[32][32];
  int x = threadIdx.x, y = threadIdx.y;
  int bx = blockIdx.x * 32, by = blockIdx.y * 32;
  for (int k = y; k < 32; k += blockDim.y) t[k][x ^ k] = in[(by + k) * n + bx + x];
  __syncthreads();
  for (int k = y; k < 32; k += blockDim.y) out[(bx + k) * n + by + x] = t[x][k ^ x];
}
// Blocks along diagonals, a tile of 16.
__global__ void diagonalTiles16(float *odata, const float *idata, int width, int height) {
  __shared__ float tile[16][17];
  int blockIdx_y = blockIdx.x;
  int blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  int xIndex = blockIdx_x * 16 + threadIdx.x;
  int yIndex = blockIdx_y * 16 + threadIdx.y;
  int index_in = xIndex + yIndex * width;
  xIndex = blockIdx_y * 16 + threadIdx.x;
  yIndex = blockIdx_x * 16 + threadIdx.y;
  int index_out = xIndex + yIndex * height;
  tile[threadIdx.y][threadIdx.x] = idata[index_in];
  __syncthreads();
  odata[index_out] = tile[threadIdx.x][threadIdx.y];
}
// A tile of 64 columns and 32 rows.
__global__ void tileWide64(const int *in, int *out, int width, int height) {
  __shared__ int s[32][65];
  int x0 = blockIdx.x * 64, y0 = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    s[j][threadIdx.x] = in[(y0 + j) * width + x0 + threadIdx.x];
    s[j][threadIdx.x + 32] = in[(y0 + j) * width + x0 + threadIdx.x + 32];
  }
  __syncthreads();
  for (int j = threadIdx.y; j < 64; j += blockDim.y) out[(x0 + j) * height + y0 + threadIdx.x] = s[threadIdx.x][j];
}
// A whole tile a block, the thread's place from one number.
__global__ void tileFromOneIndex(const float2 *in, float2 *out, int n) {
  __shared__ float2 t[16][17];
  int x = threadIdx.x % 16, y = threadIdx.x / 16;
  int tiles = n / 16;
  int bx = blockIdx.x % tiles, by = blockIdx.x / tiles;
  t[y][x] = in[(by * 16 + y) * n + bx * 16 + x];
  __syncthreads();
  out[(bx * 16 + y) * n + by * 16 + x] = t[x][y];
}

// ======== strides, offsets, records ===================================================================================

__global__ void addAtOffsetWrite(const int *a, const int *b, int *c, int offset, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + offset < n) c[i + offset] = a[i] + b[i];
}
__global__ void copyEveryStride(const double *in, double *out, int stride, int n) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  if (i < n) out[i] = in[i];
}
// A record of six floats and a spare one: place, speed.
__global__ void advanceSevens(float *bodies, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float *b = bodies + i * 7;
    b[0] += b[3] * dt;
    b[1] += b[4] * dt;
    b[2] += b[5] * dt;
  }
}
// Threes taken apart by way of shared memory.
__global__ void threesApartShared(const float *xyz, float *x, float *y, float *z, int n) {
  extern __shared__ float chunk[];
  int base = blockIdx.x * blockDim.x * 3;
  for (int k = threadIdx.x; k < 3 * blockDim.x; k += blockDim.x)
    if (base + k < 3 * n) chunk[k] = xyz[base + k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] = chunk[3 * threadIdx.x];
    y[i] = chunk[3 * threadIdx.x + 1];
    z[i] = chunk[3 * threadIdx.x + 2];
  }
}
// Even places to one array, odd ones to another, by loads of single ints.
__global__ void evensAndOdds(const int *in, int *even, int *odd, int half) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x) {
    even[i] = in[2 * i];
    odd[i] = in[2 * i + 1];
  }
}
// Four copies of 8 bytes a thread, a block apart.
__global__ void copyFourBlocksApart(const float2 *__restrict__ src, float2 *__restrict__ dst) {
  int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  float2 a = src[i];
  float2 b = src[i + blockDim.x];
  float2 c = src[i + 2 * blockDim.x];
  float2 d = src[i + 3 * blockDim.x];
  dst[i] = a;
  dst[i + blockDim.x] = b;
  dst[i + 2 * blockDim.x] = c;
  dst[i + 3 * blockDim.x] = d;
}
// A field of each record of a length given, the rest left alone.
__global__ void scaleOneField(float *records, int length, int field, float by, int count) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < count) records[(size_t)r * length + field] *= by;
}

// ======== histograms ==================================================================================================

__global__ void binsInMemoryStriding(const unsigned int *data, unsigned int *bins, int mask, int n) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&bins[data[i] & mask], 1u);
}
// A first book's: 256 bins, a thread a bin at the end; the bytes of words.
__global__ void bytesShared256(const unsigned int *words, unsigned int *histo, int count) {
  __shared__ unsigned int temp[256];
  temp[threadIdx.x] = 0;
  __syncthreads();
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  int offset = blockDim.x * gridDim.x;
  while (i < count) {
    unsigned int w = words[i];
    atomicAdd(&temp[w & 0xff], 1);
    atomicAdd(&temp[(w >> 8) & 0xff], 1);
    atomicAdd(&temp[(w >> 16) & 0xff], 1);
    atomicAdd(&temp[w >> 24], 1);
    i += offset;
  }
  __syncthreads();
  atomicAdd(&histo[threadIdx.x], temp[threadIdx.x]);
}
// 128 bins a warp, a pad between the warps' bins.
__global__ void warpBins128Pad(const int4 *x, int *bins, int quads) {
  __shared__ int own[8][129];
  int w = threadIdx.x >> 5;
  for (int k = threadIdx.x & 31; k < 128; k += 32) own[w][k] = 0;
  __syncwarp();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 v = x[i];
    atomicAdd(&own[w][v.x >> 3], 1);
    atomicAdd(&own[w][v.y >> 3], 1);
    atomicAdd(&own[w][v.z >> 3], 1);
    atomicAdd(&own[w][v.w >> 3], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 128; k += blockDim.x) {
    int s = 0;
    for (int j = 0; j < blockDim.x / 32; j++) s += own[j][k];
    if (s > 0) atomicAdd(&bins[k], s);
  }
}
// Lanes with the same bin find each other; the first of them adds for all.
__global__ void binsByPeers(const int *x, int *bins, int shift, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bin = x[i] >> shift;
  unsigned int peers = __match_any_sync(__activemask(), bin);
  int leader = __ffs(peers) - 1;
  if ((threadIdx.x & 31) == leader) atomicAdd(&bins[bin], __popc(peers));
}
// Four copies of the bins in the block's memory, by the lane.
__global__ void fourCopiesByLane(const int *x, int *bins, int nbins, int n) {
  extern __shared__ int copies4[];
  for (int k = threadIdx.x; k < 4 * nbins; k += blockDim.x) copies4[k] = 0;
  __syncthreads();
  int copy = threadIdx.x & 3;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&copies4[(x[i] % nbins) * 4 + copy], 1);
  __syncthreads();
  for (int k = threadIdx.x; k < nbins; k += blockDim.x)
    atomicAdd(&bins[k], copies4[4 * k] + copies4[4 * k + 1] + copies4[4 * k + 2] + copies4[4 * k + 3]);
}
// Sixteen bins in a thread's own bytes, four to a word, emptied before they are full.
__global__ void ownBytesSixteen(const int *x, int *bins, int per, int n) {
  __shared__ int total[16];
  if (threadIdx.x < 16) total[threadIdx.x] = 0;
  __syncthreads();
  unsigned int w0 = 0, w1 = 0, w2 = 0, w3 = 0;
  int base = blockIdx.x * blockDim.x * per + threadIdx.x;
  for (int k = 0; k < per; k++) {
    int i = base + k * blockDim.x;
    if (i < n) {
      int bin = x[i] >> 6;
      unsigned int one = 1u << ((bin & 3) * 8);
      int word = bin >> 2;
      w0 += word == 0 ? one : 0u;
      w1 += word == 1 ? one : 0u;
      w2 += word == 2 ? one : 0u;
      w3 += word == 3 ? one : 0u;
    }
  }
  for (int b = 0; b < 4; b++) {
    int c0 = __reduce_add_sync(ALL_LANES, (w0 >> (8 * b)) & 255u);
    int c1 = __reduce_add_sync(ALL_LANES, (w1 >> (8 * b)) & 255u);
    int c2 = __reduce_add_sync(ALL_LANES, (w2 >> (8 * b)) & 255u);
    int c3 = __reduce_add_sync(ALL_LANES, (w3 >> (8 * b)) & 255u);
    if ((threadIdx.x & 31) == 0) {
      atomicAdd(&total[b], c0);
      atomicAdd(&total[4 + b], c1);
      atomicAdd(&total[8 + b], c2);
      atomicAdd(&total[12 + b], c3);
    }
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], total[threadIdx.x]);
}

// ======== neighbours ==================================================================================================

__global__ void thirdsOfNeighbours(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f;
}
// Weights on four neighbours to both sides, dynamic shared memory.
__global__ void nineTapsDynamic(const double *in, double *out, int n) {
  extern __shared__ double line9[];
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int l = threadIdx.x + 4;
  line9[l] = g < n ? in[g] : 0.0;
  if (threadIdx.x < 4) {
    line9[l - 4] = g >= 4 ? in[g - 4] : 0.0;
    int right = g + blockDim.x;
    line9[l + blockDim.x] = right < n ? in[right] : 0.0;
  }
  __syncthreads();
  if (g < n) {
    double s = 0.4 * line9[l];
    s += 0.2 * (line9[l - 1] + line9[l + 1]);
    s += 0.06 * (line9[l - 2] + line9[l + 2]);
    s += 0.03 * (line9[l - 3] + line9[l + 3]);
    s += 0.01 * (line9[l - 4] + line9[l + 4]);
    out[g] = s;
  }
}
// Heat on a plate, tiles that overlap: only the inner threads write.
__global__ void plateOverlap(const float *t, float *u, int n, float k) {
  __shared__ float s[16][32];
  int x = blockIdx.x * 30 + threadIdx.x, y = blockIdx.y * 14 + threadIdx.y;
  bool within = x < n && y < n;
  s[threadIdx.y][threadIdx.x] = within ? t[y * n + x] : 0.0f;
  __syncthreads();
  if (within && threadIdx.x > 0 && threadIdx.x < 31 && threadIdx.y > 0 && threadIdx.y < 15 && x < n - 1 && y < n - 1) {
    float c = s[threadIdx.y][threadIdx.x];
    u[y * n + x] = c + k * (s[threadIdx.y][threadIdx.x - 1] + s[threadIdx.y][threadIdx.x + 1] + s[threadIdx.y - 1][threadIdx.x] + s[threadIdx.y + 1][threadIdx.x] - 4.0f * c);
  }
}
// Seven points, up through the planes with the last three in registers.
__global__ void planesInRegisters(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int plane = nx * ny;
  int at = y * nx + x;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < nz - 1; z++) {
    at += plane;
    float above = in[at + plane];
    out[at] = below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] - 6.0f * here;
    below = here;
    here = above;
  }
}
// Five by five in two loops, the edges left out, ints.
__global__ void boxFiveByFive(const int *img, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0, count = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h) {
        sum += img[yy * w + xx];
        count++;
      }
    }
  out[y * w + x] = sum / count;
}

// ======== matrices ====================================================================================================

__global__ void addPlanes2d(const float *a, const float *b, float *c, int nx, int ny) {
  int ix = threadIdx.x + blockIdx.x * blockDim.x;
  int iy = threadIdx.y + blockIdx.y * blockDim.y;
  int idx = iy * nx + ix;
  if (ix < nx && iy < ny) c[idx] = a[idx] + b[idx];
}
#define BS 32
// Tiles of 32, both padded for no reason.
__global__ void productTilesPadded(const float *A, const float *B, float *C, int wA, int wB) {
  __shared__ float As[BS][BS + 1];
  __shared__ float Bs[BS][BS + 1];
  int row = blockIdx.y * BS + threadIdx.y, col = blockIdx.x * BS + threadIdx.x;
  float c = 0.0f;
  for (int t = 0; t < wA; t += BS) {
    As[threadIdx.y][threadIdx.x] = A[row * wA + t + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t + threadIdx.y) * wB + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BS; ++k) c += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  C[row * wB + col] = c;
}
// 64 by 64 a block of 256 threads, four by four a thread.
__global__ void productSixteenEach(const float *A, const float *B, float *C, int n) {
  __shared__ float as[16][64];
  __shared__ float bs[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
  float acc[4][4];
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) acc[i][j] = 0.0f;
  for (int t = 0; t < n; t += 16) {
    for (int k = threadIdx.x; k < 1024; k += 256) {
      as[k % 16][k / 16] = A[(row0 + k / 16) * n + t + k % 16];
      bs[k / 64][k % 64] = B[(t + k / 64) * n + col0 + k % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        a[i] = as[k][ty * 4 + i];
        b[i] = bs[k][tx * 4 + i];
      }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) C[(row0 + ty * 4 + i) * n + col0 + tx * 4 + j] = acc[i][j];
}
// A warp a row, doubles two at a time.
__global__ void rowsByWarpsDouble2(const double2 *A, const double2 *x, double *y, int rows, int pairs) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (warp >= rows) return;
  double s = 0.0;
  for (int k = lane; k < pairs; k += 32) {
    double2 a = A[warp * pairs + k];
    double2 b = x[k];
    s += a.x * b.x + a.y * b.y;
  }
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(ALL_LANES, s, o);
  if (lane == 0) y[warp] = s;
}
// A thread a row, the vector by tiles of the block in shared memory.
__global__ void vectorInTiles(const float *A, const float *x, float *y, int rows, int cols) {
  extern __shared__ float xs[];
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int t = 0; t < cols; t += blockDim.x) {
    xs[threadIdx.x] = x[t + threadIdx.x];
    __syncthreads();
    if (row < rows)
      for (int k = 0; k < blockDim.x; k++) sum += A[(size_t)(t + k) * rows + row] * xs[k];
    __syncthreads();
  }
  if (row < rows) y[row] = sum;
}
// Rows of two entries by their starts, the columns anywhere.
__global__ void sparseRowsByStarts(const int *starts, const int *cols, const float *vals, const float *x, float *y, int rows) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    int row_start = starts[row];
    int row_end = starts[row + 1];
    for (int jj = row_start; jj < row_end; jj++) dot += vals[jj] * x[cols[jj]];
    y[row] = dot;
  }
}

// ======== rows made even ==============================================================================================

// Softmax, a warp a row, the row in registers.
__global__ void softmaxRow256Warp(const float *in, float *out, int rows) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows) return;
  float v[8];
  float m = -1e30f;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    v[k] = in[row * 256 + k * 32 + lane];
    m = fmaxf(m, v[k]);
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) m = fmaxf(m, __shfl_xor_sync(ALL_LANES, m, o));
  float s = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    v[k] = __expf(v[k] - m);
    s += v[k];
  }
  s = lanesAdd(s);
#pragma unroll
  for (int k = 0; k < 8; k++) out[row * 256 + k * 32 + lane] = v[k] / s;
}
// Mean and deviation of rows taken out, a block a row, fours.
__global__ void evenRowsOfFours(const float4 *in, float4 *out, float gain, float bias, int quads) {
  const float4 *row = in + blockIdx.x * quads;
  float sum = 0.0f, squares = 0.0f;
  for (int k = threadIdx.x; k < quads; k += blockDim.x) {
    float4 v = row[k];
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  sum = blockAddAll(sum);
  squares = blockAddAll(squares);
  float mean = sum / (4 * quads);
  float scale = gain * rsqrtf(squares / (4 * quads) - mean * mean + 1e-5f);
  for (int k = threadIdx.x; k < quads; k += blockDim.x) {
    float4 v = row[k];
    v.x = (v.x - mean) * scale + bias;
    v.y = (v.y - mean) * scale + bias;
    v.z = (v.z - mean) * scale + bias;
    v.w = (v.w - mean) * scale + bias;
    out[blockIdx.x * quads + k] = v;
  }
}
// Greatest and sum kept at once, a thread a row.
__global__ void logSumExpThread(const float *m, float *out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float top = -1e30f, sum = 0.0f;
  for (int c = 0; c < cols; c++) {
    float v = m[r * cols + c];
    float t = fmaxf(top, v);
    sum = sum * expf(top - t) + expf(v - t);
    top = t;
  }
  out[r] = top + logf(sum);
}

// ======== picking out, sorting, looking up ============================================================================

// A counter of the block, then a stretch of the output for the block.
__global__ void pickByBlockCounter(const int *in, int *out, int *count, int above, int n) {
  __shared__ int here;
  __shared__ int from;
  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  int at = -1;
  if (i < n && v > above) at = atomicAdd(&here, 1);
  __syncthreads();
  if (threadIdx.x == 0) from = atomicAdd(count, here);
  __syncthreads();
  if (at >= 0) out[from + at] = v;
}
// Votes of the warps, one atomic a warp.
__global__ void pickByVotes(const float *in, float *out, int *count, float below, int n) {
  int lane = threadIdx.x & 31;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    int i = base + threadIdx.x;
    float v = i < n ? in[i] : 2.0f;
    unsigned int keep = __ballot_sync(ALL_LANES, v < below);
    int from = 0;
    if (lane == 0) from = atomicAdd(count, __popc(keep));
    from = __shfl_sync(ALL_LANES, from, 0);
    if (v < below) out[from + __popc(keep & ((1u << lane) - 1))] = v;
  }
}
// Bitonic in shared memory, two elements a thread, keys of floats.
__global__ void bitonicTwoEach(const float *in, float *out, int length) {
  extern __shared__ float skeys[];
  int base = blockIdx.x * length;
  int t = threadIdx.x;
  skeys[t] = in[base + t];
  skeys[t + length / 2] = in[base + t + length / 2];
  for (int size = 2; size <= length; size <<= 1) {
    bool down = (t & (size / 2)) != 0;
    for (int stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      int pos = 2 * t - (t & (stride - 1));
      float a = skeys[pos], b = skeys[pos + stride];
      if ((a > b) != down) {
        skeys[pos] = b;
        skeys[pos + stride] = a;
      }
    }
  }
  __syncthreads();
  out[base + t] = skeys[t];
  out[base + t + length / 2] = skeys[t + length / 2];
}
// Each counts who comes before it in the block.
__global__ void placeByCounting(const int *in, int *out) {
  extern __shared__ int rivals[];
  int t = threadIdx.x;
  int mine = in[blockIdx.x * blockDim.x + t];
  rivals[t] = mine;
  __syncthreads();
  int rank = 0;
  for (int k = 0; k < blockDim.x; k++) {
    int other = rivals[k];
    if (other < mine || (other == mine && k < t)) rank++;
  }
  out[blockIdx.x * blockDim.x + rank] = mine;
}
// Rows of a table of four floats by number.
__global__ void tableRowsOfFour(const int *ids, const float4 *table, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[ids[i]];
}
// Values sent where their numbers say, in place of what was there.
__global__ void sendDoubles(const int *where, const double *values, double *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[where[i]] = values[i];
}
// A place in a sorted array of even numbers by halving.
__global__ void placeByHalving(const int *sorted, const int *wanted, int *place, int length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int key = wanted[i];
  int lo = 0, hi = length;
  while (lo < hi) {
    int mid = (lo + hi) / 2;
    if (sorted[mid] < key) lo = mid + 1;
    else hi = mid;
  }
  place[i] = lo;
}
