import { describe, expect, test } from "vitest";
import { type Kernel, kernel } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { type Outcome, type PreparedTrial, runTrial, withTrial } from "../../src/course/exercises/trial.js";
import { guardedSum, sum } from "./answers/answer.js";

const gpu = new Gpu("v100");
const tried = { n: 100, block: 32, dataSeed: 3, traced: 0 };

function outcome(answer: Kernel, id: string, sums: "block" | "total" = "block"): Outcome & PreparedTrial {
  const plan = { gpu, spec: { ...exercise(id), sums }, kernel: answer, tried };
  return withTrial(plan, (trial) => ({ ...trial, ...runTrial(trial) }));
}

/** Thread 0 adds its block's elements, and leaves them in the next block's place. */
const turned = kernel(
  "turned",
  { params: sum },
  ({ input, output }, { threadIdx, blockIdx, blockDim, gridDim, u32 }) => {
    if (threadIdx.x !== 0) return;
    let total = 0;
    for (let k = u32(0); k < blockDim.x; k++) total += input[blockIdx.x * blockDim.x + k];
    output[(blockIdx.x + 1) % gridDim.x] = total;
  },
);

describe("a launch of an answer", () => {
  test("has every block's sum compared, or their total where that is asked for", () => {
    const { wrong, before } = outcome(turned, "lab-26");
    expect(wrong?.block).toBe(0);
    expect(wrong?.before).toBe(before[0]);
    expect(outcome(turned, "lab-26", "total").wrong).toBeNull();
  });

  test("gives whole blocks of data where nothing guards, and exactly n elements where the kernel does", () => {
    const idle = kernel("idle", { params: guardedSum }, () => {});
    expect(outcome(turned, "lab-26").data).toHaveLength(128);
    const { data, input, before } = outcome(idle, "lab-27");
    expect([data.length, input.length, before.length]).toEqual([100, 100, 1]);
    expect(data.some((value) => value === 0)).toBe(false);
  });

  test("begins with garbage in the output, and sees what an answer changes in the input", () => {
    const idle = kernel("idle", { params: sum }, () => {});
    const { wrong } = outcome(idle, "lab-26");
    expect(wrong?.found).toBe(wrong?.before);
    expect(wrong?.before).not.toBe(0);
    const clears = kernel("clears", { params: sum }, ({ input, output }, { threadIdx, blockIdx }) => {
      if (threadIdx.x === 7 && blockIdx.x === 1) input[39] = 0;
      output[blockIdx.x] = 0;
    });
    expect(outcome(clears, "lab-26").changedInput).toBe(39);
    expect(outcome(turned, "lab-26").changedInput).toBeNull();
  });

  test("frees its buffers, whatever happens", () => {
    const before = gpu.allocatedBytes;
    const beyond = kernel("beyond", { params: sum }, ({ input, output }) => {
      output[0] = input[100000];
    });
    expect(() => outcome(beyond, "lab-26")).toThrow("cudaErrorIllegalAddress");
    expect(gpu.allocatedBytes).toBe(before);
  });
});
