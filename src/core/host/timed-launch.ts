/**
 * One launch with its time, the same for learners' launches, child grids, measured launches and benchmarks. A kernel is
 * lowered for the device and readied for its engines. They run every block, or a sample, while sampled blocks are traced.
 * The prediction starts from the traces.
 */

import { KernelFault } from "../base/errors.js";
import { generationOf } from "../device/gpus/capability.js";
import { type DeviceSpec, occupancyOfLaunch } from "../device/index.js";
import {
  createBlockWork,
  createRawCounters,
  type Engine,
  type Observer,
  type PreparedLaunch,
  type PrintfRecord,
  type RawCounters,
} from "../engine/engine.js";
import { keepWritten, mayWaitForBlocks } from "../engine/fast/index.js";
import { PrintfBuffer } from "../engine/printf-buffer.js";
import { createReferenceEngine, type ReferenceEngine } from "../engine/reference/index.js";
import type { KernelIr } from "../ir/ir.js";
import { lower } from "../lower/lower.js";
import type { Program } from "../lower/program.js";
import {
  createTraceRecorder,
  type LaunchTime,
  type LaunchTraces,
  type PredictInput,
  predictLaunch,
  type SmPlaces,
  sampleAhead,
  sampleBlocks,
} from "../timing/index.js";
import { plainEngine } from "./engines.js";
import { runSampled, runWhole, sampling } from "./sampled-run.js";
import { traceBlock, traceFurther } from "./trace-block.js";

/** Lowers a kernel for the device, without a cache. */
export function lowerFor(
  kernel: KernelIr,
  device: DeviceSpec,
  contractFma: boolean = true,
  debug: boolean = false,
): Program {
  return lower(kernel, { computeCapability: device.computeCapability, contractFma, debug });
}

const programs: WeakMap<KernelIr, Map<string, Program>> = new WeakMap();

/** The program of a kernel for a device, lowered once for each compute capability. */
export function programFor(
  kernel: KernelIr,
  device: DeviceSpec,
  contractFma: boolean = true,
  debug: boolean = false,
): Program {
  const { major, minor } = device.computeCapability;
  const key = `${major}.${minor}${contractFma ? "" : " -fmad=false"}${debug ? " -G" : ""}`;
  const byTarget = programs.get(kernel) ?? new Map<string, Program>();
  programs.set(kernel, byTarget);
  const program = byTarget.get(key) ?? lowerFor(kernel, device, contractFma, debug);
  byTarget.set(key, program);
  return program;
}

/** The parts of a prepared launch that do not follow from its device. */
export type LaunchParts = Omit<PreparedLaunch, "sharedBanks" | "lockstep" | "residentBlocks">;

/** Blocks of the launch that the device holds at a time. */
export function residentBlocks(device: DeviceSpec, launch: Parameters<typeof occupancyOfLaunch>[1]): number {
  return Math.max(1, occupancyOfLaunch(device, launch).activeBlocksPerSm * device.smCount);
}

export function readyFor(device: DeviceSpec, launch: LaunchParts): PreparedLaunch {
  return {
    ...launch,
    residentBlocks: residentBlocks(device, launch),
    sharedBanks: device.sharedMemory.banks,
    lockstep: !generationOf(device.computeCapability).independentThreads,
  };
}

type Shape = Pick<PreparedLaunch, "program" | "grid" | "block" | "dynamicSharedBytes">;

/** A launch after its run, with everything that a prediction takes. It does not hold the launch's memory. */
export interface TracedLaunch extends Shape {
  readonly traces: LaunchTraces;
  /** Counters of the blocks that ran. */
  readonly counters: RawCounters;
  readonly printed: readonly PrintfRecord[];
  /** Records before them that the printf buffer has dropped. */
  readonly lost: number;
  /** Facts about all blocks of the grid; empty where only a sample ran. */
  readonly known: Pick<PredictInput, "counters" | "work" | "lastSms">;
}

function shapeOf({ program, grid, block, dynamicSharedBytes }: PreparedLaunch): Shape {
  return { program, grid, block, dynamicSharedBytes };
}

export interface RunChoices {
  /** The SMs that take the blocks, for how much of a long block is traced. */
  readonly places?: SmPlaces;
  /** Runs all that is not observed; the fastest engine by default. */
  readonly plain?: Engine;
  /** Makes the engine of observed blocks; the reference engine in the default schedule by default. */
  readonly observed?: (observer: Observer) => ReferenceEngine;
  /** All blocks run in the observed engine, which mixes them. */
  readonly mixed?: boolean;
  /** Sampled blocks run to their end in the observed engine. */
  readonly whole?: boolean;
  /** Knowledge of single blocks: none, the work of each (default), or also traces of those that end last (with `places`). */
  readonly blocks?: "none" | "work" | "last";
}

const observeByDefault = (observer: Observer): ReferenceEngine => createReferenceEngine({ observer });

/**
 * Runs every block, and traces a sample. Blocks run one after the other, the observed ones apart from the rest. They run in
 * one engine, which holds those that wait, where they do so or are to be mixed. Throws KernelFault.
 */
export function runEveryBlock(launch: PreparedLaunch, choices: RunChoices = {}): TracedLaunch {
  const { program, grid } = launch;
  const mayWait = grid[0] * grid[1] * grid[2] > 1 && mayWaitForBlocks(program);
  if (program.cooperative || choices.mixed === true || (mayWait && choices.whole === true)) {
    return runTogether(launch, choices);
  }
  if (!mayWait) return runInTurn(launch, choices);
  const undo = keepWritten(launch);
  try {
    return runInTurn(launch, choices);
  } catch (error) {
    if (!(error instanceof KernelFault && error.code === "cudaErrorLaunchTimeout")) throw error;
    undo();
    return runTogether(launch, choices);
  }
}

function runInTurn(launch: PreparedLaunch, choices: RunChoices): TracedLaunch {
  const { places, plain = plainEngine(launch), whole = false, observed = observeByDefault, blocks = "work" } = choices;
  const recorder = createTraceRecorder(launch.program, places);
  const tracing = observed(recorder);
  const engines = { plain, observed: () => tracing, whole };
  const { counters, printed, lost, work } = runSampled(launch, engines, sampleBlocks(launch, recorder), recorder);
  let known: TracedLaunch["known"] = { counters };
  if (work !== null && blocks !== "none") {
    const last = blocks === "last" && places !== undefined;
    known = { counters, ...(last ? traceFurther(launch, work, tracing, recorder, places) : { work }) };
  }
  return { ...shapeOf(launch), traces: recorder.traces(), counters, printed, lost, known };
}

/** All blocks in the observed engine. Those of a cooperative launch are all traced. */
function runTogether(
  launch: PreparedLaunch,
  { places, observed = observeByDefault, blocks = "work" }: RunChoices,
): TracedLaunch {
  const { program, grid } = launch;
  const recorder = createTraceRecorder(program, places);
  const engine = observed(program.cooperative ? recorder : sampling(recorder, sampleAhead(launch)));
  const lists = !program.cooperative && blocks !== "none";
  const listed = lists ? createBlockWork(grid[0] * grid[1] * grid[2]) : null;
  const { counters, printed, lost, work } = runWhole(launch, engine, listed);
  const known = work === null ? { counters } : { counters, work };
  return { ...shapeOf(launch), traces: recorder.traces(), counters, printed, lost, known };
}

export interface SampledLaunch extends TracedLaunch {
  /** Warp instructions of each block that ran. */
  readonly instructions: readonly number[];
}

/** Runs and traces a sample of the blocks alone, or the given ones. Throws KernelFault. */
export function runSample(launch: PreparedLaunch, places?: SmPlaces, blocks?: Iterable<number>): SampledLaunch {
  const recorder = createTraceRecorder(launch.program, places);
  const engines = { plain: plainEngine(launch), observed: observeByDefault(recorder), recorder };
  const counters = createRawCounters(launch.program);
  const printed = new PrintfBuffer(launch.printfBytes);
  const instructions: number[] = [];
  for (const block of blocks ?? sampleBlocks(launch, recorder)) {
    const before = recorder.instructions;
    printed.append(traceBlock(launch, block, engines, counters));
    instructions.push(recorder.instructions - before);
  }
  return { ...shapeOf(launch), traces: recorder.traces(), counters, ...printed.result, known: {}, instructions };
}

/** All that the timing model takes of a launch that has run. */
export function predictInput(
  device: DeviceSpec,
  { program, grid, block, dynamicSharedBytes, traces, known }: TracedLaunch,
  cacheState: PredictInput["cacheState"],
): PredictInput {
  return { device, program, grid, block, dynamicSharedBytes, traces, ...known, cacheState };
}

/** The time of a launch that has run. */
export function predictTime(
  device: DeviceSpec,
  launch: TracedLaunch,
  cacheState: PredictInput["cacheState"],
  simulateAll?: PredictInput["simulateAll"],
): LaunchTime {
  const input = predictInput(device, launch, cacheState);
  return predictLaunch(simulateAll === undefined ? input : { ...input, simulateAll });
}
