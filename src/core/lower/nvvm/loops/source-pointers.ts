/**
 * Pointers of the source with a variable step (`p += columns`). Where NVVM unrolls the loop, it widens the step once
 * in the preheader, and each step is a 64-bit sum (IADD3, IADD3.X). If the unrolled loop comes first, it also steps
 * the pointer of the remainder loop, once per pass. Loops of fewer than sixteen steps move the pointer to the
 * registers that accesses read (16 loops, nvcc 13.0). Indices that step this way are in loop-strength-reduction.ts.
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { ADD, ADD_HIGH, SHIFT, SHIFT_HIGH, SIGN } from "../../machine/address-slots.js";
import type { IssueSlot } from "../../program.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { type Inst, type LoopNode, resolve, type Value } from "../../ssa/ssa.js";

const SUM: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);
const MOVE: IssueSlot = Object.freeze({ mnemonic: "MOV", pipe: "alu", independent: true });
const MOVES: readonly IssueSlot[] = Object.freeze([MOVE, MOVE]);
/** With more steps per iteration the pointers stay in their registers. */
const MANY_STEPS = 16;

/** Marks the steps of such pointers in a loop that is about to be unrolled. */
export function widenSteps(loop: LoopNode): void {
  const inside = definedIn(loop);
  loop.params.forEach((param, i) => {
    for (const step of stepsOf(param, loop.nexts[i]!) ?? []) {
      const by = resolve(step.operands[1]!);
      if (by.constant === null && isKept(by, inside) && (step.mods.scale ?? 1) > 1) step.slots = SUM;
    }
  });
}

/** Loop-invariant, wherever it is defined. */
function isKept(value: Value, inside: ReadonlySet<Value>): boolean {
  const now = resolve(value);
  if (!inside.has(now)) return true;
  return now.def !== null && isSpeculatable(now.def) && now.def.operands.every((operand) => isKept(operand, inside));
}

/** Overhead of such pointers in the preheader, and in each iteration besides the steps. */
export function stepOverhead(loop: LoopNode, countsDown: boolean): { front: IssueSlot[]; round: IssueSlot[] } {
  const front: IssueSlot[] = [];
  const round: IssueSlot[] = [];
  loop.params.forEach((param, i) => {
    const steps = stepsOf(param, loop.nexts[i]!);
    if (steps === null || !steps.every(({ slots }) => slots === SUM)) return;
    const first = countsDown && steps.length > 1;
    front.push(...(first ? [SIGN, SHIFT_HIGH, SHIFT, SHIFT_HIGH] : [SHIFT_HIGH]));
    round.push(...(first ? SUM : []), ...(steps.length < MANY_STEPS ? MOVES : []));
  });
  return { front, round };
}

/** The chain of sums from a pointer to its next value, last first; null if there is another operation. */
function stepsOf(param: Value, next: Value): readonly Inst[] | null {
  if (param.type !== "addr") return null;
  const steps: Inst[] = [];
  for (let value = resolve(next); value !== param; ) {
    const { def } = value;
    if (def?.op !== "addr" || def.mods.space !== "global") return null;
    steps.push(def);
    value = resolve(def.operands[0]!);
  }
  return steps.length > 0 ? steps : null;
}
