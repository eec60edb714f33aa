/**
 * In a counting loop, the address of an element whose index is (counter + shift) * stride + offset, the stride not known
 * when compiling, becomes a pointer that steps (loop strength reduction). So does counter + offset, where the offset is a
 * sum of its own, in loops that are not unrolled.
 */
import type { IssueSlot } from "../program.js";
import { Inst, type LoopNode, type Region, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa.js";
import { Appender, definedIn } from "./counted-loop.js";
import type { UnrolledLoops } from "./unroll-runtime.js";

const ADD_TO_POINTER: readonly IssueSlot[] = Object.freeze([
  { mnemonic: "IADD3", pipe: "alu", independent: false },
  { mnemonic: "IADD3.X", pipe: "alu", independent: false },
]);

export function stepPointers(fn: SsaFunction, unrolled: UnrolledLoops): boolean {
  return visit(fn, fn.body, unrolled);
}

function visit(fn: SsaFunction, region: Region, unrolled: UnrolledLoops): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = visit(fn, node.then, unrolled) || changed;
      changed = visit(fn, node.else, unrolled) || changed;
    } else if (node.kind === "loop") {
      changed = visit(fn, node.body, unrolled) || changed;
      const before = reduce(fn, node, unrolled.has(node));
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

function reduce(fn: SsaFunction, loop: LoopNode, unrolled: boolean): SsaNode[] {
  if (loop.latchParams.length > 0) return [];
  const counters = steppingParams(loop);
  if (counters.length === 0) return [];
  const inside = definedIn(loop);
  const out = new Appender(fn, loop);
  loop.body.nodes = loop.body.nodes.filter((node) => {
    if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global" || node.mods.sourceType !== "i32")
      return true;
    const base = resolve(node.operands[0]!);
    if (inside.has(base)) return true;
    const index = resolve(node.operands[1]!);
    const found = match(index, counters, inside);
    const sum = found === null && !unrolled ? matchSum(index, counters, inside) : null;
    let first: Value;
    let step: Value;
    if (found !== null) {
      const { counter, shift, stride, offset } = found;
      const from = shift === null ? counter.init : out.emit("add", "i32", [counter.init, shift]);
      first = out.emit("mul", "i32", [from, stride]);
      if (offset !== null) first = out.emit("add", "i32", [first, offset]);
      step = out.emit("mul", "i32", [stride, fn.constant("i32", counter.step)]);
    } else if (sum !== null) {
      first = sum.counter.init;
      for (const part of sum.parts) first = out.emit("add", "i32", [first, part]);
      step = fn.constant("i32", sum.counter.step);
    } else return true;
    const start = out.emit("addr", "addr", [base, first], node.mods);
    const param = fn.value("addr");
    param.owner = loop;
    const next = fn.value("addr");
    const advance = new Inst("addr", "addr", [next], [param, step], node.mods, node.span, node.source);
    if (sum !== null) advance.slots = ADD_TO_POINTER;
    loop.latch.nodes.push(advance);
    loop.params.push(param);
    loop.inits.push(start);
    loop.nexts.push(next);
    const [address] = node.results;
    address!.def = null;
    address!.forward = param;
    return false;
  });
  return out.nodes;
}

/** counter + a + b.., the others not computed in the loop. */
function matchSum(
  index: Value,
  counters: readonly Stepping[],
  inside: ReadonlySet<Value>,
): { readonly counter: Stepping; readonly parts: readonly Value[] } | null {
  const parts: Value[] = [];
  const found: Stepping[] = [];
  const split = (value: Value): boolean => {
    const counter = counters.find((item) => item.value === value);
    if (counter !== undefined) found.push(counter);
    else if (!inside.has(value)) parts.push(value);
    else if (value.def?.op === "add" && value.def.type === "i32") {
      return value.def.operands.every((operand) => split(resolve(operand)));
    } else return false;
    return true;
  };
  if (!split(index) || parts.length < 2) return null;
  const [counter] = found;
  return counter === undefined || found.length > 1 ? null : { counter, parts };
}

interface Product {
  readonly counter: Stepping;
  readonly shift: Value | null;
  readonly stride: Value;
}

function match(
  index: Value,
  counters: readonly Stepping[],
  inside: ReadonlySet<Value>,
): (Product & { readonly offset: Value | null }) | null {
  const counterIn = (value: Value): Stepping | undefined => counters.find((item) => item.value === value);
  const product = (value: Value): Product | null => {
    const { def } = value;
    if (def?.op !== "mul") return null;
    for (const [factor, stride] of bothWays(def)) {
      if (inside.has(stride) || stride.constant !== null) continue;
      const counter = counterIn(factor);
      if (counter !== undefined) return { counter, shift: null, stride };
      if (factor.def?.op !== "add") continue;
      for (const [part, shift] of bothWays(factor.def)) {
        const shifted = counterIn(part);
        if (shifted !== undefined && !inside.has(shift)) return { counter: shifted, shift, stride };
      }
    }
    return null;
  };
  const whole = product(index);
  if (whole !== null) return { ...whole, offset: null };
  const { def } = index;
  if (def?.op !== "add") return null;
  for (const [part, offset] of bothWays(def)) {
    const found = product(part);
    if (found !== null && !inside.has(offset)) return { ...found, offset };
  }
  return null;
}

function bothWays(inst: Inst): readonly (readonly [Value, Value])[] {
  const [a, b] = inst.operands.map(resolve) as [Value, Value];
  return [
    [a, b],
    [b, a],
  ];
}
