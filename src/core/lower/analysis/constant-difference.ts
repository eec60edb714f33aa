/**
 * The constant difference of two values that are sums of one value and constants. Signed sums do not overflow, as in
 * C.
 */
import { resolve, type Value } from "../ssa/ssa.js";

/** factor * root + offset. */
interface Line {
  readonly root: Value;
  readonly factor: number;
  readonly offset: number;
}

export function lineOf(value: Value): Line {
  const now = resolve(value);
  const { def } = now;
  const by =
    def !== null && def.type === "i32" && def.operands.length === 2 ? resolve(def.operands[1]!).constant : null;
  if (typeof by === "number" && (def!.op === "add" || def!.op === "mul" || def!.op === "shl")) {
    const { root, factor, offset } = lineOf(def!.operands[0]!);
    if (def!.op === "add") return { root, factor, offset: offset + (by | 0) };
    const times = def!.op === "mul" ? by | 0 : 2 ** by;
    return { root, factor: factor * times, offset: offset * times };
  }
  return { root: now, factor: 1, offset: 0 };
}

/** b - a where it is a constant, else null. */
export function apart(a: Value, b: Value): number | null {
  const [from, to] = [lineOf(a), lineOf(b)];
  return from.root === to.root && from.factor === to.factor ? to.offset - from.offset : null;
}
