// Kernels as many hands write them: textbooks, samples, blogs, homework, libraries.
// None is in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
#define FULL_MASK 0xffffffffu

// ======== reductions ==================================================================================================

__inline__ __device__ long long warpReduceLong(long long val) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL_MASK, val, offset);
  return val;
}
// A blog's sum by shuffles, long long, the grid striding.
__global__ void blogSumLongs(const long long *in, long long *out, int N) {
  static __shared__ long long shared[32];
  long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  int lane = threadIdx.x % warpSize;
  int wid = threadIdx.x / warpSize;
  sum = warpReduceLong(sum);
  if (lane == 0) shared[wid] = sum;
  __syncthreads();
  sum = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
  if (wid == 0) sum = warpReduceLong(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// A blog's greatest: shuffles, an atomic a warp.
__global__ void blogMaxWarpAtomic(const int *in, int *out, int N) {
  int best = -2147483647;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) best = max(best, in[i]);
  for (int offset = 16; offset > 0; offset >>= 1) best = max(best, __shfl_down_sync(FULL_MASK, best, offset));
  if ((threadIdx.x & 31) == 0) atomicMax(out, best);
}
// The product of a block's floats, two elements a thread.
__global__ void productBlock(const float *x, float *out, int n) {
  extern __shared__ float sproduct[];
  int t = threadIdx.x;
  int i = 2 * blockIdx.x * blockDim.x + t;
  float p = 1.0f;
  if (i < n) p = x[i];
  if (i + blockDim.x < n) p *= x[i + blockDim.x];
  sproduct[t] = p;
  for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
    __syncthreads();
    if (t < s) sproduct[t] *= sproduct[t + s];
  }
  if (t == 0) out[blockIdx.x] = sproduct[0];
}
// Floats two at a time into a double.
__global__ void floatsIntoDouble(const float2 *x, double *out, int pairs) {
  __shared__ double partial[32];
  double acc = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    float2 v = x[i];
    acc += (double)v.x;
    acc += (double)v.y;
  }
  for (int m = 16; m; m >>= 1) acc += __shfl_xor_sync(FULL_MASK, acc, m);
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  if (lane == 0) partial[warp] = acc;
  __syncthreads();
  if (threadIdx.x == 0) {
    double total = 0.0;
    for (int w = 0; w < (blockDim.x + 31) / 32; ++w) total += partial[w];
    out[blockIdx.x] = total;
  }
}
// A Euclidean norm's squares, doubles in pairs, a tree.
__global__ void squaresOfDouble2(const double2 *x, double *out, int pairs) {
  __shared__ double cache[256];
  double s = 0;
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  while (tid < pairs) {
    double2 v = x[tid];
    s += v.x * v.x + v.y * v.y;
    tid += blockDim.x * gridDim.x;
  }
  int cacheIndex = threadIdx.x;
  cache[cacheIndex] = s;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) out[blockIdx.x] = cache[0];
}
// The greatest magnitude by the bits of floats.
__global__ void greatestByBits(const float *x, int *out, int n) {
  __shared__ int m;
  if (threadIdx.x == 0) m = 0;
  __syncthreads();
  int bits = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) bits = max(bits, __float_as_int(fabsf(x[i])));
  bits = __reduce_max_sync(FULL_MASK, bits);
  if (threadIdx.x % 32 == 0) atomicMax(&m, bits);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, m);
}
// How many lie between two bounds, counted by barriers.
__global__ void countBetweenByBarrier(const int *x, int lo, int hi, int *count, int n) {
  int total = 0;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    int i = base + threadIdx.x;
    bool p = i < n && x[i] >= lo && x[i] < hi;
    total += __syncthreads_count(p);
  }
  if (threadIdx.x == 0) atomicAdd(count, total);
}
// A checksum of pairs of words.
__global__ void checksumXor(const uint2 *data, unsigned int *sum, int pairs) {
  unsigned int c = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) {
    uint2 w = data[i];
    c = w.x ^ (w.y * 31u);
  }
  c = __reduce_xor_sync(FULL_MASK, c);
  if ((threadIdx.x & 31) == 0) atomicXor(sum, c);
}
// The greatest int and its place, all lanes know the warp's.
__global__ void argmaxAllLanes(const int *x, int *values, int *places, int n) {
  __shared__ int sv[32];
  __shared__ int sp[32];
  int bv = -1, bp = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = x[i];
    if (v > bv) {
      bv = v;
      bp = i;
    }
  }
#pragma unroll
  for (int m = 1; m < 32; m <<= 1) {
    int ov = __shfl_xor_sync(FULL_MASK, bv, m);
    int op = __shfl_xor_sync(FULL_MASK, bp, m);
    if (ov > bv || (ov == bv && op < bp)) {
      bv = ov;
      bp = op;
    }
  }
  if ((threadIdx.x & 31) == 0) {
    sv[threadIdx.x >> 5] = bv;
    sp[threadIdx.x >> 5] = bp;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    bool has = threadIdx.x < (blockDim.x >> 5);
    bv = has ? sv[threadIdx.x] : -1;
    bp = has ? sp[threadIdx.x] : 0x7fffffff;
    for (int m = 16; m > 0; m >>= 1) {
      int ov = __shfl_xor_sync(FULL_MASK, bv, m);
      int op = __shfl_xor_sync(FULL_MASK, bp, m);
      if (ov > bv || (ov == bv && op < bp)) {
        bv = ov;
        bp = op;
      }
    }
    if (threadIdx.x == 0) {
      values[blockIdx.x] = bv;
      places[blockIdx.x] = bp;
    }
  }
}
// What is lost to rounding is added at the end.
__global__ void twoSumDoubles(const double *x, double *out, int n) {
  __shared__ double sh[128];
  double s = 0.0, lost = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = x[i];
    double t = s + v;
    double z = t - s;
    lost += (s - (t - z)) + (v - z);
    s = t;
  }
  sh[threadIdx.x] = s + lost;
  __syncthreads();
  for (int k = 64; k > 0; k >>= 1) {
    if (threadIdx.x < k && threadIdx.x + k < blockDim.x) sh[threadIdx.x] += sh[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sh[0];
}
// Eight rounds of the grid at once, as the author hoped.
__global__ void sumUnroll8Grid(const int *in, int *out, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int stride = gridDim.x * blockDim.x;
  int sum = 0;
#pragma unroll 8
  for (int i = idx; i < n; i += stride) sum += in[i];
  sum = __reduce_add_sync(FULL_MASK, sum);
  __shared__ int parts[32];
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    sum = __reduce_add_sync(FULL_MASK, sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
  }
}
// A tree whose steps take four to one.
__global__ void treeOfFour(const float *in, float *out, int n) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 4; k > 0; k /= 4) {
    float v = 0.0f;
    if (t < k) v = s[t] + s[t + k] + s[t + 2 * k] + s[t + 3 * k];
    __syncthreads();
    if (t < k) s[t] = v;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
// Rows of 64, eight lanes a row, two fours a lane.
__global__ void rowSumEightLanes(const float4 *m, float *sums, int rows) {
  int g = blockIdx.x * blockDim.x + threadIdx.x;
  int row = g >> 3, sub = g & 7;
  float s = 0.0f;
  if (row < rows) {
    float4 a = m[row * 16 + sub];
    float4 b = m[row * 16 + sub + 8];
    s = (a.x + a.y) + (a.z + a.w) + (b.x + b.y) + (b.z + b.w);
  }
  s += __shfl_down_sync(FULL_MASK, s, 4, 8);
  s += __shfl_down_sync(FULL_MASK, s, 2, 8);
  s += __shfl_down_sync(FULL_MASK, s, 1, 8);
  if (row < rows && sub == 0) sums[row] = s;
}
// Four columns a thread, a strip of rows a block, atomics on the columns' sums.
__global__ void columnSumQuads(const float4 *m, float *sums, int rows, int quads, int strip) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  if (q >= quads) return;
  int from = blockIdx.y * strip;
  int to = min(from + strip, rows);
  float4 acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int r = from; r < to; r++) {
    float4 v = m[r * quads + q];
    acc.x += v.x;
    acc.y += v.y;
    acc.z += v.z;
    acc.w += v.w;
  }
  atomicAdd(&sums[4 * q], acc.x);
  atomicAdd(&sums[4 * q + 1], acc.y);
  atomicAdd(&sums[4 * q + 2], acc.z);
  atomicAdd(&sums[4 * q + 3], acc.w);
}
// Least and greatest of long long side by side.
__global__ void boundsOfLongs(const long long *x, long long *least, long long *greatest, int n) {
  __shared__ long long lo[16], hi[16];
  long long a = 1LL << 60, b = -(1LL << 60);
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    long long v = x[i];
    a = v < a ? v : a;
    b = v > b ? v : b;
  }
  for (int o = 16; o > 0; o /= 2) {
    long long p = __shfl_down_sync(FULL_MASK, a, o);
    long long q = __shfl_down_sync(FULL_MASK, b, o);
    a = p < a ? p : a;
    b = q > b ? q : b;
  }
  if (threadIdx.x % 32 == 0) {
    lo[threadIdx.x / 32] = a;
    hi[threadIdx.x / 32] = b;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < blockDim.x / 32; w++) {
      if (lo[w] < a) a = lo[w];
      if (hi[w] > b) b = hi[w];
    }
    least[blockIdx.x] = a;
    greatest[blockIdx.x] = b;
  }
}
// A sample's single pass: the last block done sums what all have left.
__global__ void fenceSumInts(const int *in, volatile int *partial, int *out, unsigned int *ticket, int n) {
  __shared__ int sh[512];
  __shared__ bool amLast;
  int t = threadIdx.x;
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x) mine += in[i];
  sh[t] = mine;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) {
      mine = mine + sh[t + s];
      sh[t] = mine;
    }
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = mine;
    __threadfence();
    unsigned int got = atomicInc(ticket, gridDim.x);
    amLast = (got == gridDim.x - 1);
  }
  __syncthreads();
  if (amLast) {
    int sum = 0;
    for (int i = t; i < gridDim.x; i += blockDim.x) sum += partial[i];
    sh[t] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
      if (t < s) sh[t] += sh[t + s];
      __syncthreads();
    }
    if (t == 0) out[0] = sh[0];
  }
}
// Mean absolute difference of two arrays, fours.
__global__ void absoluteErrorQuads(const float4 *__restrict__ a, const float4 *__restrict__ b, float *loss, int quads, float scale) {
  __shared__ float warpSums[32];
  float e = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    float4 p = a[i], q = b[i];
    e += fabsf(p.x - q.x) + fabsf(p.y - q.y) + fabsf(p.z - q.z) + fabsf(p.w - q.w);
  }
#pragma unroll
  for (int o = 16; o > 0; o >>= 1) e += __shfl_down_sync(FULL_MASK, e, o);
  if ((threadIdx.x & 31) == 0) warpSums[threadIdx.x >> 5] = e;
  __syncthreads();
  if (threadIdx.x < 32) {
    e = threadIdx.x < (blockDim.x >> 5) ? warpSums[threadIdx.x] : 0.0f;
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) e += __shfl_down_sync(FULL_MASK, e, o);
    if (threadIdx.x == 0) atomicAdd(loss, e * scale);
  }
}
// A sample's steps written out for any block up to 1024.
__global__ void unrolledAnyBlock(const int *g_in, int *g_out, unsigned int n) {
  extern __shared__ int sany[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x * 4 + tid;
  int sum = 0;
  if (i + 3 * blockDim.x < n) sum = g_in[i] + g_in[i + blockDim.x] + g_in[i + 2 * blockDim.x] + g_in[i + 3 * blockDim.x];
  sany[tid] = sum;
  __syncthreads();
  if (blockDim.x >= 1024 && tid < 512) sany[tid] += sany[tid + 512];
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) sany[tid] += sany[tid + 256];
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) sany[tid] += sany[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) sany[tid] += sany[tid + 64];
  __syncthreads();
  if (tid < 32) {
    sum = sany[tid] + sany[tid + 32];
    sum += __shfl_xor_sync(FULL_MASK, sum, 16);
    sum += __shfl_xor_sync(FULL_MASK, sum, 8);
    sum += __shfl_xor_sync(FULL_MASK, sum, 4);
    sum += __shfl_xor_sync(FULL_MASK, sum, 2);
    sum += __shfl_xor_sync(FULL_MASK, sum, 1);
    if (tid == 0) g_out[blockIdx.x] = sum;
  }
}
// Every block its own stretch of the array.
__global__ void stretchPerBlock(const float *x, float *out, int per) {
  __shared__ float s[256];
  int from = blockIdx.x * per;
  float sum = 0.0f;
  for (int k = threadIdx.x; k < per; k += 256) sum += x[from + k];
  s[threadIdx.x] = sum;
  __syncthreads();
#pragma unroll
  for (int h = 128; h >= 1; h >>= 1) {
    if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
// A product of whole numbers and floats, a sum a warp left in memory.
__global__ void dotIntsFloats(const int *a, const float *b, float *warpSums, int n) {
  int gid = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int i = gid; i < n; i += gridDim.x * blockDim.x) v = fmaf((float)a[i], b[i], v);
  v += __shfl_down_sync(FULL_MASK, v, 16);
  v += __shfl_down_sync(FULL_MASK, v, 8);
  v += __shfl_down_sync(FULL_MASK, v, 4);
  v += __shfl_down_sync(FULL_MASK, v, 2);
  v += __shfl_down_sync(FULL_MASK, v, 1);
  if ((gid & 31) == 0) warpSums[gid >> 5] = v;
}
// The last step: one block, eight partial sums a thread at a time.
__global__ void finishOneBlock(const float *partial, float *total, int count) {
  __shared__ float lanes[32];
  float sum = 0.0f;
  int i = threadIdx.x;
  for (; i + 3 * blockDim.x < count; i += 4 * blockDim.x)
    sum += (partial[i] + partial[i + blockDim.x]) + (partial[i + 2 * blockDim.x] + partial[i + 3 * blockDim.x]);
  for (; i < count; i += blockDim.x) sum += partial[i];
  for (int o = 16; o >= 1; o >>= 1) sum += __shfl_xor_sync(FULL_MASK, sum, o);
  if (threadIdx.x % 32 == 0) lanes[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = threadIdx.x < blockDim.x / 32 ? lanes[threadIdx.x] : 0.0f;
  for (int o = 16; o >= 1; o >>= 1) sum += __shfl_xor_sync(FULL_MASK, sum, o);
  if (threadIdx.x == 0) *total = sum;
}
// All threads add to one of sixty-four sums of the block.
__global__ void sumBySlots(const int *x, int *out, int n) {
  __shared__ int slots[64];
  if (threadIdx.x < 64) slots[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&slots[threadIdx.x & 63], x[i]);
  __syncthreads();
  for (int s = 32; s > 0; s >>= 1) {
    if (threadIdx.x < s) slots[threadIdx.x] += slots[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, slots[0]);
}

// ======== scans =======================================================================================================

// Two halves of one buffer, as a chapter on scans first has it; exclusive.
__global__ void gemsNaiveScan(float *g_odata, const float *g_idata, int n) {
  extern __shared__ float temp[];
  int thid = threadIdx.x;
  int base = blockIdx.x * n;
  int pout = 0, pin = 1;
  temp[thid] = (thid > 0) ? g_idata[base + thid - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset) temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[base + thid] = temp[pout * n + thid];
}
// Blocks' sums added to two elements a thread.
__global__ void uniformAddPairs(int *data, const int *uniforms, int n) {
  __shared__ int uni;
  if (threadIdx.x == 0) uni = uniforms[blockIdx.x];
  unsigned int address = blockIdx.x * (blockDim.x << 1) + threadIdx.x;
  __syncthreads();
  if (address < n) data[address] += uni;
  if (address + blockDim.x < n) data[address + blockDim.x] += uni;
}
// Sklansky's network in shared memory, two elements a thread.
__global__ void sklanskyBlock(const int *in, int *out) {
  extern __shared__ int sk[];
  int t = threadIdx.x;
  int base = blockIdx.x * 2 * blockDim.x;
  sk[t] = in[base + t];
  sk[t + blockDim.x] = in[base + t + blockDim.x];
  for (int d = 1; d <= blockDim.x; d <<= 1) {
    __syncthreads();
    int group = (t / d) * 2 * d;
    int to = group + d + t % d;
    sk[to] += sk[group + d - 1];
  }
  __syncthreads();
  out[base + t] = sk[t];
  out[base + t + blockDim.x] = sk[t + blockDim.x];
}
// A warp scans 64 elements, two a lane, no shared memory.
__global__ void warpScanSixtyFour(const int2 *in, int2 *out, int pairs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31;
  int2 v = make_int2(0, 0);
  if (i < pairs) v = in[i];
  int sum = v.x + v.y;
  int run = sum;
#pragma unroll
  for (int d = 1; d <= 16; d *= 2) {
    int u = __shfl_up_sync(FULL_MASK, run, d);
    run += lane >= d ? u : 0;
  }
  run -= sum;
  v.y = run + v.x;
  v.x = run;
  if (i < pairs) out[i] = v;
}
// Rows of doubles, a block a row, a carry from stretch to stretch.
__global__ void rowScanDoubleCarry(const double *in, double *out, int cols) {
  __shared__ double s[256];
  int t = threadIdx.x;
  double carry = 0.0;
  for (int c = 0; c < cols; c += blockDim.x) {
    double v = in[(size_t)blockIdx.x * cols + c + t];
    s[t] = v;
    __syncthreads();
    for (int d = 1; d < blockDim.x; d <<= 1) {
      double u = t >= d ? s[t - d] : 0.0;
      __syncthreads();
      s[t] += u;
      __syncthreads();
    }
    out[(size_t)blockIdx.x * cols + c + t] = s[t] + carry;
    carry += s[blockDim.x - 1];
    __syncthreads();
  }
}
// Ranks of the flagged by votes.
__global__ void ranksByVotes(const int *x, int *rank, int *blockCount, int limit, int n) {
  __shared__ int warpCount[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  bool flag = i < n && x[i] < limit;
  unsigned int votes = __ballot_sync(FULL_MASK, flag);
  int before = __popc(votes & ((1u << lane) - 1u));
  if (lane == 0) warpCount[warp] = __popc(votes);
  __syncthreads();
  if (threadIdx.x == 0) {
    int run = 0;
    for (int w = 0; w < blockDim.x / 32; w++) {
      int c = warpCount[w];
      warpCount[w] = run;
      run += c;
    }
    blockCount[blockIdx.x] = run;
  }
  __syncthreads();
  if (i < n) rank[i] = flag ? before + warpCount[warp] : -1;
}
__device__ __forceinline__ float scanOneWarp(float x) {
  int lane = threadIdx.x & 31;
#pragma unroll
  for (int i = 1; i <= 16; i <<= 1) {
    float y = __shfl_up_sync(FULL_MASK, x, i);
    if (lane >= i) x += y;
  }
  return x;
}
// Floats, a warp's scan, the warps' totals by the first warp, inclusive.
__global__ void twoLevelScan(const float *in, float *out, float *totals, int n) {
  __shared__ float warpTotal[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0.0f;
  x = scanOneWarp(x);
  if ((threadIdx.x & 31) == 31) warpTotal[threadIdx.x >> 5] = x;
  __syncthreads();
  if (threadIdx.x < 32) {
    float w = threadIdx.x < (blockDim.x >> 5) ? warpTotal[threadIdx.x] : 0.0f;
    warpTotal[threadIdx.x] = scanOneWarp(w);
  }
  __syncthreads();
  if (threadIdx.x >= 32) x += warpTotal[(threadIdx.x >> 5) - 1];
  if (i < n) out[i] = x;
  if (threadIdx.x == blockDim.x - 1) totals[blockIdx.x] = x;
}
// Running products kept below a bound, a thread a column.
__global__ void columnPrefixThread(const float *in, float *out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float run = 0.0f;
  for (int r = 0; r < rows; ++r) {
    run = run * 0.5f + in[r * cols + c];
    out[r * cols + c] = run;
  }
}
// A book's section in one buffer: a copy in a register between the barriers, minimum.
__global__ void runningMinBook(const int *X, int *Y, int N) {
  __shared__ int buffer[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  buffer[threadIdx.x] = i < N ? X[i] : 0x7fffffff;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    int kept = buffer[threadIdx.x];
    if (threadIdx.x >= stride) kept = min(kept, buffer[threadIdx.x - stride]);
    __syncthreads();
    buffer[threadIdx.x] = kept;
  }
  if (i < N) Y[i] = buffer[threadIdx.x];
}

// ======== transposes ==================================================================================================

// One number a thread, its row and column by division.
__global__ void turnByDivision(const float *in, float *out, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols) {
    int r = i / cols;
    int c = i % cols;
    out[c * rows + r] = in[i];
  }
}
// A tile as large as the block, a pad, any shape.
__global__ void turnTile16Guard(const int *A, int *B, int width, int height) {
  __shared__ int block[16][17];
  int xIndex = blockIdx.x * 16 + threadIdx.x;
  int yIndex = blockIdx.y * 16 + threadIdx.y;
  if (xIndex < width && yIndex < height) block[threadIdx.y][threadIdx.x] = A[yIndex * width + xIndex];
  __syncthreads();
  xIndex = blockIdx.y * 16 + threadIdx.x;
  yIndex = blockIdx.x * 16 + threadIdx.y;
  if (xIndex < height && yIndex < width) B[yIndex * height + xIndex] = block[threadIdx.x][threadIdx.y];
}
// Doubles, a padded tile of 32, the block's rows four to a thread or two.
__global__ void turnDoublesPadded(const double *__restrict__ src, double *__restrict__ dst, int width, int height) {
  __shared__ double tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 4
  for (int j = 0; j < 32; j += blockDim.y) tile[threadIdx.y + j][threadIdx.x] = src[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll 4
  for (int j = 0; j < 32; j += blockDim.y) dst[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
// Columns turned by the row in place of a pad.
__global__ void turnRotatedColumns(const float *in, float *out, int n) {
  __shared__ float tile[32 * 32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + tx, y = blockIdx.y * 32 + ty;
  for (int k = 0; k < 32; k += 8) tile[(ty + k) * 32 + ((tx + ty + k) & 31)] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + tx;
  y = blockIdx.x * 32 + ty;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[tx * 32 + ((ty + k + tx) & 31)];
}
// Small matrices, one a block of the grid's third dimension.
__global__ void turnBatchOf64(const long long *in, long long *out) {
  __shared__ long long tile[16][17];
  int base = blockIdx.z * 4096;
  int c = blockIdx.x * 16 + threadIdx.x;
  int r = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[base + r * 64 + c];
  __syncthreads();
  c = blockIdx.y * 16 + threadIdx.x;
  r = blockIdx.x * 16 + threadIdx.y;
  out[base + r * 64 + c] = tile[threadIdx.x][threadIdx.y];
}
// In place, pairs of tiles, the blocks below the diagonal leave.
__global__ void turnUpperInPlace(float *m, int n) {
  __shared__ float a[32][33];
  __shared__ float b[32][33];
  if (blockIdx.x < blockIdx.y) return;
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += blockDim.y) {
    a[threadIdx.y + j][threadIdx.x] = m[(y + j) * n + x];
    b[threadIdx.y + j][threadIdx.x] = m[(v + j) * n + u];
  }
  __syncthreads();
  for (int j = 0; j < 32; j += blockDim.y) {
    m[(v + j) * n + u] = a[threadIdx.x][threadIdx.y + j];
    m[(y + j) * n + x] = b[threadIdx.x][threadIdx.y + j];
  }
}
// Two columns a load, rows of the result by single floats.
__global__ void turnPairsRead(const float2 *in, float *out, int rows, int pairs) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (p < pairs && r < rows) {
    float2 v = in[r * pairs + p];
    out[(2 * p) * rows + r] = v.x;
    out[(2 * p + 1) * rows + r] = v.y;
  }
}
// The same tile and no transposition: a copy to compare with.
__global__ void copyThroughTile(float *odata, const float *idata, int width) {
  __shared__ float tile[32][32];
  int at = (blockIdx.y * 32 + threadIdx.y) * width + blockIdx.x * 32 + threadIdx.x;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = idata[at + i * width];
  __syncthreads();
  for (int i = 0; i < 32; i += 8) odata[at + i * width] = tile[threadIdx.y + i][threadIdx.x];
}

// ======== strides, offsets, gathers, copies ===========================================================================

__global__ void scaleFromOffset(const float *in, float *out, int offset, float k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = k * in[i + offset];
}
__global__ void readStrideModulo(const int *in, int *out, int stride, unsigned int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[(i * stride) % n] + 1;
}
// Each thread a stretch of its own.
__global__ void copyOwnStretch(const int *src, int *dst, int per, int n) {
  int from = (blockIdx.x * blockDim.x + threadIdx.x) * per;
  for (int k = 0; k < per; k++) {
    if (from + k < n) dst[from + k] = src[from + k];
  }
}
__global__ void gatherDoublesStriding(const double *__restrict__ table, const int *__restrict__ idx, double *__restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = table[idx[i]] * 2.0;
}
__global__ void scatterCounts(const int *idx, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out + idx[i], 1);
}
__global__ void reversePairs(const int2 *in, int2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int2 v = in[n - 1 - i];
    out[i] = make_int2(v.y, v.x);
  }
}
__global__ void zipTwo(const float *a, const float *b, float *out, int n) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[2 * i] = a[i];
    out[2 * i + 1] = b[i];
  }
}
// Where a fast Fourier transform's input goes.
__global__ void bitReversedCopy(const float2 *in, float2 *out, int bits) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(i) >> (32 - bits)] = in[i];
}
__global__ void colourPlanes(const float4 *rgba, float *r, float *g, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = rgba[i];
  r[i] = p.x * p.w;
  g[i] = p.y * p.w;
  b[i] = p.z * p.w;
}
__global__ void addRowsPitched(const int *a, int *b, int width, int height, int pitch) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
    if (x < width) b[y * pitch + x] = a[y * pitch + x] + y;
}
__global__ void copyDouble2(const double2 *src, double2 *dst, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (; i < n; i += step) dst[i] = src[i];
}

// ======== histograms ==================================================================================================

__global__ void histModulo(const int *x, int *bins, int nbins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i] % nbins], 1);
}
__global__ void histDynamicBins(const unsigned int *in, unsigned int *bins, unsigned int n, unsigned int num_bins) {
  extern __shared__ unsigned int private_bins[];
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) private_bins[b] = 0;
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    atomicAdd(&private_bins[in[i] & (num_bins - 1)], 1);
  __syncthreads();
  for (unsigned int b = threadIdx.x; b < num_bins; b += blockDim.x) {
    unsigned int v = private_bins[b];
    if (v > 0) atomicAdd(&bins[b], v);
  }
}
// A block's bins to memory, to be merged later.
__global__ void histPartials256(const int4 *in, int *partials, int quads) {
  __shared__ int h[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) h[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < quads; i += gridDim.x * blockDim.x) {
    int4 v = in[i];
    atomicAdd(&h[v.x & 255], 1);
    atomicAdd(&h[v.y & 255], 1);
    atomicAdd(&h[v.z & 255], 1);
    atomicAdd(&h[v.w & 255], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) partials[blockIdx.x * 256 + k] = h[k];
}
// The merge, a block a bin.
__global__ void mergePartials256(const int *partials, int *bins, int count) {
  __shared__ int s[256];
  int sum = 0;
  for (int i = threadIdx.x; i < count; i += 256) sum += partials[blockIdx.x + i * 256];
  s[threadIdx.x] = sum;
  for (int stride = 128; stride > 0; stride >>= 1) {
    __syncthreads();
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
  }
  if (threadIdx.x == 0) bins[blockIdx.x] = s[0];
}
// 64 bins, copies of the warps one beside the other.
__global__ void histWarpsBeside(const int *x, int *bins, int n) {
  extern __shared__ int wbins[];
  int warps = blockDim.x / 32;
  int mine = threadIdx.x / 32;
  for (int k = threadIdx.x; k < 64 * warps; k += blockDim.x) wbins[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&wbins[(x[i] >> 4) * warps + mine], 1);
  __syncthreads();
  if (threadIdx.x < 64) {
    int sum = 0;
    for (int w = 0; w < warps; w++) sum += wbins[threadIdx.x * warps + w];
    atomicAdd(&bins[threadIdx.x], sum);
  }
}
// Floats by bins of one width, those outside left out.
__global__ void histFloatsWithin(const float *x, unsigned int *bins, float lo, float hi, int nbins, int n) {
  __shared__ unsigned int sb[512];
  for (int k = threadIdx.x; k < nbins; k += blockDim.x) sb[k] = 0;
  __syncthreads();
  float scale = nbins / (hi - lo);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float v = x[i];
    if (v >= lo && v < hi) {
      int b = (int)((v - lo) * scale);
      atomicAdd(&sb[min(b, nbins - 1)], 1u);
    }
  }
  __syncthreads();
  for (int k = threadIdx.x; k < nbins; k += blockDim.x) atomicAdd(&bins[k], sb[k]);
}
// A thread's stretch of the data, bins of the block.
__global__ void histStretches(const int *data, int *histo, int per, int length) {
  __shared__ int histo_s[128];
  if (threadIdx.x < 128) histo_s[threadIdx.x] = 0;
  __syncthreads();
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = tid * per; i < min((tid + 1) * per, length); ++i) atomicAdd(&histo_s[data[i] >> 3], 1);
  __syncthreads();
  if (threadIdx.x < 128) {
    int value = histo_s[threadIdx.x];
    if (value > 0) atomicAdd(&histo[threadIdx.x], value);
  }
}
// Peers of a warp found first, their first lane adds to the block's bins.
__global__ void histPeersShared(const int *x, int *bins, int n) {
  __shared__ int h[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) h[k] = 0;
  __syncthreads();
  int lane = threadIdx.x & 31;
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    int i = base + threadIdx.x;
    int bin = i < n ? x[i] : -1;
    unsigned int same = __match_any_sync(FULL_MASK, bin);
    if (bin >= 0 && lane == __ffs(same) - 1) atomicAdd(&h[bin], __popc(same));
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    if (h[k] != 0) atomicAdd(&bins[k], h[k]);
}
// Sixteen bins a thread, each thread a column of shared memory, no atomics but the last.
__global__ void histThreadColumns(const int *x, int *bins, int n) {
  __shared__ int own[16][128];
  int t = threadIdx.x;
  for (int b = 0; b < 16; b++) own[b][t] = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) own[x[i] >> 6][t]++;
  __syncthreads();
  int warp = t / 32, lane = t % 32;
  for (int b = warp; b < 16; b += blockDim.x / 32) {
    int sum = 0;
    for (int k = lane; k < blockDim.x; k += 32) sum += own[b][k];
    sum = __reduce_add_sync(FULL_MASK, sum);
    if (lane == 0) atomicAdd(&bins[b], sum);
  }
}
// Weights added where keys say.
__global__ void histWeightsShared(const int *keys, const float *weights, float *bins, int n) {
  __shared__ float w[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) w[k] = 0.0f;
  __syncthreads();
  int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
  for (int k = 0; k < 4; k++)
    if (i + k * blockDim.x < n) atomicAdd(&w[keys[i + k * blockDim.x]], weights[i + k * blockDim.x]);
  __syncthreads();
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) atomicAdd(&bins[k], w[k]);
}

// ======== neighbours ==================================================================================================

// Three to each side, straight from memory, a loop.
__global__ void averageOfSeven(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 3 || i >= n - 3) return;
  float sum = 0.0f;
  for (int k = -3; k <= 3; k++) sum += in[i + k];
  out[i] = sum * (1.0f / 7.0f);
}
// A step of Laplace's equation, doubles, and how much each point changed.
__global__ void laplaceStep(const double *u, double *v, int nx, int ny) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < nx - 1 && j < ny - 1) v[j * nx + i] = 0.25 * (u[j * nx + i - 1] + u[j * nx + i + 1] + u[(j - 1) * nx + i] + u[(j + 1) * nx + i]);
}
// A filter of up to 32 taps, taps and a stretch of the signal in shared memory.
__global__ void filterTaps(const float *signal, const float *taps, float *out, int ntaps, int n) {
  extern __shared__ float window[];
  __shared__ float weight[32];
  int base = blockIdx.x * blockDim.x;
  if (threadIdx.x < ntaps) weight[threadIdx.x] = taps[threadIdx.x];
  for (int k = threadIdx.x; k < blockDim.x + ntaps - 1; k += blockDim.x) window[k] = base + k < n ? signal[base + k] : 0.0f;
  __syncthreads();
  float acc = 0.0f;
  for (int k = 0; k < ntaps; k++) acc += window[threadIdx.x + k] * weight[k];
  if (base + threadIdx.x < n) out[base + threadIdx.x] = acc;
}
// The greatest of three by three, every second point.
__global__ void poolThreeByTwo(const float *in, float *out, int width, int height, int outWidth, int outHeight) {
  int ox = blockIdx.x * blockDim.x + threadIdx.x;
  int oy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ox >= outWidth || oy >= outHeight) return;
  float best = -1e30f;
  for (int dy = 0; dy < 3; dy++) {
    for (int dx = 0; dx < 3; dx++) {
      int x = ox * 2 + dx, y = oy * 2 + dy;
      if (x < width && y < height) best = fmaxf(best, in[y * width + x]);
    }
  }
  out[oy * outWidth + ox] = best;
}
// Nine points of whole numbers, a tile with its rim loaded by all threads.
__global__ void ninePointsTile(const int *in, int *out, int width) {
  __shared__ int t[18][18];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int k = threadIdx.y * 16 + threadIdx.x; k < 18 * 18; k += 256) {
    int ty = k / 18, tx = k % 18;
    t[ty][tx] = in[(y0 + ty) * width + x0 + tx];
  }
  __syncthreads();
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int sum = t[y - 1][x - 1] + t[y - 1][x] + t[y - 1][x + 1] + t[y][x - 1] + t[y][x + 1] + t[y + 1][x - 1] + t[y + 1][x] + t[y + 1][x + 1];
  out[(y0 + y) * width + x0 + x] = 8 * t[y][x] - sum;
}

// ======== matrices, rows ==============================================================================================

// A thread a row, fours.
__global__ void matVecQuadsThread(const float4 *A, const float4 *x, float *y, int rows, int quads) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int k = 0; k < quads; k++) {
    float4 a = A[r * quads + k];
    float4 b = x[k];
    s += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  y[r] = s;
}
// Whole numbers, tiles of 16, edges guarded.
__global__ void productIntsTiled(const int *a, const int *b, int *c, int m, int n, int k) {
  __shared__ int ta[16][16];
  __shared__ int tb[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int col = blockIdx.x * 16 + threadIdx.x;
  int acc = 0;
  for (int p = 0; p < (k + 15) / 16; p++) {
    ta[threadIdx.y][threadIdx.x] = (row < m && p * 16 + threadIdx.x < k) ? a[row * k + p * 16 + threadIdx.x] : 0;
    tb[threadIdx.y][threadIdx.x] = (col < n && p * 16 + threadIdx.y < k) ? b[(p * 16 + threadIdx.y) * n + col] : 0;
    __syncthreads();
    for (int i = 0; i < 16; i++) acc += ta[threadIdx.y][i] * tb[i][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = acc;
}
__global__ void outerProductAdd(const float *x, const float *y, float *a, float alpha, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) a[r * cols + c] += alpha * x[r] * y[c];
}
// Softmax in three passes over a row, a block a row, a tree each.
__global__ void softmaxTreeRows(const float *in, float *out, int cols) {
  __shared__ float red[256];
  const float *row = in + blockIdx.x * cols;
  int t = threadIdx.x;
  float m = -1e30f;
  for (int c = t; c < cols; c += blockDim.x) m = fmaxf(m, row[c]);
  red[t] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) red[t] = fmaxf(red[t], red[t + s]);
    __syncthreads();
  }
  m = red[0];
  __syncthreads();
  float sum = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) sum += __expf(row[c] - m);
  red[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) red[t] += red[t + s];
    __syncthreads();
  }
  float inv = 1.0f / red[0];
  for (int c = t; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = __expf(row[c] - m) * inv;
}
// Rows by the root of their mean square, a warp a row, twice through.
__global__ void rootMeanSquareWarp(const float *x, const float *gain, float *y, int rows, int cols) {
  int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  int lane = threadIdx.x & 31;
  if (row >= rows) return;
  float s = 0.0f;
  for (int c = lane; c < cols; c += 32) {
    float v = x[row * cols + c];
    s += v * v;
  }
  for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(FULL_MASK, s, o);
  float r = rsqrtf(s / cols + 1e-6f);
  for (int c = lane; c < cols; c += 32) y[row * cols + c] = x[row * cols + c] * r * gain[c];
}

// ======== the rest ====================================================================================================

// What passes a test, packed together by a scan of the block's votes.
__global__ void packPositives(const int *in, int *out, int *total, int limit, int n) {
  __shared__ int offsets[33];
  __shared__ int base;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  int v = i < n ? in[i] : 0;
  bool keep = v >= limit;
  unsigned int mask = __ballot_sync(FULL_MASK, keep);
  if (lane == 0) offsets[warp] = __popc(mask);
  __syncthreads();
  if (warp == 0) {
    int c = lane < warps ? offsets[lane] : 0;
    int s = c;
    for (int d = 1; d < 32; d <<= 1) {
      int u = __shfl_up_sync(FULL_MASK, s, d);
      if (lane >= d) s += u;
    }
    offsets[lane] = s - c;
    if (lane == 31) base = atomicAdd(total, s);
  }
  __syncthreads();
  if (keep) out[base + offsets[warp] + __popc(mask & ((1u << lane) - 1))] = v;
}
// Segments of equal lengths given by their starts, a warp a segment.
__global__ void segmentsByWarps(const int *starts, const float *x, float *sums, int segments, int step) {
  int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x & 31;
  if (s >= segments) return;
  int from = starts[s * step], to = starts[(s + 1) * step];
  float acc = 0.0f;
  for (int k = from + lane; k < to; k += 32) acc += x[k];
  for (int o = 16; o > 0; o /= 2) acc += __shfl_down_sync(FULL_MASK, acc, o);
  if (lane == 0) sums[s] = acc;
}
// Threads of a warp go four ways.
__global__ void pathsByQuarter(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = in[i];
  switch (i & 3) {
    case 0: v = sqrtf(v); break;
    case 1: v = v * v + 1.0f; break;
    case 2: v = 1.0f / (v + 1.0f); break;
    default: v = __logf(v + 1.0f);
  }
  out[i] = v;
}
// As many turns as the data say.
__global__ void turnsByData(const int *turns, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = turns[i] & 63;
  float x = 0.3f;
  while (k > 0) {
    x = 3.6f * x * (1.0f - x);
    k--;
  }
  out[i] = x;
}
// How many lanes of the warp hold less.
__global__ void rankAmongLanes(const int *x, int *rank) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32;
  int mine = x[i];
  int r = 0;
#pragma unroll
  for (int k = 0; k < 32; k++) {
    int other = __shfl_sync(FULL_MASK, mine, k);
    r += (other < mine || (other == mine && k < lane)) ? 1 : 0;
  }
  rank[i] = r;
}
// Truths packed, 32 to a word.
__global__ void packTruths(const float *x, unsigned int *words, float bound, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool p = i < n && x[i] > bound;
  unsigned int w = __ballot_sync(FULL_MASK, p);
  if ((threadIdx.x & 31) == 0 && i < n) words[i >> 5] = w;
}
// The nearest of a few centres, two coordinates.
__global__ void nearestCentre(const float2 *points, const float2 *centres, int *nearest, int k, int n) {
  __shared__ float2 c[64];
  if (threadIdx.x < k) c[threadIdx.x] = centres[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = points[i];
  float least = 1e30f;
  int which = 0;
  for (int j = 0; j < k; j++) {
    float dx = p.x - c[j].x, dy = p.y - c[j].y;
    float d = dx * dx + dy * dy;
    if (d < least) {
      least = d;
      which = j;
    }
  }
  nearest[i] = which;
}
// An option's price, as a sample has it, its distribution by a polynomial.
__global__ void optionPrices(const float *price, const float *strike, float *call, float years, float rate, float vol, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    float s = price[i] + 1.0f, x = strike[i] + 1.0f;
    float root = sqrtf(years);
    float d1 = (__logf(s / x) + (rate + 0.5f * vol * vol) * years) / (vol * root);
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d1));
    float cnd = 0.39894228f * __expf(-0.5f * d1 * d1) * (k * (0.31938153f + k * (-0.356563782f + k * 1.781477937f)));
    if (d1 > 0.0f) cnd = 1.0f - cnd;
    call[i] = s * cnd - x * __expf(-rate * years) * cnd;
  }
}
