// What a request to sectors that are on their way takes, against one to sectors that L1 has: each round a warp's lanes each ask for U words of a sector
// of new lines in each round (of rows far apart the next line, else what lies behind all warps'), one request behind the other; then, AGAIN, for the same words once they are there. `pitch`, `turn`: how the lanes' words
// lie in the banks. cyclesPerRound: clock64 around the loop of 32 rounds, least of three. From L2, or from DRAM with a clean L2.
// One JSON line each. nvcc -O3 -arch=sm_90 h200/micro/pending.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
char *big; long long *clk; float *sink; const u64 CLEAN = 1ull << 30;
__global__ void readAll(const uint4 *p, size_t n, u32 *o) { u32 s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint4 v = p[i]; s += v.x ^ v.y ^ v.z ^ v.w; } if (s == 12345) *o = s; }
#define BEGIN __syncthreads(); long long t0 = clock64();
#define END __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) { clk[2 * blockIdx.x] = t0; clk[2 * blockIdx.x + 1] = t1; }
// turn: lane l starts at its sector's word l / turn (0: at word 0).
template <int U, int AGAIN> __global__ void ask(const float *p, u32 pitch, u32 turn, u32 step, u32 rounds, long long *clk, float *o) {
  const float *q = p + (u64)(blockIdx.x * blockDim.x + threadIdx.x) * pitch; float s = 0; u32 first = turn ? (threadIdx.x & 31) / turn & 7 : 0;
  const float *at[U];
#pragma unroll
  for (int k = 0; k < U; k++) at[k] = q + (first + k & 7);
  BEGIN
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) {
    float v[U];
#pragma unroll
    for (int k = 0; k < U; k++) asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(at[k]) : "memory");
#pragma unroll
    for (int k = 0; k < U; k++) s += v[k];
    if (AGAIN) {
      u32 more = s == 1e30f;
#pragma unroll
      for (int k = 0; k < U; k++) asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(at[k] + more) : "memory");
#pragma unroll
      for (int k = 0; k < U; k++) s += v[k];
    }
#pragma unroll
    for (int k = 0; k < U; k++) at[k] += step + (s == 1e30f);
  }
  END
  if (s == 1e31f) *o = s;
}
template <int U, int AGAIN> void run(u32 lanes, int warps, u32 pitch, u32 turn, bool l2) {
  const u32 rounds = 32; double best = 1e18; long long h[2];
  for (int r = 0; r < 4; r++) {
    if (!l2) for (int i = 0; i < 2; i++) readAll<<<1056, 512>>>((const uint4 *)(big + CLEAN), (512u << 20) / 16, (u32 *)sink);
    ask<U, AGAIN><<<1, warps * lanes>>>((float *)big, pitch, turn, pitch < 1024 ? 32 * pitch * warps : 32, rounds, clk, sink); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, clk, 16, cudaMemcpyDeviceToHost));
    if (r) best = std::min(best, (double)(h[1] - h[0])); }
  printf("{\"micro\":\"ask\",\"requests\":%d,\"again\":%d,\"lanes\":%u,\"warps\":%d,\"pitchWords\":%u,\"turn\":%u,\"from\":\"%s\",\"cyclesPerRound\":%.1f}\n", U, AGAIN, lanes, warps, pitch, turn, l2 ? "L2" : "DRAM", best / rounds); fflush(stdout);
}
template <int U, int AGAIN> void all() {
  for (int l2 = 1; l2 >= 0; l2--) for (int warps : {1, 2, 4, 8, 16, 32}) {
    for (u32 turn : {0u, 1u}) run<U, AGAIN>(32, warps, 1024, turn, l2);
    for (u32 turn : {0u, 4u}) run<U, AGAIN>(32, warps, 1032, turn, l2);
    run<U, AGAIN>(32, warps, 8, 0, l2); run<U, AGAIN>(32, warps, 8, 4, l2); run<U, AGAIN>(32, warps, 16, 0, l2); run<U, AGAIN>(32, warps, 1, 0, l2); }
}
int main() {
  CK(cudaMalloc(&big, 2ull << 30)); CK(cudaMalloc(&clk, 1 << 20)); CK(cudaMalloc(&sink, 4096)); CK(cudaMemset(big, 1, 2ull << 30));
  all<1, 0>(); all<2, 0>(); all<4, 0>(); all<8, 0>(); all<1, 1>(); all<4, 1>(); all<8, 1>();
}
