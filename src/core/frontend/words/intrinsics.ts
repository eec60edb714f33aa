/** Intrinsic functions of CUDA's Math API: the fast ones of the special function unit, those that round by themselves. */
import { word } from "./host.js";

/** exp(x), fast and less exact: what the special function unit gives. */
export const __expf: (x: number) => number = word("__expf");

/** exp10(x), fast and less exact: what the special function unit gives. */
export const __exp10f: (x: number) => number = word("__exp10f");

/** log(x), fast and less exact: what the special function unit gives. */
export const __logf: (x: number) => number = word("__logf");

/** log2(x), fast and less exact: what the special function unit gives. */
export const __log2f: (x: number) => number = word("__log2f");

/** log10(x), fast and less exact: what the special function unit gives. */
export const __log10f: (x: number) => number = word("__log10f");

/** sin(x), fast and less exact: what the special function unit gives. */
export const __sinf: (x: number) => number = word("__sinf");

/** cos(x), fast and less exact: what the special function unit gives. */
export const __cosf: (x: number) => number = word("__cosf");

/** tan(x), fast and less exact: what the special function unit gives. */
export const __tanf: (x: number) => number = word("__tanf");

/** pow(x, y), fast and less exact. */
export const __powf: (x: number, y: number) => number = word("__powf");

/** x / y, fast and less exact. */
export const __fdividef: (x: number, y: number) => number = word("__fdividef");

/** x / y, fast and less exact. */
export const fdividef: (x: number, y: number) => number = word("fdividef");

/** x clamped to 0..1. */
export const __saturatef: (x: number) => number = word("__saturatef");

/** x clamped to 0..1: CUDA's `__saturatef`. */
export const saturate: (x: number) => number = word("saturate");

/** 1 / x in f32, rounded to the nearest. */
export const __frcp_rn: (x: number) => number = word("__frcp_rn");

/** The square root in f32, rounded to the nearest. */
export const __fsqrt_rn: (x: number) => number = word("__fsqrt_rn");

/** a * b + c in f32 with one rounding. */
export const __fmaf_rn: (a: number, b: number, c: number) => number = word("__fmaf_rn");

/** a + b in f32, rounded by itself: never part of a multiply-add. */
export const __fadd_rn: (a: number, b: number) => number = word("__fadd_rn");

/** a - b in f32, rounded by itself: never part of a multiply-add. */
export const __fsub_rn: (a: number, b: number) => number = word("__fsub_rn");

/** a * b in f32, rounded by itself: never part of a multiply-add. */
export const __fmul_rn: (a: number, b: number) => number = word("__fmul_rn");

/** a / b in f32, rounded by itself: never part of a multiply-add. */
export const __fdiv_rn: (a: number, b: number) => number = word("__fdiv_rn");

/** a + b in f64, rounded by itself: never part of a multiply-add. */
export const __dadd_rn: (a: number, b: number) => number = word("__dadd_rn");

/** a - b in f64, rounded by itself: never part of a multiply-add. */
export const __dsub_rn: (a: number, b: number) => number = word("__dsub_rn");

/** a * b in f64, rounded by itself: never part of a multiply-add. */
export const __dmul_rn: (a: number, b: number) => number = word("__dmul_rn");

/** a / b in f64, rounded by itself: never part of a multiply-add. */
export const __ddiv_rn: (a: number, b: number) => number = word("__ddiv_rn");

/** The square root in f64, rounded to the nearest. */
export const __dsqrt_rn: (x: number) => number = word("__dsqrt_rn");

/** 1 / x in f64, rounded to the nearest. */
export const __drcp_rn: (x: number) => number = word("__drcp_rn");

/** a * b + c in f64 with one rounding. */
export const __fma_rn: (a: number, b: number, c: number) => number = word("__fma_rn");
