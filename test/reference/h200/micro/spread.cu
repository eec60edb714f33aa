// Atomics of all SMs on 128 to 2^20 words: how evenly L2's units have their work.
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
char *big, *flush; 
double us(std::function<void()> f, int reps = 9) {
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  for (int r = 0; r < reps; r++) {
    cudaMemsetAsync(flush, 0, 65536);
    cudaEventRecord(a); f(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m * 1000);
  }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); cudaEventDestroy(a); cudaEventDestroy(b); return t[t.size() / 2];
}
#define OUT(...) do { printf(__VA_ARGS__); fflush(stdout); } while (0)
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

// All words of a random line.
__global__ void linesAtRandom(int *p, u32 k, int rounds) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, lane = i & 31;
  for (int r = 0; r < rounds; r++) { u32 j = i + r * gridDim.x * blockDim.x; atomicAdd(p + (mix(j >> 5) % (k / 32)) * 32 + lane, 1); }
}
int main() {
  CK(cudaMalloc(&big, 64 << 20)); CK(cudaMemset(big, 0, 64 << 20)); CK(cudaMalloc(&flush, 65536));
  for (size_t shift : {(size_t)0, (size_t)(8 << 20) + 4096})
  for (u32 k = 128; k <= 1 << 20; k *= 2) for (int kind : {4, 5, 3, 9, 10}) {
    int *p = (int *)(big + shift);
    auto go = [=](int n) { if (kind == 9) linesAtRandom<<<1056, 256>>>(p, k, n); else if (kind == 10) atomics<float, 0><<<1056, 256>>>((float *)p, k, 4, n); else atomics<int, 0><<<1056, 256>>>(p, k, kind, n); };
    double t = us([&] { go(8); }), s = us([&] { go(24); });
    OUT("{\"micro\":\"atomics\",\"kind\":\"%s\",\"words\":%u,\"shift\":%zu,\"nsPerWarpRequest\":%.4f}\n", kind == 4 ? "random" : kind == 5 ? "one lane, random" : kind == 3 ? "lines in turn" : kind == 9 ? "lines at random" : "random float", k, shift, (s - t) * 1000 / (1056.0 * 8 * 16));
  }
}
