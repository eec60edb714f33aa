// Runs every launch in LAUNCHES of the kernels in KERNELS, both paths of files that measure.sh gives. `measure time` prints a JSON
// line a launch with its times. `measure once` runs each launch once, for Nsight Compute. `measure list` prints the
// launches and needs no GPU. fill() says what the arrays hold.
#include KERNELS
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
int *I, *J, *V, *S, *R, *Q, *T, *W, *O, *P, *cnt; float *F, *G, *H, *B, *Z; double *D, *E; unsigned *U; long long *LL, *LO; char *flush;
__device__ unsigned golden(unsigned k) { return k * 2654435761u >> 22; }
__device__ unsigned mixed(unsigned k) {
  k ^= k >> 16; k *= 0x85ebca6bu; k ^= k >> 13; k *= 0xc2b2ae35u; return k ^ (k >> 16);
}
// I, U, W: golden(k), 0..1023. J: that plus 1. F, G, H, B: (golden(k) + 1) / 1024; D, E the same as double; LL golden(k). V: mixed(k) >> 22.
// S: u * u >> 10, twice, of u = V's: half of them below 64. R: mixed(k) mod 2^22. Q: k mod 2^22 with its lowest 8 bits
// those of mixed(k). T: 2 k. O, P, LO, Z: zeros.
__global__ void fill(int *I, unsigned *U, int *J, int *W, float *F, float *G, float *H, double *D, double *E, long long *LL, int *V, int *S, int *R, int *Q, int *T, size_t n) {
  size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (k >= n) return;
  unsigned g = golden((unsigned)k), m = mixed((unsigned)k), u = m >> 22;
  I[k] = U[k] = W[k] = g; J[k] = g + 1; F[k] = G[k] = H[k] = (g + 1) / 1024.0f; D[k] = E[k] = (g + 1) / 1024.0; LL[k] = g;
  V[k] = u; u = u * u >> 10; u = u * u >> 10; S[k] = u;
  R[k] = m & 0x3fffff; Q[k] = ((unsigned)k & 0x3fff00) | (m & 255); T[k] = 2 * k;
}
__global__ void fillLong(float *B, size_t n) {
  size_t k = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (k < n) B[k] = (golden((unsigned)k) + 1) / 1024.0f;
}
void init() {
  for (void **p : {(void **)&I, (void **)&U, (void **)&J, (void **)&V, (void **)&S, (void **)&R, (void **)&Q, (void **)&T, (void **)&W, (void **)&O, (void **)&P, (void **)&F, (void **)&G, (void **)&H}) CK(cudaMalloc(p, N * 4));
  for (void **p : {(void **)&D, (void **)&E, (void **)&LL, (void **)&LO}) CK(cudaMalloc(p, N * 8));
  CK(cudaMalloc(&B, LONG * 4)); CK(cudaMalloc(&Z, Z_LENGTH * 4)); CK(cudaMalloc(&cnt, 65536)); CK(cudaMalloc(&flush, 512u << 20));
  fill<<<(unsigned)((N + 255) / 256), 256>>>(I, U, J, W, F, G, H, D, E, LL, V, S, R, Q, T, N);
  fillLong<<<(unsigned)(LONG / 256), 256>>>(B, LONG);
  CK(cudaMemset(O, 0, N * 4)); CK(cudaMemset(P, 0, N * 4)); CK(cudaMemset(LO, 0, N * 8)); CK(cudaMemset(Z, 0, Z_LENGTH * 4));
  CK(cudaDeviceSynchronize());
}
#define L(k, grid, block, smem, ...) table.push_back({#k, #__VA_ARGS__, dim3 grid, dim3 block, (size_t)(smem), [=] { k<<<dim3 grid, dim3 block, smem>>>(__VA_ARGS__); }});
void build() {
  const int M16 = 1 << 16, M18 = 1 << 18, M20 = 1 << 20, M22 = 1 << 22, M23 = 1 << 23, M24 = 1 << 24, M26 = 1 << 26, M28 = 1 << 28;
#include LAUNCHES
}
__global__ void empty() {}
int main(int argc, char **argv) {
  auto show = [](const Launch &l) {
    printf("{\"kernel\":\"%s\",\"args\":\"%s\",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"sharedBytes\":%zu", l.kernel, l.args, l.grid.x, l.grid.y,
      l.grid.z, l.block.x, l.block.y, l.block.z, l.smem);
  };
  if (argc > 1 && !strcmp(argv[1], "list")) {
    build();
    for (auto &l : table) { show(l); printf("}\n"); }
    return 0;
  }
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
    std::vector<float> c, w, none; med(l.run, true, c); med(l.run, false, w); med([] { empty<<<1, 32>>>(); }, false, none);
    show(l);
    printf(",\"cold\":[%.6f,%.6f,%.6f],\"warm\":[%.6f,%.6f],\"empty\":%.6f}\n", c[0], c[12], c[24], w[0], w[12], none[12]);
    fflush(stdout);
  }
}
