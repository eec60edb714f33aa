// What a clock shows beyond a kernel's own time where a program launches each of its kernels once, behind the copy of its data,
// as the published reductions were timed: copy 64 MiB to the GPU, wait, timed launch, copy the results back. Two clocks: the
// host's, around the launch and the wait for its end, and two events around the launch. The kernels last for a known time,
// longer than the host takes for its calls; each is another kernel than the one before.
//   nvcc -O3 -arch=sm_90 h200/micro/first-launch.cu -o first; 24 times each: CUDA_MODULE_LOADING=EAGER ./first host | event
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
__device__ unsigned long long now() { unsigned long long t; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)); return t; }
template <int I> __global__ void spin(int *results, long long cycles) {
  unsigned long long start = now(); long long c = clock64();
  while (clock64() - c < cycles);
  if (threadIdx.x == 0) results[0] = (int)(now() - start) + 0 * I;
}
typedef std::chrono::steady_clock Clock;
static int *d, *o;
static std::vector<int> in, out;
static const size_t n = 1 << 24, results = 32768;
static bool host;
static cudaEvent_t a, b;
static std::vector<double> extra;
template <class F> void timed(F launch) {
  cudaMemcpy(d, in.data(), n * 4, cudaMemcpyHostToDevice);
  cudaDeviceSynchronize();
  double us;
  if (host) {
    auto t0 = Clock::now(); launch(); cudaDeviceSynchronize(); auto t1 = Clock::now();
    us = std::chrono::duration<double, std::micro>(t1 - t0).count();
  } else {
    cudaEventRecord(a); launch(); cudaEventRecord(b); cudaEventSynchronize(b);
    float ms; cudaEventElapsedTime(&ms, a, b); us = ms * 1e3;
  }
  cudaMemcpy(out.data(), o, results * 4, cudaMemcpyDeviceToHost);
  int sum = 0; for (size_t i = 1; i < results; i++) sum += out[i];
  extra.push_back(us - out[0] * 1e-3 + 0 * sum);
}
template <int I> struct Kernels { static void go() { Kernels<I - 1>::go(); timed([] { spin<I><<<1, 512>>>(o, 150000); }); } };
template <> struct Kernels<0> { static void go() {} };
int main(int, char **argv) {
  host = strcmp(argv[1], "host") == 0;
  in.assign(n, 1); out.assign(results, 0);
  cudaMalloc(&d, n * 4); cudaMalloc(&o, results * 4); cudaEventCreate(&a); cudaEventCreate(&b);
  timed([] { spin<99><<<1, 512>>>(o, 150000); });
  extra.clear();
  Kernels<16>::go();
  // Each kernel again, now behind itself: what being another one costs.
  std::vector<double> first = extra; extra.clear();
  for (int i = 0; i < 16; i++) timed([] { spin<99><<<1, 512>>>(o, 150000); });
  std::sort(first.begin(), first.end()); std::sort(extra.begin(), extra.end());
  printf("{\"clock\": \"%s\", \"beyondKernelMicroseconds\": {\"min\": %.2f, \"median\": %.2f, \"max\": %.2f}, \"sameKernelAgain\": {\"min\": %.2f, \"median\": %.2f, \"max\": %.2f}}\n", argv[1], first[0], (first[7] + first[8]) / 2, first[15], extra[0], (extra[7] + extra[8]) / 2, extra[15]);
}
