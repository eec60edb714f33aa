// Copies, memsets and host calls. One JSON line each; microseconds, medians. nvcc -run h200/micro/transfers.cu
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>
using std::vector; using F = std::function<void()>;
static double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
char *d, *e, *pin, *pin2, *page; cudaEvent_t A, B; cudaStream_t S[33], N[4];
__global__ void spin(long long c) { long long t = clock64(); while (clock64() - t < c); }
static double med(vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
// Two events around work of the legacy stream, the GPU idle before; host: time until the calls have returned; wall: until all is done.
static void row(const char *name, long long x, F f) {
  vector<double> ev, ho, wa;
  for (int r = 0; r < 9; r++) { cudaDeviceSynchronize(); double t = now(); f(); double u = now(); cudaDeviceSynchronize(); double w = now(); ho.push_back(u - t); wa.push_back(w - t);
    cudaEventRecord(A); f(); cudaEventRecord(B); cudaDeviceSynchronize(); float m; cudaEventElapsedTime(&m, A, B); ev.push_back(m * 1e3); }
  printf("{\"micro\":\"%s\",\"x\":%lld,\"event\":%.2f,\"host\":%.2f,\"wall\":%.2f}\n", name, x, med(ev), med(ho), med(wa)); }
int main() {
  size_t M = 1 << 20, G = 256 * M; cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); 
  int mc, cr; cudaDeviceGetAttribute(&mc, cudaDevAttrMemoryClockRate, 0); cudaDeviceGetAttribute(&cr, cudaDevAttrClockRate, 0);
  printf("{\"micro\":\"properties\",\"name\":\"%s\",\"asyncEngineCount\":%d,\"memoryBusWidth\":%d,\"memoryClockRate\":%d,\"clockRate\":%d,\"texturePitchAlignment\":%zu,\"memPitch\":%zu}\n", p.name, p.asyncEngineCount, p.memoryBusWidth, mc, cr, p.texturePitchAlignment, p.memPitch);
  for (int w : {1, 100, 512, 513, 1000, 4096, 5000}) { void *q; size_t pitch; cudaMallocPitch(&q, &pitch, w, 64); printf("{\"micro\":\"pitch\",\"x\":%d,\"pitch\":%zu}\n", w, pitch); cudaFree(q); }
  cudaMalloc(&d, 2 * G); cudaMalloc(&e, 2 * G); cudaMallocHost(&pin, G); cudaMallocHost(&pin2, G); page = (char *)malloc(G); memset(page, 1, G); memset(pin, 1, G); memset(pin2, 2, G);
  cudaEventCreate(&A); cudaEventCreate(&B); for (auto &s : S) cudaStreamCreate(&s);
  row("nothing", 0, [] {}); row("emptyKernel", 0, [] { spin<<<1, 32>>>(0); }); row("emptyKernels", 100, [] { for (int i = 0; i < 100; i++) spin<<<1, 32>>>(0); });
  row("eventRecords", 100, [] { for (int i = 0; i < 100; i++) cudaEventRecord(B); });
  auto H = cudaMemcpyHostToDevice, D = cudaMemcpyDeviceToHost, DD = cudaMemcpyDeviceToDevice;
  for (size_t b : {(size_t)4, (size_t)4096, (size_t)65536, (size_t)131072, M, 16 * M, G}) {
    row("pinnedHtoD", b, [=] { cudaMemcpyAsync(d, pin, b, H); }); row("pinnedDtoH", b, [=] { cudaMemcpyAsync(pin, d, b, D); });
    row("pinnedHtoDSync", b, [=] { cudaMemcpy(d, pin, b, H); }); row("pinnedDtoHSync", b, [=] { cudaMemcpy(pin, d, b, D); });
    row("pageableHtoD", b, [=] { cudaMemcpy(d, page, b, H); }); row("pageableDtoH", b, [=] { cudaMemcpy(page, d, b, D); });
    
    row("DtoD", b, [=] { cudaMemcpyAsync(e, d, b, DD); }); row("memset", b, [=] { cudaMemsetAsync(d, 0, b); }); }
  row("pinnedHtoDs", 100, [=] { for (int i = 0; i < 100; i++) cudaMemcpyAsync(d, pin, 4, H); });
  row("bothWays", G, [=] { cudaMemcpyAsync(d, pin, G, H, S[0]); cudaMemcpyAsync(pin2, e, G, D, S[1]); }); row("twoHtoD", G, [=] { cudaMemcpyAsync(d, pin, G, H, S[0]); cudaMemcpyAsync(e, pin2, G, H, S[1]); });
  row("2dHtoD", 16 * M, [=] { cudaMemcpy2DAsync(d, 8192, pin, 4096, 4096, 4096, H); });
}
