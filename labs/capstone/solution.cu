/** Capstone: the fastest sum that you can write: one solution. */
// BEGIN SOLUTION
// Eight blocks of 256 threads are all that an SM holds.
template <int BLOCK = 256, int BLOCKS_PER_SM = 8>
// STARTER
//|template <int BLOCK = 256, int BLOCKS_PER_SM = 1>
// END SOLUTION
__global__ void answer(const int *input, int *output, unsigned n) {
  // BEGIN SOLUTION
  __shared__ int warpSums[BLOCK / 32];
  const int4 *fours = (const int4 *)input;
  unsigned tid = threadIdx.x;
  unsigned count = n >> 2;
  unsigned step = blockDim.x * gridDim.x;
  unsigned first = blockIdx.x * blockDim.x + tid;
  int sum = 0;
  unsigned i = first;
  // Two vectors are in flight at a time.
  for (; i + step < count; i += 2 * step) {
    int4 a = fours[i];
    int4 b = fours[i + step];
    sum += a.x + a.y + (a.z + a.w) + (b.x + b.y + (b.z + b.w));
  }
  if (i < count) {
    int4 a = fours[i];
    sum += a.x + a.y + (a.z + a.w);
  }
  // Up to three elements are in no vector.
  if (4 * count + first < n) sum += input[4 * count + first];
  for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s);
  if ((tid & 31) == 0) warpSums[tid >> 5] = sum;
  __syncthreads();
  if (tid < 32) {
    int total = tid < BLOCK / 32 ? warpSums[tid] : 0;
    for (int s = 16; s > 0; s >>= 1) total += __shfl_down_sync(0xffffffff, total, s);
    if (tid == 0) atomicAdd(output, total);
  }
  // STARTER
  //|  unsigned step = blockDim.x * gridDim.x;
  //|  int sum = 0;
  //|  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) sum += input[i];
  //|  atomicAdd(output, sum);
  // END SOLUTION
}
