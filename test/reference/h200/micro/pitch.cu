// Tiles of 32 x 32 words of matrices whose rows begin anywhere in a line: `pad` words more a row than whole lines, `shift` words before the first. Rows: the next block's tile lies
// beside a block's, columns: below it, linear: a tile's words lie behind each other. A thread has four words. Behind a dirty L2, and repeated.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
template <int ORDER> __device__ __forceinline__ int place(int row, int lane, int pitch) {
  if (ORDER == 1) return (blockIdx.y * gridDim.x + blockIdx.x) * 1024 + row * 32 + lane;
  int x = ORDER == 2 ? blockIdx.x : blockIdx.y, y = ORDER == 2 ? blockIdx.y : blockIdx.x;
  return (y * 32 + row) * pitch + x * 32 + lane;
}
template <int R, int S> __global__ void pitched(const float *in, float *out, int pitch) {
  int lane = threadIdx.x, row = threadIdx.y; float v[4];
#pragma unroll
  for (int u = 0; u < 4; u++) v[u] = R ? in[place<R>(row + 8 * u, lane, pitch)] : 1.0f;
  if (S) {
#pragma unroll
    for (int u = 0; u < 4; u++) out[place<S>(row + 8 * u, lane, pitch)] = v[u];
  } else if (v[0] + v[1] + v[2] + v[3] == 12345.0f) out[blockIdx.x] = 1;
}
float *in, *out; char *flush; bool once;
template <int R, int S> void run(int n, int pad, int shift) {
  auto f = [&] { pitched<R, S><<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in + shift, out + shift, n + pad); };
  if (once) { f(); f(); CK(cudaDeviceSynchronize()); return; }
  cudaEvent_t x, y; CK(cudaEventCreate(&x)); CK(cudaEventCreate(&y));
  float us[2];
  for (int cold = 0; cold < 2; cold++) {
    std::vector<float> t;
    for (int r = 0; r < 15; r++) { if (cold) CK(cudaMemsetAsync(flush, r, 512u << 20)); CK(cudaEventRecord(x)); f(); CK(cudaEventRecord(y)); CK(cudaEventSynchronize(y)); float ms; CK(cudaEventElapsedTime(&ms, x, y)); if (r > 1) t.push_back(ms); }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end()); us[cold] = t[6] * 1000;
  }
  const char *orders[] = {"none", "linear", "rows", "columns"};
  printf("{\"read\":\"%s\",\"write\":\"%s\",\"n\":%d,\"pad\":%d,\"shift\":%d,\"dirty\":%.2f,\"repeated\":%.2f}\n", orders[R], orders[S], n, pad, shift, us[1], us[0]); fflush(stdout);
}
void all(int n, int pad, int shift) {
  run<2, 0>(n, pad, shift); run<3, 0>(n, pad, shift); run<0, 2>(n, pad, shift); run<0, 3>(n, pad, shift);
  run<1, 2>(n, pad, shift); run<1, 3>(n, pad, shift); run<2, 1>(n, pad, shift); run<3, 1>(n, pad, shift);
  run<2, 2>(n, pad, shift); run<2, 3>(n, pad, shift); run<3, 2>(n, pad, shift);
}
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&in, 512u << 20)); CK(cudaMalloc(&out, 512u << 20)); CK(cudaMalloc(&flush, 512u << 20)); CK(cudaMemset(in, 0, 512u << 20));
  if (once) { for (int pad : {0, 16, 8, 1}) all(2048, pad, 0); for (int shift : {16, 8}) all(2048, 0, shift); return 0; }
  for (int n : {2048, 1024, 4096}) {
    for (int pad : {0, 16, 8, 24, 4, 1}) all(n, pad, 0);
    for (int shift : {16, 8}) all(n, 0, shift);
  }
}
