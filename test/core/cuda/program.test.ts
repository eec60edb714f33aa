import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checksum, lcgValues } from "../../../src/core/cuda/host-data.js";
import { toCudaProgram } from "../../../src/core/cuda/program.js";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { Kernel } from "../../../src/core/frontend/index.js";
import { firstAdd, sequential } from "../../kernels/labs.js";
import { joinedPrograms } from "./joined-programs.js";
import { programLaunches, programText } from "./launches.js";
import { compileProgram, nvccVersion } from "./nvcc.js";

const launch = { grid: [2, 1, 1], block: [256, 1, 1], dynamicSharedBytes: 1024 } as const;
const output = { data: { values: new Int32Array(2) } };

/** FNV-1a from its definition, in BigInt. */
function fnv1a(bytes: Uint8Array): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
}

describe("the data of a CUDA program", () => {
  test("is the linear congruential generator's: state * 1664525 + 1013904223, modulo 2^32", () => {
    let state = 7n;
    const expected = Array.from({ length: 1000 }, () => {
      state = (state * 1664525n + 1013904223n) % 2n ** 32n;
      return Number(state >> 24n);
    });
    expect([...lcgValues("i32", 1000, 7)]).toEqual(expected);
  });

  test("has FNV-1a's checksum of its bytes", () => {
    const values = lcgValues("f32", 999, 3);
    expect(checksum(values)).toBe(fnv1a(new Uint8Array(values.buffer)));
  });

  test("counts every NaN as one in its checksum", () => {
    const other = new Float32Array(new Uint32Array([0x3f800000, 0x7fffffff]).buffer);
    expect(checksum(other)).toBe(checksum(new Float32Array([1, Number.NaN])));
  });
});

describe("the text of a CUDA program", () => {
  test("writes a small input out", () => {
    const input = { data: { values: Int32Array.from({ length: 12 }, (_, i) => i * i) } };
    expect(toCudaProgram(sequential.ir, launch, { input, output })).toContain(
      "0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121",
    );
  });

  test("gives a large input by its formula: constant, counting, or repeating", () => {
    const text = (values: Int32Array): string =>
      toCudaProgram(sequential.ir, launch, { input: { data: { values } }, output });
    expect(text(new Int32Array(100_000).fill(3))).toContain("h_input[i] = 3;");
    expect(text(Int32Array.from({ length: 100_000 }, (_, i) => 5 + 2 * i))).toContain(
      "(int)(5ll + 2ll * (long long)i)",
    );
    expect(text(Int32Array.from({ length: 100_000 }, (_, i) => (i * i) % 10))).toContain("h_input_table[i % 10]");
  });

  test("refuses a large input without a formula, and says how to give one", () => {
    const values = Int32Array.from({ length: 70_000 }, (_, i) => (i * i * i) ^ (i >> 3));
    expect(() => toCudaProgram(sequential.ir, launch, { input: { data: { values } }, output })).toThrow(
      "randomInts(n, seed)",
    );
  });

  test("names a missing and a surplus argument", () => {
    expect(() => toCudaProgram(sequential.ir, launch, { output })).toThrow("needs an array for input");
    expect(() => toCudaProgram(sequential.ir, launch, { input: output, output, inptu: 1 })).toThrow("inptu");
  });

  test("tells how to compile it where -fmad is off", () => {
    const text = toCudaProgram(firstAdd.ir, { ...launch, contractFma: false }, { input: output, output });
    expect(text.split("\n")[0]).toContain("-fmad=false");
  });
});

const nvcc = nvccVersion();

describe.skipIf(nvcc === null)("nvcc", () => {
  test("compiles whole programs of the course's reductions", () => {
    const folder = mkdtempSync(join(tmpdir(), "warplab-program-"));
    try {
      // A kernel by the name of what the host code declares is no trouble.
      const { text, constants, functions, params } = sequential.spec;
      const run = new Kernel({ name: "run", text, constants, functions, params });
      const course = programLaunches(1 << 14);
      const all = [...course.slice(3, 6), { ...course[2]!, kernel: run, name: "run" }];
      const file = join(folder, "programs.cu");
      writeFileSync(file, joinedPrograms(all.map((one) => ({ name: one.name, text: programText(one, fastEngine) }))));
      compileProgram(file, 90);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
