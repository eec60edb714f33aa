/**
 * Simulates one measured launch. Where the blocks are alike, those that the timing model traces run alone, and their counts
 * are scaled to the grid. Every block runs where blocks differ, where one asks what others have done, or for `exact`.
 */
import { InputError } from "../../../core/base/errors.js";
import { atClock, type DeviceSpec, deviceById, occupancyOfLaunch } from "../../../core/device/index.js";
import type { Argument, PreparedLaunch } from "../../../core/engine/engine.js";
import {
  lowerFor,
  predictTime,
  readyFor,
  runEveryBlock,
  runSample,
  type TracedLaunch,
} from "../../../core/host/timed-launch.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import type { Program } from "../../../core/lower/program.js";
import { countEvents } from "../../../core/profile/counters.js";
import { deriveMetrics } from "../../../core/profile/metrics.js";
import { DIFFERING_SPREAD, type LaunchTime, type SmPlaces, spreadOf } from "../../../core/timing/index.js";
import { dominantOf, type LaunchNumbers } from "../compared-numbers.js";
import type { ArrayName, ValidationArrays } from "../measured-arrays.js";
import type { MeasuredLaunch, MeasuringConditions } from "../measured-table.js";

export interface SimulatedLaunch {
  readonly numbers: LaunchNumbers;
  readonly time: LaunchTime;
}

type Launched = Omit<MeasuredLaunch, "cache" | "measured">;

const STEP_LIMIT = 1e8;

function argumentsOf(program: Program, launch: Launched, arrays: ValidationArrays): readonly Argument[] {
  if (program.params.length !== launch.args.length) {
    throw new InputError({
      what: `${launch.id}: ${launch.args.length} arguments for the ${program.params.length} parameters of ${program.name}.`,
      cure: "Give one argument a parameter.",
    });
  }
  return launch.args.map((value, index) => {
    const param = program.params[index];
    if (typeof value === "string") return arrays.place(value);
    return param?.kind === "scalar" && (param.type === "i64" || param.type === "u64") ? BigInt(value) : value;
  });
}

/** The arrays that a launch reads and those that it writes. */
function accessed(program: Program, { args }: Launched): { readonly read: ArrayName[]; readonly written: ArrayName[] } {
  const [read, written]: [ArrayName[], ArrayName[]] = [[], []];
  for (const { op, root } of program.instructions) {
    const array = root?.kind === "param" ? args[root.index] : undefined;
    if (typeof array !== "string") continue;
    if (op === "ld" || op === "atom") read.push(array);
    if (op === "st" || op === "atom") written.push(array);
  }
  return { read, written };
}

/** An atomic's old value tells a block how far the others are: one of them alone may see that it is the last. */
function asksOthers({ instructions }: Program): boolean {
  return instructions.some(({ op, space, dst }) => op === "atom" && space === "global" && dst.length > 0);
}

/** Runs the blocks of a sample; null if they differ. */
function executeSample(prepared: PreparedLaunch, places: SmPlaces): TracedLaunch | null {
  const run = runSample(prepared, places);
  return spreadOf(run.instructions).spread > DIFFERING_SPREAD ? null : run;
}

export class LaunchSimulator {
  readonly #arrays: ValidationArrays;
  readonly #exact: boolean;
  /** Kept, so that a launch that is compared cold and warm runs once. */
  readonly #ran = new Map<KernelIr, Map<string, TracedLaunch>>();

  constructor(arrays: ValidationArrays, exact: boolean) {
    this.#arrays = arrays;
    this.#exact = exact;
  }

  simulate(
    launch: MeasuredLaunch,
    deviceId: string,
    { clockMHz, timerMicroseconds }: MeasuringConditions,
  ): SimulatedLaunch {
    const known = deviceById(deviceId);
    const device = clockMHz === null ? known : atClock(known, clockMHz);
    const time = this.#time(launch, device, launch.cache);
    const numbers = numbersOf(launch, device, this.#run(launch, device), time);
    const { backToBackMicroseconds, emptyKernelDurationMicroseconds } = device.launch;
    const behind = (launch.further ?? []).map(
      (next) =>
        this.#time(next, device, "warm").durationMicroseconds +
        backToBackMicroseconds -
        emptyKernelDurationMicroseconds,
    );
    const beyond = [timerMicroseconds, ...behind].reduce((sum, each) => sum + each);
    return { time, numbers: { ...numbers, timeMs: time.timeMs + beyond / 1000 } };
  }

  #time(launch: Launched, device: DeviceSpec, cacheState: MeasuredLaunch["cache"]): LaunchTime {
    return predictTime(device, this.#run(launch, device), cacheState);
  }

  #run(launch: Launched, device: DeviceSpec): TracedLaunch {
    const key = JSON.stringify([device.id, launch.grid, launch.block, launch.dynamicSharedBytes, launch.args]);
    const known = this.#ran.get(launch.kernel) ?? new Map<string, TracedLaunch>();
    this.#ran.set(launch.kernel, known);
    const before = known.get(key);
    if (before !== undefined) return before;
    const program = lowerFor(launch.kernel, device);
    const prepared = readyFor(device, {
      program,
      grid: launch.grid,
      block: launch.block,
      dynamicSharedBytes: launch.dynamicSharedBytes,
      args: argumentsOf(program, launch, this.#arrays),
      memory: this.#arrays.memory,
      stepLimit: STEP_LIMIT,
    });
    const { read, written } = accessed(program, launch);
    this.#arrays.restore(read, written);
    const places = { smCount: device.smCount, residentBlocks: occupancyOfLaunch(device, prepared).activeBlocksPerSm };
    const all = this.#exact || launch.exact === true || asksOthers(program);
    const sampled = all ? null : executeSample(prepared, places);
    if (sampled === null) this.#arrays.restore(read, written);
    const ran = sampled ?? runEveryBlock(prepared, { places, blocks: "last" });
    known.set(key, ran);
    return ran;
  }
}

function numbersOf(
  launch: MeasuredLaunch,
  device: DeviceSpec,
  { program, counters: raw }: TracedLaunch,
  time: LaunchTime,
): LaunchNumbers {
  const counters = countEvents(program, raw);
  const metrics = deriveMetrics(counters, device);
  const repeated = 1 + time.repeatedShare;
  const scale = (launch.grid[0] * launch.grid[1] * launch.grid[2]) / raw.blocks;
  return {
    timeMs: time.timeMs,
    durationMicroseconds: time.durationMicroseconds,
    cyclesActive: time.cycles,
    warpInstructions: counters.warpInstructions * scale * repeated,
    instructionsPerWarp: metrics.instructionsPerWarp * repeated,
    achievedOccupancyPercent: time.achievedOccupancyPercent,
    registersPerThread: program.registersPerThread,
    branchEfficiencyPercent: metrics.branchEfficiencyPercent,
    globalLoadEfficiencyPercent: metrics.globalLoadEfficiencyPercent,
    globalStoreEfficiencyPercent: metrics.globalStoreEfficiencyPercent,
    globalLoadSectors: counters.globalLoadSectors * scale,
    globalStoreSectors: counters.globalStoreSectors * scale,
    sharedWavefronts: (counters.sharedLoadWavefronts + counters.sharedStoreWavefronts) * scale,
    l1HitRatePercent: time.l1HitRatePercent,
    l2HitRatePercent: time.l2HitRatePercent,
    dramBytesRead: time.dramBytesRead,
    dramBytesWritten: time.dramBytesWritten,
    dominantStall: dominantOf(time.stalls),
    stalls: time.stalls,
  };
}
