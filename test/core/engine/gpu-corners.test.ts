/**
 * Operations on corner values against what an H200 returns: test/reference/values/corners.jsonl, printed by
 * test/reference/values/corners.cu. Rows are hexadecimal bits: operands, then the result.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { APART, sharedPasses, sharedWavefronts, TOGETHER } from "../../../src/core/engine/semantics/bank-conflicts.js";
import { CANONICAL_NAN_F32 } from "../../../src/core/engine/semantics/float32.js";
import { operandType, resultType } from "../../../src/core/engine/semantics/operand-type.js";
import { formatPrintf } from "../../../src/core/engine/semantics/printf.js";
import { CANONICAL_NAN_F64, type Meaning, scalarFunction } from "../../../src/core/engine/semantics/scalar.js";
import type { Scalar } from "../../../src/core/ir/types.js";
import type { Op, RegisterType } from "../../../src/core/lower/program.js";

interface OperationRow {
  readonly op: string;
  readonly rows: readonly string[];
}
interface SharedRow {
  readonly shared: string;
  readonly bytes: number;
  readonly atomic: boolean;
  readonly lanes: number;
  readonly offsets: readonly number[];
  readonly cycles: number;
}

const lines = readFileSync(new URL("../../reference/values/corners.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as object);

const cell = new DataView(new ArrayBuffer(8));

function numberOf(bits: bigint, type: RegisterType): number | bigint {
  cell.setBigUint64(0, bits);
  switch (type) {
    case "i32":
      return cell.getInt32(4);
    case "u32":
      return cell.getUint32(4);
    case "f32":
      return cell.getFloat32(4);
    case "f64":
      return cell.getFloat64(0);
    case "i64":
      return BigInt.asIntN(64, bits);
    default:
      return bits;
  }
}

function bitsOf(value: number | bigint, type: RegisterType): bigint {
  if (typeof value === "bigint") return BigInt.asUintN(64, value);
  if (Number.isNaN(value)) return type === "f32" ? BigInt(CANONICAL_NAN_F32) : CANONICAL_NAN_F64;
  cell.setBigUint64(0, 0n);
  if (type === "f64") cell.setFloat64(0, value);
  else if (type === "f32") cell.setFloat32(4, value);
  else cell.setInt32(4, value);
  return cell.getBigUint64(0);
}

function meaningOf(name: string): Meaning {
  const [op = "", type = "", sourceType] = name.split(".");
  const base = { op: (op === "fma" ? "mad" : op) as Op, type: type as Scalar };
  return sourceType === undefined ? base : { ...base, sourceType: sourceType as Scalar };
}

/** Errors allowed in ulp of the result, as CUDA documents them; the others are exact. */
const ULP: Readonly<Record<string, number>> = {
  "pow.f64": 2,
  "pow.f32": 4,
  "rsqrt.f32": 2,
  "exp2.f32": 2,
  "log2.f32": 1,
  "fastDivide.f32": 2,
};

describe("operations on corner values give what an H200 gives", () => {
  for (const { op, rows } of lines.filter((line): line is OperationRow => "op" in line)) {
    // The fast forms' errors have no bound in ulp near zeros of the function.
    if (op.startsWith("fast") && op !== "fastDivide.f32") continue;
    const meaning = meaningOf(op);
    const evaluate = scalarFunction(meaning) as (...operands: (number | bigint)[]) => number | bigint;
    const result = resultType(meaning) as RegisterType;
    const allowed = BigInt(ULP[op] ?? 0);
    it(`${op}: ${rows.length} rows`, () => {
      for (const row of rows) {
        const fields = row.split(" ").map((field) => BigInt(`0x${field}`));
        const expected = fields.pop() ?? 0n;
        const operands = fields.map((bits, index) => numberOf(bits, operandType(meaning, index)));
        // CUDA leaves division by zero undefined; the engines refuse it.
        if (/div|rem/.test(op) && result !== "f32" && result !== "f64" && Number(operands[1]) === 0) continue;
        const actual = bitsOf(evaluate(...operands), result);
        const difference = actual > expected ? actual - expected : expected - actual;
        const nans = Number.isNaN(numberOf(expected, result)) && Number.isNaN(numberOf(actual, result));
        // A GPU hands on the payload of a float64 NaN; the model does not.
        const sameNan = nans && (result === "f64" || op === "cvt.f32.f64");
        expect([row, sameNan || difference <= allowed ? "same" : actual.toString(16)]).toEqual([row, "same"]);
      }
    });
  }
});

describe("wavefronts of shared-memory accesses are the cycles an H200 takes", () => {
  for (const row of lines.filter((line): line is SharedRow => "shared" in line)) {
    it(`${row.bytes} bytes${row.atomic ? ", atomic" : ""}, ${row.shared}: ${Math.round(row.cycles)}`, () => {
      const wavefronts = sharedWavefronts(
        Int32Array.from(row.offsets),
        row.lanes | 0,
        row.bytes,
        32,
        row.atomic ? APART : TOGETHER,
      );
      // The measured loop costs a quarter of a cycle more than its accesses, a 512th of its barriers.
      expect(Math.abs(row.cycles - wavefronts)).toBeLessThan(0.3);
    });
  }
  it("never takes fewer than its passes", () => {
    for (const row of lines.filter((line): line is SharedRow => "shared" in line)) {
      expect(sharedPasses(Int32Array.from(row.offsets), row.lanes | 0, row.bytes)).toBeLessThan(row.cycles);
    }
  });
});

describe("printf prints what an H200's printf prints", () => {
  const printed = readFileSync(new URL("../../reference/values/printf.txt", import.meta.url), "utf8");
  const line = (format: string, ...args: readonly (readonly [Scalar, number | bigint])[]): string =>
    formatPrintf(
      format,
      args.map(([, value]) => value),
      args.map(([type]) => type),
    );
  const i = (value: number): [Scalar, number] => ["i32", value];
  const f = (value: number): [Scalar, number] => ["f64", value];
  const pi = f(Number("3.14159265"));
  const cases: readonly string[] = [
    line("[%d] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%5.3d] [%i]\n", ...Array(8).fill(i(42)), i(-7)),
    line("[%u] [%x] [%X] [%#x] [%o] [%#o] [%08x]\n", i(-1), ...Array(3).fill(i(48879)), i(8), i(8), i(255)),
    line(
      "[%f] [%.2f] [%10.3f] [%-10.3f] [%+f] [%e] [%.3E] [%g] [%G] [%g] [%g] [%#g]\n",
      ...[pi, pi, pi, pi, f(1.5), f(12345.678), f(12345.678), f(0.0001), f(1e-10), f(1e20), f(100000), f(2)],
    ),
    line("[%f] [%f] [%e] [%g] [%5.1f] [%f]\n", ...[1 / 0, -1 / 0, 0 / 0, -1 / 0, 1 / 0, -0].map(f)),
    line(
      "[%lld] [%llu] [%llx] [%ld] [%lu] [%hd] [%hhd]",
      ...([
        ["i64", -(1n << 63n)],
        ["u64", (1n << 64n) - 1n],
        ["u64", 81985529216486895n],
        ["i64", -5n],
        ["u64", 5n],
      ] as [Scalar, bigint][]),
      ...[70000, 300].map(i),
    ),
    line("[%*d] [%-*d] [%.*f]\n", i(6), i(42), i(6), i(42), i(2), f(Number("3.14159"))),
    line("[%a] [%a]\n", f(1), f(Number("3.14159"))),
    line("[%p]\n", ["u64", 0x1234n]),
    line("[%d] [%f]\n", ["i64", 5n], ["f32", 2.5]),
    line(
      "[%.0f] [%.0f] [%.0f] [%.1f] [%.20f] [%.3g] [%.10g] [%g]\n",
      ...[0.5, 1.5, 2.5, 0.25, 0.1, 1234.5, 0.1, 123456789].map(f),
    ),
    line("[%d] [%u]\n", i(-1), i(-1)),
    line("[%q] [%y]\n"),
  ];
  for (const text of cases) {
    it(`prints ${text.trim()}`, () => expect(printed).toContain(text));
  }
});
