/** Operations against what an H200 returns (test/reference/values/golden.jsonl, measured for this project). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CANONICAL_NAN_F32 } from "../../../src/core/engine/semantics/float32.js";
import { type Meaning, type NumberFunction, scalarFunction } from "../../../src/core/engine/semantics/scalar.js";

interface IntegerRow {
  readonly int: string;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly out: readonly number[];
}
interface FloatRow {
  readonly "float(bits)": string;
  readonly a: readonly number[];
  readonly b: readonly number[];
  readonly out: readonly number[];
}

const rows = readFileSync(new URL("../../reference/values/golden.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as object);

const cell = new DataView(new ArrayBuffer(4));
function floatOf(bits: number): number {
  cell.setInt32(0, bits);
  return cell.getFloat32(0);
}
/** Bits that an engine stores for a float32 result. */
function bitsOf(value: number): number {
  if (Number.isNaN(value)) return CANONICAL_NAN_F32;
  cell.setFloat32(0, value);
  return cell.getInt32(0);
}
function call(meaning: Meaning, ...operands: number[]): number {
  const [a = 0, b = 0, c = 0, d = 0] = operands;
  return (scalarFunction(meaning) as NumberFunction)(a, b, c, d);
}

const INTEGER: Readonly<Record<string, Meaning>> = {
  add: { op: "add", type: "i32" },
  sub: { op: "sub", type: "i32" },
  mul: { op: "mul", type: "i32" },
  div: { op: "div", type: "i32" },
  rem: { op: "rem", type: "i32" },
  udiv: { op: "div", type: "u32" },
  urem: { op: "rem", type: "u32" },
  shl: { op: "shl", type: "i32" },
  shr: { op: "shr", type: "i32" },
  ushr: { op: "shr", type: "u32" },
  min: { op: "min", type: "i32" },
  umax: { op: "max", type: "u32" },
  abs: { op: "abs", type: "i32" },
  popc: { op: "popc", type: "u32" },
  clz: { op: "clz", type: "i32" },
  ffs: { op: "ffs", type: "i32" },
  brev: { op: "brev", type: "u32" },
  mulhi: { op: "mulhi", type: "i32" },
  umulhi: { op: "mulhi", type: "u32" },
  i2f: { op: "cvt", type: "f32", sourceType: "i32" },
  u2f: { op: "cvt", type: "f32", sourceType: "u32" },
  byte_perm: { op: "bytePerm", type: "u32" },
};

describe("integer operations give what an H200 gives", () => {
  const integer = rows.filter((row): row is IntegerRow => "int" in row);
  it("has all 22 of the file", () => {
    expect(integer.map((row) => row.int).sort()).toEqual(Object.keys(INTEGER).sort());
  });
  for (const row of integer) {
    it(`${row.int} on ${row.a.length} operand pairs`, () => {
      const meaning = INTEGER[row.int] as Meaning;
      const unsigned = meaning.type === "u32" || meaning.sourceType === "u32";
      for (const [index, expected] of row.out.entries()) {
        const a = row.a[index] ?? 0;
        const b = row.b[index] ?? 0;
        // The file's kernel returned 0 instead of dividing by zero.
        if (/div|rem/.test(row.int) && b === 0) continue;
        // ... and took shift counts modulo 32.
        const count = b & 31;
        const operands = /sh[lr]/.test(row.int)
          ? [unsigned ? a >>> 0 : a, count]
          : unsigned
            ? [a >>> 0, b >>> 0]
            : [a, b];
        // 0x5410 is the selector of the file's kernel: the low halves of both.
        const result = row.int === "byte_perm" ? call(meaning, a, b, 0x5410) : call(meaning, ...operands);
        expect([a, b, meaning.op === "cvt" ? bitsOf(result) : result | 0]).toEqual([a, b, expected]);
      }
    });
  }
});

/** Largest errors that CUDA's guide documents, in ulp; the others are exact to the bit. */
const ULP: Readonly<Record<string, number>> = { exp: 1, log: 1, sin: 2, cos: 2, tanh: 2, pow: 4, frsqrt: 2 };

const FLOAT: Readonly<Record<string, Meaning>> = {
  fadd: { op: "add", type: "f32" },
  fsub: { op: "sub", type: "f32" },
  fmul: { op: "mul", type: "f32" },
  fdiv: { op: "div", type: "f32" },
  ffma: { op: "mad", type: "f32" },
  fsqrt: { op: "sqrt", type: "f32" },
  frsqrt: { op: "rsqrt", type: "f32" },
  fmin: { op: "min", type: "f32" },
  fmax: { op: "max", type: "f32" },
  fmod: { op: "rem", type: "f32" },
  floor: { op: "floor", type: "f32" },
  ceil: { op: "ceil", type: "f32" },
  trunc: { op: "trunc", type: "f32" },
  rint: { op: "rint", type: "f32" },
  round: { op: "round", type: "f32" },
  f2i: { op: "cvt", type: "i32", sourceType: "f32" },
  f2u: { op: "cvt", type: "u32", sourceType: "f32" },
  exp: { op: "exp", type: "f32" },
  log: { op: "log", type: "f32" },
  sin: { op: "sin", type: "f32" },
  cos: { op: "cos", type: "f32" },
  tanh: { op: "tanh", type: "f32" },
  pow: { op: "pow", type: "f32" },
  fabs: { op: "abs", type: "f32" },
  lt: { op: "setp", type: "bool", sourceType: "f32", compare: "lt" },
  eq: { op: "setp", type: "bool", sourceType: "f32", compare: "eq" },
  ne: { op: "setp", type: "bool", sourceType: "f32", compare: "ne" },
};

/** Distance in float32 steps; both finite and of one sign, else 0 or Infinity. */
function ulps(a: number, b: number): number {
  return a === b ? 0 : a < 0 === b < 0 ? Math.abs(a - b) : Number.POSITIVE_INFINITY;
}

describe("float32 operations give what an H200 gives", () => {
  const float = rows.filter((row): row is FloatRow => "float(bits)" in row);
  it("are all 27 of the file", () => {
    expect(float.map((row) => row["float(bits)"]).sort()).toEqual(Object.keys(FLOAT).sort());
  });
  for (const row of float) {
    const name = row["float(bits)"];
    const meaning = FLOAT[name];
    if (meaning === undefined) continue;
    const allowed = ULP[name] ?? 0;
    it(`${name} on ${row.a.length} operand pairs, ${allowed === 0 ? "to the bit" : `within ${allowed} ulp`}`, () => {
      for (const [index, expected] of row.out.entries()) {
        const a = floatOf(row.a[index] ?? 0);
        const b = floatOf(row.b[index] ?? 0);
        // The third operand of the file's fma is its first one.
        const result = call(meaning, a, b, a);
        const integral = meaning.type !== "f32";
        const bits = integral ? result | 0 : bitsOf(result);
        if (allowed === 0) expect([a, b, bits]).toEqual([a, b, expected]);
        else expect([a, b, ulps(bits, expected) <= allowed]).toEqual([a, b, true]);
      }
    });
  }
});
