// What stands before a kernel's first load: special registers, parameters, the start of warps; and how long a load then takes.
// Build: nvcc -O3 -arch=sm_90 h200/micro/prologue.cu
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <map>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
#define SR(name, reg) struct name { static __device__ __forceinline__ unsigned get() { unsigned r; asm volatile("mov.u32 %0, %" reg ";" : "=r"(r)); return r; } };
SR(TidX, "%tid.x") SR(TidY, "%tid.y") SR(CtaX, "%ctaid.x") SR(Lane, "%laneid") SR(WarpId, "%warpid") SR(SmId, "%smid") SR(LaneLt, "%lanemask_lt")
SR(NTid, "%ntid.x")
__constant__ unsigned table[1024];
// 16 reads a round, xor'd: cycles of the whole for each warp count
template <class S> __global__ void rate(unsigned *out, int rounds) {
  unsigned a = 0; __syncthreads();
  long long t0 = clock64();
  for (int r = 0; r < rounds; r++) {
    unsigned v[16];
#pragma unroll
    for (int k = 0; k < 16; k++) v[k] = S::get();
#pragma unroll
    for (int k = 0; k < 16; k++) a ^= v[k] + r;
  }
  __syncthreads();
  long long t1 = clock64();
  if (threadIdx.x == 0) out[0] = (unsigned)(t1 - t0); if (a == 0xdeadbeef) out[1] = a;
}
template <class S> __global__ void lat(unsigned *out, int rounds) {
  unsigned a = 0; long long t0 = clock64();
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int k = 0; k < 16; k++) { a += S::get(); asm volatile("" : "+r"(a)); if (a == 0xdeadbeef) break; }
  }
  long long t1 = clock64(); if (threadIdx.x == 0) out[0] = (unsigned)(t1 - t0); if (a == 0xdeadbeef) out[1] = a;
}
// indexed constant loads, an index that all lanes share
__global__ void ldc(unsigned *out, int rounds, int idx) {
  unsigned a = idx; __syncthreads(); long long t0 = clock64();
  for (int r = 0; r < rounds; r++) {
    unsigned v[16];
#pragma unroll
    for (int k = 0; k < 16; k++) v[k] = table[(a & 1) + k];
#pragma unroll
    for (int k = 0; k < 16; k++) a ^= v[k];
  }
  __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) out[0] = (unsigned)(t1 - t0); if (a == 0xdeadbeef) out[1] = a;
}
// A load a round, each waiting for the one before. WIDTH: 0 one lane alone, 1 all lanes one word, 2 consecutive words, 3 eight-byte, 4 sixteen-byte
template <int WIDTH> __global__ void chase(const int *x, unsigned mask, unsigned step, int rounds, float *out, int none) {
  unsigned lane = threadIdx.x & 31, line = (blockIdx.x * 977) & mask;
  if (WIDTH == 0 && lane > 0) return;
  long long t0 = clock64();
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    int v;
    if (WIDTH == 5) { v = none; asm volatile("" : "+r"(v)); }
    else if (WIDTH == 3) v = ((const int2 *)x)[line * 32 + lane].y;
    else if (WIDTH == 4) v = ((const int4 *)x)[line * 32 + lane].w;
    else v = x[line * 32 + (WIDTH == 2 ? lane : 0)];
    line = (line + step + v) & mask;
  }
  long long t1 = clock64();
  if (lane == 0) out[blockIdx.x] = (float)(t1 - t0) / rounds + (line == 0xffffffff);
}
__device__ __forceinline__ unsigned clk() { unsigned c; asm volatile("mov.u32 %0, %%clock;" : "=r"(c) :: "memory"); return c; }
// clocks: first instruction, thread's place known, parameter known, loaded
template <int LOAD> __global__ void timeline(const float *x, uint4 *rec, unsigned *sms, int n) {
  unsigned c0 = clk(); unsigned tid, cta;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(tid)); asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(cta));
  int i = cta * blockDim.x + tid;
  asm volatile("{ .reg .pred p; setp.eq.s32 p, %0, -7; @p trap; }" :: "r"(i) : "memory");
  unsigned c1 = clk();
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %0, %1; @p trap; }" :: "r"(n), "r"(i) : "memory");
  unsigned c2 = clk();
  float v = 0;
  if (LOAD) { v = x[i]; asm volatile("{ .reg .pred p; setp.eq.f32 p, %0, 0f42F70000; @p trap; }" :: "f"(v) : "memory"); }
  unsigned c3 = clk();
  if ((tid & 31) == 0) { rec[i / 32] = make_uint4(c0, c1, c2, c3); if (tid == 0) { unsigned s; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); sms[cta] = s; } }
}
unsigned *out; float *fo; int *x; uint4 *rec; unsigned *sms;
template <class S> void rates(const char *name) {
  for (int warps : {1, 4, 8, 16, 32}) { unsigned h; for (int r = 0; r < 2; r++) rate<S><<<1, warps * 32>>>(out, 200); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost));
    printf("{\"micro\":\"special_rate\",\"register\":\"%s\",\"warps\":%d,\"cyclesPerInstructionSM\":%.3f}\n", name, warps, h / (200.0 * 16 * warps)); }
  unsigned h; for (int r = 0; r < 2; r++) lat<S><<<1, 32>>>(out, 100); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)); printf("{\"micro\":\"special_latency\",\"register\":\"%s\",\"cycles\":%.2f}\n", name, h / 1600.0);
}
template <int W> void chases(const char *name) {
  std::vector<float> h(132);
  for (unsigned lines : {4u, 1024u, 131072u}) for (int grid : {1, 132}) { int step = lines > 4 ? 1061 : 1; for (int r = 0; r < 3; r++) chase<W><<<grid, 32>>>(x, lines - 1, step, lines > 4 ? 4000 : 2000, fo, 0); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), fo, grid * 4, cudaMemcpyDeviceToHost));
    double s = 0, m = 0; for (int i = 0; i < grid; i++) { s += h[i]; m = std::max(m, (double)h[i]); } printf("{\"micro\":\"chase\",\"lanes\":\"%s\",\"lines\":%u,\"blocks\":%d,\"mean\":%.1f,\"max\":%.1f}\n", name, lines, grid, s / grid, m); }
}
template <int L> void lines() {
  for (int block : {64, 256, 512, 1024}) for (int blocks : {1, 132, 264, 1056, 8192}) {
    for (int r = 0; r < 3; r++) timeline<L><<<blocks, block>>>((float *)x, rec, sms, 1 << 30); CK(cudaDeviceSynchronize());
    int W = block / 32; std::vector<uint4> h(blocks * W); std::vector<unsigned> s(blocks); CK(cudaMemcpy(h.data(), rec, h.size() * 16, cudaMemcpyDeviceToHost)); CK(cudaMemcpy(s.data(), sms, blocks * 4, cudaMemcpyDeviceToHost));
    double place = 0, param = 0, load = 0, spread = 0, span = 0, lastplace = 0; std::map<unsigned, std::vector<std::pair<unsigned, unsigned>>> by;
    for (int b = 0; b < blocks; b++) { unsigned f = ~0u, l = 0, e = 0; for (int w = 0; w < W; w++) { auto &q = h[b * W + w]; place += q.y - q.x; param += q.z - q.y; load += q.w - q.z; f = std::min(f, q.x); l = std::max(l, q.x); e = std::max(e, q.w); } spread += l - f; span += e - f; by[s[b]].push_back({f, e}); }
    double gap = 0; int ng = 0; double busy = 0; for (auto &k : by) { auto v = k.second; std::sort(v.begin(), v.end()); for (size_t i = 1; i < v.size(); i++) { gap += (int)(v[i].first - v[i - 1].first); ng++; } }
    double n = (double)blocks * W;
    printf("{\"micro\":\"timeline\",\"load\":%d,\"block\":%d,\"blocks\":%d,\"placeCycles\":%.1f,\"paramCycles\":%.1f,\"loadCycles\":%.1f,\"warpStartSpread\":%.1f,\"blockSpan\":%.1f,\"startToNextStart\":%.1f}\n", L, block, blocks, place / n, param / n, load / n, spread / blocks, span / blocks, ng ? gap / ng : 0.0);
  }
}
int timelines() {
  CK(cudaMalloc(&out, 4096)); CK(cudaMalloc(&fo, 4096)); CK(cudaMalloc(&x, 256u << 20)); CK(cudaMemset(x, 0, 256u << 20)); CK(cudaMalloc(&rec, 16u << 20)); CK(cudaMalloc(&sms, 1 << 20));
  rates<TidX>("tid.x"); rates<TidY>("tid.y"); rates<CtaX>("ctaid.x"); rates<Lane>("laneid"); rates<WarpId>("warpid"); rates<SmId>("smid"); rates<LaneLt>("lanemask_lt"); rates<NTid>("ntid.x");
  for (int warps : {1, 4, 8, 16, 32}) { unsigned h; for (int r = 0; r < 2; r++) ldc<<<1, warps * 32>>>(out, 200, 0); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)); printf("{\"micro\":\"ldc_rate\",\"warps\":%d,\"cyclesPerInstructionSM\":%.3f}\n", warps, h / (200.0 * 16 * warps)); }
  chases<0>("one"); chases<1>("all, one word"); chases<2>("all, consecutive words"); chases<3>("all, 8 bytes each"); chases<4>("all, 16 bytes each"); chases<5>("no load");
  lines<0>(); lines<1>();
  return 0;
}
#define READ(reg) ({ unsigned r_; asm volatile("mov.u32 %0, %" reg ";" : "=r"(r_)); r_; })
extern __shared__ unsigned dyn[];
// n special registers of the thread's (tid, laneid) and of the block's (ctaid) kind
template <int KIND> __global__ void special(uint2 *rec, unsigned *sink, int n) {
  unsigned c0 = clk(), s = 0;
  if (KIND == 0) s = READ("%tid.x") ^ READ("%tid.y") * 3 ^ READ("%tid.z") * 5 ^ READ("%laneid") * 7 ^ READ("%lanemask_lt") ^ READ("%lanemask_gt") * 9 ^ READ("%lanemask_eq") * 11 ^ READ("%lanemask_le") * 13;
  if (KIND == 1) s = READ("%ctaid.x") ^ READ("%ctaid.y") * 3 ^ READ("%ctaid.z") * 5;
  if (KIND == 2) s = READ("%tid.x");
  if (KIND == 3) s = READ("%ctaid.x");
  if (KIND == 4) s = READ("%tid.x") ^ READ("%ctaid.x") * 3;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0x7fffff31; @p trap; }" :: "r"(s) : "memory");
  unsigned c1 = clk();
  unsigned t = threadIdx.x;
  if ((t & 31) == 0) rec[blockIdx.x * (blockDim.x / 32) + t / 32] = make_uint2(c0, c1);
}
template <int N> __global__ void params(uint2 *rec, const int *a, const int *b, const int *c, const int *d, const int *e, const int *f, const int *g, const int *h) {
  unsigned t = threadIdx.x; int i = blockIdx.x * blockDim.x + t;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0x7fffff31; @p trap; }" :: "r"(i) : "memory");
  unsigned c0 = clk(); size_t s = (size_t)(a + i);
  if (N > 1) s ^= (size_t)(b + i); if (N > 2) s ^= (size_t)(c + i); if (N > 3) s ^= (size_t)(d + i); if (N > 4) s ^= (size_t)(e + i) ^ (size_t)(f + i) ^ (size_t)(g + i) ^ (size_t)(h + i);
  asm volatile("{ .reg .pred p; setp.eq.u64 p, %0, 0x7fffff31; @p trap; }" :: "l"(s) : "memory");
  unsigned c1 = clk();
  if ((t & 31) == 0) rec[blockIdx.x * (blockDim.x / 32) + t / 32] = make_uint2(c0, c1);
}
__global__ void nothingAtAll(uint2 *rec) {
  unsigned c0 = clk(); unsigned c1 = clk(); unsigned t = threadIdx.x;
  if ((t & 31) == 0) rec[blockIdx.x * (blockDim.x / 32) + t / 32] = make_uint2(c0, c1);
}
uint2 *pairs; unsigned *sink;
template <class F> void show(const char *name, F launch, const void *fn) {
  CK(cudaFuncSetAttribute(fn, cudaFuncAttributeMaxDynamicSharedMemorySize, 200000));
  for (int shared : {0, 200000}) for (int block : {32, 64, 128, 256, 512, 1024}) {
    int blocks = 132 * 40, W = block / 32; for (int r = 0; r < 2; r++) launch(blocks, block, shared); CK(cudaDeviceSynchronize());
    std::vector<uint2> h((size_t)blocks * W); CK(cudaMemcpy(h.data(), pairs, h.size() * 8, cudaMemcpyDeviceToHost));
    double mean = 0, span = 0, start = 0; int n = 0; for (int b = blocks / 2; b < blocks; b++) { unsigned f = ~0u, l = 0, s = 0; for (int w = 0; w < W; w++) { auto q = h[b * W + w]; mean += (q.y - q.x) / (double)W; f = std::min(f, q.x); s = std::max(s, q.x); l = std::max(l, q.y); } span += l - f; start += s - f; n++; }
    cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t; for (int r = 0; r < 9; r++) { cudaEventRecord(a); launch(blocks, block, shared); cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms); } std::sort(t.begin(), t.end());
    printf("{\"micro\":\"prologue\",\"kind\":\"%s\",\"oneBlock\":%d,\"block\":%d,\"meanCycles\":%.1f,\"spanCycles\":%.1f,\"startSpread\":%.1f,\"us\":%.2f}\n", name, shared > 0, block, mean / n, span / n, start / n, t[4] * 1000);
  }
}
#define SPECIAL(k, name) show(name, [](int g, int b, int s) { special<k><<<g, b, s>>>(pairs, sink, 0); }, (const void *)special<k>);
#define PARAMS(k, name) show(name, [](int g, int b, int s) { params<k><<<g, b, s>>>(pairs, x, x + 1, x + 2, x + 3, x + 4, x + 5, x + 6, x + 7); }, (const void *)params<k>);
int prologues() {
  CK(cudaMalloc(&pairs, 16u << 20)); CK(cudaMalloc(&sink, 4096));
  show("none", [](int g, int b, int s) { nothingAtAll<<<g, b, s>>>(pairs); }, (const void *)nothingAtAll);
  SPECIAL(2, "tid.x") SPECIAL(3, "ctaid.x") SPECIAL(4, "tid.x ctaid.x") SPECIAL(0, "eight of the thread") SPECIAL(1, "three of the block")
  PARAMS(1, "1 pointer") PARAMS(2, "2 pointers") PARAMS(4, "4 pointers") PARAMS(8, "8 pointers")
  return 0;
}
int main() { timelines(); return prologues(); }
