/**
 * When the threads of one grid are ordered. A block's barriers are its epochs. Lanes of a warp know one another by syncwarp.
 * Blocks know one another by a fence, an atomic or volatile access, and one that reads it. Child grids are ordered
 * with the thread that starts them and with those that wait for them.
 */
import type { LaunchStream } from "../../ir/ir.js";
import { follows, type StreamOperation } from "./operation-order.js";
import { type Acquired, knew, type Point, type Relay, type Release, type ReleaseLog } from "./release-log.js";

/** An access, or the point where a grid was started: who, in which epoch of the block, at which of the block's times. */
export interface Moment {
  readonly grid: GridClock;
  readonly block: number;
  readonly thread: number;
  readonly epoch: number;
  readonly time: number;
}

/** Where a grid was started. */
export interface Start extends Moment {
  readonly stream: LaunchStream;
  readonly known: Int32Array | null;
}

/** A thing that a thread of a block did. */
type Done = Pick<Point, "thread" | "epoch" | "time">;

interface Fence extends Point {
  /** For all blocks, not for its own alone. */
  readonly device: boolean;
}

function lastOf<T>(list: readonly T[], test: (each: T) => boolean): T | undefined {
  for (let k = list.length - 1; k >= 0; k--) if (test(list[k]!)) return list[k];
  return undefined;
}

export class BlockClock {
  /** Barriers passed. */
  epoch = 0;
  /** Instructions told so far. */
  time = 0;
  /** The epoch that began with the last grid.sync(): all blocks know of what came before. */
  gridEpoch = 0;
  /** For each warp and lane: the time up to which it knows what each other lane of the warp did; null before a syncwarp. */
  private readonly known: (Int32Array | null)[] = [];
  /** Each thread's fences, in its order. */
  private readonly fences: Map<number, Fence[]> = new Map();
  readonly acquired: Acquired[] = [];
  /** Threads that waited for the block's child grids, as they were then. */
  readonly waits: Point[] = [];

  get hasFences(): boolean {
    return this.fences.size > 0;
  }

  /** The thread as it is now. */
  point(thread: number): Point {
    const row = 32 * (thread & 31);
    const known = this.known[thread >> 5]?.slice(row, row + 32) ?? null;
    return { thread, epoch: this.epoch, time: this.time, known };
  }

  fence(warp: number, lanes: number, device: boolean): void {
    this.time++;
    for (let m = lanes; m !== 0; m &= m - 1) {
      const thread = warp * 32 + 31 - Math.clz32(m & -m);
      const list = this.fences.get(thread) ?? [];
      this.fences.set(thread, list);
      list.push({ ...this.point(thread), device });
    }
  }

  /** The thread's first fence after a time. */
  fenceAfter(thread: number, time: number, device: boolean): Point | null {
    return this.fences.get(thread)?.find((each) => each.time > time && (each.device || !device)) ?? null;
  }

  private lastFence(thread: number, device: boolean): Point | null {
    return lastOf(this.fences.get(thread) ?? [], (each) => each.device || !device) ?? null;
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
    const fences = { deviceFence: this.lastFence(thread, true), anyFence: this.lastFence(thread, false) };
    return { ...this.point(thread), ...fences };
  }

  acquire(thread: number, log: ReleaseLog): void {
    const last = lastOf(this.acquired, (each) => each.log === log && each.thread === thread);
    if (last?.length === log.length) return;
    // Nobody can have learnt of the earlier one alone: it may grow.
    const told = Math.max(this.lastFence(thread, false)?.time ?? 0, this.knows(thread, thread));
    const { epoch, time } = this;
    if (last !== undefined && last.epoch === epoch && last.time > told) {
      last.length = log.length;
      last.until = time;
    } else this.acquired.push({ thread, epoch, time, until: time, log, length: log.length });
  }
}

export class GridClock {
  readonly blocks: Map<number, BlockClock> = new Map();

  /** `started`: where a thread of the parent grid started this one; null for the host's. `operation`: the host's launch. */
  constructor(
    readonly started: Start | null,
    readonly operation: StreamOperation,
  ) {}

  /** A block starts, or starts again in another's place. */
  start(block: number): BlockClock {
    const clock = new BlockClock();
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
function knownInBlock(clock: BlockClock, did: Done, now: Moment | Start | Point): boolean {
  if (did.thread === now.thread) return did.time <= now.time;
  if (did.epoch < now.epoch) return true;
  if (did.thread >> 5 !== now.thread >> 5) return false;
  const known = "known" in now ? (now.known?.[did.thread & 31] ?? 0) : clock.knows(now.thread, did.thread);
  return known > did.time;
}

/** Who is told: the block of a thread that acquires. */
type Reader = Pick<Relay, "grid" | "block">;

/** How far each log was looked through, for readers in the block of the first access and for others. */
interface Seen {
  readonly near: Map<ReleaseLog, number>;
  readonly far: Map<ReleaseLog, number>;
}

/**
 * Whether a release in a log tells a thread of block `to` of `before`. Between the two stands a fence of the thread that did it
 * or of the thread that releases. A fence of the block is enough within the block.
 */
function tells({ log, length }: Acquired, before: Moment, to: Reader, seen: Seen): boolean {
  const device = before.grid !== to.grid || before.block !== to.block;
  const lengths = device ? seen.far : seen.near;
  const from = lengths.get(log) ?? 0;
  if (from >= length) return false;
  lengths.set(log, length);
  const own = before.grid.block(before.block).fenceAfter(before.thread, before.time, device);
  for (const entry of log.from(before.grid, before.block, before.time, from, length)) {
    // The atomic itself, which the other one has found done.
    if (entry.thread === before.thread && entry.time === before.time) return true;
    const fence = device ? entry.deviceFence : entry.anyFence;
    if (fence !== null && knew(fence, before)) return true;
    if (own !== null && own.time < entry.time && knew(entry, own)) return true;
  }
  // A releasing thread passes on what it had acquired itself. It was told in its own block, and tells with its own fence.
  for (const relay of log.relays(from, length)) {
    // Within one block nobody has learnt of it before it happened.
    const own = relay.grid === before.grid && relay.block === before.block;
    if (own && relay.release.time < before.time) continue;
    const abroad = relay.grid !== to.grid || relay.block !== to.block;
    const fence = abroad ? relay.release.deviceFence : relay.release.anyFence;
    if (fence === null) continue;
    for (const each of relay.acquired) {
      if (own && each.until < before.time) continue;
      if (knew(fence, each) && tells(each, before, relay, seen)) return true;
    }
  }
  return false;
}

/** The grid's chain of starting moments, its own first. */
function lineage(grid: GridClock): readonly GridClock[] {
  const list = [grid];
  for (let at = grid.started; at !== null; at = at.grid.started) list.push(at.grid);
  return list;
}

/** Where the chain that leads up to `common` leaves it; null for `common` itself. */
function startBelow(chain: readonly GridClock[], common: GridClock): Start | null {
  return chain[chain.indexOf(common) - 1]?.started ?? null;
}

/**
 * The two grids of a race: the same one, or a grid and one below it, in the order of the run. Relatives are two grids
 * below one; streams are two operations of the host.
 */
export type Relation = "one-grid" | "parent-child" | "child-parent" | "relatives" | "streams";

export function relationOf(first: GridClock, second: GridClock): Relation {
  if (first === second) return "one-grid";
  if (first.operation !== second.operation) return "streams";
  if (lineage(second).includes(first)) return "parent-child";
  return lineage(first).includes(second) ? "child-parent" : "relatives";
}

/** Whether `after` is certain to come after `before`, whatever the schedule. */
export function happensBefore(before: Moment, after: Moment): boolean {
  if (before.grid === after.grid) return orderedInGrid(before, after);
  return orderedBetween(before, after) || handedOver(before, after);
}

/** By the launches of the two grids, and by waits for them. */
function orderedBetween(before: Moment, after: Moment): boolean {
  const [left, right] = [lineage(before.grid), lineage(after.grid)];
  const common = left.find((grid) => right.includes(grid));
  if (common === undefined) return follows(after.grid.operation, before.grid.operation);
  const from = common === before.grid ? before : left[left.indexOf(common) - 1]!.started!;
  const to = common === after.grid ? after : right[right.indexOf(common) - 1]!.started!;
  if (common === before.grid) return startBelow(right, common)?.stream === "tail" || orderedInGrid(before, to);
  const [first, second] = [startBelow(left, common), startBelow(right, common)];
  // A tail launch comes after all else that its grid does and starts.
  if (second?.stream === "tail") return true;
  // The children that a block starts run one after the other, in its own stream.
  if (common !== after.grid && from.block === to.block && first?.stream === "block" && second?.stream === "block") {
    return true;
  }
  // A thread that waits knows of the launch, and the one that accesses knows of the wait.
  const { block } = from;
  const clock = common.block(block);
  return clock.waits.some(
    (wait) => knownInBlock(clock, from, wait) && orderedInGrid({ grid: common, block, ...wait }, to),
  );
}

function orderedInGrid(before: Moment, after: Moment | Start): boolean {
  const { grid } = after;
  const clock = grid.block(after.block);
  if (before.block === after.block && knownInBlock(clock, before, after)) return true;
  if (before.epoch < grid.block(before.block).gridEpoch && after.epoch >= clock.gridEpoch) return true;
  return handedOver(before, after);
}

/** A thread that had fenced has written to an address, and the other has read there since. */
function handedOver(before: Moment, after: Moment | Start): boolean {
  const clock = after.grid.block(after.block);
  const seen: Seen = { near: new Map(), far: new Map() };
  const own = before.grid === after.grid && before.block === after.block;
  for (let k = clock.acquired.length - 1; k >= 0; k--) {
    const each = clock.acquired[k]!;
    // Later ones come first, as they most often tell. Those from before the access tell nothing of it.
    if (own && each.until < before.time) continue;
    if (knownInBlock(clock, each, after) && tells(each, before, after, seen)) return true;
  }
  return false;
}
