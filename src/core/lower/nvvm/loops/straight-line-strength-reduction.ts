/**
 * Steps of 64-bit indices that are products, `in[(size_t)k * width + c]` in a loop over k. The index advances by a
 * multiple of a factor in each iteration (loop-strength-reduction.ts). One IMAD.WIDE widens, scales and adds a 32-bit
 * factor where NVVM has all three in one basic block. A factor widened in front of a loop before it was unrolled is
 * added in two halves (nvcc 13.0: 30 kernels).
 */

import { ADD, ADD_HIGH } from "../../machine/address-slots.js";
import type { IssueSlot } from "../../program.js";
import { type Inst, resolve, type Value } from "../../ssa/ssa.js";

/** How a factor is widened. */
interface Factor {
  readonly value: Value;
  readonly type: "i32" | "u32" | "i64";
}

interface Term {
  readonly factors: readonly Factor[];
  readonly times: bigint;
}

/** Products by their factors' names. */
type WideIndex = ReadonlyMap<string, Term>;

export const HALVES: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);

const MOST_TERMS = 16;
const DEEPEST = 10;
const LARGEST_SCALE = 2 ** 30;

/** A counter of a loop and its step. */
interface Counter {
  readonly value: Value;
  readonly step: number;
}

export interface WideStep {
  /** The step of an iteration is a multiple of it; null where the step is a constant. */
  readonly factor: Factor | null;
  readonly times: number;
  readonly rounds: number;
}

/** How much an index of 64 bits moves on in a round that steps one of the counters: by `times` the factor, `rounds` times. */
export function wideStepOf(
  index: Value,
  counters: readonly Counter[],
  isInvariant: (value: Value) => boolean,
): WideStep | null {
  const moving = [...wideIndexOf(index).values()].filter(
    ({ factors }) => !factors.every(({ value }) => isInvariant(value)),
  );
  const [only] = moving;
  if (only === undefined || moving.length > 1) return null;
  const counter = counters.find(({ value }) => only.factors.some((factor) => factor.value === value));
  const others = only.factors.filter(({ value }) => value !== counter?.value);
  const times = Number(only.times);
  if (counter === undefined || counter.step <= 0 || times <= 0 || times > LARGEST_SCALE) return null;
  if (
    others.length > 1 ||
    others.length !== only.factors.length - 1 ||
    !others.every(({ value }) => isInvariant(value))
  )
    return null;
  return { factor: others[0] ?? null, times, rounds: counter.step };
}

/** A value of 64 bits as a sum of products; signed words are sums, too. */
function wideIndexOf(value: Value, depth = 0): WideIndex {
  const now = resolve(value);
  if (now.constant !== null) return constantIndex(BigInt(now.constant));
  const { def } = now;
  if (def === null || depth === DEEPEST) return leaf(now, "i64");
  if (def.op === "cvt") {
    const word = resolve(def.operands[0]!);
    if (def.mods.sourceType === "i32") return wordIndexOf(word, depth + 1);
    if (def.mods.sourceType === "u32") return leaf(word, "u32");
  }
  return combined(now, def, "i64", (operand) => wideIndexOf(operand, depth + 1));
}

/** A signed word, whose sums and products do not overflow. */
function wordIndexOf(value: Value, depth = 0): WideIndex {
  const now = resolve(value);
  if (typeof now.constant === "number") return constantIndex(BigInt(now.constant | 0));
  const { def } = now;
  if (def === null || def.type !== "i32" || depth === DEEPEST) return leaf(now, "i32");
  return combined(now, def, "i32", (operand) => wordIndexOf(operand, depth + 1));
}

function combined(value: Value, def: Inst, type: Factor["type"], of: (operand: Value) => WideIndex): WideIndex {
  if (def.operands.length !== 2) return leaf(value, type);
  const [a, b] = def.operands as [Value, Value];
  let result: WideIndex;
  if (def.op === "add") result = sum(of(a), of(b), 1n);
  else if (def.op === "sub") result = sum(of(a), of(b), -1n);
  else if (def.op === "mul") result = product(of(a), of(b));
  else if (def.op === "shl" && typeof resolve(b).constant === "number") {
    result = product(of(a), constantIndex(1n << BigInt(Number(resolve(b).constant) & 63)));
  } else return leaf(value, type);
  return result.size > MOST_TERMS ? leaf(value, type) : result;
}

function leaf(value: Value, type: Factor["type"]): WideIndex {
  const factor = { value, type };
  return new Map([[nameOf([factor]), { factors: [factor], times: 1n }]]);
}

function nameOf(factors: readonly Factor[]): string {
  return factors.map(({ value, type }) => `${type}:${value.id}`).join("*");
}

function constantIndex(constant: bigint): WideIndex {
  return new Map(constant === 0n ? [] : [["", { factors: [], times: constant }]]);
}

function sum(a: WideIndex, b: WideIndex, sign: bigint): WideIndex {
  const result = new Map(a);
  for (const [key, { factors, times }] of b) addTerm(result, key, factors, sign * times);
  return result;
}

function product(a: WideIndex, b: WideIndex): WideIndex {
  const result = new Map<string, Term>();
  for (const one of a.values()) {
    for (const other of b.values()) {
      const factors = [...one.factors, ...other.factors].sort((x, y) => x.value.id - y.value.id);
      addTerm(result, nameOf(factors), factors, one.times * other.times);
    }
  }
  return result;
}

function addTerm(to: Map<string, Term>, key: string, factors: readonly Factor[], times: bigint): void {
  const total = (to.get(key)?.times ?? 0n) + times;
  if (total === 0n) to.delete(key);
  else to.set(key, { factors, times: total });
}
