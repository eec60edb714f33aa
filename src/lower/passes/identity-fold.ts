/** Values that differ from an earlier one by an operation that a 0 would undo: `if (c) x += y`. */
import { isFloat, type Scalar } from "../../ir/types.js";
import { type Inst, type Region, resolve, type Value } from "../ssa.js";

export interface IdentityFold {
  readonly inst: Inst;
  readonly kept: Value;
  readonly added: Value;
}

const HAS_IDENTITY: ReadonlySet<string> = new Set(["add", "sub", "or", "xor", "shl", "shr"]);

/** `value` = `before` op y, made in `side`, with an op of which 0 on the right changes nothing. */
export function identityFold(value: Value, before: Value, side: Region): IdentityFold | null {
  const { def } = value;
  if (def === null || !HAS_IDENTITY.has(def.op) || isFloat(def.type as Scalar) || !side.nodes.includes(def))
    return null;
  const [left, right] = def.operands.map(resolve) as [Value, Value];
  if ((def.op === "shl" || def.op === "shr") && def.type !== "i32" && def.type !== "u32") return null;
  const commutes = def.op !== "sub" && def.op !== "shl" && def.op !== "shr";
  const added = left === before ? right : commutes && right === before ? left : null;
  if (added === null) return null;
  if (added.constant !== null && Math.abs(Number(added.constant) | 0) !== 1) return null;
  return { inst: def, kept: before, added };
}
