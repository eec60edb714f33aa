/** Day 46: four faults: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int width = blockDim.x;
  int i = blockIdx.x * (2 * width) + tid;
  if (i < n) sdata[tid] = input[i] + input[i + width];
  __syncthreads();
  for (int s = width >> 1; s >= 32; s >>= 1) {
    if (tid < s) {
      sdata[tid] += sdata[tid + s];
      __syncthreads();
    }
  }
  if (tid < 32) {
    volatile int *last = sdata;
    last[tid] += last[tid + 16];
    last[tid] += last[tid + 8];
    last[tid] += last[tid + 4];
    last[tid] += last[tid + 2];
    last[tid] += last[tid + 1];
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
