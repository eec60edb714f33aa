/**
 * Which `if`s become guards on their instructions instead of branches. After ptxas (experiments with nvcc 13.0 for
 * sm_90, NVCC-RULES.md): short bodies without calls between lanes; a body that waits for global memory only where
 * enough other work stands beside it to fill the wait, or where either side waits.
 */
import { OperandForms } from "./operand-forms.js";
import { isConvergent, isPure } from "./passes/effects.js";
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
} from "./ssa.js";
import type { Target } from "./target.js";

/** Machine instructions that one side may have. */
const LONGEST_SIDE = 8;
const LONGEST_OF_TWO = 7;
/** One side that waits for global memory, if the wait is filled. */
const LONGEST_WAITING = 16;
/** Work beside a body that fills its wait for global memory: where a value is awaited right after, or only a store. */
const WORK_FOR_VALUE = 4;
const WORK_FOR_STORE = 3;
/** A load of its own fills any wait. */
const LOAD_IS_WORTH = 10;

export function choosePredicated(fn: SsaFunction, target: Target): ReadonlySet<IfNode> {
  const chosen = new Set<IfNode>();
  const choice = new Choice(fn, target, chosen);
  for (let before = -1; before < chosen.size; ) {
    before = chosen.size;
    choice.region(fn.body);
  }
  return chosen;
}

class Choice {
  private readonly target: Target;
  private readonly forms: OperandForms;
  private readonly chosen: Set<IfNode>;

  constructor(fn: SsaFunction, target: Target, chosen: Set<IfNode>) {
    this.target = target;
    this.forms = new OperandForms(fn, target);
    this.chosen = chosen;
  }

  /**
   * `jumpsOver`: what ends the region jumps over the other side of an `if`, and does not fall through to its end. `repeats`: it is
   * a loop's body.
   */
  region(region: Region, jumpsOver = false, repeats = false): void {
    // From the end, so that what follows an `if` is decided when it is asked whether it fills the wait.
    for (let i = region.nodes.length - 1; i >= 0; i--) {
      const node = region.nodes[i]!;
      if (node.kind === "inst") continue;
      if (node.kind === "loop") {
        this.region(node.body, false, true);
        this.region(node.latch);
        continue;
      }
      this.region(node.then);
      this.region(node.else, node.then.nodes.length > 0 && !isJump(node.then.end) && !isJump(node.else.end));
      if (this.chosen.has(node) || (jumpsOver && i === region.nodes.length - 1 && !node.select)) continue;
      if (node.select || (this.predicable(node) && this.pays(node, region, i, repeats))) this.chosen.add(node);
    }
  }

  private predicable(node: IfNode): boolean {
    const side = (region: Region): boolean => {
      if (isJump(region.end)) return false;
      return region.nodes.every((child) => {
        if (child.kind === "inst") {
          return !isConvergent(child) && child.op !== "printf" && child.op !== "fence" && this.slots(child) <= 4;
        }
        return child.kind === "if" && child.select;
      });
    };
    return side(node.then) && side(node.else);
  }

  slots(inst: Inst): number {
    const { op, mods } = inst;
    if (op === "base" && mods.root?.kind === "shared") return this.target.sharedWindow ? 3 : 0;
    // The scale of the addresses that it starts is moved to a register.
    if (op === "base" && inst.slots === null) return 1;
    return this.forms.slots(inst).length;
  }

  private size(region: Region): number {
    let total = 0;
    walk(region, (node) => {
      if (node.kind === "inst") total += this.slots(node);
    });
    return total;
  }

  private waits(region: Region): boolean {
    return region.nodes.some((node) => node.kind === "inst" && node.op === "ld" && node.mods.space !== "shared");
  }

  private pays(node: IfNode, region: Region, at: number, repeats: boolean): boolean {
    const then = this.size(node.then);
    const otherwise = this.size(node.else);
    if (then > 0 && otherwise > 0) return then <= LONGEST_OF_TWO && otherwise <= LONGEST_OF_TWO;
    const size = then + otherwise;
    if (!this.waits(node.then) && !this.waits(node.else)) return size <= LONGEST_SIDE;
    if (size > LONGEST_WAITING) return false;
    // An address that goes on by itself each round takes a sum more.
    const work = this.workBeside(node, region, at) + (repeats ? 1 : 0);
    return work >= (node.results.length > 0 ? WORK_FOR_VALUE : WORK_FOR_STORE);
  }

  /** Instructions before and after the `if`, up to the next branch, that neither feed it nor wait for it. */
  private workBeside(node: IfNode, region: Region, at: number): number {
    const feeding = new Set<Value>();
    // What the body's loads wait for; a load before the `if` that only its sums wait for runs beside them.
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
      walk(side, (inner) => {
        if (inner.kind !== "inst") return;
        inner.operands.forEach(feed);
        if (isGlobalLoad(inner)) for (const operand of inner.operands) feedInto(addressing, operand);
        if (inner.op === "st" || inner.op === "atom") stores.push(inner);
      });
      side.end.values.forEach(feed);
    }
    let work = 0;
    for (let i = at - 1; i >= 0; i--) {
      const before = region.nodes[i]!;
      if (before.kind !== "inst") {
        const apart = !before.results.some((result) => addressing.has(result));
        if (apart && this.guardsLoads(before)) work += LOAD_IS_WORTH;
        if (!this.straight(before)) break;
        continue;
      }
      if (before.op === "bar") break;
      const into = isGlobalLoad(before) ? addressing : feeding;
      if (before.results.some((result) => into.has(result)) || !this.counts(before)) continue;
      work += isGlobalLoad(before) ? LOAD_IS_WORTH : this.slots(before);
    }
    const waiting = new Set<Value>(node.results.map(resolve));
    let blocked = false;
    const follow = (after: Inst): void => {
      if (after.operands.some((operand) => waiting.has(resolve(operand)))) {
        for (const result of after.results) waiting.add(result);
        if (!isPure(after)) blocked = true;
        return;
      }
      if (after.op === "bar") blocked = true;
      else if (isConvergent(after)) {
        // Exchanges between lanes that do not wait for the body go ahead of it.
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
    for (let i = at + 1; i < region.nodes.length; i++) {
      const after = region.nodes[i]!;
      if (!this.straight(after)) {
        if (this.guardsLoads(after) && !this.dependsOn(after, waiting)) work += LOAD_IS_WORTH;
        break;
      }
      walk({ nodes: [after], end: region.end }, (inner) => {
        if (inner.kind === "inst") follow(inner);
      });
    }
    return work;
  }

  /**
   * A short body of loads from global memory and what is made of them. One such `if` fills the wait of another: of two or more
   * in a row all are predicated (nvcc 13.0: sums of two to seven guarded neighbours, of maxima, with counts, in unrolled loops).
   */
  private guardsLoads(node: SsaNode): node is IfNode {
    if (node.kind !== "if" || node.select || !this.waits(node.then) || node.else.nodes.length > 0) return false;
    const pure = node.then.nodes.every((inner) => inner.kind === "inst" && (isPure(inner) || isGlobalLoad(inner)));
    return pure && this.predicable(node) && this.size(node.then) <= LONGEST_WAITING;
  }

  /** Whether the `if`'s test or the addresses that it loads from wait for one of `values`. */
  private dependsOn(node: IfNode, values: ReadonlySet<Value>): boolean {
    const late = new Set<Value>(values);
    if (late.has(resolve(node.condition))) return true;
    return node.then.nodes.some((inner) => {
      if (inner.kind !== "inst" || !inner.operands.some((operand) => late.has(resolve(operand)))) return false;
      for (const result of inner.results) late.add(result);
      return isGlobalLoad(inner);
    });
  }

  private straight(node: SsaNode): boolean {
    return node.kind === "inst" || (node.kind === "if" && this.chosen.has(node));
  }

  /** Parameters come from the constant cache when they are needed, and a thread's place is asked for at the start. */
  private counts(inst: Inst): boolean {
    const { op, mods } = inst;
    return op !== "param" && op !== "special" && !(op === "base" && mods.root?.kind === "param");
  }
}

function isGlobalLoad({ op, mods }: Inst): boolean {
  return op === "ld" && mods.space === "global";
}
