/** Day 43: the improved kernel, right for every size: one solution. */
// BEGIN SOLUTION
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int i = blockDim.x * blockIdx.x + tid;
  sdata[tid] = i < n ? input[i] : 0;
  __syncthreads();
  for (int offset = 1; offset < (int)blockDim.x; offset *= 2) {
    int index = 2 * offset * tid;
    if (index < (int)blockDim.x) sdata[index] += sdata[index + offset];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
  // STARTER
  //|__global__ void answer(int *input, int *output, int n) {
  //|  int tid = threadIdx.x;
  //|  int *data = input + blockDim.x * blockIdx.x;
  //|  if ((int)(blockDim.x * blockIdx.x) + tid >= n) return;
  //|  for (int offset = 1; offset < (int)blockDim.x; offset *= 2) {
  //|    int index = 2 * offset * tid;
  //|    if (index < (int)blockDim.x) data[index] += data[index + offset];
  //|    __syncthreads();
  //|  }
  //|  if (tid == 0) output[blockIdx.x] = data[0];
  // END SOLUTION
}
