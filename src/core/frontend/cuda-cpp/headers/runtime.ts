/**
 * The device side of cuda_runtime.h in our own words, for clang. It declares qualifiers, built-in variables, vector types
 * and functions. The reader of the tree knows each function by its name. The host's part lets a whole file be parsed.
 */

/** Qualifiers and macros, for the device and for the host of a program. */
export const QUALIFIERS: string = String.raw`
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(n)
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)
#define __device_builtin__
#define __builtin_align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define CUDART_CB
#define __W __host__ __device__
#define __D extern __device__
`;

/** Types and limits, which a program's host has from its C library. */
const TYPES: string = String.raw`
typedef unsigned long size_t;
typedef long ptrdiff_t;
#ifndef __WARPLAB_LONG
#define __WARPLAB_LONG long
#endif
typedef signed char int8_t; typedef short int16_t; typedef int int32_t; typedef __WARPLAB_LONG int64_t;
typedef unsigned char uint8_t; typedef unsigned short uint16_t; typedef unsigned int uint32_t; typedef unsigned __WARPLAB_LONG uint64_t;
typedef long intptr_t; typedef unsigned long uintptr_t;
#define NULL __null
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295u
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define UINT64_MAX ULONG_MAX
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.1920928955078125e-07f
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define RAND_MAX 2147483647
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define CLOCKS_PER_SEC 1000000
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define HUGE_VALF __builtin_inff()
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880
#define M_LN2 0.69314718055994530942
#define stdin ((FILE*)0)
#define stdout ((FILE*)1)
#define stderr ((FILE*)2)

`;

/** Short vectors and built-in variables, for both. */
export const VECTORS: string = String.raw`
typedef unsigned char uchar; typedef unsigned short ushort; typedef unsigned int uint; typedef unsigned long ulong;
#define __V1(T, N) struct N##1 { T x; }; static inline __W N##1 make_##N##1(T x) { return N##1{x}; }
#define __V2(T, N, A) struct __align__(A) N##2 { T x, y; }; extern __W N##2 make_##N##2(T x, T y);
#define __V3(T, N) struct N##3 { T x, y, z; }; extern __W N##3 make_##N##3(T x, T y, T z);
#define __V4(T, N, A) struct __align__(A) N##4 { T x, y, z, w; }; extern __W N##4 make_##N##4(T x, T y, T z, T w);
#define __V(T, N, A2, A4) __V1(T, N) __V2(T, N, A2) __V3(T, N) __V4(T, N, A4)
__V(signed char, char, 2, 4) __V(unsigned char, uchar, 2, 4) __V(short, short, 4, 8) __V(unsigned short, ushort, 4, 8)
__V(int, int, 8, 16) __V(unsigned int, uint, 8, 16) __V(long, long, 16, 16) __V(unsigned long, ulong, 16, 16)
__V(long long, longlong, 16, 16) __V(unsigned long long, ulonglong, 16, 16)
__V(float, float, 8, 16) __V(double, double, 16, 16)
struct dim3 {
  unsigned int x, y, z;
  constexpr __W dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr __W dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr __W operator uint3() const { return uint3{x, y, z}; }
};
extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

`;

/** Functions of the device alone, for both: barriers, warps, atomics, bits, conversions. */
export const WARPS: string = String.raw`
extern "C" __device__ void __syncthreads();
__D int __syncthreads_count(int);
__D int __syncthreads_and(int);
__D int __syncthreads_or(int);
__D void __syncwarp(unsigned mask = 0xffffffffu);
__D void __threadfence();
__D void __threadfence_block();
__D void __threadfence_system();
__D void __trap();
__D void __brkpt();
__D void __nanosleep(unsigned);
__D void __prof_trigger(int);
#define __SHFL(T) \
  __D T __shfl_sync(unsigned, T, int, int = 32); __D T __shfl_up_sync(unsigned, T, unsigned, int = 32); \
  __D T __shfl_down_sync(unsigned, T, unsigned, int = 32); __D T __shfl_xor_sync(unsigned, T, int, int = 32); \
  __D T __shfl(T, int, int = 32); __D T __shfl_up(T, unsigned, int = 32); \
  __D T __shfl_down(T, unsigned, int = 32); __D T __shfl_xor(T, int, int = 32);
__SHFL(int) __SHFL(unsigned) __SHFL(long) __SHFL(unsigned long) __SHFL(long long) __SHFL(unsigned long long)
__SHFL(float) __SHFL(double)
__D int __any_sync(unsigned, int);
__D int __all_sync(unsigned, int);
__D unsigned __ballot_sync(unsigned, int);
__D unsigned __activemask();
__D int __any(int);
__D int __all(int);
__D unsigned __ballot(int);
#define __MATCH(T) __D unsigned __match_any_sync(unsigned, T); __D unsigned __match_all_sync(unsigned, T, int*);
__MATCH(int) __MATCH(unsigned) __MATCH(long) __MATCH(unsigned long) __MATCH(long long) __MATCH(unsigned long long)
__MATCH(float) __MATCH(double)
#define __REDUX(T) __D T __reduce_add_sync(unsigned, T); __D T __reduce_min_sync(unsigned, T); __D T __reduce_max_sync(unsigned, T);
__REDUX(int) __REDUX(unsigned)
__D unsigned __reduce_and_sync(unsigned, unsigned);
__D unsigned __reduce_or_sync(unsigned, unsigned);
__D unsigned __reduce_xor_sync(unsigned, unsigned);

#define __ATOM(S) \
  __D int atomicAdd##S(int*, int); __D unsigned atomicAdd##S(unsigned*, unsigned); \
  __D unsigned long long atomicAdd##S(unsigned long long*, unsigned long long); \
  __D float atomicAdd##S(float*, float); __D double atomicAdd##S(double*, double); \
  __D int atomicSub##S(int*, int); __D unsigned atomicSub##S(unsigned*, unsigned); \
  __D int atomicExch##S(int*, int); __D unsigned atomicExch##S(unsigned*, unsigned); \
  __D unsigned long long atomicExch##S(unsigned long long*, unsigned long long); __D float atomicExch##S(float*, float); \
  __ATOM3(atomicMin##S) __ATOM3(atomicMax##S) __ATOM3(atomicAnd##S) __ATOM3(atomicOr##S) __ATOM3(atomicXor##S) \
  __D unsigned atomicInc##S(unsigned*, unsigned); __D unsigned atomicDec##S(unsigned*, unsigned); \
  __D int atomicCAS##S(int*, int, int); __D unsigned atomicCAS##S(unsigned*, unsigned, unsigned); \
  __D unsigned long long atomicCAS##S(unsigned long long*, unsigned long long, unsigned long long);
#define __ATOM3(N) __D int N(int*, int); __D unsigned N(unsigned*, unsigned); __D long long N(long long*, long long); \
  __D unsigned long long N(unsigned long long*, unsigned long long);
__ATOM() __ATOM(_block) __ATOM(_system)

__D int __popc(unsigned); __D int __popcll(unsigned long long); __D int __ffs(int); __D int __ffsll(long long);
__D int __clz(int); __D int __clzll(long long); __D unsigned __brev(unsigned); __D unsigned long long __brevll(unsigned long long);
__D unsigned __byte_perm(unsigned, unsigned, unsigned);
__D int __mulhi(int, int); __D unsigned __umulhi(unsigned, unsigned);
__D long long __mul64hi(long long, long long); __D unsigned long long __umul64hi(unsigned long long, unsigned long long);
__D int __mul24(int, int); __D unsigned __umul24(unsigned, unsigned);
__D unsigned __funnelshift_l(unsigned, unsigned, unsigned); __D unsigned __funnelshift_r(unsigned, unsigned, unsigned);
__D unsigned __funnelshift_lc(unsigned, unsigned, unsigned); __D unsigned __funnelshift_rc(unsigned, unsigned, unsigned);
__D int __float_as_int(float); __D unsigned __float_as_uint(float); __D float __int_as_float(int); __D float __uint_as_float(unsigned);
__D long long __double_as_longlong(double); __D double __longlong_as_double(long long);
__D int __sad(int, int, unsigned); __D int __hadd(int, int);
#define __ROUND(R) \
  __D int __float2int_##R(float); __D unsigned __float2uint_##R(float); __D long long __float2ll_##R(float); \
  __D unsigned long long __float2ull_##R(float); __D int __double2int_##R(double); __D unsigned __double2uint_##R(double); \
  __D long long __double2ll_##R(double); __D unsigned long long __double2ull_##R(double); __D float __int2float_##R(int); \
  __D float __uint2float_##R(unsigned); __D float __ll2float_##R(long long); __D float __ull2float_##R(unsigned long long); \
  __D float __double2float_##R(double); __D double __ll2double_##R(long long); __D double __ull2double_##R(unsigned long long);
__ROUND(rn) __ROUND(rz) __ROUND(rd) __ROUND(ru)
__D double __int2double_rn(int); __D double __uint2double_rn(unsigned);
__D float __fadd_rn(float, float); __D float __fsub_rn(float, float); __D float __fmul_rn(float, float); __D float __fdiv_rn(float, float);
__D double __dadd_rn(double, double); __D double __dsub_rn(double, double); __D double __dmul_rn(double, double); __D double __ddiv_rn(double, double);
__D float __fmaf_rn(float, float, float); __D double __fma_rn(double, double, double);
__D float __fsqrt_rn(float); __D double __dsqrt_rn(double); __D float __frcp_rn(float); __D double __drcp_rn(double); __D float __frsqrt_rn(float);
__D float __expf(float); __D float __exp10f(float); __D float __logf(float); __D float __log2f(float); __D float __log10f(float);
__D float __sinf(float); __D float __cosf(float); __D float __tanf(float); __D float __powf(float, float);
__D float __fdividef(float, float); __D float __saturatef(float);
__D void __sincosf(float, float*, float*); __D void sincosf(float, float*, float*); __D void sincos(double, double*, double*);

`;

/** Functions of the device and the host, which a program's host has from its C library. */
export const MATHS: string = String.raw`
#define __M1(N) extern __W double N(double); extern __W float N##f(float); extern __W float N(float); \
  template <class T, class = typename __ints<__is_integral(T)>::type> __W double N(T);
#define __M2(N) extern __W double N(double, double); extern __W float N##f(float, float); extern __W float N(float, float); \
  template <class T, class U, class = typename __ints<(__is_integral(T) || __is_integral(U)) || !__is_same(T, U)>::type> __W double N(T, U);
template <bool> struct __ints {};
template <> struct __ints<true> { typedef int type; };
__M1(sqrt) __M1(exp) __M1(exp2) __M1(expm1) __M1(log) __M1(log2) __M1(log10) __M1(log1p) __M1(sin) __M1(cos) __M1(tan)
__M1(asin) __M1(acos) __M1(atan) __M1(sinh) __M1(cosh) __M1(tanh) __M1(asinh) __M1(acosh) __M1(atanh) __M1(cbrt) __M1(floor) __M1(ceil)
__M1(trunc) __M1(rint) __M1(round) __M1(nearbyint) __M1(fabs) __M1(erf) __M1(erfc) __M1(tgamma) __M1(lgamma) __M1(logb)
__M1(rsqrt) __M1(exp10) __M1(sinpi) __M1(cospi) __M1(rcbrt) __M1(normcdf) __M1(erfinv)
__M2(pow) __M2(atan2) __M2(hypot) __M2(fmod) __M2(copysign) __M2(fdim) __M2(fmin) __M2(fmax) __M2(remainder) __M2(nextafter)
extern __W double fma(double, double, double); extern __W float fmaf(float, float, float); extern __W float fma(float, float, float);
extern __W double modf(double, double*); extern __W float modff(float, float*); extern __W double ldexp(double, int); extern __W float ldexpf(float, int);
extern __W double frexp(double, int*); extern __W float frexpf(float, int*);
extern __W long lround(double); extern __W long lroundf(float); extern __W long lrint(double); extern __W long long llround(double); extern __W long long llrint(double);
#define __TEST(N) extern __W bool N(float); extern __W bool N(double);
__TEST(isnan) __TEST(isinf) __TEST(isfinite) __TEST(signbit)
extern __W int abs(int); extern __W long abs(long); extern __W long long abs(long long); extern __W float abs(float); extern __W double abs(double);
extern __W long labs(long); extern __W long long llabs(long long);
#define __MINMAX(N) extern __W int N(int, int); extern __W unsigned N(unsigned, unsigned); extern __W unsigned N(int, unsigned); \
  extern __W unsigned N(unsigned, int); extern __W long N(long, long); extern __W unsigned long N(unsigned long, unsigned long); \
  extern __W unsigned long N(long, unsigned long); extern __W unsigned long N(unsigned long, long); \
  extern __W long long N(long long, long long); extern __W unsigned long long N(unsigned long long, unsigned long long); \
  extern __W unsigned long long N(long long, unsigned long long); extern __W unsigned long long N(unsigned long long, long long); \
  extern __W float N(float, float); extern __W double N(double, double); extern __W double N(float, double); extern __W double N(double, float);
__MINMAX(min) __MINMAX(max)
extern __W unsigned umin(unsigned, unsigned); extern __W unsigned umax(unsigned, unsigned);

`;

/** Loads of a kind and clocks, for both. */
export const LOADS: string = String.raw`
#define __LDG(T) __D T __ldg(const T*); __D T __ldcg(const T*); __D T __ldca(const T*); __D T __ldcs(const T*); __D T __ldlu(const T*); \
  __D T __ldcv(const T*); __D void __stcg(T*, T); __D void __stcs(T*, T); __D void __stwb(T*, T); __D void __stwt(T*, T);
__LDG(char) __LDG(signed char) __LDG(unsigned char) __LDG(short) __LDG(unsigned short) __LDG(int) __LDG(unsigned) __LDG(long)
__LDG(unsigned long) __LDG(long long) __LDG(unsigned long long) __LDG(float) __LDG(double)
__LDG(int2) __LDG(int4) __LDG(uint2) __LDG(uint4) __LDG(float2) __LDG(float4) __LDG(double2) __LDG(uchar4) __LDG(char4)
__D size_t __cvta_generic_to_shared(const void*); __D size_t __cvta_generic_to_global(const void*);
__D size_t __cvta_generic_to_local(const void*); __D void* __cvta_shared_to_generic(size_t); __D void* __cvta_global_to_generic(size_t);
typedef unsigned long long cudaTextureObject_t; typedef unsigned long long cudaSurfaceObject_t;
template <class T> __D T tex1Dfetch(cudaTextureObject_t, int); template <class T> __D T tex1D(cudaTextureObject_t, float);
template <class T> __D T tex2D(cudaTextureObject_t, float, float); template <class T> __D T tex3D(cudaTextureObject_t, float, float, float);
template <class T> __D void surf2Dread(T*, cudaSurfaceObject_t, int, int, int = 0);
template <class T> __D void surf2Dwrite(T, cudaSurfaceObject_t, int, int, int = 0);
__D long long clock64(); __D long clock(); __D unsigned long long globaltimer();
`;

/** assert.h, which asks for NDEBUG each time that it is included. */
export const ASSERT: string = `#undef assert
#ifdef NDEBUG
#define assert(...) ((void)0)
#else
#define assert(...) __warplab_assert_any((bool)(__VA_ARGS__), #__VA_ARGS__)
#endif
`;

/** What lets the host's part of a file be parsed. */
const REST: string = String.raw`
extern "C" {
extern __W int printf(const char*, ...) __attribute__((format(printf, 1, 2)));
extern __W void* malloc(size_t); extern __W void free(void*); extern __W void* memcpy(void*, const void*, size_t); extern __W void* memset(void*, int, size_t);
}
${ASSERT}__D void __warplab_assert_any(bool, const char*);
__host__ void __warplab_assert_any(bool, const char*);

enum cudaError { cudaSuccess, cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNotReady = 600, cudaErrorUnknown = 999 };
typedef cudaError cudaError_t;
enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault };
typedef struct CUstream_st* cudaStream_t; typedef struct CUevent_st* cudaEvent_t; typedef struct CUgraph_st* cudaGraph_t;
#define cudaStreamFireAndForget ((cudaStream_t)4)
#define cudaStreamTailLaunch ((cudaStream_t)3)
#define cudaStreamNonBlocking 1
#define cudaStreamDefault 0
__D __host__ cudaError_t cudaDeviceSynchronize(); __W cudaError_t cudaGetLastError(); __W cudaError_t cudaPeekAtLastError();
__W const char* cudaGetErrorString(cudaError_t); __W const char* cudaGetErrorName(cudaError_t);
__W cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned); __W cudaError_t cudaStreamDestroy(cudaStream_t);
extern "C" {
__host__ unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, cudaStream_t = 0);
__host__ cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
__device__ void* cudaGetParameterBuffer(size_t, size_t);
__device__ cudaError_t cudaLaunchDevice(void*, void*, dim3, dim3, unsigned, cudaStream_t);
}
template <class T> cudaError_t cudaMalloc(T**, size_t);
template <class T> cudaError_t cudaMallocManaged(T**, size_t, unsigned = 1);
template <class T> cudaError_t cudaMallocHost(T**, size_t, unsigned = 0);
cudaError_t cudaFree(void*); cudaError_t cudaFreeHost(void*); cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind); cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
template <class T> cudaError_t cudaMemcpyToSymbol(const T&, const void*, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T> cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaEventCreate(cudaEvent_t*); cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0); cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t); cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaStreamCreate(cudaStream_t*); cudaError_t cudaStreamSynchronize(cudaStream_t); cudaError_t cudaDeviceReset(); cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDeviceCount(int*);
typedef struct FILE FILE; typedef long long time_t; typedef long long clock_t;
extern "C" {
int fprintf(FILE*, const char*, ...); int puts(const char*); int putchar(int); void exit(int); int atoi(const char*); double atof(const char*);
int rand(); void srand(unsigned); time_t time(time_t*); void* calloc(size_t, size_t); int fflush(FILE*); int sprintf(char*, const char*, ...);
size_t strlen(const char*); int strcmp(const char*, const char*); int memcmp(const void*, const void*, size_t); char* getenv(const char*);
}
namespace std {
  using ::abs; using ::sqrt; using ::exp; using ::log; using ::pow; using ::sin; using ::cos; using ::fabs; using ::floor; using ::ceil;
  using ::fmin; using ::fmax; using ::printf; using ::size_t; using ::isnan; using ::isinf; using ::tanh; using ::round; using ::log2;
  using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t; using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
  using ::fma; using ::atan2; using ::hypot; using ::rint; using ::trunc; using ::tan; using ::exp2; using ::cbrt; using ::ptrdiff_t;
  template <class T> constexpr __W const T& min(const T& a, const T& b) { return b < a ? b : a; }
  template <class T> constexpr __W const T& max(const T& a, const T& b) { return a < b ? b : a; }
  template <class T> struct numeric_limits;
  template <bool B, class T = void> struct enable_if {}; template <class T> struct enable_if<true, T> { typedef T type; };
  template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;
  template <bool B, class T, class F> struct conditional { typedef T type; }; template <class T, class F> struct conditional<false, T, F> { typedef F type; };
  template <bool B, class T, class F> using conditional_t = typename conditional<B, T, F>::type;
  template <class T, class U> struct is_same { static constexpr bool value = __is_same(T, U); };
  template <class T, class U> constexpr bool is_same_v = __is_same(T, U);
  template <size_t N, size_t A> struct aligned_storage { struct alignas(A) type { unsigned char __bytes[N]; }; };
  template <size_t N, size_t A> using aligned_storage_t = typename aligned_storage<N, A>::type;
  template <class T> struct remove_reference { typedef T type; }; template <class T> struct remove_reference<T&> { typedef T type; };
  template <class T> struct remove_const { typedef T type; }; template <class T> struct remove_const<const T> { typedef T type; };
  template <class T> struct is_integral { static constexpr bool value = __is_integral(T); };
  template <class T> struct is_floating_point { static constexpr bool value = __is_floating_point(T); };
}
#undef __V1
#undef __V2
#undef __V3
#undef __V4
#undef __V
#undef __D
`;

export const RUNTIME: string = ["#pragma once", QUALIFIERS, TYPES, VECTORS, WARPS, MATHS, LOADS, REST].join("");
