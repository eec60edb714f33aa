/**
 * An expression of a loop's parameters that the loop has just computed of their next values is carried into the next round
 * (NVVM's partial redundancy elimination, which puts the first one in front of the loop): the squares of
 * `while (x * x + y * y < 4) { z = x * x - y * y + c; .. }` are computed once a round.
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { continues } from "../../ssa/loop-jumps.js";
import { Inst, type LoopNode, type Region, replace, resolve, type SsaFunction, type Value } from "../../ssa/ssa.js";
import { pureKey } from "../../ssa/value-key.js";

/** Starts of arrays and parameters cost nothing, and NVVM compares again. */
const STAY: ReadonlySet<string> = new Set([
  "base",
  "param",
  "special",
  "warpSize",
  "setp",
  "pand",
  "por",
  "pnot",
  "selp",
  "addr",
]);

/** True if something is carried. */
export function carryExpressions(fn: SsaFunction): boolean {
  return carryIn(fn, fn.body);
}

function carryIn(fn: SsaFunction, region: Region): boolean {
  let changed = false;
  for (let i = 0; i < region.nodes.length; i++) {
    const node = region.nodes[i]!;
    if (node.kind === "if") {
      changed = carryIn(fn, node.then) || changed;
      changed = carryIn(fn, node.else) || changed;
    } else if (node.kind === "loop") {
      changed = carryIn(fn, node.body) || changed;
      const first = carried(fn, node);
      region.nodes.splice(i, 0, ...first);
      i += first.length;
      changed = first.length > 0 || changed;
    }
  }
  return changed;
}

/** Makes parameters of what can be carried around the loop; gives the expressions of the first values. */
function carried(fn: SsaFunction, loop: LoopNode): readonly Inst[] {
  if (loop.body.end.kind !== "yield" || continues(loop)) return [];
  const known = new Map<string, { readonly value: Value; readonly inBody: boolean }>();
  for (const [region, inBody] of [
    [loop.body, true],
    [loop.latch, false],
  ] as const) {
    for (const node of region.nodes) {
      if (node.kind === "inst" && movable(node)) known.set(pureKey(node), { value: node.results[0]!, inBody });
    }
  }
  const within = definedIn(loop);
  const first: Inst[] = [];
  for (const inst of [...loop.body.nodes]) {
    if (inst.kind !== "inst" || !movable(inst)) continue;
    const operands = inst.operands.map(resolve);
    const places = operands.map((operand) => loop.params.indexOf(operand));
    if (places.every((place) => place < 0) || operands.some((operand, k) => places[k]! < 0 && within.has(operand)))
      continue;
    const translate = (values: readonly Value[]): Inst => {
      const moved = operands.map((operand, k) => (places[k]! < 0 ? operand : resolve(values[places[k]!]!)));
      return new Inst(inst.op, inst.type, [fn.value(inst.results[0]!.type)], moved, inst.mods, inst.span, inst.source);
    };
    // The next values as the body knows them, and as the latch does.
    const inLatch = loop.nexts.map(resolve);
    const inBody = inLatch.map((value) => {
      const at = loop.latchParams.indexOf(value);
      return at < 0 ? value : resolve(loop.body.end.values[at]!);
    });
    const latest = known.get(pureKey(translate(inLatch))) ?? known.get(pureKey(translate(inBody)));
    if (latest === undefined || latest.value === inst.results[0]) continue;
    const start = translate(loop.inits);
    const param = fn.value(inst.results[0]!.type);
    let next = latest.value;
    if (latest.inBody) {
      next = fn.value(param.type);
      loop.latchParams.push(next);
      loop.body.end.values.push(latest.value);
    }
    loop.params.push(param);
    loop.inits.push(start.results[0]!);
    loop.nexts.push(next);
    first.push(start);
    loop.body.nodes.splice(loop.body.nodes.indexOf(inst), 1);
    known.delete(pureKey(inst));
    replace(inst.results[0]!, param);
  }
  return first;
}

function movable(inst: Inst): boolean {
  return inst.results.length === 1 && !STAY.has(inst.op) && isSpeculatable(inst);
}
