// What Nsight Compute calls an active warp and a fixed wait: empty blocks, and loops of one operation, each launched once
// under ncu (h200/micro/set-7.json says with which metrics). Built by: nvcc -O3 -arch=sm_90 -o micro7 h200/micro/set-7.cu
#include <cuda_runtime.h>
#include <cstdio>
typedef unsigned int uint;
#define REP4(x) x x x x
#define REP16(x) REP4(REP4(x))
#define REP64(x) REP4(REP16(x))
#define LOOP(NAME, PRE, BODY, POST) __global__ void NAME(uint *out, uint n, float f) { uint x = threadIdx.x + n, y = n, z = n + 1, w = n + 2; float a = f, b = f + 1, c = f + 2, d = f + 3; __shared__ uint s[1024]; PRE \
  for (uint i = 0; i < n; i++) { BODY } POST if (x + y + z + w == 12345 && a + b + c + d == 0.f) out[threadIdx.x] = x; }
__global__ void empty() {}
__global__ void storeOne(uint *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
__global__ void loadOne(uint *out, const uint *in) { uint x = in[blockIdx.x * blockDim.x + threadIdx.x]; if (x == 12345) out[0] = x; }
LOOP(ffmaChain, , REP64(asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(a) : "f"(f));), )
LOOP(ffmaTwo, , REP64(asm volatile("fma.rn.f32 %0,%0,%2,%2; fma.rn.f32 %1,%1,%2,%2;" : "+f"(a), "+f"(b) : "f"(f));), )
LOOP(ffmaFour, , REP16(asm volatile("fma.rn.f32 %0,%0,%4,%4; fma.rn.f32 %1,%1,%4,%4; fma.rn.f32 %2,%2,%4,%4; fma.rn.f32 %3,%3,%4,%4;" : "+f"(a), "+f"(b), "+f"(c), "+f"(d) : "f"(f));), )
LOOP(lop3Chain, , REP64(asm volatile("lop3.b32 %0,%0,%1,%2,0x96;" : "+r"(x) : "r"(n), "r"(w));), )
LOOP(lop3Four, , REP16(asm volatile("lop3.b32 %0,%0,%4,%5,0x96; lop3.b32 %1,%1,%4,%5,0x96; lop3.b32 %2,%2,%4,%5,0x96; lop3.b32 %3,%3,%4,%5,0x96;" : "+r"(x), "+r"(y), "+r"(z), "+r"(w) : "r"(n), "r"(blockDim.x));), )
LOOP(imadChain, , REP64(asm volatile("mad.lo.u32 %0,%0,%1,%2;" : "+r"(x) : "r"(n), "r"(w));), )
LOOP(ldsFour, x = (uint)__cvta_generic_to_shared(s) + 4 * threadIdx.x; uint v0; uint v1; uint v2; uint v3;, REP16(asm volatile("ld.volatile.shared.u32 %0,[%4]; ld.volatile.shared.u32 %1,[%4]; ld.volatile.shared.u32 %2,[%4]; ld.volatile.shared.u32 %3,[%4];" : "=r"(v0), "=r"(v1), "=r"(v2), "=r"(v3) : "r"(x)); y += v0 + v1 + v2 + v3;), )
LOOP(stsFour, x = (uint)__cvta_generic_to_shared(s) + 4 * threadIdx.x;, REP16(asm volatile("st.volatile.shared.u32 [%0],%1; st.volatile.shared.u32 [%0],%1; st.volatile.shared.u32 [%0],%1; st.volatile.shared.u32 [%0],%1;" :: "r"(x), "r"(n));), )
LOOP(shflChain, , REP16(asm volatile("shfl.sync.bfly.b32 %0,%0,1,31,0xffffffff;" : "+r"(x));), )
LOOP(barriers, , REP16(__syncthreads();), )
#pragma nv_diag_suppress 128
__global__ void branches(uint *out, uint n, float f) { uint x = threadIdx.x;
#pragma unroll 1
  for (uint i = 0; i < n * 16; i++) asm volatile("xor.b32 %0,%0,%1;" : "+r"(x) : "r"(n)); if (x == 123456) out[0] = x; }
#define RUN(K, N) for (int t : {128, 512, 1024}) { K<<<132 * (t == 1024 ? 2 : 1), t>>>(out, N, 0.5f); cudaDeviceSynchronize(); printf("{\"kernel\":\"" #K "\",\"threads\":%d,\"blocksPerSM\":%d}\n", t, t == 1024 ? 2 : 1); }
int main() {
  uint *out, *in; cudaMalloc(&out, 256 << 20); cudaMalloc(&in, 256 << 20); cudaMemset(in, 0, 256 << 20);
  for (int t : {32, 64, 128, 256, 512, 1024}) { int b = 132 * 200; empty<<<b, t>>>(); storeOne<<<b, t>>>(out); loadOne<<<b, t>>>(out, in); cudaDeviceSynchronize();
    for (const char *k : {"empty", "storeOne", "loadOne"}) printf("{\"kernel\":\"%s\",\"threads\":%d,\"blocksPerSM\":200}\n", k, t); }
  RUN(ffmaChain, 64) RUN(ffmaTwo, 64) RUN(ffmaFour, 64) RUN(lop3Chain, 64) RUN(lop3Four, 64) RUN(imadChain, 64) RUN(ldsFour, 64) RUN(stsFour, 64) RUN(shflChain, 64) RUN(barriers, 64) RUN(branches, 64)
  return cudaDeviceSynchronize();
}
