// Kernels as textbooks, courses, papers and NVIDIA's samples have them, none in an earlier file: measured on an
// H200 (h200/measured/textbook.json) after the model had been looked into with those two. Sources beside the groups.
#include <cuda_runtime.h>
typedef unsigned int uint;
#define K extern "C" __global__ void
#define FULL 0xffffffff

// ---- M. Harris, "Optimizing Parallel Reduction in CUDA", in the types of the sample --------------------------
K redModulo(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  sdata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    if ((tid % (2 * s)) == 0) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
K redStrided(const double *g_idata, double *g_odata, unsigned int n) {
  extern __shared__ double ddata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  ddata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = 1; s < blockDim.x; s *= 2) {
    int index = 2 * s * tid;
    if (index < blockDim.x) ddata[index] += ddata[index + s];
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = ddata[0];
}
K redSequentialMax(const int *g_idata, int *g_odata, unsigned int n) {
  extern __shared__ int idata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  idata[tid] = (i < n) ? g_idata[i] : 0;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) idata[tid] = max(idata[tid], idata[tid + s]);
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = idata[0];
}
K redFirstAdd(const double *g_idata, double *g_odata, unsigned int n) {
  extern __shared__ double ddata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  double mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n) mySum += g_idata[i + blockDim.x];
  ddata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s) {
      mySum = mySum + ddata[tid + s];
      ddata[tid] = mySum;
    }
    __syncthreads();
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
K redLastWarp(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockDim.x < n) mySum += g_idata[i + blockDim.x];
  sdata[tid] = mySum;
  __syncthreads();
  for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
    if (tid < s) {
      mySum = mySum + sdata[tid + s];
      sdata[tid] = mySum;
    }
    __syncthreads();
  }
  if (tid < 32) {
    mySum += sdata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(FULL, mySum, offset);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
template <unsigned int blockSize>
__device__ __forceinline__ void redUnrolled(const float *g_idata, float *g_odata, unsigned int n) {
  extern __shared__ float sdata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
  float mySum = (i < n) ? g_idata[i] : 0;
  if (i + blockSize < n) mySum += g_idata[i + blockSize];
  sdata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 1024) { if (tid < 512) { mySum = mySum + sdata[tid + 512]; sdata[tid] = mySum; } __syncthreads(); }
  if (blockSize >= 512) { if (tid < 256) { mySum = mySum + sdata[tid + 256]; sdata[tid] = mySum; } __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) { mySum = mySum + sdata[tid + 128]; sdata[tid] = mySum; } __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) { mySum = mySum + sdata[tid + 64]; sdata[tid] = mySum; } __syncthreads(); }
  if (tid < 32) {
    if (blockSize >= 64) mySum += sdata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(FULL, mySum, offset);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
K redUnrolled128(const float *g_idata, float *g_odata, unsigned int n) { redUnrolled<128>(g_idata, g_odata, n); }
K redUnrolled1024(const float *g_idata, float *g_odata, unsigned int n) { redUnrolled<1024>(g_idata, g_odata, n); }
template <unsigned int blockSize>
__device__ __forceinline__ void redMultiple(const double *g_idata, double *g_odata, unsigned int n) {
  extern __shared__ double ddata[];
  unsigned int tid = threadIdx.x;
  unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
  unsigned int gridSize = blockSize * 2 * gridDim.x;
  double mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (i + blockSize < n) mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  ddata[tid] = mySum;
  __syncthreads();
  if (blockSize >= 512) { if (tid < 256) { mySum = mySum + ddata[tid + 256]; ddata[tid] = mySum; } __syncthreads(); }
  if (blockSize >= 256) { if (tid < 128) { mySum = mySum + ddata[tid + 128]; ddata[tid] = mySum; } __syncthreads(); }
  if (blockSize >= 128) { if (tid < 64) { mySum = mySum + ddata[tid + 64]; ddata[tid] = mySum; } __syncthreads(); }
  if (tid < 32) {
    if (blockSize >= 64) mySum += ddata[tid + 32];
    for (int offset = 16; offset > 0; offset /= 2) mySum += __shfl_down_sync(FULL, mySum, offset);
  }
  if (tid == 0) g_odata[blockIdx.x] = mySum;
}
K redMultiple256(const double *g_idata, double *g_odata, unsigned int n) { redMultiple<256>(g_idata, g_odata, n); }
// ---- other reductions: NVIDIA's blog (shuffles), CUDA by Example (dot), courses -----------------------------
__device__ __forceinline__ int warpReduceSum(int val) {
  for (int offset = 32 / 2; offset > 0; offset /= 2) val += __shfl_down_sync(FULL, val, offset);
  return val;
}
__device__ __forceinline__ int blockReduceSum(int val) {
  __shared__ int shared[32];
  int lane = threadIdx.x % 32;
  int wid = threadIdx.x / 32;
  val = warpReduceSum(val);
  if (lane == 0) shared[wid] = val;
  __syncthreads();
  val = (threadIdx.x < blockDim.x / 32) ? shared[lane] : 0;
  if (wid == 0) val = warpReduceSum(val);
  return val;
}
K deviceReduce(const int *in, int *out, int N) {
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
K deviceReduceVec4(const int4 *in, int *out, int N) {
  int sum = 0;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = idx; i < N / 4; i += blockDim.x * gridDim.x) {
    int4 val = in[i];
    sum += (val.x + val.y) + (val.z + val.w);
  }
  sum = blockReduceSum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}
K dotBook(const float *a, const float *b, float *c, int N) {
  __shared__ float cache[256];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  int cacheIndex = threadIdx.x;
  float temp = 0;
  while (tid < N) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}
K argminShared(const float *in, float *values, int *places, int n) {
  extern __shared__ float best[];
  int *where = (int *)(best + blockDim.x);
  int tid = threadIdx.x;
  float v = 1e30f;
  int at = -1;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) {
    float x = in[i];
    if (x < v) { v = x; at = i; }
  }
  best[tid] = v;
  where[tid] = at;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (tid < s && best[tid + s] < best[tid]) {
      best[tid] = best[tid + s];
      where[tid] = where[tid + s];
    }
    __syncthreads();
  }
  if (tid == 0) { values[blockIdx.x] = best[0]; places[blockIdx.x] = where[0]; }
}
K maxDouble(const double *in, double *out, int n) {
  __shared__ double part[32];
  double v = -1e300;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v = max(v, in[i]);
  for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(FULL, v, d));
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0) part[w] = v;
  __syncthreads();
  if (w == 0) {
    v = lane < (blockDim.x >> 5) ? part[lane] : -1e300;
    for (int d = 16; d > 0; d >>= 1) v = max(v, __shfl_xor_sync(FULL, v, d));
    if (lane == 0) out[blockIdx.x] = v;
  }
}
K segmentWarp(const float *in, float *out, int segments, int length) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (w >= segments) return;
  float v = 0.0f;
  for (int k = lane; k < length; k += 32) v += in[w * length + k];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(FULL, v, d);
  if (lane == 0) out[w] = v;
}
K segmentBlock(const int *in, int *out, int length) {
  extern __shared__ int idata[];
  int t = threadIdx.x, first = blockIdx.x * length;
  int v = 0;
  for (int k = t; k < length; k += blockDim.x) v += in[first + k];
  idata[t] = v;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) idata[t] += idata[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = idata[0];
}
// ---- scans: GPU Gems 3 ch. 39, the samples scan and shfl_scan, Kirk and Hwu ----------------------------------
K scanNaive(const float *g_idata, float *g_odata) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, n = blockDim.x;
  int pout = 0, pin = 1;
  int i = blockIdx.x * n + thid;
  temp[pout * n + thid] = (thid > 0) ? g_idata[i - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (thid >= offset) temp[pout * n + thid] = temp[pin * n + thid] + temp[pin * n + thid - offset];
    else temp[pout * n + thid] = temp[pin * n + thid];
    __syncthreads();
  }
  g_odata[i] = temp[pout * n + thid];
}
K prescan(const float *g_idata, float *g_odata, float *sums) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  int offset = 1;
  temp[2 * thid] = g_idata[base + 2 * thid];
  temp[2 * thid + 1] = g_idata[base + 2 * thid + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) {
    sums[blockIdx.x] = temp[n - 1];
    temp[n - 1] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[base + 2 * thid] = temp[2 * thid];
  g_odata[base + 2 * thid + 1] = temp[2 * thid + 1];
}
K prescanPadded(const float *g_idata, float *g_odata) {
  extern __shared__ float temp[];
  int thid = threadIdx.x, n = 2 * blockDim.x, base = blockIdx.x * n;
  int offset = 1;
  int ai = thid, bi = thid + (n / 2);
  int bankOffsetA = ai >> 5, bankOffsetB = bi >> 5;
  temp[ai + bankOffsetA] = g_idata[base + ai];
  temp[bi + bankOffsetB] = g_idata[base + bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1;
      int b = offset * (2 * thid + 2) - 1;
      a += a >> 5;
      b += b >> 5;
      temp[b] += temp[a];
    }
    offset *= 2;
  }
  if (thid == 0) temp[n - 1 + ((n - 1) >> 5)] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int a = offset * (2 * thid + 1) - 1;
      int b = offset * (2 * thid + 2) - 1;
      a += a >> 5;
      b += b >> 5;
      float t = temp[a];
      temp[a] = temp[b];
      temp[b] += t;
    }
  }
  __syncthreads();
  g_odata[base + ai] = temp[ai + bankOffsetA];
  g_odata[base + bi] = temp[bi + bankOffsetB];
}
K shflScan(const int *data, int *out, int *partial_sums) {
  __shared__ int sums[32];
  int id = (blockIdx.x * blockDim.x) + threadIdx.x;
  int lane_id = id % 32;
  int warp_id = threadIdx.x / 32;
  int value = data[id];
  for (int i = 1; i <= 32; i *= 2) {
    int n = __shfl_up_sync(FULL, value, i, 32);
    if (lane_id >= i) value += n;
  }
  if (threadIdx.x % 32 == 31) sums[warp_id] = value;
  __syncthreads();
  if (warp_id == 0 && lane_id < (blockDim.x / 32)) {
    int warp_sum = sums[lane_id];
    int mask = (1 << (blockDim.x / 32)) - 1;
    for (int i = 1; i <= (blockDim.x / 32); i *= 2) {
      int n = __shfl_up_sync(mask, warp_sum, i, (blockDim.x / 32));
      if (lane_id >= i) warp_sum += n;
    }
    sums[lane_id] = warp_sum;
  }
  __syncthreads();
  int blockSum = 0;
  if (warp_id > 0) blockSum = sums[warp_id - 1];
  value += blockSum;
  out[id] = value;
  if (threadIdx.x == blockDim.x - 1) partial_sums[blockIdx.x] = value;
}
K uniformAdd(int *data, const int *partial_sums, int len) {
  __shared__ int buf;
  int id = ((blockIdx.x * blockDim.x) + threadIdx.x);
  if (id > len) return;
  if (threadIdx.x == 0) buf = partial_sums[blockIdx.x];
  __syncthreads();
  data[id] += buf;
}
K scanCoarse(const float *X, float *Y, int n) {
  __shared__ float XY[1024];
  __shared__ float ends[128];
  int t = threadIdx.x, base = blockIdx.x * 1024;
  for (int j = 0; j < 8; j++) XY[j * 128 + t] = X[base + j * 128 + t];
  __syncthreads();
  for (int j = 1; j < 8; j++) XY[t * 8 + j] += XY[t * 8 + j - 1];
  ends[t] = XY[t * 8 + 7];
  __syncthreads();
  for (int stride = 1; stride < 128; stride *= 2) {
    float v = 0.0f;
    if (t >= stride) v = ends[t - stride];
    __syncthreads();
    ends[t] += v;
    __syncthreads();
  }
  if (t > 0) {
    for (int j = 0; j < 8; j++) XY[t * 8 + j] += ends[t - 1];
  }
  __syncthreads();
  for (int j = 0; j < 8; j++) Y[base + j * 128 + t] = XY[j * 128 + t];
}
// ---- transposes: "An Efficient Matrix Transpose in CUDA", of float and of double ------------------------------
K copyShared(const float *idata, float *odata, int width) {
  __shared__ float tile[32 * 32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[(threadIdx.y + j) * 32 + threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) odata[(y + j) * width + x] = tile[(threadIdx.y + j) * 32 + threadIdx.x];
}
K transposeNaive8(const float *idata, float *odata, int width) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) odata[x * width + (y + j)] = idata[(y + j) * width + x];
}
K transposeConflict(const float *idata, float *odata, int width) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 16) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 16) odata[(y + j) * width + x] = tile[threadIdx.x][threadIdx.y + j];
}
K transposeDouble(const double *idata, double *odata, int width, int height) {
  __shared__ double tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = idata[y * width + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < height && y < width) odata[y * height + x] = tile[threadIdx.x][threadIdx.y];
}
K transposeDoublePlain(const double *idata, double *odata, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  odata[y * width + x] = idata[x * width + y];
}
K transposeDiag16(const float *idata, float *odata, int width) {
  __shared__ float tile[16][17];
  int by = blockIdx.x, bx = (blockIdx.x + blockIdx.y) % gridDim.x;
  int x = bx * 16 + threadIdx.x, y = by * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = idata[x + y * width];
  __syncthreads();
  x = by * 16 + threadIdx.x;
  y = bx * 16 + threadIdx.y;
  odata[x + y * width] = tile[threadIdx.x][threadIdx.y];
}
// ---- strides, offsets, layouts: CUDA C Best Practices Guide, Professional CUDA C Programming --------------------
K strideCopy(const float *idata, float *odata, int stride) {
  int xid = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
  odata[xid] = idata[xid] + 1;
}
K strideRead(const float *idata, float *odata, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  odata[i] = idata[i * stride];
}
K offsetAdd(const double *a, const double *b, double *c, int offset, int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int k = i + offset;
  if (k < n) c[i] = a[k] + b[k];
}
K innerStruct(const float2 *data, float2 *result, int n) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float2 tmp = data[i];
    tmp.x += 10.f;
    tmp.y += 20.f;
    result[i] = tmp;
  }
}
K aosParticles(const float *p, float *q, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    q[4 * i] = p[4 * i] + dt * p[4 * i + 2];
    q[4 * i + 1] = p[4 * i + 1] + dt * p[4 * i + 3];
  }
}
K soaParticles(const float *x, const float *y, const float *vx, float *qx, float *qy, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    qx[i] = x[i] + dt * vx[i];
    qy[i] = y[i] + dt * vx[i + 4096];
  }
}
K bitReverse(const float *in, float *out, int bits) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(i) >> (32 - bits)] = in[i];
}
// ---- histograms: the sample histogram, Kirk and Hwu -------------------------------------------------------
K histAtomic64(const uint *data, uint *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i] >> 4], 1u);
}
K histogram256(const uint *d_Data, uint *d_Histogram, uint dataCount) {
  __shared__ uint s_Hist[6 * 256];
  uint warp = (threadIdx.x >> 5) * 256;
  for (uint i = 0; i < 8; i++) s_Hist[threadIdx.x + i * 192] = 0;
  __syncthreads();
  for (uint pos = blockIdx.x * blockDim.x + threadIdx.x; pos < dataCount; pos += blockDim.x * gridDim.x) {
    uint data = d_Data[pos];
    atomicAdd(&s_Hist[warp + ((data >> 2) & 255)], 1u);
  }
  __syncthreads();
  for (uint bin = threadIdx.x; bin < 256; bin += 192) {
    uint sum = 0;
    for (uint i = 0; i < 6; i++) sum += s_Hist[bin + i * 256];
    atomicAdd(&d_Histogram[bin], sum);
  }
}
K histPrivate4096(const uint *data, uint *bins, int n) {
  __shared__ uint s[4096];
  for (uint b = threadIdx.x; b < 4096; b += blockDim.x) s[b] = 0u;
  __syncthreads();
  uint tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint i = tid; i < n; i += blockDim.x * gridDim.x) atomicAdd(&s[data[i] * 4], 1u);
  __syncthreads();
  for (uint b = threadIdx.x; b < 4096; b += blockDim.x) {
    uint count = s[b];
    if (count > 0) atomicAdd(&bins[b], count);
  }
}
K histAggregate(const uint *data, uint *bins, int n) {
  __shared__ uint s[256];
  for (uint b = threadIdx.x; b < 256; b += blockDim.x) s[b] = 0u;
  __syncthreads();
  uint accumulator = 0;
  int prev = -1;
  uint tid = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint i = tid; i < n; i += blockDim.x * gridDim.x) {
    int bin = data[i] >> 2;
    if (bin == prev) accumulator += 1;
    else {
      if (accumulator > 0) atomicAdd(&s[prev], accumulator);
      accumulator = 1;
      prev = bin;
    }
  }
  if (accumulator > 0) atomicAdd(&s[prev], accumulator);
  __syncthreads();
  for (uint b = threadIdx.x; b < 256; b += blockDim.x) {
    if (s[b] > 0) atomicAdd(&bins[b], s[b]);
  }
}
// ---- stencils and filters: NVIDIA's courses, M. Giles's course, the samples -----------------------------------
#define RADIUS 3
#define BLOCK_SIZE 256
K stencil1d(const int *in, int *out) {
  __shared__ int temp[BLOCK_SIZE + 2 * RADIUS];
  int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
  int lindex = threadIdx.x + RADIUS;
  temp[lindex] = in[gindex];
  if (threadIdx.x < RADIUS) {
    temp[lindex - RADIUS] = in[gindex - RADIUS];
    temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
  }
  __syncthreads();
  int result = 0;
  for (int offset = -RADIUS; offset <= RADIUS; offset++) result += temp[lindex + offset];
  out[gindex] = result;
}
K laplace2d(const float *A, float *Anew, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i < m - 1 && j < n - 1)
    Anew[j * m + i] = 0.25f * (A[j * m + i + 1] + A[j * m + i - 1] + A[(j - 1) * m + i] + A[(j + 1) * m + i]);
}
K laplace3d(const float *u1, float *u2, int NX, int NY, int NZ) {
  int i = threadIdx.x + blockIdx.x * blockDim.x, j = threadIdx.y + blockIdx.y * blockDim.y;
  int JOFF = NX, KOFF = NX * NY;
  int indg = i + j * NX;
  if (i < NX && j < NY) {
    for (int k = 0; k < NZ; k++) {
      float v;
      if (i == 0 || i == NX - 1 || j == 0 || j == NY - 1 || k == 0 || k == NZ - 1) v = u1[indg];
      else
        v = (u1[indg - 1] + u1[indg + 1] + u1[indg - JOFF] + u1[indg + JOFF] + u1[indg - KOFF] + u1[indg + KOFF]) *
            (1.0f / 6.0f);
      u2[indg] = v;
      indg += KOFF;
    }
  }
}
K stencil7Points(const float *in, float *out, int n, float c0, float c1) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= 1 && i < n - 1 && j >= 1 && j < n - 1 && k >= 1 && k < n - 1) {
    out[(k * n + j) * n + i] =
        c0 * in[(k * n + j) * n + i] +
        c1 * (in[(k * n + j) * n + i - 1] + in[(k * n + j) * n + i + 1] + in[(k * n + j - 1) * n + i] +
              in[(k * n + j + 1) * n + i] + in[((k - 1) * n + j) * n + i] + in[((k + 1) * n + j) * n + i]);
  }
}
K boxColumns(const float *id, float *od, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float scale = 1.0f / (float)((r << 1) + 1);
  float t = id[x] * r;
  for (int y = 0; y < (r + 1); y++) t += id[y * w + x];
  od[x] = t * scale;
  for (int y = 1; y < (r + 1); y++) {
    t += id[(y + r) * w + x];
    t -= id[x];
    od[y * w + x] = t * scale;
  }
  for (int y = (r + 1); y < (h - r); y++) {
    t += id[(y + r) * w + x];
    t -= id[((y - r) * w + x) - w];
    od[y * w + x] = t * scale;
  }
}
K convolutionRows(const float *src, float *dst, const float *kernel, int imageW) {
  __shared__ float s_Data[4][192];
  int x = blockIdx.x * 128 + threadIdx.x - 32, y = blockIdx.y * 4 + threadIdx.y;
  for (int i = 0; i < 6; i++) {
    int at = x + i * 32;
    s_Data[threadIdx.y][threadIdx.x + i * 32] = (at >= 0 && at < imageW) ? src[y * imageW + at] : 0;
  }
  __syncthreads();
  for (int i = 1; i < 5; i++) {
    float sum = 0;
    for (int j = -8; j <= 8; j++) sum += kernel[8 - j] * s_Data[threadIdx.y][threadIdx.x + i * 32 + j];
    dst[y * imageW + x + i * 32] = sum;
  }
}
K grayscale(const int *rgb, int *gray, int width, int height) {
  int col = threadIdx.x + blockIdx.x * blockDim.x, row = threadIdx.y + blockIdx.y * blockDim.y;
  if (col < width && row < height) {
    int offset = row * width + col;
    int r = rgb[3 * offset], g = rgb[3 * offset + 1], b = rgb[3 * offset + 2];
    gray[offset] = (int)(0.21f * r + 0.71f * g + 0.07f * b);
  }
}
K gameOfLife(const int *in, int *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      if (dx != 0 || dy != 0) {
        int nx = (x + dx + w) % w, ny = (y + dy + h) % h;
        alive += in[ny * w + nx] & 1;
      }
    }
  }
  int me = in[y * w + x] & 1;
  out[y * w + x] = (alive == 3 || (me == 1 && alive == 2)) ? 1 : 0;
}
// ---- matrices, rows ----------------------------------------------------------------------------------------
#define TILE 16
K matMulGuarded(const float *M, const float *N, float *P, int width) {
  __shared__ float Mds[TILE][TILE];
  __shared__ float Nds[TILE][TILE];
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int Row = by * TILE + ty, Col = bx * TILE + tx;
  float Pvalue = 0;
  for (int ph = 0; ph < (width + TILE - 1) / TILE; ++ph) {
    if ((Row < width) && (ph * TILE + tx) < width) Mds[ty][tx] = M[Row * width + ph * TILE + tx];
    else Mds[ty][tx] = 0.0f;
    if ((ph * TILE + ty) < width && Col < width) Nds[ty][tx] = N[(ph * TILE + ty) * width + Col];
    else Nds[ty][tx] = 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k) Pvalue += Mds[ty][k] * Nds[k][tx];
    __syncthreads();
  }
  if (Row < width && Col < width) P[Row * width + Col] = Pvalue;
}
K matMulCoarse(const float *M, const float *N, float *P, int width) {
  __shared__ float Mds[32][32];
  __shared__ float Nds[32][32];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty, colStart = blockIdx.x * 32 * 4 + tx;
  float Pvalue[4];
  for (int c = 0; c < 4; ++c) Pvalue[c] = 0.0f;
  for (int ph = 0; ph < width / 32; ++ph) {
    Mds[ty][tx] = M[row * width + ph * 32 + tx];
    for (int c = 0; c < 4; ++c) {
      int col = colStart + c * 32;
      Nds[ty][tx] = N[(ph * 32 + ty) * width + col];
      __syncthreads();
      for (int k = 0; k < 32; ++k) Pvalue[c] += Mds[ty][k] * Nds[k][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < 4; ++c) P[row * width + colStart + c * 32] = Pvalue[c];
}
K sgemmBlocktile(int M, int N, int Kdim, const float *A, const float *B, float *C) {
  __shared__ float As[64 * 8];
  __shared__ float Bs[8 * 64];
  uint cRow = blockIdx.y, cCol = blockIdx.x;
  int threadCol = threadIdx.x % 64, threadRow = threadIdx.x / 64;
  uint innerColA = threadIdx.x % 8, innerRowA = threadIdx.x / 8;
  uint innerColB = threadIdx.x % 64, innerRowB = threadIdx.x / 64;
  float threadResults[8];
  for (uint r = 0; r < 8; ++r) threadResults[r] = 0.0f;
  uint a = cRow * 64 * Kdim, b = cCol * 64, c = cRow * 64 * N + cCol * 64;
  for (uint bkIdx = 0; bkIdx < Kdim; bkIdx += 8) {
    As[innerRowA * 8 + innerColA] = A[a + innerRowA * Kdim + innerColA];
    Bs[innerRowB * 64 + innerColB] = B[b + innerRowB * N + innerColB];
    __syncthreads();
    a += 8;
    b += 8 * N;
    for (uint dotIdx = 0; dotIdx < 8; ++dotIdx) {
      float tmpB = Bs[dotIdx * 64 + threadCol];
      for (uint resIdx = 0; resIdx < 8; ++resIdx)
        threadResults[resIdx] += As[(threadRow * 8 + resIdx) * 8 + dotIdx] * tmpB;
    }
    __syncthreads();
  }
  for (uint resIdx = 0; resIdx < 8; ++resIdx) C[c + (threadRow * 8 + resIdx) * N + threadCol] = threadResults[resIdx];
}
K matVecWarpRow(const float *A, const float *x, float *y, int rows, int cols) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += A[row * cols + c] * x[c];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_xor_sync(FULL, sum, d);
  if (lane == 0) y[row] = sum;
}
K matVecBlockRow(const double *A, const double *x, double *y, int cols) {
  __shared__ double warpSums[8];
  double sum = 0.0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) sum += A[blockIdx.x * cols + c] * x[c];
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(FULL, sum, d);
  if ((threadIdx.x & 31) == 0) warpSums[threadIdx.x >> 5] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    double total = 0.0;
    for (int w = 0; w < 8; w++) total += warpSums[w];
    y[blockIdx.x] = total;
  }
}
K softmaxRows(const float *in, float *out, int cols) {
  extern __shared__ float temp[];
  int t = threadIdx.x, row = blockIdx.x;
  float m = -1e30f;
  for (int c = t; c < cols; c += blockDim.x) m = fmaxf(m, in[row * cols + c]);
  temp[t] = m;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) temp[t] = fmaxf(temp[t], temp[t + s]);
    __syncthreads();
  }
  m = temp[0];
  __syncthreads();
  float sum = 0.0f;
  for (int c = t; c < cols; c += blockDim.x) sum += expf(in[row * cols + c] - m);
  temp[t] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) temp[t] += temp[t + s];
    __syncthreads();
  }
  sum = temp[0];
  for (int c = t; c < cols; c += blockDim.x) out[row * cols + c] = expf(in[row * cols + c] - m) / sum;
}
K layerNorm(const float *x, float *out, const float *gamma, const float *beta, int rows, int C) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0.0f, sum2 = 0.0f;
  for (int i = lane; i < C; i += 32) {
    float v = x[row * C + i];
    sum += v;
    sum2 += v * v;
  }
  for (int o = 16; o > 0; o >>= 1) {
    sum += __shfl_xor_sync(FULL, sum, o);
    sum2 += __shfl_xor_sync(FULL, sum2, o);
  }
  float mean = sum / C;
  float s = rsqrtf(sum2 / C - mean * mean + 1e-5f);
  for (int c = lane; c < C; c += 32) out[row * C + c] = (x[row * C + c] - mean) * s * gamma[c] + beta[c];
}
K spmvEll(const int *cols, const float *values, const float *x, float *y, int rows, int perRow) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows) {
    float dot = 0.0f;
    for (int k = 0; k < perRow; k++) dot += values[row + k * rows] * x[cols[row + k * rows]];
    y[row] = dot;
  }
}
K floydStep(const int *dist, int *out, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= n) return;
  int through = dist[i * n + k] + dist[k * n + j];
  int direct = dist[i * n + j];
  out[i * n + j] = through < direct ? through : direct;
}
// ---- compaction, sorting, counting ---------------------------------------------------------------------------
K filterAggregated(const int *src, int *dst, int *nres, int n, int limit) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  if (src[i] > limit) {
    unsigned active = __activemask();
    int leader = __ffs(active) - 1, lane = threadIdx.x % 32;
    int change = __popc(active);
    int warpRes = 0;
    if (lane == leader) warpRes = atomicAdd(nres, change);
    warpRes = __shfl_sync(active, warpRes, leader);
    dst[warpRes + __popc(active & ((1u << lane) - 1))] = src[i];
  }
}
K ballotScatter(const int *in, const int *bases, int *out, int limit) {
  __shared__ int offsets[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  int x = in[i];
  bool keep = x < limit;
  unsigned votes = __ballot_sync(FULL, keep);
  if (lane == 0) offsets[w] = __popc(votes);
  __syncthreads();
  if (w == 0) {
    int v = lane < (blockDim.x >> 5) ? offsets[lane] : 0;
    int total = v;
    for (int d = 1; d < 32; d *= 2) {
      int u = __shfl_up_sync(FULL, total, d);
      if (lane >= d) total += u;
    }
    offsets[lane] = total - v;
  }
  __syncthreads();
  if (keep) out[blockIdx.x * blockDim.x + offsets[w] + __popc(votes & ((1u << lane) - 1))] = x + bases[blockIdx.x];
}
K bitonicMergeGlobal(const float *keys, float *out, uint size, uint stride, uint mask) {
  uint index = blockIdx.x * blockDim.x + threadIdx.x;
  uint comparatorI = index & mask;
  uint dir = (comparatorI & (size / 2)) != 0 ? 1 : 0;
  uint pos = 2 * index - (index & (stride - 1));
  float keyA = keys[pos], keyB = keys[pos + stride];
  if ((keyA > keyB) == (dir == 0)) {
    float t = keyA;
    keyA = keyB;
    keyB = t;
  }
  out[pos] = keyA;
  out[pos + stride] = keyB;
}
K oddEvenBlock(const int *in, int *out) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = in[i];
  s[t + 128] = in[i + 128];
  __syncthreads();
  for (int round = 0; round < 64; round++) {
    int a = 2 * t + (round & 1);
    if (a + 1 < 256) {
      int x = s[a], y = s[a + 1];
      if (x > y) { s[a] = y; s[a + 1] = x; }
    }
    __syncthreads();
  }
  out[i] = s[t];
  out[i + 128] = s[t + 128];
}
K countPattern(const int *text, int *count, int n, int p0, int p1, int p2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool found = false;
  if (i + 2 < n) found = text[i] == p0 && text[i + 1] > p1 && text[i + 2] < p2;
  unsigned votes = __ballot_sync(FULL, found);
  if (threadIdx.x % 32 == 0 && votes != 0) atomicAdd(count, __popc(votes));
}
K popcountWords(const uint *words, uint *total, int n) {
  __shared__ uint sums[32];
  uint c = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) c += __popc(words[i]);
  c = __reduce_add_sync(FULL, c);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = c;
  __syncthreads();
  if (threadIdx.x == 0) {
    uint all = 0;
    for (int w = 0; w < blockDim.x / 32; w++) all += sums[w];
    atomicAdd(total, all);
  }
}
K sieveStep(int *composite, int n, int first) {
  int p = first + blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = p * p; j < n; j += p) composite[j] = 1;
}
// ---- arithmetic ------------------------------------------------------------------------------------------
K piLcg(float *out, int trials) {
  __shared__ int hits[256];
  unsigned int tid = threadIdx.x, seed = (blockIdx.x * blockDim.x + tid) * 1099087573u + 1;
  int inside = 0;
  for (int k = 0; k < trials; k++) {
    seed = seed * 1664525u + 1013904223u;
    float x = (float)(seed >> 8) * (1.0f / 16777216.0f);
    seed = seed * 1664525u + 1013904223u;
    float y = (float)(seed >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y <= 1.0f) inside++;
  }
  hits[tid] = inside;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (tid < s) hits[tid] += hits[tid + s];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = 4.0f * hits[0] / (trials * 256.0f);
}
K nbodyTile(const float4 *positions, float4 *accelerations, int n, float softening) {
  extern __shared__ float4 shPosition[];
  int gtid = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = positions[gtid];
  float ax = 0.0f, ay = 0.0f, az = 0.0f;
  for (int i = 0; i < n; i += blockDim.x) {
    shPosition[threadIdx.x] = positions[i + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float4 other = shPosition[j];
      float rx = other.x - me.x, ry = other.y - me.y, rz = other.z - me.z;
      float distSqr = rx * rx + ry * ry + rz * rz + softening;
      float distSixth = distSqr * distSqr * distSqr;
      float invDistCube = 1.0f / sqrtf(distSixth);
      float s = other.w * invDistCube;
      ax += rx * s;
      ay += ry * s;
      az += rz * s;
    }
    __syncthreads();
  }
  accelerations[gtid] = make_float4(ax, ay, az, 0.0f);
}
K mandelDouble(int *counts, int width, int height, double x0, double y0, double scale, int most) {
  int ix = blockIdx.x * blockDim.x + threadIdx.x, iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix < width && iy < height) {
    double cx = x0 + ix * scale, cy = y0 + iy * scale, zx = 0.0, zy = 0.0;
    int k = 0;
    while (k < most && zx * zx + zy * zy <= 4.0) {
      double t = zx * zx - zy * zy + cx;
      zy = 2.0 * zx * zy + cy;
      zx = t;
      ++k;
    }
    counts[iy * width + ix] = k;
  }
}
K juliaSet(int *counts, int dim) {
  int x = blockIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  x = x * blockDim.x + threadIdx.x;
  float jx = 1.5f * (float)(dim / 2 - x) / (dim / 2), jy = 1.5f * (float)(dim / 2 - y) / (dim / 2);
  int i = 0;
  for (i = 0; i < 200; i++) {
    float r = jx * jx - jy * jy - 0.8f;
    jy = 2.0f * jx * jy + 0.156f;
    jx = r;
    if (jx * jx + jy * jy > 1000.0f) break;
  }
  counts[y * dim + x] = i;
}
__device__ __forceinline__ float cndGPU(float d) {
  float k = __fdividef(1.0f, (1.0f + 0.2316419f * fabsf(d)));
  float cnd = 0.39894228040143267793994605993438f * __expf(-0.5f * d * d) *
              (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  if (d > 0) cnd = 1.0f - cnd;
  return cnd;
}
K blackScholes(float *call, float *put, const float *price, const float *strike, const float *years, float riskfree,
               float volatility, int optN) {
  int opt = blockDim.x * blockIdx.x + threadIdx.x;
  if (opt < optN) {
    float S = price[opt] + 5.0f, X = strike[opt] + 1.0f, T = years[opt] + 0.25f;
    float sqrtT = __fdividef(1.0f, rsqrtf(T));
    float d1 = __fdividef(__logf(S / X) + (riskfree + 0.5f * volatility * volatility) * T, volatility * sqrtT);
    float d2 = d1 - volatility * sqrtT;
    float CNDD1 = cndGPU(d1);
    float CNDD2 = cndGPU(d2);
    float expRT = __expf(-riskfree * T);
    call[opt] = S * CNDD1 - X * expRT * CNDD2;
    put[opt] = X * expRT * (1.0f - CNDD2) - S * (1.0f - CNDD1);
  }
}
K hornerDouble(const double *x, double *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double v = x[i];
  double p = 1.0;
  for (int k = 15; k > 0; k--) p = p * v * (1.0 / k) + 1.0;
  y[i] = p;
}
K kmeansAssign(const float *points, const float *centroids, int *label, int n) {
  __shared__ float cx[64];
  __shared__ float cy[64];
  if (threadIdx.x < 64) {
    cx[threadIdx.x] = centroids[threadIdx.x];
    cy[threadIdx.x] = centroids[64 + threadIdx.x];
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = points[i], y = points[n + i];
  float best = 1e30f;
  int at = 0;
  for (int c = 0; c < 64; c++) {
    float dx = x - cx[c], dy = y - cy[c];
    float d = dx * dx + dy * dy;
    if (d < best) { best = d; at = c; }
  }
  label[i] = at;
}
K newtonRoots(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float a = in[i] + 1.0f, x = a;
    int rounds = 0;
    while (fabsf(x * x - a) > 1e-6f * a && rounds < 20) {
      x = 0.5f * (x + a / x);
      rounds++;
    }
    out[i] = x;
  }
}
