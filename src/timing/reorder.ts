/** Traces with the instructions of each basic block in the order of their issue (`instruction-order.ts`). */
import type { ScheduledBlock } from "./instruction-order.js";
import type { BlockTrace } from "./trace.js";

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
  for (let warp = 0; warp < trace.warps; warp++) {
    const end = trace.pcStart[warp + 1]!;
    let from = trace.memoryStart[warp]!;
    for (let i = trace.pcStart[warp]!; i < end; ) {
      const first = trace.pcs[i]!;
      const order = orderAt[first];
      if (order === undefined || !isWhole(trace.pcs, i, end, order.length)) {
        if (traced[first] === 1) from += 3 + trace.memory[from + 2]!;
        i++;
        continue;
      }
      let next = from;
      for (let k = 0; k < order.length; k++) {
        recordAt[k] = next;
        if (traced[first + k] === 1) next += 3 + trace.memory[next + 2]!;
      }
      let to = from;
      for (let k = 0; k < order.length; k++) {
        const pc = order[k]!;
        pcs[i + k] = pc;
        if (traced[pc] === 0) continue;
        const record = recordAt[pc - first]!;
        const length = 3 + trace.memory[record + 2]!;
        for (let word = 0; word < length; word++) memory[to + word] = trace.memory[record + word]!;
        to += length;
      }
      from = next;
      i += order.length;
    }
  }
  return { ...trace, pcs, memory };
}

/** A trace without the instructions that the machine folds into others: they take no issue slot. */
export function dropFolded(trace: BlockTrace, slotCount: Int32Array): BlockTrace {
  const pcs = new Int32Array(trace.pcs.length);
  const pcStart = new Int32Array(trace.warps + 1);
  let to = 0;
  for (let warp = 0; warp < trace.warps; warp++) {
    for (let i = trace.pcStart[warp]!; i < trace.pcStart[warp + 1]!; i++) {
      const pc = trace.pcs[i]!;
      if (slotCount[pc]! > 0) pcs[to++] = pc;
    }
    pcStart[warp + 1] = to;
  }
  return to === pcs.length ? trace : { ...trace, pcs: pcs.subarray(0, to), pcStart };
}

/** The block ran from its first to its last instruction without a break. */
function isWhole(pcs: Int32Array, at: number, end: number, length: number): boolean {
  if (at + length > end) return false;
  const first = pcs[at]!;
  for (let k = 1; k < length; k++) if (pcs[at + k] !== first + k) return false;
  return true;
}
