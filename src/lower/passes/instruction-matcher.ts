/** What the rules of instruction selection share: how often values are read, and the instructions around. */
import { isFloat, type Scalar } from "../../ir/types.js";
import type { IssueSlot } from "../program.js";
import { countUses, Inst, type LoopNode, resolve, type SsaFunction, type SsaNode, type Value, walk } from "../ssa.js";
import type { Target } from "../target.js";
import { isInteger32 } from "./integer-types.js";

/** Another instruction does the work. */
export const NONE: readonly IssueSlot[] = Object.freeze([]);

export function slot(mnemonic: string, pipe: IssueSlot["pipe"]): readonly IssueSlot[] {
  return Object.freeze([{ mnemonic, pipe, independent: false }]);
}

function shiftsOnlyAdded(fn: SsaFunction): ReadonlySet<Value> {
  const shifts = new Set<Value>();
  walk(fn.body, (node) => {
    if (node.kind === "inst" && node.op === "shl" && isInteger32(node.type)) shifts.add(node.results[0]!);
  });
  const reject = (values: readonly Value[]): void => {
    for (const value of values) shifts.delete(resolve(value));
  };
  walk(fn.body, (node, region) => {
    if (node.kind === "inst") {
      if (node.op !== "add" || !isInteger32(node.type)) reject(node.operands);
      else if (resolve(node.operands[0]!) === resolve(node.operands[1]!)) reject(node.operands);
    } else if (node.kind === "if") {
      reject([node.condition, ...node.then.end.values, ...node.else.end.values]);
    } else {
      reject([...node.inits, ...node.nexts, ...node.exits, ...node.body.end.values, ...node.latch.end.values]);
    }
    reject(region.end.values);
  });
  return shifts;
}

export class InstructionMatcher {
  readonly fn: SsaFunction;
  readonly target: Target;
  private readonly uses: Int32Array;
  private readonly addedOnly: ReadonlySet<Value>;
  /** Instructions of the block in hand so far. */
  block: Set<Inst> = new Set();
  /** The innermost loop around the instruction in hand, and around those before. */
  loop: LoopNode | null = null;
  readonly loopOf: Map<Inst, LoopNode | null> = new Map();

  constructor(fn: SsaFunction, target: Target) {
    this.fn = fn;
    this.target = target;
    this.uses = countUses(fn);
    this.addedOnly = shiftsOnlyAdded(fn);
  }

  useCount(value: Value): number {
    return this.uses[resolve(value).id] ?? 0;
  }

  /** The instruction of `value` if it is `op`, read here only, and not yet part of another. */
  single(value: Value, op: Inst["op"]): Inst | null {
    const now = resolve(value);
    const { def } = now;
    return def !== null && def.op === op && def.slots === null && this.useCount(now) === 1 ? def : null;
  }

  /** A shift by a constant that only sums read: each of them does it itself. */
  onlyAdded(value: Value): Inst | null {
    const { def } = resolve(value);
    return def !== null && def.op === "shl" && this.addedOnly.has(resolve(value)) ? def : null;
  }

  /** -value, which the reading instruction does as it reads. */
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
