/** Which arrays of the host are page-locked: those of `gpu.hostAlloc`. A copy engine reads and writes them without the host's help. */

const pinned: WeakSet<ArrayBufferLike> = new WeakSet();

export type HostMemory = "pinned" | "pageable";

export function pin(memory: ArrayBufferLike): void {
  pinned.add(memory);
}

/** A view of a page-locked array (`subarray`) is page-locked, too. */
export function hostMemoryOf(array: ArrayBufferView): HostMemory {
  return pinned.has(array.buffer) ? "pinned" : "pageable";
}
