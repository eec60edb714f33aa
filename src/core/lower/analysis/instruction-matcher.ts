/** Shared by the rules of instruction selection: use counts, and the instructions around the current one. */
import { isFloat, type Scalar } from "../../ir/types.js";
import type { Target } from "../machine/target.js";
import type { IssueSlot } from "../program.js";
import { isInteger32 } from "../ssa/integer-types.js";
import {
  countUses,
  Inst,
  type LoopNode,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../ssa/ssa.js";
import { readsOf, walkInstructions } from "../ssa/traversal.js";
import { groupSums } from "./group-sums.js";
import { shiftBeforeMask } from "./shift-before-mask.js";

/** Another instruction does the work. */
export const NONE: readonly IssueSlot[] = Object.freeze([]);

export function slot(mnemonic: string, pipe: IssueSlot["pipe"]): readonly IssueSlot[] {
  return Object.freeze([{ mnemonic, pipe, independent: false }]);
}

/** Shifts that only sums read, and products that only sums of the same loop read. */
function onlyAdded(fn: SsaFunction): ReadonlySet<Value> {
  const found = new Set<Value>();
  const loops = new Map<Value, LoopNode | null>();
  const reject = (values: readonly Value[]): void => {
    for (const value of values) found.delete(resolve(value));
  };
  const visit = (region: Region, loop: LoopNode | null): void => {
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const whole = isInteger32(node.type);
        if (whole && (node.op === "mul" || node.op === "shl")) {
          found.add(node.results[0]!);
          loops.set(node.results[0]!, node.op === "mul" ? loop : null);
        }
        const [first, second] = node.operands.map(resolve);
        const sum = whole && node.op === "add" && first !== second;
        const difference = whole && node.op === "sub" && first?.def?.op === "mul";
        if (!sum) reject(difference ? node.operands.slice(1) : node.operands);
        if (sum || difference) reject(node.operands.filter((operand) => elsewhere(resolve(operand), loop)));
      } else {
        for (const inner of regionsOf(node)) visit(inner, node.kind === "loop" ? node : loop);
        reject(readsOf(node));
      }
    }
  };
  const elsewhere = (value: Value, loop: LoopNode | null): boolean =>
    value.def?.op === "mul" && loops.get(value) !== loop;
  visit(fn.body, null);
  return found;
}

export class InstructionMatcher {
  readonly fn: SsaFunction;
  readonly target: Target;
  private readonly uses: Int32Array;
  private readonly addedOnly: ReadonlySet<Value>;
  /** Instructions of the current block so far. */
  block: Set<Inst> = new Set();
  /** The innermost loop around the current instruction, and around each earlier one. */
  loop: LoopNode | null = null;
  readonly loopOf: Map<Inst, LoopNode | null> = new Map();

  readonly signedDivisions: number;

  constructor(fn: SsaFunction, target: Target) {
    this.fn = fn;
    let divisions = 0;
    walkInstructions(fn.body, (node) => {
      if ((node.op === "div" || node.op === "rem") && node.type === "i32") divisions++;
    });
    this.signedDivisions = divisions;
    this.target = target;
    shiftBeforeMask(fn);
    this.addedOnly = onlyAdded(fn);
    groupSums(fn, this.addedOnly);
    this.uses = countUses(fn);
  }

  useCount(value: Value): number {
    return this.uses[resolve(value).id] ?? 0;
  }

  /** The definition of `value` if it is `op`, has one use, and is not part of another instruction yet. */
  single(value: Value, op: Inst["op"]): Inst | null {
    const now = resolve(value);
    const { def } = now;
    return def !== null && def.op === op && def.slots === null && this.useCount(now) === 1 ? def : null;
  }

  /** A shift by a constant or a product that only sums read: each sum computes it itself. */
  onlyAdded(value: Value, op: "shl" | "mul"): Inst | null {
    const { def } = resolve(value);
    return def !== null && def.op === op && this.addedOnly.has(resolve(value)) ? def : null;
  }

  /** -value: the instruction that reads it negates it. */
  negated(inst: Inst, value: Value, before: SsaNode[]): Value {
    const now = resolve(value);
    if (now.constant !== null) {
      if (!isFloat(inst.type as Scalar)) return this.fn.constant(inst.type, -Number(now.constant) | 0);
      return this.fn.constant(inst.type, -Number(now.constant));
    }
    const neg = new Inst("neg", inst.type, [this.fn.value(inst.type)], [now], {}, inst.span, inst.source);
    neg.slots = NONE;
    before.push(neg);
    return neg.results[0]!;
  }

  become(inst: Inst, op: Inst["op"], operands: Value[], consumed: Value): void {
    inst.op = op;
    inst.operands = operands;
    const id = resolve(consumed).id;
    this.uses[id] = (this.uses[id] ?? 1) - 1;
    for (const operand of operands) {
      const reader = resolve(operand).id;
      if (reader < this.uses.length) this.uses[reader] = (this.uses[reader] ?? 0) + 1;
    }
  }
}
