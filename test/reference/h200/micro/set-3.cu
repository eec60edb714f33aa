// Microbenchmarks of what decides how launches fill an SM: DRAM's latency by load, blocks' turnaround, branches,
// scattered accesses, dirty L2. One JSON line each. Built by: nvcc -O3 -arch=sm_90 h200/micro/set-3.cu
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <algorithm>
#include <functional>
typedef unsigned int uint; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
#define REP4(x) x x x x
#define REP16(x) REP4(REP4(x))
char *big; uint *out; uint *hist; long long *clk; const size_t BIG = 4ull << 30;
static double ms(std::function<void()> f, int reps, std::function<void()> before) {
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); std::vector<float> t;
  for (int r = 0; r < reps + 1; r++) { if (before) before(); CK(cudaEventRecord(a)); f(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float m; CK(cudaEventElapsedTime(&m, a, b)); if (r) t.push_back(m); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[t.size() / 2];
}
// A: latency of each load of 128 bytes a warp (K at a time), histogram in steps of 8 cycles; sync: the block's warps start together
template <int K, int SYNC> __global__ void latency(const uint *p, uint words, int iters, uint *hist, uint *maxHist) {
  __shared__ uint h[1024]; __shared__ uint worst;
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) h[i] = 0;
  __syncthreads();
  uint s = 0; uint g = (blockIdx.x * blockDim.x + threadIdx.x); uint step = gridDim.x * blockDim.x;
  for (int it = 0; it < iters; it++) {
    if (SYNC) { if (threadIdx.x == 0) worst = 0; __syncthreads(); }
    const uint *q = p + ((u64)it * step * K + g) % words; uint v[K];
    asm volatile("" :: "l"(q) : "memory"); uint t0; asm volatile("mov.u32 %0,%%clock;" : "=r"(t0) :: "memory");
#pragma unroll
    for (int k = 0; k < K; k++) asm volatile("ld.global.u32 %0,[%1];" : "=r"(v[k]) : "l"(q + (u64)k * step));
    uint x = 0;
#pragma unroll
    for (int k = 0; k < K; k++) x ^= v[k];
    uint t1 = 0; asm volatile("{.reg .pred p; setp.ne.u32 p,%1,0xfffffffe; @p mov.u32 %0,%%clock;}" : "+r"(t1) : "r"(x) : "memory");
    s ^= x; uint d = t1 - t0; 
    if (threadIdx.x % 32 == 0) { atomicAdd(&h[min(d / 8, 1023u)], 1u); if (SYNC) atomicMax(&worst, d); }
    if (SYNC) { __syncthreads(); if (threadIdx.x == 0) atomicAdd(&maxHist[min(worst / 8, 1023u)], 1u); }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) if (h[i]) atomicAdd(&hist[i], h[i]);
  if (s == 1234567) hist[0]++;
}
struct Stat { double mean, p10, p50, p90, p99; };
static Stat stat(const uint *h) { double n = 0, sum = 0; for (int i = 0; i < 1024; i++) { n += h[i]; sum += h[i] * (i * 8 + 4.0); } Stat s{n ? sum / n : 0, 0, 0, 0, 0}; double c = 0; double *q[4] = {&s.p10, &s.p50, &s.p90, &s.p99}; double lim[4] = {.1, .5, .9, .99}; int k = 0; for (int i = 0; i < 1024; i++) { c += h[i]; while (k < 4 && c >= lim[k] * n && n) *q[k++] = i * 8 + 4; } return s; }
template <int K, int SYNC> void latencyRun(int warps, int block, size_t bytes, const char *mem) {
  int perSM = std::max(1, warps * 32 / block); int grid = 132 * perSM; uint words = bytes / 4; int iters = std::min<size_t>(400, std::max<size_t>(20, words / ((size_t)grid * block * K)));
  if (bytes < (100u << 20)) iters = 60;
  uint h[2048];
  for (int r = 0; r < 2; r++) { CK(cudaMemset(hist, 0, 8192)); if (bytes > (100u << 20)) CK(cudaMemset(big + (3ull << 30), r, 512 << 20)); latency<K, SYNC><<<grid, block>>>((uint *)big, words, iters, hist, hist + 1024); CK(cudaDeviceSynchronize()); }
  CK(cudaMemcpy(h, hist, 8192, cudaMemcpyDeviceToHost));
  double t = ms([=] { latency<K, SYNC><<<grid, block>>>((uint *)big, words, iters, hist, hist + 1024); }, 3, nullptr);
  Stat a = stat(h), m = stat(h + 1024);
  printf("{\"micro\":\"load_latency\",\"memory\":\"%s\",\"loads\":%d,\"warpsPerSM\":%d,\"block\":%d,\"synchronised\":%d,\"GBps\":%.0f,\"mean\":%.0f,\"p10\":%.0f,\"p50\":%.0f,\"p90\":%.0f,\"p99\":%.0f,\"blockMaxMean\":%.0f,\"blockMaxP50\":%.0f}\n", mem, K, warps, block, SYNC, (double)grid * block * 4 * K * iters / t / 1e6, a.mean, a.p10, a.p50, a.p90, a.p99, m.mean, m.p50);
  fflush(stdout);
}
// B: a block that spins; when it started and ended, on which SM
__global__ void spin(int cycles, long long *rec, int shared) {
  long long t0 = clock64(); uint sm; asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
  while (clock64() - t0 < cycles) ;
  int w = threadIdx.x / 32, last = blockDim.x / 32 - 1;
  if (threadIdx.x % 32 == 0 && w == 0) { rec[blockIdx.x * 4] = sm; rec[blockIdx.x * 4 + 1] = t0; rec[blockIdx.x * 4 + 2] = clock64(); }
  if (threadIdx.x % 32 == 0 && w == last) rec[blockIdx.x * 4 + 3] = t0;
}
void turnaround(int block, int resident, int cycles, size_t smem) {
  int blocks = 132 * resident * 12; long long *rec; CK(cudaMalloc(&rec, blocks * 32ull)); std::vector<long long> h(blocks * 4);
  CK(cudaFuncSetAttribute(spin, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448 - 1024)); CK(cudaFuncSetAttribute(spin, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  for (int r = 0; r < 2; r++) { spin<<<blocks, block, smem>>>(cycles, rec, 0); CK(cudaDeviceSynchronize()); }
  CK(cudaMemcpy(h.data(), rec, blocks * 32ull, cudaMemcpyDeviceToHost)); CK(cudaFree(rec));
  double gap = 0, spread = 0, first = 0, firstLast = 0; long n = 0, nb = 0; int sms = 0;
  for (int sm = 0; sm < 132; sm++) {
    std::vector<long long> s, e; for (int b = 0; b < blocks; b++) if (h[b * 4] == sm) { s.push_back(h[b * 4 + 1]); e.push_back(h[b * 4 + 2]); spread += h[b * 4 + 3] - h[b * 4 + 1]; nb++; }
    if (s.size() < (size_t)resident * 4) continue; std::sort(s.begin(), s.end()); std::sort(e.begin(), e.end());
    for (size_t i = resident; i + resident < s.size(); i++) { gap += s[i + resident] - e[i]; n++; } first += s[resident - 1] - s[0]; sms++; (void)firstLast;
  }
  printf("{\"micro\":\"turnaround\",\"threads\":%d,\"residentBlocks\":%d,\"spinCycles\":%d,\"endToNextStart\":%.1f,\"firstToLastWarpStart\":%.1f,\"firstRoundSpread\":%.0f}\n", block, resident, cycles, gap / n, spread / nb, first / sms); fflush(stdout);
}
// C: branches
#define BODY "st.volatile.shared.u32 [%1],%0; st.volatile.shared.u32 [%1+4],%0; st.volatile.shared.u32 [%1+8],%0; st.volatile.shared.u32 [%1+12],%0; st.volatile.shared.u32 [%1+16],%0; st.volatile.shared.u32 [%1+20],%0; st.volatile.shared.u32 [%1+24],%0; st.volatile.shared.u32 [%1+28],%0; st.volatile.shared.u32 [%1+32],%0; st.volatile.shared.u32 [%1+36],%0; st.volatile.shared.u32 [%1+40],%0; st.volatile.shared.u32 [%1+44],%0;"
template <int KIND> __global__ void branches(uint *res, uint n, uint c, uint d) {
  __shared__ uint sh[64]; uint a = (uint)__cvta_generic_to_shared(sh); uint x = threadIdx.x + n;
  __syncthreads(); long long t0 = clock64();
  for (int i = 0; i < 16; i++) {
    if (KIND == 0) { REP16(asm volatile("{.reg .pred p; setp.ne.u32 p,%2,0; @p bra L%=; " BODY " L%=: }" :: "r"(x), "r"(a), "r"(c));) }        // taken, uniform, invariant predicate
    if (KIND == 1) { REP16(asm volatile("{.reg .pred p; xor.b32 %0,%0,%3; setp.ne.u32 p,%0,%2; @p bra L%=; " BODY " L%=: }" : "+r"(x) : "r"(a), "r"(d), "r"(c));) } // taken, fresh predicate
    if (KIND == 2) { REP16(asm volatile("{.reg .pred p; xor.b32 %0,%0,%3; setp.eq.u32 p,%0,%2; @p bra L%=; st.volatile.shared.u32 [%1],%0; bra M%=; L%=: " BODY " M%=: }" : "+r"(x) : "r"(a), "r"(d), "r"(c));) } // not taken, then a jump
    if (KIND == 3) { REP16(asm volatile("{.reg .pred p; setp.eq.u32 p,%0,%2; @p exit; xor.b32 %0,%0,%3;}" : "+r"(x) : "r"(a), "r"(d), "r"(c));) } // predicated exit, not taken
    if (KIND == 4) { REP16(asm volatile("xor.b32 %0,%0,%3; xor.b32 %0,%0,%2; xor.b32 %0,%0,%3;" : "+r"(x) : "r"(a), "r"(d), "r"(c));) }
  }
  long long t1 = clock64(); if (threadIdx.x == 0) res[0] = (uint)(t1 - t0); if (x == 123457) res[1] = x + sh[0];
}
// D, E: requests of 32 lanes `stride` words apart
template <int KIND> __global__ void scattered(uint *p, uint stride, uint words, int iters, long long *clk) {
  uint lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32; uint x = 0; uint span = 32 * stride;
  u64 base = (u64)warp * span * (KIND == 0 ? 1 : iters); 
  __syncthreads(); long long t0 = clock64();
  for (int i = 0; i < iters; i++) {
    uint *q = p + (base + (KIND == 0 ? 0 : (u64)i * span) + lane * stride + (KIND == 0 ? (i & 1) * (stride > 1) : 0)) % words;
    if (KIND == 0 || KIND == 1) { uint v; if (KIND == 0) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(v) : "l"(q) : "memory"); else asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(v) : "l"(q) : "memory"); x ^= v; }
    if (KIND == 2) asm volatile("st.global.u32 [%0],%1;" :: "l"(q), "r"(i) : "memory");
    if (KIND == 3) asm volatile("red.global.add.u32 [%0],%1;" :: "l"(q), "r"(i) : "memory");
  }
  if (KIND >= 2) __threadfence();
  if (x == 1234567) p[0] = x; __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) { clk[2 * blockIdx.x] = t0; clk[2 * blockIdx.x + 1] = t1; }
}
template <int KIND> void scatteredRun(const char *name, int grid, int block, uint stride, uint words, int iters) {
  double best = 1e18; std::vector<long long> h(2 * grid);
  for (int r = 0; r < 3; r++) { scattered<KIND><<<grid, block>>>((uint *)big, stride, words, iters, clk); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), clk, grid * 16, cudaMemcpyDeviceToHost)); double s = 0; for (int b = 0; b < grid; b++) s += h[2 * b + 1] - h[2 * b]; best = std::min(best, s / grid); }
  printf("{\"micro\":\"scattered\",\"kind\":\"%s\",\"SMs\":%d,\"warps\":%d,\"strideWords\":%u,\"spanMiB\":%.1f,\"cyclesPerRequestSM\":%.3f}\n", name, grid, block / 32, stride, words / 262144.0, best / (iters * (block / 32))); fflush(stdout);
}
// H: a chain of store, barrier, load
__global__ void stsBarLds(uint *res, int iters) {
  __shared__ uint s[2048]; uint x = threadIdx.x; __syncthreads(); long long t0 = clock64();
  for (int i = 0; i < iters; i++) { s[threadIdx.x] = x; __syncthreads(); x = s[threadIdx.x ^ 1] + 1; __syncthreads(); }
  long long t1 = clock64(); if (threadIdx.x == 0) res[blockIdx.x] = (uint)(t1 - t0); if (x == 123457) res[0] = x;
}
// K: what a read after a memset of L2's size costs; K2 bursts
__global__ void readAll(const uint4 *p, size_t n, uint *out) { uint s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint4 v = p[i]; s += v.x ^ v.y ^ v.z ^ v.w; } if (s == 1234567) out[3] = s; }
__global__ void writeAll(uint4 *p, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) p[i] = make_uint4(1, 2, 3, i); }
__global__ void copyAll(const uint4 *p, uint4 *q, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) q[i] = p[i]; }
__global__ void empty() {}
__global__ void emptyB() {}
int main(int argc, char **argv) {
  CK(cudaMalloc(&big, BIG)); CK(cudaMalloc(&out, 1 << 20)); CK(cudaMalloc(&hist, 8192)); CK(cudaMalloc(&clk, 1 << 20)); CK(cudaMemset(big, 0, BIG));
  if (argc > 1) { // for Nsight Compute: launches of which only the duration is wanted
    size_t n = (64u << 20) / 16;
    empty<<<1, 32>>>(); empty<<<132, 256>>>(); empty<<<1320, 256>>>(); empty<<<13200, 256>>>(); readAll<<<1056, 512>>>((uint4 *)big, n / 64, out); readAll<<<1056, 512>>>((uint4 *)big, n / 4, out); readAll<<<1056, 512>>>((uint4 *)big, n, out); readAll<<<1056, 512>>>((uint4 *)big, n * 8, out); writeAll<<<1056, 512>>>((uint4 *)big, n / 4); writeAll<<<1056, 512>>>((uint4 *)big, n); writeAll<<<1056, 512>>>((uint4 *)big, n * 4); copyAll<<<1056, 512>>>((uint4 *)big, (uint4 *)(big + (2ull << 30)), n / 4); copyAll<<<1056, 512>>>((uint4 *)big, (uint4 *)(big + (2ull << 30)), n); copyAll<<<1056, 512>>>((uint4 *)big, (uint4 *)(big + (2ull << 30)), n * 4);
    CK(cudaDeviceSynchronize()); return 0; }
  for (int w : {1, 8, 32, 64}) { latencyRun<1, 0>(w, w >= 8 ? 256 : 32, 2ull << 30, "dram"); latencyRun<1, 0>(w, w >= 8 ? 256 : 32, 16u << 20, "l2"); }
  for (int w : {8, 32, 64}) { latencyRun<4, 0>(w, 256, 2ull << 30, "dram"); latencyRun<4, 0>(w, 256, 24u << 20, "l2"); latencyRun<2, 0>(w, 256, 2ull << 30, "dram"); }
  for (int b : {32, 128, 256, 512, 1024}) for (int w : {32, 64}) { if (b == 32 && w == 64) continue; latencyRun<1, 1>(w, b, 2ull << 30, "dram"); latencyRun<1, 1>(w, b, 16u << 20, "l2"); }
  latencyRun<1, 1>(8, 256, 2ull << 30, "dram"); latencyRun<1, 1>(16, 512, 2ull << 30, "dram"); latencyRun<1, 1>(1, 32, 2ull << 30, "dram"); latencyRun<2, 1>(64, 256, 2ull << 30, "dram"); latencyRun<2, 1>(64, 1024, 2ull << 30, "dram"); latencyRun<4, 1>(64, 256, 2ull << 30, "dram");
  for (int b : {32, 64, 128, 256, 512, 1024}) { turnaround(b, 1, 6000, 200000); turnaround(b, std::min(32, 2048 / b), 8000, 0); if (b >= 256) turnaround(b, 2, 6000, 100000); }
  const char *bn[] = {"taken, predicate known", "xor, compare, taken", "xor, compare, not taken, store, jump", "compare, exit not taken, xor", "three xors"};
  for (int k = 0; k < 5; k++) for (int th : {32, 256, 1024}) { uint best = ~0u; for (int r = 0; r < 3; r++) { if (k == 0) branches<0><<<1, th>>>(out, 5, 3, 0xfffffff0u); if (k == 1) branches<1><<<1, th>>>(out, 5, 0x10000, 0xfffffff0u); if (k == 2) branches<2><<<1, th>>>(out, 5, 0x10000, 0xfffffff0u); if (k == 3) branches<3><<<1, th>>>(out, 5, 0x10000, 0xfffffff0u); if (k == 4) branches<4><<<1, th>>>(out, 5, 0x10000, 0xfffffff0u); uint h; CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)); best = std::min(best, h); }
    printf("{\"micro\":\"branch\",\"kind\":\"%s\",\"threads\":%d,\"cycles\":%.3f}\n", bn[k], th, best / 256.0); }
  fflush(stdout);
  for (uint s : {1u, 2u, 4u, 8u, 16u, 32u}) { scatteredRun<0>("load L1", 132, 512, s, 4096, 200); scatteredRun<0>("load L1", 132, 32, s, 4096, 200); }
  for (uint s : {1u, 2u, 4u, 8u, 32u, 1024u}) for (int g : {1, 132}) { scatteredRun<1>("load L2", g, 512, s, 1u << 22, 60); scatteredRun<2>("store", g, 512, s, 1u << 22, 60); scatteredRun<3>("red", g, 512, s, 1u << 22, 60); }
  for (uint s : {1u, 8u, 32u, 1024u}) { scatteredRun<2>("store", 132, 512, s, 1u << 28, 100); scatteredRun<1>("load DRAM", 132, 512, s, 1u << 28, 100); }
  for (int b : {32, 128, 256, 512, 1024}) for (int per : {1, 2, 8}) { if (b * per > 2048) continue; stsBarLds<<<132 * per, b>>>(out, 200); stsBarLds<<<132 * per, b>>>(out, 200); uint h; CK(cudaMemcpy(&h, out, 4, cudaMemcpyDeviceToHost)); printf("{\"micro\":\"store_barrier_load_barrier\",\"threads\":%d,\"blocksPerSM\":%d,\"cycles\":%.2f}\n", b, per, h / 200.0); }
  fflush(stdout);
  auto dirty = [] { CK(cudaMemsetAsync(big + (3ull << 30), 1, 512 << 20)); };
  auto clean = [] { readAll<<<1056, 512>>>((uint4 *)(big + (3ull << 30)), (512u << 20) / 16, out); };
  for (int mode = 0; mode < 3; mode++) { std::function<void()> before = mode == 0 ? std::function<void()>(dirty) : mode == 1 ? std::function<void()>(clean) : std::function<void()>();
    const char *mn = mode == 0 ? "dirty L2" : mode == 1 ? "clean L2" : "repeated";
    printf("{\"micro\":\"after\",\"state\":\"%s\",\"what\":\"empty\",\"us\":%.3f}\n", mn, 1000 * ms([] { empty<<<1, 32>>>(); }, 25, before));
    printf("{\"micro\":\"after\",\"state\":\"%s\",\"what\":\"empty 132 x 256\",\"us\":%.3f}\n", mn, 1000 * ms([] { emptyB<<<132, 256>>>(); }, 25, before));
    for (int mib : {1, 4, 16, 64, 256}) { size_t n = ((size_t)mib << 20) / 16; printf("{\"micro\":\"after\",\"state\":\"%s\",\"what\":\"read\",\"MiB\":%d,\"us\":%.3f}\n", mn, mib, 1000 * ms([=] { readAll<<<1056, 512>>>((uint4 *)big, n, out); }, 15, before)); }
    for (int mib : {16, 64, 256}) { size_t n = ((size_t)mib << 20) / 16; printf("{\"micro\":\"after\",\"state\":\"%s\",\"what\":\"write\",\"MiB\":%d,\"us\":%.3f}\n", mn, mib, 1000 * ms([=] { writeAll<<<1056, 512>>>((uint4 *)big, n); }, 15, before)); }
    for (int mib : {16, 64, 256}) { size_t n = ((size_t)mib << 20) / 16; printf("{\"micro\":\"after\",\"state\":\"%s\",\"what\":\"copy\",\"MiB\":%d,\"us\":%.3f}\n", mn, mib, 1000 * ms([=] { copyAll<<<1056, 512>>>((uint4 *)big, (uint4 *)(big + (2ull << 30)), n); }, 15, before)); } fflush(stdout); }
  return 0;
}
