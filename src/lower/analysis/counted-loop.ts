/**
 * Loops that count: a parameter that steps by an invariant amount up or down to an invariant bound. Their number of rounds
 * is a formula, where the counter cannot wrap (signed, as C has it; unsigned only by steps of one).
 */

import type { CompareOp } from "../../ir/ir.js";
import type { RegisterType } from "../program.js";
import { readAs } from "../ssa/constant-folding.js";
import { isInteger64, isIntegerType, powerOfTwo } from "../ssa/integer-types.js";
import type { Modifiers } from "../ssa/ssa.js";
import {
  Inst,
  type LoopNode,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type SsaOp,
  type Value,
  walk,
} from "../ssa/ssa.js";

export interface CountedLoop {
  readonly loop: LoopNode;
  /** Index of the counter among the parameters. */
  readonly counter: number;
  readonly init: Value;
  /** A constant other than 0, or an invariant value (then the loop counts up). */
  readonly step: Value;
  readonly bound: Value;
  readonly compare: CompareOp;
  readonly type: "i32" | "u32" | "i64" | "u64";
  /** A second test that the loop goes on by, as well: of the counter, or of the counter plus an invariant amount. */
  readonly also: FurtherTest | null;
}

/** `ahead` is added to the counter's next value before it is compared; null: nothing is. */
export interface FurtherTest {
  readonly ahead: Value | null;
  readonly bound: Value;
  readonly compare: "lt" | "le";
}

/** The type in which a loop's rounds are counted. */
export function countType({ type }: CountedLoop): "u32" | "u64" {
  return isInteger64(type) ? "u64" : "u32";
}

/** Everything that a loop defines. */
export function definedIn(loop: LoopNode): Set<Value> {
  const inside = new Set<Value>([...loop.params, ...loop.latchParams]);
  const add = (node: SsaNode): void => {
    for (const result of node.results) inside.add(result);
    if (node.kind === "loop") for (const param of [...node.params, ...node.latchParams]) inside.add(param);
  };
  for (const region of regionsOf(loop)) walk(region, add);
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
 * A loop whose unsigned counter steps up by more than one: past the largest number it would begin anew, so that no formula
 * gives its rounds, but what it has left before its bound tells whether some more are due.
 */
export function unsignedLoop(loop: LoopNode): CountedLoop | null {
  const test = loop.condition === null ? null : resolve(loop.condition).def;
  return test === null ? null : countedBy(loop, test, definedIn(loop), true);
}

/** Of two tests nvcc unrolls loops that count up by ones (13.0; by 32 it does not). */
function countedByBoth(loop: LoopNode, first: Inst, second: Inst, inside: ReadonlySet<Value>): CountedLoop | null {
  const counted = countedBy(loop, first, inside);
  // Where one bound is a constant, the loop stays as it is.
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

/** What `value` is more than the counter's next value, an invariant; null where it is something else. */
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

/** `mayWrap`: only loops whose unsigned counter may. */
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
  // A step that may wrap says nothing of the number of rounds.
  if (def.type !== "i32" && def.type !== "i64" && amount === null) return null;
  if (def.type === "i64" && amount === null && isWidenedUnsigned(step)) return null;
  if (amount === null) return up ? result : null;
  return up === amount > 0 ? result : null;
}

/** Of `i += blockDim.x` of 64 bits nvcc does not unroll the loop, of `i += (long long)gridDim.x * blockDim.x` it does. */
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

/** The number of rounds less one, once the loop is entered. */
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

/** How far the last value that the test lets through lies from `start`; nothing, where it fails after the first round. */
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
  // The lesser of two counts is found of their negatives.
  const mods = { complement: counted.also === null && type === "u32" };
  return exclusive ? out.emit("add", type, [distance, out.constant(type, -1)], mods) : distance;
}
