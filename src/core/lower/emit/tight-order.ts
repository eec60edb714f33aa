/**
 * Orders a basic block for the fewest live registers, greedily: the instruction that frees most comes first. ptxas
 * finishes the sum of one row of a tile before the next, and moves constants late, rather than lose occupancy.
 */

import type { Instruction, Reg } from "../program.js";
import { dependences, readsOf } from "./dependences.js";
import { FIXED_PLACE } from "./fixed-place.js";

/** The greedy choice looks at all candidates: in larger blocks that is too expensive. */
const LARGEST_BLOCK = 1500;

/** The position of each instruction. `words`: the size of a register. `keepsVolatile`: as for `dependences`. */
export function tightOrder(
  instructions: readonly Instruction[],
  words: (reg: Reg) => number,
  keepsVolatile = false,
): Int32Array {
  const place = Int32Array.from(instructions, ({ pc }) => pc);
  const blockOf = new Map<Reg, number>();
  const shared = new Set<Reg>();
  const blocks = basicBlocks(instructions);
  for (const [index, block] of blocks.entries()) {
    for (const inst of block) {
      for (const reg of registersOf(inst)) {
        if ((blockOf.get(reg) ?? index) !== index) shared.add(reg);
        blockOf.set(reg, index);
      }
    }
  }
  for (const block of blocks) {
    if (block.length > 2 && block.length <= LARGEST_BLOCK) placeBlock(block, place, words, shared, keepsVolatile);
  }
  return place;
}

/** The position of each instruction if it is placed only when a user needs it. */
export function demandOrder(instructions: readonly Instruction[], keepsVolatile = false): Int32Array {
  const place = Int32Array.from(instructions, ({ pc }) => pc);
  for (const block of basicBlocks(instructions)) {
    if (block.length <= 2 || block.length > LARGEST_BLOCK) continue;
    const first = block[0]!.pc;
    const ranks = demandRanks(block, dependences(block, keepsVolatile));
    for (const [index, rank] of ranks.entries()) place[first + index] = first + rank;
  }
  return place;
}

/** A chain with a load counts as this many other instructions. */
const LOAD_LENGTH = 30;

/**
 * The positions of a block's instructions if each is placed only when needed, the longest chain first. `before`: the
 * predecessors of each.
 */
function demandRanks(block: readonly Instruction[], before: readonly ReadonlySet<number>[]): Int32Array {
  const chain = new Int32Array(before.length);
  const needed = new Uint8Array(before.length);
  for (const [index, list] of before.entries()) {
    const reads = readsOf(block[index]!);
    for (const earlier of list) {
      needed[earlier] = 1;
      // A register that is only overwritten is not part of the chain.
      if (!block[earlier]!.dst.some((reg) => reads.includes(reg))) continue;
      chain[index] = Math.max(chain[index]!, chain[earlier]! + (block[earlier]!.op === "ld" ? LOAD_LENGTH : 1));
    }
  }
  const ranks = new Int32Array(before.length).fill(-1);
  let next = 0;
  const path: { readonly index: number; readonly needs: readonly number[]; at: number }[] = [];
  const visit = (index: number): void => {
    const needs = [...before[index]!].sort((a, b) => chain[b]! - chain[a]! || a - b);
    path.push({ index, needs, at: 0 });
  };
  const ends = [...chain.keys()].filter((index) => needed[index] === 0).sort((a, b) => chain[b]! - chain[a]! || a - b);
  for (const index of ends) {
    visit(index);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const need = top.needs[top.at++];
      if (need === undefined) {
        path.pop();
        if (ranks[top.index] === -1) ranks[top.index] = next++;
      } else if (ranks[need] === -1) visit(need);
    }
  }
  return ranks;
}

function basicBlocks(instructions: readonly Instruction[]): readonly (readonly Instruction[])[] {
  const starts = new Set(instructions.flatMap(({ target }) => (target === undefined ? [] : [target])));
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
  return blocks;
}

/** Each register once. */
function registersOf(inst: Instruction): readonly Reg[] {
  return [...new Set([...readsOf(inst), ...inst.dst])];
}

function placeBlock(
  block: readonly Instruction[],
  place: Int32Array,
  words: (reg: Reg) => number,
  shared: ReadonlySet<Reg>,
  keepsVolatile: boolean,
): void {
  const before = dependences(block, keepsVolatile);
  const waiting = Int32Array.from(before, ({ size }) => size);
  const after: number[][] = block.map(() => []);
  for (const [index, list] of before.entries()) for (const earlier of list) after[earlier]!.push(index);
  // The remaining accesses to each register in this block; a register that other blocks use stays live.
  const touched = block.map((inst) => registersOf(inst).filter((reg) => !shared.has(reg)));
  const users = new Map<Reg, number[]>();
  for (const [index, regs] of touched.entries()) {
    for (const reg of regs) {
      const list = users.get(reg);
      if (list === undefined) users.set(reg, [index]);
      else list.push(index);
    }
  }
  const left = new Map([...users].map(([reg, { length }]) => [reg, length]));
  const alive = new Set<Reg>();
  const change = (index: number): number => {
    let sum = 0;
    for (const reg of touched[index]!) {
      const here = alive.has(reg);
      const stays = left.get(reg)! > 1;
      if (!here && stays) sum += words(reg);
      else if (here && !stays) sum -= words(reg);
    }
    return sum;
  };
  const cost = Int32Array.from(block, (_, index) => change(index));
  const changed: Reg[] = [];
  const open: number[] = [];
  for (const [index, count] of waiting.entries()) if (count === 0) open.push(index);
  const first = block[0]!.pc;
  for (let placed = 0; placed < block.length; placed++) {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let k = 0; k < open.length; k++) {
      const index = open[k]!;
      if (cost[index]! < least || (cost[index] === least && index < open[best]!)) {
        best = k;
        least = cost[index]!;
      }
    }
    const chosen = open[best]!;
    open.splice(best, 1);
    place[block[chosen]!.pc] = first + placed;
    for (const reg of touched[chosen]!) {
      const remaining = left.get(reg)! - 1;
      const begins = !alive.has(reg);
      left.set(reg, remaining);
      if (remaining > 0) alive.add(reg);
      else alive.delete(reg);
      if (begins || remaining === 1) changed.push(reg);
    }
    for (const reg of changed) for (const index of users.get(reg)!) cost[index] = change(index);
    changed.length = 0;
    for (const index of after[chosen]!) if (--waiting[index]! === 0) open.push(index);
  }
}
