/**
 * Lowers SSA to the draft. Each value gets a register, `if`s become branches or predicated instructions. A loop's
 * parameter is a phi with a register of its own. Parallel moves at the loop's entry and latch write it, and a move at
 * the loop's start reads it: Method I of Sreedhar et al., "Translating Out of Static Single Assignment Form", 1999. So
 * the parameter keeps its value while the latch writes the next one, whatever reads it behind the loop.
 * register-coalescing.ts removes the moves between registers that do not interfere.
 */
import type { Span } from "../../base/errors.js";
import { definedIn } from "../analysis/counted-loop.js";
import { Divergence } from "../analysis/divergence.js";
import { BRANCH, BSSY, BSYNC, EXIT, OVERHEAD } from "../machine/machine-instructions.js";
import type { Target } from "../machine/target.js";
import type { Guard } from "../program.js";
import { breaksOut } from "../ssa/loop-jumps.js";
import {
  type IfNode,
  type Inst,
  isJump,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";
import { Convergence } from "./convergence.js";
import { bareInst, type Draft, type DraftIf, type DraftInst, type DraftRegion } from "./draft.js";
import { Emission } from "./emission.js";
import { type Jump, jumpOf, movesAndBreaks, opposite, pairs } from "./emit-jumps.js";

export function emit(fn: SsaFunction, target: Target, predicated: ReadonlySet<IfNode>, debug: boolean = false): Draft {
  const emission = new Emission(fn, target);
  const divergence = new Divergence(fn);
  const convergence = new Convergence(fn, target, divergence, predicated);
  const emitter = new Emitter(emission, target, predicated, divergence, convergence, debug);
  return emitter.run(fn);
}

class Emitter {
  private readonly out: Emission;
  private readonly target: Target;

  private readonly chosen: ReadonlySet<IfNode>;
  private readonly divergence: Divergence;
  private readonly convergence: Convergence;
  /** nvcc -G: both sides of an `if` begin and end with a jump, as do the parts of a loop. */
  private readonly debug: boolean;
  /** Results that already hold the value of the empty else side before their `if`. */
  private readonly preset: Set<Value> = new Set();

  constructor(
    out: Emission,
    target: Target,
    chosen: ReadonlySet<IfNode>,
    divergence: Divergence,
    convergence: Convergence,
    debug: boolean,
  ) {
    this.out = out;
    this.target = target;
    this.chosen = chosen;
    this.divergence = divergence;
    this.convergence = convergence;
    this.debug = debug;
  }

  run(fn: SsaFunction): Draft {
    const start: Span = { line: 1, column: 0, length: 1 };
    let usesGlobal = false;
    let last = start;
    let source = 0;
    walkInstructions(fn.body, (node) => {
      if (node.mods.space === "global" && node.op !== "addr") usesGlobal = true;
    });
    const first = fn.body.nodes[0];
    const at = first === undefined ? start : first.span;
    if (this.target.loadsStackPointer) this.out.overhead(OVERHEAD.stackPointer, at, 0);
    if (this.target.touchesShuffleUnit) this.out.overhead(OVERHEAD.shuffleTouch, at, 0);
    if (usesGlobal && this.target.memoryDescriptor) this.out.overhead(OVERHEAD.memoryDescriptor, at, 0);
    this.region(fn.body, null, true);
    for (const node of fn.body.nodes) {
      last = node.span;
      source = node.source;
    }
    if (fn.body.end.kind === "yield") this.jump({ kind: "exit", loop: -1, copies: [], span: last, source }, null);
    return { region: this.out.region, registers: this.out.registers };
  }

  /**
   * Emits the nodes, and the terminator's jump if it is one. `guard` predicates every instruction. `meets`: lanes
   * that diverge in the last node reconverge at an existing point, or never.
   */
  private region(region: Region, guard: Guard | null, meets = false): void {
    region.nodes.forEach((node, i) => {
      const last = i === region.nodes.length - 1;
      const rest = (): readonly SsaNode[] => region.nodes.slice(i + 1);
      if (node.kind === "inst") this.inst(node, guard);
      else if (node.kind === "if") this.branch(node, guard, rest, meets && last);
      else this.loop(node, rest, meets && last);
    });
    const jump = jumpOf(region.end);
    if (jump !== null) this.jump(jump, null);
  }

  private inst(node: Inst, guard: Guard | null): void {
    const gathering = this.convergence.before(node);
    if (gathering.length > 0) this.out.overhead(gathering, node.span, node.source);
    // The remainder's sign is set behind a jump.
    if (this.debug && SIGNED_DIVISIONS.has(`${node.op} ${node.results[0]?.type ?? ""}`)) this.debugJump(node);
    this.out.inst(node, guard);
  }

  /**
   * Lanes diverge between BSSY and BSYNC. Not `needed`: they do not, or reconverge elsewhere. Returns true if they
   * reconverge here.
   */
  private reconverge(needed: boolean, span: Span, source: number, build: () => void): void {
    if (!needed) {
      build();
      return;
    }
    if (this.target.clearsConvergence) this.out.overhead(OVERHEAD.clearConvergence, span, source);
    const start = bareInst("bssy", BSSY, null, { span, source });
    const end = bareInst("bsync", BSYNC, null, { span, source });
    start.target = end;
    this.out.region.push({ kind: "inst", inst: start });
    build();
    this.out.region.push({ kind: "inst", inst: end });
  }

  /** A jump to the next basic block, which optimised code falls into. */
  private debugJump({ span, source }: { readonly span: Span; readonly source: number }): void {
    if (this.debug) this.out.overhead(BRANCH, span, source);
  }

  private jump(jump: Jump, guard: Guard | null): void {
    this.out.parallelCopies(jump.copies, jump.span, jump.source, guard);
    const inst = jump.kind === "exit" ? bareInst("exit", EXIT, guard, jump) : bareInst("bra", BRANCH, guard, jump);
    this.out.region.push({ kind: "jump", jump: jump.kind, inst, condition: guard, loop: jump.loop });
    this.out.forms.newBlock();
  }

  private branch(node: IfNode, outer: Guard | null, rest: () => readonly SsaNode[], meets: boolean): void {
    const condition = resolve(node.condition);
    if (condition.constant !== null) {
      this.inline(condition.constant === 0 ? node.else : node.then, node, meets);
      return;
    }
    const guard = this.out.guard(condition);
    if (this.chosen.has(node)) {
      this.predicated(node, guard, outer);
      return;
    }
    const thenJumps = isJump(node.then.end);
    const elseJumps = isJump(node.else.end);
    if (thenJumps && node.then.nodes.length === 0 && !movesAndBreaks(node.then.end)) {
      const jump = jumpOf(node.then.end);
      if (jump !== null) this.jump(jump, guard);
      this.inline(node.else, node, meets);
      return;
    }
    if (elseJumps && node.else.nodes.length === 0 && !movesAndBreaks(node.else.end)) {
      const jump = jumpOf(node.else.end);
      if (jump !== null) this.jump(jump, opposite(guard));
      this.inline(node.then, node, meets);
      return;
    }
    if (thenJumps) {
      this.oneSided(node, guard, node.then, []);
      this.inline(node.else, node, meets);
      return;
    }
    if (elseJumps) {
      this.oneSided(node, opposite(guard), node.else, []);
      this.inline(node.then, node, meets);
      return;
    }
    const thenCopies = pairs(node.results, node.then.end.values);
    const elseCopies = pairs(node.results, node.else.end.values);
    const apart = !meets && this.convergence.needsMeeting(node, rest());
    this.reconverge(apart, node.span, node.source, () => {
      if (this.debug && node.elseWritten === true) this.twoSided(node, guard, thenCopies, elseCopies);
      else if (node.else.nodes.length === 0) {
        const copies = elseCopies.filter(([result]) => !this.preset.has(result));
        this.out.parallelCopies(copies, node.span, node.source, null);
        this.presetInside(node);
        this.oneSided(node, guard, node.then, thenCopies);
      } else if (node.then.nodes.length === 0) {
        this.out.parallelCopies(thenCopies, node.span, node.source, null);
        this.oneSided(node, opposite(guard), node.else, elseCopies);
      } else this.twoSided(node, guard, thenCopies, elseCopies);
    });
  }

  /** The nodes of a side that always runs, or that follows a jump of the other side. */
  private inline(side: Region, node: IfNode, meets: boolean): void {
    this.region(side, null, meets && node.results.length === 0);
    if (!isJump(side.end)) this.out.parallelCopies(pairs(node.results, side.end.values), node.span, node.source, null);
  }

  private oneSided(node: IfNode, guard: Guard, side: Region, copies: readonly (readonly [Value, Value])[]): void {
    const outer = this.out.region;
    const branch = bareInst("bra", BRANCH, opposite(guard), node);
    const then = this.inside(() => {
      this.debugJump(node);
      this.region(side, null, this.divergence.differs(node.condition));
      if (isJump(side.end)) return;
      this.out.parallelCopies(copies, node.span, node.source, null);
      this.debugJump(node);
    });
    const draft: DraftIf = { kind: "if", branch, condition: guard, then, jumpOver: null, else: [] };
    outer.push(draft);
  }

  private twoSided(
    node: IfNode,
    guard: Guard,
    thenCopies: readonly (readonly [Value, Value])[],
    elseCopies: readonly (readonly [Value, Value])[],
  ): void {
    const outer = this.out.region;
    const meets = this.divergence.differs(node.condition);
    // nvcc lays out the else side first. A side that ends in branches comes last, so that they jump straight to the
    // end.
    const thenFirst = this.debug || this.endsInBranch(node.else) || !this.endsInBranch(node.then);
    // The first side has its jump over the other one.
    const last = thenFirst ? node.else : node.then;
    const side = (region: Region, copies: readonly (readonly [Value, Value])[]): DraftRegion =>
      this.inside(() => {
        if (region === node.then) this.debugJump(node);
        this.region(region, null, meets);
        this.out.parallelCopies(copies, node.span, node.source, null);
        if (region === last) this.debugJump(node);
      });
    const first = thenFirst ? guard : opposite(guard);
    const branch = bareInst("bra", BRANCH, opposite(first), node);
    const then = thenFirst ? side(node.then, thenCopies) : side(node.else, elseCopies);
    const jumpOver = bareInst("bra", BRANCH, null, node);
    const otherwise = thenFirst ? side(node.else, elseCopies) : side(node.then, thenCopies);
    outer.push({ kind: "if", branch, condition: first, then, jumpOver, else: otherwise });
  }

  /** A chain of tests with the same constant in every else side: the first sets it, for its body as well. */
  private presetInside(node: IfNode): void {
    const last = node.then.nodes.at(-1);
    if (last === undefined || last.kind !== "if" || last.else.nodes.length > 0 || this.chosen.has(last)) return;
    if (isJump(last.then.end) || isJump(last.else.end)) return;
    node.results.forEach((result, i) => {
      const inner = last.results.indexOf(resolve(node.then.end.values[i]!));
      if (inner < 0 || this.out.hasRegister(last.results[inner]!)) return;
      const left = resolve(node.else.end.values[i]!);
      if (left.constant === null || resolve(last.else.end.values[inner]!) !== left) return;
      this.out.share(last.results[inner]!, result);
      this.preset.add(last.results[inner]!);
    });
  }

  private endsInBranch(region: Region): boolean {
    const last = region.nodes.at(-1);
    return last !== undefined && last.kind === "if" && !this.chosen.has(last);
  }

  private inside(build: () => void): DraftRegion {
    const outer = this.out.region;
    const region: DraftRegion = [];
    this.out.region = region;
    this.out.forms.newBlock();
    build();
    this.out.forms.newBlock();
    this.out.region = outer;
    return region;
  }

  private predicated(node: IfNode, guard: Guard, outer: Guard | null): void {
    if (outer !== null) {
      this.predicatedInside(node, guard, outer);
      return;
    }
    const oneSide = node.else.nodes.length === 0 ? node.then : node.then.nodes.length === 0 ? node.else : null;
    const before: (readonly [Value, Value])[] = [];
    const rest: { readonly copy: readonly [Value, Value]; readonly guard: Guard }[] = [];
    const flip = opposite(guard);
    const made = new Set(
      [...node.then.nodes, ...node.else.nodes].flatMap((child) => (child.kind === "loop" ? [] : child.results)),
    );
    node.results.forEach((result, i) => {
      const thenValue = resolve(node.then.end.values[i]!);
      const elseValue = resolve(node.else.end.values[i]!);
      const thenInside = this.adopt(thenValue, result, node.then);
      const elseInside = this.adopt(elseValue, result, node.else);
      if (oneSide !== null) {
        const outsideValue = oneSide === node.then ? elseValue : thenValue;
        const insideValue = oneSide === node.then ? thenValue : elseValue;
        if (insideValue.owner?.kind === "loop" && outsideValue.owner === null && !made.has(insideValue)) {
          // A loop-carried value stays in its register; the other value overwrites it.
          before.push([result, insideValue]);
          rest.push({ copy: [result, outsideValue], guard: oneSide === node.then ? flip : guard });
          return;
        }
        before.push([result, outsideValue]);
        if (!(oneSide === node.then ? thenInside : elseInside)) {
          rest.push({ copy: [result, insideValue], guard: oneSide === node.then ? guard : flip });
        }
        return;
      }
      // A value from outside is moved first; the other side overwrites it.
      if (thenInside && !elseInside && !made.has(elseValue)) before.push([result, elseValue]);
      else if (elseInside && !thenInside && !made.has(thenValue)) before.push([result, thenValue]);
      else {
        if (!thenInside) rest.push({ copy: [result, thenValue], guard });
        if (!elseInside) rest.push({ copy: [result, elseValue], guard: flip });
      }
    });
    this.out.parallelCopies(before, node.span, node.source, null);
    this.out.merging = true;
    this.out.forms.underGuard(() => this.region(node.then, guard));
    this.out.forms.underGuard(() => this.region(node.else, flip));
    for (const { copy, guard: own } of rest) this.out.parallelCopies([copy], node.span, node.source, own);
    this.out.merging = false;
  }

  /**
   * A predicated body in a predicated body (without memory accesses). All lanes of the outer condition compute the
   * inner else side. The inner side overwrites it under both conditions.
   */
  private predicatedInside(node: IfNode, guard: Guard, outer: Guard): void {
    const swap = node.then.nodes.length === 0;
    const under = swap ? node.else : node.then;
    const over = swap ? node.then : node.else;
    const both = this.out.conjunction(outer, swap ? opposite(guard) : guard, node.span, node.source);
    const side = (region: Region, own: Guard): void => {
      const copies = pairs(node.results, region.end.values).filter(
        ([result, value]) => !this.adopt(resolve(value), result, region),
      );
      this.region(region, own);
      this.out.parallelCopies(copies, node.span, node.source, own);
    };
    side(over, outer);
    side(under, both);
  }

  /** A value defined in `side` is written directly to the register of the if's result. */
  private adopt(value: Value, result: Value, side: Region): boolean {
    if (
      this.out.hasRegister(value) ||
      this.out.isOperand(value) ||
      !side.nodes.some((child) => child.kind !== "loop" && child.results.includes(value))
    )
      return false;
    this.out.share(value, result);
    return true;
  }

  private loop(node: LoopNode, rest: () => readonly SsaNode[], meets: boolean): void {
    this.out.copiesToPhis(node.params, node.inits, node.span, node.source);
    // The exit values of the test are available before the loop, where a `break` overwrites them.
    const broken = breaksOut(node);
    const inside = broken ? definedIn(node) : null;
    const known = (value: Value): boolean => inside?.has(resolve(value)) === false;
    const results = pairs(node.results, node.exits);
    const before = results.filter(([, exit]) => known(exit));
    this.out.parallelCopies(before, node.span, node.source, null);
    const unset = results.filter(([, exit]) => !known(exit));
    this.reconverge(!meets && this.convergence.needsMeeting(node, rest()), node.span, node.source, () =>
      this.rounds(node, unset, broken),
    );
  }

  private rounds(node: LoopNode, results: readonly (readonly [Value, Value])[], broken: boolean): void {
    const { out } = this;
    const outer = out.region;
    // The exits equal to the next iteration's parameters are read from their phis, so that both share a register.
    const own: (readonly [Value, Value])[] = [];
    const carried: (readonly [Value, Value])[] = [];
    for (const [result, exit] of results) {
      const next = node.nexts.findIndex((value) => resolve(value) === resolve(exit));
      if (next < 0) own.push([result, exit]);
      else carried.push([result, node.params[next]!]);
    }
    const leave = (): void => {
      out.parallelCopies(own, node.span, node.source, null);
      out.resultsFromPhis(carried, node.span, node.source);
    };
    const body = this.inside(() => {
      out.copiesFromPhis(node.params, node.span, node.source);
      this.debugJump(node);
      this.region(node.body, null);
      if (!isJump(node.body.end))
        out.parallelCopies(pairs(node.latchParams, node.body.end.values), node.span, node.source, null);
    });
    let condition: Guard | null = null;
    const latch = this.inside(() => {
      this.debugJump(node);
      this.region(node.latch, null);
      this.debugJump(node);
      if (node.condition !== null) {
        const value = resolve(node.condition);
        if (value.constant === null || value.constant === 0) condition = out.guard(value);
      }
      out.copiesToPhis(node.params, node.nexts, node.span, node.source);
      if (broken) leave();
    });
    // A body that runs once and ends at its exit needs no back branch.
    const never = node.condition !== null && resolve(node.condition).constant === 0;
    const backBranch = bareInst("bra", never ? [] : BRANCH, condition, node);
    if (this.target.touchesShuffleUnit && !touchesMemory([...body, ...latch])) {
      const touch = bareInst("overhead", OVERHEAD.shuffleTouch, null, node);
      (body.length > 0 ? body : latch).unshift({ kind: "inst", inst: touch });
    }
    outer.push({ kind: "loop", id: node.id, body, latch, backBranch, condition });
    if (!broken) leave();
  }
}

export type { DraftInst, Inst };

/** Each has one jump in nvcc -G's code. */
const SIGNED_DIVISIONS: ReadonlySet<string> = new Set(["div i32", "rem i32"]);

const MEMORY: ReadonlySet<string> = new Set(["ld", "st", "atom", "bar"]);

/** True if the first basic block accesses memory or waits at a barrier. */
function touchesMemory(code: DraftRegion): boolean {
  for (const node of code) {
    if (node.kind !== "inst" || node.inst.op === "bssy") return false;
    if (MEMORY.has(node.inst.op)) return true;
  }
  return false;
}
