#include "kernels.cu"
#include <cstdio>
#include <vector>
int main() {
  const size_t N = 1 << 20, PAD = 1 << 16;
  int *I, *O, *P, *W; float *F, *G, *H;
  std::vector<int> h(N + PAD); std::vector<float> f(N + PAD);
  for (size_t k = 0; k < N + PAD; k++) { h[k] = (unsigned)((unsigned)k * 2654435761u) >> 22; f[k] = (h[k] + 1) / 1024.0f; }
  cudaMalloc(&I, (N + PAD) * 4); cudaMalloc(&O, (N + PAD) * 4); cudaMalloc(&P, (N + PAD) * 4); cudaMalloc(&W, (N + PAD) * 4);
  cudaMalloc(&F, (N + PAD) * 4); cudaMalloc(&G, (N + PAD) * 4); cudaMalloc(&H, (N + PAD) * 4);
  cudaMemcpy(I, h.data(), (N + PAD) * 4, cudaMemcpyHostToDevice); cudaMemcpy(W, h.data(), (N + PAD) * 4, cudaMemcpyHostToDevice);
  cudaMemcpy(F, f.data(), (N + PAD) * 4, cudaMemcpyHostToDevice); cudaMemcpy(G, f.data(), (N + PAD) * 4, cudaMemcpyHostToDevice);
  cudaMemset(O, 0, (N + PAD) * 4); cudaMemset(P, 0, (N + PAD) * 4); cudaMemset(H, 0, (N + PAD) * 4);
  const int M = N;
#define L(k, grid, block, smem, ...) { k<<<dim3 grid, dim3 block, smem>>>(__VA_ARGS__); cudaError_t e = cudaDeviceSynchronize(); if (e) { printf("%s %s\n", #k, cudaGetErrorString(e)); return 1; } }
#include "launches.inc"
  return 0;
}
