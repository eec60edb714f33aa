/**
 * Of several pointers that step through the rounds of a loop unrolled by four or more, LLVM's strength reduction has some step
 * from their array's start, where they are uniform, and adds the thread's index in each pass (40 loops, nvcc 13.0).
 */
import type { IssueSlot } from "../program.js";
import type { Value } from "../ssa.js";

/** A pointer of a loop, in the order in which its rounds read them: what it stands for, where it starts, by what it steps. */
export interface SteppingPointer {
  readonly index: Value;
  readonly first: Value;
  readonly stride: Value;
}

const MOVE = { mnemonic: "MOV", pipe: "alu", independent: true } as const;
const ADD_INDEX: readonly IssueSlot[] = Object.freeze([
  MOVE,
  MOVE,
  { mnemonic: "IMAD.WIDE", pipe: "imad", independent: true },
]);

/** What a pass through the loop takes besides. */
export function addedIndices(pointers: readonly SteppingPointer[]): readonly IssueSlot[] {
  return Array.from({ length: countUniform(pointers) }, () => ADD_INDEX).flat();
}

/** Those that step by a constant from an index of the thread; not the first of them, unless it comes before one that steps by a variable. */
function countUniform(pointers: readonly SteppingPointer[]): number {
  const even = pointers.filter(({ first, stride }) => stride.constant !== null && first.constant === null);
  const variable = pointers.findIndex(({ stride }) => stride.constant === null);
  const sharesIndex = even.some((one) => even.some((other) => other !== one && other.index === one.index));
  if (sharesIndex) return even.length;
  if (variable < 0) return Math.max(0, even.length - 1);
  return even.length > 1 || (even.length === 1 && pointers.indexOf(even[0]!) < variable) ? even.length : 0;
}
