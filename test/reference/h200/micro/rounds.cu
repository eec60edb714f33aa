// A loop of K multiply-adds on eight values, a counter, a test and a branch back, of 1 to 8 warps a scheduler; `test`: a second test that leaves it
// never. Cycles from the block's first clock to its last, a round and warp of a scheduler. Build: nvcc -O3 -arch=sm_90 h200/micro/rounds.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
template <int K, int TEST> __global__ void rounds(float *o, int most, float factor, long long *t) {
  float v[8];
  for (int k = 0; k < 8; k++) v[k] = threadIdx.x + k;
  __syncthreads();
  long long begin = clock64();
#pragma unroll 1
  for (int n = 0; n < most; n++) {
#pragma unroll
    for (int k = 0; k < K; k++) v[k % 8] = v[k % 8] * factor + 0.5f;
    if (TEST && v[0] > 1e30f) break;
  }
  long long end = clock64();
  float s = 0;
  for (int k = 0; k < 8; k++) s += v[k];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
  if (threadIdx.x % 32 == 0) { int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32; t[2 * w] = begin; t[2 * w + 1] = end; }
}
long long h[2 * 32 * 132];
template <int K, int TEST> void run(float *o, long long *t) {
  const int N = 4000;
  for (int warps : {4, 8, 16, 32}) {
    for (int r = 0; r < 2; r++) rounds<K, TEST><<<132, warps * 32>>>(o, N, 0.999f, t);
    CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, t, 132 * warps * 16, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int b = 0; b < 132; b++) {
      long long first = h[2 * b * warps], last = 0;
      for (int w = 0; w < warps; w++) { first = std::min(first, h[2 * (b * warps + w)]); last = std::max(last, h[2 * (b * warps + w) + 1]); }
      sum += last - first;
    }
    printf("{\"multiplyAdds\":%d,\"test\":%d,\"warpsPerSM\":%d,\"cycles\":%.3f}\n", K, TEST, warps, sum / 132 / N / (warps / 4.0));
  }
}
int main() {
  float *o; long long *t; CK(cudaMalloc(&o, 4 << 20)); CK(cudaMalloc(&t, sizeof h));
  run<2, 0>(o, t); run<4, 0>(o, t); run<5, 0>(o, t); run<6, 0>(o, t); run<7, 0>(o, t); run<8, 0>(o, t); run<12, 0>(o, t); run<16, 0>(o, t); run<32, 0>(o, t); run<64, 0>(o, t);
  run<4, 1>(o, t); run<8, 1>(o, t); run<16, 1>(o, t); run<32, 1>(o, t);
}
