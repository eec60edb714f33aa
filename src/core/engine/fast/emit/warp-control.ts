/**
 * Control flow inside a warp. An `if` runs each side that has lanes. A loop runs while any lane is in it, under the mask
 * of the lanes that are there. Lanes that leave (break, continue, exit) are taken out of the masks around.
 */
import type { JumpNode, ProgramNode, Region } from "../../../lower/program.js";
import { countInstructions, isLeft, someJump } from "../analysis/jumps.js";
import type { Local } from "../wasm/body.js";
import { get, i32, i64 } from "../wasm/expression.js";
import { I32 } from "../wasm/opcodes.js";
import { BLOCK, type Context, type Mask } from "./context.js";
import { emitRefill } from "./library/fault-library.js";
import type { Group, WarpCode } from "./warp-code.js";

type IfNode = Extract<ProgramNode, { kind: "if" }>;
type LoopNode = Extract<ProgramNode, { kind: "loop" }>;

interface OpenLoop {
  readonly id: number;
  /** Lanes that have left by break, and lanes that wait for the latch; null where no jump does so. */
  readonly broken: Local | null;
  readonly waiting: Local | null;
}

/** Counts how often the code that follows runs, and with how many lanes. */
export function newGroup(context: Context, mask: Mask): Group {
  const { body, counters } = context;
  const executed = counters.count();
  context.bumpBy(executed, 1);
  if (mask === "full") return { executed: { count: executed, factor: 1 }, lanes: { count: executed, factor: 32 } };
  const lanes = counters.count();
  context.bumpI32(lanes, () => {
    body.push(i32.popcnt(get(mask)));
  });
  return { executed: { count: executed, factor: 1 }, lanes: { count: lanes, factor: 1 } };
}

export class WarpControl {
  private loops: OpenLoop[] = [];

  constructor(
    private readonly code: WarpCode,
    /** i64: instructions that the block may still issue before it asks for more. */
    private readonly budget: Local,
  ) {}

  /**
   * Emits nodes for lanes of `code.mask`, of which there is one at least. Afterwards the mask has the lanes that are left.
   * At the top of a phase nothing asks for that mask, and a warp that ends as a whole skips the rest.
   */
  region(nodes: Region, top = false): void {
    const { code } = this;
    const { body } = code.context;
    for (const [index, node] of nodes.entries()) {
      if (top && node.kind === "exit" && node.condition !== null && !code.context.shapes.isVaryingCondition(node.pc)) {
        this.exitTogether(node, nodes.slice(index + 1));
        return;
      }
      const leaves = this.node(node);
      if (!leaves) continue;
      const rest = nodes.slice(index + 1);
      if (rest.length === 0) return;
      code.context.pushMask(code.mask);
      body.if();
      code.group = newGroup(code.context, code.mask);
      this.region(rest, top);
      code.flush();
      code.forgetGuards();
      body.end();
      return;
    }
  }

  /** An exit of all active lanes or none, at the top of a phase. */
  private exitTogether(node: JumpNode, rest: Region): void {
    const { code } = this;
    const { body } = code.context;
    code.flush();
    const going = code.guardMask(node.pc);
    code.count(node.pc, going);
    if (code.live !== "full") {
      body.set(code.live, i32.and(get(code.live), i32.xor(get(going.mask), i32(-1))));
    }
    body.push(i32.eqz(get(going.mask)));
    code.forgetGuards();
    body.if();
    code.group = newGroup(code.context, code.mask);
    this.region(rest, true);
    code.flush();
    code.forgetGuards();
    body.end();
  }

  /** True if lanes may have left the region. */
  private node(node: ProgramNode): boolean {
    switch (node.kind) {
      case "run":
        for (let i = 0; i < node.count; i++) this.code.instruction(node.first + i);
        return false;
      case "if":
        return this.if(node);
      case "loop":
        return this.loop(node);
      default:
        this.jump(node);
        return true;
    }
  }

  /** The mask as a local that may be changed. */
  private ownMask(): Local {
    const { code } = this;
    const { body } = code.context;
    if (code.mask !== "full") return code.mask;
    const local = body.permanent("i32");
    body.set(local, i32(-1));
    code.mask = local;
    return local;
  }

  private bumpIfBoth(pc: number, a: Local, b: Local): void {
    const { context } = this.code;
    const { body, counters } = context;
    const count = counters.count();
    counters.add(count, "divergent", pc);
    context.bumpI32(count, () => {
      body.push(i32.and(i32.ne(get(a), i32(0)), i32.ne(get(b), i32(0))));
    });
  }

  private if(node: IfNode): boolean {
    const { code } = this;
    const { context } = code;
    const { body } = context;
    const pc = node.branch;
    code.flush();
    const skipping = code.guardMask(pc);
    code.flush();
    code.count(pc, skipping);
    const leaves = isLeft([node]);
    if (leaves) this.ownMask();
    const outer = { mask: code.mask, group: code.group };
    const varying = context.shapes.isVaryingCondition(pc);
    const then = body.local("i32");
    const other = body.local("i32");
    context.pushMask(code.mask);
    body.set(then, i32.and(i32.xor(get(skipping.mask), i32(-1))));
    body.set(other, get(skipping.mask));
    code.forgetGuards();
    if (varying) this.bumpIfBoth(pc, then, other);
    const side = (mask: Local, nodes: Region, jumpOver: number | null): void => {
      body.if(get(mask));
      code.mask = varying ? mask : outer.mask;
      code.group = newGroup(context, code.mask);
      this.region(nodes);
      code.flush();
      code.forgetGuards();
      if (jumpOver !== null) this.countJumpOver(jumpOver, nodes);
      body.end();
    };
    side(then, node.then, node.jumpOver);
    if (node.else.length > 0) side(other, node.else, null);
    if (leaves && varying && outer.mask !== "full") {
      body.set(outer.mask, i32.or(get(then), get(other)));
    }
    code.mask = outer.mask;
    code.group = outer.group;
    body.release(then, other);
    return leaves;
  }

  /** The branch past `else`, taken by the lanes that come to the end of `then`. */
  private countJumpOver(pc: number, then: Region): void {
    const { code } = this;
    const { body } = code.context;
    if (!isLeft(then)) {
      code.count(pc, null);
      return;
    }
    code.context.pushMask(code.mask);
    body.if();
    code.group = newGroup(code.context, code.mask);
    code.count(pc, null);
    body.end();
  }

  private loop(node: LoopNode): boolean {
    const { code } = this;
    const { context } = code;
    const { body } = context;
    code.flush();
    code.forgetGuards();
    const parts = [...node.body, ...node.latch];
    const jumps = isLeft(parts);
    const leaves = isLeft([node]);
    if (leaves) this.ownMask();
    const outer = { mask: code.mask, group: code.group };
    const varying = node.condition !== null && context.shapes.isVaryingCondition(node.backBranch);
    const open: OpenLoop = {
      id: node.id,
      broken: someJump(parts, (jump) => jump.kind === "break" && jump.loop === node.id) ? body.local("i32") : null,
      waiting: someJump(parts, (jump) => jump.kind === "continue" && jump.loop === node.id) ? body.local("i32") : null,
    };
    const own = jumps || varying;
    const inside = own ? body.local("i32") : null;
    const active = jumps ? body.local("i32") : inside;
    if (inside !== null) {
      context.pushMask(outer.mask);
      body.set(inside);
    }
    if (open.broken !== null) {
      body.set(open.broken, i32(0));
    }
    this.loops.push(open);
    const exit = body.block();
    const again = body.loop();
    if (jumps && active !== null && inside !== null) {
      body.set(active, get(inside));
    }
    if (open.waiting !== null) {
      body.set(open.waiting, i32(0));
    }
    code.mask = active ?? outer.mask;
    code.group = newGroup(context, code.mask);
    this.region(node.body);
    code.flush();
    code.forgetGuards();
    if (jumps && active !== null) {
      if (open.waiting !== null) {
        body.set(active, i32.or(get(active), get(open.waiting)));
      }
      body.brIf(exit, i32.eqz(get(active)));
      code.mask = active;
      code.group = newGroup(context, active);
    }
    this.region(node.latch);
    code.flush();
    this.backBranch(node, inside, varying);
    body.brIf(again);
    body.end();
    body.end();
    this.loops.pop();
    code.forgetGuards();
    code.mask = outer.mask;
    code.group = outer.group;
    if (leaves) this.removeGone();
    const locals = [open.broken, open.waiting, inside, active === inside ? null : active];
    body.release(...locals.filter((local): local is Local => local !== null));
    return leaves;
  }

  /** Counts the backward branch and pushes whether any lane runs the loop again; `inside` becomes those lanes. */
  private backBranch(node: LoopNode, inside: Local | null, varying: boolean): void {
    const { code, budget } = this;
    const { context } = code;
    const { body, library } = context;
    const pc = node.backBranch;
    // An upper bound of what an iteration issues is taken off the budget.
    body.set(budget, i64.sub(get(budget), i64(1 + countInstructions(node.body) + countInstructions(node.latch))));
    emitRefill(body, library, budget, () => {
      body.push(i32(pc), get(BLOCK), get(context.warp));
      context.pushMask(code.mask);
    });
    if (node.condition === null) {
      code.count(pc, null);
      if (inside !== null) {
        context.pushMask(code.mask);
        body.set(inside);
      }
      body.i32(1);
      return;
    }
    const again = code.guardMask(pc);
    code.count(pc, again);
    if (varying) {
      const leaving = body.local("i32");
      context.pushMask(code.mask);
      body.set(leaving, i32.and(i32.xor(get(again.mask), i32(-1))));
      this.bumpIfBoth(pc, again.mask, leaving);
      body.release(leaving);
    }
    if (inside !== null) {
      body.set(inside, get(again.mask));
    }
    body.get(again.mask);
  }

  /** Takes lanes out of the mask that left an inner loop for good or to an outer loop. */
  private removeGone(): void {
    const { code } = this;
    const { body } = code.context;
    const mask = this.ownMask();
    body.get(mask);
    code.context.pushMask(code.live);
    body.op(I32.and);
    for (const loop of this.loops) {
      for (const gone of [loop.broken, loop.waiting]) {
        if (gone === null) continue;
        body.push(i32.and(i32.xor(get(gone), i32(-1))));
      }
    }
    body.set(mask);
  }

  private jump(node: JumpNode): void {
    const { code } = this;
    const { context } = code;
    const { body } = context;
    code.flush();
    const guard = node.condition === null ? null : code.guardMask(node.pc);
    code.flush();
    code.count(node.pc, guard);
    const mask = this.ownMask();
    const going = body.local("i32");
    body.set(going, get(guard === null ? mask : guard.mask));
    body.set(mask, i32.and(get(mask), i32.xor(get(going), i32(-1))));
    if (guard !== null && node.kind !== "exit" && context.shapes.isVaryingCondition(node.pc)) {
      this.bumpIfBoth(node.pc, going, mask);
    }
    code.forgetGuards();
    if (node.kind === "exit") {
      if (code.live !== "full") {
        body.set(code.live, i32.and(get(code.live), i32.xor(get(going), i32(-1))));
      }
    } else {
      const loop = this.loops.find((entry) => entry.id === node.loop);
      const target = node.kind === "break" ? loop?.broken : loop?.waiting;
      if (target != null) {
        body.set(target, i32.or(get(target), get(going)));
      }
    }
    body.release(going);
  }
}
