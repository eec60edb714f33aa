/**
 * In a counting loop that has none inside, the index of an element that steps evenly (affine-steps.ts) becomes a pointer
 * that steps, if it is known not to overflow, else a counter of its own (loop strength reduction). So does counter + offset,
 * where the offset is a sum of its own; in unrolled loops and what they leave over, counter + offset as well.
 */

import { type AffineStep, AffineSteps, isSumOf } from "../../analysis/affine-steps.js";
import { Appender, countedLoop, definedIn } from "../../analysis/counted-loop.js";
import { isSame, polynomialOf, scaled } from "../../analysis/polynomial.js";
import { overheadAt } from "../../machine/overhead.js";
import type { IssueSlot } from "../../program.js";
import { isConvergent, someNode } from "../../ssa/effects.js";
import { breaksOut } from "../../ssa/loop-jumps.js";
import {
  Inst,
  type LoopNode,
  type Modifiers,
  type Region,
  replace,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import type { UnrolledLoops } from "./loop-runtime-unroll.js";
import { HALVES, wideStepOf } from "./straight-line-strength-reduction.js";
import { addedIndices, type SteppingPointer, uniformPointers } from "./uniform-pointers.js";

export function stepPointers(fn: SsaFunction, made: UnrolledLoops): boolean {
  return visit(fn, fn.body, made, false);
}

function visit(fn: SsaFunction, region: Region, made: UnrolledLoops, nested: boolean): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = visit(fn, node.then, made, nested) || changed;
      changed = visit(fn, node.else, made, nested) || changed;
    } else if (node.kind === "loop") {
      changed = visit(fn, node.body, made, true) || changed;
      const params = node.params.length;
      const before = reduce(fn, node, made, nested);
      changed = changed || node.params.length > params;
      nodes.push(...before);
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

/** Rounds at once in which pointers step from their arrays' starts. */
const FEWEST_COPIES = 4;

/** In a loop that is not unrolled, the index of fewer is at hand, or added along. */
const FEWEST_OFFSETS = 2;

const SUM: IssueSlot = Object.freeze({ mnemonic: "IADD3", pipe: "alu", independent: true });

/**
 * Where the loop tests its own counter, a pointer of that index stands in the middle of the rounds done at once: several are sums of one product, which
 * begins at that offset (a constant of two words), and their arrays' starts.
 */
function towardsMiddle(pointers: number): readonly IssueSlot[] {
  if (pointers < 2) return Array.from({ length: pointers }, () => [SUM, SUM]).flat();
  return Array.from({ length: pointers + 3 }, () => SUM);
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

function reduce(fn: SsaFunction, loop: LoopNode, made: UnrolledLoops, nested: boolean): SsaNode[] {
  // LLVM's strength reduction leaves outer loops alone.
  if (loop.latchParams.length > 0 || someNode(loop.body, ({ kind }) => kind === "loop")) return [];
  const counters = steppingParams(loop);
  const down = countdownOf(loop);
  if (counters.length === 0 && down === null) return [];
  const inside = definedIn(loop);
  const out = new Appender(fn, loop);
  const steps = new AffineSteps(fn, loop, out, { unrolled: (down ?? 1) > 1, within: false });
  const known = new Map<string, Value>();
  const stepped = new Set<Inst>();
  const pointers: Inst[] = [];
  const stepping: SteppingPointer[] = [];
  // NVVM takes from an access that an index does not overflow only where each round makes it.
  let certain = true;
  let steppedIndex = false;
  let widened = false;
  // NVVM lets such an index stand at the last of a round's elements, from which the first is computed.
  const fromZero = counters.every(({ step: by, init }) => by < 0 || init.constant === 0);
  let backs = 0;
  let centered = 0;
  /** Makes a parameter of `first` in front of the loop, which `advance` moves on. */
  const carry = (first: Value, advance: Inst): Value => {
    const param = fn.value(first.type);
    param.owner = loop;
    inside.add(param);
    steps.enter(param);
    advance.operands[0] = param;
    loop.latch.nodes.push(advance);
    loop.params.push(param);
    loop.inits.push(first);
    loop.nexts.push(advance.results[0]!);
    return param;
  };
  const pointer = (node: Inst, first: Value, stride: Value): Value => {
    const start = out.emit("addr", "addr", [resolve(node.operands[0]!), first], node.mods);
    const advance = new Inst("addr", "addr", [fn.value("addr")], [start, stride], node.mods, node.span, node.source);
    const param = carry(start, advance);
    pointers.push(advance);
    const index = resolve(node.operands[1]!);
    if (loop.params.includes(index)) centered++;
    else if (certain) stepping.push({ pointer: param, index, first: resolve(first), stride: resolve(stride) });
    const [address] = node.results;
    address!.def = null;
    address!.forward = param;
    return param;
  };
  // What is left over of an unrolled loop has its product of 64 bits in each round.
  const counts = !breaksOut(loop) && (down === null ? countedLoop(loop) !== null : down > 1);
  const wide = (node: Inst, index: Value): boolean => {
    const wideStep = wideStepOf(index, counters, (value) => steps.isInvariant(value));
    if (wideStep === null) return false;
    widened = true;
    const { factor, times, rounds } = wideStep;
    const { scale = 1 } = node.mods;
    const start = out.emit("addr", "addr", [resolve(node.operands[0]!), steps.first(index)], node.mods);
    const by = factor === null ? fn.constant("i32", times * rounds) : steps.first(factor.value);
    const mods: Modifiers = {
      ...node.mods,
      scale: factor === null ? scale : scale * times,
      sourceType: factor?.type ?? "i32",
    };
    const advance = new Inst("addr", "addr", [fn.value("addr")], [start, by], mods, node.span, node.source);
    const param = carry(start, advance);
    const [address] = node.results;
    address!.def = null;
    address!.forward = param;
    if (factor !== null) {
      const last = lastOf(loop, advance, rounds);
      if (last === null) advance.mods = { ...mods, scale: scale * times * rounds };
      else advance.operands = [last, by];
      if (!nested && made.has(loop)) advance.slots = HALVES;
    }
    return true;
  };
  const step = (node: SsaNode): boolean => {
    if (node.kind !== "inst" || isConvergent(node)) certain = false;
    if (node.kind === "if") {
      node.then.nodes = node.then.nodes.filter(step);
      node.else.nodes = node.else.nodes.filter(step);
      return true;
    }
    if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global") return true;
    const { sourceType } = node.mods;
    const base = resolve(node.operands[0]!);
    if (inside.has(base)) return true;
    const index = resolve(node.operands[1]!);
    if (sourceType === "i64" || sourceType === "u64") return !(counts && wide(node, index));
    if (sourceType !== "i32" && sourceType !== "u32") return true;
    const affine = steps.of(index);
    if (affine !== null && isReduced(loop, index, affine)) {
      if (affine.variable && down === null) return true;
      if (affine.exact && certain && sourceType === "i32") {
        const stride = affine.step;
        pointer(node, steps.first(index), typeof stride === "number" ? fn.constant("i32", stride) : stride);
        return false;
      }
      if (loop.params.includes(index)) return true;
      if (!affine.variable && !isMultiple(loop, index)) {
        steppedIndex = true;
        if (fromZero && sourceType === "i32") backs++;
      }
      const { type } = index;
      const by = typeof affine.step === "number" ? fn.constant(type, affine.step) : affine.step;
      const advance = new Inst("add", type, [fn.value(type)], [index, by], {}, node.span, node.source);
      const param = carry(steps.first(index), advance);
      // All that reads the index reads the parameter.
      stepped.add(index.def!);
      replace(index, param);
      return true;
    }
    const sum = sourceType === "i32" ? matchSum(index, counters, inside, loop.unroll === 1 ? 0 : FEWEST_OFFSETS) : null;
    if (sum === null) return true;
    const key = placeOf(base, sum, node);
    const same = known.get(key);
    if (same !== undefined) {
      const [twin] = node.results;
      twin!.def = null;
      twin!.forward = same;
      return false;
    }
    let first = sum.counter.init;
    for (const part of sum.parts) first = out.emit("add", "i32", [first, part]);
    known.set(key, pointer(node, first, fn.constant("i32", sum.counter.step)));
    return false;
  };
  loop.body.nodes = loop.body.nodes.filter(step);
  remove(loop.body, stepped);
  for (const advance of pointers) goOnFromLast(loop, advance);
  const unrolled = made.get(loop);
  const added = (down ?? unrolled?.rounds ?? 1) >= FEWEST_COPIES ? uniformPointers(stepping) : [];
  if (unrolled !== undefined && unrolled.counted !== null && unrolled.rounds >= FEWEST_COPIES)
    out.nodes.push(overheadAt(loop, towardsMiddle(centered)));
  if (added.length > 0) loop.body.nodes.unshift(overheadAt(loop, addedIndices(added.length, down !== null)));
  if (unrolled !== undefined) made.set(loop, { ...unrolled, uniform: added.map(({ pointer: param }) => param) });
  if (backs > 0)
    loop.body.nodes.unshift(
      overheadAt(
        loop,
        Array.from({ length: backs }, () => SUM),
      ),
    );
  // NVVM counts by the counter itself then, up to where the rounds end: ptxas does not see how many are left.
  if (steppedIndex && down !== null && counters.some(({ step: by }) => by === down)) made.delete(loop);
  // A counter that NVVM has widened for what is left over is tested by its lower word, which ptxas does not count.
  if (widened && down === null) made.delete(loop);
  return out.nodes;
}

function remove(region: Region, gone: ReadonlySet<Inst>): void {
  if (gone.size === 0) return;
  region.nodes = region.nodes.filter((node) => node.kind !== "inst" || !gone.has(node));
  for (const node of region.nodes) {
    if (node.kind !== "if") continue;
    remove(node.then, gone);
    remove(node.else, gone);
  }
}

/** Whether the index takes a product in each round, or steps by what only a run knows. */
function isReduced(loop: LoopNode, index: Value, { step }: AffineStep): boolean {
  if (typeof step !== "number") return true;
  return countdownOf(loop) !== null && !isSumOf(loop.params, index);
}

/** A counter by a constant, and nothing beside it. */
function isMultiple(loop: LoopNode, index: Value): boolean {
  const { def } = resolve(index);
  if (def?.op !== "mul" && def?.op !== "shl") return false;
  return loop.params.includes(resolve(def.operands[0]!)) && resolve(def.operands[1]!).constant !== null;
}

/** A pointer of an unrolled loop, each round of which has its own element, goes on from the last. */
function goOnFromLast(loop: LoopNode, advance: Inst): void {
  const [start, whole] = advance.operands.map(resolve) as [Value, Value];
  const total = polynomialOf(whole);
  const follows = (at: Value, stride: Value | null): Inst | undefined =>
    loop.body.nodes.find(
      (node): node is Inst =>
        node.kind === "inst" &&
        node.op === "addr" &&
        node.mods.scale === advance.mods.scale &&
        node.mods.sourceType === "i32" &&
        resolve(node.operands[0]!) === at &&
        (stride === null || resolve(node.operands[1]!) === stride),
    );
  const stride = follows(start, null)?.operands[1];
  if (stride === undefined) return;
  const one = polynomialOf(stride);
  let last = start;
  for (let links = 0; ; links++) {
    if (links > 0 && isSame(scaled(one, links + 1), total)) {
      advance.operands = [last, resolve(stride)];
      return;
    }
    const next = follows(last, resolve(stride));
    if (next === undefined) return;
    last = next.results[0]!;
  }
}

/** The address of the last of `rounds` elements, each of which goes on from the one before by what `advance` adds; null where they do not. */
function lastOf(loop: LoopNode, advance: Inst, rounds: number): Value | null {
  let [at, by] = advance.operands.map(resolve) as [Value, Value];
  for (let links = 1; links < rounds; links++) {
    const next = loop.body.nodes.find(
      (node): node is Inst =>
        node.kind === "inst" &&
        node.op === "addr" &&
        resolve(node.operands[0]!) === at &&
        resolve(node.operands[1]!) === by &&
        node.mods.scale === advance.mods.scale,
    );
    if (next === undefined) return null;
    at = next.results[0]!;
  }
  return at;
}

/** How many rounds a loop that counts the rounds left does at once; null for others. */
function countdownOf(loop: LoopNode): number | null {
  const test = loop.condition === null ? null : resolve(loop.condition).def;
  if (test?.op !== "setp" || test.mods.compare !== "ne" || Number(resolve(test.operands[1]!).constant ?? 1) !== 0)
    return null;
  const left = resolve(test.operands[0]!).def;
  if (left?.op !== "add" || !loop.params.includes(resolve(left.operands[0]!))) return null;
  const by = Number(resolve(left.operands[1]!).constant ?? 0) | 0;
  return by < 0 ? -by : null;
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
  if (!split(index) || parts.reduce((sum, part) => sum + termsOf(part), 0) < fewest) return null;
  const [counter] = found;
  return counter === undefined || found.length > 1 ? null : { counter, parts };
}

function termsOf(value: Value): number {
  const { def } = resolve(value);
  if (def?.op !== "add" || def.type !== "i32") return 1;
  return def.operands.reduce((sum, operand) => sum + termsOf(operand), 0);
}
