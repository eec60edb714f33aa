// Runs every launch of the table below. `measure time` prints one JSON line a launch with its times; `measure once` runs
// each launch once, for Nsight Compute. The protocol is that of ../probes/measure.cu. Data: see fill().
#include "holdout.cu"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
struct Launch { const char *kernel; const char *args; dim3 grid, block; size_t smem; std::function<void()> run; };
std::vector<Launch> table;
const size_t N = (1 << 24) + 4096, LONG = 1 << 28, Z_LENGTH = (1 << 26) + 4096;
int *I, *V, *S, *R, *Q, *T, *W, *O, *P, *cnt; float *F, *G, *H, *B, *Z; double *D, *LOD; long long *LL, *LO; char *flush;
__device__ unsigned golden(unsigned k) { return k * 2654435761u >> 22; }
__device__ unsigned mixed(unsigned k) {
  k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ (k >> 16);
}
// I, W: golden(k), 0..1023. F, G, H, B: (golden(k) + 1) / 1024; D the same as double; LL golden(k). V: mixed(k) >> 22.
// S: u * u >> 10, twice, of u = V's: half of them below 64. R: mixed(k) mod 2^22. Q: k mod 2^22 with its lowest 8 bits
// those of mixed(k). T: 2 k. O, P, LO, Z: zeros.
__global__ void fill(int *I, int *W, float *F, float *G, float *H, double *D, long long *LL, int *V, int *S, int *R, int *Q, int *T, size_t n) {
  size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (k >= n) return;
  unsigned g = golden((unsigned)k), m = mixed((unsigned)k), u = m >> 22;
  I[k] = W[k] = g; F[k] = G[k] = H[k] = (g + 1) / 1024.0f; D[k] = (g + 1) / 1024.0; LL[k] = g;
  V[k] = u; u = u * u >> 10; u = u * u >> 10; S[k] = u;
  R[k] = m & 0x3fffff; Q[k] = ((unsigned)k & 0x3fff00) | (m & 255); T[k] = 2 * k;
}
__global__ void fillLong(float *B, size_t n) {
  size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (k < n) B[k] = (golden((unsigned)k) + 1) / 1024.0f;
}
void init() {
  for (void **p : {(void **)&I, (void **)&V, (void **)&S, (void **)&R, (void **)&Q, (void **)&T, (void **)&W, (void **)&O, (void **)&P, (void **)&F, (void **)&G, (void **)&H}) CK(cudaMalloc(p, N * 4));
  for (void **p : {(void **)&D, (void **)&LL, (void **)&LO}) CK(cudaMalloc(p, N * 8));
  CK(cudaMalloc(&B, LONG * 4)); CK(cudaMalloc(&Z, Z_LENGTH * 4)); CK(cudaMalloc(&cnt, 65536)); CK(cudaMalloc(&flush, 512u << 20));
  fill<<<(unsigned)((N + 255) / 256), 256>>>(I, W, F, G, H, D, LL, V, S, R, Q, T, N);
  fillLong<<<(unsigned)(LONG / 256), 256>>>(B, LONG);
  CK(cudaMemset(O, 0, N * 4)); CK(cudaMemset(P, 0, N * 4)); CK(cudaMemset(LO, 0, N * 8)); CK(cudaMemset(Z, 0, Z_LENGTH * 4));
  CK(cudaDeviceSynchronize());
}
#define L(k, grid, block, smem, ...) table.push_back({#k, #__VA_ARGS__, dim3 grid, dim3 block, (size_t)(smem), [=] { k<<<dim3 grid, dim3 block, smem>>>(__VA_ARGS__); }});
void build() {
  const int M16 = 1 << 16, M18 = 1 << 18, M20 = 1 << 20, M22 = 1 << 22, M23 = 1 << 23, M24 = 1 << 24, M26 = 1 << 26, M28 = 1 << 28;
  L(sumGrid, (528), (128), 512, F, H, M24)
  L(sumGrid, (264), (512), 2048, F, H, M24)
  L(sumGrid, (1056), (256), 1024, B, H, M26)
  L(sumGrid2, (264), (256), 0, I, O, M22)
  L(sumGrid2, (1056), (256), 0, (int *)B, O, M26)
  L(sumGrid4, (256), (512), 0, F, H, M24)
  L(sumGrid4, (1024), (256), 0, B, H, M28)
  L(sumVec4, (528), (128), 0, (float4 *)F, (float *)cnt, M20)
  L(sumVec4, (1056), (256), 0, (float4 *)B, (float *)cnt, M26)
  L(sumEight, (M20 / 8 / 128), (128), 512, I, O, M20)
  L(sumEight, (M24 / 8 / 64), (64), 256, I, O, M24)
  L(sumEight, (M24 / 8 / 256), (256), 1024, I, O, M24)
  L(sumEight, (M24 / 8 / 1024), (1024), 4096, I, O, M24)
  L(sumEight, (M28 / 8 / 256), (256), 1024, (int *)B, O, M28)
  L(maxShfl, (M20 / 256), (256), 0, F, H, M20)
  L(maxShfl, (M24 / 128), (128), 0, F, H, M24)
  L(maxShfl, (M24 / 1024), (1024), 0, F, H, M24)
  L(sumDouble, (528), (256), 0, D, (double *)LO, M23)
  L(sumLongShared, (M22 / 256), (128), 1024, LL, LO, M22)
  L(sumLongShared, (M22 / 1024), (512), 4096, LL, LO, M22)
  L(minAtomic, (528), (512), 0, I, cnt, M24)
  L(sumPartials, (1), (1024), 0, I, O, M16)
  L(sumPartials, (1), (1024), 0, I, O, M20)
  L(sumWarpAtomic, (M22 / 256), (256), 0, F, (float *)cnt, M22)
  L(sumBlockAtomic, (M22 / 256), (256), 1024, I, cnt, M22)
  L(sumBlockAtomic, (M22 / 1024), (1024), 4096, I, cnt, M22)
  L(moments, (1056), (256), 0, F, H, (float *)P, M24)
  L(rowSums, (4096 / 8), (256), 0, F, H, 4096, 1024)
  L(rowSums, (65536 / 4), (128), 0, B, H, 65536, 1024)
  L(colSums, (4096 / 128), (128), 0, F, H, 4096, 4096)
  L(chunkSum, (M20 / 256), (256), 0, I, O, M20)
  L(countAbove, (1056), (256), 0, V, cnt, M24, 700)
  L(argmaxShfl, (M22 / 256), (256), 0, F, H, O, M22)
  L(dotVec4, (1056), (256), 0, (float4 *)F, (float4 *)G, (float *)cnt, M22)
  L(scanBlock, (M22 / 256), (256), 0, V, O, M22)
  L(scanBlock, (M24 / 1024), (1024), 0, V, O, M24)
  L(scanInPlace, (M22 / 128), (128), 512, F, H, M22)
  L(scanInPlace, (M22 / 512), (512), 2048, F, H, M22)
  L(scanPadded, (M22 / 256), (128), 1088, I, O, P)
  L(scanPadded, (M22 / 1024), (512), 4352, I, O, P)
  L(scanFour, (M20 / 256), (256), 0, (int4 *)I, (int4 *)O, M20)
  L(scanFour, (M22 / 128), (128), 0, (int4 *)I, (int4 *)O, M22)
  L(addBase, (M24 / 256), (256), 0, W, P, M24)
  L(copyMatrix, (64, 64), (32, 8), 0, F, H, 2048)
  L(copyMatrix, (256, 256), (32, 8), 0, B, Z, 8192)
  L(transposeRead, (64, 256), (32, 8), 0, F, H, 2048, 2048)
  L(transposeRead, (256, 256), (16, 16), 0, F, H, 4096, 4096)
  L(transposeWrite, (128, 512), (32, 8), 0, F, H, 4096, 4096)
  L(transposeWrite, (128, 128), (16, 16), 0, F, H, 2048, 2048)
  L(transpose16, (128, 128), (16, 16), 0, F, H, 2048)
  L(transpose16Pad, (256, 256), (16, 16), 0, F, H, 4096)
  L(transpose32Pad, (32, 32), (32, 8), 0, F, H, 1024)
  L(transpose32Pad, (128, 128), (32, 8), 0, F, H, 4096)
  L(transpose32Pad, (256, 256), (32, 8), 0, B, Z, 8192)
  L(transposeDiagonal, (128, 128), (32, 8), 0, F, H, 4096)
  L(copyFloat, (M20 / 256), (256), 0, F, H, M20)
  L(copyFloat, (M22 / 64), (64), 0, F, H, M22)
  L(copyFloat, (M24 / 512), (512), 0, F, H, M24)
  L(copyFloat, (M26 / 1024), (1024), 0, B, Z, M26)
  L(scaleFloat2, (M23 / 256), (256), 0, (float2 *)F, (float2 *)H, M23, 1.5f)
  L(triad, (132), (1024), 0, F, G, H, 3.0f, M22)
  L(triad, (1056), (256), 0, F, G, H, 3.0f, M24)
  L(saxpy, (M22 / 1024), (1024), 0, 2.0f, F, H, M22)
  L(saxpy, (M24 / 64), (64), 0, 2.0f, F, H, M24)
  L(fillInt, (M24 / 256), (256), 0, O, 7, M24)
  L(fillInt, (M26 / 256), (256), 0, (int *)Z, 7, M26)
  L(strideWrite, (M20 / 256), (256), 0, F, H, M20, 16)
  L(strideWrite, (M22 / 256), (256), 0, F, H, M22, 4)
  L(strideLoad, (M20 / 128), (128), 0, I, O, M20, 16)
  L(strideLoad, (M22 / 256), (256), 0, I, O, M22, 3)
  L(strideLoad, (M22 / 256), (256), 0, (int *)B, O, M22, 64)
  L(shiftWrite, (M22 / 256), (256), 0, F, H, M22, 5)
  L(shiftWrite, (M24 / 128), (128), 0, F, H, M24, 33)
  L(gather, (M22 / 256), (256), 0, F, R, H, M22)
  L(gather, (M22 / 256), (256), 0, F, Q, H, M22)
  L(gather, (M24 / 512), (512), 0, F, R, H, M24)
  L(gather, (M24 / 512), (512), 0, F, Q, H, M24)
  L(scatter, (M22 / 256), (256), 0, F, R, H, M22)
  L(scatter, (M22 / 256), (256), 0, F, Q, H, M22)
  L(pointsToArrays, (M22 / 256), (256), 0, F, H, (float *)P, M22)
  L(reverseShared, (M24 / 256), (256), 1024, I, O, M24)
  L(binarySearch, (M20 / 256), (256), 0, T, R, O, M20, M22)
  L(hist64, (528), (256), 0, V, cnt, M24)
  L(hist64, (528), (256), 0, S, cnt, M24)
  L(hist1024, (264), (512), 0, V, cnt, M24)
  L(hist1024, (264), (512), 0, S, cnt, M24)
  L(histGlobal1024, (1056), (256), 0, V, cnt, M22)
  L(histGlobal1024, (1056), (256), 0, S, cnt, M22)
  L(histWarps, (528), (256), 0, V, cnt, M24)
  L(histWarps, (528), (256), 0, S, cnt, M24)
  L(histMatch, (M22 / 256), (256), 0, V, cnt, M22)
  L(histMatch, (M22 / 256), (256), 0, S, cnt, M22)
  L(stencil5, (M22 / 128), (128), 0, F, H, M22)
  L(stencil5, (M24 / 256), (256), 0, F, H, M24)
  L(stencilNine, (M20 / 256), (256), 0, F, H, M20)
  L(stencilNine, (M24 / 512), (512), 0, F, H, M24)
  L(heat, (128, 128), (16, 16), 0, F, H, 2048, 2048)
  L(heat, (128, 512), (32, 8), 0, F, H, 4096, 4096)
  L(heatTile, (128, 128), (16, 16), 0, F, H, 2048, 2048)
  L(matMul32, (32, 32), (32, 32), 0, F, G, H, 1024)
  L(matMulTwo, (32, 64), (16, 16), 0, F, G, H, 1024)
  L(matMulPlain, (64, 64), (8, 8), 0, F, G, H, 512)
  L(matMulPlain, (32, 128), (32, 8), 0, F, G, H, 1024)
  L(matVecBlock, (4096), (128), 0, F, G, H, 4096)
  L(matVecColumn, (16, 64), (256), 0, F, G, H, 4096, 4096)
  L(banks, (1056), (256), 0, O, 1)
  L(banks, (1056), (256), 0, O, 2)
  L(banks, (1056), (256), 0, O, 3)
  L(banks, (1056), (256), 0, O, 4)
  L(banks, (1056), (256), 0, O, 8)
  L(banks, (1056), (256), 0, O, 16)
  L(banks, (1056), (256), 0, O, 32)
  L(fourWays, (M22 / 256), (256), 0, F, H, M22)
  L(laneLoop, (M22 / 128), (128), 0, I, O, M22)
  L(halfWarps, (M22 / 256), (256), 0, I, O, M22)
  L(fmaChain, (M20 / 256), (256), 0, H, 1.0001f, 0.5f, 512)
  L(fmaFour, (M20 / 128), (128), 0, H, 1.0001f, 0.5f, 256)
  L(intMix, (M20 / 256), (256), 0, O, 128)
  L(rootLoop, (M22 / 256), (256), 0, F, H, M22)
  L(sineLoop, (M22 / 256), (256), 0, F, H, M22)
  L(sigmoid, (M24 / 512), (512), 0, F, H, M24)
  L(gcd, (M22 / 256), (256), 0, V, S, O, M22)
  L(mandelbrot, (128, 256), (16, 8), 0, O, 2048, 2048, 200)
  L(bodies, (32), (128), 0, (float4 *)F, (float4 *)H, 4096)
  L(circleHits, (M18 / 256), (256), 0, cnt, 512)
  L(compact, (M22 / 256), (256), 0, V, O, cnt, M22, 600)
  L(compact, (M22 / 1024), (1024), 0, V, O, cnt, M22, 600)
  L(bitonicStep, (M22 / 256), (256), 0, I, O, 64, 256)
  L(bitonicStep, (M24 / 512), (512), 0, I, O, M16, M18)
  L(bitonicBlock, (M22 / 512), (512), 2048, V, O)
  L(bitonicBlock, (M22 / 128), (128), 512, V, O)
  L(oddEven, (M23 / 256), (256), 0, W, M24, 0)
  L(oddEven, (M23 / 256), (256), 0, W, M24, 1)
  L(lookup, (528), (256), 0, V, V, O, M24)
}
__global__ void empty() {}
int main(int argc, char **argv) {
  init(); build();
  bool once = argc > 1 && !strcmp(argv[1], "once");
  if (once) {
    for (auto &l : table) { CK(cudaMemset(cnt, 0, 65536)); l.run(); CK(cudaGetLastError()); CK(cudaDeviceSynchronize()); }
    return 0;
  }
  cudaEvent_t a, b; CK(cudaEventCreate(&a)); CK(cudaEventCreate(&b));
  auto med = [&](std::function<void()> run, bool cold, std::vector<float> &t) {
    for (int r = 0; r < 27; r++) {
      CK(cudaMemsetAsync(cnt, 0, 65536));
      if (cold) CK(cudaMemsetAsync(flush, r, 512u << 20));
      CK(cudaEventRecord(a)); run(); CK(cudaEventRecord(b)); CK(cudaEventSynchronize(b));
      float ms; CK(cudaEventElapsedTime(&ms, a, b)); if (r > 1) t.push_back(ms);
    }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end());
  };
  std::vector<float> e; med([] { empty<<<1, 32>>>(); }, false, e);
  printf("{\"empty_ms\":%.6f}\n", e[12]);
  for (auto &l : table) {
    std::vector<float> c, w; med(l.run, true, c); med(l.run, false, w);
    printf("{\"kernel\":\"%s\",\"args\":\"%s\",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"sharedBytes\":%zu,\"cold\":[%.6f,%.6f,%.6f],\"warm\":[%.6f,%.6f]}\n",
      l.kernel, l.args, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.smem, c[0], c[12], c[24], w[0], w[12]);
    fflush(stdout);
  }
}
