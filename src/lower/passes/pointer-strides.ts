/**
 * In a counting loop, the address of an element whose index is counter * stride + offset, the stride not known when
 * compiling, becomes a pointer that steps (loop strength reduction).
 */
import { Inst, type LoopNode, type Region, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa.js";
import { Appender, definedIn } from "./counted-loop.js";

export function stepPointers(fn: SsaFunction): boolean {
  return visit(fn, fn.body);
}

function visit(fn: SsaFunction, region: Region): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = visit(fn, node.then) || changed;
      changed = visit(fn, node.else) || changed;
    } else if (node.kind === "loop") {
      changed = visit(fn, node.body) || changed;
      const before = reduce(fn, node);
      changed = changed || before.length > 0;
      nodes.push(...before);
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

interface Stepping {
  readonly value: Value;
  readonly step: number;
  readonly init: Value;
}

/** Parameters that step by a constant. */
function steppingParams(loop: LoopNode): readonly Stepping[] {
  const result: Stepping[] = [];
  loop.params.forEach((param, i) => {
    const { def } = resolve(loop.nexts[i]!);
    if (def?.op !== "add" || resolve(def.operands[0]!) !== param) return;
    const step = resolve(def.operands[1]!).constant;
    if (typeof step === "number") result.push({ value: param, step: step | 0, init: resolve(loop.inits[i]!) });
  });
  return result;
}

function reduce(fn: SsaFunction, loop: LoopNode): SsaNode[] {
  if (loop.latchParams.length > 0) return [];
  const counters = steppingParams(loop);
  if (counters.length === 0) return [];
  const inside = definedIn(loop);
  const out = new Appender(fn, loop);
  loop.body.nodes = loop.body.nodes.map((node) => {
    if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global" || node.mods.sourceType !== "i32")
      return node;
    const base = resolve(node.operands[0]!);
    if (inside.has(base)) return node;
    const found = match(resolve(node.operands[1]!), counters, inside);
    if (found === null) return node;
    const { counter, stride, offset } = found;
    let index = out.emit("mul", "i32", [counter.init, stride]);
    if (offset !== null) index = out.emit("add", "i32", [index, offset]);
    const start = out.emit("addr", "addr", [base, index], node.mods);
    const step = out.emit("mul", "i32", [stride, fn.constant("i32", counter.step)]);
    const param = fn.value("addr");
    param.owner = loop;
    const next = fn.value("addr");
    loop.latch.nodes.push(new Inst("addr", "addr", [next], [param, step], node.mods, node.span, node.source));
    loop.params.push(param);
    loop.inits.push(start);
    loop.nexts.push(next);
    node.results[0]!.forward = param;
    return node;
  });
  return out.nodes;
}

function match(
  index: Value,
  counters: readonly Stepping[],
  inside: ReadonlySet<Value>,
): { readonly counter: Stepping; readonly stride: Value; readonly offset: Value | null } | null {
  const product = (value: Value): { readonly counter: Stepping; readonly stride: Value } | null => {
    const { def } = value;
    if (def?.op !== "mul") return null;
    const [a, b] = def.operands.map(resolve) as [Value, Value];
    for (const [factor, stride] of [
      [a, b],
      [b, a],
    ] as const) {
      const counter = counters.find((item) => item.value === factor);
      if (counter !== undefined && !inside.has(stride) && stride.constant === null) return { counter, stride };
    }
    return null;
  };
  const whole = product(index);
  if (whole !== null) return { ...whole, offset: null };
  const { def } = index;
  if (def?.op !== "add") return null;
  const [a, b] = def.operands.map(resolve) as [Value, Value];
  for (const [part, offset] of [
    [a, b],
    [b, a],
  ] as const) {
    const found = product(part);
    if (found !== null && !inside.has(offset)) return { ...found, offset };
  }
  return null;
}
