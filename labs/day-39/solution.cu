/** Day 39: a nested sum with few launches: one solution. */
// BEGIN SOLUTION
// STARTER
//|// Adds the blocks' sums.
//|__global__ void addSums(int *output, int count) {
//|  int sum = 0;
//|  for (int k = 0; k < count; k++) sum += output[k];
//|  output[0] = sum;
//|}
//|
// END SOLUTION
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  int width = blockDim.x;
  // BEGIN SOLUTION
  int blocks = gridDim.x;
  int first = blockIdx.x * width + tid;
  int sum = 0;
  for (int i = first; i < n; i += blocks * width) sum += input[i];
  sdata[tid] = sum;
  // STARTER
  //|  int i = blockIdx.x * width + tid;
  //|  sdata[tid] = i < n ? input[i] : 0;
  // END SOLUTION
  __syncthreads();
  for (int s = width >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  // BEGIN SOLUTION
  if (tid == 0) output[blockIdx.x] = sdata[0];
  if (first == 0 && blocks > 1) {
    answer<<<1, width, 4 * width, cudaStreamTailLaunch>>>(output, output, blocks);
    // STARTER
    //|  if (tid == 0) {
    //|    output[blockIdx.x] = sdata[0];
    //|    addSums<<<1, 1>>>(output, gridDim.x);
    //|    cudaDeviceSynchronize();
    // END SOLUTION
  }
}
