import { describe, expect, test } from "vitest";
import { i32, type Kernel, kernel } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { sanitizedTrial } from "../../src/course/exercises/sanitized-trial.js";
import { withTrial } from "../../src/course/exercises/trial.js";
import { sum } from "./answers/answer.js";

function found(answer: Kernel, n: number, id: string = "v100", schedule?: number): string | null {
  const tried = { n, block: 128, dataSeed: 1, traced: 0 };
  const seeded = schedule === undefined ? {} : { schedule };
  const plan = { gpu: new Gpu(id), spec: exercise("lab-26"), kernel: answer, tried, ...seeded };
  return withTrial(plan, (trial) => sanitizedTrial(trial).found);
}

/** Wrong in block 5 alone, by luck of the order right in every one. */
const oneBlock = kernel("oneBlock", { params: sum }, ({ input, output }, words) => {
  const { threadIdx, blockIdx, blockDim, externShared, syncthreads } = words;
  const part = externShared(i32);
  part[threadIdx.x] = input[blockIdx.x * blockDim.x + threadIdx.x];
  syncthreads();
  if (threadIdx.x < 64) part[threadIdx.x] += part[threadIdx.x + 64];
  if (blockIdx.x !== 5) syncthreads();
  if (threadIdx.x < 32) {
    const other = part[threadIdx.x + 32];
    if (threadIdx.x === 0) output[blockIdx.x] = other;
  }
});

describe("a launch under the sanitizers", () => {
  test("names both lines of a race that one block in eight has", () => {
    expect(found(oneBlock, 1000)).toMatch(
      /line \d+ \(if \(threadIdx\.x < 64\) part\[threadIdx\.x\] \+= part\[threadIdx\.x \+ 64\];\): thread \d+ of block 5 writes a place\. line \d+ \(const other = part\[threadIdx\.x \+ 32\];\): thread \d+ of block 5 reads it\. Nothing orders the two, in 32 cases\./,
    );
  });
  test("finds none where no block has it", () => {
    expect(found(oneBlock, 500)).toBeNull();
  });
  test("is not made of long launches, nor of seeded ones", () => {
    expect(found(oneBlock, 5000)).toBeNull();
    expect(found(oneBlock, 1000, "v100", 1)).toBeNull();
  });
});
