// Runs every launch of the table below. `measure time` prints one JSON line a launch with its times;
// `measure once` runs each launch once, for Nsight Compute. Data: see init().
#include "probes.cu"
#include <cstdio>
#include <cstring>
#include <vector>
#include <string>
#include <algorithm>
#include <functional>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s (line %d)\n", #x, cudaGetErrorString(e_), __LINE__); exit(1); } } while (0)
struct Launch { const char *kernel; const char *args; size_t n; dim3 grid, block; size_t smem; std::function<void()> run; };
std::vector<Launch> table;
const size_t N = 1 << 24;
int *I, *J, *W, *O, *P, *cnt; float *F, *G, *H; double *D, *E; long long *LL, *LO; unsigned *U; char *flush; 
// element k of I, U, W (W is reduced in place) and J is (k * 2654435761 mod 2^32) >> 22, 0..1023 (J: plus 1); F and G are (that + 1) / 1024; D, E, LL the same values.
static unsigned hv(size_t k) { return (unsigned)((unsigned)k * 2654435761u) >> 22; }
void init() {
  size_t pad = 4096;
  std::vector<int> h(N + pad); std::vector<float> f(N + pad); std::vector<double> d(N + pad); std::vector<long long> l(N + pad);
  CK(cudaMalloc(&I, (N + pad) * 4)); CK(cudaMalloc(&J, (N + pad) * 4)); CK(cudaMalloc(&U, (N + pad) * 4));
  CK(cudaMalloc(&W, (N + pad) * 4)); CK(cudaMalloc(&O, (N + pad) * 4)); CK(cudaMalloc(&P, (N + pad) * 4)); CK(cudaMalloc(&cnt, 65536));
  CK(cudaMalloc(&F, (N + pad) * 4)); CK(cudaMalloc(&G, (N + pad) * 4)); CK(cudaMalloc(&H, (N + pad) * 4));
  CK(cudaMalloc(&D, (N + pad) * 8)); CK(cudaMalloc(&E, (N + pad) * 8)); CK(cudaMalloc(&LL, (N + pad) * 8)); CK(cudaMalloc(&LO, (N + pad) * 8));
  CK(cudaMalloc(&flush, 512u << 20));
  for (size_t k = 0; k < N + pad; k++) { h[k] = hv(k); f[k] = (hv(k) + 1) / 1024.0f; d[k] = f[k]; l[k] = h[k]; }
  CK(cudaMemcpy(I, h.data(), (N + pad) * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(W, h.data(), (N + pad) * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(U, h.data(), (N + pad) * 4, cudaMemcpyHostToDevice));
  for (auto &x : h) x++;
  CK(cudaMemcpy(J, h.data(), (N + pad) * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(F, f.data(), (N + pad) * 4, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(G, f.data(), (N + pad) * 4, cudaMemcpyHostToDevice)); CK(cudaMemcpy(H, f.data(), (N + pad) * 4, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(D, d.data(), (N + pad) * 8, cudaMemcpyHostToDevice)); CK(cudaMemcpy(E, d.data(), (N + pad) * 8, cudaMemcpyHostToDevice));
  CK(cudaMemcpy(LL, l.data(), (N + pad) * 8, cudaMemcpyHostToDevice)); CK(cudaMemset(O, 0, (N + pad) * 4)); CK(cudaMemset(P, 0, (N + pad) * 4));
}
#define L(k, n, grid, block, smem, ...) table.push_back({#k, #__VA_ARGS__, (size_t)(n), dim3 grid, dim3 block, (size_t)(smem), [=] { k<<<dim3 grid, dim3 block, smem>>>(__VA_ARGS__); }});
void build() {
  const int M22 = 1 << 22, M24 = 1 << 24;
  for (int b : {128, 512}) {
    L(reduceNeighbored, M24, (M24 / b), (b), 0, W, O, M24)
    L(reduceNeighboredLess, M24, (M24 / b), (b), 0, W, O, M24)
    L(reduceInterleaved, M24, (M24 / b), (b), 0, W, O, M24)
    L(reduceUnrolling2, M24, (M24 / b / 2), (b), 0, W, O, M24)
    L(reduceUnrolling4, M24, (M24 / b / 4), (b), 0, W, O, M24)
    L(reduceUnrolling8, M24, (M24 / b / 8), (b), 0, W, O, M24)
    L(reduceUnrollWarps8, M24, (M24 / b / 8), (b), 0, W, O, M24)
    L(reduceCompleteUnrollWarps8, M24, (M24 / b / 8), (b), 0, W, O, M24)
  }
  L(reduceCompleteUnroll512, M24, (M24 / 512 / 8), (512), 0, W, O, M24)
  L(reduceCompleteUnroll128, M24, (M24 / 128 / 8), (128), 0, W, O, M24)
  L(neighbored_pairs, M22, (M22 / 128), (128), 0, W, O, M22)
  L(neighbored_pairs_improved, M22, (M22 / 128), (128), 0, W, O, M22)
  L(interleaved_pairs, M22, (M22 / 128), (128), 0, W, O, M22)
  L(unrolling_blocks2, M22, (M22 / 256), (128), 0, W, O, M22)
  L(warp_unrolling, M22, (M22 / 128), (128), 0, W, O, M22)
  L(smemUnroll4, M24, (M24 / 1024), (256), 0, I, O, M24)
  L(syncwarpLast, M24, (M24 / 512), (256), 1024, I, O)
  L(warpShflDown, M24, (M24 / 256), (256), 0, I, O, M24)
  L(warpShflXor, M22, (M22 / 256), (256), 0, F, H, M22)
  L(blockShfl, M24, (M24 / 256), (256), 0, I, O, M24)
  L(blockShfl, M24, (M24 / 1024), (1024), 0, I, O, M24)
  L(gridShflAtomic, M24, (1056), (256), 0, I, cnt, M24)
  L(reduxAdd, M24, (M24 / 512), (512), 0, I, O, M24)
  L(ballotCount, M24, (M24 / 256), (256), 0, I, O, M24, 500)
  L(voteAnyAll, M22, (M22 / 256), (256), 0, I, O, M22, 900)
  L(aggregatedAtomic, M22, (M22 / 256), (256), 0, I, O, cnt, M22, 700)
  L(matchHistogram, M22, (M22 / 256), (256), 0, I, cnt, M22)
  L(warpScan, M24, (M24 / 256), (256), 0, I, O, M24)
  L(blockScanShfl, M24, (M24 / 512), (512), 0, I, O, P, M24)
  L(hillisSteele, M22, (M22 / 256), (256), 2048, I, O, M22)
  L(blelloch, M22, (M22 / 512), (256), 2048, I, O)
  L(atomicGlobalSum, M22, (M22 / 256), (256), 0, I, cnt, M22)
  L(atomicFloatSum, M22, (M22 / 256), (256), 0, F, (float *)cnt, M22)
  L(atomicSharedSum, M22, (M22 / 256), (256), 0, I, cnt, M22)
  L(histGlobal, M22, (M22 / 256), (256), 0, I, cnt, M22)
  L(histShared, M24, (528), (256), 0, I, (unsigned *)cnt, M24)
  L(maxAtomic, M24, (M24 / 256), (256), 1024, I, cnt, M24)
  L(argmax, M22, (M22 / 256), (256), 2048, F, H, O, M22)
  L(vecAdd, M24, (M24 / 256), (256), 0, F, G, H, M24)
  L(vecAdd, M22 - 77, (M22 / 128), (128), 0, F, G, H, M22 - 77)
  L(saxpyStride, M24, (1056), (256), 0, 2.0f, F, H, M24)
  L(copy4, M22, (M22 / 256), (256), 0, (float4 *)F, (float4 *)H, M22)
  L(sum4, M22, (M22 / 256), (256), 0, (int4 *)I, O, M22)
  for (int s : {2, 8, 32}) L(stridedRead, M24 / s, (M24 / s / 256), (256), 0, F, H, M24, s)
  for (int s : {1, 11, 128}) L(offsetRead, M22, (M22 / 512), (512), 0, F, H, M22, s)
  L(transposeNaive, M22, (64, 64), (32, 32), 0, F, H, 2048, 2048)
  L(transposeTiled, M22, (64, 64), (32, 8), 0, F, H, 2048, 2048)
  L(transposePadded, M22, (64, 64), (32, 32), 0, F, H, 2048, 2048)
  L(stencil3, M24, (M24 / 256), (256), 0, F, H, M24)
  L(stencilRadius, M22, (M22 / 256), (256), 0, I, O)
  L(dotProduct, M24, (1024), (256), 0, F, G, H, M24)
  L(dotDouble, M22, (M22 / 256), (256), 2048, D, E, (double *)LO, M22)
  L(sumLongLong, M22, (528), (256), 0, LL, LO, M22)
  L(matVecRow, M22, (4096 / 128), (128), 0, F, G, H, 4096, 1024)
  L(matVecWarp, M24, (4096 / 8), (256), 0, F, G, H, 4096, 4096)
  L(matMulTiled, 1 << 20, (64, 64), (16, 16), 0, F, G, H, 1024)
  L(matMulNaive, 1 << 18, (32, 32), (16, 16), 0, F, G, H, 512)
  L(blur3x3, M22, (64, 256), (32, 8), 0, I, O, 2048, 2048)
  L(divergeParity, M22, (M22 / 128), (128), 0, H, M22)
  L(divergeHeavy, M22, (M22 / 256), (256), 0, H, M22)
  L(warpBranchHeavy, M22, (M22 / 256), (256), 0, H, M22)
  L(switchEight, M22, (M22 / 256), (256), 0, I, O, M22)
  L(ifChain, M22, (M22 / 256), (256), 0, I, O, M22)
  L(collatz, M22, (M22 / 256), (256), 0, I, O, M22)
  L(divergentLoop, M22, (M22 / 256), (256), 0, I, O, M22)
  L(breakContinue, M22, (M22 / 256), (256), 0, I, O, M22)
  L(loopRuntime, M22, (M22 / 256), (256), 0, I, O, M22, 100)
  L(loopConst64, M22, (M22 / 256), (256), 0, I, O)
  L(localArray, M22, (M22 / 256), (256), 0, I, O, M22)
  L(localArrayDynamic, M22, (M22 / 256), (256), 0, I, O, M22)
  L(ifBody4, M22, (M22 / 256), (256), 0, I, O, M22, 700)
  L(ifBody12, M22, (M22 / 256), (256), 0, I, O, M22, 700)
  L(nestedIf, M22, (M22 / 256), (256), 0, I, O, M22)
  L(divModSigned, M22, (M22 / 256), (256), 0, I, J, O, M22)
  L(divModUnsigned, M22, (M22 / 256), (256), 0, U, (unsigned *)J, (unsigned *)O, M22)
  L(divModConst, M22, (M22 / 256), (256), 0, I, O, M22)
  L(floatMath, M22, (M22 / 256), (256), 0, F, H, M22)
  L(floatDiv, M22, (M22 / 256), (256), 0, F, G, H, M22)
  L(polyFma, M24, (M24 / 256), (256), 0, F, H, M24)
  L(monteCarloPi, 1 << 18, ((1 << 18) / 256), (256), 0, (unsigned *)cnt, 256)
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
    printf("{\"kernel\":\"%s\",\"args\":\"%s\",\"n\":%zu,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"sharedBytes\":%zu,\"cold\":[%.6f,%.6f,%.6f],\"warm\":[%.6f,%.6f]}\n",
      l.kernel, l.args, l.n, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.smem, c[0], c[12], c[24], w[0], w[12]);
    fflush(stdout);
  }
}
