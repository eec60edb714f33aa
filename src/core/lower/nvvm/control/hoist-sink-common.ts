/**
 * Hoists the instructions with which both sides of an `if` begin, and sinks a store with which both end (LLVM's
 * SimplifyCFG: HoistThenElseCodeToIf and SinkCommonCode).
 */

import { isPure, isSpeculatable } from "../../ssa/effects.js";
import {
  type IfNode,
  Inst,
  isJump,
  type Region,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
} from "../../ssa/ssa.js";
import { pureKey } from "../../ssa/value-key.js";

/** True if something moved. */
export function mergeSides(fn: SsaFunction): boolean {
  return visit(fn, fn.body, true);
}

/** `tail`: the kernel ends after the region. A store there stays in its side, which exits by itself. */
function visit(fn: SsaFunction, region: Region, tail: boolean): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    const last = tail && node === region.nodes.at(-1) && region.end.kind === "yield";
    if (node.kind === "loop") {
      changed = visit(fn, node.body, false) || changed;
      changed = visit(fn, node.latch, false) || changed;
      nodes.push(node);
    } else if (node.kind === "if") {
      changed = visit(fn, node.then, last) || changed;
      changed = visit(fn, node.else, last) || changed;
      const before = commonStart(node);
      const after = last ? [] : commonEnd(fn, node);
      changed = changed || before.length + after.length > 0;
      nodes.push(...before, node, ...after);
    } else nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

function key(inst: Inst): string | null {
  if (inst.op !== "ld" || inst.mods.volatile === true) return null;
  return `ld ${inst.mods.narrow ?? inst.type} ${inst.results.length} ${resolve(inst.operands[0]!).id} ${inst.mods.offset ?? 0}`;
}

/** Hoists the pure instructions with which both sides begin; free ones (leaves) are skipped. */
function commonComputations(node: IfNode): SsaNode[] {
  const before: SsaNode[] = [];
  for (;;) {
    const [a, b] = [node.then, node.else].map(({ nodes }) =>
      nodes.find((child) => child.kind !== "inst" || !LEAVES.has(child.op)),
    );
    if (a?.kind !== "inst" || b?.kind !== "inst" || !isSpeculatable(a) || !isSpeculatable(b)) return before;
    if (pureKey(a) !== pureKey(b)) return before;
    replaceEach(b.results, (i) => a.results[i]!);
    before.push(a);
    node.then.nodes = node.then.nodes.filter((child) => child !== a);
    node.else.nodes = node.else.nodes.filter((child) => child !== b);
  }
}

const LEAVES: ReadonlySet<string> = new Set(["base", "param", "special", "warpSize"]);

function commonStart(node: IfNode): SsaNode[] {
  const before = commonComputations(node);
  for (;;) {
    const a = firstEffect(node.then);
    const b = firstEffect(node.else);
    if (a === null || b === null) return before;
    const same = key(a);
    if (same === null || same !== key(b)) return before;
    replaceEach(b.results, (i) => a.results[i]!);
    before.push(a);
    node.then.nodes = node.then.nodes.filter((child) => child !== a);
    node.else.nodes = node.else.nodes.filter((child) => child !== b);
  }
}

/** The first instruction that is not pure (hoist-common.ts hoists pure ones). */
function firstEffect(region: Region): Inst | null {
  const first = region.nodes.find((node) => node.kind !== "inst" || !isPure(node));
  return first?.kind === "inst" ? first : null;
}

function commonEnd(fn: SsaFunction, node: IfNode): SsaNode[] {
  if (isJump(node.then.end) || isJump(node.else.end)) return [];
  const after: SsaNode[] = [];
  for (;;) {
    const a = node.then.nodes.at(-1);
    const b = node.else.nodes.at(-1);
    if (a?.kind !== "inst" || b?.kind !== "inst" || a.op !== "st" || b.op !== "st") return after;
    const alike =
      a.type === b.type &&
      a.mods.narrow === b.mods.narrow &&
      a.operands.length === b.operands.length &&
      resolve(a.operands[0]!) === resolve(b.operands[0]!) &&
      (a.mods.offset ?? 0) === (b.mods.offset ?? 0) &&
      a.mods.volatile === b.mods.volatile;
    if (!alike) return after;
    const values = a.operands.slice(1).map((value, i) => {
      const left = resolve(value);
      const right = resolve(b.operands[i + 1]!);
      if (left === right) return left;
      const result = fn.value(left.type, left.name);
      result.owner = node;
      node.results.push(result);
      node.then.end.values.push(left);
      node.else.end.values.push(right);
      return result;
    });
    after.unshift(new Inst("st", a.type, [], [a.operands[0]!, ...values], a.mods, a.span, a.source));
    node.then.nodes.pop();
    node.else.nodes.pop();
  }
}
