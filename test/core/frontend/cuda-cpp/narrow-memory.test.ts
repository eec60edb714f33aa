/** Memory of 8 and 16 bits against g++: random kernels in both engines, in seeded orders, and in debug builds. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fastEngine } from "../../../../src/core/engine/fast/index.js";
import { createReferenceEngine, referenceEngine } from "../../../../src/core/engine/reference/index.js";
import { verifyIr } from "../../../../src/core/ir/verify-ir.js";
import { lower } from "../../../../src/core/lower/lower.js";
import { verifyProgram } from "../../../../src/core/lower/machine/verify-program.js";
import { PASS_NAMES } from "../../../../src/core/lower/pass-names.js";
import { hasClang } from "../../../../src/node/clang/clang.js";
import { type CudaKernels, loadCuda } from "../../../../src/node/clang/cuda.js";
import { counterDifference } from "../../../random/agreement.js";
import { Choices } from "../../../random/prng.js";
import { type DataArray, type Executed, execute } from "../../engine/launch.js";
import { hasCompiler } from "./has-compiler.js";
import { arrays, BLOCK, bodyOf, deviceText, GRID, hostText, LENGTH } from "./narrow-programs.js";

const KERNELS = 12;
const FIRST_SEED = 1;

/** The arrays before a launch. Truth values are 0 or 1; no part of a struct is another one's gap. */
function given(seed: number): Record<string, DataArray> {
  const choices = new Choices(seed);
  const filled = <T extends Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array>(array: T): T => {
    for (let at = 0; at < array.length; at++) array[at] = choices.between(-70_000, 70_000);
    return array;
  };
  const parts = new Uint16Array((4 * LENGTH) / 4);
  const bytes = new Uint8Array(parts.buffer);
  for (let at = 0; at < bytes.length; at++) bytes[at] = at % 8 === 7 ? choices.below(2) : choices.below(256);
  return {
    a: filled(new Int8Array(LENGTH)),
    b: filled(new Uint8Array(LENGTH)),
    c: filled(new Int16Array(LENGTH)),
    d: filled(new Uint16Array(LENGTH)),
    e: new Uint8Array(LENGTH).map(() => choices.below(2)),
    f: filled(new Int32Array(LENGTH)),
    g: parts,
  };
}

const NAMES = [...Object.keys(arrays), "g"];

function bytesOf(memory: (name: string) => DataArray): Buffer {
  return Buffer.concat(
    NAMES.map((name) => {
      const { buffer, byteOffset, byteLength } = memory(name);
      return Buffer.from(buffer, byteOffset, byteLength);
    }),
  );
}

describe.runIf(hasClang() && hasCompiler())("memory of 8 and 16 bits holds what g++ makes of the same text", () => {
  const folder = mkdtempSync(join(tmpdir(), "warplab-narrow-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const bodies = Array.from({ length: KERNELS }, (_, index) => bodyOf(FIRST_SEED + index));
  const wanted: Buffer[] = [];
  let kernels: CudaKernels = {};

  beforeAll(() => {
    const [source, program, device] = ["narrow.cpp", "narrow", "narrow.cu"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(source, hostText(bodies));
    execFileSync("g++", ["-O0", "-w", "-std=c++17", "-fwrapv", "-o", program, source]);
    const input = Buffer.concat(bodies.map((_, index) => bytesOf((name) => given(FIRST_SEED + index)[name]!)));
    const output = execFileSync(program, { input, maxBuffer: 2 * input.length + 1024 });
    const each = output.length / KERNELS;
    for (let index = 0; index < KERNELS; index++) wanted.push(output.subarray(index * each, (index + 1) * each));
    writeFileSync(device, deviceText(bodies));
    kernels = loadCuda(device);
  });

  test.each(bodies.map((body, index) => [FIRST_SEED + index, index, body] as const))("seed %i", (seed, index) => {
    const kernel = kernels[`k${index}`]!;
    expect(verifyIr(kernel.ir)).toEqual([]);
    const builds = [
      { computeCapability: { major: 9, minor: 0 } },
      { computeCapability: { major: 2, minor: 0 } },
      { computeCapability: { major: 7, minor: 0 }, debug: true },
      { computeCapability: { major: 8, minor: 6 }, without: PASS_NAMES },
    ];
    for (const build of builds) {
      const program = lower(kernel.ir, { contractFma: true, ...build });
      expect(verifyProgram(program)).toEqual([]);
      const run = (engine: typeof referenceEngine): Executed =>
        execute(program, { engine, grid: GRID, block: BLOCK, args: given(seed) });
      const [reference, fast] = [run(referenceEngine), run(fastEngine)];
      const seeded = run(createReferenceEngine({ schedule: { kind: "adversarial", seed } }));
      for (const [name, launch] of Object.entries({ reference, fast, seeded })) {
        const memory = bytesOf((array) => launch.read(array));
        const at = memory.findIndex((byte, k) => byte !== wanted[index]![k]);
        expect([name, build, at]).toEqual([name, build, -1]);
      }
      expect(counterDifference(reference.counters, fast.counters)).toBeNull();
    }
  });
});
