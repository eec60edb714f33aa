// Kernels of the kernel language (src/frontend/LANGUAGE.md), written as a reader of its page may write them, as CUDA C++ by kernel.toCuda():
// the comments with their lines are left out, and each has a name of its own. Simulated before they were measured on an H200.
#include <cuda_runtime.h>

__device__ __forceinline__ float warpSum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    value += __shfl_down_sync(4294967295u, value, (unsigned int)offset, 32);
  }
  return value;
}

__global__ void tsSumFloatGrid(float* input, float* output, int n) {
  __shared__ float sums[32];
  float sum = 0.0f;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    sum += input[i];
  }
  sum = warpSum(sum);
  const unsigned int lane = threadIdx.x & 31;
  const unsigned int warp = threadIdx.x >> 5;
  if (lane == 0) {
    sums[warp] = sum;
  }
  __syncthreads();
  sum = threadIdx.x < blockDim.x >> 5 ? sums[lane] : 0.0f;
  if (warp == 0) {
    sum = warpSum(sum);
  }
  if (threadIdx.x == 0) {
    atomicAdd(&output[0], sum);
  }
}

__global__ void tsMaxShared(float* input, float* output, int n) {
  extern __shared__ float s[];
  const unsigned int tid = threadIdx.x;
  const unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
  float best = -1.00000002e+30f;
  if (i < n) {
    best = input[i];
  }
  if (i + blockDim.x < n) {
    best = fmaxf(best, input[i + blockDim.x]);
  }
  s[tid] = best;
  __syncthreads();
  for (unsigned int k = blockDim.x >> 1; k > 0; k >>= 1) {
    if (tid < k) {
      s[tid] = fmaxf(s[tid], s[tid + k]);
    }
    __syncthreads();
  }
  if (tid == 0) {
    output[blockIdx.x] = s[0];
  }
}

__global__ void tsDotShared(float* a, float* b, float* c, int n) {
  __shared__ float cache[256];
  unsigned int tid = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned int cacheIndex = threadIdx.x;
  float temp = 0.0f;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[cacheIndex] = temp;
  __syncthreads();
  unsigned int i = blockDim.x / 2;
  while (i != 0) {
    if (cacheIndex < i) {
      cache[cacheIndex] += cache[cacheIndex + i];
    }
    __syncthreads();
    i /= 2;
  }
  if (cacheIndex == 0) {
    c[blockIdx.x] = cache[0];
  }
}

__global__ void tsMinMaxInt(int* input, int* output, int n) {
  int lo = 2147483647;
  int hi = (-2147483647 - 1);
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    const int v = input[i];
    lo = min(lo, v);
    hi = max(hi, v);
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    lo = min(lo, __shfl_down_sync(4294967295u, lo, (unsigned int)offset, 32));
    hi = max(hi, __shfl_down_sync(4294967295u, hi, (unsigned int)offset, 32));
  }
  if ((threadIdx.x & 31) == 0) {
    atomicMin(&output[0], lo);
    atomicMax(&output[1], hi);
  }
}

__global__ void tsSumDoubleBlock(double* input, double* output, int n) {
  __shared__ double s[512];
  const unsigned int t = threadIdx.x;
  const unsigned int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? input[i] : 0.0;
  __syncthreads();
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    const unsigned int index = 2 * stride * t;
    if (index < blockDim.x) {
      s[index] += s[index + stride];
    }
    __syncthreads();
  }
  if (t == 0) {
    output[blockIdx.x] = s[0];
  }
}

__global__ void tsSegmentRows(float* input, float* output, int cols) {
  const unsigned int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned int lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (unsigned int c = lane; c < cols; c += 32) {
    sum += input[row * cols + c];
  }
  sum = warpSum(sum);
  if (lane == 0) {
    output[row] = sum;
  }
}

__global__ void tsSumLongs(unsigned long long* input, unsigned long long* output, int n) {
  unsigned long long sum = 0ull;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum += input[i];
  }
  for (int d = 16; d > 0; d >>= 1) {
    sum += __shfl_down_sync(4294967295u, sum, (unsigned int)d, 32);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&output[0], sum);
  }
}

__device__ __forceinline__ int warpSumInt(int value) {
  for (int mask = 16; mask > 0; mask >>= 1) {
    value += __shfl_xor_sync(4294967295u, value, mask, 32);
  }
  return value;
}

__global__ void tsCascade(int* input, int* output, int n) {
  __shared__ int partial[32];
  int sum = 0;
  unsigned int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
  const unsigned int stride = gridDim.x * blockDim.x * 4;
  while (i + 3 * blockDim.x < n) {
    sum += input[i] + input[i + blockDim.x] + input[i + 2 * blockDim.x] + input[i + 3 * blockDim.x];
    i += stride;
  }
  sum = warpSumInt(sum);
  if (threadIdx.x % 32 == 0) {
    partial[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
    sum = warpSumInt(sum);
    if (threadIdx.x == 0) {
      output[blockIdx.x] = sum;
    }
  }
}

__global__ void tsFloat4Sum(float* input, float* output, int n) {
  float4* quads = ((float4*)input);
  float sum = 0.0f;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 4; i += blockDim.x * gridDim.x) {
    const float4 q = quads[i];
    sum += q.x + q.y + q.z + q.w;
  }
  sum = warpSum(sum);
  if ((threadIdx.x & 31) == 0) {
    atomicAdd(&output[0], sum);
  }
}

__global__ void tsHillisSteele(float* input, float* output, int n) {
  __shared__ float temp[1024];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    temp[threadIdx.x] = input[i];
  }
  for (int stride = 1; stride < blockDim.x; stride *= 2) {
    __syncthreads();
    float value = 0.0f;
    if (threadIdx.x >= stride) {
      value = temp[threadIdx.x - stride];
    }
    __syncthreads();
    if (threadIdx.x >= stride) {
      temp[threadIdx.x] += value;
    }
  }
  if (i < n) {
    output[i] = temp[threadIdx.x];
  }
}

__global__ void tsScanDouble(int* input, int* output, int n) {
  __shared__ int temp[2048];
  const unsigned int t = threadIdx.x;
  const unsigned int i = blockIdx.x * blockDim.x + t;
  int pout = 0;
  int pin = 1;
  temp[t] = i < n ? input[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < blockDim.x; offset <<= 1) {
    pout = 1 - pout;
    pin = 1 - pout;
    if (t >= offset) {
      temp[pout * blockDim.x + t] = temp[pin * blockDim.x + t] + temp[pin * blockDim.x + t - offset];
    } else {
      temp[pout * blockDim.x + t] = temp[pin * blockDim.x + t];
    }
    __syncthreads();
  }
  if (i < n) {
    output[i] = temp[pout * blockDim.x + t];
  }
}

__global__ void tsBlelloch(int* input, int* output, int n) {
  extern __shared__ int temp[];
  const unsigned int thid = threadIdx.x;
  const unsigned int base = blockIdx.x * blockDim.x * 2;
  int offset = 1;
  temp[2 * thid] = input[base + 2 * thid];
  temp[2 * thid + 1] = input[base + 2 * thid + 1];
  for (unsigned int d = blockDim.x; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      const unsigned int ai = offset * (2 * thid + 1) - 1;
      const unsigned int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0) {
    temp[2 * blockDim.x - 1] = 0;
  }
  for (int d_2 = 1; d_2 < blockDim.x * 2; d_2 *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d_2) {
      const unsigned int ai_2 = offset * (2 * thid + 1) - 1;
      const unsigned int bi_2 = offset * (2 * thid + 2) - 1;
      const int t = temp[ai_2];
      temp[ai_2] = temp[bi_2];
      temp[bi_2] += t;
    }
  }
  __syncthreads();
  output[base + 2 * thid] = temp[2 * thid];
  output[base + 2 * thid + 1] = temp[2 * thid + 1];
}

__device__ __forceinline__ int warpScan(int value, int lane) {
  for (int d = 1; d < 32; d *= 2) {
    const int up = __shfl_up_sync(4294967295u, value, (unsigned int)d, 32);
    if (lane >= d) {
      value += up;
    }
  }
  return value;
}

__global__ void tsScanWarpShuffle(int* input, int* output, int n) {
  __shared__ int sums[32];
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  int value = i < n ? input[i] : 0;
  value = warpScan(value, lane);
  if (lane == 31) {
    sums[warp] = value;
  }
  __syncthreads();
  if (warp == 0) {
    sums[lane] = warpScan(sums[lane], lane);
  }
  __syncthreads();
  if (warp > 0) {
    value += sums[warp - 1];
  }
  if (i < n) {
    output[i] = value;
  }
}

__global__ void tsScanWarpRow(int* input, int* output, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x % 32;
  if (i >= n) {
    return;
  }
  int x = input[i];
  for (int d = 1; d < 32; d <<= 1) {
    const int y = __shfl_up_sync(4294967295u, x, (unsigned int)d, 32);
    if (lane >= d) {
      x += y;
    }
  }
  output[i] = x;
}

__global__ void tsAddBlockSums(int* data, int* sums, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x > 0 && i < n) {
    data[i] += sums[blockIdx.x - 1];
  }
}

__global__ void tsTransposeNaive(float* odata, float* idata, int width, int height) {
  const unsigned int x = blockIdx.x * 32 + threadIdx.x;
  const unsigned int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    odata[x * height + (y + j)] = idata[(y + j) * width + x];
  }
}

__global__ void tsTransposeCoalesced(float* odata, float* idata, int width) {
  __shared__ float tile[1024];
  unsigned int x = blockIdx.x * 32 + threadIdx.x;
  unsigned int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    tile[(threadIdx.y + j) * 32 + threadIdx.x] = idata[(y + j) * width + x];
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j_2 = 0; j_2 < 32; j_2 += 8) {
    odata[(y + j_2) * width + x] = tile[threadIdx.x * 32 + (threadIdx.y + j_2)];
  }
}

__global__ void tsTransposePadded(float* odata, float* idata, int width, int height) {
  __shared__ float tile[1056];
  unsigned int x = blockIdx.x * 32 + threadIdx.x;
  unsigned int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (x < width && y + j < height) {
      tile[(threadIdx.y + j) * 33 + threadIdx.x] = idata[(y + j) * width + x];
    }
  }
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j_2 = 0; j_2 < 32; j_2 += 8) {
    if (x < height && y + j_2 < width) {
      odata[(y + j_2) * height + x] = tile[threadIdx.x * 33 + (threadIdx.y + j_2)];
    }
  }
}

__global__ void tsTransposeSquare32(float* odata, float* idata, int width) {
  __shared__ float tile[1056];
  const unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y * 33 + threadIdx.x] = idata[y * width + x];
  __syncthreads();
  const unsigned int tx = blockIdx.y * blockDim.y + threadIdx.x;
  const unsigned int ty = blockIdx.x * blockDim.x + threadIdx.y;
  odata[ty * width + tx] = tile[threadIdx.x * 33 + threadIdx.y];
}

__global__ void tsCopyMatrix(float* odata, float* idata, int width) {
  const unsigned int x = blockIdx.x * 32 + threadIdx.x;
  const unsigned int y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    odata[(y + j) * width + x] = idata[(y + j) * width + x];
  }
}

__global__ void tsStrideRead(float* input, float* output, int stride, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int j = i * stride % n;
  if (i < n) {
    output[i] = input[j];
  }
}

__global__ void tsStrideAccess(float* a, int s) {
  const unsigned int i = (blockDim.x * blockIdx.x + threadIdx.x) * s;
  a[i] = a[i] + 1.0f;
}

__global__ void tsOffsetAccess(float* a, int s) {
  const unsigned int i = blockDim.x * blockIdx.x + threadIdx.x + s;
  a[i] = a[i] + 1.0f;
}

__global__ void tsStrideSum(int* input, int* output, int stride, int count) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < count; k += 1) {
    sum += input[(i + k * blockDim.x) * stride];
  }
  output[i] = sum;
}

__global__ void tsGather(float* input, int* index, float* output, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    output[i] = input[index[i]];
  }
}

__global__ void tsHistGlobal(unsigned int* data, unsigned int* bins, int n) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&bins[data[i] % 256], 1u);
  }
}

__global__ void tsHistShared(int* data, int* bins, int n) {
  __shared__ int local[256];
  for (unsigned int b = threadIdx.x; b < 256; b += blockDim.x) {
    local[b] = 0;
  }
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&local[data[i] & 255], 1);
  }
  __syncthreads();
  for (unsigned int b_2 = threadIdx.x; b_2 < 256; b_2 += blockDim.x) {
    if (local[b_2] > 0) {
      atomicAdd(&bins[b_2], local[b_2]);
    }
  }
}

__global__ void tsHistPrivate(unsigned int* data, unsigned int* bins, int n, int count) {
  extern __shared__ unsigned int local[];
  for (unsigned int b = threadIdx.x; b < count; b += blockDim.x) {
    local[b] = 0u;
  }
  __syncthreads();
  const unsigned int stride = blockDim.x * gridDim.x;
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const unsigned int value = data[i];
    if (value < count) {
      atomicAdd(&local[value], 1u);
    }
  }
  __syncthreads();
  for (unsigned int b_2 = threadIdx.x; b_2 < count; b_2 += blockDim.x) {
    atomicAdd(&bins[b_2], local[b_2]);
  }
}

__global__ void tsHistWarps(unsigned int* data, unsigned int* bins, int n) {
  __shared__ unsigned int local[2048];
  const unsigned int warp = threadIdx.x >> 5;
  for (unsigned int k = threadIdx.x; k < 2048; k += blockDim.x) {
    local[(k >> 8) * 256 + (k & 255)] = 0u;
  }
  __syncthreads();
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned int word = data[i];
    atomicAdd(&local[warp * 256 + (word & 255)], 1u);
    atomicAdd(&local[warp * 256 + (word >> 8 & 255)], 1u);
    atomicAdd(&local[warp * 256 + (word >> 16 & 255)], 1u);
    atomicAdd(&local[warp * 256 + (word >> 24)], 1u);
  }
  __syncthreads();
  unsigned int sum = 0u;
  for (int w = 0; w < 8; w += 1) {
    sum += local[w * 256 + threadIdx.x];
  }
  atomicAdd(&bins[threadIdx.x], sum);
}

__global__ void tsSaxpyGrid(float* x, float* y, float a, int n) {
  for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    y[i] = a * x[i] + y[i];
  }
}

__global__ void tsMatMulTiled(float* a, float* b, float* c, int n) {
  __shared__ float as[256];
  __shared__ float bs[256];
  const unsigned int row = blockIdx.y * 16 + threadIdx.y;
  const unsigned int col = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int m = 0; m < n / 16; m += 1) {
    as[threadIdx.y * 16 + threadIdx.x] = a[row * n + (m * 16 + threadIdx.x)];
    bs[threadIdx.y * 16 + threadIdx.x] = b[(m * 16 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 16; k += 1) {
      sum += as[threadIdx.y * 16 + k] * bs[k * 16 + threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void tsStencil1d(int* input, int* output) {
  __shared__ int temp[262];
  const unsigned int gindex = threadIdx.x + blockIdx.x * blockDim.x + 3;
  const unsigned int lindex = threadIdx.x + 3;
  temp[lindex] = input[gindex];
  if (threadIdx.x < 3) {
    temp[lindex - 3] = input[gindex - 3];
    temp[lindex + 256] = input[gindex + 256];
  }
  __syncthreads();
  int result = 0;
  for (int offset = -3; offset <= 3; offset += 1) {
    result += temp[lindex + offset];
  }
  output[gindex] = result;
}

__global__ void tsCompactBallot(int* input, int* output, int* counter, int n) {
  const unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned int lane = threadIdx.x & 31;
  const int value = i < n ? input[i] : 0;
  const unsigned int mask = __ballot_sync(4294967295u, value > 500);
  int base = 0;
  if (lane == 0) {
    base = atomicAdd(&counter[0], __popc(mask));
  }
  base = __shfl_sync(4294967295u, base, 0, 32);
  if (value > 500) {
    output[base + __popc(mask & (1 << lane) - 1)] = value;
  }
}

__global__ void tsRowMax(float* input, float* output, int cols) {
  __shared__ float s[256];
  const unsigned int row = blockIdx.x;
  float best = -1.00000002e+30f;
  for (unsigned int c = threadIdx.x; c < cols; c += blockDim.x) {
    best = fmaxf(best, input[row * cols + c]);
  }
  s[threadIdx.x] = best;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k) {
      s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + k]);
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    output[row] = s[0];
  }
}

__global__ void tsColSum(float* input, float* output, int rows, int cols) {
  const unsigned int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols) {
    return;
  }
  float sum = 0.0f;
  for (int r = 0; r < rows; r += 1) {
    sum += input[r * cols + col];
  }
  output[col] = sum;
}

__global__ void tsBankStride(float* output, int stride, int rounds) {
  __shared__ float s[1024];
  const unsigned int t = threadIdx.x;
  for (unsigned int i = t; i < 1024; i += blockDim.x) {
    s[i] = i;
  }
  __syncthreads();
  float sum = 0.0f;
  unsigned int index = t * stride & 1023;
  for (int r = 0; r < rounds; r += 1) {
    sum += s[index];
    index = index + 32 & 1023;
  }
  output[blockIdx.x * blockDim.x + t] = sum;
}

__global__ void tsNormTwoPass(float* input, float* output, int cols) {
  __shared__ float parts[32];
  __shared__ float total[1];
  float sum = 0.0f;
  for (unsigned int c = threadIdx.x; c < cols; c += blockDim.x) {
    const float v = input[blockIdx.x * cols + c];
    sum += v * v;
  }
  sum = warpSum(sum);
  if (threadIdx.x % 32 == 0) {
    parts[threadIdx.x / 32] = sum;
  }
  __syncthreads();
  if (threadIdx.x < 32) {
    float v_2 = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0.0f;
    v_2 = warpSum(v_2);
    if (threadIdx.x == 0) {
      total[0] = sqrtf(v_2);
    }
  }
  __syncthreads();
  for (unsigned int c_2 = threadIdx.x; c_2 < cols; c_2 += blockDim.x) {
    output[blockIdx.x * cols + c_2] = input[blockIdx.x * cols + c_2] / total[0];
  }
}

__global__ void tsLastBlock(float* input, float* partial, float* output, unsigned int* counter, int n) {
  __shared__ float s[256];
  __shared__ int last[1];
  const unsigned int t = threadIdx.x;
  float sum = 0.0f;
  for (unsigned int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
    sum += input[i];
  }
  s[t] = sum;
  __syncthreads();
  for (unsigned int k = blockDim.x >> 1; k > 0; k >>= 1) {
    if (t < k) {
      s[t] += s[t + k];
    }
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last[0] = atomicInc(&counter[0], gridDim.x) == gridDim.x - 1 ? 1 : 0;
  }
  __syncthreads();
  if (last[0] == 1) {
    sum = 0.0f;
    for (unsigned int i_2 = t; i_2 < gridDim.x; i_2 += blockDim.x) {
      sum += partial[i_2];
    }
    s[t] = sum;
    __syncthreads();
    for (unsigned int k_2 = blockDim.x >> 1; k_2 > 0; k_2 >>= 1) {
      if (t < k_2) {
        s[t] += s[t + k_2];
      }
      __syncthreads();
    }
    if (t == 0) {
      output[0] = s[0];
    }
  }
}
