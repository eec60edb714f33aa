/**
 * In a loop unrolled by four or more, LLVM's strength reduction lets some of several pointers step from their
 * array's start. Those are uniform, and each pass adds the thread's index (50 loops, nvcc 13.0).
 */
import type { IssueSlot } from "../../program.js";
import type { Value } from "../../ssa/ssa.js";

/**
 * A stepping pointer, in the order in which an iteration reads them: the address it replaces, its start and its
 * step.
 */
export interface SteppingPointer {
  readonly pointer: Value;
  readonly index: Value;
  readonly first: Value;
  readonly stride: Value;
}

const MOVE = { mnemonic: "MOV", pipe: "alu", independent: true } as const;
const SUM = { mnemonic: "IMAD.WIDE", pipe: "imad", independent: true } as const;

/** Overhead of a pass. With a counter of the iterations left, the array's start is in uniform registers. */
export function addedIndices(pointers: number, countsDown: boolean): readonly IssueSlot[] {
  return Array.from({ length: pointers }, () => (countsDown ? [MOVE, MOVE, SUM] : [SUM])).flat();
}

/**
 * The pointers that step by a constant from an index of the thread. The first one is excluded, unless it precedes
 * one with a variable step.
 */
export function uniformPointers(pointers: readonly SteppingPointer[]): readonly SteppingPointer[] {
  const even = pointers.filter(({ first, stride }) => stride.constant !== null && first.constant === null);
  const variable = pointers.findIndex(({ stride }) => stride.constant === null);
  const sharesIndex = even.some((one) => even.some((other) => other !== one && other.index === one.index));
  if (sharesIndex) return even;
  if (variable < 0) return even.slice(1);
  return even.length > 1 || (even.length === 1 && pointers.indexOf(even[0]!) < variable) ? even : [];
}
