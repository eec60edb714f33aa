/** Lab 25: the interleaved sum, without bank conflicts: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  sdata[tid] = input[blockIdx.x * blockDim.x + tid];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    unsigned index = 2 * s * tid;
    if (index < blockDim.x) sdata[index] += sdata[index + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
