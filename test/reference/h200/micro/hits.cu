// Microbenchmark: which sectors of loads, stores and atomics the lookups of L1 and L2 count as hits. Only counters are of
// interest: each launch runs once, for Nsight Compute, which flushes the caches before it. `hits list` prints the launches.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define K extern "C" __global__ void
// `a`, `b`: two numbers of a launch. The accesses are written in PTX, so that nvcc draws none together.
__device__ float ld(const float *p) { float v; asm volatile("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory"); return v; }
__device__ void st(float *p, float v) { asm volatile("st.global.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory"); }
__device__ void red(float *p, float v) { asm volatile("red.global.add.f32 [%0], %1;" :: "l"(p), "f"(v) : "memory"); }
__device__ float atom(float *p, float v) { float r; asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(r) : "l"(p), "f"(v) : "memory"); return r; }
__device__ int id() { return blockIdx.x * blockDim.x + threadIdx.x; }
K copy(const float *in, float *out, int a, int b) { st(out + id() * a, ld(in + id() * a)); }
// Every a-th word is updated in place.
K update(const float *in, float *out, int a, int b) { float *p = out + id() * a; st(p, ld(p) + 1.0f); }
// Of a whole warp's words that are loaded, those of lanes whose number has not `a` in it are stored.
K updateSome(const float *in, float *out, int a, int b) { float *p = out + id(); float v = ld(p); if ((threadIdx.x & a) == b) st(p, v + 1.0f); }
// Those lanes load and store.
K someUpdate(const float *in, float *out, int a, int b) { float *p = out + id(); if ((threadIdx.x & a) == b) st(p, ld(p) + 1.0f); }
// The whole sector is stored `a` times.
K storeAgain(const float *in, float *out, int a, int b) { for (int k = 0; k < a; k++) st(out + id(), k); }
// A thread stores `a` words of its own `b` words, one after the other.
K storeRuns(const float *in, float *out, int a, int b) { for (int k = 0; k < a; k++) st(out + id() * b + k, k); }
// A thread loads `a` words of its own `b` words, one after the other.
K loadRuns(const float *in, float *out, int a, int b) { float v = 0; for (int k = 0; k < a; k++) v += ld(in + id() * b + k); if (v == 1e30f) st(out, v); }
// What is stored is loaded, by the same lane (a 0) or by one `a` places on, behind a barrier.
K storeLoad(const float *in, float *out, int a, int b) {
  st(out + id(), 1.0f); if (a) __syncthreads();
  float v = ld(out + (id() ^ a)); if (v == 1e30f) st(out, v);
}
// Half of each sector is stored, the whole is loaded (a 1: its other half).
K partLoad(const float *in, float *out, int a, int b) {
  float *p = out + id(); if (threadIdx.x & 4) st(p, 1.0f);
  float v = 0; if (!a || !(threadIdx.x & 4)) v = ld(p); if (v == 1e30f) st(out, v);
}
K loadStoreLoad(const float *in, float *out, int a, int b) {
  float *p = out + id(); float v = ld(p); st(p, v + 1.0f); v = ld(p); if (v == 1e30f) st(out, v);
}
// The lower half of the sector, then the upper half.
K halves(const float *in, float *out, int a, int b) { float *p = out + id(); if (threadIdx.x & 4) st(p, 1.0f); else st(p, 2.0f); }
// One sector of each line is stored first, then another one is stored (a) or loaded.
K otherSector(const float *in, float *out, int a, int b) { float *p = out + id() * 32; st(p, 1.0f); if (a) st(p + 8 * b, 2.0f); else { float v = ld(p + 8 * b); if (v == 1e30f) st(out, v); } }
K redWords(const float *in, float *out, int a, int b) { float *p = out + id(); float v = a ? ld(p) : 1.0f; red(p, v); if (b) { v = ld(p); if (v == 1e30f) st(out, v); } }
K atomWords(const float *in, float *out, int a, int b) { float *p = out + id(); float v = a ? ld(p) : 1.0f; v = atom(p, v); if (v == 1e30f) st(out, v); }
K redOne(const float *in, float *out, int a, int b) { red(out + (id() & (a - 1)), 1.0f); }
// Rows of `a` words are read and stored as columns, or columns as rows.
K columns(const float *in, float *out, int a, int b) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; st(out + x * b + y, ld(in + y * a + x)); }
K rows(const float *in, float *out, int a, int b) { int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; st(out + y * b + x, ld(in + x * a + y)); }
// Words at random of 2^a, stored (b 0), loaded (1), or both (2).
K scatter(const float *in, float *out, int a, int b) {
  unsigned k = id(); k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; k ^= k >> 16; k &= (1u << a) - 1;
  float v = 1.0f; if (b) v = ld(out + k); if (b != 1) st(out + k, v + 1.0f); else if (v == 1e30f) st(out, v);
}
// A word and the one `a` places before it.
K back(const float *in, float *out, int a, int b) { int i = id() + a; float v = ld(in + i) + ld(in + i - a); if (b) st(out + id(), v); else if (v == 1e30f) st(out, v); }
// All blocks read the same `a` words.
K common(const float *in, float *out, int a, int b) { float v = 0; for (int k = threadIdx.x; k < a; k += blockDim.x) v += ld(in + k); st(out + id(), v); }
// The block works on `a` words of its own, `b` times in place, with barriers.
K tiles(const float *in, float *out, int a, int b) {
  float *p = out + blockIdx.x * a;
  for (int t = 0; t < b; t++) { for (int k = threadIdx.x; k < a; k += blockDim.x) st(p + k, ld(p + k) + 1.0f); __syncthreads(); }
}
int main(int argc, char **argv) {
  const size_t N = (size_t)1 << 26; float *in, *out;
  cudaMalloc(&in, N * 4); cudaMalloc(&out, N * 4); cudaMemset(in, 0, N * 4); cudaMemset(out, 0, N * 4); cudaDeviceSynchronize();
  bool list = argc > 1 && !strcmp(argv[1], "list");
#define L(k, gx, gy, bx, by, a, b) { if (list) printf("{\"kernel\":\"%s\",\"a\":%d,\"b\":%d,\"grid\":[%d,%d],\"block\":[%d,%d]}\n", #k, a, b, gx, gy, bx, by); \
  else { k<<<dim3(gx, gy), dim3(bx, by)>>>(in, out, a, b); cudaError_t e = cudaDeviceSynchronize(); if (e) { fprintf(stderr, "%s %s\n", #k, cudaGetErrorString(e)); return 1; } } }
  const int G = 8192;
  for (int a : {1, 2, 8, 16, 32}) L(copy, G, 1, 256, 1, a, 0)
  for (int a : {1, 2, 4, 8, 16, 32}) L(update, G, 1, 256, 1, a, 0)
  for (int a : {1, 4, 8, 16}) { L(updateSome, G, 1, 256, 1, a, 0) L(someUpdate, G, 1, 256, 1, a, 0) }
  L(storeAgain, G, 1, 256, 1, 1, 0) L(storeAgain, G, 1, 256, 1, 2, 0) L(storeAgain, G, 1, 256, 1, 4, 0)
  for (int a : {2, 4, 8}) L(storeRuns, G, 1, 256, 1, a, 8)
  L(storeRuns, G, 1, 256, 1, 16, 16) L(storeRuns, G, 1, 256, 1, 32, 32) L(storeRuns, 132, 1, 1024, 1, 32, 32) L(storeRuns, 132, 1, 1024, 1, 32, 64)
  L(loadRuns, G, 1, 256, 1, 8, 8) L(loadRuns, G, 1, 256, 1, 32, 32) L(loadRuns, 132, 1, 1024, 1, 32, 32) L(loadRuns, 132, 1, 1024, 1, 32, 64)
  for (int a : {0, 8, 32, 128}) L(storeLoad, G, 1, 256, 1, a, 0)
  L(partLoad, G, 1, 256, 1, 0, 0) L(partLoad, G, 1, 256, 1, 1, 0) L(loadStoreLoad, G, 1, 256, 1, 0, 0) L(halves, G, 1, 256, 1, 0, 0)
  for (int b : {1, 3}) { L(otherSector, 4096, 1, 256, 1, 0, b) L(otherSector, 4096, 1, 256, 1, 1, b) }
  for (int a : {0, 1}) { L(redWords, G, 1, 256, 1, a, 0) L(redWords, G, 1, 256, 1, a, 1) L(atomWords, G, 1, 256, 1, a, 0) }
  for (int a : {1, 32, 4096, 1 << 20}) L(redOne, G, 1, 256, 1, a, 0)
  for (int n : {1024, 4096}) { for (int by : {4, 8, 32}) { L(columns, n / 32, n / by, 32, by, n, n) L(rows, n / 32, n / by, 32, by, n, n) } }
  L(columns, 1000 / 8, 1024 / 8, 32, 8, 1056, 1056)
  for (int a : {14, 18, 22, 26}) for (int b : {0, 1, 2}) L(scatter, G, 1, 256, 1, a, b)
  for (int a : {1, 8, 32, 256, 4096}) { L(back, G, 1, 256, 1, a, 0) L(back, G, 1, 256, 1, a, 1) }
  for (int a : {64, 1024, 16384}) L(common, 1056, 1, 256, 1, a, 0)
  for (int a : {512, 2048, 8192}) for (int b : {1, 2, 4}) L(tiles, 1056, 1, 256, 1, a, b)
  return 0;
}
