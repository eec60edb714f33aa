// More microbenchmarks, on top of h200/micro/set-3.cu: DRAM's latency while a dirty L2 is written back or others write,
// predicated shared loads, the first instructions of a block, barriers of several blocks. One JSON line each.
#define main main3
#include "set-3.cu"
#undef main
template <int K> void latencyState(int warps, int block, int iters, const char *state, std::function<void()> before) {
  int perSM = std::max(1, warps * 32 / block), grid = 132 * perSM; uint words = 1u << 30 >> 2; uint h[2048], sum[2048] = {0}; double t = 0;
  for (int r = 0; r < 4; r++) { CK(cudaMemset(hist, 0, 8192)); before(); cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); cudaEventRecord(a); latency<K, 1><<<grid, block>>>((uint *)big, words, iters, hist, hist + 1024); cudaEventRecord(b); CK(cudaDeviceSynchronize()); float m; cudaEventElapsedTime(&m, a, b); CK(cudaMemcpy(h, hist, 8192, cudaMemcpyDeviceToHost)); if (r) { t += m / 3; for (int i = 0; i < 2048; i++) sum[i] += h[i]; } }
  Stat a = stat(sum), m = stat(sum + 1024);
  printf("{\"micro\":\"load_latency_by_L2\",\"L2\":\"%s\",\"loads\":%d,\"warpsPerSM\":%d,\"block\":%d,\"MiB\":%.1f,\"us\":%.2f,\"mean\":%.0f,\"p10\":%.0f,\"p50\":%.0f,\"p90\":%.0f,\"p99\":%.0f,\"blockMaxMean\":%.0f}\n", state, K, warps, block, (double)grid * block * 4 * K * iters / 1048576, t * 1000, a.mean, a.p10, a.p50, a.p90, a.p99, m.mean); fflush(stdout);
}
// K loads and, if WR, as many stores an iteration
template <int K> __global__ void copyTiles(const uint *p, uint *w, uint tiles) {
  for (uint t = blockIdx.x; t < tiles; t += gridDim.x) { const uint *q = p + (size_t)t * blockDim.x * K + threadIdx.x; uint *d = w + (size_t)t * blockDim.x * K + threadIdx.x; uint v[K];
#pragma unroll
    for (int k = 0; k < K; k++) asm volatile("ld.global.u32 %0,[%1];" : "=r"(v[k]) : "l"(q + k * blockDim.x));
#pragma unroll
    for (int k = 0; k < K; k++) d[k * blockDim.x] = v[k]; }
}
__global__ void predLds(uint *res, uint n, uint c) {
  __shared__ uint s[1024]; s[threadIdx.x] = 0; uint a = (uint)__cvta_generic_to_shared(s), x = n, y = 0; __syncthreads(); long long t0 = clock64();
  for (int i = 0; i < 16; i++) { REP16(asm volatile("{.reg .pred p; setp.lt.u32 p,%0,%2; @p ld.volatile.shared.u32 %0,[%1];}" : "+r"(x) : "r"(a), "r"(c));) }
  long long t1 = clock64(); for (int i = 0; i < 16; i++) { REP16(asm volatile("{.reg .pred p; setp.gt.u32 p,%0,%2; @p ld.volatile.shared.u32 %0,[%1];}" : "+r"(x) : "r"(a), "r"(c));) }
  long long t2 = clock64(); for (int i = 0; i < 16; i++) { REP16(asm volatile("{.reg .pred p; xor.b32 %0,%0,%1; setp.lt.u32 p,%0,%2; @p st.volatile.shared.u32 [%1],%0;}" : "+r"(x) : "r"(a), "r"(c));) }
  long long t3 = clock64(); for (int i = 0; i < 16; i++) { REP16(asm volatile("{.reg .u32 u; xor.b32 u,%0,%1; ld.volatile.shared.u32 %0,[u];}" : "+r"(x) : "r"(a), "r"(c));) }
  long long t4 = clock64(); for (int i = 0; i < 16; i++) { REP16(asm volatile("st.volatile.shared.u32 [%1],%0; ld.volatile.shared.u32 %0,[%1];" : "+r"(x) : "r"(a), "r"(c));) }
  long long t5 = clock64();
  if (threadIdx.x == 0) { res[0] = t1 - t0; res[1] = t2 - t1; res[2] = t3 - t2; res[3] = t4 - t3; res[4] = t5 - t4; } if (x + y == 123457) res[5] = x;
}
// cycles from a block's first instruction to having an address made of thread, block, size and two parameters
__global__ void prologue(const uint *p, uint n, uint *sum, uint *count) {
  uint t0; asm volatile("mov.u32 %0,%%clock;" : "=r"(t0) :: "memory"); uint i = blockIdx.x * blockDim.x + threadIdx.x; const uint *q = p + i; u64 a = (u64)q;
  uint t1 = 0; asm volatile("{.reg .pred p; setp.ne.u64 p,%1,0; @p mov.u32 %0,%%clock;}" : "+r"(t1) : "l"(a) : "memory");
  if (threadIdx.x % 32 == 0) { atomicAdd(sum, t1 - t0); atomicAdd(count, 1); }
}
__global__ void barriers(uint *res, int work) { uint x = threadIdx.x; __syncthreads(); long long t0 = clock64(); for (int i = 0; i < 64; i++) { __syncthreads(); if (work) { REP16(asm volatile("xor.b32 %0,%0,%1;" : "+r"(x) : "r"(i));) REP16(asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(x) : "r"(i));) } } long long t1 = clock64(); if (threadIdx.x % 32 == 0) res[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = t1 - t0; if (x == 123457) res[0] = 1; }
int main() {
  CK(cudaMalloc(&big, BIG)); CK(cudaMalloc(&out, 1 << 20)); CK(cudaMalloc(&hist, 8192)); CK(cudaMalloc(&clk, 1 << 20)); CK(cudaMemset(big, 0, BIG));
  std::function<void()> dirty = [] { CK(cudaMemsetAsync(big + (3ull << 30), 1, 512 << 20)); }, clean = [] { readAll<<<1056, 512>>>((uint4 *)(big + (3ull << 30)), (512u << 20) / 16, out); };
  for (int k = 0; k < 2; k++) { auto b = k ? dirty : clean; const char *n = k ? "dirty" : "clean"; latencyState<1>(64, 1024, 60, n, b); latencyState<1>(64, 256, 60, n, b); latencyState<1>(32, 256, 60, n, b); latencyState<1>(8, 256, 60, n, b); latencyState<1>(1, 32, 60, n, b); latencyState<1>(8, 256, 460, n, b); latencyState<4>(32, 256, 30, n, b); latencyState<4>(64, 256, 15, n, b); }
  for (int w : {1, 4, 16, 32, 64}) { int block = w >= 8 ? 256 : w * 32, grid = 132 * std::max(1, w / 8); size_t bytes = std::min<size_t>((size_t)w * (24ull << 20), 1024ull << 20); for (int k = 0; k < 2; k++) { uint tiles = bytes / (4ull * block * (k ? 4 : 1)); double t = ms([=] { if (k) copyTiles<4><<<grid, block>>>((uint *)big, (uint *)(big + (2ull << 30)), tiles); else copyTiles<1><<<grid, block>>>((uint *)big, (uint *)(big + (2ull << 30)), tiles); }, 3, nullptr); printf("{\"micro\":\"copy_inflight\",\"loads\":%d,\"warpsPerSM\":%d,\"GBps_read\":%.1f,\"cyclesPerRound\":%.0f}\n", k ? 4 : 1, w, bytes / t / 1e6, t * 1.98e6 / ((double)tiles / grid)); } fflush(stdout); }
  for (int th : {32, 1024}) { predLds<<<1, th>>>(out, 0, 5); predLds<<<1, th>>>(out, 0, 5); uint h[5]; CK(cudaMemcpy(h, out, 20, cudaMemcpyDeviceToHost)); printf("{\"micro\":\"predicated_shared\",\"threads\":%d,\"compareThenLoad\":%.2f,\"compareThenLoadOff\":%.2f,\"xorCompareStore\":%.2f,\"xorThenLoad\":%.2f,\"storeThenLoad\":%.2f}\n", th, h[0] / 256., h[1] / 256., h[2] / 256., h[3] / 256., h[4] / 256.); }
  for (int th : {32, 256, 1024}) for (int g : {132, 13200, 132000}) { CK(cudaMemset(out, 0, 8)); prologue<<<g, th>>>((uint *)big, 5, out, out + 1); CK(cudaMemset(out, 0, 8)); prologue<<<g, th>>>((uint *)big, 5, out, out + 1); uint h[2]; CK(cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost)); printf("{\"micro\":\"prologue\",\"threads\":%d,\"blocks\":%d,\"cycles\":%.1f}\n", th, g, (double)h[0] / h[1]); }
  for (int work : {0, 1}) for (int th : {32, 64, 128, 256, 512, 1024}) for (int per : {1, 2, 4, 8, 16}) { if (th * per > 2048) continue; uint h[4096]; double best = 1e18; for (int r = 0; r < 3; r++) { barriers<<<132 * per, th>>>(out, work); CK(cudaMemcpy(h, out, 4096, cudaMemcpyDeviceToHost)); double s = 0; for (int i = 0; i < th / 32; i++) s += h[i]; best = std::min(best, s / (th / 32)); } printf("{\"micro\":\"barriers\",\"work\":%d,\"threads\":%d,\"blocksPerSM\":%d,\"cycles\":%.2f}\n", work, th, per, best / 64); }
  return 0;
}
