/**
 * `if (a) if (b) ..`, all there is, is `if (a && b) ..` where b takes a compare and one operation at most (LLVM's SimplifyCFG:
 * FoldBranchToCommonDest; nvcc 13.0: six kernels).
 */

import { isSpeculatable } from "../../ssa/effects.js";
import { type IfNode, Inst, NO_MODIFIERS, type Region, regionsOf, resolve, type SsaFunction } from "../../ssa/ssa.js";

/** Besides the compare. */
const MOST_OPERATIONS = 1;
const FREE: ReadonlySet<string> = new Set(["base", "param", "special", "warpSize"]);

/** True if something changed. */
export function joinTests(fn: SsaFunction): boolean {
  return visit(fn, fn.body);
}

function visit(fn: SsaFunction, region: Region): boolean {
  let changed = false;
  region.nodes = region.nodes.flatMap((node) => {
    for (const inner of regionsOf(node)) changed = visit(fn, inner) || changed;
    const before = node.kind === "if" ? join(fn, node) : null;
    if (before === null) return [node];
    changed = true;
    return [...before, node];
  });
  return changed;
}

/** What both tests are, to stand in front of them. */
function join(fn: SsaFunction, outer: IfNode): readonly Inst[] | null {
  const inner = outer.then.nodes.at(-1);
  if (inner?.kind !== "if" || !isAlone(outer) || !isAlone(inner) || outer.then.end.kind !== "yield") return null;
  const insts = outer.then.nodes.filter((node) => node.kind === "inst");
  const test = resolve(inner.condition).def;
  if (insts.length !== outer.then.nodes.length - 1 || !insts.every(isSpeculatable)) return null;
  if (test?.op !== "setp" || !insts.includes(test)) return null;
  if (insts.filter(({ op }) => !FREE.has(op)).length > 1 + MOST_OPERATIONS) return null;
  const both = fn.value("bool");
  const operands = [resolve(outer.condition), resolve(inner.condition)];
  insts.push(new Inst("pand", "bool", [both], operands, NO_MODIFIERS, test.span, test.source));
  outer.condition = both;
  outer.then = inner.then;
  return insts;
}

function isAlone({ else: otherwise, results, arm }: IfNode): boolean {
  return otherwise.nodes.length === 0 && otherwise.end.kind === "yield" && results.length === 0 && arm === undefined;
}
