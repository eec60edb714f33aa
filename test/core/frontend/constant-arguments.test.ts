/**
 * Every function of numbers, of the whole table, for every type that it takes: with constants it gives what it gives with
 * the same values at run time, which golden-values.test.ts compares with a GPU.
 */
import { expect, test } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { compileKernel, f32, f64, i32, i64, ptr, u32, u64 } from "../../../src/core/frontend/index.js";
import { bitFunctions } from "../../../src/core/frontend/translate/calls/bits.js";
import { mathFunctions } from "../../../src/core/frontend/translate/calls/math.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { lower } from "../../../src/core/lower/lower.js";
import { type DataArray, execute } from "../engine/launch.js";

const TYPES = { f32, f64, i32, u32, i64, u64 } as const;
type Name = keyof typeof TYPES;
const ARRAYS = {
  f32: Float32Array,
  f64: Float64Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
} as const;

/** Tuples of arguments, as the kernel's text writes them; each function takes as many as it needs. */
const SAMPLES: Readonly<Record<Name, readonly (readonly [string, string, string])[]>> = {
  f32: [
    ["f32(2.5)", "f32(-1.5)", "f32(0.5)"],
    ["f32(-0.75)", "f32(3.0)", "f32(2.0)"],
    ["f32(0.0)", "f32(1.0)", "f32(-1e30)"],
    ["f32(-3000000000.5)", "f32(7.25)", "f32(1e-40)"],
    ["f32(1e20)", "f32(1e20)", "f32(0.1)"],
  ],
  f64: [
    ["f64(2.5)", "f64(-1.5)", "f64(0.5)"],
    ["f64(-0.75)", "f64(3.0)", "f64(2.0)"],
    ["f64(0.0)", "f64(1.0)", "f64(-1e300)"],
    ["f64(-3000000000.5)", "f64(7.25)", "f64(1e-310)"],
    ["f64(1e20)", "f64(1e200)", "f64(0.1)"],
  ],
  i32: [
    ["7", "-3", "4"],
    ["-2147483648", "33", "31"],
    ["2147483647", "2", "65"],
    ["-1", "1", "-1"],
  ],
  u32: [
    ["u32(7)", "u32(3)", "u32(4)"],
    ["u32(4294967295)", "u32(33)", "u32(31)"],
    ["u32(2147483648)", "u32(2)", "u32(65)"],
    ["u32(1065353217)", "u32(1)", "u32(12816)"],
  ],
  i64: [
    ["i64(7n)", "i64(-3n)", "i64(4n)"],
    ["i64(-9223372036854775807n)", "i64(33n)", "i64(31n)"],
    ["i64(4612811918334230528n)", "i64(2n)", "i64(65n)"],
    ["i64(-1n)", "i64(4294967296n)", "i64(1n)"],
  ],
  u64: [
    ["u64(7n)", "u64(3n)", "u64(4n)"],
    ["u64(18446744073709551615n)", "u64(33n)", "u64(31n)"],
    ["u64(9223372036854775808n)", "u64(2n)", "u64(65n)"],
    ["u64(4294967296n)", "u64(4294967295n)", "u64(1n)"],
  ],
};

function numberOf(text: string, type: Name): number | bigint {
  const inner = /\((.*)\)/.exec(text)?.[1] ?? text;
  return type === "i64" || type === "u64" ? BigInt(inner.replace("n", "")) : Number(inner);
}

function compile(name: string, body: string, type: Name, result: Name): KernelIr | null {
  const at = ptr(TYPES[type]);
  try {
    return compileKernel({
      name: "constants",
      text: `({ o, x, y, z }, { ${[...new Set([name, ...Object.keys(TYPES)])].join(", ")} }) => { ${body} }`,
      params: { o: ptr(TYPES[result]), x: at, y: at, z: at },
      constants: {},
      functions: {},
    });
  } catch {
    return null;
  }
}

interface Form {
  readonly type: Name;
  readonly result: Name;
  readonly constant: KernelIr;
  readonly variable: KernelIr;
}

/** The forms in which the language takes the function: how many arguments, of which type, with which result. */
function formsOf(name: string): readonly Form[] {
  return (Object.keys(TYPES) as Name[]).flatMap((type) => {
    const at = (i: number, count: number): string[] => [`x[${i}]`, `y[${i}]`, `z[${i}]`].slice(0, count);
    const count = [1, 2, 3].find(
      (k) => compile(name, `const r = ${name}(${at(0, k).join(", ")});`, type, type) !== null,
    );
    if (count === undefined) return [];
    for (const result of new Set<Name>([type, "i32", "u32", "i64", "u64", "f32", "f64"])) {
      for (const after of ["", " ? 1 : 0"]) {
        const all = (args: (i: number) => readonly string[]): string =>
          SAMPLES[type].map((_, i) => `o[${i}] = ${name}(${args(i).join(", ")})${after};`).join(" ");
        const variable = compile(
          name,
          all((i) => at(i, count)),
          type,
          result,
        );
        if (variable === null) continue;
        const constant = compile(
          name,
          all((i) => SAMPLES[type][i]!.slice(0, count)),
          type,
          result,
        );
        if (constant !== null) return [{ type, result, constant, variable }];
      }
    }
    return [];
  });
}

const bitsOf = (data: DataArray): string => [...new Uint32Array(data.buffer)].join();

test("a function of constants gives what it gives at run time, on every engine, optimised or not", () => {
  const without: string[] = [];
  const names = [...mathFunctions.keys(), ...bitFunctions.keys()].filter(
    (name) => !name.startsWith("__") || !bitFunctions.has(name),
  );
  for (const name of names) {
    const forms = formsOf(name);
    if (forms.length === 0) without.push(name);
    for (const { type, result, constant, variable } of forms) {
      const column = (k: 0 | 1 | 2): DataArray =>
        new ARRAYS[type](SAMPLES[type].map((sample) => numberOf(sample[k], type)) as never) as DataArray;
      const run = (
        ir: KernelIr,
        major: number,
        debug: boolean,
        engine = fastEngine as typeof referenceEngine,
      ): string => {
        const program = lower(ir, { computeCapability: { major, minor: 0 }, contractFma: true, debug });
        const args = { o: new ARRAYS[result](SAMPLES[type].length), x: column(0), y: column(1), z: column(2) };
        return bitsOf(execute(program, { args, engine, lockstep: major < 7 }).read<DataArray>("o"));
      };
      const place = `${name} of ${type}`;
      const expected = run(variable, 9, false);
      expect(run(constant, 9, false), place).toBe(expected);
      expect(run(constant, 9, true, referenceEngine), `${place} with -G`).toBe(expected);
      for (const major of [2, 7]) expect(run(constant, major, false, referenceEngine), place).toBe(expected);
    }
  }
  expect(without).toEqual([]);
});
