// Microbenchmarks of what the holdout asked for: atomics by type and place, sectors written in part, copies with few loads
// under way, random sectors, strides of DRAM, three-operand FFMA, stores of part of a sector, L1 hits, barriers.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned u32;
const size_t BYTES = 8ull << 30;
char *big, *flush; 
bool once;
__global__ void readAll(const int4 *p, size_t n, int *o) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; }
  if (s == 123456789) *o = s;
}
void clean() { readAll<<<1056, 256>>>((int4 *)flush, (512u << 20) / 16, (int *)flush); }
double us(std::function<void()> f, int state, int reps = 9) { // state 0: repeated, 1: clean L2, 2: dirty L2
  if (once) { f(); CK(cudaDeviceSynchronize()); return 0; }
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  for (int r = 0; r < reps; r++) {
    if (state == 1) clean(); else if (state == 2) cudaMemsetAsync(flush, r, 512u << 20); else cudaMemsetAsync(flush, 0, 65536);
    cudaEventRecord(a); f(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m * 1000);
  }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); cudaEventDestroy(a); cudaEventDestroy(b); return t[t.size() / 2];
}
#define OUT(...) do { if (!once) { printf(__VA_ARGS__); fflush(stdout); } } while (0)
// ---- atomics ----
__device__ u32 mix(u32 k) { k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ (k >> 16); }
template <class T, int OP> __device__ void at(T *p, T v) { if (OP == 0) atomicAdd(p, v); else if (OP == 1) atomicMax((int *)p, (int)v); }
// place 0: one lane a warp, one address. 1: all lanes one address. 2: 32 neighbours, one line for all. 3: neighbours, lines of k words in turn. 4: random of k words. 5: one lane a warp, its own word of k. 6: one lane, neighbours.
template <class T, int OP> __global__ void atomics(T *p, u32 k, int place, int rounds) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, lane = i & 31;
  for (int r = 0; r < rounds; r++) {
    u32 j = i + r * gridDim.x * blockDim.x;
    if (place == 0) { if (lane == 0) at<T, OP>(p, (T)1); }
    else if (place == 1) { volatile u32 z = 0; at<T, OP>(p + z, (T)lane); }
    else if (place == 2) at<T, OP>(p + lane, (T)1);
    else if (place == 3) at<T, OP>(p + j % k, (T)1);
    else if (place == 4) at<T, OP>(p + mix(j) % k, (T)1);
    else if (place == 5) { if (lane == 0) at<T, OP>(p + mix(j >> 5) % k, (T)1); }
    else if (place == 6) { if (lane == 0) at<T, OP>(p + (j >> 5) % k, (T)1); }
  }
}
template <class T, int OP> void atomicRows(const char *type) {
  struct { int place; u32 k; } w[] = {{0, 1}, {1, 1}, {2, 32}, {3, 256}, {3, 1024}, {3, 16384}, {4, 32}, {4, 256}, {4, 1024}, {4, 16384}, {4, 1 << 20}, {5, 256}, {6, 8}, {6, 32}, {6, 1024}};
  for (auto &q : w) {
    double t = us([&] { atomics<T, OP><<<1056, 256>>>((T *)big, q.k, q.place, 8); }, 0), s = us([&] { atomics<T, OP><<<1056, 256>>>((T *)big, q.k, q.place, 24); }, 0);
    OUT("{\"micro\":\"atomics\",\"type\":\"%s\",\"place\":%d,\"words\":%u,\"nsPerWarpRequest\":%.4f}\n", type, q.place, q.k, (s - t) * 1000 / (1056.0 * 8 * 16));
  }
}
// ---- sectors written in part ----
__global__ void partWrite(float *p, u32 n, u32 stride, u32 width) { u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[(size_t)(i / width) * stride + i % width] = i; }
__global__ void passWrite(float *p, u32 sectors, u32 passes) { // each pass writes one more word of every sector
  for (u32 k = 0; k < passes; k++) for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < sectors; i += gridDim.x * blockDim.x) p[(size_t)i * 8 + k] = i;
}
void partRows() {
  for (u32 MiB : {4, 16, 64, 256}) for (int kind = 0; kind < 6; kind++) {
    u32 stride = kind == 0 ? 1 : kind == 1 ? 8 : kind == 2 ? 8 : kind == 3 ? 16 : kind == 4 ? 32 : 8, width = kind == 0 ? 1 : kind == 2 ? 4 : kind == 5 ? 8 : 1;
    size_t words = (size_t)MiB << 18; u32 n = words / stride * width;
    for (int state : {1, 0}) {
      double t = us([&] { partWrite<<<(n + 255) / 256, 256>>>((float *)big, n, stride, width); }, state);
      OUT("{\"micro\":\"part_write\",\"MiB\":%u,\"strideWords\":%u,\"widthWords\":%u,\"L2\":\"%s\",\"us\":%.3f}\n", MiB, stride, width, state ? "clean" : "repeated", t);
      if (once) break;
    }
  }
  for (u32 MiB : {4, 16, 32, 64}) for (u32 passes : {1, 2, 8}) {
    double t = us([&] { passWrite<<<1056, 256>>>((float *)big, MiB << 15, passes); }, 1);
    OUT("{\"micro\":\"pass_write\",\"MiB\":%u,\"passes\":%u,\"us\":%.3f}\n", MiB, passes, t);
  }
}
// ---- copies with few loads under way ----
template <int KIND> __global__ void streams(const float *in, float *out, u32 rounds) { // one request a warp at a time
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x; float v = 0;
  for (u32 r = 0; r < rounds; r++, i += step) {
    if (KIND == 0) { v = __ldcg(in + i + (v > 1e30f)); } // load, next waits for it
    else if (KIND == 1) { v = __ldcg(in + i + (v > 1e30f)); __stcg(out + i, v + 1); }
    else if (KIND == 2) { float w = __ldcg(in + i + (v > 1e30f)); v = __ldcg(out + i + (v > 1e30f)); __stcg(out + i, v + w); }
  }
  if (v == 1e31f) out[0] = v;
}
template <int KIND> void streamRows(const char *name) {
  for (int warps : {4, 8, 16, 32, 64}) {
    int block = warps < 8 ? warps * 32 : 256, grid = 132 * (warps < 8 ? 1 : warps / 8); u32 rounds = (256u << 18) / (grid * block);
    double t = us([&] { streams<KIND><<<grid, block>>>((float *)big, (float *)(big + (1ull << 30)), rounds); }, 1, 5), h = us([&] { streams<KIND><<<grid, block>>>((float *)big, (float *)(big + (1ull << 30)), rounds / 2); }, 1, 5);
    OUT("{\"micro\":\"in_turn\",\"kind\":\"%s\",\"warpsPerSM\":%d,\"cyclesPerRound\":%.1f,\"GBpsRead\":%.0f}\n", name, warps, (t - h) * 1980 / (rounds - rounds / 2), (rounds - rounds / 2) * (double)grid * block * 4 / (t - h) / 1000);
  }
}
// ---- random sectors ----
__global__ void randomLoads(const float *p, u32 mask, u32 lanesTogether, u32 rounds, float *o) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;
  for (u32 r = 0; r < rounds; r++) {
    #pragma unroll
    for (int k = 0; k < 4; k++) { u32 j = mix((i / lanesTogether) * 512u + r * 4 + k); s += __ldcg(p + ((size_t)(j & mask) * 8 + i % lanesTogether)); }
  }
  if (s == 1e31f) *o = s;
}
__global__ void randomLine(const float *p, u32 mask, u32 rounds, float *o) { // whole lines at random
  u32 i = blockIdx.x * blockDim.x + threadIdx.x; float s = 0;
  for (u32 r = 0; r < rounds; r++) {
    #pragma unroll
    for (int k = 0; k < 4; k++) { u32 j = mix((i / 32) * 512u + r * 4 + k); s += __ldcg(p + ((size_t)(j & mask) * 32 + i % 32)); }
  }
  if (s == 1e31f) *o = s;
}
void randomRows() {
  for (u32 MiB : {1, 8, 16, 32, 64, 256, 1024}) for (int warps : {16, 64}) for (u32 lanes : {1, 4, 32}) {
    int grid = 132 * warps / 8; u32 rounds = 128, mask = (MiB << 15) - 1;
    auto f = [&](u32 n) { if (lanes == 32) randomLine<<<grid, 256>>>((float *)big, mask >> 2, n, (float *)flush); else randomLoads<<<grid, 256>>>((float *)big, mask, lanes, n, (float *)flush); };
    double t = us([&] { f(rounds); }, 0, 5), h = us([&] { f(rounds / 2); }, 0, 5), sectors = lanes == 32 ? 4 : 32.0 / lanes;
    OUT("{\"micro\":\"random_load\",\"MiB\":%u,\"warpsPerSM\":%d,\"sectorsPerRequest\":%.0f,\"sectorGBps\":%.0f,\"cyclesPerRequestSM\":%.2f}\n", MiB, warps, sectors, rounds / 2 * 4.0 * grid * 8 * sectors * 32 / (t - h) / 1000, (t - h) * 1980 / (rounds / 2 * 4 * warps));
  }
}
__global__ void randomStores(float *p, u32 mask, u32 rounds) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  for (u32 r = 0; r < rounds; r++) p[(size_t)(mix(i + r * 7919u * 64) & mask)] = i;
}
void storeRows() {
  for (u32 MiB : {1, 8, 16, 32, 64, 256}) {
    u32 mask = (MiB << 18) - 1;
    double t = us([&] { randomStores<<<1056, 256>>>((float *)big, mask, 64); }, 0, 5), h = us([&] { randomStores<<<1056, 256>>>((float *)big, mask, 32); }, 0, 5);
    OUT("{\"micro\":\"random_store\",\"MiB\":%u,\"cyclesPerRequestSM\":%.2f}\n", MiB, (t - h) * 1980 / (32.0 * 64));
  }
}
// ---- strides of DRAM ----
__global__ void strideLoads(const float *p, size_t stride, u32 n, float *o) { u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { float v = __ldcg(p + i * stride); if (v == 1e31f) *o = v; } }
void strideRows() {
  for (u32 stride : {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512, 1024}) {
    u32 n = std::min<size_t>(4u << 20, BYTES / 4 / stride);
    double t = us([&] { strideLoads<<<n / 256, 256>>>((float *)big, stride, n, (float *)flush); }, 1);
    OUT("{\"micro\":\"stride_dram\",\"strideWords\":%u,\"loads\":%u,\"us\":%.2f}\n", stride, n, t);
  }
}
// ---- FFMA with three register operands ----
template <int KIND> __global__ void fma3(float *o, const float *in, int rounds) {
  float a = in[0], b = in[1], v = threadIdx.x, w = v + 1, x = v + 2, y = v + 3;
  for (int r = 0; r < rounds; r++) {
    #pragma unroll
    for (int k = 0; k < 16; k++) {
      if (KIND == 0) v = v * a + b;
      else if (KIND == 1) { v = v * a + b; w = w * a + b; x = x * a + b; y = y * a + b; }
      else if (KIND == 2) v = v * a + 1.5f;
      else if (KIND == 3) v = v * a + v;
      else if (KIND == 4) v = v + a;
      else if (KIND == 5) { v = w * a + v; w = x * b + w; }
    }
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = v + w + x + y;
}
template <int KIND> void fmaRows(const char *name, int perRound) {
  for (int warps : {4, 16, 32, 64}) {
    int block = warps == 64 ? 1024 : warps * 32, grid = 132 * (warps == 64 ? 2 : 1);
    double t = us([&] { fma3<KIND><<<grid, block>>>((float *)big, (float *)flush, 512); }, 0), h = us([&] { fma3<KIND><<<grid, block>>>((float *)big, (float *)flush, 256); }, 0);
    OUT("{\"micro\":\"fma_operands\",\"kind\":\"%s\",\"warpsPerSM\":%d,\"cyclesPerWarpOpScheduler\":%.3f}\n", name, warps, (t - h) * 1980 / (256.0 * perRound * warps / 4));
  }
}
// ---- stores: which part of a sector, L2 resident ----
__global__ void storeKinds(float *p, int kind, u32 rounds) {
  u32 t = threadIdx.x, w = t >> 5, lane = t & 31; float *q = p + blockIdx.x * 8192;
  for (u32 r = 0; r < rounds; r++) {
    float v = r; u32 c = (r & 3) * 1024 + w * 128;
    if (kind == 0) q[c + lane] = v;
    else if (kind == 1) { q[c + 2 * lane] = v; q[c + 2 * lane + 1] = v; }
    else if (kind == 2) ((float2 *)q)[c / 2 + lane] = make_float2(v, v);
    else if (kind == 3) ((float4 *)q)[c / 4 + lane] = make_float4(v, v, v, v);
    else if (kind == 4) q[c + 2 * lane] = v;
    else if (kind == 5) { q[c + 4 * lane] = v; }
    else if (kind == 6) { if (lane < 16) q[c + lane] = v; }
    else if (kind == 7) q[(lane * 256 + w + (r & 3) * 8) & 8191] = v;
    else if (kind == 8) q[((lane & 15) * 512 + (lane >> 4) + w * 2 + (r & 3) * 16) & 8191] = v;
  }
}
void storeKindRows() {
  const char *names[] = {"32 words", "64 words, two of stride 2", "float2", "float4", "stride 2", "stride 4", "16 words", "32 lines, 8 warps fill sectors", "16 lines of 2 words, 8 warps"};
  for (int kind = 0; kind < 9; kind++) for (int blocks : {1, 8}) {
    double t = us([&] { storeKinds<<<132 * blocks, 256>>>((float *)big, kind, 512); }, 0), h = us([&] { storeKinds<<<132 * blocks, 256>>>((float *)big, kind, 256); }, 0);
    OUT("{\"micro\":\"store_kinds\",\"kind\":\"%s\",\"warpsPerSM\":%d,\"cyclesPerRoundSM\":%.3f}\n", names[kind], blocks * 8, (t - h) * 1980 / (256.0 * 8 * blocks));
  }
}
// ---- hits in L1 ----
__global__ void l1Kinds(const float *p, int kind, u32 rounds, float *o) {
  u32 t = threadIdx.x, w = t >> 5, lane = t & 31; float s = 0, u = 0;
  const float *q = p + (kind == 0 ? w * 32 : kind == 1 ? lane + w * 32 : kind == 2 ? (lane >> 4) * 512 + w * 8 : kind == 3 ? (lane >> 4) * 512 + (lane & 15) : kind == 4 ? (lane >> 3) * 512 + (lane & 7) : (lane >> 2) * 512 + (lane & 3));
  if (kind == 6) { for (u32 r = 0; r < rounds; r++) {
    #pragma unroll
    for (int k = 0; k < 8; k++) { float4 v = *(const float4 *)(p + 4 * lane + ((r + k) & 7) * 128); s += v.x + v.y; u += v.z + v.w; } } }
  else for (u32 r = 0; r < rounds; r++) {
    #pragma unroll
    for (int k = 0; k < 8; k++) s += q[((r + k) & 7) * 32];
  }
  if (s + u == 1e31f) *o = s;
}
void l1Rows() {
  const char *names[] = {"one word", "32 words", "two words, two lines", "16 and 16 words, two lines", "8 words of each of 4 lines", "4 words of each of 8 lines", "float4"};
  for (int kind = 0; kind < 7; kind++) for (int warps : {8, 32, 64}) {
    auto f = [&](u32 n) { l1Kinds<<<132 * warps / 8, 256>>>((float *)big, kind, n, (float *)flush); };
    double t = us([&] { f(256); }, 0), h = us([&] { f(128); }, 0);
    OUT("{\"micro\":\"l1_kinds\",\"kind\":\"%s\",\"warpsPerSM\":%d,\"cyclesPerRequestSM\":%.3f}\n", names[kind], warps, (t - h) * 1980 / (128.0 * 8 * warps));
  }
}
// ---- barriers of several blocks; shared load, add, store, barrier ----
template <int KIND> __global__ void barrierLoop(int *o, u32 rounds) {
  __shared__ int s[2048]; u32 t = threadIdx.x; s[t] = t; int v = t; __syncthreads();
  for (u32 r = 0; r < rounds; r++) {
    if (KIND == 0) __syncthreads();
    else if (KIND == 1) { s[t] += s[t + 32]; __syncthreads(); }
    else if (KIND == 2) { if (t < blockDim.x / 2) s[t] += s[t + blockDim.x / 2]; __syncthreads(); }
    else if (KIND == 3) { if (t < 32) s[t] += s[t + 32]; __syncthreads(); }
    else if (KIND == 4) { int x = t >= 32 ? s[t - 32] : 0; __syncthreads(); s[t] += x; __syncthreads(); }
  }
  o[blockIdx.x * blockDim.x + t] = s[t] + v;
}
template <int KIND> void barrierRows(const char *name) {
  for (int warps : {2, 4, 8, 16, 32}) for (int blocks : {1, 2, 4, 8, 16}) {
    if (warps * blocks > 64) continue;
    auto f = [&](u32 n) { barrierLoop<KIND><<<132 * blocks, warps * 32>>>((int *)big, n); };
    double t = us([&] { f(1024); }, 0, 5), h = us([&] { f(512); }, 0, 5);
    OUT("{\"micro\":\"barrier_loop\",\"kind\":\"%s\",\"warps\":%d,\"blocksPerSM\":%d,\"cycles\":%.2f}\n", name, warps, blocks, (t - h) * 1980 / 512);
  }
}
// ---- what L2 keeps between launches ----
template <int KIND> __global__ void touch(float *a, float *b, u32 n) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;
  if (KIND == 0) { float v = a[i]; if (v == 1e31f) b[0] = v; } else if (KIND == 1) b[i] = a[i]; else if (KIND == 2) a[i] += 1; else a[i] = 1;
}
template <int KIND> void keptRows(const char *name) {
  for (u32 MiB : {4, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 128}) {
    u32 n = (MiB << 18) / (KIND == 1 ? 2 : 1);
    double t = us([&] { touch<KIND><<<n / 256, 256>>>((float *)big, (float *)big + n, n); }, 0, 15), c = us([&] { touch<KIND><<<n / 256, 256>>>((float *)big, (float *)big + n, n); }, 1, 9);
    OUT("{\"micro\":\"kept\",\"kind\":\"%s\",\"MiB\":%u,\"repeatedUs\":%.2f,\"cleanUs\":%.2f}\n", name, MiB, t, c);
  }
}
__global__ void empty() {}
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&big, BYTES)); CK(cudaMalloc(&flush, 512u << 20)); CK(cudaMemset(big, 0, BYTES)); CK(cudaMemset(flush, 0, 512u << 20));
  if (once) { partRows(); return 0; }
  OUT("{\"micro\":\"empty\",\"L2\":\"repeated\",\"us\":%.3f}\n", us([] { empty<<<1, 32>>>(); }, 0)); OUT("{\"micro\":\"empty\",\"L2\":\"clean\",\"us\":%.3f}\n", us([] { empty<<<1, 32>>>(); }, 1)); OUT("{\"micro\":\"empty\",\"L2\":\"dirty\",\"us\":%.3f}\n", us([] { empty<<<1, 32>>>(); }, 2));
  atomicRows<int, 0>("int"); atomicRows<float, 0>("float"); atomicRows<double, 0>("double"); atomicRows<unsigned long long, 0>("u64"); atomicRows<int, 1>("int max");
  partRows(); streamRows<0>("read"); streamRows<1>("copy"); streamRows<2>("two reads, one write"); randomRows(); storeRows(); strideRows();
  fmaRows<0>("v = v * a + b", 16); fmaRows<1>("four of them", 64); fmaRows<2>("v = v * a + 1.5", 16); fmaRows<3>("v = v * a + v", 16); fmaRows<4>("v = v + a", 16); fmaRows<5>("v = w * a + v; w = x * b + w", 32);
  storeKindRows(); l1Rows();
  barrierRows<0>("barrier"); barrierRows<1>("load, add, store, barrier"); barrierRows<2>("half of the warps, barrier"); barrierRows<3>("one warp, barrier"); barrierRows<4>("load, barrier, add, barrier");
  keptRows<0>("read"); keptRows<1>("copy"); keptRows<2>("in place"); keptRows<3>("write");
}
