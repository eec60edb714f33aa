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

/** The memory of one GPU. */
export class MemoryState {
  readonly allocations: WatchedAllocation[] = [];
  /** Words that were allocated and not written since: one byte a word. */
  private unwritten = new Uint8Array(0);

  allocate(range: MemoryRange, number: number): void {
    this.allocations.push({ ...range, number, leaked: false, freed: false, used: false });
    const end = Math.ceil((range.address + range.bytes) / WORD_BYTES);
    if (end > this.unwritten.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.unwritten.length));
      grown.set(this.unwritten);
      this.unwritten = grown;
    }
    this.unwritten.fill(1, range.address / WORD_BYTES, end);
  }

  /** The host writes bytes. */
  write({ address, bytes }: MemoryRange): void {
    this.unwritten.fill(0, address / WORD_BYTES, Math.ceil((address + bytes) / WORD_BYTES));
    this.use(address);
  }

  /** A copy from the host writes, row by row where rows have gaps; one on the GPU copies what is unwritten, too. */
  copy({ way, owner, address, bytes, from, rows }: CopyActivity): void {
    this.use(address);
    if (way === "DtoD" && from !== null) {
      this.use(from);
      const first = from / WORD_BYTES;
      this.unwritten.copyWithin(address / WORD_BYTES, first, first + Math.ceil(bytes / WORD_BYTES));
    }
    if (way !== "HtoD") return;
    const { count, pitchBytes } = rows ?? { count: 1, pitchBytes: bytes };
    for (let row = 0; row < count; row++) {
      this.write({ owner, address: address + row * pitchBytes, bytes: bytes / count });
    }
  }

  use(address: number): void {
    const found = this.at(address);
    if (found !== undefined) found.used = true;
  }

  /** A kernel writes a word. */
  writeWord(word: number): void {
    this.unwritten[word] = 0;
  }

  isUnwritten(word: number): boolean {
    return this.unwritten[word] === 1;
  }

  /** Words of an allocation that nobody has written. */
  unwrittenWords({ address, bytes }: MemoryRange): number {
    const words = this.unwritten.subarray(address / WORD_BYTES, Math.ceil((address + bytes) / WORD_BYTES));
    return words.reduce((sum, each) => sum + each, 0);
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
