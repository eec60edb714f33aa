/** Day 41: fill the SM: where it starts: not yet what is asked for. */
__global__ void answer(const int *input, int *output, int n) {
  __shared__ int tile[8192];
  unsigned tid = threadIdx.x;
  int start = blockIdx.x * blockDim.x * 8 + tid;
  for (int k = 0; k < 8; k++) {
    int i = start + k * (int)blockDim.x;
    tile[tid + k * (int)blockDim.x] = i < n ? input[i] : 0;
  }
  __syncthreads();
  for (unsigned s = blockDim.x * 4; s > 0; s >>= 1) {
    for (unsigned j = tid; j < s; j += blockDim.x) tile[j] += tile[j + s];
    __syncthreads();
  }
  if (tid == 0) output[blockIdx.x] = tile[0];
}
