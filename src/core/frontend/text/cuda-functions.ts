/** CUDA's functions by name that both readers of C++ know: what a call becomes, and the types that it takes and gives. */
import type { AtomicOp, IntrinsicName } from "../../ir/ir.js";
import type { Scalar } from "../../ir/types.js";

export interface ScalarFunction {
  readonly name: IntrinsicName;
  readonly params: readonly Scalar[];
  readonly result: Scalar;
}

export type ScalarEntry = readonly [cuda: string, ScalarFunction];

export function taking(
  result: Scalar,
  params: readonly Scalar[],
  names: Readonly<Record<string, IntrinsicName>>,
): readonly ScalarEntry[] {
  return Object.entries(names).map(([cuda, name]): ScalarEntry => [cuda, { name, params, result }]);
}

const OF_ONE = [
  "exp exp2 exp10 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt",
  "sinpi cospi sqrt rsqrt floor ceil trunc rint round",
].join(" ");
const OF_TWO = "pow atan2 hypot fmod copysign fdim";

/** Functions whose name in the IR is the double's in CUDA; `suffix` "f" of floats. */
function named(names: string, suffix: "f" | ""): Readonly<Record<string, IntrinsicName>> {
  return Object.fromEntries(names.split(" ").map((name) => [name + suffix, name as IntrinsicName]));
}

export const COMMON_FUNCTIONS: readonly ScalarEntry[] = [
  ...taking("f32", ["f32"], {
    ...named(OF_ONE, "f"),
    __expf: "fastExp",
    __exp10f: "fastExp10",
    __sinf: "fastSin",
    __cosf: "fastCos",
    __tanf: "fastTan",
    __logf: "fastLog",
    __log2f: "fastLog2",
    __log10f: "fastLog10",
    __saturatef: "saturate",
  }),
  ...taking("f32", ["f32", "f32"], { ...named(OF_TWO, "f"), __fdividef: "fastDivide", __powf: "fastPow" }),
  ...taking("f32", ["f32", "f32", "f32"], { fmaf: "fma" }),
  ...taking("f64", ["f64"], named(OF_ONE, "")),
  ...taking("f64", ["f64", "f64"], named(OF_TWO, "")),
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
];

export const ATOMICS: Readonly<Record<string, AtomicOp>> = {
  atomicAdd: "add",
  atomicSub: "sub",
  atomicMin: "min",
  atomicMax: "max",
  atomicAnd: "and",
  atomicOr: "or",
  atomicXor: "xor",
  atomicExch: "exch",
  atomicCAS: "cas",
  atomicInc: "inc",
  atomicDec: "dec",
};
