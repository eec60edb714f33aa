// Microbenchmarks: parts of sectors stored by blocks of different shapes, alone and beside loads; rows and columns exchanged in
// place; words in reversed order of their bits. `parts` prints one JSON line a launch; `parts once`: for Nsight Compute.
// Build: nvcc -O3 -arch=sm_90 h200/micro/parts.cu
#include <cuda_runtime.h>
#include <cuda_profiler_api.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned int uint;
#define K extern "C" __global__ void
// A matrix of rows of `h` words is written by columns: neighbouring threads a row apart.
K colWrite1(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * h + y] = 1.0f;
}
K colWrite2(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float2 *o = (float2 *)out;
  o[x * (h / 2) + y] = make_float2(1.0f, 2.0f);
}
K colWrite4(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float4 *o = (float4 *)out;
  o[x * (h / 4) + y] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
}
// The same beside loads: a word, four of a row, one of each of four rows.
K trans1(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * h + y] = in[y * w + x];
}
K transRow4(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float4 *i = (const float4 *)in;
  float4 q = i[y * (w / 4) + x];
  out[(4 * x) * h + y] = q.x; out[(4 * x + 1) * h + y] = q.y; out[(4 * x + 2) * h + y] = q.z; out[(4 * x + 3) * h + y] = q.w;
}
K colRow4(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[(4 * x) * h + y] = 1.0f; out[(4 * x + 1) * h + y] = 2.0f; out[(4 * x + 2) * h + y] = 3.0f; out[(4 * x + 3) * h + y] = 4.0f;
}
K trans4(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float *p = in + 4 * y * w + x;
  float4 *o = (float4 *)out;
  o[x * (h / 4) + y] = make_float4(p[0], p[w], p[2 * w], p[3 * w]);
}
K transRead(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * h + x] = in[x * w + y];
}
K colRead(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = in[x * w + y];
  if (v == 123.5f) out[0] = v;
}
K swapSquare(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y && y < h) { float t = out[y * h + x]; out[y * h + x] = out[x * h + y]; out[x * h + y] = t; }
}
// Row and column of a pair: loads alone, stores alone.
K swapLoads(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y && y < h) { float t = out[y * h + x] + out[x * h + y]; if (t == 123.5f) out[0] = t; }
}
K swapStores(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y && y < h) { out[y * h + x] = 1.0f; out[x * h + y] = 2.0f; }
}
K reversed(const float *in, float *out, int w, int h) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(i) >> h] = in[i];
}
K gatherReversed(const float *in, float *out, int w, int h) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[__brev(i) >> h];
}
typedef void (*Fn)(const float *, float *, int, int);
const size_t BYTES = 512ull << 20, FLUSH = 512u << 20;
char *data, *out, *flush_; bool once;
__global__ void readAll(const int4 *p, size_t n, int *o) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; }
  if (s == 123456789) *o = s;
}
double us(Fn f, dim3 grid, dim3 block, int w, int h, int state, int reps) {
  cudaEvent_t s, e; cudaEventCreate(&s); cudaEventCreate(&e); std::vector<float> t;
  for (int r = 0; r < reps; r++) {
    if (state == 1) readAll<<<1056, 256>>>((int4 *)flush_, FLUSH / 16, (int *)flush_); else if (state == 2) cudaMemsetAsync(flush_, r, FLUSH); else cudaMemsetAsync(flush_, 0, 65536);
    cudaEventRecord(s); f<<<grid, block>>>((const float *)data, (float *)out, w, h); cudaEventRecord(e); CK(cudaEventSynchronize(e)); float m; cudaEventElapsedTime(&m, s, e); if (r > 1) t.push_back(m * 1000);
  }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); cudaEventDestroy(s); cudaEventDestroy(e); return t[t.size() / 2];
}
void one(const char *name, void *fn, int w, int h, dim3 grid, dim3 block) {
  Fn f = (Fn)fn;
  if (once) { for (int r = 0; r < 2; r++) { if (r) cudaProfilerStart(); f<<<grid, block>>>((const float *)data, (float *)out, w, h); CK(cudaDeviceSynchronize()); if (r) cudaProfilerStop(); } printf("{\"kernel\":\"%s\",\"w\":%d,\"h\":%d,\"grid\":[%u,%u],\"block\":[%u,%u]}\n", name, w, h, grid.x, grid.y, block.x, block.y); return; }
  double t[3]; for (int s : {0, 1, 2}) t[s] = us(f, grid, block, w, h, s, 9);
  printf("{\"kernel\":\"%s\",\"w\":%d,\"h\":%d,\"grid\":[%u,%u],\"block\":[%u,%u],\"cleanUs\":%.2f,\"dirtyUs\":%.2f,\"repeatedUs\":%.2f}\n", name, w, h, grid.x, grid.y, block.x, block.y, t[1], t[2], t[0]);
}
#define ONE(f, w, h, grid, block) one(#f, (void *)f, w, h, dim3 grid, dim3 block)
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&data, BYTES)); CK(cudaMalloc(&out, BYTES)); CK(cudaMalloc(&flush_, FLUSH)); CK(cudaMemset(data, 0, BYTES)); CK(cudaMemset(out, 0, BYTES)); CK(cudaMemset(flush_, 0, FLUSH));
  int shapes[][2] = {{16, 4}, {16, 8}, {16, 16}, {16, 32}, {16, 64}, {32, 4}, {32, 8}, {32, 16}, {32, 32}, {64, 4}, {64, 16}, {8, 16}, {8, 64}, {128, 2}, {256, 1}};
  for (int n : {2048, 1536}) for (auto &q : shapes) {
    int a = q[0], b = q[1]; if (n == 1536 && (b == 4 || a > 64)) continue;
    ONE(colWrite1, n, n, (n / a, n / b), (a, b)); ONE(trans1, n, n, (n / a, n / b), (a, b));
    if (n == 2048) { ONE(colRead, n, n, (n / a, n / b), (a, b)); ONE(transRead, n, n, (n / a, n / b), (a, b)); }
  }
  int few[][2] = {{16, 8}, {16, 16}, {32, 4}, {32, 8}, {64, 4}, {8, 32}};
  for (auto &q : few) {
    int a = q[0], b = q[1], n = 2048;
    ONE(colWrite2, n, n, (n / a, n / 2 / b), (a, b)); ONE(colWrite4, n, n, (n / a, n / 4 / b), (a, b)); ONE(trans4, n, n, (n / a, n / 4 / b), (a, b));
    ONE(colRow4, n, n, (n / 4 / a, n / b), (a, b)); ONE(transRow4, n, n, (n / 4 / a, n / b), (a, b));
  }
  for (int n : {1024, 2000, 2048, 4000, 4096}) for (auto &q : {std::pair<int, int>{16, 16}, {32, 8}}) {
    int a = q.first, b = q.second, x = (n + a - 1) / a, y = (n + b - 1) / b;
    ONE(swapSquare, n, n, (x, y), (a, b)); ONE(swapLoads, n, n, (x, y), (a, b)); ONE(swapStores, n, n, (x, y), (a, b));
  }
  for (int k : {20, 21, 22, 23, 24}) { ONE(reversed, 0, 32 - k, ((1 << k) / 256), (256)); ONE(gatherReversed, 0, 32 - k, ((1 << k) / 256), (256)); }
}
