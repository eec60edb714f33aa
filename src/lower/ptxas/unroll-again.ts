/**
 * ptxas unrolls a short loop by four, of those that NVVM has unrolled and of those that it has left: four passes at once while there are as
 * many, then two, then one. Found with nvcc 13.0 by loops written in PTX: how long a round may be (ptx-size.ts), what must not stand in it where
 * lanes may part, and what tells ptxas how many rounds are left. Its own bookkeeping (the first test of the rounds left, two moves of a flag) is
 * counted as overhead.
 */

import { pointerOf } from "../analysis/address.js";
import { Appender, type CountedLoop, definedIn } from "../analysis/counted-loop.js";
import { Divergence } from "../analysis/divergence.js";
import { overheadAt } from "../machine/overhead.js";
import { isSelect } from "../nvvm/control/if-to-select.js";
import { isInPlace, type UnrolledLoop, type UnrolledLoops } from "../nvvm/loops/loop-runtime-unroll.js";
import type { IssueSlot } from "../program.js";
import { Cloner, type Substitution } from "../ssa/clone.js";
import { isConvergent, someNode } from "../ssa/effects.js";
import {
  countUses,
  emptyRegion,
  type IfNode,
  type Inst,
  type LoopNode,
  type Region,
  regionsOf,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa/ssa.js";
import { ptxSize } from "./ptx-size.js";

/** Instructions of PTX in a round (ptx-size.ts): so many; more for each load from shared memory; in a round with others; in all. */
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
/** Where lanes leave the loop in different rounds: a reconvergence point more, left by BREAK. */
const ENTRY_APART = overhead("ISETP.GT.AND", "BRA", "PLOP3.LUT", "BSSY", "BREAK", "WARPSYNC.ALL");
const FLAG = overhead("PLOP3.LUT");
const ENTRY_UNSIGNED = FLAG;
const STEP = overhead("IADD3");
const STEP_POINTER = overhead("IADD3", "IADD3.X");

export function unrollAgain(fn: SsaFunction, made: UnrolledLoops): boolean {
  return made.size > 0 && visit(fn, fn.body, made, new Divergence(fn), countUses(fn));
}

function visit(
  fn: SsaFunction,
  region: Region,
  made: UnrolledLoops,
  divergence: Divergence,
  uses: Int32Array,
): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = visit(fn, node.then, made, divergence, uses) || changed;
      changed = visit(fn, node.else, made, divergence, uses) || changed;
    } else if (node.kind === "loop") {
      changed = visit(fn, node.body, made, divergence, uses) || changed;
      const counted = made.get(node);
      if (
        counted !== undefined &&
        node.params.includes(counted.counter) &&
        isShort(node, counted, uses) &&
        (counted.counted !== null || !countsBySum(node)) &&
        comparable(counted) &&
        !branchesWithBarrier(node) &&
        keepsTogether(node, counted, divergence)
      ) {
        nodes.push(...new Repetition(fn, node, counted, made).run(divergence.leavesApart(node)));
        changed = true;
        continue;
      }
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

function isShort(loop: LoopNode, { rounds, counted }: UnrolledLoop, uses: Int32Array): boolean {
  // NVVM steps the counter of a loop that it leaves in front of its branches: ptxas unrolls none such.
  if (rounds === 1 && counted?.type !== "u32" && loop.body.nodes.some(({ kind }) => kind === "if")) return false;
  const size = ptxSize(loop, uses);
  if (size === null) return false;
  const { instructions, sharedLoads, loads } = size;
  const most = Math.max(MOST + FOR_SHARED_LOAD * sharedLoads, loads > 0 ? MOST_WITH_LOADS : 0);
  return instructions <= Math.min(most, MOST_AT_ALL);
}

/** An unsigned counter may wrap: it is its distance from the bound that tells how many rounds are left. */
function mayWrap({ counted }: UnrolledLoop): boolean {
  return counted?.type === "u32" && (counted.compare === "lt" || counted.compare === "le");
}

/** The loop's own test tells how many rounds are left when its bound is moved by some, or the distance from it. */
function comparable(loop: UnrolledLoop): boolean {
  const { counted } = loop;
  if (counted === null || mayWrap(loop)) return true;
  const { compare, type, step } = counted;
  if (compare === "ne" || compare === "eq" || step.constant === null) return false;
  return type === "i32" || type === "i64" || Number(step.constant) < 0;
}

/**
 * Where lanes may take different numbers of rounds, nothing in a round may be for several lanes, nor an atomic, and no store may stand beside a
 * load of the same memory but through a pointer that steps. What is for several lanes asks besides for a bound in constant memory.
 */
function keepsTogether(loop: LoopNode, { counted, counter, uniform }: UnrolledLoop, divergence: Divergence): boolean {
  const insts: Inst[] = [];
  for (const region of regionsOf(loop)) {
    walk(region, (node) => {
      if (node.kind === "inst") insts.push(node);
    });
  }
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
 * NVVM's strength reduction counts by the loop's own counter and not down where there is a second one: an integer that steps with it, as
 * data (`i + k` compared, `k * 3`), or an unsigned one that is widened for addresses, as its sums may wrap. What is tested then is a
 * sum, of which ptxas does not see how many rounds are left (39 kinds of rounds).
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

/** A round that has a branch as well as a barrier is not repeated, whatever the test (nvcc 13.0: 40 loops; of shuffles it may be). */
function branchesWithBarrier(loop: LoopNode): boolean {
  const some = (test: (node: SsaNode) => boolean): boolean => regionsOf(loop).some((region) => someNode(region, test));
  return (
    some((node) => node.kind === "inst" && (node.op === "bar" || node.op === "syncwarp")) &&
    some((node) => node.kind === "if" && !isSelect(node))
  );
}

/** A parameter, or one and a constant. */
function isNearParam(value: Value, loop: LoopNode): boolean {
  if (loop.params.includes(value)) return true;
  const { def } = value;
  if (def?.op !== "add" || resolve(def.operands[1]!).constant === null) return false;
  return isNearParam(resolve(def.operands[0]!), loop);
}

/** A parameter that steps by a constant, or a sum or product with what no round changes. */
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

interface State {
  readonly params: readonly Value[];
  readonly results: readonly Value[];
}

class Repetition {
  private readonly fn: SsaFunction;
  private readonly loop: LoopNode;
  /** The loop's own test where it has no counter of the rounds left (its last parameter). */
  private readonly counted: CountedLoop | null;
  /** The counter's place among the parameters. */
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
    const entry: State = { params: [...loop.inits], results: loop.results.map((_, i) => this.before(i)) };
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

  private before(i: number): Value {
    const exit = this.loop.exits[i]!;
    const carried = this.loop.nexts.indexOf(exit);
    if (carried >= 0) return this.loop.inits[carried]!;
    const { type } = this.loop.results[i]!;
    return this.fn.constant(type, type === "i64" || type === "u64" ? 0n : 0);
  }

  /** Two passes of straight code with guards step by themselves what a loop steps once for all. */
  private stepsApart(): readonly IssueSlot[] {
    if (this.loop.body.nodes.every(({ kind }) => kind !== "if")) return [];
    return this.loop.nexts.flatMap((next) => {
      const { def } = resolve(next);
      if (def === null || !this.loop.params.includes(resolve(def.operands[0]!))) return [];
      if (resolve(def.operands[1]!).constant === null) return [];
      return def.op === "addr" ? STEP_POINTER : def.op === "add" ? STEP : [];
    });
  }

  /** The round that is due even where the counter begins past a bound known only at run time. */
  private pastBound(out: Appender, entry: State): State {
    const { compare, bound } = this.counted!;
    if (bound.constant !== null) return entry;
    const past = out.emit("setp", "bool", [entry.params[this.counter]!, bound], {
      compare: compare === "lt" ? "ge" : "gt",
      sourceType: "u32",
    });
    return this.guarded(out, past, entry, (state, then) => this.straight(then, state, 1));
  }

  /** What is left before the bound of an unsigned counter: a sum with the counter might wrap. */
  private distanceLeft(out: Appender, state: State, { compare, step, bound }: CountedLoop, times: number): Value {
    const counter = state.params[this.counter]!;
    const below = out.emit("setp", "bool", [counter, bound], { compare, sourceType: "u32" });
    const distance = out.emit("sub", "u32", [bound, counter]);
    const further = out.constant("u32", Number(step.constant) * this.rounds * (times - 1));
    const enough = { compare: compare === "lt" ? "gt" : "ge", sourceType: "u32" } as const;
    return out.emit("pand", "bool", [below, out.emit("setp", "bool", [distance, further], enough)]);
  }

  /** Are `times` more passes through the loop due? */
  private atLeast(out: Appender, state: State, times: number): Value {
    const { counted } = this;
    if (counted !== null && this.mayWrap && times > 1) return this.distanceLeft(out, state, counted, times);
    return this.movedTest(out, state, times);
  }

  private movedTest(out: Appender, state: State, times: number): Value {
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
    state: State,
    build: (state: State, then: Appender) => State,
  ): State {
    const { loop } = this;
    const then = emptyRegion();
    const otherwise = emptyRegion();
    const inner = new Appender(this.fn, loop);
    const after = build(state, inner);
    then.nodes = inner.nodes;
    const node: IfNode = {
      kind: "if",
      condition,
      then,
      else: otherwise,
      results: [],
      looped: true,
      select: false,
      span: loop.span,
      source: loop.source,
    };
    const join = (left: readonly Value[], right: readonly Value[]): Value[] =>
      left.map((value, i) => {
        const result = this.fn.value(value.type, value.name);
        result.owner = node;
        node.results.push(result);
        then.end.values.push(value);
        otherwise.end.values.push(right[i]!);
        return result;
      });
    const params = join(after.params, state.params);
    const results = join(after.results, state.results);
    out.nodes.push(node);
    return { params, results };
  }

  private copies(nodes: SsaNode[], state: State, times: number): State {
    const { loop } = this;
    let params = [...state.params];
    let results = [...state.results];
    for (let pass = 0; pass < times; pass++) {
      const values: Substitution = new Map(loop.params.map((param, i) => [param, params[i]!]));
      const cloner = new Cloner(this.fn, values);
      // An index is added to a pointer once for all copies.
      const body = loop.body.nodes.filter((node) => pass === 0 || node.kind !== "inst" || node.op !== "overhead");
      nodes.push(...cloner.nodes(body), ...cloner.nodes(loop.latch.nodes));
      params = cloner.list(loop.nexts);
      results = cloner.list(loop.exits);
    }
    return { params, results };
  }

  private straight(out: Appender, state: State, times: number): State {
    return this.copies(out.nodes, state, times);
  }

  private repeat(out: Appender, start: State, times: number, again: (state: State, out: Appender) => Value): State {
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
