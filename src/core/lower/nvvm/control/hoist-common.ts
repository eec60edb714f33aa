/**
 * Hoists an address that two branches compute to the nearest block that dominates both. NVVM does so where LLVM's
 * scalar evolution understands the computation: sums, products, low or middle bits, unsigned quotients. Other values
 * stay, as do addresses with `^` or a signed right shift. Array starts and parameters are free and stay. An address
 * that a branch and the code after it compute is hoisted too, with its masks and shifts. In shared memory so is the
 * array's start (25 kernels, nvcc 13.0).
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
} from "../../ssa/ssa.js";
import { removeInstructions, walkInstructions } from "../../ssa/traversal.js";
import { pureKey } from "../../ssa/value-key.js";

/** The most instructions of a predicated body, without and with a global load. */
const LONGEST_SIDE = 8;
const LONGEST_WAITING = 16;

/**
 * True if something moved: its users may move next. Adds hoisted global addresses of the kernel's first block to
 * `moved`, unless an earlier address has the same index. Later addresses then reuse their products.
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
    walkInstructions(region, (node) => {
      if (node.op !== "addr" || node.mods.space !== "global") return;
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

/** The instructions that compute an address in a branch, operands first. */
type Chain = readonly Inst[];

/** A branch, the values available before it, and the memory addresses that it computes. */
interface Branch {
  readonly at: number;
  readonly known: KnownValues;
  readonly places: ReadonlyMap<string, Chain>;
  /** The instructions in it that compute the starts of shared arrays. */
  readonly starts: readonly Inst[];
}

type KnownValues = Pick<ReadonlySet<Value>, "has">;

/** Values that dominate a place: those of the regions around, and those of its region so far, which only become more. */
class Dominating implements KnownValues {
  readonly #order = new Map<Value, number>();

  constructor(private readonly outer: KnownValues) {}

  has(value: Value): boolean {
    return this.#order.has(value) || this.outer.has(value);
  }

  add(value: Value): void {
    if (!this.#order.has(value)) this.#order.set(value, this.#order.size);
  }

  /** The values that are known now, whatever is added. */
  get now(): KnownValues {
    const count = this.#order.size;
    return { has: (value) => (this.#order.get(value) ?? count) < count || this.outer.has(value) };
  }
}

/** Branches of one region that later addresses are compared with; a text by hand has fewer. */
const MOST_BRANCHES = 512;

/** `outer`: values that dominate the region. */
function hoistIn(fn: SsaFunction, region: Region, outer: KnownValues, addresses: Set<Value>): boolean {
  const known = new Dominating(outer);
  const entry = region === fn.body;
  const straight = region.nodes.findIndex(({ kind }) => kind !== "inst");
  const places = new Map<string, { count: number; readonly first: number; readonly chain: Chain }>();
  const branches: Branch[] = [];
  // The branches so far that will be predicated. They are one basic block to ptxas, which computes an array's start
  // once there.
  let guards: Branch[] = [];
  region.nodes.forEach((node, i) => {
    if (node.kind !== "inst") {
      const own = new Map<string, Chain>();
      for (const inner of regionsOf(node)) collectPlaces(inner, known, own);
      const starts = regionsOf(node).flatMap(({ nodes }) => nodes.filter(isStart));
      const branch = { at: i, known: known.now, places: own, starts };
      if (own.size > 0 && branches.length < MOST_BRANCHES) branches.push(branch);
      if (node.kind === "loop" || !isShort(node)) guards = [];
      else if (own.size > 0) guards.push(branch);
    } else if (isPlace(node)) {
      // The second of two predicated branches computes the array's start itself, where the code after it computes one
      // for its warp.
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
  removeInstructions(region, moved);
  let changed = moved.size > 0;
  region.nodes = region.nodes.flatMap((node, i): SsaNode[] => [...(before.get(i) ?? []), node]);
  const inside = new Dominating(outer);
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = hoistIn(fn, node.then, inside, addresses) || changed;
      changed = hoistIn(fn, node.else, inside, addresses) || changed;
    } else if (node.kind === "loop") {
      const body = new Dominating(inside);
      for (const param of node.params) body.add(param);
      changed = hoistIn(fn, node.body, body, addresses) || changed;
      changed = hoistIn(fn, node.latch, body, addresses) || changed;
    }
    for (const result of node.results) inside.add(result);
  }
  return changed;
}

/**
 * Copies the array starts, parameters and the like that `inst` reads and that do not dominate its new place, and
 * makes it read the copies.
 */
function withLeaves(fn: SsaFunction, inst: Inst, known: KnownValues): Inst[] {
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

function placeKey(inst: Inst, known: KnownValues, chain: Inst[]): string | null {
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

/** Short enough to be predicated, and free of instructions that never are. */
function isShort({ then, else: otherwise }: IfNode): boolean {
  if (!isStraight(then) || !isStraight(otherwise)) return false;
  const nodes = [...then.nodes, ...otherwise.nodes] as readonly Inst[];
  if (nodes.some((inst) => isConvergent(inst) || inst.op === "atom")) return false;
  const loads = nodes.some(isGlobalLoad);
  return nodes.filter(({ op }) => op !== "base" && op !== "param").length <= (loads ? LONGEST_WAITING : LONGEST_SIDE);
}

/** An access from `start` whose offset is the same for a warp's lanes: a fixed offset, or an added mask. */
function isReadAsWarp(region: Region, start: Inst): boolean {
  let found = false;
  walkInstructions(region, (node) => {
    if (node.operands.length === 0 || resolve(node.operands[0]!) !== start.results[0]) return;
    const index = node.op === "addr" ? resolve(node.operands[1]!) : null;
    if (index === null || index.constant !== null || index.def?.op === "and" || index.def?.op === "xor") found = true;
  });
  return found;
}

function isStraight(region: Region): boolean {
  return region.nodes.every(({ kind }) => kind === "inst");
}

function collectPlaces(region: Region, known: KnownValues, into: Map<string, Chain>): void {
  walkInstructions(region, (node) => {
    if (!isPlace(node)) return;
    const chain: Inst[] = [];
    const key = placeKey(node, known, chain);
    if (key !== null && chain.length > 0) into.set(key, chain);
  });
}

function isLeaf(value: Value): boolean {
  return value.def !== null && (value.def.op === "base" || value.def.op === "param" || value.def.op === "special");
}

const SUMS: ReadonlySet<string> = new Set(["add", "sub", "mul", "cvt", "addr"]);

/**
 * Operations that LLVM's scalar evolution understands: sums, products, contiguous bits of a mask, unsigned
 * quotients.
 */
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

/**
 * A key for `value` in terms of the values in `known`; null if it depends on others. Adds its instructions to
 * `chain`.
 */
function chainOf(
  value: Value,
  known: KnownValues,
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

function collect(region: Region, known: KnownValues, into: Map<string, Chain>): void {
  walkInstructions(region, (inst) => {
    if (inst.op !== "addr") return;
    const chain: Inst[] = [];
    const key = chainOf(inst.results[0]!, known, chain);
    if (key !== null && chain.length > 0) into.set(key, chain);
  });
}
