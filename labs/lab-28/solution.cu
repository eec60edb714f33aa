/** Lab 28: the last warp in registers: one solution. */
__global__ void answer(const int *input, int *output) {
  extern __shared__ int sdata[];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (blockDim.x * 2) + tid;
  sdata[tid] = input[i] + input[i + blockDim.x];
  __syncthreads();
  for (unsigned s = blockDim.x >> 1; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    // BEGIN SOLUTION
    int sum = sdata[tid] + sdata[tid + 32];
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (tid == 0) output[blockIdx.x] = sum;
  }
  // STARTER
  //|    int sum = sdata[tid];
  //|    for (int s = 32; s > 0; s >>= 1) {
  //|      sum += sdata[tid + s];
  //|      __syncwarp();
  //|      sdata[tid] = sum;
  //|      __syncwarp();
  //|    }
  //|  }
  //|  if (tid == 0) output[blockIdx.x] = sdata[0];
  // END SOLUTION
}
