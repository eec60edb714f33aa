/** Requests of global memory as coalesced as their bytes allow. */
import type { LaunchResult } from "../../../host/launch-result.js";
import { RETURNED_SHIFT } from "../../../timing/index.js";
import { type MemoryRecord, rewriteTraces } from "./rewrite-traces.js";
import type { WhatIf } from "./what-if.js";

const SECTORS_OF_LINE = 4;
const LINE_BYTES = 128;

/** The lines of a request, ascending. */
function linesOf({ places }: MemoryRecord): readonly number[] {
  const lines: number[] = [];
  for (const place of places) {
    const line = Math.floor(place / SECTORS_OF_LINE);
    if (lines.at(-1) !== line) lines.push(line);
  }
  return lines;
}

/** The next time the same lines are asked for, other ones among them are. */
function turnOf(turns: Map<number, number>, lines: readonly number[]): number {
  const turn = turns.get(lines[0]!) ?? 0;
  turns.set(lines[0]!, turn + 1);
  return turn;
}

/**
 * A request that touches more sectors than its bytes fill takes whole lines of those that it touches. Where requests
 * touch the same lines one after the other, each takes others of them, so that the data as a whole stays the same.
 */
export function withWholeRequests({ rawCounters: raw }: LaunchResult, leastSectors: (pc: number) => number): WhatIf {
  return (input) => {
    const { program, traces } = input;
    const turns = { ld: new Map<number, number>(), st: new Map<number, number>() };
    const record = (pc: number, old: MemoryRecord): MemoryRecord => {
      const { op, space } = program.instructions[pc]!;
      if (space !== "global" || (op !== "ld" && op !== "st")) return old;
      const least = Math.round(leastSectors(pc) / Math.max(1, raw.requests[pc] ?? 0));
      const count = Math.max(1, least);
      if (old.places.length <= count) return old;
      const lines = linesOf(old);
      const needed = Math.ceil(count / SECTORS_OF_LINE);
      const first = (turnOf(turns[op], lines) * needed) % lines.length;
      const chosen = Array.from(
        { length: Math.min(needed, lines.length) },
        (_, i) => lines[(first + i) % lines.length]!,
      );
      const places = chosen
        .sort((a, b) => a - b)
        .flatMap((line) => Array.from({ length: SECTORS_OF_LINE }, (_, i) => SECTORS_OF_LINE * line + i))
        .slice(0, count);
      const wavefronts = Math.max(1, Math.ceil((count * 32) / LINE_BYTES));
      return {
        lanes: old.lanes,
        wavefronts: op === "ld" ? wavefronts | (wavefronts << RETURNED_SHIFT) : old.wavefronts,
        places: Int32Array.from(places),
      };
    };
    return { ...input, traces: rewriteTraces(program, traces, { record }) };
  };
}
