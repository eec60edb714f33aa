/** A grid whose blocks run or have run: the grids that these start, until they run. */
import { InputError, KernelFault, LaunchError } from "../../base/errors.js";
import { checkLaunch, type DeviceSpec } from "../../device/index.js";
import type { ChildGrids, ChildLaunch, EngineResult, FaultSite, PreparedLaunch } from "../../engine/engine.js";
import { childLaunchRefused, sourceLine } from "../../engine/faults.js";
import type { Instruction } from "../../lower/program.js";
import type { GridLaunch, GridRun } from "../../timing/index.js";
import type { ChildOrder } from "./child-order.js";
import type { ChildSpending } from "./child-spending.js";
import type { DeviceLimits } from "./device-limits.js";

/** A grid that has run, for its time and for the tree that a reader sees. */
export interface Node extends GridRun {
  microseconds: number;
  gpuShare: number;
  readonly launches: NodeLaunch[];
  readonly launch: Pick<PreparedLaunch, "program" | "grid" | "block">;
}

export interface NodeLaunch extends GridLaunch {
  readonly grid: Node;
  awaited: boolean;
  /** Linear index in the block. */
  readonly thread: number;
}

/** Levels below the host's grid that CUDA documents (Programming Guide, dynamic parallelism), whatever a GPU was seen to run. */
export const DOCUMENTED_DEPTH = 24;

/** The effect of a refused child grid on a GPU (h200/micro/cdp.json: rows with failed launches). */
const ON_A_GPU =
  "On a GPU nothing is started, the kernel goes on and the host sees no error: ask cudaGetLastError() in the kernel";

interface BlockPlaces {
  readonly warp: number;
  several: boolean;
  /** Started and not at their end. */
  grids: number;
}

/** The part of the tree that each of its grids needs. */
export interface GridTree {
  readonly options: { readonly device: DeviceSpec; readonly limits: DeviceLimits };
  readonly order: ChildOrder;
  readonly spending: ChildSpending;
  /** Places taken in the pool of launches. */
  pending: number;
  /** Runs `requests` of `parent`, each with all that it starts; `wait`: the wait for them, in words. */
  run(parent: RunningGrid, requests: readonly ChildLaunch[], wait: string | null): EngineResult;
  /** A grid waits for its children. Throws KernelFault where it may not. */
  noteWait(grid: RunningGrid, site: FaultSite): void;
  /** A grid starts another one, and the GPU sets no limit to the depth. */
  noteDepth(grid: RunningGrid, instruction: Instruction): void;
}

/** A grid that runs, or has run its blocks: the keeper of what they start. */
export class RunningGrid implements ChildGrids {
  #queue: ChildLaunch[] = [];
  readonly #places: Map<number, BlockPlaces> = new Map();
  /** By block: children that have run already, and that nobody has waited for. */
  readonly #early: Map<number, NodeLaunch[]> = new Map();

  constructor(
    readonly tree: GridTree,
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
    const { device, limits } = this.tree.options;
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
        request,
        "cudaErrorLaunchMaxDepthExceeded",
        `launch would exceed maximum depth of nested launches. This grid is ${this.depth} levels below the host's, and ${device.name} allows ${spec.maxDepth}`,
        `end the recursion earlier: test the size, or count the depth in a parameter. ${ON_A_GPU}`,
      );
    }
    if (program.cooperative) {
      throw childLaunchRefused(
        site,
        request,
        "cudaErrorNotSupported",
        `operation not supported. Kernel ${program.name} synchronises its whole grid, which takes a cooperative launch, and grids cannot launch so`,
        `launch it from the host, or split it where the grid synchronises. ${ON_A_GPU}`,
      );
    }
    this.#checkConfiguration(request, site);
    this.tree.spending.start(request, site);
    if (spec.maxDepth === null) this.tree.noteDepth(this, request.instruction);
    this.#enter(request);
    const most = limits.mostPending;
    if (most !== null && this.tree.pending > most) {
      throw childLaunchRefused(
        site,
        request,
        "cudaErrorLaunchPendingCountExceeded",
        `launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount. ${most} grids are launched and not yet at their end`,
        this.depth > DOCUMENTED_DEPTH
          ? `end the recursion, which is ${this.depth} levels deep: test the size, or count the depth in a parameter. ${ON_A_GPU}`
          : {
              cure: "launch fewer grids with more blocks each",
              hostCure: `raise the limit first: gpu.setLimit("cudaLimitDevRuntimePendingLaunchCount", ${2 * most}). ${ON_A_GPU}`,
            },
      );
    }
  }

  #checkConfiguration(request: ChildLaunch, site: FaultSite): void {
    const { program, grid, block, dynamicSharedBytes } = request;
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
        request,
        "cudaErrorInvalidConfiguration",
        `invalid configuration argument. ${why}`,
        `${error.cure} ${ON_A_GPU}`,
      );
    }
  }

  finish(site: FaultSite): EngineResult {
    const { tree, launch } = this;
    const { block, instruction } = site;
    tree.noteWait(this, site);
    for (const early of this.#early.get(block) ?? []) early.awaited = true;
    this.#early.delete(block);
    const awaited = (request: ChildLaunch): boolean => request.parentBlock === block && request.stream !== "tail";
    const mine = this.#queue.filter(awaited);
    if (mine.length === 0) return { printed: [] };
    this.#queue = this.#queue.filter((request) => !awaited(request));
    const wait = `deviceSynchronize() in line ${sourceLine(launch.program, instruction)} of ${launch.program.name}`;
    return tree.run(this, tree.order.arranged(mine), wait);
  }

  launched(request: ChildLaunch): EngineResult {
    if (!this.tree.order.runsAtOnce(request, this.depth + 1)) return { printed: [] };
    return this.#runNow(request);
  }

  turn(): EngineResult | null {
    const request = this.tree.order.turnOf(this.#queue, this.depth + 1);
    return request === null ? null : this.#runNow(request);
  }

  /** Runs a launch of the queue, behind those that its stream has before it. */
  #runNow(request: ChildLaunch): EngineResult {
    const { parentBlock: block, stream } = request;
    const last = this.#queue.indexOf(request);
    const ahead = (each: ChildLaunch, index: number): boolean =>
      stream === "block" && index < last && each.parentBlock === block && each.stream === stream;
    const due = this.#queue.filter((each, index) => each === request || ahead(each, index));
    const running = new Set(due);
    this.#queue = this.#queue.filter((each) => !running.has(each));
    const { launches } = this.node;
    const before = launches.length;
    const printed = this.tree.run(this, due, null);
    const early = this.#early.get(block) ?? [];
    this.#early.set(block, early);
    early.push(...launches.slice(before));
    return printed;
  }

  takeAll(): readonly ChildLaunch[] {
    const all = this.#queue;
    this.#queue = [];
    return this.tree.order.arranged(all);
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
