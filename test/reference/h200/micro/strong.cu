// Volatile loads behind stores to their line, as the last warp of a reduction in place has them, on lines that change: each warp
// takes `rounds` pieces of 512 bytes one after the other, all warps' pieces apart, and makes `steps` steps of load, add and store on each.
// One line a launch; us of the whole launch behind a launch like it.
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
// KIND 0: g[lane] += g[lane + 16]; 1: one sector, g[lane] += 1 of 8 lanes; 2: g[lane] = g[lane + 32] + 1, no load behind a store to its line;
// 3: as 0 by plain loads and stores; 4: as 0 by volatile loads and plain stores
template <int KIND> __global__ void pieces(int *o, int rounds, int steps, int spread) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, warps = (gridDim.x * blockDim.x) >> 5;
  for (int r = 0; r < rounds; r++) {
    int *p = o + (size_t)((r % spread) * warps + w) * 128;
    volatile int *g = p;
#pragma unroll 1
    for (int s = 0; s < steps; s++) {
      if (KIND == 0) g[lane] += g[lane + 16];
      if (KIND == 1 && lane < 8) g[lane] += 1;
      if (KIND == 2) g[lane] = g[lane + 32] + 1;
      if (KIND == 3) { p[lane] += p[lane + 16]; asm volatile("" ::: "memory"); }
      if (KIND == 4) p[lane] = g[lane] + g[lane + 16];
    }
  }
}
template <int K> void go(int *o, const char *name) {
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
  for (int sms : {66, 132}) for (int warps : {4, 8, 16, 32, 64}) for (int steps : {1, 2, 4, 8}) {
    int block = 32 * std::min(warps, 32), grid = sms * (warps / std::min(warps, 32));
    int spread = std::max(1, (16 << 20) / (sms * warps * 512));
    float us[2];
    for (int k = 0; k < 2; k++) {
      std::vector<float> t;
      for (int i = 0; i < 5; i++) { cudaEventRecord(a); pieces<K><<<grid, block>>>(o, k ? 192 : 64, steps, spread); cudaEventRecord(b); cudaEventSynchronize(b); float m; cudaEventElapsedTime(&m, a, b); t.push_back(m * 1000); }
      std::sort(t.begin(), t.end()); us[k] = t[2];
    }
    printf("{\"micro\":\"%s\",\"sms\":%d,\"warpsPerSm\":%d,\"steps\":%d,\"cyclesPerPiece\":%.1f},\n", name, sms, warps, steps, (us[1] - us[0]) * 1980 / 128);
  }
}
int main() {
  int *o; cudaMalloc(&o, 256 << 20); cudaMemset(o, 0, 256 << 20);
  go<0>(o, "pieceBoth"); go<1>(o, "pieceEight"); go<2>(o, "pieceNext"); go<3>(o, "piecePlain"); go<4>(o, "piecePlainStore");
  fprintf(stderr, "%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
