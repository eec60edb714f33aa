// What L2 is asked for again: volatile loads behind stores to their line, atomics on one address, beside loads and by themselves,
// rows read a few lanes each, rows read twice, stores that come back to their sectors. Medians.
// Build: nvcc -O3 -arch=sm_90 h200/micro/revisit.cu
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned int uint;
#define K extern "C" __global__ void
// Each warp has 512 bytes of its own; n steps of load, add, store.
K stepBoth(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  for (int i = 0; i < n; i++) g[lane] += g[lane + 16];
}
K stepOne(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  for (int i = 0; i < n; i++) g[lane] += 1;
}
K stepNext(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  for (int i = 0; i < n; i++) g[lane] = g[lane + 32] + 1;
}
K stepOther(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  for (int i = 0; i < n; i++) {
    int k = (i & 1) * 64;
    g[lane + 64 - k] = g[lane + k] + 1;
  }
}
K stepEight(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  if (lane < 8)
    for (int i = 0; i < n; i++) g[lane] += 1;
}
K stepEightNext(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  if (lane < 8)
    for (int i = 0; i < n; i++) g[lane] = g[lane + 8] + 1;
}
K stepTwoLines(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  volatile int *g = o + w * 128;
  for (int i = 0; i < n; i++) g[2 * lane] += 1;
}
K stepCached(int *o, int n) {
  int lane = threadIdx.x & 31, w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int *g = o + w * 128;
  for (int i = 0; i < n; i++) {
    g[lane] += g[lane ^ 1];
    __syncwarp();
  }
}
// One lane a warp, n atomics on one of `places` words of its type, 32 bytes apart.
K addInt(int *o, int n, int places) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int *p = o + (w % places) * 8;
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < n; i++) atomicAdd(p, i);
}
K addLong(unsigned long long *o, int n, int places) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  unsigned long long *p = o + (w % places) * 4;
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < n; i++) atomicAdd(p, (unsigned long long)i);
}
K addFloat(float *o, int n, int places) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  float *p = o + (w % places) * 8;
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < n; i++) atomicAdd(p, 1.5f);
}
K addDouble(double *o, int n, int places) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  double *p = o + (w % places) * 4;
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < n; i++) atomicAdd(p, 1.5);
}
K maxInt(int *o, int n, int places) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  int *p = o + (w % places) * 8;
  if (threadIdx.x % 32 == 0)
    for (int i = 0; i < n; i++) atomicMax(p, i);
}
// `lanes` lanes a row of `cols` words.
K rowLanes(const float *x, float *y, int rows, int cols, int lanes) {
  int g = blockIdx.x * blockDim.x + threadIdx.x, row = g / lanes, lane = g % lanes;
  float v = 0;
  if (row < rows)
    for (int c = lane; c < cols; c += lanes) v += x[row * cols + c];
  if (v == 123.5f) y[row] = v;
}
// A block reads a row of its own `laps` times.
K rowLaps(const float *x, float *y, int cols, int laps) {
  float v = 0;
  for (int k = 0; k < laps; k++) {
    for (int c = threadIdx.x; c < cols; c += blockDim.x) v += x[blockIdx.x * cols + c];
    __syncthreads();
  }
  if (v == 123.5f) y[0] = v;
}
K storeLaps(float *y, int stride, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[(i * stride) & mask] = 1.0f;
}
// Sums of blocks, `loads` words a thread; what the first thread does with them: adds to one word, stores, or adds to 64 in turn.
K treeEnd(const int *x, int *y, int loads, int end, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * loads + t;
  int v = i < n ? x[i] : 0;
  if (loads > 1 && i + blockDim.x < n) v += x[i + blockDim.x];
  if (loads > 2 && i + 2 * blockDim.x < n) v += x[i + 2 * blockDim.x];
  if (loads > 2 && i + 3 * blockDim.x < n) v += x[i + 3 * blockDim.x];
  s[t] = v;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) {
    if (end == 0) atomicAdd(y, s[0]);
    if (end == 1) y[blockIdx.x] = s[0];
    if (end == 2) atomicAdd(&y[(blockIdx.x & 63) * 32], s[0]);
  }
}
// BEGIN MEASURING
__global__ void empty() {}
__global__ void spin(long long cycles) { long long t = clock64(); while (clock64() - t < cycles) {} }
__global__ void readAll(const int4 *p, size_t n, int *o) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; }
  if (s == 12345) *o = s;
}
int main() {
  float *x, *y; char *flush; cudaEvent_t a, b;
  const size_t BYTES = 512u << 20;
  CK(cudaMalloc(&x, BYTES)); CK(cudaMalloc(&y, BYTES)); CK(cudaMalloc(&flush, BYTES));
  CK(cudaMemset(x, 0, BYTES)); CK(cudaMemset(y, 0, BYTES)); CK(cudaMemset(flush, 0, BYTES)); CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
  enum { REPEATED, CLEAN, DIRTY };
  auto us = [&](std::function<void()> run, int state, int times) {
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
  printf("{\"kernel\":\"empty\",\"repeatedUs\":%.2f},\n", us([] { empty<<<1, 32>>>(); }, REPEATED, 21));
#define STEP(k) for (int sms : {16, 66, 132}) for (int warps : {1, 4, 8, 16, 32, 64}) { \
    int grid = sms * (warps > 32 ? 2 : 1), block = 32 * std::min(warps, 32); if (warps > 32 && sms < 132) continue; \
    float d = us([=] { k<<<grid, block>>>((int *)y, 900); }, REPEATED, 7) - us([=] { k<<<grid, block>>>((int *)y, 300); }, REPEATED, 7); \
    printf("{\"micro\":\"%s\",\"sms\":%d,\"warpsPerSm\":%d,\"cyclesPerStep\":%.1f},\n", #k, sms, warps, d * 1980 / 600); fflush(stdout); }
  STEP(stepBoth) STEP(stepOne) STEP(stepNext) STEP(stepOther) STEP(stepEight) STEP(stepEightNext) STEP(stepTwoLines) STEP(stepCached)
#define ADD(k, T) for (int places : {1, 2, 8}) for (int warps : {1, 4, 16}) { \
    float d = us([=] { k<<<132, 32 * warps>>>((T *)y, 300, places); }, REPEATED, 7) - us([=] { k<<<132, 32 * warps>>>((T *)y, 100, places); }, REPEATED, 7); \
    printf("{\"micro\":\"%s\",\"places\":%d,\"warpsPerSm\":%d,\"nsPerAtomic\":%.4f},\n", #k, places, warps, d * 1000 / (132.0 * warps * 200)); fflush(stdout); }
  ADD(addInt, int) ADD(addLong, unsigned long long) ADD(addFloat, float) ADD(addDouble, double) ADD(maxInt, int)
  for (int cols : {64, 200, 256, 1024}) for (int lanes : {1, 2, 4, 8, 16, 32}) for (int block : {128, 256}) for (int mi : {4, 32}) {
    int rows = (mi << 20) / cols, grid = (int)(((long long)rows * lanes + block - 1) / block);
    auto run = [=] { rowLanes<<<grid, block>>>(x, y, rows, cols, lanes); };
    printf("{\"micro\":\"rowLanes\",\"mi\":%d,\"cols\":%d,\"lanes\":%d,\"block\":%d,\"grid\":%d,\"repeatedUs\":%.2f,\"cleanUs\":%.2f},\n", mi, cols, lanes, block, grid,
      us(run, REPEATED, 9), us(run, CLEAN, 9)); fflush(stdout);
  }
  for (int kib : {64, 128, 192, 224, 256, 288, 320, 384, 512}) for (int block : {128, 512}) for (int laps : {1, 2, 4}) {
    int cols = kib * 256; auto run = [=] { rowLaps<<<132, block>>>(x, y, cols, laps); };
    printf("{\"micro\":\"rowLaps\",\"kib\":%d,\"block\":%d,\"grid\":132,\"laps\":%d,\"repeatedUs\":%.2f,\"cleanUs\":%.2f},\n", kib, block, laps, us(run, REPEATED, 9), us(run, CLEAN, 9)); fflush(stdout);
  }
  for (int n : {1 << 20, 1 << 22, 1 << 24}) for (int stride : {3, 5, 7, 9, 17, 33}) for (int bits : {20, 22, 23, 24, 25}) {
    if ((long long)n * stride < (2ll << bits) || n / 16 > (1 << bits)) continue;
    auto run = [=] { storeLaps<<<n / 256, 256>>>(y, stride, (1 << bits) - 1); };
    printf("{\"micro\":\"storeLaps\",\"n\":%d,\"stride\":%d,\"bits\":%d,\"repeatedUs\":%.2f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f},\n", n, stride, bits, us(run, REPEATED, 7), us(run, CLEAN, 7), us(run, DIRTY, 7)); fflush(stdout);
  }
  for (int block : {64, 128, 256}) for (int loads : {1, 2, 4}) for (int end : {0, 1, 2}) for (int grid : {8192, 65536}) {
    int n = grid * block * loads; auto run = [=] { treeEnd<<<grid, block, block * 4>>>((const int *)x, (int *)y, loads, end, n); };
    printf("{\"micro\":\"treeEnd\",\"block\":%d,\"grid\":%d,\"loads\":%d,\"end\":%d,\"repeatedUs\":%.2f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f},\n", block, grid, loads, end, us(run, REPEATED, 9), us(run, CLEAN, 9), us(run, DIRTY, 9)); fflush(stdout);
  }
  return 0;
}
