/**
 * A program as the SM model reads it: one entry an issue slot (machine instruction) in flat arrays, with pipe, latency
 * and kind from the device. Instructions that stand for several slots (calls, branches) issue them in turn; a slot not
 * `independent` waits for all before it.
 */
import { InputError } from "../base/errors.js";
import type { DeviceSpec, IssueRate, PipeSpec } from "../device/spec.js";
import type { Instruction, IssueSlot, Program } from "../lower/program.js";
import { groupOf, LONG_GROUP } from "./bypass.js";
import { isPredicated, setsPredicate } from "./expand-slots.js";
import { balancedPipes } from "./pipe-balance.js";
import { PIPE_NAMES, type PipeName } from "./pipe-names.js";

export const FIXED = 0;
export const SHARED_LOAD = 1;
export const SHARED_STORE = 2;
export const SHARED_ATOMIC = 3;
export const GLOBAL_LOAD = 4;
export const GLOBAL_STORE = 5;
export const GLOBAL_ATOMIC = 6;
/** By way of the memory queue, without data: shuffles, and slots that only look like memory. */
export const QUEUED = 7;
export const BARRIER_ARRIVE = 8;
export const BRANCH_OUT = 9;
export const EXIT = 10;
export const FENCE = 11;

/** What an instruction passes on its way out of the scheduler: its pipe, or the queue to the memory unit. */
export const MIO_GATE: number = PIPE_NAMES.length;
export const LG_GATE: number = MIO_GATE + 1;
export const GATES: number = LG_GATE + 1;

/** Instructions of these pipes wait for them where memory instructions wait for their queue (h200-micro-9.json: mufuFour). */
const BY_WAY_OF_MIO: ReadonlySet<PipeName> = new Set<PipeName>(["xu", "match", "redux", "special", "adu"]);
/** 1: who waits for this gate is in mio_throttle. */
export const MIO_PIPES: Uint8Array = Uint8Array.from([
  ...PIPE_NAMES.map((name) => (BY_WAY_OF_MIO.has(name) ? 1 : 0)),
  1,
  0,
]);

function gateOf(kind: number, pipe: number): number {
  if (kind < SHARED_LOAD || kind > QUEUED) return pipe;
  return kind >= GLOBAL_LOAD && kind <= GLOBAL_ATOMIC ? LG_GATE : MIO_GATE;
}

/** Result known a fixed number of cycles after issue, or announced by a scoreboard. */
export const RESULT_FIXED = 0;
export const RESULT_SHORT = 1;
export const RESULT_LONG = 2;

export interface Microcode {
  readonly registers: number;
  /** Group of the slot's unit (`bypass.ts`). */
  readonly group: Uint8Array;
  /** Cycles that pc waits longer for its guard's predicate than the ALU would for a result. */
  readonly guardDelay: Float64Array;
  readonly guard: Int32Array;
  readonly isBranch: Uint8Array;
  /** Slots of pc: from slotStart[pc] to slotStart[pc + 1]. */
  readonly slotStart: Int32Array;
  /** Slots a pc. */
  readonly slotCount: Int32Array;
  readonly pipe: Uint8Array;
  readonly kind: Uint8Array;
  readonly gate: Uint8Array;
  readonly latency: Float64Array;
  readonly interval: Float64Array;
  readonly resultClass: Uint8Array;
  readonly independent: Uint8Array;
  /** Cycles that a slot waits longer for the predicate of the slot before it than the ALU would. */
  readonly partDelay: Float64Array;
  /** Registers that pc waits for (sources, guard, and destinations still outstanding). */
  readonly readStart: Int32Array;
  readonly reads: Int32Array;
  readonly writeStart: Int32Array;
  readonly writes: Int32Array;
  /** Memory instructions have a record in the trace. */
  readonly traced: Uint8Array;
  /** Bytes a lane, of memory instructions. */
  readonly bytesPerLane: Uint8Array;
  /** 1: the instruction has a result (loads, returning atomics). */
  readonly returns: Uint8Array;
  /** A pipe that all schedulers share. */
  readonly pipeIsShared: Uint8Array;
}

/** Results a cycle of the whole SM, but for a common factor. */
function rateOfSm({ issueIntervalCycles, sharedBy }: IssueRate, device: DeviceSpec): number {
  return (sharedBy === "sm" ? 1 : device.schedulersPerSm) / issueIntervalCycles;
}

/**
 * Conversions from and to 64-bit types are as fast as others or as 64-bit arithmetic, whichever is slower (Programming
 * Guide, arithmetic instructions: 16 a cycle and SM on 7.0, 8.0 and 9.0, 4 on 5.2, 2 on 8.6 and 8.9).
 */
function convertsAsFp64(instruction: Instruction, device: DeviceSpec): boolean {
  if (instruction.op !== "cvt") return false;
  const { fp64, xu } = device.pipes;
  const wide = (type: string | undefined): boolean => type === "f64" || type === "i64" || type === "u64";
  return (wide(instruction.type) || wide(instruction.sourceType)) && rateOfSm(fp64, device) < rateOfSm(xu, device);
}

function pipeOf(slot: IssueSlot, instruction: Instruction, device: DeviceSpec): PipeName {
  if (slot.pipe === "xu" && convertsAsFp64(instruction, device)) return "fp64";
  if (slot.pipe !== "vote") return slot.pipe;
  if (slot.mnemonic.startsWith("MATCH")) return "match";
  if (slot.mnemonic.startsWith("REDUX") || instruction.op === "redux") return "redux";
  return "vote";
}

function kindOf(slot: IssueSlot, instruction: Instruction): number {
  const { op } = instruction;
  if (slot.pipe === "adu") return slot.mnemonic.startsWith("B2R") ? FIXED : BARRIER_ARRIVE;
  if (slot.pipe === "shuffle") return QUEUED;
  if (slot.pipe === "cbu") {
    if (op === "exit") return EXIT;
    return slot.mnemonic === "BSSY" || op === "syncwarp" ? FIXED : BRANCH_OUT;
  }
  if (slot.pipe !== "lsu") return FIXED;
  if (op === "fence") return FENCE;
  if (op !== "ld" && op !== "st" && op !== "atom") return QUEUED;
  const shared = instruction.space === "shared" || instruction.root?.kind === "shared";
  if (op === "ld") return shared ? SHARED_LOAD : GLOBAL_LOAD;
  if (op === "st") return shared ? SHARED_STORE : GLOBAL_STORE;
  return shared ? SHARED_ATOMIC : GLOBAL_ATOMIC;
}

const BYTES: Readonly<Record<string, number>> = { bool: 1, i32: 4, u32: 4, f32: 4, i64: 8, u64: 8, f64: 8, addr: 8 };

function rateOf(device: DeviceSpec, name: PipeName, instruction: Instruction): IssueRate | PipeSpec {
  const spec = device.pipes[name === "uniform" && device.pipes.uniform === null ? "alu" : name];
  if (spec !== null) return spec;
  throw new InputError({
    what: `${device.name} has no ${name} pipe, but the program has ${instruction.op} at pc ${instruction.pc}`,
    cure: "lower the kernel for this device's compute capability",
  });
}

/** Registers that instructions without issue slots make of others: who reads one waits for those. */
function foldedSources(program: Program): ReadonlyMap<number, readonly number[]> {
  const sources = new Map<number, number[]>();
  for (const { issue, dst, src } of program.instructions) {
    if (issue.length > 0) continue;
    const from = src.flatMap((source) =>
      source.kind === "reg" ? [source.reg, ...(sources.get(source.reg) ?? [])] : [],
    );
    for (const reg of dst) sources.set(reg, [...(sources.get(reg) ?? []), ...from]);
  }
  return sources;
}

/** Slots on these pipes announce their result by a scoreboard ("short": not from L1 and beyond). */
const SCOREBOARDED: ReadonlySet<PipeName> = new Set<PipeName>([
  "xu",
  "shuffle",
  "match",
  "redux",
  "constant",
  "special",
]);

export function microcode(program: Program, device: DeviceSpec): Microcode {
  const { instructions } = program;
  const slots = instructions.reduce((sum, { issue }) => sum + Math.max(1, issue.length), 0);
  const slotStart = new Int32Array(instructions.length + 1);
  const code = {
    pipe: new Uint8Array(slots),
    kind: new Uint8Array(slots),
    latency: new Float64Array(slots),
    interval: new Float64Array(slots),
    resultClass: new Uint8Array(slots),
    independent: new Uint8Array(slots),
    group: new Uint8Array(slots),
    partDelay: new Float64Array(slots),
  };
  const folded = foldedSources(program);
  const balanced = balancedPipes(program, device);
  const reads: number[] = [];
  const writes: number[] = [];
  const readStart = new Int32Array(instructions.length + 1);
  const writeStart = new Int32Array(instructions.length + 1);
  const guard = new Int32Array(instructions.length).fill(-1);
  const guardDelay = new Float64Array(instructions.length);
  const predicateDelay = Math.max(0, device.pipes.cbu.predicateLatencyCycles - device.pipes.alu.latencyCycles);
  const traced = new Uint8Array(instructions.length);
  const returns = new Uint8Array(instructions.length);
  const bytesPerLane = new Uint8Array(instructions.length);
  let at = 0;
  for (const [pc, instruction] of instructions.entries()) {
    slotStart[pc] = at;
    let before: IssueSlot | null = null;
    for (const slot of instruction.issue) {
      const name = balanced[at] === 1 ? "imad" : pipeOf(slot, instruction, device);
      const rate = rateOf(device, name, instruction);
      code.pipe[at] = PIPE_NAMES.indexOf(name);
      code.kind[at] = kindOf(slot, instruction);
      code.latency[at] = latencyOf(device, name, rate, slot);
      code.interval[at] = rate.issueIntervalCycles;
      if (name === "fma" && readsThreeOperands(instruction, instructions[pc - 1], device)) {
        code.interval[at] = Math.max(code.interval[at]!, THREE_OPERAND_CYCLES);
      }
      code.group[at] = isLongMultiply(slot, device) ? LONG_GROUP : groupOf(name);
      code.independent[at] = slot.independent ? 1 : 0;
      if (isPredicated(slot) && before !== null && setsPredicate(before)) code.partDelay[at] = predicateDelay;
      before = slot;
      code.resultClass[at] = SCOREBOARDED.has(name) ? RESULT_SHORT : RESULT_FIXED;
      const kind = code.kind[at]!;
      if (kind === SHARED_LOAD || kind === SHARED_ATOMIC) code.resultClass[at] = RESULT_SHORT;
      if (kind === GLOBAL_LOAD || kind === GLOBAL_ATOMIC) code.resultClass[at] = RESULT_LONG;
      at++;
    }
    slotStart[pc + 1] = at;
    for (const source of instruction.src)
      if (source.kind === "reg") reads.push(source.reg, ...(folded.get(source.reg) ?? []));
    if (instruction.guard !== null) {
      reads.push(instruction.guard.reg);
      guard[pc] = instruction.guard.reg;
      guardDelay[pc] = predicateDelay;
    }
    // A register whose load is still under way is not written by another instruction before it.
    reads.push(...instruction.dst);
    writes.push(...instruction.dst);
    readStart[pc + 1] = reads.length;
    writeStart[pc + 1] = writes.length;
    traced[pc] = instruction.op === "ld" || instruction.op === "st" || instruction.op === "atom" ? 1 : 0;
    returns[pc] = instruction.dst.length > 0 ? 1 : 0;
    const components =
      instruction.op === "st" ? Math.max(1, instruction.src.length - 1) : Math.max(1, instruction.dst.length);
    bytesPerLane[pc] = (BYTES[instruction.type] ?? 4) * (instruction.op === "atom" ? 1 : components);
  }
  return {
    registers: program.registers.length,
    guard,
    guardDelay,
    isBranch: Uint8Array.from(instructions, ({ op }) => (op === "bra" ? 1 : 0)),
    slotStart,
    slotCount: Int32Array.from(instructions, (_, pc) => slotStart[pc + 1]! - slotStart[pc]!),
    ...code,
    gate: Uint8Array.from(code.kind, (kind, slot) => gateOf(kind, code.pipe[slot]!)),
    readStart,
    reads: Int32Array.from(reads),
    writeStart,
    writes: Int32Array.from(writes),
    traced,
    returns,
    bytesPerLane,
    pipeIsShared: Uint8Array.from(PIPE_NAMES, (name) => (device.pipes[name]?.sharedBy === "sm" ? 1 : 0)),
  };
}

/**
 * The register file gives two operands a cycle, one of each bank, so that three different ones take two (h200-memory-micro,
 * fma_operands: v = v * a + b 2.03 cycles, v = v * a + v and v = v * a + 1.5 1.06). An operand that the instruction before
 * has read in the same place is kept, unless this one has to wait for that (four of them in turn: 1.05).
 */
const THREE_OPERAND_CYCLES = 2;
/** Volta's register file and pipes. */
const VOLTA_MAJOR = 7;

function readsThreeOperands(instruction: Instruction, before: Instruction | undefined, device: DeviceSpec): boolean {
  if (device.computeCapability.major < VOLTA_MAJOR) return false;
  const registers = new Set(instruction.src.flatMap((source) => (source.kind === "reg" ? [source.reg] : [])));
  if (registers.size < 3) return false;
  if (before === undefined || before.src.length !== instruction.src.length) return true;
  const waits = before.dst.some((reg) => registers.has(reg));
  const kept = instruction.src.some((source, place) => {
    const other = before.src[place];
    return source.kind === "reg" && other?.kind === "reg" && other.reg === source.reg;
  });
  return waits || !kept;
}

/** A multiply of 64 bits. */
function isLongMultiply(slot: IssueSlot, device: DeviceSpec): boolean {
  if (device.computeCapability.major < VOLTA_MAJOR) return false;
  return slot.mnemonic.startsWith("IMAD.HI") || slot.mnemonic.startsWith("IMAD.WIDE");
}

function latencyOf(device: DeviceSpec, name: PipeName, rate: IssueRate | PipeSpec, slot: IssueSlot): number {
  // Reconvergence is only prepared by BSSY and checked by WARPSYNC.
  if (slot.mnemonic === "BSSY" || slot.mnemonic === "WARPSYNC") return 1;
  if ("latencyCycles" in rate) return rate.latencyCycles;
  return name === "adu" ? device.pipes.alu.latencyCycles : device.sharedMemory.loadLatencyCycles;
}
