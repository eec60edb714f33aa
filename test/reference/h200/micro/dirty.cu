// What a request waits for its sectors where L2 is clean, dirty, or has them: requests of 1 to 32 sectors, one after the other or several
// at a time, by few and many warps. wait: each lane of `lines` reads a sector of a line at random (or lines one after the other, or lines a pitch
// apart), the next when it is there. walk: each thread walks along a row of its own, U loads at a time, in one loop that is not unrolled.
// One JSON line each. nvcc -O3 -arch=sm_90 h200/micro/dirty.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
char *big; long long *clk; u32 *lat; float *sink; const u64 REGION = 16ull << 30, CLEAN = 17ull << 30, FLUSH = 18ull << 30, VECTOR = 19ull << 30;
__device__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; return x ^ (x >> 16); }
__global__ void readAll(const uint4 *p, size_t n, u32 *o) { u32 s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint4 v = p[i]; s += v.x ^ v.y ^ v.z ^ v.w; } if (s == 12345) *o = s; }
void dirty() { static int n = 0; CK(cudaMemsetAsync(big + FLUSH, ++n, 512u << 20)); }
void clean() { readAll<<<1056, 512>>>((const uint4 *)(big + CLEAN), (512u << 20) / 16, (u32 *)sink); }
// P: 0 lines at random, 1 lines one after the other, 2 lines 4 KiB apart. Each round another place of 128 KiB.
template <int P> __global__ void wait(const char *p, u32 lines, u32 rounds, u32 seed, u32 *lat, float *o) {
  u32 lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; float s = 0; u32 extra = 0;
  for (u32 r = 0; r < rounds; r++) {
    u64 place = mix(seed + w * rounds + r) & 0x1ffff;
    u64 at = P == 0 ? (u64)mix((seed + w * rounds + r) * 32 + lane) % (1u << 27) * 128 : place * 131072 + lane * (P == 1 ? 128 : 4096);
    const float *q = (const float *)(p + at + extra); float v = 0;
    u32 t0 = clock();
    if (lane < lines) asm volatile("ld.global.f32 %0,[%1];" : "=f"(v) : "l"(q) : "memory");
    s += v; extra = s == 1e30f ? 4 : 0;
    u32 t1; asm volatile("{.reg .u32 x; add.u32 x,%1,%1; mov.u32 %0,%%clock; }" : "=r"(t1) : "r"(extra) : "memory");
    if (lane == 0) lat[(u64)w * rounds + r] = t1 - t0;
    __syncwarp();
  }
  if (s == 1e31f) *o = s;
}
#define BEGIN __syncthreads(); long long t0 = clock64();
#define END __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) { clk[2 * blockIdx.x] = t0; clk[2 * blockIdx.x + 1] = t1; }
template <int U, int X> __global__ void walk(const float *p, u32 pitch, u32 rounds, const float *x, long long *clk, float *o) {
  const float *q = p + (u64)(blockIdx.x * blockDim.x + threadIdx.x) * pitch; float s = 0;
  BEGIN
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) {
    float v[U], w[U];
#pragma unroll
    for (int k = 0; k < U; k++) { asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(q + k) : "memory"); if (X) asm volatile("ld.global.f32 %0,[%1];" : "=f"(w[k]) : "l"(x + k) : "memory"); }
#pragma unroll
    for (int k = 0; k < U; k++) s += X ? v[k] * w[k] : v[k];
    q += U; x += X ? U : 0;
  }
  END
  if (s == 1e31f) *o = s;
}
const char *STATE[] = {"L2", "clean", "dirty"};
void before(int state) { if (state == 1) { clean(); clean(); } if (state == 2) dirty(); }
template <int P> void waitRun(u32 lines, int sms, int warps, int state) {
  u32 rounds = 64, n = sms * warps * rounds; std::vector<u32> h(n), all; static u32 seed = 1;
  for (int r = 0; r < 3; r++) {
    if (state) seed += n;
    before(state); wait<P><<<sms, warps * 32>>>(big, lines, rounds, seed, lat, sink); CK(cudaDeviceSynchronize());
    CK(cudaMemcpy(h.data(), lat, n * 4, cudaMemcpyDeviceToHost)); if (r || state) for (u32 i = 0; i < n; i++) if (i % rounds > 3) all.push_back(h[i]);
  }
  std::sort(all.begin(), all.end()); double s = 0; for (u32 v : all) s += v; size_t m = all.size();
  printf("{\"micro\":\"wait\",\"order\":\"%s\",\"lines\":%u,\"SMs\":%d,\"warpsPerSM\":%d,\"from\":\"%s\",\"mean\":%.1f,\"p10\":%u,\"p50\":%u,\"p90\":%u}\n", P == 0 ? "random" : P == 1 ? "next" : "pitch", lines, sms, warps, STATE[state], s / m, all[m / 10], all[m / 2], all[m * 9 / 10]); fflush(stdout);
}
template <int U, int X> void walkRun(int sms, int warps, u32 pitch, int state) {
  const u32 words = 512; u64 bytes = (u64)sms * warps * 32 * pitch * 4; if (!state && (u64)sms * warps * 32 * words * 4 > (24u << 20)) return; if (bytes > REGION) return;
  double best = 1e18; std::vector<long long> h(2 * sms);
  for (int r = 0; r < 4; r++) { before(state); walk<U, X><<<sms, warps * 32>>>((float *)big, pitch, words / U, (float *)(big + VECTOR), clk, sink); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), clk, sms * 16, cudaMemcpyDeviceToHost)); double s = 0; for (int b = 0; b < sms; b++) s += h[2 * b + 1] - h[2 * b]; if (r) best = std::min(best, s / sms); }
  printf("{\"micro\":\"walk\",\"loads\":%d,\"vector\":%d,\"SMs\":%d,\"warpsPerSM\":%d,\"pitchWords\":%u,\"from\":\"%s\",\"cyclesPerRequest\":%.2f}\n", U, X, sms, warps, pitch, STATE[state], best / words); fflush(stdout);
}
int main() {
  CK(cudaMalloc(&big, 20ull << 30)); CK(cudaMalloc(&clk, 1 << 20)); CK(cudaMalloc(&lat, 64 << 20)); CK(cudaMalloc(&sink, 4096)); CK(cudaMemset(big, 1, 20ull << 30));
  for (int sms : {1, 32, 132}) for (int warps : {1, 4, 16}) for (int state = 0; state < 3; state++) {
    for (u32 lines : {1u, 4u, 8u, 16u, 32u}) waitRun<0>(lines, sms, warps, state);
    for (u32 lines : {4u, 32u}) { waitRun<1>(lines, sms, warps, state); waitRun<2>(lines, sms, warps, state); } }
  for (int sms : {1, 32, 132}) for (int warps : {1, 2, 4, 8, 16}) for (u32 pitch : {1024u, 1056u, 520u}) for (int state = 0; state < 3; state++) {
    walkRun<4, 0>(sms, warps, pitch, state); walkRun<8, 0>(sms, warps, pitch, state); walkRun<8, 1>(sms, warps, pitch, state); walkRun<16, 0>(sms, warps, pitch, state); }
}
