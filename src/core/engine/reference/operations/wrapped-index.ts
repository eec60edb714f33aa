/** Finds the sum or product of an index that does not fit into its 32 bits, by the lane's registers. */
import type { Instruction, Operand } from "../../../lower/program.js";
import type { MachineState } from "../machine-state.js";

const SIGNS: Readonly<Record<string, string>> = { add: "+", sub: "-", mul: "*" };

/** The lane's value of a 32-bit operand. A constant that is added is a signed one: t - 1 adds -1. */
function operandValue(
  { registers, layout }: MachineState,
  instruction: Instruction,
  index: number,
  at: number,
): number {
  const row = layout.operand(instruction, index) + at;
  const isAdded = instruction.op === "add" && instruction.src[index]?.kind === "imm";
  return (instruction.type === "i32" || isAdded ? registers.i32 : registers.u32)[row]!;
}

/** The operation in words and its exact value; null for operations that cannot wrap, or whose text is not the learner's. */
function exactly({ op }: Instruction, [a = 0, b = 0, c = 0]: readonly number[]): readonly [string, bigint] | null {
  const [x, y, z] = [BigInt(a), BigInt(b), BigInt(c)];
  const minus = b < 0 ? `(${b})` : `${b}`;
  if (op === "add" && b < 0) return [`${a} - ${-b}`, x + y];
  if (op === "add" || op === "sub" || op === "mul") {
    return [`${a} ${SIGNS[op]} ${minus}`, op === "add" ? x + y : op === "sub" ? x - y : x * y];
  }
  if (op === "mad") return [c === 0 ? `${a} * ${minus}` : `${a} * ${minus} + ${c}`, x * y + z];
  if (op === "shl" && b >= 0 && b < 32) return [`${a} * ${2 ** b}`, x << y];
  return null;
}

/** "65536 * 65536 is 4294967296, of which an int keeps 0", for the index of an access; null where nothing has wrapped. */
export function wrappedIndex(machine: MachineState, access: Instruction, base: number, lane: number): string | null {
  const { instructions } = machine.launch.program;
  const definition = (operand: Operand | undefined): Instruction | null => {
    if (operand?.kind !== "reg") return null;
    const [only, ...more] = instructions.filter(({ dst }) => dst.includes(operand.reg));
    return more.length === 0 ? (only ?? null) : null;
  };
  const look = (instruction: Instruction | null, depth: number): string | null => {
    if (instruction === null || depth === 0) return null;
    for (const operand of instruction.src) {
      const inner = look(definition(operand), depth - 1);
      if (inner !== null) return inner;
    }
    const { type, dst, src } = instruction;
    if ((type !== "i32" && type !== "u32") || dst.length !== 1) return null;
    const values = src.map((_, index) => operandValue(machine, instruction, index, base + lane));
    const exact = exactly(instruction, values);
    if (exact === null) return null;
    const kept = type === "i32" ? BigInt.asIntN(32, exact[1]) : BigInt.asUintN(32, exact[1]);
    if (kept === exact[1]) return null;
    const name = type === "i32" ? "an int" : "an unsigned int";
    return `${exact[0]} is ${exact[1]}, of which ${name} keeps ${kept}`;
  };
  return look(definition(access.src[0]), 8);
}
