/** Day 38: agree by warps: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  int first = blockIdx.x * blockDim.x * 8;
  int pair = (tid >> 1) * 8;
  int sum = 0;
  if (tid % 2 == 0) {
    // Even threads add up the block's first half.
    for (int k = 0; k < 8; k++) {
      int i = first + pair + k;
      if (i < n) sum += input[i];
    }
  } else {
    // Odd threads add up its second half.
    for (int k = 0; k < 8; k++) {
      int i = first + (int)blockDim.x * 4 + pair + k;
      if (i < n) sum += input[i];
    }
  }
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
