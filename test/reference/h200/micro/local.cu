// Local memory on an H200. chase: the index of each load is the value loaded before. load, store, add: four accesses a round.
// spill: more values than registers. Lane l begins at element l * lane: 0 is one index for all lanes, 1 one for each.
// Built by: nvcc -O3 -arch=sm_90 h200/micro/local.cu; the counts by Nsight Compute with --clock-control none.
#include <cstdio>
#include <algorithm>
#include <vector>
template <int N> __global__ void chase(int *o, int r, int s, int l) {
  int t[N];
#pragma unroll 1
  for (int i = 0; i < N; i++) t[i] = (i + s) & (N - 1);
  int k = (threadIdx.x * l) & (N - 1), x = 0;
#pragma unroll 1
  for (int i = 0; i < r; i++) {
    k = t[k];
    k = t[k];
    k = t[k];
    k = t[k];
  }
  x = k;
  o[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
template <int N> __global__ void load(int *o, int r, int s, int l) {
  int t[N];
#pragma unroll 1
  for (int i = 0; i < N; i++) t[i] = (i + s) & (N - 1);
  int k = (threadIdx.x * l) & (N - 1), x = 0;
#pragma unroll 1
  for (int i = 0; i < r; i++) {
    x += t[k] + t[(k + s) & (N - 1)] + t[(k + 2 * s) & (N - 1)] + t[(k + 3 * s) & (N - 1)];
    k = (k + 4 * s) & (N - 1);
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
template <int N> __global__ void store(int *o, int r, int s, int l) {
  int t[N];
#pragma unroll 1
  for (int i = 0; i < N; i++) t[i] = (i + s) & (N - 1);
  int k = (threadIdx.x * l) & (N - 1), x = 0;
#pragma unroll 1
  for (int i = 0; i < r; i++) {
    t[k] = i;
    t[(k + s) & (N - 1)] = i + 1;
    t[(k + 2 * s) & (N - 1)] = i + 2;
    t[(k + 3 * s) & (N - 1)] = i + 3;
    k = (k + 4 * s) & (N - 1);
  }
  x = t[(k + r) & (N - 1)];
  o[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
template <int N> __global__ void add(int *o, int r, int s, int l) {
  int t[N];
#pragma unroll 1
  for (int i = 0; i < N; i++) t[i] = (i + s) & (N - 1);
  int k = (threadIdx.x * l) & (N - 1), x = 0;
#pragma unroll 1
  for (int i = 0; i < r; i++) {
    t[k] += i;
    k = (k + s) & (N - 1);
    t[k] += i;
    k = (k + s) & (N - 1);
    t[k] += i;
    k = (k + s) & (N - 1);
    t[k] += i;
    k = (k + s) & (N - 1);
  }
  x = t[(k + r) & (N - 1)];
  o[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
template <int N> __global__ void spill(float *o, const float *p, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x; float v[N]; float a = 0, b = 0;
#pragma unroll
  for (int i = 0; i < N; i++) { v[i] = p[at + i * n]; a += v[i]; }
#pragma unroll
  for (int i = 0; i < N; i++) b += v[i] * (v[i] - a);
  o[at] = b;
}
int *o; bool once;
template <class F> double us(F f) {
  cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> v;
  for (int i = 0; i < (once ? 1 : 23); i++) { cudaEventRecord(a); f(); cudaEventRecord(b); cudaEventSynchronize(b); float m; cudaEventElapsedTime(&m, a, b); if (i > 2 || once) v.push_back(m); }
  std::sort(v.begin(), v.end()); if (cudaGetLastError()) printf("error\n"); return v[v.size() / 2] * 1e3;
}
typedef void (*K)(int *, int, int, int);
void row(const char *name, K f, int n, int l, int blocks, int threads) {
  double few = us([&] { f<<<blocks, threads>>>(o, 64, 5, l); }), more = once ? 0 : us([&] { f<<<blocks, threads>>>(o, 320, 5, l); });
  printf("{\"kernel\":\"%s\",\"words\":%d,\"lane\":%d,\"blocks\":%d,\"threads\":%d,\"us64\":%.2f,\"us320\":%.2f}\n", name, n, l, blocks, threads, few, more);
}
template <int N> void rows() { for (int l : {0, 1}) for (int c : {0, 1, 2, 3}) { int b[] = {132, 132, 1056, 4224}, h = c ? 256 : 32;
  row("chase", chase<N>, N, l, b[c], h); row("load", load<N>, N, l, b[c], h); row("store", store<N>, N, l, b[c], h); row("add", add<N>, N, l, b[c], h); } }
template <int N> void spills() { for (int b : {132, 1056, 4224}) printf("{\"kernel\":\"spill\",\"words\":%d,\"blocks\":%d,\"threads\":128,\"us\":%.2f}\n", N, b, us([&] { spill<N><<<b, 128>>>((float *)o, (float *)o + (4 << 20), b * 128); })); }
int main(int c, char **) { once = c > 1; cudaMalloc(&o, 2u << 30); cudaMemset(o, 0, 2u << 30); for (int i = 0; i < 200 && !once; i++) chase<64><<<1056, 256>>>(o, 320, 5, 1);
  rows<16>(); rows<64>(); rows<256>(); spills<200>(); spills<280>(); spills<320>(); }
