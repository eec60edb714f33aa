/** Day 42: three faults, three metrics: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int width = blockDim.x;
  int first = (blockIdx.x * width + tid) * 8;
  int sum = 0;
  if (tid % 2 == 0) {
    // Even threads add their eight elements from the first on.
    for (int k = 0; k < 8; k++) {
      if (first + k < n) sum += input[first + k];
    }
  } else {
    // Odd threads add theirs from the last on.
    for (int k = 7; k >= 0; k--) {
      if (first + k < n) sum += input[first + k];
    }
  }
  sdata[tid] = sum;
  __syncthreads();
  for (int s = 1; s < width; s *= 2) {
    int at = 2 * s * tid;
    if (at < width) sdata[at] += sdata[at + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
