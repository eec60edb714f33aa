// Child grids (CUDA dynamic parallelism, CDP2): what a launch costs, what runs in order, where the limits are. One JSON line each.
// nvcc -std=c++17 -O3 -rdc=true -arch=sm_90 h200/micro/cdp.cu -o cdp -lcudadevrt
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#define CK(x) do { cudaError_t e = (x); if (e) { printf("{\"error\":\"%s\",\"line\":%d}\n", cudaGetErrorString(e), __LINE__); fflush(stdout); } } while (0)
__device__ unsigned ran, failed, lastError, deepest;
enum { NULLSTREAM = 0, FORGET = 1, TAIL = 2 };
__device__ __forceinline__ cudaStream_t pick(int kind) { return kind == FORGET ? cudaStreamFireAndForget : kind == TAIL ? cudaStreamTailLaunch : (cudaStream_t)0; }
__device__ __forceinline__ void note() { cudaError_t e = cudaGetLastError(); if (e) { atomicAdd(&failed, 1); atomicExch(&lastError, e); } }
__global__ void empty() {}
__global__ void counted() { if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&ran, 1); }
__global__ void spin(long long cycles) { long long t = clock64(); while (clock64() - t < cycles); if (threadIdx.x == 0 && blockIdx.x == 0) atomicAdd(&ran, 1); }
// threads [0, launchers) of each block launch `each` children
__global__ void parent(int launchers, int each, int kind, int threads, int check) {
  if (threadIdx.x < launchers) for (int i = 0; i < each; i++) { if (check) { counted<<<1, threads, 0, pick(kind)>>>(); note(); } else empty<<<1, threads, 0, pick(kind)>>>(); }
}
__global__ void parentSpin(int launchers, int each, int kind, long long cycles, int grid, int threads) { if (threadIdx.x < launchers) for (int i = 0; i < each; i++) spin<<<grid, threads, 0, pick(kind)>>>(cycles); }
__global__ void issue(int each, int kind, long long *out) { long long t = clock64(); for (int i = 0; i < each; i++) empty<<<1, 32, 0, pick(kind)>>>(); out[0] = clock64() - t; }
__global__ void chain(int left, int depth, int kind) { if (threadIdx.x == 0) { atomicMax(&deepest, depth); atomicAdd(&ran, 1); if (left > 0) { chain<<<1, blockDim.x, 0, pick(kind)>>>(left - 1, depth + 1, kind); note(); } } }
__global__ void slowChildren(int each, int kind, long long cycles) { if (threadIdx.x == 0) for (int i = 0; i < each; i++) { spin<<<1, 32, 0, pick(kind)>>>(cycles); note(); } }
__global__ void gridChain(int left, int depth) { if (threadIdx.x == 0 && blockIdx.x == 0) { atomicMax(&deepest, depth); atomicAdd(&ran, 1); if (left > 0) { gridChain<<<gridDim.x, blockDim.x>>>(left - 1, depth + 1); note(); } } }
__global__ void invalid(int what) { if (what == 0) counted<<<1, 2048>>>(); else if (what == 1) counted<<<0, 32>>>(); else counted<<<1, 32, 300000>>>(); note(); }
__global__ void order(int *log, int *at, int depth) { if (threadIdx.x == 0) { log[atomicAdd(at, 1)] = depth * 100; if (depth < 3) { order<<<1, 32>>>(log, at, depth + 1); order<<<1, 32>>>(log, at, depth + 1); } } }
__global__ void reduceNosync(int *in, int *out, unsigned size) {
  unsigned tid = threadIdx.x; int *data = in + blockIdx.x * blockDim.x; int *o = &out[blockIdx.x];
  if (size == 2 && tid == 0) { out[blockIdx.x] = data[0] + data[1]; return; }
  int stride = size >> 1; if (stride > 1 && tid < stride) { data[tid] += data[tid + stride]; if (tid == 0) { reduceNosync<<<1, stride>>>(data, o, stride); note(); } }
}
__global__ void reduce2(int *in, int *out, int stride, int dim) {
  int *data = in + blockIdx.x * dim;
  if (stride == 1 && threadIdx.x == 0) { out[blockIdx.x] = data[0] + data[1]; return; }
  data[threadIdx.x] += data[threadIdx.x + stride];
  if (threadIdx.x == 0 && blockIdx.x == 0) { reduce2<<<gridDim.x, stride / 2>>>(in, out, stride / 2, dim); note(); }
}
static float best(std::function<void()> f, int reps = 7, std::function<void()> before = [] {}) {
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float m[32];
  for (int r = 0; r < reps; r++) { before(); CK(cudaDeviceSynchronize()); cudaEventRecord(a); f(); cudaEventRecord(b); CK(cudaDeviceSynchronize()); CK(cudaGetLastError()); cudaEventElapsedTime(&m[r], a, b); }
  std::sort(m, m + reps); return m[reps / 2];
}
static void zero() { unsigned z = 0; cudaMemcpyToSymbol(ran, &z, 4); cudaMemcpyToSymbol(failed, &z, 4); cudaMemcpyToSymbol(lastError, &z, 4); cudaMemcpyToSymbol(deepest, &z, 4); }
static std::string counts() { unsigned r, f, e, d; cudaMemcpyFromSymbol(&r, ran, 4); cudaMemcpyFromSymbol(&f, failed, 4); cudaMemcpyFromSymbol(&e, lastError, 4); cudaMemcpyFromSymbol(&d, deepest, 4); char s[160]; snprintf(s, 160, "\"ran\":%u,\"failed\":%u,\"error\":\"%s\",\"deepest\":%u", r, f, cudaGetErrorName((cudaError_t)e), d); return s; }
int main() {
  const char *names[] = {"null", "forget", "tail"}; long long *cy; CK(cudaMalloc(&cy, 64));
  printf("{\"alone_ms\":%.5f}\n", best([] { empty<<<1, 32>>>(); }));
  printf("{\"parent_without_launch_ms\":%.5f}\n", best([] { parent<<<1, 32>>>(0, 0, 0, 32, 0); }));
  for (int kind = 0; kind < 3; kind++) for (int each : {1, 2, 4, 8, 16, 64, 256}) printf("{\"micro\":\"one_thread\",\"stream\":\"%s\",\"children\":%d,\"ms\":%.5f}\n", names[kind], each, best([&] { parent<<<1, 32>>>(1, each, kind, 32, 0); }));
  for (int kind = 0; kind < 2; kind++) for (int t : {1, 2, 8, 32}) printf("{\"micro\":\"threads_of_a_warp\",\"stream\":\"%s\",\"launchers\":%d,\"ms\":%.5f}\n", names[kind], t, best([&] { parent<<<1, 32>>>(t, 1, kind, 32, 0); }));
  for (int kind = 0; kind < 2; kind++) for (int b : {1, 2, 4, 8, 32, 132, 528, 1056, 2048}) printf("{\"micro\":\"one_child_a_block\",\"stream\":\"%s\",\"blocks\":%d,\"ms\":%.5f}\n", names[kind], b, best([&] { parent<<<b, 32>>>(1, 1, kind, 32, 0); }));
  for (int b : {8, 132, 528}) printf("{\"micro\":\"four_children_a_block\",\"stream\":\"null\",\"blocks\":%d,\"ms\":%.5f}\n", b, best([&] { parent<<<b, 32>>>(1, 4, 0, 32, 0); }));
  for (int kind = 0; kind < 2; kind++) for (int each : {1, 8}) { best([&] { issue<<<1, 1>>>(each, kind, cy); }); long long c; cudaMemcpy(&c, cy, 8, cudaMemcpyDeviceToHost); printf("{\"micro\":\"issue_cycles\",\"stream\":\"%s\",\"children\":%d,\"cycles\":%lld}\n", names[kind], each, c); }
  for (int kind = 0; kind < 3; kind++) for (long long us : {0, 5, 20, 100}) printf("{\"micro\":\"spinning_children\",\"stream\":\"%s\",\"children\":8,\"child_us\":%lld,\"ms\":%.5f}\n", names[kind], us, best([&] { parentSpin<<<1, 32>>>(1, 8, kind, us * 1980, 1, 32); }));
  for (int grid : {132, 1320}) printf("{\"micro\":\"spinning_full_grids\",\"stream\":\"forget\",\"children\":8,\"child_us\":20,\"grid\":%d,\"block\":1024,\"ms\":%.5f}\n", grid, best([&] { parentSpin<<<1, 32>>>(1, 8, 1, 20 * 1980, grid, 1024); }));
  for (int kind : {0, 2}) for (int d : {1, 2, 4, 8, 16, 22, 23, 24, 25, 30}) { zero(); float ms = best([&] { chain<<<1, 32>>>(d, 0, kind); }, 5, zero); printf("{\"micro\":\"chain\",\"stream\":\"%s\",\"depth\":%d,\"ms\":%.5f,%s}\n", names[kind], d, ms, counts().c_str()); }
  for (int kind = 0; kind < 2; kind++) for (int each : {2040, 2048, 2049, 2100, 4096}) { float ms = best([&] { parent<<<1, 32>>>(1, each, kind, 32, 1); }, 3, zero); printf("{\"micro\":\"pending\",\"stream\":\"%s\",\"launches\":%d,\"ms\":%.5f,%s}\n", names[kind], each, ms, counts().c_str()); }
  for (int b : {1024, 2048, 4096, 8192}) { float ms = best([&] { parent<<<b, 32>>>(1, 1, 0, 32, 1); }, 3, zero); printf("{\"micro\":\"pending_blocks\",\"stream\":\"null\",\"blocks\":%d,\"ms\":%.5f,%s}\n", b, ms, counts().c_str()); }
  for (int kind = 0; kind < 2; kind++) for (int t : {64, 128, 256, 512, 1000, 1024}) { float ms = best([&] { parent<<<1, 1024>>>(t, 1, kind, 32, 1); }, 3, zero); printf("{\"micro\":\"threads_of_a_block\",\"stream\":\"%s\",\"launchers\":%d,\"ms\":%.5f,%s}\n", names[kind], t, ms, counts().c_str()); }
  for (int kind = 0; kind < 2; kind++) for (int each : {2, 3, 8}) { float ms = best([&] { parent<<<1, 1024>>>(1024, each, kind, 32, 1); }, 3, zero); printf("{\"micro\":\"pending_threads\",\"stream\":\"%s\",\"launchers\":1024,\"each\":%d,\"ms\":%.5f,%s}\n", names[kind], each, ms, counts().c_str()); }
  for (int b : {2, 3, 4}) { float ms = best([&] { parent<<<b, 1024>>>(1024, 1, 0, 32, 1); }, 3, zero); printf("{\"micro\":\"pending_threads\",\"stream\":\"null\",\"blocks\":%d,\"launchers\":1024,\"each\":1,\"ms\":%.5f,%s}\n", b, ms, counts().c_str()); }
  for (int kind = 0; kind < 2; kind++) for (int each : {2048, 3000}) { float ms = best([&] { slowChildren<<<1, 32>>>(each, kind, 20 * 1980); }, 3, zero); printf("{\"micro\":\"pending_slow\",\"stream\":\"%s\",\"child_us\":20,\"launches\":%d,\"ms\":%.5f,%s}\n", names[kind], each, ms, counts().c_str()); }
  for (int kind : {0, 2}) for (int d : {64, 256, 1000, 2047, 2048, 2100, 4096}) { float ms = best([&] { chain<<<1, 32>>>(d, 0, kind); }, 3, zero); printf("{\"micro\":\"chain\",\"stream\":\"%s\",\"depth\":%d,\"ms\":%.5f,%s}\n", names[kind], d, ms, counts().c_str()); }
  for (int w = 0; w < 3; w++) { zero(); invalid<<<1, 1>>>(w); CK(cudaDeviceSynchronize()); printf("{\"micro\":\"invalid\",\"what\":\"%s\",%s}\n", w == 0 ? "2048 threads a block" : w == 1 ? "grid of 0" : "300000 bytes of shared memory", counts().c_str()); }
  { int *log, *at, h[64] = {0}; CK(cudaMalloc(&log, 256)); CK(cudaMalloc(&at, 4)); CK(cudaMemset(at, 0, 4)); order<<<1, 32>>>(log, at, 0); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h, log, 60, cudaMemcpyDeviceToHost)); printf("{\"micro\":\"order\",\"depths\":["); for (int i = 0; i < 15; i++) printf("%s%d", i ? "," : "", h[i] / 100); printf("]}\n"); }
  for (int limit : {2048, 32768}) { CK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit));
    for (int threads : {32, 256}) for (int b : {1, 8, 132, 512, 2048}) for (int d : {1, 2, 4, 8}) { if (b * d > limit) continue; float ms = best([&] { chain<<<b, threads>>>(d, 0, 0); }, 3, zero); printf("{\"micro\":\"chain_a_block\",\"stream\":\"null\",\"limit\":%d,\"threads\":%d,\"blocks\":%d,\"depth\":%d,\"ms\":%.5f,%s}\n", limit, threads, b, d, ms, counts().c_str()); } }
  CK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048));
  for (int g : {1, 132, 2048}) for (int d : {1, 2, 4, 8}) { float ms = best([&] { gridChain<<<g, 32>>>(d, 0); }, 3, zero); printf("{\"micro\":\"chain_of_grids\",\"stream\":\"null\",\"grid\":%d,\"depth\":%d,\"ms\":%.5f,%s}\n", g, d, ms, counts().c_str()); }
  int n = 1 << 20, *in, *out; CK(cudaMalloc(&in, n * 4)); CK(cudaMalloc(&out, 8192)); auto fill = [&] { zero(); int *h = new int[n]; std::fill(h, h + n, 1); cudaMemcpy(in, h, n * 4, cudaMemcpyHostToDevice); delete[] h; };
  auto sum = [&] { int h[2048]; long long s = 0; cudaMemcpy(h, out, 8192, cudaMemcpyDeviceToHost); for (int v : h) s += v; return s; };
  for (int limit : {2048, 32768}) { CK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit));
    float ms = best([&] { reduceNosync<<<2048, 512>>>(in, out, 512); }, 5, fill); printf("{\"micro\":\"nested_nosync\",\"n\":%d,\"block\":512,\"limit\":%d,\"ms\":%.5f,\"sum\":%lld,%s}\n", n, limit, ms, sum(), counts().c_str());
    ms = best([&] { reduce2<<<2048, 256>>>(in, out, 256, 512); }, 5, fill); printf("{\"micro\":\"nested2\",\"n\":%d,\"block\":512,\"limit\":%d,\"ms\":%.5f,\"sum\":%lld,%s}\n", n, limit, ms, sum(), counts().c_str()); }
  for (int b : {2048, 8192, 16384}) { float ms = best([&] { parent<<<b, 32>>>(1, 1, 0, 32, 1); }, 3, zero); printf("{\"micro\":\"pending_blocks\",\"limit\":32768,\"stream\":\"null\",\"blocks\":%d,\"ms\":%.5f,%s}\n", b, ms, counts().c_str()); }
}
