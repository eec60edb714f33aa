/**
 * ptxas unrolls a short loop by four, even one that NVVM has unrolled. Four passes run together while enough are
 * left, then two, then one. Loops written in PTX show its conditions (nvcc 13.0). They limit the body's size
 * (ptx-size.ts), its contents where lanes may diverge, and how the trip count is known. ptxas's bookkeeping counts
 * as overhead: the first test of the passes left, and two moves of a flag.
 */

import { pointerOf } from "../analysis/address.js";
import { Appender, type CountedLoop, definedIn } from "../analysis/counted-loop.js";
import { Divergence } from "../analysis/divergence.js";
import { overheadAt } from "../machine/overhead.js";
import { isSelect } from "../nvvm/control/if-to-select.js";
import { guardCopies, type LoopState, resultBefore } from "../nvvm/loops/loop-copies.js";
import { isInPlace, type UnrolledLoop, type UnrolledLoops } from "../nvvm/loops/loop-runtime-unroll.js";
import type { IssueSlot } from "../program.js";
import { Cloner, type Substitution } from "../ssa/clone.js";
import { isConvergent, someNode } from "../ssa/effects.js";
import {
  countUses,
  emptyRegion,
  type Inst,
  type LoopNode,
  regionsOf,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";
import { rewriteLoops, walkInstructions } from "../ssa/traversal.js";
import { ptxSize } from "./ptx-size.js";

/**
 * Size limits of a body in PTX instructions (ptx-size.ts): the base, more for each shared load, with other loads,
 * and the maximum.
 */
const MOST = 18;
const FOR_SHARED_LOAD = 5;
const MOST_WITH_LOADS = 46;
const MOST_AT_ALL = 96;
const FACTOR = 4;

const CONTROL: ReadonlySet<string> = new Set(["BRA", "BSSY", "BREAK", "WARPSYNC.ALL"]);

function overhead(...mnemonics: readonly string[]): readonly IssueSlot[] {
  return Object.freeze(
    mnemonics.map(
      (mnemonic) => ({ mnemonic, pipe: CONTROL.has(mnemonic) ? "cbu" : "alu", independent: true }) as const,
    ),
  );
}

const ENTRY = overhead("ISETP.GT.AND", "BRA", "PLOP3.LUT");
/** If lanes leave the loop in different iterations: one more reconvergence point, left by BREAK. */
const ENTRY_APART = overhead("ISETP.GT.AND", "BRA", "PLOP3.LUT", "BSSY", "BREAK", "WARPSYNC.ALL");
const FLAG = overhead("PLOP3.LUT");
const ENTRY_UNSIGNED = FLAG;
const STEP = overhead("IADD3");
const STEP_POINTER = overhead("IADD3", "IADD3.X");

export function unrollAgain(fn: SsaFunction, made: UnrolledLoops): boolean {
  if (made.size === 0) return false;
  const divergence = new Divergence(fn);
  const uses = countUses(fn);
  return rewriteLoops(fn.body, (loop) => {
    const unrolled = made.get(loop);
    if (unrolled === undefined || !isRepeated(loop, unrolled, divergence, uses))
      return { nodes: [loop], changed: false };
    const nodes = new Repetition(fn, loop, unrolled, made).run(divergence.leavesApart(loop));
    return { nodes, changed: true };
  });
}

function isRepeated(loop: LoopNode, unrolled: UnrolledLoop, divergence: Divergence, uses: Int32Array): boolean {
  return (
    loop.params.includes(unrolled.counter) &&
    isShort(loop, unrolled, uses) &&
    (unrolled.counted !== null || !countsBySum(loop)) &&
    comparable(unrolled) &&
    !branchesWithBarrier(loop) &&
    keepsTogether(loop, unrolled, divergence)
  );
}

function isShort(loop: LoopNode, { rounds, counted }: UnrolledLoop, uses: Int32Array): boolean {
  // NVVM steps the counter of a loop that it does not unroll before its branches: ptxas does not unroll it either.
  if (rounds === 1 && counted?.type !== "u32" && loop.body.nodes.some(({ kind }) => kind === "if")) return false;
  const size = ptxSize(loop, uses);
  if (size === null) return false;
  const { instructions, sharedLoads, loads } = size;
  const most = Math.max(MOST + FOR_SHARED_LOAD * sharedLoads, loads > 0 ? MOST_WITH_LOADS : 0);
  return instructions <= Math.min(most, MOST_AT_ALL);
}

/** An unsigned counter may wrap: its distance from the bound gives the iterations left. */
function mayWrap({ counted }: UnrolledLoop): boolean {
  return counted?.type === "u32" && (counted.compare === "lt" || counted.compare === "le");
}

/** The loop's own test gives the iterations left, with the bound moved or as the distance from it. */
function comparable(loop: UnrolledLoop): boolean {
  const { counted } = loop;
  if (counted === null || mayWrap(loop)) return true;
  const { compare, type, step } = counted;
  if (compare === "ne" || compare === "eq" || step.constant === null) return false;
  return type === "i32" || type === "i64" || Number(step.constant) < 0;
}

/**
 * Where lanes may have different trip counts, the body must have no exchange between lanes and no atomic. It must
 * have no store and load of the same memory, except through a stepping pointer. A body with exchange also needs a
 * bound in constant memory.
 */
function keepsTogether(loop: LoopNode, { counted, counter, uniform }: UnrolledLoop, divergence: Divergence): boolean {
  const insts: Inst[] = [];
  for (const region of regionsOf(loop)) walkInstructions(region, (inst) => insts.push(inst));
  const start = loop.inits[loop.params.indexOf(counter)]!;
  const apart = divergence.differs(start) || (counted !== null && divergence.differs(counted.bound));
  const together = insts.some((inst) => isConvergent(inst) || inst.op === "atom");
  if (together) return !apart && (counted === null || isInPlace(counted.bound));
  if (!apart) return true;
  const loaded = new Set(insts.filter(({ op }) => op === "ld").map(({ mods }) => mods.space));
  const steps = (pointer: Value): boolean => loop.params.includes(pointer) && !uniform.includes(pointer);
  return insts.every(
    ({ op, mods, operands }) => op !== "st" || !loaded.has(mods.space) || steps(pointerOf(operands[0]!)),
  );
}

/**
 * NVVM's strength reduction uses the loop's own counter instead of counting down if there is a second induction
 * variable. That is an integer used as data (`i + k` compared, `k * 3`), or an unsigned one widened for addresses,
 * whose sums may wrap. The test then reads a sum, from which ptxas cannot derive the trip count (39 kinds of
 * bodies).
 */
function countsBySum(loop: LoopNode): boolean {
  const inside = definedIn(loop);
  const isOwn = (value: Value): boolean => counts(value, loop, inside) && !isNearParam(resolve(value), loop);
  return regionsOf(loop).some((region) =>
    someNode(region, (node) => {
      if (node.kind !== "inst") return false;
      if (node.op === "addr") {
        if (node.mods.space !== "global" || node.mods.sourceType !== "u32") return false;
        const index = resolve(node.operands[1]!);
        const param = loop.params.indexOf(index);
        return counts(index, loop, inside) && (param < 0 || resolve(loop.inits[param]!).constant === null);
      }
      return !node.results.some((result) => counts(result, loop, inside)) && node.operands.some(isOwn);
    }),
  );
}

/**
 * ptxas does not unroll a body with both a branch and a barrier (40 loops, nvcc 13.0); a shuffle does not prevent
 * it.
 */
function branchesWithBarrier(loop: LoopNode): boolean {
  const some = (test: (node: SsaNode) => boolean): boolean => regionsOf(loop).some((region) => someNode(region, test));
  return (
    some((node) => node.kind === "inst" && (node.op === "bar" || node.op === "syncwarp")) &&
    some((node) => node.kind === "if" && !isSelect(node))
  );
}

/** A parameter, or a parameter plus a constant. */
function isNearParam(value: Value, loop: LoopNode): boolean {
  if (loop.params.includes(value)) return true;
  const { def } = value;
  if (def?.op !== "add" || resolve(def.operands[1]!).constant === null) return false;
  return isNearParam(resolve(def.operands[0]!), loop);
}

/** A parameter that steps by a constant, or its sum or product with an invariant. */
function counts(value: Value, loop: LoopNode, inside: ReadonlySet<Value>): boolean {
  const now = resolve(value);
  if (!inside.has(now)) return false;
  const param = loop.params.indexOf(now);
  if (param >= 0) {
    const next = resolve(loop.nexts[param]!).def;
    return next?.op === "add" && resolve(next.operands[1]!).constant !== null;
  }
  const { def } = now;
  return (
    (def?.op === "add" || def?.op === "sub" || def?.op === "mul" || def?.op === "shl") &&
    def.operands.every((operand) => counts(operand, loop, inside) || !inside.has(resolve(operand)))
  );
}

class Repetition {
  private readonly fn: SsaFunction;
  private readonly loop: LoopNode;
  /** The loop's own test, if it has no counter of the iterations left (its last parameter). */
  private readonly counted: CountedLoop | null;
  /** The counter's index among the parameters. */
  private readonly counter: number;
  private readonly rounds: number;
  private readonly mayWrap: boolean;
  private readonly unrolled: UnrolledLoop;
  private readonly made: UnrolledLoops;

  constructor(fn: SsaFunction, loop: LoopNode, unrolled: UnrolledLoop, made: UnrolledLoops) {
    this.fn = fn;
    this.loop = loop;
    this.unrolled = unrolled;
    this.made = made;
    this.counted = unrolled.counted;
    this.rounds = unrolled.rounds;
    this.mayWrap = mayWrap(unrolled);
    this.counter = loop.params.indexOf(unrolled.counter);
  }

  run(apart: boolean): SsaNode[] {
    const { loop } = this;
    const out = new Appender(this.fn, loop);
    this.overhead(out.nodes, this.mayWrap ? ENTRY_UNSIGNED : apart ? ENTRY_APART : ENTRY);
    const entry: LoopState = {
      params: [...loop.inits],
      results: loop.results.map((_, i) => resultBefore(this.fn, loop, i)),
    };
    const start = this.mayWrap ? this.pastBound(out, entry) : entry;
    const sixteen = this.guarded(out, this.atLeast(out, start, FACTOR), start, (state, then) => {
      this.overhead(then.nodes, FLAG);
      return this.repeat(then, state, FACTOR, (after, list) => this.movedTest(list, after, FACTOR));
    });
    const eight = this.guarded(out, this.atLeast(out, sixteen, 2), sixteen, (state, then) => {
      this.overhead(then.nodes, FLAG);
      this.overhead(then.nodes, this.stepsApart());
      return this.straight(then, state, 2);
    });
    const four = this.guarded(out, this.atLeast(out, eight, 1), eight, (state, then) =>
      this.counted !== null
        ? this.straight(then, state, 1)
        : this.repeat(then, state, 1, (after, list) => this.atLeast(list, after, 1)),
    );
    replaceEach(loop.results, (i) => four.results[i]!);
    return out.nodes;
  }

  private overhead(nodes: SsaNode[], slots: readonly IssueSlot[]): void {
    nodes.push(overheadAt(this.loop, slots));
  }

  /** Two passes of straight-line code with predication step each pointer separately, where a loop steps it once. */
  private stepsApart(): readonly IssueSlot[] {
    if (this.loop.body.nodes.every(({ kind }) => kind !== "if")) return [];
    return this.loop.nexts.flatMap((next) => {
      const { def } = resolve(next);
      if (def === null || !this.loop.params.includes(resolve(def.operands[0]!))) return [];
      if (resolve(def.operands[1]!).constant === null) return [];
      return def.op === "addr" ? STEP_POINTER : def.op === "add" ? STEP : [];
    });
  }

  /** The iteration that runs even if the counter starts past a bound known only at run time. */
  private pastBound(out: Appender, entry: LoopState): LoopState {
    const { compare, bound } = this.counted!;
    if (bound.constant !== null) return entry;
    const past = out.emit("setp", "bool", [entry.params[this.counter]!, bound], {
      compare: compare === "lt" ? "ge" : "gt",
      sourceType: "u32",
    });
    return this.guarded(out, past, entry, (state, then) => this.straight(then, state, 1));
  }

  /** The distance of an unsigned counter from its bound: a sum with the counter might wrap. */
  private distanceLeft(out: Appender, state: LoopState, { compare, step, bound }: CountedLoop, times: number): Value {
    const counter = state.params[this.counter]!;
    const below = out.emit("setp", "bool", [counter, bound], { compare, sourceType: "u32" });
    const distance = out.emit("sub", "u32", [bound, counter]);
    const further = out.constant("u32", Number(step.constant) * this.rounds * (times - 1));
    const enough = { compare: compare === "lt" ? "gt" : "ge", sourceType: "u32" } as const;
    return out.emit("pand", "bool", [below, out.emit("setp", "bool", [distance, further], enough)]);
  }

  /** True if at least `times` more passes follow. */
  private atLeast(out: Appender, state: LoopState, times: number): Value {
    const { counted } = this;
    if (counted !== null && this.mayWrap && times > 1) return this.distanceLeft(out, state, counted, times);
    return this.movedTest(out, state, times);
  }

  private movedTest(out: Appender, state: LoopState, times: number): Value {
    const { counted } = this;
    if (counted === null) {
      const left = state.params[this.counter]!;
      if (times === 1)
        return out.emit("setp", "bool", [left, out.constant("u32", 0)], { compare: "ne", sourceType: "u32" });
      const passes = this.rounds * (times - 1);
      return out.emit("setp", "bool", [left, out.constant("u32", passes)], { compare: "gt", sourceType: "u32" });
    }
    const counter = state.params[this.counter]!;
    let bound = counted.bound;
    if (times > 1) {
      const step = Number(counted.step.constant);
      const type = counted.type === "i64" ? "i64" : "i32";
      bound = out.emit("add", type, [bound, out.constant(type, -step * this.rounds * (times - 1))]);
    }
    return out.emit("setp", "bool", [counter, bound], { compare: counted.compare, sourceType: counted.type });
  }

  private guarded(
    out: Appender,
    condition: Value,
    state: LoopState,
    build: (state: LoopState, then: Appender) => LoopState,
  ): LoopState {
    const inner = new Appender(this.fn, this.loop);
    const after = build(state, inner);
    const guarded = guardCopies(this.fn, this.loop, condition, { nodes: inner.nodes, state: after }, state);
    out.nodes.push(guarded.node);
    return guarded.state;
  }

  private copies(nodes: SsaNode[], state: LoopState, times: number): LoopState {
    const { loop } = this;
    let params = [...state.params];
    let results = [...state.results];
    for (let pass = 0; pass < times; pass++) {
      const values: Substitution = new Map(loop.params.map((param, i) => [param, params[i]!]));
      const cloner = new Cloner(this.fn, values);
      // The index is added to a pointer once for all copies.
      const body = loop.body.nodes.filter((node) => pass === 0 || node.kind !== "inst" || node.op !== "overhead");
      nodes.push(...cloner.nodes(body), ...cloner.nodes(loop.latch.nodes));
      params = cloner.list(loop.nexts);
      results = cloner.list(loop.exits);
    }
    return { params, results };
  }

  private straight(out: Appender, state: LoopState, times: number): LoopState {
    return this.copies(out.nodes, state, times);
  }

  private repeat(
    out: Appender,
    start: LoopState,
    times: number,
    again: (state: LoopState, out: Appender) => Value,
  ): LoopState {
    const { loop, fn } = this;
    const copy: LoopNode = {
      ...loop,
      id: fn.loopId(),
      params: loop.params.map((param) => fn.value(param.type, param.name)),
      inits: [...start.params],
      body: emptyRegion(),
      latchParams: [],
      latch: emptyRegion(),
      unroll: 1,
    };
    for (const param of copy.params) param.owner = copy;
    const same = (param: Value): Value => copy.params[loop.params.indexOf(param)]!;
    const { counter, uniform } = this.unrolled;
    this.made.set(copy, { ...this.unrolled, counter: same(counter), uniform: uniform.map(same) });
    const state = this.copies(copy.body.nodes, { params: copy.params, results: start.results }, times);
    const tail = new Appender(fn, loop);
    copy.condition = again(state, tail);
    copy.body.nodes.push(...tail.nodes);
    copy.nexts = [...state.params];
    copy.exits = [...state.params, ...state.results];
    copy.results = copy.exits.map((value) => fn.value(value.type, value.name));
    for (const result of copy.results) result.owner = copy;
    out.nodes.push(copy);
    return { params: copy.results.slice(0, state.params.length), results: copy.results.slice(state.params.length) };
  }
}
