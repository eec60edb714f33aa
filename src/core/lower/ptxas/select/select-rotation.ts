/**
 * Two shifts that fill each other's gaps are one funnel shift. It is `x << 7 | y >> 25`, also with ^ and +, and `x
 * << n | x >> 32 - n` or `x >> n | x << (-n & 31)` of one x (14 kernels, nvcc 13.0).
 */

import { type InstructionMatcher, NONE, slot } from "../../analysis/instruction-matcher.js";
import type { IssueSlot } from "../../program.js";
import { isInteger32, isInteger64 } from "../../ssa/integer-types.js";
import { type Inst, resolve, type Value } from "../../ssa/ssa.js";

const ROTATE = slot("SHF.L.W.U32.HI", "alu");
const ROTATE_WIDE: readonly IssueSlot[] = Object.freeze([...ROTATE, ...ROTATE]);
const BITS = 32;

export function joinRotation(m: InstructionMatcher, inst: Inst): boolean {
  const wide = isInteger64(inst.type);
  if (!wide && !isInteger32(inst.type)) return false;
  const [a, b] = inst.operands as [Value, Value];
  for (const [upper, lower] of [
    [a, b],
    [b, a],
  ] as const) {
    const left = m.single(upper, "shl");
    const right = m.single(lower, "shr");
    if (left === null || right === null || right.type !== (wide ? "u64" : "u32")) continue;
    const [x, up] = left.operands.map(resolve) as [Value, Value];
    const [y, down] = right.operands.map(resolve) as [Value, Value];
    const fixed = up.constant !== null && down.constant !== null;
    const filled = fixed ? Number(up.constant) + Number(down.constant) === (wide ? 2 * BITS : BITS) : false;
    if (wide && (x !== y || !filled || Number(up.constant) === BITS)) continue;
    const counting = x === y ? (complement(m, up, down) ?? complement(m, down, up)) : null;
    if (!filled && counting === null) continue;
    for (const part of [left, right, ...(counting ?? [])]) part.slots = NONE;
    inst.slots = wide ? ROTATE_WIDE : ROTATE;
    return true;
  }
  return false;
}

/**
 * The instructions that compute `count` as 32 - other, which the funnel shift does itself; null if it is something
 * else.
 */
function complement(m: InstructionMatcher, count: Value, other: Value): readonly Inst[] | null {
  const { def } = count;
  if (def === null || m.useCount(count) !== 1) return null;
  if (def.op === "and" && resolve(def.operands[1]!).constant === BITS - 1) {
    const inner = complement(m, resolve(def.operands[0]!), other);
    return inner === null ? null : [def, ...inner];
  }
  const [first, second] = def.operands.map(resolve) as [Value, Value | undefined];
  if (def.op === "neg") return first === other ? [def] : null;
  const from = Number(first.constant ?? 1);
  return def.op === "sub" && (from === BITS || from === 0) && second === other ? [def] : null;
}
