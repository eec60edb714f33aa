/** Day 37: a block of any size by shuffles: one solution. */
// BEGIN SOLUTION
// The sum of a warp's first lanes, in lane 0.
__device__ int lanesSum(int value, int lanes) {
  int lane = threadIdx.x & 31;
  unsigned mask = lanes >= 32 ? 0xffffffff : (1u << lanes) - 1;
  for (int offset = 16; offset > 0; offset >>= 1) {
    int other = __shfl_down_sync(mask, value, offset);
    if (lane + offset < lanes) value += other;
  }
  return value;
}

// STARTER
// END SOLUTION
__global__ void answer(const int *input, int *output, int n) {
  __shared__ int warpSums[32];
  // BEGIN SOLUTION
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  int lanes = min(32, (int)blockDim.x - (tid & ~31));
  int sum = lanesSum(i < n ? input[i] : 0, lanes);
  if ((tid & 31) == 0) warpSums[tid >> 5] = sum;
  __syncthreads();
  if (tid < 32) {
    sum = lanesSum(tid < (int)(blockDim.x + 31) >> 5 ? warpSums[tid] : 0, 32);
    if (tid == 0) output[blockIdx.x] = sum;
  }
  // STARTER
  //|  unsigned tid = threadIdx.x;
  //|  int i = blockIdx.x * blockDim.x + tid;
  //|  int sum = i < n ? input[i] : 0;
  //|  // Right for whole warps only: a block of 100 threads has four lanes in its last warp.
  //|  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
  //|  if ((tid & 31) == 0) warpSums[tid >> 5] = sum;
  //|  __syncthreads();
  //|  // Now one warp has to add the warps' sums.
  //|  if (tid == 0) output[blockIdx.x] = warpSums[0];
  // END SOLUTION
}
