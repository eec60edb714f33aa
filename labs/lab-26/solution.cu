/** Lab 26: sequential addressing for any block: one solution. */
__global__ void answer(const int *input, int *output) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  sdata[tid] = input[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  // BEGIN SOLUTION
  // `left` places still hold a sum; the upper half of them, rounded down, is added to the lower.
  unsigned left = blockDim.x;
  while (left > 1) {
    unsigned half = (left + 1) >> 1;
    if (tid + half < left) sdata[tid] += sdata[tid + half];
    __syncthreads();
    left = half;
    // STARTER
    //|  for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1) {
    //|    if (tid < s) sdata[tid] += sdata[tid + s];
    //|    __syncthreads();
    // END SOLUTION
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
