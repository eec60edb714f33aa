/** A recorded block against what its text does, worked out by hand or by plain JavaScript. */
import { describe, expect, test } from "vitest";
import { i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { stepView } from "../../../src/core/profiler/step-record.js";
import type { RecordedStep, StepRecord } from "../../../src/core/show/steps.js";

const THREADS = 128;
const gpu = new Gpu("v100");

const tree = kernel(
  "tree",
  { input: ptr(i32), output: ptr(i32) },
  ({ input, output }, { threadIdx, blockDim, externShared, syncthreads }) => {
    const sdata = externShared(i32);
    const tid = threadIdx.x;
    sdata[tid] = input[tid];
    syncthreads();
    for (let s = blockDim.x >> 1; s > 0; s >>= 1) {
      if (tid < s) sdata[tid] += sdata[tid + s];
      syncthreads();
    }
    if (tid === 0) output[0] = sdata[0];
  },
);

function record(
  of: Kernel<never>,
  options = {},
  data = Int32Array.from({ length: THREADS }, (_, i) => i + 1),
): StepRecord {
  const args = { input: gpu.upload(data), output: gpu.alloc(i32, THREADS) };
  return stepView(gpu, of as Kernel, { grid: 1, block: THREADS, sharedBytes: 4 * THREADS }, args, options);
}

/** Shared memory and a warp's variables as they are after the first steps. */
function played(steps: readonly RecordedStep[], warp = 0) {
  const memory: Record<string, string[]> = {};
  const variables: Record<string, readonly string[]> = {};
  for (const step of steps) {
    if (step.warp === warp) Object.assign(variables, step.variables);
    for (const [name, changes] of Object.entries(step.shared)) {
      memory[name] ??= [];
      for (const [element, value] of changes) memory[name][element] = value;
    }
  }
  return { memory, variables };
}

const textOf = ({ sources }: StepRecord, { source, line }: RecordedStep): string =>
  sources[source]?.find(([number]) => number === line)?.[1] ?? "";

describe("a recorded block", () => {
  const whole = record(tree as Kernel<never>);

  test("plays what shared memory holds: the tree's partial sums", () => {
    const { memory } = played(whole.steps);
    expect(memory.sdata?.[0]).toBe(String((THREADS * (THREADS + 1)) / 2));
    expect(whole.end).toBeNull();
    expect(whole.warps).toBe(THREADS / 32);
  });

  test("has the lanes that a condition leaves, and their requests", () => {
    const adds = whole.steps.filter((step) => textOf(whole, step).includes("+=") && step.active !== 0);
    // Half a warp, then a quarter ... of warp 0; before, whole warps add.
    const lanes = adds.filter(({ warp }) => warp === 0).map(({ active }) => active.toString(2).length);
    expect(lanes).toEqual([32, 32, 16, 8, 4, 2, 1]);
    expect(adds.filter(({ warp }) => warp === 1).map(({ active }) => active >>> 0)).toEqual([0xffffffff]);
    const [first] = adds;
    expect(first?.accesses.map(({ kind, array, cost }) => [kind, array, cost])).toContainEqual(["store", "sdata", 1]);
    const starts = first?.accesses.filter(({ kind }) => kind === "load").map(({ elements }) => elements[0]);
    expect(starts?.sort()).toEqual([0, 64]);
  });

  test("has each lane's own values", () => {
    expect(played(whole.steps, 1).variables.tid).toEqual(Array.from({ length: 32 }, (_, lane) => String(32 + lane)));
  });

  test("names both places of a divided warp", () => {
    const divided = kernel("divided", { input: ptr(i32), output: ptr(i32) }, ({ input, output }, { threadIdx }) => {
      const tid = threadIdx.x;
      let sum = 0;
      if (tid & 1) {
        for (let k = 0; k < input[tid]; k++) sum += k * input[k];
      } else {
        for (let k = 0; k < input[tid]; k++) sum ^= input[k];
      }
      output[tid] = sum;
    });
    const { steps } = record(divided as Kernel<never>, { warp: 0 });
    expect(steps.some(({ elsewhere, active }) => elsewhere.length > 0 && active !== 0)).toBe(true);
    expect(steps.every(({ active, elsewhere }) => elsewhere.every(({ mask }) => (mask & active) === 0))).toBe(true);
  });

  test("counts a first value of 0 as written: of an element, of a variable, and of no other", () => {
    const zeros = kernel("zeros", { input: ptr(i32), output: ptr(i32) }, ({ input, output }, cuda) => {
      const sdata = cuda.externShared(i32);
      const tid = cuda.threadIdx.x;
      const value = input[tid];
      if (tid < 40) sdata[tid] = value;
      cuda.syncthreads();
      sdata[tid] = value;
      output[tid] = sdata[tid ^ 1];
    });
    const { steps } = record(zeros as Kernel<never>, {}, new Int32Array(THREADS));
    const stores = steps.filter(({ shared }) => shared.sdata !== undefined).map(({ shared }) => shared.sdata!);
    // Each of the 128 elements is written once with 0; the second 0 in one of the first 40 changes nothing.
    expect(stores.flat().map(([element, value]) => `${element}=${value}`)).toHaveLength(THREADS);
    expect(stores[1]?.map(([element]) => element)).toEqual([32, 33, 34, 35, 36, 37, 38, 39]);
    const { variables } = played(steps);
    expect(variables.value).toEqual(new Array(32).fill("0"));
    expect(steps[0]?.variables.value).toBeUndefined();
  });

  test("follows a variable through its registers: five exchanges leave the whole sum in each lane", () => {
    const butterfly = kernel("butterfly", { input: ptr(i32), output: ptr(i32) }, ({ input, output }, cuda) => {
      const tid = cuda.threadIdx.x;
      let sum = input[tid];
      sum += cuda.shfl_xor_sync(0xffffffff, sum, 16);
      sum += cuda.shfl_xor_sync(0xffffffff, sum, 8);
      sum += cuda.shfl_xor_sync(0xffffffff, sum, 4);
      sum += cuda.shfl_xor_sync(0xffffffff, sum, 2);
      sum += cuda.shfl_xor_sync(0xffffffff, sum, 1);
      output[tid] = sum;
    });
    const { steps } = record(butterfly as Kernel<never>, { warp: 0 });
    const sums = steps.flatMap(({ variables }) => (variables.sum === undefined ? [] : [variables.sum]));
    const lanes = Array.from({ length: 32 }, (_, lane) => lane + 1);
    const expected = [lanes];
    for (const distance of [16, 8, 4, 2, 1]) {
      const last = expected.at(-1)!;
      expected.push(last.map((value, lane) => value + last[lane ^ distance]!));
    }
    expect(sums).toEqual(expected.map((values) => values.map(String)));
  });

  test("gives lanes that wait for others their value when the others come", () => {
    const apart = kernel("apart", { input: ptr(i32), output: ptr(i32) }, ({ input, output }, cuda) => {
      const tid = cuda.threadIdx.x;
      let got = -1;
      if (tid & 1) {
        for (let k = 0; k < input[tid]; k++) output[tid] = k;
        got = cuda.shfl_xor_sync(0xffffffff, tid, 1);
      } else {
        for (let k = 0; k < input[tid]; k++) output[tid] = -k;
        got = cuda.shfl_xor_sync(0xffffffff, tid, 3);
      }
      output[tid] = got;
    });
    const { steps } = record(apart as Kernel<never>, { warp: 0 });
    const seen = steps.flatMap(({ variables }) => variables.got ?? []);
    const lanes = Array.from({ length: 32 }, (_, lane) => String(lane & 1 ? lane ^ 1 : lane ^ 3));
    expect(played(steps).variables.got).toEqual(lanes);
    // No value is shown that no lane was ever given.
    expect(seen.filter((text) => text !== "" && text !== "-1" && !lanes.includes(text))).toEqual([]);
  });

  test("leaves a variable without a value in the lanes that have given it none", () => {
    const some = kernel("some", { input: ptr(i32), output: ptr(i32) }, ({ input, output }, { threadIdx }) => {
      const tid = threadIdx.x;
      if (tid < 5) {
        let sum = 0;
        for (let k = 0; k < input[tid]; k++) sum += input[k];
        output[tid] = sum;
      }
    });
    const { sum } = played(record(some as Kernel<never>, { warp: 0 }).steps).variables;
    // Lane i adds the first i + 1 of 1, 2, 3 ...
    expect(sum).toEqual([...["1", "3", "6", "10", "15"], ...new Array(27).fill("")]);
  });

  test("ends at a fault, and says it", () => {
    const beyond = kernel("beyond", { input: ptr(i32), output: ptr(i32) }, ({ input, output }, { threadIdx }) => {
      const tid = threadIdx.x;
      output[tid] = input[tid + 100000000];
    });
    const { end, steps } = record(beyond as Kernel<never>);
    expect(end).toContain("cudaErrorIllegalAddress");
    expect(steps.length).toBeGreaterThan(0);
  });

  test("ends after as many steps as asked for, and says so", () => {
    const { steps, end } = record(tree as Kernel<never>, { most: 5 });
    expect(steps).toHaveLength(5);
    expect(end).toBe("The record ends after 5 steps; the block goes on.");
  });

  test("refuses options that it does not know, and numbers out of range", () => {
    expect(() => record(tree as Kernel<never>, { steps: 5 })).toThrow(/stepView.*steps/);
    expect(() => record(tree as Kernel<never>, { most: 0 })).toThrow(/most/);
    expect(() => record(tree as Kernel<never>, { block: 7 })).toThrow(/block 7/);
  });
});
