/** The same work by warps all of whose lanes work: without divergence, and without lanes that have ended. */
import type { LaunchResult } from "../../../host/launch-result.js";
import type { Instruction } from "../../../lower/program.js";
import { type BlockTrace, RECORD_OF_SECTORS, recordOf } from "../../../timing/index.js";
import { type MemoryRecord, rewriteTraces } from "./rewrite-traces.js";
import type { WhatIf } from "./what-if.js";

/** Every warp has to come to a barrier and to its end; atomics and matches stay with their lanes. */
const ALWAYS: ReadonlySet<string> = new Set([
  "bar",
  "exit",
  "gridsync",
  "atom",
  "matchAny",
  "launch",
  "deviceSynchronize",
]);
/** Shares are sums of binary fractions, off by less than this. */
const ROUNDING = 1e-9;

/** Share of the executions of an instruction that full warps would need. */
function sharesOf({ program, rawCounters: raw, device }: LaunchResult): readonly number[] {
  return program.instructions.map(({ op, pc }) => {
    const executed = raw.executed[pc] ?? 0;
    if (executed === 0 || ALWAYS.has(op)) return 1;
    return Math.min(1, (raw.activeLanes[pc] ?? 0) / (device.warpSize * executed));
  });
}

function union(a: MemoryRecord, b: MemoryRecord): MemoryRecord {
  const places = Int32Array.from(new Set([...a.places, ...b.places])).sort();
  return { lanes: Math.min(32, a.lanes + b.lanes), wavefronts: Math.max(a.wavefronts, b.wavefronts), places };
}

function ofGlobal(instruction: Instruction): boolean {
  return instruction.space === "global" && recordOf(instruction) === RECORD_OF_SECTORS;
}

/** An instruction is executed as often as full warps need it. The global sectors of the other executions join these. */
export function withFullWarps(launch: LaunchResult): WhatIf {
  const shares = sharesOf(launch);
  return (input) => {
    const { program, traces, counters, work } = input;
    const scaled = (executed: Float64Array): Float64Array => executed.map((count, pc) => count * shares[pc]!);
    const sum = (counts: Float64Array): number => counts.reduce((total, count) => total + count, 0);
    const { executed } = launch.rawCounters;
    const left = sum(scaled(executed)) / Math.max(1, sum(executed));
    const due = shares.map(() => 0);
    const waiting = new Map<number, MemoryRecord>();
    const rewritten = rewriteTraces(program, traces, {
      keeps: (pc) => {
        due[pc]! += shares[pc]!;
        if (due[pc]! < 1 - ROUNDING) return false;
        due[pc]! -= 1;
        return true;
      },
      record: (pc, record, kept) => {
        if (!ofGlobal(program.instructions[pc]!)) return kept ? record : null;
        const before = waiting.get(pc);
        const all = before === undefined ? record : union(before, record);
        if (kept) waiting.delete(pc);
        else waiting.set(pc, all);
        return kept ? all : null;
      },
    });
    return {
      ...input,
      traces: {
        blocks: rewritten.blocks.map(
          (trace): BlockTrace => ({ ...trace, executed: trace.executed === null ? null : scaled(trace.executed) }),
        ),
      },
      ...(counters === undefined ? {} : { counters: { ...counters, executed: scaled(counters.executed) } }),
      ...(work === undefined ? {} : { work: work.map((each) => Math.round(each * left)) }),
    };
  };
}
