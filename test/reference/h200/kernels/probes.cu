// Reduction-like and warp-level kernels as a learner writes them, measured on an H200 (h200/measured/probes.json).
// They are validation data for the lowering (instruction counts) and the timing model (times, stalls).
// The in-place reductions are those of the notes and of "Professional CUDA C Programming", chapter 3.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void

// ---- in-place reductions in global memory -------------------------------------------------------
K reduceNeighbored(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    if ((tid % (2 * stride)) == 0) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
K reduceNeighboredLess(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    int index = 2 * stride * tid;
    if (index < blockDim.x) idata[index] += idata[index + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
K reduceInterleaved(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
K reduceUnrolling2(int *g_idata, int *g_odata, unsigned int n) {
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
K reduceUnrolling4(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x * 4;
  if (idx + 3 * blockDim.x < n) {
    int a1 = g_idata[idx];
    int a2 = g_idata[idx + blockDim.x];
    int a3 = g_idata[idx + 2 * blockDim.x];
    int a4 = g_idata[idx + 3 * blockDim.x];
    g_idata[idx] = a1 + a2 + a3 + a4;
  }
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
#define LOAD8                                   \
  if (idx + 7 * blockDim.x < n) {               \
    int a1 = g_idata[idx];                      \
    int a2 = g_idata[idx + blockDim.x];         \
    int a3 = g_idata[idx + 2 * blockDim.x];     \
    int a4 = g_idata[idx + 3 * blockDim.x];     \
    int b1 = g_idata[idx + 4 * blockDim.x];     \
    int b2 = g_idata[idx + 5 * blockDim.x];     \
    int b3 = g_idata[idx + 6 * blockDim.x];     \
    int b4 = g_idata[idx + 7 * blockDim.x];     \
    g_idata[idx] = a1 + a2 + a3 + a4 + b1 + b2 + b3 + b4; \
  }                                             \
  __syncthreads();
K reduceUnrolling8(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x * 8;
  LOAD8
  for (int stride = blockDim.x / 2; stride > 0; stride >>= 1) {
    if (tid < stride) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
#define LAST_WARP                     \
  if (tid < 32) {                     \
    volatile int *vmem = idata;       \
    vmem[tid] += vmem[tid + 32];      \
    vmem[tid] += vmem[tid + 16];      \
    vmem[tid] += vmem[tid + 8];       \
    vmem[tid] += vmem[tid + 4];       \
    vmem[tid] += vmem[tid + 2];       \
    vmem[tid] += vmem[tid + 1];       \
  }                                   \
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
K reduceUnrollWarps8(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x * 8;
  LOAD8
  for (int stride = blockDim.x / 2; stride > 32; stride >>= 1) {
    if (tid < stride) idata[tid] += idata[tid + stride];
    __syncthreads();
  }
  LAST_WARP
}
K reduceCompleteUnrollWarps8(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x * 8;
  LOAD8
  if (blockDim.x >= 1024 && tid < 512) idata[tid] += idata[tid + 512];
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) idata[tid] += idata[tid + 256];
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) idata[tid] += idata[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) idata[tid] += idata[tid + 64];
  __syncthreads();
  LAST_WARP
}
template <unsigned int iBlockSize>
__device__ __forceinline__ void completeUnroll(int *g_idata, int *g_odata, unsigned int n) {
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 8 + threadIdx.x;
  int *idata = g_idata + blockIdx.x * blockDim.x * 8;
  LOAD8
  if (iBlockSize >= 1024 && tid < 512) idata[tid] += idata[tid + 512];
  __syncthreads();
  if (iBlockSize >= 512 && tid < 256) idata[tid] += idata[tid + 256];
  __syncthreads();
  if (iBlockSize >= 256 && tid < 128) idata[tid] += idata[tid + 128];
  __syncthreads();
  if (iBlockSize >= 128 && tid < 64) idata[tid] += idata[tid + 64];
  __syncthreads();
  LAST_WARP
}
K reduceCompleteUnroll512(int *g_idata, int *g_odata, unsigned int n) { completeUnroll<512>(g_idata, g_odata, n); }
K reduceCompleteUnroll128(int *g_idata, int *g_odata, unsigned int n) { completeUnroll<128>(g_idata, g_odata, n); }
// the same with signed indices, as the notes write them
K neighbored_pairs(int *input, int *temp, int size) {
  int tid = threadIdx.x;
  int gid = blockDim.x * blockIdx.x + threadIdx.x;
  if (gid >= size) return;
  for (int offset = 1; offset <= blockDim.x / 2; offset *= 2) {
    if (tid % (2 * offset) == 0 && gid + offset < size) input[gid] += input[gid + offset];
    __syncthreads();
  }
  if (tid == 0) temp[blockIdx.x] = input[gid];
}
K neighbored_pairs_improved(int *int_array, int *temp_array, int size) {
  int tid = threadIdx.x;
  int gid = blockDim.x * blockIdx.x + threadIdx.x;
  int *i_data = int_array + blockDim.x * blockIdx.x;
  if (gid >= size) return;
  for (int offset = 1; offset <= blockDim.x / 2; offset *= 2) {
    int index = 2 * offset * tid;
    if (index < blockDim.x) i_data[index] += i_data[index + offset];
    __syncthreads();
  }
  if (tid == 0) temp_array[blockIdx.x] = i_data[0];
}
K interleaved_pairs(int *int_array, int *temp_array, int size) {
  int tid = threadIdx.x;
  int gid = blockDim.x * blockIdx.x + threadIdx.x;
  if (gid >= size) return;
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    if (tid < offset && gid + offset < size) int_array[gid] += int_array[gid + offset];
    __syncthreads();
  }
  if (tid == 0) temp_array[blockIdx.x] = int_array[gid];
}
K unrolling_blocks2(int *input, int *temp, int size) {
  int tid = threadIdx.x;
  int BLOCK_OFFSET = blockIdx.x * blockDim.x * 2;
  int index = BLOCK_OFFSET + tid;
  int *i_data = input + BLOCK_OFFSET;
  if ((index + blockDim.x) < size) input[index] += input[index + blockDim.x];
  __syncthreads();
  for (int offset = blockDim.x / 2; offset > 0; offset /= 2) {
    if (tid < offset) i_data[tid] += i_data[tid + offset];
    __syncthreads();
  }
  if (tid == 0) temp[blockIdx.x] = i_data[0];
}
K warp_unrolling(int *int_array, int *temp_array, int size) {
  int tid = threadIdx.x;
  int *i_data = int_array + blockDim.x * blockIdx.x;
  for (int offset = blockDim.x / 2; offset >= 64; offset /= 2) {
    if (tid < offset) i_data[tid] += i_data[tid + offset];
    __syncthreads();
  }
  if (tid < 32) {
    volatile int *vsmem = i_data;
    vsmem[tid] += vsmem[tid + 32];
    vsmem[tid] += vsmem[tid + 16];
    vsmem[tid] += vsmem[tid + 8];
    vsmem[tid] += vsmem[tid + 4];
    vsmem[tid] += vsmem[tid + 2];
    vsmem[tid] += vsmem[tid + 1];
  }
  if (tid == 0) temp_array[blockIdx.x] = i_data[0];
}
// ---- reductions in shared memory and with warp primitives ----------------------------------------
K smemUnroll4(int *g_idata, int *g_odata, unsigned int n) {
  __shared__ int smem[256];
  unsigned int tid = threadIdx.x;
  unsigned int idx = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  int tmpSum = 0;
  if (idx + 3 * blockDim.x <= n) {
    int a1 = g_idata[idx];
    int a2 = g_idata[idx + blockDim.x];
    int a3 = g_idata[idx + 2 * blockDim.x];
    int a4 = g_idata[idx + 3 * blockDim.x];
    tmpSum = a1 + a2 + a3 + a4;
  }
  smem[tid] = tmpSum;
  __syncthreads();
  if (blockDim.x >= 1024 && tid < 512) smem[tid] += smem[tid + 512];
  __syncthreads();
  if (blockDim.x >= 512 && tid < 256) smem[tid] += smem[tid + 256];
  __syncthreads();
  if (blockDim.x >= 256 && tid < 128) smem[tid] += smem[tid + 128];
  __syncthreads();
  if (blockDim.x >= 128 && tid < 64) smem[tid] += smem[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile int *vsmem = smem;
    vsmem[tid] += vsmem[tid + 32];
    vsmem[tid] += vsmem[tid + 16];
    vsmem[tid] += vsmem[tid + 8];
    vsmem[tid] += vsmem[tid + 4];
    vsmem[tid] += vsmem[tid + 2];
    vsmem[tid] += vsmem[tid + 1];
  }
  if (tid == 0) g_odata[blockIdx.x] = smem[0];
}
K syncwarpLast(const int *in, int *out) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + t;
  s[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    int v = s[t];
    v += s[t + 32]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 16]; __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 8];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 4];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 2];  __syncwarp(); s[t] = v; __syncwarp();
    v += s[t + 1];  __syncwarp(); s[t] = v;
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__device__ __forceinline__ int warpSum(int v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  return v;
}
K warpShflDown(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = i < n ? in[i] : 0;
  v = warpSum(v);
  if ((threadIdx.x & 31) == 0) out[i / 32] = v;
}
K warpShflXor(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.f;
  for (int m = 16; m > 0; m /= 2) v += __shfl_xor_sync(0xffffffff, v, m);
  out[i] = v;
}
K blockShfl(const int *in, int *out, int n) {
  __shared__ int warp_sums[32];
  int tid = threadIdx.x, lane = tid % 32, wid = tid / 32;
  int i = blockIdx.x * blockDim.x + tid;
  int v = i < n ? in[i] : 0;
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
  if (lane == 0) warp_sums[wid] = v;
  __syncthreads();
  if (wid == 0) {
    v = tid < blockDim.x / 32 ? warp_sums[lane] : 0;
    for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    if (lane == 0) out[blockIdx.x] = v;
  }
}
K gridShflAtomic(const int *in, int *out, int n) {
  __shared__ int warp_sums[32];
  unsigned tid = threadIdx.x, lane = tid & 31, wid = tid >> 5;
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += blockDim.x * gridDim.x) v += in[i];
  v = warpSum(v);
  if (lane == 0) warp_sums[wid] = v;
  __syncthreads();
  if (wid == 0) {
    v = lane < (blockDim.x >> 5) ? warp_sums[lane] : 0;
    v = warpSum(v);
    if (lane == 0) atomicAdd(out, v);
  }
}
K reduxAdd(const int *in, int *out, int n) {
  __shared__ int warp_sums[32];
  int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
  int v = i < n ? in[i] : 0;
  v = __reduce_add_sync(0xffffffff, v);
  if (tid % 32 == 0) warp_sums[tid / 32] = v;
  __syncthreads();
  if (tid < 32) {
    v = tid < blockDim.x / 32 ? warp_sums[tid] : 0;
    v = __reduce_add_sync(0xffffffff, v);
    if (tid == 0) out[blockIdx.x] = v;
  }
}
K ballotCount(const int *in, int *out, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int hit = i < n && in[i] > limit;
  unsigned m = __ballot_sync(0xffffffff, hit);
  if ((threadIdx.x & 31) == 0) out[i >> 5] = __popc(m);
}
K voteAnyAll(const int *in, int *out, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  int r = 0;
  if (__any_sync(0xffffffff, x > limit)) r = 1;
  if (__all_sync(0xffffffff, x > 3)) r += 2;
  out[i] = r + x;
}
K aggregatedAtomic(const int *in, int *out, int *counter, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i < n ? in[i] : 0;
  bool keep = x > limit;
  unsigned m = __ballot_sync(0xffffffff, keep);
  int lane = threadIdx.x % 32, leader = __ffs(m) - 1, base = 0;
  if (m != 0 && lane == leader) base = atomicAdd(counter, __popc(m));
  base = __shfl_sync(0xffffffff, base, leader & 31);
  if (keep) out[base + __popc(m & ((1u << lane) - 1))] = x;
}
K matchHistogram(const int *in, int *hist, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int bin = in[i] & 15;
  unsigned m = __match_any_sync(0xffffffff, bin);
  if ((threadIdx.x & 31) == __ffs(m) - 1) atomicAdd(&hist[bin], __popc(m));
}
// ---- scans ------------------------------------------------------------------------------------------
K warpScan(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    int u = __shfl_up_sync(0xffffffff, v, d);
    if (lane >= d) v += u;
  }
  out[i] = v;
}
K blockScanShfl(const int *in, int *out, int *sums, int n) {
  __shared__ int ws[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  int x = i < n ? in[i] : 0, v = x;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) { int u = __shfl_up_sync(0xffffffff, v, d); if (lane >= d) v += u; }
  if (lane == 31) ws[w] = v;
  __syncthreads();
  if (w == 0) {
    int s = lane < blockDim.x / 32 ? ws[lane] : 0;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) { int u = __shfl_up_sync(0xffffffff, s, d); if (lane >= d) s += u; }
    ws[lane] = s;
  }
  __syncthreads();
  if (w > 0) v += ws[w - 1];
  if (i < n) out[i] = v;
  if (t == blockDim.x - 1) sums[blockIdx.x] = v;
}
K hillisSteele(const int *in, int *out, int n) {
  extern __shared__ int temp[];
  int t = threadIdx.x, N = blockDim.x, base = blockIdx.x * N, pout = 0, pin = 1;
  temp[t] = in[base + t];
  __syncthreads();
  for (int off = 1; off < N; off *= 2) {
    pout = 1 - pout; pin = 1 - pout;
    if (t >= off) temp[pout * N + t] = temp[pin * N + t] + temp[pin * N + t - off];
    else temp[pout * N + t] = temp[pin * N + t];
    __syncthreads();
  }
  out[base + t] = temp[pout * N + t];
}
K blelloch(const int *in, int *out) {
  extern __shared__ int temp[];
  int t = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n, offset = 1;
  temp[2 * t] = in[base + 2 * t];
  temp[2 * t + 1] = in[base + 2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (t == 0) temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
      int x = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += x;
    }
  }
  __syncthreads();
  out[base + 2 * t] = temp[2 * t];
  out[base + 2 * t + 1] = temp[2 * t + 1];
}
// ---- atomics and histograms --------------------------------------------------------------------------
K atomicGlobalSum(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(out, in[i]);
}
K atomicFloatSum(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[i & 1023], in[i]);
}
K atomicSharedSum(const int *in, int *out, int n) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&sum, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
K histGlobal(const int *in, int *hist, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&hist[in[i] & 255], 1);
}
K histShared(const int *in, unsigned *hist, int n) {
  __shared__ unsigned s[256];
  for (int j = threadIdx.x; j < 256; j += blockDim.x) s[j] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[in[i] & 255], 1u);
  __syncthreads();
  for (int j = threadIdx.x; j < 256; j += blockDim.x) atomicAdd(&hist[j], s[j]);
}
K maxAtomic(const int *in, int *out, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : -2147483647;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k /= 2) {
    if (t < k) s[t] = max(s[t], s[t + k]);
    __syncthreads();
  }
  if (t == 0) atomicMax(out, s[0]);
}
K argmax(const float *in, float *outv, int *outi, int n) {
  extern __shared__ float sv[];
  int *si = (int *)&sv[blockDim.x];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sv[t] = i < n ? in[i] : -1e30f;
  si[t] = i;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k && sv[t + k] > sv[t]) { sv[t] = sv[t + k]; si[t] = si[t + k]; }
    __syncthreads();
  }
  if (t == 0) { outv[blockIdx.x] = sv[0]; outi[blockIdx.x] = si[0]; }
}
// ---- streams, strides, tiles -------------------------------------------------------------------------
K vecAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
K saxpyStride(float alpha, const float *x, float *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] = alpha * x[i] + y[i];
}
K copy4(const float4 *in, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
K sum4(const int4 *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = 0;
  if (i < n) { int4 q = in[i]; v = q.x + q.y + q.z + q.w; }
  v = warpSum(v);
  if ((threadIdx.x & 31) == 0) out[i >> 5] = v;
}
K stridedRead(const float *in, float *out, int n, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long j = (long long)i * stride;
  if (j < n) out[i] = in[j] + 1.0f;
}
K offsetRead(const float *in, float *out, int n, int offset) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int k = i + offset;
  if (k < n) out[i] = in[k] * 2.0f;
}
K transposeNaive(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[x * h + y] = in[y * w + x];
}
#define TILE 32
K transposeTiled(const float *in, float *out, int w, int h) {
  __shared__ float tile[TILE][TILE];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposePadded(const float *in, float *out, int w, int h) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x; y = blockIdx.x * TILE + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
}
K stencil3(const float *in, float *out, int n) {
  __shared__ float s[258];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x + 1;
  s[t] = i < n ? in[i] : 0.f;
  if (threadIdx.x == 0) s[0] = i > 0 ? in[i - 1] : 0.f;
  if (threadIdx.x == blockDim.x - 1) s[t + 1] = i + 1 < n ? in[i + 1] : 0.f;
  __syncthreads();
  if (i < n) out[i] = 0.25f * s[t - 1] + 0.5f * s[t] + 0.25f * s[t + 1];
}
#define RADIUS 3
K stencilRadius(const int *in, int *out) {
  __shared__ int s[256 + 2 * RADIUS];
  int g = threadIdx.x + blockIdx.x * blockDim.x + RADIUS, l = threadIdx.x + RADIUS;
  s[l] = in[g];
  if (threadIdx.x < RADIUS) { s[l - RADIUS] = in[g - RADIUS]; s[l + 256] = in[g + 256]; }
  __syncthreads();
  int r = 0;
  for (int o = -RADIUS; o <= RADIUS; o++) r += s[l + o];
  out[g - RADIUS] = r;
}
K dotProduct(const float *a, const float *b, float *c, int n) {
  __shared__ float cache[256];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int ci = threadIdx.x;
  float temp = 0;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[ci] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (ci < i) cache[ci] += cache[ci + i];
    __syncthreads();
    i /= 2;
  }
  if (ci == 0) c[blockIdx.x] = cache[0];
}
K dotDouble(const double *a, const double *b, double *c, int n) {
  extern __shared__ double sd[];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sd[t] = i < n ? a[i] * b[i] : 0.0;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) sd[t] += sd[t + k];
    __syncthreads();
  }
  if (t == 0) c[blockIdx.x] = sd[0];
}
K sumLongLong(const long long *in, long long *out, int n) {
  long long v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
  for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
  if ((threadIdx.x & 31) == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) >> 5] = v;
}
// ---- matrices ------------------------------------------------------------------------------------------
K matVecRow(const float *A, const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float s = 0.f;
    for (int c = 0; c < cols; c++) s += A[r * cols + c] * x[c];
    y[r] = s;
  }
}
K matVecWarp(const float *A, const float *x, float *y, int rows, int cols) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float s = 0.f;
  for (int c = lane; c < cols; c += 32) s += A[r * cols + c] * x[c];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffff, s, o);
  if (lane == 0) y[r] = s;
}
K matMulTiled(const float *A, const float *B, float *C, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float s = 0.f;
  for (int m = 0; m < n / 16; m++) {
    As[ty][tx] = A[row * n + m * 16 + tx];
    Bs[ty][tx] = B[(m * 16 + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k++) s += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + col] = s;
}
K matMulNaive(const float *A, const float *B, float *C, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && col < n) {
    float s = 0.f;
    for (int k = 0; k < n; k++) s += A[row * n + k] * B[k * n + col];
    C[row * n + col] = s;
  }
}
K blur3x3(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  int s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) s += in[(y + dy) * w + x + dx];
  out[y * w + x] = s / 9;
}
// ---- control flow ----------------------------------------------------------------------------------------
K divergeParity(float *c, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  float a = 0.f, b = 0.f;
  if (tid % 2 == 0) a = 100.0f; else b = 200.0f;
  if (tid < n) c[tid] = a + b;
}
K divergeHeavy(float *c, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  float v = c[tid];
  if (tid % 2 == 0) {
    for (int k = 0; k < 64; k++) v = v * 1.001f + 0.5f;
  } else {
    for (int k = 0; k < 64; k++) v = v * 0.999f - 0.25f;
  }
  c[tid] = v;
}
K warpBranchHeavy(float *c, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  float v = c[tid];
  if ((tid / 32) % 2 == 0) {
    for (int k = 0; k < 64; k++) v = v * 1.001f + 0.5f;
  } else {
    for (int k = 0; k < 64; k++) v = v * 0.999f - 0.25f;
  }
  c[tid] = v;
}
K switchEight(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], r;
  switch (x & 7) {
    case 0: r = x + 1; break;
    case 1: r = x * x; break;
    case 2: r = x / 3; break;
    case 3: r = x ^ 0x55; break;
    case 4: r = x << 3; break;
    case 5: r = x % 5; break;
    case 6: r = -x; break;
    default: r = x >> 1;
  }
  out[i] = r;
}
K ifChain(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i], r;
  if (x < 100) r = x * 2 + 1;
  else if (x < 300) r = x * x - 7;
  else if (x < 700) { r = x; for (int k = 0; k < 5; k++) r = r * 3 + k; }
  else r = 0;
  out[i] = r;
}
K collatz(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x = in[i] + 1;
  int steps = 0;
  while (x != 1) {
    if (x % 2 == 0) x = x / 2; else x = 3 * x + 1;
    steps++;
  }
  out[i] = steps;
}
K divergentLoop(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int m = in[i] & 63, s = i;
  for (int j = 0; j < m; j++) s = s * 5 + (s >> 7);
  out[i] = s;
}
K breakContinue(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (int j = 0; j < 64; j++) {
    int v = in[(i + j * 1024) % n];
    if (v > 1000) break;
    if (v & 1) continue;
    s += v;
  }
  out[i] = s;
}
K loopRuntime(const int *in, int *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = in[i];
  for (int j = 0; j < m; j++) s = (s ^ j) * 3;
  out[i] = s;
}
K loopConst64(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = in[i];
  for (int j = 0; j < 64; j++) s = (s ^ j) * 3;
  out[i] = s;
}
K localArray(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a[8];
  for (int j = 0; j < 8; j++) a[j] = in[i] * (j + 1);
  int s = 0;
  for (int j = 0; j < 8; j++) s += a[(j * 3) & 7] >> j;
  out[i] = s;
}
K localArrayDynamic(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int a[16];
  int x = in[i];
  for (int j = 0; j < 16; j++) a[j] = x + j * j;
  out[i] = a[x & 15] + a[(x >> 4) & 15];
}
K ifBody4(const int *in, int *out, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x > limit) { x = x * 3 + i; x = x * 5 + i; x = x * 7 + i; x = x * 9 + i; }
  out[i] = x;
}
K ifBody12(const int *in, int *out, int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = in[i];
  if (x > limit) {
    x = x * 3 + i; x = x * 5 + i; x = x * 7 + i; x = x * 9 + i; x = x * 11 + i; x = x * 13 + i;
    x = x * 15 + i; x = x * 17 + i; x = x * 19 + i; x = x * 21 + i; x = x * 23 + i; x = x * 25 + i;
  }
  out[i] = x;
}
K nestedIf(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = in[i];
    if (x & 1) {
      if (x > 512) x = x * 2 + 1;
      else x = 3 * x;
    } else if (x > 256 && x < 768) x = x - i;
    out[i] = x;
  }
}
// ---- arithmetic -------------------------------------------------------------------------------------------
K divModSigned(const int *a, const int *b, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / b[i] + a[i] % b[i];
}
K divModUnsigned(const unsigned *a, const unsigned *b, unsigned *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / b[i] + a[i] % b[i];
}
K divModConst(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = a[i];
  out[i] = x / 3 + x % 7 + x / 10 + x % 32;
}
K floatMath(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  out[i] = sqrtf(x) + expf(-x) + sinf(x);
}
K floatDiv(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] / b[i];
}
K polyFma(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  out[i] = ((((0.1f * x + 0.2f) * x + 0.3f) * x + 0.4f) * x + 0.5f) * x + 0.6f;
}
K monteCarloPi(unsigned *hits, int perThread) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 747796405u + 2891336453u, c = 0;
  for (int j = 0; j < perThread; j++) {
    s = s * 1664525u + 1013904223u; float x = (s >> 8) * (1.0f / 16777216.0f);
    s = s * 1664525u + 1013904223u; float y = (s >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y <= 1.0f) c++;
  }
  atomicAdd(hits, c);
}
