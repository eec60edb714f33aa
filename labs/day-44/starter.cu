/** Day 44: four blocks of data, every size: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int width = blockDim.x;
  int i = blockIdx.x * (4 * width) + tid;
  int sum = 0;
  if (i + 3 * width < n) {
    sum = input[i] + input[i + width] + input[i + 2 * width] + input[i + 3 * width];
  }
  sdata[tid] = sum;
  __syncthreads();
  for (int s = width >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
