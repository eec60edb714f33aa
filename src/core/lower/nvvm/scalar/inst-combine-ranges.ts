/**
 * Two compares of one integer with constants, joined by `and` or `or`, become one if they accept a single range. 0
 * <= x && x < 26 is x < 26 unsigned; 3 <= x && x < 10 is x - 3 < 7. After LLVM's foldAndOrOfICmpsUsingRanges.
 */
import type { CompareOp } from "../../../ir/ir.js";
import type { Maker } from "../../ssa/inst-builder.js";
import { isInteger32 } from "../../ssa/integer-types.js";
import { type Inst, resolve, type Value } from "../../ssa/ssa.js";

const WORDS = 2 ** 32;
const MOST_NEGATIVE = 2 ** 31;

/** `count` unsigned words upwards from `from`, with wraparound. */
interface WordRange {
  readonly from: number;
  readonly count: number;
}

interface RangeTest {
  readonly value: Value;
  readonly range: WordRange;
}

export function joinedRanges(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const first = rangeOf(a);
  const second = rangeOf(b);
  if (first === null || second === null || first.value !== second.value) return null;
  const joined =
    inst.op === "pand"
      ? intersection(first.range, second.range)
      : outside(intersection(outside(first.range), outside(second.range)));
  return joined === null ? null : testOf(first.value, joined, maker);
}

function rangeOf(condition: Value): RangeTest | null {
  const { def } = condition;
  if (def?.op !== "setp" || def.operands.length > 2) return null;
  const source = def.mods.sourceType ?? "i32";
  const bound = resolve(def.operands[1]!).constant;
  if (!isInteger32(source) || typeof bound !== "number") return null;
  return {
    value: resolve(def.operands[0]!),
    range: rangeThat(def.mods.compare!, bound >>> 0, source === "u32" ? 0 : MOST_NEGATIVE),
  };
}

/** The words that satisfy the compare with `bound`; the order begins at `least`. */
function rangeThat(compare: CompareOp, bound: number, least: number): WordRange {
  const below = (bound - least + WORDS) % WORDS;
  switch (compare) {
    case "lt":
      return { from: least, count: below };
    case "le":
      return { from: least, count: below + 1 };
    case "gt":
      return { from: (bound + 1) % WORDS, count: WORDS - below - 1 };
    case "ge":
      return { from: bound, count: WORDS - below };
    case "eq":
      return { from: bound, count: 1 };
    case "ne":
      return { from: (bound + 1) % WORDS, count: WORDS - 1 };
  }
}

function outside<R extends WordRange | null>(range: R): R;
function outside(range: WordRange | null): WordRange | null {
  return range === null ? null : { from: (range.from + range.count) % WORDS, count: WORDS - range.count };
}

/** The intersection, if it is a single range. */
function intersection(a: WordRange, b: WordRange): WordRange | null {
  if (a.count === 0 || b.count === 0) return { from: 0, count: 0 };
  // Relative to the first range's start, the second one may wrap around.
  const start = (b.from - a.from + WORDS) % WORDS;
  const around = Math.max(0, start + b.count - WORDS);
  const upper = Math.max(0, Math.min(a.count, start + b.count) - start);
  const lower = Math.min(a.count, around);
  if (upper > 0 && lower > 0) {
    return lower === start && upper + lower === a.count ? a : null;
  }
  if (upper > 0) return { from: b.from, count: upper };
  return { from: a.from, count: lower };
}

/** As LLVM's ConstantRange::getEquivalentICmp does. */
function testOf(value: Value, { from, count }: WordRange, maker: Maker): Value {
  if (count === 0 || count === WORDS) return maker.constant("bool", count === 0 ? 0 : 1);
  const end = (from + count) % WORDS;
  const test = (sourceType: "i32" | "u32", compare: CompareOp, left: Value, bound: number): Value =>
    maker.make("setp", "bool", [left, maker.constant(sourceType, bound)], { compare, sourceType });
  if (count === 1) return test("u32", "eq", value, from);
  if (count === WORDS - 1) return test("u32", "ne", value, end);
  if (from === MOST_NEGATIVE) return test("i32", "lt", value, end);
  if (from === 0) return test("u32", "lt", value, end);
  if (end === MOST_NEGATIVE) return test("i32", "ge", value, from);
  if (end === 0) return test("u32", "ge", value, from);
  // The same sum may exist already, with a signed constant.
  return test("u32", "lt", maker.make("add", "u32", [value, maker.constant("i32", -from)]), count);
}
