// How the warps of a full SM share it, what an atomic that L2 cannot take yet holds up, and what Nsight Compute counts as
// an active warp. Built by: nvcc -O3 -arch=sm_90 h200/micro/progress.cu
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <algorithm>
#include <vector>
typedef unsigned int uint; typedef unsigned long long u64;
__device__ __forceinline__ uint clk() { uint t; asm volatile("mov.u32 %0,%%clock;" : "=r"(t) :: "memory"); return t; }
__device__ __forceinline__ uint smid() { uint t; asm volatile("mov.u32 %0,%%smid;" : "=r"(t)); return t; }
__device__ __forceinline__ u64 gtime() { u64 t; asm volatile("mov.u64 %0,%%globaltimer;" : "=l"(t)); return t; }
#define REP4(x) x x x x
#define REP8(x) REP4(x) REP4(x)
#define REP16(x) REP4(REP4(x))
// ---- A: what counts as active. Warp 0 of a block spins, the others leave at once, behind a store, behind an atomic ----
template <int MODE> __global__ void active(uint *out, uint spin) {
  if (threadIdx.x < 32 || MODE == 3) { uint t = clk(); while (clk() - t < spin); return; }
  if (MODE == 1) out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
  if (MODE == 2) atomicAdd(&out[blockIdx.x * blockDim.x + threadIdx.x], 1u);
}
// ---- B: progress of the warps of a full SM ----
enum { FFMA, LOP3, MUFU, LDS, STS, LDG_L1, LDG_L1X, LDG_L2, LDG_DRAM, STG, RED, MIX, SHFL, OPS };
const char *opNames[] = {"ffma", "lop3", "mufu", "lds", "sts", "ldg_l1", "ldg_l1_use", "ldg_l2", "ldg_dram", "stg", "red", "ldg_l1_ffma", "shfl"};
template <int OP> __global__ void progress(uint4 *rec, uint *p, uint n, uint words) {
  __shared__ uint s[2048]; uint t0 = clk();
  uint tid = threadIdx.x, lane = tid & 31, gw = (blockIdx.x * blockDim.x + tid) >> 5; uint x = tid, y = n, z = 3, w = 4; float a = tid, b = 2, c = 3, d = 4, f = n;
  uint sa = (uint)__cvta_generic_to_shared(s) + 4 * tid; const uint *l1 = p + (threadIdx.x & 255); uint *g = p + (u64)gw * 32 + lane; u64 at = (u64)gw * 32 * n * 4 + lane;
  if (OP == LDG_L1 || OP == LDG_L1X || OP == MIX) { x += *l1; }
  __syncthreads();
  uint t1 = clk();
#pragma unroll 1
  for (uint i = 0; i < n; i++) {
    if (OP == FFMA) { REP4(asm volatile("fma.rn.f32 %0,%0,%4,%4; fma.rn.f32 %1,%1,%4,%4; fma.rn.f32 %2,%2,%4,%4; fma.rn.f32 %3,%3,%4,%4;" : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "f"(f));) }
    if (OP == LOP3) { REP4(asm volatile("lop3.b32 %0,%0,%4,%5,0x96; lop3.b32 %1,%1,%4,%5,0x96; lop3.b32 %2,%2,%4,%5,0x96; lop3.b32 %3,%3,%4,%5,0x96;" : "+r"(x), "+r"(y), "+r"(z), "+r"(w) : "r"(n), "r"(blockDim.x));) }
    if (OP == MUFU) { asm volatile("ex2.approx.f32 %0,%0; ex2.approx.f32 %1,%1; ex2.approx.f32 %2,%2; ex2.approx.f32 %3,%3;" : "+f"(a), "+f"(b), "+f"(c), "+f"(d)); }
    if (OP == LDS) { asm volatile("ld.volatile.shared.u32 %0,[%4]; ld.volatile.shared.u32 %1,[%4]; ld.volatile.shared.u32 %2,[%4]; ld.volatile.shared.u32 %3,[%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(sa)); }
    if (OP == STS) { asm volatile("st.volatile.shared.u32 [%0],%1; st.volatile.shared.u32 [%0],%1; st.volatile.shared.u32 [%0],%1; st.volatile.shared.u32 [%0],%1;" :: "r"(sa), "r"(n)); }
    if (OP == LDG_L1) { uint q, r, u, v; asm volatile("ld.global.ca.u32 %0,[%4]; ld.global.ca.u32 %1,[%4]; ld.global.ca.u32 %2,[%4]; ld.global.ca.u32 %3,[%4];" : "=r"(q), "=r"(r), "=r"(u), "=r"(v) : "l"(l1)); x += q + r + u + v; }
    if (OP == LDG_L1X) { uint q; asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(q) : "l"(l1 + (x & 0x80000000u))); x += q; }
    if (OP == MIX) { float q, r, u, v; asm volatile("ld.global.ca.f32 %0,[%4]; ld.global.ca.f32 %1,[%4]; ld.global.ca.f32 %2,[%4]; ld.global.ca.f32 %3,[%4];" : "=f"(q), "=f"(r), "=f"(u), "=f"(v) : "l"(l1)); a = a * q + r; b = b * u + v; c = c * q + u; d = d * r + v; }
    if (OP == LDG_L2) { uint q, r, u, v; asm volatile("ld.global.cg.u32 %0,[%4]; ld.global.cg.u32 %1,[%4+128]; ld.global.cg.u32 %2,[%4+256]; ld.global.cg.u32 %3,[%4+384];" : "=r"(q), "=r"(r), "=r"(u), "=r"(v) : "l"(g)); x += q + r + u + v; }
    if (OP == LDG_DRAM) { const uint *h = p + ((at + i * 128) & (words - 1)); uint q, r, u, v; asm volatile("ld.global.cg.u32 %0,[%4]; ld.global.cg.u32 %1,[%4+128]; ld.global.cg.u32 %2,[%4+256]; ld.global.cg.u32 %3,[%4+384];" : "=r"(q), "=r"(r), "=r"(u), "=r"(v) : "l"(h)); x += q + r + u + v; }
    if (OP == STG) { asm volatile("st.volatile.global.u32 [%0],%1; st.volatile.global.u32 [%0],%1; st.volatile.global.u32 [%0],%1; st.volatile.global.u32 [%0],%1;" :: "l"(g), "r"(n)); }
    if (OP == RED) { asm volatile("red.global.add.u32 [%0],%1; red.global.add.u32 [%0],%1; red.global.add.u32 [%0],%1; red.global.add.u32 [%0],%1;" :: "l"(g), "r"(n)); }
    if (OP == SHFL) { asm volatile("shfl.sync.bfly.b32 %0,%0,1,31,0xffffffff; shfl.sync.bfly.b32 %1,%1,1,31,0xffffffff; shfl.sync.bfly.b32 %2,%2,1,31,0xffffffff; shfl.sync.bfly.b32 %3,%3,1,31,0xffffffff;" : "+r"(x), "+r"(y), "+r"(z), "+r"(w)); }
  }
  uint t2 = clk();
  if (lane == 0) rec[gw] = make_uint4(t0, t1, t2, smid());
  if (x + y + z + w == 12345 && a + b + c + d == 0.5f) p[tid] = x;
}
// ---- C: when each of 48 atomics in a row issues ----
// place 0: one lane, one word of all SMs; 1: 32 words of all SMs; 2: 32 lanes in 32 lines of 4 KiB of all SMs; 3: own line of the warp; 4: 32 lanes one word of all SMs;
// 5: 1024 counters, warp and step pick the line; 6: like 2, own 4 KiB of the SM
template <class T> __device__ T *placeOf(T *p, int place, int k) {
  uint lane = threadIdx.x & 31, gw = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (place == 0 || place == 4) return p;
  if (place == 1) return p + lane;
  if (place == 2) return p + lane * 32;
  if (place == 3) return p + 65536 + gw * 32 + lane;
  if (place == 5) return p + ((gw * 7 + k) & 31) * 32 + lane;
  return p + 65536 + blockIdx.x * 1024 + lane * 32;
}
template <class T> __global__ void depth(T *p, uint *out, int place) {
  uint t[49]; T v = 1; 
  __syncthreads(); t[0] = clk();
  if (place != 0 || (threadIdx.x & 31) == 0) {
#pragma unroll
    for (int k = 0; k < 48; k++) { T *q = placeOf(p, place, k); if (sizeof(T) == 4 && ((T)0.5f) != 0) asm volatile("red.global.add.f32 [%0],%1;" :: "l"(q), "f"((float)v) : "memory"); else asm volatile("red.global.add.u32 [%0],%1;" :: "l"(q), "r"((uint)v) : "memory"); t[k + 1] = clk(); }
  }
  uint gw = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if ((threadIdx.x & 31) == 0) for (int k = 0; k < 48; k++) out[gw * 48 + k] = t[k + 1] - t[0];
}
// ---- D: warp 0 issues r atomics, warp 1 (another scheduler) and, behind its atomics, warp 0 try loads ----
template <class T> __global__ void behind(T *p, uint *priv, uint *out, int place, int r, int what) {
  __shared__ uint s[64]; uint w = threadIdx.x >> 5, lane = threadIdx.x & 31; uint *mine = priv + (blockIdx.x * 2 + w) * 32 + lane; uint x; T v = 1; s[threadIdx.x] = 0;
  asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(x) : "l"(mine)); if (x == 12345) out[1] = x;
  uint sa = (uint)__cvta_generic_to_shared(s) + 4 * threadIdx.x;
  __syncthreads(); uint t0 = clk(), ta = t0;
  if (w == 0) {
    if (place != 0 || lane == 0)
#pragma unroll 1
      for (int k = 0; k < r; k++) { T *q = placeOf(p, place, k); if (((T)0.5f) != 0) asm volatile("red.global.add.f32 [%0],%1;" :: "l"(q), "f"((float)v) : "memory"); else asm volatile("red.global.add.u32 [%0],%1;" :: "l"(q), "r"((uint)v) : "memory"); }
    ta = clk();
  } else while (clk() - t0 < 3000);
  __syncwarp();
  uint t1 = clk();
  if (what == 0) asm volatile("ld.global.ca.u32 %0,[%1];" : "=r"(x) : "l"(mine) : "memory");
  if (what == 1) asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(x) : "l"(mine) : "memory");
  if (what == 2) asm volatile("ld.volatile.shared.u32 %0,[%1];" : "=r"(x) : "r"(sa) : "memory");
  if (what == 3) asm volatile("mov.u32 %0,%%nsmid; " : "=r"(x) :: "memory");
  if (what == 4) asm volatile("st.volatile.global.u32 [%0],%1;" :: "l"(mine), "r"(t1) : "memory");
  if (what == 4) x = 0;
  asm volatile("" :: "r"(x + 1) : "memory"); if (x == 0x12345678) out[0] = 0;
  uint t2 = clk();
  if (lane == 0) { uint *o = out + 16 + (blockIdx.x * 2 + w) * 3; o[0] = ta - t0; o[1] = t2 - t1; o[2] = t1 - t0; }
}
// ---- E: rates by number of SMs: warps of 8, 64 atomics each ----
template <class T> __global__ void rate(T *p, int place, int n) { T v = 1; uint gw = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (place == 0 && (threadIdx.x & 31)) return;
#pragma unroll 1
  for (int k = 0; k < n; k++) { T *q = place == 7 ? p + 65536 + (((gw * 64 + k) * 0x9e3779b1u + (threadIdx.x & 31) * 0x85ebca6bu) >> 12) : placeOf(p, place, k); if (((T)0.5f) != 0) asm volatile("red.global.add.f32 [%0],%1;" :: "l"(q), "f"((float)v) : "memory"); else asm volatile("red.global.add.u32 [%0],%1;" :: "l"(q), "r"((uint)v) : "memory"); } }
template <class T> __global__ void rateAtom(T *p, int place, int n, T *out) { T v = 1; T sum = 0; 
#pragma unroll 1
  for (int k = 0; k < n; k++) { T *q = placeOf(p, place, k); sum += atomicAdd(q, v); } if (sum == (T)12345) *out = sum; }
// one load, one atomic a thread (counters: a power of two)
template <class T> __global__ void loadAdd(const T *in, T *out, uint counters) { uint i = blockIdx.x * blockDim.x + threadIdx.x; atomicAdd(&out[i & (counters - 1)], in[i]); }
// ---- F: phases of a reduction in place whose last warp goes on alone ----
template <int B, int L, bool TAIL> __global__ void phases(int *g, int *o, uint *rec) {
  uint t0 = clk(); uint tid = threadIdx.x; int *idata = g + blockIdx.x * B * L; u64 idx = (u64)blockIdx.x * B * L + tid;
  int v[L]; 
#pragma unroll
  for (int k = 0; k < L; k++) v[k] = g[idx + k * B];
  int s = 0;
#pragma unroll
  for (int k = 0; k < L; k++) s += v[k];
  g[idx] = s; uint t1 = clk(); __syncthreads(); uint t2 = clk();
#pragma unroll
  for (int st = B / 2; st > 32; st >>= 1) { if (tid < st) idata[tid] += idata[tid + st]; __syncthreads(); }
  uint t3 = clk();
  if (TAIL && tid < 32) { volatile int *m = idata; m[tid] += m[tid + 32]; m[tid] += m[tid + 16]; m[tid] += m[tid + 8]; m[tid] += m[tid + 4]; m[tid] += m[tid + 2]; m[tid] += m[tid + 1]; }
  if (tid == 0) o[blockIdx.x] = idata[0];
  uint t4 = clk();
  if ((tid & 31) == 0) { uint *r = rec + (blockIdx.x * (B / 32) + tid / 32) * 6; r[0] = t0; r[1] = t1; r[2] = t2; r[3] = t3; r[4] = t4; r[5] = smid(); }
}
#define CK(x) do { cudaError_t e = (x); if (e) { printf("error %s line %d\n", cudaGetErrorString(e), __LINE__); exit(1); } } while (0)
uint *buf, *out, *priv; uint4 *rec; 
template <int OP> void runProgress(uint n) {
  for (int shape = 0; shape < 3; shape++) { int th = shape == 0 ? 1024 : shape == 1 ? 256 : 128, per = 2048 / th, blocks = 132 * per;
    for (int r = 0; r < 2; r++) progress<OP><<<blocks, th>>>(rec, buf, n, 1u << 26);
    CK(cudaDeviceSynchronize()); std::vector<uint4> h(blocks * th / 32); CK(cudaMemcpy(h.data(), rec, h.size() * 16, cudaMemcpyDeviceToHost));
    uint sm = h[5 * th / 32].w; uint base = 0; bool first = true; for (auto &q : h) if (q.w == sm && (first || (int)(q.y - base) < 0)) base = q.y, first = false;
    printf("{\"micro\":\"progress\",\"op\":\"%s\",\"threads\":%d,\"n\":%u,\"ends\":[", opNames[OP], th, n); bool c = false;
    for (size_t i = 0; i < h.size(); i++) if (h[i].w == sm) { printf("%s%u", c ? "," : "", h[i].z - base); c = true; } printf("],\"starts\":["); c = false;
    for (size_t i = 0; i < h.size(); i++) if (h[i].w == sm) { printf("%s%d", c ? "," : "", (int)(h[i].y - base)); c = true; } printf("]}\n"); }
}
template <class T> void runDepth(const char *type, int place, int sms, int warps) {
  for (int r = 0; r < 2; r++) depth<T><<<sms, warps * 32>>>((T *)buf, out, place);
  CK(cudaDeviceSynchronize()); std::vector<uint> h(sms * warps * 48); CK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
  int b = sms / 2; printf("{\"micro\":\"depth\",\"type\":\"%s\",\"place\":%d,\"sms\":%d,\"warps\":%d,\"issued\":[", type, place, sms, warps);
  // the SM's atomics in order of issue
  std::vector<uint> all(h.begin() + b * warps * 48, h.begin() + (b + 1) * warps * 48); std::sort(all.begin(), all.end());
  size_t step = std::max<size_t>(1, all.size() / 96); for (size_t i = 0; i < all.size(); i += step) printf("%s%u", i ? "," : "", all[i]); printf("],\"every\":%d}\n", (int)step);
}
template <class T> void runBehind(const char *type, int place, int sms) {
  const char *names[] = {"ld_l1", "ld_l2", "lds", "s2r", "stg"};
  for (int what = 0; what < 5; what++) for (int r : {0, 1, 2, 4, 8, 12, 16, 24, 32, 48, 64}) {
    for (int k = 0; k < 2; k++) behind<T><<<sms, 64>>>((T *)buf, priv, out, place, r, what);
    CK(cudaDeviceSynchronize()); std::vector<uint> h(16 + sms * 6); CK(cudaMemcpy(h.data(), out, h.size() * 4, cudaMemcpyDeviceToHost));
    double m[6] = {}; for (int b = 0; b < sms; b++) for (int k = 0; k < 6; k++) m[k] += h[16 + b * 6 + k] / (double)sms;
    printf("{\"micro\":\"behind\",\"type\":\"%s\",\"place\":%d,\"sms\":%d,\"what\":\"%s\",\"atomics\":%d,\"issueCycles\":%.0f,\"sameWarp\":%.0f,\"otherWarp\":%.0f,\"otherAt\":%.0f}\n", type, place, sms, names[what], r, m[0], m[1], m[4], m[5]); }
}
template <class F> double us(F f) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float t[7]; for (int r = 0; r < 7; r++) { cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&t[r], a, b); } CK(cudaGetLastError()); std::sort(t, t + 7); return t[3] * 1000; }
template <class T> void runRate(const char *type) {
  for (int place : {0, 1, 2, 3, 4, 5, 6, 7}) for (int sms : {1, 2, 4, 8, 16, 33, 66, 132}) {
    if (place == 4 && sizeof(T) == 4 && sms > 8 && ((T)0.5f) != 0) continue;
    int n = place == 4 ? 16 : 64, warps = 8; double a = us([&] { rate<T><<<sms, warps * 32>>>((T *)buf, place, n); }), b = us([&] { rate<T><<<sms, warps * 32>>>((T *)buf, place, 3 * n); });
    printf("{\"micro\":\"rate\",\"type\":\"%s\",\"place\":%d,\"sms\":%d,\"cyclesPerRequestSm\":%.2f,\"nsPerRequest\":%.4f}\n", type, place, sms, (b - a) * 1980 / (2.0 * n * warps), (b - a) * 1000 / (2.0 * n * warps * sms)); }
  for (int place : {1, 3, 5}) for (int sms : {1, 132}) { double a = us([&] { rateAtom<T><<<sms, 1024>>>((T *)buf, place, 32, (T *)out); }), b = us([&] { rateAtom<T><<<sms, 1024>>>((T *)buf, place, 96, (T *)out); });
    printf("{\"micro\":\"rateAtom\",\"type\":\"%s\",\"place\":%d,\"sms\":%d,\"cyclesPerRequestSm\":%.2f,\"nsPerRequest\":%.4f}\n", type, place, sms, (b - a) * 1980 / (64.0 * 32), (b - a) * 1000 / (64.0 * 32 * sms)); }
  for (uint c : {32u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 16384u, 65536u, 1u << 20}) { double t = us([&] { loadAdd<T><<<16384, 256>>>((const T *)buf + (1 << 26), (T *)buf, c); });
    printf("{\"micro\":\"loadAdd\",\"type\":\"%s\",\"counters\":%u,\"us\":%.2f,\"nsPerRequest\":%.4f}\n", type, c, t, t * 1000 / (16384.0 * 8)); }
}
template <int B, int L, bool TAIL> void runPhases(int blocks) {
  for (int r = 0; r < 2; r++) { cudaMemsetAsync(buf + (1u << 28), 0, 256 << 20); phases<B, L, TAIL><<<blocks, B>>>((int *)buf, (int *)out, priv); }
  CK(cudaDeviceSynchronize()); const int W = B / 32; std::vector<uint> h((size_t)blocks * W * 6); CK(cudaMemcpy(h.data(), priv, h.size() * 4, cudaMemcpyDeviceToHost));
  double load = 0, store = 0, tree = 0, tail = 0, other = 0; double busy = 0; std::vector<uint> lo(132, 0), hi(132, 0); std::vector<int> seen(132, 0); long n = 0;
  for (int b = 0; b < blocks; b++) { if (b < blocks / 4 || b > blocks * 3 / 4) continue; n++; for (int w = 0; w < W; w++) { uint *q = &h[((size_t)b * W + w) * 6]; load += (q[1] - q[0]) / (double)W; store += (q[2] - q[1]) / (double)W; tree += (q[3] - q[2]) / (double)W; if (w == 0) tail += q[4] - q[3]; else other += (q[4] - q[3]) / (double)(W - 1); } }
  double warpCycles = 0; uint span = 0; int sm = h[5]; uint a = h[0], e = h[4]; long nb = 0; // one SM: warps resident over its active time, as far as the clocks tell
  for (int b = 0; b < blocks; b++) if ((int)h[(size_t)b * W * 6 + 5] == sm) { nb++; for (int w = 0; w < W; w++) { uint *q = &h[((size_t)b * W + w) * 6]; if ((int)(q[0] - a) < 0) a = q[0]; if ((int)(q[4] - e) > 0) e = q[4]; warpCycles += q[4] - q[0]; } } span = e - a;
  printf("{\"micro\":\"phases\",\"threads\":%d,\"loads\":%d,\"tail\":%d,\"blocks\":%d,\"load\":%.0f,\"barrier\":%.0f,\"tree\":%.0f,\"tailCycles\":%.0f,\"otherEnd\":%.0f,\"smCycles\":%u,\"smBlocks\":%ld,\"warpsByClock\":%.2f}\n", B, L, (int)TAIL, blocks, load / n, store / n, tree / n, tail / n, other / n, span, nb, warpCycles / span);
}
int main(int argc, char **argv) {
  const u64 bytes = argc > 1 && !strcmp(argv[1], "ncu") ? 1ull << 29 : 3ull << 30; CK(cudaMalloc(&buf, bytes)); CK(cudaMemset(buf, 0, bytes)); CK(cudaMalloc(&out, 256 << 20)); CK(cudaMalloc(&priv, 256 << 20)); CK(cudaMemset(priv, 0, 256 << 20)); CK(cudaMalloc(&rec, 64 << 20));
  const char *m = argc > 1 ? argv[1] : "all"; bool all = !strcmp(m, "all");
  if (!strcmp(m, "ncu")) {
    for (int w : {4, 8, 32}) { int b = 132 * 64 / w; active<0><<<b, w * 32>>>(out, 20000); active<1><<<b, w * 32>>>(out, 20000); active<2><<<b, w * 32>>>(out, 20000); active<3><<<b, w * 32>>>(out, 20000); active<0><<<4 * b, w * 32>>>(out, 5000); active<1><<<4 * b, w * 32>>>(out, 5000); }
    loadAdd<int><<<16384, 256>>>((const int *)buf + (1 << 26), (int *)buf, 1024); loadAdd<float><<<16384, 256>>>((const float *)buf + (1 << 26), (float *)buf, 1024); loadAdd<float><<<16384, 256>>>((const float *)buf + (1 << 26), (float *)buf, 32);
    rate<uint><<<132, 256>>>(buf, 5, 64); rate<float><<<132, 256>>>((float *)buf, 5, 64); rate<uint><<<132, 256>>>(buf, 2, 64); rate<uint><<<132, 256>>>(buf, 3, 64); rate<uint><<<132, 256>>>(buf, 1, 64);
    progress<LDG_L1><<<264, 1024>>>(rec, buf, 200, 1u << 26); progress<MIX><<<264, 1024>>>(rec, buf, 200, 1u << 26); progress<LDS><<<264, 1024>>>(rec, buf, 200, 1u << 26); progress<RED><<<264, 1024>>>(rec, buf, 50, 1u << 26); progress<STG><<<264, 1024>>>(rec, buf, 50, 1u << 26);
    phases<128, 8, true><<<16384, 128>>>((int *)buf, (int *)out, priv); phases<128, 8, false><<<16384, 128>>>((int *)buf, (int *)out, priv); phases<256, 2, true><<<16384, 256>>>((int *)buf, (int *)out, priv); phases<512, 8, true><<<4096, 512>>>((int *)buf, (int *)out, priv);
    return cudaDeviceSynchronize(); }
  if (all) {
    runProgress<FFMA>(400); runProgress<LOP3>(200); runProgress<MUFU>(200); runProgress<LDS>(200); runProgress<STS>(200); runProgress<LDG_L1>(200); runProgress<LDG_L1X>(400); runProgress<MIX>(200); runProgress<LDG_L2>(50); runProgress<LDG_DRAM>(32); runProgress<STG>(50); runProgress<RED>(30); runProgress<SHFL>(200);
    for (int place : {0, 1, 2, 3, 5, 6}) for (int sms : {1, 132}) for (int w : {1, 4, 16}) { runDepth<uint>("int", place, sms, w); if (place < 2) runDepth<float>("float", place, sms, w); }
    for (int place : {0, 1, 2, 5}) runBehind<uint>("int", place, 132); runBehind<float>("float", 1, 132); runBehind<uint>("int", 6, 132);
    runRate<uint>("int"); runRate<float>("float");
    runPhases<128, 8, true>(16384); runPhases<128, 8, false>(16384); runPhases<128, 2, true>(16384); runPhases<256, 2, true>(16384); runPhases<256, 8, true>(8192); runPhases<512, 8, true>(4096); runPhases<1024, 1, true>(4096);
  }
  return cudaDeviceSynchronize();
}
