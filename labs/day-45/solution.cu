/** Day 45: eight elements, one barrier: one solution. */
__global__ void answer(const int *input, int *output, int n) {
  // BEGIN SOLUTION
  __shared__ int warpSums[32];
  // STARTER
  // END SOLUTION
  int tid = threadIdx.x;
  int width = blockDim.x;
  int first = blockIdx.x * (8 * width) + tid;
  int sum = 0;
  for (int k = 0; k < 8; k++) {
    int i = first + k * width;
    if (i < n) sum += input[i];
  }
  for (int s = 16; s > 0; s >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, s);
  // BEGIN SOLUTION
  if ((tid & 31) == 0) warpSums[tid >> 5] = sum;
  __syncthreads();
  if (tid < 32) {
    sum = tid < width >> 5 ? warpSums[tid] : 0;
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, s);
    if (tid == 0) output[blockIdx.x] = sum;
  }
  // STARTER
  //|  if (tid == 0) output[blockIdx.x] = sum;
  // END SOLUTION
}
