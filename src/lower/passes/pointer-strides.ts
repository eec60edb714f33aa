/**
 * In a counting loop, the address of an element whose index is (counter + shift) * stride + offset, the stride not known
 * when compiling, becomes a pointer that steps (loop strength reduction). So does counter + offset, where the offset is a
 * sum of its own; in unrolled loops and what they leave over, counter + offset as well.
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

/** In a loop that is not unrolled, the index of fewer is at hand, or added along. */
const FEWEST_OFFSETS = 2;

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
  const known = new Map<string, Value>();
  const advances: { readonly advance: Inst; readonly rounds: number }[] = [];
  const step = (node: SsaNode): boolean => {
    if (node.kind === "if") {
      node.then.nodes = node.then.nodes.filter(step);
      node.else.nodes = node.else.nodes.filter(step);
      return true;
    }
    if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global" || node.mods.sourceType !== "i32")
      return true;
    const base = resolve(node.operands[0]!);
    if (inside.has(base)) return true;
    const index = resolve(node.operands[1]!);
    const found = match(index, counters, inside);
    const sum = found === null ? matchSum(index, counters, inside, loop.unroll === 1 ? 0 : FEWEST_OFFSETS) : null;
    let first: Value;
    let stride: Value;
    // Of an unrolled round, each of which has its own element: the pointer goes on from the last.
    let rounds = 1;
    const key = sum === null ? null : placeOf(base, sum, node);
    const same = key === null ? undefined : known.get(key);
    if (same !== undefined) {
      const [twin] = node.results;
      twin!.def = null;
      twin!.forward = same;
      return false;
    }
    if (found !== null) {
      const { counter, shift, stride: factor, offset } = found;
      const from = shift === null ? counter.init : out.emit("add", "i32", [counter.init, shift]);
      first = out.emit("mul", "i32", [from, factor]);
      if (offset !== null) first = out.emit("add", "i32", [first, offset]);
      stride = factor;
      rounds = counter.step;
    } else if (sum !== null) {
      first = sum.counter.init;
      for (const part of sum.parts) first = out.emit("add", "i32", [first, part]);
      stride = fn.constant("i32", sum.counter.step);
    } else return true;
    const start = out.emit("addr", "addr", [base, first], node.mods);
    const param = fn.value("addr");
    param.owner = loop;
    const next = fn.value("addr");
    const advance = new Inst("addr", "addr", [next], [param, stride], node.mods, node.span, node.source);
    advances.push({ advance, rounds });
    loop.latch.nodes.push(advance);
    loop.params.push(param);
    loop.inits.push(start);
    loop.nexts.push(next);
    const [address] = node.results;
    address!.def = null;
    address!.forward = param;
    if (key !== null) known.set(key, param);
    return false;
  };
  loop.body.nodes = loop.body.nodes.filter(step);
  for (const { advance, rounds } of advances) {
    if (rounds === 1) continue;
    const last = rounds > 1 ? elementAt(loop, advance, rounds - 1) : null;
    if (last !== null) advance.operands[0] = last;
    else advance.operands[1] = out.emit("mul", "i32", [advance.operands[1]!, fn.constant("i32", rounds)]);
  }
  return out.nodes;
}

/** The address `strides` of `advance` behind its pointer, if the loop steps there from element to element. */
function elementAt(loop: LoopNode, advance: Inst, strides: number): Value | null {
  let at = resolve(advance.operands[0]!);
  const stride = resolve(advance.operands[1]!);
  for (let i = 0; i < strides; i++) {
    const next = loop.body.nodes.find(
      (node): node is Inst =>
        node.kind === "inst" &&
        node.op === "addr" &&
        node.mods.scale === advance.mods.scale &&
        resolve(node.operands[0]!) === at &&
        resolve(node.operands[1]!) === stride,
    );
    if (next === undefined) return null;
    at = next.results[0]!;
  }
  return at;
}

/** Names what an address steps through: those of one name are one pointer. */
function placeOf(base: Value, { counter, parts }: Sum, { mods }: Inst): string {
  const offsets = parts.map(({ id }) => id).sort((a, b) => a - b);
  return [base.id, counter.value.id, mods.scale, ...offsets].join(" ");
}

interface Sum {
  readonly counter: Stepping;
  readonly parts: readonly Value[];
}

/** counter + a + b.., the others not computed in the loop. */
function matchSum(index: Value, counters: readonly Stepping[], inside: ReadonlySet<Value>, fewest: number): Sum | null {
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
  if (!split(index) || parts.length < fewest) return null;
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
