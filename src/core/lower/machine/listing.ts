/** A program as text in the style of cuobjdump: one machine instruction per line, with the learner's source. */
import { editorLine } from "../../base/errors.js";
import { writtenLine } from "../../base/written-line.js";
import type { Instruction, Operand, Program } from "../program.js";

function operandText(program: Program, operand: Operand): string {
  switch (operand.kind) {
    case "reg":
      return registerText(program, operand.reg);
    case "imm":
      return String(operand.value);
    case "param":
      return `c[${program.params[operand.index]?.name ?? operand.index}]`;
    case "special":
      return "axis" in operand.special ? `${operand.special.name}.${operand.special.axis}` : operand.special.name;
  }
}

function registerText(program: Program, reg: number): string {
  const register = program.registers[reg];
  const letter = register?.type === "bool" ? "P" : "R";
  const width = register?.type === "i64" || register?.type === "u64" || register?.type === "f64" ? ".64" : "";
  return `${letter}${reg}${width}`;
}

function mnemonicOf(inst: Instruction): string {
  const first = inst.issue[0]?.mnemonic ?? `(${inst.op})`;
  return inst.issue.length > 1 ? `${inst.op.toUpperCase()}[${inst.issue.length}]` : first;
}

function instructionText(program: Program, inst: Instruction): string {
  const guard = inst.guard === null ? "" : `@${inst.guard.negate ? "!" : ""}${registerText(program, inst.guard.reg)} `;
  const dst = inst.dst.map((reg) => registerText(program, reg));
  const src = inst.src.map((operand) => operandText(program, operand));
  if (inst.op === "ld" || inst.op === "st" || inst.op === "atom") {
    const offset = inst.offset ?? 0;
    src[0] = `[${src[0]}${offset === 0 ? "" : offset > 0 ? `+${offset}` : offset}]`;
  }
  if (inst.op === "addr") {
    const start = src[1] ?? rootText(program, inst);
    src.splice(0, src.length, `${src[0]}*${inst.scale ?? 1}`, start);
    if (inst.scale === undefined) src.shift();
  }
  const target = inst.target === undefined ? [] : [`-> ${inst.target}`];
  const operands = [...dst, ...src, ...target].join(", ");
  return `${guard}${mnemonicOf(inst)}${operands === "" ? "" : ` ${operands}`}`;
}

function rootText(program: Program, inst: Instruction): string {
  const { root } = inst;
  if (root === undefined) return "?";
  if (root.kind === "param") return `c[${program.params[root.index]?.name ?? root.index}]`;
  if (root.kind === "shared") return program.shared[root.array]?.array.name ?? "shared";
  return program.local[root.array]?.name ?? "local";
}

/** One line per instruction: pc, code, and the source line where it changes. */
export function listing(program: Program): string {
  const rows = program.instructions.map((inst) => ({
    pc: String(inst.pc).padStart(4),
    code: instructionText(program, inst),
    line: sourceLine(program, inst),
  }));
  const width = Math.min(60, Math.max(0, ...rows.map((row) => row.code.length)));
  let previous = "";
  return rows
    .map((row) => {
      const shown = row.line === previous ? "" : row.line;
      previous = row.line;
      return `${row.pc}  ${row.code.padEnd(width)}  ${shown}`.trimEnd();
    })
    .join("\n");
}

function sourceLine(program: Program, inst: Instruction): string {
  const source = program.sources[inst.source];
  const text = source === undefined ? undefined : writtenLine(source, inst.span.line);
  if (source === undefined || text === undefined) return "";
  return `${editorLine(source, inst.span.line)}: ${text.trim()}`;
}
