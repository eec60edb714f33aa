// Microbenchmarks of short loops of one mix of instructions each, with 1 to 64 warps an SM: cycles an iteration.
// The kernels are plain CUDA C++, so that the very text can be lowered and timed by the simulator.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#define K extern "C" __global__ void
// begin kernels
K mixUmod(unsigned int *p, unsigned int n, unsigned int m) {
  unsigned int x = threadIdx.x + m, d = n;
  for (unsigned int i = 0; i < m; i++) { x = (x + 1000003u) % d + i; d += 2u; }
  p[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
K mixAlu(unsigned int *p, unsigned int n, unsigned int m) {
  unsigned int x = threadIdx.x + m, y = n;
  for (unsigned int i = 0; i < m; i++) { x = (x ^ y) + (x >> 3); y = (y ^ (x << 5)) + 7u; if (x > y) x = x - y; }
  p[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
}
K mixFma(float *p, unsigned int n, unsigned int m) {
  float x = threadIdx.x, y = n, z = m, w = x + y;
  for (unsigned int i = 0; i < m; i++) { x = x * 0.5f + y; y = y * 0.25f + z; z = z * 0.125f + w; w = w * 0.5f + x; }
  p[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + w;
}
K mixShuffle(int *p, unsigned int n, unsigned int m) {
  int x = threadIdx.x + n;
  for (unsigned int i = 0; i < m; i++) { x += __shfl_xor_sync(0xffffffff, x, 16); x += __shfl_xor_sync(0xffffffff, x, 1); }
  p[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
K mixShared(int *p, unsigned int n, unsigned int m) {
  __shared__ int s[1088];
  volatile int *v = s;
  unsigned int t = threadIdx.x;
  v[t] = t;
  for (unsigned int i = 0; i < m; i++) { v[t] += v[t + 16]; v[t] += v[t + 1]; }
  p[blockIdx.x * blockDim.x + t] = v[t];
}
K mixPredicated(int *p, unsigned int n, unsigned int m) {
  __shared__ int s[1088];
  unsigned int t = threadIdx.x;
  s[t] = t;
  for (unsigned int i = 0; i < m; i++) { if ((t & 31u) < i % 8u * 8u) s[t] += s[t + 32]; }
  p[blockIdx.x * blockDim.x + t] = s[t];
}
K mixBarrier(int *p, unsigned int n, unsigned int m) {
  __shared__ int s[1088];
  unsigned int t = threadIdx.x;
  int x = t;
  for (unsigned int i = 0; i < m; i++) { s[t] = x; __syncthreads(); x += s[t ^ 1]; __syncthreads(); }
  p[blockIdx.x * blockDim.x + t] = x;
}
K mixGlobalL1(float *p, unsigned int n, unsigned int m) {
  unsigned int lane = threadIdx.x & 31u, row = threadIdx.x >> 5;
  float x = 0.f;
  for (unsigned int i = 0; i < m; i++) { unsigned int k = i & 31u; x += p[row * 32u + k] * p[k * 32u + lane]; }
  p[1024 + blockIdx.x * blockDim.x + threadIdx.x] = x;
}
K mixSharedFma(float *p, unsigned int n, unsigned int m) {
  __shared__ float s[1088];
  unsigned int t = threadIdx.x, lane = t & 31u;
  s[t] = t;
  __syncthreads();
  float x = 0.f;
  for (unsigned int i = 0; i < m; i++) { unsigned int k = i & 31u; x += s[(t >> 5) * 32u + k] * s[k * 32u + lane]; }
  p[1024 + blockIdx.x * blockDim.x + t] = x;
}
K mixDiverge(int *p, unsigned int n, unsigned int m) {
  unsigned int x = threadIdx.x + n;
  for (unsigned int i = 0; i < m; i++) {
    if (x & 1u) { x = x * 3u + 1u; x ^= x >> 7; x = x * 5u + 3u; x ^= x >> 3; x = x * 7u + n; x ^= x >> 5; x = x * 9u + i; x ^= x >> 2; }
    else { x = x * 11u + 5u; x ^= x >> 6; x = x * 13u + 7u; x ^= x >> 4; x = x * 15u + n; x ^= x >> 9; x = x * 17u + i; x ^= x >> 8; }
  }
  p[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
K mixStride(float *p, unsigned int n, unsigned int m) {
  unsigned int t = threadIdx.x & 31u, w = threadIdx.x >> 5;
  float x = 0.f;
  for (unsigned int i = 0; i < m; i++) x += p[t * n + ((i + w) & 31u)];
  p[65536 + blockIdx.x * blockDim.x + threadIdx.x] = x;
}
// end kernels
char *big;
template <class F> double ms(F f) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t; for (int r = 0; r < 5; r++) { cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m); } if (cudaGetLastError() != cudaSuccess) exit(1); std::sort(t.begin(), t.end()); return t[1]; }
#define RUN(k, T, n) for (int warps : {1, 4, 8, 16, 32, 64}) { int block = warps > 32 ? 1024 : warps * 32, grid = 132 * (warps > 32 ? 2 : 1); unsigned m = 1 << 14; double a = ms([=] { k<<<grid, block>>>((T *)big, n, m); }), b = ms([=] { k<<<grid, block>>>((T *)big, n, 2 * m); }); printf("{\"micro\":\"mix\",\"kernel\":\"%s\",\"n\":%u,\"warpsPerSM\":%d,\"cyclesPerIteration\":%.2f}\n", #k, (unsigned)n, warps, (b - a) * 1.98e6 / m); fflush(stdout); }
int main() {
  cudaMalloc(&big, 64 << 20); cudaMemset(big, 0, 64 << 20);
  RUN(mixUmod, unsigned int, 3) RUN(mixAlu, unsigned int, 3) RUN(mixFma, float, 3) RUN(mixShuffle, int, 3) RUN(mixShared, int, 3) RUN(mixPredicated, int, 3) RUN(mixBarrier, int, 3) RUN(mixGlobalL1, float, 3) RUN(mixSharedFma, float, 3) RUN(mixDiverge, int, 3) RUN(mixStride, float, 32) RUN(mixStride, float, 1024)
}
