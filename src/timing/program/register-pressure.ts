/** How many 32-bit registers and how many predicates are taken while the instructions of a basic block are put in order. */

import { wordsOf } from "../../lower/emit/register-count.js";
import type { Instruction, Program, Reg } from "../../lower/program.js";
import type { LiveRegisters } from "./live-registers.js";

/** What a program's values take, as ptxas places them. */
export interface RegisterNeeds {
  /** 32-bit registers of each value; none for those that the uniform datapath holds. */
  readonly words: readonly number[];
  /** 1 for each condition of a load: others, ptxas compares where they are needed, or packs (P2R). */
  readonly predicates: readonly number[];
  /** Values that are fetched again (LDC, S2R) where they are needed, rather than kept where they are not. */
  readonly fetchedAgain: ReadonlySet<Reg>;
}

/** P0 to P6. Of 8 to 16 guarded loads with a condition each, of the same sum, ptxas has seven under way, of 7 seven. */
const PREDICATES = 7;

export function registerNeeds(program: Program): RegisterNeeds {
  const made = new Int32Array(program.registers.length);
  const fetched = new Set<Reg>();
  const guards = new Set<Reg>();
  for (const instruction of program.instructions) {
    const { op, dst, issue, guard } = instruction;
    if (op === "ld" && guard !== null) guards.add(guard.reg);
    const fetches = guard === null && issue.every(({ pipe }) => pipe === "constant" || pipe === "special");
    for (const reg of dst) {
      made[reg] = made[reg]! + 1;
      if (fetches && op !== "ld") fetched.add(reg);
    }
  }
  return {
    words: wordsOf(program),
    predicates: program.registers.map((_, reg) => (guards.has(reg) ? 1 : 0)),
    fetchedAgain: new Set([...fetched].filter((reg) => made[reg] === 1)),
  };
}

export class RegisterPressure {
  /** Registers that each instruction touches, each once. */
  private readonly touched: readonly (readonly Reg[])[];
  /** How many of those still to be placed touch a register; one more where it is read behind the block. */
  private readonly left = new Map<Reg, number>();
  private readonly alive: Set<Reg>;
  private taken = 0;
  private takenPredicates = 0;
  /** Whether more than the most have been taken. */
  exceeded = false;

  private readonly words: readonly number[];
  private readonly predicates: readonly number[];

  /** `most`: registers before what comes next is chosen to keep few. */
  constructor(
    block: readonly Instruction[],
    { words, predicates, fetchedAgain }: RegisterNeeds,
    live: LiveRegisters,
    private readonly most: number,
  ) {
    this.words = words;
    this.predicates = predicates;
    this.touched = block.map(({ src, dst, guard }) => [
      ...new Set([
        ...dst,
        ...src.flatMap((source) => (source.kind === "reg" ? [source.reg] : [])),
        ...(guard === null ? [] : [guard.reg]),
      ]),
    ]);
    for (const regs of this.touched) for (const reg of regs) this.left.set(reg, (this.left.get(reg) ?? 0) + 1);
    this.alive = new Set(live.before);
    for (const reg of this.alive) {
      if (this.left.has(reg) || !fetchedAgain.has(reg)) this.taken += words[reg]!;
      if (this.left.has(reg)) this.takenPredicates += predicates[reg]!;
    }
    for (const reg of live.behind) this.left.set(reg, (this.left.get(reg) ?? 0) + 1);
  }

  /** Whether there are registers for instruction `index`, or it takes no more than it frees. */
  fits(index: number): boolean {
    const change = this.change(index, this.words);
    if (change > 0 && this.taken + change > this.most) return false;
    const predicates = this.change(index, this.predicates);
    return predicates <= 0 || this.takenPredicates + predicates <= PREDICATES;
  }

  place(index: number): void {
    this.taken += this.change(index, this.words);
    this.takenPredicates += this.change(index, this.predicates);
    if (this.taken > this.most || this.takenPredicates > PREDICATES) this.exceeded = true;
    for (const reg of this.touched[index]!) {
      const remaining = this.left.get(reg)! - 1;
      this.left.set(reg, remaining);
      if (remaining > 0) this.alive.add(reg);
      else this.alive.delete(reg);
    }
  }

  private change(index: number, words: readonly number[]): number {
    let sum = 0;
    for (const reg of this.touched[index]!) {
      const stays = this.left.get(reg)! > 1;
      if (stays !== this.alive.has(reg)) sum += stays ? words[reg]! : -words[reg]!;
    }
    return sum;
  }
}
