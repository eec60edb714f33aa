// Sums of a warp under wrong masks, each run alone and under each tool of compute-sanitizer: ./a.out NUMBER; rows in faults.json.
#include <cstdio>
#include <cstdlib>
__global__ void tooMany(int* input, int* output, int n) {
  const int lane = threadIdx.x;
  if (lane < n) {
    int sum = input[lane];
    for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffffffff, sum, s);
    if (lane == 0) output[0] = sum;
  }
}
__global__ void tooFew(int* input, int* output, int n) {
  const int lane = threadIdx.x;
  int sum = lane < n ? input[lane] : 0;
  for (int s = 16; s > 0; s >>= 1) sum += __shfl_down_sync(0xffff, sum, s);
  if (lane == 0) output[0] = sum;
}
__global__ void whoIsHere(int* input, int* output, int n) {
  const int lane = threadIdx.x;
  if (lane < n) {
    const unsigned mask = __activemask();
    int sum = input[lane];
    for (int s = 16; s > 0; s >>= 1) {
      const int other = __shfl_down_sync(mask, sum, s);
      if (lane + s < n) sum += other;
    }
    if (lane == 0) output[0] = sum;
  }
}
int main(int c, char** v) {
  void (*f[])(int*, int*, int) = {tooMany, tooFew, whoIsHere};
  int *a, *b, h[20];
  for (int& x : h) x = 1;
  cudaMalloc(&a, 80);
  cudaMalloc(&b, 4);
  cudaMemcpy(a, h, 80, cudaMemcpyHostToDevice);
  f[atoi(v[1])]<<<1, 32>>>(a, b, 20);
  puts(cudaGetErrorString(cudaDeviceSynchronize()));
  cudaMemcpy(h, b, 4, cudaMemcpyDeviceToHost);
  printf("%d\n", h[0]);
}
