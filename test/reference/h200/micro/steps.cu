// Steps of a reduction in shared memory by themselves: what a barrier, the loads before it and lanes that do nothing cost
// where 64 warps stand on an SM. Built by: nvcc -O3 -arch=sm_90 h200/micro/steps.cu
#define K extern "C" __global__ void
K barOnly(int *out, int n) {
  for (int i = 0; i < n; i++) __syncthreads();
  if (n == 12345) out[threadIdx.x] = n;
}
K loadAll(int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  for (int i = 0; i < n; i++) {
    s[t] += s[t ^ 1];
    __syncthreads();
  }
  if (s[t] == 12345) out[t] = x;
}
K loadHalf(int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x, h = blockDim.x / 2;
  s[t] = t;
  for (int i = 0; i < n; i++) {
    if (t < h) s[t] += s[t + h];
    __syncthreads();
  }
  if (s[t] == 12345) out[t] = n;
}
K loadWarp(int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < n; i++) {
    if (t < 32) s[t] += s[t + 32];
    __syncthreads();
  }
  if (s[t] == 12345) out[t] = n;
}
K loadApart(int *out, int n, int stride) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < n; i++) {
    int index = 2 * stride * t;
    if (index < blockDim.x) s[index] += s[index + stride];
    __syncthreads();
  }
  if (s[t] == 12345) out[t] = n;
}
K tree(int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < n; i++) {
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
      if (t < k) s[t] += s[t + k];
      __syncthreads();
    }
  }
  if (s[t] == 12345) out[t] = n;
}
K treeApart(int *out, int n) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = t;
  for (int i = 0; i < n; i++) {
    for (int k = 1; k < blockDim.x; k *= 2) {
      int index = 2 * k * t;
      if (index < blockDim.x) s[index] += s[index + k];
      __syncthreads();
    }
  }
  if (s[t] == 12345) out[t] = n;
}
K loadSpread(int *out, int n, int stride) {
  __shared__ int s[2048];
  int t = threadIdx.x, a = t * stride & 2047, x = 0;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < n; i++) x = s[(a + x) & 2047];
  if (x == 12345) out[t] = n;
}
#ifndef NO_MAIN
#include <cstdio>
#include <cstring>
#include <algorithm>
template <class F> double us(F f) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); float t[7]; for (int r = 0; r < 7; r++) { cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); cudaEventElapsedTime(&t[r], a, b); } std::sort(t, t + 7); return t[3] * 1000; }
#define ROW(NAME, CALL1, CALL2, STRIDE) { double x = us([&] { CALL1; }), y = us([&] { CALL2; }); printf("{\"kernel\":\"" NAME "\",\"threads\":%d,\"blocksPerSm\":%d,\"stride\":%d,\"cyclesPerStep\":%.1f}\n", th, per, STRIDE, (y - x) * 1980 / (b - a)); }
int main(int argc, char **argv) {
  int *out; cudaMalloc(&out, 1 << 20); int a = 200, b = 1000; bool once = argc > 1;
  for (int th : {128, 256, 512, 1024}) for (int per : {1, 2048 / th}) { int g = 132 * per; if (once && (th != 256 || per == 1)) continue;
    if (once) { barOnly<<<g, th>>>(out, a); loadAll<<<g, th>>>(out, a); loadHalf<<<g, th>>>(out, a); loadWarp<<<g, th>>>(out, a); loadApart<<<g, th>>>(out, a, 1); loadApart<<<g, th>>>(out, a, 8); tree<<<g, th>>>(out, a); treeApart<<<g, th>>>(out, a); for (int s : {1, 2, 8}) loadSpread<<<g, th>>>(out, a, s); continue; }
    ROW("barOnly", (barOnly<<<g, th>>>(out, a)), (barOnly<<<g, th>>>(out, b)), 0)
    ROW("loadAll", (loadAll<<<g, th>>>(out, a)), (loadAll<<<g, th>>>(out, b)), 0)
    ROW("loadHalf", (loadHalf<<<g, th>>>(out, a)), (loadHalf<<<g, th>>>(out, b)), 0)
    ROW("loadWarp", (loadWarp<<<g, th>>>(out, a)), (loadWarp<<<g, th>>>(out, b)), 0)
    for (int s : {1, 2, 4, 8, 16, 32}) ROW("loadApart", (loadApart<<<g, th>>>(out, a, s)), (loadApart<<<g, th>>>(out, b, s)), s)
    ROW("tree", (tree<<<g, th>>>(out, a)), (tree<<<g, th>>>(out, b)), 0)
    ROW("treeApart", (treeApart<<<g, th>>>(out, a)), (treeApart<<<g, th>>>(out, b)), 0)
    for (int s : {1, 2, 8}) ROW("loadSpread", (loadSpread<<<g, th>>>(out, a, s)), (loadSpread<<<g, th>>>(out, b, s)), s)
  }
  return cudaDeviceSynchronize();
}
#endif
