/**
 * The addresses of a warp's values in the register file, in 32-bit words from the warp's start. A row is one register of
 * all lanes. It has 32 words for 32-bit types, 64 for 64-bit types and addresses, and one (a lane mask) for a bool. Addresses
 * are float64 byte addresses, exact far beyond any memory, so that none wraps before its bounds are checked.
 * Immediates, parameters and special values have rows too, filled once, so that every operand is a row.
 */
import type { Instruction, Operand, Program, RegisterType, Special } from "../../lower/program.js";
import type { PreparedLaunch } from "../engine.js";
import { operandType } from "../semantics/operand-type.js";
import { findLoopRounds, type LoopRounds } from "./loop-rounds.js";

export interface RegisterLayout {
  /** Word offset of each register's row. */
  readonly rows: Int32Array;
  /** Words at the front that hold registers. */
  readonly registerWords: number;
  /** Words at the front that are set to 0 when a block starts: the registers and the lanes' rounds of loops. */
  readonly clearedWords: number;
  readonly rounds: LoopRounds;
  /** Row of a counter of `rounds`. */
  roundsRow(counter: number): number;
  readonly wordsPerWarp: number;
  readonly constants: readonly ConstantRow[];
  /** Row of a source operand. */
  operand(instruction: Instruction, index: number): number;
}

export interface ConstantRow {
  readonly offset: number;
  readonly type: RegisterType;
  readonly value: number | bigint | Special;
}

export function rowWords(type: RegisterType): number {
  if (type === "bool") return 1;
  return type === "i64" || type === "u64" || type === "f64" || type === "addr" ? 64 : 32;
}

export function layoutRegisters(launch: PreparedLaunch): RegisterLayout {
  const { program } = launch;
  const rows = new Int32Array(program.registers.length);
  let next = 0;
  // Wide rows first, so that all of them are aligned to 8 bytes.
  for (const words of [64, 32, 1]) {
    for (const [reg, { type }] of program.registers.entries()) {
      if (rowWords(type) !== words) continue;
      rows[reg] = next;
      next += words;
    }
  }
  const registerWords = Math.ceil(next / 64) * 64;
  const rounds = findLoopRounds(program);
  const clearedWords = registerWords + Math.ceil(rounds.count / 2) * 64;
  next = clearedWords;
  const constants: ConstantRow[] = [];
  const known = new Map<string, number>();
  const constantRow = (type: RegisterType, value: number | bigint | Special): number => {
    const kind = typeof value === "object" ? JSON.stringify(value) : Object.is(value, -0) ? "-0" : String(value);
    const key = `${rowWords(type)} ${type === "f32" || type === "f64" ? type : ""} ${typeof value} ${kind}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const offset = next;
    constants.push({ offset, type, value });
    known.set(key, offset);
    next += Math.max(2, rowWords(type));
    return offset;
  };
  const byOperand = new Map<Operand, Map<RegisterType, number>>();
  for (const instruction of program.instructions) {
    for (const [index, operand] of instruction.src.entries()) {
      if (operand.kind === "reg") continue;
      const type = constantType(program, operand, operandType(instruction, index));
      const value =
        operand.kind === "imm"
          ? operand.value
          : operand.kind === "param"
            ? scalarArgument(launch, operand.index)
            : operand.special;
      const row = constantRow(type, value);
      const types = byOperand.get(operand) ?? new Map<RegisterType, number>();
      byOperand.set(operand, types.set(operandType(instruction, index), row));
    }
  }
  return {
    rows,
    registerWords,
    clearedWords,
    rounds,
    roundsRow: (counter) => registerWords + 32 * counter,
    wordsPerWarp: Math.ceil(next / 64) * 64,
    constants,
    operand(instruction, index) {
      const operand = instruction.src[index];
      if (operand === undefined)
        throw new Error(`instruction ${instruction.pc} (${instruction.op}) lacks source ${index}`);
      if (operand.kind === "reg") return rows[operand.reg] ?? 0;
      return byOperand.get(operand)?.get(operandType(instruction, index)) ?? 0;
    },
  };
}

/** A parameter keeps its own type's bits; everything else has the operand's. */
function constantType(program: Program, operand: Operand, type: RegisterType): RegisterType {
  if (operand.kind === "param") {
    const param = program.params[operand.index];
    if (param?.kind === "scalar" && rowWords(param.type) === rowWords(type)) return param.type;
  }
  return operand.kind === "special" ? "u32" : type;
}

function scalarArgument(launch: PreparedLaunch, index: number): number | bigint {
  const argument = launch.args[index];
  if (argument === undefined || typeof argument === "object") {
    throw new Error(`argument ${index} of ${launch.program.name} is no scalar`);
  }
  return argument;
}

/** Writes `value` to all lanes of a row (word offset `at`). */
export function fillRow(views: RegisterViews, at: number, type: RegisterType, value: number | bigint): void {
  switch (type) {
    case "bool":
      views.i32[at] = Number(value) !== 0 ? -1 : 0;
      break;
    case "i64":
    case "u64":
      views.i64.fill(BigInt(value), at >> 1, (at >> 1) + 32);
      break;
    case "f64":
    case "addr":
      views.f64.fill(Number(value), at >> 1, (at >> 1) + 32);
      break;
    case "f32":
      views.f32.fill(Number(value), at, at + 32);
      break;
    default:
      views.i32.fill(Number(value), at, at + 32);
  }
}

/** Views of one register file. */
export interface RegisterViews {
  readonly i32: Int32Array;
  readonly u32: Uint32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly i64: BigInt64Array;
  readonly u64: BigUint64Array;
}

export function viewRegisters(buffer: ArrayBufferLike): RegisterViews {
  return {
    i32: new Int32Array(buffer),
    u32: new Uint32Array(buffer),
    f32: new Float32Array(buffer),
    f64: new Float64Array(buffer),
    i64: new BigInt64Array(buffer),
    u64: new BigUint64Array(buffer),
  };
}

/** One lane's value of a row; `at` is the row's word offset. Numbers, or bigints for i64 and u64. */
export function readLane(views: RegisterViews, at: number, type: RegisterType, lane: number): number | bigint {
  switch (type) {
    case "bool":
      return (views.i32[at]! >>> lane) & 1;
    case "i32":
      return views.i32[at + lane]!;
    case "u32":
      return views.u32[at + lane]!;
    case "f32":
      return views.f32[at + lane]!;
    case "f64":
    case "addr":
      return views.f64[(at >> 1) + lane]!;
    case "i64":
      return views.i64[(at >> 1) + lane]!;
    case "u64":
      return views.u64[(at >> 1) + lane]!;
  }
}
