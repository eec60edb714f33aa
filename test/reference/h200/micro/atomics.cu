// REDs of whole lines by blocks: how many lines, how far apart, of which type, with which value, how many a block at a time.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
// Each block: `rounds` times, each warp adds to line (warp + round) * apart words on.
template <class T> __global__ void lines(T *p, int lines, int apart, int rounds, T value) {
  int w = threadIdx.x >> 5, lane = threadIdx.x & 31, warps = blockDim.x >> 5;
  for (int r = 0; r < rounds; r++)
    for (int l = w; l < lines; l += warps) atomicAdd(p + l * apart + lane, value);
}
// As lines, but behind a barrier and some work, as a histogram's end.
template <class T> __global__ void endings(const T *in, T *p, int bins) {
  extern __shared__ unsigned char raw[];
  T *s = (T *)raw;
  for (int k = threadIdx.x; k < bins; k += blockDim.x) s[k] = in[(blockIdx.x * bins + k) & 0xffffff];
  __syncthreads();
  for (int k = threadIdx.x; k < bins; k += blockDim.x) atomicAdd(p + k, s[k]);
}
template <class F> float us(F f) {
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
  std::vector<float> t;
  for (int r = 0; r < 7; r++) { CK(cudaEventRecord(a)); f(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); float m; CK(cudaEventElapsedTime(&m, a, b)); t.push_back(m * 1000); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); cudaEventDestroy(a); cudaEventDestroy(b); return t[3];
}
template <class T> void rows(const char *type, T *p, T value) {
  for (int n : {1, 2, 3, 4, 8, 16, 32, 64})
    for (int apart : {32, 64, 128, 256, 1024, 4096}) {
      if (n == 1 && apart > 32) continue;
      int warps = std::min(n, 4);
      float one = us([&] { lines<T><<<2112, warps * 32>>>(p, n, apart, 4, value); }), two = us([&] { lines<T><<<2112, warps * 32>>>(p, n, apart, 12, value); });
      printf("{\"micro\":\"lines\",\"type\":\"%s\",\"lines\":%d,\"apartWords\":%d,\"nsPerLine\":%.4f}\n", type, n, apart, (two - one) * 1000 / (2112.0 * 8 * n));
    }
}
template <class T> void ends(const char *type, const T *in, T *p) {
  for (int bins : {32, 64, 128, 256, 1024})
    for (int block : {128, 256, 512, 1024}) {
      float t[2]; int g[2] = {4224, 12672};
      for (int k = 0; k < 2; k++) t[k] = us([&] { endings<T><<<g[k], block, bins * sizeof(T)>>>(in, p, bins); });
      printf("{\"micro\":\"endings\",\"type\":\"%s\",\"bins\":%d,\"block\":%d,\"nsPerBlock\":%.4f,\"us\":[%.2f,%.2f]}\n", type, bins, block, (t[1] - t[0]) * 1000 / (g[1] - g[0]), t[0], t[1]);
    }
}
__global__ void fillF(float *f, int *i, int n) { int k = blockIdx.x * 256 + threadIdx.x; if (k < n) { f[k] = (k * 2654435761u >> 22) / 1024.0f; i[k] = k * 2654435761u >> 22; } }
int main() {
  float *f, *inF; int *inI; CK(cudaMalloc(&f, 1 << 26)); CK(cudaMemset(f, 0, 1 << 26)); CK(cudaMalloc(&inF, 1 << 26)); CK(cudaMalloc(&inI, 1 << 26));
  fillF<<<65536, 256>>>(inF, inI, 1 << 24);
  rows<float>("float", f, 1.0f); rows<int>("int", (int *)f, 1); rows<float>("float of 0.37", f, 0.37f); rows<double>("double", (double *)f, 1.0);
  CK(cudaMemset(f, 0, 1 << 26)); ends<float>("float", inF, f);
  CK(cudaMemset(f, 0, 1 << 26)); ends<int>("int", inI, (int *)f);
}
