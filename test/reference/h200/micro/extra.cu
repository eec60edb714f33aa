// Microbenchmarks for the timing model beyond h200/micro/set-1.json: one JSON line each.
// cycles: clock64() of one SM around a loop of inline-PTX operations. times: CUDA events, median.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <algorithm>
#include <functional>
typedef unsigned int uint; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
#define REP4(x) x x x x
#define REP16(x) REP4(REP4(x))
#define REP32(x) REP16(x) REP16(x)
#define REP64(x) REP4(REP16(x))
long long *clk, hclk[8192]; uint *out; char *big; size_t BIG = 4ull << 30;
const int ITER = 16;
// cycles from the first warp's start to the last warp's end of block `blk`
static double cycles(int warps, int first = 0) {
  CK(cudaDeviceSynchronize()); CK(cudaMemcpy(hclk, clk, sizeof hclk, cudaMemcpyDeviceToHost));
  long long lo = 1ll << 62, hi = 0;
  for (int w = first; w < first + warps; w++) { lo = std::min(lo, hclk[2 * w]); hi = std::max(hi, hclk[2 * w + 1]); }
  return double(hi - lo);
}
#define MARK0 __syncthreads(); long long t0 = clock64();
#define MARK1 long long t1 = clock64(); { int w_ = (blockIdx.x * blockDim.x + threadIdx.x) / 32; if (threadIdx.x % 32 == 0 && w_ < 4096) { clk[2 * w_] = t0; clk[2 * w_ + 1] = t1; } }
// one operation: A the dependent chain (latency), T four independent chains (throughput)
#define OP(name, TY, asmstr, cons)                                                                         \
  __global__ void lat_##name(long long *clk, uint *out, TY b, TY c) {                                      \
    TY x = (TY)(threadIdx.x + 3) * b; MARK0                                                                \
    for (int i = 0; i < ITER; i++) { REP64(asm volatile(asmstr : "+" cons(x) : cons(b), cons(c));) } MARK1   \
    if (x == (TY)123457) out[0] = 1; }                                                                     \
  __global__ void thr_##name(long long *clk, uint *out, TY b, TY c) {                                      \
    TY x = (TY)(threadIdx.x + 3) * b, y = x + b, z = x + c, w = y + c; MARK0                               \
    for (int i = 0; i < ITER; i++) { REP16(asm volatile(asmstr : "+" cons(x) : cons(b), cons(c));          \
      asm volatile(asmstr : "+" cons(y) : cons(b), cons(c)); asm volatile(asmstr : "+" cons(z) : cons(b), cons(c)); \
      asm volatile(asmstr : "+" cons(w) : cons(b), cons(c));) } MARK1                                      \
    if (x + y + z + w == (TY)123457) out[0] = 1; }
OP(imad, uint, "mad.lo.u32 %0,%0,%1,%2;", "r")
OP(imad_hi, uint, "mul.hi.u32 %0,%0,%1;", "r")
OP(iadd_lop3, uint, "add.u32 %0,%0,%1; xor.b32 %0,%0,%2;", "r")
OP(iadd_imad, uint, "add.u32 %0,%0,%1; mad.lo.u32 %0,%0,%2,%1;", "r")
OP(shf_lop3, uint, "shr.u32 %0,%0,%1; xor.b32 %0,%0,%2;", "r")
OP(vimnmx_lop3, uint, "max.u32 %0,%0,%1; xor.b32 %0,%0,%2;", "r")
OP(i2f_rp, uint, "{.reg .f32 f; cvt.rp.f32.u32 f,%0; mov.b32 %0,f;}", "r")
OP(f2i, uint, "{.reg .f32 f; mov.b32 f,%0; cvt.rzi.u32.f32 %0,f;}", "r")
OP(i2fp_lop3, uint, "{.reg .f32 f; cvt.rn.f32.u32 f,%0; mov.b32 %0,f; xor.b32 %0,%0,%1;}", "r")
OP(popc, uint, "popc.b32 %0,%0;", "r")
OP(flo, uint, "bfind.u32 %0,%0;", "r")
OP(brev, uint, "brev.b32 %0,%0;", "r")
OP(setp_selp, uint, "{.reg .pred p; setp.lt.u32 p,%0,%1; selp.u32 %0,%1,%2,p;}", "r")
OP(setp4_selp, uint, "{.reg .pred p,q,r,s; setp.lt.u32 p,%0,%1; setp.ne.and.u32 q,%0,%2,p; setp.gt.or.u32 r,%0,%2,q; setp.ne.xor.u32 s,%0,%1,r; selp.u32 %0,%1,%2,s;}", "r")
OP(fadd, float, "add.f32 %0,%0,%1;", "f")
OP(ffma, float, "fma.rn.f32 %0,%0,%1,%2;", "f")
OP(rcp_fadd, float, "rcp.approx.ftz.f32 %0,%0; add.f32 %0,%0,%1;", "f")
OP(rsqrt, float, "rsqrt.approx.ftz.f32 %0,%0;", "f")
OP(ex2, float, "ex2.approx.ftz.f32 %0,%0;", "f")
OP(lg2, float, "lg2.approx.ftz.f32 %0,%0;", "f")
OP(sin, float, "sin.approx.ftz.f32 %0,%0;", "f")
OP(fdiv_full, float, "div.rn.f32 %0,%0,%1;", "f")
OP(fsqrt, float, "sqrt.rn.f32 %0,%0;", "f")
OP(dadd, double, "add.f64 %0,%0,%1;", "d")
OP(dfma, double, "fma.rn.f64 %0,%0,%1,%2;", "d")
OP(imad64, u64, "mad.lo.u64 %0,%0,%1,%2;", "l")
OP(iadd64_xor, u64, "add.u64 %0,%0,%1; xor.b64 %0,%0,%2;", "l")
OP(f2d_d2f, float, "{.reg .f64 d; cvt.f64.f32 d,%0; cvt.rn.f32.f64 %0,d;}", "f")
OP(div_u32_or, uint, "div.u32 %0,%2,%0; or.b32 %0,%0,1;", "r")
OP(rem_u32_or, uint, "rem.u32 %0,%2,%0; or.b32 %0,%0,%1;", "r")
OP(rem_s32_or, uint, "rem.s32 %0,%2,%0; or.b32 %0,%0,%1;", "r")
OP(shfl_bfly, uint, "shfl.sync.bfly.b32 %0,%0,1,31,-1;", "r")
OP(shfl_down, uint, "shfl.sync.down.b32 %0,%0,%1,31,-1;", "r")
OP(vote_all_selp, uint, "{.reg .pred p,q; setp.lt.u32 p,%0,%1; vote.sync.all.pred q,p,-1; selp.u32 %0,%1,%2,q;}", "r")
OP(ballot, uint, "{.reg .pred p; setp.lt.u32 p,%0,%1; vote.sync.ballot.b32 %0,p,-1;}", "r")
OP(redux, uint, "redux.sync.add.u32 %0,%0,-1;", "r")
OP(match_any, uint, "match.any.sync.b32 %0,%0,-1;", "r")
OP(setp_s2r_add, uint, "{.reg .u32 t; .reg .pred p; setp.ne.u32 p,%0,%1; mov.u32 t,%2; @p mov.u32 t,%smid; add.u32 %0,%0,t;}", "r")
OP(s2r_smid_add, uint, "{.reg .u32 t; mov.u32 t,%smid; add.u32 %0,%0,t;}", "r")
OP(clock, uint, "{.reg .u32 t; mov.u32 t,%clock; add.u32 %0,%0,t;}", "r")
// predicated off: %1 is 0 at run time
OP(off_ffma, float, "{.reg .pred p; setp.gt.f32 p,%1,0f60000000; @p fma.rn.f32 %0,%0,%1,%2; @p mul.f32 %0,%0,%2; @p add.f32 %0,%0,%1; @p fma.rn.f32 %0,%0,%2,%1;}", "f")

template <class T> void op(const char *name, void (*lat)(long long *, uint *, T, T), void (*thr)(long long *, uint *, T, T), T b, T c) {
  double l = 1e18, t1 = 1e18, t32 = 1e18;
  for (int r = 0; r < 4; r++) {
    lat<<<1, 32>>>(clk, out, b, c); l = std::min(l, cycles(1));
    thr<<<1, 128>>>(clk, out, b, c); t1 = std::min(t1, cycles(4));
    thr<<<1, 1024>>>(clk, out, b, c); t32 = std::min(t32, cycles(32));
  }
  printf("{\"micro\":\"op\",\"name\":\"%s\",\"latencyCycles\":%.3f,\"opsPerCycleSM_4warps\":%.4f,\"opsPerCycleSM_32warps\":%.4f}\n", name, l / (ITER * 64), 4.0 * ITER * 64 / t1, 32.0 * ITER * 64 / t32);
}
#define RUN(name, TY, b, c) op<TY>(#name, lat_##name, thr_##name, (TY)(b), (TY)(c));

// shared memory: KIND 0 load, 1 store, 2 atomic add, 3 atomic inc (POPC.INC), 4 predicated-off load, 5 load 64 bit, 6 load 128 bit, 7 atomic add with result, 8 cas, 9 predicated-off store
template <int KIND> __global__ void __launch_bounds__(1024) smem(long long *clk, uint *out, int stride, int pred) {
  extern __shared__ uint s[];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) s[i] = 0;
  uint a = (uint)__cvta_generic_to_shared(s) + 4 * ((threadIdx.x % 32) * stride % 8192), v = threadIdx.x, r = 0, r2 = 0, r3, r4;
  MARK0
  for (int i = 0; i < ITER; i++) {
    if (KIND == 0) { REP32(asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(r) : "r"(a));) }
    if (KIND == 1) { REP32(asm volatile("st.volatile.shared.u32 [%0],%1;" ::"r"(a), "r"(v));) }
    if (KIND == 2) { REP32(asm volatile("red.shared.add.u32 [%0],%1;" ::"r"(a), "r"(v));) }
    if (KIND == 3) { REP32(asm volatile("red.shared.add.u32 [%0],1;" ::"r"(a));) }
    if (KIND == 4) { REP32(asm volatile("{.reg .pred p; setp.ne.u32 p,%2,0; @p ld.volatile.shared.u32 %0,[%1];}" : "+r"(r) : "r"(a), "r"(pred));) }
    if (KIND == 5) { REP32(asm volatile("ld.volatile.shared.v2.u32 {%0,%1},[%2];" : "=r"(r), "=r"(r2) : "r"(a & ~7u));) }
    if (KIND == 6) { REP32(asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(r), "=r"(r2), "=r"(r3), "=r"(r4) : "r"(a & ~15u));) }
    if (KIND == 7) { REP32(asm volatile("atom.shared.add.u32 %0,[%1],%2;" : "=r"(r) : "r"(a), "r"(v));) }
    if (KIND == 8) { REP32(asm volatile("atom.shared.cas.b32 %0,[%1],%2,%3;" : "=r"(r) : "r"(a), "r"(v), "r"(v + 1));) }
    if (KIND == 9) { REP32(asm volatile("{.reg .pred p; setp.ne.u32 p,%2,0; @p st.volatile.shared.u32 [%0],%1;}" :: "r"(a), "r"(v), "r"(pred));) }
  }
  MARK1
  if (r + r2 == 77777) out[1] = r;
}
template <int KIND> void smemRun(const char *name) {
  CK(cudaFuncSetAttribute(smem<KIND>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536));
  for (int stride : {0, 1, 2, 4, 8, 16, 32}) {
    if ((KIND == 4 || KIND == 9) && stride != 1) continue;
    double t[2] = {1e18, 1e18};
    for (int r = 0; r < 3; r++) for (int k = 0; k < 2; k++) { int th = k ? 1024 : 32; smem<KIND><<<1, th, 32768>>>(clk, out, stride, 0); t[k] = std::min(t[k], cycles(th / 32)); }
    printf("{\"micro\":\"shared\",\"name\":\"%s\",\"strideWords\":%d,\"cyclesPerWarpOp_1warp\":%.3f,\"cyclesPerWarpOp_32warps\":%.3f}\n", name, stride, t[0] / (ITER * 32), t[1] / (ITER * 32 * 32));
  }
}
// barrier: warps of a block, blocks resident on one SM
__global__ void bar(long long *clk) { MARK0 for (int i = 0; i < ITER; i++) { REP16(__syncthreads();) } MARK1 }
__global__ void barw(long long *clk) { MARK0 for (int i = 0; i < ITER; i++) { REP16(__syncwarp();) } MARK1 }
// divergence: the two halves of each warp take different sides of k FFMAs
template <int W> __global__ void diverge(long long *clk, uint *out, float b, int mask) {
  float x = threadIdx.x; MARK0
#pragma unroll 1
  for (int i = 0; i < 64; i++) {
    if ((threadIdx.x & mask) == 0) { REP16(asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(x) : "f"(b));) }
    else { REP16(asm volatile("fma.rn.f32 %0,%0,%1,%0;" : "+f"(x) : "f"(b));) }
  }
  MARK1 if (x == 1.23f) out[0] = 1;
}
// L1/L2/DRAM latency: pointer chase of one thread
__global__ void chaseInit(uint *p, uint n, uint step) { for (uint i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i * 32] = (uint)(((u64)i + step) % n) * 32; }
template <int CG> __global__ void chase(long long *clk, uint *out, const uint *p, int hops, int warm) {
  uint j = 0; 
  for (int i = 0; i < warm; i++) { if (CG) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(j) : "l"(p + j)); else asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(j) : "l"(p + j)); }
  MARK0
  for (int i = 0; i < hops; i++) { if (CG) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(j) : "l"(p + j)); else asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(j) : "l"(p + j)); }
  MARK1 out[2] = j;
}
struct ConstTable { int a[64]; };
__global__ void constChase(long long *clk, uint *out, ConstTable c) { int j = threadIdx.x == 99; for (int i = 0; i < 64; i++) j = c.a[j]; MARK0
#pragma unroll 16
  for (int i = 0; i < 1024; i++) j = c.a[j];
  MARK1 if (j == 77) out[0] = 1; }
__global__ void tightLoop(long long *clk, uint *out, int n) { uint x = threadIdx.x; MARK0
#pragma unroll 1
  for (int i = 0; i < n; i++) asm volatile("xor.b32 %0,%0,%1;" : "+r"(x) : "r"(n));
  MARK1 if (x == 77) out[0] = 1; }
__global__ void fence(long long *clk, uint *p) { MARK0
#pragma unroll 1
  for (int i = 0; i < 64; i++) { p[threadIdx.x + 32 * i] = i; __threadfence(); }
  MARK1 }
// streams
__global__ void readSpan(const uint4 *p, size_t n, int reps, uint *out) {
  uint s = 0;
  for (int r = 0; r < reps; r++) for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint4 v; asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p + i)); s += v.x ^ v.y ^ v.z ^ v.w; }
  if (s == 1234567) out[3] = s;
}
__global__ void writeSpan(uint4 *p, size_t n, int reps) { for (int r = 0; r < reps; r++) for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = make_uint4(r, 1, 2, i); }
__global__ void copySpan(const uint4 *p, uint4 *q, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) q[i] = p[i]; }
// K loads of 4 bytes in flight a thread; a block reads consecutive tiles of blockDim * K words
template <int KK> __global__ void inflight(const uint *p, uint tiles, uint *out) {
  uint s = 0;
  for (uint t = blockIdx.x; t < tiles; t += gridDim.x) {
    const uint *q = p + (size_t)t * blockDim.x * KK + threadIdx.x; uint v[KK];
#pragma unroll
    for (int k = 0; k < KK; k++) asm volatile("ld.global.u32 %0,[%1];" : "=r"(v[k]) : "l"(q + k * blockDim.x));
#pragma unroll
    for (int k = 0; k < KK; k++) s ^= v[k];
  }
  if (s == 1234567) out[3] = s;
}
template <int KK> __global__ void inflightSt(uint *p, uint tiles) {
  for (uint t = blockIdx.x; t < tiles; t += gridDim.x) {
    uint *q = p + (size_t)t * blockDim.x * KK + threadIdx.x;
#pragma unroll
    for (int k = 0; k < KK; k++) q[k * blockDim.x] = t;
  }
}
// requests of `sectors` sectors each, L1-resident (ca) or L2 (cg), and stores
template <int KIND> __global__ void __launch_bounds__(512) requests(long long *clk, uint *out, uint *p, int stride, int span) {
  uint *q = p + (KIND == 0 ? 0 : blockIdx.x * 32768) + (threadIdx.x % 32) * stride; uint r = 0, v;
  q += (threadIdx.x / 32) * 32 * stride % span;
  for (int i = 0; i < 2; i++) { asm volatile("ld.relaxed.cta.global.u32 %0,[%1];" : "=r"(v) : "l"(q)); r ^= v; }
  MARK0
#pragma unroll 1
  for (int i = 0; i < ITER; i++) {
    if (KIND == 0) { REP16(asm volatile("ld.relaxed.cta.global.u32 %0,[%1];" : "=r"(v) : "l"(q)); r ^= v;) }
    if (KIND == 1) { REP16(asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(q)); r ^= v;) }
    if (KIND == 2) { REP16(asm volatile("st.volatile.global.u32 [%0],%1;" ::"l"(q), "r"(r));) }
    if (KIND == 3) { REP16(asm volatile("red.global.add.u32 [%0],%1;" ::"l"(q), "r"(r));) }
  }
  MARK1 if (r == 1234567) out[4] = r;
}
__global__ void offGlobal(long long *clk, uint *out, uint *p, int pred) {
  uint r = 0; MARK0
  for (int i = 0; i < ITER; i++) { REP16(asm volatile("{.reg .pred p; setp.ne.u32 p,%2,0; @p ld.global.u32 %0,[%1];}" : "+r"(r) : "l"(p), "r"(pred));) }
  MARK1 if (r == 7) out[4] = r;
}
// global atomics over `mask`+1 addresses, every lane its own operation. MODE 0: lane-consecutive, 1: scattered, 2: all lanes of a warp the same address (address differs a warp)
template <int RET, int FL> __global__ void gatom(uint *p, uint mask, int mode, int reps) {
  uint g = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int r = 0; r < reps; r++) {
    uint i = mode == 0 ? g + r * 32 : mode == 1 ? (g * 2654435761u + r * 40503u) >> 7 : (g / 32) * 33 + r;
    uint *q = p + (i & mask);
    if (FL) { float f; if (RET) { asm volatile("atom.global.add.f32 %0,[%1],0f3F800000;" : "=f"(f) : "l"(q)); sum += __float_as_uint(f); } else asm volatile("red.global.add.f32 [%0],0f3F800000;" ::"l"(q)); }
    else { uint f; if (RET) { asm volatile("atom.global.add.u32 %0,[%1],%2;" : "=r"(f) : "l"(q), "r"(g)); sum += f; } else asm volatile("red.global.add.u32 [%0],%1;" ::"l"(q), "r"(g)); }
  }
  if (RET && sum == 0x12345677) p[0] = 1;
}
// blocks: empty, one store, one load (dependent store), shared use
template <int KIND> __global__ void blockK(uint *p, uint *q) {
  extern __shared__ uint s[];
  uint i = blockIdx.x * blockDim.x + threadIdx.x;
  if (KIND == 1) { if (p[i & 1048575] == 77) q[0] = 1; }
  if (KIND == 2) q[i & 1048575] = i;
  if (KIND == 3) { s[threadIdx.x] = i; __syncthreads(); if (s[threadIdx.x ^ 1] == 0xffffffffu) q[0] = 1; }
  if (KIND == 4) { if (p[i & 1048575] == 77) q[0] = 1; __syncthreads(); if (p[(i + 1024) & 1048575] == 77) q[0] = 1; }
}
// instruction cache: straight line of N FFMAs (16 bytes each), run `reps` times
template <int NN> __global__ void icache(long long *clk, uint *out, float b, int reps) {
  float x = threadIdx.x, y = x + 1, z = x + 2, w = x + 3;
  long long t0 = 0;
#pragma unroll 1
  for (int r = 0; r <= reps; r++) {
    if (r == 1) t0 = clock64();
#pragma unroll
    for (int i = 0; i < NN / 16; i++) { REP4(asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(x) : "f"(b)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(y) : "f"(b)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(z) : "f"(b)); asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(w) : "f"(b));) }
  }
  MARK1 if (x + y + z + w == 1.25f) out[0] = 1;
}
template <int NN> void icacheRun() {
  for (int th : {32, 128, 1024}) {
    double cold = 0, t = 1e18;
    for (int r = 0; r < 3; r++) { icache<NN><<<1, th>>>(clk, out, 0.5f, 4); t = std::min(t, cycles(th / 32)); }
    CK(cudaMemset(big, 1, 256 << 20)); icache<NN><<<1, th>>>(clk, out, 0.5f, 1); cold = cycles(th / 32);
    printf("{\"micro\":\"icache\",\"instructions\":%d,\"warps\":%d,\"cyclesPerWarpInst_repeat\":%.3f,\"cyclesPerWarpInst_once\":%.3f}\n", NN, th / 32, t / 4.0 / NN, cold / NN);
  }
}
static double ms(std::function<void()> f, int reps = 5, bool cold = false) {
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); std::vector<float> t;
  for (int r = 0; r < reps + 1; r++) { if (cold) CK(cudaMemsetAsync(big + (2ull << 30), r, 512 << 20)); CK(cudaEventRecord(a)); f(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float m; CK(cudaEventElapsedTime(&m, a, b)); if (r) t.push_back(m); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); cudaEventDestroy(a); cudaEventDestroy(b); return t[t.size() / 2];
}
template <int KK> void inflightRun() {
  for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
    int block = warps >= 32 ? 1024 : warps * 32, perSM = warps * 32 / block, grid = 132 * perSM;
    size_t bytes = std::min<size_t>((size_t)warps * KK * (24ull << 20), 1536ull << 20); uint tiles = bytes / (4ull * block * KK);
    double r = ms([=] { inflight<KK><<<grid, block>>>((uint *)big, tiles, out); }, 3, true);
    double w = ms([=] { inflightSt<KK><<<grid, block>>>((uint *)big, tiles); }, 3, true);
    double l2 = ms([=] { inflight<KK><<<grid, block>>>((uint *)big, (24u << 20) / (4 * block * KK), out); }, 3, false);
    printf("{\"micro\":\"inflight\",\"loadsPerThread\":%d,\"warpsPerSM\":%d,\"bytes\":%zu,\"readGBps\":%.1f,\"writeGBps\":%.1f,\"readL2GBps_24MiB\":%.1f}\n", KK, warps, bytes, bytes / r / 1e6, bytes / w / 1e6, double(24u << 20) / l2 / 1e6);
  }
}
int main() {
  CK(cudaMalloc(&clk, sizeof hclk)); CK(cudaMalloc(&out, 4096)); CK(cudaMalloc(&big, BIG)); CK(cudaMemset(big, 0, BIG));
  RUN(imad, uint, 3, 5) RUN(imad_hi, uint, 0xf0000001u, 5) RUN(iadd_lop3, uint, 3, 5) RUN(iadd_imad, uint, 3, 5) RUN(shf_lop3, uint, 3, 5) RUN(vimnmx_lop3, uint, 3, 5) RUN(i2f_rp, uint, 3, 5) RUN(f2i, uint, 3, 5) RUN(i2fp_lop3, uint, 3, 5)
  RUN(popc, uint, 3, 5) RUN(flo, uint, 3, 5) RUN(brev, uint, 3, 5) RUN(setp_selp, uint, 30, 5) RUN(setp4_selp, uint, 30, 5) RUN(fadd, float, 3, 5) RUN(ffma, float, 0.5, 5)
  RUN(rcp_fadd, float, 3, 5) RUN(rsqrt, float, 3, 5) RUN(ex2, float, 0.5, 5) RUN(lg2, float, 3, 5) RUN(sin, float, 3, 5) RUN(fdiv_full, float, 1.5, 5) RUN(fsqrt, float, 3, 5) RUN(dadd, double, 3, 5) RUN(dfma, double, 0.5, 5)
  RUN(imad64, u64, 3, 5) RUN(iadd64_xor, u64, 3, 5) RUN(f2d_d2f, float, 3, 5) RUN(div_u32_or, uint, 3, 123456789) RUN(rem_u32_or, uint, 3, 123456789) RUN(rem_s32_or, uint, 3, 123456789) RUN(shfl_bfly, uint, 1, 5) RUN(shfl_down, uint, 1, 5) RUN(ballot, uint, 30, 5) RUN(vote_all_selp, uint, 30, 5)
  RUN(redux, uint, 3, 5) RUN(match_any, uint, 3, 5) RUN(setp_s2r_add, uint, 3, 5) RUN(s2r_smid_add, uint, 3, 5) RUN(clock, uint, 3, 5) RUN(off_ffma, float, 0.5, 5)
  fflush(stdout);
  smemRun<0>("load"); smemRun<1>("store"); smemRun<2>("red_add"); smemRun<3>("red_inc"); smemRun<4>("load_predicated_off"); smemRun<5>("load64"); smemRun<6>("load128"); smemRun<7>("atom_add"); smemRun<8>("atom_cas"); smemRun<9>("store_predicated_off");
  fflush(stdout);
  for (int w : {1, 2, 4, 8, 16, 32}) for (int res : {1, 2}) {
    if (w * res > 64) continue;
    double t = 1e18; for (int r = 0; r < 3; r++) { bar<<<132 * res, w * 32>>>(clk); t = std::min(t, cycles(w)); }
    printf("{\"micro\":\"barrier\",\"warps\":%d,\"blocksPerSM\":%d,\"cycles\":%.3f}\n", w, res, t / (ITER * 16));
  }
  { double t = 1e18; for (int r = 0; r < 3; r++) { barw<<<1, 32>>>(clk); t = std::min(t, cycles(1)); } printf("{\"micro\":\"syncwarp\",\"cycles\":%.3f}\n", t / (ITER * 16)); }
  for (int w : {1, 4, 32}) for (int mask : {0, 1, 16, 32}) { double t = 1e18; for (int r = 0; r < 3; r++) { diverge<0><<<1, w * 32>>>(clk, out, 0.5f, mask); t = std::min(t, cycles(w)); }
    printf("{\"micro\":\"diverge\",\"warps\":%d,\"laneMask\":%d,\"note\":\"16 dependent FFMA a side; mask 0 none, 32 by warp\",\"cyclesPerIteration\":%.3f}\n", w, mask, t / 64); }
  { double t[3] = {1e18, 1e18, 1e18}; int k = 0; for (int th : {32, 128, 1024}) { for (int r = 0; r < 3; r++) { offGlobal<<<1, th>>>(clk, out, out, 0); t[k] = std::min(t[k], cycles(th / 32)); } k++; }
    printf("{\"micro\":\"global_load_predicated_off\",\"cyclesPerWarpOp_1warp\":%.3f,\"cyclesPerWarpOp_4warps\":%.3f,\"cyclesPerWarpOp_32warps\":%.3f}\n", t[0] / (ITER * 16), t[1] / (ITER * 64), t[2] / (ITER * 512)); }
  for (size_t kb : {16, 64, 128, 192, 224, 256, 512, 1024, 4096, 16384}) for (int cg : {0, 1}) {
    uint n = kb * 1024 / 128; chaseInit<<<256, 256>>>((uint *)big, n, (n * 5 / 8) | 1); int hops = std::min<uint>(n, 4096); double t = 1e18;
    for (int r = 0; r < 2; r++) { if (cg) chase<1><<<1, 1>>>(clk, out, (uint *)big, hops, n); else chase<0><<<1, 1>>>(clk, out, (uint *)big, hops, n); t = std::min(t, cycles(1)); }
    printf("{\"micro\":\"chase\",\"KiB\":%zu,\"cache\":\"%s\",\"warmed\":true,\"cycles\":%.2f}\n", kb, cg ? "cg" : "ca", t / hops);
  }
  // the same after the whole footprint went through L2 once (reads by all SMs), 8192 hops over it: what L2 keeps hits, the rest is DRAM
  for (size_t mb : {8, 24, 32, 40, 48, 56, 64, 96, 256, 1024, 2048}) {
    uint n = mb * 8192; chaseInit<<<1056, 256>>>((uint *)big, n, (uint)(n * 0.6180339887) | 1);
    readSpan<<<1056, 256>>>((uint4 *)big, (mb << 20) / 16, 2, out); chase<1><<<1, 1>>>(clk, out, (uint *)big, 8192, 16); double t = cycles(1);
    printf("{\"micro\":\"chase\",\"KiB\":%zu,\"cache\":\"cg\",\"warmed\":\"span read twice\",\"cycles\":%.2f}\n", mb * 1024, t / 8192);
  }
  { double t = 1e18; for (int r = 0; r < 3; r++) { ConstTable c; for (int i = 0; i < 64; i++) c.a[i] = (i * 5 + 1) % 64; constChase<<<1, 32>>>(clk, out, c); t = std::min(t, cycles(1)); } printf("{\"micro\":\"ldc_chase\",\"cycles\":%.2f}\n", t / 1024); }
  { double t = 1e18; for (int r = 0; r < 3; r++) { tightLoop<<<1, 32>>>(clk, out, 4096); t = std::min(t, cycles(1)); } printf("{\"micro\":\"loop\",\"note\":\"LOP3, counter IADD, ISETP, BRA; one warp\",\"cyclesPerIteration\":%.3f}\n", t / 4096); }
  { double t = 1e18; for (int r = 0; r < 3; r++) { tightLoop<<<1, 1024>>>(clk, out, 4096); t = std::min(t, cycles(32)); } printf("{\"micro\":\"loop\",\"note\":\"32 warps\",\"cyclesPerIteration\":%.3f}\n", t / 4096); }
  { double t = 1e18; for (int r = 0; r < 3; r++) { fence<<<1, 32>>>(clk, (uint *)big); t = std::min(t, cycles(1)); } printf("{\"micro\":\"store+threadfence\",\"cycles\":%.2f}\n", t / 64); }
  fflush(stdout);
  for (size_t mb : {1, 2, 4, 8, 16, 24, 32, 40, 48, 64, 128}) { size_t n = (mb << 20) / 16; int reps = 2048 / mb;
    double r = ms([=] { readSpan<<<1056, 256>>>((uint4 *)big, n, reps, out); }, 3), w = ms([=] { writeSpan<<<1056, 256>>>((uint4 *)big, n, reps); }, 3);
    printf("{\"micro\":\"span\",\"MiB\":%zu,\"readGBps\":%.1f,\"writeGBps\":%.1f}\n", mb, double(mb << 20) * reps / r / 1e6, double(mb << 20) * reps / w / 1e6); }
  { size_t n = (2ull << 30) / 16; double r = ms([=] { readSpan<<<1056, 512>>>((uint4 *)big, n, 1, out); }), w = ms([=] { writeSpan<<<1056, 512>>>((uint4 *)big, n, 1); }), c = ms([=] { copySpan<<<1056, 512>>>((uint4 *)big, (uint4 *)(big + (2ull << 30)), n); });
    printf("{\"micro\":\"dram\",\"bytes\":%zu,\"readGBps\":%.1f,\"writeGBps\":%.1f,\"copyGBps_readPlusWrite\":%.1f}\n", n * 16, n * 16 / r / 1e6, n * 16 / w / 1e6, n * 32 / c / 1e6); }
  fflush(stdout);
  inflightRun<1>(); inflightRun<2>(); inflightRun<4>(); inflightRun<8>();
  fflush(stdout);
  for (int stride : {0, 1, 2, 4, 8, 16, 32}) for (int k = 0; k < 4; k++) for (int grid : {1, 132}) {
    double t = 1e18; int th = 512; int span = 8192;
    for (int r = 0; r < 3; r++) { if (k == 0) requests<0><<<grid, th>>>(clk, out, (uint *)big, stride, span); if (k == 1) requests<1><<<grid, th>>>(clk, out, (uint *)big, stride, span); if (k == 2) requests<2><<<grid, th>>>(clk, out, (uint *)big, stride, span); if (k == 3) requests<3><<<grid, th>>>(clk, out, (uint *)big, stride, span); t = std::min(t, cycles(th / 32)); }
    printf("{\"micro\":\"requests\",\"name\":\"%s\",\"strideWords\":%d,\"SMs\":%d,\"warps\":16,\"cyclesPerRequestSM\":%.3f}\n", k == 0 ? "load L1" : k == 1 ? "load L2" : k == 2 ? "store" : "red", stride, grid, t / (ITER * 16 * 16)); }
  for (int fl : {0, 1}) for (int ret : {0, 1}) for (int mode : {0, 1, 2}) for (uint bits : {0, 5, 10, 16, 20, 24}) {
    if (mode == 0 && bits < 5) continue; if (mode == 2 && bits != 0 && bits != 10) continue; if (fl && bits > 20) continue;
    int reps = bits == 0 ? 4 : 16, grid = 1056; uint m = (1u << bits) - 1;
    double t = ms([=] { if (fl) { if (ret) gatom<1, 1><<<grid, 256>>>((uint *)big, m, mode, reps); else gatom<0, 1><<<grid, 256>>>((uint *)big, m, mode, reps); } else { if (ret) gatom<1, 0><<<grid, 256>>>((uint *)big, m, mode, reps); else gatom<0, 0><<<grid, 256>>>((uint *)big, m, mode, reps); } }, 3);
    printf("{\"micro\":\"globalAtomic\",\"type\":\"%s\",\"returns\":%d,\"pattern\":\"%s\",\"addresses\":%u,\"warpOps\":%d,\"ms\":%.5f,\"warpOpsPerNs\":%.4f}\n", fl ? "f32" : "u32", ret, mode == 0 ? "consecutive" : mode == 1 ? "scattered" : "one a warp", m + 1, grid * 8 * reps, t, grid * 8.0 * reps / (t * 1e6)); }
  fflush(stdout);
  const char *kn[] = {"empty", "load", "store", "shared+barrier", "load+barrier+load"};
  void (*bk[])(uint *, uint *) = {blockK<0>, blockK<1>, blockK<2>, blockK<3>, blockK<4>};
  for (int k = 0; k < 5; k++) {
    CK(cudaFuncSetAttribute(bk[k], cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 1024));
    CK(cudaFuncSetAttribute(bk[k], cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    for (int th : {32, 64, 128, 256, 512, 1024}) for (int sm : {0, 4096, 32768, 110000, 200000}) {
      if (k && k != 1 && sm == 32768) continue; if (k == 3 && sm == 0) continue; if (sm == 110000 && th != 256) continue;
      int grid = sm >= 100000 ? 16896 : 135168; auto f = bk[k];
      double t = ms([=] { f<<<grid, th, sm>>>((uint *)big, (uint *)(big + (64 << 20))); }, 3);
      printf("{\"micro\":\"blocks\",\"kind\":\"%s\",\"threads\":%d,\"sharedBytes\":%d,\"blocks\":%d,\"ms\":%.5f,\"nsPerBlock\":%.4f}\n", kn[k], th, sm, grid, t, t * 1e6 / grid); } }
  for (int g : {1, 132, 1056, 4224, 16896}) for (int k : {0, 1}) { double t = ms([=] { bk[k]<<<g, 256>>>((uint *)big, (uint *)(big + (64 << 20))); }, 15); printf("{\"micro\":\"launch\",\"kind\":\"%s\",\"threads\":256,\"blocks\":%d,\"ms\":%.5f}\n", kn[k], g, t); }
  fflush(stdout);
  icacheRun<256>(); icacheRun<1024>(); icacheRun<2048>(); icacheRun<4096>(); icacheRun<8192>(); icacheRun<16384>(); icacheRun<32768>();
}
