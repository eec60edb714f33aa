/**
 * Atomic operations: the new value in memory. Source: CUDA C++ Programming Guide, "Atomic Functions".
 * inc: old >= operand ? 0 : old + 1. dec: old == 0 or old > operand ? operand : old - 1. min and max of floats: fmin, fmax.
 * Float add rounds to nearest even; on global memory float32 add takes subnormals for 0 (PTX ISA, atom).
 */
import type { AtomicOp } from "../../ir/ir.js";
import type { Scalar } from "../../ir/types.js";
import { maxFloat, minFloat } from "./float32.js";
import { max64, min64 } from "./integer64.js";

/** `operand` is the desired value for cas, whose expected value is `expected`. */
export type AtomicUpdate<T> = (old: T, operand: T, expected: T) => T;

/** For i32 u32 f32 f64. Integer results may lie outside the type: storing them wraps. */
export function atomicNumber(op: AtomicOp, type: Scalar, flushSubnormals: boolean): AtomicUpdate<number> {
  switch (op) {
    case "add":
      return type === "f32" && flushSubnormals ? addFlushed : (old, operand) => old + operand;
    case "sub":
      return (old, operand) => old - operand;
    case "min":
      return minFloat;
    case "max":
      return maxFloat;
    case "and":
      return (old, operand) => old & operand;
    case "or":
      return (old, operand) => old | operand;
    case "xor":
      return (old, operand) => old ^ operand;
    case "exch":
      return (_old, operand) => operand;
    case "cas":
      return (old, operand, expected) => (old === expected ? operand : old);
    case "inc":
      return (old, operand) => (old >= operand ? 0 : old + 1);
    case "dec":
      return (old, operand) => (old === 0 || old > operand ? operand : old - 1);
  }
}

/** For i64 and u64. */
export function atomicBig(op: AtomicOp): AtomicUpdate<bigint> {
  switch (op) {
    case "add":
      return (old, operand) => old + operand;
    case "sub":
      return (old, operand) => old - operand;
    case "min":
      return min64;
    case "max":
      return max64;
    case "and":
      return (old, operand) => old & operand;
    case "or":
      return (old, operand) => old | operand;
    case "xor":
      return (old, operand) => old ^ operand;
    case "exch":
      return (_old, operand) => operand;
    case "cas":
      return (old, operand, expected) => (old === expected ? operand : old);
    case "inc":
      return (old, operand) => (old >= operand ? 0n : old + 1n);
    case "dec":
      return (old, operand) => (old === 0n || old > operand ? operand : old - 1n);
  }
}

const SMALLEST_NORMAL_F32 = 2 ** -126;

/** Subnormal operands and results become a zero of their sign. */
function addFlushed(old: number, operand: number): number {
  return flush(Math.fround(flush(old) + flush(operand)));
}
function flush(a: number): number {
  return Math.abs(a) < SMALLEST_NORMAL_F32 ? a * 0 : a;
}
