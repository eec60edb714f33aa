/**
 * Merges neighbouring accesses to shared and local memory into one of 8 or 16 bytes, where the address is known to
 * be aligned (LLVM's LoadStoreVectorizer). Global pointers only guarantee their element's alignment.
 */
import type { SharedArray } from "../../../ir/ir.js";
import { byteSize, type Scalar } from "../../../ir/types.js";
import { accessOf, clobbersOf, mayMeet } from "../../analysis/memory-values.js";
import { breaksOut } from "../../ssa/loop-jumps.js";
import { Inst, type Region, regionsOf, resolve, type SsaFunction, type SsaNode, type Value } from "../../ssa/ssa.js";

const WIDEST = 16;

export function vectorizeMemory(fn: SsaFunction, sharedArrays: readonly SharedArray[]): void {
  const dynamic = (array: number): boolean => sharedArrays[array]?.dims === null;
  const visit = (region: Region): void => {
    for (const node of region.nodes) regionsOf(node).forEach(visit);
    new Block(region, dynamic).run();
  };
  visit(fn.body);
}

/** A power of two that divides the address. Arrays start at multiples of 16. */
function alignment(address: Value, depth = 8): number {
  const { def, owner } = resolve(address);
  if (depth === 0) return 4;
  if (owner?.kind === "loop") {
    // A pointer that steps in a loop.
    const at = owner.params.indexOf(resolve(address));
    const next = at < 0 ? null : resolve(owner.nexts[at]!).def;
    if (next?.op !== "addr" || resolve(next.operands[0]!) !== resolve(address)) return 4;
    const step = powerIn(next.mods.scale ?? 1) * multiple(next.operands[1]!, depth - 1);
    return Math.min(alignment(owner.inits[at]!, depth - 1), step);
  }
  if (def === null) return 4;
  if (def.op === "base") return WIDEST;
  if (def.op !== "addr") return 4;
  const scale = def.mods.scale ?? 1;
  return Math.min(alignment(def.operands[0]!, depth - 1), powerIn(scale) * multiple(def.operands[1]!, depth - 1));
}

/** A power of two that divides an induction variable with a constant step, or the result of a loop or `if`. */
function joined(value: Value, depth: number): number {
  const { owner } = value;
  if (owner === null || depth === 0) return 1;
  const result = owner.results.indexOf(value);
  if (owner.kind === "if") {
    const sides = [owner.then.end, owner.else.end].filter((end) => end.kind === "yield");
    return result < 0 ? 1 : Math.min(...sides.map((end) => multiple(end.values[result]!, depth - 1)));
  }
  if (result >= 0) return breaksOut(owner) ? 1 : multiple(owner.exits[result]!, depth - 1);
  const at = owner.params.indexOf(value);
  const next = at < 0 ? null : resolve(owner.nexts[at]!).def;
  if (next?.op !== "add" || resolve(next.operands[0]!) !== value) return 1;
  return Math.min(multiple(owner.inits[at]!, depth - 1), multiple(next.operands[1]!, depth - 1));
}

function powerIn(value: number): number {
  return value === 0 ? WIDEST : Math.min(WIDEST, value & -value);
}

/** A power of two that divides the integer. */
function multiple(value: Value, depth: number): number {
  const now = resolve(value);
  if (now.constant !== null) return powerIn(Number(now.constant) | 0);
  const { def } = now;
  if (def === null) return joined(now, depth);
  if (depth === 0) return 1;
  const operand = (i: number): number => multiple(def.operands[i]!, depth - 1);
  switch (def.op) {
    case "shl": {
      const count = resolve(def.operands[1]!).constant;
      return typeof count === "number" ? Math.min(WIDEST, operand(0) * 2 ** Math.min(count, 4)) : 1;
    }
    case "mul":
      return Math.min(WIDEST, operand(0) * operand(1));
    case "add":
    case "sub":
      return Math.min(operand(0), operand(1));
    case "and":
      return Math.max(operand(0), operand(1));
    default:
      return 1;
  }
}

class Block {
  private readonly nodes: SsaNode[];
  private readonly dynamic: (array: number) => boolean;

  constructor(region: Region, dynamic: (array: number) => boolean) {
    this.nodes = region.nodes;
    this.dynamic = dynamic;
  }

  run(): void {
    for (let i = 0; i < this.nodes.length; i++) {
      const node = this.nodes[i]!;
      if (node.kind !== "inst" || (node.op !== "ld" && node.op !== "st")) continue;
      for (const lanes of [4, 2]) if (this.join(node, i, lanes)) break;
    }
  }

  private candidate(inst: Inst, first: Inst): boolean {
    return (
      inst.op === first.op &&
      inst.type === first.type &&
      inst.mods.space === first.mods.space &&
      inst.mods.volatile !== true &&
      inst.mods.narrow === undefined &&
      (inst.op === "ld" ? inst.results.length === 1 : inst.operands.length === 2) &&
      resolve(inst.operands[0]!) === resolve(first.operands[0]!)
    );
  }

  private join(first: Inst, at: number, lanes: number): boolean {
    const { mods } = first;
    const size = byteSize(first.type as Scalar);
    const bytes = size * lanes;
    if (mods.space === "global" || bytes > WIDEST || !this.candidate(first, first)) return false;
    const group = new Map<number, number>([[mods.offset ?? 0, at]]);
    for (let i = at + 1; i < this.nodes.length; i++) {
      const node = this.nodes[i]!;
      if (node.kind !== "inst") break;
      if (this.candidate(node, first)) {
        const offset = node.mods.offset ?? 0;
        if (!group.has(offset)) group.set(offset, i);
        continue;
      }
      if (this.blocks(node, first)) break;
    }
    const start = Math.floor((mods.offset ?? 0) / bytes) * bytes;
    if (alignment(first.operands[0]!) < bytes) return false;
    const members: number[] = [];
    for (let lane = 0; lane < lanes; lane++) {
      const place = group.get(start + lane * size);
      if (place === undefined) return false;
      members.push(place);
    }
    this.replaceBy(first, members, start);
    return true;
  }

  /** An access between the members that must not be reordered with them. */
  private blocks(node: Inst, first: Inst): boolean {
    const clobbers = clobbersOf(node);
    if (clobbers.everything) return true;
    const access = { ...accessOf(first), offset: 0, size: Number.MAX_SAFE_INTEGER };
    if (clobbers.stores.some((store) => mayMeet(access, store, this.dynamic))) return true;
    return first.op === "st" && node.op === "ld" && node.mods.space === first.mods.space;
  }

  private replaceBy(first: Inst, members: readonly number[], start: number): void {
    const insts = members.map((i) => this.nodes[i] as Inst);
    const mods = { ...first.mods, offset: start };
    const base = resolve(first.operands[0]!);
    const joined =
      first.op === "ld"
        ? new Inst(
            "ld",
            first.type,
            insts.flatMap((inst) => inst.results),
            [base],
            mods,
            first.span,
            first.source,
          )
        : new Inst(
            "st",
            first.type,
            [],
            [base, ...insts.map((inst) => inst.operands[1]!)],
            mods,
            first.span,
            first.source,
          );
    const place = first.op === "ld" ? Math.min(...members) : Math.max(...members);
    const gone = new Set<SsaNode>(insts);
    this.nodes[place] = joined;
    const kept = this.nodes.filter((node) => node === joined || !gone.has(node));
    this.nodes.length = 0;
    this.nodes.push(...kept);
  }
}
