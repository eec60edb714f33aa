/**
 * ptxas unrolls a short unrolled loop once more by four: sixteen rounds while there are as many, then eight, then four.
 * Found with nvcc 13.0: it does so up to between 21 and 34 operations in the loop besides loads and stores (a
 * product with its sum, and two sums, counted once; a loop with many arrays has fewer: 60 loops of one to seven), `if`s that become guards among them (those that load only where the
 * loop tests its own variable: of the others it unrolls some, by no rule that was found); its own bookkeeping (the first
 * test of the rounds left, two moves of a flag) is counted as overhead.
 */
import { Divergence } from "../divergence.js";
import type { IssueSlot } from "../program.js";
import {
  countUses,
  emptyRegion,
  type IfNode,
  isJump,
  type LoopNode,
  type Region,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa.js";
import { twoPaths } from "../two-path-code.js";
import { Cloner, type Substitution } from "./clone.js";
import { Appender, type CountedLoop, definedIn } from "./counted-loop.js";
import { isConvergent, isPure } from "./effects.js";
import { isInteger32 } from "./integer-types.js";
import { overheadAt } from "./overhead.js";
import { isInPlace, type UnrolledLoop, type UnrolledLoops } from "./unroll-runtime.js";

const MOST_OPERATIONS = 24;
/** In a loop that NVVM has left as it is: 18 multiply-adds of a tile and three that step, not 19. */
const MOST_OPERATIONS_ALONE = 21;
/** In a loop that NVVM could not count: operations, and two for each load and store. */
const MOST_WEIGHT_UNSIGNED = 47;
/** Operations, loads and stores, and four for each pointer that steps. */
const MOST_WEIGHT = 46;
/** Operations, tests and choices in a loop with guards (nvcc 13.0: nine loops; 16 to 19 yes, 20 and more no). */
const MOST_WITH_CHOICES = 19;
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
const FREE: ReadonlySet<string> = new Set([
  "overhead",
  "ld",
  "st",
  "bar",
  "base",
  "param",
  "special",
  "cvt",
  "bitcast",
  "setp",
  "pand",
  "por",
]);

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
        short(node, counted, uses) &&
        (mayWrap(counted) || !indexesWidened(node)) &&
        comparable(counted) &&
        !(
          isAlone(counted) &&
          isInPlace(counted.counted!.bound) &&
          divergence.differs(node.inits[node.params.indexOf(counted.counter)]!)
        )
      ) {
        nodes.push(...new Repetition(fn, node, counted).run(divergence.leavesApart(node)));
        changed = true;
        continue;
      }
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

/** ptxas itself tells how many rounds a loop has left whose unsigned counter steps by more than one (62 loops). */
function mayWrap({ counted, rounds }: UnrolledLoop): boolean {
  return rounds === 1 && counted?.type === "u32";
}

/** NVVM has left it as it is. */
function isAlone(loop: UnrolledLoop): boolean {
  return loop.rounds === 1 && !mayWrap(loop);
}

/**
 * Whether the loop's own test tells how many rounds are left when its bound is moved by some: `!=` does not, an unsigned
 * bound above the counter may fall below 0, and by how much to move it for a step known at run time is not known.
 */
function comparable(loop: UnrolledLoop): boolean {
  const { counted } = loop;
  if (counted === null || mayWrap(loop)) return true;
  const { compare, type, step } = counted;
  if (compare === "ne" || compare === "eq" || step.constant === null) return false;
  return type === "i32" || type === "i64" || Number(step.constant) < 0;
}

/**
 * An unsigned counter that the loop widens for addresses, as its sums with others may wrap: it is the loop's only counter
 * then, and its test against where it ends (`!=`) says nothing of the rounds left.
 */
function indexesWidened(loop: LoopNode): boolean {
  const inside = definedIn(loop);
  return loop.body.nodes.concat(loop.latch.nodes).some((node) => {
    if (node.kind !== "inst" || node.op !== "addr") return false;
    if (node.mods.space !== "global" || node.mods.sourceType !== "u32") return false;
    const index = resolve(node.operands[1]!);
    if (!counts(index, loop, inside)) return false;
    const param = loop.params.indexOf(index);
    return param < 0 || resolve(loop.inits[param]!).constant === null;
  });
}

/** A parameter that steps by a constant, or a sum with one. */
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

/** An `if` that becomes guards. */
function guards(node: SsaNode, mayLoad: boolean): node is IfNode {
  return (
    node.kind === "if" &&
    node.else.nodes.length === 0 &&
    !isJump(node.then.end) &&
    !isJump(node.else.end) &&
    node.then.nodes.every(
      (inner) => inner.kind === "inst" && (isPure(inner) || (mayLoad && inner.op === "ld")) && !isConvergent(inner),
    )
  );
}

/** What stands in the guards beside what they stand among. */
function withoutGuards(nodes: readonly SsaNode[]): readonly SsaNode[] {
  return nodes.flatMap((node) => (node.kind === "if" ? node.then.nodes : [node]));
}

/**
 * What keeps ptxas from unrolling a loop that NVVM could not count: barriers, slow paths, and loads and stores of global
 * memory together.
 */
function blocks(nodes: readonly SsaNode[]): boolean {
  const insts = withoutGuards(nodes).filter((node) => node.kind === "inst");
  const touches = (op: "ld" | "st"): boolean => insts.some((n) => n.op === op && n.mods.space === "global");
  if (touches("ld") && touches("st")) return true;
  return insts.some(({ op, type }) => op === "bar" || twoPaths(op, type) !== null);
}

/**
 * Of a loop with guards of integer arithmetic, which are choices to ptxas then (floats' are guards): tests and choices count, and each part of
 * an integer product's sum; else 0.
 */
function weightOfChoices(nodes: readonly SsaNode[]): number {
  const isFloat = (node: SsaNode): boolean => node.kind === "inst" && node.type === "f32";
  const choices = nodes.filter((node) => node.kind === "if" && !node.then.nodes.every(isFloat)) as IfNode[];
  if (choices.length === 0 || choices.some(({ then }) => then.nodes.some((node) => !isPureNode(node)))) return 0;
  const insts = withoutGuards(nodes);
  const counted = insts.filter((node) => node.kind === "inst" && (node.op === "setp" || !FREE.has(node.op)));
  const fused = insts.filter((node) => node.kind === "inst" && node.op === "mul" && node.type === "f32");
  return counted.length - fused.length + choices.length;
}

function isPureNode(node: SsaNode): boolean {
  return node.kind === "inst" && isPure(node);
}

function short(loop: LoopNode, unrolled: UnrolledLoop, uses: Int32Array): boolean {
  const { counted, rounds } = unrolled;
  let operations = 0;
  let memory = 0;
  let pointers = 0;
  const products = new Set<Value>();
  const sums = new Set<Value>();
  const mayLoad = counted !== null;
  const nodes = [...loop.body.nodes, ...loop.latch.nodes];
  const wraps = mayWrap(unrolled);
  const alone = isAlone(unrolled);
  if (nodes.some((node) => node.kind !== "inst" && (alone || !guards(node, mayLoad)))) return false;
  if (wraps ? blocks(nodes) : weightOfChoices(nodes) > MOST_WITH_CHOICES) return false;
  for (const node of withoutGuards(nodes)) {
    if (node.kind !== "inst") return false;
    if (node.op === "atom" || node.op === "fence" || (isConvergent(node) && node.op !== "bar")) return false;
    if (!FREE.has(node.op)) operations++;
    if (node.op === "ld" || node.op === "st") memory++;
    if (node.op === "addr" && loop.params.includes(resolve(node.operands[0]!))) {
      if (loop.nexts.some((next) => resolve(next) === node.results[0])) pointers++;
    }
    // A product that one sum reads is part of it (FFMA, IMAD).
    if (node.op === "mul" && uses[node.results[0]!.id] === 1) products.add(node.results[0]!);
    if (node.op === "add" && node.operands.some((operand) => products.delete(resolve(operand)))) operations--;
    else if (node.op === "add" && isInteger32(node.type)) {
      // Two sums in a row are one (IADD3).
      if (!wraps && node.operands.some((operand) => sums.delete(resolve(operand)))) operations--;
      else if (uses[node.results[0]!.id] === 1) sums.add(node.results[0]!);
    }
  }
  if (wraps) return operations + 2 * memory <= MOST_WEIGHT_UNSIGNED;
  if (rounds === 1) return operations <= MOST_OPERATIONS_ALONE;
  // A pointer's step is one of the operations.
  return operations <= MOST_OPERATIONS && operations + memory + 3 * pointers <= MOST_WEIGHT;
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

  constructor(fn: SsaFunction, loop: LoopNode, unrolled: UnrolledLoop) {
    this.fn = fn;
    this.loop = loop;
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
      return this.straight(then, state, 2);
    });
    const four = this.guarded(out, this.atLeast(out, eight, 1), eight, (state, then) =>
      this.rounds === 1
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
    const further = out.constant("u32", Number(step.constant) * (times - 1));
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
