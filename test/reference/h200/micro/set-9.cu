// Where issue slots go: chains and independent operations of one pipe, at 1 to 16 warps a scheduler, each launched once
// under ncu (h200/micro/set-9.json says with which metrics). Built by: nvcc -O3 -arch=sm_90 -o micro9 h200/micro/set-9.cu
#include <cuda_runtime.h>
#include <cstdio>
typedef unsigned int uint; typedef unsigned long long u64;
#define REP4(x) x x x x
#define REP16(x) REP4(REP4(x))
#define REP64(x) REP4(REP16(x))
#define LOOP(NAME, PRE, BODY, POST) __global__ void __launch_bounds__(1024) NAME(uint *out, uint n, float f) { uint x = threadIdx.x + n, y = x * 3 + 1, z = x * 5 + 2, w = x * 7 + 3; float a = f * x, b = f * y, c = f * z, d = f * w; PRE \
  _Pragma("unroll 1") for (uint i = 0; i < n; i++) { BODY } POST if (x + y + z + w == 12345 && a + b + c + d == 0.f) out[threadIdx.x] = x; }
// special functions
LOOP(mufuChain, , REP16(asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(a));), )
LOOP(mufuFour, , REP16(asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(a)); asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(b)); asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(c)); asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(d));), )
LOOP(mufuFadd, , REP16(asm volatile("ex2.approx.ftz.f32 %0,%0; add.f32 %0,%0,%1;" : "+f"(a) : "f"(f));), )
LOOP(mufuSevenFfma, , REP16(asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(a)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(b) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(c) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(d) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(b) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(c) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(d) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(b) : "f"(f));), )
LOOP(mufuLds, __shared__ uint s[1024]; uint at = (uint)__cvta_generic_to_shared(s) + 4 * threadIdx.x; s[threadIdx.x] = at;, REP16(asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(a)); asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(y) : "r"(at));), )
// divisions
LOOP(remChain, , REP4(asm volatile("rem.u32 %0,%1,%0; or.b32 %0,%0,%2;" : "+r"(x) : "r"(w * 77777u), "r"(z));), )
// multiplies that give 64 bits
LOOP(hiChain, , REP16(asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(x) : "r"(z));), )
LOOP(hiFour, , REP16(asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(x) : "r"(n)); asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(y) : "r"(n)); asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(z) : "r"(n)); asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(w) : "r"(n));), )
LOOP(hiLop, , REP16(asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(x) : "r"(n)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(y) : "r"(n), "r"(blockDim.x));), )
LOOP(hiFfma, , REP16(asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(x) : "r"(n)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(b) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(c) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(d) : "f"(f)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(a) : "f"(f));), )
LOOP(wideChain, u64 q = x;, REP16(asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; mad.wide.u32 %0,l,%1,%0;}" : "+l"(q) : "r"(n));), x = (uint)q ^ (uint)(q >> 32);)
LOOP(wideFour, u64 q = x; u64 r = y; u64 s = z; u64 t = w;, REP16(asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; mad.wide.u32 %0,l,%1,%0;}" : "+l"(q) : "r"(n)); asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; mad.wide.u32 %0,l,%1,%0;}" : "+l"(r) : "r"(n)); asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; mad.wide.u32 %0,l,%1,%0;}" : "+l"(s) : "r"(n)); asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; mad.wide.u32 %0,l,%1,%0;}" : "+l"(t) : "r"(n));), x = (uint)(q ^ r ^ s ^ t) ^ (uint)((q ^ r ^ s ^ t) >> 32);)
LOOP(wideLop, u64 q = x;, REP16(asm volatile("{.reg .u32 l,h; mov.b64 {l,h},%0; mad.wide.u32 %0,l,%1,%0;}" : "+l"(q) : "r"(n)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(y) : "r"(n), "r"(blockDim.x)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(w) : "r"(n), "r"(blockDim.x));), x = (uint)q ^ (uint)(q >> 32);)
LOOP(imadFour, , REP16(asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(x) : "r"(n)); asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(y) : "r"(n)); asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(z) : "r"(n)); asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(w) : "r"(n));), )
LOOP(lopFour, , REP16(asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(x) : "r"(n), "r"(blockDim.x)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(y) : "r"(n), "r"(blockDim.x)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(z) : "r"(n), "r"(blockDim.x)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(w) : "r"(n), "r"(blockDim.x));), )
LOOP(lopImad, , REP16(asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(x) : "r"(n), "r"(blockDim.x)); asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(y) : "r"(n)); asm volatile("shf.r.wrap.b32 %0,%0,%1,%2;" : "+r"(z) : "r"(n), "r"(blockDim.x)); asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(w) : "r"(n));), )
// a multiply-add of three registers, which ptxas deals out; each kernel has other ones
template <int P, int Q> __global__ void __launch_bounds__(1024) ffmaThree(uint *out, uint n, float f) { float v[8], k[8];
  for (int i = 0; i < 8; i++) { v[i] = f + i; k[i] = f * (i + 1) + threadIdx.x; }
#pragma unroll 1
  for (uint i = 0; i < n; i++) {
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
      for (int j = 0; j < 8; j++) asm volatile("fma.rn.f32 %0,%1,%2,%0;" : "+f"(v[j]) : "f"(k[(j * P + r) % 8]), "f"(k[(j * Q + r + 3) % 8]));
  }
  float t = 0; for (int i = 0; i < 8; i++) t += v[i]; if (t == 1.23f) out[0] = 1; }
template <int P> __global__ void __launch_bounds__(1024) imadThree(uint *out, uint n, float f) { uint v[8], k[8];
  for (int i = 0; i < 8; i++) { v[i] = n + i; k[i] = n * (i + 1) + threadIdx.x; }
#pragma unroll 1
  for (uint i = 0; i < n; i++) {
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
      for (int j = 0; j < 8; j++) asm volatile("mad.lo.u32 %0,%1,%2,%0;" : "+r"(v[j]) : "r"(k[(j * P + r) % 8]), "r"(k[(j + r + 3) % 8]));
  }
  uint t = 0; for (int i = 0; i < 8; i++) t += v[i]; if (t == 123u) out[0] = 1; }
template <int P> __global__ void __launch_bounds__(1024) add3Three(uint *out, uint n, float f) { uint v[8], k[8];
  for (int i = 0; i < 8; i++) { v[i] = n + i; k[i] = n * (i + 1) + threadIdx.x; }
#pragma unroll 1
  for (uint i = 0; i < n; i++) {
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
      for (int j = 0; j < 8; j++) asm volatile("lop3.b32 %0,%0,%1,%2,0x96;" : "+r"(v[j]) : "r"(k[(j * P + r) % 8]), "r"(k[(j + r + 3) % 8]));
  }
  uint t = 0; for (int i = 0; i < 8; i++) t += v[i]; if (t == 123u) out[0] = 1; }
// predicates
LOOP(setpPredicated, , REP16(asm volatile("{.reg .pred p; setp.lt.u32 p,%0,%1; @p add.u32 %0,%0,%2;}" : "+r"(x) : "r"(w), "r"(n));), )
// shared memory: a load whose address is what the load before gave; all lanes of a warp STRIDE words apart
#define AT extern __shared__ uint s[]; uint at = 4 * ((threadIdx.x % 32) * STRIDE % 1024); for (uint i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = (uint)__cvta_generic_to_shared(s) + 4 * i; __syncthreads(); at += (uint)__cvta_generic_to_shared(s);
template <int STRIDE> LOOP(ldsChain, AT, REP16(asm volatile("ld.volatile.shared.u32 %0,[%0];" : "+r"(at));), x += at;)
template <int STRIDE> LOOP(ldsFour, AT, REP4(asm volatile("ld.volatile.shared.u32 %0,[%4]; ld.volatile.shared.u32 %1,[%4]; ld.volatile.shared.u32 %2,[%4]; ld.volatile.shared.u32 %3,[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at)); at += (x ^ y) | (z ^ w);), x += at;)
template <int STRIDE> LOOP(stsFour, AT, REP16(asm volatile("st.volatile.shared.u32 [%0],%0;" :: "r"(at));), )
template <int STRIDE> LOOP(ldsAddSts, AT, REP4(asm volatile("{.reg .u32 p,q; ld.volatile.shared.u32 p,[%0]; ld.volatile.shared.u32 q,[%0+4]; add.u32 p,p,q; st.volatile.shared.u32 [%0],p;}" :: "r"(at));), )
// a step of a tree: the first WARPS of a block load two, add, store; then all meet
template <int STRIDE, int WARPS> __global__ void __launch_bounds__(1024) treeStep(uint *out, uint n, float f) { AT bool on = threadIdx.x / 32 < WARPS;
#pragma unroll 1
  for (uint i = 0; i < n; i++) {
    if (on) { uint p, q; asm volatile("ld.volatile.shared.u32 %0,[%2]; ld.volatile.shared.u32 %1,[%2+4];" : "=r"(p), "=r"(q) : "r"(at)); asm volatile("st.volatile.shared.u32 [%0],%1;" :: "r"(at), "r"(p + q)); }
    __syncthreads();
  } if (s[0] == 0x1234567) out[0] = 1; }
__global__ void stsBar(uint *out, uint n, float f) { const int STRIDE = 1; AT
#pragma unroll 1
  for (uint i = 0; i < n; i++) { asm volatile("st.volatile.shared.u32 [%0],%1;" :: "r"(at), "r"(i)); __syncthreads(); } if (s[0] == 0x1234567) out[0] = 1; }
__global__ void barOnly(uint *out, uint n, float f) {
#pragma unroll 1
  for (uint i = 0; i < n; i++) __syncthreads(); if (n == 0x1234567) out[0] = 1; }
#define RUN(...) { auto k = __VA_ARGS__; for (int t : {128, 512, 1024, 2048}) { int b = t == 2048 ? 2 : 1; k<<<132 * b, t / b, 8192>>>(out, 64, 0.5f); cudaDeviceSynchronize(); printf("{\"kernel\":\"" #__VA_ARGS__ "\",\"threads\":%d,\"blocksPerSM\":%d}\n", t / b, b); } }
#define AT_(K, T, B) { auto k = K; cudaFuncSetAttribute(k, cudaFuncAttributePreferredSharedMemoryCarveout, 100); k<<<132 * (B), T, 4096>>>(out, 256, 0.5f); cudaDeviceSynchronize(); printf("{\"kernel\":\"" #K "\",\"threads\":%d,\"blocksPerSM\":%d}\n", T, B); }
int main() {
  uint *out; cudaMalloc(&out, 1 << 20);
  RUN(mufuChain) RUN(mufuFour) RUN(mufuFadd) RUN(mufuSevenFfma) RUN(mufuLds) RUN(remChain) RUN(hiChain) RUN(hiFour) RUN(hiLop) RUN(hiFfma) RUN(wideChain) RUN(wideFour) RUN(wideLop) RUN(imadFour) RUN(lopFour) RUN(lopImad)
  RUN(ffmaThree<1, 1>) RUN(ffmaThree<1, 3>) RUN(ffmaThree<2, 1>) RUN(ffmaThree<3, 5>) RUN(ffmaThree<1, 2>) RUN(imadThree<1>) RUN(imadThree<2>) RUN(imadThree<3>) RUN(add3Three<1>) RUN(add3Three<2>) RUN(setpPredicated)
  RUN(ldsChain<1>) RUN(ldsChain<2>) RUN(ldsChain<4>) RUN(ldsChain<16>) RUN(ldsFour<1>) RUN(ldsFour<4>) RUN(ldsFour<16>) RUN(stsFour<1>) RUN(stsFour<4>) RUN(stsFour<16>) RUN(ldsAddSts<1>) RUN(ldsAddSts<4>) RUN(ldsAddSts<16>)
  for (int b : {1, 2, 4, 6, 7, 8}) { AT_(barOnly, 256, b) AT_(stsBar, 256, b) AT_((treeStep<1, 1>), 256, b) AT_((treeStep<16, 1>), 256, b) }
  for (int b : {1, 2, 4, 8, 12, 14}) { AT_(barOnly, 128, b) AT_((treeStep<1, 1>), 128, b) }
  for (int b : {1, 2, 3, 4}) { AT_(barOnly, 512, b) AT_((treeStep<1, 1>), 512, b) }
  for (int b : {1, 2}) { AT_(barOnly, 1024, b) AT_((treeStep<1, 1>), 1024, b) AT_((treeStep<16, 1>), 1024, b) }
  AT_((treeStep<8, 1>), 256, 7) AT_((treeStep<8, 4>), 256, 7) AT_((treeStep<16, 4>), 256, 7) AT_((treeStep<1, 32>), 256, 7) AT_((treeStep<16, 32>), 256, 7)
  return cudaDeviceSynchronize();
}
