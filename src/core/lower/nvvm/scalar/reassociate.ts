/**
 * Reuses available sums and products. (m + s) + x becomes (m + x) + s where m + x is available and m + s has no
 * other use (LLVM's NaryReassociate); the sum may wrap. (b + c) * s becomes (b + c') * s + (c - c') * s where (b +
 * c') * s is available (StraightLineStrengthReduce).
 */
import { Inst, type Modifiers, NO_MODIFIERS, resolve, type SsaFunction, type Value } from "../../ssa/ssa.js";
import { pureKey } from "../../ssa/value-key.js";

const STRIDE_SUM: Modifiers = { wraps: true };

/** The available values at the current position, and how to add one. */
export interface KnownValues {
  find(key: string): Value | undefined;
  remember(key: string, value: Value): void;
  readOnce(value: Value): boolean;
  /** It is invariant in the current loop. */
  isFixed(value: Value): boolean;
  /** Inserts an instruction unchanged; returns its value, or that of an equal one. */
  place(inst: Inst): Value;
}

/** The sum is the next value of a loop's parameter. */
export function stepsLoop(sum: Inst): boolean {
  return sum.operands.some((operand) => {
    const { owner } = resolve(operand);
    return owner?.kind === "loop" && owner.nexts.some((next) => resolve(next) === sum.results[0]);
  });
}

export class Reassociation {
  private readonly fn: SsaFunction;
  private readonly known: KnownValues;
  /**
   * The offsets c of available products (b + c) * s, by base and stride. A product has an entry for each order of
   * its factors.
   */
  private readonly strideOffsets = new Map<string, number>();

  private readonly strides: boolean;

  /** `strides`: sums of multiples of one stride reuse each other. */
  constructor(fn: SsaFunction, strides: boolean, known: KnownValues) {
    this.strides = strides;
    this.fn = fn;
    this.known = known;
  }

  /** The value of `inst`, computed from an available one; null if there is none close enough. */
  shorter(inst: Inst): Value | null {
    if (inst.type !== "i32" && inst.type !== "u32") return null;
    if (inst.op === "add") {
      const [left, right] = inst.operands as [Value, Value];
      for (const [sum, other] of [
        [left, right],
        [right, left],
      ] as const) {
        const { def } = sum;
        if (def?.op !== "add" || other.constant !== null) continue;
        // Loop-variant values are left to LLVM's LoopStrengthReduce.
        if (!this.known.readOnce(sum) && !this.known.isFixed(sum)) continue;
        const [p, q] = def.operands.map(resolve) as [Value, Value];
        if (q.constant !== null) continue;
        for (const [first, second] of [
          [p, q],
          [q, p],
        ] as const) {
          const known =
            this.available(this.probe(inst, "add", [first, other])) ??
            this.available(this.probe(inst, "add", [other, first]));
          if (known !== null && known !== sum) return this.make(inst, "add", [known, second], STRIDE_SUM);
        }
      }
      return this.strides ? this.steppedSum(inst) : null;
    }
    if (inst.op !== "mul") return null;
    const [left, right] = inst.operands as [Value, Value];
    if (left.constant !== null || right.constant !== null) return null;
    for (const [factor, stride] of [
      [left, right],
      [right, left],
    ] as const) {
      const { def } = factor;
      const constant = def?.op === "add" ? resolve(def.operands[1]!).constant : null;
      const moved = typeof constant === "number" && def !== null;
      const start = moved ? resolve(def.operands[0]!) : factor;
      const offset = moved ? constant | 0 : 0;
      const key = `stride ${start.id} ${stride.id}`;
      const basis = this.known.find(key);
      if (basis !== undefined && moved) {
        const step = (offset - (this.strideOffsets.get(`${key} ${basis.id}`) ?? 0)) | 0;
        if (step !== 0) {
          const bump =
            step === 1
              ? stride
              : this.make(inst, "mul", [stride, this.fn.constant(inst.type, inst.type === "u32" ? step >>> 0 : step)]);
          const value = this.make(inst, "add", [resolve(basis), bump], STRIDE_SUM);
          this.known.remember(key, value);
          this.strideOffsets.set(`${key} ${value.id}`, offset);
          return value;
        }
      }
      this.known.remember(key, inst.results[0]!);
      this.strideOffsets.set(`${key} ${inst.results[0]!.id}`, offset);
    }
    return null;
  }

  /** b + c * s where b + c' * s is available: that plus (c - c') * s. */
  private steppedSum(inst: Inst): Value | null {
    if (this.available(inst) !== null) return null;
    for (const [start, part] of [inst.operands, [...inst.operands].reverse()] as [Value, Value][]) {
      const { def } = resolve(part);
      const constant = def === null || def.operands.length !== 2 ? null : resolve(def.operands[1]!).constant;
      if (typeof constant !== "number" || resolve(start).constant !== null || stepsLoop(inst)) continue;
      if (def!.op !== "mul" && (def!.op !== "shl" || constant < 0 || constant > 30)) continue;
      const stride = resolve(def!.operands[0]!);
      const times = def!.op === "mul" ? constant | 0 : 2 ** constant;
      const key = `sum ${resolve(start).id} ${stride.id}`;
      const basis = this.known.find(key);
      const step = basis === undefined ? 0 : times - this.strideOffsets.get(`${key} ${basis.id}`)!;
      if (basis === undefined || step <= 0) {
        this.known.remember(key, inst.results[0]!);
        this.strideOffsets.set(`${key} ${inst.results[0]!.id}`, times);
        continue;
      }
      const by = this.make(inst, "mul", [stride, this.fn.constant(inst.type, step)]);
      const value = this.make(inst, "add", [resolve(basis), by], STRIDE_SUM);
      this.known.remember(key, value);
      this.strideOffsets.set(`${key} ${value.id}`, times);
      return value;
    }
    return null;
  }

  private probe(like: Inst, op: "add", operands: Value[]): Inst {
    return new Inst(op, like.type, [this.fn.value(like.type)], operands, {}, like.span, like.source);
  }

  private make(like: Inst, op: "add" | "mul", operands: Value[], mods: Modifiers = NO_MODIFIERS): Value {
    const inst = new Inst(op, like.type, [this.fn.value(like.type)], operands, mods, like.span, like.source);
    return this.known.place(inst);
  }

  private available(inst: Inst): Value | null {
    const same = this.known.find(pureKey(inst));
    return same === undefined ? null : resolve(same);
  }
}
