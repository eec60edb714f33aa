/**
 * Which thread of a block adds how much. Values that come from the input are followed through registers, shuffles, shared
 * and local memory. An operation that makes one value of two or more of them counts as additions of its lane. A value
 * fresh from a shuffle is marked, to see whether it is added.
 */
import type { Instruction, Op } from "../../../core/lower/program.js";
import { instructionLine } from "../source-line.js";
import { blockElements, halvings, type Limit, limitFor } from "../spec.js";
import { elementsOfBlock } from "../trial.js";
import { type BlockStep, type BlockWitness, forLanes, type TracedBlock } from "./block-trace.js";

const WARP = 32;

/** They hand a value on as it is, or choose one. */
const HAND_ON: ReadonlySet<Op> = new Set<Op>(["mov", "selp", "cvt", "bitcast"]);
/** Their results are no longer data, but a condition, a mask or an address. */
const LOSE: ReadonlySet<Op> = new Set<Op>([
  "setp",
  "ballot",
  "any",
  "all",
  "matchAny",
  "matchAll",
  "matchAllPredicate",
  "addr",
  "activemask",
]);
const SHUFFLES: ReadonlySet<Op> = new Set<Op>(["shfl", "shflUp", "shflDown", "shflXor"]);

const sumOf = (counts: Int32Array): number => counts.reduce((sum, each) => sum + each, 0);

interface Handed {
  readonly op: Op;
  readonly lanes: number;
}

export class Additions implements BlockWitness {
  /** Additions of each thread. */
  readonly counts: Int32Array;
  /** The same of each instruction, by pc. */
  private readonly byInstruction = new Map<number, Int32Array>();
  /** Lanes that hold data, of each register of each warp. */
  private readonly registers: Int32Array[];
  private readonly memory = new Set<string>();
  /** Registers of each warp that hold what a shuffle has handed on, in which lanes. */
  private readonly handed: Map<number, Handed>[];
  /** Warp instructions that add what a shuffle has handed on, by the shuffle's operation. */
  readonly addedFrom: Map<Op, number> = new Map();

  constructor(private readonly traced: TracedBlock) {
    const { block } = traced.trial.config;
    this.counts = new Int32Array(block);
    const count = traced.program.registers.length;
    const warps = Math.ceil(block / WARP);
    this.registers = Array.from({ length: warps }, () => new Int32Array(count));
    this.handed = Array.from({ length: warps }, () => new Map<number, Handed>());
  }

  /** Lanes whose value of source operand `index` comes from the input. */
  dataLanes(warp: number, { src }: Instruction, index: number): number {
    const operand = src[index];
    return operand?.kind === "reg" ? (this.registers[warp]?.[operand.reg] ?? 0) : 0;
  }

  step(step: BlockStep): void {
    const { instruction, lanes } = step;
    const { op } = instruction;
    if (lanes === 0) return;
    if (op === "ld") this.set(step, this.loaded(step));
    else if (op === "st") this.store(step);
    else if (op === "atom") this.atomic(step);
    else if (SHUFFLES.has(op)) this.shuffle(step);
    else if (op === "redux") this.redux(step);
    else if (LOSE.has(op)) this.set(step, 0);
    else this.elementwise(step);
  }

  end(): void {}

  /** All additions of the block. */
  get total(): number {
    return sumOf(this.counts);
  }

  private elementwise(step: BlockStep): void {
    const { instruction, lanes, warp } = step;
    let any = 0;
    let several = 0;
    let three = 0;
    for (let index = 0; index < instruction.src.length; index++) {
      const data = this.dataLanes(warp, instruction, index);
      three |= several & data;
      several |= any & data;
      any |= data;
    }
    const from = this.handedOn(step);
    if (!HAND_ON.has(instruction.op)) {
      this.count(step, several);
      this.count(step, three);
      if ((lanes & several) !== 0 && from !== null) this.addedFrom.set(from, (this.addedFrom.get(from) ?? 0) + 1);
    }
    this.set(step, any);
    if (HAND_ON.has(instruction.op) && from !== null) this.hand(step, from);
  }

  private shuffle(step: BlockStep): void {
    const data = this.dataLanes(step.warp, step.instruction, 1) === 0 ? 0 : -1;
    this.set(step, data);
    if (data !== 0) this.hand(step, step.instruction.op);
  }

  /** The shuffle that a source operand of these lanes comes from. */
  private handedOn({ instruction, lanes, warp }: BlockStep): Op | null {
    for (const operand of instruction.src) {
      const handed = operand.kind === "reg" ? this.handed[warp]?.get(operand.reg) : undefined;
      if (handed !== undefined && (handed.lanes & lanes) !== 0) return handed.op;
    }
    return null;
  }

  private hand({ instruction, lanes, warp }: BlockStep, op: Op): void {
    for (const reg of instruction.dst) this.handed[warp]?.set(reg, { op, lanes });
  }

  /** A warp's sum of `lanes` values: one addition fewer. */
  private redux(step: BlockStep): void {
    const { lanes, warp, instruction } = step;
    const data = this.dataLanes(warp, instruction, 1) & lanes;
    this.count(step, data & (data - 1));
    this.set(step, data === 0 ? 0 : -1);
  }

  private loaded(step: BlockStep): number {
    const { instruction, lanes, warp, addresses, words } = step;
    const { input } = this.traced.trial;
    let data = 0;
    forLanes(lanes, (lane) => {
      const address = addresses[lane] ?? 0;
      const fromInput =
        instruction.space === "global" && address >= input.address && address < input.address + input.byteLength;
      for (let word = 0; word < words; word++) {
        if (fromInput || this.memory.has(this.key(step, warp * WARP + lane, address + 4 * word))) data |= 1 << lane;
      }
    });
    return data;
  }

  private store(step: BlockStep): void {
    const { instruction, lanes, warp, addresses, words } = step;
    let data = 0;
    for (let index = 1; index < instruction.src.length; index++) data |= this.dataLanes(warp, instruction, index);
    forLanes(lanes, (lane) => {
      for (let word = 0; word < words; word++) {
        const key = this.key(step, warp * WARP + lane, (addresses[lane] ?? 0) + 4 * word);
        if (((data >>> lane) & 1) === 1) this.memory.add(key);
        else this.memory.delete(key);
      }
    });
  }

  /** An atomic operation on data is an addition, whatever memory holds. */
  private atomic(step: BlockStep): void {
    const { instruction, lanes, warp, addresses } = step;
    const data = this.dataLanes(warp, instruction, 1) | this.dataLanes(warp, instruction, 2);
    this.count(step, data);
    forLanes(lanes & data, (lane) => this.memory.add(this.key(step, warp * WARP + lane, addresses[lane] ?? 0)));
    this.set(step, -1);
  }

  private key({ instruction }: BlockStep, thread: number, address: number): string {
    return instruction.space === "local" ? `${thread} ${address}` : `${instruction.space} ${address}`;
  }

  private count({ instruction, lanes, warp }: BlockStep, adding: number): void {
    if ((lanes & adding) === 0) return;
    const own = this.byInstruction.get(instruction.pc) ?? new Int32Array(this.counts.length);
    this.byInstruction.set(instruction.pc, own);
    forLanes(lanes & adding, (lane) => {
      this.counts[warp * WARP + lane]! += 1;
      own[warp * WARP + lane]! += 1;
    });
  }

  /** The line where most additions of the threads from `first` on, `threads` of them, are made. */
  lineOf(first: number, threads: number): string {
    let most = 0;
    let line = "";
    for (const [pc, counts] of this.byInstruction) {
      const made = sumOf(counts.subarray(first, first + threads));
      const instruction = this.traced.program.instructions[pc];
      if (made <= most || instruction === undefined) continue;
      most = made;
      line = instructionLine(this.traced.program, instruction);
    }
    return line;
  }

  private set({ instruction, lanes, warp }: BlockStep, data: number): void {
    const own = this.registers[warp];
    if (own === undefined) return;
    for (const reg of instruction.dst) {
      const type = this.traced.program.registers[reg]?.type;
      const kept = type === "bool" || type === "addr" ? 0 : data;
      own[reg] = ((own[reg] ?? 0) & ~lanes) | (kept & lanes);
      this.handed[warp]?.delete(reg);
    }
  }
}

/** In a smaller block, or one that has elements for some of its threads only, one warp has most of the additions in any tree. */
const LARGE_BLOCK = 512;

/** Up to here, a thread may add all and still be within any limit. */
const ALL_BY_ONE = 16;

/** A sentence where one thread or one warp makes too many of the block's additions; null where none does. */
export function tooManyAdditions(
  additions: Additions,
  { trial, block }: TracedBlock,
  perThread: Limit,
  warpShare: number,
): string | null {
  const { counts, total } = additions;
  const threads = counts.length;
  if (threads <= ALL_BY_ONE) return null;
  const where = `(block ${block} of ${trial.grid}, ${threads} threads)`;
  const thread = counts.indexOf(Math.max(...counts));
  const made = counts[thread] ?? 0;
  const most = limitFor(perThread, threads);
  const percent = (part: number): string => `${Math.round((100 * part) / total)} %`;
  if (made > most) {
    return `${additions.lineOf(thread, 1)}: thread ${thread} makes ${made} of the block's ${total} additions, ${percent(made)}, most of them here; with ${halvings(threads)} halvings ${most} are enough ${where}.`;
  }
  const whole = elementsOfBlock(trial, block).length === blockElements(trial.spec, threads);
  if (threads < LARGE_BLOCK || !whole) return null;
  const byWarp = Array.from({ length: Math.ceil(threads / WARP) }, (_, warp) =>
    sumOf(counts.subarray(warp * WARP, (warp + 1) * WARP)),
  );
  const warp = byWarp.indexOf(Math.max(...byWarp));
  const share = byWarp[warp] ?? 0;
  if (share <= warpShare * total) return null;
  return `${additions.lineOf(warp * WARP, WARP)}: warp ${warp} makes ${share} of the block's ${total} additions, ${percent(share)}, most of them here; its share is to be ${Math.round(100 * warpShare)} % at the most ${where}.`;
}
