/**
 * Unrolls loops with a constant trip count: fully, or, where that is too large, by a divisor of the trip count. The
 * thresholds follow LLVM's unroller as NVVM configures it (nvcc 13.0).
 */

import { definedIn } from "../../analysis/counted-loop.js";
import { roundsApart, tripCount } from "../../analysis/trip-count.js";
import { Cloner, type Substitution } from "../../ssa/clone.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { continues, jumpsOut } from "../../ssa/loop-jumps.js";
import {
  emptyRegion,
  holdsLoop,
  type Inst,
  type LoopNode,
  type Region,
  regionsOf,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { rewriteLoops, walkLoop } from "../../ssa/traversal.js";

/**
 * Size limit of all iterations together, from loops of 2 to 16 iterations with up to 157 multiply-adds each (nvcc
 * 13.0).
 */
const FULL_SIZE = 400;
/** The most iterations of a loop for which only an upper bound is known (LLVM's UnrollMaxUpperBound). */
const MOST_AT_MOST = 8;
/** Size limit of a partially unrolled loop; its counting, compare and branch are not repeated. */
const PARTIAL_SIZE = 206;
const COUNTING = 2;
/**
 * Size limits of a loop with a `break`: NVVM's for all iterations, then ptxas's for its copies and for all
 * iterations.
 */
const FULL_SIZE_LEAVING = 310;
const LONGEST_WRITTEN_OUT = 120;
const WRITTEN_OUT = 750;

/** True if something changed. Inner loops come first. `partly`: also unrolls partially. */
export function unrollConstantLoops(fn: SsaFunction, partly: boolean): boolean {
  return rewriteLoops(fn.body, (loop, { innerChanged }) => {
    loop.holdsRounds ||= innerChanged;
    const written = innerChanged ? null : writeOut(fn, loop, partly);
    return { nodes: written ?? [loop], changed: written !== null };
  });
}

/** The size of an iteration in NVVM's instructions, without invariants, which LICM has hoisted by then. */
export function sizeOf(loop: LoopNode): number {
  const inside = definedIn(loop);
  const widened = new Set<Value>();
  let size = 0;
  walkLoop(loop, (node) => {
    if (node.kind !== "inst") size++;
    else if (isSpeculatable(node) && !node.operands.some((operand) => inside.has(resolve(operand)))) {
      for (const result of node.results) inside.delete(result);
    } else if (node.op === "addr") size += addressSize(node, widened, loop.holdsRounds);
    else size += SIZES.get(node.op) ?? SIZES.get(`${node.op} ${node.type}`) ?? 1;
  });
  return size;
}

/**
 * The size of an element's address. A row's address is part of it; an address from another address adds a sum. A
 * global index is widened once. `multiplied`: an inner loop was unrolled in the same pass, so multiples of its
 * stride are still in the body.
 */
function addressSize({ operands, mods }: Inst, widened: Set<Value>, multiplied: boolean): number {
  if ((mods.scale ?? 1) > LARGEST_ELEMENT) return 0;
  const [base, index] = operands.map(resolve) as [Value, Value];
  const isElement = ({ def }: Value): boolean => def?.op === "addr" && (def.mods.scale ?? 1) <= LARGEST_ELEMENT;
  const sum = isElement(base);
  const product = index.def?.op === "mul" || index.def?.op === "shl";
  const further = sum && multiplied && (product || isElement(resolve(base.def!.operands[0]!)));
  const widens = mods.space === "global" && WORDS.has(mods.sourceType ?? "") && (sum || !widened.has(index));
  widened.add(index);
  return 1 + (sum ? 1 : 0) + (further ? 1 : 0) + (widens ? 1 : 0);
}

const WORDS: ReadonlySet<string> = new Set(["i32", "u32"]);
/** A min or max is a compare and a select; mulhi is a 64-bit product and a shift. */
const SIZES: ReadonlyMap<string, number> = new Map([
  ["base", 0],
  ["param", 0],
  ["special", 0],
  ["bitcast", 0],
  ["min i32", 2],
  ["min u32", 2],
  ["max i32", 2],
  ["max u32", 2],
  ["mulhi i32", 3],
  ["mulhi u32", 3],
]);

/** In bytes; an address that steps by more is a row's. */
const LARGEST_ELEMENT = 16;

/**
 * The additions that NVVM still has where an access's offset is folded here. They are an element's address, and its
 * index where that is not a row's address (thresholds of ten kinds of bodies, nvcc 13.0).
 */
export function offsetSums({ body }: LoopNode): number {
  const places = new Map<string, number>();
  for (const node of body.nodes) {
    if (node.kind !== "inst" || (node.op !== "ld" && node.op !== "st")) continue;
    const { def, id } = resolve(node.operands[0]!);
    const { offset = 0, space } = node.mods;
    if (offset === 0 || def?.op !== "addr") continue;
    const row = (def.mods.scale ?? 1) > LARGEST_ELEMENT || offset % ROW_BYTES === 0;
    places.set(`${id} ${offset}`, space === "global" ? 3 : row ? 1 : 2);
  }
  return [...places.values()].reduce((sum, more) => sum + more, 0);
}

/** Rows of two-dimensional arrays begin at multiples of it; other elements mostly do not. */
const ROW_BYTES = 64;

const FREE: ReadonlySet<string> = new Set(["base", "param", "special", "warpSize", "cvt", "bitcast"]);

function writeOut(fn: SsaFunction, loop: LoopNode, partly: boolean): SsaNode[] | null {
  if (loop.latchParams.length > 0 || loop.unroll === 1) return null;
  const known = roundsApart(loop);
  const rounds = known?.exact ? known.rounds : tripCount(loop);
  if (rounds === null) {
    if (known === null || known.endless || known.rounds > MOST_AT_MOST || jumpsOut(loop) || holdsLoop(loop))
      return null;
    return loop.unroll === null && fits(loop, known.rounds) ? copies(fn, loop, known.rounds) : null;
  }
  const size = sizeOf(loop);
  const asked = typeof loop.unroll === "number" ? rounds <= loop.unroll : loop.unroll === "full" || fits(loop, rounds);
  const whole = !jumpsOut(loop) && (rounds <= 1 || asked);
  if (whole) return copies(fn, loop, rounds);
  return partly ? several(fn, loop, size, rounds) : null;
}

/**
 * The unroll factor of a loop with a `break`. A short body gives the trip count, a longer one the largest power of
 * two that divides it. ptxas unrolls the rest of a short loop (50 loops, nvcc 13.0).
 */
function copiesOfLeaving(size: number, most: number, rounds: number): number {
  if (size * rounds <= FULL_SIZE_LEAVING) return rounds;
  let times = 1;
  while (2 * times <= most && rounds % (2 * times) === 0) times *= 2;
  return times > 1 && size * times < LONGEST_WRITTEN_OUT && size * rounds <= WRITTEN_OUT ? rounds : times;
}

/** Unrolls by a divisor of the trip count. A `break` in any copy leaves the loop. */
function several(fn: SsaFunction, loop: LoopNode, size: number, rounds: number): SsaNode[] | null {
  const most =
    typeof loop.unroll === "number"
      ? loop.unroll
      : Math.floor((PARTIAL_SIZE - COUNTING) / Math.max(1, size + 1 - COUNTING));
  let times = Math.min(most, rounds);
  while (times > 1 && rounds % times !== 0) times--;
  if (jumpsOut(loop) && typeof loop.unroll !== "number") times = copiesOfLeaving(size - COUNTING, most, rounds);
  if (times < 2 || loop.body.end.kind !== "yield" || continues(loop)) return null;
  // Fully unrolled, the loop remains only as the target of `break`, and its parameters keep their initial values.
  const once = times === rounds;
  const params = [...loop.params];
  const nodes: SsaNode[] = [];
  let current: Value[] = once ? [...loop.inits] : params;
  let condition = loop.condition;
  let exits = loop.exits;
  for (let round = 0; round < times; round++) {
    const values: Substitution = new Map(params.map((param, i) => [param, current[i]!]));
    const cloner = new Cloner(fn, values);
    nodes.push(...cloner.nodes(loop.body.nodes), ...cloner.nodes(loop.latch.nodes));
    current = cloner.list(loop.nexts);
    exits = cloner.list(loop.exits);
    condition = loop.condition === null ? null : cloner.get(loop.condition);
  }
  const copy: LoopNode = {
    ...loop,
    unroll: 1,
    body: { nodes, end: { kind: "yield", values: [] } },
    latch: emptyRegion(),
    nexts: current,
    exits,
    condition,
    ...(once ? { params: [], inits: [], nexts: [], condition: fn.constant("bool", 0) } : {}),
  };
  retarget(copy.body, loop, copy);
  for (const value of [...copy.params, ...copy.results]) value.owner = copy;
  return [copy];
}

function retarget(region: Region, from: LoopNode, to: LoopNode): void {
  const { end } = region;
  if ((end.kind === "break" || end.kind === "continue") && end.loop === from) region.end = { ...end, loop: to };
  for (const node of region.nodes) for (const inner of regionsOf(node)) retarget(inner, from, to);
}

/**
 * Counts the instructions that remain once the induction variable is constant: counting, compares and address steps
 * fold. LICM has hoisted invariants before.
 */
function fits(loop: LoopNode, rounds: number): boolean {
  const folding = new Set<Value>(loop.params.filter((_, i) => loop.inits[i]!.constant !== null));
  const inside = definedIn(loop);
  let remaining = 0;
  let ownArray = false;
  walkLoop(loop, (node) => {
    if (node.kind !== "inst") {
      remaining++;
      return;
    }
    if (FREE.has(node.op)) return;
    const known = node.operands.every((operand) => operand.constant !== null || folding.has(operand));
    if (node.op === "addr" && node.mods.space === "local" && folding.has(resolve(node.operands[1]!))) ownArray = true;
    if (known && node.results.length === 1) folding.add(node.results[0]!);
    else if (isSpeculatable(node) && node.operands.every((operand) => !inside.has(resolve(operand)))) {
      for (const result of node.results) inside.delete(result);
    } else remaining++;
  });
  // The indices of a local array must be constants for it to live in registers (loops of 4 and 8 iterations, nvcc
  // 13.0).
  if (ownArray) return true;
  return remaining * rounds < FULL_SIZE;
}

function copies(fn: SsaFunction, loop: LoopNode, rounds: number): SsaNode[] {
  const nodes: SsaNode[] = [];
  let current: Value[] = [...loop.inits];
  for (let round = 0; round < rounds; round++) {
    const values: Substitution = new Map(loop.params.map((param, i) => [param, current[i]!]));
    const cloner = new Cloner(fn, values);
    nodes.push(...cloner.nodes(loop.body.nodes), ...cloner.nodes(loop.latch.nodes));
    if (round === rounds - 1) {
      replaceEach(loop.results, (i) => cloner.get(loop.exits[i]!));
    }
    current = cloner.list(loop.nexts);
  }
  return nodes;
}
