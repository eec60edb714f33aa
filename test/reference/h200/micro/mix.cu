// What stores to few data, which L2 holds, take beside loads from L2 and from DRAM: 32 MiB read, 4 MiB written again and again.
// Build: nvcc -O3 -arch=sm_90 h200/micro/mix.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned int uint;
#define K extern "C" __global__ void
// `loads` lines a warp; then nothing, a word to each of 32 lines, half a sector, a sector to each of 4 lines, a line.
K mixNone(const float *in, float *out, int loads, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + (t >> 5) * 32 * loads + (t & 31);
  float v = 0;
  for (int k = 0; k < loads; k++) v += p[32 * k];
  if (v == 123.5f) out[t] = v;
}
K mixWord(const float *in, float *out, int loads, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + (t >> 5) * 32 * loads + (t & 31);
  float v = 0;
  for (int k = 0; k < loads; k++) v += p[32 * k];
  out[(t * 32) & mask] = v;
}
K mixHalf(const float *in, float *out, int loads, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + (t >> 5) * 32 * loads + (t & 31);
  float v = 0;
  for (int k = 0; k < loads; k++) v += p[32 * k];
  float4 *o = (float4 *)out;
  o[((t * 32) & mask) / 4] = make_float4(v, v, v, v);
}
K mixSector(const float *in, float *out, int loads, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + (t >> 5) * 32 * loads + (t & 31);
  float v = 0;
  for (int k = 0; k < loads; k++) v += p[32 * k];
  out[((t >> 3) * 32 + (t & 7)) & mask] = v;
}
K mixLine(const float *in, float *out, int loads, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float *p = in + (t >> 5) * 32 * loads + (t & 31);
  float v = 0;
  for (int k = 0; k < loads; k++) v += p[32 * k];
  out[t & mask] = v;
}
typedef void (*Fn)(const float *, float *, int, int);
const size_t BYTES = 256ull << 20, FLUSH = 512u << 20;
char *data, *out, *flush_;
__global__ void readAll(const int4 *p, size_t n, int *o) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; }
  if (s == 123456789) *o = s;
}
// state 0: input and output in L2; 1: clean, output in L2; 2: dirty, output in L2; 3: clean, neither.
double us(Fn f, int blocks, int loads, int mask, size_t inBytes, int state) {
  cudaEvent_t s, e; cudaEventCreate(&s); cudaEventCreate(&e); std::vector<float> t;
  for (int r = 0; r < 9; r++) {
    if (state == 2) CK(cudaMemsetAsync(flush_, r, FLUSH)); else readAll<<<1056, 256>>>((int4 *)flush_, FLUSH / 16, (int *)flush_);
    if (state == 0) readAll<<<1056, 256>>>((int4 *)data, inBytes / 16, (int *)flush_);
    if (state != 3) readAll<<<1056, 256>>>((int4 *)out, ((size_t)mask + 1) / 4, (int *)flush_);
    cudaEventRecord(s); f<<<blocks, 256>>>((const float *)data, (float *)out, loads, mask); cudaEventRecord(e); CK(cudaEventSynchronize(e)); float m; cudaEventElapsedTime(&m, s, e); if (r > 1) t.push_back(m * 1000);
  }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[t.size() / 2];
}
int main() {
  CK(cudaMalloc(&data, BYTES)); CK(cudaMalloc(&out, BYTES)); CK(cudaMalloc(&flush_, FLUSH)); CK(cudaMemset(data, 0, BYTES)); CK(cudaMemset(out, 0, BYTES)); CK(cudaMemset(flush_, 0, FLUSH));
  struct { const char *n; Fn f; } ks[] = {{"mixNone", mixNone}, {"mixWord", mixWord}, {"mixHalf", mixHalf}, {"mixSector", mixSector}, {"mixLine", mixLine}};
  const size_t words = 1 << 23;
  for (auto &k : ks) for (int loads : {0, 1, 2, 4, 8, 16}) {
    int threads = loads == 0 ? 1 << 21 : words / loads, mask = (1 << 20) - 1;
    double t[4]; for (int s = 0; s < 4; s++) t[s] = us(k.f, threads / 256, loads, mask, words * 4, s);
    printf("{\"micro\":\"%s\",\"loads\":%d,\"threads\":%d,\"inL2Us\":%.2f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f,\"nothingInL2Us\":%.2f}\n", k.n, loads, threads, t[0], t[1], t[2], t[3]);
  }
}
