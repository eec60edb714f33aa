/** Launches of the course's kernels for whole CUDA programs, with the memory that the simulator leaves. */

import type { HostArray } from "../../../src/core/base/typed-array.js";
import { createHostArray, lcgValues } from "../../../src/core/cuda/host-data.js";
import { type CudaArguments, type CudaLaunch, toCudaProgram } from "../../../src/core/cuda/program.js";
import type { Engine } from "../../../src/core/engine/engine.js";
import type { Kernel } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import * as labs from "../../kernels/labs.js";
import { execute } from "../engine/launch.js";

export interface ProgramLaunch {
  readonly name: string;
  readonly kernel: Kernel;
  readonly launch: CudaLaunch;
  readonly args: CudaArguments;
}

const SEED = 1;

/** `count` pseudo-random elements reduced by blocks of `threads`, each of which takes `perThread`. */
function reduction(kernel: Kernel, count: number, threads: number, perThread: number): ProgramLaunch {
  const blocks = count / threads / perThread;
  const scalar = kernel.ir.params[0]?.type === undefined ? "i32" : elementOf(kernel);
  const bytes = threads * 4;
  const scalars = kernel.ir.params.some((param) => param.name === "n") ? { n: count } : {};
  return {
    name: kernel.name,
    kernel,
    launch: { grid: [blocks, 1, 1], block: [threads, 1, 1], dynamicSharedBytes: bytes },
    args: {
      input: { data: { seed: SEED, length: count } },
      output: { data: { values: createHostArray(scalar, blocks) } },
      ...scalars,
    },
  };
}

function elementOf(kernel: Kernel): "i32" | "f32" {
  const param = kernel.ir.params[0];
  return param?.kind === "pointer" && param.type.pointer === "f32" ? "f32" : "i32";
}

/** Elements: few enough that the reference engine takes no second, enough blocks for the GPU to show a time. */
export function programLaunches(count: number): readonly ProgramLaunch[] {
  const { divergent, nonDivergent, sequential, firstAdd, lastWarpSync, ex03v1, ex03v2, ex03v3 } = labs;
  return [
    ...[divergent, nonDivergent, sequential].map((kernel) => reduction(kernel as Kernel, count, 256, 1)),
    ...[firstAdd, lastWarpSync].map((kernel) => reduction(kernel as Kernel, count, 256, 2)),
    ...[ex03v1, ex03v2, ex03v3].map((kernel) => reduction(kernel as Kernel, count, 256, 1)),
  ];
}

/** The launch's arrays after a run on `engine`. */
export function simulated(
  { kernel, launch, args }: ProgramLaunch,
  engine: Engine,
): Readonly<Record<string, HostArray>> {
  const program = lower(kernel.ir, { computeCapability: { major: 9, minor: 0 }, contractFma: true });
  const given = Object.fromEntries(
    Object.entries(args).map(([name, value]) => {
      if (typeof value !== "object") return [name, value];
      if (!("data" in value)) throw new Error(`${name} has no data of its own`);
      const { data } = value;
      return [name, "values" in data ? data.values : lcgValues(elementOf(kernel), data.length, SEED)];
    }),
  );
  const { grid, block, dynamicSharedBytes = 0 } = launch;
  const executed = execute(program, { grid, block, dynamicSharedBytes, args: given, engine });
  return { output: executed.read<HostArray>("output") };
}

/** The whole .cu with what the simulator left as the expected values. */
export function programText(one: ProgramLaunch, engine: Engine): string {
  const { output } = simulated(one, engine);
  const { output: before } = one.args;
  if (typeof before !== "object" || !("data" in before) || output === undefined)
    throw new Error(`${one.name} has no output`);
  return toCudaProgram(one.kernel.ir, one.launch, { ...one.args, output: { ...before, expected: output } });
}
