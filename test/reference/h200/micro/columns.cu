// Matrices written or read down columns and along rows, by floats, doubles and float4, transposed and not: what that costs L2, clean and dirty.
// `h200/micro/columns`: times by events, a JSON line each; `h200/micro/columns once`: each once behind 512 MiB set, for Nsight Compute:
// ncu --cache-control none (or all) --clock-control none --replay-mode application -k 'regex:Across|Down'
//   --metrics gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_write.sum
// Build: nvcc -O3 -arch=sm_90 h200/micro/columns.cu
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cstdlib>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
template <typename T> __global__ void transposeDown(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[(size_t)x * h + y] = in[(size_t)y * w + x];
}
template <typename T> __global__ void transposeAcross(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[(size_t)y * w + x] = in[(size_t)x * h + y];
}
__device__ void set(float &d) { d = 1; } __device__ void set(double &d) { d = 1; } __device__ void set(float4 &d) { d = make_float4(1, 1, 1, 1); }
template <typename T> __global__ void storeDown(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  T v; set(v);
  if (x < w && y < h) out[(size_t)x * h + y] = v;
}
template <typename T> __global__ void storeAcross(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  T v; set(v);
  if (x < w && y < h) out[(size_t)y * w + x] = v;
}
template <typename T> __global__ void copyAcross(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[(size_t)y * w + x] = in[(size_t)y * w + x];
}
template <typename T> __global__ void readAcross(const T *in, T *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) { T v = in[(size_t)y * w + x]; if (*(const float *)&v == 12345.f) out[0] = v; }
}
__global__ void readAll(const float4 *p, size_t n, float *o) {
  float s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { float4 v = p[i]; s += v.x + v.y + v.z + v.w; }
  if (s == 1.2345f) *o = s;
}
struct L { const char *k, *t; int size, w, h, bx, by; std::function<void()> run; };
std::vector<L> table; char *A, *Bq, *flush; float *o;
template <typename T> void add(const char *t, int w, int h, int bx, int by) {
  dim3 b(bx, by), g((w + bx - 1) / bx, (h + by - 1) / by);
#define K(k) table.push_back({#k, t, (int)sizeof(T), w, h, bx, by, [=] { k<T><<<g, b>>>((const T *)A, (T *)Bq, w, h); }});
  K(transposeDown) K(storeDown)
  if (bx == 32) { K(transposeAcross) K(copyAcross) K(readAcross) K(storeAcross) }
}
int main(int argc, char **argv) {
  CK(cudaMalloc(&A, 320u << 20)); CK(cudaMalloc(&Bq, 320u << 20)); CK(cudaMalloc(&flush, 512u << 20)); CK(cudaMalloc(&o, 4));
  CK(cudaMemset(A, 0, 320u << 20)); CK(cudaMemset(Bq, 0, 320u << 20));
  for (int n : {1024, 1448 / 8 * 8, 2048, 2896 / 16 * 16, 4096, 5792 / 32 * 32, 8192}) {
    add<float>("float", n, n, 32, 8);
    if ((size_t)n * n * 8 <= (300u << 20)) add<double>("double", n, n, 32, 8);
    if ((size_t)n * n * 16 <= (300u << 20)) add<float4>("float4", n, n, 32, 8);
    add<float>("float", n, n, 16, 16);
    if ((size_t)n * n * 8 <= (300u << 20)) add<double>("double", n, n, 16, 16);
  }
  bool once = argc > 1;
  cudaEvent_t e0, e1; CK(cudaEventCreate(&e0)); CK(cudaEventCreate(&e1));
  for (auto &l : table) {
    if (once) { CK(cudaMemset(flush, 1, 512u << 20)); l.run(); CK(cudaDeviceSynchronize()); continue; }
    float best[2][5]; 
    for (int mode = 0; mode < 2; mode++) for (int r = 0; r < 5; r++) {
      if (mode == 0) { readAll<<<132 * 8, 256>>>((float4 *)flush, (512u << 20) / 16, o); readAll<<<132 * 8, 256>>>((float4 *)flush, (512u << 20) / 16, o); } else CK(cudaMemsetAsync(flush, 1, 512u << 20));
      CK(cudaEventRecord(e0)); l.run(); CK(cudaEventRecord(e1)); CK(cudaEventSynchronize(e1)); CK(cudaEventElapsedTime(&best[mode][r], e0, e1));
    }
    std::sort(best[0], best[0] + 5); std::sort(best[1], best[1] + 5);
    printf("{\"kernel\":\"%s\",\"type\":\"%s\",\"w\":%d,\"h\":%d,\"block\":\"%dx%d\",\"MB\":%.1f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f}\n", l.k, l.t, l.w, l.h, l.bx, l.by, (double)l.w * l.h * l.size / 1e6, best[0][2] * 1000, best[1][2] * 1000);
    fflush(stdout);
  }
  CK(cudaDeviceSynchronize());
}
