/**
 * One launch, from the kernel to its result: the configuration is checked as CUDA does, the arguments are bound, every
 * block runs exactly. The time is predicted when it is first read.
 */
import { InputError, KernelFault, LaunchError } from "../base/errors.js";
import { anything, boolean, checkOptions, type Fields, oneOf, optional, positive, type Shape } from "../base/shape.js";
import { shown } from "../base/shown.js";
import { checkLaunch, type DeviceSpec, occupancy } from "../device/index.js";
import { LaunchBudget } from "../engine/budget.js";
import type { Dim3, Observer, PreparedLaunch } from "../engine/engine.js";
import type { GrowableDeviceMemory } from "../engine/memory.js";
import { PrintfBuffer } from "../engine/printf-buffer.js";
import { createReferenceEngine, type ReferenceEngine } from "../engine/reference/index.js";
import { RunWarnings } from "../engine/run-warning.js";
import type { Kernel } from "../frontend/index.js";
import type { Program } from "../lower/program.js";
import { countEvents } from "../profile/counters.js";
import { expectedWavefronts } from "../profile/fill-collisions.js";
import { deriveMetrics } from "../profile/metrics.js";
import { predictLaunch, recordSm, sampleStalls } from "../timing/index.js";
import type { BufferOwner } from "./buffer.js";
import { LaunchTree, launchesChildren } from "./children/child-grids.js";
import { warpsOf } from "./children/child-spending.js";
import type { DeviceLimits } from "./children/device-limits.js";
import { bindArguments, type LaunchArguments } from "./launch-arguments.js";
import { type LaunchResult, shownLaunch } from "./launch-result.js";
import { engineSchedule, type LaunchSchedule, scheduleShape } from "./launch-schedule.js";
import { launchWarnings, lostPrints } from "./launch-warning.js";
import { type LaunchWatcher, launchWatcher } from "./launch-watcher.js";
import { holdPrintf, takePrintf } from "./printf-output.js";
import { checkStaticShared } from "./static-shared.js";
import type { StreamKey } from "./streams/stream-key.js";
import { predictInput, predictTime, programFor, readyFor, runEveryBlock } from "./timed-launch.js";

/** A grid's or block's size: a number is x alone. */
export type Extent = number | readonly [x: number, y?: number, z?: number];

export interface LaunchConfig {
  readonly grid: Extent;
  readonly block: Extent;
  /** Dynamic shared memory a block, in bytes: the third value between CUDA's chevrons. Default 0. */
  readonly sharedBytes?: number;
  /**
   * Dynamic shared memory that the kernel opts in to beyond the usual 48 KiB a block
   * (cudaFuncAttributeMaxDynamicSharedMemorySize), in bytes.
   */
  readonly sharedOptInBytes?: number;
  /** Whether the data is in L2 when the launch starts; "cold" unless told otherwise. */
  readonly cache?: "cold" | "warm";
  /**
   * "default": deterministic. `{ seed }`: another legal order of lanes, warps and blocks, the same for the same seed, and
   * slower. It shows results that are right by luck. Values that CUDA does not promise are garbage: memory of a block that
   * nobody has written, lanes that take no part in a shuffle. `{ hold }`: the default order, but some threads wait before an
   * instruction until nobody else of their block can go on. `{ children: "early" }`: the default order, but child grids run
   * where they are launched. Unless told they run late: when their block waits, or after all blocks.
   */
  readonly schedule?: LaunchSchedule;
  /** nvcc's -G: code that is not optimised, for a debugger. It has more instructions and branches. Default false. */
  readonly debug?: boolean;
  /**
   * The launch with all its child grids may run for so many milliseconds of the host's clock; no limit unless given. Where it is
   * passed, a KernelFault `cudaErrorLaunchTimeout` is thrown. For those who run kernels of others.
   */
  readonly timeLimitMs?: number;
}

export interface LaunchSite {
  readonly device: DeviceSpec;
  readonly owner: BufferOwner;
  readonly memory: GrowableDeviceMemory;
  readonly limits: DeviceLimits;
  /** The stream that the launch goes to. */
  readonly stream: StreamKey;
  readonly options: {
    readonly contractFma: boolean;
    /** Warp instructions: of the launch with its child grids, and of one warp. */
    readonly stepLimit: number;
    readonly warpStepLimit: number;
    readonly printfBytes: number;
  };
}

const extent: Shape = {
  words: "a number or up to three, such as 64 or [16, 4]",
  problem(value, at) {
    if (typeof value === "number" || (Array.isArray(value) && value.length >= 1 && value.length <= 3)) return null;
    const given = value === undefined ? "missing" : shown(value);
    const what = Array.isArray(value) ? `${at} has ${value.length} dimensions` : `${at} is ${given}`;
    return { what, cure: `Give a number or up to three, such as ${at}: 64 or ${at}: [16, 4].` };
  },
};

/** Sizes are checked as CUDA checks them. */
const CONFIG: Fields<LaunchConfig> = {
  grid: extent,
  block: extent,
  sharedBytes: optional(anything),
  sharedOptInBytes: optional(anything),
  cache: optional(oneOf("cold", "warm")),
  schedule: optional(scheduleShape),
  debug: optional(boolean),
  timeLimitMs: optional(positive),
};

/** A misspelt word and a wrong value are refused. @throws InputError */
export function checkConfig({ name }: Kernel, config: LaunchConfig): void {
  checkOptions(`Launch of kernel ${name}`, config, CONFIG);
}

function dim3(extent: Extent): Dim3 {
  if (typeof extent === "number") return [extent, 1, 1];
  return [extent[0], extent[1] ?? 1, extent[2] ?? 1];
}

interface Prepared {
  readonly launch: PreparedLaunch;
  /** Milliseconds that the lowering took. */
  readonly compileMs: number;
}

/** Lowers the kernel, checks the configuration as CUDA does and binds the arguments. Runs nothing. */
export function prepareLaunch(
  site: LaunchSite,
  kernel: Kernel,
  config: LaunchConfig,
  given: LaunchArguments,
): Prepared {
  const { device, options } = site;
  checkConfig(kernel, config);
  const budget = new LaunchBudget(options.stepLimit, config.timeLimitMs ?? null);
  const grid = dim3(config.grid);
  const block = dim3(config.block);
  const dynamicSharedBytes = config.sharedBytes ?? 0;
  const start = performance.now();
  const program = programFor(kernel.ir, device, options.contractFma, config.debug === true);
  const compileMs = performance.now() - start;
  checkStaticShared(device, program);
  const shape = shapeOf(program, grid, block, dynamicSharedBytes);
  const { sharedOptInBytes } = config;
  checkLaunch(device, sharedOptInBytes === undefined ? shape : { ...shape, dynamicSharedOptInBytes: sharedOptInBytes });
  if (program.usesDynamicShared && dynamicSharedBytes === 0) {
    throw new InputError({
      what: `Kernel ${program.name} uses dynamic shared memory (externShared), but the launch gives it 0 bytes.`,
      cure: "Add sharedBytes to the launch's configuration: threads per block times the bytes of an element.",
    });
  }
  checkWarps(program, { grid, block }, budget);
  const launch = readyFor(device, {
    program,
    grid,
    block,
    dynamicSharedBytes,
    args: bindArguments(program.name, program.params, given, site.owner),
    memory: site.memory,
    stepLimit: options.warpStepLimit,
    budget,
    printfBytes: options.printfBytes,
  });
  return { launch, compileMs };
}

/** A warp issues an instruction at least: a grid of more warps need not be tried. */
function checkWarps(
  { name }: Program,
  shape: Pick<PreparedLaunch, "grid" | "block">,
  { stepLimit }: LaunchBudget,
): void {
  const warps = warpsOf(shape);
  if (warps <= stepLimit) return;
  throw new LaunchError("cudaErrorLaunchTimeout", {
    what: `Kernel ${name}: the grid has ${warps} warps, but the launch may issue ${stepLimit} warp instructions.`,
    cure: "Launch fewer threads, each of which does more, or raise the GPU's limit: new Gpu(id, { stepLimit }).",
  });
}

/** The launch as CUDA's checks and the occupancy calculator take it. */
function shapeOf(program: Program, grid: Dim3, block: Dim3, dynamicSharedBytes: number) {
  return {
    kernel: program.name,
    grid,
    block,
    dynamicSharedBytes,
    staticSharedBytes: program.staticSharedBytes,
    registersPerThread: program.registersPerThread,
    cooperative: program.cooperative,
  };
}

/** Many launches are made for their values alone: a check of an answer reads the time of one in thirty. */
function whenAsked<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The engines that a schedule chooses: null where the fastest runs all that is not observed. */
export function enginesOf(
  program: Program,
  schedule: LaunchConfig["schedule"],
  watcher: LaunchWatcher | null,
): {
  readonly observed: (observer: Observer) => ReferenceEngine;
  readonly plain: ReferenceEngine | null;
  readonly schedule: LaunchSchedule;
  /** The blocks of a grid run by turns. */
  readonly mixed: boolean;
} {
  const asked =
    schedule === undefined || schedule === "default" ? (watcher?.scheduleOf(program) ?? "default") : schedule;
  const chosen = engineSchedule(program.name, asked);
  return {
    schedule: asked,
    mixed: chosen.kind === "adversarial",
    observed: (observer) => createReferenceEngine({ observer, schedule: chosen }),
    plain: asked === "default" && watcher === null ? null : createReferenceEngine({ schedule: chosen }),
  };
}

/** Runs the launch and tells the watcher how it ended. */
function watched<T>(
  watcher: LaunchWatcher | null,
  launch: PreparedLaunch,
  warnings: RunWarnings,
  tree: LaunchTree | null,
  run: () => T,
): T {
  const end = (fault: KernelFault | null): void =>
    watcher?.end(launch, [...(tree?.warnings ?? []), ...warnings.list], fault);
  try {
    const result = run();
    end(null);
    return result;
  } catch (error) {
    if (error instanceof KernelFault) end(error);
    throw error;
  }
}

/** Throws CompileError, LaunchError, InputError or KernelFault; the memory then holds what was written before. */
export function runLaunch(
  site: LaunchSite,
  kernel: Kernel,
  config: LaunchConfig,
  given: LaunchArguments,
): LaunchResult {
  const { device, options } = site;
  const { launch: unwatched, compileMs } = prepareLaunch(site, kernel, config, given);
  const warnings = new RunWarnings();
  const watcher = launchWatcher();
  const accesses = watcher?.begin(unwatched, site.owner, site.stream) ?? null;
  const alone: PreparedLaunch = { ...unwatched, watch: warnings, ...(accesses === null ? {} : { accesses }) };
  const { program, grid, block, dynamicSharedBytes } = alone;
  const compiled = performance.now();
  const optIn = config.sharedOptInBytes === undefined ? {} : { dynamicSharedOptInBytes: config.sharedOptInBytes };
  const { registersPerThread, staticSharedBytes } = program;
  const threadsPerBlock = block[0] * block[1] * block[2];
  const resident = occupancy(device, {
    threadsPerBlock,
    registersPerThread,
    staticSharedBytes,
    dynamicSharedBytes,
    ...optIn,
  });
  const engines = enginesOf(program, config.schedule, watcher);
  const tree = launchesChildren(program) ? new LaunchTree(alone, { device, limits: site.limits, ...engines }) : null;
  const { run, printed } = watched(watcher, unwatched, warnings, tree, () => {
    const ran = runEveryBlock(tree === null ? alone : { ...alone, children: tree.root }, {
      places: { smCount: device.smCount, residentBlocks: resident.activeBlocksPerSm },
      observed: engines.observed,
      ...(engines.plain === null ? {} : { plain: engines.plain }),
      mixed: engines.mixed,
      whole: engines.plain !== null || tree !== null,
      blocks: engines.plain !== null ? "none" : tree !== null ? "work" : "last",
    });
    if (tree === null) return { run: ran, printed: ran };
    const all = new PrintfBuffer(alone.printfBytes);
    all.append(ran);
    all.append(tree.finish());
    return { run: ran, printed: all.result };
  });
  const runMs = performance.now() - compiled;
  holdPrintf(site.owner, printed.printed);
  const counters = countEvents(program, run.counters);
  const cache = config.cache ?? "cold";
  const samples = whenAsked(() => sampleStalls(predictInput(device, run, cache)));
  const predicted = whenAsked(() => {
    const asked = performance.now();
    const time = predictTime(device, run, cache);
    const children = tree?.result() ?? null;
    return { time, children, timingMs: performance.now() - asked };
  });
  const result: LaunchResult = {
    kernel: program.name,
    device,
    grid,
    block,
    dynamicSharedBytes,
    registersPerThread: program.registersPerThread,
    staticSharedBytes: program.staticSharedBytes,
    occupancy: resident,
    counters,
    metrics: deriveMetrics(counters, device),
    get expectedWavefronts() {
      const { cycles } = predicted().time;
      return expectedWavefronts(counters, cycles, Math.min(device.smCount, counters.blocks));
    },
    get expectedWarpInstructions() {
      return counters.warpInstructions * (1 + predicted().time.repeatedShare);
    },
    get timeMs() {
      return predicted().time.timeMs + (predicted().children?.timeMs ?? 0);
    },
    get time() {
      return predicted().time;
    },
    get children() {
      return predicted().children;
    },
    cache,
    get printed() {
      return takePrintf(site.owner, printed.printed);
    },
    warnings: launchWarnings(program, [
      ...(tree?.warnings ?? []),
      ...warnings.list,
      ...lostPrints(program, printed.lost, options.printfBytes),
    ]),
    program,
    rawCounters: run.counters,
    get stallSamples() {
      return samples();
    },
    blockInstructions: run.known.work ?? null,
    timeIf: (change) => predictLaunch(change(predictInput(device, run, cache))),
    recordWarps: (cycles, mostBlocks) => recordSm(predictInput(device, run, cache), cycles, mostBlocks ?? null),
    get hostMs() {
      return { compile: compileMs, run: runMs, timing: predicted().timingMs };
    },
  };
  return shownLaunch(result, printed.printed.length);
}
