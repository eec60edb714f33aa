/**
 * The program with an instruction for each machine instruction: those that an operation stands for are then put in order
 * and issued by themselves, others' between them, as ptxas has it. Left whole are those with branches in them.
 */
import type { Instruction, IssueSlot, Operand, Program, Reg } from "../../lower/program.js";
import { type BlockTrace, withStreams } from "../trace/trace.js";

export interface ExpandedProgram {
  /** Its `body` is still that of the program: timing has no use for it. */
  readonly program: Program;
  /** Where instruction pc begins, by pc; one more for the end. */
  readonly start: Int32Array;
}

/** One place in the code, or a call: nothing of it moves between others. */
const WHOLE: ReadonlySet<string> = new Set(["cbu", "adu", "lsu", "shuffle"]);

function isWhole({ issue, type, op }: Instruction): boolean {
  const wideDivision = (op === "div" || op === "rem") && (type === "i64" || type === "u64");
  return issue.length < 2 || wideDivision || issue.some(({ pipe }) => WHOLE.has(pipe));
}

export function setsPredicate({ mnemonic }: IssueSlot): boolean {
  return /^[DFI]SETP/.test(mnemonic);
}

/** By a predicate of its own operation. */
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
    // A slot waits for those before it back to the last that itself has waited; an independent one for the operands.
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
        // What moves the result is no operation of the warp: others may begin before it (nvcc 13.0: three REDUX, then their MOVs).
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

/** Writes the warp's instructions to `pcs` from `to` on; where they end. */
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
