/**
 * Loop strength reduction of innermost counted loops. An affine index (affine-steps.ts) becomes a stepping pointer
 * if it cannot overflow, else an induction variable. So does counter + offset where the offset is a sum, and in
 * unrolled loops and their remainders any counter + offset.
 */

import { type AffineStep, AffineSteps, isSumOf } from "../../analysis/affine-steps.js";
import { Appender, countedLoop, definedIn } from "../../analysis/counted-loop.js";
import { isSame, polynomialOf, scaled } from "../../analysis/polynomial.js";
import { overheadAt } from "../../machine/overhead.js";
import type { IssueSlot } from "../../program.js";
import { isConvergent } from "../../ssa/effects.js";
import { breaksOut } from "../../ssa/loop-jumps.js";
import {
  holdsLoop,
  Inst,
  type LoopNode,
  type Modifiers,
  regionsOf,
  replace,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { removeInstructions, rewriteLoops } from "../../ssa/traversal.js";
import type { UnrolledLoops } from "./loop-runtime-unroll.js";
import { HALVES, wideStepOf } from "./straight-line-strength-reduction.js";
import { addedIndices, type SteppingPointer, uniformPointers } from "./uniform-pointers.js";

export function stepPointers(fn: SsaFunction, made: UnrolledLoops): boolean {
  return rewriteLoops(fn.body, (loop, { nested }) => {
    const params = loop.params.length;
    const front = reduce(fn, loop, made, nested);
    return { nodes: [...front, loop], changed: loop.params.length > params };
  });
}

/** The least unroll factor with which pointers step from their arrays' starts. */
const FEWEST_COPIES = 4;

/** In a loop that is not unrolled, NVVM keeps the sum of a counter and fewer offsets. */
const FEWEST_OFFSETS = 2;

const SUM: IssueSlot = Object.freeze({ mnemonic: "IADD3", pipe: "alu", independent: true });

/**
 * Where the loop tests its own counter, the pointer points at the middle of an unrolled iteration. Several pointers
 * are sums of one product at that offset (a two-word constant) and their arrays' starts.
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

function reduce(fn: SsaFunction, loop: LoopNode, made: UnrolledLoops, nested: boolean): readonly SsaNode[] {
  // LLVM's strength reduction skips outer loops.
  if (loop.latchParams.length > 0 || holdsLoop(loop)) return [];
  const counters = steppingParams(loop);
  const down = countdownOf(loop);
  if (counters.length === 0 && down === null) return [];
  return new Reduction(fn, loop, made, nested, counters, down).run();
}

/** Strength reduction of one loop. */
class Reduction {
  private readonly fn: SsaFunction;
  private readonly loop: LoopNode;
  private readonly made: UnrolledLoops;
  private readonly nested: boolean;
  private readonly counters: readonly Stepping[];
  /** The step of the counter of iterations left, or null where the loop tests its own counter. */
  private readonly down: number | null;
  private readonly inside: Set<Value>;
  private readonly preheader: Appender;
  private readonly steps: AffineSteps;
  /** 64-bit indices step, too: the remainder of an unrolled loop keeps its 64-bit product in each iteration. */
  private readonly stepsWide: boolean;
  private readonly known = new Map<string, Value>();
  private readonly steppedIndices = new Set<Inst>();
  private readonly advances: Inst[] = [];
  private readonly stepping: SteppingPointer[] = [];
  /**
   * Every iteration executes the current node: only then does its access prove to NVVM that the index does not
   * overflow.
   */
  private certain = true;
  private stepsIndex = false;
  private widened = false;
  /** Indices that NVVM keeps at the last element of an iteration, from which it computes the first. */
  private backs = 0;
  private centered = 0;

  constructor(
    fn: SsaFunction,
    loop: LoopNode,
    made: UnrolledLoops,
    nested: boolean,
    counters: readonly Stepping[],
    down: number | null,
  ) {
    this.fn = fn;
    this.loop = loop;
    this.made = made;
    this.nested = nested;
    this.counters = counters;
    this.down = down;
    this.stepsWide = !breaksOut(loop) && (down === null ? countedLoop(loop) !== null : down > 1);
    this.inside = definedIn(loop);
    this.preheader = new Appender(fn, loop);
    this.steps = new AffineSteps(fn, loop, this.preheader, { unrolled: (down ?? 1) > 1, within: false });
  }

  run(): readonly SsaNode[] {
    const { loop } = this;
    loop.body.nodes = loop.body.nodes.filter((node) => this.keep(node));
    removeInstructions(loop.body, this.steppedIndices);
    for (const advance of this.advances) goOnFromLast(loop, advance);
    this.countOverhead();
    // NVVM then counts with the counter itself up to its final value: ptxas does not see the iterations left.
    if (this.stepsIndex && this.down !== null && this.counters.some(({ step }) => step === this.down))
      this.made.delete(loop);
    // A widened counter of the remainder loop is tested by its lower word, which ptxas does not count.
    if (this.widened && this.down === null) this.made.delete(loop);
    return this.preheader.nodes;
  }

  private countOverhead(): void {
    const { loop, made, down, backs } = this;
    const unrolled = made.get(loop);
    const copies = unrolled?.rounds ?? 1;
    const added = (down ?? copies) >= FEWEST_COPIES ? uniformPointers(this.stepping) : [];
    if (unrolled !== undefined && unrolled.counted !== null && copies >= FEWEST_COPIES)
      this.preheader.nodes.push(overheadAt(loop, towardsMiddle(this.centered)));
    if (added.length > 0) loop.body.nodes.unshift(overheadAt(loop, addedIndices(added.length, down !== null)));
    if (unrolled !== undefined) made.set(loop, { ...unrolled, uniform: added.map(({ pointer }) => pointer) });
    if (backs === 0) return;
    const sums = Array.from({ length: backs }, () => SUM);
    loop.body.nodes.unshift(overheadAt(loop, sums));
  }

  /** Makes `first` a parameter that `advance` steps. */
  private carry(first: Value, advance: Inst): Value {
    const { loop } = this;
    const param = this.fn.value(first.type);
    param.owner = loop;
    this.inside.add(param);
    this.steps.enter(param);
    advance.operands[0] = param;
    loop.latch.nodes.push(advance);
    loop.params.push(param);
    loop.inits.push(first);
    loop.nexts.push(advance.results[0]!);
    return param;
  }

  private makePointer(node: Inst, first: Value, stride: Value): Value {
    const start = this.preheader.emit("addr", "addr", [resolve(node.operands[0]!), first], node.mods);
    const advance = this.advanceOf(node, start, stride, node.mods);
    const param = this.carry(start, advance);
    this.advances.push(advance);
    const index = resolve(node.operands[1]!);
    if (this.loop.params.includes(index)) this.centered++;
    else if (this.certain)
      this.stepping.push({ pointer: param, index, first: resolve(first), stride: resolve(stride) });
    become(node, param);
    return param;
  }

  private advanceOf({ span, source }: Inst, start: Value, by: Value, mods: Modifiers): Inst {
    return new Inst("addr", "addr", [this.fn.value("addr")], [start, by], mods, span, source);
  }

  private stepWide(node: Inst, index: Value): boolean {
    const { fn, loop } = this;
    const wideStep = wideStepOf(index, this.counters, (value) => this.steps.isInvariant(value));
    if (wideStep === null) return false;
    this.widened = true;
    const { factor, times, rounds } = wideStep;
    const { scale = 1 } = node.mods;
    const start = this.preheader.emit("addr", "addr", [resolve(node.operands[0]!), this.steps.first(index)], node.mods);
    const by = factor === null ? fn.constant("i32", times * rounds) : this.steps.first(factor.value);
    const mods: Modifiers = {
      ...node.mods,
      scale: factor === null ? scale : scale * times,
      sourceType: factor?.type ?? "i32",
    };
    const advance = this.advanceOf(node, start, by, mods);
    become(node, this.carry(start, advance));
    if (factor !== null) {
      const last = lastOf(loop, advance, rounds);
      if (last === null) advance.mods = { ...mods, scale: scale * times * rounds };
      else advance.operands = [last, by];
      if (!this.nested && this.made.has(loop)) advance.slots = HALVES;
    }
    return true;
  }

  /** False where a stepping pointer replaces the node. */
  private keep(node: SsaNode): boolean {
    if (node.kind !== "inst" || isConvergent(node)) this.certain = false;
    if (node.kind === "if") {
      for (const side of regionsOf(node)) side.nodes = side.nodes.filter((child) => this.keep(child));
      return true;
    }
    if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global") return true;
    const { sourceType } = node.mods;
    if (this.inside.has(resolve(node.operands[0]!))) return true;
    const index = resolve(node.operands[1]!);
    if (sourceType === "i64" || sourceType === "u64") return !(this.stepsWide && this.stepWide(node, index));
    if (sourceType !== "i32" && sourceType !== "u32") return true;
    const affine = this.steps.of(index);
    if (affine !== null && isReduced(this.loop, index, affine)) return this.keepAffine(node, index, affine);
    return sourceType !== "i32" || this.keepSum(node, index);
  }

  private keepAffine(node: Inst, index: Value, affine: AffineStep): boolean {
    const { fn, loop } = this;
    const signed = node.mods.sourceType === "i32";
    if (affine.variable && this.down === null) return true;
    if (affine.exact && this.certain && signed) {
      const stride = affine.step;
      this.makePointer(node, this.steps.first(index), typeof stride === "number" ? fn.constant("i32", stride) : stride);
      return false;
    }
    if (loop.params.includes(index)) return true;
    if (!affine.variable && !isMultiple(loop, index)) {
      this.stepsIndex = true;
      const fromZero = this.counters.every(({ step, init }) => step < 0 || init.constant === 0);
      if (fromZero && signed) this.backs++;
    }
    const { type } = index;
    const by = typeof affine.step === "number" ? fn.constant(type, affine.step) : affine.step;
    const advance = new Inst("add", type, [fn.value(type)], [index, by], {}, node.span, node.source);
    const param = this.carry(this.steps.first(index), advance);
    this.steppedIndices.add(index.def!);
    replace(index, param);
    return true;
  }

  private keepSum(node: Inst, index: Value): boolean {
    const { fn, loop } = this;
    const sum = matchSum(index, this.counters, this.inside, loop.unroll === 1 ? 0 : FEWEST_OFFSETS);
    if (sum === null) return true;
    const key = placeOf(resolve(node.operands[0]!), sum, node);
    const same = this.known.get(key);
    if (same !== undefined) {
      become(node, same);
      return false;
    }
    let first = sum.counter.init;
    for (const part of sum.parts) first = this.preheader.emit("add", "i32", [first, part]);
    this.known.set(key, this.makePointer(node, first, fn.constant("i32", sum.counter.step)));
    return false;
  }
}

/** `value` takes the place of the address that `node` computes. */
function become({ results: [address] }: Inst, value: Value): void {
  address!.def = null;
  address!.forward = value;
}

/** The index needs a product in each iteration, or has a step known only at run time. */
function isReduced(loop: LoopNode, index: Value, { step }: AffineStep): boolean {
  if (typeof step !== "number") return true;
  return countdownOf(loop) !== null && !isSumOf(loop.params, index);
}

/** An induction variable times a constant, and nothing else. */
function isMultiple(loop: LoopNode, index: Value): boolean {
  const { def } = resolve(index);
  if (def?.op !== "mul" && def?.op !== "shl") return false;
  return loop.params.includes(resolve(def.operands[0]!)) && resolve(def.operands[1]!).constant !== null;
}

/** The pointer of an unrolled loop steps from its last element, where each copy has its own element. */
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

/**
 * The address of the last of `rounds` elements, each of which follows from the one before by the step of `advance`.
 * Null if there is no such chain.
 */
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

/** The iterations per pass of a loop that counts down the iterations left; null for other loops. */
function countdownOf(loop: LoopNode): number | null {
  const test = loop.condition === null ? null : resolve(loop.condition).def;
  if (test?.op !== "setp" || test.mods.compare !== "ne" || Number(resolve(test.operands[1]!).constant ?? 1) !== 0)
    return null;
  const left = resolve(test.operands[0]!).def;
  if (left?.op !== "add" || !loop.params.includes(resolve(left.operands[0]!))) return null;
  const by = Number(resolve(left.operands[1]!).constant ?? 0) | 0;
  return by < 0 ? -by : null;
}

/** A key of the stepping address: addresses with the same key share one pointer. */
function placeOf(base: Value, { counter, parts }: Sum, { mods }: Inst): string {
  const offsets = parts.map(({ id }) => id).sort((a, b) => a - b);
  return [base.id, counter.value.id, mods.scale, ...offsets].join(" ");
}

interface Sum {
  readonly counter: Stepping;
  readonly parts: readonly Value[];
}

/** counter + a + b.., with loop-invariant a and b. */
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
