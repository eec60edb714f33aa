// What a host's clock shows around one launch and the wait for its end: empty kernels of one block, and of the grids that the
// published reductions have. nvcc -O3 -arch=sm_90 h200-host-timer.cu -o timer && ./timer
#include <chrono>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <cuda_runtime.h>
__global__ void empty(int *p) { if (p) *p = 1; }
int main() {
  int *d; size_t bytes = 64 << 20; cudaMalloc(&d, bytes); std::vector<int> h(bytes / 4, 1);
  for (int copied : {0, 1}) for (int blocks : {1, 4096, 32768}) for (int first : {1, 0}) {
    std::vector<double> host, event;
    for (int r = 0; r < 41; r++) {
      if (copied) cudaMemcpy(d, h.data(), bytes, cudaMemcpyHostToDevice);
      cudaDeviceSynchronize();
      if (first == 0) { empty<<<1, 32>>>(nullptr); cudaDeviceSynchronize(); }
      auto t0 = std::chrono::steady_clock::now();
      empty<<<blocks, 512>>>(nullptr); cudaDeviceSynchronize();
      auto t1 = std::chrono::steady_clock::now();
      host.push_back(std::chrono::duration<double, std::micro>(t1 - t0).count());
      cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a); empty<<<blocks, 512>>>(nullptr); cudaEventRecord(b); cudaEventSynchronize(b);
      float ms; cudaEventElapsedTime(&ms, a, b); event.push_back(ms * 1e3); cudaEventDestroy(a); cudaEventDestroy(b);
    }
    std::sort(host.begin(), host.end()); std::sort(event.begin(), event.end());
    printf("{\"blocks\": %d, \"threads\": 512, \"afterCopy\": %s, \"launchBefore\": %s, \"hostMicroseconds\": {\"min\": %.2f, \"median\": %.2f, \"max\": %.2f}, \"eventMicroseconds\": {\"min\": %.2f, \"median\": %.2f}}\n",
           blocks, copied ? "true" : "false", first == 0 ? "true" : "false", host[0], host[20], host[40], event[0], event[20]);
  }
}
