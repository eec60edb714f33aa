/** Day 48: sixteen counters, no local memory: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, unsigned n) {
  unsigned tid = threadIdx.x;
  unsigned step = blockDim.x * gridDim.x;
  // The index of a counter comes from the data: no register has a number that the data choose.
  int counts[16];
  for (int b = 0; b < 16; b++) counts[b] = 0;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += step) {
    counts[input[i] & 15] += 1;
  }
  for (int b = 0; b < 16; b++) atomicAdd(&output[b], counts[b]);
}
