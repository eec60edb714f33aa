// Rounds of blocks that load together, then wait together: what DRAM does meanwhile. phase4 loads 64 bytes a thread, phase2 32;
// one warp then takes `think` dependent steps while the others wait. phaseWrite writes a quarter in place; phaseTree sums it
// there. Grids of 2 to 26 rounds of four blocks an SM. Built by: nvcc -O3 -arch=sm_90 h200/micro/phases.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
__global__ void __launch_bounds__(512, 4) phase4(const int4 *d, int *o, int think) {
  __shared__ int last;
  int t = threadIdx.x, at = blockIdx.x * 2048 + t;
  int4 a = d[at], b = d[at + 512], c = d[at + 1024], e = d[at + 1536];
  int s = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w + c.x + c.y + c.z + c.w + e.x + e.y + e.z + e.w;
  if (s == 12345) o[0] = 1;
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < think; i++) s = s * 5 + t;
    if (t == 0) last = s;
  }
  __syncthreads();
  if (t == 0) o[blockIdx.x] = last;
}
__global__ void __launch_bounds__(512, 4) phase2(const int4 *d, int *o, int think) {
  __shared__ int last;
  int t = threadIdx.x, at = blockIdx.x * 1024 + t;
  int4 a = d[at], b = d[at + 512];
  int s = a.x + a.y + a.z + a.w + b.x + b.y + b.z + b.w;
  if (s == 12345) o[0] = 1;
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < think; i++) s = s * 5 + t;
    if (t == 0) last = s;
  }
  __syncthreads();
  if (t == 0) o[blockIdx.x] = last;
}
__global__ void __launch_bounds__(512, 4) phaseWrite(int4 *d, int *o, int think) {
  __shared__ int last;
  int t = threadIdx.x, at = blockIdx.x * 2048 + t;
  int4 a = d[at], b = d[at + 512], c = d[at + 1024], e = d[at + 1536];
  a.x += b.x + c.x + e.x;
  a.y += b.y + c.y + e.y;
  a.z += b.z + c.z + e.z;
  a.w += b.w + c.w + e.w;
  d[at] = a;
  int s = a.x;
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < think; i++) s = s * 5 + t;
    if (t == 0) last = s;
  }
  __syncthreads();
  if (t == 0) o[blockIdx.x] = last;
}
__global__ void __launch_bounds__(512, 4) phaseTree(int4 *d, int *o) {
  int t = threadIdx.x, at = blockIdx.x * 2048 + t;
  int4 a = d[at], b = d[at + 512], c = d[at + 1024], e = d[at + 1536];
  a.x += b.x + c.x + e.x;
  a.y += b.y + c.y + e.y;
  a.z += b.z + c.z + e.z;
  a.w += b.w + c.w + e.w;
  d[at] = a;
  __syncthreads();
  int4 *g = d + blockIdx.x * 2048;
  for (int stride = 256; stride > 0; stride >>= 1) {
    if (t < stride) {
      int4 p = g[t], q = g[t + stride];
      p.x += q.x;
      p.y += q.y;
      p.z += q.z;
      p.w += q.w;
      g[t] = p;
    }
    __syncthreads();
  }
  if (t == 0) o[blockIdx.x] = g[0].x;
}
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s line %d\n", cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
__global__ void flush(int *p, int n) { int s = 0; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += p[i]; if (s == 12345) p[0] = 1; }
__global__ void nothing() {}
int4 *d; int *o, *f;
template <class F> double us(F launch) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  for (int r = 0; r < 9; r++) { flush<<<1056, 512>>>(f, 1 << 26); cudaEventRecord(a); launch(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m * 1000); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[4]; }
int main() {
  CK(cudaMalloc(&d, 1ull << 30)); CK(cudaMemset(d, 0, 1ull << 30)); CK(cudaMalloc(&o, 1 << 26)); CK(cudaMalloc(&f, 1 << 28)); CK(cudaMemset(f, 0, 1 << 28));
  double empty = us([&] { nothing<<<1, 32>>>(); });
  printf("{\"empty\":%.3f}\n", empty);
  for (int rounds : {2, 4, 8, 13, 26}) for (int think : {0, 200, 400, 800, 1600, 3200}) {
    int g = rounds * 528;
    printf("{\"kernel\":\"phase4\",\"think\":%d,\"grid\":%d,\"us\":%.3f}\n", think, g, us([&] { phase4<<<g, 512>>>(d, o, think); }));
    printf("{\"kernel\":\"phase2\",\"think\":%d,\"grid\":%d,\"us\":%.3f}\n", think, g, us([&] { phase2<<<g, 512>>>(d, o, think); }));
    printf("{\"kernel\":\"phaseWrite\",\"think\":%d,\"grid\":%d,\"us\":%.3f}\n", think, g, us([&] { phaseWrite<<<g, 512>>>(d, o, think); }));
    if (think == 0) printf("{\"kernel\":\"phaseTree\",\"think\":0,\"grid\":%d,\"us\":%.3f}\n", g, us([&] { phaseTree<<<g, 512>>>(d, o); }));
  }
}
