// Stores of one warp to each sector several times in a row: alone, behind loads, and in place with loads between (where the
// compiler cannot move them), and what a block pays to publish its sum and take a ticket.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>
typedef unsigned int uint;
#define K extern "C" __global__ void
// `COUNT` words of each thread's `a`, one store each.
template <int COUNT> __device__ void stores(float *out, int a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < COUNT; k++) out[i * a + k] = 1.0f + k;
}
// The same, each read first, all loads in front.
template <int COUNT> __device__ void copies(const float *data, float *out, int a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[8];
#pragma unroll
  for (int k = 0; k < COUNT; k++) v[k] = data[i * a + k];
#pragma unroll
  for (int k = 0; k < COUNT; k++) out[i * a + k] = v[k];
}
// In place, each load behind the store before it.
template <int COUNT> __device__ void updates(const float *data, float *out, int a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
  for (int k = 0; k < COUNT; k++) out[i * a + k] = out[i * a + k] + out[i * a + a - 1 - k] * data[k];
}
K runStore2(const float *data, float *out, int a) { stores<2>(out, a); }
K runCopy2(const float *data, float *out, int a) { copies<2>(data, out, a); }
K runUpdate2(const float *data, float *out, int a) { updates<2>(data, out, a); }
K runStore3(const float *data, float *out, int a) { stores<3>(out, a); }
K runCopy3(const float *data, float *out, int a) { copies<3>(data, out, a); }
K runUpdate3(const float *data, float *out, int a) { updates<3>(data, out, a); }
K runStore4(const float *data, float *out, int a) { stores<4>(out, a); }
K runCopy4(const float *data, float *out, int a) { copies<4>(data, out, a); }
K runUpdate4(const float *data, float *out, int a) { updates<4>(data, out, a); }
K runStore6(const float *data, float *out, int a) { stores<6>(out, a); }
K runCopy6(const float *data, float *out, int a) { copies<6>(data, out, a); }
K runUpdate6(const float *data, float *out, int a) { updates<6>(data, out, a); }
K runStore8(const float *data, float *out, int a) { stores<8>(out, a); }
K runCopy8(const float *data, float *out, int a) { copies<8>(data, out, a); }
K runUpdate8(const float *data, float *out, int a) { updates<8>(data, out, a); }
K last(int *parts, unsigned *done, int fence, int atomic) {
  __shared__ unsigned old;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = threadIdx.x;
    if (fence) __threadfence();
    if (atomic == 1) old = atomicInc(done, gridDim.x - 1);
    else if (atomic == 2) old = atomicAdd(done, 1u);
    else if (atomic == 3) atomicAdd(done, 1u);
    else old = 0;
  }
  __syncthreads();
  if (old == 0xffffffffu) parts[0] = 1;
}
// The same behind a load of each thread.
K lastLoad(const int *in, int *parts, unsigned *done, int fence, int atomic) {
  __shared__ unsigned old;
  int v = in[blockIdx.x * blockDim.x + threadIdx.x];
  v = __reduce_add_sync(0xffffffff, v);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = v;
    if (fence) __threadfence();
    if (atomic == 1) old = atomicInc(done, gridDim.x - 1);
    else if (atomic == 2) old = atomicAdd(done, 1u);
    else if (atomic == 3) atomicAdd(done, 1u);
    else old = 0;
  }
  __syncthreads();
  if (old == 0xffffffffu) parts[0] = 1;
}
struct Launch { const char *kernel; int a, b, c, grid, block; std::function<void()> run; };
std::vector<Launch> table;
float *data, *out; char *flush; unsigned *done;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s line %d\n", cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
#define R(k, a, n) table.push_back({#k, 0, a, 0, (n) / 256, 256, [=] { k<<<(n) / 256, 256>>>(data, out, a); }});
#define ROWS(COUNT) \
  for (int a : {3, 4, 5, 6, 8, 12, 16}) if (a >= COUNT) { R(runStore##COUNT, a, n) R(runCopy##COUNT, a, n) if (COUNT <= a - COUNT + 1) R(runUpdate##COUNT, a, n) }
void rows() {
  int n = 1 << 21;
  ROWS(2) ROWS(3) ROWS(4) ROWS(6) ROWS(8)
}
void build() {
  rows();
  for (int block : {128, 256, 1024}) for (int g : {2048, 16384}) for (int f : {0, 1}) for (int at : {0, 1, 2, 3}) {
    table.push_back({"last", f, at, 0, g, block, [=] { last<<<g, block>>>((int *)out, done, f, at); }});
    table.push_back({"lastLoad", f, at, 0, g, block, [=] { lastLoad<<<g, block>>>((int *)data, (int *)out, done, f, at); }});
  }
}
// What a fence takes: cycles a round of it and of what it is behind.
template <int KIND> __global__ void fences(volatile int *p, int *q, long long *clk, int iters, int lanes, int stride) {
  int t = threadIdx.x, mine = (blockIdx.x * blockDim.x + t) * stride, x = 0;
  __syncthreads();
  long long t0 = clock64();
  if (t % 32 < lanes)
    for (int i = 0; i < iters; i++) {
      if (KIND == 1) p[mine] = i;
      if (KIND == 2) { p[mine] = i; p[mine + 1048576] = i; }
      if (KIND == 3) x += atomicAdd(&q[mine], 1);
      if (KIND == 4) atomicAdd(&q[mine], 1);
      if (KIND == 5) x += p[mine];
      if (KIND != 6) __threadfence();
      if (KIND == 6) { p[mine] = i; x += p[mine]; }
    }
  long long t1 = clock64();
  if (x == 123456789) q[1] = x;
  if (t == 0) clk[blockIdx.x] = t1 - t0;
}
int measureFences() {
  int *p, *q; long long *clk;
  CK(cudaMalloc(&p, 64 << 20)); CK(cudaMalloc(&q, 64 << 20)); CK(cudaMalloc(&clk, 8 * 4096)); CK(cudaMemset(p, 0, 64 << 20)); CK(cudaMemset(q, 0, 64 << 20));
  std::vector<long long> h(4096);
#define RUN(KIND, name) for (int grid : {1, 132, 1056}) for (int block : {32, 256, 1024}) if (grid * block <= 132 * 2048) for (int lanes : {1, 32}) { double best = 1e18; \
    for (int r = 0; r < 3; r++) { fences<KIND><<<grid, block>>>(p, q, clk, 64, lanes, 1); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), clk, grid * 8, cudaMemcpyDeviceToHost)); double s = 0; for (int b = 0; b < grid; b++) s += h[b]; best = std::min(best, s / grid); } \
    printf("{\"micro\":\"fence\",\"behind\":\"%s\",\"grid\":%d,\"block\":%d,\"lanes\":%d,\"cyclesPerRound\":%.1f}\n", name, grid, block, lanes, best / 64); }
  RUN(0, "nothing") RUN(1, "store") RUN(2, "two stores") RUN(3, "atomic") RUN(4, "reduction") RUN(5, "load") RUN(6, "none: store and load")
  return 0;
}
__global__ void empty() {}
int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "fences")) return measureFences();
  size_t bytes = (size_t)(1 << 21) * 16 * 4 + 4096;
  CK(cudaMalloc(&data, bytes)); CK(cudaMalloc(&out, bytes)); CK(cudaMalloc(&done, 4096)); CK(cudaMalloc(&flush, 512u << 20));
  CK(cudaMemset(data, 0, bytes)); CK(cudaMemset(out, 0, bytes)); CK(cudaMemset(done, 0, 4096));
  build();
  if (argc > 1 && !strcmp(argv[1], "list")) { for (auto &l : table) printf("{\"kernel\":\"%s\",\"a\":%d,\"b\":%d,\"grid\":%d,\"block\":%d}\n", l.kernel, l.a, l.b, l.grid, l.block); return 0; }
  if (argc > 1) { for (auto &l : table) { l.run(); CK(cudaGetLastError()); CK(cudaDeviceSynchronize()); } return 0; }
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
  auto med = [&](std::function<void()> run, int how) {
    std::vector<float> t;
    for (int r = 0; r < 9; r++) {
      CK(cudaMemsetAsync(done, 0, 4096));
      if (how) CK(cudaMemsetAsync(flush, r, 512u << 20)); else CK(cudaMemsetAsync(flush, r, 65536));
      CK(cudaEventRecord(a)); run(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b));
      float ms; CK(cudaEventElapsedTime(&ms, a, b)); if (r > 1) t.push_back(ms);
    }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[3] * 1000;
  };
  printf("{\"empty\":[%.2f,%.2f]}\n", med([] { empty<<<1, 32>>>(); }, 1), med([] { empty<<<1, 32>>>(); }, 0));
  for (auto &l : table) printf("{\"kernel\":\"%s\",\"a\":%d,\"b\":%d,\"grid\":%d,\"block\":%d,\"dirtyUs\":%.2f,\"repeatedUs\":%.2f}\n", l.kernel, l.a, l.b, l.grid, l.block, med(l.run, 1), med(l.run, 0));
}
