/** Day 47: the last block adds: where it starts: not yet what is asked for. */

/** The sum of a block's values, in its first warp. */
__device__ int addUp(int value) {
  __shared__ int warpSums[32];
  unsigned tid = threadIdx.x;
  for (int s = 16; s > 0; s >>= 1) value += __shfl_xor_sync(0xffffffff, value, s);
  if ((tid & 31) == 0) warpSums[tid >> 5] = value;
  __syncthreads();
  if (tid < 32) {
    value = tid < blockDim.x >> 5 ? warpSums[tid] : 0;
    for (int s = 16; s > 0; s >>= 1) value += __shfl_xor_sync(0xffffffff, value, s);
  }
  return value;
}

__global__ void answer(const int *input, int *output, unsigned n) {
  unsigned tid = threadIdx.x;
  unsigned step = blockDim.x * gridDim.x;
  int sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += step) sum += input[i];
  sum = addUp(sum);
  // Each block's sum is there. Nobody knows which block is the last one.
  if (tid == 0) output[blockIdx.x] = sum;
}
