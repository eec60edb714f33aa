/**
 * A place in a loop that a sum of 64 bits names, `in[(size_t)row * width + c]`, lies at c from where the term leads that no round
 * changes: NVVM's strength reduction of loops starts there, as from `(in + (size_t)row * width)[c]` (nvcc 13.0, 14 loops).
 * Sums of 32 bits may wrap, and stay.
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { isPure } from "../../ssa/effects.js";
import { isInteger64 } from "../../ssa/integer-types.js";
import { Inst, type LoopNode, type Region, resolve, type SsaFunction, type Value, walk } from "../../ssa/ssa.js";

export function splitRowAddresses(fn: SsaFunction): boolean {
  let changed = false;
  walk(fn.body, (node) => {
    if (node.kind === "loop") changed = splitIn(fn, node) || changed;
  });
  return changed;
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

/** Where the invariant term leads; the address goes on from there by the other one. */
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
