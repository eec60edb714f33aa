// Microbenchmarks of scattered and row-per-thread accesses, of how far pages are known to the TLBs, of the stage that
// shared memory and L1 have in common, and of stores at random. One JSON line each. nvcc -O3 -arch=sm_90 h200/micro/access.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <vector>
typedef unsigned int u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
#define OUT(...) do { printf(__VA_ARGS__); fflush(stdout); } while (0)
char *big; long long *clk; u32 *res; float *sink; const u64 BIG = 40ull << 30;
__global__ void readAll(const uint4 *p, size_t n, u32 *o) { u32 s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint4 v = p[i]; s += v.x ^ v.y ^ v.z ^ v.w; } if (s == 1234567) o[3] = s; }
void clean() { readAll<<<1056, 512>>>((const uint4 *)(big + (36ull << 30)), (256u << 20) / 16, (u32 *)sink); }
void dirty() { CK(cudaMemsetAsync(big + (37ull << 30), 1, 512 << 20)); }
double us(std::function<void()> f, int reps, std::function<void()> before) {
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); std::vector<float> t;
  for (int r = 0; r < reps + 1; r++) { if (before) before(); CK(cudaEventRecord(a)); f(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float m; CK(cudaEventElapsedTime(&m, a, b)); if (r) t.push_back(m); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return 1000.0 * t[t.size() / 2];
}
#define BEGIN __syncthreads(); long long t0_ = clock64();
#define END __syncthreads(); long long t1_ = clock64(); if (threadIdx.x == 0) { clk[2 * blockIdx.x] = t0_; clk[2 * blockIdx.x + 1] = t1_; }
// Mean over the blocks of what each takes, least of three runs.
double cycles(std::function<void()> f, int blocks, std::function<void()> before) {
  std::vector<long long> h(2 * blocks); double best = 1e18;
  for (int r = 0; r < 3; r++) { if (before) before(); f(); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), clk, blocks * 16, cudaMemcpyDeviceToHost)); double s = 0; for (int b = 0; b < blocks; b++) s += h[2 * b + 1] - h[2 * b]; best = std::min(best, s / blocks); }
  return best;
}
// ---- each thread walks a row of its own: U loads at a time, `step` words on each time ----
template <int U, int X> __global__ void rows(const float *p, u32 pitch, u32 step, u32 rounds, const float *x, long long *clk, float *o) {
  const float *q = p + (u64)(blockIdx.x * blockDim.x + threadIdx.x) * pitch; float s = 0;
  BEGIN
  for (u32 r = 0; r < rounds; r++) {
    float v[U], w[U];
#pragma unroll
    for (int k = 0; k < U; k++) { asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(q + k * step) : "memory"); if (X) asm volatile("ld.global.f32 %0,[%1];" : "=f"(w[k]) : "l"(x + k) : "memory"); }
#pragma unroll
    for (int k = 0; k < U; k++) s += X ? v[k] * w[k] : v[k];
    q += U * step; x += X ? U : 0;
  }
  END
  if (s == 1e31f) *o = s;
}
template <int U, int X> void rowsRun(int sms, int warps, u32 pitch, u32 step, bool l2) {
  int blocks = warps > 32 ? 2 * sms : sms, threads = std::min(warps, 32) * 32; u32 rounds = 1024 / step / U; if (warps >= 16 && step == 1) rounds /= 2; if (!rounds) return;
  u64 bytes = (u64)sms * warps * 32 * (step == 1 && warps >= 16 ? 2048 : 4096); if (l2 && bytes > (36u << 20)) return;
  std::function<void()> before = l2 ? std::function<void()>() : std::function<void()>(clean);
  double c = cycles([=] { rows<U, X><<<blocks, threads>>>((float *)big, pitch, step, rounds, (float *)(big + (35ull << 30)), clk, sink); }, blocks, before);
  OUT("{\"micro\":\"rows\",\"from\":\"%s\",\"SMs\":%d,\"warpsPerSM\":%d,\"loads\":%d,\"withVector\":%d,\"pitchWords\":%u,\"stepWords\":%u,\"cyclesPerRequest\":%.2f,\"cyclesPerRequestSM\":%.2f}\n", l2 ? "L2" : "DRAM", sms, warps, U, X, pitch, step, c / (rounds * U), c / (rounds * U * warps));
}
// ---- one thread from page to page (2 MiB each), data in L2 ----
__global__ void chain(char *p, const u32 *order, u32 n) { for (u32 i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) { u32 at = order[i], next = order[(i + 1) % n]; *(u64 *)(p + ((u64)at << 21) + (at * 37 % 8192) * 128) = ((u64)next << 21) + (next * 37 % 8192) * 128; } }
__global__ void chase(const char *p, u64 at, u32 steps, long long *clk, float *o) { for (u32 i = 0; i < steps; i++) at = __ldcg((const u64 *)(p + at)); long long t0 = clock64(); for (u32 i = 0; i < steps; i++) at = __ldcg((const u64 *)(p + at)); long long t1 = clock64(); clk[0] = t0; clk[1] = t1; if (at == 77) *o = at; }
void pagesRun(u32 n) {
  std::vector<u32> order(n); for (u32 i = 0; i < n; i++) order[i] = i; std::mt19937 g(7); std::shuffle(order.begin(), order.end(), g);
  u32 *d = (u32 *)(big + (39ull << 30)); CK(cudaMemcpy(d, order.data(), n * 4, cudaMemcpyHostToDevice)); chain<<<64, 256>>>(big, d, n);
  u32 first = order[0]; u32 steps = std::max(n, 256u); double c = cycles([=] { chase<<<1, 1>>>(big, ((u64)first << 21) + (first * 37 % 8192) * 128, steps, clk, sink); }, 1, nullptr);
  OUT("{\"micro\":\"pages\",\"pages\":%u,\"MiB\":%u,\"cycles\":%.1f}\n", n, n * 2, c / steps);
}
// ---- 32 lanes at random in a span ----
__device__ u32 mix(u32 m) { m ^= m >> 16; m *= 0x85ebca6bu; m ^= m >> 13; m *= 0xc2b2ae35u; return m ^ m >> 16; }
template <int U> __global__ void randomLoads(const char *p, u32 sectors, u32 rounds, u32 seed, long long *clk, float *o) {
  u32 g = blockIdx.x * blockDim.x + threadIdx.x; float s = 0; BEGIN
  for (u32 r = 0; r < rounds; r++) { float v[U];
#pragma unroll
    for (int k = 0; k < U; k++) { u32 m = mix(g * 977 + (r * U + k) * 40503u * 65537u + seed) & (sectors - 1); asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(p + (u64)m * 32) : "memory"); }
#pragma unroll
    for (int k = 0; k < U; k++) s += v[k]; }
  END if (s == 1e31f) *o = s;
}
template <int U> void randomRun(u32 mib, int sms, int warps) {
  int blocks = warps > 32 ? 2 * sms : sms, threads = std::min(warps, 32) * 32; u32 rounds = std::max(4u, 64u / U); static u32 seed = 1; 
  double c = cycles([=] { randomLoads<U><<<blocks, threads>>>(big, (u32)(((u64)mib << 20) / 32), rounds, seed, clk, sink); seed += 12345; }, blocks, nullptr);
  OUT("{\"micro\":\"random_load_l1\",\"MiB\":%u,\"SMs\":%d,\"warpsPerSM\":%d,\"loads\":%d,\"cyclesPerRequest\":%.1f,\"cyclesPerRequestSM\":%.2f}\n", mib, sms, warps, U, c / (rounds * U), c / (rounds * U * warps));
}
// ---- when each of 40 memory instructions that follow each other issues ----
template <int KIND> __global__ void queue(char *p, u32 warpMask, u32 *res, float *o) {
  u32 lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  char *q = p + (KIND == 4 ? (u64)w * (1 << 20) : 0) + (KIND == 2 ? lane * 4 : lane * 128 * (KIND == 4 ? 33 : 1)); float s = 0;
  if (KIND != 4) for (int k = 0; k < 32; k++) s += *(float *)(q + (KIND == 2 ? k * 128 : k * 4));
  __syncthreads(); if (!(warpMask >> w & 1)) return;
  float v[40]; u32 t[41];
  asm volatile("mov.u32 %0,%%clock;" : "=r"(t[0]) :: "memory");
#pragma unroll
  for (int k = 0; k < 40; k++) {
    if (KIND == 3) { asm volatile("st.global.f32 [%0],%1;" ::"l"(q + (k & 31) * 4), "f"(s) : "memory"); v[k] = 0; }
    else asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(q + (KIND == 2 ? (k & 31) * 128 : KIND == 4 ? (u64)k * 135168 : (k & 31) * 4)) : "memory");
    asm volatile("mov.u32 %0,%%clock;" : "=r"(t[k + 1]) :: "memory");
  }
#pragma unroll
  for (int k = 0; k < 40; k++) s += v[k];
  u32 end; asm volatile("mov.u32 %0,%%clock;" : "=r"(end) : "f"(s) : "memory");
  if (lane == 0) for (int k = 0; k < 41; k++) res[w * 42 + k] = t[k]; if (lane == 0) res[w * 42 + 41] = end; if (s == 1e31f) *o = s;
}
template <int KIND> void queueRun(const char *name) {
  for (u32 mask : {1u, 0x11u, 0x0fu, 0xffu, 0xffffu}) { int warps = mask > 0xff ? 16 : 8; for (int r = 0; r < 3; r++) queue<KIND><<<1, warps * 32>>>(big, mask, res, sink); CK(cudaDeviceSynchronize());
    std::vector<u32> h(16 * 42); CK(cudaMemcpy(h.data(), res, h.size() * 4, cudaMemcpyDeviceToHost)); OUT("{\"micro\":\"queue\",\"kind\":\"%s\",\"warps\":%d,\"sameScheduler\":%d,\"end\":%u,\"issued\":[", name, __builtin_popcount(mask), mask == 0x11 ? 2 : mask == 1 ? 1 : (__builtin_popcount(mask) + 3) / 4, h[41] - h[0]);
    for (int k = 1; k <= 40; k++) OUT("%u%s", h[k] - h[0], k < 40 ? "," : "]}\n"); }
}
// ---- when each of 32 shared loads that follow each other issues, `conflict` words a bank ----
__global__ void sharedQueue(u32 stride, u32 warpMask, u32 *res, float *o) {
  __shared__ float sh[6144]; u32 lane = threadIdx.x & 31, w = threadIdx.x >> 5; for (u32 i = threadIdx.x; i < 6144; i += blockDim.x) sh[i] = i;
  u32 sa = (u32)__cvta_generic_to_shared(sh) + lane * stride * 4; float s = 0;
  __syncthreads(); if (!(warpMask >> w & 1)) return;
  float v[32]; u32 t[33];
  asm volatile("mov.u32 %0,%%clock;" : "=r"(t[0]) :: "memory");
#pragma unroll
  for (int k = 0; k < 32; k++) { asm volatile("ld.shared.f32 %0,[%1];" : "=f"(v[k]) : "r"(sa + k * 128) : "memory"); asm volatile("mov.u32 %0,%%clock;" : "=r"(t[k + 1]) :: "memory"); }
#pragma unroll
  for (int k = 0; k < 32; k++) s += v[k];
  u32 end; asm volatile("mov.u32 %0,%%clock;" : "=r"(end) : "f"(s) : "memory");
  if (lane == 0) { for (int k = 0; k < 33; k++) res[w * 42 + k] = t[k]; res[w * 42 + 41] = end; } if (s == 1e31f) *o = s;
}
void sharedQueueRun() {
  for (u32 stride : {1u, 8u, 32u}) for (u32 mask : {1u, 0x11u, 0x0fu, 0xffu}) { for (int r = 0; r < 3; r++) sharedQueue<<<1, 256>>>(stride, mask, res, sink); CK(cudaDeviceSynchronize());
    std::vector<u32> h(16 * 42); CK(cudaMemcpy(h.data(), res, h.size() * 4, cudaMemcpyDeviceToHost)); OUT("{\"micro\":\"shared_queue\",\"wordsPerBank\":%u,\"warps\":%d,\"perScheduler\":%d,\"end\":%u,\"issued\":[", stride, __builtin_popcount(mask), mask == 0x11 || mask == 0xff ? 2 : 1, h[41] - h[0]);
    for (int k = 1; k <= 32; k++) OUT("%u%s", h[k] - h[0], k < 32 ? "," : "]}\n"); }
}
// ---- what a hit takes beside another warp's misses: warp 0 loads from DRAM, warp 1 times hits, one after the other ----
__global__ void besideMiss(const float *far, const u32 *near, u32 misses, u32 lines, u32 *res, float *o) {
  u32 lane = threadIdx.x & 31, w = threadIdx.x >> 5; float s = 0; u32 x = near[lane & 0]; 
  __syncthreads();
  if (w == 0) { for (u32 k = 0; k < misses; k++) s += far[(u64)k * 65536 + lane * lines]; }
  else { u32 t[17]; t[0] = clock();
#pragma unroll
    for (int k = 0; k < 16; k++) { x = near[x & 31]; asm volatile("mov.u32 %0,%%clock;" : "=r"(t[k + 1]) : "r"(x) : "memory"); }
    if (lane == 0) for (int k = 0; k < 17; k++) res[k] = t[k]; }
  if (s == 1e31f || x == 77) *o = s;
}
void besideRun() {
  for (u32 misses : {0u, 1u, 4u}) for (u32 lines : {1u, 32u, 1024u}) { CK(cudaMemset(big + (512 << 20), 0, 256 << 20)); besideMiss<<<1, 64>>>((float *)big, (u32 *)(big + (800 << 20)), 0, 1, res, sink); besideMiss<<<1, 64>>>((float *)big, (u32 *)(big + (800 << 20)), misses, lines, res, sink); CK(cudaDeviceSynchronize());
    std::vector<u32> h(17); CK(cudaMemcpy(h.data(), res, 68, cudaMemcpyDeviceToHost)); OUT("{\"micro\":\"hit_beside_miss\",\"misses\":%u,\"laneWords\":%u,\"cycles\":[", misses, lines); for (int k = 1; k < 17; k++) OUT("%u%s", h[k] - h[k - 1], k < 16 ? "," : "]}\n"); }
}
// ---- H shared loads and M loads of 128 bytes that miss L1 a round; W: bytes of a line that a warp takes (128: one line) ----
template <int H, int M, int W> __global__ void mixture(const float *p, u32 rounds, float *o) {
  __shared__ float sh[1024]; u32 t = threadIdx.x, lane = t & 31; for (u32 i = t; i < 1024; i += blockDim.x) sh[i] = i; float s = 0; u32 sa = (u32)__cvta_generic_to_shared(sh) + lane * 4;
  const float *q = p + (u64)(blockIdx.x * blockDim.x + t) / 32 * 16384 + (lane / (W / 4)) * 32 + lane % (W / 4);
  __syncthreads();
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) { float v[H + M + 1]; v[H + M] = 0; u32 off = (r & 1) * 2048; const float *g = q + (r & 15) * 1024;
#pragma unroll
    for (int k = 0; k < M; k++) asm volatile("ld.global.ca.f32 %0,[%1];" : "=f"(v[H + k]) : "l"(g + k * 32 * (128 / W)) : "memory");
#pragma unroll
    for (int k = 0; k < H; k++) asm volatile("ld.shared.f32 %0,[%1];" : "=f"(v[k]) : "r"(sa + off + k * 128) : "memory");
#pragma unroll
    for (int k = 0; k < H + M; k++) s += v[k]; }
  if (s == 1e31f) *o = s;
}
template <int H, int M, int W> void mixtureRun() {
  for (int sms : {1, 132}) for (int warps : {16, 32}) { auto f = [=](int n) { mixture<H, M, W><<<sms, warps * 32>>>((float *)big, n, sink); };
    double t = us([=] { f(512); }, 5, nullptr), h = us([=] { f(256); }, 5, nullptr);
    OUT("{\"micro\":\"mixture\",\"hits\":%d,\"misses\":%d,\"bytesOfLine\":%d,\"SMs\":%d,\"warpsPerSM\":%d,\"cyclesPerRoundSM\":%.2f}\n", H, M, W, sms, warps, (t - h) * 1980 / (256.0 * warps)); }
}
// ---- a tiled product, part by part ----
template <int K> __global__ void __launch_bounds__(256) tile(const float *A, const float *B, int rounds, float inc, float *o) {
  __shared__ float As[16][16], Bs[16][16]; int tx = threadIdx.x & 15, ty = threadIdx.x >> 4; int row = (blockIdx.x >> 6) * 16 + ty, col = (blockIdx.x & 63) * 16 + tx;
  float s = 0, a = tx, b = ty;
  for (int m = 0; m < rounds; m++) {
    if (K >= 2) { a = A[row * 1024 + (m & 63) * 16 + tx]; b = B[((m & 63) * 16 + ty) * 1024 + col]; } else { a += inc; b += inc; }
    As[ty][tx] = a; Bs[ty][tx] = b;
    if (K >= 1) __syncthreads(); else __syncwarp();
#pragma unroll
    for (int k = 0; k < 16; k++) s += As[ty][k] * Bs[k][tx];
    if (K >= 1) __syncthreads(); else __syncwarp();
  }
  o[blockIdx.x * 256 + threadIdx.x] = s + a + b;
}
template <int K> void tileRun(const char *name) {
  for (int per : {1, 2, 4, 8}) { auto f = [=](int n) { tile<K><<<132 * per, 256>>>((float *)big, (float *)(big + (8 << 20)), n, 0.5f, sink); }; double t = us([=] { f(256); }, 5, nullptr), h = us([=] { f(128); }, 5, nullptr);
    OUT("{\"micro\":\"tile\",\"kind\":\"%s\",\"blocksPerSM\":%d,\"cyclesPerRoundBlock\":%.2f}\n", name, per, (t - h) * 1980 / (128.0 * per)); }
}
// ---- products straight from global memory; nb = 0: B's row stays in L1, na = 0: all rows of A are one ----
__global__ void plain(const float *A, const float *B, float *C, int n, int na, int nb, int steps) {
  int col = blockIdx.x * 32 + threadIdx.x % 32, row = blockIdx.y * (blockDim.x / 32) + threadIdx.x / 32; float s = 0;
  for (int k = 0; k < steps; k++) s += A[row * na + k] * B[k * nb + col];
  C[row * n + col] = s;
}
void plainRun() {
  for (int na : {1024, 0}) for (int nb : {1024, 0}) for (int threads : {64, 256, 1024}) { int per = threads / 32; auto f = [=](int steps) { plain<<<dim3(32, 1024 / per), threads>>>((float *)big, (float *)(big + (8 << 20)), sink, 1024, na, nb, steps); }; double t = us([=] { f(1024); }, 5, nullptr), h = us([=] { f(512); }, 5, nullptr);
    OUT("{\"micro\":\"plain_product\",\"rowsOfA\":%d,\"rowsOfB\":%d,\"threads\":%d,\"cyclesPerStepWarpSM\":%.3f}\n", na ? 1024 : 1, nb ? 1024 : 1, threads, (t - h) * 1980 / (512.0 * 32768 / 132)); }
}
// ---- latency of a request of `lines` lines: each load's address needs the one before; 0 L1, 1 L2, 2 DRAM ----
template <int WHERE> __global__ void chainOf(const char *p, u32 lines, u32 apart, u32 step, u32 rounds, long long *clk, u32 *o) {
  u32 lane = threadIdx.x & 31; const char *q = p + (u64)(threadIdx.x >> 5) * 33554432 + (u64)(lane % lines) * apart; u32 x = 0; if (WHERE < 2) for (u32 r = 0; r < 2; r++) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(x) : "l"(q + x) : "memory");
  __syncthreads(); long long t0 = clock64();
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) { if (WHERE == 1) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(x) : "l"(q) : "memory"); else asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(x) : "l"(q) : "memory"); q += x + step; }
  __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) clk[blockIdx.x] = t1 - t0; if (x == 77) *o = x;
}
template <int WHERE> void chainOfRun(const char *name) {
  for (u32 apart : {128u, 4096u}) for (u32 lines : {1u, 2u, 4u, 8u, 16u, 32u}) for (int warps : {1, 4}) { long long c = 1ll << 60; for (int r = 0; r < 3; r++) { chainOf<WHERE><<<1, warps * 32>>>(big + (WHERE == 2 ? r * (128 << 20) : 0), lines, apart, WHERE == 2 ? 135168 : 0, 128, (long long *)res, (u32 *)sink); long long h; CK(cudaMemcpy(&h, res, 8, cudaMemcpyDeviceToHost)); c = std::min(c, h); }
    OUT("{\"micro\":\"chain_of_requests\",\"from\":\"%s\",\"lines\":%u,\"bytesApart\":%u,\"warps\":%d,\"cycles\":%.1f}\n", name, lines, apart, warps, c / 128.0); }
}
void chainRun() { chainOfRun<0>("L1"); chainOfRun<1>("L2"); CK(cudaMemset(big, 0, 1 << 30)); chainOfRun<2>("DRAM"); }
// ---- two shared loads, an add, a store, `conflict` words a bank, and a barrier: only the first warp of each block works ----
template <int BAR, int STORE> __global__ void conflicts(u32 stride, u32 active, u32 rounds, long long *clk, u32 *o) {
  __shared__ u32 sh[2080]; u32 t = threadIdx.x; for (u32 i = t; i < 2080; i += blockDim.x) sh[i] = 0; __syncthreads();
  u32 x = 0, i = (t & 31) * stride; long long t0 = clock64();
  for (u32 r = 0; r < rounds; r++) { if (t < active * 32) { u32 a = sh[i + x] + sh[i + x + 32]; if (STORE) sh[i] = a; x = a; } if (BAR) __syncthreads(); else __syncwarp(); }
  __syncthreads(); long long t1 = clock64(); if (t == 0) clk[blockIdx.x] = t1 - t0; if (x == 77) *o = sh[t];
}
void conflictRun() {
  for (int kind = 0; kind < 3; kind++) for (u32 stride : {1u, 2u, 4u, 8u, 16u, 32u}) for (int blocks : {1, 2, 4, 8}) for (u32 active : {1u, 4u}) { auto f = kind == 0 ? conflicts<1, 1> : kind == 1 ? conflicts<0, 1> : conflicts<0, 0>;
    double best = 1e18; for (int r = 0; r < 3; r++) { f<<<132 * blocks, 256>>>(stride, active, 128, (long long *)res, (u32 *)sink); std::vector<long long> h(132 * blocks); CK(cudaMemcpy(h.data(), res, h.size() * 8, cudaMemcpyDeviceToHost)); double s = 0; for (auto v : h) s += v; best = std::min(best, s / h.size()); }
    OUT("{\"micro\":\"shared_conflicts\",\"kind\":\"%s\",\"strideWords\":%u,\"blocksPerSM\":%d,\"activeWarps\":%u,\"cyclesPerRound\":%.1f}\n", kind == 0 ? "two loads, add, store, barrier" : kind == 1 ? "two loads, add, store" : "two loads, add", stride, blocks, active, best / 128); }
}
// ---- stores at random, every lane its own word; `per` words of a sector ----
__global__ void randomStores(char *p, u32 sectors, u32 seed) { u32 g = blockIdx.x * blockDim.x + threadIdx.x; u32 m = mix(g * 977 + seed) & (sectors - 1); *(u32 *)(p + (u64)m * 32 + (m >> 7 & 28)) = g; }
__global__ void scatterLoad(u32 *p, const u32 *index, const u32 *in, u32 n) { u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[index[i]] = in[i]; }
__global__ void makeIndex(u32 *index, u32 n, u32 mask) { u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) index[i] = mix(i * 977 + 5) & mask; }
__global__ void strideStores(char *p, u32 stride, u32 n) { u32 g = blockIdx.x * blockDim.x + threadIdx.x; if (g < n) *(u32 *)(p + (u64)g * stride * 4) = g; }
int main() {
  CK(cudaMalloc(&big, BIG)); CK(cudaMalloc(&clk, 1 << 20)); CK(cudaMalloc(&res, 1 << 16)); CK(cudaMalloc(&sink, 64 << 20)); CK(cudaMemset(big, 0, 1 << 30)); CK(cudaMemset(big + (35ull << 30), 0, 4ull << 30));
  for (int pass = 0; pass < 2; pass++) for (u32 pitch : {1024u, 1056u}) for (int sms : {1, 32, 132}) for (int warps : {1, 4, 16, 32}) { bool l2 = pass == 0;
    rowsRun<1, 0>(sms, warps, pitch, 8, l2); rowsRun<4, 0>(sms, warps, pitch, 8, l2); rowsRun<1, 0>(sms, warps, pitch, 1, l2); rowsRun<4, 0>(sms, warps, pitch, 1, l2); rowsRun<16, 0>(sms, warps, pitch, 1, l2); rowsRun<16, 1>(sms, warps, pitch, 1, l2); }
  for (u32 n : {4u, 16u, 32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u}) pagesRun(n);
  CK(cudaMemset(big, 0, 1 << 30));
  for (u32 mib : {16u, 256u, 1024u, 4096u, 16384u, 32768u}) { randomRun<1>(mib, 132, 1); randomRun<1>(mib, 132, 32); randomRun<4>(mib, 132, 32); randomRun<4>(mib, 132, 64); if (mib == 16) { randomRun<1>(mib, 1, 1); randomRun<1>(mib, 1, 4); randomRun<4>(mib, 1, 4); randomRun<4>(mib, 1, 32); } }
  CK(cudaMemset(big, 0, 1 << 30)); queueRun<0>("global load of 32 lines in L1"); queueRun<3>("global store of 32 lines"); queueRun<4>("global load of 32 lines in L2"); sharedQueueRun(); besideRun();
  mixtureRun<16, 0, 128>(); mixtureRun<16, 1, 128>(); mixtureRun<16, 2, 128>(); mixtureRun<16, 4, 128>(); mixtureRun<16, 1, 64>(); mixtureRun<16, 2, 64>(); mixtureRun<16, 1, 32>(); mixtureRun<16, 2, 32>();
  tileRun<0>("stores and inner loop"); tileRun<1>("and two barriers"); tileRun<2>("and two loads"); plainRun(); chainRun(); conflictRun();
  const char *states[] = {"clean", "dirty", "repeated"};
  for (u32 mib : {4u, 16u, 64u, 256u, 1024u}) for (int st = 0; st < 3; st++) { std::function<void()> before = st == 0 ? std::function<void()>(clean) : st == 1 ? std::function<void()>(dirty) : std::function<void()>();
    u32 seed = 1; double t = us([&] { randomStores<<<16384, 256>>>(big, (u32)(((u64)mib << 20) / 32), seed); seed += 12345; }, 5, before);
    OUT("{\"micro\":\"random_store_of\",\"stores\":4194304,\"MiB\":%u,\"L2\":\"%s\",\"us\":%.2f}\n", mib, states[st], t);
    u32 n = 1 << 22, *index = (u32 *)(big + (34ull << 30)), *in = index + (64 << 20); makeIndex<<<n / 256, 256>>>(index, n, (u32)(((u64)mib << 20) / 4 - 1));
    t = us([&] { scatterLoad<<<n / 256, 256>>>((u32 *)big, index, in, n); }, 5, before); OUT("{\"micro\":\"scatter\",\"n\":%u,\"MiB\":%u,\"L2\":\"%s\",\"us\":%.2f}\n", n, mib, states[st], t); }
  for (u32 stride : {2u, 4u, 8u, 16u, 32u}) for (u32 bits : {20u, 22u}) for (int st = 0; st < 3; st++) { std::function<void()> before = st == 0 ? std::function<void()>(clean) : st == 1 ? std::function<void()>(dirty) : std::function<void()>();
    double t = us([&] { strideStores<<<(1 << bits) / 256, 256>>>(big, stride, 1 << bits); }, 5, before); OUT("{\"micro\":\"stride_store\",\"stores\":%u,\"strideWords\":%u,\"L2\":\"%s\",\"us\":%.2f}\n", 1 << bits, stride, states[st], t); }
  return 0;
}
