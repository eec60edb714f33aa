/** CUDA's functions of scalars by name: the intrinsic that a call becomes, and the types that it takes and gives. */
import type { IntrinsicName } from "../../../ir/ir.js";
import type { Scalar } from "../../../ir/types.js";
import { COMMON_FUNCTIONS, type ScalarFunction, taking } from "../../text/cuda-functions.js";

export const SCALAR_FUNCTIONS: ReadonlyMap<string, ScalarFunction> = new Map([
  ...COMMON_FUNCTIONS,
  ...taking("f32", ["f32"], { __fsqrt_rn: "sqrt", __frsqrt_rn: "rsqrt" }),
  ...taking("f32", ["f32", "f32"], {
    __fadd_rn: "addRn",
    __fsub_rn: "subRn",
    __fmul_rn: "mulRn",
    __fdiv_rn: "divRn",
  }),
  ...taking("f32", ["f32", "f32", "f32"], { __fmaf_rn: "fma" }),
  ...taking("f64", ["f64"], { __dsqrt_rn: "sqrt" }),
  ...taking("f64", ["f64", "f64"], {
    __dadd_rn: "addRn",
    __dsub_rn: "subRn",
    __dmul_rn: "mulRn",
    __ddiv_rn: "divRn",
  }),
  ...taking("f64", ["f64", "f64", "f64"], { __fma_rn: "fma" }),
  ...taking("u64", ["u64"], { __brevll: "brev" }),
  ...taking("i64", ["i64", "i64"], { __mul64hi: "mulhi" }),
  ...taking("u64", ["u64", "u64"], { __umul64hi: "mulhi" }),
  ...taking("u32", ["u32", "u32", "u32"], { __funnelshift_lc: "funnelShiftLc", __funnelshift_rc: "funnelShiftRc" }),
  ...taking("u32", ["f32"], { __float_as_uint: "floatAsInt" }),
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
