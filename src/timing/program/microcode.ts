/**
 * A program as the SM model reads it: one entry an issue slot (machine instruction) in flat arrays, with pipe, latency
 * and kind from the device. Instructions that stand for several slots (calls, branches) issue them in turn; a slot not
 * `independent` waits for all before it.
 */
import { InputError } from "../../base/errors.js";
import type { DeviceSpec, IssueRate, PipeSpec } from "../../device/spec.js";
import { spins } from "../../engine/semantics/spin.js";
import { meetingPlaces } from "../../lower/machine/reconvergence.js";
import type { Instruction, IssueSlot, Program } from "../../lower/program.js";
import { PIPE_NAMES, type PipeName } from "../base/pipe-names.js";
import { RECORD_OF_SECTORS, RECORD_OF_VALUES, RECORD_OF_WORDS } from "../trace/trace.js";
import { LONG_GROUP, groupOf as unitGroupOf } from "./bypass.js";
import { isPredicated, setsPredicate } from "./expand-slots.js";
import { balancedPipes } from "./pipe-balance.js";
import * as slots from "./slot-info.js";

/** What an instruction passes on its way out of the scheduler: its pipe, or the queue to the memory unit. */
export const MIO_GATE: number = PIPE_NAMES.length;
export const LG_GATE: number = MIO_GATE + 1;
export const GATES: number = LG_GATE + 1;

/** Instructions of these pipes wait for them where memory instructions wait for their queue (h200/micro/set-9.json: mufuFour). */
const BY_WAY_OF_MIO: ReadonlySet<PipeName> = new Set<PipeName>(["xu", "match", "redux", "special", "adu"]);
/** Who waits for these gates is in mio_throttle: a bit each. */
export const MIO_GATES: number = PIPE_NAMES.reduce(
  (bits, name, pipe) => (BY_WAY_OF_MIO.has(name) ? bits | (1 << pipe) : bits),
  1 << MIO_GATE,
);

function gateOf(kind: number, pipe: number): number {
  if (kind < slots.SHARED_LOAD || kind > slots.QUEUED) return pipe;
  return kind >= slots.GLOBAL_LOAD && kind <= slots.GLOBAL_ATOMIC ? LG_GATE : MIO_GATE;
}

export interface Microcode {
  readonly registers: number;
  /** Cycles that pc waits longer for its guard's predicate than the ALU would for a result. */
  readonly guardDelay: Float64Array;
  /** Slots of pc: from slotStart[pc] to slotStart[pc + 1]. */
  readonly slotStart: Int32Array;
  /** Of a jump within a BSSY the slot of the BSYNC that lanes come to which part from others there, else -1; by pc. */
  readonly arrivalOf: Int32Array;
  /** Slots a pc. */
  readonly slotCount: Int32Array;
  /** Of each slot, in order: its instruction, what issuing it asks (`slot-info.ts`), its pipe's numbers. */
  readonly pcOf: Int32Array;
  readonly info: Int32Array;
  readonly latency: Float64Array;
  readonly interval: Float64Array;
  /** Cycles that a slot waits longer for the predicate of the slot before it than the ALU would. */
  readonly partDelay: Float64Array;
  /**
   * Registers that an instruction waits for (sources, guard, and destinations still outstanding), each with the cycles that
   * it waits longer than the ALU would: reads of its first slot, from readStart[slot] to readStart[slot + 1].
   */
  readonly readStart: Int32Array;
  readonly reads: Int32Array;
  readonly readDelay: Float64Array;
  /** Registers that an instruction has written when its last slot is done. */
  readonly writeStart: Int32Array;
  readonly writes: Int32Array;
  /** Instructions that have a record in the trace: RECORD_OF_SECTORS, RECORD_OF_WORDS or RECORD_OF_VALUES. */
  readonly traced: Uint8Array;
  /** Bytes a lane, of memory instructions. */
  readonly bytesPerLane: Uint8Array;
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

/** Those that come through the data stage (h200/micro/registers.json, special: a wavefront each; blockIdx none). */
const LANE_REGISTERS = /^S2R SR_(TID|LANEID|WARPID)/;

function kindOf(slot: IssueSlot, instruction: Instruction): number {
  const { op } = instruction;
  if (slot.pipe === "adu") return slot.mnemonic.startsWith("B2R") ? slots.FIXED : slots.BARRIER_ARRIVE;
  if (slot.pipe === "shuffle") return slots.QUEUED;
  if (slot.pipe === "cbu") {
    if (op === "exit") return slots.EXIT;
    return slot.mnemonic === "BSSY" || op === "syncwarp" ? slots.FIXED : slots.BRANCH_OUT;
  }
  if (slot.pipe === "special" && LANE_REGISTERS.test(slot.mnemonic)) return slots.LANE_REGISTER;
  if (slot.pipe !== "lsu") return slots.FIXED;
  if (op === "fence") return instruction.space === "shared" ? slots.QUEUED : slots.FENCE;
  if (op !== "ld" && op !== "st" && op !== "atom") return slots.QUEUED;
  const shared = instruction.space === "shared" || instruction.root?.kind === "shared";
  if (op === "ld") return shared ? slots.SHARED_LOAD : slots.GLOBAL_LOAD;
  if (op === "st") return shared ? slots.SHARED_STORE : slots.GLOBAL_STORE;
  return shared ? slots.SHARED_ATOMIC : slots.GLOBAL_ATOMIC;
}

const BYTES: Readonly<Record<string, number>> = { bool: 1, i32: 4, u32: 4, f32: 4, i64: 8, u64: 8, f64: 8, addr: 8 };

function rateOf(device: DeviceSpec, name: PipeName, instruction: Instruction): IssueRate | PipeSpec {
  const spec = device.pipes[name === "uniform" && device.pipes.uniform === null ? "alu" : name];
  if (spec !== null && !(instruction.op === "matchAny" && device.matchAny === null)) return spec;
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

function resultClassOf(kind: number, pipe: PipeName): number {
  if (kind === slots.SHARED_LOAD || kind === slots.SHARED_ATOMIC) return slots.RESULT_SHORT;
  if (kind === slots.GLOBAL_LOAD || kind === slots.GLOBAL_ATOMIC) return slots.RESULT_LONG;
  return SCOREBOARDED.has(pipe) ? slots.RESULT_SHORT : slots.RESULT_FIXED;
}

export function microcode(program: Program, device: DeviceSpec): Microcode {
  const { instructions } = program;
  const places = meetingPlaces(instructions);
  const meetings = [...new Set(places)].filter((place) => place >= 0);
  const count = instructions.reduce((sum, { issue }) => sum + issue.length, 0) + meetings.length;
  const code = {
    pcOf: new Int32Array(count),
    info: new Int32Array(count),
    latency: new Float64Array(count),
    interval: new Float64Array(count),
    partDelay: new Float64Array(count),
    readStart: new Int32Array(count + 1),
    writeStart: new Int32Array(count + 1),
  };
  const folded = foldedSources(program);
  const balanced = balancedPipes(program, device);
  const reads: number[] = [];
  const readDelay: number[] = [];
  const writes: number[] = [];
  const slotStart = new Int32Array(instructions.length + 1);
  const guardDelay = new Float64Array(instructions.length);
  const predicateDelay = Math.max(0, device.pipes.cbu.predicateLatencyCycles - device.pipes.alu.latencyCycles);
  const traced = new Uint8Array(instructions.length);
  const bytesPerLane = new Uint8Array(instructions.length);
  const spinBits = bitsOfSpinLoops(instructions);
  let at = 0;
  for (const [pc, instruction] of instructions.entries()) {
    const { issue, op, guard } = instruction;
    slotStart[pc] = at;
    traced[pc] = recordOf(instruction);
    if (guard !== null) guardDelay[pc] = predicateDelay;
    const registers = registersRead(instruction);
    let before: IssueSlot | null = null;
    for (const [index, slot] of issue.entries()) {
      const name = balanced[at] === 1 ? "imad" : pipeOf(slot, instruction, device);
      const rate = rateOf(device, name, instruction);
      const pipe = PIPE_NAMES.indexOf(name);
      const kind = kindOf(slot, instruction);
      code.pcOf[at] = pc;
      code.info[at] = slots.packSlot({
        kind,
        pipe,
        gate: gateOf(kind, pipe),
        group: isLongMultiply(slot, device) ? LONG_GROUP : unitGroupOf(name),
        resultClass: resultClassOf(kind, name),
        bits:
          (index === 0 ? slots.FIRST : 0) |
          (index === issue.length - 1 ? slots.LAST : 0) |
          (slot.independent ? slots.INDEPENDENT : 0) |
          (op === "bra" ? slots.IS_BRANCH : 0) |
          (rate.sharedBy === "sm" ? slots.SHARED_PIPE : 0) |
          (traced[pc] !== 0 ? slots.TRACED : 0) |
          (registers.size >= BANKS ? slots.READS_BANKS : 0) |
          (name === "fma" && readsThreeOperands(instruction, registers, instructions[pc - 1], device)
            ? slots.READS_LONG
            : 0) |
          (spinBits.get(pc) ?? 0),
      });
      code.latency[at] = latencyOf(device, name, rate, slot);
      code.interval[at] = rate.issueIntervalCycles;
      if (
        name === "special" &&
        rate.sharedBy === "sm" &&
        device.pipes.uniform === null &&
        slot.mnemonic.startsWith("S2R SR_CTAID")
      ) {
        code.interval[at] = BLOCK_REGISTER_READS * rate.issueIntervalCycles;
      }
      if (isPredicated(slot) && before !== null && setsPredicate(before)) code.partDelay[at] = predicateDelay;
      before = slot;
      if (index === 0) {
        for (const reg of readsOf(instruction, folded)) {
          reads.push(reg);
          readDelay.push(guard?.reg === reg ? predicateDelay : 0);
        }
      }
      if (index === issue.length - 1) writes.push(...instruction.dst);
      at++;
      code.readStart[at] = reads.length;
      code.writeStart[at] = writes.length;
    }
    slotStart[pc + 1] = at;
    const components = op === "st" ? Math.max(1, instruction.src.length - 1) : Math.max(1, instruction.dst.length);
    bytesPerLane[pc] = (BYTES[instruction.type] ?? 4) * (op === "atom" ? 1 : components);
  }
  const arrivalAt = new Map(meetings.map((place, index) => [place, at + index]));
  for (const place of meetings) {
    const slot = slotStart[place]!;
    code.pcOf[at] = place;
    code.info[at] = code.info[slot]! | slots.ARRIVAL;
    code.latency[at] = code.latency[slot]!;
    code.interval[at] = code.interval[slot]!;
    at++;
    code.readStart[at] = reads.length;
    code.writeStart[at] = writes.length;
  }
  return {
    registers: program.registers.length,
    arrivalOf: places.map((place) => arrivalAt.get(place) ?? -1),
    guardDelay,
    slotStart,
    slotCount: Int32Array.from(instructions, (_, pc) => slotStart[pc + 1]! - slotStart[pc]!),
    pcOf: code.pcOf,
    info: code.info,
    latency: code.latency,
    interval: code.interval,
    partDelay: code.partDelay,
    readStart: code.readStart,
    reads: Int32Array.from(reads),
    readDelay: Float64Array.from(readDelay),
    writeStart: code.writeStart,
    writes: Int32Array.from(writes),
    traced,
    bytesPerLane,
  };
}

/** What the trace records of an instruction; 0: nothing. */
export function recordOf(instruction: Instruction): number {
  const { op } = instruction;
  if (op === "matchAny") return RECORD_OF_VALUES;
  if (spins(instruction)) return RECORD_OF_WORDS;
  return op === "ld" || op === "st" || op === "atom" ? RECORD_OF_SECTORS : 0;
}

/** The load, the swap and the branch back of each loop of compare-and-swap, by pc. */
function bitsOfSpinLoops(instructions: readonly Instruction[]): ReadonlyMap<number, number> {
  const bits = new Map<number, number>();
  for (const [pc, instruction] of instructions.entries()) {
    if (!spins(instruction)) continue;
    let head = pc;
    while (head > 0 && instructions[head]!.op !== "ld") head--;
    let back = pc;
    while (back < instructions.length - 1 && instructions[back]!.op !== "bra") back++;
    bits.set(head, slots.SPIN_LOAD).set(pc, slots.SPIN_SWAP).set(back, slots.SPIN_BRANCH);
  }
  return bits;
}

/** The registers that an instruction waits for, each once. */
function readsOf(
  { src, guard, dst }: Instruction,
  folded: ReadonlyMap<number, readonly number[]>,
): ReadonlySet<number> {
  const reads = new Set<number>();
  for (const source of src) {
    if (source.kind !== "reg") continue;
    reads.add(source.reg);
    for (const reg of folded.get(source.reg) ?? []) reads.add(reg);
  }
  if (guard !== null) reads.add(guard.reg);
  // A register whose load is still under way is not written by another instruction before it.
  for (const reg of dst) reads.add(reg);
  return reads;
}

/** Volta's register file and pipes. */
const VOLTA_MAJOR = 7;
/** Of the register file, by a register's parity (nvcc gives two that one instruction reads one of each). */
const BANKS = 2;

function registersRead({ src }: Instruction): ReadonlySet<number> {
  return new Set(src.flatMap((source) => (source.kind === "reg" ? [source.reg] : [])));
}

/**
 * The register file gives two operands a cycle, one of each bank, so that three different ones take two (h200/micro/memory,
 * fma_operands: v = v * a + b 2.03 cycles, v = v * a + v and v = v * a + 1.5 1.06). An operand that the instruction before
 * has read in the same place is kept, unless this one has to wait for that (four of them in turn: 1.05).
 */
function readsThreeOperands(
  instruction: Instruction,
  registers: ReadonlySet<number>,
  before: Instruction | undefined,
  device: DeviceSpec,
): boolean {
  if (device.computeCapability.major < VOLTA_MAJOR) return false;
  if (registers.size <= BANKS) return false;
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

/**
 * Reading a register of the block takes the unit twice as long, where it is not read for the uniform datapath
 * (h200/micro/prologue.json, prologue of one block of 1024: ctaid.x 4.5 cycles a warp, tid.x 2.4, both, one by S2UR, 4.2).
 */
const BLOCK_REGISTER_READS = 2;

function latencyOf(device: DeviceSpec, name: PipeName, rate: IssueRate | PipeSpec, slot: IssueSlot): number {
  // Reconvergence is only prepared by BSSY and checked by WARPSYNC.
  if (slot.mnemonic === "BSSY" || slot.mnemonic === "WARPSYNC") return 1;
  if ("latencyCycles" in rate) return rate.latencyCycles;
  return name === "adu" ? device.pipes.alu.latencyCycles : device.sharedMemory.loadLatencyCycles;
}
