import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { liveRegisters } from "../../../src/core/timing/program/live-registers.js";
import { timedProgram } from "../../../src/core/timing/program/timed-program.js";
import { assemble } from "../engine/assembler.js";

/** Loads from global memory that the longest loop issues before it waits for the first, in ptxas 13.0's code for sm_90. */
const LISTED = [
  ["h200/kernels/probes.cu", "matVecRow", 16],
  ["h200/kernels/probes.cu", "matVecWarp", 16],
  ["h200/kernels/probes.cu", "matMulNaive", 17],
  ["h200/kernels/holdout.cu", "matVecColumn", 18],
  ["h200/kernels/holdout.cu", "chunkSum", 16],
  ["h200/kernels/judge.cu", "columnMeans", 16],
  ["h200/kernels/uneven.cu", "triMatVec", 18],
  ["h200/kernels/uneven.cu", "powerRowsWarp", 14],
] as const;
const NEARLY = 4;

function loadsBeforeUse(file: string, kernel: string): number {
  const ir = readCuda(readFileSync(new URL(`../../reference/${file}`, import.meta.url), "utf8"), file).get(kernel)!;
  const { program, scheduled } = timedProgram(
    lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true }),
    h200,
  );
  const longest = scheduled.reduce((most, block) => (block.order.length > most.order.length ? block : most));
  const pending = new Set<number>();
  let loads = 0;
  for (const pc of longest.order) {
    const { op, src, dst, root, space } = program.instructions[pc]!;
    if (src.some((source) => source.kind === "reg" && pending.has(source.reg))) break;
    if (op !== "ld" || (space ?? root?.kind) === "shared") continue;
    loads++;
    for (const reg of dst) pending.add(reg);
  }
  return loads;
}

describe("loads under way", () => {
  for (const [file, kernel, listed] of LISTED) {
    it(`are as many in ${kernel} as registers let ptxas issue, within ${NEARLY}`, () => {
      expect(Math.abs(loadsBeforeUse(file, kernel) - listed)).toBeLessThanOrEqual(NEARLY);
    });
  }
});

describe("live registers", () => {
  it("are those that are still read, around a loop as well", () => {
    const { instructions } = assemble(`
      param P ptr i32
      n = mov.i32 4
      s = mov.i32 0
      a = addr P[threadIdx.x]
      loop {
      x = ld.i32 P[a]
      s = add.i32 s, x
      n = sub.i32 n, 1
      p = setp.gt.i32 n, 0
      } while p
      st.i32 P[a], s
    `);
    const start = instructions.findIndex(({ op }) => op === "ld");
    const end = instructions.findIndex(({ op }) => op === "bra") + 1;
    const written = (from: number, to: number): ReadonlySet<number> =>
      new Set(instructions.slice(from, to).flatMap(({ dst }) => dst));
    const [before, loop, behind] = liveRegisters(instructions, [0, start, end]);
    expect(before!.before.size).toBe(0);
    expect(loop!.before).toEqual(written(0, start));
    expect(behind!.before.size).toBe(2);
    expect([...behind!.before].every((reg) => loop!.behind.has(reg))).toBe(true);
  });
});
