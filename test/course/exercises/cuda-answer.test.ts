/** An answer in CUDA C++ is checked as one in TypeScript. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkExercise } from "../../../src/course/exercises/check.js";
import { hasClang } from "../../../src/node/clang/clang.js";
import { cuda } from "../../../src/node/clang/cuda.js";
import { gradeHere } from "../../../src/node/grade/grade.js";

describe.runIf(hasClang())("an exercise", () => {
  test("gives all points to a right answer in CUDA C++, and its reason to a wrong one", async () => {
    const head = "__global__ void answer(const int* input, int* output) {\n  extern __shared__ int sums[];\n";
    const body = (lanes: string): string => `${head}
      unsigned tid = threadIdx.x;
      unsigned i = blockIdx.x * blockDim.x * 2 + tid;
      sums[tid] = input[i] + input[i + blockDim.x];
      __syncthreads();
      for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
        if (tid < s) sums[tid] += sums[tid + s];
        __syncthreads();
      }
      if (tid < 32) {
        int v = sums[tid] + sums[tid + 32];
        for (int d = ${lanes}; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
        if (tid == 0) output[blockIdx.x] = v;
      }
    }`;
    const [right, wrong] = ["16", "8"].map((lanes) => {
      const text = body(lanes);
      return cuda(Object.assign([text], { raw: [text] })).answer;
    });
    const good = await checkExercise("lab-28", right!, { seed: 1 });
    expect([good.points, good.outOf]).toEqual([10, 10]);
    const bad = await checkExercise("lab-28", wrong!, { seed: 1 });
    expect(bad.passed).toBe(false);
    expect(bad.checks[0]?.sentence).toMatch(/sum/);
  });

  test("is graded from a .cu file", () => {
    const folder = mkdtempSync(join(tmpdir(), "warplab-cu-"));
    const path = join(folder, "mine.cu");
    writeFileSync(path, "__global__ void answer(const int* input, int* output) {\n  output[blockIdx.x] = in[0];\n}\n");
    const grade = gradeHere({ exercise: "lab-28", path, seed: 1 });
    rmSync(folder, { recursive: true });
    if (grade.kind !== "verdict") throw new Error("no verdict");
    expect(grade.verdict.points).toBe(0);
    expect(grade.verdict.checks[0]?.sentence).toContain("line 2");
    expect(grade.verdict.checks[0]?.sentence).toContain("undeclared identifier 'in'");
  });
});
