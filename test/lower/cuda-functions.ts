/** CUDA's functions of scalars, by the types they take: what the reader of CUDA C++ makes of a call. */
import type { IntrinsicName } from "../../src/ir/ir.js";
import type { Scalar } from "../../src/ir/types.js";

export interface ScalarFunction {
  readonly name: IntrinsicName;
  readonly params: readonly Scalar[];
  readonly result: Scalar;
}

function taking(result: Scalar, params: readonly Scalar[], names: Readonly<Record<string, IntrinsicName>>) {
  return Object.entries(names).map(([cuda, name]): readonly [string, ScalarFunction] => [
    cuda,
    { name, params, result },
  ]);
}

export const SCALAR_FUNCTIONS: ReadonlyMap<string, ScalarFunction> = new Map([
  ...taking("f32", ["f32"], {
    sqrtf: "sqrt",
    rsqrtf: "rsqrt",
    cbrtf: "cbrt",
    expf: "exp",
    exp2f: "exp2",
    expm1f: "expm1",
    logf: "log",
    log2f: "log2",
    log10f: "log10",
    log1pf: "log1p",
    sinf: "sin",
    cosf: "cos",
    atanf: "atan",
    tanhf: "tanh",
    sinhf: "sinh",
    coshf: "cosh",
    asinf: "asin",
    acosf: "acos",
    exp10f: "exp10",
    floorf: "floor",
    ceilf: "ceil",
    truncf: "trunc",
    rintf: "rint",
    roundf: "round",
    __expf: "fastExp",
    __sinf: "fastSin",
    __cosf: "fastCos",
    __logf: "fastLog",
    __log2f: "fastLog2",
    __saturatef: "saturate",
  }),
  ...taking("f32", ["f32", "f32"], {
    powf: "pow",
    atan2f: "atan2",
    hypotf: "hypot",
    fmodf: "fmod",
    fdimf: "fdim",
    copysignf: "copysign",
    __fdividef: "fastDivide",
    __powf: "fastPow",
  }),
  ...taking("f32", ["f32", "f32", "f32"], { fmaf: "fma" }),
  ...taking("f64", ["f64"], {
    sqrt: "sqrt",
    fabs: "abs",
    floor: "floor",
    ceil: "ceil",
    exp: "exp",
    log: "log",
    rsqrt: "rsqrt",
  }),
  ...taking("f64", ["f64", "f64"], { fmin: "min", fmax: "max" }),
  ...taking("f64", ["f64", "f64", "f64"], { fma: "fma" }),
  ...taking("i32", ["u32"], { __popc: "popc" }),
  ...taking("i32", ["u64"], { __popcll: "popc" }),
  ...taking("i32", ["i32"], { __ffs: "ffs", __clz: "clz" }),
  ...taking("i32", ["i64"], { __clzll: "clz", __ffsll: "ffs" }),
  ...taking("u32", ["u32"], { __brev: "brev" }),
  ...taking("i32", ["i32", "i32"], { __mulhi: "mulhi", __mul24: "mul24" }),
  ...taking("u32", ["u32", "u32"], { __umulhi: "mulhi", __umul24: "mul24" }),
  ...taking("u32", ["u32", "u32", "u32"], {
    __byte_perm: "bytePerm",
    __funnelshift_l: "funnelShiftL",
    __funnelshift_r: "funnelShiftR",
  }),
  ...taking("i32", ["f32"], { __float_as_int: "floatAsInt" }),
  ...taking("f32", ["i32"], { __int_as_float: "intAsFloat" }),
]);
