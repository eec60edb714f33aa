/**
 * Headers that many programs include beside their own file, by their usual names: macros that check errors, clocks, the
 * choice of a device. They stand in for files that are not there; a file that is there is read itself.
 */

const CHECKS = String.raw`
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef CHECK
#define CHECK(call) do { const cudaError_t error = call; if (error != cudaSuccess) { \
  fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__); \
  fprintf(stderr, "code: %d, reason: %s\n", error, cudaGetErrorString(error)); exit(1); } } while (0)
#endif
template <class T> inline void __warplab_check(T result, const char* call, const char* file, int line) {
  if (result == 0) return;
  fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result, cudaGetErrorName((cudaError_t)result), call); exit(EXIT_FAILURE); }
#ifndef checkCudaErrors
#define checkCudaErrors(val) __warplab_check((val), #val, __FILE__, __LINE__)
#endif
inline void __warplab_last(const char* message, const char* file, int line) {
  cudaError_t e = cudaGetLastError(); if (e == cudaSuccess) return;
  fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message, (int)e, cudaGetErrorString(e)); exit(EXIT_FAILURE); }
#ifndef getLastCudaError
#define getLastCudaError(msg) __warplab_last(msg, __FILE__, __LINE__)
#endif
`;

const CLOCKS = String.raw`
#include <sys/time.h>
inline double seconds() { struct timeval t; gettimeofday(&t, 0); return (double)t.tv_sec + (double)t.tv_usec * 1.e-6; }
inline double cpuSecond() { return seconds(); }
`;

const DEVICES = String.raw`
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int, const char**) { cudaDeviceProp p; cudaGetDeviceProperties(&p, 0);
  printf("GPU Device 0: \"%s\" with compute capability %d.%d\n\n", p.name, p.major, p.minor); return 0; }
inline int gpuDeviceInit(int) { return 0; }
inline bool checkCudaCapabilities(int major, int minor) {
  return __warplab_property("major") > major || (__warplab_property("major") == major && __warplab_property("minor") >= minor); }
inline int _ConvertSMVer2Cores(int major, int) { return major == 2 ? 32 : major == 3 ? 192 : major == 6 ? 64 : major == 7 ? 64 : 128; }
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define EXIT_WAIVED 2
`;

const STRINGS = String.raw`
inline const char* __warplab_flag(int argc, const char** argv, const char* name) {
  size_t n = strlen(name);
  for (int i = 1; i < argc; i++) { const char* a = argv[i]; while (*a == '-') a++;
    if (strncmp(a, name, n) == 0 && (a[n] == 0 || a[n] == '=')) return a[n] == '=' ? a + n + 1 : a + n; }
  return 0; }
inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) { return __warplab_flag(argc, argv, name) != 0; }
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) { const char* v = __warplab_flag(argc, argv, name); return v ? atoi(v) : 0; }
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) { const char* v = __warplab_flag(argc, argv, name); return v ? (float)atof(v) : 0; }
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* v = __warplab_flag(argc, argv, name); *value = (char*)v; return v != 0; }
`;

const TIMERS = String.raw`
#include <sys/time.h>
struct StopWatchInterface { double start, sum; bool running; };
inline double __warplab_ms() { struct timeval t; gettimeofday(&t, 0); return t.tv_sec * 1e3 + t.tv_usec * 1e-3; }
inline bool sdkCreateTimer(StopWatchInterface** t) { *t = (StopWatchInterface*)calloc(1, sizeof(StopWatchInterface)); return true; }
inline bool sdkDeleteTimer(StopWatchInterface** t) { free(*t); *t = 0; return true; }
inline bool sdkStartTimer(StopWatchInterface** t) { (*t)->start = __warplab_ms(); (*t)->running = true; return true; }
inline bool sdkStopTimer(StopWatchInterface** t) { (*t)->sum += __warplab_ms() - (*t)->start; (*t)->running = false; return true; }
inline bool sdkResetTimer(StopWatchInterface** t) { (*t)->sum = 0; (*t)->start = __warplab_ms(); return true; }
inline float sdkGetTimerValue(StopWatchInterface** t) { return (float)((*t)->sum + ((*t)->running ? __warplab_ms() - (*t)->start : 0)); }
inline float sdkGetAverageTimerValue(StopWatchInterface** t) { return sdkGetTimerValue(t); }
struct GpuTimer { cudaEvent_t start, stop;
  GpuTimer() { cudaEventCreate(&start); cudaEventCreate(&stop); } ~GpuTimer() { cudaEventDestroy(start); cudaEventDestroy(stop); }
  void Start() { cudaEventRecord(start, 0); } void Stop() { cudaEventRecord(stop, 0); }
  float Elapsed() { float ms; cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop); return ms; } };
`;

const BOOK = String.raw`
static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) { printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line); exit(EXIT_FAILURE); } }
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
#define HANDLE_NULL(a) { if (a == NULL) { printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); exit(EXIT_FAILURE); } }
template <typename T> void swap(T& a, T& b) { T t = a; a = b; b = t; }
inline void* big_random_block(int size) { unsigned char* data = (unsigned char*)malloc(size); for (int i = 0; i < size; i++) data[i] = rand(); return data; }
inline int* big_random_block_int(int size) { int* data = (int*)malloc(size * sizeof(int)); for (int i = 0; i < size; i++) data[i] = rand(); return data; }
`;

/** OpenMP with one thread: a compiler that does not know it leaves its pragmas out. */
const OPENMP = String.raw`
#include <sys/time.h>
inline int omp_get_max_threads() { return 1; } inline int omp_get_num_threads() { return 1; } inline int omp_get_thread_num() { return 0; }
inline int omp_get_num_procs() { return 1; } inline void omp_set_num_threads(int) {} inline void omp_set_dynamic(int) {}
inline double omp_get_wtime() { struct timeval t; gettimeofday(&t, 0); return t.tv_sec + t.tv_usec * 1e-6; }
`;

/** Results against a reference, and files of the program's folder. */
const COMPARISONS = String.raw`
template <class T, class S> inline bool compareData(const T* reference, const T* data, const unsigned count, const S epsilon, const float threshold) {
  unsigned wrong = 0; for (unsigned i = 0; i < count; i++) { double d = (double)reference[i] - (double)data[i]; if (!((d < 0 ? -d : d) <= (double)epsilon)) wrong++; }
  return threshold == 0.0f ? wrong == 0 : wrong < count * threshold; }
inline bool sdkCompareL2fe(const float* reference, const float* data, const unsigned count, const float epsilon) {
  double error = 0, norm = 0; for (unsigned i = 0; i < count; i++) { double d = (double)reference[i] - data[i]; error += d * d; norm += (double)reference[i] * reference[i]; }
  return norm > 0 && sqrt(error) / sqrt(norm) < epsilon; }
inline char* sdkFindFilePath(const char* name, const char*) {
  static const char* const folders[] = {"", "data/"};
  for (const char* folder : folders) { char* path = (char*)malloc(strlen(folder) + strlen(name) + 1); strcpy(path, folder); strcat(path, name);
    FILE* file = fopen(path, "rb"); if (file) { fclose(file); return path; } free(path); }
  return 0; }
`;

/** Marks for a profiler, which nobody reads here. */
const MARKS = String.raw`
inline int nvtxRangePushA(const char*) { return 0; } inline int nvtxRangePop() { return 0; } inline void nvtxMarkA(const char*) {}
#define nvtxRangePush nvtxRangePushA
#define nvtxMark nvtxMarkA
`;

const PARTS = { CHECKS, CLOCKS, DEVICES, STRINGS, TIMERS, BOOK, OPENMP, COMPARISONS, MARKS };

/** Several headers have a part, and a program includes several of them. */
const once = (...names: readonly (keyof typeof PARTS)[]): string =>
  names.map((name) => `#ifndef __WARPLAB_${name}\n#define __WARPLAB_${name}\n${PARTS[name]}#endif\n`).join("");

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ["common.h", once("CHECKS", "CLOCKS")],
  ["book.h", once("CHECKS", "BOOK")],
  ["helper_cuda.h", once("CHECKS", "STRINGS", "DEVICES")],
  ["helper_functions.h", once("CHECKS", "STRINGS", "TIMERS", "COMPARISONS")],
  ["helper_image.h", once("CHECKS", "STRINGS", "COMPARISONS")],
  ["helper_timer.h", once("CHECKS", "TIMERS")],
  ["helper_string.h", once("CHECKS", "STRINGS")],
  ["exception.h", once("CHECKS")],
  ["utils.h", once("CHECKS")],
  ["timer.h", once("CHECKS", "CLOCKS", "TIMERS")],
  ["gputimer.h", once("CHECKS", "TIMERS")],
  ["omp.h", once("OPENMP")],
  ["nvToolsExt.h", once("MARKS")],
]);

/** The stand-in for a header that is not there, by the last part of its path; undefined where there is none. */
export function helperHeader(path: string): string | undefined {
  return BY_NAME.get(path.split("/").at(-1) ?? path);
}
