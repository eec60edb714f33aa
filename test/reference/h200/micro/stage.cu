// L1's tags and data stage, read by Nsight Compute: tag banks by pairs of lines; requests of patterns of lanes that hit and that miss.
// `stage run tags`, `stage run`: the launches; `stage list tags`, `stage list`: what they are, in order.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <string>
typedef unsigned u32; typedef unsigned long long u64;
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
char *big; float *sink; int *off; bool listed = false;
__device__ float load(const float *q, float) { float v; asm volatile("ld.global.ca.f32 %0,[%1];" : "=f"(v) : "l"(q) : "memory"); return v; }
__device__ float load(const float *q, float2) { float a, b; asm volatile("ld.global.ca.v2.f32 {%0,%1},[%2];" : "=f"(a), "=f"(b) : "l"(q) : "memory"); return a + b; }
__device__ float load(const float *q, float4) { float a, b, c, d; asm volatile("ld.global.ca.v4.f32 {%0,%1,%2,%3},[%4];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(q) : "memory"); return a + b + c + d; }
// A request a round, the next one's words `reach` further on (0: the same, which hit).
template <class T> __global__ void requests(const float *p, const int *off, int lanes, int rounds, u64 reach, u64 apart, float *o) {
  int lane = threadIdx.x & 31, w = threadIdx.x >> 5; const float *q = p + off[lane] + w * apart; float s = 0;
  if (lane < lanes)
#pragma unroll 1
  for (int r = 0; r < rounds; r++) {
    s += load(q, T());
    q += reach;
  }
  if (s == 1e31f) *o = s;
}
const int ROUNDS = 64;
template <class T> void go(const char *name, const std::vector<int> &o, int lanes, int warps, u64 reach) {
  u64 apart = reach * ROUNDS; if (reach == 0) apart = 0;
  if (listed) { printf("{\"name\":\"%s\",\"lanes\":%d,\"bytes\":%d,\"warps\":%d,\"hit\":%d,\"rounds\":%d,\"off\":[", name, lanes, (int)sizeof(T), warps, reach == 0, ROUNDS); for (int k = 0; k < 32; k++) printf("%s%d", k ? "," : "", o[k]); printf("]}\n"); return; }
  CK(cudaMemcpy(off, o.data(), 128, cudaMemcpyHostToDevice));
  requests<T><<<1, warps * 32>>>((float *)big, off, lanes, ROUNDS, reach, apart, sink);
  CK(cudaDeviceSynchronize());
}
template <class T> void pattern(const std::string &name, std::vector<int> o, int lanes = 32) {
  const int W = sizeof(T) / 4; int most = 0; for (int &k : o) { k *= W; if (k > most) most = k; }
  u64 reach = (most + W + 31) / 32 * 32; reach += 32 * 8 - reach % (32 * 8) + 32; // whole lines, no power of two
  go<T>(name.c_str(), o, lanes, 1, 0);
  go<T>(name.c_str(), o, lanes, 8, reach);
}
u32 seed = 12345; u32 rnd() { seed = seed * 1664525u + 1013904223u; return seed >> 8; }
template <class T> void all(const char *t, std::vector<int> strides) {
  for (int s : strides) { std::vector<int> o(32); for (int k = 0; k < 32; k++) o[k] = k * s; pattern<T>(std::string(t) + " stride " + std::to_string(s), o); }
}
int main(int argc, char **argv) {
  listed = argc > 1 && !strcmp(argv[1], "list"); bool tags = argc > 2 && !strcmp(argv[2], "tags");
  if (!listed) { CK(cudaMalloc(&big, 1u << 30)); CK(cudaMalloc(&sink, 4)); CK(cudaMalloc(&off, 128)); CK(cudaMemset(big, 0, 1u << 30)); }
  if (tags) {
    auto pair = [&](u64 a, u64 b) { std::vector<int> o(32, 0); o[0] = a * 32; o[1] = b * 32; go<float>("pair", o, 2, 1, 0); };
    const int BITS = 18;
    for (int i = 0; i < BITS; i++) pair(0, 1ull << i);
    for (int i = 0; i < BITS; i++) for (int j = 0; j < i; j++) pair(1ull << j, 1ull << i);
    // Whether two lines that are no powers of two go by the sum of their bits.
    for (int k = 0; k < 24; k++) pair(rnd() & 0x3ffff, rnd() & 0x3ffff);
    return 0;
  }
  all<float>("float", {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20, 24, 25, 32, 33, 36, 40, 48, 64, 65, 96, 100, 128, 200, 256, 264, 512, 520, 1000, 1024, 1032, 1056, 4096});
  all<float2>("float2", {1, 2, 3, 4, 8, 16, 17, 32, 33, 64, 100, 512});
  all<float4>("float4", {1, 2, 3, 4, 8, 9, 16, 17, 32, 64, 100, 250, 256});
  for (int rows : {2, 4, 8}) for (int pitch : {64, 258, 1000, 1024}) { std::vector<int> o(32); int w = 32 / rows; for (int k = 0; k < 32; k++) o[k] = k / w * pitch + k % w; pattern<float>("tile " + std::to_string(rows) + " rows " + std::to_string(pitch), o); }
  for (int n = 0; n < 6; n++) { std::vector<int> o(32); u32 span = n < 2 ? 1024 : n < 4 ? 4096 : 65536; for (int &k : o) k = rnd() % span; pattern<float>("random " + std::to_string(n), o); }
  for (int shift : {1, 9, 20}) { std::vector<int> o(32); for (int k = 0; k < 32; k++) o[k] = k + shift; pattern<float>("shifted " + std::to_string(shift), o); }
}
