/** Launches a learner's kernel as an exercise says. */
import type { Kernel } from "../frontend/index.js";
import { i32 } from "../frontend/index.js";
import type { Gpu } from "../host/gpu.js";
import type { LaunchResult } from "../host/launch-result.js";
import type { ExerciseSpec } from "./exercise.js";
import { sumInt32 } from "./reduction-run.js";

export interface ExerciseLaunch {
  readonly launch: LaunchResult;
  /** The blocks' sums added up, modulo 2^32. */
  readonly result: number;
}

/** Throws what the launch throws: LaunchError, KernelFault, CompileError, InputError. */
export function launchExercise(
  gpu: Gpu,
  spec: ExerciseSpec,
  kernel: Kernel,
  data: Int32Array,
  block: number,
): ExerciseLaunch {
  const perBlock = block * spec.elementsPerThread;
  const grid = Math.ceil(data.length / perBlock);
  const words = block + (spec.paddingEvery === 0 ? 0 : Math.ceil(block / spec.paddingEvery));
  const input = gpu.alloc(i32, spec.guarded ? data.length : grid * perBlock).write(data);
  const output = gpu.alloc(i32, grid);
  try {
    const launch = gpu.launch(
      kernel,
      { grid, block, sharedBytes: words * 4 },
      { input, output, ...(spec.guarded ? { n: data.length } : {}) },
    );
    return { launch, result: sumInt32(output.read()) };
  } finally {
    input.free();
    output.free();
  }
}
