/**
 * The child grids of one launch (dynamic parallelism). They run in the order that engine.ts names; counters and times are
 * kept for the whole tree.
 *
 * The pool of pending launches is as on an H200 (test/reference/h200/micro/cdp.json: pending rows). A grid holds a slot
 * until it and the grids that it launches have ended. Launches of one warp follow one another more slowly than
 * their children run, so together they hold one slot. Those of several warps come at once.
 */
import { type DeviceSpec, occupancyOfLaunch } from "../../device/index.js";
import {
  addRawCounters,
  type ChildLaunch,
  createRawCounters,
  type Engine,
  type EngineResult,
  type Observer,
  type PreparedLaunch,
  RAW_COUNTER_ARRAYS,
  type RawCounters,
} from "../../engine/engine.js";
import { coordinates, type FaultSite, syncDepthExceeded } from "../../engine/faults.js";
import { PrintfBuffer } from "../../engine/printf-buffer.js";
import type { ReferenceEngine } from "../../engine/reference/index.js";
import type { Instruction, Program } from "../../lower/program.js";
import type { ProfiledLaunch } from "../../profile/catalog/metric-spec.js";
import { type Counters, countEvents } from "../../profile/counters.js";
import { launches } from "../../profile/launch-shape.js";
import { deriveMetrics, type Metrics } from "../../profile/metrics.js";
import { type ChildBound, childGridSpans, childGridsTime, type LaunchTime } from "../../timing/index.js";
import { childEngine } from "../engines.js";
import type { LaunchSchedule } from "../launch-schedule.js";
import { type LaunchWarning, type LaunchWarningKind, warningAt } from "../launch-warning.js";
import { runWhole } from "../sampled-run.js";
import { predictTime, residentBlocks, runEveryBlock, type TracedLaunch } from "../timed-launch.js";
import { ChildOrder } from "./child-order.js";
import { ChildSpending } from "./child-spending.js";
import type { DeviceLimits } from "./device-limits.js";
import { type LaunchedGrid, launchedGrids } from "./launch-tree.js";
import { DOCUMENTED_DEPTH, type GridTree, type Node, RunningGrid } from "./running-grid.js";

/** All grids of one kernel that the launch's grids have started. */
export interface ChildKernelResult {
  readonly kernel: string;
  readonly grids: number;
  /** Exact, over all blocks of all grids. */
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** Predicted time of these grids by themselves, added up, without what it takes to launch them. */
  readonly microseconds: number;
  /** For metrics: the counters of the mean grid, with the configuration and the predicted time of the first one. */
  readonly meanGrid: ProfiledLaunch;
}

export interface ChildGridsResult {
  /** Grids that grids have started, in all. */
  readonly count: number;
  /** Levels below the launched grid. */
  readonly depth: number;
  readonly kernels: readonly ChildKernelResult[];
  /** Part of the launch's time, in milliseconds: from the end of the launched grid's own work to the end of the last child. */
  readonly timeMs: number;
  /** chain: launches that follow one another; interval: the rate at which the GPU starts child grids; work: the children's. */
  readonly bound: ChildBound;
  /** The launched grid, with all grids below it. Times are predicted when it is first read. */
  readonly tree: LaunchedGrid;
}

export interface TreeOptions {
  readonly device: DeviceSpec;
  /** Engines under the launch's schedule: for what is observed, and null where the fastest will do for the rest. */
  readonly observed: (observer: Observer) => ReferenceEngine;
  readonly plain: Engine | null;
  readonly limits: DeviceLimits;
  readonly schedule: LaunchSchedule;
  readonly mixed: boolean;
}

interface KernelSum {
  /** The first launch. */
  readonly first: ChildLaunch;
  /** The predicted time of the first grid. */
  time: LaunchTime | null;
  grids: number;
  microseconds: number;
  readonly counters: RawCounters;
}

/** Predicted times of grids of one kernel and shape: of the first, second, fourth, ... of them. */
interface Predicted {
  seen: number;
  microseconds: number;
  predictions: number;
}

export function launchesChildren(program: Program): boolean {
  return program.instructions.some(({ op }) => op === "launch");
}

export class LaunchTree implements GridTree {
  readonly warnings: LaunchWarning[] = [];
  /** Places taken in the pool of launches. */
  pending = 0;
  readonly root: RunningGrid;
  readonly order: ChildOrder;
  readonly spending: ChildSpending;
  readonly #kernels: Map<Program, KernelSum> = new Map();
  readonly #predicted: Map<Program, Map<string, Predicted>> = new Map();
  /** Instructions that have been warned of. */
  readonly #warned: Set<Instruction> = new Set();

  /** `launch`: the host's, without `children`, which `root` is. */
  constructor(
    launch: PreparedLaunch,
    readonly options: TreeOptions,
  ) {
    this.order = new ChildOrder(options.schedule);
    this.spending = new ChildSpending(launch.budget ?? null);
    this.root = new RunningGrid(this, launch, 0, {
      microseconds: 0,
      gpuShare: 0,
      launches: [],
      launch: shapeOf(launch),
    });
  }

  /** Runs all that the root's blocks have started and nobody has waited for. */
  finish(): EngineResult {
    return this.run(this.root, this.root.takeAll(), null);
  }

  /** `requests` of `parent`, each with all that it starts, one after the other. */
  run(parent: RunningGrid, requests: readonly ChildLaunch[], wait: string | null): EngineResult {
    const printed = new PrintfBuffer(parent.launch.printfBytes);
    const open = [{ grid: parent, requests, next: 0 }];
    for (;;) {
      const level = open[open.length - 1]!;
      const request = level.requests[level.next];
      if (request === undefined) {
        open.pop();
        const above = open[open.length - 1];
        if (above === undefined) return printed.result;
        above.grid.ended(above.requests[above.next++]!);
        continue;
      }
      const awaited = wait !== null && level.grid === parent;
      const child = this.#runGrid(level.grid, request, { wait, awaited }, printed);
      open.push({ grid: child, requests: child.takeAll(), next: 0 });
    }
  }

  #runGrid(
    parent: RunningGrid,
    request: ChildLaunch,
    { wait, awaited }: { readonly wait: string | null; readonly awaited: boolean },
    printed: PrintfBuffer,
  ): RunningGrid {
    const { program, grid, block, dynamicSharedBytes, args } = request;
    const { memory, stepLimit, budget, printfBytes, sharedBanks, lockstep, watch, accesses } = parent.launch;
    const node: Node = { microseconds: 0, gpuShare: 0, launches: [], launch: shapeOf(request) };
    const alone: PreparedLaunch = {
      program,
      grid,
      block,
      dynamicSharedBytes,
      args,
      memory,
      stepLimit,
      residentBlocks: residentBlocks(this.options.device, request),
      sharedBanks,
      lockstep,
      launchedBy: launcherText(parent, request) + (wait === null ? "" : `\n  the error comes out of ${wait}`),
      ...(budget === undefined ? {} : { budget }),
      ...(printfBytes === undefined ? {} : { printfBytes }),
      ...(watch === undefined ? {} : { watch }),
    };
    const own = accesses === undefined ? alone : { ...alone, accesses: accesses.child(alone, request) };
    const root = this.root.launch;
    const origin =
      parent.depth === 0
        ? `block (${coordinates(request.parentBlock, root.grid).join(",")}) of the host's ${root.program.name}`
        : parent.origin;
    const child = new RunningGrid(this, own, parent.depth + 1, node, origin);
    const launch: PreparedLaunch = { ...own, children: child };
    const warp = request.parentThread >> 5;
    parent.node.launches.push({
      block: request.parentBlock,
      warp,
      grid: node,
      awaited,
      thread: request.parentThread,
      stream: request.stream,
    });
    this.spending.begin(request);
    const predicted = this.#shapeOf(request);
    const seen = ++predicted.seen;
    const plain = this.options.plain ?? childEngine(launch);
    const sum = this.#sumOf(request);
    const run = (seen & (seen - 1)) === 0 ? this.#observe(launch, plain, predicted, sum) : runWhole(launch, plain);
    node.microseconds = predicted.microseconds;
    node.gpuShare = this.#gpuShare(request);
    sum.grids++;
    sum.microseconds += node.microseconds;
    addRawCounters(sum.counters, run.counters);
    printed.append(run);
    return child;
  }

  /** Runs a grid, and takes its predicted time into the mean of those like it. */
  #observe(launch: PreparedLaunch, plain: Engine, predicted: Predicted, sum: KernelSum): TracedLaunch {
    const { device, observed, mixed } = this.options;
    const whole = this.options.plain !== null || launchesChildren(launch.program);
    const run = runEveryBlock(launch, { plain, observed, mixed, whole, blocks: "none" });
    const time = predictTime(device, run, "warm");
    sum.time ??= time;
    const microseconds = Math.max(0, time.durationMicroseconds - device.launch.emptyKernelDurationMicroseconds);
    predicted.microseconds += (microseconds - predicted.microseconds) / ++predicted.predictions;
    return run;
  }

  #gpuShare(launch: ChildLaunch): number {
    const { device } = this.options;
    const { grid } = launch;
    const { activeBlocksPerSm } = occupancyOfLaunch(device, launch);
    return Math.min(1, (grid[0] * grid[1] * grid[2]) / (device.smCount * Math.max(1, activeBlocksPerSm)));
  }

  #shapeOf({ program, grid, block, dynamicSharedBytes }: ChildLaunch): Predicted {
    const shapes = this.#predicted.get(program) ?? new Map<string, Predicted>();
    this.#predicted.set(program, shapes);
    const key = `${grid.join("x")} ${block.join("x")} ${dynamicSharedBytes}`;
    const shape = shapes.get(key) ?? { seen: 0, microseconds: 0, predictions: 0 };
    shapes.set(key, shape);
    return shape;
  }

  #sumOf(request: ChildLaunch): KernelSum {
    const { program } = request;
    const sum = this.#kernels.get(program) ?? {
      first: request,
      time: null,
      grids: 0,
      microseconds: 0,
      counters: createRawCounters(program),
    };
    this.#kernels.set(program, sum);
    return sum;
  }

  /** A grid waits for its children, at a depth for which CUDA may have no memory. */
  noteWait(grid: RunningGrid, site: FaultSite): void {
    const { levels, given } = this.options.limits.syncDepth;
    if (grid.depth < levels) return;
    if (given) throw syncDepthExceeded(site, grid.depth, levels);
    this.#warn(
      "sync-depth",
      grid,
      site.instruction,
      `cudaDeviceSynchronize() ran in a grid at depth ${grid.depth}; CUDA reserves memory for such waits at depth 0 and 1 alone: deeper ones fail with cudaErrorSyncDepthExceeded, unless the host program calls cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, ...) first: gpu.setLimit("cudaLimitDevRuntimeSyncDepth", ${grid.depth + 1}). Here they wait, as nothing is set.`,
    );
  }

  /** A grid at `depth` starts another, where the GPU sets no limit itself. */
  noteDepth(grid: RunningGrid, instruction: Instruction): void {
    if (grid.depth < DOCUMENTED_DEPTH) return;
    this.#warn(
      "nesting-depth",
      grid,
      instruction,
      `A child grid is launched ${grid.depth + 1} levels below the host's. CUDA documents ${DOCUMENTED_DEPTH} levels, and GPUs before compute capability 9.0 refuse more with cudaErrorLaunchMaxDepthExceeded; ${this.options.device.name} was measured to run them. End the recursion earlier where the kernel is to run on every GPU.`,
    );
  }

  #warn(kind: LaunchWarningKind, grid: RunningGrid, instruction: Instruction, message: string): void {
    if (this.#warned.has(instruction)) return;
    this.#warned.add(instruction);
    this.warnings.push(warningAt(grid.launch.program, instruction, kind, message));
  }

  #meanGrid(
    { program, grid, block, dynamicSharedBytes }: ChildLaunch,
    time: LaunchTime,
    raw: RawCounters,
  ): ProfiledLaunch {
    const { device } = this.options;
    const counters = countEvents(program, raw);
    const { name: kernel, registersPerThread, staticSharedBytes } = program;
    const mean: ProfiledLaunch = {
      kernel,
      device,
      grid,
      block,
      dynamicSharedBytes,
      registersPerThread,
      staticSharedBytes,
      program,
      counters,
      time,
      occupancy: occupancyOfLaunch(device, { program, block, dynamicSharedBytes }),
      metrics: deriveMetrics(counters, device),
      rawCounters: raw,
    };
    launches.set(counters, mean);
    return mean;
  }

  /** null where no grid was started. */
  result(): ChildGridsResult | null {
    const spec = this.options.device.dynamicParallelism;
    if (spec === null || this.#kernels.size === 0) return null;
    const { node } = this.root;
    const time = childGridsTime(spec, node);
    let tree: LaunchedGrid | null = null;
    const kernels = [...this.#kernels].flatMap(
      ([program, { first, time: one, grids, microseconds, counters: raw }]) => {
        const counters = countEvents(program, raw);
        const metrics = deriveMetrics(counters, this.options.device);
        if (one === null) return [];
        const meanGrid = this.#meanGrid(first, one, meanCounters(program, raw, grids));
        return [{ kernel: program.name, grids, counters, metrics, microseconds, meanGrid }];
      },
    );
    return {
      count: time.grids,
      depth: time.depth,
      kernels,
      timeMs: time.addedMicroseconds / 1000,
      bound: time.bound,
      get tree() {
        tree ??= launchedGrids(node, childGridSpans(spec, node));
        return tree;
      },
    };
  }
}

/** The counters of `grids` grids, divided by their number. */
function meanCounters(program: Program, sum: RawCounters, grids: number): RawCounters {
  const mean = createRawCounters(program);
  for (const key of RAW_COUNTER_ARRAYS) mean[key].set(sum[key].map((count) => count / grids));
  return Object.assign(mean, { warps: sum.warps / grids, blocks: sum.blocks / grids });
}

/** Keeps no arguments and no memory. */
function shapeOf({ program, grid, block }: Pick<PreparedLaunch, "program" | "grid" | "block">): Node["launch"] {
  return { program, grid, block };
}

/** The launching thread, and for a grid further down the block of the host's grid that it comes from. */
function launcherText(parent: RunningGrid, { parentBlock, parentThread }: ChildLaunch): string {
  const { launch, depth } = parent;
  const block = coordinates(parentBlock, launch.grid).join(",");
  const thread = coordinates(parentThread, launch.block).join(",");
  const origin = depth === 0 ? "" : `, ${depth} level${depth === 1 ? "" : "s"} below ${parent.origin}`;
  return `block (${block}), thread (${thread}) of ${launch.program.name}${origin}`;
}
