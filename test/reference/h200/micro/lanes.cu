// What L1 and the way to it take for a request by where its 32 lanes read: how many lines, how many words of a bank.
// hit: cycles a request and SM of loads that hit L1, of 1, 4 and 32 warps of one block; miss: cycles a request and SM of loads that miss L1 and hit L2, each request in lines of its own, 32 warps of one block; store: of
// stores; segment: each lane reads `words` words one after the other, all from L2. tile: a launch that copies 2048 x 2048 words
// by tiles of 32 x 32 in shared memory with a pitch, only reads or only writes them; wrap, pair: see the kernels.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#include <string>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned u32;
__device__ float load(const float *q, float) { float v; asm volatile("ld.global.ca.f32 %0,[%1];" : "=f"(v) : "l"(q) : "memory"); return v; }
__device__ float load(const float *q, float2) { float a, b; asm volatile("ld.global.ca.v2.f32 {%0,%1},[%2];" : "=f"(a), "=f"(b) : "l"(q) : "memory"); return a + b; }
__device__ float load(const float *q, float4) { float a, b, c, d; asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(q) : "memory"); return a + b + c + d; }
#define BEGIN __syncthreads(); long long t0 = clock64();
#define END __syncthreads(); long long t1 = clock64(); if (threadIdx.x == 0) clk[blockIdx.x] = t1 - t0;
template <class T> __global__ void hit(const float *p, const int *off, int rounds, long long *clk, float *o) {
  const int W = sizeof(T) / 4; const float *q = p + off[threadIdx.x & 31]; float s = 0;
  for (int k = 0; k < rounds * 8; k++) s += load(q + k * 32, T());
  BEGIN
#pragma unroll 1
  for (int r = 0; r < rounds; r++) { float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = load(q + k * 32, T());
#pragma unroll
    for (int k = 0; k < 8; k++) s += v[k];
    q += 256; }
  END if (s == 1e31f) *o = s;
}
// The lanes' lines lie within `reach` words; each request has its own.
__global__ void miss(const float *p, const int *off, int rounds, int reach, long long *clk, float *o) {
  const float *q = p + off[threadIdx.x & 31] + (size_t)(threadIdx.x >> 5) * rounds * 8 * reach; float s = 0;
  BEGIN
  for (int r = 0; r < rounds; r++) { float v[8];
#pragma unroll
    for (int k = 0; k < 8; k++) v[k] = __ldca(q + k * reach);
#pragma unroll
    for (int k = 0; k < 8; k++) s += v[k];
    q += 8 * reach; }
  END if (s == 1e31f) *o = s;
}
__global__ void store(float *p, const int *off, int rounds, int reach, long long *clk) {
  float *q = p + off[threadIdx.x & 31] + (size_t)(threadIdx.x >> 5) * rounds * 8 * reach;
  BEGIN
  for (int r = 0; r < rounds; r++) {
#pragma unroll
    for (int k = 0; k < 8; k++) q[k * reach] = r;
    q += 8 * reach; }
  END
}
__global__ void segment(const float *p, int words, int rounds, int warpsEach, long long *clk, float *o) {
  const float *q = p + ((size_t)(threadIdx.x >> 5) * rounds * 32 + (threadIdx.x & 31)) * words; float s = 0;
  BEGIN
  for (int r = 0; r < rounds; r++) {
#pragma unroll 4
    for (int k = 0; k < words; k++) s += q[k];
    q += 32 * words; }
  END if (s == 1e31f) *o = s;
}
// ---- kernels of tiles ----
typedef unsigned int uint;
#define K extern "C" __global__ void
template <unsigned int PITCH>
__device__ __forceinline__ void tileCopy(const float *in, float *out, int w) {
  __shared__ float tile[32 * PITCH];
  int x = threadIdx.x, y = threadIdx.y, place = (blockIdx.y * 32 + y) * w + blockIdx.x * 32 + x;
  for (int j = 0; j < 32; j += 8) tile[(y + j) * PITCH + x] = in[place + j * w];
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[place + j * w] = tile[x * PITCH + y + j];
}
template <unsigned int PITCH>
__device__ __forceinline__ void tileSum(const float *in, float *out, int w) {
  __shared__ float tile[32 * PITCH];
  int x = threadIdx.x, y = threadIdx.y, place = (blockIdx.y * 32 + y) * w + blockIdx.x * 32 + x;
  for (int j = 0; j < 32; j += 8) tile[(y + j) * PITCH + x] = in[place + j * w];
  __syncthreads();
  float s = 0.0f;
  for (int j = 0; j < 32; j += 8) s += tile[x * PITCH + y + j];
  if (s > 1e30f) out[place] = s;
}
template <unsigned int PITCH>
__device__ __forceinline__ void tileFill(float *out, int w) {
  __shared__ float tile[32 * PITCH];
  int x = threadIdx.x, y = threadIdx.y, place = (blockIdx.y * 32 + y) * w + blockIdx.x * 32 + x;
  for (int j = 0; j < 32; j += 8) tile[(y + j) * PITCH + x] = x;
  __syncthreads();
  for (int j = 0; j < 32; j += 8) out[place + j * w] = tile[x * PITCH + y + j];
}
K tileCopy32(const float *in, float *out, int w) { tileCopy<32>(in, out, w); }
K tileCopy33(const float *in, float *out, int w) { tileCopy<33>(in, out, w); }
K tileCopy40(const float *in, float *out, int w) { tileCopy<40>(in, out, w); }
K tileSum32(const float *in, float *out, int w) { tileSum<32>(in, out, w); }
K tileSum33(const float *in, float *out, int w) { tileSum<33>(in, out, w); }
K tileSum40(const float *in, float *out, int w) { tileSum<40>(in, out, w); }
K tileFill32(const float *in, float *out, int w) { tileFill<32>(out, w); }
K tileFill33(const float *in, float *out, int w) { tileFill<33>(out, w); }
K tileFill40(const float *in, float *out, int w) { tileFill<40>(out, w); }
// Element i of a row is read at (i * stride) mod n; lanes' words, and the array again and again.
K wrapRead(const float *in, float *out, int stride, int mask) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[(i * stride) & mask];
  if (v > 1e30f) out[i] = v;
}
// In place, each of a pair of tiles by columns: what pairs of loads and stores take.
K pairRead(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v = in[x * n + y] + in[y * n + x];
  if (v > 1e30f) out[x] = v;
}
K pairWrite(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y) {
    out[x * n + y] = 1.0f;
    out[y * n + x] = 2.0f;
  }
}
K pairReadHalf(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < y) {
    float v = in[x * n + y] + in[y * n + x];
    if (v > 1e30f) out[x] = v;
  }
}
K columnsSelf(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] += 1.0f;
}
// ---- end ----
float *p, *sink; int *off; long long *clk; char *flush;
double cycles(std::function<void()> f, int blocks) {
  std::vector<long long> h(blocks); double best = 1e30;
  for (int k = 0; k < 3; k++) { f(); CK(cudaGetLastError()); CK(cudaDeviceSynchronize()); CK(cudaMemcpy(h.data(), clk, blocks * 8, cudaMemcpyDeviceToHost));
    double s = 0; for (auto c : h) s += c; best = std::min(best, s / blocks); }
  return best;
}
void lanes(const std::string &name, std::vector<int> o) {
  CK(cudaMemcpy(off, o.data(), 128, cudaMemcpyHostToDevice));
  printf("{\"micro\":\"lanes\",\"pattern\":\"%s\"", name.c_str());
  int most = *std::max_element(o.begin(), o.end()), reach = (most / 32 + 1) * 32, n = 4;
  for (int sms : {1, 132}) printf(",\"miss%d\":%.2f", sms, cycles([=] { miss<<<sms, 1024>>>(p, off, n, reach, clk, sink); }, sms) / (n * 8 * 32));
  for (int sms : {1, 132}) printf(",\"store%d\":%.2f", sms, cycles([=] { store<<<sms, 1024>>>(p, off, n, reach, clk); }, sms) / (n * 8 * 32));
  printf("}\n"); fflush(stdout);
}
template <class T> void hits(const std::string &name, std::vector<int> o) {
  CK(cudaMemcpy(off, o.data(), 128, cudaMemcpyHostToDevice)); int n = 2;
  printf("{\"micro\":\"hit\",\"pattern\":\"%s\",\"words\":%d", name.c_str(), (int)sizeof(T) / 4);
  for (int warps : {1, 4, 32}) printf(",\"hit%d\":%.2f", warps, cycles([=] { hit<T><<<1, warps * 32>>>(p, off, n, clk, sink); }, 1) / (n * 8 * warps));
  printf("}\n"); fflush(stdout);
}
double launchUs(std::function<void()> f, bool cold) {
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b)); std::vector<float> t; float ms;
  if (cold) { for (int k = 0; k < 13; k++) { CK(cudaMemsetAsync(flush, k, 512u << 20)); CK(cudaEventRecord(a)); f(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); CK(cudaEventElapsedTime(&ms, a, b)); if (k) t.push_back(ms * 1000); } }
  else for (int r = 0; r < 5; r++) { CK(cudaEventRecord(a)); for (int k = 0; k < 40; k++) f(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b)); CK(cudaEventElapsedTime(&ms, a, b)); if (r) t.push_back(ms * 1000 / 40); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[t.size() / 2];
}
int main() {
  CK(cudaMalloc(&p, (size_t)1 << 30)); CK(cudaMemset(p, 0, (size_t)1 << 30)); CK(cudaMalloc(&sink, 1 << 28)); CK(cudaMalloc(&off, 128)); CK(cudaMalloc(&clk, 132 * 8)); CK(cudaMalloc(&flush, 512u << 20));
  auto stride = [](int s, int from = 0) { std::vector<int> o(32); for (int l = 0; l < 32; l++) o[l] = from + l * s; return o; };
  for (int s : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17, 18, 20, 24, 28, 31, 32, 33, 34, 36, 40, 48, 56, 64, 65, 96, 100, 128, 250, 1000, 1024}) lanes("stride" + std::to_string(s), stride(s));
  for (int L : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) { std::vector<int> o(32), g(32); for (int l = 0; l < 32; l++) { o[l] = (l % L) * 256 + l; g[l] = (l * L / 32) * 256 + l; } lanes("lines" + std::to_string(L) + "inTurn", o); lanes("lines" + std::to_string(L) + "grouped", g); }
  for (int c : {1, 2, 4, 8, 16, 32}) { std::vector<int> o(32), g(32); for (int l = 0; l < 32; l++) { o[l] = l * 256 + l % (32 / c); g[l] = l * 256 + l / c; } lanes("lines32bank" + std::to_string(c) + "inTurn", o); lanes("lines32bank" + std::to_string(c) + "grouped", g); }
  for (int seed : {1, 2, 3}) for (int span : {1024, 4096}) { std::vector<int> o(32); u32 x = seed * 12345; for (int l = 0; l < 32; l++) { x = x * 1664525u + 1013904223u; o[l] = (x >> 8) % span; } std::vector<int> s = o; std::string n = "random" + std::to_string(span) + "at"; for (int v : s) n += ":" + std::to_string(v); lanes(n, o); }
  for (int s : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 17, 18, 20, 24, 28, 31, 32, 33, 34, 36, 40, 48, 56, 64, 65, 96, 100, 128, 250, 1000, 1024}) hits<float>("stride" + std::to_string(s), stride(s));
  for (int f : {1, 4, 8, 16, 31}) hits<float>("shifted" + std::to_string(f), stride(1, f));
  for (int s : {2, 4, 6, 10, 14, 18, 32, 34, 36, 64, 66}) hits<float2>("stride" + std::to_string(s), stride(s));
  for (int f : {2, 8, 16}) hits<float2>("shifted" + std::to_string(f), stride(2, f));
  for (int s : {4, 8, 12, 20, 28, 32, 36, 64, 68}) hits<float4>("stride" + std::to_string(s), stride(s));
  for (int f : {4, 8, 16}) hits<float4>("shifted" + std::to_string(f), stride(4, f));
  for (int L : {1, 2, 3, 4, 6, 8, 12, 16, 24, 32}) { std::vector<int> o(32), g(32); for (int l = 0; l < 32; l++) { o[l] = (l % L) * 256 + l; g[l] = (l * L / 32) * 256 + l; } hits<float>("lines" + std::to_string(L) + "inTurn", o); hits<float>("lines" + std::to_string(L) + "grouped", g); }
  for (int c : {1, 2, 4, 8, 16, 32}) { std::vector<int> o(32), g(32); for (int l = 0; l < 32; l++) { o[l] = l * 256 + l % (32 / c); g[l] = l * 256 + l / c; } hits<float>("lines32bank" + std::to_string(c) + "inTurn", o); hits<float>("lines32bank" + std::to_string(c) + "grouped", g); }
  for (int c : {2, 4, 8}) { std::vector<int> o(32); for (int l = 0; l < 32; l++) o[l] = (l % c) * 256 + l / c; hits<float>("lines" + std::to_string(c) + "bank" + std::to_string(c), o); }
  for (int seed : {1, 2, 3}) for (int span : {256, 1024, 4096}) { std::vector<int> o(32); u32 x = seed * 12345; for (int l = 0; l < 32; l++) { x = x * 1664525u + 1013904223u; o[l] = (x >> 8) % span; } std::string n = "random" + std::to_string(span) + "at"; for (int v : o) n += ":" + std::to_string(v); hits<float>(n, o); }
  for (int words : {5, 7, 8, 12, 16, 20, 25, 32, 33, 36, 40, 48, 64, 65, 100}) for (int warps : {4, 16, 32}) { int n = std::max(1, 512 / words / (warps / 4)); 
    printf("{\"micro\":\"segment\",\"words\":%d,\"warpsPerSM\":%d,\"rounds\":%d,\"cyclesPerRequestSM\":%.2f}\n", words, warps, n, cycles([=] { segment<<<132, warps * 32>>>(p, words, n, 1, clk, sink); }, 132) / (n * words * warps)); }
#define TILE(k) printf("{\"micro\":\"tile\",\"kernel\":\"%s\",\"repeatedUs\":%.2f,\"coldUs\":%.2f}\n", #k, launchUs([] { k<<<dim3(64, 64), dim3(32, 8)>>>(p, sink, 2048); }, false), launchUs([] { k<<<dim3(64, 64), dim3(32, 8)>>>(p, sink, 2048); }, true));
  TILE(tileCopy32) TILE(tileCopy33) TILE(tileCopy40) TILE(tileSum32) TILE(tileSum33) TILE(tileSum40) TILE(tileFill32) TILE(tileFill33) TILE(tileFill40)
  for (int mib : {8, 16, 24, 32, 40, 48, 64, 128}) for (int s : {5, 33}) { int n = mib << 18, mask = mib == 24 || mib == 40 || mib == 48 ? 0 : n - 1; if (mask) printf("{\"micro\":\"wrap\",\"MiB\":%d,\"stride\":%d,\"coldUs\":%.2f,\"repeatedUs\":%.2f}\n", mib, s, launchUs([=] { wrapRead<<<n / 512, 256>>>(p, sink, s, mask); }, true), launchUs([=] { wrapRead<<<n / 512, 256>>>(p, sink, s, mask); }, false)); }
#define PAIR(k, n, bx, by) printf("{\"micro\":\"pair\",\"kernel\":\"%s\",\"n\":%d,\"block\":[%d,%d],\"coldUs\":%.2f,\"repeatedUs\":%.2f}\n", #k, n, bx, by, launchUs([] { k<<<dim3(n / bx, n / by), dim3(bx, by)>>>(p, sink, n); }, true), launchUs([] { k<<<dim3(n / bx, n / by), dim3(bx, by)>>>(p, sink, n); }, false));
#define PAIRS(n) PAIR(pairRead, n, 16, 16) PAIR(pairReadHalf, n, 16, 16) PAIR(pairWrite, n, 16, 16) PAIR(columnsSelf, n, 16, 16) PAIR(pairReadHalf, n, 32, 8) PAIR(pairWrite, n, 32, 8)
  PAIRS(2048) PAIRS(4096)
}
