/** Day 39: a nested sum with few launches: where it starts: not yet what is asked for. */
// Adds the blocks' sums.
__global__ void addSums(int *output, int count) {
  int sum = 0;
  for (int k = 0; k < count; k++) sum += output[k];
  output[0] = sum;
}

__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int width = blockDim.x;
  int i = blockIdx.x * width + tid;
  sdata[tid] = i < n ? input[i] : 0;
  __syncthreads();
  for (int s = width >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) {
    output[blockIdx.x] = sdata[0];
    addSums<<<1, 1>>>(output, gridDim.x);
    cudaDeviceSynchronize();
  }
}
