// Stores beside loads that L1 has, of one SM: cycles a round and warp of a store to STORE lines' sectors and loads of one pattern.
// port: loads of whole or part lines that L2 has. stores: patterns of stores for Nsight Compute (`mixes run`, `mixes list`).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
float *big, *small; float *sink; long long *clk;
// `pitch`, `loadPitch`: words from lane to lane; 0: no such access. SPACE 0: global loads that hit L1, 1: shared. Stores walk along rows.
template <int K, int SPACE> __global__ void mix(float *out, const float *in, int pitch, int loadPitch, int rounds, long long *clk, float *o) {
  __shared__ float s[4096]; int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  float *q = out + (u64)threadIdx.x * pitch; const float *p = in + lane * loadPitch + (w & 3) * 4096; float v = 0;
  for (int k = threadIdx.x; k < 4096; k += blockDim.x) s[k] = k;
  for (int k = 0; k < 32; k++) v += p[k];
  volatile float *sp = s + ((lane * loadPitch) & 4095); u64 step = pitch == 1 ? blockDim.x : 1;
  __syncthreads(); long long t0 = clock64();
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    if (pitch) { *(volatile float *)q = v; q += step; }
#pragma unroll
    for (int k = 0; k < K; k++) { float x; if (SPACE) x = sp[(r + k & 3)]; else asm volatile("ld.global.ca.f32 %0,[%1];" : "=f"(x) : "l"(p + (r + k & 7)) : "memory"); v += x; }
  }
  __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) *clk = t1 - t0;
  if (v == 1e31f) *o = v;
}
template <int K, int SPACE> void run(int warps, int pitch, int loadPitch) {
  const int N = 512; long long best = 1ll << 60, c;
  for (int r = 0; r < 3; r++) { mix<K, SPACE><<<1, warps * 32>>>(big, small, pitch, loadPitch, N, clk, sink); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(&c, clk, 8, cudaMemcpyDeviceToHost)); best = std::min(best, c); }
  printf("{\"micro\":\"mix\",\"loads\":%d,\"space\":\"%s\",\"warps\":%d,\"storePitch\":%d,\"loadPitch\":%d,\"cycles\":%.2f}\n", K, SPACE ? "shared" : "global", warps, pitch, loadPitch, (double)best / N / warps); fflush(stdout);
}
// Loads from L2: `per` lanes a line, a sector each.
template <int U> __global__ void port(const float *p, int per, u64 reach, int rounds, long long *clk, float *o) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5; float s = 0; const float *q = p + (u64)w * rounds * U * reach + (lane / per) * 32 + (lane % per) * 8;
  __syncthreads(); long long t0 = clock64();
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    float v[U];
#pragma unroll
    for (int k = 0; k < U; k++) asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(q + k * reach) : "memory");
#pragma unroll
    for (int k = 0; k < U; k++) s += v[k];
    q += U * reach;
  }
  __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) *clk = t1 - t0;
  if (s == 1e31f) *o = s;
}
template <int U> void portRun(int warps, int per, int shift) {
  u64 reach = (32 / per) * 32; const int N = 24; long long best = 1ll << 60, c;
  for (int r = 0; r < 4; r++) { port<U><<<1, warps * 32>>>(big + shift, per, reach, N, clk, sink); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(&c, clk, 8, cudaMemcpyDeviceToHost)); if (r) best = std::min(best, c); }
  printf("{\"micro\":\"port\",\"loads\":%d,\"warps\":%d,\"sectorsOfLine\":%d,\"cyclesPerRequest\":%.2f,\"bytesPerCycle\":%.1f}\n", U, warps, per, (double)best / N / U / warps, 1024.0 * N * U * warps / best); fflush(stdout);
}
// One line of four sectors a request (coalesced).
template <int U> __global__ void coalesced(const float *p, int rounds, long long *clk, float *o) {
  float s = 0; const float *q = p + threadIdx.x; __syncthreads(); long long t0 = clock64();
#pragma unroll 1
  for (int r = 0; r < rounds; r++) { float v[U];
#pragma unroll
    for (int k = 0; k < U; k++) asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(q + k * blockDim.x) : "memory");
#pragma unroll
    for (int k = 0; k < U; k++) s += v[k];
    q += U * blockDim.x; }
  __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) clk[blockIdx.x] = t1 - t0;
  if (s == 1e31f) *o = s;
}
template <int U> void coalescedRun(int warps) {
  const int N = 64; long long best = 1ll << 60, c;
  for (int r = 0; r < 4; r++) { coalesced<U><<<1, warps * 32>>>(big, N, clk, sink); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(&c, clk, 8, cudaMemcpyDeviceToHost)); if (r) best = std::min(best, c); }
  printf("{\"micro\":\"coalesced\",\"loads\":%d,\"warps\":%d,\"cyclesPerRequest\":%.2f,\"bytesPerCycle\":%.1f}\n", U, warps, (double)best / N / U / warps, 128.0 * N * U * warps / best); fflush(stdout);
}
template <class T> __global__ void stores(float *p, int stride, int rounds, u64 reach, u64 apart) {
  float *q = p + (threadIdx.x & 31) * stride + (threadIdx.x >> 5) * apart; T v; memset(&v, 0, sizeof v);
#pragma unroll 1
  for (int r = 0; r < rounds; r++) { *(T *)q = v; q += reach; }
}
template <class T> void storesRun(int stride, int warps, bool listed) {
  const int W = sizeof(T) / 4; u64 reach = (31 * stride + 1) * W; reach = (reach + 31) / 32 * 32; reach += 256 - reach % 256 + 32;
  if (listed) { printf("{\"micro\":\"stores\",\"bytes\":%d,\"stride\":%d,\"warps\":%d,\"reachWords\":%llu}\n", (int)sizeof(T), stride, warps, reach); return; }
  stores<T><<<1, warps * 32>>>(big, stride * W, 64, reach, reach * 64); CK(cudaDeviceSynchronize());
}
int main(int argc, char **argv) {
  CK(cudaMalloc(&big, 1u << 30)); CK(cudaMalloc(&small, 16 << 20)); CK(cudaMalloc(&sink, 4)); CK(cudaMalloc(&clk, 4096)); CK(cudaMemset(big, 0, 1u << 30)); CK(cudaMemset(small, 0, 16 << 20));
  if (argc > 1) { bool l = !strcmp(argv[1], "list");
    for (int w : {1, 8}) { for (int s : {1, 2, 3, 4, 8, 9, 16, 17, 32, 33, 64, 65, 100, 500, 512, 520, 1000}) storesRun<float>(s, w, l); for (int s : {1, 2, 8, 17, 64}) storesRun<float2>(s, w, l); for (int s : {1, 2, 8, 17, 64}) storesRun<float4>(s, w, l); }
    return 0; }
  for (int w : {1, 8, 32}) {
    for (int sp : {0, 1, 4, 8, 32, 33, 64, 500}) {
      run<0, 0>(w, sp, 0);
      for (int lp : {1, 8, 32, 33}) { run<1, 0>(w, sp, lp); run<2, 0>(w, sp, lp); }
      run<1, 1>(w, sp, 1); run<1, 1>(w, sp, 32); run<2, 1>(w, sp, 32);
    } }
  for (int w : {4, 16, 32}) for (int per : {1, 2, 4}) { portRun<1>(w, per, 0); portRun<2>(w, per, 0); portRun<4>(w, per, 0); portRun<8>(w, per, 0); }
  for (int w : {4, 16, 32}) { coalescedRun<1>(w); coalescedRun<4>(w); coalescedRun<8>(w); coalescedRun<16>(w); }
}
