/**
 * Global addresses whose indices are products of 64 bits, `in[(size_t)(row + k) * width + c]` for several k: where the index differs from
 * that of an earlier address by a multiple of one factor, the address goes on from there by the factor's bytes (LLVM's
 * StraightLineStrengthReduce). Sums of words within the product count where the kernel has six accesses or more, as for indices of 32 bits. A factor
 * that is a word is widened, scaled and added by one IMAD.WIDE where NVVM has all that in one block; what was widened in front of a loop
 * before it was unrolled is shifted in another block, and added in two halves (nvcc 13.0: 30 kernels).
 */

import { ADD, ADD_HIGH } from "../../machine/address-slots.js";
import type { IssueSlot } from "../../program.js";
import { hasManyAccesses } from "../../ssa/inst-builder.js";
import { isInteger64 } from "../../ssa/integer-types.js";
import {
  type Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import type { UnrolledLoops } from "./loop-runtime-unroll.js";

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
/** Where sums of words are looked into: what may be added to one without a carry. */
type Splits = (value: Value) => number;

const MOST_TERMS = 16;
const DEEPEST = 10;
const LARGEST_SCALE = 2 ** 30;

interface Place {
  readonly address: Value;
  readonly base: Value;
  readonly scale: number;
  readonly index: WideIndex;
  readonly wide: boolean;
}

/** From an earlier address, by an index that is the factor or, without one, a constant. */
interface Step {
  readonly factor: Factor | null;
  readonly from: Value;
  readonly times: number;
  readonly scale: number;
}

export function stepWideAddresses(fn: SsaFunction, unrolled: UnrolledLoops): boolean {
  let changed = false;
  const splits = hasManyAccesses(fn) ? (value: Value): number => freeOf(value, unrolled) : null;
  const visit = (region: Region, known: readonly Place[], loop: LoopNode | null, nested: boolean): void => {
    const places = [...known];
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "if") {
        visit(node.then, places, loop, nested);
        visit(node.else, places, loop, nested);
      } else if (node.kind === "loop") {
        visit(node.body, places, node, loop !== null);
        visit(node.latch, places, node, loop !== null);
      } else if (node.op === "addr" && node.mods.space === "global") {
        const place = placeOf(node, splits);
        const step = place === null ? null : stepFrom(places, place);
        if (step !== null) {
          const { factor, from, scale } = step;
          node.operands = [from, factor === null ? fn.constant("i32", step.times) : factor.value];
          node.mods = { ...node.mods, scale, sourceType: factor?.type ?? "i32" };
          if (factor !== null && loop !== null && !nested && unrolled.has(loop)) node.slots = HALVES;
          changed = true;
        }
        if (place !== null) places.push(place);
      }
      nodes.push(node);
    }
    region.nodes = nodes;
  };
  visit(fn.body, [], null, false);
  return changed;
}

function placeOf(node: Inst, splits: Splits | null): Place | null {
  const { sourceType, scale } = node.mods;
  if (sourceType === undefined || scale === undefined) return null;
  const wide = isInteger64(sourceType);
  if (!wide && sourceType !== "i32") return null;
  const [base, value] = node.operands.map(resolve) as [Value, Value];
  const index = wide ? wideIndexOf(value, splits) : wordIndexOf(value, splits);
  return { address: node.results[0]!, base, scale, index, wide };
}

/** From the last place that lies at a constant or at a multiple of one factor from this one. */
function stepFrom(places: readonly Place[], to: Place): Step | null {
  for (let i = places.length - 1; i >= 0; i--) {
    const from = places[i]!;
    if (from.base !== to.base || from.scale !== to.scale || !(from.wide || to.wide)) continue;
    const difference = [...sum(to.index, from.index, -1n).values()];
    const [only] = difference;
    if (only === undefined || difference.length > 1 || only.factors.length > 1) continue;
    const [factor = null] = only.factors;
    const times = Number(only.times);
    if (Math.abs(times) * to.scale > LARGEST_SCALE || (factor !== null && !isMultiplied(factor, from, to, times)))
      continue;
    return { factor, from: from.address, times, scale: factor === null ? to.scale : times * to.scale };
  }
  return null;
}

/** The factor multiplies in both indices what differs: what is only added is no stride. */
function isMultiplied({ value }: Factor, from: Place, to: Place, times: number): boolean {
  const terms = [...to.index.values()].filter(({ factors }) => factors.some((factor) => factor.value === value));
  const added = [...from.index.values()].some(
    ({ factors: [only, ...others] }) => only?.value === value && others.length === 0,
  );
  return times > 0 && (added || terms.some(({ factors }) => factors.length > 1));
}

/** A counter of a loop and its step. */
interface Counter {
  readonly value: Value;
  readonly step: number;
}

export interface WideStep {
  /** What a round's step is a multiple of; null: nothing, it is a constant. */
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
  const moving = [...wideIndexOf(index, () => 0).values()].filter(
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

/** A value of 64 bits as a sum of products; `splits`: words are sums, too. */
function wideIndexOf(value: Value, splits: Splits | null, depth = 0): WideIndex {
  const now = resolve(value);
  if (now.constant !== null) return constantIndex(BigInt(now.constant));
  const { def } = now;
  if (def === null || depth === DEEPEST) return leaf(now, "i64");
  if (def.op === "cvt") {
    const word = resolve(def.operands[0]!);
    if (def.mods.sourceType === "i32") return wordIndexOf(word, splits, depth + 1);
    if (def.mods.sourceType === "u32") return splits !== null ? unsignedIndexOf(word, splits) : leaf(word, "u32");
  }
  return combined(now, def, "i64", (operand) => wideIndexOf(operand, splits, depth + 1));
}

/** A signed word, whose sums and products do not overflow. */
function wordIndexOf(value: Value, splits: Splits | null, depth = 0): WideIndex {
  const now = resolve(value);
  if (typeof now.constant === "number") return constantIndex(BigInt(now.constant | 0));
  const { def } = now;
  if (def === null || def.type !== "i32" || splits === null || depth === DEEPEST) return leaf(now, "i32");
  return combined(now, def, "i32", (operand) => wordIndexOf(operand, splits, depth + 1));
}

/** A word that is widened by zeros: only what fills low bits that are 0 is known not to overflow (NVVM has it as an `or`). */
function unsignedIndexOf(value: Value, splits: Splits): WideIndex {
  const now = resolve(value);
  const [a, b] = now.def?.op === "add" ? (now.def.operands.map(resolve) as [Value, Value]) : [null, null];
  const fills = typeof b?.constant === "number" && b.constant >= 0 && b.constant < splits(a!);
  if (a === null || !fills) return leaf(now, "u32");
  return sum(leaf(a, "u32"), constantIndex(BigInt(b.constant as number)), 1n);
}

/** What may be added to a word without a carry: it is shifted, or counts an unrolled loop's rounds from 0. */
function freeOf(value: Value, unrolled: UnrolledLoops): number {
  const { def, owner } = value;
  if (def?.op === "shl") return 2 ** Number(resolve(def.operands[1]!).constant ?? 0);
  if (owner?.kind !== "loop" || Number(resolve(owner.inits[owner.params.indexOf(value)]!).constant) !== 0) return 0;
  return unrolled.get(owner)?.rounds ?? 0;
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
