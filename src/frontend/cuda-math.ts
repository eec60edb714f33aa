/** The words of CUDA's Math API that a kernel takes from its second argument, as TypeScript sees them. */
import type { Long } from "./element.js";

type FloatFunction = (x: number) => number;

type Conversion<To extends string> = `__${"float" | "double"}2${To}_${"rn" | "rz" | "rd" | "ru"}`;

/** `__float2int_rn` and its like: to the nearest (even), towards zero, down, up. */
export type Conversions = { readonly [Word in Conversion<"int" | "uint">]: (x: number) => number } & {
  readonly [Word in Conversion<"ll" | "ull">]: (x: number) => Long;
};

export interface MathWords {
  min<T>(a: T, b: T): T;
  max<T>(a: T, b: T): T;
  fmin(a: number, b: number): number;
  fmax(a: number, b: number): number;
  fminf(a: number, b: number): number;
  fmaxf(a: number, b: number): number;
  abs<T>(x: T): T;
  fabs: FloatFunction;
  fabsf: FloatFunction;
  /** Integer division, truncating towards zero: CUDA's `/` between integers. */
  idiv<T>(a: T, b: T): T;
  sqrt: FloatFunction;
  sqrtf: FloatFunction;
  rsqrt: FloatFunction;
  rsqrtf: FloatFunction;
  rcp: FloatFunction;
  rcpf: FloatFunction;
  exp: FloatFunction;
  expf: FloatFunction;
  exp2: FloatFunction;
  exp2f: FloatFunction;
  log: FloatFunction;
  logf: FloatFunction;
  log2: FloatFunction;
  log2f: FloatFunction;
  sin: FloatFunction;
  sinf: FloatFunction;
  cos: FloatFunction;
  cosf: FloatFunction;
  tanh: FloatFunction;
  tanhf: FloatFunction;
  exp10: FloatFunction;
  exp10f: FloatFunction;
  expm1: FloatFunction;
  expm1f: FloatFunction;
  log10: FloatFunction;
  log10f: FloatFunction;
  log1p: FloatFunction;
  log1pf: FloatFunction;
  tan: FloatFunction;
  tanf: FloatFunction;
  asin: FloatFunction;
  asinf: FloatFunction;
  acos: FloatFunction;
  acosf: FloatFunction;
  atan: FloatFunction;
  atanf: FloatFunction;
  sinh: FloatFunction;
  sinhf: FloatFunction;
  cosh: FloatFunction;
  coshf: FloatFunction;
  asinh: FloatFunction;
  asinhf: FloatFunction;
  acosh: FloatFunction;
  acoshf: FloatFunction;
  atanh: FloatFunction;
  atanhf: FloatFunction;
  cbrt: FloatFunction;
  cbrtf: FloatFunction;
  /** sin and cos of pi times x. */
  sinpi: FloatFunction;
  sinpif: FloatFunction;
  cospi: FloatFunction;
  cospif: FloatFunction;
  atan2(y: number, x: number): number;
  atan2f(y: number, x: number): number;
  hypot(x: number, y: number): number;
  hypotf(x: number, y: number): number;
  /** The remainder of x / y, with the sign of x: CUDA's `%` of floats. */
  fmod(x: number, y: number): number;
  fmodf(x: number, y: number): number;
  /** The magnitude of x with the sign of y. */
  copysign(x: number, y: number): number;
  copysignf(x: number, y: number): number;
  /** x - y where that is positive, else 0. */
  fdim(x: number, y: number): number;
  fdimf(x: number, y: number): number;
  pow(x: number, y: number): number;
  powf(x: number, y: number): number;
  floor: FloatFunction;
  floorf: FloatFunction;
  ceil: FloatFunction;
  ceilf: FloatFunction;
  trunc: FloatFunction;
  truncf: FloatFunction;
  /** To the nearest integer, halves to the even one. */
  rint: FloatFunction;
  rintf: FloatFunction;
  nearbyint: FloatFunction;
  nearbyintf: FloatFunction;
  /** To the nearest integer, halves away from zero. */
  round: FloatFunction;
  roundf: FloatFunction;
  /** `a * b + c` with one rounding. */
  fma(a: number, b: number, c: number): number;
  fmaf(a: number, b: number, c: number): number;
  /** The fast, less exact versions of the special function unit. */
  __expf: FloatFunction;
  __logf: FloatFunction;
  __sinf: FloatFunction;
  __cosf: FloatFunction;
  __tanf: FloatFunction;
  __exp10f: FloatFunction;
  __log2f: FloatFunction;
  __log10f: FloatFunction;
  __powf(x: number, y: number): number;
  __fdividef(x: number, y: number): number;
  fdividef(x: number, y: number): number;
  /** Clamps to 0..1. */
  __saturatef: FloatFunction;
  saturate: FloatFunction;
  __frcp_rn: FloatFunction;
  __fsqrt_rn: FloatFunction;
  __fmaf_rn(a: number, b: number, c: number): number;
  /** Rounded by themselves: the compiler never makes a multiply-add of them. */
  __fadd_rn(a: number, b: number): number;
  __fsub_rn(a: number, b: number): number;
  __fmul_rn(a: number, b: number): number;
  __fdiv_rn(a: number, b: number): number;
  __dadd_rn(a: number, b: number): number;
  __dsub_rn(a: number, b: number): number;
  __dmul_rn(a: number, b: number): number;
  __ddiv_rn(a: number, b: number): number;
  __dsqrt_rn: FloatFunction;
  __drcp_rn: FloatFunction;
  __fma_rn(a: number, b: number, c: number): number;
  isnan(x: number): boolean;
  isinf(x: number): boolean;
  isfinite(x: number): boolean;
  signbit(x: number): boolean;
  /** Number of set bits. */
  popc(x: number): number;
  popcll(x: number | bigint): number;
  /** Position of the lowest set bit, from 1; 0 if none. */
  ffs(x: number): number;
  ffsll(x: number | bigint): number;
  /** Number of leading zero bits. */
  clz(x: number): number;
  clzll(x: number | bigint): number;
  /** The bits in reverse order. */
  brev(x: number): number;
  brevll(x: number | bigint): Long;
  byte_perm(x: number, y: number, selector: number): number;
  /** The upper half of the product. */
  mulhi<T>(a: T, b: T): T;
  umulhi(a: number, b: number): number;
  mul64hi(a: number | bigint, b: number | bigint): Long;
  umul64hi(a: number | bigint, b: number | bigint): Long;
  /** The product of the low 24 bits of both. */
  mul24(a: number, b: number): number;
  umul24(a: number, b: number): number;
  /** The upper half of (high:low) << (count % 32); with c at the end, of << min(count, 32). */
  funnelshift_l(low: number, high: number, count: number): number;
  funnelshift_lc(low: number, high: number, count: number): number;
  /** The lower half of (high:low) >> (count % 32); with c at the end, of >> min(count, 32). */
  funnelshift_r(low: number, high: number, count: number): number;
  funnelshift_rc(low: number, high: number, count: number): number;
  float_as_int(x: number): number;
  float_as_uint(x: number): number;
  int_as_float(x: number): number;
  uint_as_float(x: number): number;
  double_as_longlong(x: number): Long;
  longlong_as_double(x: number | bigint): number;
}
