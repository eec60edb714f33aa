/** Day 43: the improved kernel, right for every size: where it starts: not yet what is asked for. */
__global__ void answer(int *input, int *output, int n) {
  int tid = threadIdx.x;
  int *data = input + blockDim.x * blockIdx.x;
  if ((int)(blockDim.x * blockIdx.x) + tid >= n) return;
  for (int offset = 1; offset < (int)blockDim.x; offset *= 2) {
    int index = 2 * offset * tid;
    if (index < (int)blockDim.x) data[index] += data[index + offset];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = data[0];
}
