/** Three-input logic, tests by a logic instruction, and compares combined with a predicate. */

import { type InstructionMatcher, NONE, slot } from "../../analysis/instruction-matcher.js";
import { isInteger32 } from "../../ssa/integer-types.js";
import { type Inst, resolve, type Value } from "../../ssa/ssa.js";

const LOP3_TEST = slot("LOP3.LUT", "alu");

export function mergeLogic(m: InstructionMatcher, inst: Inst): void {
  if (!isInteger32(inst.type)) return;
  for (let i = 0; i < inst.operands.length; i++) {
    const inner = logicPart(m, inst.operands[i]!);
    if (inner === null) continue;
    const outerOperands = inst.operands.filter((_, j) => j !== i);
    const inputs = [...new Set([...inner.operands, ...outerOperands].map(resolve))];
    if (inputs.length > 3) continue;
    const table = (value: Value): number => [0xf0, 0xcc, 0xaa][inputs.indexOf(resolve(value))]!;
    const innerTable = logicTable(inner.op, inner.operands.map(table));
    const operands = inst.operands.map((operand, j) => (j === i ? innerTable : table(operand)));
    const whole = logicTable(inst.op, operands);
    const consumed = inst.operands[i]!;
    while (inputs.length < 3) inputs.push(inputs[0]!);
    inst.mods = { immediate: whole };
    m.become(inst, "lop3", inputs, consumed);
    return;
  }
}

function logicPart(m: InstructionMatcher, value: Value): Inst | null {
  return m.single(value, "and") ?? m.single(value, "or") ?? m.single(value, "xor") ?? m.single(value, "not");
}

/** A logic instruction also tests for zero, except for the lowest bit, which NVVM compares with 1. */
export function testWithLogic(m: InstructionMatcher, inst: Inst): void {
  if (inst.operands.length > 2) return;
  const { compare, sourceType } = inst.mods;
  if ((compare !== "eq" && compare !== "ne") || sourceType === undefined || !isInteger32(sourceType)) return;
  if (resolve(inst.operands[1]!).constant !== 0) return;
  const { def } = resolve(inst.operands[0]!);
  if (def === null || def.slots !== null || (def.op !== "and" && def.op !== "lop3")) return;
  if (!m.block.has(def)) return;
  if (def.op === "and" && resolve(def.operands[1]!).constant === 1) return;
  def.slots = LOP3_TEST;
  inst.slots = NONE;
}

export function combineTests(m: InstructionMatcher, inst: Inst): void {
  const [a, b] = inst.operands as [Value, Value];
  for (const [part, rest] of [
    [b, a],
    [a, b],
  ] as const) {
    const compare = m.single(part, "setp");
    if (compare === null || compare.operands.length > 2) continue;
    inst.mods = { ...compare.mods, combine: inst.op === "pand" ? "and" : "or" };
    const operands = [compare.operands[0]!, compare.operands[1]!, rest];
    inst.type = "bool";
    m.become(inst, "setp", operands, part);
    const other = resolve(rest);
    if (other.def?.op === "pnot") other.def.slots = NONE;
    return;
  }
}

/** SHF.W wraps the count at 32 itself. */
export function wrapCount(m: InstructionMatcher, inst: Inst): void {
  if (!isInteger32(inst.type)) return;
  const mask = m.single(inst.operands[1]!, "and");
  if (mask !== null && resolve(mask.operands[1]!).constant === 31) mask.slots = NONE;
}

function logicTable(op: Inst["op"], operands: readonly number[]): number {
  const [a, b] = operands as [number, number];
  switch (op) {
    case "and":
      return a & b;
    case "or":
      return a | b;
    case "xor":
      return a ^ b;
    default:
      return ~a & 0xff;
  }
}
