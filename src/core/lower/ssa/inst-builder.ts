/** Builds instructions in front of the current one of a pass. */
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
} from "./ssa.js";
import { walkInstructions } from "./traversal.js";
import type { Facts } from "./value-tracking.js";

/** With five loads, stores and atomics nvcc 13.0 adds the stride to the index; with six it steps the pointer. */
const MANY_ACCESSES = 6;

function hasManyAccesses(fn: SsaFunction): boolean {
  let count = 0;
  walkInstructions(fn.body, (node) => {
    if (node.op === "ld" || node.op === "st" || node.op === "atom") count++;
  });
  return count >= MANY_ACCESSES;
}

export class Maker {
  readonly fn: SsaFunction;
  readonly facts: Facts;
  /** Inserts an instruction and returns its value, which may be simplified. */
  readonly place: (inst: Inst) => Value;
  at: Inst | null = null;
  /** Uses of each value when the pass began. A new value has the uses of the value it replaces, or one. */
  private readonly uses: Int32Array;
  private readonly usesOfMade = new Map<number, number>();
  /** The kernel has enough accesses for NVVM to step a pointer even by a stride that may wrap. */
  readonly manyAccesses: boolean;
  /** Compares of sums and quotients are simplified. */
  readonly compares: boolean;
  /** Sums reuse available sums (`reassociate.ts`), global addresses as well. */
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

  /** `value` replaces `result` from here on. */
  standsFor(value: Value, result: Value): void {
    if (value.id >= this.uses.length) this.usesOfMade.set(value.id, this.uses[result.id] ?? 1);
  }

  /** A constant as the right operand of `inst`. A shift count is u32 whatever the type of the shift. */
  constantFor(inst: Inst, value: number): Value {
    return this.constant(inst.op === "shl" || inst.op === "shr" ? "u32" : inst.type, value);
  }

  constant(type: RegisterType, value: number | bigint): Value {
    const typed = isInteger64(type) ? readAs(type, BigInt(value)) : isInteger32(type) ? readAs(type, value) : value;
    return this.fn.constant(type, typed);
  }
}
