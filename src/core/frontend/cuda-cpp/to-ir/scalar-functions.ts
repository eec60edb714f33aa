/** CUDA's functions of scalars by name: the intrinsic that a call becomes, and the types that it takes and gives. */
import type { IntrinsicName } from "../../../ir/ir.js";
import type { Scalar } from "../../../ir/types.js";

export interface ScalarFunction {
  readonly name: IntrinsicName;
  readonly params: readonly Scalar[];
  readonly result: Scalar;
}

type Entry = readonly [string, ScalarFunction];

function taking(
  result: Scalar,
  params: readonly Scalar[],
  names: Readonly<Record<string, IntrinsicName>>,
): readonly Entry[] {
  return Object.entries(names).map(([cuda, name]): Entry => [cuda, { name, params, result }]);
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

export const SCALAR_FUNCTIONS: ReadonlyMap<string, ScalarFunction> = new Map([
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
    __fsqrt_rn: "sqrt",
    __frsqrt_rn: "rsqrt",
  }),
  ...taking("f32", ["f32", "f32"], {
    ...named(OF_TWO, "f"),
    __fdividef: "fastDivide",
    __powf: "fastPow",
    __fadd_rn: "addRn",
    __fsub_rn: "subRn",
    __fmul_rn: "mulRn",
    __fdiv_rn: "divRn",
  }),
  ...taking("f32", ["f32", "f32", "f32"], { fmaf: "fma", __fmaf_rn: "fma" }),
  ...taking("f64", ["f64"], { ...named(OF_ONE, ""), __dsqrt_rn: "sqrt" }),
  ...taking("f64", ["f64", "f64"], {
    ...named(OF_TWO, ""),
    __dadd_rn: "addRn",
    __dsub_rn: "subRn",
    __dmul_rn: "mulRn",
    __ddiv_rn: "divRn",
  }),
  ...taking("f64", ["f64", "f64", "f64"], { fma: "fma", __fma_rn: "fma" }),
  ...taking("i32", ["u32"], { __popc: "popc" }),
  ...taking("i32", ["u64"], { __popcll: "popc" }),
  ...taking("i32", ["i32"], { __ffs: "ffs", __clz: "clz" }),
  ...taking("i32", ["i64"], { __clzll: "clz", __ffsll: "ffs" }),
  ...taking("u32", ["u32"], { __brev: "brev" }),
  ...taking("u64", ["u64"], { __brevll: "brev" }),
  ...taking("i32", ["i32", "i32"], { __mulhi: "mulhi", __mul24: "mul24" }),
  ...taking("u32", ["u32", "u32"], { __umulhi: "mulhi", __umul24: "mul24" }),
  ...taking("i64", ["i64", "i64"], { __mul64hi: "mulhi" }),
  ...taking("u64", ["u64", "u64"], { __umul64hi: "mulhi" }),
  ...taking("u32", ["u32", "u32", "u32"], {
    __byte_perm: "bytePerm",
    __funnelshift_l: "funnelShiftL",
    __funnelshift_r: "funnelShiftR",
    __funnelshift_lc: "funnelShiftLc",
    __funnelshift_rc: "funnelShiftRc",
  }),
  ...taking("i32", ["f32"], { __float_as_int: "floatAsInt" }),
  ...taking("u32", ["f32"], { __float_as_uint: "floatAsInt" }),
  ...taking("f32", ["i32"], { __int_as_float: "intAsFloat" }),
  ...taking("f32", ["u32"], { __uint_as_float: "intAsFloat" }),
  ...taking("i64", ["f64"], { __double_as_longlong: "floatAsInt" }),
  ...taking("f64", ["i64"], { __longlong_as_double: "intAsFloat" }),
]);

const TYPES: Readonly<Record<string, Scalar>> = {
  int: "i32",
  uint: "u32",
  ll: "i64",
  ull: "u64",
  float: "f32",
  double: "f64",
};

const ROUNDINGS: Readonly<Record<string, IntrinsicName | null>> = { rz: null, rn: "rint", rd: "floor", ru: "ceil" };

/** A conversion such as __float2int_rn: how it rounds before it converts, and the types. Null for other names. */
export function conversionNamed(
  name: string,
): { readonly from: Scalar; readonly to: Scalar; readonly rounding: IntrinsicName | null } | null {
  const found = /^__(int|uint|ll|ull|float|double)2(int|uint|ll|ull|float|double)_(r[nzdu])$/.exec(name);
  if (found === null) return null;
  const [from, to] = [TYPES[found[1] ?? ""], TYPES[found[2] ?? ""]];
  const rounding = ROUNDINGS[found[3] ?? ""];
  if (from === undefined || to === undefined || rounding === undefined) return null;
  const intoFloat = to === "f32" || to === "f64";
  // A float's own conversion rounds to the nearest.
  if (intoFloat) return rounding === "rint" ? { from, to, rounding: null } : null;
  return { from, to, rounding };
}
