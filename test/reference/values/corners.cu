// What a GPU returns in corners that the engine's semantics have to decide: NaN bits, conversions, 64-bit operations,
// atomics, fma, warp primitives under divergence, and the wavefronts of shared-memory accesses of 4, 8 and 16 bytes.
// Compile with: nvcc -O3 -arch=sm_90 -fmad=false corners.cu. `corners` prints JSON lines; `corners printf` prints what
// the device's printf prints; `corners hang N` runs test N that may never end.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned int u32;

__device__ __forceinline__ double D(u64 b) { return __longlong_as_double((i64)b); }
__device__ __forceinline__ u64 B(double d) { return (u64)__double_as_longlong(d); }
__device__ __forceinline__ float F(u64 b) { return __int_as_float((int)b); }
__device__ __forceinline__ u64 B(float f) { return (u32)__float_as_int(f); }

__device__ u64 op(int which, u64 a, u64 b, u64 c) {
  switch (which) {
    case 0: return B(D(a) + D(b));
    case 1: return B(D(a) * D(b));
    case 2: return B(D(a) / D(b));
    case 3: return B(fmin(D(a), D(b)));
    case 4: return B(fmax(D(a), D(b)));
    case 5: return B(sqrt(D(a)));
    case 6: return B(-D(a));
    case 7: return B(fabs(D(a)));
    case 8: return B(__fma_rn(D(a), D(b), D(c)));
    case 9: return B((float)D(a));
    case 10: return B((double)F(a));
    case 11: return (u32)(int)D(a);
    case 12: return (u32)(unsigned)D(a);
    case 13: return (u64)(i64)D(a);
    case 14: return (u64)D(a);
    case 15: return (u32)(int)F(a);
    case 16: return (u32)(unsigned)F(a);
    case 17: return (u64)(i64)F(a);
    case 18: return (u64)F(a);
    case 19: return B((float)(i64)a);
    case 20: return B((float)a);
    case 21: return B((double)(i64)a);
    case 22: return B((double)a);
    case 23: return (u64)((i64)a / (i64)b);
    case 24: return (u64)((i64)a % (i64)b);
    case 25: return a / b;
    case 26: return a % b;
    case 27: return (u32)((int)a / (int)b);
    case 28: return (u32)((int)a % (int)b);
    case 29: return (u32)((u32)a / (u32)b);
    case 30: return (u32)((u32)a % (u32)b);
    case 31: return (u64)__mul64hi((i64)a, (i64)b);
    case 32: return __umul64hi(a, b);
    case 33: return (u64)__popcll(a);
    case 34: return (u64)__clzll((i64)a);
    case 35: return (u64)__ffsll((i64)a);
    case 36: return __brevll(a);
    case 37: return B(-F(a));
    case 38: return B(fabsf(F(a)));
    case 39: return B(fminf(F(a), F(b)));
    case 40: return B(fmaxf(F(a), F(b)));
    case 41: return B(__saturatef(F(a)));
    case 42: return B(__fdividef(F(a), F(b)));
    case 43: return B(__fmaf_rn(F(a), F(b), F(c)));
    case 44: return B(__frcp_rn(F(a)));
    case 45: return B(F(a) + F(b));
    case 46: return B(F(a) * F(b));
    case 47: return a << (u32)b;
    case 48: return a >> (u32)b;
    case 49: return (u64)((i64)a >> (u32)b);
    case 50: return B(rint(D(a)));
    case 51: return B(fmod(D(a), D(b)));
    case 52: return B(pow(D(a), D(b)));
    case 53: return B(powf(F(a), F(b)));
    case 54: return B(rsqrtf(F(a)));
    case 55: return B(exp2f(F(a)));
    case 56: return B(log2f(F(a)));
    case 57: return B(__expf(F(a)));
    case 58: return B(__logf(F(a)));
    case 59: return B(F(a) - F(b));
    case 60: return B(F(a) / F(b));
  }
  return 0;
}
const char *names[] = {"add.f64","mul.f64","div.f64","min.f64","max.f64","sqrt.f64","neg.f64","abs.f64","fma.f64","cvt.f32.f64","cvt.f64.f32","cvt.i32.f64","cvt.u32.f64","cvt.i64.f64","cvt.u64.f64","cvt.i32.f32","cvt.u32.f32","cvt.i64.f32","cvt.u64.f32","cvt.f32.i64","cvt.f32.u64","cvt.f64.i64","cvt.f64.u64","div.i64","rem.i64","div.u64","rem.u64","div.i32","rem.i32","div.u32","rem.u32","mulhi.i64","mulhi.u64","popc.u64","clz.i64","ffs.i64","brev.u64","neg.f32","abs.f32","min.f32","max.f32","saturate.f32","fastDivide.f32","fma.f32","rcp.f32","add.f32","mul.f32","shl.u64","shr.u64","shr.i64","rint.f64","rem.f64","pow.f64","pow.f32","rsqrt.f32","exp2.f32","log2.f32","fastExp.f32","fastLog.f32","sub.f32","div.f32"};
__global__ void apply(int which, const u64 *a, const u64 *b, const u64 *c, u64 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = op(which, a[i], b[i], c[i]);
}
static u64 state = 88172645463325252ull;
static u64 rnd() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static u64 bits(double d) { u64 b; memcpy(&b, &d, 8); return b; }
static u64 fbits(float d) { u32 b; memcpy(&b, &d, 4); return b; }
static std::vector<u64> doubles() {
  u64 raw[] = {0, 0x8000000000000000ull, 1, 0x8000000000000001ull, 0x000fffffffffffffull, 0x0010000000000000ull, 0x3ff0000000000000ull, 0xbff0000000000000ull, 0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7ff8000000000000ull, 0x7ff8000000001234ull, 0xfff8000000000000ull, 0x7ff0000000005678ull, 0x7fefffffffffffffull, 0xffefffffffffffffull, 0x3ff0000000000001ull, 0x3fe0000000000000ull, 0x3ff8000000000000ull, 0x4004000000000000ull, 0xc004000000000000ull};
  std::vector<u64> v(raw, raw + sizeof raw / 8);
  double more[] = {2147483647.0, 2147483647.5, 2147483648.0, -2147483648.0, -2147483648.9, -2147483649.0, 4294967295.0, 4294967295.9, 4294967296.0, -0.9, -1.0, 9223372036854774784.0, 9223372036854775808.0, -9223372036854775808.0, 18446744073709549568.0, 18446744073709551616.0, 1e300, -1e300, 0.1, 3.7, -3.7, 1e-310, 1.0000000596046448, 3.4028235677973366e38, 3.4028234663852886e38, 1e-45, 7.006492321624085e-46, 1e40};
  for (double d : more) v.push_back(bits(d));
  return v;
}
static std::vector<u64> floats() {
  u64 raw[] = {0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc12345, 0xffc00000, 0x7f812345, 0xff812345, 0x7fffffff, 0x7f7fffff, 0xff7fffff, 0x3f800001, 0x3f000000, 0x3fc00000, 0x40200000, 0x7e800000, 0x7e800001, 0x7f000000, 0xfe900000, 0x4b800001};
  std::vector<u64> v(raw, raw + sizeof raw / 8);
  float more[] = {2147483520.f, 2147483648.f, -2147483648.f, -2147483904.f, 4294967040.f, 4294967296.f, -0.9f, 9223371487098961920.f, 9223372036854775808.f, 18446742974197923840.f, 18446744073709551616.f, 0.1f, 3.7f, -3.7f, 1e30f};
  for (float d : more) v.push_back(fbits(d));
  return v;
}
static std::vector<u64> wides() {
  u64 raw[] = {0, 1, 2, 7, ~0ull, ~0ull - 6, 0x8000000000000000ull, 0x7fffffffffffffffull, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000ull, 0xffffffff80000000ull, 0x20000000000001ull, 0x20000000000003ull, 0x1000001, 0x1000003, 0x1000001000000000ull, 0x1000001000000001ull, 0x1000000fffffffffull, 0x1000003000000000ull, 0xffffff8000000000ull, 0xffffff7fffffffffull, 0x7fffffbfffffffffull, 0x123456789abcdefull, 63, 64, 65, 31, 32, 33};
  return std::vector<u64>(raw, raw + sizeof raw / 8);
}
static void run(int which, const std::vector<u64> &a, const std::vector<u64> &b, const std::vector<u64> &c) {
  int n = (int)a.size();
  u64 *d; cudaMallocManaged(&d, n * 32);
  memcpy(d, a.data(), n * 8); memcpy(d + n, b.data(), n * 8); memcpy(d + 2 * n, c.data(), n * 8);
  apply<<<(n + 127) / 128, 128>>>(which, d, d + n, d + 2 * n, d + 3 * n, n);
  cudaDeviceSynchronize();
  printf("{\"op\":\"%s\",\"rows\":[", names[which]);
  bool three = which == 8 || which == 43;
  for (int i = 0; i < n; i++) {
    if (three) printf("%s\"%llx %llx %llx %llx\"", i ? "," : "", a[i], b[i], c[i], d[3 * n + i]);
    else printf("%s\"%llx %llx %llx\"", i ? "," : "", a[i], b[i], d[3 * n + i]);
  }
  printf("]}\n");
  cudaFree(d);
}
static void unary(int which, const std::vector<u64> &v) { run(which, v, v, v); }
static void pairs(int which, const std::vector<u64> &v, bool nonzero = false) {
  std::vector<u64> a, b;
  for (u64 x : v) for (u64 y : v) { if (nonzero && y == 0) continue; if (rnd() % 4 == 0 || v.size() < 24) { a.push_back(x); b.push_back(y); } }
  run(which, a, b, b);
}
static double pick64() {
  u64 r = rnd(); u64 kind = rnd() % 6;
  u64 mant = rnd() & 0xfffffffffffffull; if (rnd() % 3 == 0) mant &= ~0ull << (rnd() % 52); if (rnd() % 5 == 0) mant = 0;
  u64 e = kind == 0 ? rnd() % 60 : kind == 1 ? 2046 - rnd() % 60 : kind == 2 ? rnd() % 2047 : kind == 3 ? 512 + rnd() % 20 : 1023 + rnd() % 120 - 60;
  u64 b = (r & 0x8000000000000000ull) | (e << 52) | mant; double d; memcpy(&d, &b, 8); return d;
}
static float pick32() {
  u32 mant = rnd() & 0x7fffff; if (rnd() % 3 == 0) mant &= ~0u << (rnd() % 23); if (rnd() % 5 == 0) mant = 0;
  u32 kind = rnd() % 5; u32 e = kind == 0 ? rnd() % 30 : kind == 1 ? 254 - rnd() % 30 : kind == 2 ? rnd() % 255 : 127 + rnd() % 60 - 30;
  u32 b = ((u32)rnd() & 0x80000000u) | (e << 23) | mant; float d; memcpy(&d, &b, 4); return d;
}
__global__ void atomics(u64 *g) {
  __shared__ float s[4];
  u32 *w = (u32 *)(g + 8); float *f = (float *)(g + 16); double *d = (double *)(g + 24);
  u32 vals[] = {0, 1, 5, 6, 7, 0xffffffffu};
  for (int i = 0; i < 6; i++) { w[0] = vals[i]; atomicInc(w, 5u); g[32 + i] = w[0]; w[0] = vals[i]; atomicDec(w, 5u); g[40 + i] = w[0]; }
  float sub = __int_as_float(0x00000400);
  f[0] = sub; atomicAdd(f, sub); g[48] = B(f[0]);
  f[0] = -sub; atomicAdd(f, 0.f); g[49] = B(f[0]);
  f[0] = __int_as_float(0x00800001); atomicAdd(f, __int_as_float(0x80800000)); g[50] = B(f[0]);
  f[0] = 1.f; atomicAdd(f, __int_as_float(0x7fc12345)); g[51] = B(f[0]);
  f[0] = __int_as_float(0x7f800000); atomicAdd(f, __int_as_float(0xff800000)); g[52] = B(f[0]);
  s[0] = sub; atomicAdd(s, sub); g[53] = B(s[0]);
  s[0] = 1.f; atomicAdd(s, __int_as_float(0x7fc12345)); g[54] = B(s[0]);
  d[0] = 1e-310; atomicAdd(d, 1e-310); g[55] = B(d[0]);
  d[0] = 1.0; atomicAdd(d, D(0x7ff8000000001234ull)); g[56] = B(d[0]);
  f[0] = sub; u64 old = B(atomicAdd(f, 1.f)); g[57] = old; g[58] = B(f[0]);
}
__global__ void warps(u32 *o) {
  int t = threadIdx.x;
  float nanA = __int_as_float(0x7fc00000), nanB = __int_as_float(0x7fc00001);
  float v = t < 4 ? nanA : t < 8 ? nanB : t < 12 ? 0.f : t < 16 ? -0.f : 1.f;
  o[t] = __match_any_sync(~0u, v);
  u32 groups = __match_any_sync(~0u, t % 3);
  o[32 + t] = __reduce_add_sync(groups, (u32)t);
  o[64 + t] = __shfl_sync(groups, t, t + 3);
  o[96 + t] = __ballot_sync(groups, t & 1);
  i64 wide = (t % 5) * 0x100000001ll;
  o[128 + t] = __match_any_sync(~0u, wide);
  int r;
  if (t < 16) r = __shfl_sync(~0u, 100 + t, 31 - t); else r = __shfl_sync(~0u, 200 + t, 31 - t);
  o[160 + t] = r;
  if (t < 16) { o[192 + t] = 0; __syncwarp(); } else { __syncwarp(); o[192 + t] = o[192 + t - 16] + 1; }
  if (t < 8) return;
  o[224 + t] = __ballot_sync(~0u, 1);
}
__global__ void branches(u32 *o) {
  __shared__ u32 s[64];
  int t = threadIdx.x;
  if (t % 2) { s[t] = t; __syncthreads(); o[t] = s[t - 1]; } else { s[t] = 100 + t; __syncthreads(); o[t] = s[t + 1]; }
}
__global__ void lockWarp(u32 *lock, u32 *count) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {}
  *(volatile u32 *)count += 1; __threadfence(); atomicExch(lock, 0u);
}
__global__ void barrierSome(u32 *o) { if (threadIdx.x < 16) __syncthreads(); o[threadIdx.x] = 1; }
__global__ void barrierReturn(u32 *o) { if (threadIdx.x >= 40) return; __syncthreads(); o[threadIdx.x] = 1; }
template <int W, bool A> __global__ void shared(const u32 *offsets, u32 lanes, u64 *out, u32 *sink) {
  extern __shared__ __align__(16) unsigned char s[];
  u32 lane = threadIdx.x & 31;
  for (int i = threadIdx.x; i < 8192; i += blockDim.x) ((u32 *)s)[i] = 0;
  u32 base = (u32)__cvta_generic_to_shared(s) + offsets[lane];
  u32 sum = 0; bool on = (lanes >> lane) & 1;
  __syncthreads();
  u64 t0 = clock64();
  if (on) {
#pragma unroll 1
    for (int i = 0; i < 64; i++) {
#pragma unroll
      for (int j = 0; j < 8; j++) {
        u32 x, y, z, w;
        if (A) { asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(base), "r"(lane + 3)); }
        else if (W == 4) { asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(base)); sum ^= x; }
        else if (W == 8) { asm volatile("ld.volatile.shared.v2.u32 {%0,%1}, [%2];" : "=r"(x), "=r"(y) : "r"(base)); sum ^= x ^ y; }
        else { asm volatile("ld.volatile.shared.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(base)); sum ^= x ^ y ^ z ^ w; }
      }
    }
  }
  __syncthreads();
  u64 t1 = clock64();
  if (threadIdx.x == 0) out[0] = t1 - t0;
  if (sum == 12345) sink[0] = sum;
}
template <int W, bool A> static void pattern(const char *name, u32 lanes, u32 (*f)(u32)) {
  u32 *off; u64 *out; cudaMallocManaged(&off, 256); cudaMallocManaged(&out, 64);
  for (u32 l = 0; l < 32; l++) off[l] = f(l);
  u64 best = ~0ull;
  for (int k = 0; k < 5; k++) { shared<W, A><<<1, 512, 40000>>>(off, lanes, out, (u32 *)(out + 1)); cudaDeviceSynchronize(); if (out[0] < best) best = out[0]; }
  printf("{\"shared\":\"%s\",\"bytes\":%d,\"atomic\":%s,\"lanes\":%u,\"offsets\":[", name, W, A ? "true" : "false", lanes);
  for (u32 l = 0; l < 32; l++) printf("%s%u", l ? "," : "", off[l]);
  printf("],\"cycles\":%.3f}\n", best / (64.0 * 8 * 16));
  cudaFree(off); cudaFree(out);
}
#define P(W, A, NAME, LANES, EXPR) pattern<W, A>(NAME, LANES, [](u32 l) -> u32 { return EXPR; })
__global__ void prints() {
  int t = threadIdx.x;
  if (t == 0) {
    printf("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%5.3d] [%i]\n", 42, 42, 42, 42, 42, 42, 42, 42, -7);
    printf("[%u] [%x] [%X] [%#x] [%o] [%#o] [%08x]\n", 4294967295u, 48879u, 48879u, 48879u, 8u, 8u, 255u);
    printf("[%f] [%.2f] [%10.3f] [%-10.3f] [%+f] [%e] [%.3E] [%g] [%G] [%g] [%g] [%#g]\n", 3.14159265, 3.14159265, 3.14159265, 3.14159265, 1.5f, 12345.678, 12345.678, 0.0001, 1e-10, 1e20, 100000.0, 2.0);
    printf("[%f] [%f] [%e] [%g] [%5.1f] [%f]\n", __int_as_float(0x7f800000), __int_as_float(0xff800000), __int_as_float(0x7fffffff), -__int_as_float(0x7f800000), __int_as_float(0x7f800000), -0.0);
    printf("[%lld] [%llu] [%llx] [%ld] [%lu] [%hd] [%hhd] [%hu]\n", -9223372036854775807ll - 1, 18446744073709551615ull, 81985529216486895ull, -5l, 5ul, 70000, 300, 70000);
    printf("[%c] [%3c] [%%] [%s] [%5s] [%-5s] [%.2s]\n", 'A', 'B', "text", "ab", "ab", "abcdef");
    printf("[%*d] [%-*d] [%.*f]\n", 6, 42, 6, 42, 2, 3.14159);
    printf("[%a] [%a]\n", 1.0, 3.14159);
    printf("[%p]\n", (void *)0x1234);
    printf("[%d] [%f]\n", 5ll, 2.5f);
    printf("[%.0f] [%.0f] [%.0f] [%.1f] [%.20f] [%.3g] [%.10g] [%g]\n", 0.5, 1.5, 2.5, 0.25, 0.1, 1234.5, 0.1, 123456789.0);
    printf("[%d] [%u]\n", -1, -1);
    printf("[%q] [%y]\n");
    printf("no newline|");
    printf("|after\n");
  }
}
int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "printf")) { prints<<<1, 32>>>(); cudaDeviceSynchronize(); return 0; }
  u32 *o; cudaMallocManaged(&o, 4096); memset(o, 0, 4096);
  if (argc > 2) {
    int n = atoi(argv[2]);
    if (n == 0) { lockWarp<<<2, 64>>>(o, o + 1); cudaDeviceSynchronize(); printf("{\"hang\":\"lock\",\"count\":%u}\n", o[1]); }
    if (n == 1) { barrierSome<<<1, 64>>>(o); printf("{\"hang\":\"barrierSome\",\"error\":%d}\n", (int)cudaDeviceSynchronize()); }
    if (n == 2) { barrierReturn<<<1, 64>>>(o); printf("{\"hang\":\"barrierReturn\",\"error\":%d}\n", (int)cudaDeviceSynchronize()); }
    if (n == 3) { branches<<<1, 64>>>(o); int e = (int)cudaDeviceSynchronize(); printf("{\"hang\":\"branches\",\"error\":%d,\"out\":[", e); for (int i = 0; i < 64; i++) printf("%s%u", i ? "," : "", o[i]); printf("]}\n"); }
    if (n == 4) { warps<<<1, 32>>>(o); int e = (int)cudaDeviceSynchronize(); printf("{\"hang\":\"warps\",\"error\":%d,\"out\":[", e); for (int i = 0; i < 256; i++) printf("%s%u", i ? "," : "", o[i]); printf("]}\n"); }
    return 0;
  }
  std::vector<u64> d = doubles(), f = floats(), w = wides();
  for (int k : {0, 1, 2, 3, 4, 51, 52}) pairs(k, d);
  for (int k : {5, 6, 7, 9, 11, 12, 13, 14, 50}) unary(k, d);
  for (int k : {10, 15, 16, 17, 18, 37, 38, 41, 44, 54, 55, 56, 57, 58}) unary(k, f);
  for (int k : {39, 40, 42, 45, 46, 53, 59, 60}) pairs(k, f);
  for (int k : {19, 20, 21, 22, 33, 34, 35, 36}) unary(k, w);
  for (int k : {23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 47, 48, 49}) pairs(k, w);
  std::vector<u64> a, b, c;
  for (int i = 0; i < 400; i++) { double x = pick64(), y = pick64(), z = pick64(); if (i % 2) z = -(x * y) * (1 + (double)(int)(rnd() % 5 - 2) * 0x1p-52); a.push_back(bits(x)); b.push_back(bits(y)); c.push_back(bits(z)); }
  run(8, a, b, c); a.clear(); b.clear(); c.clear();
  for (int i = 0; i < 400; i++) { float x = pick32(), y = pick32(), z = pick32(); if (i % 2) z = -(x * y) * (1 + (float)(int)(rnd() % 5 - 2) * 0x1p-23f); a.push_back(fbits(x)); b.push_back(fbits(y)); c.push_back(fbits(z)); }
  run(43, a, b, c);
  u64 *g; cudaMallocManaged(&g, 1024); memset(g, 0, 1024); atomics<<<1, 1>>>(g); cudaDeviceSynchronize();
  printf("{\"atomics\":["); for (int i = 32; i < 64; i++) printf("%s\"%llx\"", i > 32 ? "," : "", g[i]); printf("]}\n");
  P(4, false, "stride 1", ~0u, 4 * l); P(4, false, "one word", ~0u, 0); P(4, false, "stride 2", ~0u, 8 * l); P(4, false, "stride 3", ~0u, 12 * l);
  P(4, false, "stride 4", ~0u, 16 * l); P(4, false, "stride 8", ~0u, 32 * l); P(4, false, "stride 32", ~0u, 128 * l); P(4, false, "stride 33", ~0u, 132 * l);
  P(4, false, "stride 32, half warp", 0xffffu, 128 * l); P(4, false, "pairs share a word", ~0u, 4 * (l / 2)); P(4, false, "two words of one bank", ~0u, 128 * (l & 1)); P(4, false, "stride 1, 1 lane", 1u, 4 * l);
  P(8, false, "stride 1", ~0u, 8 * l); P(8, false, "one address", ~0u, 0); P(8, false, "stride 2", ~0u, 16 * l); P(8, false, "stride 4", ~0u, 32 * l); P(8, false, "stride 16", ~0u, 128 * l); P(8, false, "stride 17", ~0u, 136 * l);
  P(8, false, "half warp", 0xffffu, 8 * l); P(8, false, "even lanes", 0x55555555u, 8 * l); P(8, false, "halves share", ~0u, 8 * (l & 15)); P(8, false, "pairs share", ~0u, 8 * (l / 2)); P(8, false, "quads share", ~0u, 8 * (l / 4)); P(8, false, "1 lane", 1u, 8 * l); P(8, false, "lanes 0 and 31", 0x80000001u, 8 * l);
  P(8, false, "two addresses, alternate", ~0u, 8 * (l & 1)); P(8, false, "reversed", ~0u, 8 * (31 - l)); P(8, false, "even lanes first half", ~0u, 8 * ((l >> 1) | ((l & 1) << 4)));
  P(16, false, "stride 1", ~0u, 16 * l); P(16, false, "one address", ~0u, 0); P(16, false, "stride 2", ~0u, 32 * l); P(16, false, "stride 8", ~0u, 128 * l); P(16, false, "stride 9", ~0u, 144 * l); P(16, false, "quarter warp", 0xffu, 16 * l); P(16, false, "half warp", 0xffffu, 16 * l); P(16, false, "1 lane", 1u, 16 * l);
  P(16, false, "pairs share", ~0u, 16 * (l / 2)); P(16, false, "quarters share", ~0u, 16 * (l & 7)); P(16, false, "every fourth lane", 0x11111111u, 16 * l); P(16, false, "quads share", ~0u, 16 * (l / 4)); P(16, false, "halves share", ~0u, 16 * (l & 15));
  P(4, true, "stride 1", ~0u, 4 * l); P(4, true, "one word", ~0u, 0); P(4, true, "stride 32", ~0u, 128 * l); P(4, true, "stride 2", ~0u, 8 * l); P(4, true, "pairs share a word", ~0u, 4 * (l / 2)); P(4, true, "two words", ~0u, 4 * (l & 1)); P(4, true, "4 words", ~0u, 4 * (l & 3)); P(4, true, "one word, half warp", 0xffffu, 0); P(4, true, "1 lane", 1u, 0); P(4, true, "8 words", ~0u, 4 * (l & 7));
  return 0;
}
