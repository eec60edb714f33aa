/**
 * The step of a loop's index per iteration, where it is a sum of products of induction variables and loop invariants
 * (LLVM's SCEV add recurrences). `exact` says whether NVVM can prove that the index does not overflow, so that a
 * pointer may step instead. NVVM proves it from signed arithmetic. It loses the proof where it reassociates a sum
 * into a sum or a product into a product. It also loses it where an induction variable's step is itself a sum, as in
 * an unrolled loop (60 loops, nvcc 13.0).
 */
import type { RegisterType } from "../program.js";
import { isSpeculatable } from "../ssa/effects.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { Inst, type LoopNode, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";
import { type Appender, definedIn } from "./counted-loop.js";

export interface AffineStep {
  /** The step of one iteration; a number where it is a constant. */
  readonly step: Value | number;
  readonly exact: boolean;
  /** All its operations are signed: it does not overflow, whether or not NVVM can prove it. */
  readonly signed: boolean;
  /** An induction variable in it has a step known only at run time. */
  readonly variable: boolean;
  /** An induction variable in it is multiplied by a constant. */
  readonly scaled: boolean;
}

const SUMS: ReadonlySet<string> = new Set(["add", "sub", "mul", "shl"]);

export interface Place {
  /**
   * The loop is unrolled: NVVM has lost the no-overflow flags of products of its induction variables with constants.
   */
  readonly unrolled: boolean;
  /** The step is computed inside the loop, where its operands are, instead of in the preheader. */
  readonly within: boolean;
}

export class AffineSteps {
  private readonly fn: SsaFunction;
  private readonly loop: LoopNode;
  private readonly inside: Set<Value>;
  /** Receives the new instructions. */
  private readonly out: Appender;
  private readonly place: Place;
  private readonly moved = new Map<Value, Value>();
  private readonly invariant = new Map<Value, boolean>();
  private readonly known = new Map<Value, AffineStep | null>();
  private readElsewhere: boolean | null = null;

  constructor(fn: SsaFunction, loop: LoopNode, out: Appender, place: Place) {
    this.fn = fn;
    this.loop = loop;
    this.inside = definedIn(loop);
    this.out = out;
    this.place = place;
  }

  /** Records a new loop parameter. */
  enter(param: Value): void {
    this.inside.add(param);
  }

  /** Null where `index` has no constant or invariant step. */
  of(index: Value): AffineStep | null {
    const value = resolve(index);
    if (this.isInvariant(value)) return null;
    const affine = this.beside(value) ?? this.stepOf(value);
    return affine === null || typeof affine.step === "number" ? affine : { ...affine, step: this.placed(affine.step) };
  }

  /** The part of a signed sum that steps. NVVM adds the invariant part to the pointer in the preheader. */
  private beside(value: Value): AffineStep | null {
    const { def } = value;
    if ((def?.op !== "add" && def?.op !== "sub") || def.type !== "i32") return null;
    const [a, b] = def.operands.map(resolve) as [Value, Value];
    if (this.isInvariant(b)) return this.of(a);
    if (!this.isInvariant(a)) return null;
    const other = this.of(b);
    if (other === null || def.op === "add") return other;
    return { ...other, step: this.times(other.step, -1, "i32") };
  }

  isInvariant(value: Value): boolean {
    const now = resolve(value);
    if (!this.inside.has(now)) return true;
    const before = this.invariant.get(now);
    if (before !== undefined) return before;
    const { def } = now;
    const result = def !== null && isSpeculatable(def) && def.operands.every((operand) => this.isInvariant(operand));
    this.invariant.set(now, result);
    return result;
  }

  /** The value of an affine index in the first iteration, computed in the preheader. */
  first(index: Value): Value {
    const value = resolve(index);
    if (!this.inside.has(value)) return value;
    const known = this.moved.get(value);
    if (known !== undefined) return known;
    const param = this.loop.params.indexOf(value);
    if (param >= 0) return resolve(this.loop.inits[param]!);
    const inst = value.def!;
    const copy = this.fn.value(value.type, value.name);
    const operands = inst.operands.map((operand) => this.first(operand));
    this.out.nodes.push(new Inst(inst.op, inst.type, [copy], operands, inst.mods, inst.span, inst.source));
    this.moved.set(value, copy);
    return copy;
  }

  private stepOf(value: Value): AffineStep | null {
    const before = this.known.get(value);
    if (before !== undefined) return before;
    const step = this.findStep(value);
    this.known.set(value, step);
    return step;
  }

  private findStep(value: Value): AffineStep | null {
    const param = this.loop.params.indexOf(value);
    if (param >= 0) return this.stepOfParam(value, resolve(this.loop.nexts[param]!));
    const { def } = value;
    if (def === null || !SUMS.has(def.op) || !isInteger32(def.type)) return null;
    const [a, b] = def.operands.map(resolve) as [Value, Value];
    const signed = def.type === "i32";
    if (def.op === "add" || def.op === "sub") return this.stepOfSum(def, a, b, signed);
    const factor = this.isInvariant(b) ? b : this.isInvariant(a) && def.op === "mul" ? a : null;
    if (factor === null) return null;
    const inner = this.stepOf(factor === b ? a : b);
    if (inner === null) return null;
    const constant = typeof factor.constant === "number" ? factor.constant | 0 : null;
    if (def.op === "shl" && constant === null) return null;
    const by = constant === null ? factor : def.op === "shl" ? 2 ** constant : constant;
    const times = this.times(inner.step, by, def.type);
    // NVVM reassociates a product of products.
    const of = factor === b ? a : b;
    const merged = isProduct(of) || isProduct(factor);
    const constantly = typeof by === "number";
    const scaled = inner.scaled || (constantly && this.loop.params.includes(of));
    const multiple = constantly && scaled && Math.abs(by) > 2 && !this.countersReadElsewhere();
    const lost = this.place.unrolled && (constantly ? multiple : inner.scaled);
    const exact = inner.exact && signed && !merged && !lost;
    return { ...inner, step: times, exact, signed: inner.signed && signed, scaled };
  }

  /** True if an induction variable has a use other than a product with a constant. */
  private countersReadElsewhere(): boolean {
    this.readElsewhere ??= readsElsewhere(this.loop);
    return this.readElsewhere;
  }

  private stepOfSum(def: Inst, a: Value, b: Value, signed: boolean): AffineStep | null {
    const left = this.isInvariant(a) ? null : this.stepOf(a);
    const right = this.isInvariant(b) ? null : this.stepOf(b);
    if ((left === null && !this.isInvariant(a)) || (right === null && !this.isInvariant(b))) return null;
    const minus = def.op === "sub";
    const one = left ?? right!;
    if (left !== null && right !== null) {
      return {
        step: this.plus(left.step, right.step, def.type, minus),
        exact: left.exact && right.exact && signed && !minus,
        signed: left.signed && right.signed && signed,
        variable: left.variable || right.variable,
        scaled: left.scaled || right.scaled,
      };
    }
    const other = left === null ? a : b;
    const step = minus && left === null ? this.times(one.step, -1, def.type) : one.step;
    const exact = one.exact && signed && !minus && !isSum(other);
    return { ...one, step, exact, signed: one.signed && signed };
  }

  /** The step of an induction variable; in an unrolled loop it is a chain of sums. */
  private stepOfParam(param: Value, next: Value): AffineStep | null {
    const parts: Value[] = [];
    let constant = 0;
    let at = next;
    let links = 0;
    let signed = true;
    let type: RegisterType = "i32";
    for (; at !== param; links++) {
      const { def } = at;
      if (def?.op !== "add" || !isInteger32(def.type)) return null;
      const [a, b] = def.operands.map(resolve) as [Value, Value];
      const by: Value = this.isInvariant(b) ? b : a;
      if (!this.isInvariant(by)) return null;
      type = def.type;
      signed = signed && type === "i32";
      if (typeof by.constant === "number") constant = (constant + by.constant) | 0;
      else parts.push(by);
      at = by === b ? a : b;
    }
    if (links === 0) return null;
    const [part] = parts;
    if (part === undefined) return { step: constant, exact: signed, signed, variable: false, scaled: false };
    if (constant !== 0 || parts.some((other) => other !== part)) return null;
    const step = this.times(part, parts.length, type);
    return { step, exact: signed && links === 1, signed, variable: true, scaled: false };
  }

  private times(a: Value | number, b: Value | number, type: RegisterType): Value | number {
    if (typeof a === "number" && typeof b === "number") return Math.imul(a, b);
    if (a === 1) return b;
    if (b === 1) return a;
    return this.out.emit("mul", type, this.both(a, b, type));
  }

  private plus(a: Value | number, b: Value | number, type: RegisterType, minus: boolean): Value | number {
    if (typeof a === "number" && typeof b === "number") return (minus ? a - b : a + b) | 0;
    if (a === 0 && !minus) return b;
    if (b === 0) return a;
    return this.out.emit(minus ? "sub" : "add", type, this.both(a, b, type));
  }

  private both(a: Value | number, b: Value | number, type: RegisterType): Value[] {
    const value = (part: Value | number): Value =>
      typeof part === "number" ? this.out.constant(type, part) : this.placed(part);
    return [value(a), value(b)];
  }

  private placed(step: Value): Value {
    return this.place.within ? step : this.first(step);
  }
}

function readsElsewhere(loop: LoopNode): boolean {
  const numbers = new Set<Value>();
  loop.params.forEach((param, i) => {
    const { def } = resolve(loop.nexts[i]!);
    if (param.type === "i32" && def?.op === "add" && resolve(def.operands[0]!) === param) numbers.add(param);
  });
  return loop.body.nodes.some((node) => {
    if (node.kind !== "inst") return false;
    if (!node.operands.some((operand) => numbers.has(resolve(operand)))) return false;
    const other = node.operands.length === 2 ? resolve(node.operands[1]!).constant : null;
    if (node.op === "add" && other !== null) numbers.add(node.results[0]!);
    return other === null || !SUMS.has(node.op);
  });
}

function isSum(value: Value): boolean {
  const { def } = resolve(value);
  return def !== null && (def.op === "add" || def.op === "sub") && resolve(def.operands[1]!).constant === null;
}

function isProduct(value: Value): boolean {
  const { def } = resolve(value);
  return def !== null && (def.op === "mul" || def.op === "shl");
}

/** `value` is built from `params` by sums alone, without products or differences. */
export function isSumOf(params: readonly Value[], value: Value, seen: Set<Value> = new Set()): boolean {
  const now = resolve(value);
  const { def } = now;
  if (def === null || params.includes(now) || seen.has(now)) return true;
  seen.add(now);
  if (def.op === "add") return def.operands.every((operand) => isSumOf(params, operand, seen));
  return !reads(params, now, new Set());
}

function reads(params: readonly Value[], value: Value, seen: Set<Value>): boolean {
  const now = resolve(value);
  if (params.includes(now)) return true;
  if (now.def === null || !SUMS.has(now.def.op) || seen.has(now)) return false;
  seen.add(now);
  return now.def.operands.some((operand) => reads(params, operand, seen));
}
