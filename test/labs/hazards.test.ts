import { describe, expect, test } from "vitest";
import { i32, type Kernel, kernel } from "../../src/core/frontend/index.js";
import { Gpu } from "../../src/core/host/gpu.js";
import { exercise } from "../../src/course/exercises/exercise.js";
import { type RequirementSpec, Requirements } from "../../src/course/exercises/requirements.js";
import type { ExerciseSpec } from "../../src/course/exercises/spec.js";
import { withTrial } from "../../src/course/exercises/trial.js";
import { sum } from "./answers/answer.js";

const hazards: RequirementSpec = { kind: "hazards", points: 1 };
const gpu = new Gpu("v100");

/** The hazards found in a block of 64 threads of the kernel; null for none. */
function told(answer: Kernel, spec: ExerciseSpec = exercise("lab-26")): string | null {
  const requirements = new Requirements([hazards]);
  const tried = { n: 128, block: 64, dataSeed: 1, traced: 0 };
  withTrial({ gpu, spec, kernel: answer, tried }, (trial) => requirements.trace(trial, 0));
  return requirements.failure(hazards);
}

describe("accesses of two threads to one place", () => {
  test("are a race where no barrier stands between a write and a read of another warp", () => {
    const race = kernel("race", { params: sum }, ({ output }, { threadIdx, externShared }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = 1;
      if (threadIdx.x > 31) output[0] = sdata[0];
    });
    expect(told(race)).toMatch(
      /^line \d+ \(.*output\[0\] = sdata\[0\];\): thread 32 reads a place that thread 0 writes at line \d+ \(sdata\[threadIdx\.x\] = 1;\), with no barrier between the two \(block 0 of 2, 64 threads\)\.$/,
    );
  });

  test("are none behind a barrier, and a race again where a write follows the read", () => {
    const ordered = kernel("ordered", { params: sum }, ({ output }, { threadIdx, externShared, syncthreads }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = i32(threadIdx.x);
      syncthreads();
      const other = sdata[63 - threadIdx.x];
      if (threadIdx.x === 0) output[0] = other;
    });
    expect(told(ordered)).toBeNull();
    const again = kernel("again", { params: sum }, ({ output }, { threadIdx, externShared, syncthreads }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = i32(threadIdx.x);
      syncthreads();
      const other = sdata[0];
      if (threadIdx.x === 0) sdata[0] = 5;
      if (threadIdx.x === 0) output[0] = other;
    });
    expect(told(again)).toMatch(/thread 0 writes a place that thread 1 reads at line/);
  });

  test("within a warp are ordered by syncwarp, for the lanes of its mask alone, and not by shuffles", () => {
    const whole = kernel("whole", { params: sum }, ({ output }, { threadIdx, externShared, syncwarp }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = 1;
      syncwarp();
      const other = sdata[threadIdx.x ^ 1];
      if (threadIdx.x === 0) output[0] = other;
    });
    expect(told(whole)).toBeNull();
    const halves = kernel("halves", { params: sum }, ({ output }, { threadIdx, externShared, syncwarp }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = 1;
      if ((threadIdx.x & 31) < 16) syncwarp(0x0000ffff);
      else syncwarp(0xffff0000);
      const other = sdata[threadIdx.x ^ 16];
      if (threadIdx.x === 0) output[0] = other;
    });
    expect(told(halves)).toMatch(/with neither a barrier nor syncwarp\(\) between the two/);
    const near = kernel("near", { params: sum }, ({ output }, { threadIdx, externShared, syncwarp }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = 1;
      if ((threadIdx.x & 31) < 16) syncwarp(0x0000ffff);
      else syncwarp(0xffff0000);
      const other = sdata[threadIdx.x ^ 8];
      if (threadIdx.x === 0) output[0] = other;
    });
    expect(told(near)).toBeNull();
    const shuffled = kernel("shuffled", { params: sum }, ({ output }, { threadIdx, externShared, shfl_xor_sync }) => {
      const sdata = externShared(i32);
      sdata[threadIdx.x] = 1;
      const one = shfl_xor_sync(0xffffffff, 1, 1);
      const other = sdata[threadIdx.x ^ 1];
      if (threadIdx.x === 0) output[0] = other + one;
    });
    expect(told(shuffled)).toMatch(/neither a barrier nor syncwarp/);
  });

  test("pass from lane to lane through a third one, as syncwarps of overlapping masks order them", () => {
    const chained = kernel("chained", { params: sum }, ({ output }, { threadIdx, externShared, syncwarp }) => {
      const sdata = externShared(i32);
      const tid = threadIdx.x;
      if (tid === 0) sdata[0] = 1;
      if (tid < 2) syncwarp(0x3);
      if (tid === 1 || tid === 2) syncwarp(0x6);
      if (tid === 2) output[0] = sdata[0];
    });
    expect(told(chained)).toBeNull();
  });

  test("are none where all write the same, or where both are atomic; other values are a race", () => {
    const same = kernel("same", { params: sum }, ({ output }, { threadIdx, externShared, syncthreads, atomicAdd }) => {
      const sdata = externShared(i32);
      sdata[1] = 7;
      if (threadIdx.x === 0) sdata[0] = 0;
      syncthreads();
      atomicAdd(sdata, 0, 1);
      syncthreads();
      if (threadIdx.x === 0) output[0] = sdata[0] + sdata[1];
    });
    expect(told(same)).toBeNull();
    const other = kernel("other", { params: sum }, ({ output }, { threadIdx, externShared, syncthreads }) => {
      const sdata = externShared(i32);
      sdata[1] = i32(threadIdx.x);
      syncthreads();
      if (threadIdx.x === 0) output[0] = sdata[1];
    });
    expect(told(other)).toMatch(/writes a place that thread 0 writes something else to in the same line/);
  });
});

describe("a block", () => {
  test("is told for shared memory that it reads and nobody wrote", () => {
    const unset = kernel("unset", { params: sum }, ({ output }, { threadIdx, externShared }) => {
      const sdata = externShared(i32);
      if (threadIdx.x === 5) output[0] = sdata[9];
    });
    expect(told(unset)).toMatch(/thread 5 reads word 9 of shared memory, which no thread has written/);
  });

  test("is told for a barrier that some of its threads or warps do not come to", () => {
    const lanes = kernel("lanes", { params: sum }, ({ output }, { threadIdx, syncthreads }) => {
      if ((threadIdx.x & 31) < 5) syncthreads();
      if (threadIdx.x === 0) output[0] = 1;
    });
    expect(told(lanes)).toMatch(/reached by 5 of the 32 threads of warp 0/);
    const warps = kernel("warps", { params: sum }, ({ output }, { threadIdx, syncthreads }) => {
      if (threadIdx.x < 32) syncthreads();
      if (threadIdx.x === 0) output[0] = 1;
    });
    expect(told(warps)).toMatch(/warp 0 comes to this barrier, warp 1 does not/);
  });

  test("is told for another block's output, and for none of its own, where each block has its own", () => {
    const other = kernel("other", { params: sum }, ({ output }, { threadIdx }) => {
      if (threadIdx.x === 0) output[1] = 1;
    });
    expect(told(other)).toMatch(/block 0 writes output\[1\], its sum belongs in output\[0\]/);
    expect(told(other, { ...exercise("lab-26"), sums: "total" })).toBeNull();
    expect(told(kernel("idle", { params: sum }, () => {}))).toMatch(/Block 0 does not write output\[0\] itself/);
  });

  test("is told for output that it reads before it wrote it, and for input that it writes", () => {
    const reads = kernel("reads", { params: sum }, ({ output }, { threadIdx }) => {
      if (threadIdx.x === 0) output[0] += 1;
    });
    expect(told(reads)).toMatch(/reads output before the block has written it/);
    const writes = kernel("writes", { params: sum }, ({ input, output }, { threadIdx }) => {
      input[threadIdx.x] = 1;
      if (threadIdx.x === 0) output[0] = 1;
    });
    expect(told(writes)).toMatch(/writes to input, which is to be read only/);
  });

  test("whose last warp has 31 threads passes its barriers", () => {
    const requirements = new Requirements([hazards]);
    const odd = kernel("odd", { params: sum }, ({ output }, { threadIdx, syncthreads }) => {
      syncthreads();
      if (threadIdx.x === 0) output[0] = 1;
    });
    const tried = { n: 1, block: 63, dataSeed: 1, traced: 0 };
    withTrial({ gpu, spec: exercise("lab-26"), kernel: odd, tried }, (trial) => requirements.trace(trial, 0));
    expect(requirements.failure(hazards)).toBeNull();
  });
});
