// Streams: overlap of copies and kernels. One JSON line each; microseconds, medians. nvcc -run h200/micro/overlap.cu
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>
using std::vector; using F = std::function<void()>;
static double now() { return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
char *d, *e, *pin, *pin2; cudaEvent_t A, B; cudaStream_t S[33], N[4]; int SMS;
__global__ void spin(long long c) { long long t = clock64(); while (clock64() - t < c); }
static double med(vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; }
// Two events around work of the legacy stream, the GPU idle before; wall: until all is done, by the host.
static void row(const char *name, long long x, F f) {
  vector<double> ev, wa;
  for (int r = 0; r < 9; r++) { cudaDeviceSynchronize(); double t = now(); f(); cudaDeviceSynchronize(); wa.push_back(now() - t); cudaEventRecord(A); f(); cudaEventRecord(B); cudaDeviceSynchronize(); float m; cudaEventElapsedTime(&m, A, B); ev.push_back(m * 1e3); }
  printf("{\"micro\":\"%s\",\"x\":%lld,\"event\":%.2f,\"wall\":%.2f}\n", name, x, med(ev), med(wa)); }
int main() {
  size_t M = 1 << 20, G = 256 * M; cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); SMS = p.multiProcessorCount; auto H = cudaMemcpyHostToDevice, D = cudaMemcpyDeviceToHost, DD = cudaMemcpyDeviceToDevice;
  cudaMalloc(&d, 2 * G); cudaMalloc(&e, 2 * G); cudaMallocHost(&pin, G); cudaMallocHost(&pin2, G);
  cudaEventCreate(&A); cudaEventCreate(&B); for (auto &s : S) cudaStreamCreate(&s); for (auto &s : N) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  long long c = 1000000; size_t q = 16 * M;
  for (int g : {1, SMS / 2, SMS, SMS * 4, SMS * 8}) for (int n : {1, 2, 4, 32}) { row("spinInStreams", n * 10000 + g, [=] { for (int i = 0; i < n; i++) spin<<<g, 256, 0, S[i]>>>(c); }); }
  for (int n : {1, 4}) for (int g : {SMS, SMS * 8}) { auto s = [=](int i) { return S[i % n]; }; auto in = [=](int i) { cudaMemcpyAsync(d + i * q, pin + i * q, q, H, s(i)); }; auto run = [=](int i) { spin<<<g, 256, 0, s(i)>>>(c); }; auto out = [=](int i) { cudaMemcpyAsync(pin2 + i * q, d + i * q, q, D, s(i)); };
    row("depthFirst", n * 10000 + g, [=] { for (int i = 0; i < 4; i++) { in(i); run(i); out(i); } }); row("breadthFirst", n * 10000 + g, [=] { for (int i = 0; i < 4; i++) in(i); for (int i = 0; i < 4; i++) run(i); for (int i = 0; i < 4; i++) out(i); }); }
  auto k = [=](cudaStream_t s) { spin<<<1, 32, 0, s>>>(c); };
  auto between = [=](const char *n, F f) { row(n, c, [=] { k(S[0]); f(); k(S[1]); }); };
  between("between:nothing", [] {}); between("between:defaultKernel", [=] { k(0); }); between("between:nonBlockingKernel", [=] { k(N[0]); });
  row("nonBlocking:defaultKernel", c, [=] { k(N[0]); k(0); k(N[1]); }); between("between:malloc", [] { void *x; cudaMalloc(&x, 4096); });
  void *fr[64]; for (auto &x : fr) cudaMalloc(&x, 4 << 20); int at = 0; between("between:free", [&] { cudaFree(fr[at++]); }); between("between:hostAlloc", [] { void *x; cudaMallocHost(&x, 1 << 16); });
  between("between:memset", [=] { cudaMemset(e, 0, 4096); }); between("between:DtoD", [=] { cudaMemcpy(e, d, 4096, DD); });
  row("DtoDBesideSpin", c, [=] { spin<<<SMS * 8, 256, 0, S[0]>>>(c); cudaMemcpyAsync(e, d, G, DD, S[1]); });
}
