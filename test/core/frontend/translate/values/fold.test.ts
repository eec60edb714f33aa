import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { convertConstant, foldBinary, foldCompare } from "../../../../../src/core/frontend/translate/values/fold.js";
import type { ArithmeticOp, CompareOp } from "../../../../../src/core/ir/ir.js";
import type { Scalar } from "../../../../../src/core/ir/types.js";

/** Values that an H200 computed from corner values and random ones; floats are given by their bits, compiled without fma. */
interface Golden {
  readonly int?: string;
  readonly "float(bits)"?: string;
  readonly a: readonly number[];
  readonly b?: readonly number[];
  readonly out: readonly (number | null)[];
}

const golden: readonly Golden[] = readFileSync(
  new URL("../../../../reference/values/golden.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Golden);

function rowOf(kind: "int" | "float(bits)", name: string): Golden {
  const row = golden.find((candidate) => candidate[kind] === name);
  if (row === undefined) throw new Error(`no golden values of ${name}`);
  return row;
}

const view = new DataView(new ArrayBuffer(4));

function floatOf(bits: number): number {
  view.setInt32(0, bits);
  return view.getFloat32(0);
}

/** Bits of a float32; every NaN is the same. */
function bitsOf(value: number): number {
  if (Number.isNaN(value)) return 0x7fc00000;
  view.setFloat32(0, value);
  return view.getInt32(0);
}

function asUnsigned(value: number): number {
  return value >>> 0;
}

describe("folding computes what an H200 computes", () => {
  const integers: readonly (readonly [string, ArithmeticOp, "i32" | "u32"])[] = [
    ["add", "add", "i32"],
    ["sub", "sub", "i32"],
    ["mul", "mul", "i32"],
    ["div", "div", "i32"],
    ["rem", "rem", "i32"],
    ["udiv", "div", "u32"],
    ["urem", "rem", "u32"],
    ["shl", "shl", "i32"],
    ["shr", "shr", "i32"],
    ["ushr", "shr", "u32"],
  ];
  test.each(integers)("%s of 32-bit integers", (name, op, type) => {
    const { a, b = [], out } = rowOf("int", name);
    let compared = 0;
    a.forEach((left, index) => {
      const expected = out[index];
      const right = op === "shl" || op === "shr" ? b[index] & 31 : b[index];
      const [x, y] = type === "u32" ? [asUnsigned(left), asUnsigned(right)] : [left, right];
      const folded = foldBinary(op, type, x, y);
      // Division by zero is not folded; the smallest int divided by -1 is undefined in C.
      if (folded === null || expected === null || (x === -2147483648 && y === -1)) return;
      compared++;
      expect(Number(folded) | 0, `${x} ${op} ${y}`).toBe(expected | 0);
    });
    expect(compared).toBeGreaterThan(100);
  });

  const floats: readonly (readonly [string, ArithmeticOp])[] = [
    ["fadd", "add"],
    ["fsub", "sub"],
    ["fmul", "mul"],
    ["fdiv", "div"],
  ];
  test.each(floats)("%s of float32", (name, op) => {
    const { a, b = [], out } = rowOf("float(bits)", name);
    a.forEach((left, index) => {
      const [x, y] = [floatOf(left), floatOf(b[index])];
      const expected = floatOf(out[index] ?? 0);
      expect(bitsOf(Number(foldBinary(op, "f32", x, y))), `${x} ${op} ${y}`).toBe(bitsOf(expected));
    });
  });

  const casts: readonly (readonly ["int" | "float(bits)", string, Scalar, Scalar])[] = [
    ["float(bits)", "f2i", "f32", "i32"],
    ["float(bits)", "f2u", "f32", "u32"],
    ["int", "i2f", "i32", "f32"],
    ["int", "u2f", "u32", "f32"],
  ];
  test.each(casts)("a cast of a %s: %s", (kind, name, from, to) => {
    const { a, out } = rowOf(kind, name);
    a.forEach((bits, index) => {
      const value = from === "f32" ? floatOf(bits) : from === "u32" ? asUnsigned(bits) : bits;
      const converted = Number(convertConstant(value, to, from));
      const expected = out[index] ?? 0;
      expect(to === "f32" ? bitsOf(converted) : converted | 0, `${value}`).toBe(expected | 0);
    });
  });

  const comparisons: readonly (readonly [string, CompareOp])[] = [
    ["eq", "eq"],
    ["ne", "ne"],
    ["lt", "lt"],
  ];
  test.each(comparisons)("%s of float32", (name, op) => {
    const { a, b = [], out } = rowOf("float(bits)", name);
    a.forEach((left, index) => {
      expect(foldCompare(op, floatOf(left), floatOf(b[index]))).toBe(out[index] !== 0);
    });
  });
});
