/** Allocations that the watched program made, and which of their words nobody has written yet. */
import type { Activity, CopyActivity, MemoryRange } from "../host/activity.js";

export interface WatchedAllocation extends MemoryRange {
  /** Counted from 1, in the order of the allocations. */
  readonly number: number;
  /** Not freed when the GPU was reset, or when the program ended. */
  leaked: boolean;
  freed: boolean;
  /** A kernel or a copy has accessed it. */
  used: boolean;
}

const WORD_BYTES = 4;

/** Elements that a host's array gets and that nobody has written; all between the first and the last where `count` says so. */
export interface UnwrittenElements {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The memory of one GPU. */
export class MemoryState {
  readonly allocations: WatchedAllocation[] = [];
  /** Words that were allocated and not written since: one byte a word, from word `base` on. */
  private unwritten = new Uint8Array(0);
  private base = 0;

  allocate(range: MemoryRange, number: number): void {
    this.allocations.push({ ...range, number, leaked: false, freed: false, used: false });
    const { start, end } = this.words(range);
    if (this.unwritten.length === 0) this.base = start;
    const first = Math.min(this.base, start);
    if (first < this.base || end - first > this.unwritten.length) {
      const { length } = this.unwritten;
      const grown = new Uint8Array(Math.max(end - first, this.base - first + length, 2 * length));
      grown.set(this.unwritten, this.base - first);
      this.unwritten = grown;
      this.base = first;
    }
    this.unwritten.fill(1, start - first, end - first);
  }

  private words({ address, bytes }: Pick<MemoryRange, "address" | "bytes">): {
    readonly start: number;
    readonly end: number;
  } {
    return { start: address / WORD_BYTES, end: Math.ceil((address + bytes) / WORD_BYTES) };
  }

  /** The host writes bytes. */
  write(range: MemoryRange): void {
    const { start, end } = this.words(range);
    // Memory that was allocated before the tools began may lie below the base.
    this.unwritten.fill(0, Math.max(0, start - this.base), Math.max(0, end - this.base));
    this.use(range.address);
  }

  /** A copy from the host writes, row by row where rows have gaps; one on the GPU copies what is unwritten, too. */
  copy({ way, owner, address, bytes, from, rows }: CopyActivity): void {
    this.use(address);
    if (way === "DtoD" && from !== null) {
      this.use(from);
      const source = this.words({ address: from, bytes });
      for (let word = source.start, to = address / WORD_BYTES; word < source.end; word++, to++) {
        const at = to - this.base;
        if (at >= 0 && at < this.unwritten.length) this.unwritten[at] = this.isUnwritten(word) ? 1 : 0;
      }
    }
    if (way !== "HtoD") return;
    const { count, pitchBytes } = rows ?? { count: 1, pitchBytes: bytes };
    for (let row = 0; row < count; row++) {
      this.write({ owner, address: address + row * pitchBytes, bytes: bytes / count });
    }
  }

  /** The first and last element that a copy to the host reads unwritten, and how many there are; null for none. */
  unwrittenIn({ address, bytes, rows, elementBytes }: CopyActivity): UnwrittenElements | null {
    const { count, pitchBytes } = rows ?? { count: 1, pitchBytes: bytes };
    const width = bytes / count / elementBytes;
    const found: number[] = [];
    for (let row = 0; row < count; row++) {
      for (let k = 0; k < width; k++) {
        const word = Math.floor((address + row * pitchBytes + k * elementBytes) / WORD_BYTES);
        if (!this.isUnwritten(word) && (elementBytes <= WORD_BYTES || !this.isUnwritten(word + 1))) continue;
        found.push(row * width + k);
      }
    }
    const [first] = found;
    return first === undefined ? null : { first, last: found.at(-1) ?? first, count: found.length };
  }

  use(address: number): void {
    const found = this.at(address);
    if (found !== undefined) found.used = true;
  }

  /** A kernel writes a word. */
  writeWord(word: number): void {
    const at = word - this.base;
    if (at >= 0) this.unwritten[at] = 0;
  }

  isUnwritten(word: number): boolean {
    return this.unwritten[word - this.base] === 1;
  }

  /** The allocation that holds an address. */
  at(address: number): WatchedAllocation | undefined {
    return this.allocations.find(
      (each) => !each.freed && address >= each.address && address < each.address + each.bytes,
    );
  }

  free({ address }: MemoryRange): void {
    const found = this.allocations.find((each) => !each.freed && each.address === address);
    if (found !== undefined) found.freed = true;
  }

  /** Everything that is still allocated leaks. */
  leak(): void {
    for (const each of this.allocations) if (!each.freed) each.leaked = true;
  }
}

/** The memories of all GPUs that the watched program uses. */
export class WatchedMemory {
  private readonly states: Map<object, MemoryState> = new Map();
  private count = 0;

  of(owner: object): MemoryState {
    const state = this.states.get(owner) ?? new MemoryState();
    this.states.set(owner, state);
    return state;
  }

  get all(): readonly MemoryState[] {
    return [...this.states.values()];
  }

  /** Follows what the host does. */
  note(activity: Activity): void {
    switch (activity.kind) {
      case "malloc":
        this.of(activity.owner).allocate(activity, ++this.count);
        return;
      case "copy":
        this.of(activity.owner).copy(activity);
        return;
      case "memset":
        this.of(activity.owner).write(activity);
        return;
      case "free":
        this.of(activity.owner).free(activity);
        return;
      case "reset":
        this.of(activity.owner).leak();
        return;
      default:
        return;
    }
  }
}
