/** Lab 30: four loads in flight: one solution. */
__global__ void answer(const int *input, int *output, unsigned n) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  unsigned step = blockDim.x * gridDim.x;
  // BEGIN SOLUTION
  unsigned i = blockIdx.x * blockDim.x + tid;
  int sum = 0;
  for (; i + 3 * step < n; i += 4 * step) {
    sum += input[i] + input[i + step] + input[i + 2 * step] + input[i + 3 * step];
  }
  for (; i < n; i += step) sum += input[i];
  // STARTER
  //|  int sum = 0;
  //|  for (unsigned i = blockIdx.x * blockDim.x + tid; i < n; i += step) sum += input[i];
  // END SOLUTION
  sdata[tid] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    int total = sdata[tid] + sdata[tid + 32];
    for (int s = 16; s > 0; s >>= 1) total += __shfl_down_sync(0xffffffff, total, s);
    if (tid == 0) output[blockIdx.x] = total;
  }
}
