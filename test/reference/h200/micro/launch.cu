// Whole launches, short ones above all: one element a thread, and loops of as many warps as an SM holds. Each launch stands
// behind a spin of 30 us, so that the host is out of the way, and either repeats itself (data in L2) or follows 512 MiB
// written (`cold`). Medians of 21. Build: nvcc -O3 -arch=sm_90 h200/micro/launch.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
#define K extern "C" __global__ void
K nothing(const float *x, float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) z[i] = 1.0f;
}
K readEach(const float *x, float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    if (v == 123.5f) z[i] = v;
  }
}
K writeEach(const float *x, float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 1.0f;
}
K copyEach(const float *x, float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i];
}
K axpyEach(const float *x, float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.5f * x[i] + y[i];
}
K triadEach(const float *x, float *y, float *z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = 2.5f * x[i] + y[i];
}
K sumLoop(const float *x, float *y, float *z, int n) {
  float s = 0;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += x[i];
  if (s == 123.5f) z[0] = s;
}
K copyLoop(const float *x, float *y, float *z, int n) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) z[i] = x[i];
}
K chaseLoop(const int *x, float *y, float *z, int n) {
  unsigned lane = threadIdx.x & 31, line = ((blockIdx.x * blockDim.x + threadIdx.x) / 32) & (n - 1);
#pragma unroll 1
  for (int r = 0; r < 2000; r++) {
    int v = x[line * 32 + lane];
    line = (line + 1056 + v) & (n - 1);
  }
  if (line == 0xffffffff) z[0] = 1.0f;
}
// BEGIN MEASURING
__global__ void spin(long long n) { long long t = clock64(); while (clock64() - t < n); }
__global__ void empty() {}
float *x, *y, *z; char *flush;
int main() {
  const size_t N = 1 << 25; cudaEvent_t a, b;
  CK(cudaMalloc(&x, N * 4)); CK(cudaMalloc(&y, N * 4)); CK(cudaMalloc(&z, N * 4)); CK(cudaMalloc(&flush, 512u << 20));
  CK(cudaMemset(x, 0, N * 4)); CK(cudaMemset(y, 0, N * 4)); CK(cudaMemset(z, 0, N * 4)); CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
  auto us = [&](std::function<void()> run, bool cold) {
    std::vector<float> t;
    for (int r = 0; r < 23; r++) {
      if (cold) CK(cudaMemsetAsync(flush, r, 512u << 20)); else spin<<<1, 32>>>(60000);
      CK(cudaEventRecord(a)); run(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b));
      float ms; CK(cudaEventElapsedTime(&ms, a, b)); if (r > 1) t.push_back(ms * 1000);
    }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[10];
  };
  printf("{\"kernel\":\"empty\",\"repeatedUs\":%.2f,\"coldUs\":%.2f},\n", us([] { empty<<<1, 32>>>(); }, false), us([] { empty<<<1, 32>>>(); }, true));
  typedef void (*F)(const float *, float *, float *, int);
  auto show = [&](const char *name, F f, int grid, int block, int n) {
    printf("{\"kernel\":\"%s\",\"grid\":%d,\"block\":%d,\"n\":%d,\"repeatedUs\":%.2f,\"coldUs\":%.2f},\n", name, grid, block, n,
      us([=] { f<<<grid, block>>>(x, y, z, n); }, false), us([=] { f<<<grid, block>>>(x, y, z, n); }, true)); fflush(stdout);
  };
#define EACH(k) for (int block : {64, 128, 256, 512, 1024}) for (int n : {1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 23}) if (n / block <= 65536) show(#k, k, n / block, block, n);
  EACH(nothing) EACH(readEach) EACH(writeEach) EACH(copyEach) EACH(axpyEach) EACH(triadEach)
#define LOOP(k, ...) for (int n : {__VA_ARGS__}) for (int warps : {1, 8, 16, 32, 64}) show(#k, k, 132 * (warps > 32 ? warps / 32 : warps > 8 ? warps / 8 : 1), warps > 32 ? 1024 : warps > 8 ? 256 : warps * 32, n);
  LOOP(sumLoop, 1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 23) LOOP(copyLoop, 1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 23) LOOP((F)chaseLoop, 1 << 13, 1 << 17)
  return 0;
}
