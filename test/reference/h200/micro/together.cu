// What all SMs read at the same time, sums that end with an atomic of floats, random words of arrays that L1 nearly holds, four
// pieces of a thread's own line. Medians.
// Build: nvcc -O3 -arch=sm_90 h200/micro/together.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned int uint;
#define K extern "C" __global__ void
// Each block reads n words, one load of a warp at a time: the same, each from another place, or its own.
K together(const float *in, float *out, int n, int shift, int own) {
  const float *mine = in + blockIdx.x * own;
  float v = 0.0f;
  for (int k = threadIdx.x; k < n; k += blockDim.x) {
    int at = k + blockIdx.x * shift;
    at = at >= n ? at - n : at;
    v = v * 0.5f + mine[at];
    if (v > 100.0f) v = __expf(v);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}
K treeEndInt(const int *x, int *y, int loads) {
  extern __shared__ int s_treeEndInt[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * loads + t;
  int v = x[i];
  if (loads > 1) v += x[i + blockDim.x];
  if (loads > 2) v += x[i + 2 * blockDim.x];
  if (loads > 2) v += x[i + 3 * blockDim.x];
  s_treeEndInt[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s_treeEndInt[t] += s_treeEndInt[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(y, s_treeEndInt[0]);
}
K treeEndFloat(const float *x, float *y, int loads) {
  extern __shared__ float s_treeEndFloat[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * loads + t;
  float v = x[i];
  if (loads > 1) v += x[i + blockDim.x];
  if (loads > 2) v += x[i + 2 * blockDim.x];
  if (loads > 2) v += x[i + 3 * blockDim.x];
  s_treeEndFloat[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s_treeEndFloat[t] += s_treeEndFloat[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(y, s_treeEndFloat[0]);
}
K treeEndDouble(const double *x, double *y, int loads) {
  extern __shared__ double s_treeEndDouble[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * loads + t;
  double v = x[i];
  if (loads > 1) v += x[i + blockDim.x];
  if (loads > 2) v += x[i + 2 * blockDim.x];
  if (loads > 2) v += x[i + 3 * blockDim.x];
  s_treeEndDouble[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s_treeEndDouble[t] += s_treeEndDouble[t + k];
    __syncthreads();
  }
  if (t == 0) atomicAdd(y, s_treeEndDouble[0]);
}
K gatherWords(const int *index, const float *in, float *out, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i] & mask];
}
K fourPieces(const float4 *in, float *out, int step, int own) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int k = 0; k < 4; k++) {
    float4 q = in[t * own + k * step];
    v += q.x * q.y;
  }
  out[t] = v;
}
// BEGIN MEASURING
__global__ void empty() {}
__global__ void spin(long long cycles) { long long t = clock64(); while (clock64() - t < cycles) {} }
__global__ void readAll(const int4 *p, size_t n, int *o) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; }
  if (s == 12345) *o = s;
}
__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint k = i; k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u;
  if (i < n) p[i] = (k ^ (k >> 16)) & 0x3fffff;
}
int main(int argc, char **argv) {
  bool once = argc > 1 && !strcmp(argv[1], "once");
  float *x, *y; int *index; char *flush; cudaEvent_t a, b;
  const size_t BYTES = 512u << 20;
  CK(cudaMalloc(&x, BYTES)); CK(cudaMalloc(&y, BYTES)); CK(cudaMalloc(&flush, BYTES)); CK(cudaMalloc(&index, 16 << 20));
  CK(cudaMemset(x, 0, BYTES)); CK(cudaMemset(y, 0, BYTES)); CK(cudaMemset(flush, 0, BYTES)); CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
  fill<<<16384, 256>>>(index, 1 << 22); CK(cudaDeviceSynchronize());
  enum { REPEATED, CLEAN, DIRTY };
  auto us = [&](std::function<void()> run, int state, int times) {
    if (once) { if (state == REPEATED) run(); return 0.0f; }
    std::vector<float> t;
    for (int r = 0; r < times + 2; r++) {
      if (state == DIRTY) CK(cudaMemsetAsync(flush, r, BYTES));
      else if (state == CLEAN) { readAll<<<1056, 256>>>((const int4 *)flush, BYTES / 16, (int *)y); }
      else spin<<<1, 32>>>(60000);
      CK(cudaEventRecord(a)); run(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b));
      float ms; CK(cudaEventElapsedTime(&ms, a, b)); if (r > 1) t.push_back(ms * 1000);
    }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[times / 2];
  };
#define ALL(run) us(run, REPEATED, 9), us(run, CLEAN, 9), us(run, DIRTY, 9)
#define TIMES "\"repeatedUs\":%.2f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f},\n"
  printf("{\"micro\":\"empty\"," TIMES, ALL(([] { empty<<<1, 32>>>(); })));
  if (!once)
    for (int n : {16384, 262144}) for (int block : {128, 256, 1024}) for (int grid : {8, 16, 33, 66, 132, 264}) for (int mode : {0, 1, 2}) {
      int shift = mode == 1 ? n / grid / 32 * 32 : 0, own = mode == 2 ? n : 0;
      auto run = [=] { together<<<grid, block>>>(x, y, n, shift, own); };
      printf("{\"micro\":\"together\",\"words\":%d,\"block\":%d,\"grid\":%d,\"shift\":%d,\"own\":%d,\"repeatedUs\":%.2f},\n", n, block, grid, shift, own, us(run, REPEATED, 9)); fflush(stdout);
    }
#define TREE(name, T) for (int block : {64, 128, 256}) for (int loads : {1, 2, 4}) for (int grid : {2048, 8192, 65536}) { \
    auto run = [=] { name<<<grid, block, block * sizeof(T)>>>((const T *)x, (T *)y, loads); }; \
    printf("{\"micro\":\"" #name "\",\"block\":%d,\"grid\":%d,\"loads\":%d," TIMES, block, grid, loads, ALL(run)); fflush(stdout); }
  if (!once) { TREE(treeEndInt, int) TREE(treeEndFloat, float) TREE(treeEndDouble, double) }
  for (int mask = (1 << 13) - 1; mask < 1 << 19; mask = 2 * mask + 1) for (int block : {128, 1024}) {
    auto run = [=] { gatherWords<<<(1 << 22) / block, block>>>(index, x, y, mask); };
    printf("{\"micro\":\"gatherWords\",\"words\":%d,\"block\":%d," TIMES, mask + 1, block, ALL(run)); fflush(stdout);
  }
  for (int own : {4, 8, 12, 16, 28, 32}) for (int step : {1, 2, 4, 7, 8}) for (int block : {128, 256}) {
    if (4 * step > own && !(own == 4 && step == 1)) continue;
    int threads = (1 << 23) / own / block * block;
    auto run = [=] { fourPieces<<<threads / block, block>>>((const float4 *)x, y, step, own); };
    printf("{\"micro\":\"fourPieces\",\"own\":%d,\"step\":%d,\"block\":%d,\"threads\":%d," TIMES, own, step, block, threads, ALL(run)); fflush(stdout);
  }
  CK(cudaDeviceSynchronize()); return 0;
}
