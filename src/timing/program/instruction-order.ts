/**
 * The order in which ptxas issues the instructions of a basic block. The lowered program has them in the order of the
 * source; ptxas schedules: what later instructions wait longest for comes first, so loads stand together at the front
 * and their uses behind (src/lower/NVCC-RULES.md; nvcc's listing of any unrolled loop). Here: list scheduling by the longest path
 * to the block's end, loads counted with the latency that they have at the least; where that takes more registers than ptxas
 * would, one result after the other, and what is loaded for the next ones only while there are registers.
 */
import { dependences, isWarpWide, type MemoryOrder, readsOf } from "../../lower/emit/dependences.js";
import { branchesInside, FIXED_PLACE } from "../../lower/emit/fixed-place.js";
import { FULL_OCCUPANCY } from "../../lower/emit/register-count.js";
import { demandRanks } from "../../lower/emit/tight-order.js";
import type { Instruction, Program } from "../../lower/program.js";
import { liveRegisters } from "./live-registers.js";
import type { Microcode } from "./microcode.js";
import { RegisterPressure, registerNeeds } from "./register-pressure.js";
import { INDEPENDENT } from "./slot-info.js";

/** Basic block of straight-line instructions `first` to `first + order.length - 1`, and the order of their issue. */
export interface ScheduledBlock {
  readonly first: number;
  readonly order: Int32Array;
}

/**
 * Registers that ptxas keeps free while it puts loads first (nvcc 13.0, sums of 64 products of two rows, of one row, of a
 * row and a column, in loops and not: with 32 registers at the most 26 to 28 are taken, with 24 18 to 20, with 64 57).
 */
const KEPT_REGISTERS = 4;
/** More is left as it is: ptxas' window is finite as well. */
const LARGEST_BLOCK = 8192;
/**
 * Cycles that ptxas 13.0 counts for a load when it orders instructions (sums of up to 200 loads whose first addition needs one, two or
 * three: 75 from global memory stand before the first use where registers are enough, 10, 11 or 12 and 13 from shared memory).
 */
const GLOBAL_LOAD_CYCLES = 300;
const SHARED_LOAD_CYCLES = 40;
/** Between two memory instructions ptxas writes a stall count of 4, and puts others there (`warp-issue.ts`). */
const MEMORY_INTERVAL = 4;

/** Blocks of two instructions or more whose order changes. */
export function scheduleBlocks(program: Program, mc: Microcode): readonly ScheduledBlock[] {
  const { instructions } = program;
  const stretches = stretchesOf(instructions);
  const live = liveRegisters(
    instructions,
    stretches.map(({ start }) => start),
  );
  const needs = registerNeeds(program);
  const most = Math.max(FULL_OCCUPANCY, program.registersPerThread) - KEPT_REGISTERS;
  const blocks: ScheduledBlock[] = [];
  for (const [index, { start, end }] of stretches.entries()) {
    if (end - start < 2 || end - start > LARGEST_BLOCK) continue;
    const block = instructions.slice(start, end);
    const order = scheduleBlock(
      block,
      start,
      instructions[end],
      mc,
      () => new RegisterPressure(block, needs, live[index]!, most),
    );
    if (order.some((pc, at) => pc !== start + at)) blocks.push({ first: start, order });
  }
  return blocks;
}

/** All of the code: straight lines from `start`, of which the instructions up to `end` may change places. */
function stretchesOf(
  instructions: readonly Instruction[],
): readonly { readonly start: number; readonly end: number }[] {
  const targets = new Set(instructions.flatMap(({ target }) => (target === undefined ? [] : [target])));
  const stretches: { readonly start: number; readonly end: number }[] = [];
  let start = 0;
  for (const [pc, instruction] of instructions.entries()) {
    if (targets.has(pc) && pc > start) {
      stretches.push({ start, end: pc });
      start = pc;
    }
    if (!FIXED_PLACE.has(instruction.op) && !branchesInside(instruction.issue)) continue;
    stretches.push({ start, end: pc });
    start = pc + 1;
  }
  if (start < instructions.length) stretches.push({ start, end: instructions.length });
  return stretches;
}

function latencyOf(instruction: Instruction, mc: Microcode): number {
  if (instruction.op === "ld") {
    return MEMORY_ORDER.spaceOf(instruction) === "shared" ? SHARED_LOAD_CYCLES : GLOBAL_LOAD_CYCLES;
  }
  let total = 0;
  for (let slot = mc.slotStart[instruction.pc]!; slot < mc.slotStart[instruction.pc + 1]!; slot++) {
    total += (mc.info[slot]! & INDEPENDENT) !== 0 ? 1 : mc.latency[slot]!;
  }
  return total;
}

/** Pointers may overlap, memory spaces cannot. */
const MEMORY_ORDER: MemoryOrder = {
  spaceOf: ({ space, root }) => space ?? root?.kind ?? "global",
  volatileLoads: true,
};

/** What the order of a block's instructions goes by. */
interface BlockCode {
  readonly before: readonly ReadonlySet<number>[];
  readonly after: readonly (readonly number[])[];
  /** What `later` waits for `earlier`. */
  readonly wait: (earlier: number, later: number) => number;
  /** The longest path to the block's end. */
  readonly priority: Float64Array;
  readonly usesMemory: Uint8Array;
  readonly slots: Int32Array;
}

function scheduleBlock(
  block: readonly Instruction[],
  first: number,
  next: Instruction | undefined,
  mc: Microcode,
  pressure: () => RegisterPressure,
): Int32Array {
  const before = dependences(block, MEMORY_ORDER);
  // Whether the block is left is known as late as a guard is.
  const leaves = next?.guard?.reg;
  const latency = block.map(
    (instruction) =>
      latencyOf(instruction, mc) +
      (leaves !== undefined && instruction.dst.includes(leaves) ? mc.guardDelay[next!.pc]! : 0),
  );
  const inOrder = block.map(({ op }) => (isWarpWide(op) ? "warp" : op === "ld" ? "load" : null));
  // What only keeps its order need not be done before; a predicate is later where it guards.
  const wait = (earlier: number, later: number): number => {
    const { guard } = block[later]!;
    const { dst } = block[earlier]!;
    const keepsOrder = inOrder[earlier] !== null && inOrder[earlier] === inOrder[later];
    if (keepsOrder && !readsOf(block[later]!).some((reg) => dst.includes(reg))) return 1;
    const guards = guard !== null && dst.includes(guard.reg);
    return latency[earlier]! + (guards ? mc.guardDelay[first + later]! : 0);
  };
  const priority = Float64Array.from(latency);
  for (let i = block.length - 1; i >= 0; i--) {
    for (const earlier of before[i]!) priority[earlier] = Math.max(priority[earlier]!, wait(earlier, i) + priority[i]!);
  }
  const after: number[][] = block.map(() => []);
  for (const [i, list] of before.entries()) for (const earlier of list) after[earlier]!.push(i);
  const code: BlockCode = {
    before,
    after,
    wait,
    priority,
    usesMemory: Uint8Array.from(block, ({ op }) => (op === "ld" || op === "st" ? 1 : 0)),
    slots: mc.slotCount.subarray(first, first + block.length),
  };
  const free = pressure();
  const order = place(code, free, null);
  return (free.exceeded ? place(code, pressure(), demandRanks(block, before)) : order).map((index) => first + index);
}

/**
 * The instructions in order: what is ready and has the longest path; or, given `ranks`, where registers are few, by those: what
 * has the next rank, and while that waits what is ready and has registers, so that loads come first as far as these go.
 */
function place(code: BlockCode, pressure: RegisterPressure, ranks: Int32Array | null): Int32Array {
  const { before, after, wait, priority, usesMemory, slots } = code;
  const count = before.length;
  const ready = new Float64Array(count);
  const waiting = Int32Array.from(before, ({ size }) => size);
  const open = new Set<number>();
  for (let i = 0; i < count; i++) if (waiting[i] === 0) open.add(i);
  const order = new Int32Array(count);
  let time = 0;
  let memoryFree = 0;
  const startOf = (index: number): number =>
    usesMemory[index] === 1 ? Math.max(ready[index]!, memoryFree) : ready[index]!;
  const precedes = (a: number, b: number): boolean =>
    ranks === null ? priority[a]! > priority[b]! || (priority[a] === priority[b] && a < b) : ranks[a]! < ranks[b]!;
  const next = (): number => {
    let due = -1;
    if (ranks !== null) for (const i of open) if (due < 0 || precedes(i, due)) due = i;
    const may = (index: number): boolean => index === due || ranks === null || pressure.fits(index);
    let soonest = Number.POSITIVE_INFINITY;
    for (const i of open) if (startOf(i) < soonest && may(i)) soonest = startOf(i);
    time = Math.max(time, soonest);
    let best = -1;
    for (const i of open) if (startOf(i) <= time && (best < 0 || precedes(i, best)) && may(i)) best = i;
    return best;
  };
  for (let placed = 0; placed < count; placed++) {
    const best = next();
    open.delete(best);
    pressure.place(best);
    order[placed] = best;
    if (usesMemory[best] === 1) memoryFree = time + MEMORY_INTERVAL;
    for (const i of after[best]!) {
      ready[i] = Math.max(ready[i]!, time + wait(best, i));
      if (--waiting[i]! === 0) open.add(i);
    }
    time += slots[best]!;
  }
  return order;
}
