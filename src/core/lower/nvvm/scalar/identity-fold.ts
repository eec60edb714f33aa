/** Values that differ from an earlier one by an operation with an identity operand: `if (c) x += y`. */
import { isFloat, type Scalar } from "../../../ir/types.js";
import { isInteger32 } from "../../ssa/integer-types.js";
import { type Inst, type Region, resolve, type Value } from "../../ssa/ssa.js";

export interface IdentityFold {
  readonly inst: Inst;
  readonly kept: Value;
  readonly added: Value;
  readonly identity: number;
}

/** The right operand that leaves the left one unchanged. */
const IDENTITY: ReadonlyMap<string, number> = new Map([
  ["add", 0],
  ["sub", 0],
  ["or", 0],
  ["xor", 0],
  ["shl", 0],
  ["shr", 0],
  ["mul", 1],
]);

/** Matches `value` = `before` op y, computed in `side`. */
export function identityFold(value: Value, before: Value, side: Region): IdentityFold | null {
  const { def } = value;
  const identity = def === null ? undefined : IDENTITY.get(def.op);
  if (def === null || identity === undefined || isFloat(def.type as Scalar) || !side.nodes.includes(def)) return null;
  const [left, right] = def.operands.map(resolve) as [Value, Value];
  if ((def.op === "shl" || def.op === "shr") && def.type !== "i32" && def.type !== "u32") return null;
  const commutes = def.op !== "sub" && def.op !== "shl" && def.op !== "shr";
  const added = left === before ? right : commutes && right === before ? left : null;
  if (added === null) return null;
  if (added.constant !== null && (identity !== 0 || Math.abs(Number(added.constant) | 0) !== 1)) return null;
  return { inst: def, kept: before, added, identity };
}

/** Matches `value` = min or max of `before` and another 32-bit integer, computed in `side`. */
export function boundFold(
  value: Value,
  before: Value,
  side: Region,
): { readonly inst: Inst; readonly kept: Value; readonly other: Value } | null {
  const { def } = value;
  if (def === null || (def.op !== "min" && def.op !== "max") || !isInteger32(def.type) || !side.nodes.includes(def))
    return null;
  const [left, right] = def.operands.map(resolve) as [Value, Value];
  const other = left === before ? right : right === before ? left : null;
  return other === null ? null : { inst: def, kept: before, other };
}
