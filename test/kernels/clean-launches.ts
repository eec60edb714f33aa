/** Launches of the documents' kernels that are right, for tests that nothing warns of them. */

import { f32, i32, type Kernel } from "../../src/core/frontend/index.js";
import type { Gpu } from "../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../src/core/host/launch.js";
import type { LaunchArgument } from "../../src/core/host/launch-arguments.js";
import type { LaunchResult } from "../../src/core/host/launch-result.js";
import { type ReductionVersion, reductionShape } from "../../src/course/reductions/reductions.js";
import * as day37 from "./day37.js";
import * as labs from "./labs.js";
import * as notes from "./notes.js";
import * as examples from "./warp-examples.js";

type Configured = Pick<LaunchConfig, "schedule">;

export interface CleanLaunch {
  readonly name: string;
  readonly devices: readonly string[];
  /** A last warp that counts on lockstep: right before compute capability 7.0, a race from there on. */
  readonly lockstep: boolean;
  readonly launch: (gpu: Gpu, configured: Configured) => LaunchResult;
}

const SHUFFLING: readonly string[] = ["v100", "h200"];
const EVERY: readonly string[] = ["m2070", ...SHUFFLING];

/** Arrays by their lengths: inputs hold data, outputs zeros. */
function launched(
  kernel: Kernel,
  config: LaunchConfig,
  lengths: Readonly<Record<string, number>>,
  sizes: Readonly<Record<string, number>> = {},
  devices: readonly string[] = EVERY,
  lockstep = false,
): CleanLaunch {
  const launch: CleanLaunch["launch"] = (gpu, configured) => {
    const args: Record<string, LaunchArgument> = { ...sizes };
    for (const param of kernel.ir.params) {
      const length = lengths[param.name];
      if (param.kind !== "pointer" || length === undefined) continue;
      const output = param.name === "output" || param.name === "temp";
      const data = Array.from({ length }, (_, i) => (output ? 0 : (i * 7919) % 101));
      args[param.name] = gpu.upload(param.type.pointer === f32.type ? Float32Array.from(data) : Int32Array.from(data));
    }
    const result = gpu.launch(kernel, { ...config, ...configured }, args);
    for (const each of Object.values(args)) if (typeof each === "object") each.free();
    return result;
  };
  return { name: kernel.name, devices, lockstep, launch };
}

/** A version of a reduction over n elements, zeros behind them. */
export function reducing(version: ReductionVersion, n: number, block: number): CleanLaunch["launch"] {
  return (gpu, configured) => {
    const { blocks, paddedLength } = reductionShape(version, n, block);
    const ints = version.element === "i32";
    const input = gpu.alloc(ints ? i32 : f32, paddedLength).fill(0);
    const data = Array.from({ length: n }, (_, i) => (i * 7919) % 101);
    input.write(ints ? Int32Array.from(data) : Float32Array.from(data));
    const output = gpu.alloc(ints ? i32 : f32, blocks);
    const size = version.guarded ? { n } : version.takesPaddedSize === true ? { n: paddedLength } : {};
    const config = { grid: blocks, block, sharedBytes: 4 * block, ...configured };
    const result = gpu.launch(version.kernelFor?.(block) ?? version.kernel, config, { input, output, ...size });
    input.free();
    output.free();
    return result;
  };
}

const guarded = (kernel: Kernel, block: number, grid: number, devices: readonly string[]): CleanLaunch =>
  launched(kernel, { grid, block }, { input: 1111, output: grid + 2 }, { n: 1111 }, devices);

const oneWarp = (kernel: Kernel): CleanLaunch =>
  launched(kernel, { grid: 1, block: 32 }, { input: 32, segment: 32, output: 32 }, {}, SHUFFLING);

/** The notes' reductions over whole blocks, in global memory. */
const inPlace = (kernel: Kernel, dataBlocks: number, lockstep = false): CleanLaunch => {
  const size = 5 * 128 * dataBlocks;
  return launched(kernel, { grid: 5, block: 128 }, { input: size, temp: 5 }, { size }, EVERY, lockstep);
};

const lab = (kernel: Kernel, dataBlocks: number, lockstep = false): CleanLaunch => {
  const length = 3 * 128 * dataBlocks;
  return launched(
    kernel,
    { grid: 3, block: 128, sharedBytes: 512 },
    { input: length, output: 3 },
    kernel.ir.params.some(({ name }) => name === "n") ? { n: length } : {},
    EVERY,
    lockstep,
  );
};

const sums = { a: 128, b: 128, c: 128 };

export const cleanLaunches: readonly CleanLaunch[] = [
  guarded(examples.sharedMemoryReduction, 256, 5, EVERY),
  guarded(examples.warpShuffleReduction, 96, 12, SHUFFLING),
  guarded(examples.multipleReductions, 256, 1, SHUFFLING),
  guarded(examples.gridWideReduction, 256, 5, SHUFFLING),
  guarded(examples.aggregatedAtomics, 256, 5, SHUFFLING),
  guarded(examples.plainAtomics, 256, 5, EVERY),
  guarded(examples.cooperativeReduction, 128, 9, SHUFFLING),
  oneWarp(examples.singleWarpReduction),
  oneWarp(examples.shuffleUpScan),
  oneWarp(examples.segmentedScan),
  launched(day37.warpReductionExample, { grid: 1, block: 96 }, { input: 96, output: 3 }, {}, SHUFFLING),
  inPlace(notes.neighbored, 1),
  inPlace(notes.neighboredImproved, 1),
  inPlace(notes.interleaved, 1),
  inPlace(notes.unrollingBlocks2, 2),
  inPlace(notes.unrollingBlocks4, 4),
  inPlace(notes.warpUnrolling, 1, true),
  inPlace(notes.completeUnrolling, 1, true),
  launched(notes.add, { grid: 2, block: 64 }, sums),
  launched(notes.addWithWarpIndex, { grid: 2, block: 64 }, sums),
  launched(notes.printDetailsOfWarps, { grid: [2, 2], block: 42 }, {}),
  launched(notes.codeWithoutDivergence, { grid: 2, block: 64 }, {}),
  launched(notes.divergenceCode, { grid: 2, block: 64 }, {}),
  launched(notes.dynamicParallelismCheck, { grid: 1, block: 4 }, {}, { size: 4, depth: 0 }, ["v100"]),
  lab(labs.divergent, 1),
  lab(labs.nonDivergent, 1),
  lab(labs.sequential, 1),
  lab(labs.firstAdd, 2),
  lab(labs.lastWarp, 2, true),
  lab(labs.lastWarpSync, 2),
  lab(labs.ex03v1, 1),
  lab(labs.ex03v2, 1),
  lab(labs.ex03v3, 2),
  lab(labs.ex03v4, 2, true),
  lab(labs.ex03v5, 2, true),
];
