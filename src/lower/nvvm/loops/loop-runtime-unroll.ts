/**
 * Loops that count to a bound known only at run time, four rounds at once (two, where they are long), and a loop for the
 * rounds left over: after, if a parameter starts at an integer constant, else before. As NVVM (LLVM 7's runtime
 * unroller) does it; sizes found with nvcc 13.0.
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
  type IfNode,
  type Inst,
  type LoopNode,
  NO_MODIFIERS,
  type Region,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { offsetSums, sizeOf } from "./loop-full-unroll.js";
import { widenSteps } from "./source-pointers.js";
import { takeStepValues } from "./step-values.js";

/** The unrolled loop may have this many instructions, the loop that has two rounds at once fewer. */
const LARGEST = 203;
const LARGEST_OF_TWO = 189;
/** NVVM leaves loops of at most so many rounds. */
const FEW_ROUNDS = 20;
/** Counting, compare and branch are not repeated. */
const COUNTING = 2;
/** Copies that the assembler multiplies once more (unroll-again.ts). */
const USUAL_FACTOR = 4;
const ALL_LANES = 0xffffffff;

/** Loops made here, which ptxas may unroll again. */
export type UnrolledLoops = Map<LoopNode, UnrolledLoop>;

/**
 * `counter` is the parameter that counts: the rounds left, or, where `counted` is set, the loop's own. `rounds` of the text are
 * one of the loop. `uniform` pointers step from their arrays' starts, the thread's index added in each pass.
 */
export interface UnrolledLoop {
  readonly counted: CountedLoop | null;
  readonly counter: Value;
  readonly rounds: number;
  readonly uniform: readonly Value[];
}

export function unrollRuntimeLoops(fn: SsaFunction, made: UnrolledLoops): boolean {
  return visit(fn, fn.body, made, false);
}

/** `nested`: the region stands in a loop. */
function visit(fn: SsaFunction, region: Region, made: UnrolledLoops, nested: boolean): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = visit(fn, node.then, made, nested) || changed;
      changed = visit(fn, node.else, made, nested) || changed;
    } else if (node.kind === "loop") {
      const inner = visit(fn, node.body, made, true);
      changed = changed || inner;
      nodes.push(...takeStepValues(node));
      const unrolled = inner ? null : unroll(fn, node, made, nested);
      if (unrolled !== null) {
        nodes.push(...unrolled);
        changed = true;
        continue;
      }
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
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
 * Lanes that talk to some of the warp's lanes: those that take fewer rounds would be met in another round than the text
 * says. Where a warp primitive names all lanes, all take the same rounds, or the program is wrong either way.
 */
function meetsSome(node: SsaNode): boolean {
  if (node.kind !== "inst" || !isConvergent(node) || node.op === "bar") return false;
  if (node.op === "activemask" || !WARP_PRIMITIVES.has(node.op as Op)) return true;
  return resolve(node.operands[0]!).constant !== ALL_LANES;
}

function unroll(fn: SsaFunction, loop: LoopNode, made: UnrolledLoops, nested: boolean): SsaNode[] | null {
  if (loop.unroll === 1 || jumpsOut(loop) || loop.latchParams.length > 0) return null;
  const isLoop = (node: SsaNode): boolean => node.kind === "loop";
  if (someNode(loop.body, isLoop) || someNode(loop.latch, isLoop)) return null;
  const counted = countedLoop(loop);
  // What NVVM leaves ptxas may still unroll, also where an unsigned counter may wrap.
  const leave = (): null => {
    const known = counted ?? unsignedLoop(loop);
    if (known !== null && loop.unroll === null && loop.tested && known.also === null)
      made.set(loop, { counted: known, counter: loop.params[known.counter]!, rounds: 1, uniform: [] });
    return null;
  };
  if (counted === null || someNode(loop.body, meetsSome) || someNode(loop.latch, meetsSome)) return leave();
  // A step that may be 0 counts rounds only where the loop must end: one that others see or hear from need not.
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
   * What addresses in global memory step by from round to round: those of signed indices, which do not overflow (by
   * IMAD.WIDE), or the indices.
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
    const start = { params: [...loop.inits], results: loop.results.map((_, i) => this.before(i)) };
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

  /** Puts what a step needs in front of the index, so that every copy has its own. */
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

  /** A result's value where no round has run: the first value of the parameter it is the next of, or anything. */
  private before(i: number): Value {
    const exit = resolve(this.loop.exits[i]!);
    const carried = this.loop.nexts.findIndex((next) => resolve(next) === exit);
    if (carried >= 0) return this.loop.inits[carried]!;
    const { type } = this.loop.results[i]!;
    return this.fn.constant(type, type === "i64" || type === "u64" ? 0n : 0);
  }

  private guarded(out: Appender, condition: Value, state: State, build: (state: State) => Rounds): State {
    const { loop } = this;
    const then = emptyRegion();
    const otherwise = emptyRegion();
    const built = build(state);
    then.nodes.push(...built.nodes);
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
    const join = (after: readonly Value[], before: readonly Value[]): Value[] =>
      after.map((value, i) => {
        const result = this.fn.value(value.type, value.name);
        result.owner = node;
        node.results.push(result);
        then.end.values.push(value);
        otherwise.end.values.push(before[i]!);
        return result;
      });
    const params = join(built.state.params, state.params);
    const results = join(built.state.results, state.results);
    out.nodes.push(node);
    return { params, results };
  }

  private shell(state: State, counter: Value | null): { readonly copy: LoopNode; readonly counterParam: Value | null } {
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

  /** `times` rounds in the body of `copy`; leaves nexts, exits and the last round's condition. */
  private fill(copy: LoopNode, times: number, counterParam: Value | null, step: number): State {
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
    const state: State = {
      params: current.map((value) => fn.value(value.type, value.name)),
      results: exits.map((value) => fn.value(value.type, value.name)),
    };
    copy.exits = [...current, ...exits];
    copy.results = [...state.params, ...state.results];
    for (const result of copy.results) result.owner = copy;
    return state;
  }

  private remainder(start: State, rest: Value): Rounds {
    // One round at most is left of two. In another loop NVVM unrolls what is left, too. Of what a pragma unrolls it keeps the loop.
    if ((this.factor === 2 || this.nested) && this.loop.unroll === null) return this.each(start, rest, 1);
    const { copy, counterParam } = this.shell(start, rest);
    const state = this.fill(copy, 1, counterParam, 1);
    return { nodes: [copy], state };
  }

  /** The rounds left over one by one, from the `nth` on, each but the first under its test. */
  private each(start: State, rest: Value, nth: number): Rounds {
    const { nodes, state } = this.round(start);
    if (nth === this.factor - 1) return { nodes, state };
    const out = new Appender(this.fn, this.loop);
    out.nodes.push(...nodes);
    const type = countType(this.counted);
    const more = out.emit("setp", "bool", [rest, out.constant(type, nth)], { compare: "ne", sourceType: type });
    return { nodes: out.nodes, state: this.guarded(out, more, state, (next) => this.each(next, rest, nth + 1)) };
  }

  private round(start: State): Rounds {
    const { loop, fn } = this;
    const cloner = new Cloner(fn, new Map(loop.params.map((param, i) => [param, start.params[i]!])));
    const nodes = [...cloner.nodes(loop.body.nodes), ...cloner.nodes(loop.latch.nodes)];
    return { nodes, state: { params: cloner.list(loop.nexts), results: cloner.list(loop.exits) } };
  }

  /** With a counter of the rounds left (`whole`), or with the loop's own test. */
  private main(start: State, whole: Value | null): Rounds {
    const { copy, counterParam } = this.shell(start, whole);
    const state = this.fill(copy, this.factor, counterParam, this.factor);
    // Loops of another number of copies are not unrolled again, nor those whose number the text names.
    if (this.factor !== USUAL_FACTOR || this.loop.unroll !== null) return { nodes: [copy], state };
    // Nor those that go on testing themselves twice.
    if (whole === null && this.counted.also !== null) return { nodes: [copy], state };
    // Of counters of 64 bits those known to step by a constant, by their own test, are.
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

/** Some rounds and what they leave. */
interface Rounds {
  readonly nodes: readonly SsaNode[];
  readonly state: State;
}

interface State {
  readonly params: readonly Value[];
  readonly results: readonly Value[];
}
