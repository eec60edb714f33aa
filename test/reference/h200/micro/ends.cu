// When launches of many blocks and of few begin and end: pieces read, copied and summed by a block each, loops of all resident warps, blocks
// that spin and that compute. `h200/micro/ends list`: the launches; `events`: their times; else each once, for Nsight Compute:
// ncu --cache-control all --clock-control none --metrics gpu__time_duration.sum,sm__cycles_active.avg,sm__cycles_active.max,sm__cycles_active.min,sm__cycles_elapsed.max
// Build: nvcc -O3 -arch=sm_90 h200/micro/ends.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef long long ll;
template <int LOADS> __global__ void readPiece(const float *in, float *out) {
  const float *p = in + (ll)blockIdx.x * blockDim.x * LOADS + threadIdx.x;
  float s = 0;
#pragma unroll
  for (int k = 0; k < LOADS; k++) s += p[k * blockDim.x];
  if (s == 12345.f) out[0] = s;
}
template <int LOADS> __global__ void copyPiece(const float *in, float *out) {
  ll at = (ll)blockIdx.x * blockDim.x * LOADS + threadIdx.x;
  float v[LOADS];
#pragma unroll
  for (int k = 0; k < LOADS; k++) v[k] = in[at + k * blockDim.x];
#pragma unroll
  for (int k = 0; k < LOADS; k++) out[at + k * blockDim.x] = v[k];
}
template <int LOADS> __global__ void treePiece(const float *in, float *out) {
  __shared__ float sh[1024];
  const float *p = in + (ll)blockIdx.x * blockDim.x * LOADS + threadIdx.x;
  float s = 0;
#pragma unroll
  for (int k = 0; k < LOADS; k++) s += p[k * blockDim.x];
  sh[threadIdx.x] = s; __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) { if (threadIdx.x < d) sh[threadIdx.x] += sh[threadIdx.x + d]; __syncthreads(); }
  if (threadIdx.x == 0) out[blockIdx.x] = sh[0];
}
__global__ void readLoop(const float *in, float *out, ll n) {
  float s = 0;
  for (ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; i < n; i += (ll)gridDim.x * blockDim.x) s += in[i];
  if (s == 12345.f) out[0] = s;
}
__global__ void spinCycles(int cycles) { long long t = clock64(); while (clock64() - t < cycles) {} }
__global__ void fmaChain(float *out, int n) { float a = threadIdx.x; for (int i = 0; i < n; i++) a = a * 1.0001f + 0.5f; if (a == 12345.f) out[0] = a; }
__global__ void readAll(const float4 *p, size_t n, float *o) {
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = p[i]; s += v.x + v.y + v.z + v.w; }
  if (s == 1.2345f) *o = s;
}
struct Launch { const char *kernel; ll words; int blocks, threads, param; std::function<void()> run; };
int main(int argc, char **argv) {
  const size_t FLUSH = 512u << 20;
  std::vector<Launch> table; float *A, *B; char *flush;
  CK(cudaMalloc(&A, 300u << 20)); CK(cudaMalloc(&B, 300u << 20)); CK(cudaMalloc(&flush, FLUSH)); CK(cudaMemset(A, 0, 300u << 20)); CK(cudaMemset(B, 0, 300u << 20));
  for (int mi : {2, 4, 16, 64}) for (int t : {64, 128, 256, 512, 1024}) {
    ll n = (ll)mi << 20;
#define P(k, l) { int b = (int)(n / t / l); table.push_back({#k, n, b, t, l, [=] { k<l><<<b, t>>>(A, B); }}); }
    P(readPiece, 1) P(readPiece, 4) P(readPiece, 8) P(copyPiece, 1) P(copyPiece, 4) P(treePiece, 1) P(treePiece, 8)
    for (int per : {1024, 2048}) { int b = 132 * per / t; table.push_back({"readLoop", n, b, t, per, [=] { readLoop<<<b, t>>>(A, B, n); }}); }
  }
  for (int t : {64, 256, 1024}) for (int rounds : {1, 2, 4, 16}) for (int c : {500, 2000, 8000}) {
    int b = 132 * (2048 / t) * rounds; table.push_back({"spinCycles", 0, b, t, c, [=] { spinCycles<<<b, t>>>(c); }});
    table.push_back({"fmaChain", 0, b, t, c / 16, [=] { fmaChain<<<b, t>>>(B, c / 16); }});
  }
  std::string mode = argc > 1 ? argv[1] : "once";
  cudaEvent_t e0, e1; CK(cudaEventCreate(&e0)); CK(cudaEventCreate(&e1));
  for (auto &l : table) {
    if (mode == "list") { printf("{\"kernel\":\"%s\",\"words\":%lld,\"blocks\":%d,\"threads\":%d,\"param\":%d}\n", l.kernel, l.words, l.blocks, l.threads, l.param); continue; }
    if (mode == "once") { l.run(); CK(cudaDeviceSynchronize()); continue; }
    float us[3][7];
    for (int m = 0; m < 3; m++) for (int r = 0; r < 7; r++) {
      if (m == 0) CK(cudaMemsetAsync(flush, 1, FLUSH));
      if (m == 1) for (int i = 0; i < 2; i++) readAll<<<1056, 256>>>((float4 *)flush, FLUSH / 16, B);
      if (m == 2 && r == 0) l.run();
      if (m == 2) CK(cudaDeviceSynchronize());
      CK(cudaEventRecord(e0)); l.run(); CK(cudaEventRecord(e1)); CK(cudaEventSynchronize(e1)); CK(cudaEventElapsedTime(&us[m][r], e0, e1));
    }
    for (auto &each : us) std::sort(each, each + 7);
    printf("{\"dirtyUs\":%.2f,\"cleanUs\":%.2f,\"warmUs\":%.2f}\n", us[0][3] * 1000, us[1][3] * 1000, us[2][3] * 1000);
  }
}
