/**
 * Recognizes a word whose bits are shifted, masked and joined in reverse order as one BREV (LLVM's
 * recognizeBSwapOrBitReverseIdiom, `collectBitParts`). A byte swap stays shifts and masks: NVPTX has no instruction
 * for it.
 */

import { isInteger32 } from "../../ssa/integer-types.js";
import { resolve, type Value } from "../../ssa/ssa.js";

const BITS = 32;
/** A bit that is zero. */
const NONE = -1;
/** The depth to which LLVM follows operands (BitPartRecursionMaxDepth). */
const DEPTH = 48;

/** The origin of each bit of a value. */
interface BitParts {
  readonly source: Value;
  readonly from: readonly number[];
}

/** The word of which `a | b` is the bit reversal, or null. */
export function reversed(a: Value, b: Value): Value | null {
  const parts = joined(a, b, new Map(), DEPTH);
  return parts?.from.every((from, bit) => from === BITS - 1 - bit) ? parts.source : null;
}

function joined(a: Value, b: Value, known: Map<Value, BitParts | null>, depth: number): BitParts | null {
  const left = bitParts(a, known, depth - 1);
  const right = left === null ? null : bitParts(b, known, depth - 1);
  if (left === null || right === null || left.source !== right.source) return null;
  if (left.from.some((from, bit) => from !== NONE && right.from[bit] !== NONE && from !== right.from[bit])) return null;
  return { source: left.source, from: left.from.map((from, bit) => (from === NONE ? right.from[bit]! : from)) };
}

function bitParts(value: Value, known: Map<Value, BitParts | null>, depth: number): BitParts | null {
  const seen = known.get(value);
  if (seen !== undefined) return seen;
  const parts = depth > 0 && isInteger32(value.type) ? partsOf(value, known, depth) : null;
  known.set(value, parts);
  return parts;
}

function partsOf(value: Value, known: Map<Value, BitParts | null>, depth: number): BitParts | null {
  const { def } = value;
  const operand = (i: number): Value => resolve(def!.operands[i]!);
  if (def?.op === "or") return joined(operand(0), operand(1), known, depth);
  const constant = def?.operands.length === 2 ? operand(1).constant : null;
  if (typeof constant === "number") {
    const moved = (from: (bit: number, parts: readonly number[]) => number): BitParts | null => {
      const parts = bitParts(operand(0), known, depth - 1);
      return parts && { source: parts.source, from: parts.from.map((_, bit) => from(bit, parts.from)) };
    };
    if (def!.op === "and") return moved((bit, parts) => ((constant >>> bit) & 1 ? parts[bit]! : NONE));
    if (def!.op === "shl") return moved((bit, parts) => parts[bit - constant] ?? NONE);
    if (def!.op === "shr" && def!.type === "u32") return moved((bit, parts) => parts[bit + constant] ?? NONE);
  }
  return { source: value, from: Array.from({ length: BITS }, (_, bit) => bit) };
}
