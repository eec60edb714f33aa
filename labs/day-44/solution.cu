/** Day 44: four blocks of data, every size: one solution. */
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int width = blockDim.x;
  int i = blockIdx.x * (4 * width) + tid;
  int sum = 0;
  // BEGIN SOLUTION
  if (i < n) sum = input[i];
  if (i + width < n) sum += input[i + width];
  if (i + 2 * width < n) sum += input[i + 2 * width];
  if (i + 3 * width < n) sum += input[i + 3 * width];
  sdata[tid] = sum;
  __syncthreads();
  for (int s = width >> 1; s > 32; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid < 32) {
    sum = sdata[tid] + sdata[tid + 32];
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (tid == 0) output[blockIdx.x] = sum;
  }
  // STARTER
  //|  if (i + 3 * width < n) {
  //|    sum = input[i] + input[i + width] + input[i + 2 * width] + input[i + 3 * width];
  //|  }
  //|  sdata[tid] = sum;
  //|  __syncthreads();
  //|  for (int s = width >> 1; s > 0; s >>= 1) {
  //|    if (tid < s) sdata[tid] += sdata[tid + s];
  //|    __syncthreads();
  //|  }
  //|  if (tid == 0) output[blockIdx.x] = sdata[0];
  // END SOLUTION
}
