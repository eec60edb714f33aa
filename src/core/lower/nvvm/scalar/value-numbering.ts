/**
 * One walk that simplifies every instruction, merges equal computations (scopes are regions, so they dominate),
 * forwards memory values, and folds branches on known conditions. After LLVM's EarlyCSE, GVN, InstCombine and
 * CorrelatedValuePropagation.
 */
import type { SharedArray } from "../../../ir/ir.js";
import { simplifyAccess, simplifyAddress } from "../../analysis/address.js";
import { definedIn } from "../../analysis/counted-loop.js";
import { dropEqualResults, dropSteadyParams, shownMultiples, shownParams } from "../../analysis/loop-values.js";
import { clobbersOf, type DynamicShared, dynamicOf, loopClobbers, MemoryValues } from "../../analysis/memory-values.js";
import type { RegisterType } from "../../program.js";
import { isPure, isSpeculatable } from "../../ssa/effects.js";
import { Maker } from "../../ssa/inst-builder.js";
import { breaksOut, continues } from "../../ssa/loop-jumps.js";
import {
  type IfNode,
  Inst,
  isJump,
  type LoopNode,
  type Modifiers,
  type Region,
  replace,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { pureKey, SIGNLESS } from "../../ssa/value-key.js";
import { Facts, shownNotNegative } from "../../ssa/value-tracking.js";
import { clampOf } from "./clamp.js";
import { boundFold, identityFold } from "./identity-fold.js";
import { simplify } from "./inst-combine.js";
import { Reassociation } from "./reassociate.js";

/** The transformations that NVVM only does in some of its passes. */
export interface NumberingRules {
  /** Sums and products reuse similar ones (`reassociate.ts`). */
  readonly reassociates: boolean;
  /** So do sums of multiples of one stride. */
  readonly strides: boolean;
  /** Compares of sums and quotients are simplified, before loops are unrolled (InstCombine). */
  readonly compares: boolean;
}

export function numberValues(fn: SsaFunction, sharedArrays: readonly SharedArray[], rules: NumberingRules): void {
  new Numbering(fn, dynamicOf(sharedArrays), rules).run();
}

class Numbering {
  private readonly fn: SsaFunction;
  private readonly facts = new Facts();
  private readonly maker: Maker;
  private scopes: Map<string, Value>[] = [new Map()];
  private out: SsaNode[] = [];
  private readonly reassociation: Reassociation;
  private memory: MemoryValues;
  /** The values that the current loop defines. */
  private inside: ReadonlySet<Value> | null = null;
  /** Conditions known to hold or fail at the current position. */
  private readonly known = new Map<number, boolean>();
  /** Set once the current region has ended in a jump that was inlined into it. */
  private jumped: Region["end"] | null = null;
  /** Values that are non-negative in the rest of the current region: lanes where they are negative have jumped out. */
  private shownHere: Value[] = [];

  constructor(
    fn: SsaFunction,
    dynamicShared: DynamicShared,
    private readonly rules: NumberingRules,
  ) {
    this.fn = fn;
    this.memory = MemoryValues.empty(dynamicShared);
    this.maker = new Maker(fn, this.facts, rules, (inst) => this.place(inst)!);
    this.reassociation = new Reassociation(fn, rules.strides, {
      find: (key) => this.lookup(key),
      remember: (key, value) => this.scopes.at(-1)!.set(key, value),
      readOnce: (value) => this.maker.readOnce(value),
      isFixed: (value) => this.inside !== null && !this.inside.has(value),
      place: (inst) => this.place(inst, true)!,
    });
  }

  run(): void {
    this.region(this.fn.body);
  }

  private lookup(key: string): Value | undefined {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i]!.get(key);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Simplifies an instruction and appends it unless its value is available. Returns the value of its first result. */
  private place(inst: Inst, final = false): Value | null {
    for (let i = 0; i < inst.operands.length; i++) {
      const operand = resolve(inst.operands[i]!);
      inst.operands[i] = operand.type === "bool" ? this.decided(operand) : operand;
    }
    const shorter = final || !this.rules.reassociates ? null : this.reassociation.shorter(inst);
    if (shorter !== null) {
      this.scopes.at(-1)!.set(pureKey(inst), shorter);
      return shorter;
    }
    const at = this.maker.at;
    const simpler =
      inst.op === "addr" ? simplifyAddress(inst, this.maker, (key) => this.available(key)) : simplify(inst, this.maker);
    this.maker.at = at;
    if (simpler !== null) {
      // An equal instruction then finds the simpler value.
      if (inst.op === "addr" || inst.op === "add") this.scopes.at(-1)!.set(pureKey(inst), simpler);
      return simpler;
    }
    if (inst.op === "ld" || inst.op === "st" || inst.op === "atom") {
      simplifyAccess(inst);
      if (this.touch(inst)) return inst.results[0] === undefined ? null : resolve(inst.results[0]);
    } else if (!isPure(inst)) this.memory.forget(clobbersOf(inst));
    if (isPure(inst) && inst.results.length === 1) {
      const key = pureKey(inst);
      const same = this.lookup(key);
      if (same !== undefined) {
        // One sum may be known not to overflow where the other may: merged and unsigned, both wrap.
        const { def } = resolve(same);
        if (def !== null && def.type === "i32" && inst.type === "u32" && SIGNLESS.has(inst.op)) def.type = "u32";
        return resolve(same);
      }
      this.scopes.at(-1)!.set(key, inst.results[0]!);
    }
    this.out.push(inst);
    return inst.results[0] ?? null;
  }

  private available(inst: Inst): Value | null {
    const same = this.lookup(pureKey(inst));
    return same === undefined ? null : resolve(same);
  }

  /** Memory accesses: true if the instruction is redundant. */
  private touch(inst: Inst): boolean {
    if (inst.op === "ld" && inst.mods.volatile !== true) {
      const values = this.memory.find(inst);
      if (values !== null) {
        replaceEach(inst.results, (i) => values[i]!);
        return true;
      }
      this.memory.remember(inst, inst.results);
      return false;
    }
    if (inst.op !== "ld") this.memory.forget(clobbersOf(inst));
    if (inst.op === "st" && inst.mods.volatile !== true) this.memory.remember(inst, inst.operands.slice(1));
    return false;
  }

  private decided(condition: Value): Value {
    const known = this.known.get(condition.id);
    return known === undefined ? condition : this.fn.constant("bool", known ? 1 : 0);
  }

  private region(region: Region): void {
    const outer = this.out;
    const outerJump = this.jumped;
    const outerShown = this.shownHere;
    this.out = [];
    this.jumped = null;
    this.shownHere = [];
    for (const node of region.nodes) {
      if (node.kind === "inst") this.inst(node);
      else if (node.kind === "if") this.branch(node);
      else this.loop(node);
      if (this.jumped !== null) {
        region.end = this.jumped;
        break;
      }
    }
    region.nodes = this.out;
    const { values } = region.end;
    for (let i = 0; i < values.length; i++) values[i] = resolve(values[i]!);
    for (const value of this.shownHere) this.facts.retract(value);
    this.out = outer;
    this.jumped = outerJump;
    this.shownHere = outerShown;
  }

  private inst(inst: Inst): void {
    const value = this.place(inst);
    const result = inst.results[0];
    if (value === null || result === undefined || value === result) return;
    this.maker.standsFor(value, result);
    replace(result, value);
  }

  /** A region with its own scope, under a condition that is known there. */
  private scoped(region: Region, condition: Value | null, holds: boolean): void {
    this.scopes.push(new Map());
    const shown = condition === null ? [] : shownNotNegative(condition, holds);
    for (const value of shown) this.facts.assume(value);
    if (condition !== null) this.known.set(condition.id, holds);
    this.region(region);
    for (const value of shown) this.facts.retract(value);
    if (condition !== null) this.known.delete(condition.id);
    this.scopes.pop();
  }

  private branch(node: IfNode): void {
    let condition = this.decided(resolve(node.condition));
    if (condition.def?.op === "pnot") {
      condition = this.decided(resolve(condition.def.operands[0]!));
      const { then } = node;
      node.then = node.else;
      node.else = then;
    }
    node.condition = condition;
    if (condition.constant !== null) {
      this.inline(condition.constant === 0 ? node.else : node.then, node);
      return;
    }
    const before = this.memory;
    this.memory = before.copy();
    this.scoped(node.then, condition, true);
    const afterThen = this.memory;
    this.memory = before.copy();
    this.scoped(node.else, condition, false);
    const thenJumps = isJump(node.then.end);
    const elseJumps = isJump(node.else.end);
    if (thenJumps) {
      // Memory is then as the other side left it, and the condition is known from here on.
    } else if (elseJumps) this.memory = afterThen;
    else {
      this.memory = before;
      before.forget(clobbersOf(node));
    }
    this.join(node, thenJumps, elseJumps);
  }

  private inline(side: Region, node: IfNode): void {
    for (const child of side.nodes) {
      if (child.kind === "inst") this.inst(child);
      else if (child.kind === "if") this.branch(child);
      else this.loop(child);
      if (this.jumped !== null) return;
    }
    if (isJump(side.end)) {
      this.jumped = side.end;
      return;
    }
    replaceEach(node.results, (i) => side.end.values[i]!);
  }

  /** Handles results that need no join, joins that are selects, and the side that remains after the other jumped. */
  private join(node: IfNode, thenJumps: boolean, elseJumps: boolean): void {
    if (thenJumps && elseJumps) {
      this.out.push(node);
      this.jumped = { kind: "unreachable", values: [] };
      return;
    }
    if (thenJumps !== elseJumps) {
      const side = thenJumps ? node.else : node.then;
      for (const value of shownNotNegative(node.condition, !thenJumps)) {
        this.facts.assume(value);
        this.shownHere.push(value);
      }
      // The side that does not jump continues after the if.
      const rest = side.nodes;
      side.nodes = [];
      const { results } = node;
      node.results = [];
      const values = side.end.values;
      side.end = { kind: "yield", values: [] };
      this.out.push(node);
      this.out.push(...rest);
      for (const child of rest) {
        if (child.kind === "inst" && isPure(child) && child.results.length === 1) {
          this.scopes.at(-1)!.set(pureKey(child), child.results[0]!);
        }
      }
      replaceEach(results, (i) => values[i]!);
      return;
    }
    this.testOnlyWhere(node);
    this.clampOnlyWhere(node);
    this.addOnlyWhere(node);
    this.boundOnlyWhere(node);
    const thenValues = node.then.end.values;
    const elseValues = node.else.end.values;
    const kept: number[] = [];
    const empty = node.then.nodes.length === 0 && node.else.nodes.length === 0;
    const pending: (readonly [Value, Value, Value])[] = [];
    node.results.forEach((result, i) => {
      const a = resolve(thenValues[i]!);
      const b = resolve(elseValues[i]!);
      const same = node.results.findIndex(
        (_, j) => j < i && resolve(thenValues[j]!) === a && resolve(elseValues[j]!) === b,
      );
      if (a === b) replace(result, a);
      else if (same >= 0) replace(result, node.results[same]!);
      else if (empty) pending.push([result, a, b]);
      else kept.push(i);
    });
    node.then.end = { kind: "yield", values: kept.map((i) => thenValues[i]!) };
    node.else.end = { kind: "yield", values: kept.map((i) => elseValues[i]!) };
    node.results = kept.map((i) => node.results[i]!);
    if (!empty) {
      this.out.push(node);
      return;
    }
    for (const [result, a, b] of pending) {
      const select = new Inst(
        "selp",
        result.type,
        [this.fn.value(result.type)],
        [a, b, node.condition],
        {},
        node.span,
        node.source,
      );
      replace(result, this.place(select)!);
    }
  }

  /** A test whose right side is a plain compare once its loads are available: becomes and, or. */
  private testOnlyWhere(node: IfNode): void {
    const children = [...node.then.nodes, ...node.else.nodes];
    if (node.results.length !== 1 || node.results[0]!.type !== "bool" || children.length === 0) return;
    const fixed = [node.then, node.else].some((side) => resolve(side.end.values[0]!).constant !== null);
    const tests = children.filter(isTest);
    const parameters = children.filter((child) => child.kind === "inst" && child.op === "param");
    if (!fixed || tests.length !== 1 || tests.length + parameters.length < children.length) return;
    this.out.push(...children);
    node.then.nodes = [];
    node.else.nodes = [];
  }

  /** x < low ? low : min(x, high) is max(min(x, high), low), and vice versa, where low <= high. */
  private clampOnlyWhere(node: IfNode): void {
    const clamp = clampOf(node);
    if (clamp === null) return;
    node.then.nodes = [];
    node.else.nodes = [];
    const bounded = (op: "min" | "max", of: Value, by: number): Value => {
      const operands = [of, this.fn.constant("i32", by)];
      return this.place(new Inst(op, "i32", [this.fn.value("i32")], operands, {}, node.span, node.source))!;
    };
    const value = bounded(clamp.outer, bounded(clamp.inner, clamp.value, clamp.limit), clamp.bound);
    node.then.end.values = [value];
    node.else.end.values = [value];
  }

  /**
   * `if (c) x += y` becomes x += (c ? y : 0) for every operation with an identity operand, if the body has nothing
   * else (LLVM's foldSelectIntoOp). A constant y is selected against 0 only if it is 1 or -1.
   */
  private addOnlyWhere(node: IfNode): void {
    const { then, else: otherwise } = node;
    const children = [...then.nodes, ...otherwise.nodes];
    const twoSided = then.nodes.length > 0 && otherwise.nodes.length > 0;
    if (children.length === 0 || children.length > 2) return;
    if (!children.every((child) => child.kind === "inst" && isSpeculatable(child))) return;
    const folds = node.results.map((_, i) => {
      const [a, b] = [resolve(then.end.values[i]!), resolve(otherwise.end.values[i]!)];
      const fold = identityFold(a, b, then);
      if (fold !== null) return { ...fold, swap: false };
      const other = identityFold(b, a, otherwise);
      return other === null ? null : { ...other, swap: true };
    });
    if (!folds.every((fold) => fold !== null)) return;
    const last = new Set(folds.map((fold) => fold.inst));
    // With two sides, each must add a value of its own.
    if (twoSided && last.size < children.length) return;
    for (const child of children) if (child.kind === "inst" && !last.has(child)) this.out.push(child);
    then.nodes = [];
    otherwise.nodes = [];
    folds.forEach((fold, i) => {
      const { inst, kept, added, identity, swap } = fold;
      const none = this.maker.constantFor(inst, identity);
      const operands = swap ? [none, added, node.condition] : [added, none, node.condition];
      const select = new Inst("selp", inst.type, [this.fn.value(inst.type)], operands, {}, node.span, node.source);
      const chosen = this.place(select)!;
      const sum = new Inst(
        inst.op,
        inst.type,
        [this.fn.value(inst.type)],
        [kept, chosen],
        inst.mods,
        inst.span,
        inst.source,
      );
      const value = this.place(sum)!;
      then.end.values[i] = value;
      otherwise.end.values[i] = value;
    });
  }

  /** A lone `if (c) v = max(v, u)` becomes c && v < u ? u : v, as NVVM lowers a maximum in its own block. */
  private boundOnlyWhere(node: IfNode): void {
    const { then, else: otherwise } = node;
    if (node.results.length !== 1 || then.nodes.length !== 1 || otherwise.nodes.length > 0) return;
    const fold = boundFold(resolve(then.end.values[0]!), resolve(otherwise.end.values[0]!), then);
    if (fold === null) return;
    const { inst, kept, other } = fold;
    const make = (op: "setp" | "pand" | "selp", type: RegisterType, operands: Value[], mods: Modifiers): Value =>
      this.place(new Inst(op, type, [this.fn.value(type)], operands, mods, inst.span, inst.source))!;
    const compare = inst.op === "max" ? "lt" : "gt";
    const further = make("setp", "bool", [kept, other], { sourceType: inst.type, compare });
    const both = make("pand", "bool", [node.condition, further], {});
    const value = make("selp", inst.type, [other, kept, both], {});
    then.nodes = [];
    then.end.values[0] = value;
    otherwise.end.values[0] = value;
  }

  private loop(node: LoopNode): void {
    if (node.condition !== null) node.condition = resolve(node.condition);
    if (node.latchParams.length > 0 && node.body.end.kind === "yield" && !continues(node)) {
      // Without a `continue` the latch sees the body's values.
      const { values } = node.body.end;
      replaceEach(node.latchParams, (i) => values[i]!);
      node.latchParams = [];
      node.body.end.values = [];
    }
    for (let i = 0; i < node.inits.length; i++) node.inits[i] = resolve(node.inits[i]!);
    dropSteadyParams(node);
    this.memory.forget(loopClobbers(node));
    const memory = this.memory.copy();
    const shown = shownParams(node, this.facts);
    for (const value of shown) this.facts.assume(value);
    const multiples = shownMultiples(node, this.facts);
    for (const [value, exponent] of multiples) this.facts.assumeMultiple(value, exponent);
    const outside = this.inside;
    this.inside = definedIn(node);
    this.scopes.push(new Map());
    this.region(node.body);
    if (continues(node)) {
      // The body does not dominate the latch.
      this.scopes.pop();
      this.scopes.push(new Map());
      this.memory = memory.copy();
    }
    this.scoped(node.latch, null, true);
    this.scopes.pop();
    this.inside = outside;
    for (const value of shown) this.facts.retract(value);
    for (const [value] of multiples) this.facts.retractMultiple(value);
    this.memory = memory;
    for (const list of [node.nexts, node.exits]) for (let i = 0; i < list.length; i++) list[i] = resolve(list[i]!);
    if (node.condition !== null) node.condition = resolve(node.condition);
    dropSteadyParams(node);
    if (!breaksOut(node)) dropEqualResults(node);
    this.out.push(node);
  }
}

function isTest(node: SsaNode): boolean {
  return node.kind === "inst" && node.op === "setp";
}
