/** Day 45: eight elements, one barrier: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  int tid = threadIdx.x;
  int width = blockDim.x;
  int first = blockIdx.x * (8 * width) + tid;
  int sum = 0;
  for (int k = 0; k < 8; k++) {
    int i = first + k * width;
    if (i < n) sum += input[i];
  }
  for (int s = 16; s > 0; s >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, s);
  if (tid == 0) output[blockIdx.x] = sum;
}
