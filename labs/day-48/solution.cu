/** Day 48: sixteen counters, no local memory: one solution. */
__global__ void answer(const int *input, int *output, unsigned n) {
  unsigned tid = threadIdx.x;
  unsigned step = blockDim.x * gridDim.x;
  // BEGIN SOLUTION
  // Each warp has sixteen counters of its own, so that fewer lanes meet at one place.
  __shared__ int counts[32 * 16];
  for (unsigned c = tid; c < 32 * 16; c += blockDim.x) counts[c] = 0;
  __syncthreads();
  unsigned own = (tid >> 5) * 16;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += step) {
    atomicAdd(&counts[own + (input[i] & 15)], 1);
  }
  __syncthreads();
  if (tid < 16) {
    int all = 0;
    for (int warp = 0; warp < 32; warp++) all += counts[warp * 16 + tid];
    atomicAdd(&output[tid], all);
  }
  // STARTER
  //|  // The index of a counter comes from the data: no register has a number that the data choose.
  //|  int counts[16];
  //|  for (int b = 0; b < 16; b++) counts[b] = 0;
  //|  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += step) {
  //|    counts[input[i] & 15] += 1;
  //|  }
  //|  for (int b = 0; b < 16; b++) atomicAdd(&output[b], counts[b]);
  // END SOLUTION
}
