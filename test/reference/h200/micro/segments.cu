// Counters that neighbouring warps or blocks add to, one for each 2^a threads: what the adds take beside loads (b = 1) and without (0). Timed as
// h200/measure.cu times kernels (-DKERNELS, -DLAUNCHES), with its arrays I, O or F, H; the launches are the rows of h200/micro/segments.json.
#define FULL 0xffffffff
__global__ void warpAdds(const int *in, int *sums, int a, int b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = b ? in[i] : i;
  v = __reduce_add_sync(FULL, v);
  if ((threadIdx.x & 31) == 0) atomicAdd(&sums[i >> a], v);
}
__global__ void warpAddsFloat(const float *in, float *sums, int a, int b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = b ? in[i] : 1.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if ((threadIdx.x & 31) == 0) atomicAdd(&sums[i >> a], v);
}
__global__ void blockAdds(const int *in, int *sums, int a, int b) {
  __shared__ int part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = b ? in[i] : i;
  v = __reduce_add_sync(FULL, v);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    v = __reduce_add_sync(FULL, v);
    if (threadIdx.x == 0) atomicAdd(&sums[i >> a], v);
  }
}
__global__ void blockAddsFloat(const float *in, float *sums, int a, int b) {
  __shared__ float part[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = b ? in[i] : 1.0f;
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  if ((threadIdx.x & 31) == 0) part[threadIdx.x >> 5] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0.0f;
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(FULL, v, d);
    if (threadIdx.x == 0) atomicAdd(&sums[i >> a], v);
  }
}
