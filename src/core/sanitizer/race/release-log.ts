/**
 * The releases at one address: each atomic or volatile store there in a block of which threads have executed fences. A thread
 * that reads the address acquires all entries so far.
 */

/** A point in a thread's run, and up to when the thread knew the others of its warp then. */
export interface Point {
  readonly thread: number;
  readonly epoch: number;
  readonly time: number;
  /** For each lane of the thread's warp, the time up to which the thread knew it; null where it knew nothing. */
  readonly known: Int32Array | null;
}

export interface Release extends Point {
  /** The thread's last threadfence before; null for none. */
  readonly deviceFence: Point | null;
  /** The thread's last fence of either kind. */
  readonly anyFence: Point | null;
}

/** Whether a thread at `now` knew of what a thread of its block did. */
export function knew(now: Point, did: Pick<Point, "thread" | "epoch" | "time">): boolean {
  if (did.thread === now.thread) return did.time <= now.time;
  if (did.epoch < now.epoch) return true;
  return did.thread >> 5 === now.thread >> 5 && (now.known?.[did.thread & 31] ?? 0) > did.time;
}

/** A thread has read what others have released up to entry `length` of a log. */
export interface Acquired {
  readonly thread: number;
  readonly epoch: number;
  readonly time: number;
  readonly log: ReleaseLog;
  length: number;
  /** The time of the last such read. */
  until: number;
}

/** A release by a thread that had acquired something itself. */
export interface Relay {
  readonly grid: object;
  readonly block: number;
  readonly release: Release;
  readonly acquired: readonly Acquired[];
}

export class ReleaseLog {
  private readonly entries: Release[] = [];
  private readonly passing: (Relay & { readonly index: number })[] = [];
  /** For each grid, the entries of each of its blocks. */
  private readonly byBlock: Map<object, Map<number, number[]>> = new Map();

  get length(): number {
    return this.entries.length;
  }

  /** `acquired`: what the block's threads had acquired before. The thread passes on what it knew of when it fenced. */
  add(grid: object, block: number, release: Release, acquired: readonly Acquired[]): void {
    const blocks = this.byBlock.get(grid) ?? new Map<number, number[]>();
    this.byBlock.set(grid, blocks);
    const indices = blocks.get(block) ?? [];
    blocks.set(block, indices);
    const index = this.entries.push(release) - 1;
    indices.push(index);
    const { anyFence } = release;
    const passed = anyFence === null ? [] : acquired.filter((each) => knew(anyFence, each));
    if (passed.length === 0) return;
    this.passing.push({ index, grid, block, release, acquired: passed.map((each) => ({ ...each })) });
  }

  /** The block's releases from a time on, among entries `start` to `length` less one. */
  *from(grid: object, block: number, time: number, start: number, length: number): Iterable<Release> {
    const indices = this.byBlock.get(grid)?.get(block) ?? [];
    const first = firstOf(indices.length, (k) => indices[k]! >= start && this.entries[indices[k]!]!.time >= time);
    for (let k = first; k < indices.length && indices[k]! < length; k++) yield this.entries[indices[k]!]!;
  }

  /** Entries `start` to `length` less one that pass on what their threads had acquired. */
  *relays(start: number, length: number): Iterable<Relay> {
    const first = firstOf(this.passing.length, (k) => this.passing[k]!.index >= start);
    for (let k = first; k < this.passing.length && this.passing[k]!.index < length; k++) yield this.passing[k]!;
  }
}

/** The first of `count` places where a test holds that holds from some place on. */
function firstOf(count: number, holds: (k: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
