// Microbenchmarks: what L1 keeps of what blocks read again, atomics of segments that many warps share, strided updates in place,
// four words a thread around barriers. `reread` prints one JSON line a launch; `reread once`: for Nsight Compute.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
// One signature for all: what is read, what is written, three numbers.
#define K extern "C" __global__ void
// Each block reads its `a` words `b` times; c & 1: writes as many in the last pass; c & 2: a barrier behind each pass.
K reread(const float *data, float *out, int a, int b, int c) {
  const float *p = data + blockIdx.x * a;
  float v = 0.0f;
  for (int pass = 1; pass < b; pass++) {
    for (int k = threadIdx.x; k < a; k += blockDim.x) v += p[k] * pass;
    if (c & 2) __syncthreads();
  }
  if (c & 1) for (int k = threadIdx.x; k < a; k += blockDim.x) out[blockIdx.x * a + k] = p[k] + v;
  else {
    for (int k = threadIdx.x; k < a; k += blockDim.x) v += p[k] * b;
    if (v == 1e30f) out[0] = v;
  }
}
// The same with shared memory, as reductions of rows have some.
K rereadShared(const float *data, float *out, int a, int b, int c) {
  __shared__ float s[32];
  const float *p = data + blockIdx.x * a;
  float v = 0.0f;
  if (threadIdx.x < 32) s[threadIdx.x] = a;
  __syncthreads();
  for (int pass = 1; pass < b; pass++) {
    for (int k = threadIdx.x; k < a; k += blockDim.x) v += p[k] * s[pass];
    if (c & 2) __syncthreads();
  }
  if (c & 1) for (int k = threadIdx.x; k < a; k += blockDim.x) out[blockIdx.x * a + k] = p[k] + v;
  else {
    for (int k = threadIdx.x; k < a; k += blockDim.x) v += p[k] * s[b];
    if (v == 1e30f) out[0] = v;
  }
}
// A warp's first lane adds to the counter of its segment of 2^a threads; b: each lane has loaded a word.
K redSegments(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int *words = (const int *)data;
  int v = b ? words[i] : i;
  v = __reduce_add_sync(0xffffffff, v);
  if ((threadIdx.x & 31) == 0) atomicAdd((int *)out + (i >> a), v);
}
K updateStride(const float *data, float *out, int a, int b, int c) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * a;
  out[i] = out[i] + 1.0f;
}
K copyStride(const float *data, float *out, int a, int b, int c) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * a;
  out[i] = data[i];
}
// Four neighbouring words a thread, loaded by themselves, `a` barriers, stored by themselves; b: loaded as one; c: stored as one.
K quads(const float *data, float *out, int a, int b, int c) {
  int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  float4 q;
  if (b) q = *(const float4 *)(data + i);
  else { q.x = data[i]; q.y = data[i + 1]; q.z = data[i + 2]; q.w = data[i + 3]; }
  for (int k = 0; k < a; k++) __syncthreads();
  q.x += 1.0f; q.y += q.x; q.z += q.y; q.w += q.z;
  if (c) *(float4 *)(out + i) = q;
  else { out[i] = q.x; out[i + 1] = q.y; out[i + 2] = q.z; out[i + 3] = q.w; }
}
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef void (*Fn)(const float *, float *, int, int, int);
const size_t BYTES = 1ull << 30, FLUSH = 512u << 20;
char *data, *out, *flush; bool once;
__global__ void readAll(const int4 *p, size_t n, int *o) {
  int s = 0;
  for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; }
  if (s == 123456789) *o = s;
}
__global__ void empty() {}
double us(Fn f, dim3 grid, dim3 block, int a, int b, int c, int state, int reps) {
  cudaEvent_t s, e; cudaEventCreate(&s); cudaEventCreate(&e); std::vector<float> t;
  for (int r = 0; r < reps; r++) {
    if (state == 1) readAll<<<1056, 256>>>((int4 *)flush, FLUSH / 16, (int *)flush); else if (state == 2) cudaMemsetAsync(flush, r, FLUSH); else cudaMemsetAsync(flush, 0, 65536);
    cudaEventRecord(s); f<<<grid, block>>>((const float *)data, (float *)out, a, b, c); cudaEventRecord(e); CK(cudaEventSynchronize(e)); float m; cudaEventElapsedTime(&m, s, e); if (r > 1) t.push_back(m * 1000);
  }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); cudaEventDestroy(s); cudaEventDestroy(e); return t[t.size() / 2];
}
// Each word once: behind a clean and a dirty L2, and behind itself. counted: for Nsight Compute as well.
void one(const char *name, void *fn, dim3 grid, dim3 block, int a, int b, int c, bool counted) {
  Fn f = (Fn)fn;
  if (once) { if (counted) { f<<<grid, block>>>((const float *)data, (float *)out, a, b, c); CK(cudaDeviceSynchronize()); printf("{\"launch\":\"%s\",\"a\":%d,\"b\":%d,\"c\":%d,\"grid\":[%u,%u],\"block\":[%u,%u]}\n", name, a, b, c, grid.x, grid.y, block.x, block.y); } return; }
  double t[3]; for (int s : {0, 1, 2}) t[s] = us(f, grid, block, a, b, c, s, 9);
  printf("{\"kernel\":\"%s\",\"a\":%d,\"b\":%d,\"c\":%d,\"grid\":[%u,%u],\"block\":[%u,%u],\"cleanUs\":%.2f,\"dirtyUs\":%.2f,\"repeatedUs\":%.2f}\n", name, a, b, c, grid.x, grid.y, block.x, block.y, t[1], t[2], t[0]);
}
#define ONE(f, grid, block, a, b, c, n) one(#f, (void *)f, dim3 grid, dim3 block, a, b, c, n)
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&data, BYTES)); CK(cudaMalloc(&out, BYTES)); CK(cudaMalloc(&flush, FLUSH)); CK(cudaMemset(data, 0, BYTES)); CK(cudaMemset(out, 0, BYTES)); CK(cudaMemset(flush, 0, FLUSH));
  if (!once) for (int k = 0; k < 3; k++) for (int s : {0, 1, 2}) { cudaEvent_t x, y; cudaEventCreate(&x); cudaEventCreate(&y); std::vector<float> t; for (int r = 0; r < 9; r++) { if (s == 1) readAll<<<1056, 256>>>((int4 *)flush, FLUSH / 16, (int *)flush); else if (s == 2) cudaMemsetAsync(flush, r, FLUSH); else cudaMemsetAsync(flush, 0, 65536); cudaEventRecord(x); empty<<<1, 32>>>(); cudaEventRecord(y); CK(cudaEventSynchronize(y)); float m; cudaEventElapsedTime(&m, x, y); t.push_back(m * 1000); } std::sort(t.begin(), t.end()); printf("{\"kernel\":\"empty\",\"state\":%d,\"us\":%.3f}\n", s, t[4]); }
  const int M18 = 1 << 18, M20 = 1 << 20, M22 = 1 << 22, M24 = 1 << 24;
  for (int a : {512, 1024, 2048, 3072, 4096, 5120, 6144, 8192}) {
    for (int c : {0, 1, 2, 3}) ONE(reread, (4224), (256), a, 2, c, true);
    ONE(reread, (4224), (256), a, 3, 1, true); ONE(rereadShared, (4224), (256), a, 2, 1, true); ONE(rereadShared, (4224), (256), a, 2, 0, true);
    ONE(reread, (4224 * 4), (64), a / 4, 2, 0, true); ONE(reread, (4224 * 4), (64), a / 4, 3, 1, true);
    ONE(reread, (4224 / 4), (1024), a * 4, 2, 0, true);
    ONE(reread, (1056), (256), a, 8, 0, true); ONE(reread, (132), (256), a * 8, 8, 0, true);
  }
  for (int n : {M22, M24}) for (int a : {5, 7, 8, 10, 12, 14, 20}) for (int b : {0, 1}) ONE(redSegments, (n / 256), (256), a, b, 0, n == M24);
  for (int n : {M18, M20, M22}) for (int a : {1, 2, 3, 4, 8, 16, 24, 32, 64}) if ((size_t)n * a <= (1u << 28)) { ONE(updateStride, (n / 256), (256), a, 0, 0, n == M20); ONE(copyStride, (n / 256), (256), a, 0, 0, n == M20); }
  for (int n : {M20, M22}) for (int a : {0, 1, 4, 16}) for (int b : {0, 1}) for (int c : {0, 1}) ONE(quads, (n / 256), (256), a, b, c, n == M22);
}
