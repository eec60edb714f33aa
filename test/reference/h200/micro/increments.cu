// Increments of shared memory whose result nobody reads (ATOMS.POPC.INC) and sums of another amount (ATOMS.ADD), by how many
// lanes meet at an address and in a bank. One line a row: kind, pattern, warps, cycles an instruction and warp of the SM.
#include <cstdio>
#include <cuda_runtime.h>
typedef unsigned int uint;
// KIND 0: atomicAdd(&s[i], 1u); 1: atomicAdd(&s[i], v) of a v known at run time; 2: with the result used.
template <int KIND> __global__ void increments(const int *index, long long *clk, uint *out, uint v) {
  __shared__ uint s[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0;
  int at = index[threadIdx.x & 31];
  uint sum = 0;
  __syncthreads();
  long long start = clock64();
  for (int r = 0; r < 64; r++) {
#pragma unroll
    for (int k = 0; k < 8; k++) {
      uint *p = &s[(at + k * 32) & 8191];
      if (KIND == 0) atomicAdd(p, 1u);
      else if (KIND == 1) atomicAdd(p, v);
      else sum += atomicAdd(p, v);
    }
  }
  __syncthreads();
  long long end = clock64();
  if (threadIdx.x == 0) clk[0] = end - start;
  out[threadIdx.x] = s[threadIdx.x] + sum;
}
int main() {
  int *index; long long *clk; uint *out;
  cudaMallocManaged(&index, 128); cudaMallocManaged(&clk, 8); cudaMalloc(&out, 4096);
  struct { const char *name; int (*f)(int); } patterns[] = {
    {"apart", [](int l) { return l; }},           {"pairs", [](int l) { return l / 2; }},
    {"fours", [](int l) { return l / 4; }},       {"eights", [](int l) { return l / 8; }},
    {"halves", [](int l) { return l / 16; }},     {"one", [](int l) { return 0; }},
    {"one_of_many", [](int l) { return l < 16 ? 0 : l; }}, {"bank2", [](int l) { return l * 2; }},
    {"bank4", [](int l) { return l * 4; }},       {"bank8", [](int l) { return l * 8; }},
    {"bank32", [](int l) { return l * 32; }},     {"bank2_pairs", [](int l) { return l / 2 * 4; }},
    {"bank8_pairs", [](int l) { return l / 2 * 16; }}, {"bank16_pairs", [](int l) { return l / 2 * 32; }},
    {"bank8_fours", [](int l) { return l / 4 * 32; }},
  };
  for (auto &p : patterns) for (int kind = 0; kind < 3; kind++) for (int warps : {1, 4, 16, 32}) {
    for (int l = 0; l < 32; l++) index[l] = p.f(l);
    for (int again = 0; again < 2; again++) {
      if (kind == 0) increments<0><<<1, warps * 32>>>(index, clk, out, 3);
      else if (kind == 1) increments<1><<<1, warps * 32>>>(index, clk, out, 3);
      else increments<2><<<1, warps * 32>>>(index, clk, out, 3);
      cudaDeviceSynchronize();
    }
    printf("{\"kind\":\"%s\",\"pattern\":\"%s\",\"warps\":%d,\"cycles\":%.3f}\n", kind == 0 ? "increment" : kind == 1 ? "add" : "add_returning", p.name, warps, clk[0] / 512.0 / warps);
  }
  fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
}
