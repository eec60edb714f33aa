/** Lab 29: a template without a bug and without a loop: where it starts: not yet what is asked for. */
template <int BLOCK>
__global__ void answer(const int *input, int *output) {
  __shared__ int sdata[BLOCK];
  unsigned tid = threadIdx.x;
  unsigned i = blockIdx.x * (BLOCK * 2) + tid;
  sdata[tid] = input[i] + input[i + BLOCK];
  __syncthreads();
  if (BLOCK == 1024 && tid < 512) sdata[tid] += sdata[tid + 512];
  __syncthreads();
  if (BLOCK == 512 && tid < 256) sdata[tid] += sdata[tid + 256];
  __syncthreads();
  if (BLOCK == 256 && tid < 128) sdata[tid] += sdata[tid + 128];
  __syncthreads();
  if (BLOCK == 128 && tid < 64) sdata[tid] += sdata[tid + 64];
  __syncthreads();
  if (tid < 32) {
    volatile int *places = sdata;
    places[tid] += places[tid + 32];
    places[tid] += places[tid + 16];
    places[tid] += places[tid + 8];
    places[tid] += places[tid + 4];
    places[tid] += places[tid + 2];
    places[tid] += places[tid + 1];
  }
  if (tid == 0) output[blockIdx.x] = sdata[0];
}
