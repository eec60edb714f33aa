// Which warp a scheduler of an H200 takes next: each warp's clock after each round of a loop, of the warps of one scheduler,
// for loops whose instructions ptxas gives stall counts with and without a yield. nvcc -O3 -arch=sm_90 h200/micro/yield.cu
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned uint;
enum { FREE, CHAIN, MIX, LOADS, SIDES, CHAINS2 };
const char *names[] = {"free", "chain", "mix", "loads", "sides", "chains2"};
const int ROUNDS = 64;
__device__ __forceinline__ uint clk() { uint t; asm volatile("mov.u32 %0,%%clock;" : "=r"(t)); return t; }
__device__ uint smid() { uint s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); return s; }
__device__ uint slot() { uint s; asm volatile("mov.u32 %0, %%warpid;" : "=r"(s)); return s; }
template <int BODY, int K> __global__ void rounds(uint *r, uint *at, int most, float factor, uint mask, float *o) {
  extern __shared__ uint s[];
  float v[8]; for (int k = 0; k < 8; k++) v[k] = threadIdx.x + k;
  uint x = threadIdx.x, y = BODY == LOADS ? 0 : 3, z = 5; uint w = threadIdx.x / 32;
  uint sa = (uint)__cvta_generic_to_shared(s) + 4 * ROUNDS * w, sb = (uint)__cvta_generic_to_shared(s) + 4 * ROUNDS * (blockDim.x / 32) + 4 * threadIdx.x;
  s[ROUNDS * (blockDim.x / 32) + threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (int n = 0; n < most; n++) {
    if (BODY == FREE) {
#pragma unroll
      for (int k = 0; k < K; k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v[k % 8]) : "f"(factor));
    }
    if (BODY == CHAIN) {
#pragma unroll
      for (int k = 0; k < K; k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v[0]) : "f"(factor));
    }
    if (BODY == CHAINS2) {
#pragma unroll
      for (int k = 0; k < K; k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v[k % 2]) : "f"(factor));
    }
    if (BODY == MIX) { v[0] = v[0] * factor + v[1]; v[1] = v[1] * factor + v[2]; x ^= x << 1; x += n; }
    if (BODY == LOADS) {
#pragma unroll
      for (int k = 0; k < K; k++) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(y) : "r"(sb + y));
    }
    if (BODY == SIDES) {
      if (threadIdx.x & mask) { for (int k = 0; k < K; k++) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(v[0]) : "f"(factor)); }
      else { for (int k = 0; k < K; k++) asm volatile("mul.rn.f32 %0,%0,%1;" : "+f"(v[0]) : "f"(factor)); }
    }
    uint a; asm volatile("mad.lo.u32 %0,%1,4,%2;" : "=r"(a) : "r"(n), "r"(sa)); uint t = clk(); asm volatile("st.volatile.shared.u32 [%0],%1;" :: "r"(a), "r"(t));
  }
  float sum = x + y + z; for (int k = 0; k < 8; k++) sum += v[k];
  if (sum == 0.123f) *o = sum;
  __syncthreads();
  uint g = blockIdx.x * (blockDim.x / 32) + w;
  for (int n = threadIdx.x % 32; n < ROUNDS; n += 32) r[g * ROUNDS + n] = s[w * ROUNDS + n];
  if (threadIdx.x % 32 == 0) { at[2 * g] = smid(); at[2 * g + 1] = slot(); }
}
uint *r, *at; float *o; std::vector<uint> h(1 << 22), p(1 << 18);
template <int BODY, int K> void show(int blocks, int warps) {
  const int most = ROUNDS;
  for (int k = 0; k < 2; k++) rounds<BODY, K><<<132 * blocks, warps * 32, 4 * ROUNDS * warps + 4 * 32 * warps>>>(r, at, most, 0.999f, 0u, o);
  CK(cudaDeviceSynchronize()); int n = 132 * blocks * warps;
  CK(cudaMemcpy(h.data(), r, n * ROUNDS * 4, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(p.data(), at, n * 8, cudaMemcpyDeviceToHost));
  uint sm = p[0]; uint first = h[0]; std::vector<int> mine;
  for (int w = 0; w < n; w++) if (p[2 * w] == sm && p[2 * w + 1] % 4 == p[1] % 4) { mine.push_back(w); if ((int)(h[w * ROUNDS] - first) < 0) first = h[w * ROUNDS]; }
  std::sort(mine.begin(), mine.end(), [&](int a, int b) { return p[2 * a + 1] < p[2 * b + 1]; });
  printf("{\"micro\":\"%s\",\"K\":%d,\"blocks\":%d,\"warps\":%d,\"of\":[", names[BODY], K, blocks, warps); int c = 0;
  for (int w : mine) { printf("%s{\"block\":%d,\"slot\":%u,\"at\":[", c++ ? "," : "", w / warps, p[2 * w + 1]);
    for (int k = 0; k < ROUNDS; k++) printf("%s%d", k ? "," : "", (int)(h[w * ROUNDS + k] - first)); printf("]}"); }
  printf("]}\n"); fflush(stdout);
}
template <int BODY, int K> void sweep() { for (int w : {4, 8, 16, 32}) show<BODY, K>(1, w); for (int b : {2, 4, 8, 16}) show<BODY, K>(b, 4); show<BODY, K>(2, 32); }
int main() {
  CK(cudaMalloc(&r, 64 << 20)); CK(cudaMalloc(&at, 4 << 20)); CK(cudaMalloc(&o, 64));
  sweep<FREE, 2>(); sweep<FREE, 4>(); sweep<FREE, 5>(); sweep<FREE, 6>(); sweep<FREE, 7>(); sweep<FREE, 8>(); sweep<FREE, 12>(); sweep<FREE, 16>(); sweep<FREE, 24>(); sweep<FREE, 48>(); sweep<FREE, 128>();
  sweep<CHAIN, 1>(); sweep<CHAIN, 4>(); sweep<CHAIN, 16>(); sweep<CHAIN, 64>(); sweep<CHAINS2, 16>(); sweep<CHAINS2, 64>();
  sweep<MIX, 1>(); sweep<LOADS, 1>(); sweep<LOADS, 4>(); sweep<SIDES, 4>(); sweep<SIDES, 16>();
}
