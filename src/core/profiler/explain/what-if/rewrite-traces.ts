/** Traces with instructions left out, or with other memory requests: what a warp would have done without a cause. */
import type { Program } from "../../../lower/program.js";
import { type BlockTrace, type LaunchTraces, RECORD_HEADER, recordOf } from "../../../timing/index.js";

/** The record of a memory instruction (`BlockTrace.memory`). */
export interface MemoryRecord {
  readonly lanes: number;
  readonly wavefronts: number;
  /** Sectors, ascending. */
  readonly places: Int32Array;
}

export interface Rewriting {
  /** Whether the warp executes this instruction once more; asked in the order of its execution. */
  readonly keeps?: (pc: number) => boolean;
  /** The record that replaces one; null leaves it out. `kept`: whether its instruction is kept. */
  readonly record?: (pc: number, record: MemoryRecord, kept: boolean) => MemoryRecord | null;
}

class Words {
  private values = new Int32Array(1024);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.values);
      this.values = longer;
    }
    this.values[this.length++] = value;
  }

  get used(): Int32Array {
    return this.values.slice(0, this.length);
  }
}

function rewriteBlock(trace: BlockTrace, traced: readonly number[], { keeps, record }: Rewriting): BlockTrace {
  const { block, warps, executed, parted, partedStart, pcs: before, memory: words } = trace;
  const [pcs, memory] = [new Words(), new Words()];
  const [pcStart, memoryStart] = [new Int32Array(warps + 1), new Int32Array(warps + 1)];
  for (let warp = 0; warp < warps; warp++) {
    let at = trace.memoryStart[warp]!;
    for (let i = trace.pcStart[warp]!; i < trace.pcStart[warp + 1]!; i++) {
      const pc = before[i]!;
      const kept = keeps === undefined || keeps(pc);
      if (kept) pcs.push(pc);
      if (traced[pc] === 0) continue;
      const from = at + RECORD_HEADER;
      at = from + words[at + 2]!;
      const old = { lanes: words[from - 3]!, wavefronts: words[from - 2]!, places: words.subarray(from, at) };
      const next = record === undefined ? (kept ? old : null) : record(pc, old, kept);
      if (next === null) continue;
      memory.push(next.lanes);
      memory.push(next.wavefronts);
      memory.push(next.places.length);
      for (const place of next.places) memory.push(place);
    }
    pcStart[warp + 1] = pcs.length;
    memoryStart[warp + 1] = memory.length;
  }
  const same = keeps === undefined;
  return {
    block,
    warps,
    pcs: pcs.used,
    pcStart,
    memory: memory.used,
    memoryStart,
    parted: same ? parted : new Int32Array(0),
    partedStart: same ? partedStart : new Int32Array(warps + 1),
    executed,
  };
}

/** Where instructions are left out, no jump divides a warp any more. */
export function rewriteTraces(program: Program, { blocks }: LaunchTraces, rewriting: Rewriting): LaunchTraces {
  const traced = program.instructions.map(recordOf);
  return { blocks: blocks.map((trace) => rewriteBlock(trace, traced, rewriting)) };
}
