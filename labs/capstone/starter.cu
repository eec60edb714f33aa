/** Capstone: the fastest sum that you can write: where it starts: not yet what is asked for. */
template <int BLOCK = 256, int BLOCKS_PER_SM = 1>
__global__ void answer(const int *input, int *output, unsigned n) {
  unsigned step = blockDim.x * gridDim.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) sum += input[i];
  atomicAdd(output, sum);
}
