/** The 32-bit registers and predicates in use while the instructions of a basic block are scheduled. */

import { wordsOf } from "../../lower/emit/register-count.js";
import type { Instruction, Program, Reg } from "../../lower/program.js";
import type { LiveRegisters } from "./live-registers.js";

/** The registers that a program's values need, as ptxas allocates them. */
export interface RegisterNeeds {
  /** 32-bit registers of each value; 0 for values in uniform registers. */
  readonly words: readonly number[];
  /**
   * 1 for each value that guards a load. Other conditions are compared again where they are needed, or packed (P2R).
   */
  readonly predicates: readonly number[];
  /** Values that ptxas fetches again (LDC, S2R) where they are needed instead of keeping them live. */
  readonly fetchedAgain: ReadonlySet<Reg>;
}

/** P0 to P6: ptxas keeps at most seven guarded loads with different conditions outstanding. */
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
  /** The registers that each instruction reads or writes, each once. */
  private readonly touched: readonly (readonly Reg[])[];
  /** How many unscheduled instructions use a register, plus one if it is live at the end of the block. */
  private readonly left = new Map<Reg, number>();
  private readonly alive: Set<Reg>;
  private taken = 0;
  private takenPredicates = 0;
  /** Whether the limit has been exceeded. */
  exceeded = false;

  private readonly words: readonly number[];
  private readonly predicates: readonly number[];

  /** `most`: the number of registers above which the order must save registers. */
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

  /** Whether enough registers are left for instruction `index`, or it needs no more than it frees. */
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
