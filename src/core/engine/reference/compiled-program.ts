/** Every instruction of a program as a closure over the machine's typed arrays, and tables by pc for control flow. */
import type { Scalar } from "../../ir/types.js";
import type { Instruction } from "../../lower/program.js";
import { assertionFailed, budgetPassed, divisionByZero, rootExtent } from "../faults.js";
import { operandType } from "../semantics/operand-type.js";
import type { MachineState } from "./machine-state.js";
import { atomicOperation } from "./operations/atomic-operations.js";
import { deviceSynchronizeOperation, launchOperation } from "./operations/child-launch.js";
import { type Collective, compileCollective, isCollective } from "./operations/collectives.js";
import { generalOperation } from "./operations/general-operation.js";
import type { LaneOperation } from "./operations/lane-operation.js";
import { addressFrom, hotOperation } from "./operations/lane-operations.js";
import { loadOperation, storeOperation, watchedAccess } from "./operations/memory-operations.js";
import { readLane, rowWords } from "./register-layout.js";

/** The kinds of work that the executor does at a pc. */
export const KIND = { lanes: 0, nothing: 1, branch: 2, exit: 3, collective: 4, barrier: 5 } as const;

export interface CompiledProgram {
  readonly kinds: Uint8Array;
  readonly operations: readonly LaneOperation[];
  readonly collectives: readonly (Collective | null)[];
  /** Word offset of the guard's mask, -1 where there is none; and -1 where it is negated, else 0. */
  readonly guardRow: Int32Array;
  readonly guardFlip: Int32Array;
  readonly targets: Int32Array;
  /** Rows that the instruction writes, for the undo log: offsets and words. */
  readonly written: readonly (readonly { readonly offset: number; readonly words: number }[])[];
  /** For the loop of a backward branch: 1 for each register word on which its further turns depend. */
  mattersInLoop(backward: number): Uint8Array;
}

export function compileProgram(machine: MachineState): CompiledProgram {
  const { program } = machine.launch;
  const { instructions } = program;
  const count = instructions.length;
  const kinds = new Uint8Array(count);
  const guardRow = new Int32Array(count).fill(-1);
  const guardFlip = new Int32Array(count);
  const targets = new Int32Array(count);
  const operations: LaneOperation[] = [];
  const collectives: (Collective | null)[] = [];
  for (const [pc, instruction] of instructions.entries()) {
    const kind = kindOf(instruction, machine);
    kinds[pc] = kind;
    targets[pc] = instruction.target ?? pc + 1;
    if (instruction.guard !== null) {
      guardRow[pc] = machine.layout.rows[instruction.guard.reg] ?? 0;
      guardFlip[pc] = instruction.guard.negate ? -1 : 0;
    }
    operations.push(kind === KIND.lanes ? compileOperation(instruction, machine) : nothing);
    collectives.push(kind === KIND.collective ? compileCollective(instruction, machine) : null);
  }
  const { layout } = machine;
  const written = instructions.map(({ pc, dst }) => {
    const { raised = null, anew = [] } = layout.rounds.raisedBy(pc) ?? {};
    return [
      ...dst.map((reg) => ({
        offset: layout.rows[reg] ?? 0,
        words: rowWords(program.registers[reg]?.type ?? "i32"),
      })),
      ...(raised === null ? anew : [raised, ...anew]).map((counter) => ({
        offset: layout.roundsRow(counter),
        words: 32,
      })),
    ];
  });
  const matters = new Map<number, Uint8Array>();
  const mattersInLoop = (backward: number): Uint8Array => {
    const known = matters.get(backward) ?? wordsThatMatter(machine, targets[backward]!, backward);
    matters.set(backward, known);
    return known;
  };
  return { kinds, operations, collectives, guardRow, guardFlip, targets, written, mattersInLoop };
}

function nothing(): void {}

/**
 * The registers on which the turns of the loop at `first` to `last` depend. They hold conditions, addresses, and operands
 * of instructions that do more than compute a value. Registers from which these are computed count, too.
 */
function wordsThatMatter({ launch, layout }: MachineState, first: number, last: number): Uint8Array {
  const { instructions, registers } = launch.program;
  const loop = instructions.slice(first, last + 1);
  const found = new Set<number>();
  const take = ({ guard, src }: Pick<Instruction, "guard" | "src">): void => {
    if (guard !== null) found.add(guard.reg);
    for (const operand of src) if (operand.kind === "reg") found.add(operand.reg);
  };
  for (const instruction of loop) take(onlyComputes(instruction) ? { ...instruction, src: [] } : instruction);
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const instruction of loop) if (instruction.dst.some((reg) => found.has(reg))) take(instruction);
  }
  const words = new Uint8Array(layout.registerWords);
  for (const reg of found) {
    const row = layout.rows[reg] ?? 0;
    words.fill(1, row, row + rowWords(registers[reg]?.type ?? "i32"));
  }
  return words;
}

/** The instruction does nothing but to compute its results, and cannot fail. */
function onlyComputes(instruction: Instruction): boolean {
  const { op, dst } = instruction;
  if (dst.length === 0 || isCollective(instruction)) return false;
  return op !== "ld" && op !== "atom" && op !== "div" && op !== "rem" && op !== "bar" && op !== "launch";
}

function kindOf(instruction: Instruction, { launch }: MachineState): number {
  if (isCollective(instruction)) return KIND.collective;
  switch (instruction.op) {
    case "bra":
      return KIND.branch;
    case "exit":
      return KIND.exit;
    case "bar":
    case "gridsync":
      return KIND.barrier;
    case "bssy":
    case "bsync":
    case "overhead":
      return KIND.nothing;
    case "fence":
      return launch.accesses === undefined ? KIND.nothing : KIND.lanes;
    default:
      return KIND.lanes;
  }
}

function compileOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const operation = operationOf(instruction, machine);
  const clocks = instruction.src.flatMap((operand, index) =>
    operand.kind === "special" && operand.special.name === "clock" ? [machine.layout.operand(instruction, index)] : [],
  );
  if (clocks.length === 0) return operation;
  const { i32 } = machine.registers;
  return (base, mask) => {
    for (const row of clocks) i32.fill(machine.issued, base + row, base + row + 32);
    operation(base, mask);
  };
}

function operationOf(instruction: Instruction, machine: MachineState): LaneOperation {
  const { op } = instruction;
  const { layout, registers } = machine;
  switch (op) {
    case "ld":
      return watchedAccess(instruction, machine, loadOperation(instruction, machine));
    case "st":
      return watchedAccess(instruction, machine, storeOperation(instruction, machine));
    case "atom":
      return watchedAccess(instruction, machine, atomicOperation(instruction, machine));
    case "fence":
      return fenceOperation(instruction, machine);
    case "printf":
      return printfOperation(instruction, machine);
    case "launch":
      return launchOperation(instruction, machine);
    case "deviceSynchronize":
      return deviceSynchronizeOperation(instruction, machine);
    case "activemask": {
      const to = layout.rows[instruction.dst[0] ?? 0] ?? 0;
      const rounds = layout.rounds.around(instruction.pc).map((counter) => layout.roundsRow(counter));
      const sources = instruction.src.map((_, index) => ({
        row: layout.operand(instruction, index),
        words: rowWords(operandType(instruction, index)),
      }));
      const rows = [...rounds.map((row) => ({ row, words: 32 })), ...sources];
      return (base, mask) => {
        for (let m = mask; m !== 0; m &= m - 1) {
          const lane = 31 - Math.clz32(m & -m);
          registers.i32[base + to + lane] = lanesLike(registers.i32, base, rows, lane, mask);
        }
      };
    }
    case "addr": {
      const { start } = rootExtent(machine.launch, instruction);
      const own = addressFrom(instruction, layout, registers, start) ?? hotOperation(instruction, layout, registers);
      return own ?? generalAddress(instruction, machine, start);
    }
    default: {
      const operation =
        hotOperation(instruction, layout, registers) ?? generalOperation(instruction, layout, registers);
      if (operation === null)
        throw new Error(`instruction ${instruction.pc}: no meaning for ${op}.${instruction.type}`);
      return isIntegerDivision(instruction) ? refuseZero(instruction, machine, operation) : operation;
    }
  }
}

interface Row {
  readonly row: number;
  readonly words: number;
}

/** The lanes of the mask whose values in the rows are this lane's. */
function lanesLike(words: Int32Array, base: number, rows: readonly Row[], lane: number, mask: number): number {
  let alike = mask;
  for (const { row, words: count } of rows) {
    const each = count / 32;
    for (let m = alike; m !== 0; m &= m - 1) {
      const other = 31 - Math.clz32(m & -m);
      const [own, its] = [base + row + each * lane, base + row + each * other];
      if (words[its] !== words[own] || words[its + each - 1] !== words[own + each - 1]) alike &= ~(1 << other);
    }
  }
  return alike;
}

function isIntegerDivision({ op, type }: Instruction): boolean {
  return (op === "div" || op === "rem") && type !== "f32" && type !== "f64";
}

function refuseZero(instruction: Instruction, machine: MachineState, divide: LaneOperation): LaneOperation {
  const { registers, launch } = machine;
  const row = machine.layout.operand(instruction, 1);
  const type = operandType(instruction, 1);
  return (base, mask) => {
    let zeros = 0;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      if (Number(readLane(registers, base + row, type, lane)) === 0) zeros |= 1 << lane;
    }
    if (zeros !== 0)
      throw divisionByZero({ launch, instruction, block: machine.block, warp: machine.warp, lanes: zeros });
    divide(base, mask);
  };
}

/** Indices of 64 bits. */
function generalAddress(instruction: Instruction, machine: MachineState, start: number): LaneOperation {
  const { layout, registers } = machine;
  const to = layout.rows[instruction.dst[0] ?? 0] ?? 0;
  const index = layout.operand(instruction, 0);
  const type = operandType(instruction, 0);
  const from = instruction.src.length > 1 ? layout.operand(instruction, 1) : null;
  const scale = instruction.scale ?? 1;
  return (base, mask) => {
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const origin = from === null ? start : registers.f64[((base + from) >> 1) + lane]!;
      const moved = Number(readLane(registers, base + index, type, lane)) * scale;
      registers.f64[((base + to) >> 1) + lane] = origin + moved;
    }
  };
}

/** Compiled where somebody follows accesses. */
function fenceOperation({ space }: Instruction, machine: MachineState): LaneOperation {
  const device = space !== "shared";
  return (_, mask) => machine.launch.accesses?.fence(machine.block, machine.warp, mask, device);
}

function printfOperation(instruction: Instruction, machine: MachineState): LaneOperation {
  const { launch, layout, registers, printed } = machine;
  const types = instruction.src.map((_, index) => operandType(instruction, index) as Scalar);
  const rows = instruction.src.map((_, index) => layout.operand(instruction, index));
  const format = instruction.format ?? "";
  return (base, mask) => {
    machine.version++;
    for (let m = mask; m !== 0; m &= m - 1) {
      const lane = 31 - Math.clz32(m & -m);
      const values = rows.map((row, index) => readLane(registers, base + row, types[index] ?? "i32", lane));
      const site = { launch, instruction, block: machine.block, warp: machine.warp, lanes: 1 << lane };
      if (instruction.asserts === true) throw assertionFailed(site);
      const passed = launch.budget?.print() ?? null;
      if (passed !== null) throw budgetPassed(site, passed);
      printed.add({ format, values, types });
    }
  };
}
