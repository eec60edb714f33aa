// What persists of how late a load from DRAM is: pairs of loads of one piece of 2 KiB, the second `delay` cycles behind the first.
// rows: each thread walks along a row of its own, U loads at a time, beside them a vector's words (X: 0 none, 1 one vector for all
// warps, 2 one for each warp). walk: one warp reads lines one after the other.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
char *big; u32 *res; float *sink; long long *clk;
const u64 BYTES = 24ull << 30;
__device__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; return x ^ (x >> 16); }
// Warp 0 loads a line of a piece at random, warp 1 another line `words` further on, `delay` cycles later.
__global__ void fate(const u32 *p, u32 pieces, u32 words, u32 delay, u32 rounds, u32 seed, u32 *res, u32 *o) {
  __shared__ volatile u32 start; u32 w = threadIdx.x >> 5, lane = threadIdx.x & 31, s = 0;
  for (u32 r = 0; r < rounds; r++) {
    u64 piece = mix(seed + blockIdx.x * rounds + r) % pieces; const u32 *q = p + piece * 512 + (w ? words : 0) + lane;
    if (threadIdx.x == 0) start = clock() + 200;
    __syncthreads();
    u32 at = start + (w ? delay : 0); while ((int)(clock() - at) < 0);
    u32 t0 = clock(); u32 v; asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(v) : "l"(q) : "memory"); s += v; u32 t1; asm volatile("{.reg .u32 x; add.u32 x,%1,%1; mov.u32 %0,%%clock; }" : "=r"(t1) : "r"(v) : "memory");
    asm volatile("" :: "r"(s) : "memory"); if (s == 77) *o = s; t1 = clock();
    if (lane == 0) res[((u64)blockIdx.x * rounds + r) * 2 + w] = t1 - t0;
    __syncthreads();
  }
}
__global__ void walk(const u32 *p, u32 steps, u32 stepWords, u32 *res, u32 *o) {
  u32 lane = threadIdx.x & 31, s = 0; const u32 *q = p + (u64)blockIdx.x * (64u << 20) / 4 + lane;
  for (u32 r = 0; r < steps; r++) {
    u32 t0 = clock(); u32 v; asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(v) : "l"(q + (u64)r * stepWords + (s & 1 ? 0 : 0)) : "memory"); s += v; if (s == 77) *o = s;
    u32 t1 = clock(); if (lane == 0) res[(u64)blockIdx.x * steps + r] = t1 - t0;
  }
}
double corr(const std::vector<double> &a, const std::vector<double> &b) {
  double ma = 0, mb = 0, sa = 0, sb = 0, c = 0; u32 n = a.size(); for (u32 i = 0; i < n; i++) ma += a[i], mb += b[i]; ma /= n; mb /= n;
  for (u32 i = 0; i < n; i++) sa += (a[i] - ma) * (a[i] - ma), sb += (b[i] - mb) * (b[i] - mb), c += (a[i] - ma) * (b[i] - mb); return c / sqrt(sa * sb + 1e-9);
}
double meanOf(const std::vector<double> &a) { double m = 0; for (double v : a) m += v; return m / a.size(); }
double sdOf(const std::vector<double> &a) { double m = meanOf(a), s = 0; for (double v : a) s += (v - m) * (v - m); return sqrt(s / a.size()); }
void fateRun(u32 words, u32 delay, u32 blocks) {
  const u32 rounds = 3000; static u32 seed = 1; seed += 1000003; u32 pieces = BYTES / 2048;
  fate<<<blocks, 64>>>((u32 *)big, pieces, words, delay, rounds, seed, res, (u32 *)sink); CK(cudaDeviceSynchronize());
  std::vector<u32> h(2 * rounds * blocks); CK(cudaMemcpy(h.data(), res, h.size() * 4, cudaMemcpyDeviceToHost));
  std::vector<double> a, b; for (u32 i = 0; i < rounds * blocks; i++) { double x = h[2 * i], y = h[2 * i + 1]; if (x < 5000 && y < 5000) a.push_back(x), b.push_back(y); }
  printf("{\"micro\":\"fate\",\"apartBytes\":%u,\"delayCycles\":%u,\"blocks\":%u,\"pairs\":%zu,\"firstMean\":%.1f,\"firstSd\":%.1f,\"secondMean\":%.1f,\"secondSd\":%.1f,\"correlation\":%.3f}\n", words * 4, delay, blocks, a.size(), meanOf(a), sdOf(a), meanOf(b), sdOf(b), corr(a, b)); fflush(stdout);
}
void walkRun(u32 stepWords, u32 blocks) {
  const u32 steps = 4096; CK(cudaMemset(big + (20ull << 30), 1, 1 << 30)); walk<<<blocks, 32>>>((u32 *)big, steps, stepWords, res, (u32 *)sink); CK(cudaDeviceSynchronize());
  std::vector<u32> h(steps * blocks); CK(cudaMemcpy(h.data(), res, h.size() * 4, cudaMemcpyDeviceToHost));
  printf("{\"micro\":\"walk\",\"stepBytes\":%u,\"blocks\":%u", stepWords * 4, blocks);
  std::vector<double> all(h.begin(), h.end()); for (double &v : all) v = std::min(v, 5000.0); printf(",\"mean\":%.1f,\"sd\":%.1f,\"correlations\":{", meanOf(all), sdOf(all));
  for (u32 lag : {1u, 2u, 3u, 4u, 8u, 12u, 16u, 32u}) { std::vector<double> a, b; for (u32 k = 0; k < blocks; k++) for (u32 i = 0; i + lag < steps; i++) a.push_back(all[k * steps + i]), b.push_back(all[k * steps + i + lag]); printf("%s\"%u\":%.3f", lag == 1 ? "" : ",", lag, corr(a, b)); }
  // Means of pieces of 2 KiB: their scatter beyond what independent accesses would have.
  u32 per = 512 / stepWords; std::vector<double> means; if (per > 1) for (u32 i = 0; i + per <= all.size(); i += per) { double m = 0; for (u32 k = 0; k < per; k++) m += all[i + k]; means.push_back(m / per); }
  printf("},\"pieceMeanSd\":%.1f,\"ifIndependent\":%.1f}\n", means.empty() ? 0 : sdOf(means), sdOf(all) / sqrt((double)std::max(1u, per))); fflush(stdout);
}
#define BEGIN __syncthreads(); long long t0 = clock64();
#define END __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) { clk[2 * blockIdx.x] = t0; clk[2 * blockIdx.x + 1] = t1; }
template <int U, int X> __global__ void rows(const float *p, u32 pitch, u32 rounds, const float *x, long long *clk, float *o) {
  const float *q = p + (u64)(blockIdx.x * blockDim.x + threadIdx.x) * pitch; float s = 0; if (X == 2) x += (threadIdx.x >> 5) * 8192;
  BEGIN
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) {
    float v[U], w[U];
#pragma unroll
    for (int k = 0; k < U; k++) { asm volatile("ld.global.f32 %0,[%1];" : "=f"(v[k]) : "l"(q + k) : "memory"); if (X) asm volatile("ld.global.f32 %0,[%1];" : "=f"(w[k]) : "l"(x + k) : "memory"); }
#pragma unroll
    for (int k = 0; k < U; k++) s += X ? v[k] * w[k] : v[k];
    q += U; x += X ? U : 0;
  }
  END
  if (s == 1e31f) *o = s;
}
template <int U, int X> void rowsRun(int sms, int warps, u32 pitch, bool l2) {
  u32 rounds = 1024 / U; double best = 1e18; std::vector<long long> h(2 * sms);
  for (int r = 0; r < 3; r++) {
    if (!l2) CK(cudaMemset(big + (20ull << 30), 1, 1 << 30));
    rows<U, X><<<sms, warps * 32>>>((float *)big, pitch, rounds, (float *)(big + (19ull << 30)), clk, sink); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), clk, sms * 16, cudaMemcpyDeviceToHost)); double s = 0; for (int b = 0; b < sms; b++) s += h[2 * b + 1] - h[2 * b]; best = std::min(best, s / sms); }
  printf("{\"micro\":\"rows\",\"from\":\"%s\",\"SMs\":%d,\"warpsPerSM\":%d,\"loads\":%d,\"vector\":%d,\"pitchWords\":%u,\"cyclesPerRequest\":%.2f}\n", l2 ? "L2" : "DRAM", sms, warps, U, X, pitch, best / 1024); fflush(stdout);
}
template <int U> void rowsAll() { for (int sms : {1, 32}) for (int warps : {1, 4, 8}) for (u32 pitch : {1024u, 1025u}) for (int l2 = 0; l2 < 2; l2++) { rowsRun<U, 0>(sms, warps, pitch, l2); rowsRun<U, 1>(sms, warps, pitch, l2); rowsRun<U, 2>(sms, warps, pitch, l2); } }
int main() {
  CK(cudaMalloc(&big, BYTES)); CK(cudaMalloc(&res, 64 << 20)); CK(cudaMalloc(&sink, 4096)); CK(cudaMalloc(&clk, 1 << 20)); CK(cudaMemset(big, 1, BYTES));
  for (u32 blocks : {1u, 16u}) for (u32 words : {16u, 32u, 128u, 256u, 1u << 20}) for (u32 delay : {0u, 200u, 400u, 700u, 1000u, 1500u, 3000u}) fateRun(words, delay, blocks);
  for (u32 blocks : {1u, 132u}) for (u32 step : {16u, 32u, 64u, 512u}) walkRun(step, blocks);
  rowsAll<4>(); rowsAll<8>();
}
