/**
 * Counted loops: an induction variable steps by an invariant amount up or down to an invariant bound. A formula
 * gives the trip count where the variable cannot wrap (signed as in C; unsigned only with step one).
 */

import type { CompareOp } from "../../ir/ir.js";
import type { RegisterType } from "../program.js";
import { readAs } from "../ssa/constant-folding.js";
import { isInteger64, isIntegerType, powerOfTwo } from "../ssa/integer-types.js";
import type { Modifiers } from "../ssa/ssa.js";
import { Inst, type LoopNode, resolve, type SsaFunction, type SsaNode, type SsaOp, type Value } from "../ssa/ssa.js";
import { walkLoop } from "../ssa/traversal.js";

export interface CountedLoop {
  readonly loop: LoopNode;
  /** Index of the induction variable among the parameters. */
  readonly counter: number;
  readonly init: Value;
  /** A non-zero constant, or an invariant value (then the loop counts up). */
  readonly step: Value;
  readonly bound: Value;
  readonly compare: CompareOp;
  readonly type: "i32" | "u32" | "i64" | "u64";
  /** A second test, which must also hold: of the induction variable, or of it plus an invariant amount. */
  readonly also: FurtherTest | null;
}

/** `ahead` is added to the induction variable's next value before the compare; null: nothing is. */
export interface FurtherTest {
  readonly ahead: Value | null;
  readonly bound: Value;
  readonly compare: "lt" | "le";
}

/** The type of a loop's trip count. */
export function countType({ type }: CountedLoop): "u32" | "u64" {
  return isInteger64(type) ? "u64" : "u32";
}

/** Every value that the loop defines. */
export function definedIn(loop: LoopNode): Set<Value> {
  const inside = new Set<Value>([...loop.params, ...loop.latchParams]);
  walkLoop(loop, (node) => {
    for (const result of node.results) inside.add(result);
    if (node.kind === "loop") for (const param of [...node.params, ...node.latchParams]) inside.add(param);
  });
  return inside;
}

export function countedLoop(loop: LoopNode): CountedLoop | null {
  if (loop.condition === null) return null;
  const test = resolve(loop.condition).def;
  if (test === null) return null;
  const inside = definedIn(loop);
  if (test.op !== "pand") return countedBy(loop, test, inside);
  const [first, second] = test.operands.map((operand) => resolve(operand).def);
  if (first == null || second == null) return null;
  return countedByBoth(loop, first, second, inside) ?? countedByBoth(loop, second, first, inside);
}

/**
 * A loop whose unsigned induction variable steps up by more than one. It may wrap, so no formula gives the trip
 * count. The distance to its bound still tells whether more iterations follow.
 */
export function unsignedLoop(loop: LoopNode): CountedLoop | null {
  const test = loop.condition === null ? null : resolve(loop.condition).def;
  return test === null ? null : countedBy(loop, test, definedIn(loop), true);
}

/** nvcc 13.0 unrolls loops with two tests where they count up by one; with a step of 32 it does not. */
function countedByBoth(loop: LoopNode, first: Inst, second: Inst, inside: ReadonlySet<Value>): CountedLoop | null {
  const counted = countedBy(loop, first, inside);
  // With a constant bound nvcc does not unroll the loop.
  if (counted === null || counted.step.constant !== 1 || isInteger64(counted.type)) return null;
  if (counted.bound.constant !== null || (counted.compare !== "lt" && counted.compare !== "le")) return null;
  if (second.op !== "setp" || second.operands.length !== 2) return null;
  const { compare, sourceType } = second.mods;
  const bound = resolve(second.operands[1]!);
  if ((compare !== "lt" && compare !== "le") || sourceType !== counted.type || inside.has(bound)) return null;
  if (compare === "le" && counted.type === "u32") return null;
  const ahead = aheadOf(
    resolve(second.operands[0]!),
    resolve(loop.nexts[counted.counter]!),
    loop.params[counted.counter]!,
    inside,
  );
  return ahead === null || bound.constant !== null ? null : { ...counted, also: { ahead: ahead.by, bound, compare } };
}

/** The invariant by which `value` exceeds the induction variable's next value; null if it is something else. */
function aheadOf(
  value: Value,
  next: Value,
  param: Value,
  inside: ReadonlySet<Value>,
): { readonly by: Value | null } | null {
  if (value === next) return { by: null };
  const { def } = value;
  if (def?.op !== "add" || def.type !== "i32") return null;
  const [left, right] = def.operands.map(resolve) as [Value, Value];
  const plus = (one: Value, other: Value): Value | null => (one === next && !inside.has(other) ? other : null);
  const direct = plus(left, right) ?? plus(right, left);
  if (direct !== null) return { by: direct };
  // (param + by) + 1, where the next value is param + 1.
  const sum = left.def;
  if (right.constant !== 1 || sum?.op !== "add" || sum.type !== "i32") return null;
  const [one, other] = sum.operands.map(resolve) as [Value, Value];
  if (one === param && !inside.has(other)) return { by: other };
  return other === param && !inside.has(one) ? { by: one } : null;
}

/** `mayWrap`: only loops whose unsigned induction variable may wrap. */
function countedBy(
  loop: LoopNode,
  test: Inst,
  inside: ReadonlySet<Value>,
  mayWrap: boolean = false,
): CountedLoop | null {
  if (test.op !== "setp" || test.operands.length !== 2) return null;
  const { compare, sourceType } = test.mods;
  if (compare === undefined || sourceType === undefined || !isIntegerType(sourceType)) return null;
  const tested = resolve(test.operands[0]!);
  const bound = resolve(test.operands[1]!);
  if (inside.has(bound)) return null;
  const { def } = tested;
  if (def?.op !== "add" || !inside.has(tested)) return null;
  const counter = loop.params.findIndex(
    (param, i) => resolve(loop.nexts[i]!) === tested && resolve(def.operands[0]!) === param,
  );
  if (counter < 0) return null;
  const step = resolve(def.operands[1]!);
  if (inside.has(step)) return null;
  const amount = step.constant === null ? null : Number(step.constant) | 0;
  const init = resolve(loop.inits[counter]!);
  const result: CountedLoop = { loop, counter, init, step, bound, compare, type: sourceType, also: null };
  const up = compare === "lt" || compare === "le";
  if (mayWrap) return sourceType === "u32" && up && amount !== null && amount > 1 ? result : null;
  if (compare === "ne") return amount === 1 || amount === -1 ? result : null;
  if (compare === "eq") return null;
  if (sourceType === "u32" || sourceType === "u64") return amount === 1 && compare === "lt" ? result : null;
  // A step that may wrap gives no trip count.
  if (def.type !== "i32" && def.type !== "i64" && amount === null) return null;
  if (def.type === "i64" && amount === null && isWidenedUnsigned(step)) return null;
  if (amount === null) return up ? result : null;
  return up === amount > 0 ? result : null;
}

/**
 * nvcc does not unroll a loop with the 64-bit step `i += blockDim.x`. It does with `i += (long long)gridDim.x *
 * blockDim.x`.
 */
function isWidenedUnsigned(step: Value): boolean {
  return step.def?.op === "cvt" && step.def.mods.sourceType === "u32";
}

/** Appends instructions to a list. */
export class Appender {
  readonly nodes: SsaNode[] = [];
  private readonly fn: SsaFunction;
  private readonly like: { readonly span: Inst["span"]; readonly source: number };

  constructor(fn: SsaFunction, like: { readonly span: Inst["span"]; readonly source: number }) {
    this.fn = fn;
    this.like = like;
  }

  emit(op: SsaOp, type: RegisterType, operands: Value[], mods: Modifiers = {}): Value {
    const result = this.fn.value(op === "setp" ? "bool" : type);
    this.nodes.push(new Inst(op, type, [result], operands, mods, this.like.span, this.like.source));
    return result;
  }

  constant(type: RegisterType, value: number): Value {
    return this.fn.constant(type, readAs(type, value));
  }
}

/** The trip count minus one, once the loop is entered. */
export function roundsLessOne(counted: CountedLoop, out: Appender): Value {
  const { init, step, also } = counted;
  const type = countType(counted);
  const amount = step.constant === null ? null : Number(step.constant) | 0;
  const down = amount !== null && amount < 0;
  const distance = distanceTo(counted.bound, init, counted.compare, counted, down, out);
  if (also !== null) {
    const start = also.ahead === null ? init : out.emit("add", type, [init, also.ahead]);
    return out.emit("min", type, [distance, distanceTo(also.bound, start, also.compare, counted, down, out)]);
  }
  if (amount === 1 || amount === -1) return distance;
  if (type === "u32")
    return out.emit("div", "u32", [distance, amount === null ? step : out.constant("u32", Math.abs(amount))]);
  const shift = amount === null ? -1 : powerOfTwo(Math.abs(amount));
  if (shift >= 0) return out.emit("shr", "u64", [distance, out.constant("u32", shift)]);
  return out.emit("div", "u64", [distance, amount === null ? step : out.constant("u64", Math.abs(amount))]);
}

/** The distance from `start` to the last value that passes the test; 0 where the first iteration is the last. */
function distanceTo(
  bound: Value,
  start: Value,
  compare: CompareOp,
  counted: CountedLoop,
  down: boolean,
  out: Appender,
): Value {
  const type = countType(counted);
  const exclusive = compare !== "le" && compare !== "ge";
  let end = bound;
  if (!counted.loop.tested && compare !== "ne") {
    const second = out.emit("add", counted.type, [start, counted.step]);
    const first = exclusive
      ? second
      : out.emit("add", counted.type, [second, out.constant(counted.type, down ? 1 : -1)]);
    end = out.emit(down ? "min" : "max", counted.type, [bound, first]);
  }
  const distance = out.emit("sub", type, down ? [start, end] : [end, start]);
  // NVVM takes the minimum of the two negated counts.
  const mods = { complement: counted.also === null && type === "u32" };
  return exclusive ? out.emit("add", type, [distance, out.constant(type, -1)], mods) : distance;
}
