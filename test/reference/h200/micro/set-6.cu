// Microbenchmarks of the issue of mixed instructions: cycles a group and scheduler, 8 warps each, of one instruction and
// so many independent FFMAs; and of stores and predicated-off loads a request.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <algorithm>
typedef unsigned int uint;
#define F1(x) asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(x) : "f"(b));
#define F3 F1(f0) F1(f1) F1(f2)
#define F7 F3 F1(f3) F1(f4) F1(f5) F1(f6)
#define MIX(OP) if (NF == 0) { OP OP OP OP OP OP OP OP } if (NF == 1) { OP F1(f0) OP F1(f1) OP F1(f2) OP F1(f3) OP F1(f4) OP F1(f5) OP F1(f6) OP F1(f0) } if (NF == 3) { OP F3 OP F3 OP F3 OP F3 OP F3 OP F3 OP F3 OP F3 } if (NF == 7) { OP F7 OP F7 OP F7 OP F7 OP F7 OP F7 OP F7 OP F7 }
template <int KIND, int NF> __global__ void mix(uint *out, uint c, float b, uint m) {
  __shared__ uint s[1024]; s[threadIdx.x] = threadIdx.x; uint a = (uint)__cvta_generic_to_shared(s + threadIdx.x); __syncthreads();
  float f0 = b, f1 = b + 1, f2 = b + 2, f3 = b + 3, f4 = b + 4, f5 = b + 5, f6 = b + 6; uint x = threadIdx.x + c, y = x * 3 + 1; unsigned long long w = x; float g = b;
#pragma unroll 1
  for (uint i = 0; i < m; i++) {
    if (KIND == 0) { MIX(asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(g));) }
    if (KIND == 1) { MIX(asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(x) : "r"(y));) }
    if (KIND == 2) { MIX(asm volatile("mad.wide.u32 %0,%1,%2,%0;" : "+l"(w) : "r"(y), "r"(c));) }
    if (KIND == 3) { MIX(asm volatile("mad.lo.u32 %0,%0,%1,%2;" : "+r"(x) : "r"(y), "r"(c));) }
    if (KIND == 4) { MIX(asm volatile("lop3.b32 %0,%1,%2,%0,0x6a;" : "+r"(x) : "r"(y), "r"(c));) }
    if (KIND == 5) { MIX(asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(x) : "r"(a));) }
    if (KIND == 6) { MIX(asm volatile("ld.volatile.global.u32 %0,[%1];" : "=r"(x) : "l"(out + threadIdx.x));) }
    if (KIND == 7) { MIX(asm volatile("{.reg .pred p; setp.lt.u32 p,%1,%2; @p add.u32 %0,%0,1;}" : "+r"(x) : "r"(y), "r"(c));) }
    if (KIND == 8) { MIX(asm volatile("popc.b32 %0,%0;" : "+r"(x));) }
    if (KIND == 9) { MIX(asm volatile("{.reg .f32 t; cvt.rn.f32.u32 t,%0; cvt.rzi.u32.f32 %0,t;}" : "+r"(x));) }
    if (KIND == 10) { MIX(asm volatile("add.u32 %0,%0,%1;" : "+r"(x) : "r"(c));) }
    if (KIND == 11) { MIX(asm volatile("shfl.sync.bfly.b32 %0,%0,%1,31,-1;" : "+r"(x) : "r"(c));) }
    if (KIND == 12) { MIX(asm volatile("st.volatile.shared.u32 [%0],%1;" :: "r"(a), "r"(y));) }
  }
  if (f0 + f1 + f2 + f3 + f4 + f5 + f6 + g + x + w == 12345.f) out[0] = 1;
}
uint *big;
template <class F> double ms(F f) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t; for (int r = 0; r < 5; r++) { cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m); } if (cudaGetLastError() != cudaSuccess) { printf("failed\n"); exit(1); } std::sort(t.begin(), t.end()); return t[1]; }
template <int KIND, int NF> double one(int threads) { uint m = 2048; double a = ms([=] { mix<KIND, NF><<<132, threads>>>(big, 3, 0.5f, m); }), b = ms([=] { mix<KIND, NF><<<132, threads>>>(big, 3, 0.5f, 2 * m); }); return (b - a) * 1.98e6 / m / 8 / (threads / 128); }
template <int KIND> void run(const char *name) { for (int th : {128, 1024}) { printf("{\"micro\":\"issue_mix\",\"instruction\":\"%s\",\"warpsPerScheduler\":%d,\"alone\":%.3f,\"with1ffma\":%.3f,\"with3ffma\":%.3f,\"with7ffma\":%.3f}\n", name, th / 128, one<KIND, 0>(th), one<KIND, 1>(th), one<KIND, 3>(th), one<KIND, 7>(th)); fflush(stdout); } }
int main() {
  cudaMalloc(&big, 64 << 20); cudaMemset(big, 0, 64 << 20);
  run<0>("MUFU.EX2"); run<1>("IMAD.HI"); run<2>("IMAD.WIDE"); run<3>("IMAD"); run<4>("LOP3"); run<5>("LDS"); run<6>("LDG strong"); run<7>("ISETP, predicated IADD"); run<8>("POPC"); run<9>("I2F, F2I"); run<10>("IADD"); run<11>("SHFL"); run<12>("STS");
}
