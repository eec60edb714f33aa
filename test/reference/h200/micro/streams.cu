// What a launch takes longer behind a dirty L2 than behind a clean one, by what it reads and writes: R arrays read and W written, one float4 a
// thread (streams) or in a loop; pieces read and copied by a block each, of which W of eight words are written back where they were
// (updatePiece) or elsewhere (foldPiece); loops; y = a x + y, y = a x + z, y = a y. One JSON line each.
// Build: nvcc -O3 -arch=sm_90 h200/micro/streams.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef long long ll;
template <int R, int W> __device__ void stream(const float4 *in, float4 *out, ll each, ll i) {
  float4 v = make_float4(1, 1, 1, 1);
#pragma unroll
  for (int r = 0; r < R; r++) { float4 u = in[r * each + i]; v.x += u.x; v.y += u.y; v.z += u.z; v.w += u.w; }
#pragma unroll
  for (int w = 0; w < W; w++) out[w * each + i] = v;
  if (W == 0 && v.x == 12345.f) out[0] = v;
}
template <int R, int W> __global__ void streams(const float4 *in, float4 *out, ll each) { stream<R, W>(in, out, each, blockIdx.x * (ll)blockDim.x + threadIdx.x); }
template <int R, int W> __global__ void streamsLoop(const float4 *in, float4 *out, ll each) {
  for (ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; i < each; i += (ll)gridDim.x * blockDim.x) stream<R, W>(in, out, each, i);
}
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
template <int W> __device__ void eight(const float *p, float *q, float *out) {
  float v[8], s = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) { v[k] = p[k * blockDim.x]; s += v[k]; }
#pragma unroll
  for (int k = 0; k < W; k++) q[k * blockDim.x] = s + k;
  if (s == 12345.f) out[0] = s;
}
template <int W> __global__ void updatePiece(float *io, float *out) { float *p = io + (ll)blockIdx.x * blockDim.x * 8 + threadIdx.x; eight<W>(p, p, out); }
template <int W> __global__ void foldPiece(float *io, float *out) { eight<W>(io + (ll)blockIdx.x * blockDim.x * 8 + threadIdx.x, out + (ll)blockIdx.x * blockDim.x * W + threadIdx.x, out); }
__global__ void readLoop(const float *in, float *out, ll n) {
  float s = 0;
  for (ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; i < n; i += (ll)gridDim.x * blockDim.x) s += in[i];
  if (s == 12345.f) out[0] = s;
}
__global__ void saxpyEach(const float *x, float *y) { ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; y[i] = 2.0f * x[i] + y[i]; }
__global__ void triadEach(const float *x, const float *z, float *y) { ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; y[i] = 2.0f * x[i] + z[i]; }
__global__ void scaleEach(float *y) { ll i = blockIdx.x * (ll)blockDim.x + threadIdx.x; y[i] = 2.0f * y[i]; }
__global__ void readAll(const float4 *p, size_t n, float *o) {
  float s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = p[i]; s += v.x + v.y + v.z + v.w; }
  if (s == 1.2345f) *o = s;
}
struct Launch { const char *name; int reads, writes; double MB; std::function<void()> run; };
int main() {
  const size_t EACH = (size_t)1200 << 20, FLUSH = 512u << 20;
  char *A, *B, *flush; CK(cudaMalloc(&A, EACH)); CK(cudaMalloc(&B, EACH)); CK(cudaMalloc(&flush, FLUSH)); CK(cudaMemset(A, 0, EACH)); CK(cudaMemset(B, 0, EACH));
  const float4 *a = (float4 *)A; float4 *b = (float4 *)B; float *f = (float *)A, *g = (float *)B;
  std::vector<Launch> table;
#define S(R_, W_) for (int mb : {64, 256}) { ll e = ((ll)mb << 20) / 16; \
    table.push_back({"streams", R_, W_, mb * 1.048576, [=] { streams<R_, W_><<<(unsigned)(e / 256), 256>>>(a, b, e); }}); \
    table.push_back({"streamsLoop", R_, W_, mb * 1.048576, [=] { streamsLoop<R_, W_><<<132 * 4, 512>>>(a, b, e); }}); }
  S(1, 0) S(2, 0) S(4, 1) S(3, 1) S(2, 1) S(3, 2) S(1, 1) S(2, 2) S(2, 3) S(1, 2) S(1, 3) S(0, 1) S(0, 2)
#define T(name, reads, writes, ...) table.push_back({name, reads, writes, n * 4 / 1e6, [=] { __VA_ARGS__; }});
  for (int mi : {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40, 48, 64}) {
    ll n = (ll)mi << 20;
    T("readPiece8", 8, 0, readPiece<8><<<(unsigned)(n / 8 / 256), 256>>>(f, g)) T("readPiece4", 4, 0, readPiece<4><<<(unsigned)(n / 4 / 256), 256>>>(f, g))
    T("readPiece1", 1, 0, readPiece<1><<<(unsigned)(n / 1024), 1024>>>(f, g)) T("readLoopHalf", 1, 0, readLoop<<<132 * 4, 256>>>(f, g, n))
    T("readLoopFull", 1, 0, readLoop<<<132 * 8, 256>>>(f, g, n)) T("readLoopQuarter", 1, 0, readLoop<<<132 * 2, 256>>>(f, g, n))
    T("copyPiece4", 4, 4, copyPiece<4><<<(unsigned)(n / 4 / 256), 256>>>(f, g)) T("copyPiece1", 1, 1, copyPiece<1><<<(unsigned)(n / 256), 256>>>(f, g))
  }
  for (int mi : {2, 4, 8, 16, 32, 64}) {
    ll n = (ll)mi << 20;
#define U(W_) T("updatePiece", 8, W_, updatePiece<W_><<<(unsigned)(n / 8 / 256), 256>>>(f, g)) T("foldPiece", 8, W_, foldPiece<W_><<<(unsigned)(n / 8 / 256), 256>>>(f, g))
    U(0) U(1) U(2) U(4) U(8)
    T("saxpyEach", 2, 1, saxpyEach<<<(unsigned)(n / 256), 256>>>(f, g)) T("saxpyEach1024", 2, 1, saxpyEach<<<(unsigned)(n / 1024), 1024>>>(f, g))
    T("triadEach", 2, 1, triadEach<<<(unsigned)(n / 256), 256>>>(f, f + ((ll)128 << 20), g))
    T("scaleEach", 1, 1, scaleEach<<<(unsigned)(n / 256), 256>>>(g)) T("scaleEach1024", 1, 1, scaleEach<<<(unsigned)(n / 1024), 1024>>>(g))
  }
  cudaEvent_t e0, e1; CK(cudaEventCreate(&e0)); CK(cudaEventCreate(&e1));
  for (auto &l : table) {
    float us[2][9];
    for (int m = 0; m < 2; m++) for (int r = 0; r < 9; r++) {
      if (m == 1) CK(cudaMemsetAsync(flush, 1, FLUSH)); else for (int i = 0; i < 2; i++) readAll<<<1056, 256>>>((float4 *)flush, FLUSH / 16, g);
      CK(cudaEventRecord(e0)); l.run(); CK(cudaEventRecord(e1)); CK(cudaEventSynchronize(e1)); CK(cudaEventElapsedTime(&us[m][r], e0, e1));
    }
    for (auto &each : us) std::sort(each, each + 9);
    printf("{\"micro\":\"%s\",\"reads\":%d,\"writes\":%d,\"MB\":%.2f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f}\n", l.name, l.reads, l.writes, l.MB, us[0][4] * 1000, us[1][4] * 1000);
  }
}
