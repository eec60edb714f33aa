/** Mathematical functions, in f32 or f64 as their arguments are (CUDA Math API). */
import { word } from "./host.js";

/** The smaller of two values, in their common type. */
export const min: <T>(a: T, b: T) => T = word("min");

/** The larger of two values, in their common type. */
export const max: <T>(a: T, b: T) => T = word("max");

/** The magnitude of an integer or a float. */
export const abs: <T>(x: T) => T = word("abs");

/** CUDA's `/` between integers: division that truncates towards zero. */
export const idiv: <T>(a: T, b: T) => T = word("idiv");

/** The smaller of two floats; the other one where one is NaN. */
export const fmin: (x: number, y: number) => number = word("fmin");

/** The larger of two floats; the other one where one is NaN. */
export const fmax: (x: number, y: number) => number = word("fmax");

/** The magnitude of a float. */
export const fabs: (x: number) => number = word("fabs");

/** The square root. */
export const sqrt: (x: number) => number = word("sqrt");

/** 1 over the square root. */
export const rsqrt: (x: number) => number = word("rsqrt");

/** e to the power of x. */
export const exp: (x: number) => number = word("exp");

/** 2 to the power of x. */
export const exp2: (x: number) => number = word("exp2");

/** 10 to the power of x. */
export const exp10: (x: number) => number = word("exp10");

/** exp(x) - 1, exact near 0. */
export const expm1: (x: number) => number = word("expm1");

/** The natural logarithm. */
export const log: (x: number) => number = word("log");

/** The logarithm to base 2. */
export const log2: (x: number) => number = word("log2");

/** The logarithm to base 10. */
export const log10: (x: number) => number = word("log10");

/** log(1 + x), exact near 0. */
export const log1p: (x: number) => number = word("log1p");

/** The sine, x in radians. */
export const sin: (x: number) => number = word("sin");

/** The cosine, x in radians. */
export const cos: (x: number) => number = word("cos");

/** The tangent, x in radians. */
export const tan: (x: number) => number = word("tan");

/** The sine of pi times x. */
export const sinpi: (x: number) => number = word("sinpi");

/** The cosine of pi times x. */
export const cospi: (x: number) => number = word("cospi");

/** The arc sine. */
export const asin: (x: number) => number = word("asin");

/** The arc cosine. */
export const acos: (x: number) => number = word("acos");

/** The arc tangent. */
export const atan: (x: number) => number = word("atan");

/** The hyperbolic sine. */
export const sinh: (x: number) => number = word("sinh");

/** The hyperbolic cosine. */
export const cosh: (x: number) => number = word("cosh");

/** The hyperbolic tangent. */
export const tanh: (x: number) => number = word("tanh");

/** The inverse hyperbolic sine. */
export const asinh: (x: number) => number = word("asinh");

/** The inverse hyperbolic cosine. */
export const acosh: (x: number) => number = word("acosh");

/** The inverse hyperbolic tangent. */
export const atanh: (x: number) => number = word("atanh");

/** The cube root. */
export const cbrt: (x: number) => number = word("cbrt");

/** 1 over x. */
export const rcp: (x: number) => number = word("rcp");

/** The integer at or below x. */
export const floor: (x: number) => number = word("floor");

/** The integer at or above x. */
export const ceil: (x: number) => number = word("ceil");

/** x without its fraction. */
export const trunc: (x: number) => number = word("trunc");

/** The nearest integer, halves to the even one. */
export const rint: (x: number) => number = word("rint");

/** The nearest integer, halves to the even one. */
export const nearbyint: (x: number) => number = word("nearbyint");

/** The nearest integer, halves away from zero. */
export const round: (x: number) => number = word("round");

/** x to the power of y. */
export const pow: (x: number, y: number) => number = word("pow");

/** The angle of the point (x, y). */
export const atan2: (y: number, x: number) => number = word("atan2");

/** The square root of x * x + y * y, without overflow. */
export const hypot: (x: number, y: number) => number = word("hypot");

/** The remainder of x / y with the sign of x: `%` of floats. */
export const fmod: (x: number, y: number) => number = word("fmod");

/** The magnitude of x with the sign of y. */
export const copysign: (x: number, y: number) => number = word("copysign");

/** x - y where that is positive, else 0. */
export const fdim: (x: number, y: number) => number = word("fdim");

/** a * b + c with one rounding. */
export const fma: (a: number, b: number, c: number) => number = word("fma");

/** Whether x is no number. */
export const isnan: (x: number) => boolean = word("isnan");

/** Whether x is infinite. */
export const isinf: (x: number) => boolean = word("isinf");

/** Whether x is neither infinite nor NaN. */
export const isfinite: (x: number) => boolean = word("isfinite");

/** Whether x is negative, -0 included. */
export const signbit: (x: number) => boolean = word("signbit");
