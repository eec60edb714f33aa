/**
 * The child grids of one launch (dynamic parallelism). They run in the order that engine.ts names; counters and times are
 * kept for the whole tree.
 *
 * The pool of pending launches is as on an H200 (test/reference/h200/micro/cdp.json: pending rows). A grid holds a slot
 * until it and the grids that it launches have ended. Launches of one warp follow one another more slowly than
 * their children run, so together they hold one slot. Those of several warps come at once.
 */
import { InputError, KernelFault, LaunchError } from "../../base/errors.js";
import { checkLaunch, type DeviceSpec, occupancyOfLaunch } from "../../device/index.js";
import {
  addRawCounters,
  type ChildGrids,
  type ChildLaunch,
  createRawCounters,
  type Engine,
  type EngineResult,
  type Observer,
  type PreparedLaunch,
  type RawCounters,
} from "../../engine/engine.js";
import { childLaunchRefused, coordinates, type FaultSite } from "../../engine/faults.js";
import { PrintfBuffer } from "../../engine/printf-buffer.js";
import type { ReferenceEngine } from "../../engine/reference/index.js";
import type { Instruction, Program } from "../../lower/program.js";
import { type Counters, countEvents } from "../../profile/counters.js";
import { deriveMetrics, type Metrics } from "../../profile/metrics.js";
import { type ChildBound, childGridSpans, childGridsTime, type GridLaunch, type GridRun } from "../../timing/index.js";
import { childEngine } from "../engines.js";
import type { LaunchWarning, LaunchWarningKind } from "../launch-warning.js";
import { runWhole } from "../sampled-run.js";
import { predictTime, runEveryBlock, type TracedLaunch } from "../timed-launch.js";
import { ChildSpending } from "./child-spending.js";
import { type LaunchedGrid, launchedGrids } from "./launch-tree.js";

/** All grids of one kernel that the launch's grids have started. */
export interface ChildKernelResult {
  readonly kernel: string;
  readonly grids: number;
  /** Exact, over all blocks of all grids. */
  readonly counters: Counters;
  readonly metrics: Metrics;
  /** Predicted time of these grids by themselves, added up, without what it takes to launch them. */
  readonly microseconds: number;
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
}

/** A grid that has run, for its time and for the tree that a reader sees. */
interface Node extends GridRun {
  microseconds: number;
  gpuShare: number;
  readonly launches: NodeLaunch[];
  readonly launch: Pick<PreparedLaunch, "program" | "grid" | "block">;
}

interface NodeLaunch extends GridLaunch {
  readonly grid: Node;
  /** Linear index in the block. */
  readonly thread: number;
}

interface KernelSum {
  readonly program: Program;
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

/** Grids at this depth and deeper cannot wait for their children unless cudaLimitDevRuntimeSyncDepth is raised. */
const DEFAULT_WAIT_DEPTH = 2;

/** Levels below the host's grid that CUDA documents (Programming Guide, dynamic parallelism), whatever a GPU was seen to run. */
const DOCUMENTED_DEPTH = 24;

/** The effect of a refused child grid on a GPU (h200/micro/cdp.json: rows with failed launches). */
const ON_A_GPU =
  "On a GPU nothing is started, the kernel goes on and the host sees no error: ask cudaGetLastError() in the kernel";

export function launchesChildren(program: Program): boolean {
  return program.instructions.some(({ op }) => op === "launch");
}

export class LaunchTree {
  readonly warnings: LaunchWarning[] = [];
  /** Places taken in the pool of launches. */
  pending = 0;
  readonly root: RunningGrid;
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
    return this.run(this.root, this.root.takeAll(), false);
  }

  /** `requests` of `parent`, each with all that it starts, one after the other. */
  run(parent: RunningGrid, requests: readonly ChildLaunch[], awaited: boolean): EngineResult {
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
      const child = this.#runGrid(level.grid, request, awaited && level.grid === parent, printed);
      open.push({ grid: child, requests: child.takeAll(), next: 0 });
    }
  }

  #runGrid(parent: RunningGrid, request: ChildLaunch, awaited: boolean, printed: PrintfBuffer): RunningGrid {
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
      sharedBanks,
      lockstep,
      launchedBy: launcherText(parent, request),
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
    const run = (seen & (seen - 1)) === 0 ? this.#observe(launch, plain, predicted) : runWhole(launch, plain);
    node.microseconds = predicted.microseconds;
    node.gpuShare = this.#gpuShare(request);
    const sum = this.#sumOf(program);
    sum.grids++;
    sum.microseconds += node.microseconds;
    addRawCounters(sum.counters, run.counters);
    printed.append(run);
    return child;
  }

  /** Runs a grid, and takes its predicted time into the mean of those like it. */
  #observe(launch: PreparedLaunch, plain: Engine, predicted: Predicted): TracedLaunch {
    const { device, observed } = this.options;
    const whole = this.options.plain !== null || launchesChildren(launch.program);
    const run = runEveryBlock(launch, { plain, observed, whole, blocks: "none" });
    const { durationMicroseconds } = predictTime(device, run, "warm");
    const microseconds = Math.max(0, durationMicroseconds - device.launch.emptyKernelDurationMicroseconds);
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

  #sumOf(program: Program): KernelSum {
    const sum = this.#kernels.get(program) ?? {
      program,
      grids: 0,
      microseconds: 0,
      counters: createRawCounters(program),
    };
    this.#kernels.set(program, sum);
    return sum;
  }

  /** A grid at `depth` waits for its children. */
  noteWait(grid: RunningGrid, instruction: Instruction): void {
    if (grid.depth < DEFAULT_WAIT_DEPTH) return;
    this.#warn(
      "sync-depth",
      grid,
      instruction,
      `cudaDeviceSynchronize() ran in a grid at depth ${grid.depth}; CUDA reserves memory for such waits at depth 0 and 1 alone: deeper ones fail with cudaErrorSyncDepthExceeded, unless the host program calls cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, ...) first. Here they wait.`,
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
    const source = grid.launch.program.sources[instruction.source];
    this.warnings.push({ kind, message, span: instruction.span, ...(source === undefined ? {} : { source }) });
  }

  /** null where no grid was started. */
  result(): ChildGridsResult | null {
    const spec = this.options.device.dynamicParallelism;
    if (spec === null || this.#kernels.size === 0) return null;
    const { node } = this.root;
    const time = childGridsTime(spec, node);
    let tree: LaunchedGrid | null = null;
    const kernels = [...this.#kernels.values()].map(({ program, grids, microseconds, counters: raw }) => {
      const counters = countEvents(program, raw);
      const metrics = deriveMetrics(counters, this.options.device);
      return { kernel: program.name, grids, counters, metrics, microseconds };
    });
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

interface BlockPlaces {
  readonly warp: number;
  several: boolean;
  /** Started and not at their end. */
  grids: number;
}

/** A grid that runs, or has run its blocks: the keeper of what they start. */
class RunningGrid implements ChildGrids {
  #queue: ChildLaunch[] = [];
  readonly #places: Map<number, BlockPlaces> = new Map();

  constructor(
    readonly tree: LaunchTree,
    readonly launch: PreparedLaunch,
    readonly depth: number,
    readonly node: Node,
    /** Below the root: which block of the host's grid it comes from. */
    readonly origin: string = "",
  ) {}

  get started(): readonly ChildLaunch[] {
    return this.#queue.slice();
  }

  set started(requests: readonly ChildLaunch[]) {
    for (const request of this.#queue) {
      this.ended(request);
      this.tree.spending.takeBack(request);
    }
    this.#queue = [];
    for (const request of requests) {
      this.#enter(request);
      this.tree.spending.add(request);
    }
  }

  start(request: ChildLaunch): void {
    const { device } = this.tree.options;
    const spec = device.dynamicParallelism;
    const { program, parentThread } = request;
    const site: FaultSite = {
      launch: this.launch,
      instruction: request.instruction,
      block: request.parentBlock,
      warp: parentThread >> 5,
      lanes: 1 << (parentThread & 31),
    };
    if (spec === null) throw new Error(`${device.name} has no dynamic parallelism`);
    if (spec.maxDepth !== null && this.depth >= spec.maxDepth) {
      throw childLaunchRefused(
        site,
        "cudaErrorLaunchMaxDepthExceeded",
        `launch would exceed maximum depth of nested launches. This grid is ${this.depth} levels below the host's, and ${device.name} allows ${spec.maxDepth}`,
        `end the recursion earlier: test the size, or count the depth in a parameter. ${ON_A_GPU}`,
      );
    }
    if (program.cooperative) {
      throw childLaunchRefused(
        site,
        "cudaErrorNotSupported",
        `operation not supported. Kernel ${program.name} synchronises its whole grid, which takes a cooperative launch, and grids cannot launch so`,
        `launch it from the host, or split it where the grid synchronises. ${ON_A_GPU}`,
      );
    }
    this.#checkConfiguration(request, site);
    this.tree.spending.start(request, site);
    if (spec.maxDepth === null) this.tree.noteDepth(this, request.instruction);
    this.#enter(request);
    if (spec.pendingLaunchLimit !== null && this.tree.pending > spec.pendingLaunchLimit) {
      throw childLaunchRefused(
        site,
        "cudaErrorLaunchPendingCountExceeded",
        `launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount. ${spec.pendingLaunchLimit} grids are launched and not yet at their end`,
        `launch fewer grids with more blocks each; the host program may raise the limit with cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, ...). ${ON_A_GPU}`,
      );
    }
  }

  #checkConfiguration({ program, grid, block, dynamicSharedBytes }: ChildLaunch, site: FaultSite): void {
    try {
      checkLaunch(this.tree.options.device, {
        kernel: program.name,
        grid,
        block,
        dynamicSharedBytes,
        staticSharedBytes: program.staticSharedBytes,
        registersPerThread: program.registersPerThread,
      });
    } catch (error) {
      if (!(error instanceof LaunchError || error instanceof InputError) || error instanceof KernelFault) throw error;
      // The device runtime has one code for all of these (h200/micro/cdp.json: invalid rows).
      const why = error.what.replace(/^cudaError\w+: [^.]*\. /, "").replace(/\.$/, "");
      throw childLaunchRefused(
        site,
        "cudaErrorInvalidConfiguration",
        `invalid configuration argument. ${why}`,
        `${error.cure} ${ON_A_GPU}`,
      );
    }
  }

  finish(block: number, instruction: Instruction): EngineResult {
    this.tree.noteWait(this, instruction);
    const awaited = (request: ChildLaunch): boolean => request.parentBlock === block && request.stream !== "tail";
    const mine = this.#queue.filter(awaited);
    if (mine.length === 0) return { printed: [] };
    this.#queue = this.#queue.filter((request) => !awaited(request));
    return this.tree.run(this, mine, true);
  }

  takeAll(): readonly ChildLaunch[] {
    const all = this.#queue;
    this.#queue = [];
    const tail = (request: ChildLaunch): boolean => request.stream === "tail";
    return [...all.filter((request) => !tail(request)), ...all.filter(tail)];
  }

  #enter(request: ChildLaunch): void {
    this.#queue.push(request);
    const { parentBlock, parentThread } = request;
    const warp = parentThread >> 5;
    const places = this.#places.get(parentBlock) ?? { warp, several: false, grids: 0 };
    this.#places.set(parentBlock, places);
    this.tree.pending -= taken(places);
    places.grids++;
    places.several ||= places.warp !== warp;
    this.tree.pending += taken(places);
  }

  /** A started grid has ended, or was never started after all. */
  ended({ parentBlock }: ChildLaunch): void {
    const places = this.#places.get(parentBlock);
    if (places === undefined) return;
    this.tree.pending -= taken(places);
    places.grids--;
    this.tree.pending += taken(places);
    if (places.grids === 0) this.#places.delete(parentBlock);
  }
}

function taken({ several, grids }: BlockPlaces): number {
  return several ? grids : Math.min(1, grids);
}
