/**
 * Elementary functions. float32 forms are computed in double and rounded to float32: nearer to the true value (0.5 ulp
 * but for rare double rounding) than CUDA promises (expf 1 ulp, logf 1, sinf and cosf 2, tanhf 2, powf 4, rsqrtf 2,
 * exp2f 2, log2f 1; __expf, __logf, __sinf and __cosf more: CUDA C++ Programming Guide, "Mathematical Functions").
 * sqrt and rcp are correctly rounded, as nvcc's default (-prec-sqrt, -prec-div). The float64 forms are the JavaScript
 * engine's own, within 1 ulp.
 */
import { rint, saturate } from "./float32.js";

/** C's pow where JavaScript's differs: 1^y is 1 for every y, (-1)^±inf is 1. */
export function pow(a: number, b: number): number {
  if (a === 1 || (a === -1 && !Number.isFinite(b) && !Number.isNaN(b))) return 1;
  return a ** b;
}

/** The functions of one operand, on doubles; for float32 the caller rounds the result. */
export const ELEMENTARY: Readonly<Record<UnaryElementary, (a: number) => number>> = {
  neg: (a) => -a,
  abs: Math.abs,
  sqrt: Math.sqrt,
  rsqrt: (a) => 1 / Math.sqrt(a),
  rcp: (a) => 1 / a,
  exp: Math.exp,
  exp2: (a) => 2 ** a,
  log: Math.log,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  rint,
  saturate,
  fastExp: Math.exp,
  fastSin: Math.sin,
  fastCos: Math.cos,
  fastLog: Math.log,
};

export type UnaryElementary =
  | "neg"
  | "abs"
  | "sqrt"
  | "rsqrt"
  | "rcp"
  | "exp"
  | "exp2"
  | "log"
  | "log2"
  | "sin"
  | "cos"
  | "tanh"
  | "floor"
  | "ceil"
  | "trunc"
  | "rint"
  | "saturate"
  | "fastExp"
  | "fastSin"
  | "fastCos"
  | "fastLog";
