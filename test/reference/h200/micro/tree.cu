// Reductions in place in global memory, step by step: loads behind stores to their line, volatile or not, stores that
// come back to a line, trees of a block with as many SMs. Built by: nvcc -O3 -arch=sm_90 h200/micro/tree.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s line %d\n", cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
__global__ void warpVolatile(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 64;
  for (int i = 0; i < n; i++) g[lane] += g[lane + 16];
}
__global__ void warpLoadOnly(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 64;
  int x = lane;
  for (int i = 0; i < n; i++) x = g[x] + lane;
  if (x == 12345) o[0] = 1;
}
__global__ void warpStoreLoad(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  int x = lane;
  for (int i = 0; i < n; i++) {
    g[lane + 64] = x;
    x = g[x] + lane;
  }
  if (x == 12345) o[0] = 1;
}
__global__ void warpStoreOnly(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 64;
  for (int i = 0; i < n; i++) g[lane] = i;
}
__global__ void blockTree(int *o, int n) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++) {
    for (int stride = 256; stride > 0; stride >>= 1) {
      if (t < stride) g[t] += g[t + stride];
      __syncthreads();
    }
  }
}
__global__ void blockSwap(int *o, int n) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++) {
    int x = g[t ^ 32];
    __syncthreads();
    g[t] = x + 1;
    __syncthreads();
  }
}
__global__ void blockPass(int *o, int n) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++) {
    g[t] = g[t + 512] + i;
    __syncthreads();
  }
}
__global__ void warpTree(int *o, int n) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++) {
    if (t < 32) {
      volatile int *v = g;
      v[t] += v[t + 32];
      v[t] += v[t + 16];
      v[t] += v[t + 8];
      v[t] += v[t + 4];
      v[t] += v[t + 2];
      v[t] += v[t + 1];
    }
    __syncthreads();
  }
}
// Each warp stores to `lines` lines in turn, `apart` words apart, its own; every `lanes`-th word of it if lanes < 32: first `lanes` lanes.
__global__ void rewrite(int *o, int n, int lines, int lanes) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int *g = o + w * lines * 32 + lane;
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll 1
      for (int k = 0; k < lines; k++) asm volatile("st.global.u32 [%0],%1;" :: "l"(g + k * 32), "r"(i) : "memory");
  }
}
// the same behind a load of the line that hits L1
__global__ void reread(int *o, int n, int lines, int lanes) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int *g = o + w * lines * 32 + lane;
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll 1
      for (int k = 0; k < lines; k++) { int x; asm volatile("ld.global.u32 %0,[%1];" : "=r"(x) : "l"(g + k * 32) : "memory"); asm volatile("st.global.u32 [%0],%1;" :: "l"(g + k * 32), "r"(x + i) : "memory"); }
  }
}
__global__ void rereadCg(int *o, int n, int lines, int lanes) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int *g = o + w * lines * 32 + lane;
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < n; i++)
#pragma unroll 1
      for (int k = 0; k < lines; k++) { int x; asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(x) : "l"(g + k * 32) : "memory"); asm volatile("st.global.u32 [%0],%1;" :: "l"(g + k * 32), "r"(x + i) : "memory"); }
  }
}
__global__ void treeTo(int *o, int n, int last) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++)
    for (int stride = 256; stride >= last; stride >>= 1) {
      if (t < stride) g[t] += g[t + stride];
      __syncthreads();
    }
}
// the last warp's steps, of full lines: all lanes store
__global__ void treeAll(int *o, int n, int last) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++)
    for (int stride = 256; stride >= last; stride >>= 1) {
      if (t < stride || t < 32) g[t] += g[t + stride];
      __syncthreads();
    }
}
// no loads: the stores of a tree
__global__ void treeStores(int *o, int n, int last) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 1024;
  for (int i = 0; i < n; i++)
    for (int stride = 256; stride >= last; stride >>= 1) {
      if (t < stride) g[t] = i + stride;
      __syncthreads();
    }
}
// the loads of a tree, stores elsewhere
__global__ void treeApart(int *o, int n, int last) {
  int t = threadIdx.x;
  int *g = o + blockIdx.x * 2048;
  for (int i = 0; i < n; i++)
    for (int stride = 256; stride >= last; stride >>= 1) {
      if (t < stride) g[t + 1024] = g[t] + g[t + stride];
      __syncthreads();
    }
}
int *o;
template <class F> double us(F launch) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  for (int r = 0; r < 8; r++) { cudaEventRecord(a); launch(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m * 1000); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[3]; }
#define ROUNDS(k, block, perSm) { cudaMemset(o, 0, 1 << 24); int g = 132 * perSm; double t1 = us([&] { k<<<g, block>>>(o, 100); }), t2 = us([&] { k<<<g, block>>>(o, 300); }); \
  printf("{\"kernel\":\"" #k "\",\"block\":%d,\"blocksPerSm\":%d,\"cycles\":%.1f}\n", block, perSm, (t2 - t1) * 1980 / 200); }
#define RUN(k, warps, lines, lanes, sms) { int n = 1600 / lines; cudaMemset(o, 0, 1 << 26); int b = warps > 16 ? 512 : warps * 32, g = sms * warps * 32 / b; double t1 = us([&] { k<<<g, b>>>(o, n, lines, lanes); }), t2 = us([&] { k<<<g, b>>>(o, 2 * n, lines, lanes); }); \
  printf("{\"kernel\":\"" #k "\",\"warps\":%d,\"lines\":%d,\"lanes\":%d,\"sms\":%d,\"cyclesPerStore\":%.2f}\n", warps, lines, lanes, sms, (t2 - t1) * 1980 / (n * lines * warps)); }
#define TREE(k, perSm, last, sms) { cudaMemset(o, 0, 1 << 26); double t1 = us([&] { k<<<sms * perSm, 512>>>(o, 100, last); }), t2 = us([&] { k<<<sms * perSm, 512>>>(o, 300, last); }); printf("{\"kernel\":\"" #k "\",\"blocksPerSm\":%d,\"last\":%d,\"sms\":%d,\"cycles\":%.0f}\n", perSm, last, sms, (t2 - t1) * 1980 / 200); }
int main() {
  CK(cudaMalloc(&o, 1 << 28)); CK(cudaMemset(o, 0, 1 << 28));
  for (int p : {1, 2, 4, 8, 16, 32}) { ROUNDS(warpVolatile, 32, p) ROUNDS(warpLoadOnly, 32, p) ROUNDS(warpStoreLoad, 32, p) ROUNDS(warpStoreOnly, 32, p) ROUNDS(warpTree, 32, p) ROUNDS(warpTree, 64, p) }
  for (int p : {1, 2, 4, 8, 16}) { ROUNDS(warpTree, 128, p) ROUNDS(blockSwap, 128, p) ROUNDS(blockPass, 128, p) }
  for (int p : {1, 2, 4}) { ROUNDS(blockTree, 512, p) ROUNDS(blockSwap, 512, p) ROUNDS(blockPass, 512, p) ROUNDS(warpTree, 512, p) ROUNDS(warpVolatile, 512, p) ROUNDS(warpLoadOnly, 512, p) ROUNDS(warpStoreLoad, 512, p) ROUNDS(warpStoreOnly, 512, p) }
  for (int sms : {132, 16}) for (int warps : {4, 16, 64}) for (int lines : {1, 4, 16}) for (int lanes : {32, 8}) { RUN(rewrite, warps, lines, lanes, sms) RUN(reread, warps, lines, lanes, sms) RUN(rereadCg, warps, lines, lanes, sms) }
  for (int sms : {132, 16}) for (int p : {1, 2, 3, 4}) for (int last : {1, 8, 32}) { TREE(treeTo, p, last, sms) TREE(treeAll, p, last, sms) TREE(treeStores, p, last, sms) TREE(treeApart, p, last, sms) }
}
