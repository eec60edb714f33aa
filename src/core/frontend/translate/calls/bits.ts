/**
 * Operations on the bits of numbers, under the names of the language (`popc`) and CUDA's own (`__popc`): CUDA Math API,
 * Integer Intrinsics and Type Casting Intrinsics.
 */
import type { IntrinsicName } from "../../../ir/ir.js";
import type { Scalar } from "../../../ir/types.js";
import { aType } from "../../text/type-name.js";
import type { CallHandler } from "../translator.js";
import { commonType, convertTo, type ScalarExpr } from "../values/convert.js";
import { plain } from "../values/value.js";
import { integerArgument, intrinsic, requireCount, scalarAs } from "./arguments.js";

const WIDE_FORM: Readonly<Record<string, string>> = {
  popc: "popcll",
  ffs: "ffsll",
  clz: "clzll",
  brev: "brevll",
  umulhi: "umul64hi",
};

function form(name: string, count: number): string {
  return `${name}(${["x", "y", "z"].slice(0, count).join(", ")})`;
}

/** `params` and `result` are CUDA's; 64-bit values are refused where the parameter has 32. */
export function bits(name: IntrinsicName, params: readonly Scalar[], result: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, params.length, params.length, form(call.name, params.length));
    const args = params.map((type, index) => {
      const value = integerArgument(t, call, index);
      const narrows = (value.type === "i64" || value.type === "u64") && type !== "i64" && type !== "u64";
      if (!narrows) return convertTo(value, type);
      const wide = WIDE_FORM[call.name.replace("__", "")];
      return t.report.fail(
        value.span,
        `${call.name} works on 32 bits; this is ${aType(value.type)}.`,
        wide === undefined ? "Split it: u32(x) and u32(x >> 32)." : `Use ${wide}, which takes 64 bits.`,
      );
    });
    return intrinsic(call, name, result, args);
  };
}

const mulhi: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, form(call.name, 2));
  const left = integerArgument(t, call, 0);
  const right = integerArgument(t, call, 1);
  const type = commonType(left.type, right.type);
  return intrinsic(call, "mulhi", type, [convertTo(left, type), convertTo(right, type)]);
};

/** The bits of a float as an integer of the same size, and back. */
function bitCast(name: "floatAsInt" | "intAsFloat", from: Scalar, to: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, form(call.name, 1));
    const value = scalarAs(t, call, 0, from);
    const wide = from === "f64" || to === "f64";
    const integer = wide ? "i64" : "i32";
    const direct = name === "floatAsInt" ? integer : to;
    const operand = name === "intAsFloat" ? convertTo(value, integer) : value;
    const cast: ScalarExpr = { kind: "intrinsic", name, type: direct, args: [operand], span: call.span };
    return plain(convertTo(cast, to));
  };
}

/** Under both names: `popc` and CUDA's `__popc`. */
const named: readonly (readonly [string, CallHandler])[] = [
  ["popc", bits("popc", ["u32"], "i32")],
  ["popcll", bits("popc", ["u64"], "i32")],
  ["ffs", bits("ffs", ["i32"], "i32")],
  ["ffsll", bits("ffs", ["i64"], "i32")],
  ["clz", bits("clz", ["i32"], "i32")],
  ["clzll", bits("clz", ["i64"], "i32")],
  ["brev", bits("brev", ["u32"], "u32")],
  ["brevll", bits("brev", ["u64"], "u64")],
  ["byte_perm", bits("bytePerm", ["u32", "u32", "u32"], "u32")],
  ["umulhi", bits("mulhi", ["u32", "u32"], "u32")],
  ["mul64hi", bits("mulhi", ["i64", "i64"], "i64")],
  ["umul64hi", bits("mulhi", ["u64", "u64"], "u64")],
  ["mul24", bits("mul24", ["i32", "i32"], "i32")],
  ["umul24", bits("mul24", ["u32", "u32"], "u32")],
  ["funnelshift_l", bits("funnelShiftL", ["u32", "u32", "u32"], "u32")],
  ["funnelshift_r", bits("funnelShiftR", ["u32", "u32", "u32"], "u32")],
  ["funnelshift_lc", bits("funnelShiftLc", ["u32", "u32", "u32"], "u32")],
  ["funnelshift_rc", bits("funnelShiftRc", ["u32", "u32", "u32"], "u32")],
  ["float_as_int", bitCast("floatAsInt", "f32", "i32")],
  ["float_as_uint", bitCast("floatAsInt", "f32", "u32")],
  ["int_as_float", bitCast("intAsFloat", "i32", "f32")],
  ["uint_as_float", bitCast("intAsFloat", "u32", "f32")],
  ["double_as_longlong", bitCast("floatAsInt", "f64", "i64")],
  ["longlong_as_double", bitCast("intAsFloat", "i64", "f64")],
];

export const bitFunctions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ...named,
  ...named.map(([name, handler]): [string, CallHandler] => [`__${name}`, handler]),
  ["mulhi", mulhi],
  ["__mulhi", bits("mulhi", ["i32", "i32"], "i32")],
]);
