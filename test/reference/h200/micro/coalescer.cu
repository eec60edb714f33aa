// What L2 is asked for when blocks on several SMs read the same sectors at about the same time. chain: block b reads, U loads at a time, the
// stretches of 256 words b + k * lag; group: blocks of G in a row read the same stretches. Data in L2 (repeated).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
template <int U> __global__ void chain(const int *in, int *out, int stride, int lag, int rounds) {
  unsigned b = blockIdx.x, t = threadIdx.x, s = 0;
  for (int k = 0; k < rounds; k += U) {
    int v[U];
#pragma unroll
    for (int u = 0; u < U; u++) v[u] = __ldcg(in + ((b + (k + u) * lag) * 256 + t) * stride);
#pragma unroll
    for (int u = 0; u < U; u++) s += v[u];
  }
  out[b * 256 + t] = s;
}
template <int U> __global__ void group(const int *in, int *out, int stride, int each, int apart, int rounds) {
  unsigned g = apart ? blockIdx.x % (gridDim.x / each) : blockIdx.x / each, t = threadIdx.x, s = 0;
  for (int k = 0; k < rounds; k += U) {
    int v[U];
#pragma unroll
    for (int u = 0; u < U; u++) v[u] = __ldcg(in + ((g * rounds + k + u) * 256 + t) * stride);
#pragma unroll
    for (int u = 0; u < U; u++) s += v[u];
  }
  out[blockIdx.x * 256 + t] = s;
}
int *in, *out; bool once;
template <class F> void run(const char *name, int U, int stride, int a, int b, int grid, int rounds, F f) {
  if (once) { f(); CK(cudaDeviceSynchronize()); printf("%s %d %d %d %d %d %d\n", name, U, stride, a, b, grid, rounds); return; }
  cudaEvent_t x, y; CK(cudaEventCreate(&x)); CK(cudaEventCreate(&y)); std::vector<float> t;
  for (int r = 0; r < 23; r++) { CK(cudaEventRecord(x)); f(); CK(cudaEventRecord(y)); CK(cudaEventSynchronize(y)); float ms; CK(cudaEventElapsedTime(&ms, x, y)); if (r > 1) t.push_back(ms); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end());
  printf("{\"kernel\":\"%s\",\"loadsTogether\":%d,\"stride\":%d,\"lag\":%d,\"apart\":%d,\"grid\":%d,\"rounds\":%d,\"ms\":%.6f}\n", name, U, stride, a, b, grid, rounds, t[10]); fflush(stdout);
}
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&in, 1u << 30)); CK(cudaMemset(in, 0, 1u << 30)); CK(cudaMalloc(&out, 1 << 26));
  int grid = 132 * 8;
#define C(U, S, LAG, R) run("chain", U, S, LAG, 0, grid, R, [&] { chain<U><<<grid, 256>>>(in, out, S, LAG, R); });
#define G(U, S, E, A, R) run("group", U, S, E, A, grid, R, [&] { group<U><<<grid, 256>>>(in, out, S, E, A, R); });
  C(1, 1, 1, 64) C(2, 1, 1, 64) C(4, 1, 1, 64) C(8, 1, 1, 64) C(16, 1, 1, 64)
  C(1, 8, 1, 32) C(2, 8, 1, 32) C(4, 8, 1, 32) C(8, 8, 1, 32)
  C(1, 16, 1, 32) C(4, 16, 1, 32) C(8, 16, 1, 32)
  C(4, 1, 2, 64) C(4, 1, 8, 64) C(4, 1, 33, 64) C(4, 1, 132, 64)
  G(4, 1, 1, 0, 32) G(4, 1, 2, 0, 32) G(4, 1, 4, 0, 32) G(4, 1, 8, 0, 32) G(4, 1, 16, 0, 32) G(4, 1, 66, 0, 32) G(4, 1, 132, 0, 32) G(4, 1, 1056, 0, 32)
  G(4, 1, 2, 1, 32) G(4, 1, 4, 1, 32) G(4, 1, 8, 1, 32) G(4, 1, 16, 1, 32) G(4, 1, 66, 1, 32)
  G(1, 1, 8, 0, 32) G(8, 1, 8, 0, 32) G(4, 8, 1, 0, 16) G(4, 8, 8, 0, 16) G(4, 8, 8, 1, 16) G(4, 16, 8, 0, 16) G(4, 16, 1, 0, 16)
  grid = 132;
  C(4, 1, 1, 64) G(4, 1, 1, 0, 64) G(4, 1, 4, 0, 64) G(4, 1, 132, 0, 64)
}
