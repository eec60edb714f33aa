import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { branchesInside, FIXED_PLACE } from "../../../../src/core/lower/emit/fixed-place.js";
import { mostAlive } from "../../../../src/core/lower/emit/register-count.js";
import { lower } from "../../../../src/core/lower/lower.js";
import type { Instruction, Program } from "../../../../src/core/lower/program.js";
import { compileCuda } from "../kernel-code.js";

/** Loads from global memory that the longest loop issues before it waits for the first, in ptxas 13.0's code for sm_90. */
const LISTED = [
  ["h200/kernels/probes.cu", "matVecRow", 16],
  ["h200/kernels/probes.cu", "matVecWarp", 16],
  ["h200/kernels/probes.cu", "matMulNaive", 17],
  ["h200/kernels/holdout.cu", "matVecColumn", 18],
  ["h200/kernels/holdout.cu", "chunkSum", 16],
  ["h200/kernels/judge.cu", "columnMeans", 16],
  ["h200/kernels/judge.cu", "matVecWarp4", 6],
  ["h200/kernels/lessons.cu", "rowThreadQuads", 6],
  ["h200/kernels/primer.cu", "columnMajorVector", 7],
  ["h200/kernels/primer.cu", "sixteenSums", 4],
  ["h200/kernels/uneven.cu", "triMatVec", 18],
  ["h200/kernels/uneven.cu", "powerRowsWarp", 14],
] as const;
const NEARLY = 4;

function lowered(file: string, kernel: string): Program {
  const ir = readCuda(readFileSync(new URL(`../../../reference/${file}`, import.meta.url), "utf8"), file).get(kernel)!;
  return lower(ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
}

/** The longest stretch of instructions that may change their order. */
function longestBlock({ instructions }: Program): readonly Instruction[] {
  const targets = new Set(instructions.map(({ target }) => target));
  let longest: readonly Instruction[] = [];
  let start = 0;
  for (const { pc, op, issue } of instructions) {
    if (targets.has(pc)) start = pc;
    if (FIXED_PLACE.has(op) || branchesInside(issue)) start = pc + 1;
    if (pc + 1 - start > longest.length) longest = instructions.slice(start, pc + 1);
  }
  return longest;
}

const isShared = ({ root, space }: Instruction): boolean => (space ?? root?.kind) === "shared";

/** The loads before the first instruction that waits for one from global memory. */
function loadsBeforeUse(block: readonly Instruction[]): readonly Instruction[] {
  const pending = new Set<number>();
  const loads: Instruction[] = [];
  for (const instruction of block) {
    const { op, src, dst } = instruction;
    if (src.some((source) => source.kind === "reg" && pending.has(source.reg))) break;
    if (op !== "ld") continue;
    loads.push(instruction);
    if (!isShared(instruction)) for (const reg of dst) pending.add(reg);
  }
  return loads;
}

describe("loads under way", () => {
  for (const [file, kernel, listed] of LISTED) {
    it(`are as many in ${kernel} as registers let ptxas issue, within ${NEARLY}`, () => {
      const loads = loadsBeforeUse(longestBlock(lowered(file, kernel))).filter((load) => !isShared(load));
      expect(Math.abs(loads.length - listed)).toBeLessThanOrEqual(NEARLY);
    });
  }

  it("leave four of the registers free that fill an SM", () => {
    expect(mostAlive(lowered("h200/kernels/primer.cu", "sixteenSums"), false)).toBeLessThanOrEqual(32 - 4);
  });

  it("from shared memory come only when they are needed, where loads from global memory fill the registers", () => {
    const loads = loadsBeforeUse(longestBlock(lowered("h200/kernels/primer.cu", "columnMajorVector")));
    expect(loads.filter(isShared).length).toBeLessThanOrEqual(2);
    expect(isShared(loads[0]!)).toBe(false);
  });

  it("come both before the first use of either", () => {
    const { instructions } = compileCuda(
      "__global__ void k(const int *a, int *b) { int i = threadIdx.x; b[i] = (a[i] + 1) * (a[i + 64] + 2); }",
    );
    const ops = instructions.map(({ op }) => op);
    expect(ops.filter((op) => op === "ld")).toHaveLength(2);
    expect(loadsBeforeUse(instructions)).toHaveLength(2);
  });

  it("stay behind the square root before them, whose slow path ends a block", () => {
    const { instructions } = compileCuda(
      "__global__ void k(float *p) { float r = sqrtf(p[threadIdx.x]); p[threadIdx.x] = r + p[threadIdx.x + 64]; }",
    );
    const ops = instructions.map(({ op }) => op);
    expect(ops.lastIndexOf("ld")).toBeGreaterThan(ops.indexOf("sqrt"));
  });
});
