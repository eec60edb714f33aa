// What integer adds, compares and moves take of an SM's pipes, alone and side by side: cycles a round and scheduler, 8 warps a scheduler.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned u32;
#define BODY(name, SETUP, STEP) __global__ void name(int rounds, int m, int q, int *out, long long *clk) { int a[8]; float f[8]; for (int i = 0; i < 8; i++) a[i] = threadIdx.x * i + m, f[i] = a[i]; int c = 0; SETUP; __syncthreads(); long long t0 = clock64(); \
  _Pragma("unroll 1") for (int r = 0; r < rounds; r++) { _Pragma("unroll") for (int k = 0; k < 8; k++) { _Pragma("unroll") for (int i = 0; i < 8; i++) { STEP; } } } \
  __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) clk[blockIdx.x] = t1 - t0; int s = c; for (int i = 0; i < 8; i++) s += a[i] + (int)f[i]; if (s == 77) *out = s; }
#define ADD(x) asm volatile("add.s32 %0,%0,0x1235;" : "+r"(x))
#define ADDR(x, y) asm volatile("add.s32 %0,%0,%1;" : "+r"(x) : "r"(y))
#define LOP(x, y) asm volatile("xor.b32 %0,%0,%1;" : "+r"(x) : "r"(y))
#define FF(x) asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(x))
#define MAD(x, y) asm volatile("mad.lo.s32 %0,%0,%1,%0;" : "+r"(x) : "r"(y))
#define CNT(x, y) asm volatile("{.reg .pred p; setp.lt.s32 p,%1,%2; @p add.s32 %0,%0,1;}" : "+r"(c) : "r"(x), "r"(y))
BODY(lop, , LOP(a[i], a[(i + 1) & 7]))
BODY(addImm, , ADD(a[i]); FF(f[i]); LOP(a[i], a[(i + 3) & 7]); FF(f[i]))
BODY(addReg, , ADDR(a[i], a[(i + 1) & 7]))
BODY(addLop, , ADD(a[i]); LOP(a[i], q))
BODY(addTwoLop, , ADD(a[i]); LOP(a[i], q); LOP(a[i], m))
BODY(twoAddLop, , ADD(a[i]); LOP(a[i], q); ADD(a[(i + 4) & 7]))
BODY(addFfma, , ADDR(a[i], a[(i + 1) & 7]); FF(f[i]))
BODY(lopFfma, , LOP(a[i], a[(i + 1) & 7]); FF(f[i]))
BODY(addLopFfma, , ADD(a[i]); LOP(a[i], q); FF(f[i]))
BODY(addMad, , ADD(a[i]); MAD(a[i], q))
BODY(lopMad, , LOP(a[i], m); MAD(a[i], q))
BODY(addLopMad, , ADD(a[i]); LOP(a[i], m); MAD(a[i], q))
BODY(count, , CNT(a[i], q); ADD(a[i]))
BODY(rank, , { int x = a[i]; if (x < q || (x == q && r * 64 + k < m)) c++; a[i] = x ^ (int)(c); })
BODY(selects, , asm volatile("{.reg .pred p; setp.lt.s32 p,%0,%1; selp.b32 %0,%2,%1,p;}" : "+r"(a[i]) : "r"(a[(i + 1) & 7]), "r"(a[(i + 3) & 7])))
BODY(compares, , asm volatile("{.reg .pred p,r; setp.lt.s32 p,%1,%2; setp.eq.and.s32 r,%2,%3,p; @r add.s32 %0,%0,1;}" : "+r"(a[i]) : "r"(a[(i + 1) & 7]), "r"(a[(i + 3) & 7]), "r"(q)))
int *out; long long *clk;
void run(const char *name, void (*f)(int, int, int, int *, long long *)) { for (int threads : {128, 1024}) { double best = 1e18; for (int t = 0; t < 3; t++) { f<<<132, threads>>>(64, 3, 5, out, clk); CK(cudaDeviceSynchronize()); std::vector<long long> h(132); CK(cudaMemcpy(h.data(), clk, 132 * 8, cudaMemcpyDeviceToHost)); double s = 0; for (auto v : h) s += v; best = std::min(best, s / 132); }
  printf("{\"micro\":\"%s\",\"warpsPerScheduler\":%d,\"cyclesAStep\":%.3f}\n", name, threads / 128, best / (64 * 64) / (threads / 128)); } }
#define RUN(k) run(#k, k);
int main() { CK(cudaMalloc(&out, 4096)); CK(cudaMalloc(&clk, 4096));
  RUN(lop) RUN(addImm) RUN(addReg) RUN(addLop) RUN(addTwoLop) RUN(twoAddLop) RUN(addFfma) RUN(lopFfma) RUN(addLopFfma) RUN(addMad) RUN(lopMad) RUN(addLopMad) RUN(count) RUN(rank) RUN(selects) RUN(compares) }
