/** Takes back what a launch has written to global memory, so that another engine can run it from the start. */
import type { PreparedLaunch } from "../engine.js";

/** The memory that a launch may write: what the pointer arguments reach that its stores and atomics go through. */
function writtenParts({ program, args }: PreparedLaunch): { readonly first: number; readonly end: number }[] {
  const written = new Set<number>();
  for (const { op, root } of program.instructions) {
    if ((op === "st" || op === "atom") && root?.kind === "param") written.add(root.index);
  }
  return [...written].flatMap((index) => {
    const argument = args[index];
    if (typeof argument !== "object") return [];
    const { address, byteLength, bytesBefore = 0 } = argument;
    return [{ first: address - bytesBefore, end: Math.max(address - bytesBefore, address + byteLength) }];
  });
}

/** Bytes that `keepWritten` would copy. */
export function writtenBytes(launch: PreparedLaunch): number {
  return writtenParts(launch).reduce((sum, { first, end }) => sum + end - first, 0);
}

/** Keeps a copy of all that the launch may write; the function it gives puts that back. */
export function keepWritten(launch: PreparedLaunch): () => void {
  const { memory } = launch;
  const kept = writtenParts(launch).map(({ first, end }) => ({
    first,
    bytes: new Uint8Array(memory.buffer, first, end - first).slice(),
  }));
  return () => {
    for (const { first, bytes } of kept) new Uint8Array(memory.buffer).set(bytes, first);
  };
}
