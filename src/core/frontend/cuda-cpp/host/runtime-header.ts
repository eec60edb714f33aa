/**
 * cuda_runtime.h for the host of a whole program: the runtime's functions, which core/program answers, and C++ around them.
 * The device's words stand here as well, as the compiler parses a file's kernels on both sides.
 */
import { LOADS, MATHS, QUALIFIERS, VECTORS, WARPS } from "../headers/runtime.js";
import { ERRORS_TEXT } from "./errors.js";

const VALUES = String.raw`
#define __HV(T, N) \
  inline __W N##2 make_##N##2(T x, T y) { return N##2{x, y}; } inline __W N##3 make_##N##3(T x, T y, T z) { return N##3{x, y, z}; } \
  inline __W N##4 make_##N##4(T x, T y, T z, T w) { return N##4{x, y, z, w}; }
__HV(signed char, char) __HV(unsigned char, uchar) __HV(short, short) __HV(unsigned short, ushort) __HV(int, int)
__HV(unsigned int, uint) __HV(long, long) __HV(unsigned long, ulong) __HV(long long, longlong) __HV(unsigned long long, ulonglong)
__HV(float, float) __HV(double, double)
#define __HM(T) inline T min(T a, T b) { return b < a ? b : a; } inline T max(T a, T b) { return a < b ? b : a; }
__HM(int) __HM(unsigned) __HM(long) __HM(unsigned long) __HM(long long) __HM(unsigned long long) __HM(float) __HM(double)
#define __HX(R, T, U) inline R min(T a, U b) { return min((R)a, (R)b); } inline R max(T a, U b) { return max((R)a, (R)b); } \
  inline R min(U a, T b) { return min((R)a, (R)b); } inline R max(U a, T b) { return max((R)a, (R)b); }
__HX(unsigned, int, unsigned) __HX(unsigned long, long, unsigned long) __HX(unsigned long, int, unsigned long)
__HX(unsigned long, unsigned, unsigned long) __HX(unsigned long long, long long, unsigned long long) __HX(double, float, double)
#define __HF(N, E) inline double N(double x) { return E; } inline float N##f(float v) { double x = v; return (float)(E); } \
  inline float N(float v) { return N##f(v); }
__HF(rsqrt, 1.0 / ::sqrt(x)) __HF(sinpi, ::sin(x * 3.14159265358979323846)) __HF(cospi, ::cos(x * 3.14159265358979323846))
__HF(rcbrt, 1.0 / ::cbrt(x)) __HF(normcdf, 0.5 * ::erfc(-x * 0.70710678118654752440))
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
inline unsigned umin(unsigned a, unsigned b) { return min(a, b); } inline unsigned umax(unsigned a, unsigned b) { return max(a, b); }
`;

const TYPES = String.raw`
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st* cudaStream_t; typedef struct CUevent_st* cudaEvent_t;
#define cudaStreamLegacy ((cudaStream_t)1)
#define cudaStreamPerThread ((cudaStream_t)2)
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamFireAndForget ((cudaStream_t)4)
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaEventInterprocess 4
#define cudaEventRecordDefault 0
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaHostRegisterPortable 1
#define cudaHostRegisterMapped 2
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaMemAttachSingle 4
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaDeviceLmemResizeToMax 16
#define cudaCpuDeviceId (-1)
#define cudaInvalidDeviceId (-2)
#define cudaOccupancyDefault 0
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte };
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
  cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize };
enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9 };
enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy };
enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice, cudaMemoryTypeManaged };
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited, cudaComputeModeExclusiveProcess };
struct cudaPointerAttributes { cudaMemoryType type; int device; void* devicePointer; void* hostPointer; };
struct cudaFuncAttributes { size_t sharedSizeBytes, constSizeBytes, localSizeBytes; int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion,
  cacheModeCA, maxDynamicSharedSizeBytes, preferredShmemCarveout; };
struct cudaUUID_t { char bytes[16]; };
`;

/** The whole numbers of cudaDeviceProp, by the type that a program prints them as. */
const SIZES =
  "totalGlobalMem sharedMemPerBlock memPitch totalConstMem textureAlignment texturePitchAlignment surfaceAlignment sharedMemPerMultiprocessor sharedMemPerBlockOptin reservedSharedMemPerBlock".split(
    " ",
  );
const NUMBERS = [
  "major minor multiProcessorCount warpSize clockRate memoryClockRate memoryBusWidth l2CacheSize maxThreadsPerBlock maxThreadsPerMultiProcessor",
  "maxBlocksPerMultiProcessor regsPerBlock regsPerMultiprocessor asyncEngineCount concurrentKernels cooperativeLaunch unifiedAddressing",
  "deviceOverlap kernelExecTimeoutEnabled integrated canMapHostMemory computeMode ECCEnabled pciBusID pciDeviceID pciDomainID tccDriver",
  "persistingL2CacheMaxSize streamPrioritiesSupported globalL1CacheSupported localL1CacheSupported managedMemory isMultiGpuBoard multiGpuBoardGroupID",
  "hostNativeAtomicSupported singleToDoublePrecisionPerfRatio pageableMemoryAccess concurrentManagedAccess computePreemptionSupported",
  "canUseHostPointerForRegisteredMem cooperativeMultiDeviceLaunch directManagedMemAccessFromHost accessPolicyMaxWindowSize maxTexture1D",
].flatMap((names) => names.split(" "));

/** cudaDeviceAttr: CUDA's number, its name behind cudaDevAttr, the field that has the value. */
const ATTRIBUTES: readonly (readonly [number, string, string])[] = [
  [1, "MaxThreadsPerBlock", "maxThreadsPerBlock"],
  [2, "MaxBlockDimX", "maxThreadsDim.0"],
  [3, "MaxBlockDimY", "maxThreadsDim.1"],
  [4, "MaxBlockDimZ", "maxThreadsDim.2"],
  [5, "MaxGridDimX", "maxGridSize.0"],
  [6, "MaxGridDimY", "maxGridSize.1"],
  [7, "MaxGridDimZ", "maxGridSize.2"],
  [8, "MaxSharedMemoryPerBlock", "sharedMemPerBlock"],
  [9, "TotalConstantMemory", "totalConstMem"],
  [10, "WarpSize", "warpSize"],
  [12, "MaxRegistersPerBlock", "regsPerBlock"],
  [13, "ClockRate", "clockRate"],
  [15, "GpuOverlap", "deviceOverlap"],
  [16, "MultiProcessorCount", "multiProcessorCount"],
  [18, "Integrated", "integrated"],
  [19, "CanMapHostMemory", "canMapHostMemory"],
  [20, "ComputeMode", "computeMode"],
  [31, "ConcurrentKernels", "concurrentKernels"],
  [36, "MemoryClockRate", "memoryClockRate"],
  [37, "GlobalMemoryBusWidth", "memoryBusWidth"],
  [38, "L2CacheSize", "l2CacheSize"],
  [39, "MaxThreadsPerMultiProcessor", "maxThreadsPerMultiProcessor"],
  [40, "AsyncEngineCount", "asyncEngineCount"],
  [41, "UnifiedAddressing", "unifiedAddressing"],
  [75, "ComputeCapabilityMajor", "major"],
  [76, "ComputeCapabilityMinor", "minor"],
  [81, "MaxSharedMemoryPerMultiprocessor", "sharedMemPerMultiprocessor"],
  [82, "MaxRegistersPerMultiprocessor", "regsPerMultiprocessor"],
  [83, "ManagedMemory", "managedMemory"],
  [88, "PageableMemoryAccess", "pageableMemoryAccess"],
  [89, "ConcurrentManagedAccess", "concurrentManagedAccess"],
  [95, "CooperativeLaunch", "cooperativeLaunch"],
  [97, "MaxSharedMemoryPerBlockOptin", "sharedMemPerBlockOptin"],
  [106, "MaxBlocksPerMultiprocessor", "maxBlocksPerMultiProcessor"],
  [111, "ReservedSharedMemoryPerBlock", "reservedSharedMemPerBlock"],
];

const DEVICE = [
  "struct cudaDeviceProp { char name[256]; cudaUUID_t uuid; int maxThreadsDim[3], maxGridSize[3];",
  `size_t ${SIZES.join(", ")}; int ${NUMBERS.join(", ")}; };`,
  `enum cudaDeviceAttr { ${ATTRIBUTES.map(([code, name]) => `cudaDevAttr${name} = ${code}`).join(", ")} };`,
  `extern "C" double __warplab_property(const char*); extern "C" void __warplab_device_name(char*, int);`,
  "inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int device) {",
  "  if (device != 0) return cudaErrorInvalidDevice;",
  "  memset(p, 0, sizeof *p); __warplab_device_name(p->name, 256);",
  ...["maxThreadsDim", "maxGridSize"].flatMap((name) =>
    [0, 1, 2].map((at) => `  p->${name}[${at}] = (int)__warplab_property("${name}.${at}");`),
  ),
  ...SIZES.map((name) => `  p->${name} = (size_t)__warplab_property("${name}");`),
  ...NUMBERS.map((name) => `  p->${name} = (int)__warplab_property("${name}");`),
  "  return cudaSuccess; }",
  "inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {",
  "  if (device != 0) return cudaErrorInvalidDevice; switch (attribute) {",
  ...ATTRIBUTES.map(
    ([, name, field]) => `case cudaDevAttr${name}: *value = (int)__warplab_property("${field}"); return cudaSuccess;`,
  ),
  "} return cudaErrorInvalidValue; }",
  "",
].join("\n");

/** The functions that core/program answers. */
const IMPORTS = String.raw`
extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
__device__ void* cudaGetParameterBuffer(size_t, size_t); __device__ cudaError_t cudaLaunchDevice(void*, void*, dim3, dim3, unsigned, cudaStream_t);
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaMalloc(void**, size_t); cudaError_t cudaMallocHost(void**, size_t); cudaError_t cudaHostAlloc(void**, size_t, unsigned);
cudaError_t cudaMallocManaged(void**, size_t, unsigned); cudaError_t cudaMallocPitch(void**, size_t*, size_t, size_t);
cudaError_t cudaFree(void*); cudaError_t cudaFreeHost(void*);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0); cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemset(void*, int, size_t); cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
cudaError_t cudaHostRegister(void*, size_t, unsigned); cudaError_t cudaHostUnregister(void*); cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned);
cudaError_t cudaMemGetInfo(size_t*, size_t*); cudaError_t cudaPointerGetAttributes(cudaPointerAttributes*, const void*);
cudaError_t __warplab_symbol(void**, size_t*, const void*);
__W cudaError_t cudaDeviceSynchronize(); cudaError_t cudaDeviceReset(); __W cudaError_t cudaGetLastError(); __W cudaError_t cudaPeekAtLastError();
cudaError_t cudaSetDevice(int); cudaError_t cudaDeviceSetLimit(cudaLimit, size_t); cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit);
__W cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned); __W cudaError_t cudaStreamDestroy(cudaStream_t); cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t); cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned); cudaError_t cudaEventDestroy(cudaEvent_t); cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t); cudaError_t cudaEventQuery(cudaEvent_t); cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
int __warplab_active_blocks(const void*, int, size_t); int __warplab_best_block(const void*, size_t, int); double __warplab_function(const void*, const char*);
cudaError_t __warplab_opt_in(const void*, size_t);
}
`;

const WRAPPERS = String.raw`
template <class T> inline cudaError_t cudaMalloc(T** p, size_t n) { return cudaMalloc((void**)p, n); }
template <class T> inline cudaError_t cudaMallocHost(T** p, size_t n, unsigned flags = 0) { return cudaHostAlloc((void**)p, n, flags); }
template <class T> inline cudaError_t cudaHostAlloc(T** p, size_t n, unsigned flags) { return cudaHostAlloc((void**)p, n, flags); }
template <class T> inline cudaError_t cudaMallocManaged(T** p, size_t n, unsigned flags = cudaMemAttachGlobal) { return cudaMallocManaged((void**)p, n, flags); }
template <class T> inline cudaError_t cudaMallocPitch(T** p, size_t* pitch, size_t w, size_t h) { return cudaMallocPitch((void**)p, pitch, w, h); }
template <class T> inline cudaError_t cudaMallocAsync(T** p, size_t n, cudaStream_t) { return cudaMalloc((void**)p, n); }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
template <class T> inline cudaError_t cudaHostGetDevicePointer(T** p, void* host, unsigned flags) { return cudaHostGetDevicePointer((void**)p, host, flags); }
template <class T> inline cudaError_t cudaGetSymbolAddress(void** p, const T& symbol) { size_t n; return __warplab_symbol(p, &n, (const void*)&symbol); }
template <class T, class U> inline cudaError_t cudaGetSymbolAddress(U** p, const T& symbol) { size_t n; return __warplab_symbol((void**)p, &n, (const void*)&symbol); }
template <class T> inline cudaError_t cudaGetSymbolSize(size_t* n, const T& symbol) { void* p; return __warplab_symbol(&p, n, (const void*)&symbol); }
template <class T> inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t n, size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  void* p; size_t all; cudaError_t e = __warplab_symbol(&p, &all, (const void*)&symbol); if (e != cudaSuccess) return e;
  return offset + n > all ? cudaErrorInvalidValue : cudaMemcpyAsync((char*)p + offset, from, n, kind, stream); }
template <class T> inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  void* p; size_t all; cudaError_t e = __warplab_symbol(&p, &all, (const void*)&symbol); if (e != cudaSuccess) return e;
  return offset + n > all ? cudaErrorInvalidValue : cudaMemcpy((char*)p + offset, from, n, kind); }
template <class T> inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t n, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  void* p; size_t all; cudaError_t e = __warplab_symbol(&p, &all, (const void*)&symbol); if (e != cudaSuccess) return e;
  return offset + n > all ? cudaErrorInvalidValue : cudaMemcpy(to, (const char*)p + offset, n, kind); }
template <class T> inline cudaError_t cudaLaunchKernel(T* f, dim3 grid, dim3 block, void** args, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void*)f, grid, block, args, shared, stream); }
template <class T> inline cudaError_t cudaLaunchCooperativeKernel(T* f, dim3 grid, dim3 block, void** args, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void*)f, grid, block, args, shared, stream); }
inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); } inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaGetDeviceCount(int* n) { *n = 1; return cudaSuccess; } inline cudaError_t cudaGetDevice(int* n) { *n = 0; return cudaSuccess; }
inline cudaError_t cudaChooseDevice(int* n, const cudaDeviceProp*) { *n = 0; return cudaSuccess; } inline cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int* n) { *n = CUDART_VERSION; return cudaSuccess; } inline cudaError_t cudaRuntimeGetVersion(int* n) { *n = CUDART_VERSION; return cudaSuccess; }
inline cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) { *can = 0; return cudaSuccess; }
inline cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) { return cudaErrorInvalidDevice; } inline cudaError_t cudaDeviceDisablePeerAccess(int) { return cudaErrorInvalidDevice; }
inline cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; } inline cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* c) { *c = cudaFuncCachePreferNone; return cudaSuccess; }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
inline cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* c) { *c = cudaSharedMemBankSizeFourByte; return cudaSuccess; }
template <class T> inline cudaError_t cudaFuncSetCacheConfig(T*, cudaFuncCache) { return cudaSuccess; }
template <class T> inline cudaError_t cudaFuncSetSharedMemConfig(T*, cudaSharedMemConfig) { return cudaSuccess; }
template <class T> inline cudaError_t cudaFuncSetAttribute(T* f, cudaFuncAttribute attribute, int value) {
  return attribute == cudaFuncAttributeMaxDynamicSharedMemorySize ? __warplab_opt_in((const void*)f, value) : cudaSuccess; }
template <class T> inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* a, T* f) { const void* p = (const void*)f; memset(a, 0, sizeof *a);
  a->sharedSizeBytes = (size_t)__warplab_function(p, "staticSharedBytes"); a->localSizeBytes = (size_t)__warplab_function(p, "localBytes");
  a->numRegs = (int)__warplab_function(p, "registersPerThread"); a->maxThreadsPerBlock = (int)__warplab_function(p, "maxThreadsPerBlock");
  a->ptxVersion = a->binaryVersion = (int)(__warplab_property("major") * 10 + __warplab_property("minor"));
  a->maxDynamicSharedSizeBytes = (int)(__warplab_property("sharedMemPerBlock")) - (int)a->sharedSizeBytes; return cudaSuccess; }
template <class T> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* n, T f, int block, size_t shared) {
  *n = __warplab_active_blocks((const void*)f, block, shared); return cudaSuccess; }
template <class T> inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* n, T f, int block, size_t shared, unsigned) {
  *n = __warplab_active_blocks((const void*)f, block, shared); return cudaSuccess; }
template <class T> inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T f, size_t shared = 0, int most = 0) {
  *block = __warplab_best_block((const void*)f, shared, most);
  *grid = __warplab_active_blocks((const void*)f, *block, shared) * (int)__warplab_property("multiProcessorCount"); return cudaSuccess; }
template <class F, class T> inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T f, F sharedOf, int most = 0) {
  int best = 0; int limit = most > 0 ? most : 1024;
  for (int b = limit / 32 * 32; b > 0; b -= 32) { int n = __warplab_active_blocks((const void*)f, b, sharedOf(b)); if (n * b > best) { best = n * b; *block = b; *grid = n * (int)__warplab_property("multiProcessorCount"); } }
  return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* e) { return cudaEventCreateWithFlags(e, 0); } inline cudaError_t cudaEventCreate(cudaEvent_t* e, unsigned flags) { return cudaEventCreateWithFlags(e, flags); }
inline cudaError_t cudaStreamCreate(cudaStream_t* s) { return cudaStreamCreateWithFlags(s, 0); }
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned flags, int) { return cudaStreamCreateWithFlags(s, flags); }
inline cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* most) { *least = 0; *most = -5; return cudaSuccess; }
typedef void (*cudaStreamCallback_t)(cudaStream_t, cudaError_t, void*); typedef void (*cudaHostFn_t)(void*);
inline cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void* data, unsigned) { cudaError_t e = cudaStreamSynchronize(s); f(s, e, data); return e; }
inline cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data) { cudaError_t e = cudaStreamSynchronize(s); f(data); return e; }
inline cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned = cudaMemAttachSingle) { return cudaSuccess; }
inline cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0) { return cudaSuccess; }
inline cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) { return cudaSuccess; }
inline cudaError_t cudaProfilerStart() { return cudaSuccess; } inline cudaError_t cudaProfilerStop() { return cudaSuccess; }
`;

/** rand and srand as the C library of Linux has them, so that a program's random input is that of a real run. */
const RANDOM = String.raw`
struct __warplab_rand { int state[34]; int at; bool ready; };
extern "C" {
__attribute__((weak)) __warplab_rand __warplab_random;
__attribute__((weak)) int rand();
__attribute__((weak)) void srand(unsigned seed) {
  int* r = __warplab_random.state; r[0] = seed == 0 ? 1 : (int)seed;
  for (int i = 1; i < 31; i++) { long long next = 16807LL * r[i - 1] % 2147483647; r[i] = (int)(next < 0 ? next + 2147483647 : next); }
  for (int i = 31; i < 34; i++) r[i] = r[i - 31];
  __warplab_random.at = 34; __warplab_random.ready = true;
  for (int i = 0; i < 310; i++) rand(); }
__attribute__((weak)) int rand() {
  if (!__warplab_random.ready) srand(1);
  int* r = __warplab_random.state; int i = __warplab_random.at++ % 34;
  unsigned sum = (unsigned)r[(i + 3) % 34] + (unsigned)r[(i + 31) % 34]; r[i] = (int)sum; return (int)(sum >> 1); }
__attribute__((weak)) long random() { return rand(); }
__attribute__((weak)) void srandom(unsigned seed) { srand(seed); }
}
`;

/** The host's memory is smaller here than elsewhere, and a program that looks at no null pointer is to know why it ends. */
const MEMORY = String.raw`
extern "C" {
void __warplab_no_memory(size_t); void* __real_malloc(size_t);
__attribute__((weak)) void* __wrap_malloc(size_t n) { void* p = __real_malloc(n); if (!p && n) __warplab_no_memory(n); return p; }
__attribute__((weak, export_name("warplab_malloc"))) void* __warplab_malloc(size_t n) { return __real_malloc(n); }
}
`;

/** What an exception that nobody can catch does: it ends the program as an uncaught one. */
const ENDS = String.raw`
struct __warplab_exception { virtual ~__warplab_exception(); virtual const char* what() const; };
extern "C" {
void __warplab_uncaught(const char*, const char*);
__attribute__((weak)) void* __cxa_allocate_exception(size_t n) noexcept { return malloc(n); }
__attribute__((weak)) void __cxa_free_exception(void*) noexcept {}
__attribute__((weak, noreturn)) void __cxa_throw(void* thrown, void* type, void (*)(void*)) {
  const char* name = ((const char**)type)[1]; bool known = name[0] == 'S' && name[1] == 't';
  fflush(stdout); __warplab_uncaught(name, known ? ((__warplab_exception*)thrown)->what() : ""); abort(); }
__attribute__((weak, noreturn)) void __cxa_rethrow() { abort(); }
__attribute__((weak)) void* __cxa_begin_catch(void* e) noexcept { return e; }
__attribute__((weak)) void __cxa_end_catch() {}
__attribute__((weak, export_name("warplab_flush"))) void __warplab_flush() { fflush(0); }
}
`;

/** C's headers, behind those of the C++ library. */
const LIBRARY =
  "#include <stddef.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n#include <stdint.h>\n#include <limits.h>\n#include <float.h>\n#include <time.h>\n#include <assert.h>\n";

/** What kernels call of the C library. They may not call the host's functions, so they have some of the same names. */
const DEVICE_LIBRARY = String.raw`
extern "C" {
__device__ int printf(const char*, ...); __device__ void* malloc(size_t); __device__ void free(void*);
__device__ void* memcpy(void*, const void*, size_t); __device__ void* memset(void*, int, size_t);
__device__ void __assert_fail(const char*, const char*, int, const char*);
}
`;

/** The header that each program begins with; `library` are headers of the C++ library that it includes. */
export function hostRuntime(library: readonly string[]): string {
  const included = library.map((name) => `#include <${name}>\n`).join("");
  return [
    "#pragma once\n",
    included,
    LIBRARY,
    QUALIFIERS,
    VECTORS,
    WARPS,
    MATHS.replaceAll("__W", "__device__"),
    DEVICE_LIBRARY,
    LOADS,
    VALUES,
    ERRORS_TEXT,
    TYPES,
    DEVICE,
    IMPORTS,
    WRAPPERS,
    RANDOM,
    MEMORY,
    ENDS,
  ].join("");
}
