#include "kernels.cu"
#include <cstdio>
#include <cstring>
#include <vector>
// Counts the kernels of one folder (measure.sh). Data: hash(k) = k * 2654435761 >> 22. Without an argument it prints a checksum
// (FNV-1a of the words) of each buffer that a kernel wrote.
const size_t N = 1 << 20, TOTAL = N + (1 << 16);
template <class T> struct Buffer {
  T *device;
  std::vector<T> start;
  Buffer(T (*value)(unsigned)) : start(TOTAL) {
    for (size_t k = 0; k < TOTAL; k++) start[k] = value((unsigned)k);
    cudaMalloc(&device, TOTAL * sizeof(T));
  }
  void reset() { cudaMemcpy(device, start.data(), TOTAL * sizeof(T), cudaMemcpyHostToDevice); }
  void report(const char *name) {
    std::vector<T> now(TOTAL);
    cudaMemcpy(now.data(), device, TOTAL * sizeof(T), cudaMemcpyDeviceToHost);
    if (memcmp(now.data(), start.data(), TOTAL * sizeof(T)) == 0) return;
    const unsigned *words = (const unsigned *)now.data();
    unsigned hash = 2166136261u;
    for (size_t k = 0; k < TOTAL * sizeof(T) / 4; k++) hash = (hash ^ words[k]) * 16777619u;
    printf(" %s=%u", name, hash);
  }
};
static unsigned hash(unsigned k) { return k * 2654435761u >> 22; }
int main(int argc, char **) {
  Buffer<int> bI([](unsigned k) { return (int)hash(k); }), bW([](unsigned k) { return (int)hash(k); });
  Buffer<int> bS([](unsigned k) { return (int)(k >> 10); }), bO([](unsigned) { return 0; }), bP([](unsigned) { return 0; });
  Buffer<float> bF([](unsigned k) { return (hash(k) + 1) / 1024.0f; }), bG([](unsigned k) { return (hash(k) + 1) / 1024.0f; });
  Buffer<float> bV([](unsigned k) { return (hash(k) + 1) / 1024.0f; }), bH([](unsigned) { return 0.0f; });
  Buffer<double> bD([](unsigned k) { return (hash(k) + 1) / 1024.0; }), bE([](unsigned) { return 0.0; });
  Buffer<long long> bQ([](unsigned k) { return hash(k) * 3000000001LL; }), bR([](unsigned) { return 0LL; });
  int *I = bI.device, *W = bW.device, *S = bS.device, *O = bO.device, *P = bP.device;
  float *F = bF.device, *G = bG.device, *V = bV.device, *H = bH.device;
  double *D = bD.device, *E = bE.device;
  long long *Q = bQ.device, *R = bR.device;
  bI.reset(); bS.reset(); bF.reset(); bG.reset(); bD.reset(); bQ.reset();
  const int M = N;
#define L(k, grid, block, smem, ...) { \
    bW.reset(); bO.reset(); bP.reset(); bV.reset(); bH.reset(); bE.reset(); bR.reset(); \
    k<<<dim3 grid, dim3 block, smem>>>(__VA_ARGS__); \
    cudaError_t e = cudaDeviceSynchronize(); \
    if (e) { printf("%s %s\n", #k, cudaGetErrorString(e)); return 1; } \
    if (argc == 1) { printf("%s", #k); bW.report("W"); bO.report("O"); bP.report("P"); bV.report("V"); bH.report("H"); bE.report("E"); bR.report("R"); printf("\n"); } }
#include "launches.inc"
  return 0;
}
