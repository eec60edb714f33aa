/**
 * `c ? s[i] : s[j]` is one load of the place that c chooses: where both sides of an `if` do nothing but load a value, the load stands
 * behind it (LLVM's SimplifyCFG sinks common code; nvcc 13.0, 11 kernels). Of one array the index is chosen.
 */

import { isSpeculatable } from "../../ssa/effects.js";
import {
  type IfNode,
  Inst,
  isJump,
  type Modifiers,
  NO_MODIFIERS,
  type Region,
  regionsOf,
  replace,
  resolve,
  type SsaFunction,
  type SsaNode,
  type SsaOp,
  type Value,
} from "../../ssa/ssa.js";

export function mergeLoads(fn: SsaFunction): boolean {
  return visit(fn, fn.body);
}

function visit(fn: SsaFunction, region: Region): boolean {
  let changed = false;
  region.nodes = region.nodes.flatMap((node): SsaNode[] => {
    for (const inner of regionsOf(node)) changed = visit(fn, inner) || changed;
    const after = node.kind === "if" ? merged(fn, node) : null;
    changed ||= after !== null;
    return after ?? [node];
  });
  return changed;
}

/** What stands in place of the `if` then. */
function merged(fn: SsaFunction, node: IfNode): Inst[] | null {
  const a = onlyLoad(node.then);
  const b = onlyLoad(node.else);
  if (a === null || b === null || node.results.length !== 1 || a.type !== b.type) return null;
  const { space, volatile } = a.mods;
  if (b.mods.space !== space || volatile === true || b.mods.volatile === true) return null;
  const [left, right] = [a, b].map((load) => resolve(load.operands[0]!).def);
  if (left?.op !== "addr" || right?.op !== "addr" || resolve(left.operands[0]!) !== resolve(right.operands[0]!))
    return null;
  const alike = left.mods.scale === right.mods.scale && left.mods.sourceType === right.mods.sourceType;
  if (!alike || (a.mods.offset ?? 0) !== (b.mods.offset ?? 0)) return null;
  const [result] = node.results as [Value];
  const after = [...node.then.nodes, ...node.else.nodes].filter((each): each is Inst => each !== a && each !== b);
  const make = (op: SsaOp, value: Value, operands: Value[], mods: Modifiers): Value => {
    after.push(new Inst(op, value.type, [value], operands, mods, a.span, a.source));
    return value;
  };
  const [then, otherwise] = [left, right].map((address) => resolve(address.operands[1]!)) as [Value, Value];
  const index = make("selp", fn.value(then.type), [then, otherwise, node.condition], NO_MODIFIERS);
  const address = make("addr", fn.value("addr"), [resolve(left.operands[0]!), index], left.mods);
  replace(result, make("ld", fn.value(result.type, result.name), [address], a.mods));
  return after;
}

/** The load that gives a side's value and is all that it does. */
function onlyLoad(side: Region): Inst | null {
  const last = side.nodes.at(-1);
  if (isJump(side.end) || last?.kind !== "inst" || last.op !== "ld" || last.results.length !== 1) return null;
  if (resolve(side.end.values[0]!) !== last.results[0]) return null;
  return side.nodes.every((each) => each === last || (each.kind === "inst" && isSpeculatable(each))) ? last : null;
}
