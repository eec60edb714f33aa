/**
 * The time that child grids add to a launch (dynamic parallelism), from measurements (h200/micro/cdp.json). A launch
 * costs its warp some 13,000 cycles in the device runtime; the lanes of a warp launch one after the other. The children
 * of a block run in order. Once their launches are ready, each ends an interval plus its own work after the one before.
 * A grid that a child launches ends a level later, by its launch and its run. The whole GPU starts a child grid each
 * `childInterval`, whoever launched it; where blocks wait for their children, each `awaitedInterval`. Child grids share
 * the SMs, so they take at least their work, spread over the GPU. Launches are taken to occur at the end of their grid's
 * own work, as in reductions that launch the next step.
 */
import type { DynamicParallelismSpec } from "../../device/spec.js";

/** A grid with its work and its launches. */
export interface GridRun {
  /** Its own time beyond an empty grid's. */
  readonly microseconds: number;
  /** Share of the GPU's block slots that it fills while it runs, at most 1. */
  readonly gpuShare: number;
  /** In the order of the launches. */
  readonly launches: readonly GridLaunch[];
}

export interface GridLaunch {
  /** Block, and warp of the block, that launch. */
  readonly block: number;
  readonly warp: number;
  readonly grid: GridRun;
  /** fireAndForget: ordered with no other; tail: after everything else of the grid. By default after the block's earlier ones. */
  readonly stream?: "block" | "fireAndForget" | "tail";
  /** The block waits for it before it goes on (cudaDeviceSynchronize). */
  readonly awaited: boolean;
}

export type ChildBound = "chain" | "interval" | "work";

export interface ChildGridsTime {
  /** To be added to the parent's own time. */
  readonly addedMicroseconds: number;
  /** The cause of the added time: launches in sequence, the GPU's rate of launches, or the children's work. */
  readonly bound: ChildBound;
  readonly grids: number;
  /** Levels below the parent. */
  readonly depth: number;
}

/** When a grid starts and when its own work ends, in microseconds from the root's start. */
export interface GridSpan {
  readonly startMicroseconds: number;
  readonly endMicroseconds: number;
}

interface Sum {
  grids: number;
  depth: number;
  workMicroseconds: number;
  /** At the rate at which the GPU starts them. */
  intervalMicroseconds: number;
}

/** Deterministic. `root` is the grid that the host launched. */
export function childGridsTime(spec: DynamicParallelismSpec, root: GridRun): ChildGridsTime {
  const sum: Sum = { grids: 0, depth: 0, workMicroseconds: 0, intervalMicroseconds: 0 };
  if (root.launches.length === 0) return { addedMicroseconds: 0, bound: "chain", grids: 0, depth: 0 };
  const first = spec.childLatencyMicroseconds - spec.nestedLaunchMicroseconds;
  const chain = first + endMicroseconds(spec, root, sum, NOBODY) - root.microseconds;
  const interval = spec.childLatencyMicroseconds + sum.intervalMicroseconds;
  const work = spec.childLatencyMicroseconds + sum.workMicroseconds;
  const added = Math.max(chain, interval, work);
  const bound = added === chain ? "chain" : added === interval ? "interval" : "work";
  return { addedMicroseconds: added, bound, grids: sum.grids, depth: sum.depth };
}

/** Told of each grid's start, relative to the end of its parent's own work. */
type StartListener = (grid: GridRun, offsetMicroseconds: number) => void;

const NOBODY: StartListener = () => {};

/**
 * The span of each grid below `root`, where launches alone delay them: the chain that `childGridsTime` measures. Where the GPU's
 * rate or the work decide, the last ends are stretched to the added time.
 */
export function childGridSpans(spec: DynamicParallelismSpec, root: GridRun): ReadonlyMap<GridRun, GridSpan> {
  const spans = new Map<GridRun, GridSpan>([[root, { startMicroseconds: 0, endMicroseconds: root.microseconds }]]);
  if (root.launches.length === 0) return spans;
  const offsets = new Map<GridRun, number>();
  const sum: Sum = { grids: 0, depth: 0, workMicroseconds: 0, intervalMicroseconds: 0 };
  const first = spec.childLatencyMicroseconds - spec.nestedLaunchMicroseconds;
  const chain =
    first + endMicroseconds(spec, root, sum, (grid, offset) => offsets.set(grid, offset)) - root.microseconds;
  const stretch = childGridsTime(spec, root).addedMicroseconds / chain;
  const open = [root];
  for (let grid = open.pop(); grid !== undefined; grid = open.pop()) {
    const from = spans.get(grid)!.endMicroseconds;
    for (const { grid: child } of grid.launches) {
      const delay = (offsets.get(child) ?? 0) + (grid === root ? first : 0);
      const startMicroseconds = from + delay * stretch;
      spans.set(child, { startMicroseconds, endMicroseconds: startMicroseconds + child.microseconds });
      open.push(child);
    }
  }
  return spans;
}

interface Visit {
  readonly run: GridRun;
  readonly depth: number;
  /** Ends of the children in order, relative to their starts. */
  readonly ends: number[];
}

/**
 * Time from the start of `root` to the end of the last grid below it. Not recursive, since grids may be nested
 * thousands deep.
 */
function endMicroseconds(spec: DynamicParallelismSpec, root: GridRun, sum: Sum, tell: StartListener): number {
  const open: Visit[] = [{ run: root, depth: 0, ends: [] }];
  for (;;) {
    const visit = open[open.length - 1]!;
    const next = visit.run.launches[visit.ends.length];
    if (next !== undefined) {
      if (sum.grids++ > 0) sum.intervalMicroseconds += startInterval(spec, next);
      sum.depth = Math.max(sum.depth, visit.depth + 1);
      sum.workMicroseconds += next.grid.microseconds * next.grid.gpuShare;
      open.push({ run: next.grid, depth: visit.depth + 1, ends: [] });
      continue;
    }
    const end = visit.run.microseconds + lastEnd(spec, visit, tell);
    open.pop();
    const parent = open[open.length - 1];
    if (parent === undefined) return end;
    parent.ends.push(end);
  }
}

function startInterval(spec: DynamicParallelismSpec, { awaited }: GridLaunch): number {
  return (awaited ? spec.awaitedIntervalMicroseconds : null) ?? spec.childIntervalMicroseconds;
}

/** The end of a grid's last child, relative to the end of the grid's own work. */
function lastEnd(spec: DynamicParallelismSpec, { run, ends }: Visit, tell: StartListener): number {
  const blocks = new Map<number, WarpLaunches[]>();
  run.launches.forEach(({ block, warp }, index) => {
    const warps = blocks.get(block) ?? [];
    blocks.set(block, warps);
    let own = warps.find((candidate) => candidate.warp === warp);
    if (own === undefined) {
      own = { warp, launches: [], next: 0, free: 0 };
      warps.push(own);
    }
    own.launches.push(index);
  });
  let last = 0;
  for (const warps of blocks.values()) last = Math.max(last, streamEnd(spec, run, ends, warps, tell));
  return tailEnd(spec, run, ends, last, tell);
}

/** The end of the grid's tail launches, one after the other behind all else that it has started. */
function tailEnd(
  spec: DynamicParallelismSpec,
  run: GridRun,
  ends: readonly number[],
  last: number,
  tell: StartListener,
): number {
  let ended = last;
  for (const [index, { stream, grid }] of run.launches.entries()) {
    if (stream !== "tail") continue;
    const started = Math.max(ended + spec.streamIntervalMicroseconds, spec.nestedLaunchMicroseconds);
    tell(grid, started);
    ended = started + ends[index]!;
  }
  return ended;
}

/** The launches of one warp, by their index in the grid, and the time at which the warp can make the next. */
interface WarpLaunches {
  readonly warp: number;
  readonly launches: number[];
  next: number;
  free: number;
}

/** The end of a block's children. They are in its stream in the order in which its warps launch them. */
function streamEnd(
  spec: DynamicParallelismSpec,
  run: GridRun,
  ends: readonly number[],
  warps: readonly WarpLaunches[],
  tell: StartListener,
): number {
  const runLatency = spec.nestedLaunchMicroseconds - spec.launchMicroseconds;
  let ended = Number.NEGATIVE_INFINITY;
  let beside = Number.NEGATIVE_INFINITY;
  for (;;) {
    let first: WarpLaunches | null = null;
    for (const warp of warps) {
      if (warp.next < warp.launches.length && (first === null || warp.free < first.free)) first = warp;
    }
    if (first === null) return Math.max(ended, beside);
    const index = first.launches[first.next++]!;
    const ready = first.free + spec.launchMicroseconds;
    const { stream = "block", grid, awaited } = run.launches[index]!;
    first.free = ready;
    if (stream === "tail") continue;
    const alone = stream === "fireAndForget";
    const started = alone ? ready + runLatency : Math.max(ready + runLatency, ended + spec.streamIntervalMicroseconds);
    tell(grid, started);
    if (alone) beside = Math.max(beside, started + ends[index]!);
    else ended = started + ends[index]!;
    if (awaited) first.free = Math.max(ready, ended);
  }
}
