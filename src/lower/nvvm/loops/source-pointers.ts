/**
 * A pointer of the text that a round moves on by what only a run knows (`p += columns`): where NVVM unrolls the loop, what is
 * added is widened once for all of the loop's versions, in front of them, and each step is a sum of 64 bits (IADD3, IADD3.X), no
 * IMAD.WIDE. Where the rounds at once come first, the pointer that the rounds left over start from is stepped beside, by all of
 * them at once; loops of fewer than sixteen move the pointer to the registers that accesses read (nvcc 13.0: 16 loops). Indices that
 * step so are others: loop-strength-reduction.ts.
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { ADD, ADD_HIGH, SHIFT, SHIFT_HIGH, SIGN } from "../../machine/address-slots.js";
import type { IssueSlot } from "../../program.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { type Inst, type LoopNode, resolve, type Value } from "../../ssa/ssa.js";

const SUM: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);
const MOVE: IssueSlot = Object.freeze({ mnemonic: "MOV", pipe: "alu", independent: true });
const MOVES: readonly IssueSlot[] = Object.freeze([MOVE, MOVE]);
/** Steps of a round beyond which the pointers stay where they are. */
const MANY_STEPS = 16;

/** Marks the steps of such pointers in a loop that is about to be copied. */
export function widenSteps(loop: LoopNode): void {
  const inside = definedIn(loop);
  loop.params.forEach((param, i) => {
    for (const step of stepsOf(param, loop.nexts[i]!) ?? []) {
      const by = resolve(step.operands[1]!);
      if (by.constant === null && isKept(by, inside) && (step.mods.scale ?? 1) > 1) step.slots = SUM;
    }
  });
}

/** No round changes it, wherever it stands. */
function isKept(value: Value, inside: ReadonlySet<Value>): boolean {
  const now = resolve(value);
  if (!inside.has(now)) return true;
  return now.def !== null && isSpeculatable(now.def) && now.def.operands.every((operand) => isKept(operand, inside));
}

/** What stands in front of a loop with such pointers, and in its rounds besides their steps. */
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

/** The sums that make a pointer's next value of it, the last first; null where it is made otherwise. */
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
