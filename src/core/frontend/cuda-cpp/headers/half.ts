/**
 * cuda_fp16.h as C++: a half is its 16 bits, and computes as a float that is rounded to a half again. A float has more than twice
 * a half's digits. So sums, products, quotients and roots
 * are rounded right. A fused sum (`__hfma`) keeps the rest of the float's rounding.
 */
const OPERATORS = ["+", "-", "*", "/"];
const NAMES: Readonly<Record<string, string>> = { "+": "add", "-": "sub", "*": "mul", "/": "div" };
const COMPARISONS: Readonly<Record<string, string>> = {
  "==": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
};

const arithmetic = OPERATORS.map((op) => {
  const name = NAMES[op] ?? "";
  const suffixes = op === "/" ? [""] : ["", "_rn"];
  return [
    ...suffixes.map(
      (suffix) =>
        `__device__ inline __half __h${name}${suffix}(__half a, __half b) { return __float2half(__half2float(a) ${op} __half2float(b)); }`,
    ),
    `__device__ inline __half operator${op}(const __half& a, const __half& b) { return __h${name}(a, b); }`,
    `__device__ inline __half& operator${op}=(__half& a, const __half& b) { a = __h${name}(a, b); return a; }`,
    `__device__ inline __half2 __h${op === "/" ? "2div" : `${name}2`}(__half2 a, __half2 b) { return __halves2half2(__h${name}(a.x, b.x), __h${name}(a.y, b.y)); }`,
    `__device__ inline __half2 operator${op}(const __half2& a, const __half2& b) { return __halves2half2(__h${name}(a.x, b.x), __h${name}(a.y, b.y)); }`,
    `__device__ inline __half2& operator${op}=(__half2& a, const __half2& b) { a = a ${op} b; return a; }`,
  ].join("\n");
});

const comparisons = Object.entries(COMPARISONS).map(
  ([
    op,
    name,
  ]) => `__device__ inline bool __h${name}(__half a, __half b) { return __half2float(a) ${op} __half2float(b); }
__device__ inline bool operator${op}(const __half& a, const __half& b) { return __half2float(a) ${op} __half2float(b); }`,
);

const functions = "sqrt rsqrt exp exp2 exp10 log log2 log10 sin cos floor ceil trunc rint"
  .split(" ")
  .map((name) => `__device__ inline __half h${name}(__half a) { return __float2half(${name}f(__half2float(a))); }`);

const SHUFFLES: Readonly<Record<string, string>> = { "": "int", _up: "unsigned", _down: "unsigned", _xor: "int" };

const shuffles = Object.entries(SHUFFLES).map(([kind, by]) => {
  const name = `__shfl${kind}_sync`;
  return `__device__ inline __half ${name}(unsigned mask, __half v, ${by} by, int width = 32) { return __ushort_as_half((unsigned short)${name}(mask, (int)v.__x, by, width)); }
__device__ inline __half2 ${name}(unsigned mask, __half2 v, ${by} by, int width = 32) { return __halves2half2(${name}(mask, v.x, by, width), ${name}(mask, v.y, by, width)); }`;
});

export const HALF: string = `
#pragma once
struct __attribute__((aligned(2))) __half_raw { unsigned short x; };
__device__ inline unsigned short __warplab_half_bits(float f) {
  unsigned bits = __float_as_uint(f), size = bits & 0x7fffffffu;
  unsigned rounded = (size + 0xfffu + ((size >> 13) & 1u) - 0x38000000u) >> 13;
  unsigned small = (unsigned)__float2int_rn(__uint_as_float(size) * 16777216.0f);
  unsigned result = size > 0x7f800000u ? 0x7fffu : size >= 0x477ff000u ? 0x7c00u : size < 0x38800000u ? small : rounded;
  return (unsigned short)(size > 0x7f800000u ? result : result | ((bits >> 16) & 0x8000u));
}
__device__ inline float __warplab_half_value(unsigned short h) {
  unsigned size = (h & 0x7fffu) << 13;
  float scaled = __uint_as_float(size) * 5192296858534827628530496329220096.0f;
  unsigned bits = size >= 0x0f800000u ? (size | 0x7f800000u) : __float_as_uint(scaled);
  return __uint_as_float(bits | ((unsigned)(h & 0x8000u) << 16));
}
struct __attribute__((aligned(2))) __half {
  unsigned short __x;
  __half() = default;
  __device__ __half(const __half_raw& raw) : __x(raw.x) {}
  __device__ __half(float f) : __x(__warplab_half_bits(f)) {}
  __device__ __half(double f) : __x(__warplab_half_bits((float)f)) {}
  __device__ __half(int i) : __x(__warplab_half_bits((float)i)) {}
  __device__ __half(unsigned i) : __x(__warplab_half_bits((float)i)) {}
  __device__ operator float() const { return __warplab_half_value(__x); }
};
typedef __half half;
struct __attribute__((aligned(4))) __half2 {
  __half x, y;
  __half2() = default;
  __device__ __half2(const __half& a, const __half& b) : x(a), y(b) {}
};
typedef __half2 half2;
__device__ inline unsigned short __half_as_ushort(__half h) { return h.__x; }
__device__ inline short __half_as_short(__half h) { return (short)h.__x; }
__device__ inline __half __ushort_as_half(unsigned short bits) { __half_raw raw; raw.x = bits; return __half(raw); }
__device__ inline __half __short_as_half(short bits) { return __ushort_as_half((unsigned short)bits); }
__device__ inline float __half2float(__half h) { return __warplab_half_value(h.__x); }
__device__ inline __half __float2half(float f) { return __ushort_as_half(__warplab_half_bits(f)); }
__device__ inline __half __float2half_rn(float f) { return __float2half(f); }
__device__ inline __half __int2half_rn(int i) { return __float2half((float)i); }
__device__ inline int __half2int_rn(__half h) { return __float2int_rn(__half2float(h)); }
__device__ inline int __half2int_rz(__half h) { return (int)__half2float(h); }
__device__ inline __half2 __halves2half2(__half x, __half y) { __half2 v; v.x = x; v.y = y; return v; }
__device__ inline __half2 make_half2(__half x, __half y) { return __halves2half2(x, y); }
__device__ inline __half2 __half2half2(__half x) { return __halves2half2(x, x); }
__device__ inline __half2 __float2half2_rn(float f) { return __halves2half2(__float2half(f), __float2half(f)); }
__device__ inline __half2 __floats2half2_rn(float x, float y) { return __halves2half2(__float2half(x), __float2half(y)); }
__device__ inline __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__device__ inline float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
__device__ inline __half __low2half(__half2 v) { return v.x; }
__device__ inline __half __high2half(__half2 v) { return v.y; }
__device__ inline float __low2float(__half2 v) { return __half2float(v.x); }
__device__ inline float __high2float(__half2 v) { return __half2float(v.y); }
__device__ inline __half2 __low2half2(__half2 v) { return __halves2half2(v.x, v.x); }
__device__ inline __half2 __high2half2(__half2 v) { return __halves2half2(v.y, v.y); }
__device__ inline __half2 __lowhigh2highlow(__half2 v) { return __halves2half2(v.y, v.x); }
${arithmetic.join("\n")}
${comparisons.join("\n")}
__device__ inline __half __hneg(__half a) { return __ushort_as_half(a.__x ^ 0x8000); }
__device__ inline __half __habs(__half a) { return __ushort_as_half(a.__x & 0x7fff); }
__device__ inline __half operator-(const __half& a) { return __hneg(a); }
__device__ inline __half2 __hneg2(__half2 a) { return __halves2half2(__hneg(a.x), __hneg(a.y)); }
__device__ inline __half __hmax(__half a, __half b) { return __float2half(fmaxf(__half2float(a), __half2float(b))); }
__device__ inline __half __hmin(__half a, __half b) { return __float2half(fminf(__half2float(a), __half2float(b))); }
__device__ inline __half2 __hmax2(__half2 a, __half2 b) { return __halves2half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
__device__ inline __half2 __hmin2(__half2 a, __half2 b) { return __halves2half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
__device__ inline bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
__device__ inline __half __hfma(__half a, __half b, __half c) {
  float product = __fmul_rn(__half2float(a), __half2float(b)), term = __half2float(c);
  float sum = __fadd_rn(product, term), part = __fsub_rn(sum, product);
  float rest = __fadd_rn(__fsub_rn(product, __fsub_rn(sum, part)), __fsub_rn(term, part));
  int bits = __float_as_int(sum);
  int towards = (rest > 0) == (bits >= 0) ? 1 : -1;
  bool odd = rest == 0 || rest != rest || (bits & 1) != 0;
  return __float2half(odd ? sum : __int_as_float(bits + towards));
}
__device__ inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __halves2half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }
${functions.join("\n")}
__device__ inline __half2 h2sqrt(__half2 a) { return __halves2half2(hsqrt(a.x), hsqrt(a.y)); }
__device__ inline __half2 h2exp(__half2 a) { return __halves2half2(hexp(a.x), hexp(a.y)); }
${shuffles.join("\n")}
__device__ inline __half2 atomicAdd(__half2* p, __half2 v) {
  unsigned* word = (unsigned*)p;
  unsigned seen = *word, old;
  __half2 before;
  do {
    old = seen;
    before = __halves2half2(__ushort_as_half((unsigned short)old), __ushort_as_half((unsigned short)(old >> 16)));
    __half2 sum = before + v;
    seen = atomicCAS(word, old, (unsigned)sum.x.__x | (unsigned)sum.y.__x << 16);
  } while (seen != old);
  return before;
}
__device__ inline __half __ldg(const __half* p) { return *p; }
__device__ inline __half2 __ldg(const __half2* p) { return *p; }
`;

/** The bits of numbers on the host, which the GPU has as instructions. */
const HOST_BITS = `
inline unsigned __float_as_uint(float f) { unsigned u; __builtin_memcpy(&u, &f, 4); return u; }
inline float __uint_as_float(unsigned u) { float f; __builtin_memcpy(&f, &u, 4); return f; }
inline int __float_as_int(float f) { return (int)__float_as_uint(f); }
inline float __int_as_float(int i) { return __uint_as_float((unsigned)i); }
inline int __float2int_rn(float f) { return (int)__builtin_rintf(f); }
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
`;

/** The same for the host of a program, whose functions both sides call. */
export const HOST_HALF: string = HALF.replace("#pragma once\n", `#pragma once\n${HOST_BITS}`).replaceAll(
  "__device__ ",
  "__host__ __device__ ",
);
