/** Day 37: a block of any size by shuffles: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  __shared__ int warpSums[32];
  unsigned tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + tid;
  int sum = i < n ? input[i] : 0;
  // Right for whole warps only: a block of 100 threads has four lanes in its last warp.
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if ((tid & 31) == 0) warpSums[tid >> 5] = sum;
  __syncthreads();
  // Now one warp has to add the warps' sums.
  if (tid == 0) output[blockIdx.x] = warpSums[0];
}
