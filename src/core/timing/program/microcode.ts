/**
 * A program as the SM model reads it: flat arrays with one entry an issue slot, that is, a machine instruction. Each
 * entry has the pipe, latency and kind that the device gives it. An instruction with several slots (calls, branches)
 * issues them in turn; a slot that is not `independent` waits for all slots before it.
 */
import { InputError } from "../../base/errors.js";
import type { DeviceSpec, IssueRate, PipeSpec } from "../../device/spec.js";
import { spins } from "../../engine/semantics/spin.js";
import { meetingPlaces } from "../../lower/machine/reconvergence.js";
import { componentBytes, type Instruction, type IssueSlot, type Program } from "../../lower/program.js";
import { PIPE_NAMES, type PipeName } from "../base/pipe-names.js";
import { RECORD_OF_SECTORS, RECORD_OF_VALUES, RECORD_OF_WORDS } from "../trace/trace.js";
import { LONG_GROUP, groupOf as unitGroupOf } from "./bypass.js";
import { isPredicated, setsPredicate } from "./expand-slots.js";
import { balancedPipes } from "./pipe-balance.js";
import { bankBits, foldedSources, readsOf, VOLTA_MAJOR } from "./register-reads.js";
import * as slots from "./slot-info.js";

/** A gate is the unit that an instruction enters from the scheduler: a pipe, or a queue to the memory unit. */
export const MIO_GATE: number = PIPE_NAMES.length;
export const LG_GATE: number = MIO_GATE + 1;
export const GATES: number = LG_GATE + 1;

/** Instructions of these pipes wait in the queue of memory instructions (h200/micro/set-9.json, mufuFour). */
const BY_WAY_OF_MIO: ReadonlySet<PipeName> = new Set<PipeName>(["xu", "match", "redux", "special", "adu"]);
/** The gates, a bit each, at which a waiting warp counts as mio_throttle. */
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
  /** The slots of pc are those from slotStart[pc] to slotStart[pc + 1]. */
  readonly slotStart: Int32Array;
  /** For a jump within a BSSY region, by pc: the slot of the BSYNC at which diverged lanes arrive first; else -1. */
  readonly arrivalOf: Int32Array;
  /** The number of slots, by pc. */
  readonly slotCount: Int32Array;
  /** By slot, in order: its pc, its packed properties (`slot-info.ts`), and the numbers of its pipe. */
  readonly pcOf: Int32Array;
  readonly info: Int32Array;
  readonly latency: Float64Array;
  readonly interval: Float64Array;
  /** Extra cycles that a slot waits for the predicate of the slot before it, compared with an ALU result. */
  readonly partDelay: Float64Array;
  /**
   * Registers that an instruction waits for: sources, guard, and destinations that are still outstanding. Those of its
   * first slot are from readStart[slot] to readStart[slot + 1]. `readDelay` has the extra cycles compared with an ALU
   * result.
   */
  readonly readStart: Int32Array;
  readonly reads: Int32Array;
  readonly readDelay: Float64Array;
  /** Registers that an instruction has written when its last slot completes. */
  readonly writeStart: Int32Array;
  readonly writes: Int32Array;
  /** The kind of record in the trace, by pc: RECORD_OF_SECTORS, RECORD_OF_WORDS or RECORD_OF_VALUES; 0: none. */
  readonly traced: Uint8Array;
  /** Bytes that a memory instruction accesses a lane, by pc. */
  readonly bytesPerLane: Uint8Array;
}

/** Results a cycle of the whole SM, up to a common factor. */
function rateOfSm({ issueIntervalCycles, sharedBy }: IssueRate, device: DeviceSpec): number {
  return (sharedBy === "sm" ? 1 : device.schedulersPerSm) / issueIntervalCycles;
}

/**
 * Conversions from and to 64-bit types run at the rate of other conversions or of 64-bit arithmetic, whichever is
 * lower. The CUDA Programming Guide's table of arithmetic throughput gives both.
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

/** Special registers that come through the data stage, each as one wavefront (h200/micro/registers.json, special). */
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

function rateOf(device: DeviceSpec, name: PipeName, instruction: Instruction): IssueRate | PipeSpec {
  const spec = device.pipes[name === "uniform" && device.pipes.uniform === null ? "alu" : name];
  if (spec !== null && !(instruction.op === "matchAny" && device.matchAny === null)) return spec;
  throw new InputError({
    what: `${device.name} has no ${name} pipe, but the program has ${instruction.op} at pc ${instruction.pc}`,
    cure: "lower the kernel for this device's compute capability",
  });
}

/** Pipes that announce their results by a scoreboard; it counts as "short", because L1 and memory are not involved. */
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

/** The arrays of `count` slots, of which the first `at` are written. */
class SlotArrays {
  at = 0;
  readonly pcOf: Int32Array;
  readonly info: Int32Array;
  readonly latency: Float64Array;
  readonly interval: Float64Array;
  readonly partDelay: Float64Array;
  readonly readStart: Int32Array;
  readonly writeStart: Int32Array;
  readonly reads: number[] = [];
  readonly readDelay: number[] = [];
  readonly writes: number[] = [];

  constructor(count: number) {
    this.pcOf = new Int32Array(count);
    this.info = new Int32Array(count);
    this.latency = new Float64Array(count);
    this.interval = new Float64Array(count);
    this.partDelay = new Float64Array(count);
    this.readStart = new Int32Array(count + 1);
    this.writeStart = new Int32Array(count + 1);
  }

  /** Ends the slot whose values are written, with the registers that it reads and writes. */
  end(): void {
    this.at++;
    this.readStart[this.at] = this.reads.length;
    this.writeStart[this.at] = this.writes.length;
  }

  /** Adds the BSYNC at slot `slot` of `pc` once more, for the lanes that arrive first. */
  addArrival(pc: number, slot: number): void {
    const { at, info, latency, interval } = this;
    this.pcOf[at] = pc;
    info[at] = info[slot]! | slots.ARRIVAL;
    latency[at] = latency[slot]!;
    interval[at] = interval[slot]!;
    this.end();
  }
}

/** Writes the slots of a program's instructions, in order, to `code`. */
class SlotWriter {
  private readonly instructions: readonly Instruction[];
  private readonly folded: ReadonlyMap<number, ReadonlySet<number>>;
  private readonly balanced: Uint8Array;
  private readonly spinBits: ReadonlyMap<number, number>;

  constructor(
    program: Program,
    private readonly device: DeviceSpec,
    private readonly predicateDelay: number,
    private readonly code: SlotArrays,
  ) {
    this.instructions = program.instructions;
    this.folded = foldedSources(program);
    this.balanced = balancedPipes(program, device);
    this.spinBits = bitsOfSpinLoops(program.instructions);
  }

  add(pc: number, instruction: Instruction): void {
    const { code, device, predicateDelay } = this;
    const { issue, guard } = instruction;
    for (const [index, slot] of issue.entries()) {
      const { at } = code;
      const name = this.balanced[at] === 1 ? "imad" : pipeOf(slot, instruction, device);
      const rate = rateOf(device, name, instruction);
      const before = issue[index - 1];
      code.pcOf[at] = pc;
      code.info[at] = this.infoOf(pc, instruction, index, name, rate);
      code.latency[at] = latencyOf(device, name, rate, slot);
      code.interval[at] = intervalOf(device, name, rate, slot);
      if (isPredicated(slot) && before !== undefined && setsPredicate(before)) code.partDelay[at] = predicateDelay;
      if (index === 0) {
        for (const reg of readsOf(instruction, this.folded)) {
          code.reads.push(reg);
          code.readDelay.push(guard?.reg === reg ? predicateDelay : 0);
        }
      }
      if (index === issue.length - 1) code.writes.push(...instruction.dst);
      code.end();
    }
  }

  private infoOf(
    pc: number,
    instruction: Instruction,
    index: number,
    name: PipeName,
    rate: IssueRate | PipeSpec,
  ): number {
    const { device } = this;
    const { issue, op } = instruction;
    const slot = issue[index]!;
    const pipe = PIPE_NAMES.indexOf(name);
    const kind = kindOf(slot, instruction);
    return slots.packSlot({
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
        (recordOf(instruction) !== 0 ? slots.TRACED : 0) |
        (this.spinBits.get(pc) ?? 0) |
        bankBits(instruction, this.instructions[pc - 1], name, device),
    });
  }
}

export function microcode(program: Program, device: DeviceSpec): Microcode {
  const { instructions } = program;
  const places = meetingPlaces(instructions);
  const meetings = [...new Set(places)].filter((place) => place >= 0);
  const code = new SlotArrays(instructions.reduce((sum, { issue }) => sum + issue.length, 0) + meetings.length);
  const predicateDelay = Math.max(0, device.pipes.cbu.predicateLatencyCycles - device.pipes.alu.latencyCycles);
  const writer = new SlotWriter(program, device, predicateDelay, code);
  const slotStart = new Int32Array(instructions.length + 1);
  for (const [pc, instruction] of instructions.entries()) {
    writer.add(pc, instruction);
    slotStart[pc + 1] = code.at;
  }
  const arrivalAt = new Map(meetings.map((place, index) => [place, code.at + index]));
  for (const place of meetings) code.addArrival(place, slotStart[place]!);
  return {
    registers: program.registers.length,
    arrivalOf: places.map((place) => arrivalAt.get(place) ?? -1),
    slotStart,
    slotCount: Int32Array.from(instructions, (_, pc) => slotStart[pc + 1]! - slotStart[pc]!),
    pcOf: code.pcOf,
    info: code.info,
    latency: code.latency,
    interval: code.interval,
    partDelay: code.partDelay,
    readStart: code.readStart,
    reads: Int32Array.from(code.reads),
    readDelay: Float64Array.from(code.readDelay),
    writeStart: code.writeStart,
    writes: Int32Array.from(code.writes),
    traced: Uint8Array.from(instructions, recordOf),
    bytesPerLane: Uint8Array.from(instructions, bytesPerLaneOf),
  };
}

function bytesPerLaneOf(instruction: Instruction): number {
  const { op, src, dst } = instruction;
  const components = op === "st" ? src.length - 1 : dst.length;
  return componentBytes(instruction.type, instruction.narrow) * (op === "atom" ? 1 : Math.max(1, components));
}

/** The kind of record that the trace has for an instruction; 0: none. */
export function recordOf(instruction: Instruction): number {
  const { op } = instruction;
  if (op === "matchAny") return RECORD_OF_VALUES;
  if (spins(instruction)) return RECORD_OF_WORDS;
  return op === "ld" || op === "st" || op === "atom" ? RECORD_OF_SECTORS : 0;
}

/** The load, the swap and the backward branch of each compare-and-swap loop, by pc. */
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

/** Whether the slot is a 64-bit multiply. */
function isLongMultiply(slot: IssueSlot, device: DeviceSpec): boolean {
  if (device.computeCapability.major < VOLTA_MAJOR) return false;
  return slot.mnemonic.startsWith("IMAD.HI") || slot.mnemonic.startsWith("IMAD.WIDE");
}

/**
 * Reading blockIdx keeps the unit busy twice as long as threadIdx, unless the uniform datapath reads it. This stands
 * for 4.5 cycles a warp against 2.4 (h200/micro/prologue.json, prologue).
 */
const BLOCK_REGISTER_READS = 2;

function intervalOf(device: DeviceSpec, name: PipeName, rate: IssueRate | PipeSpec, { mnemonic }: IssueSlot): number {
  const { issueIntervalCycles, sharedBy } = rate;
  const slow = name === "special" && sharedBy === "sm" && device.pipes.uniform === null;
  return slow && mnemonic.startsWith("S2R SR_CTAID") ? BLOCK_REGISTER_READS * issueIntervalCycles : issueIntervalCycles;
}

function latencyOf(device: DeviceSpec, name: PipeName, rate: IssueRate | PipeSpec, slot: IssueSlot): number {
  // BSSY only prepares reconvergence, and WARPSYNC only checks it.
  if (slot.mnemonic === "BSSY" || slot.mnemonic === "WARPSYNC") return 1;
  if ("latencyCycles" in rate) return rate.latencyCycles;
  return name === "adu" ? device.pipes.alu.latencyCycles : device.sharedMemory.loadLatencyCycles;
}
