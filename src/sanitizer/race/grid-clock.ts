/**
 * When the threads of one grid are ordered. A block's barriers are its epochs. Lanes of a warp know one another by syncwarp.
 * Blocks know one another by a fence, an atomic or volatile access, and one that reads it. Child grids are ordered
 * with the thread that starts them and with those that wait for them.
 */
import type { Acquired, Release, ReleaseLog } from "./release-log.js";

/** An access, or the point where a grid was started: who, in which epoch of the block, at which of the block's times. */
export interface Moment {
  readonly grid: GridClock;
  readonly block: number;
  readonly thread: number;
  readonly epoch: number;
  readonly time: number;
}

/** Threads of a block that waited for the block's child grids. */
interface Wait {
  readonly thread: number;
  readonly epoch: number;
  readonly time: number;
}

const NEVER = -1;

export class BlockClock {
  /** Barriers passed. */
  epoch = 0;
  /** Instructions told so far. */
  time = 0;
  /** The epoch that began with the last grid.sync(): all blocks know of what came before. */
  gridEpoch = 0;
  /** For each warp and lane: the time up to which it knows what each other lane of the warp did; null before a syncwarp. */
  private readonly known: (Int32Array | null)[] = [];
  private fences: Int32Array | null = null;
  readonly acquired: Acquired[] = [];
  readonly waits: Wait[] = [];

  constructor(private readonly threads: number) {}

  /** The time of the thread's last fence; negative for none. */
  fenceOf(thread: number): number {
    return this.fences?.[thread] ?? NEVER;
  }

  fence(warp: number, lanes: number): void {
    this.time++;
    this.fences ??= new Int32Array(this.threads).fill(NEVER);
    for (let m = lanes; m !== 0; m &= m - 1) this.fences[warp * 32 + 31 - Math.clz32(m & -m)] = this.time;
  }

  /** Each lane knows now what the others knew, and what they did themselves. */
  syncwarp(warp: number, lanes: number): void {
    this.time++;
    const known = this.known[warp] ?? new Int32Array(1024);
    this.known[warp] = known;
    const joined = new Int32Array(32);
    for (let m = lanes; m !== 0; m &= m - 1) {
      const row = 32 * (31 - Math.clz32(m & -m));
      for (let lane = 0; lane < 32; lane++) joined[lane] = Math.max(joined[lane]!, known[row + lane]!);
    }
    for (let m = lanes; m !== 0; m &= m - 1) joined[31 - Math.clz32(m & -m)] = this.time;
    for (let m = lanes; m !== 0; m &= m - 1) known.set(joined, 32 * (31 - Math.clz32(m & -m)));
  }

  /** The time up to which `thread` knows what `other`, of its warp, did. */
  knows(thread: number, other: number): number {
    return this.known[thread >> 5]?.[32 * (thread & 31) + (other & 31)] ?? 0;
  }

  /** The thread's release, as it is now. */
  release(thread: number): Release {
    const row = 32 * (thread & 31);
    const known = this.known[thread >> 5]?.slice(row, row + 32) ?? null;
    return { thread, epoch: this.epoch, fence: this.fenceOf(thread), known };
  }

  acquire(thread: number, log: ReleaseLog): void {
    const last = this.acquired.find((each) => each.log === log && each.thread === thread && each.epoch === this.epoch);
    if (last !== undefined) last.length = log.length;
    else this.acquired.push({ thread, epoch: this.epoch, time: this.time, log, length: log.length });
  }
}

export class GridClock {
  readonly blocks: Map<number, BlockClock> = new Map();

  constructor(
    readonly threadsPerBlock: number,
    /** Where a thread of the parent grid started this one; null for the host's. */
    readonly started: Moment | null,
  ) {}

  /** A block starts, or starts again in another's place. */
  start(block: number): BlockClock {
    const clock = new BlockClock(this.threadsPerBlock);
    this.blocks.set(block, clock);
    return clock;
  }

  /** All blocks have met. */
  gridBarrier(): void {
    for (const clock of this.blocks.values()) clock.gridEpoch = ++clock.epoch;
  }

  block(block: number): BlockClock {
    return this.blocks.get(block) ?? this.start(block);
  }
}

/** Whether `thread` of the block knows of something that another thread of the block did. */
function knownInBlock(
  clock: BlockClock,
  did: { readonly thread: number; readonly epoch: number; readonly time: number },
  now: { readonly thread: number; readonly epoch: number; readonly time: number },
): boolean {
  if (did.thread === now.thread) return did.time <= now.time;
  if (did.epoch < now.epoch) return true;
  return did.thread >> 5 === now.thread >> 5 && clock.knows(now.thread, did.thread) > did.time;
}

/** Whether a release in a log tells of `before`: the releasing thread knew of it, and a fence stands between. */
function tells(log: ReleaseLog, length: number, before: Moment, seen: Set<ReleaseLog>): boolean {
  if (seen.has(log)) return false;
  seen.add(log);
  const clock = before.grid.block(before.block);
  for (const entry of log.from(before.grid, before.block, length)) {
    const fencedAfter = entry.fence > before.time || clock.fenceOf(before.thread) > before.time;
    if (fencedAfter && (entry.thread === before.thread || before.epoch < entry.epoch)) return true;
    const sameWarp = entry.thread >> 5 === before.thread >> 5;
    if (fencedAfter && sameWarp && (entry.known?.[before.thread & 31] ?? 0) > before.time) return true;
  }
  // A releasing thread passes on all that it had acquired itself.
  for (const each of log.acquiredBefore(length)) if (tells(each.log, each.length, before, seen)) return true;
  return false;
}

/** The grid's chain of starting moments, its own first. */
function lineage(grid: GridClock): readonly GridClock[] {
  const list = [grid];
  for (let at = grid.started; at !== null; at = at.grid.started) list.push(at.grid);
  return list;
}

/** Whether `after` is certain to come after `before`, whatever the schedule. */
export function happensBefore(before: Moment, after: Moment): boolean {
  if (before.grid === after.grid) return orderedInGrid(before, after);
  const [left, right] = [lineage(before.grid), lineage(after.grid)];
  // Grids of the host come one after the other.
  const common = left.find((grid) => right.includes(grid));
  if (common === undefined) return true;
  const from = common === before.grid ? before : left[left.indexOf(common) - 1]!.started!;
  const to = common === after.grid ? after : right[right.indexOf(common) - 1]!.started!;
  if (common === before.grid) return orderedInGrid(before, to);
  // The children that a block starts run one after the other.
  if (common !== after.grid) return from.block === to.block;
  const clock = common.block(from.block);
  return from.block === to.block && clock.waits.some((wait) => wait.time >= from.time && knownInBlock(clock, wait, to));
}

function orderedInGrid(before: Moment, after: Moment): boolean {
  const { grid } = after;
  if (before.block === after.block && knownInBlock(grid.block(after.block), before, after)) return true;
  if (before.epoch < grid.block(before.block).gridEpoch) return true;
  const clock = grid.block(after.block);
  return clock.acquired.some(
    (each) => knownInBlock(clock, each, after) && tells(each.log, each.length, before, new Set()),
  );
}
