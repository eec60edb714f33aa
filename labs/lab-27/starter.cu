/** Lab 27: four elements on the way in: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (blockDim.x * 4) + tid;
  int sum = input[i] + input[i + blockDim.x];
  if (i + 2 * blockDim.x < n) sum += input[i + 2 * blockDim.x];
  if (i + 3 * blockDim.x < n) sum += input[i + 3 * blockDim.x];
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
