/** Allocations that the watched program made, and which of their bytes nobody has written yet. */
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

/** Elements that a host's array gets and that nobody has written; all between the first and the last where `count` says so. */
export interface UnwrittenElements {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** The memory of one GPU. */
export class MemoryState {
  readonly allocations: WatchedAllocation[] = [];
  /** Bytes that were allocated and not written since, by address from `base` on. */
  private unwritten = new Uint8Array(0);
  private base = 0;

  allocate(range: MemoryRange, number: number): void {
    this.allocations.push({ ...range, number, leaked: false, freed: false, used: false });
    const [start, end] = [range.address, range.address + range.bytes];
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

  /** The host writes bytes. */
  write({ address, bytes }: MemoryRange): void {
    this.wrote(address, bytes);
    this.use(address);
  }

  /** A copy from the host writes, row by row where rows have gaps; one on the GPU copies what is unwritten, too. */
  copy({ way, owner, address, bytes, from, rows }: CopyActivity): void {
    this.use(address);
    if (way === "DtoD" && from !== null) {
      this.use(from);
      for (let byte = 0; byte < bytes; byte++) {
        const at = address + byte - this.base;
        if (at >= 0 && at < this.unwritten.length) this.unwritten[at] = this.unwritten[from + byte - this.base] ?? 0;
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
        if (this.firstUnwritten(address + row * pitchBytes + k * elementBytes, elementBytes) !== null)
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

  /** A kernel or the host writes bytes. Memory that was allocated before the tools began may lie below the base. */
  wrote(address: number, bytes: number): void {
    this.unwritten.fill(0, Math.max(0, address - this.base), Math.max(0, address + bytes - this.base));
  }

  /** The address of the first of some bytes that nobody has written; null where all are. */
  firstUnwritten(address: number, bytes: number): number | null {
    for (let byte = address; byte < address + bytes; byte++) if (this.unwritten[byte - this.base] === 1) return byte;
    return null;
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
