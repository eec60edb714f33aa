/**
 * Runtime unrolling of loops with a bound known only at run time: four iterations per pass (two in a large loop),
 * and a remainder loop. The remainder follows if a parameter starts at an integer constant, else it comes first.
 * Follows LLVM 7's runtime unroller; thresholds from nvcc 13.0.
 */

import { AffineSteps, isSumOf } from "../../analysis/affine-steps.js";
import {
  Appender,
  type CountedLoop,
  countedLoop,
  countType,
  roundsLessOne,
  unsignedLoop,
} from "../../analysis/counted-loop.js";
import { roundsApart } from "../../analysis/trip-count.js";
import { type Op, WARP_PRIMITIVES } from "../../program.js";
import { Cloner, type Substitution } from "../../ssa/clone.js";
import { hasSideEffects, isConvergent, someNode } from "../../ssa/effects.js";
import { jumpsOut } from "../../ssa/loop-jumps.js";
import {
  emptyRegion,
  type Inst,
  type LoopNode,
  NO_MODIFIERS,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { loopsIn, rewriteLoops } from "../../ssa/traversal.js";
import { guardCopies, type LoopState, resultBefore } from "./loop-copies.js";
import { offsetSums, sizeOf } from "./loop-full-unroll.js";
import { widenSteps } from "./source-pointers.js";
import { takeStepValues } from "./step-values.js";

/** Size limit of the unrolled loop; lower with two iterations per pass. */
const LARGEST = 203;
const LARGEST_OF_TWO = 189;
/** NVVM does not unroll loops of at most this trip count. */
const FEW_ROUNDS = 20;
/** Counting, compare and branch are not repeated. */
const COUNTING = 2;
/** The factor after which ptxas unrolls again (unroll-again.ts). */
const USUAL_FACTOR = 4;
const ALL_LANES = 0xffffffff;

/** Unrolled loops, which ptxas may unroll again. */
export type UnrolledLoops = Map<LoopNode, UnrolledLoop>;

/**
 * `counter` is the induction variable: of the iterations left, or the loop's own if `counted` is set. One iteration
 * of the unrolled loop does `rounds` of the source. `uniform` pointers step from their arrays' starts; each pass
 * adds the thread's index.
 */
export interface UnrolledLoop {
  readonly counted: CountedLoop | null;
  readonly counter: Value;
  readonly rounds: number;
  readonly uniform: readonly Value[];
}

export function unrollRuntimeLoops(fn: SsaFunction, made: UnrolledLoops): boolean {
  return rewriteLoops(fn.body, (loop, { nested, innerChanged }) => {
    const front = takeStepValues(loop);
    const unrolled = innerChanged ? null : unroll(fn, loop, made, nested);
    return { nodes: [...front, ...(unrolled ?? [loop])], changed: unrolled !== null };
  });
}

function factorOf(loop: LoopNode): number {
  const asked = loop.unroll;
  if (typeof asked === "number") return asked;
  const size = sizeOf(loop) + 1 + offsetSums(loop);
  for (let factor = 4; factor > 1; factor /= 2) {
    if ((size - COUNTING) * factor + COUNTING <= (factor > 2 ? LARGEST : LARGEST_OF_TWO)) return factor;
  }
  return 1;
}

export function isInPlace(bound: Value): boolean {
  const { constant, def } = resolve(bound);
  return constant !== null || def?.op === "param";
}

/**
 * An exchange between some lanes of the warp. Lanes with fewer iterations would exchange in another iteration than
 * the source says. A primitive that names all lanes is safe: all have the same trip count, or the program is wrong
 * anyway.
 */
function meetsSome(node: SsaNode): boolean {
  if (node.kind !== "inst" || !isConvergent(node) || node.op === "bar") return false;
  if (node.op === "activemask" || !WARP_PRIMITIVES.has(node.op as Op)) return true;
  return resolve(node.operands[0]!).constant !== ALL_LANES;
}

function unroll(fn: SsaFunction, loop: LoopNode, made: UnrolledLoops, nested: boolean): SsaNode[] | null {
  if (loop.unroll === 1 || jumpsOut(loop) || loop.latchParams.length > 0) return null;
  if (loopsIn(loop.body).length > 0 || loopsIn(loop.latch).length > 0) return null;
  const counted = countedLoop(loop);
  // ptxas may still unroll the loop that NVVM leaves, even where an unsigned induction variable may wrap.
  const leave = (): null => {
    const known = counted ?? unsignedLoop(loop);
    if (known !== null && loop.unroll === null && loop.tested && known.also === null)
      made.set(loop, { counted: known, counter: loop.params[known.counter]!, rounds: 1, uniform: [] });
    return null;
  };
  if (counted === null || someNode(loop.body, meetsSome) || someNode(loop.latch, meetsSome)) return leave();
  // With a step that may be 0, the trip count holds only if the loop must terminate; one with visible effects need
  // not.
  const seen = (node: SsaNode): boolean => node.kind === "inst" && hasSideEffects(node);
  if (counted.step.constant === null && someNode(loop.body, seen)) return null;
  const apart = loop.unroll === null ? roundsApart(loop) : null;
  if (apart !== null && (apart.endless || apart.rounds <= FEW_ROUNDS)) return leave();
  const factor = factorOf(loop);
  if (factor < 2 || (factor & (factor - 1)) !== 0) return factor === 1 ? leave() : null;
  const epilog = loop.inits.some((init) => {
    const { constant, type } = resolve(init);
    return constant !== null && type !== "f32" && type !== "f64";
  });
  return new Unroller(fn, loop, counted, factor, made, nested).run(epilog);
}

class Unroller {
  private readonly fn: SsaFunction;
  private readonly loop: LoopNode;
  private readonly counted: CountedLoop;
  private readonly factor: number;
  private readonly made: UnrolledLoops;
  private readonly nested: boolean;
  /**
   * The strides of global addresses between iterations. A signed index does not overflow, so its address steps
   * (IMAD.WIDE); otherwise the index steps.
   */
  private readonly strides = new Map<SsaNode, Value>();

  constructor(
    fn: SsaFunction,
    loop: LoopNode,
    counted: CountedLoop,
    factor: number,
    made: UnrolledLoops,
    nested: boolean,
  ) {
    this.fn = fn;
    this.loop = loop;
    this.counted = counted;
    this.factor = factor;
    this.made = made;
    this.nested = nested;
  }

  run(epilog: boolean): SsaNode[] {
    const { loop, factor } = this;
    const out = new Appender(this.fn, loop);
    this.findStrides();
    widenSteps(loop);
    const lessOne = roundsLessOne(this.counted, out);
    const type = countType(this.counted);
    const rounds = out.emit("add", type, [lessOne, out.constant(type, 1)]);
    const rest = out.emit("and", type, [rounds, out.constant(type, factor - 1)]);
    const many = out.emit("setp", "bool", [lessOne, out.constant(type, factor - 1)], {
      compare: "ge",
      sourceType: type,
    });
    const some = out.emit("setp", "bool", [rest, out.constant(type, 0)], { compare: "ne", sourceType: type });
    const start = { params: [...loop.inits], results: loop.results.map((_, i) => resultBefore(this.fn, loop, i)) };
    if (epilog) {
      const whole = out.emit("sub", type, [rounds, rest]);
      const main = this.guarded(out, many, start, (state) => this.main(state, whole));
      const end = this.guarded(out, some, main, (state) => this.remainder(state, rest));
      this.finish(end.results);
    } else {
      const first = this.guarded(out, some, start, (state) => this.remainder(state, rest));
      const end = this.guarded(out, many, first, (state) => this.main(state, null));
      this.finish(end.results);
    }
    return out.nodes;
  }

  /** Computes each stride in front of the index, so that every copy has its own. */
  private findStrides(): void {
    const { fn, loop } = this;
    const before = new Map<SsaNode, readonly SsaNode[]>();
    for (const node of loop.body.nodes) {
      if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global") continue;
      const { sourceType } = node.mods;
      const index = resolve(node.operands[1]!);
      const out = new Appender(fn, loop);
      const steps = new AffineSteps(fn, loop, out, { unrolled: false, within: true });
      if ((sourceType !== "i32" && sourceType !== "u32") || !steps.isInvariant(node.operands[0]!)) continue;
      const affine = steps.of(index);
      const at = index.def !== null && loop.body.nodes.includes(index.def) ? index.def : node;
      if (affine === null) continue;
      const onAddress = affine.signed && sourceType === "i32";
      if (typeof affine.step === "number") {
        if (!onAddress || isSumOf(loop.params, index)) continue;
        this.strides.set(node, fn.constant("i32", affine.step));
      } else if (onAddress || at !== node) {
        this.strides.set(onAddress ? node : at, affine.step);
        before.set(at, [...(before.get(at) ?? []), ...out.nodes]);
      }
    }
    loop.body.nodes = loop.body.nodes.flatMap((node) => [...(before.get(node) ?? []), node]);
  }

  private finish(results: readonly Value[]): void {
    replaceEach(this.loop.results, (i) => results[i]!);
  }

  private guarded(out: Appender, condition: Value, state: LoopState, build: (state: LoopState) => Rounds): LoopState {
    const { node, state: after } = guardCopies(this.fn, this.loop, condition, build(state), state);
    out.nodes.push(node);
    return after;
  }

  private shell(
    state: LoopState,
    counter: Value | null,
  ): { readonly copy: LoopNode; readonly counterParam: Value | null } {
    const { loop, fn } = this;
    const copy: LoopNode = {
      ...loop,
      id: fn.loopId(),
      params: loop.params.map((param) => fn.value(param.type, param.name)),
      inits: [...state.params],
      body: emptyRegion(),
      latchParams: [],
      latch: emptyRegion(),
      nexts: [],
      exits: [],
      results: [],
      unroll: 1,
    };
    let counterParam: Value | null = null;
    if (counter !== null) {
      counterParam = fn.value(countType(this.counted));
      copy.params.push(counterParam);
      copy.inits.push(counter);
    }
    for (const param of copy.params) param.owner = copy;
    return { copy, counterParam };
  }

  /** Puts `times` iterations into the body of `copy` and sets nexts, exits and the last iteration's condition. */
  private fill(copy: LoopNode, times: number, counterParam: Value | null, step: number): LoopState {
    const { loop, fn } = this;
    let current: Value[] = copy.params.slice(0, loop.params.length);
    let exits: Value[] = [];
    let condition: Value | null = null;
    const last = new Map<SsaNode, Inst>();
    for (let round = 0; round < times; round++) {
      const values: Substitution = new Map(loop.params.map((param, i) => [param, current[i]!]));
      const cloner = new Cloner(fn, values);
      const copies = cloner.nodes(loop.body.nodes);
      loop.body.nodes.forEach((node, i) => {
        const stride = this.strides.get(node);
        const inst = copies[i]!;
        if (stride === undefined || inst.kind !== "inst") return;
        const before = last.get(node);
        last.set(node, inst);
        if (before === undefined) return;
        inst.operands = [before.results[0]!, cloner.get(stride)];
        if (inst.op === "addr") return;
        inst.op = "add";
        inst.mods = NO_MODIFIERS;
      });
      copy.body.nodes.push(...copies, ...cloner.nodes(loop.latch.nodes));
      current = cloner.list(loop.nexts);
      exits = cloner.list(loop.exits);
      condition = cloner.get(loop.condition!);
    }
    copy.nexts = [...current];
    copy.condition = condition;
    if (counterParam !== null) {
      const out = new Appender(fn, loop);
      const type = countType(this.counted);
      const left = out.emit("add", type, [counterParam, out.constant(type, -step)]);
      copy.condition = out.emit("setp", "bool", [left, out.constant(type, 0)], { compare: "ne", sourceType: type });
      copy.body.nodes.push(...out.nodes);
      copy.nexts.push(left);
    }
    const state: LoopState = {
      params: current.map((value) => fn.value(value.type, value.name)),
      results: exits.map((value) => fn.value(value.type, value.name)),
    };
    copy.exits = [...current, ...exits];
    copy.results = [...state.params, ...state.results];
    for (const result of copy.results) result.owner = copy;
    return state;
  }

  private remainder(start: LoopState, rest: Value): Rounds {
    // With factor two at most one iteration is left. In a nested loop NVVM unrolls the remainder, too. With a pragma
    // it keeps the remainder loop.
    if ((this.factor === 2 || this.nested) && this.loop.unroll === null) return this.each(start, rest, 1);
    const { copy, counterParam } = this.shell(start, rest);
    const state = this.fill(copy, 1, counterParam, 1);
    return { nodes: [copy], state };
  }

  /** The remaining iterations one by one, from the `nth` on, each after the first under its own test. */
  private each(start: LoopState, rest: Value, nth: number): Rounds {
    const { nodes, state } = this.round(start);
    if (nth === this.factor - 1) return { nodes, state };
    const out = new Appender(this.fn, this.loop);
    out.nodes.push(...nodes);
    const type = countType(this.counted);
    const more = out.emit("setp", "bool", [rest, out.constant(type, nth)], { compare: "ne", sourceType: type });
    return { nodes: out.nodes, state: this.guarded(out, more, state, (next) => this.each(next, rest, nth + 1)) };
  }

  private round(start: LoopState): Rounds {
    const { loop, fn } = this;
    const cloner = new Cloner(fn, new Map(loop.params.map((param, i) => [param, start.params[i]!])));
    const nodes = [...cloner.nodes(loop.body.nodes), ...cloner.nodes(loop.latch.nodes)];
    return { nodes, state: { params: cloner.list(loop.nexts), results: cloner.list(loop.exits) } };
  }

  /** With a counter of the iterations left (`whole`), or with the loop's own test. */
  private main(start: LoopState, whole: Value | null): Rounds {
    const { copy, counterParam } = this.shell(start, whole);
    const state = this.fill(copy, this.factor, counterParam, this.factor);
    // ptxas does not unroll loops with another factor again, nor those with a pragma.
    if (this.factor !== USUAL_FACTOR || this.loop.unroll !== null) return { nodes: [copy], state };
    // Nor those that keep two tests.
    if (whole === null && this.counted.also !== null) return { nodes: [copy], state };
    // Nor those with a 64-bit counter, unless their own test has a constant step.
    if (countType(this.counted) === "u64" && (whole !== null || this.counted.step.constant === null))
      return { nodes: [copy], state };
    this.made.set(copy, {
      counted: whole === null ? this.counted : null,
      counter: counterParam ?? copy.params[this.counted.counter]!,
      rounds: this.factor,
      uniform: [],
    });
    return { nodes: [copy], state };
  }
}

/** Copies of iterations and the state after them. */
interface Rounds {
  readonly nodes: readonly SsaNode[];
  readonly state: LoopState;
}
