/**
 * The releases at one address: each atomic or volatile store there by a thread that had executed a fence before. A thread that
 * reads the address acquires all entries so far.
 */

export interface Release {
  readonly thread: number;
  readonly epoch: number;
  /** The time of the thread's last fence. */
  readonly fence: number;
  /** For each lane of the thread's warp, the time up to which the thread knew it; null where it knew nothing. */
  readonly known: Int32Array | null;
}

/** A thread has read what others have released up to entry `length` of a log. */
export interface Acquired {
  readonly thread: number;
  readonly epoch: number;
  readonly time: number;
  readonly log: ReleaseLog;
  length: number;
}

export class ReleaseLog {
  private readonly entries: Release[] = [];
  /** Entries of threads that had acquired something themselves. */
  private readonly chained: { readonly index: number; readonly acquired: readonly Acquired[] }[] = [];
  /** For each grid, the entries of each of its blocks. */
  private readonly byBlock: Map<object, Map<number, number[]>> = new Map();

  get length(): number {
    return this.entries.length;
  }

  /** `acquired`: what the block's threads had acquired before, which they pass on. */
  add(grid: object, block: number, release: Release, acquired: readonly Acquired[]): void {
    const blocks = this.byBlock.get(grid) ?? new Map<number, number[]>();
    this.byBlock.set(grid, blocks);
    const indices = blocks.get(block) ?? [];
    blocks.set(block, indices);
    const index = this.entries.push(release) - 1;
    indices.push(index);
    if (acquired.length > 0) this.chained.push({ index, acquired: acquired.map((each) => ({ ...each })) });
  }

  /** The block's releases among the first `length`. */
  *from(grid: object, block: number, length: number): Iterable<Release> {
    for (const index of this.byBlock.get(grid)?.get(block) ?? []) {
      if (index >= length) return;
      yield this.entries[index]!;
    }
  }

  /** All that was acquired by those who made the first `length` entries. */
  *acquiredBefore(length: number): Iterable<Acquired> {
    for (const { index, acquired } of this.chained) if (index < length) yield* acquired;
  }
}
