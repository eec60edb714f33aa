/** Applies the order of issue within basic blocks (`instruction-order.ts`) to traces. */

import { type BlockTrace, RECORD_HEADER, withStreams } from "../trace/trace.js";
import type { ScheduledBlock } from "./instruction-order.js";

export function reorderTrace(trace: BlockTrace, blocks: readonly ScheduledBlock[], traced: Uint8Array): BlockTrace {
  if (blocks.length === 0) return trace;
  const orderAt: (Int32Array | undefined)[] = [];
  let longest = 0;
  for (const { first, order } of blocks) {
    orderAt[first] = order;
    longest = Math.max(longest, order.length);
  }
  const pcs = trace.pcs.slice();
  const memory = trace.memory.slice();
  const recordAt = new Int32Array(longest);
  for (let warp = 0; warp < trace.warps; warp++) reorderWarp(trace, warp, orderAt, traced, pcs, memory, recordAt);
  return withStreams(trace, pcs, trace.pcStart, memory, trace.executed);
}

/**
 * Writes the warp's instructions and records in the new order to `pcs` and `memory`, which begin as copies of the
 * trace's.
 */
function reorderWarp(
  trace: BlockTrace,
  warp: number,
  orderAt: readonly (Int32Array | undefined)[],
  traced: Uint8Array,
  pcs: Int32Array,
  memory: Int32Array,
  recordAt: Int32Array,
): void {
  const end = trace.pcStart[warp + 1]!;
  let from = trace.memoryStart[warp]!;
  for (let i = trace.pcStart[warp]!; i < end; ) {
    const first = trace.pcs[i]!;
    const order = orderAt[first];
    if (order === undefined || !isWhole(trace.pcs, i, end, order.length)) {
      if (traced[first] !== 0) from += RECORD_HEADER + trace.memory[from + 2]!;
      i++;
      continue;
    }
    let next = from;
    for (let k = 0; k < order.length; k++) {
      recordAt[k] = next;
      if (traced[first + k] !== 0) next += RECORD_HEADER + trace.memory[next + 2]!;
    }
    let to = from;
    for (let k = 0; k < order.length; k++) {
      const pc = order[k]!;
      pcs[i + k] = pc;
      if (traced[pc] === 0) continue;
      const record = recordAt[pc - first]!;
      const length = RECORD_HEADER + trace.memory[record + 2]!;
      if (record !== to) for (let word = 0; word < length; word++) memory[to + word] = trace.memory[record + word]!;
      to += length;
    }
    from = next;
    i += order.length;
  }
}

/** Removes the instructions that the machine folds into others, because they take no issue slot. */
export function dropFolded(trace: BlockTrace, slotCount: Int32Array): BlockTrace {
  const pcs = new Int32Array(trace.pcs.length);
  const pcStart = new Int32Array(trace.warps + 1);
  for (let warp = 0; warp < trace.warps; warp++)
    pcStart[warp + 1] = keepSlots(trace, warp, slotCount, pcs, pcStart[warp]!);
  const kept = pcStart[trace.warps]!;
  return kept === pcs.length ? trace : withStreams(trace, pcs.subarray(0, kept), pcStart, trace.memory, trace.executed);
}

/** Writes the warp's instructions that take slots to `pcs` from index `to`; returns the index after the last. */
function keepSlots(trace: BlockTrace, warp: number, slotCount: Int32Array, pcs: Int32Array, to: number): number {
  const end = trace.pcStart[warp + 1]!;
  let next = to;
  for (let i = trace.pcStart[warp]!; i < end; i++) {
    const pc = trace.pcs[i]!;
    if (slotCount[pc]! > 0) pcs[next++] = pc;
  }
  return next;
}

/** Whether the block ran from its first to its last instruction without a break. */
function isWhole(pcs: Int32Array, at: number, end: number, length: number): boolean {
  if (at + length > end) return false;
  const first = pcs[at]!;
  for (let k = 1; k < length; k++) if (pcs[at + k] !== first + k) return false;
  return true;
}
