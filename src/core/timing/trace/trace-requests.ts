/** The global memory requests of a traced block, in order. */
import { LineCount } from "../base/line-count.js";
import { type BlockTrace, RECORD_HEADER, RECORD_OF_LOCAL, RECORD_OF_SECTORS } from "./trace.js";

/**
 * Visits the global memory requests, with the pc and the index of the record. `from` and `to` limit the visit to a
 * share of each warp's instructions.
 */
export function walkRequests(trace: BlockTrace, traced: Uint8Array, visit: VisitRequest, from = 0, to = 1): void {
  for (let warp = 0; warp < trace.warps; warp++) walkWarp(trace, warp, traced, RECORD_OF_SECTORS, visit, from, to);
}

/** Visits a warp's requests of local memory. */
export function walkLocal(trace: BlockTrace, warp: number, traced: Uint8Array, visit: VisitRequest): void {
  walkWarp(trace, warp, traced, RECORD_OF_LOCAL, visit, 0, 1);
}

type VisitRequest = (pc: number, record: number, nth: number) => void;

function walkWarp(
  { pcs, pcStart, memory, memoryStart }: BlockTrace,
  warp: number,
  traced: Uint8Array,
  kind: number,
  visit: VisitRequest,
  from: number,
  to: number,
): void {
  let at = memoryStart[warp]!;
  const start = pcStart[warp]!;
  const length = pcStart[warp + 1]! - start;
  const end = start + Math.floor(to * length);
  const first = start + Math.floor(from * length);
  let nth = 0;
  for (let i = start; i < end; i++) {
    const pc = pcs[i]!;
    if (traced[pc] === 0) continue;
    const count = memory[at + 2]!;
    if (i >= first && count > 0 && traced[pc] === kind) visit(pc, at, nth);
    nth++;
    at += RECORD_HEADER + count;
  }
}

/** The lines that the traced requests of a block access; `from` and `to` as in `walkRequests`. */
export function linesAsked(trace: BlockTrace, traced: Uint8Array, from: number, to: number): LineCount {
  const lines = new LineCount();
  const count = (_: number, record: number): void =>
    lines.add(trace.memory, record + RECORD_HEADER, trace.memory[record + 2]!);
  walkRequests(trace, traced, count, from, to);
  return lines;
}

/** How many times the second half of a block's trace has still to be repeated; 0 for a whole trace. */
export function halvesToCome({ pcs, executed }: BlockTrace, slotCount: Int32Array): number {
  if (executed === null) return 0;
  const traced = slotsOfPcs(pcs, slotCount);
  const whole = executed.reduce((sum, count, pc) => sum + count * slotCount[pc]!, 0);
  return Math.max(0, (2 * (whole - traced)) / Math.max(1, traced));
}

/** The issue slots of traced instructions. */
export function slotsOfPcs(pcs: Int32Array, slotCount: Int32Array): number {
  let total = 0;
  for (let i = 0; i < pcs.length; i++) total += slotCount[pcs[i]!]!;
  return total;
}
