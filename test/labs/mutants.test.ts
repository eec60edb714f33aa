import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Kernel, kernel } from "../../src/core/frontend/index.js";
import { checkExercise } from "../../src/course/exercises/check.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { guardedSum, sum } from "./answers/answer.js";
import { mutants } from "./mutants.js";

/** The solution's function, which may use gridDim as mutants do. */
function solutionText(id: string): string {
  const marked = readFileSync(join(import.meta.dirname, `../../labs/${id}/solution.ts`), "utf8");
  const file = marked.replace(/^ *\/\/(?:\|.*| BEGIN SOLUTION| STARTER| END SOLUTION)\n/gm, "");
  const text = file.slice(file.indexOf("({ input, output"), file.lastIndexOf(",\n);"));
  return text.replace("blockDim,", "blockDim, gridDim,");
}

function compiled(id: string, text: string): Kernel {
  const body = new Function(`return ${text}`)() as () => void;
  return kernel("answer", { params: exercise(id).guarded ? guardedSum : sum }, body) as Kernel;
}

const ONE_WRITER =
  "All threads, or all but one, write the sum that is ready behind the last barrier: the same value to the same place.";
const BARRIER_FIRST =
  "The barrier comes before the step instead of after it. The last step needs none behind it: thread 0 hands on what it wrote.";
const NO_OTHER_STEP = "s and the places are powers of two or even, so no step lies between the two bounds.";
const COMMUTES = "The statements do not touch each other's values, or add to one sum in another order.";

/** Mutants that are right too, and why. */
const EQUIVALENT: Readonly<Record<string, readonly (readonly [mutant: RegExp, reason: string])[]>> = {
  "lab-25": [
    [/^line 7: blockDim\.x -> \(blockDim\.x - 1\)$/, NO_OTHER_STEP],
    [/^line 9: blockDim\.x -> \(blockDim\.x - 1\)$/, NO_OTHER_STEP],
    [/^line 9: if .* -> syncthreads\(\); if /, BARRIER_FIRST],
    [/^line 15: if \(tid === 0\) output.* -> output\[blockIdx\.x\] = sdata\[0\];$/, ONE_WRITER],
    [/^line 15: (tid === 0 -> !\(tid === 0\)|=== -> !==|0 -> 1)$/, ONE_WRITER],
  ],
  "lab-26": [
    [/^line 5: syncthreads\(\); .*let left = blockDim\.x; -> let left/, COMMUTES],
    [/^line 10: if .* -> syncthreads\(\); if /, BARRIER_FIRST],
    [/^line 11: syncthreads\(\); left = half; -> left = half; syncthreads\(\);$/, COMMUTES],
    [/^line 14: if \(tid === 0\) output.* -> output\[blockIdx\.x\] = sdata\[0\];$/, ONE_WRITER],
  ],
  "lab-27": [
    [/^line [78]: if \(i .* -> if \(i /, COMMUTES],
    [/^line 13: if .* -> syncthreads\(\); if /, BARRIER_FIRST],
    [/^line 16: if \(tid === 0\) output.* -> output\[blockIdx\.x\] = sdata\[0\];$/, ONE_WRITER],
    [/^line 16: (tid === 0 -> !\(tid === 0\)|=== -> !==|0 -> 1)$/, ONE_WRITER],
  ],
  "lab-28": [[/^line 7: 32 -> 33$/, NO_OTHER_STEP]],
};

describe.each(["lab-25", "lab-26", "lab-27", "lab-28"])("a slip in the solution of %s", (id) => {
  test("costs points, wherever it is, unless the kernel is right with it", () => {
    const all = mutants(solutionText(id));
    expect(all.length).toBeGreaterThan(40);
    const passed = all.filter(({ text }) => {
      const verdict = checkExercise(id, () => compiled(id, text), { seed: 5, untilWrong: true });
      return verdict.points === verdict.outOf;
    });
    const known = EQUIVALENT[id] ?? [];
    const unknown = passed.filter(({ what }) => !known.some(([pattern]) => pattern.test(what)));
    expect(unknown.map(({ what }) => what)).toEqual([]);
    const unused = known.filter(([pattern]) => !passed.some(({ what }) => pattern.test(what)));
    expect(unused.map(([pattern]) => String(pattern))).toEqual([]);
  });

  test("is none in the solution itself", () => {
    const verdict = checkExercise(id, compiled(id, solutionText(id)), { seed: 5 });
    expect(verdict.points).toBe(verdict.outOf);
  });
});
