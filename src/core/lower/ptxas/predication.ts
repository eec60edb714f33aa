/**
 * Decides which `if`s become predicated instructions instead of branches, after ptxas (nvcc 13.0 for sm_90,
 * NVCC-RULES.md). Short bodies without calls or exchange between lanes are predicated. A body that waits for global
 * memory is predicated only if enough independent work fills the wait, or if both sides wait.
 */

import { isGlobalLoad, isSharedPlace } from "../analysis/address.js";
import { OperandForms } from "../machine/operand-forms.js";
import type { Target } from "../machine/target.js";
import { isConvergent, isPure } from "../ssa/effects.js";
import {
  type IfNode,
  type Inst,
  isJump,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";

/** The most machine instructions of a side. */
const LONGEST_SIDE = 8;
const LONGEST_OF_TWO = 7;
/**
 * The most of a side that waits for global memory, if the wait is filled (bodies of 8 to 25 instructions, nvcc
 * 13.0).
 */
const LONGEST_WAITING = 20;
/** The independent work that fills a wait for global memory: for a value that is used at once, or for a store. */
const WORK_FOR_VALUE = 4;
const WORK_FOR_STORE = 3;
/** The work if the test itself waits for memory, or two loads fill each other's wait; a constant's MOV counts. */
const WORK_BESIDE_WAITS = 3;
/** An independent load fills any wait. */
const LOAD_IS_WORTH = 10;
const BARRIER_IS_WORTH = 2;

export function choosePredicated(fn: SsaFunction, target: Target): ReadonlySet<IfNode> {
  // Predicated loads fill each other's waits. Start with all neighbours predicated, and remove those that do not pay.
  const chosen = new Set<IfNode>();
  const choice = new Choice(fn, target, chosen);
  choice.assume(fn.body);
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    choice.region(fn.body);
  }
  return chosen;
}

class Choice {
  private readonly target: Target;
  private readonly forms: OperandForms;
  private readonly chosen: Set<IfNode>;
  /** Switch arms whose test halves the range. */
  private readonly halves: Set<IfNode> = new Set();
  private readonly latchOf: Map<Region, Region> = new Map();

  constructor(fn: SsaFunction, target: Target, chosen: Set<IfNode>) {
    this.target = target;
    this.forms = new OperandForms(fn, target);
    this.chosen = chosen;
  }

  /**
   * Predicates everything that can be. A side that ends in a jump stays a branch. Exceptions: two `if`s that exclude
   * each other, and the last two arms of a switch after its tests.
   */
  assume(region: Region): void {
    this.each(region, false, (node, jumpedOver) => {
      const free = !jumpedOver || (node.arm === true ? this.lastArms(node) : this.givesEither(node));
      if (node.select || node.leader || (free && this.predicable(node) && this.fits(node))) this.chosen.add(node);
    });
  }

  private givesEither(node: IfNode): boolean {
    return this.hasBothSides(node) && !this.waits(node.then) && !this.waits(node.else);
  }

  /** The last arms of a switch with a default arm of their own; after a binary search they share it. */
  private lastArms(node: IfNode): boolean {
    return node.else.nodes.length > 0 && !this.halves.has(node);
  }

  /** Removes the `if`s that do not pay beside the other predicated ones. */
  region(region: Region): void {
    this.each(region, false, (node, _, at, around) => {
      if (this.chosen.has(node) && !node.select && !node.leader && !this.pays(node, around, at))
        this.chosen.delete(node);
    });
  }

  /** Visits the `if`s of a region from the end, so that the code after one is already decided. */
  private each(
    region: Region,
    jumpsOver: boolean,
    visit: (node: IfNode, jumpedOver: boolean, at: number, around: Region) => void,
  ): void {
    for (let i = region.nodes.length - 1; i >= 0; i--) {
      const node = region.nodes[i]!;
      if (node.kind === "inst") continue;
      if (node.kind === "loop") {
        this.latchOf.set(node.body, node.latch);
        this.each(node.body, false, visit);
        this.each(node.latch, false, visit);
        continue;
      }
      if (node.arm && resolve(node.condition).def?.mods.compare === "gt") {
        for (const side of [node.then, node.else]) walk(side, (child) => child.kind === "if" && this.halves.add(child));
      }
      this.each(node.then, false, visit);
      this.each(node.else, node.then.nodes.length > 0 && !isJump(node.then.end) && !isJump(node.else.end), visit);
      visit(node, jumpsOver && i === region.nodes.length - 1, i, region);
    }
  }

  private predicable(node: IfNode): boolean {
    const side = (region: Region): boolean => {
      if (isJump(region.end)) return false;
      return region.nodes.every((child) => {
        if (child.kind === "inst") {
          return (
            !isConvergent(child) &&
            child.op !== "atom" &&
            child.op !== "printf" &&
            child.op !== "fence" &&
            (child.op === "addr" || this.slots(child) <= 4)
          );
        }
        return child.kind === "if" && child.select;
      });
    };
    return side(node.then) && side(node.else);
  }

  slots(inst: Inst): number {
    const { op, mods } = inst;
    if (op === "base" && mods.root?.kind === "shared") return this.target.sharedWindow ? 3 : 0;
    // ptxas expands it after predication.
    if (inst.type === "f64" && (op === "min" || op === "max")) return 1;
    // Its scale is moved to a register.
    if (op === "base" && inst.slots === null) return 1;
    return this.forms.slots(inst).length;
  }

  private size(region: Region): number {
    let total = 0;
    let started = false;
    walkInstructions(region, (node) => {
      // Further shared arrays start from the first one.
      const start = node.op === "base" && node.mods.root?.kind === "shared";
      if (!start || !started) total += this.slots(node);
      started ||= start;
    });
    return total;
  }

  private waits(region: Region): boolean {
    return region.nodes.some((node) => node.kind === "inst" && node.op === "ld" && node.mods.space !== "shared");
  }

  private hasBothSides(node: IfNode): boolean {
    return this.size(node.then) > 0 && this.size(node.else) > 0;
  }

  private fits(node: IfNode): boolean {
    const then = this.size(node.then);
    const otherwise = this.size(node.else);
    if (then > 0 && otherwise > 0) return then <= LONGEST_OF_TWO && otherwise <= LONGEST_OF_TWO;
    return then + otherwise <= (this.waits(node.then) || this.waits(node.else) ? LONGEST_WAITING : LONGEST_SIDE);
  }

  private pays(node: IfNode, region: Region, at: number): boolean {
    if (this.hasBothSides(node) || !(this.waits(node.then) || this.waits(node.else))) return true;
    const work = this.workBeside(node, region, at);
    if (node.results.length === 0) return work >= WORK_FOR_STORE;
    if (work >= WORK_FOR_VALUE) return true;
    const loads = [...node.then.nodes, ...node.else.nodes].filter(
      (child) => child.kind === "inst" && isGlobalLoad(child),
    );
    if (loads.length < 2 && !this.waitsForLoad(node.condition, region, at)) return false;
    const kept = this.size(node.then) > 0 ? node.else : node.then;
    const moves = kept.end.values.filter((value) => resolve(value).constant !== null).length;
    return work + moves >= WORK_BESIDE_WAITS;
  }

  /** The test depends on a load since the last branch. */
  private waitsForLoad(condition: Value, region: Region, at: number): boolean {
    const fed = new Set<Value>();
    const feed = (value: Value): void => {
      const now = resolve(value);
      if (fed.has(now)) return;
      fed.add(now);
      now.def?.operands.forEach(feed);
    };
    feed(condition);
    for (let i = at - 1; i >= 0 && this.straight(region.nodes[i]!); i--) {
      const before = region.nodes[i]!;
      if (before.kind === "inst" && isGlobalLoad(before) && before.results.some((result) => fed.has(result)))
        return true;
    }
    return false;
  }

  /** The instructions around the `if`, up to the next branch, that neither feed it nor depend on it. */
  private workBeside(node: IfNode, region: Region, at: number): number {
    const feeding = new Set<Value>();
    // The values that the body's load addresses depend on. A load before the `if` that only feeds its sums overlaps
    // with them.
    const addressing = new Set<Value>();
    const feedInto = (set: Set<Value>, value: Value): void => {
      const now = resolve(value);
      if (set.has(now)) return;
      set.add(now);
      for (const operand of now.def?.operands ?? []) feedInto(set, operand);
    };
    const feed = (value: Value): void => feedInto(feeding, value);
    feed(node.condition);
    feedInto(addressing, node.condition);
    const stores: Inst[] = [];
    for (const side of [node.then, node.else]) {
      walkInstructions(side, (inner) => {
        inner.operands.forEach(feed);
        if (isGlobalLoad(inner)) for (const operand of inner.operands) feedInto(addressing, operand);
        if (inner.op === "st" || inner.op === "atom") stores.push(inner);
      });
      side.end.values.forEach(feed);
    }
    let work = 0;
    for (let i = at - 1; i >= 0 && this.straight(region.nodes[i]!); i--) {
      const before = region.nodes[i]!;
      if (before.kind !== "inst") {
        // A predicated load before it overlaps as well, unless its result feeds these addresses.
        const loads = before.kind === "if" && this.waits(before.then) && !before.results.some((r) => addressing.has(r));
        if (loads) work += LOAD_IS_WORTH;
        continue;
      }
      if (before.op === "bar") break;
      // The address of the body's store is computed during the wait.
      const into = isGlobalLoad(before) || isSharedPlace(before) ? addressing : feeding;
      if (before.results.some((result) => into.has(result)) || !this.counts(before)) continue;
      work += isGlobalLoad(before) ? LOAD_IS_WORTH : this.slots(before);
    }
    const waiting = new Set<Value>(node.results.map(resolve));
    let blocked = false;
    const follow = (after: Inst): void => {
      if (after.operands.some((operand) => waiting.has(resolve(operand)))) {
        for (const result of after.results) waiting.add(result);
        // A global load is scheduled before a store to shared memory.
        if (!isPure(after) && !(after.op === "st" && after.mods.space === "shared")) blocked = true;
        return;
      }
      if (after.op === "bar") {
        blocked = true;
        // The wait for a value may extend past the barrier; a store must complete before it.
        if (stores.length === 0) work += BARRIER_IS_WORTH;
      } else if (isConvergent(after)) {
        // Exchanges between lanes that do not depend on the body are scheduled before it.
        work += this.slots(after);
        return;
      }
      const memory = !isPure(after);
      const loads = after.op === "ld";
      if (memory && (blocked || (loads && stores.some((store) => store.mods.space === after.mods.space)))) {
        for (const result of after.results) waiting.add(result);
        return;
      }
      if (memory && !loads && stores.length > 0) return;
      if (!this.counts(after)) return;
      work += isGlobalLoad(after) ? LOAD_IS_WORTH : this.slots(after);
    };
    const rest = [...region.nodes.slice(at + 1), ...(this.latchOf.get(region)?.nodes ?? [])];
    for (let i = 0; i < rest.length && this.straight(rest[i]!); i++) {
      walk({ nodes: [rest[i]!], end: region.end }, (after) => {
        if (after.kind === "inst") follow(after);
      });
    }
    return work;
  }

  private straight(node: SsaNode): boolean {
    return node.kind === "inst" || (node.kind === "if" && this.chosen.has(node));
  }

  /** Parameters are read from the constant cache at their use, and special registers at the kernel's start. */
  private counts(inst: Inst): boolean {
    const { op, mods } = inst;
    return op !== "param" && op !== "special" && op !== "warpSize" && !(op === "base" && mods.root?.kind === "param");
  }
}
