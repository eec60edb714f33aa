/** Day 40: no SM idles: one solution. */
// BEGIN SOLUTION
// 560 is 7 x 80 and 40 x 14: each SM of both GPUs gets the same number of blocks.
template <int BLOCKS = 560>
// STARTER
//|template <int BLOCKS = 100>
// END SOLUTION
__global__ void answer(const int *input, int *output, int n) {
  extern __shared__ int sdata[];
  int tid = threadIdx.x;
  // BEGIN SOLUTION
  int step = blockDim.x * gridDim.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + tid; i < n; i += step) sum += input[i];
  // STARTER
  //|  int sum = 0;
  //|  // A block takes pieces of 8192 elements, as many pieces as there are.
  //|  for (int first = blockIdx.x * 8192; first < n; first += (int)gridDim.x * 8192) {
  //|    for (int k = tid; k < 8192; k += (int)blockDim.x) {
  //|      if (first + k < n) sum += input[first + k];
  //|    }
  //|  }
  // END SOLUTION
  sdata[tid] = sum;
  __syncthreads();
  for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
    if (tid < s) sdata[tid] += sdata[tid + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
