// Microbenchmarks of one GPU: what warplab's model of its times is made of. It needs the CUDA runtime alone.
//   nvcc -O3 -arch=native measure.cu -o measure && ./measure > my-gpu.out
//   npx warplab device my-gpu.out
// One JSON object a line. "card" says what was measured; "reading" has a name, its parameters, the median of its
// repetitions with the least and the greatest, and the unit; "clock" is the SM clock between groups; "warning" says what
// makes readings doubtful. Cycles are of the SM clock, read by clock64(); times are CUDA events.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#ifdef _WIN32
#define popen _popen
#define pclose _pclose
#endif
typedef long long ll;
typedef unsigned int uint;
typedef unsigned long long u64;
#define CK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
  printf("{\"error\":\"%s\",\"call\":\"%s\",\"line\":%d}\n", cudaGetErrorString(e_), #call, __LINE__); fflush(stdout); exit(1); } } while (0)

static const int REPETITIONS = 9;
static int sms, major_, sharedPerSm, sharedOptIn, reserved;
static double clockMHz, maxClockMHz, l2Bytes;
static ll *dCycles, hCycles;
static char *big;
static size_t bigBytes;
static const char *group = "";
__device__ int sink;

// ---- what is printed
struct Reading { double median, low, high; int n; };
static Reading of(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return {v[v.size() / 2], v.front(), v.back(), (int)v.size()};
}
static void warn(const std::string &text) { printf("{\"warning\":\"%s\",\"group\":\"%s\"}\n", text.c_str(), group); }
// The least of a few repetitions is the machine; one far off is somebody else's.
static void print(const std::string &name, Reading r, const char *unit, double scale = 1) {
  printf("{\"reading\":\"%s\",\"value\":%.5g,\"low\":%.5g,\"high\":%.5g,\"unit\":\"%s\",\"repetitions\":%d}\n",
         name.c_str(), r.median * scale, r.low * scale, r.high * scale, unit, r.n);
  if (r.high > 1.25 * r.median && r.median > 0) warn(name + ": repetitions differ by more than a quarter; is the card shared?");
  fflush(stdout);
}
static std::string numbered(const char *name, int n) { return std::string(name) + "." + std::to_string(n); }

// ---- how it is measured
// `launch` leaves cycles in dCycles.
template <class L> static Reading cycles(L launch, int n = REPETITIONS) {
  std::vector<double> v;
  for (int r = 0; r < n + 2; r++) {
    launch();
    CK(cudaGetLastError());
    CK(cudaMemcpy(&hCycles, dCycles, sizeof(ll), cudaMemcpyDeviceToHost));
    if (r >= 2) v.push_back((double)hCycles);
  }
  return of(v);
}
// Microseconds between two events around `work`, after `before` in the same stream.
template <class B, class W> static Reading microseconds(B before, W work, int n = REPETITIONS) {
  cudaEvent_t a, b;
  CK(cudaEventCreate(&a));
  CK(cudaEventCreate(&b));
  std::vector<double> v;
  for (int r = 0; r < n + 2; r++) {
    before(r);
    CK(cudaEventRecord(a));
    work();
    CK(cudaEventRecord(b));
    CK(cudaEventSynchronize(b));
    float ms;
    CK(cudaEventElapsedTime(&ms, a, b));
    if (r >= 2) v.push_back(ms * 1e3);
  }
  CK(cudaGetLastError());
  CK(cudaEventDestroy(a));
  CK(cudaEventDestroy(b));
  return of(v);
}
static void nothingBefore(int) { CK(cudaDeviceSynchronize()); }
template <class W> static Reading microseconds(W work, int n = REPETITIONS) { return microseconds(nothingBefore, work, n); }
// The difference of a long and a short run: launches fall out.
static Reading difference(Reading more, Reading less) {
  return {more.median - less.median, more.low - less.high, more.high - less.low, more.n};
}
static Reading rate(double amount, Reading us) { return {amount / us.median, amount / us.high, amount / us.low, us.n}; }

// ---- clock
__global__ void spin(ll *out, ll cyclesToSpin) {
  ll t0 = clock64();
  u64 n0, n1;
  asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(n0));
  ll t1 = t0;
  while (t1 - t0 < cyclesToSpin) t1 = clock64();
  asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(n1));
  if (threadIdx.x == 0 && blockIdx.x == 0) { out[0] = t1 - t0; out[1] = (ll)(n1 - n0); }
}
static void clockNow() {
  ll h[2];
  std::vector<double> v;
  for (int r = 0; r < 3; r++) {
    spin<<<sms, 128>>>(dCycles, 20000000);
    CK(cudaMemcpy(h, dCycles, sizeof h, cudaMemcpyDeviceToHost));
    v.push_back(h[0] * 1e3 / h[1]);
  }
  Reading r = of(v);
  printf("{\"clock\":\"SM\",\"value\":%.1f,\"low\":%.1f,\"high\":%.1f,\"unit\":\"MHz\"}\n", r.median, r.low, r.high);
  if (clockMHz > 0 && (r.median < 0.99 * clockMHz || r.median > 1.01 * clockMHz)) warn("the SM clock has moved by more than 1 %");
  if (r.median < 0.95 * maxClockMHz) warn("the SM clock is more than 5 % below the card's maximum: throttled, or limited by its power");
  clockMHz = r.median;
  fflush(stdout);
}

// ---- operations: a dependent chain of one warp, and four chains in each of 32 warps
#define CHAIN(NAME, T, CONS, ASM)                                                                                        \
  __global__ void lat_##NAME(ll *out, int a, int b) {                                                                    \
    T x = (T)(threadIdx.x + a), y = (T)b, z = (T)(a + 3);                                                                \
    ll best = 1ll << 60;                                                                                                 \
    for (int r = 0; r < 4; r++) {                                                                                        \
      __syncthreads();                                                                                                   \
      ll t0 = clock64();                                                                                                 \
      _Pragma("unroll") for (int i = 0; i < 128; i++) asm volatile(ASM : "+" CONS(x) : CONS(y), CONS(z));                \
      ll t1 = clock64();                                                                                                 \
      best = min(best, t1 - t0);                                                                                         \
    }                                                                                                                    \
    if (x == (T)123456789) sink = 1;                                                                                     \
    if (threadIdx.x == 0) *out = best;                                                                                   \
  }                                                                                                                      \
  __global__ void __launch_bounds__(1024) thr_##NAME(ll *out, int a, int b) {                                            \
    T x0 = (T)(threadIdx.x + a), x1 = x0 + (T)1, x2 = x0 + (T)b, x3 = x1 + (T)b, y = (T)b, z = (T)(a + 3);               \
    __shared__ u64 s0, s1;                                                                                               \
    if (threadIdx.x == 0) { s0 = ~0ull; s1 = 0; }                                                                        \
    __syncthreads();                                                                                                     \
    ll t0 = clock64();                                                                                                   \
    for (int r = 0; r < 8; r++) {                                                                                        \
      _Pragma("unroll") for (int i = 0; i < 16; i++) {                                                                   \
        asm volatile(ASM : "+" CONS(x0) : CONS(y), CONS(z));                                                             \
        asm volatile(ASM : "+" CONS(x1) : CONS(y), CONS(z));                                                             \
        asm volatile(ASM : "+" CONS(x2) : CONS(y), CONS(z));                                                             \
        asm volatile(ASM : "+" CONS(x3) : CONS(y), CONS(z));                                                             \
      }                                                                                                                  \
    }                                                                                                                    \
    ll t1 = clock64();                                                                                                   \
    atomicMin(&s0, (u64)t0);                                                                                             \
    atomicMax(&s1, (u64)t1);                                                                                             \
    __syncthreads();                                                                                                     \
    if (x0 + x1 + x2 + x3 == (T)123456789) sink = 1;                                                                     \
    if (threadIdx.x == 0) *out = s1 - s0;                                                                                \
  }                                                                                                                      \
  static void run_##NAME() {                                                                                            \
    print("chain." #NAME, cycles([] { lat_##NAME<<<1, 32>>>(dCycles, 1, 5); }), "cycles", 1 / 128.0);                   \
    print("rate." #NAME, rate(512.0 * 32, cycles([] { thr_##NAME<<<1, 1024>>>(dCycles, 1, 5); })), "a cycle and SM");    \
  }
CHAIN(lop3, int, "r", "lop3.b32 %0,%0,%1,%2,0x6a;")
CHAIN(imad, int, "r", "mad.lo.s32 %0,%0,%1,%2;")
CHAIN(ffma, float, "f", "fma.rn.f32 %0,%0,%1,%2;")
CHAIN(dadd, double, "d", "add.rn.f64 %0,%0,%1;")
CHAIN(ex2, float, "f", "ex2.approx.ftz.f32 %0,%0;")
CHAIN(setp_selp, int, "r", "{.reg .pred p; setp.lt.s32 p,%0,%1; selp.b32 %0,%2,%1,p;}")
CHAIN(setp_ballot, int, "r", "{.reg .pred p; setp.lt.s32 p,%0,%1; vote.sync.ballot.b32 %0,p,0xffffffff;}")
CHAIN(shfl, int, "r", "shfl.sync.bfly.b32 %0,%0,1,0x1f,0xffffffff;")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
CHAIN(match_all, int, "r", "match.all.sync.b32 %0,%0,0xffffffff;")
CHAIN(match_any, int, "r", "match.any.sync.b32 %0,%0,0xffffffff;")
#else
CHAIN(match_all, int, "r", "xor.b32 %0,%0,%1;")
CHAIN(match_any, int, "r", "xor.b32 %0,%0,%1;")
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
CHAIN(redux, int, "r", "redux.sync.add.s32 %0,%0,0xffffffff;")
#else
CHAIN(redux, int, "r", "xor.b32 %0,%0,%1;")
#endif
// All lanes alike: match.any has one value.
__global__ void matchOne(ll *out, int a) {
  int x = a;
  ll t0 = clock64();
#pragma unroll
  for (int i = 0; i < 64; i++) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
    asm volatile("match.any.sync.b32 %0,%0,0xffffffff;" : "+r"(x));
#endif
  }
  ll t1 = clock64();
  if (x == 123456789) sink = 1;
  if (threadIdx.x == 0) *out = t1 - t0;
}
// A taken branch whose predicate is ready: a loop of one operation.
__global__ void loopOfOne(ll *out, int a, int n) {
  int x = threadIdx.x + a;
  ll t0 = clock64();
#pragma unroll 1
  for (int i = 0; i < n; i++) asm volatile("xor.b32 %0,%0,%1;" : "+r"(x) : "r"(a));
  ll t1 = clock64();
  if (x == -5) sink = x;
  if (threadIdx.x == 0) *out = t1 - t0;
}
__global__ void specials(ll *out) {
  int x = 0, t;
  __shared__ u64 s0, s1;
  if (threadIdx.x == 0) { s0 = ~0ull; s1 = 0; }
  __syncthreads();
  ll t0 = clock64();
#pragma unroll
  for (int i = 0; i < 64; i++) { asm volatile("mov.u32 %0,%%smid;" : "=r"(t)); x ^= t; }
  ll t1 = clock64();
  atomicMin(&s0, (u64)t0);
  atomicMax(&s1, (u64)t1);
  __syncthreads();
  if (x == 123456789) sink = x;
  if (threadIdx.x == 0) *out = s1 - s0;
}

// ---- shared memory
__global__ void sharedChain(ll *out, int stride) {
  extern __shared__ int s[];
  unsigned base = (unsigned)__cvta_generic_to_shared(s);
  for (int i = threadIdx.x; i < 1057; i += blockDim.x) s[i] = base + i * 4;
  __syncthreads();
  unsigned p = base + threadIdx.x * stride * 4;
  ll best = 1ll << 60;
  for (int r = 0; r < 4; r++) {
    ll t0 = clock64();
#pragma unroll
    for (int i = 0; i < 128; i++) asm volatile("ld.shared.u32 %0,[%0];" : "+r"(p));
    ll t1 = clock64();
    best = min(best, t1 - t0);
  }
  if (p == 7) sink = p;
  if (threadIdx.x == 0) *out = best;
}
template <int WRITE> __global__ void __launch_bounds__(1024) sharedRate(ll *out, int stride) {
  extern __shared__ int s[];
  unsigned base = (unsigned)__cvta_generic_to_shared(s);
  __shared__ u64 s0, s1;
  if (threadIdx.x == 0) { s0 = ~0ull; s1 = 0; }
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) s[i] = i;
  __syncthreads();
  unsigned p = base + (threadIdx.x % 32) * stride * 4;
  int acc = 0;
  ll t0 = clock64();
  for (int r = 0; r < 16; r++) {
#pragma unroll
    for (int i = 0; i < 16; i++) {
      int a = 0;
      if (WRITE) asm volatile("st.volatile.shared.u32 [%0],%1;" ::"r"(p), "r"(acc));
      else { asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(a) : "r"(p)); acc ^= a; }
    }
  }
  ll t1 = clock64();
  atomicMin(&s0, (u64)t0);
  atomicMax(&s1, (u64)t1);
  __syncthreads();
  if (acc == 12345) sink = acc;
  if (threadIdx.x == 0) *out = s1 - s0;
}
template <int RETURNS> __global__ void __launch_bounds__(1024) sharedAtomic(ll *out, int lanes) {
  __shared__ int s[1024];
  __shared__ u64 s0, s1;
  if (threadIdx.x == 0) { s0 = ~0ull; s1 = 0; }
  s[threadIdx.x] = 0;
  __syncthreads();
  unsigned p = (unsigned)__cvta_generic_to_shared(s + (threadIdx.x & 31) / lanes);
  int x = threadIdx.x;
  ll t0 = clock64();
#pragma unroll 16
  for (int i = 0; i < 64; i++) {
    if (RETURNS) asm volatile("atom.shared.add.s32 %0,[%1],%0;" : "+r"(x) : "r"(p) : "memory");
    else asm volatile("red.shared.add.s32 [%1],%0;" ::"r"(x), "r"(p) : "memory");
  }
  ll t1 = clock64();
  atomicMin(&s0, (u64)t0);
  atomicMax(&s1, (u64)t1);
  __syncthreads();
  if (x == 1234567) sink = x;
  if (threadIdx.x == 0) *out = s1 - s0;
}
__global__ void barriers(ll *out) {
  extern __shared__ int s[];
  ll t0 = clock64();
  for (int i = 0; i < 16; i++) {
#pragma unroll
    for (int k = 0; k < 32; k++) __syncthreads();
  }
  ll t1 = clock64();
  if (threadIdx.x == 0 && blockIdx.x == 0) *out = t1 - t0;
}

// ---- memory: latencies
__global__ void link(char *p, size_t n, size_t step, size_t bytes) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    *(char **)(p + i * bytes) = p + (i + step) % n * bytes;
}
template <int L1> __global__ void chase(ll *out, char *p, int hops, int before) {
  char *q = p;
  for (int i = 0; i < before; i++) {
    if (L1) asm volatile("ld.global.ca.u64 %0,[%0];" : "+l"(q));
    else asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(q));
  }
  ll t0 = clock64();
#pragma unroll 16
  for (int i = 0; i < hops; i++) {
    if (L1) asm volatile("ld.global.ca.u64 %0,[%0];" : "+l"(q));
    else asm volatile("ld.global.cg.u64 %0,[%0];" : "+l"(q));
  }
  ll t1 = clock64();
  if (q == 0) sink = 1;
  *out = t1 - t0;
}
// 32 words of a warp `stride` words apart: L1 hits, or lines of L2.
template <int L1> __global__ void __launch_bounds__(512) lines(ll *out, const uint *p, int stride) {
  const uint *q = p + (threadIdx.x / 32 % 4) * (L1 ? 0 : 1024) + (threadIdx.x % 32) * stride;
  uint r = 0, v;
  __shared__ u64 s0, s1;
  for (int i = 0; i < 2; i++) { asm volatile("ld.relaxed.cta.global.u32 %0,[%1];" : "=r"(v) : "l"(q)); r ^= v; }
  if (threadIdx.x == 0) { s0 = ~0ull; s1 = 0; }
  __syncthreads();
  ll t0 = clock64();
#pragma unroll 1
  for (int i = 0; i < 16; i++) {
#pragma unroll
    for (int k = 0; k < 16; k++) {
      // Others are merged.
      if (L1) asm volatile("ld.relaxed.cta.global.u32 %0,[%1];" : "=r"(v) : "l"(q));
      else asm volatile("ld.relaxed.gpu.global.u32 %0,[%1];" : "=r"(v) : "l"(q));
      r ^= v;
    }
  }
  ll t1 = clock64();
  atomicMin(&s0, (u64)t0);
  atomicMax(&s1, (u64)t1);
  __syncthreads();
  if (r == 1234567) sink = r;
  if (threadIdx.x == 0) *out = s1 - s0;
}

// ---- memory: streams
__global__ void __launch_bounds__(1024) readSpan(const uint4 *p, size_t n, int rounds) {
  uint s = 0;
  size_t step = (size_t)gridDim.x * blockDim.x;
  for (int r = 0; r < rounds; r++)
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += 4 * step) {
      uint4 v[4];
#pragma unroll
      for (int k = 0; k < 4; k++) v[k] = i + k * step < n ? __ldcg(p + i + k * step) : make_uint4(0, 0, 0, 0);
#pragma unroll
      for (int k = 0; k < 4; k++) s ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    }
  if (s == 1234567) sink = s;
}
__global__ void writeSpan(uint4 *p, size_t n, int rounds) {
  for (int r = 0; r < rounds; r++)
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
      p[i] = make_uint4(r, 1, 2, (uint)i);
}
__global__ void copySpan(uint4 *q, const uint4 *p, size_t n) {
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) q[i] = p[i];
}
// One element a thread.
__global__ void readPieces(const uint4 *p, uint *q) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  uint4 v = p[i];
  if (v.x == 1234567 && v.y == 7 && v.z == 8 && v.w == 9) q[0] = 1;
}
__global__ void readWords(const uint *p, uint *q) { if (p[blockIdx.x * (size_t)blockDim.x + threadIdx.x] == 1234567) q[0] = 1; }
__global__ void writePieces(uint4 *p) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; p[i] = make_uint4(1, 2, 3, 4); }
__global__ void copyPieces(uint4 *q, const uint4 *p) { size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; q[i] = p[i]; }
__global__ void readStrided(const int *p, size_t n, int stride) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  int acc = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) acc ^= p[((i + (size_t)k * gridDim.x * blockDim.x) * stride) % n];
  if (acc == 123456) sink = acc;
}

// ---- atomics
template <int ONE_LANE> __global__ void reds(int *p, int n, int apart) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, *q = p + (size_t)w * apart % (1 << 20);
  for (int i = 0; i < n; i++)
    if (!ONE_LANE || (threadIdx.x & 31) == 0) asm volatile("red.global.add.s32 [%0],%1;" ::"l"(q), "r"(i) : "memory");
}
__global__ void atomChain(ll *out, int *p, int n) {
  int x = 0;
  ll t0 = clock64();
  for (int i = 0; i < n; i++) asm volatile("atom.global.add.s32 %0,[%1],%0;" : "+r"(x) : "l"(p) : "memory");
  ll t1 = clock64();
  if (x == 7) sink = x;
  if (threadIdx.x == 0) *out = t1 - t0;
}

// ---- launches
__global__ void empty(int *p) { if (p) p[0] = 1; }

static void operations() {
  group = "operations";
  run_lop3(); run_imad(); run_ffma(); run_dadd(); run_ex2(); run_setp_selp(); run_setp_ballot(); run_shfl();
  if (major_ >= 7) {
    run_match_all(); run_match_any();
    print("chain.match_one", cycles([] { matchOne<<<1, 32>>>(dCycles, 5); }), "cycles", 1 / 64.0);
  }
  if (major_ >= 8) run_redux();
  print("loop.one", cycles([] { loopOfOne<<<1, 32>>>(dCycles, 1, 4096); }), "cycles", 1 / 4096.0);
  print("special.rate", cycles([] { specials<<<1, 1024>>>(dCycles); }), "cycles", 1 / (64.0 * 32));
}
static void sharedMemory() {
  group = "shared memory";
  for (int stride : {1, 2, 4, 8, 16, 32}) {
    print(numbered("shared.chain", stride), cycles([=] { sharedChain<<<1, 32, 8448>>>(dCycles, stride); }), "cycles", 1 / 128.0);
    print(numbered("shared.load", stride), cycles([=] { sharedRate<0><<<1, 1024, 16640>>>(dCycles, stride); }), "cycles", 1 / (256.0 * 32));
    print(numbered("shared.store", stride), cycles([=] { sharedRate<1><<<1, 1024, 16640>>>(dCycles, stride); }), "cycles", 1 / (256.0 * 32));
  }
  for (int lanes : {1, 2, 4, 8, 16, 32}) {
    print(numbered("shared.atomic", lanes), cycles([=] { sharedAtomic<1><<<1, 32>>>(dCycles, lanes); }), "cycles", 1 / 64.0);
    print(numbered("shared.red", lanes), cycles([=] { sharedAtomic<0><<<1, 1024>>>(dCycles, lanes); }), "cycles", 1 / (64.0 * 32));
  }
  for (int warps : {1, 2, 4, 8, 16, 32}) print(numbered("barrier", warps), cycles([=] { barriers<<<1, warps * 32>>>(dCycles); }), "cycles", 1 / 512.0);
  print("barrier.8x8", cycles([=] { barriers<<<8 * sms, 256>>>(dCycles); }), "cycles", 1 / 512.0);
}
static void latencies() {
  group = "latencies";
  for (int kib : {4, 16}) {
    link<<<64, 256>>>(big, kib * 1024 / 32, 5, 32);
    print(numbered("l1.chase", kib), cycles([=] { chase<1><<<1, 1>>>(dCycles, big, 1024, kib * 32); }), "cycles", 1 / 1024.0);
  }
  for (double share : {0.01, 0.1, 0.4}) {
    int n = (int)(l2Bytes * share / 128);
    link<<<512, 256>>>(big, n, n * 5 / 8 | 1, 128);
    print(numbered("l2.chase", (int)(100 * share + 0.5)), cycles([=] { chase<0><<<1, 1>>>(dCycles, big, 4096, n); }, 3), "cycles", 1 / 4096.0);
  }
  // 64 MiB, flushed from L2: over more, the translation of addresses takes its part.
  size_t n = (64ull << 20) / 128;
  link<<<512, 256>>>(big, n, (size_t)(n * 0.6180339887) | 1, 128);
  std::vector<double> v;
  for (int r = 0; r < 5; r++) {
    CK(cudaMemset(big + bigBytes / 2, r, bigBytes / 2));
    chase<0><<<1, 1>>>(dCycles, big, 4096, 16);
    CK(cudaMemcpy(&hCycles, dCycles, sizeof(ll), cudaMemcpyDeviceToHost));
    v.push_back(hCycles / 4096.0);
  }
  print("dram.chase", of(v), "cycles");
  CK(cudaMemset(big, 0, bigBytes / 2));
  print("l1.lines.33", cycles([] { lines<1><<<1, 512>>>(dCycles, (uint *)big, 33); }), "cycles", 1 / (256.0 * 16));
  print("l2.lines.32", cycles([] { lines<0><<<1, 512>>>(dCycles, (uint *)big, 32); }), "cycles", 1 / (256.0 * 16));
}
static void streams() {
  group = "streams";
  const size_t half = bigBytes / 2;
  for (int percent : {10, 20, 30, 40, 50, 60}) {
    size_t n = (size_t)(l2Bytes * percent / 100) / 16, bytes = n * 16;
    int rounds = std::max(4, (int)((1ull << 31) / bytes));
    print(numbered("l2.read", percent), rate(1e-3 * bytes * 3 * rounds, difference(
      microseconds([=] { readSpan<<<2 * sms, 1024>>>((uint4 *)big, n, 4 * rounds); }, 5),
      microseconds([=] { readSpan<<<2 * sms, 1024>>>((uint4 *)big, n, rounds); }, 5))), "GB/s");
    print(numbered("l2.write", percent), rate(1e-3 * bytes * 3 * rounds, difference(
      microseconds([=] { writeSpan<<<8 * sms, 256>>>((uint4 *)big, n, 4 * rounds); }, 5),
      microseconds([=] { writeSpan<<<8 * sms, 256>>>((uint4 *)big, n, rounds); }, 5))), "GB/s");
  }
  // A quarter and the whole of an array: one pass in a loop of all threads, and one element a thread.
  size_t n = half / 16, few = n / 4;
  double bytes = 16.0 * (n - few);
  uint4 *p = (uint4 *)big, *q = (uint4 *)(big + half);
  auto loops = [&](const char *name, double moved, void (*go)(uint4 *, uint4 *, size_t)) {
    print(name, rate(1e-3 * moved * bytes, difference(microseconds([=] { go(p, q, n); }, 5), microseconds([=] { go(p, q, few); }, 5))), "GB/s");
  };
  loops("dram.read.loop", 1, [](uint4 *a, uint4 *, size_t m) { readSpan<<<2 * sms, 1024>>>(a, m, 1); });
  loops("dram.read.pieces", 1, [](uint4 *a, uint4 *b, size_t m) { readPieces<<<(uint)(m / 256), 256>>>(a, (uint *)b); });
  loops("dram.write.loop", 1, [](uint4 *a, uint4 *, size_t m) { writeSpan<<<8 * sms, 256>>>(a, m, 1); });
  loops("dram.write.pieces", 1, [](uint4 *a, uint4 *, size_t m) { writePieces<<<(uint)(m / 256), 256>>>(a); });
  loops("dram.copy.loop", 2, [](uint4 *a, uint4 *b, size_t m) { copySpan<<<8 * sms, 256>>>(b, a, m); });
  loops("dram.copy.pieces", 2, [](uint4 *a, uint4 *b, size_t m) { copyPieces<<<(uint)(m / 256), 256>>>(b, a); });
  for (int stride : {8, 16, 32}) {
    size_t words = bigBytes / 4;
    int blocks = (int)std::min<size_t>(131072, words / stride / 8 / 256);
    print(numbered("dram.strided", stride), rate(1e-3 * blocks * 256.0 * 8 * 4, microseconds([=] { readStrided<<<blocks, 256>>>((int *)big, words, stride); }, 5)), "GB/s");
  }
  // What the next launch finds in L2 of a span that the last one read once: 16 bytes a thread, and words.
  auto flush = [=](int) {
    writeSpan<<<8 * sms, 256>>>((uint4 *)(big + half), (size_t)(3 * l2Bytes) / 16, 1);
    readSpan<<<8 * sms, 256>>>((uint4 *)(big + half) + (size_t)(3 * l2Bytes) / 16, (size_t)(2 * l2Bytes) / 16, 1);
  };
  for (int percent = 30; percent <= 130; percent += 5) {
    size_t span = (size_t)(l2Bytes * percent / 100);
    auto vectors = [=] { readPieces<<<(uint)(span / 4096), 256>>>((uint4 *)big, (uint *)(big + half)); };
    auto words = [=] { readWords<<<(uint)(span / 4096), 1024>>>((uint *)big, (uint *)(big + half)); };
    print(numbered("l2.again", percent), microseconds([=](int) { vectors(); vectors(); }, vectors, 7), "us");
    print(numbered("l2.first", percent), microseconds(flush, vectors, 7), "us");
    print(numbered("l2.againWords", percent), microseconds([=](int) { words(); words(); }, words, 7), "us");
    print(numbered("l2.firstWords", percent), microseconds(flush, words, 7), "us");
  }
}
static void atomics() {
  group = "atomics";
  int *p = (int *)big;
  CK(cudaMemset(big, 0, 1 << 24));
  // Where L2 is in halves, a word lies in the near or the far one.
  std::vector<double> v;
  for (int line = 0; line < 16; line++) v.push_back(cycles([=] { atomChain<<<1, 1>>>(dCycles, p + 1056 * line, 256); }, 3).median);
  print("atomic.chain", of(v), "cycles", 1 / 256.0);
  int blocks = 8 * sms;
  print("atomic.address", difference(microseconds([=] { reds<1><<<blocks, 256>>>(p, 128, 0); }), microseconds([=] { reds<1><<<blocks, 256>>>(p, 64, 0); })), "ns", 1e3 / (64.0 * 8 * blocks));
  print("atomic.lanes", difference(microseconds([=] { reds<0><<<1, 256>>>(p, 512, 8); }), microseconds([=] { reds<0><<<1, 256>>>(p, 64, 8); })), "ns", 1e3 / (448.0 * 8));
}
static void launches() {
  group = "launches";
  CK(cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedOptIn));
  int alone = sharedPerSm / 2 + 1024 <= sharedOptIn ? sharedPerSm / 2 + 1024 : sharedOptIn;
  print("launch.idle", microseconds([] { empty<<<1, 256>>>(nullptr); }, 21), "us");
  print("launch.queued", microseconds([](int) { readSpan<<<2 * sms, 1024>>>((uint4 *)big, 1 << 22, 1); }, [] { empty<<<1, 256>>>(nullptr); }, 21), "us");
  print("launch.backToBack", difference(microseconds([] { for (int i = 0; i < 400; i++) empty<<<1, 256>>>(nullptr); }), microseconds([] { for (int i = 0; i < 200; i++) empty<<<1, 256>>>(nullptr); })), "us", 1 / 200.0);
  int many = 2000 * sms;
  print("blocks.dispatch", difference(microseconds([=] { empty<<<2 * many, 32>>>(nullptr); }, 5), microseconds([=] { empty<<<many, 32>>>(nullptr); }, 5)), "ns", 1e3 / many);
  for (int warps : {1, 4, 16, 32})
    print(numbered("blocks.residency", warps), difference(microseconds([=] { empty<<<600 * sms, warps * 32, alone>>>(nullptr); }, 5), microseconds([=] { empty<<<200 * sms, warps * 32, alone>>>(nullptr); }, 5)), "cycles", clockMHz / 400);
}
static void transfers() {
  group = "transfers";
  const size_t large = 256 << 20;
  void *pinned;
  std::vector<char> pageable(large, 1);
  CK(cudaMallocHost(&pinned, large));
  auto GBps = [&](const char *name, void *to, const void *from, size_t bytes) { print(name, rate(1e-3 * bytes, microseconds([=] { CK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault)); }, 5)), "GB/s"); };
  GBps("copy.toDevice", big, pinned, large);
  GBps("copy.toHost", pinned, big, large);
  GBps("copy.pageableToDevice", big, pageable.data(), large / 16);
  GBps("copy.pageableToHost", pageable.data(), big, large / 16);
  print("copy.small", difference(microseconds([=] { for (int i = 0; i < 100; i++) CK(cudaMemcpyAsync(big, pinned, 4, cudaMemcpyDefault)); }), microseconds([=] { for (int i = 0; i < 20; i++) CK(cudaMemcpyAsync(big, pinned, 4, cudaMemcpyDefault)); })), "us", 1 / 80.0);
  print("copy.within", microseconds([=] { CK(cudaMemcpyAsync(big, big + large, 4096, cudaMemcpyDefault)); }), "us");
  print("memset.small", microseconds([=] { CK(cudaMemsetAsync(big, 0, 4096)); }), "us");
  CK(cudaFreeHost(pinned));
}

static int attribute(cudaDeviceAttr a) { int v = 0; cudaDeviceGetAttribute(&v, a, 0); cudaGetLastError(); return v; }
// What nvidia-smi says, where it is installed.
static std::string nvidiaSmi(const char *query) {
  std::string text, command = std::string("nvidia-smi -i 0 --format=csv,noheader ") + query + " 2>&1";
  FILE *f = popen(command.c_str(), "r");
  if (!f) return "";
  char line[512];
  while (fgets(line, sizeof line, f)) text += line;
  if (pclose(f) != 0) return "";
  std::string plain;
  for (char c : text) { if (c == '\n') plain += "; "; else if (c != '"' && c != '\\') plain += c; }
  return plain;
}
int main() {
  cudaDeviceProp P;
  CK(cudaGetDeviceProperties(&P, 0));
  sms = P.multiProcessorCount; major_ = P.major; sharedPerSm = (int)P.sharedMemPerMultiprocessor;
  sharedOptIn = (int)P.sharedMemPerBlockOptin; l2Bytes = P.l2CacheSize; reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock);
  maxClockMHz = attribute(cudaDevAttrClockRate) / 1e3;
  int driver = 0, runtime = 0;
  CK(cudaDriverGetVersion(&driver)); CK(cudaRuntimeGetVersion(&runtime));
  size_t freeBytes, allBytes;
  CK(cudaMemGetInfo(&freeBytes, &allBytes));
  bigBytes = std::min<size_t>(4ull << 30, freeBytes * 7 / 10 >> 28 << 28);
  if (bigBytes < std::max<size_t>(1ull << 30, (size_t)(12 * l2Bytes))) { printf("{\"error\":\"too little free memory\",\"call\":\"cudaMemGetInfo\",\"line\":%d}\n", __LINE__); return 1; }
  printf("{\"card\":\"%s\",\"program\":\"warplab measure 1\",\"computeCapability\":\"%d.%d\",\"smCount\":%d,\"maxClockMHz\":%.0f,\"memoryClockMHz\":%.0f,\"busWidthBits\":%d,\"l2Bytes\":%d,\"totalGlobalMemBytes\":%zu,\"sharedBytesPerBlock\":%zu,\"sharedBytesPerBlockOptIn\":%d,\"sharedBytesPerSm\":%d,\"sharedReservedBytesPerBlock\":%d,\"registersPerBlock\":%d,\"registersPerSm\":%d,\"maxThreadsPerBlock\":%d,\"maxThreadsPerSm\":%d,\"maxBlocksPerSm\":%d,\"asyncEngines\":%d,\"driverCuda\":%d,\"runtimeCuda\":%d,\"freeBytes\":%zu}\n",
         P.name, P.major, P.minor, sms, maxClockMHz, attribute(cudaDevAttrMemoryClockRate) / 1e3, attribute(cudaDevAttrGlobalMemoryBusWidth), P.l2CacheSize, P.totalGlobalMem, P.sharedMemPerBlock, sharedOptIn, sharedPerSm, reserved, P.regsPerBlock, P.regsPerMultiprocessor, P.maxThreadsPerBlock, P.maxThreadsPerMultiProcessor, attribute(cudaDevAttrMaxBlocksPerMultiprocessor), P.asyncEngineCount, driver, runtime, freeBytes);
  printf("{\"smi\":\"%s\",\"apps\":\"%s\"}\n", nvidiaSmi("--query-gpu=driver_version,clocks.sm,clocks.mem,temperature.gpu,power.limit,utilization.gpu").c_str(), nvidiaSmi("--query-compute-apps=pid,used_memory").c_str());
  if (allBytes - freeBytes > (2ull << 30)) warn("more than 2 GiB of the card's memory were taken before: it is shared");
  CK(cudaMalloc(&dCycles, 64));
  CK(cudaMalloc(&big, bigBytes));
  CK(cudaMemset(big, 0, bigBytes));
  spin<<<8 * sms, 256>>>(dCycles, 300000000);
  CK(cudaDeviceSynchronize());
  clockNow(); operations(); sharedMemory();
  clockNow(); latencies();
  clockNow(); streams();
  clockNow(); atomics(); launches();
  clockNow(); transfers();
  clockNow();
  printf("{\"smi\":\"%s\",\"end\":true}\n", nvidiaSmi("--query-gpu=driver_version,clocks.sm,clocks.mem,temperature.gpu,power.draw,clocks_throttle_reasons.active").c_str());
  return 0;
}
