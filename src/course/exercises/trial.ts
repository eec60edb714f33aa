/** One launch of a learner's kernel as an exercise says, with every block's sum compared, or the one that is asked for. */
import { mulberry32 } from "../../core/base/random-values.js";
import type { Kernel } from "../../core/frontend/index.js";
import { i32 } from "../../core/frontend/index.js";
import type { DeviceBuffer } from "../../core/host/buffer.js";
import type { Gpu } from "../../core/host/gpu.js";
import type { LaunchConfig } from "../../core/host/launch.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import { withoutPrintf } from "../../core/host/printf-output.js";
import { sumInt32 } from "../reductions/reduction-run.js";
import { instanceFor } from "./instance.js";
import type { Case } from "./plan/case.js";
import { SCHEDULED_GRID } from "./plan/draw.js";
import { blockElements, type ExerciseSpec, gridFor } from "./spec.js";

export interface LaunchPlan {
  readonly gpu: Gpu;
  readonly spec: ExerciseSpec;
  readonly kernel: Kernel;
  readonly tried: Case;
  /** Ones alone, to see which are missing; else what `tried` says. */
  readonly ones?: boolean;
  /** Seed of the schedule; the default schedule without. */
  readonly schedule?: number;
}

/** The launch with its buffers filled: input with data, output with garbage or zeros. */
export interface PreparedTrial extends LaunchPlan {
  readonly grid: number;
  /** Elements that the launch sums. */
  readonly data: Int32Array;
  /** The output's values before the launch. */
  readonly before: Int32Array;
  readonly config: LaunchConfig & { readonly grid: number; readonly block: number };
  readonly args: Readonly<Record<string, DeviceBuffer | number>>;
  readonly input: DeviceBuffer<"i32">;
  readonly output: DeviceBuffer<"i32">;
}

/** A sum that is not that of the elements; of the first such block, or of the grid. */
export interface WrongSum {
  /** Linear index; null where the outputs' total, the sum of all elements in output[0], or a histogram is wrong. */
  readonly block: number | null;
  /** The index of the wrong output; null where it is their total. */
  readonly index: number | null;
  /** Elements that it should have summed. */
  readonly elements: number;
  readonly found: number;
  readonly expected: number;
  /** The value of the output element before the launch. */
  readonly before: number;
}

export interface Outcome {
  readonly launch: LaunchResult;
  readonly wrong: WrongSum | null;
  /** First element of the input that is no longer what it was; null for none. */
  readonly changedInput: number | null;
}

/** Elements of a launch: n of a guarded kernel, else so many as whole blocks sum. */
export function elementsOf(spec: ExerciseSpec, { n, block }: Case): number {
  const whole = blockElements(spec, block);
  return spec.guarded ? n : Math.ceil(n / whole) * whole;
}

/** Bytes of dynamic shared memory that the launch gives a block. */
export function sharedBytes(spec: ExerciseSpec, block: number): number {
  return 4 * (block + (spec.paddingEvery === 0 ? 0 : Math.ceil(block / spec.paddingEvery)));
}

/** Blocks of a launch, by what the learner has chosen; null where the exercise says their number. */
function chosenGrid({ gpu, spec, kernel, tried }: LaunchPlan, elements: number): number | null {
  if (tried.grid !== undefined) return tried.grid;
  const { gridConstant, blocksPerSmConstant } = spec;
  const constant = (name: string): number => Number(kernel.spec.constants[name]);
  if (gridConstant !== null) return constant(gridConstant);
  if (blocksPerSmConstant === null) return null;
  return Math.min(gridFor(spec, elements, tried.block), constant(blocksPerSmConstant) * gpu.device.smCount);
}

/** Blocks of a launch: the slow engine of seeded schedules gets few of those that the learner chooses. */
function gridOf(plan: LaunchPlan, elements: number): number {
  const chosen = chosenGrid(plan, elements);
  if (chosen === null) return Math.max(1, gridFor(plan.spec, elements, plan.tried.block));
  return plan.schedule === undefined ? chosen : Math.min(chosen, SCHEDULED_GRID);
}

/** A counter and one more, beside a sum of each block and of all. */
const MORE_OUTPUTS = 2;

function outputsBefore({ spec, tried }: LaunchPlan, grid: number, elements: number): Int32Array {
  const own = spec.sums === "scan" ? Math.max(elements, 1) : spec.bins;
  if (spec.outputBegins === "zeros") return new Int32Array(own ?? grid + MORE_OUTPUTS);
  return mulberry32(own ?? grid, tried.dataSeed + 1);
}

function inputOf({ data, dataSeed }: Case, count: number): Int32Array {
  if (data === "zeros") return new Int32Array(count);
  const random = mulberry32(count, dataSeed);
  if (data === "negative") return random.map((value) => value | 0x80000000);
  return data === undefined ? random : random.map((value) => data[(value >>> 0) % data.length] ?? 0);
}

/** Calls `use` with the launch's buffers, and frees them. */
export function withTrial<T>(plan: LaunchPlan, use: (trial: PreparedTrial) => T): T {
  const { gpu, spec, tried, ones = false, schedule } = plan;
  const { block } = tried;
  const count = elementsOf(spec, tried);
  const grid = gridOf(plan, count);
  const sized = instanceFor(plan.kernel, spec.blockConstant, block);
  const kernel = instanceFor(sized, spec.gridConstant, grid);
  const data = ones ? new Int32Array(count).fill(1) : inputOf(tried, count);
  const before = outputsBefore(plan, grid, count);
  const input = gpu.alloc(i32, Math.max(count, 1)).write(data);
  const output = gpu.alloc(i32, before.length).write(before);
  const config = {
    grid,
    block,
    sharedBytes: sharedBytes(spec, block),
    ...(schedule === undefined ? {} : { schedule: { seed: schedule } }),
  };
  const args = { input, output, ...(spec.guarded ? { n: count } : {}) };
  try {
    return withoutPrintf(() => use({ ...plan, kernel, grid, data, before, config, args, input, output }));
  } finally {
    input.free();
    output.free();
  }
}

/** The elements of one block. */
export function elementsOfBlock({ spec, data, tried }: PreparedTrial, block: number): Int32Array {
  const whole = blockElements(spec, tried.block);
  return data.subarray(block * whole, (block + 1) * whole);
}

function firstWrong(trial: PreparedTrial, outputs: Int32Array): WrongSum | null {
  const { spec, data, before, grid } = trial;
  const wrong = (block: number | null, index: number, elements: number, expected: number): WrongSum | null => {
    const found = outputs[index] ?? 0;
    return found === expected ? null : { block, index, elements, found, expected, before: before[index] ?? 0 };
  };
  if (spec.sums === "total") {
    const [found, expected] = [sumInt32(outputs), sumInt32(data)];
    const parts = { block: null, index: null, elements: data.length, found, expected, before: sumInt32(before) };
    return found === expected ? null : parts;
  }
  if (spec.sums === "first") return wrong(null, 0, data.length, sumInt32(data));
  if (spec.sums === "histogram") {
    const counts = new Int32Array(before.length);
    for (const value of data) counts[value & (counts.length - 1)]! += 1;
    return firstOf(counts.length, (bin) => wrong(null, bin, data.length, counts[bin]!));
  }
  return firstOf(grid, (block) => {
    const elements = elementsOfBlock(trial, block);
    if (spec.sums === "block") return wrong(block, block, elements.length, sumInt32(elements));
    let sum = 0;
    return firstOf(elements.length, (at) => {
      sum = (sum + elements[at]!) | 0;
      return wrong(block, elements.byteOffset / 4 + at, at + 1, sum);
    });
  });
}

function firstOf<T>(count: number, at: (index: number) => T | null): T | null {
  for (let index = 0; index < count; index++) {
    const found = at(index);
    if (found !== null) return found;
  }
  return null;
}

/** The input is read back in parts: a copy of the whole would be as large as the data. */
const PART = 2 ** 18;

function firstChanged({ input, data }: PreparedTrial): number | null {
  for (let begin = 0; begin < data.length; begin += PART) {
    const part = input.sub(begin, Math.min(PART, data.length - begin)).read();
    // Millions of elements: a callback for each takes six times as long.
    for (let index = 0; index < part.length; index++) {
      if (part[index] !== data[begin + index]) return begin + index;
    }
  }
  return null;
}

/** Throws what the launch throws: LaunchError, KernelFault, CompileError, InputError. */
export function runTrial(trial: PreparedTrial): Outcome {
  const { gpu, kernel, config, args, output } = trial;
  const launch = gpu.launch(kernel, config, args);
  return { launch, wrong: firstWrong(trial, output.read()), changedInput: firstChanged(trial) };
}
