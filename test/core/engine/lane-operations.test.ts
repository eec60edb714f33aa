/**
 * Every operation of a lane, as the reference engine runs it on a warp, against its one meaning in semantics/scalar.ts.
 * It covers all types, comparisons and conversions, random operands, corners and masks. golden-values.test.ts and
 * gpu-corners.test.ts compare the meaning itself with a GPU.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operandType, resultType } from "../../../src/core/engine/semantics/operand-type.js";
import { type Meaning, scalarFunction } from "../../../src/core/engine/semantics/scalar.js";
import type { Scalar } from "../../../src/core/ir/types.js";
import { type DataArray, execute } from "./launch.js";

type Value = number | bigint;

const INTEGERS: readonly Scalar[] = ["i32", "u32", "i64", "u64"];
const FLOATS: readonly Scalar[] = ["f32", "f64"];
const NUMERIC: readonly Scalar[] = [...INTEGERS, ...FLOATS];

function typed(ops: string, types: readonly Scalar[]): Meaning[] {
  return ops.split(" ").flatMap((op) => types.map((type) => ({ op: op as Meaning["op"], type })));
}

const MEANINGS: readonly Meaning[] = [
  ...typed("add sub mul mad neg abs min max div rem", NUMERIC),
  ...typed("and or xor not shl shr lea add3 mulhi popc ffs clz brev", INTEGERS),
  ...typed("lop3 bytePerm", ["u32"]),
  ...typed(
    "sqrt rsqrt rcp exp exp2 log log2 sin cos tanh exp10 expm1 log10 log1p tan asin acos atan sinh cosh asinh acosh atanh cbrt sinpi cospi round pow atan2 hypot copysign fdim floor ceil trunc rint saturate isnan isinf",
    FLOATS,
  ),
  ...typed("fastExp fastSin fastCos fastLog fastTan fastExp10 fastLog2 fastLog10 fastPow fastDivide", ["f32"]),
  ...NUMERIC.flatMap((type) => NUMERIC.map((sourceType): Meaning => ({ op: "cvt", type, sourceType }))),
  ...NUMERIC.flatMap((sourceType) =>
    (["eq", "ne", "lt", "le", "gt", "ge"] as const).map(
      (compare): Meaning => ({ op: "setp", type: "bool", sourceType, compare }),
    ),
  ),
];

const OPERANDS: Readonly<Record<string, number>> = {
  mad: 3,
  add3: 3,
  lea: 3,
  lop3: 4,
  bytePerm: 3,
};
const UNARY =
  "exp10 expm1 log10 log1p tan asin acos atan sinh cosh asinh acosh atanh cbrt sinpi cospi round fastTan fastExp10 fastLog2 fastLog10 " +
  "neg abs not popc ffs clz brev sqrt rsqrt rcp exp exp2 log log2 sin cos tanh floor ceil trunc rint saturate isnan isinf fastExp fastSin fastCos fastLog cvt";

function operandCount(op: string): number {
  return OPERANDS[op] ?? (UNARY.split(" ").includes(op) ? 1 : 2);
}

const i32 = fc.oneof(fc.integer(), fc.constantFrom(0, 1, -1, 31, 32, 33, -2147483648, 2147483647));
const i64 = fc.oneof(
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  fc.constantFrom(0n, 1n, -1n, -(1n << 63n), (1n << 63n) - 1n),
);
const ARBITRARY: Readonly<Record<string, fc.Arbitrary<Value>>> = {
  i32,
  u32: i32.map((value) => value >>> 0),
  i64,
  u64: i64.map((value) => BigInt.asUintN(64, value)),
  f32: fc.oneof(fc.float(), fc.float({ min: -100, max: 100, noNaN: true })),
  f64: fc.oneof(fc.double(), fc.double({ min: -100, max: 100, noNaN: true })),
};

function arrayOf(type: string, values: readonly Value[]): DataArray {
  switch (type) {
    case "i64":
      return BigInt64Array.from(values as bigint[]);
    case "u64":
      return BigUint64Array.from(values as bigint[]);
    case "f32":
      return Float32Array.from(values as number[]);
    case "f64":
      return Float64Array.from(values as number[]);
    case "u32":
      return Uint32Array.from(values as number[]);
    default:
      return Int32Array.from(values as number[]);
  }
}

function mnemonic(meaning: Meaning): string {
  const { op, type, sourceType, compare } = meaning;
  if (op === "setp") return `setp.${compare}.${sourceType}`;
  return sourceType === undefined ? `${op}.${type}` : `${op}.${type}.${sourceType}`;
}

/** A kernel that applies the operation in the lanes of `mask`, the others keeping 0; a bool result is stored as 0 or 1. */
function kernelFor(meaning: Meaning, count: number): string {
  const result = resultType(meaning) ?? "i32";
  const stored = result === "bool" ? "i32" : result;
  const types = Array.from({ length: count }, (_, index) => operandType(meaning, index));
  return `
param mask u32
param out ptr ${stored}
${types.map((type, k) => `param in${k} ptr ${type}`).join("\n")}
reg r ${result}
${types.map((type, k) => `a${k} = addr in${k}[laneId]\n x${k} = ld.${type} in${k}[a${k}]`).join("\n")}
  bit = shl.u32 1, laneId
  bit = and.u32 bit, mask
  acts = setp.ne.u32 bit, 0
  if acts {
    r = ${mnemonic(meaning)} ${types.map((_, k) => `x${k}`).join(", ")}
  }
  ${result === "bool" ? "v = cvt.i32.bool r" : `v = mov.${stored} r`}
  o = addr out[laneId]
  st.${stored} out[o], v`;
}

/** Sums of bigints are wrapped by the engine's arrays. */
describe("operations of a warp are the operation of each lane", () => {
  for (const meaning of MEANINGS) {
    const count = operandCount(meaning.op);
    const types = Array.from({ length: count }, (_, index) => operandType(meaning, index));
    const stored = resultType(meaning) === "bool" ? "i32" : (resultType(meaning) ?? "i32");
    const kernel = kernelFor(meaning, count);
    const evaluate = scalarFunction(meaning) as (...operands: Value[]) => Value;
    it(mnemonic(meaning), () => {
      const lanes = types.map((type) => fc.array(ARBITRARY[type] ?? i32, { minLength: 32, maxLength: 32 }));
      const mask = fc.oneof(fc.integer(), fc.constant(-1));
      fc.assert(
        fc.property(fc.tuple(...lanes), mask, (drawn, acting) => {
          const divides = (meaning.op === "div" || meaning.op === "rem") && !FLOATS.includes(meaning.type as Scalar);
          const operands = drawn.map((values, k) =>
            divides && k === 1
              ? values.map((value) => (Number(value) === 0 ? (typeof value === "bigint" ? 1n : 1) : value))
              : values,
          );
          const inputs = operands.map((values, k) => arrayOf(types[k] ?? "i32", values));
          const out = arrayOf(stored, Array(32).fill(stored === "i64" || stored === "u64" ? 0n : 0));
          const named = Object.fromEntries(inputs.map((array, k) => [`in${k}`, array]));
          const { read } = execute(kernel, { block: 32, args: { mask: acting >>> 0, out, ...named } });
          const expected = Array.from({ length: 32 }, (_, lane): Value => {
            if (((acting >>> lane) & 1) === 0) return out[lane] ?? 0;
            return evaluate(...inputs.map((array) => array[lane] ?? 0));
          });
          expect(read("out")).toEqual(arrayOf(stored, expected));
        }),
        { numRuns: 12 },
      );
    });
  }
});
