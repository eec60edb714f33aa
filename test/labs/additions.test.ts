import { describe, expect, test } from "vitest";
import { i32, type Kernel, kernel } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { Additions, tooManyAdditions } from "../../src/course/exercises/trace/additions.js";
import { traceBlock } from "../../src/course/exercises/trace/block-trace.js";
import { withTrial } from "../../src/course/exercises/trial.js";
import { sequential } from "../kernels/labs.js";
import { sum } from "./answers/answer.js";

const gpu = new Gpu("v100");

interface Counted {
  readonly counts: readonly number[];
  readonly total: number;
  /** Warp instructions that add what a shuffle gave, by the shuffle. */
  readonly shuffled: readonly string[];
  readonly told: string | null;
}

/** Additions of each thread of block 0 of a kernel over an int a thread. */
function additionsOf(answer: Kernel, block: number): Counted {
  const tried = { n: 2 * block, block, dataSeed: 1, traced: 0 };
  return withTrial({ gpu, spec: exercise("lab-26"), kernel: answer, tried }, (trial) => {
    const results: Counted[] = [];
    traceBlock(trial, 0, (traced) => {
      const additions = new Additions(traced);
      const end = (): void => {
        const told = tooManyAdditions(additions, traced, { per: "halving", times: 4, plus: 0 }, 0.5);
        const { counts, total, addedFrom } = additions;
        results.push({ counts: [...counts], total, shuffled: [...addedFrom.keys()], told });
      };
      return [additions, { step: () => {}, end }];
    });
    const [result] = results;
    if (result === undefined) throw new Error("the block did not end");
    return result;
  });
}

describe("the additions of a thread", () => {
  test("are those of the tree over shared memory: half of the threads are left in each step", () => {
    const { counts, total, told } = additionsOf(sequential, 128);
    expect(total).toBe(127);
    const steps = [64, 32, 16, 8, 4, 2, 1];
    expect(counts).toEqual(Array.from({ length: 128 }, (_, tid) => steps.filter((s) => tid < s).length));
    expect(told).toBeNull();
  });

  test("are counted behind shuffles and selections and in sums of three, and not for indices and constants", () => {
    const odd = kernel("odd", { params: sum }, ({ input, output }, { threadIdx, blockIdx, shfl_down_sync }) => {
      const tid = threadIdx.x;
      const value = input[blockIdx.x * 32 + tid];
      const other = shfl_down_sync(0xffffffff, value, 1);
      const chosen = tid < 31 ? other : value;
      const three = value + chosen + input[blockIdx.x * 32 + (tid ^ 1)];
      if (tid === 0) output[blockIdx.x] = three + 7;
    });
    const { counts, shuffled } = additionsOf(odd, 32);
    expect(counts[0]).toBe(2);
    expect(shuffled).toEqual(["shflDown"]);
  });

  test("by atomics are the lane's that adds", () => {
    const atomic = kernel(
      "atomic",
      { params: sum },
      ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads, atomicAdd }) => {
        const sdata = externShared(i32);
        const tid = threadIdx.x;
        if (tid === 0) sdata[0] = 0;
        syncthreads();
        atomicAdd(sdata, 0, input[blockIdx.x * blockDim.x + tid]);
        syncthreads();
        if (tid === 0) output[blockIdx.x] = sdata[0];
      },
    );
    expect(additionsOf(atomic, 64).counts).toEqual(new Array(64).fill(1));
  });

  test("are too many where it makes all of them, which is told with its line", () => {
    const alone = kernel("alone", { params: sum }, ({ input, output }, { threadIdx, blockIdx, blockDim, u32 }) => {
      if (threadIdx.x !== 5) return;
      let total = 0;
      for (let k = u32(0); k < blockDim.x; k++) total += input[blockIdx.x * blockDim.x + k];
      output[blockIdx.x] = total;
    });
    const { counts, told } = additionsOf(alone, 256);
    expect(counts[5]).toBeGreaterThanOrEqual(255);
    expect(told).toMatch(/^line \d+ \(.*total \+= input.*\): thread 5 makes \d+ of the block's \d+ additions, 100 %/);
    expect(told).toContain("with 8 halvings 32 are enough");
  });
});
