/** Checks the invariants of ssa.ts, as LLVM's verifier does for its form. Tests run it behind each pass. */
import {
  type IfNode,
  type Inst,
  isJump,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Terminator,
  type Value,
} from "./ssa.js";
import { checkInstructionTypes, fits } from "./verify-types.js";

/** A sentence for each violated invariant; empty if the function is valid. */
export function verifySsa(fn: SsaFunction): readonly string[] {
  const verifier = new Verifier();
  verifier.kernel(fn.body);
  return verifier.faults;
}

class Verifier {
  readonly faults: string[] = [];
  /** Values whose definition dominates the place that is looked at, in the order of their definitions. */
  private readonly visible: Value[] = [];
  private readonly isVisible = new Set<Value>();
  private readonly defined = new Set<Value>();
  /** Loops whose body or latch holds that place, inner ones last. */
  private readonly loops: LoopNode[] = [];
  private readonly continued = new Set<LoopNode>();

  kernel(body: Region): void {
    this.within(() => this.region(body, null));
    if (!isJump(body.end)) this.join(null, body.end.values, [], "the kernel's end");
  }

  private fault(at: SsaNode | null, what: string): void {
    const name = at === null ? "" : at.kind === "inst" ? at.op : at.kind;
    this.faults.push(at === null ? what : `${name} of line ${at.span.line}: ${what}`);
  }

  private define(node: SsaNode, values: readonly Value[]): void {
    for (const value of values) {
      if (this.defined.has(value)) this.fault(node, `value ${value.id} has two definitions`);
      const owner = node.kind === "inst" ? value.def : value.owner;
      if (value.forward === null && owner !== node) this.fault(node, `value ${value.id} names another definition`);
      this.defined.add(value);
      this.visible.push(value);
      this.isVisible.add(value);
    }
  }

  private read(node: SsaNode | null, value: Value, what: string): void {
    const now = resolve(value);
    if (now.constant === null && !this.isVisible.has(now)) {
      const fault = this.defined.has(now) ? "whose definition does not dominate it" : "which nothing defines before";
      this.fault(node, `${what} reads value ${now.id}, ${fault}`);
    }
  }

  /** `values` become `targets`: equal in number, each of a type that fits. */
  private join(node: SsaNode | null, values: readonly Value[], targets: readonly Value[], what: string): void {
    if (values.length !== targets.length) {
      this.fault(node, `${what} gives ${values.length} values for ${targets.length}`);
      return;
    }
    targets.forEach((target, i) => {
      const { type } = resolve(values[i]!);
      if (!fits(type, target.type)) this.fault(node, `${what} gives ${type} for ${target.type}`);
    });
  }

  /** Hides the values that `visit` defines when it ends. */
  private within(visit: () => void): void {
    const outer = this.visible.length;
    visit();
    this.hide(outer);
  }

  /** Leaves the `count` values visible that became so first. */
  private hide(count: number): void {
    for (const value of this.visible.splice(count)) this.isVisible.delete(value);
  }

  /** `parent`: the node that holds the region. */
  private region(region: Region, parent: SsaNode | null): void {
    for (const node of region.nodes) {
      if (node.kind === "inst") this.inst(node);
      else if (node.kind === "if") this.branch(node);
      else this.loop(node);
    }
    for (const value of region.end.values) this.read(parent, value, region.end.kind);
    if (region.end.kind === "break" || region.end.kind === "continue") this.jump(region.end, parent);
  }

  private jump(end: Extract<Terminator, { kind: "break" | "continue" }>, parent: SsaNode | null): void {
    if (!this.loops.includes(end.loop)) this.fault(parent, `a ${end.kind} leaves a loop that it is not in`);
    if (end.kind === "break") this.join(parent, end.values, end.loop.results, "a break");
    else {
      this.join(parent, end.values, end.loop.latchParams, "a continue");
      this.continued.add(end.loop);
    }
  }

  private inst(inst: Inst): void {
    for (const [i, value] of inst.operands.entries()) this.read(inst, value, `operand ${i}`);
    checkInstructionTypes(inst, (what) => this.fault(inst, what));
    this.define(inst, inst.results);
  }

  private condition(node: IfNode | LoopNode, condition: Value): void {
    this.read(node, condition, "the condition");
    const { type } = resolve(condition);
    if (type !== "bool") this.fault(node, `the condition is ${type}`);
  }

  private branch(node: IfNode): void {
    this.condition(node, node.condition);
    for (const side of [node.then, node.else]) {
      this.within(() => this.region(side, node));
      if (!isJump(side.end)) this.join(node, side.end.values, node.results, "a side");
    }
    this.define(node, node.results);
  }

  private loop(loop: LoopNode): void {
    for (const value of loop.inits) this.read(loop, value, "an initial value");
    this.join(loop, loop.inits, loop.params, "the entry");
    this.loops.push(loop);
    this.within(() => {
      this.define(loop, loop.params);
      const entry = this.visible.length;
      this.region(loop.body, loop);
      if (!isJump(loop.body.end)) this.join(loop, loop.body.end.values, loop.latchParams, "the body's end");
      // A `continue` skips what stands behind it in the body.
      if (this.continued.has(loop)) this.hide(entry);
      this.define(loop, loop.latchParams);
      this.region(loop.latch, loop);
      if (isJump(loop.latch.end) || loop.latch.end.values.length > 0) this.fault(loop, "the latch ends in a jump");
      if (loop.condition !== null) this.condition(loop, loop.condition);
      for (const value of loop.nexts) this.read(loop, value, "a next value");
      // A body that always ends in a jump, with no `continue`, never comes to the latch.
      if (isJump(loop.body.end) && !this.continued.has(loop)) return;
      for (const value of loop.exits) this.read(loop, value, "an exit value");
    });
    this.loops.pop();
    this.join(loop, loop.nexts, loop.params, "the latch");
    this.join(loop, loop.exits, loop.results, "the exit");
    this.define(loop, loop.results);
  }
}
