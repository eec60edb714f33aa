// Reductions, scans, transposes, offsets, strides, histograms and compactions as their authors write them (sources beside
// the groups); none in an earlier file. Simulated before they were measured on an H200.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- the sample "reduction" of CUDA 13, "Optimizing Parallel Reduction in CUDA" --------------------------------
K nvReduce1Int(const int *g_idata, int *g_odata, unsigned int n) {
  extern __shared__ int idata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  idata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) idata[index] += idata[index + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
K nvReduce3Float(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n) mySum += g_idata[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      mySum += sdata[tid + s];
      sdata[tid] = mySum;
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
template <unsigned int blockSize>
__device__ __forceinline__ void nvReduce5(const int *g_idata, int *g_odata, unsigned int n) {
  extern __shared__ int idata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  int mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockSize < n) mySum += g_idata[i + blockSize];
  idata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 512) && (tid < 256)) { mySum = mySum + idata[tid + 256]; idata[tid] = mySum; }
  __syncthreads();
  if ((blockSize >= 256) && (tid < 128)) { mySum = mySum + idata[tid + 128]; idata[tid] = mySum; }
  __syncthreads();
  if ((blockSize >= 128) && (tid < 64)) { mySum = mySum + idata[tid + 64]; idata[tid] = mySum; }
  __syncthreads();
  if (tid < 32) {
    if (blockSize >= 64) mySum += idata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(FULL, mySum, offset);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
K nvReduce5Block512(const int *g_idata, int *g_odata, unsigned int n) { nvReduce5<512>(g_idata, g_odata, n); }
K nvReduce5Block64(const int *g_idata, int *g_odata, unsigned int n) { nvReduce5<64>(g_idata, g_odata, n); }
template <unsigned int blockSize, bool nIsPow2>
__device__ __forceinline__ void nvReduce6(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = blockSize * gridDim.x;
  float mySum = 0;
  if (nIsPow2) {
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    gridSize = gridSize << 1;
    while (i < n) {
      mySum += g_idata[i];
      if ((i + blockSize) < n) mySum += g_idata[i + blockSize];
      i += gridSize;
    }
  } else {
    unsigned int i = blockIdx.x * blockSize + threadIdx.x;
    while (i < n) {
      mySum += g_idata[i];
      i += gridSize;
    }
  }
  sdata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 512) && (tid < 256)) { mySum = mySum + sdata[tid + 256]; sdata[tid] = mySum; }
  __syncthreads();
  if ((blockSize >= 256) && (tid < 128)) { mySum = mySum + sdata[tid + 128]; sdata[tid] = mySum; }
  __syncthreads();
  if ((blockSize >= 128) && (tid < 64)) { mySum = mySum + sdata[tid + 64]; sdata[tid] = mySum; }
  __syncthreads();
  if (tid < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(FULL, mySum, offset);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
K nvReduce6Pow2(const float *g_idata, float *g_odata, unsigned int n) { nvReduce6<256, true>(g_idata, g_odata, n); }
K nvReduce6Any(const float *g_idata, float *g_odata, unsigned int n) { nvReduce6<128, false>(g_idata, g_odata, n); }
__device__ __forceinline__ int warpReduceMasked(unsigned int mask, int mySum) {
  for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(mask, mySum, offset);
  return mySum;
}
template <unsigned int blockSize>
__device__ __forceinline__ void nvReduce7(const int *g_idata, int *g_odata, unsigned int n) {
  extern __shared__ int idata[];
  unsigned int tid = threadIdx.x;
  unsigned int gridSize = blockSize * gridDim.x * 2;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  int mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if ((i + blockSize) < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  mySum = warpReduceMasked(FULL, mySum);
  if ((tid % 32) == 0) idata[tid / 32] = mySum;
  __syncthreads();
  const unsigned int shmem_extent = (blockSize / 32) > 0 ? (blockSize / 32) : 1;
  const unsigned int ballot_result = __ballot_sync(FULL, tid < shmem_extent);
  if (tid < shmem_extent) {
    mySum = idata[tid];
    mySum = warpReduceMasked(ballot_result, mySum);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
K nvReduce7Block256(const int *g_idata, int *g_odata, unsigned int n) { nvReduce7<256>(g_idata, g_odata, n); }
K nvReduce7Block1024(const int *g_idata, int *g_odata, unsigned int n) { nvReduce7<1024>(g_idata, g_odata, n); }
// Harris's slides, version 6, with the volatile last warp.
template <unsigned int blockSize>
__device__ void warpReduceVolatile(volatile int *sdata, unsigned int tid) {
  if (blockSize >= 64) sdata[tid] += sdata[tid + 32];
  if (blockSize >= 32) sdata[tid] += sdata[tid + 16];
  if (blockSize >= 16) sdata[tid] += sdata[tid + 8];
  if (blockSize >= 8) sdata[tid] += sdata[tid + 4];
  if (blockSize >= 4) sdata[tid] += sdata[tid + 2];
  if (blockSize >= 2) sdata[tid] += sdata[tid + 1];
}
template <unsigned int blockSize>
__device__ __forceinline__ void harris6(const int *g_idata, int *g_odata, unsigned int n) {
  extern __shared__ int idata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + tid;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  idata[tid] = 0;
  while (i < n) {
    idata[tid] += g_idata[i] + g_idata[i + blockSize];
    i += gridSize;
  }
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) { idata[tid] += idata[tid + 256]; } __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) { idata[tid] += idata[tid + 128]; } __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) { idata[tid] += idata[tid + 64]; } __syncthreads(); }
  if (tid < 32) warpReduceVolatile<blockSize>(idata, tid);
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
K harris6Block512(const int *g_idata, int *g_odata, unsigned int n) { harris6<512>(g_idata, g_odata, n); }
K harris6Block128(const int *g_idata, int *g_odata, unsigned int n) { harris6<128>(g_idata, g_odata, n); }

// ---- NVIDIA's blog "Faster Parallel Reductions on Kepler" in other types, the sample threadFenceReduction ---------
__device__ __forceinline__ double warpReduceSumDouble(double val) {
  for (int offset = 16; offset > 0; offset /= 2) val += __shfl_down_sync(FULL, val, offset);
  return val;
}
K stableReduceDouble(const double *in, double *out, int N) {
  __shared__ double shared[32];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  int lane = threadIdx.x % 32;
  int wid = threadIdx.x / 32;
  sum = warpReduceSumDouble(sum);
  if (lane == 0) shared[wid] = sum;
  __syncthreads();
  sum = (threadIdx.x < blockDim.x / 32) ? shared[lane] : 0;
  if (wid == 0) sum = warpReduceSumDouble(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__device__ __forceinline__ float warpAllReduceSum(float val) {
  for (int mask = 16; mask > 0; mask /= 2) val += __shfl_xor_sync(FULL, val, mask);
  return val;
}
K warpAtomicFloat(const float *in, float *out, int N) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  sum = warpAllReduceSum(sum);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, sum);
}
K reduceVector2(const int2 *in, int *out, int N) {
  int sum = 0;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = idx; i < N / 2; i += blockDim.x * gridDim.x) {
    int2 val = in[i];
    sum += val.x + val.y;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(FULL, sum, offset);
  if ((threadIdx.x & 31) == 0) atomicAdd(out, sum);
}
K fenceReduce(const float *g_idata, volatile float *g_odata, uint *retirementCount, float *result, unsigned int n) {
  __shared__ float sdata[8];
  __shared__ int amLast;
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * 512 + tid;
  unsigned int gridSize = 512 * gridDim.x;
  float mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (i + 256 < n) mySum += g_idata[i + 256];
    i += gridSize;
  }
  mySum = warpAllReduceSum(mySum);
  if ((tid & 31) == 0) sdata[tid >> 5] = mySum;
  __syncthreads();
  if (tid == 0) {
    float beta = 0;
    for (int w = 0; w < 8; w++) beta += sdata[w];
    g_odata[blockIdx.x] = beta;
    __threadfence();
    unsigned int ticket = atomicInc(retirementCount, gridDim.x);
    amLast = (ticket == gridDim.x - 1);
  }
  __syncthreads();
  if (amLast) {
    float v = 0;
    for (int k = tid; k < gridDim.x; k += 256) v += g_odata[k];
    v = warpAllReduceSum(v);
    if ((tid & 31) == 0) sdata[tid >> 5] = v;
    __syncthreads();
    if (tid == 0) {
      float all = 0;
      for (int w = 0; w < 8; w++) all += sdata[w];
      result[0] = all;
    }
  }
}
// ---- extremes, norms, moments, rows ------------------------------------------------------------------------------
K argmaxPairs(const float *in, float *values, int *places, int n) {
  __shared__ float sv[32];
  __shared__ int sp[32];
  float best = -1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    if (x > best) {
      best = x;
      at = i;
    }
  }
  for (int d = 16; d > 0; d >>= 1) {
    float v = __shfl_xor_sync(FULL, best, d);
    int p = __shfl_xor_sync(FULL, at, d);
    if (v > best || (v == best && p < at)) {
      best = v;
      at = p;
    }
  }
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0) {
    sv[w] = best;
    sp[w] = at;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < blockDim.x / 32; k++) {
      if (sv[k] > best) {
        best = sv[k];
        at = sp[k];
      }
    }
    values[blockIdx.x] = best;
    places[blockIdx.x] = at;
  }
}
K maxVec4(const float4 *in, float *out, int quads) {
  __shared__ float s[256];
  int t = threadIdx.x;
  float m = -1e30f;
  for (int i = blockIdx.x * 256 + t; i < quads; i += gridDim.x * 256) {
    float4 q = in[i];
    m = fmaxf(m, fmaxf(fmaxf(q.x, q.y), fmaxf(q.z, q.w)));
  }
  s[t] = m;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (t < k) s[t] = fmaxf(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
K dotFloat2(const float2 *a, const float2 *b, float *out, int pairs) {
  __shared__ float part[16];
  float v = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    float2 x = a[i], y = b[i];
    v += x.x * y.x + x.y * y.y;
  }
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 16) {
    v = part[threadIdx.x];
    for (int d = 8; d > 0; d >>= 1) v += __shfl_down_sync(65535, v, d);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
  }
}
K dotDoubleTree(const double *a, const double *b, double *out, int n) {
  extern __shared__ double sd[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sd[t] = i < n ? a[i] * b[i] : 0.0;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) sd[t] += sd[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sd[0];
}
K welfordRows(const float *in, float *mean, float *var, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  float m = 0.0f, s = 0.0f;
  int count = 0;
  for (int c = lane; c < cols; c += 32) {
    float x = in[row * cols + c];
    count++;
    float d = x - m;
    m += d / count;
    s += d * (x - m);
  }
  float total = warpAllReduceSum(m * count);
  float all = total / cols;
  float dev = s + count * (m - all) * (m - all);
  dev = warpAllReduceSum(dev);
  if (lane == 0) {
    mean[row] = all;
    var[row] = dev / cols;
  }
}
K softmaxWarpRow(const float *in, float *out, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  const float *x = in + row * cols;
  float *y = out + row * cols;
  float most = -1e30f;
  for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c]);
  for (int d = 16; d > 0; d >>= 1) most = fmaxf(most, __shfl_xor_sync(FULL, most, d));
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += __expf(x[c] - most);
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
  float scale = 1.0f / sum;
  for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - most) * scale;
}
K rmsNormRow(const float *in, const float *weight, float *out, int cols) {
  __shared__ float part[32];
  __shared__ float scale;
  const float *x = in + blockIdx.x * cols;
  float v = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) v += x[c] * x[c];
  v = warpAllReduceSum(v);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
    v = warpAllReduceSum(v);
    if (threadIdx.x == 0) scale = rsqrtf(v / cols + 1e-5f);
  }
  __syncthreads();
  for (int c = threadIdx.x; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = x[c] * scale * weight[c];
}
K rowMinIndexThread(const float *in, int *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float least = in[row];
  int at = 0;
  for (int c = 1; c < cols; c++) {
    float x = in[c * rows + row];
    if (x < least) {
      least = x;
      at = c;
    }
  }
  out[row] = at;
}
K segmentAtomics(const int *in, int *sums, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int v = __reduce_add_sync(FULL, in[i]);
  if ((threadIdx.x & 31) == 0) atomicAdd(&sums[i / length], v);
}
K columnPrefix(const int *in, int *out, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  int sum = 0;
  for (int r = 0; r < rows; r++) {
    sum += in[r * cols + c];
    out[r * cols + c] = sum;
  }
}
// ---- scans: GPU Gems 3, Kirk and Hwu, warp scans, chained parts ----------------------------------------------------
K gemsScanPadded(const int *g_idata, int *g_odata, int *sums) {
  extern __shared__ int itemp[];
  int thid = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  int offset = 1;
  int ai = thid, bi = thid + (n / 2);
  int padA = (ai >> 5) + (ai >> 10), padB = (bi >> 5) + (bi >> 10);
  itemp[ai + padA] = g_idata[base + ai];
  itemp[bi + padB] = g_idata[base + bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1;
      int b = offset * (2 * thid + 2) - 1;
      a += (a >> 5) + (a >> 10);
      b += (b >> 5) + (b >> 10);
      itemp[b] += itemp[a];
    }
    offset *= 2;
  }
  if (thid == 0) {
    int last = n - 1 + ((n - 1) >> 5) + ((n - 1) >> 10);
    sums[blockIdx.x] = itemp[last];
    itemp[last] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1;
      int b = offset * (2 * thid + 2) - 1;
      a += (a >> 5) + (a >> 10);
      b += (b >> 5) + (b >> 10);
      int t = itemp[a];
      itemp[a] = itemp[b];
      itemp[b] += t;
    }
  }
  __syncthreads();
  g_odata[base + ai] = itemp[ai + padA];
  g_odata[base + bi] = itemp[bi + padB];
}
K koggeStoneInclusive(const float *X, float *Y, int n) {
  __shared__ float XY[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) XY[threadIdx.x] = X[i];
  else XY[threadIdx.x] = 0.0f;
  for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    float temp = 0.0f;
    if (threadIdx.x >= stride) temp = XY[threadIdx.x] + XY[threadIdx.x - stride];
    __syncthreads();
    if (threadIdx.x >= stride) XY[threadIdx.x] = temp;
  }
  if (i < n) Y[i] = XY[threadIdx.x];
}
K scanWarpExclusive(const int *in, int *out, int *totals, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int x = i < n ? in[i] : 0, v = x;
  int u = __shfl_up_sync(FULL, v, 1);
  if (lane >= 1) v += u;
  u = __shfl_up_sync(FULL, v, 2);
  if (lane >= 2) v += u;
  u = __shfl_up_sync(FULL, v, 4);
  if (lane >= 4) v += u;
  u = __shfl_up_sync(FULL, v, 8);
  if (lane >= 8) v += u;
  u = __shfl_up_sync(FULL, v, 16);
  if (lane >= 16) v += u;
  if (i < n) out[i] = v - x;
  if (lane == 31) totals[i >> 5] = v;
}
K scanVec4Block(const int4 *in, int4 *out, int *sums) {
  __shared__ int warps[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  int4 q = in[i];
  q.y += q.x;
  q.z += q.y;
  q.w += q.z;
  int v = q.w;
  for (int d = 1; d < 32; d <<= 1) {
    int u = __shfl_up_sync(FULL, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[w] = v;
  __syncthreads();
  if (t < 32) {
    int s = t < blockDim.x / 32 ? warps[t] : 0;
    for (int d = 1; d < 32; d <<= 1) {
      int u = __shfl_up_sync(FULL, s, d);
      if (lane >= d) s += u;
    }
    warps[t] = s;
  }
  __syncthreads();
  int before = v - q.w + (w > 0 ? warps[w - 1] : 0);
  q.x += before;
  q.y += before;
  q.z += before;
  q.w += before;
  out[i] = q;
  if (t == blockDim.x - 1) sums[blockIdx.x] = q.w;
}
K partAggregates(const int *in, int *aggregates, int *flags, int each) {
  __shared__ int part[8];
  int t = threadIdx.x, base = blockIdx.x * blockDim.x * each;
  int v = 0;
  for (int k = 0; k < each; k++) v += in[base + k * blockDim.x + t];
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if ((t & 31) == 0) part[t >> 5] = v;
  __syncthreads();
  if (t == 0) {
    int all = 0;
    for (int w = 0; w < blockDim.x / 32; w++) all += part[w];
    aggregates[blockIdx.x] = all;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}
K downsweepParts(const int *in, const int *prefixes, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x, base = blockIdx.x * 1024 + t * 4;
  int a = in[base], b = in[base + 1], c = in[base + 2], d = in[base + 3];
  b += a;
  c += b;
  d += c;
  s[t] = d;
  __syncthreads();
  for (int k = 1; k < 256; k <<= 1) {
    int u = 0;
    if (t >= k) u = s[t - k];
    __syncthreads();
    s[t] += u;
    __syncthreads();
  }
  int before = s[t] - d + prefixes[blockIdx.x];
  out[base] = before + a;
  out[base + 1] = before + b;
  out[base + 2] = before + c;
  out[base + 3] = before + d;
}
K segmentScanShared(const int *in, const int *heads, int *out) {
  __shared__ int v[512];
  __shared__ int f[512];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  v[t] = in[i];
  f[t] = heads[i] > 1000;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d <<= 1) {
    int x = 0, g = 0;
    if (t >= d) {
      x = v[t - d];
      g = f[t - d];
    }
    __syncthreads();
    if (t >= d) {
      if (f[t] == 0) v[t] += x;
      f[t] |= g;
    }
    __syncthreads();
  }
  out[i] = v[t];
}
// ---- transposes: the sample "transpose", tiles of other shapes and elements ---------------------------------------
K transposeFine(const float *idata, float *odata, int width, int height) {
  __shared__ float block[16][17];
  int xIndex = blockIdx.x * 16 + threadIdx.x;
  int yIndex = blockIdx.y * 16 + threadIdx.y;
  int index = xIndex + yIndex * width;
  for (int i = 0; i < 16; i += 16) block[threadIdx.y + i][threadIdx.x] = idata[index + i];
  __syncthreads();
  for (int i = 0; i < 16; i += 16) odata[index + i * height] = block[threadIdx.x][threadIdx.y + i];
}
K transposeCoarse(const float *idata, float *odata, int width, int height) {
  __shared__ float block[32][33];
  int xIndex = blockIdx.x * 32 + threadIdx.x;
  int yIndex = blockIdx.y * 32 + threadIdx.y;
  int index_in = xIndex + yIndex * width;
  xIndex = blockIdx.y * 32 + threadIdx.x;
  yIndex = blockIdx.x * 32 + threadIdx.y;
  int index_out = xIndex + yIndex * height;
  for (int i = 0; i < 32; i += 8) block[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
  __syncthreads();
  for (int i = 0; i < 32; i += 8) odata[index_out + i * height] = block[threadIdx.y + i][threadIdx.x];
}
K transposeDiagonal32(const float *idata, float *odata, int width, int height) {
  __shared__ float tile[32][33];
  int blockIdx_x, blockIdx_y;
  if (width == height) {
    blockIdx_y = blockIdx.x;
    blockIdx_x = (blockIdx.x + blockIdx.y) % gridDim.x;
  } else {
    int bid = blockIdx.x + gridDim.x * blockIdx.y;
    blockIdx_y = bid % gridDim.y;
    blockIdx_x = ((bid / gridDim.y) + blockIdx_y) % gridDim.x;
  }
  int xIndex = blockIdx_x * 32 + threadIdx.x;
  int yIndex = blockIdx_y * 32 + threadIdx.y;
  int index_in = xIndex + yIndex * width;
  xIndex = blockIdx_y * 32 + threadIdx.x;
  yIndex = blockIdx_x * 32 + threadIdx.y;
  int index_out = xIndex + yIndex * height;
  for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
  __syncthreads();
  for (int i = 0; i < 32; i += 8) odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}
K transposeTile16x32(const float *in, float *out, int w, int h) {
  __shared__ float tile[32][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int j = 0; j < 32; j += 16) tile[ty + j][tx] = in[(blockIdx.y * 32 + ty + j) * w + blockIdx.x * 16 + tx];
  __syncthreads();
  int t = ty * 16 + tx, cx = t & 31, cy = t >> 5;
  for (int j = 0; j < 16; j += 8) out[(blockIdx.x * 16 + cy + j) * h + blockIdx.y * 32 + cx] = tile[cx][cy + j];
}
K transposeDouble32(const double *in, double *out, int w, int h) {
  __shared__ double tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeInt2(const int2 *in, int2 *out, int w) {
  __shared__ int2 tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  out[y * w + x] = tile[threadIdx.x][threadIdx.y];
}
K transposeQuad(const float4 *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 q = in[y * (w / 4) + x];
  out[(4 * x) * h + y] = q.x;
  out[(4 * x + 1) * h + y] = q.y;
  out[(4 * x + 2) * h + y] = q.z;
  out[(4 * x + 3) * h + y] = q.w;
}
K transposeTile8Warp(const int *in, int *out, int w, int h) {
  __shared__ int tile[8][8][33];
  int lane = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 32 + lane, y = (blockIdx.y * 8 + ty) * 8;
  for (int j = 0; j < 8; j++) tile[ty][j][lane] = in[(y + j) * w + x];
  __syncwarp();
  int r = lane & 7, c = lane >> 3;
  for (int j = 0; j < 32; j += 4) out[(blockIdx.x * 32 + c + j) * h + y + r] = tile[ty][r][c + j];
}
// ---- offsets and strides: NVIDIA's blog "How to Access Global Memory Efficiently", the Best Practices Guide ---------
K blogOffset(float *a, int s) {
  int i = blockDim.x * blockIdx.x + threadIdx.x + s;
  a[i] = a[i] + 1;
}
K blogStride(float *a, int s) {
  int i = (blockDim.x * blockIdx.x + threadIdx.x) * s;
  a[i] = a[i] + 1;
}
K blogStrideDouble(double *a, int s) {
  int i = (blockDim.x * blockIdx.x + threadIdx.x) * s;
  a[i] = a[i] + 1;
}
K guideOffsetCopy(float *odata, const float *idata, int offset) {
  int xid = blockIdx.x * blockDim.x + threadIdx.x + offset;
  odata[xid] = idata[xid];
}
K guideStrideCopy(float *odata, const float *idata, int stride) {
  int xid = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  odata[xid] = idata[xid];
}
K strideReadInt2(const int2 *in, int *out, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int2 v = in[i * stride];
  out[i] = v.x + v.y;
}
K strideSumLoop(const float *in, float *out, int n, int stride) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int k = 0; k < 16; k++) {
    int i = (t + k * gridDim.x * blockDim.x) * stride;
    if (i < n) v += in[i];
  }
  out[t] = v;
}
// ---- histograms --------------------------------------------------------------------------------------------------
K histPerThreadPart(const uint *in, uint *bins, int n) {
  __shared__ uint s[64];
  int t = threadIdx.x;
  if (t < 64) s[t] = 0;
  __syncthreads();
  int base = blockIdx.x * blockDim.x * 4 + t;
  for (int k = 0; k < 4; k++) {
    int i = base + k * blockDim.x;
    if (i < n) atomicAdd(&s[in[i] >> 4], 1u);
  }
  __syncthreads();
  if (t < 64) atomicAdd(&bins[t], s[t]);
}
K histVec4(const uint4 *in, uint *bins, int quads) {
  __shared__ uint s[256];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + t; i < quads; i += gridDim.x * 256) {
    uint4 q = in[i];
    atomicAdd(&s[q.x >> 2], 1u);
    atomicAdd(&s[q.y >> 2], 1u);
    atomicAdd(&s[q.z >> 2], 1u);
    atomicAdd(&s[q.w >> 2], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[t], s[t]);
}
K histBlocksThenSum(const int *in, int *partial, int n) {
  __shared__ int s[1024];
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&s[in[i]], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 1024; b += blockDim.x) partial[blockIdx.x * 1024 + b] = s[b];
}
K histMergeParts(const int *partial, int *bins, int parts) {
  __shared__ int s[256];
  int b = blockIdx.x, t = threadIdx.x, v = 0;
  for (int p = t; p < parts; p += blockDim.x) v += partial[p * 1024 + b];
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) bins[b] = s[0];
}
K histGlobalFloats(const float *in, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int b = (int)(in[i] * 255.0f);
    atomicAdd(&bins[b], 1);
  }
}
K histWarpAggregated(const int *in, int *bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int b = in[i] >> 2;
    uint peers = __match_any_sync(FULL, b);
    int leader = __ffs(peers) - 1;
    if ((threadIdx.x & 31) == leader) atomicAdd(&bins[b], __popc(peers));
  }
}
K histManyBins(const int *in, const int *more, int *bins, int n) {
  extern __shared__ int sh[];
  for (int b = threadIdx.x; b < 8192; b += blockDim.x) sh[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&sh[in[i] * 8 + (more[i] & 7)], 1);
  __syncthreads();
  for (int b = threadIdx.x; b < 8192; b += blockDim.x) {
    int c = sh[b];
    if (c != 0) atomicAdd(&bins[b], c);
  }
}
// ---- compaction, filters, partition ----------------------------------------------------------------------------
K filterShared(const int *src, int *dst, int *nres, int n) {
  __shared__ int l_n;
  int i = blockIdx.x * (512 * 4) + threadIdx.x;
  for (int iter = 0; iter < 4; iter++) {
    if (threadIdx.x == 0) l_n = 0;
    __syncthreads();
    int d = 0, pos = 0;
    if (i < n) {
      d = src[i];
      if (d > 700) pos = atomicAdd(&l_n, 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) l_n = atomicAdd(nres, l_n);
    __syncthreads();
    if (i < n && d > 700) dst[pos + l_n] = d;
    __syncthreads();
    i += 512;
  }
}
K compactScanBlock(const int *in, int *out, int *count, int n) {
  __shared__ int warps[32];
  __shared__ int base;
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int x = i < n ? in[i] : 0;
  bool keep = x > 300;
  uint b = __ballot_sync(FULL, keep);
  int before = __popc(b & ((1u << lane) - 1));
  if (lane == 0) warps[w] = __popc(b);
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (int k = 0; k < blockDim.x / 32; k++) {
      int c = warps[k];
      warps[k] = sum;
      sum += c;
    }
    base = atomicAdd(count, sum);
  }
  __syncthreads();
  if (keep) out[base + warps[w] + before] = x;
}
K splitFlags(const int *in, int *out, int bit) {
  __shared__ int warps[8];
  int t = threadIdx.x, i = blockIdx.x * 256 + t, lane = t & 31, w = t >> 5;
  int x = in[i];
  int zero = ((x >> bit) & 1) == 0;
  uint b = __ballot_sync(FULL, zero);
  int before = __popc(b & ((1u << lane) - 1));
  if (lane == 0) warps[w] = __popc(b);
  __syncthreads();
  int zeros = 0, front = 0;
  for (int k = 0; k < 8; k++) {
    if (k == w) front = zeros;
    zeros += warps[k];
  }
  int rank = front + before;
  int place = zero ? rank : zeros + t - rank;
  out[blockIdx.x * 256 + place] = x;
}
