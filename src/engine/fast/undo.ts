/** Takes back what a launch has written to global memory, so that its blocks can be run over again. */
import type { PreparedLaunch } from "../engine.js";

interface Part {
  readonly first: number;
  readonly end: number;
}

/** What the pointer arguments reach that instructions of these kinds go through. */
function partsOf({ program, args }: PreparedLaunch, ops: readonly string[]): readonly Part[] {
  const params = new Set<number>();
  for (const { op, root } of program.instructions) {
    if (ops.includes(op) && root?.kind === "param") params.add(root.index);
  }
  return [...params].flatMap((index) => {
    const argument = args[index];
    if (typeof argument !== "object") return [];
    const { address, byteLength, bytesBefore = 0 } = argument;
    return [{ first: address - bytesBefore, end: Math.max(address - bytesBefore, address + byteLength) }];
  });
}

function writtenParts(launch: PreparedLaunch): readonly Part[] {
  return partsOf(launch, ["st", "atom"]);
}

/** What is written and read as well. */
function changedParts(launch: PreparedLaunch): readonly Part[] {
  const read = partsOf(launch, ["ld", "atom"]);
  return writtenParts(launch).filter((part) => read.some(({ first, end }) => first < part.end && part.first < end));
}

/** Bytes that `keepWritten` would copy. */
export function writtenBytes(launch: PreparedLaunch): number {
  return writtenParts(launch).reduce((sum, { first, end }) => sum + end - first, 0);
}

function keep({ memory }: PreparedLaunch, parts: readonly Part[]): () => void {
  const kept = parts.map(({ first, end }) => ({
    first,
    bytes: new Uint8Array(memory.buffer, first, end - first).slice(),
  }));
  return () => {
    for (const { first, bytes } of kept) new Uint8Array(memory.buffer).set(bytes, first);
  };
}

/** Keeps a copy of all that the launch may write; the function it gives puts that back. */
export function keepWritten(launch: PreparedLaunch): () => void {
  return keep(launch, writtenParts(launch));
}

/**
 * The same for a launch whose blocks are run in order, and then in order again and further: what the kernel writes but
 * never reads need not be put back, for it is written again.
 */
export function keepChanged(launch: PreparedLaunch): () => void {
  return keep(launch, changedParts(launch));
}
