// Microbenchmarks: shared loads by width, hits in L1 by lines and banks, and what L2 keeps of one launch for the next.
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s (line %d)\n", cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
typedef unsigned u32; char *big;
double us(std::function<void()> f) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  for (int r = 0; r < 7; r++) { cudaEventRecord(a); f(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); if (r) t.push_back(m * 1000); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[3]; }
// shared loads by width and place: 8 independent loads a round
template <class T, int KIND> __global__ void lds(float *o, u32 rounds) {
  __shared__ T s[1024]; u32 t = threadIdx.x & 31; for (u32 i = threadIdx.x; i < 1024; i += blockDim.x) { T v; *(float *)&v = i; s[i] = v; } __syncthreads();
  float a = 0; u32 at = KIND == 0 ? 0 : KIND == 1 ? t : KIND == 2 ? t / 16 * 32 : t & 15; u32 base = (u32)__cvta_generic_to_shared(s), at0 = at * sizeof(T);
  
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) { u32 rb = base + at0 + (r * rounds & 3) * 256;
    #pragma unroll
    for (int k = 0; k < 8; k++) { u32 addr = rb + k * 16 * (u32)sizeof(T);
      if (sizeof(T) == 4) { float x; asm volatile("ld.shared.f32 %0, [%1];" : "=f"(x) : "r"(addr)); a += x; }
      if (sizeof(T) == 8) { float x, y; asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(x), "=f"(y) : "r"(addr)); a += x; }
      if (sizeof(T) == 16) { float x, y, z, w; asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(addr)); a += x; }
    }
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
template <class T, int KIND> void ldsRows(const char *name) {
  for (int warps : {8, 32, 64}) { double t = us([&] { lds<T, KIND><<<132 * warps / 8, 256>>>((float *)big, 1024); }), h = us([&] { lds<T, KIND><<<132 * warps / 8, 256>>>((float *)big, 512); });
    printf("{\"micro\":\"shared_load_width\",\"bytes\":%d,\"place\":\"%s\",\"warpsPerSM\":%d,\"cyclesPerRequestSM\":%.3f}\n", (int)sizeof(T), name, warps, (t - h) * 1980 / (512.0 * 8 * warps)); } }
// mix: 4 of one word each, one of 16 bytes broadcast
__global__ void ldsMix(float *o, u32 rounds, int scal, int wide) {
  __shared__ float4 s[1024]; u32 t = threadIdx.x & 31; for (u32 i = threadIdx.x; i < 1024; i += blockDim.x) s[i] = make_float4(i, i, i, i); __syncthreads();
  float a = 0; u32 base0 = (u32)__cvta_generic_to_shared(s);
  
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) { u32 base = base0 + (r & 3) * 256;
    #pragma unroll
    for (int k = 0; k < 4; k++) {
      float x, y, z, w; asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "r"(base + k * 1024));
      float p, q, u, v; 
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(p) : "r"(base + t * 4 + k * 512)); asm volatile("ld.shared.f32 %0, [%1];" : "=f"(q) : "r"(base + t * 4 + k * 512 + 128));
      asm volatile("ld.shared.f32 %0, [%1];" : "=f"(u) : "r"(base + t * 4 + k * 512 + 256)); asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v) : "r"(base + t * 4 + k * 512 + 384));
      a += x * p; a += y * q; a += z * u; a += w * v;
    }
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
// global loads that hit L1, by lines: few instructions each
template <int KIND> __global__ void ldg(const float *p, u32 rounds, float *o) {
  u32 lane = threadIdx.x & 31, w = threadIdx.x >> 5; float a = 0;
  const float *q = p + (KIND == 0 ? 0 : KIND == 1 ? lane : KIND == 2 ? (lane >> 4) * 512 : KIND == 3 ? (lane >> 3) * 512 + (lane & 7) : KIND == 4 ? (lane >> 2) * 512 + (lane & 3) : KIND == 5 ? (lane >> 1) * 40 : KIND == 6 ? lane * 32 : KIND == 7 ? lane * 33 : 4 * lane);
  
#pragma unroll 1
  for (u32 r = 0; r < rounds; r++) { const float *qr = q + (r & 3) * 1024;
    #pragma unroll
    for (int k = 0; k < 16; k++) {
      if (KIND == 8) { float x, y, z, v; asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x), "=f"(y), "=f"(z), "=f"(v) : "l"(qr + k * 32)); a += x; }
      else { float x; asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(x) : "l"(qr + k * 32)); a += x; }
    }
  }
  o[blockIdx.x * blockDim.x + threadIdx.x] = a;
}
template <int KIND> void ldgRows(const char *name) {
  for (int warps : {8, 32, 64}) { auto f = [&](u32 n) { ldg<KIND><<<132 * warps / 8, 256>>>((float *)big, n, (float *)(big + (64 << 20))); }; double t = us([&] { f(256); }), h = us([&] { f(128); });
    printf("{\"micro\":\"l1_load\",\"kind\":\"%s\",\"warpsPerSM\":%d,\"cyclesPerRequestSM\":%.3f}\n", name, warps, (t - h) * 1980 / (128.0 * 16 * warps)); } }
// reads of 1 GiB by many short blocks: 8 loads a thread, then barriers
__global__ void eight(const int *in, int *out, int tail) {
  __shared__ int s[256]; int t = threadIdx.x, i = blockIdx.x * 2048 + t, v = 0;
  #pragma unroll
  for (int k = 0; k < 8; k++) v += in[i + k * 256];
  s[t] = v; __syncthreads(); 
  for (int r = 0; r < tail; r++) { v += s[(t + r) & 255]; __syncthreads(); }
  if (t == 0 || v == 123456) out[blockIdx.x] = v;
}
void sharedAndL1() {
  CK(cudaMalloc(&big, 2048ll << 20)); CK(cudaMemset(big, 0, 2048ll << 20));
  ldsRows<float, 0>("one word"); ldsRows<float, 1>("32 words"); ldsRows<float, 3>("16 words twice");
  ldsRows<float2, 0>("one word"); ldsRows<float2, 1>("32 words"); ldsRows<float2, 2>("two words");
  ldsRows<float4, 0>("one word"); ldsRows<float4, 1>("32 words"); ldsRows<float4, 2>("two words"); ldsRows<float4, 3>("16 words twice");
  for (int warps : {8, 32, 64}) { double t = us([&] { ldsMix<<<132 * warps / 8, 256>>>((float *)big, 1024, 4, 1); }), h = us([&] { ldsMix<<<132 * warps / 8, 256>>>((float *)big, 512, 4, 1); });
    printf("{\"micro\":\"shared_load_mix\",\"what\":\"16 bytes broadcast and 4 of 32 words\",\"warpsPerSM\":%d,\"cyclesPerFiveSM\":%.3f}\n", warps, (t - h) * 1980 / (512.0 * 4 * warps)); }
  ldgRows<0>("one word"); ldgRows<1>("32 words"); ldgRows<2>("2 words of 2 lines"); ldgRows<3>("8 words of each of 4 lines"); ldgRows<4>("4 words of each of 8 lines"); ldgRows<5>("16 words, 40 apart"); ldgRows<6>("32 words, 32 apart"); ldgRows<7>("32 words, 33 apart"); ldgRows<8>("float4");
  for (int tail : {0, 2, 4, 8, 16}) { double t = us([&] { eight<<<131072, 256>>>((int *)big, (int *)(big + (1200ll << 20)), tail); }); printf("{\"micro\":\"eight_loads\",\"barriers\":%d,\"us\":%.2f,\"GBps\":%.0f}\n", tail, t, 1073.7e3 / t); }
}
char *flush;
__global__ void readAll(const int4 *p, size_t n, int *o) { int s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 q = p[i]; s += q.x + q.y + q.z + q.w; } if (s == 123456789) *o = s; }
double usAfter(std::function<void()> f, int state, int reps) { cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b); std::vector<float> t;
  for (int r = 0; r < reps; r++) { if (state == 1) readAll<<<1056, 256>>>((int4 *)flush, (512u << 20) / 16, (int *)flush); else if (state == 2) cudaMemsetAsync(flush, r, 512u << 20); else cudaMemsetAsync(flush, 0, 65536); cudaEventRecord(a); f(); cudaEventRecord(b); CK(cudaEventSynchronize(b)); float m; cudaEventElapsedTime(&m, a, b); if (r > 1) t.push_back(m * 1000); }
  CK(cudaGetLastError()); std::sort(t.begin(), t.end()); return t[t.size() / 2]; }
// grid-stride, four bytes a thread, 64 warps an SM: kinds read, copy, in place, two reads and a write, write
template <int KIND, class T> __global__ void pass(T *a, T *b, T *c, u32 n) {
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (KIND == 0) { T v = a[i]; if (*(int *)&v == 0x7f123456) c[0] = v; } else if (KIND == 1) b[i] = a[i]; else if (KIND == 2) { T v = a[i]; ((int *)&v)[0]++; a[i] = v; } else if (KIND == 3) { T v = a[i], w = b[i]; ((int *)&v)[0] += ((int *)&w)[0]; c[i] = v; } else { T v; ((int *)&v)[0] = i; a[i] = v; }
  }
}
template <int KIND, class T> void rows(const char *name, const char *type) {
  for (u32 MiB : {8, 16, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 128}) {
    u32 arrays = KIND == 1 ? 2 : KIND == 3 ? 3 : 1; size_t per = ((size_t)MiB << 20) / arrays / 4096 * 4096; u32 n = per / sizeof(T);
    auto f = [&] { pass<KIND, T><<<1056, 256>>>((T *)big, (T *)(big + per), (T *)(big + 2 * per), n); };
    double t[3]; for (int s : {0, 1, 2}) t[s] = usAfter(f, s, s == 0 ? 17 : 11);
    printf("{\"micro\":\"repeated\",\"kind\":\"%s\",\"type\":\"%s\",\"MiB\":%u,\"repeatedUs\":%.2f,\"cleanUs\":%.2f,\"dirtyUs\":%.2f}\n", name, type, MiB, t[0], t[1], t[2]); fflush(stdout);
  }
}
int main() {
  sharedAndL1();
  CK(cudaMalloc(&big, 1024ll << 20)); CK(cudaMalloc(&flush, 512ll << 20)); CK(cudaMemset(big, 0, 1024ll << 20)); CK(cudaMemset(flush, 0, 512ll << 20));
  rows<0, int>("read", "int"); rows<0, int4>("read", "int4"); rows<1, int>("copy", "int"); rows<1, int4>("copy", "int4"); rows<2, int>("in place", "int"); rows<3, int>("two reads, one write", "int"); rows<4, int>("write", "int");
}
