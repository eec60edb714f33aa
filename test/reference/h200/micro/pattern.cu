// Microbenchmarks: strided, transposed and scattered accesses of each word once, by order and by what L2 held before; sectors
// and lines written in pieces. `pattern` prints one JSON line a launch; `pattern once`: for Nsight Compute.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
// One signature for all: what is read, what is written, three numbers.
#define K extern "C" __global__ void
K strideLoad(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = data[i * a];
  if (v == 1e30f) out[0] = v;
}
K strideStore(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * a] = 1.0f;
}
K copyOne(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = data[i];
}
// Structures of `a` words, of which the first words are loaded or stored, each by itself.
K structLoad2(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = data[i * a] + data[i * a + 1];
  if (v == 1e30f) out[0] = v;
}
K structLoad3(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = data[i * a] + data[i * a + 1] + data[i * a + 2];
  if (v == 1e30f) out[0] = v;
}
K structLoad4(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = data[i * a] + data[i * a + 1] + data[i * a + 2] + data[i * a + 3];
  if (v == 1e30f) out[0] = v;
}
K structStore2(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * a] = 1.0f;
  out[i * a + 1] = 2.0f;
}
K structStore3(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * a] = 1.0f;
  out[i * a + 1] = 2.0f;
  out[i * a + 2] = 3.0f;
}
K structStore4(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i * a] = 1.0f;
  out[i * a + 1] = 2.0f;
  out[i * a + 2] = 3.0f;
  out[i * a + 3] = 4.0f;
}
K structCopy2(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = data[i * a], w = data[i * a + 1];
  out[i * a] = v;
  out[i * a + 1] = w;
}
K structCopy4(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = data[i * a], w = data[i * a + 1], x = data[i * a + 2], y = data[i * a + 3];
  out[i * a] = v;
  out[i * a + 1] = w;
  out[i * a + 2] = x;
  out[i * a + 3] = y;
}
// A matrix by columns: neighbouring threads `c` words apart.
K columnsRead(const float *data, float *out, int a, int b, int c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = data[x * c + y];
  if (v == 1e30f) out[0] = v;
}
K columnsWrite(const float *data, float *out, int a, int b, int c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * c + y] = 1.0f;
}
// `a` lines of `b` words are written word by word: a sector is whole after 7 * a further words.
K laterWrite(const float *data, float *out, int a, int b, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i & (a - 1)) * b + (i >> c)] = 1.0f;
}
K bitReversed(const float *data, float *out, int a, int b, int c) {
  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(i) >> a] = 1.0f;
}
K randomStore(const float *data, float *out, int a, int b, int c) {
  unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
  k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; k ^= k >> 16;
  out[k & (a - 1)] = 1.0f;
}
K randomLoad(const float *data, float *out, int a, int b, int c) {
  unsigned int k = blockIdx.x * blockDim.x + threadIdx.x;
  k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; k ^= k >> 16;
  float v = data[k & (a - 1)];
  if (v == 1e30f) out[0] = v;
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
  if (!once) for (int s : {0, 1, 2}) { cudaEvent_t x, y; cudaEventCreate(&x); cudaEventCreate(&y); std::vector<float> t; for (int r = 0; r < 9; r++) { if (s == 1) readAll<<<1056, 256>>>((int4 *)flush, FLUSH / 16, (int *)flush); else if (s == 2) cudaMemsetAsync(flush, r, FLUSH); else cudaMemsetAsync(flush, 0, 65536); cudaEventRecord(x); empty<<<1, 32>>>(); cudaEventRecord(y); CK(cudaEventSynchronize(y)); float m; cudaEventElapsedTime(&m, x, y); t.push_back(m * 1000); } std::sort(t.begin(), t.end()); printf("{\"kernel\":\"empty\",\"state\":%d,\"us\":%.3f}\n", s, t[4]); }
  const int M18 = 1 << 18, M20 = 1 << 20, M22 = 1 << 22, M24 = 1 << 24;
  const int M26 = 1 << 26;
  for (int p : {64, 128, 256, 512, 1024, 1056, 4128, 8192, 8224, 16384, 16416, 32768, 65536}) {
    int y = std::min(2048, p & ~63), x = (1 << 22) / (p < 2048 ? (1 << (31 - __builtin_clz(p))) : 2048); if (p < 2048) y = 1 << (31 - __builtin_clz(p));
    ONE(columnsRead, (x / 256, y), (256, 1), 0, 0, p, true); ONE(columnsWrite, (x / 256, y), (256, 1), 0, 0, p, true);
    ONE(columnsRead, (x / 32, y / 8), (32, 8), 0, 0, p, true); ONE(columnsWrite, (x / 32, y / 8), (32, 8), 0, 0, p, true);
    ONE(columnsWrite, (x / 16, y / 16), (16, 16), 0, 0, p, true);
  }
  int more[][2] = {{16, 8}, {16, 32}, {16, 64}, {4, 64}, {2, 128}, {128, 8}, {8, 16}, {8, 64}, {64, 16}};
  for (int w : {2048, 4096}) for (auto &q : more) { ONE(columnsWrite, (w / q[0], w / q[1]), (q[0], q[1]), 0, 0, w, w == 2048); ONE(columnsRead, (w / q[0], w / q[1]), (q[0], q[1]), 0, 0, w, w == 2048); }
  int big[][2] = {{32, 8}, {16, 16}, {32, 32}, {8, 32}, {256, 1}};
  for (int w : {8192, 16384}) for (auto &q : big) { ONE(columnsWrite, (w / q[0], w / q[1]), (q[0], q[1]), 0, 0, w, w == 8192); ONE(columnsRead, (w / q[0], w / q[1]), (q[0], q[1]), 0, 0, w, w == 8192); }
  for (int n : {M24, M26}) for (int s : {1, 2, 4, 8, 16}) if ((size_t)n * s <= (1u << 28)) { ONE(strideLoad, (n / 256), (256), s, 0, 0, n == M24 && s < 9); ONE(strideStore, (n / 256), (256), s, 0, 0, n == M24 && s < 9); }
  for (int k : {25, 26, 27}) ONE(randomLoad, ((1 << k) / 256), (256), 1 << k, 0, 0, false);
  for (int n : {M20, M22, M24}) for (int b : {32, 64, 128, 256, 512, 1024}) { ONE(strideLoad, (n / b), (b), 1, 0, 0, false); ONE(strideStore, (n / b), (b), 1, 0, 0, false); ONE(copyOne, (n / b), (b), 1, 0, 0, n == M22); }
  for (int s : {1, 2, 4, 8, 16, 32, 64, 128, 256}) for (int n : {M18, M20, M22}) if ((size_t)n * s <= (1u << 28)) ONE(strideLoad, (n / 256), (256), s, 0, 0, n == M20);
  for (int s : {1, 2, 3, 4, 8, 16, 32, 64, 128, 256}) for (int n : {M18, M20, M22}) if ((size_t)n * s <= (1u << 28)) ONE(strideStore, (n / 256), (256), s, 0, 0, n == M20);
  for (int n : {M20, M22}) {
    for (int s : {2, 3, 4, 8}) ONE(structLoad2, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {3, 4, 8}) ONE(structLoad3, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {4, 8}) ONE(structLoad4, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {2, 3, 4, 8}) ONE(structStore2, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {3, 4, 8}) ONE(structStore3, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {4, 8}) ONE(structStore4, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {2, 3, 4, 8}) ONE(structCopy2, (n / 256), (256), s, 0, 0, n == M22);
    for (int s : {4, 8}) ONE(structCopy4, (n / 256), (256), s, 0, 0, n == M22);
  }
  int shapes[][2] = {{32, 8}, {16, 16}, {8, 32}, {32, 32}, {64, 4}, {256, 1}, {8, 8}, {32, 1}};
  for (int w : {1024, 2048, 4096}) for (int pad : {0, 32}) for (auto &q : shapes) {
    if (pad && w != 2048) continue;
    ONE(columnsRead, (w / q[0], w / q[1]), (q[0], q[1]), 0, 0, w + pad, w == 2048);
    ONE(columnsWrite, (w / q[0], w / q[1]), (q[0], q[1]), 0, 0, w + pad, w == 2048);
  }
  for (int n : {M20, M22, M24}) for (int k : {10, 14, 16, 17, 18, 19, 20, 21}) if (n >> k >= 8) ONE(laterWrite, (n / 256), (256), 1 << k, n >> k, k, n == M22);
  for (int k : {18, 20, 21, 22, 23, 24}) { ONE(bitReversed, ((1 << k) / 256), (256), 32 - k, 0, 0, k >= 20 && k <= 24); ONE(randomStore, ((1 << k) / 256), (256), 1 << k, 0, 0, k >= 20 && k <= 24); ONE(randomLoad, ((1 << k) / 256), (256), 1 << k, 0, 0, k >= 20 && k <= 24); }
}
