/**
 * The order in which ptxas issues the instructions of a basic block. The lowered program has them in source order.
 * ptxas schedules them: instructions on the longest path come first, so loads stand together at the front
 * (src/core/lower/NVCC-RULES.md).
 *
 * The model is list scheduling by the longest path to the block's end, in which each load has a fixed latency. If that
 * takes more registers than ptxas would use, instructions are ordered by demand instead. Loads then come early only
 * while registers are left.
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

/** A basic block that begins at pc `first`, and the order in which its instructions issue. */
export interface ScheduledBlock {
  readonly first: number;
  readonly order: Int32Array;
}

/**
 * Registers that ptxas keeps free while it moves loads to the front. With a limit of 24, 32 and 64 registers, nvcc 13.0
 * uses 18 to 20, 26 to 28 and 57 for sums of 64 products.
 */
const KEPT_REGISTERS = 4;
/** Larger blocks keep their order: the window of ptxas is finite as well. */
const LARGEST_BLOCK = 8192;
/**
 * The latency that ptxas 13.0 assumes for a load when it orders instructions. In sums of up to 200 loads, it places 75
 * global loads or 10 to 13 shared loads before the first use.
 */
const GLOBAL_LOAD_CYCLES = 300;
const SHARED_LOAD_CYCLES = 40;
/** ptxas writes a stall count of 4 between two memory instructions and fills it with others (`warp-issue.ts`). */
const MEMORY_INTERVAL = 4;

/** The blocks whose order changes; each has two instructions or more. */
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

/** All stretches of straight-line code. The instructions from `start` up to `end` may change their order. */
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

/** Pointers may alias; memory spaces do not. */
const MEMORY_ORDER: MemoryOrder = {
  spaceOf: ({ space, root }) => space ?? root?.kind ?? "global",
  volatileLoads: true,
};

/** The dependences and priorities of a block's instructions. */
interface BlockCode {
  readonly before: readonly ReadonlySet<number>[];
  readonly after: readonly (readonly number[])[];
  /** Cycles from the issue of `earlier` to the earliest issue of `later`. */
  readonly wait: (earlier: number, later: number) => number;
  /** The length of the longest path to the block's end. */
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
  // The exit branch needs its predicate as late as any guarded instruction does.
  const leaves = next?.guard?.reg;
  const latency = block.map(
    (instruction) =>
      latencyOf(instruction, mc) +
      (leaves !== undefined && instruction.dst.includes(leaves) ? mc.guardDelay[next!.pc]! : 0),
  );
  const inOrder = block.map(({ op }) => (isWarpWide(op) ? "warp" : op === "ld" ? "load" : null));
  // An instruction that only keeps its order need not be finished first. A predicate arrives later if it is a guard.
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
 * List scheduling: among the ready instructions, the one with the longest path issues first. With `ranks`, few
 * registers are left, so the next rank goes first. While that one waits, any ready instruction that fits into the
 * registers may issue, so loads still come early.
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
