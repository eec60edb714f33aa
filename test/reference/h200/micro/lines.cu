// Loads that find their data in L2 and not in L1: a warp's request asks for sectors of each of 32 / n lines, n lanes at given places of each; each block
// has its own data, and repeats. Cycles of L2 for a sector and for a line.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #x, cudaGetErrorString(e_)); exit(1); } } while (0)
// places: the sectors of a line that are asked for, four bits each, in the order of the lanes; n of them. Each load is of another block's data.
__global__ void lines(const int *in, int *out, int n, int places, int apart, int rounds) {
  unsigned t = threadIdx.x, s = 0, lines = 256 / n, sector = places >> 4 * (t % n) & 15, b = blockIdx.x;
  for (int k = 0; k < rounds; k++) {
    int v[4];
#pragma unroll
    for (int u = 0; u < 4; u++) {
      b += 67; if (b >= gridDim.x) b -= gridDim.x;
      v[u] = in[(b * lines + t / n) * 32 * apart + sector * 8];
    }
#pragma unroll
    for (int u = 0; u < 4; u++) s += v[u];
  }
  out[blockIdx.x * 256 + t] = s;
}
int *in, *out; bool once;
int main(int argc, char **argv) {
  once = argc > 1 && !strcmp(argv[1], "once");
  CK(cudaMalloc(&in, 1u << 30)); CK(cudaMemset(in, 0, 1u << 30)); CK(cudaMalloc(&out, 1 << 26));
  struct { int n, places; } patterns[] = {{1, 0}, {1, 1}, {2, 0x10}, {2, 0x20}, {2, 0x30}, {2, 0x21}, {2, 0x31}, {2, 0x32}, {4, 0x3210}, {4, 0x3120}, {4, 0x2210}, {4, 0x3310}, {4, 0x3220}, {4, 0x3321}, {4, 0x1100}, {4, 0x3300}, {4, 0}};
  for (int per : {8, 4}) for (auto &p : patterns) for (int apart : {1, 2}) {
    int grid = 132 * per, rounds = 32;
    if ((size_t)grid * (256 / p.n) * 128 * apart > (36u << 20)) continue;
    auto f = [&] { lines<<<grid, 256>>>(in, out, p.n, p.places, apart, rounds); };
    if (once) { f(); CK(cudaDeviceSynchronize()); continue; }
    cudaEvent_t x, y; CK(cudaEventCreate(&x)); CK(cudaEventCreate(&y)); std::vector<float> t;
    for (int r = 0; r < 23; r++) { CK(cudaEventRecord(x)); f(); CK(cudaEventRecord(y)); CK(cudaEventSynchronize(y)); float ms; CK(cudaEventElapsedTime(&ms, x, y)); if (r > 1) t.push_back(ms); }
    CK(cudaGetLastError()); std::sort(t.begin(), t.end());
    double sectors = (double)grid * 256 * 4 * rounds;
    printf("{\"lanesOfLine\":%d,\"places\":\"%x\",\"linesApart\":%d,\"grid\":%d,\"rounds\":%d,\"ms\":%.6f,\"sectorsPerNs\":%.2f}\n", p.n, p.places, apart, grid, rounds, t[10], sectors / t[10] / 1e6); fflush(stdout);
  }
}
