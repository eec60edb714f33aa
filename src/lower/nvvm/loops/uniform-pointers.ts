/**
 * Of several pointers that step through the rounds of a loop unrolled by four or more, LLVM's strength reduction has some step
 * from their array's start, where they are uniform, and adds the thread's index in each pass (50 loops, nvcc 13.0).
 */
import type { IssueSlot } from "../../program.js";
import type { Value } from "../../ssa/ssa.js";

/** A pointer of a loop, in the order in which its rounds read them: what it stands for, where it starts, by what it steps. */
export interface SteppingPointer {
  readonly pointer: Value;
  readonly index: Value;
  readonly first: Value;
  readonly stride: Value;
}

const MOVE = { mnemonic: "MOV", pipe: "alu", independent: true } as const;
const SUM = { mnemonic: "IMAD.WIDE", pipe: "imad", independent: true } as const;

/** What a pass through the loop takes besides; from a counter of the rounds left the array's start is in uniform registers. */
export function addedIndices(pointers: number, countsDown: boolean): readonly IssueSlot[] {
  return Array.from({ length: pointers }, () => (countsDown ? [MOVE, MOVE, SUM] : [SUM])).flat();
}

/** Those that step by a constant from an index of the thread; not the first of them, unless it comes before one that steps by a variable. */
export function uniformPointers(pointers: readonly SteppingPointer[]): readonly SteppingPointer[] {
  const even = pointers.filter(({ first, stride }) => stride.constant !== null && first.constant === null);
  const variable = pointers.findIndex(({ stride }) => stride.constant === null);
  const sharesIndex = even.some((one) => even.some((other) => other !== one && other.index === one.index));
  if (sharesIndex) return even;
  if (variable < 0) return even.slice(1);
  return even.length > 1 || (even.length === 1 && pointers.indexOf(even[0]!) < variable) ? even : [];
}
