/** Which arrays of the host are page-locked: those of `gpu.hostAlloc`. A copy engine reads and writes them without the host's help. */

const pinned: WeakSet<ArrayBufferLike> = new WeakSet();

export type HostMemory = "pinned" | "pageable";

/** Bytes of an array that `gpu.hostAlloc` made. */
export interface PinnedRange {
  readonly memory: ArrayBufferLike;
  readonly offset: number;
  readonly bytes: number;
}

export function pin(memory: ArrayBufferLike): void {
  pinned.add(memory);
}

/** A view of a page-locked array (`subarray`) is page-locked, too. */
export function hostMemoryOf(array: ArrayBufferView): HostMemory {
  return pinned.has(array.buffer) ? "pinned" : "pageable";
}

/** The array's bytes if they are page-locked. */
export function pinnedRange(array: ArrayBufferView): PinnedRange | null {
  if (!pinned.has(array.buffer)) return null;
  return { memory: array.buffer, offset: array.byteOffset, bytes: array.byteLength };
}
