/**
 * What threads have released at one address: each atomic or volatile store there, by a thread that had executed a fence before. A
 * thread that reads the address acquires all entries so far.
 */
import type { Acquired, BlockClock, GridClock } from "./grid-clock.js";

export interface Release {
  readonly thread: number;
  readonly epoch: number;
  /** The time of the thread's last fence. */
  readonly fence: number;
  /** The time up to which the thread knew another of its warp. */
  knows(other: number): number;
}

const NOBODY = (): number => 0;

export class ReleaseLog {
  private readonly entries: Release[] = [];
  /** Entries of threads that had acquired something themselves. */
  private readonly chained: { readonly index: number; readonly acquired: readonly Acquired[] }[] = [];
  private readonly byBlock: Map<GridClock, Map<number, number[]>> = new Map();

  get length(): number {
    return this.entries.length;
  }

  add(grid: GridClock, block: number, clock: BlockClock, thread: number): void {
    const fence = clock.fenceOf(thread);
    const known = Array.from({ length: 32 }, (_, lane) => clock.knows(thread, (thread & ~31) | lane));
    const warp = thread >> 5;
    const blocks = this.byBlock.get(grid) ?? new Map<number, number[]>();
    this.byBlock.set(grid, blocks);
    const indices = blocks.get(block) ?? [];
    blocks.set(block, indices);
    const index = this.entries.length;
    indices.push(index);
    if (clock.acquired.length > 0) this.chained.push({ index, acquired: clock.acquired.map((each) => ({ ...each })) });
    this.entries.push({
      thread,
      epoch: clock.epoch,
      fence,
      knows: known.some((time) => time > 0) ? (other) => (other >> 5 === warp ? known[other & 31]! : 0) : NOBODY,
    });
  }

  /** The block's releases among the first `length`. */
  *from(grid: GridClock, block: number, length: number): Iterable<Release> {
    for (const index of this.byBlock.get(grid)?.get(block) ?? []) {
      if (index >= length) return;
      yield this.entries[index]!;
    }
  }

  /** What those that made the first `length` entries had acquired before. */
  *acquiredBefore(length: number): Iterable<Acquired> {
    for (const { index, acquired } of this.chained) if (index < length) yield* acquired;
  }
}
