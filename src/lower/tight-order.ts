/**
 * The order of a basic block's instructions that keeps the fewest registers alive, as far as taking what frees most first
 * finds it: ptxas sums up one row of a tile after the other, and moves constants where they are needed, rather than let
 * registers keep warps from an SM.
 */
import { FIXED_PLACE } from "./fixed-place.js";
import type { Instruction, Reg } from "./program.js";

/** The greedy choice looks at all that could go next: beyond this it would cost more than it tells. */
const LARGEST_BLOCK = 1500;

/** The place of each instruction; `words`: of a register. */
export function tightOrder(instructions: readonly Instruction[], words: (reg: Reg) => number): Int32Array {
  const place = Int32Array.from(instructions, ({ pc }) => pc);
  const starts = new Set(instructions.flatMap(({ target }) => (target === undefined ? [] : [target])));
  const blockOf = new Map<Reg, number>();
  const shared = new Set<Reg>();
  const blocks: (readonly Instruction[])[] = [];
  let current: Instruction[] = [];
  const close = (): void => {
    if (current.length > 0) blocks.push(current);
    current = [];
  };
  for (const inst of instructions) {
    if (starts.has(inst.pc)) close();
    const alone = FIXED_PLACE.has(inst.op);
    if (alone) close();
    current.push(inst);
    if (alone) close();
  }
  close();
  for (const [index, block] of blocks.entries()) {
    for (const inst of block) {
      for (const reg of registersOf(inst)) {
        if ((blockOf.get(reg) ?? index) !== index) shared.add(reg);
        blockOf.set(reg, index);
      }
    }
  }
  for (const block of blocks) {
    if (block.length > 2 && block.length <= LARGEST_BLOCK) placeBlock(block, place, words, shared);
  }
  return place;
}

function readsOf({ src, guard, dst }: Instruction): readonly Reg[] {
  const reads = src.flatMap((source) => (source.kind === "reg" ? [source.reg] : []));
  return guard === null ? reads : [...reads, guard.reg, ...dst];
}

function registersOf(inst: Instruction): readonly Reg[] {
  return [...readsOf(inst), ...inst.dst];
}

/** Instructions that each one has to stand behind: what it reads and overwrites, and memory in its order. */
function predecessors(block: readonly Instruction[]): readonly ReadonlySet<number>[] {
  const lastWrite = new Map<Reg, number>();
  const readers = new Map<Reg, number[]>();
  let lastStore = -1;
  let loads: number[] = [];
  let lastFixed = -1;
  return block.map((inst, index) => {
    const before = new Set<number>();
    const reads = readsOf(inst);
    for (const reg of reads) before.add(lastWrite.get(reg) ?? -1);
    for (const reg of inst.dst) {
      before.add(lastWrite.get(reg) ?? -1);
      for (const reader of readers.get(reg) ?? []) before.add(reader);
    }
    if (inst.op === "st") {
      before.add(lastStore);
      for (const load of loads) before.add(load);
      lastStore = index;
      loads = [];
    } else if (inst.op === "ld") {
      before.add(lastStore);
      loads.push(index);
    } else if (/^(shfl|ballot|any|all|activemask|match|redux)/.test(inst.op)) {
      before.add(lastFixed);
      lastFixed = index;
    }
    for (const reg of reads) readers.set(reg, [...(readers.get(reg) ?? []), index]);
    for (const reg of inst.dst) {
      lastWrite.set(reg, index);
      readers.set(reg, []);
    }
    before.delete(-1);
    before.delete(index);
    return before;
  });
}

function placeBlock(
  block: readonly Instruction[],
  place: Int32Array,
  words: (reg: Reg) => number,
  shared: ReadonlySet<Reg>,
): void {
  const before = predecessors(block);
  const waiting = Int32Array.from(before, ({ size }) => size);
  const after: number[][] = block.map(() => []);
  for (const [index, list] of before.entries()) for (const earlier of list) after[earlier]!.push(index);
  // How often each register is still to be touched in this block; one that other blocks touch stays alive.
  const left = new Map<Reg, number>();
  for (const inst of block) for (const reg of new Set(registersOf(inst))) left.set(reg, (left.get(reg) ?? 0) + 1);
  const alive = new Set<Reg>();
  const change = (inst: Instruction): number => {
    let sum = 0;
    for (const reg of new Set(registersOf(inst))) {
      const here = shared.has(reg) || alive.has(reg);
      const stays = shared.has(reg) || left.get(reg)! > 1;
      if (!here && stays) sum += words(reg);
      else if (here && !stays) sum -= words(reg);
    }
    return sum;
  };
  const open: number[] = [];
  for (const [index, count] of waiting.entries()) if (count === 0) open.push(index);
  const first = block[0]!.pc;
  for (let placed = 0; placed < block.length; placed++) {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [k, index] of open.entries()) {
      const cost = change(block[index]!);
      if (cost < least || (cost === least && index < open[best]!)) {
        best = k;
        least = cost;
      }
    }
    const chosen = open[best]!;
    open.splice(best, 1);
    const inst = block[chosen]!;
    place[inst.pc] = first + placed;
    for (const reg of new Set(registersOf(inst))) {
      const remaining = left.get(reg)! - 1;
      left.set(reg, remaining);
      if (remaining > 0) alive.add(reg);
      else alive.delete(reg);
    }
    for (const index of after[chosen]!) if (--waiting[index]! === 0) open.push(index);
  }
}
