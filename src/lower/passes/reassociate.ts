/**
 * Sums and products that differ little from one already there: (m + s) + x where m + x is known is that plus s (LLVM's
 * NaryReassociate), and (b + c) * s where (b + c') * s is known is that plus (c - c') * s (StraightLineStrengthReduce).
 */
import { Inst, type Modifiers, NO_MODIFIERS, resolve, type SsaFunction, type Value } from "../ssa.js";
import { pureKey } from "./value-key.js";

const STRIDE_SUM: Modifiers = { wraps: true };

/** The values that are known where the walk stands, and how another comes there. */
export interface KnownValues {
  find(key: string): Value | undefined;
  remember(key: string, value: Value): void;
  /** Puts an instruction there as it is; gives its value, or that of an equal one. */
  place(inst: Inst): Value;
}

export class Reassociation {
  private readonly fn: SsaFunction;
  private readonly known: KnownValues;
  /** c of the products (b + c) * s that others can start from; a product has one for each order of its factors. */
  private readonly strideOffsets = new Map<string, number>();

  constructor(fn: SsaFunction, known: KnownValues) {
    this.fn = fn;
    this.known = known;
  }

  /** The value of `inst`, made from one that is known; null if none is near. */
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
        const [p, q] = def.operands.map(resolve) as [Value, Value];
        if (q.constant !== null) continue;
        for (const [first, second] of [
          [p, q],
          [q, p],
        ] as const) {
          const known =
            this.available(this.probe(inst, "add", [first, other])) ??
            this.available(this.probe(inst, "add", [other, first]));
          if (known !== null && known !== sum) return this.make(inst, "add", [known, second], def.mods);
        }
      }
      return null;
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
