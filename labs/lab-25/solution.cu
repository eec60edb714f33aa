/** Lab 25: the interleaved sum, without bank conflicts: one solution. */
__global__ void answer(const int *input, int *output) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  // BEGIN SOLUTION
  // Element i lives at place i + i / 32: every row of 32 begins one bank further on.
  sdata[tid + (tid >> 5)] = input[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    unsigned left = 2 * s * tid;
    if (left < blockDim.x) {
      unsigned right = left + s;
      sdata[left + (left >> 5)] += sdata[right + (right >> 5)];
    }
    // STARTER
    //|  sdata[tid] = input[blockIdx.x * blockDim.x + tid];
    //|  __syncthreads();
    //|  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    //|    unsigned index = 2 * s * tid;
    //|    if (index < blockDim.x) sdata[index] += sdata[index + s];
    // END SOLUTION
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
