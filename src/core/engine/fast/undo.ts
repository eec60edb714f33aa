/** Takes back what blocks of a launch have written to global memory, so that they can be run over again. */
import type { BlockRange, PreparedLaunch } from "../engine.js";
import type { BlockPart } from "./analysis/independence.js";

/** Bytes of the device memory. */
export interface Part {
  readonly first: number;
  readonly end: number;
}

/** The bytes that a pointer argument reaches. */
function extentOf({ args }: PreparedLaunch, param: number): Part | null {
  const argument = args[param];
  if (typeof argument !== "object") return null;
  const { address, byteLength, bytesBefore = 0 } = argument;
  return { first: address - bytesBefore, end: Math.max(address - bytesBefore, address + byteLength) };
}

function extentsOf(launch: PreparedLaunch, ops: readonly string[]): ReadonlyMap<number, Part> {
  const extents = new Map<number, Part>();
  for (const { op, root } of launch.program.instructions) {
    const extent = ops.includes(op) && root?.kind === "param" ? extentOf(launch, root.index) : null;
    if (extent !== null && root?.kind === "param") extents.set(root.index, extent);
  }
  return extents;
}

/** The memory that blocks may write; `blockParts`: where each of them is known to write. */
export function writtenParts(
  launch: PreparedLaunch,
  { first, end }: BlockRange,
  blockParts: readonly BlockPart[] | null,
): readonly Part[] {
  const extents = extentsOf(launch, ["st", "atom"]);
  if (blockParts === null) return [...extents.values()];
  return blockParts.flatMap(({ param, strideBytes, lowBytes, endBytes }) => {
    const extent = extents.get(param);
    const argument = launch.args[param];
    if (extent === undefined || typeof argument !== "object") return [];
    const moves = [strideBytes * first, strideBytes * (end - 1)];
    const from = Math.max(extent.first, argument.address + Math.min(...moves) + lowBytes);
    const to = Math.min(extent.end, argument.address + Math.max(...moves) + endBytes);
    return from < to ? [{ first: from, end: to }] : [];
  });
}

/**
 * Those of the parts that the launch also reads. If blocks run in order, and then again from the start and further,
 * only these parts need to be put back. A part that is written and never read is written again.
 */
export function partsRead(launch: PreparedLaunch, parts: readonly Part[]): readonly Part[] {
  const read = [...extentsOf(launch, ["ld", "atom"]).values()];
  return parts.filter((part) => read.some(({ first, end }) => first < part.end && part.first < end));
}

export function bytesOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { first, end }) => sum + end - first, 0);
}

/** Kept from one launch to the next: a new one each time would be cleared first, and collected later. */
let store = new Uint8Array(0);
const LARGEST_STORE = 2 ** 24;

function storeOf(bytes: number): Uint8Array {
  if (bytes > store.length && bytes <= LARGEST_STORE) store = new Uint8Array(bytes);
  return bytes <= store.length ? store : new Uint8Array(bytes);
}

/** Keeps what a launch may write, in a store of its own; the function it gives puts that back, and the budget. */
export function keepWritten(launch: PreparedLaunch): () => void {
  const parts = writtenParts(launch, { first: 0, end: 0, step: 1 }, null);
  const undo = keep(launch, parts, new Uint8Array(bytesOf(parts)));
  const spent = launch.budget?.spent ?? 0;
  return () => {
    undo();
    if (launch.budget !== undefined) launch.budget.spent = spent;
  };
}

/** Keeps a copy of the parts; the function it gives puts them back, once, before the store keeps anything else. */
export function keep(
  { memory }: PreparedLaunch,
  parts: readonly Part[],
  copy: Uint8Array = storeOf(bytesOf(parts)),
): () => void {
  let at = 0;
  for (const { first, end } of parts) {
    copy.set(new Uint8Array(memory.buffer, first, end - first), at);
    at += end - first;
  }
  return () => {
    let from = 0;
    for (const { first, end } of parts) {
      new Uint8Array(memory.buffer).set(copy.subarray(from, from + end - first), first);
      from += end - first;
    }
  };
}
