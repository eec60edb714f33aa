/** New instructions in front of the one that a pass has in hand. */
import type { RegisterType } from "../program.js";
import { readAs } from "./constant-folding.js";
import { isInteger32, isInteger64 } from "./integer-types.js";
import {
  countUses,
  Inst,
  type Modifiers,
  NO_MODIFIERS,
  resolve,
  type SsaFunction,
  type SsaOp,
  type Value,
  walk,
} from "./ssa.js";
import type { Facts } from "./value-tracking.js";

/** Makes new instructions just before the one in hand. */
/** Found with nvcc 13.0: kernels with five loads, stores and atomics add the stride to the index, those with six do not. */
const MANY_ACCESSES = 6;

function hasManyAccesses(fn: SsaFunction): boolean {
  let count = 0;
  walk(fn.body, (node) => {
    if (node.kind === "inst" && (node.op === "ld" || node.op === "st" || node.op === "atom")) count++;
  });
  return count >= MANY_ACCESSES;
}

export class Maker {
  readonly fn: SsaFunction;
  readonly facts: Facts;
  /** Puts an instruction in place and gives what its value is, itself simplified. */
  readonly place: (inst: Inst) => Value;
  at: Inst | null = null;
  /** How often values were read when the pass began; what the pass made itself is read as often as what it stands for, or once. */
  private readonly uses: Int32Array;
  private readonly usesOfMade = new Map<number, number>();
  /** Whether the kernel has so many accesses that NVVM makes a pointer step by a stride, too, that may wrap. */
  readonly manyAccesses: boolean;
  /** Compares of sums and quotients are taken apart. */
  readonly compares: boolean;
  /** Sums start from others that are known (`reassociate.ts`), addresses in global memory too. */
  readonly reassociates: boolean;

  constructor(
    fn: SsaFunction,
    facts: Facts,
    rules: { compares: boolean; reassociates: boolean },
    place: (inst: Inst) => Value,
  ) {
    this.compares = rules.compares;
    this.reassociates = rules.reassociates;
    this.uses = countUses(fn);
    this.manyAccesses = hasManyAccesses(fn);
    this.fn = fn;
    this.facts = facts;
    this.place = place;
  }

  make(op: SsaOp, type: RegisterType, operands: Value[], mods: Modifiers = NO_MODIFIERS): Value {
    const at = this.at!;
    const resultType = op === "setp" ? "bool" : type;
    return this.place(new Inst(op, type, [this.fn.value(resultType)], operands, mods, at.span, at.source));
  }

  readOnce(value: Value): boolean {
    const { id } = resolve(value);
    return (this.uses[id] ?? this.usesOfMade.get(id) ?? 1) <= 1;
  }

  /** `value` stands for `result` from here on. */
  standsFor(value: Value, result: Value): void {
    if (value.id >= this.uses.length) this.usesOfMade.set(value.id, this.uses[result.id] ?? 1);
  }

  /** A constant as the right operand of `inst`, whose count may be of another type. */
  constantFor(inst: Inst, value: number): Value {
    return this.constant(inst.op === "shl" || inst.op === "shr" ? "u32" : inst.type, value);
  }

  constant(type: RegisterType, value: number | bigint): Value {
    const typed = isInteger64(type) ? readAs(type, BigInt(value)) : isInteger32(type) ? readAs(type, value) : value;
    return this.fn.constant(type, typed);
  }
}
