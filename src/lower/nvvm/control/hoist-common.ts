/**
 * An address that two branches compute is computed once before them, if LLVM's scalar evolution follows what is made of what is known there
 * (sums, products, low or middle bits, quotients without a sign): NVVM puts it in the nearest block that comes before all its places. Other values
 * stay, however often they are computed, and so do addresses with `^` or a signed shift to the right in them. Starts of
 * arrays and parameters cost nothing to NVVM and stay. What a branch and the code behind it compute of a place in memory,
 * masks and shifts as well, of shared memory its array's start, too, is computed before the branch (nvcc 13.0: 25 kernels).
 */

import { isGlobalLoad, isSharedPlace } from "../../analysis/address.js";
import { isTurned } from "../../analysis/canonical-compare.js";
import { isConvergent, isSpeculatable } from "../../ssa/effects.js";
import {
  type IfNode,
  Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../../ssa/ssa.js";
import { pureKey } from "../../ssa/value-key.js";

/** Instructions of a body that becomes a guard, without a load of global memory and with one. */
const LONGEST_SIDE = 8;
const LONGEST_WAITING = 16;

/**
 * True if something moved: what it feeds may move next. Addresses in global memory that moved to the kernel's first block are
 * added to `moved`, if no other address of the same index was met before them: later ones go on from their products.
 */
export function hoistCommon(fn: SsaFunction, moved: Set<Value>): boolean {
  return hoistIn(fn, fn.body, new Set(), moved);
}

function isFirstOfIndex(branch: SsaNode, address: Inst): boolean {
  if (address.op !== "addr" || address.mods.space !== "global" || branch.kind === "inst") return false;
  const index = resolve(address.operands[1]!);
  const regions = branch.kind === "loop" ? [branch.body] : [branch.then, branch.else];
  if (branch.kind === "if" && isTurned(branch.condition)) regions.reverse();
  const alike: Inst[] = [];
  for (const region of regions) {
    walk(region, (node) => {
      if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global") return;
      if (resolve(node.operands[1]!) === index) alike.push(node);
    });
  }
  const [first] = alike;
  return (
    first === undefined || resolve(first.operands[0]!) === resolve(address.operands[0]!) || sameArray(first, address)
  );
}

function sameArray(one: Inst, other: Inst): boolean {
  const [a, b] = [one, other].map((inst) => resolve(inst.operands[0]!).def);
  return a?.op === "base" && b?.op === "base" && pureKey(a) === pureKey(b);
}

/** An address in some branch: what computes it, operands first. */
type Chain = readonly Inst[];

/** A branch, what is known in front of it, and the places in memory that it computes, however. */
interface Branch {
  readonly at: number;
  readonly known: ReadonlySet<Value>;
  readonly places: ReadonlyMap<string, Chain>;
  /** Where it puts the starts of shared arrays together. */
  readonly starts: readonly Inst[];
}

/** `outer`: values defined before the region stands. */
function hoistIn(fn: SsaFunction, region: Region, outer: ReadonlySet<Value>, addresses: Set<Value>): boolean {
  const known = new Set(outer);
  const entry = region === fn.body;
  const straight = region.nodes.findIndex(({ kind }) => kind !== "inst");
  const places = new Map<string, { count: number; readonly first: number; readonly chain: Chain }>();
  const branches: Branch[] = [];
  // Those that will be guards, up to here: one block of code to ptxas, in which the start of an array is put together once.
  let guards: Branch[] = [];
  region.nodes.forEach((node, i) => {
    if (node.kind !== "inst") {
      const own = new Map<string, Chain>();
      for (const inner of regionsOf(node)) collectPlaces(inner, known, own);
      const starts = regionsOf(node).flatMap(({ nodes }) => nodes.filter(isStart));
      const branch = { at: i, known: new Set(known), places: own, starts };
      if (own.size > 0) branches.push(branch);
      if (node.kind === "loop" || !isShort(node)) guards = [];
      else if (own.size > 0) guards.push(branch);
    } else if (isPlace(node)) {
      // Of two guards ptxas has the second put the array's start together for itself, where the code behind has it for its warp.
      const alone = guards.length < 2 || ![node, ...guards[0]!.starts].some((start) => isReadAsWarp(region, start));
      for (const branch of node.op === "base" ? (alone ? guards : []) : branches) {
        const key = placeKey(node, branch.known, []);
        const chain = key === null ? undefined : branch.places.get(key);
        if (key !== null && chain !== undefined) places.set(key, { count: 2, first: branch.at, chain });
        if (chain !== undefined) break;
      }
    }
    if (node.kind !== "inst") {
      const note = (inner: Region): void => {
        const chains = new Map<string, Chain>();
        collect(inner, known, chains);
        for (const [key, chain] of chains) {
          const place = places.get(key);
          if (place === undefined) places.set(key, { count: 1, first: i, chain });
          else place.count++;
        }
      };
      if (node.kind === "if") {
        note(node.then);
        note(node.else);
      } else {
        note(node.body);
      }
    }
    for (const result of node.results) known.add(result);
  });
  const before = new Map<number, Inst[]>();
  const moved = new Set<Inst>();
  for (const { count, first, chain } of places.values()) {
    if (count < 2) continue;
    const list = before.get(first) ?? [];
    for (const inst of chain) {
      if (moved.has(inst)) continue;
      moved.add(inst);
      if (entry && first === straight && isFirstOfIndex(region.nodes[first]!, inst)) addresses.add(inst.results[0]!);
      list.push(...withLeaves(fn, inst, known), inst);
    }
    before.set(first, list);
  }
  if (moved.size > 0) drop(region, moved);
  let changed = moved.size > 0;
  region.nodes = region.nodes.flatMap((node, i): SsaNode[] => [...(before.get(i) ?? []), node]);
  const inside = new Set(outer);
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = hoistIn(fn, node.then, inside, addresses) || changed;
      changed = hoistIn(fn, node.else, inside, addresses) || changed;
    } else if (node.kind === "loop") {
      const body = new Set(inside);
      for (const param of node.params) body.add(param);
      changed = hoistIn(fn, node.body, body, addresses) || changed;
      changed = hoistIn(fn, node.latch, body, addresses) || changed;
    }
    for (const result of node.results) inside.add(result);
  }
  return changed;
}

/** Copies of the array starts, parameters and the like that `inst` reads and that are not known where it goes; it reads these then. */
function withLeaves(fn: SsaFunction, inst: Inst, known: ReadonlySet<Value>): Inst[] {
  const copies: Inst[] = [];
  inst.operands = inst.operands.map((operand) => {
    const value = resolve(operand);
    if (known.has(value) || !isLeaf(value) || value.def === null) return value;
    const leaf = value.def;
    const copy = fn.value(value.type, value.name);
    copies.push(new Inst(leaf.op, leaf.type, [copy], [], leaf.mods, leaf.span, leaf.source));
    return copy;
  });
  return copies;
}

function placeKey(inst: Inst, known: ReadonlySet<Value>, chain: Inst[]): string | null {
  if (inst.op === "addr") return chainOf(inst.results[0]!, known, chain, isSpeculatable);
  chain.push(inst);
  return pureKey(inst);
}

function isStart(node: SsaNode): node is Inst {
  return node.kind === "inst" && node.op === "base" && node.mods.root?.kind === "shared";
}

function isPlace(inst: Inst): boolean {
  return isSharedPlace(inst) || (inst.op === "addr" && inst.mods.space === "global");
}

/** Short enough for a guard, and without what never is one. */
function isShort({ then, else: otherwise }: IfNode): boolean {
  if (!isStraight(then) || !isStraight(otherwise)) return false;
  const nodes = [...then.nodes, ...otherwise.nodes] as readonly Inst[];
  if (nodes.some((inst) => isConvergent(inst) || inst.op === "atom")) return false;
  const loads = nodes.some(isGlobalLoad);
  return nodes.filter(({ op }) => op !== "base" && op !== "param").length <= (loads ? LONGEST_WAITING : LONGEST_SIDE);
}

/** An access finds its place from `start` by what a warp's lanes share: a fixed place, or a mask that is added to it. */
function isReadAsWarp(region: Region, start: Inst): boolean {
  let found = false;
  walk(region, (node) => {
    if (node.kind !== "inst" || node.operands.length === 0 || resolve(node.operands[0]!) !== start.results[0]) return;
    const index = node.op === "addr" ? resolve(node.operands[1]!) : null;
    if (index === null || index.constant !== null || index.def?.op === "and" || index.def?.op === "xor") found = true;
  });
  return found;
}

function isStraight(region: Region): boolean {
  return region.nodes.every(({ kind }) => kind === "inst");
}

function collectPlaces(region: Region, known: ReadonlySet<Value>, into: Map<string, Chain>): void {
  walk(region, (node) => {
    if (node.kind !== "inst" || !isPlace(node)) return;
    const chain: Inst[] = [];
    const key = placeKey(node, known, chain);
    if (key !== null && chain.length > 0) into.set(key, chain);
  });
}

function isLeaf(value: Value): boolean {
  return value.def !== null && (value.def.op === "base" || value.def.op === "param" || value.def.op === "special");
}

const SUMS: ReadonlySet<string> = new Set(["add", "sub", "mul", "cvt", "addr"]);

/** What LLVM's scalar evolution follows: sums and products, bits in a row kept by a mask, quotients without a sign. */
function isSum(inst: Inst): boolean {
  if (SUMS.has(inst.op)) return inst.results.length === 1;
  const operand = inst.operands[1] ?? inst.operands[0];
  if (operand === undefined) return false;
  const { constant } = resolve(operand);
  if (typeof constant !== "number") return false;
  if (inst.op === "shl") return true;
  if (inst.op === "and") return areInARow(constant);
  return inst.type === "u32" && (inst.op === "shr" || inst.op === "div");
}

function areInARow(bits: number): boolean {
  const lowest = bits & -bits;
  return bits !== 0 && ((bits + lowest) & bits) === 0;
}

/** The name of what `value` is, by what is known before, and what computes it from that; null where not all is known. */
function chainOf(
  value: Value,
  known: ReadonlySet<Value>,
  chain: Inst[],
  follows: (inst: Inst) => boolean = isSum,
): string | null {
  const now = resolve(value);
  if (now.constant !== null || known.has(now)) return String(now.id);
  const { def } = now;
  if (def === null) return null;
  if (isLeaf(now)) return pureKey(def);
  if (def.results.length !== 1 || !follows(def)) return null;
  const parts: string[] = [];
  for (const operand of def.operands) {
    const part = chainOf(operand, known, chain, follows);
    if (part === null) return null;
    parts.push(part);
  }
  if (!chain.includes(def)) chain.push(def);
  return `(${pureKey(new Inst(def.op, def.type, [], [], def.mods, def.span, def.source))}: ${parts.join(", ")})`;
}

function collect(region: Region, known: ReadonlySet<Value>, into: Map<string, Chain>): void {
  for (const node of region.nodes) {
    if (node.kind === "if") {
      collect(node.then, known, into);
      collect(node.else, known, into);
    } else if (node.kind === "loop") {
      collect(node.body, known, into);
      collect(node.latch, known, into);
    } else if (node.op === "addr") {
      const chain: Inst[] = [];
      const key = chainOf(node.results[0]!, known, chain);
      if (key !== null && chain.length > 0) into.set(key, chain);
    }
  }
}

function drop(region: Region, moved: ReadonlySet<Inst>): void {
  region.nodes = region.nodes.filter((node) => {
    if (node.kind === "inst") return !moved.has(node);
    if (node.kind === "if") {
      drop(node.then, moved);
      drop(node.else, moved);
    } else {
      drop(node.body, moved);
      drop(node.latch, moved);
    }
    return true;
  });
}
