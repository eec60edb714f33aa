/**
 * Splits a 64-bit index at its loop-invariant term: `in[(size_t)row * width + c]` becomes `(in + (size_t)row *
 * width)[c]`. NVVM's loop strength reduction starts from there (14 loops, nvcc 13.0). 32-bit sums may wrap, so they
 * stay.
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { isPure } from "../../ssa/effects.js";
import { isInteger64 } from "../../ssa/integer-types.js";
import { Inst, type LoopNode, type Region, resolve, type SsaFunction, type Value } from "../../ssa/ssa.js";
import { loopsIn } from "../../ssa/traversal.js";

export function splitRowAddresses(fn: SsaFunction): boolean {
  return loopsIn(fn.body)
    .map((loop) => splitIn(fn, loop))
    .includes(true);
}

function splitIn(fn: SsaFunction, loop: LoopNode): boolean {
  const inside = definedIn(loop);
  const isInvariant = (value: Value): boolean => {
    const now = resolve(value);
    return !inside.has(now) || (now.def !== null && isPure(now.def) && now.def.operands.every(isInvariant));
  };
  let changed = false;
  const visit = (region: Region): void => {
    region.nodes = region.nodes.flatMap((node) => {
      if (node.kind === "if") {
        visit(node.then);
        visit(node.else);
      }
      const start = node.kind === "inst" ? startOf(fn, node, isInvariant) : null;
      changed ||= start !== null;
      return start === null ? [node] : [start, node];
    });
  };
  visit(loop.body);
  visit(loop.latch);
  return changed;
}

/** The address at the invariant term; the access adds the other term to it. */
function startOf(fn: SsaFunction, address: Inst, isInvariant: (value: Value) => boolean): Inst | null {
  if (address.op !== "addr" || address.mods.space !== "global") return null;
  const [base, index] = address.operands.map(resolve) as [Value, Value];
  const sum = index.def;
  if (sum?.op !== "add" || !isInteger64(sum.type) || !isInvariant(base)) return null;
  const [left, right] = sum.operands.map(resolve) as [Value, Value];
  const [fixed, other] = isInvariant(left) ? [left, right] : [right, left];
  if (!isInvariant(fixed) || isInvariant(other)) return null;
  const start = fn.value("addr");
  address.operands = [start, other];
  return new Inst("addr", "addr", [start], [base, fixed], address.mods, address.span, address.source);
}
