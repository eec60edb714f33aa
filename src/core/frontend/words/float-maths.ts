/** The float forms of the mathematical functions: their arguments become f32. */
import { word } from "./host.js";

/** The square root, in f32. */
export const sqrtf: (x: number) => number = word("sqrtf");

/** 1 over the square root, in f32. */
export const rsqrtf: (x: number) => number = word("rsqrtf");

/** e to the power of x, in f32. */
export const expf: (x: number) => number = word("expf");

/** 2 to the power of x, in f32. */
export const exp2f: (x: number) => number = word("exp2f");

/** 10 to the power of x, in f32. */
export const exp10f: (x: number) => number = word("exp10f");

/** exp(x) - 1, exact near 0, in f32. */
export const expm1f: (x: number) => number = word("expm1f");

/** The natural logarithm, in f32. */
export const logf: (x: number) => number = word("logf");

/** The logarithm to base 2, in f32. */
export const log2f: (x: number) => number = word("log2f");

/** The logarithm to base 10, in f32. */
export const log10f: (x: number) => number = word("log10f");

/** log(1 + x), exact near 0, in f32. */
export const log1pf: (x: number) => number = word("log1pf");

/** The sine, x in radians, in f32. */
export const sinf: (x: number) => number = word("sinf");

/** The cosine, x in radians, in f32. */
export const cosf: (x: number) => number = word("cosf");

/** The tangent, x in radians, in f32. */
export const tanf: (x: number) => number = word("tanf");

/** The sine of pi times x, in f32. */
export const sinpif: (x: number) => number = word("sinpif");

/** The cosine of pi times x, in f32. */
export const cospif: (x: number) => number = word("cospif");

/** The arc sine, in f32. */
export const asinf: (x: number) => number = word("asinf");

/** The arc cosine, in f32. */
export const acosf: (x: number) => number = word("acosf");

/** The arc tangent, in f32. */
export const atanf: (x: number) => number = word("atanf");

/** The hyperbolic sine, in f32. */
export const sinhf: (x: number) => number = word("sinhf");

/** The hyperbolic cosine, in f32. */
export const coshf: (x: number) => number = word("coshf");

/** The hyperbolic tangent, in f32. */
export const tanhf: (x: number) => number = word("tanhf");

/** The inverse hyperbolic sine, in f32. */
export const asinhf: (x: number) => number = word("asinhf");

/** The inverse hyperbolic cosine, in f32. */
export const acoshf: (x: number) => number = word("acoshf");

/** The inverse hyperbolic tangent, in f32. */
export const atanhf: (x: number) => number = word("atanhf");

/** The cube root, in f32. */
export const cbrtf: (x: number) => number = word("cbrtf");

/** 1 over x, in f32. */
export const rcpf: (x: number) => number = word("rcpf");

/** The integer at or below x, in f32. */
export const floorf: (x: number) => number = word("floorf");

/** The integer at or above x, in f32. */
export const ceilf: (x: number) => number = word("ceilf");

/** x without its fraction, in f32. */
export const truncf: (x: number) => number = word("truncf");

/** The nearest integer, halves to the even one, in f32. */
export const rintf: (x: number) => number = word("rintf");

/** The nearest integer, halves to the even one, in f32. */
export const nearbyintf: (x: number) => number = word("nearbyintf");

/** The nearest integer, halves away from zero, in f32. */
export const roundf: (x: number) => number = word("roundf");

/** x to the power of y, in f32. */
export const powf: (x: number, y: number) => number = word("powf");

/** The angle of the point (x, y), in f32. */
export const atan2f: (y: number, x: number) => number = word("atan2f");

/** The square root of x * x + y * y, without overflow, in f32. */
export const hypotf: (x: number, y: number) => number = word("hypotf");

/** The remainder of x / y with the sign of x: `%` of floats, in f32. */
export const fmodf: (x: number, y: number) => number = word("fmodf");

/** The magnitude of x with the sign of y, in f32. */
export const copysignf: (x: number, y: number) => number = word("copysignf");

/** x - y where that is positive, else 0, in f32. */
export const fdimf: (x: number, y: number) => number = word("fdimf");

/** a * b + c with one rounding, in f32. */
export const fmaf: (a: number, b: number, c: number) => number = word("fmaf");

/** The magnitude, in f32. */
export const fabsf: (x: number) => number = word("fabsf");

/** The smaller of two values, in f32. */
export const fminf: (x: number, y: number) => number = word("fminf");

/** The larger of two values, in f32. */
export const fmaxf: (x: number, y: number) => number = word("fmaxf");
