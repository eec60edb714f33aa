// Tiles of 32 x 32 words of matrices whose rows are `pad` words longer than whole lines, written in columns of `deep` tiles: the block `deep` later writes beside a block, and the rest of
// the sectors that it wrote a part of. A thread has four words. Behind a dirty L2, and repeated; `once`: for Nsight Compute.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
template <int R> __global__ void panels(const float *in, float *out, int pitch, int across, int deep) {
  int lane = threadIdx.x, row = threadIdx.y, b = blockIdx.x; float v[4];
#pragma unroll
  for (int u = 0; u < 4; u++) v[u] = R ? in[b * 1024 + (row + 8 * u) * 32 + lane] : 1.0f;
  int y = b / (deep * across) * deep + b % deep, x = b / deep % across;
#pragma unroll
  for (int u = 0; u < 4; u++) out[(y * 32 + row + 8 * u) * pitch + x * 32 + lane] = v[u];
}
float *in, *out; char *flush; bool once;
template <int R> void run(int n, int pad, int deep) {
  auto f = [&] { panels<R><<<n / 32 * (n / 32), dim3(32, 8)>>>(in, out, n + pad, n / 32, deep); };
  if (once) { f(); f(); CK(cudaDeviceSynchronize()); return; }
  cudaEvent_t x, y; CK(cudaEventCreate(&x)); CK(cudaEventCreate(&y));
  float us[2];
  for (int cold = 0; cold < 2; cold++) {
    std::vector<float> t;
    for (int r = 0; r < 15; r++) { if (cold) CK(cudaMemsetAsync(flush, r, 512u << 20)); CK(cudaEventRecord(x)); f(); CK(cudaEventRecord(y)); CK(cudaEventSynchronize(y)); float ms; CK(cudaEventElapsedTime(&ms, x, y)); if (r > 1) t.push_back(ms); }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end()); us[cold] = t[6] * 1000;
  }
  printf("{\"read\":%d,\"n\":%d,\"pad\":%d,\"deep\":%d,\"dirty\":%.2f,\"repeated\":%.2f}\n", R, n, pad, deep, us[1], us[0]); fflush(stdout);
}
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&in, 512u << 20)); CK(cudaMalloc(&out, 512u << 20)); CK(cudaMalloc(&flush, 512u << 20)); CK(cudaMemset(in, 0, 512u << 20));
  if (once) { for (int n : {2048, 4096}) for (int pad : {0, 1, 4}) for (int deep : {1, 64}) { run<0>(n, pad, deep); run<1>(n, pad, deep); } return 0; }
  for (int n : {1024, 2048, 4096, 8192}) for (int pad : {0, 1, 2, 4, 8, 5}) for (int deep : {1, 2, 4, 8, 16, 32, 64, 128}) if (deep <= n / 32) { run<0>(n, pad, deep); run<1>(n, pad, deep); }
}
