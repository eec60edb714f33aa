// Rows that are no whole number of lines, read from end to end by L lanes each: what DRAM asks for it. us: CUDA events, median of 7, behind a
// clean L2 (512 MiB read twice) or a dirty one (512 MiB set). One JSON line each. nvcc -O3 -arch=sm_90 h200/micro/ragged.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
char *big; float *sink; const u64 CLEAN = 1ull << 30;
__global__ void readAll(const uint4 *p, size_t n, u32 *o) { u32 s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { uint4 v = p[i]; s += v.x ^ v.y ^ v.z ^ v.w; } if (s == 12345) *o = s; }
template <int L> __global__ void rows(const float *p, int rows, int words, float *o) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / L, lane = threadIdx.x % L; if (row >= rows) return;
  float s = 0; for (int c = lane; c < words; c += L) s += p[row * words + c];
  o[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
template <int L> void run(int words, int mib) {
  int n = (int)(((u64)mib << 20) / 4 / words), threads = 128, blocks = (n * L + threads - 1) / threads;
  for (int dirty = 0; dirty < 2; dirty++) {
    std::vector<float> t; cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
    for (int r = 0; r < 8; r++) { if (dirty) CK(cudaMemsetAsync(big + CLEAN, r, 512u << 20)); else for (int i = 0; i < 2; i++) readAll<<<1056, 512>>>((const uint4 *)(big + CLEAN), (512u << 20) / 16, (u32 *)sink);
      CK(cudaEventRecord(a)); rows<L><<<blocks, threads>>>((float *)big, n, words, sink); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float m; CK(cudaEventElapsedTime(&m, a, b)); if (r) t.push_back(m); }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end()); printf("{\"micro\":\"rows\",\"lanes\":%d,\"words\":%d,\"MiB\":%d,\"behind\":\"%s\",\"us\":%.2f}\n", L, words, mib, dirty ? "dirty" : "clean", t[3] * 1000); fflush(stdout);
  }
}
int main() {
  CK(cudaMalloc(&big, 2ull << 30)); CK(cudaMalloc(&sink, 256 << 20)); CK(cudaMemset(big, 1, 2ull << 30));
  for (int mib : {48, 192}) { for (int w : {24, 33, 64, 96, 100, 200, 256, 264, 500, 520, 1024}) { run<1>(w, mib); run<4>(w, mib); run<8>(w, mib); run<16>(w, mib); } }
}
