/**
 * Gives each machine instruction an instruction of its own, with registers for what it needs of the others. One that is
 * independent of them then waits for its operands only. Operations that contain branches stay whole.
 */
import type { Instruction, IssueSlot, Operand, Program, Reg } from "../../lower/program.js";
import { type BlockTrace, withStreams } from "../trace/trace.js";

export interface ExpandedProgram {
  /** Its `body` is that of the original program; timing does not read it. */
  readonly program: Program;
  /** The first instruction that pc expands to, by pc; one more entry for the end. */
  readonly start: Int32Array;
}

/** Pipes whose operations have a fixed place in the code, or are calls: their machine instructions stay together. */
const WHOLE: ReadonlySet<string> = new Set(["cbu", "adu", "lsu", "shuffle"]);

function isWhole({ issue, type, op }: Instruction): boolean {
  const wideDivision = (op === "div" || op === "rem") && (type === "i64" || type === "u64");
  return issue.length < 2 || wideDivision || issue.some(({ pipe }) => WHOLE.has(pipe));
}

export function setsPredicate({ mnemonic }: IssueSlot): boolean {
  return /^[DFI]SETP/.test(mnemonic);
}

/** The guard is a predicate that its own operation has set. */
export function isPredicated({ mnemonic }: IssueSlot): boolean {
  return mnemonic.startsWith("@P.");
}

export function expandSlots(program: Program): ExpandedProgram {
  const { instructions } = program;
  const start = new Int32Array(instructions.length + 1);
  for (const [pc, instruction] of instructions.entries()) {
    start[pc + 1] = start[pc]! + (isWhole(instruction) ? 1 : instruction.issue.length);
  }
  const registers = [...program.registers];
  const expanded: Instruction[] = [];
  for (const instruction of instructions) {
    const { target, issue } = instruction;
    const moved = target === undefined ? {} : { target: start[target]! };
    if (isWhole(instruction)) {
      expanded.push({ ...instruction, ...moved, pc: expanded.length });
      continue;
    }
    // A dependent slot waits for all slots since the last dependent one; an independent slot waits for the operands
    // only.
    let since: Reg[] = [];
    let predicate: Reg | null = null;
    for (const [index, slot] of issue.entries()) {
      const waits = index > 0 && !slot.independent;
      const result = registers.length;
      registers.push({ type: "u32", name: null });
      const operands: readonly Operand[] = waits ? since.map((reg) => ({ kind: "reg", reg })) : instruction.src;
      const guards = isPredicated(slot) && predicate !== null && instruction.guard === null;
      expanded.push({
        ...instruction,
        ...moved,
        pc: expanded.length,
        // The move of a REDUX's result runs on another pipe.
        op: index > 0 && instruction.op === "redux" ? "mov" : instruction.op,
        src: operands,
        dst: index === issue.length - 1 ? instruction.dst : [result],
        guard: guards ? { reg: predicate!, negate: false } : instruction.guard,
        issue: [slot],
      });
      since = waits ? [result] : [...since, result];
      if (setsPredicate(slot)) predicate = result;
    }
  }
  return { program: { ...program, registers, instructions: expanded }, start };
}

export function expandTrace(trace: BlockTrace, start: Int32Array): BlockTrace {
  const length = expandedLength(trace.pcs, start);
  if (length === trace.pcs.length && start.at(-1) === start.length - 1) return trace;
  const pcs = new Int32Array(length);
  const pcStart = new Int32Array(trace.warps + 1);
  for (let warp = 0; warp < trace.warps; warp++)
    pcStart[warp + 1] = expandWarp(trace, start, warp, pcs, pcStart[warp]!);
  const executed = trace.executed === null ? null : new Float64Array(start.at(-1)!);
  if (executed !== null) {
    for (const [pc, count] of trace.executed!.entries()) executed.fill(count, start[pc]!, start[pc + 1]!);
  }
  return withStreams(trace, pcs, pcStart, trace.memory, executed);
}

function expandedLength(pcs: Int32Array, start: Int32Array): number {
  let length = 0;
  for (let i = 0; i < pcs.length; i++) length += start[pcs[i]! + 1]! - start[pcs[i]!]!;
  return length;
}

/** Writes the warp's expanded instructions to `pcs` from index `to`; returns the index after the last. */
function expandWarp(trace: BlockTrace, start: Int32Array, warp: number, pcs: Int32Array, to: number): number {
  const end = trace.pcStart[warp + 1]!;
  let next = to;
  for (let i = trace.pcStart[warp]!; i < end; i++) {
    const pc = trace.pcs[i]!;
    const last = start[pc + 1]!;
    for (let at = start[pc]!; at < last; at++) pcs[next++] = at;
  }
  return next;
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
