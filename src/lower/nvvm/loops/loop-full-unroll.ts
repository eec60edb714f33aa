/**
 * Loops whose number of rounds is known are written out, or, where that is too long, so many rounds at once that the
 * number is a multiple of it. Sizes after LLVM's unroller as NVVM sets it up, found with nvcc 13.0.
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
  walk,
} from "../../ssa/ssa.js";

/** Of all rounds together (nvcc 13.0: loops of 2 to 16 rounds, each with bodies of up to 157 multiply-adds). */
const FULL_SIZE = 400;
/** Rounds of a loop whose start and bound are that far apart (LLVM's UnrollMaxUpperBound). */
const MOST_AT_MOST = 8;
/** The largest loop of several rounds; counting, compare and branch are not repeated. */
const PARTIAL_SIZE = 206;
const COUNTING = 2;
/** Of all rounds of a loop with a `break`: NVVM's limit, and ptxas's for its copies and for all of them. */
const FULL_SIZE_LEAVING = 310;
const LONGEST_WRITTEN_OUT = 120;
const WRITTEN_OUT = 750;

/** True if something changed. Inner loops first. `partly`: also loops that stay loops. */
export function unrollConstantLoops(fn: SsaFunction, partly: boolean): boolean {
  return unrollIn(fn, fn.body, partly);
}

function unrollIn(fn: SsaFunction, region: Region, partly: boolean): boolean {
  let changed = false;
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = unrollIn(fn, node.then, partly) || changed;
      changed = unrollIn(fn, node.else, partly) || changed;
    } else if (node.kind === "loop") {
      const inner = unrollIn(fn, node.body, partly) || unrollIn(fn, node.latch, partly);
      changed = changed || inner;
      node.holdsRounds ||= inner;
      if (!inner) {
        const written = writeOut(fn, node, partly);
        if (written !== null) {
          nodes.push(...written);
          changed = true;
          continue;
        }
      }
    }
    nodes.push(node);
  }
  region.nodes = nodes;
  return changed;
}

/** NVVM's instructions of a round, without those that no round changes: they stand in front of the loop by then. */
export function sizeOf(loop: LoopNode): number {
  const inside = definedIn(loop);
  const widened = new Set<Value>();
  let size = 0;
  for (const region of regionsOf(loop)) {
    walk(region, (node) => {
      if (node.kind !== "inst") size++;
      else if (isSpeculatable(node) && !node.operands.some((operand) => inside.has(resolve(operand)))) {
        for (const result of node.results) inside.delete(result);
      } else if (node.op === "addr") size += addressSize(node, widened, loop.holdsRounds);
      else size += SIZES.get(node.op) ?? SIZES.get(`${node.op} ${node.type}`) ?? 1;
    });
  }
  return size;
}

/**
 * The place of an element; a row's is part of it, one from another place a sum besides. Indices in global memory are widened, each
 * once. `multiplied`: an inner loop's rounds were written out, in the same pass: their multiples of a stride are still made in the round.
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
/** A compare and a choice; a product of 64 bits, which is shifted; float shuffles are of words. */
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

/** Bytes; an address that steps by more is a row's. */
const LARGEST_ELEMENT = 16;

/**
 * What NVVM still has to add where an access's offset is folded here: an element's address, and its index where that is not
 * a row's place (thresholds of ten kinds of bodies with 4 to 60 accesses each, nvcc 13.0).
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

/** Rows of arrays of two dimensions begin at multiples of it, places in one row mostly do not. */
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
 * Rounds at once of a loop with a `break`: all where they are short, else the largest power of two that divides them; ptxas writes
 * the rest out where the loop is short (nvcc 13.0: 50 loops of 20 to 1000 rounds).
 */
function copiesOfLeaving(size: number, most: number, rounds: number): number {
  if (size * rounds <= FULL_SIZE_LEAVING) return rounds;
  let times = 1;
  while (2 * times <= most && rounds % (2 * times) === 0) times *= 2;
  return times > 1 && size * times < LONGEST_WRITTEN_OUT && size * rounds <= WRITTEN_OUT ? rounds : times;
}

/** So many rounds at once that the number of rounds is a multiple of it; a `break` in any of them leaves the loop. */
function several(fn: SsaFunction, loop: LoopNode, size: number, rounds: number): SsaNode[] | null {
  const most =
    typeof loop.unroll === "number"
      ? loop.unroll
      : Math.floor((PARTIAL_SIZE - COUNTING) / Math.max(1, size + 1 - COUNTING));
  let times = Math.min(most, rounds);
  while (times > 1 && rounds % times !== 0) times--;
  if (jumpsOut(loop) && typeof loop.unroll !== "number") times = copiesOfLeaving(size - COUNTING, most, rounds);
  if (times < 2 || loop.body.end.kind !== "yield" || continues(loop)) return null;
  // All rounds: what is left of the loop is where a `break` goes, and its parameters are what they begin with.
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
  for (const node of region.nodes) {
    if (node.kind === "if") {
      retarget(node.then, from, to);
      retarget(node.else, from, to);
    } else if (node.kind === "loop") {
      retarget(node.body, from, to);
      retarget(node.latch, from, to);
    }
  }
}

/**
 * What of the body remains once the counter is a constant decides: counting, compares and address steps fold away. What no round changes
 * has been moved in front of the loop before.
 */
function fits(loop: LoopNode, rounds: number): boolean {
  const folding = new Set<Value>(loop.params.filter((_, i) => loop.inits[i]!.constant !== null));
  const inside = definedIn(loop);
  let remaining = 0;
  let ownArray = false;
  for (const region of regionsOf(loop)) {
    walk(region, (node) => {
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
  }
  // What a thread's own array is indexed by has to be known if the array is to be in registers (nvcc 13.0: loops of 4 and 8
  // rounds with up to 256 multiply-adds each).
  if (ownArray) return true;
  const unrolled = remaining * rounds;
  if (unrolled < FULL_SIZE) return true;
  return unrolled < FULL_SIZE;
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
