// Do SMs drift apart? Blocks that load at once and then compute for a fixed time, in few and in many rounds: as long as all
// SMs load together and compute together, the memory idles while they compute. Built by: nvcc -O3 -arch=sm_90 h200/micro/set-8.cu
#include <cuda_runtime.h>
#include <cstdio>
#include <algorithm>
typedef unsigned int uint; typedef unsigned long long u64;
template <int L> __global__ void burst(const uint *p, uint *out, int spin, int barriers) {
  extern __shared__ uint s[]; const uint *q = p + (u64)blockIdx.x * blockDim.x * L + threadIdx.x; uint v[L], x = 0;
#pragma unroll
  for (int k = 0; k < L; k++) v[k] = q[k * blockDim.x];
#pragma unroll
  for (int k = 0; k < L; k++) x += v[k];
  __syncthreads();
  if (spin > 0) { long long t = clock64(); while (clock64() - t < spin); }
  for (int i = 0; i < barriers; i++) __syncthreads();
  if (x == 12345) out[threadIdx.x] = x;
}
int main() {
  const u64 bytes = 12ull << 30; uint *p, *out; cudaMalloc(&p, bytes); cudaMalloc(&out, 4096); cudaMemset(p, 0, bytes);
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  cudaFuncSetAttribute(burst<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000); cudaFuncSetAttribute(burst<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000);
  struct { int threads, resident; } c[] = {{256, 8}, {512, 4}, {1024, 2}, {1024, 1}}; u64 at = 0;
  for (int loads : {8, 2}) for (auto k : c) for (int spin : {0, 1000, 2000, 4000}) for (int rounds : {1, 2, 4, 8, 16, 32, 64, 128}) {
    int blocks = 132 * k.resident * rounds; u64 words = (u64)blocks * k.threads * loads; float t[9];
    for (int r = 0; r < 9; r++) {
      if ((at + words) * 4 > bytes) at = 0;
      const uint *q = p + at; at += words;
      cudaMemsetAsync(out, 0, 4096); cudaEventRecord(a);
      if (loads == 8) burst<8><<<blocks, k.threads, k.resident == 1 ? 150000 : 0>>>(q, out, spin, 0); else burst<2><<<blocks, k.threads, k.resident == 1 ? 150000 : 0>>>(q, out, spin, 0);
      cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&t[r], a, b);
    }
    std::sort(t, t + 9);
    printf("{\"micro\":\"burst\",\"threads\":%d,\"resident\":%d,\"loads\":%d,\"spin\":%d,\"rounds\":%d,\"us\":%.2f}\n", k.threads, k.resident, loads, spin, rounds, t[4] * 1000);
  }
  return cudaDeviceSynchronize();
}
