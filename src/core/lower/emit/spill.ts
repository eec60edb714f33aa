/**
 * Fits a kernel into the registers that a thread may have: values go to local memory where too many are live. A round
 * picks the values that cost fewest accesses, by the depth of their loops, for the crowded code that they free. An address
 * or a constant that one instruction makes again from values at hand is not stored. Methods: Bernstein et al., "Spill code
 * minimization techniques for optimizing compilers" (1989); Briggs, Cooper and Torczon, "Rematerialization" (1992).
 */

import type { Target } from "../machine/target.js";
import type { Instruction, Reg } from "../program.js";
import type { Draft, DraftRegion } from "./draft.js";
import { innerRegions } from "./draft.js";
import { type FinishedCode, finish } from "./finish.js";
import { type LiveRanges, liveRanges, mostAlive, registersPerThread, wordsAlive, wordsOf } from "./register-count.js";
import { SpillCode } from "./spill-code.js";
import { demandOrder, tightOrder } from "./tight-order.js";

export interface FittedCode {
  readonly code: FinishedCode;
  readonly registersPerThread: number;
  /** Local memory of a thread for what does not fit; 0 where all does. */
  readonly spillBytes: number;
}

/** Each round may have to make room for the reloads of those before it. */
const MOST_ROUNDS = 64;
/** A pointer into global memory. */
const ADDRESS_WORDS = 2;
/** How often a loop is taken to run. */
const ROUNDS_OF_LOOP = 10;
/** The cost of computing a value again, where an access to local memory costs 1. */
const COMPUTING = 0.5;

/** `array`: the number that the local array of spilled values gets. `most`: registers that a thread may have. */
export function fitRegisters(draft: Draft, target: Target, array: number, most: number): FittedCode {
  const early = finish(draft);
  const needed = registersPerThread(early, target);
  if (needed <= most) return { code: early, registersPerThread: needed, spillBytes: 0 };
  const room = most - target.reservedRegisters;
  reorder(draft, early, room);
  const spills = new SpillCode(draft, array, room);
  let code = finish(draft);
  for (let round = 0; round < MOST_ROUNDS && spillRound(code, spills, room); round++) code = finish(draft);
  const alive = mostAlive(code, false);
  return {
    code,
    registersPerThread: Math.max(most, alive + target.reservedRegisters),
    spillBytes: spills.bytes,
  };
}

/** Takes the order with the least too much in the runs where too many registers are live. */
function reorder(draft: Draft, code: FinishedCode, room: number): void {
  const { instructions } = code;
  // A clock stays between the instructions that it times.
  if (instructions.some(({ op, volatile }) => op === "mov" && volatile === true)) return;
  const words = wordsOf(code);
  const excess = (place: Int32Array): number => {
    const alive = wordsAlive(instructions.length, liveRanges(code, false, place), words);
    return alive.reduce((sum, here) => sum + Math.max(0, here - room), 0);
  };
  const asWritten = Int32Array.from(instructions, ({ pc }) => pc);
  const orders = [asWritten, tightOrder(instructions, (reg) => words[reg]!, true), demandOrder(instructions, true)];
  const [best = asWritten] = orders
    .map((place) => ({ place, excess: excess(place) }))
    .sort((a, b) => a.excess - b.excess)
    .map(({ place }) => place);
  const alive = wordsAlive(instructions.length, liveRanges(code, false, null), words);
  const inRegion = (region: DraftRegion): void => {
    let start = 0;
    const flush = (end: number): void => {
      const run = region.slice(start, end).flatMap((node) => (node.kind === "inst" ? [node] : []));
      if (!run.some(({ inst }) => alive[inst.pc]! > room)) return;
      run.sort((a, b) => best[a.inst.pc]! - best[b.inst.pc]!);
      region.splice(start, run.length, ...run);
    };
    region.forEach((node, at) => {
      if (node.kind === "inst") return;
      flush(at);
      start = at + 1;
    });
    flush(region.length);
    for (const node of region) innerRegions(node).forEach(inRegion);
  };
  inRegion(draft.region);
}

/** Spills values until no point has too many, as far as they can be chosen at once. False where nothing was spilled. */
function spillRound(code: FinishedCode, spills: SpillCode, room: number): boolean {
  const { instructions, registers } = code;
  const words = wordsOf(code);
  const ranges = liveRanges(code, false, null);
  const alive = wordsAlive(instructions.length, ranges, words);
  const crowded = new Int32Array(alive.length + 1);
  alive.forEach((here, at) => {
    crowded[at + 1] = crowded[at]! + (here > room ? 1 : 0);
  });
  if (crowded.at(-1) === 0) return false;
  const again = computableAgain(code, ranges, words);
  const price = prices(code, again);
  spills.startRound(words, alive);
  const left = new Set<Reg>();
  registers.forEach(({ type }, reg) => {
    const may = words[reg]! > 0 && spills.gains(reg, price.accesses[reg]!) && !price.fixed.has(reg);
    // The start of shared or local memory and what counts from it are made again, never stored.
    if (may && (type !== "addr" || words[reg] === ADDRESS_WORDS || again.has(reg))) left.add(reg);
  });
  const { first, last } = ranges;
  let spilled = false;
  for (let at = 0; at < instructions.length; at++) {
    while (alive[at]! > room) {
      let best: Reg = -1;
      let least = Number.POSITIVE_INFINITY;
      for (const reg of left) {
        if (first[reg]! > at || last[reg]! <= at) continue;
        if (instructions[at]!.dst.includes(reg) || reads(instructions[at + 1], reg)) continue;
        const freed = words[reg]! * (crowded[last[reg]!]! - crowded[first[reg]!]!);
        const weight = price.of[reg]! / freed;
        if (weight < least) {
          least = weight;
          best = reg;
        }
      }
      if (best === -1) break;
      left.delete(best);
      for (let point = first[best]!; point < last[best]!; point++) alive[point] = alive[point]! - words[best]!;
      spills.spill(best, again.has(best));
      spilled = true;
    }
  }
  return spilled;
}

function reads(inst: Instruction | undefined, reg: Reg): boolean {
  return inst?.src.some((operand) => operand.kind === "reg" && operand.reg === reg) === true;
}

interface Prices {
  /** The accesses to each register, in instructions. */
  readonly accesses: Int32Array;
  /** The instructions that spilling each register adds, where a loop runs its body ten times. */
  readonly of: Float64Array;
  /** Registers whose guarded write overwrites its own guard. */
  readonly fixed: ReadonlySet<Reg>;
}

function prices({ instructions, registers }: FinishedCode, again: ReadonlySet<Reg>): Prices {
  const deeper = new Int32Array(instructions.length + 1);
  for (const { op, target, pc } of instructions) {
    if (op !== "bra" || target === undefined || target > pc) continue;
    deeper[target] = deeper[target]! + 1;
    deeper[pc + 1] = deeper[pc + 1]! - 1;
  }
  const accesses = new Int32Array(registers.length);
  const of = new Float64Array(registers.length);
  const fixed = new Set<Reg>();
  let depth = 0;
  for (const { pc, src, dst, guard } of instructions) {
    depth += deeper[pc]!;
    const runs = ROUNDS_OF_LOOP ** depth;
    const read = new Set(src.flatMap((operand) => (operand.kind === "reg" ? [operand.reg] : [])));
    for (const reg of new Set([...read, ...dst])) accesses[reg] = accesses[reg]! + 1;
    for (const reg of read) of[reg] = of[reg]! + (again.has(reg) ? COMPUTING * runs : runs);
    for (const reg of dst) {
      if (!again.has(reg)) of[reg] = of[reg]! + runs;
      if (guard !== null && dst.includes(guard.reg)) fixed.add(reg);
    }
  }
  return { accesses, of, fixed };
}

/**
 * Registers that one instruction writes, an address or a constant, from values that are at hand wherever it is read, or
 * that take less room.
 */
function computableAgain(
  { instructions, registers }: FinishedCode,
  { last }: LiveRanges,
  words: readonly number[],
): ReadonlySet<Reg> {
  const writes = new Int32Array(registers.length);
  for (const { dst } of instructions) for (const reg of dst) writes[reg] = writes[reg]! + 1;
  const found = new Set<Reg>();
  for (const { op, dst, src, guard, volatile } of instructions) {
    const [reg] = dst;
    if (reg === undefined || writes[reg] !== 1 || guard !== null || volatile === true) continue;
    if (op !== "addr" && (op !== "mov" || src.some(({ kind }) => kind === "reg"))) continue;
    let longer = 0;
    const once = src.every((operand) => {
      if (operand.kind !== "reg") return true;
      if (last[operand.reg]! < last[reg]!) longer += words[operand.reg]!;
      return writes[operand.reg] === 1;
    });
    if (once && longer < words[reg]!) found.add(reg);
  }
  return found;
}
