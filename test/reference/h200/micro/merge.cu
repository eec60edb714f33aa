// What leaves an SM of stores in a row that fill each other's sectors: one SM, `warps` warps, `lines` lines a request, RUN stores in a row; between
// runs nothing (0), a load that hits L2 (1), a barrier (2), 24 dependent multiply-adds (3). By Nsight Compute; `merge list`: the launches.
#include <cstdio>
#include <cstdlib>
#include <cstring>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
float *out, *in; bool listed; long long *clk;
const int ROUNDS = 48;
template <int RUN, int MODE> __global__ void runs(float *out, const float *in, int lines, long long *clk) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5, warps = blockDim.x >> 5;
  float v = threadIdx.x;
  __syncthreads(); long long t0 = clock64();
#pragma unroll 1
  for (int r = 0; r < ROUNDS; r++) {
    float *q = out + ((u64)(r * warps + w) * 32 + lane) * lines;
    if (MODE == 1) v += __ldcg(in + ((r * warps + w) * 32 + lane));
    if (MODE == 2) __syncthreads();
    if (MODE == 3) {
#pragma unroll
      for (int k = 0; k < 24; k++) v = v * 0.99f + 1.0f; }
#pragma unroll
    for (int k = 0; k < RUN; k++) q[k] = v + k;
  }
  __syncthreads(); if (threadIdx.x == 0) *clk = clock64() - t0;
}
template <int RUN, int MODE> void go(int warps, int lines) {
  if (RUN > lines && lines > 1) return;
  if (listed) { printf("{\"run\":%d,\"mode\":%d,\"warps\":%d,\"lines\":%d,\"rounds\":%d}\n", RUN, MODE, warps, lines, ROUNDS); return; }
  runs<RUN, MODE><<<1, warps * 32>>>(out, in, lines, clk); CK(cudaDeviceSynchronize());
}
template <int RUN, int MODE> void all() { for (int l : {2, 3, 4, 6, 8, 12, 16}) for (int w : {1, 2, 4, 8, 16, 32}) go<RUN, MODE>(w, l); }
int main(int argc, char **argv) {
  listed = argc > 1 && !strcmp(argv[1], "list");
  if (!listed) { CK(cudaMalloc(&out, 512u << 20)); CK(cudaMalloc(&in, 64u << 20)); CK(cudaMalloc(&clk, 8)); CK(cudaMemset(in, 0, 64u << 20)); }
  all<2, 0>(); all<2, 1>(); all<2, 2>(); all<2, 3>(); all<4, 0>(); all<4, 1>(); all<4, 2>(); all<4, 3>(); all<8, 0>(); all<8, 1>(); all<8, 2>(); all<8, 3>();
}
