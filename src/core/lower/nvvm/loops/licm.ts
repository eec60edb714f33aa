/**
 * Loop-invariant code motion: moves invariants to the preheader. A load moves only where every iteration executes it
 * and nothing in the loop may change its memory.
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { accessOf, clobbersOf, type DynamicShared, mayMeet } from "../../analysis/memory-values.js";
import { isConvergent, isPure, isSpeculatable } from "../../ssa/effects.js";
import { jumps } from "../../ssa/loop-jumps.js";
import {
  holdsLoop,
  type Inst,
  type LoopNode,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../../ssa/ssa.js";
import { isLongerThan, readsOf, rewriteLoops, walkLoop } from "../../ssa/traversal.js";

/**
 * A thread has seven predicates. A test after a barrier or an exchange between lanes stays there, unless all tests
 * of the loop fit. A test of a body that is not predicated always stays.
 */
const KEPT_PREDICATES = 6;
const LONG_BODY = 8;

/** True if something moved. */
export function hoistInvariants(fn: SsaFunction, dynamicShared: DynamicShared): boolean {
  return rewriteLoops(fn.body, (loop) => {
    const hoisted = new Hoister(loop, dynamicShared).run();
    return { nodes: [...hoisted, loop], changed: hoisted.length > 0 };
  });
}

class Hoister {
  private readonly loop: LoopNode;
  private readonly inside: Set<Value>;
  private readonly hoisted: Inst[] = [];
  private readonly dynamicShared: DynamicShared;
  /** Masked values whose only use is a test for zero: LOP3 does both. */
  private readonly testedOnly: ReadonlySet<Value>;
  /** The loop contains another loop, across which ptxas keeps no predicate. */
  private readonly outer: boolean;
  /** The only use of a predicate in the loop, where it combines it with another predicate. */
  private readonly combinedBy: ReadonlyMap<Value, Inst>;
  /** Tests that only select between invariant values: the selected value is hoisted, not the predicate. */
  private readonly choosing: ReadonlySet<Value>;
  private predicates = 0;
  private readonly branching = new Set<Value>();

  constructor(loop: LoopNode, dynamicShared: DynamicShared) {
    this.loop = loop;
    this.outer = holdsLoop(loop);
    this.testedOnly = zeroTested(loop);
    this.combinedBy = combinations(loop);
    this.dynamicShared = dynamicShared;
    this.inside = definedIn(loop);
    this.choosing = this.choices();
    walkLoop(loop, (node) => this.count(node));
  }

  run(): Inst[] {
    this.region(this.loop.body, true);
    this.region(this.loop.latch, true);
    return this.hoisted;
  }

  private count(node: SsaNode): void {
    if (node.kind === "inst" && node.op === "setp") this.predicates++;
    if (node.kind === "if" && isLongerThan(LONG_BODY, node)) this.branching.add(resolve(node.condition));
  }

  private invariant(inst: Inst): boolean {
    return inst.operands.every((operand) => !this.inside.has(resolve(operand)));
  }

  /** `always`: every iteration executes the region. */
  private region(region: Region, always: boolean): void {
    let certain = always;
    let entered = always;
    const kept: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        if (this.invariant(node) && this.movable(node, certain, entered)) {
          this.hoisted.push(node);
          for (const result of node.results) this.inside.delete(result);
          continue;
        }
        if (isConvergent(node)) certain = false;
      } else if (node.kind === "if") {
        this.region(node.then, false);
        this.region(node.else, false);
        if (jumps(node.then) || jumps(node.else)) certain = entered = false;
      } else {
        this.region(node.body, false);
        this.region(node.latch, false);
      }
      kept.push(node);
    }
    region.nodes = kept;
  }

  /** A variant test combines it (ISETP.AND), so no predicate stays live across the iterations. */
  private testedAlong(inst: Inst): boolean {
    const by = inst.op === "setp" ? this.combinedBy.get(inst.results[0]!) : undefined;
    return by?.operands.some((operand) => !this.constantHere(resolve(operand))) === true;
  }

  private choices(): ReadonlySet<Value> {
    const found = new Set<Value>();
    const read = new Set<Value>();
    for (const region of regionsOf(this.loop)) {
      walk(region, (node) => {
        if (node.kind === "if") read.add(resolve(node.condition));
        if (node.kind !== "inst") return;
        const fixed = node.op === "selp" && this.constantHere(node.results[0]!);
        for (const operand of node.operands) (fixed ? found : read).add(resolve(operand));
      });
      for (const value of region.end.values) read.add(resolve(value));
    }
    for (const value of [...this.loop.nexts, ...this.loop.exits]) read.add(resolve(value));
    if (this.loop.condition !== null) read.add(resolve(this.loop.condition));
    for (const value of read) found.delete(value);
    return found;
  }

  private constantHere(value: Value): boolean {
    if (!this.inside.has(value)) return true;
    const { def } = value;
    return def !== null && isSpeculatable(def) && def.operands.every((operand) => this.constantHere(resolve(operand)));
  }

  private movable(inst: Inst, certain: boolean, entered: boolean): boolean {
    if (this.testedAlong(inst)) return false;
    // ptxas keeps no predicate live for a block that some iterations skip, nor across a loop: the test stays.
    const roomy = entered && this.predicates <= KEPT_PREDICATES && !this.branching.has(inst.results[0]!);
    const keepsTest = ((certain || roomy) && !this.outer) || this.choosing.has(inst.results[0]!);
    if (!keepsTest && (inst.op === "setp" || this.testedOnly.has(inst.results[0]!))) return false;
    // The address of a shared array is computed in the block that uses it, unless every iteration uses it.
    if (!entered && inst.op === "base" && inst.mods.root?.kind === "shared") return false;
    if (isSpeculatable(inst)) return true;
    if (!certain) return false;
    if (isPure(inst)) return true;
    if (inst.op !== "ld" || inst.mods.volatile === true) return false;
    const clobbers = clobbersOf(this.loop);
    if (clobbers.everything) return false;
    const access = accessOf(inst);
    return clobbers.stores.every((store) => !mayMeet(access, store, this.dynamicShared));
  }
}

/** Predicates with one use in the loop, which combines them with another predicate. */
function combinations(loop: LoopNode): ReadonlyMap<Value, Inst> {
  const readers = new Map<Value, Inst | null>();
  const read = (operand: Value, by: Inst | null): void => {
    const value = resolve(operand);
    readers.set(value, readers.has(value) ? null : by);
  };
  walkLoop(loop, (node) => {
    const by = node.kind === "inst" && (node.op === "pand" || node.op === "por") ? node : null;
    for (const value of readsOf(node)) read(value, by);
  });
  for (const value of [...loop.nexts, ...loop.exits, ...(loop.condition === null ? [] : [loop.condition])])
    read(value, null);
  const result = new Map<Value, Inst>();
  for (const [value, by] of readers) if (by !== null) result.set(value, by);
  return result;
}

function zeroTested(loop: LoopNode): ReadonlySet<Value> {
  const tested = new Set<Value>();
  const read = new Set<Value>();
  const visit = (node: SsaNode): void => {
    if (node.kind !== "inst") return;
    const [first, second] = node.operands;
    const zero = node.op === "setp" && node.operands.length === 2 && Number(resolve(second!).constant ?? 1) === 0;
    for (const operand of node.operands) {
      const value = resolve(operand);
      if (value.def?.op !== "and") continue;
      if (zero && operand === first) tested.add(value);
      else read.add(value);
    }
  };
  walkLoop(loop, visit);
  for (const value of read) tested.delete(value);
  return tested;
}
