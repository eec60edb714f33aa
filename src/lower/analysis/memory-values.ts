/**
 * Tracks the memory locations with a known value: loads of them are redundant, and stores overwritten before a read
 * are dead. Two accesses may alias unless their spaces or arrays differ, or they have one base and disjoint offsets.
 * Volatile accesses are not tracked.
 */
import type { SharedArray } from "../../ir/ir.js";
import { byteSize, type Scalar } from "../../ir/types.js";
import type { Root } from "../program.js";
import { type Inst, type LoopNode, regionsOf, resolve, type SsaNode, type SsaOp, type Value } from "../ssa/ssa.js";

export interface Access {
  readonly base: Value;
  readonly root: Root;
  readonly offset: number;
  readonly size: number;
}

interface Cell extends Access {
  readonly values: readonly Value[];
}

export function accessOf(inst: Inst): Access {
  const lanes = inst.op === "ld" ? inst.results.length : inst.op === "st" ? inst.operands.length - 1 : 1;
  return {
    base: resolve(inst.operands[0]!),
    root: inst.mods.root!,
    offset: inst.mods.offset ?? 0,
    size: byteSize(inst.type as Scalar) * lanes,
  };
}

/** True for shared arrays that start at the one dynamic address. */
export type DynamicShared = (array: number) => boolean;

export function dynamicOf(sharedArrays: readonly SharedArray[]): DynamicShared {
  return (array) => sharedArrays[array]?.dims === null;
}

export function mayMeet(a: Access, b: Access, dynamicShared: DynamicShared): boolean {
  if (a.root.kind !== b.root.kind) return false;
  if (a.root.kind === "local" && b.root.kind === "local" && a.root.array !== b.root.array) return false;
  if (a.root.kind === "shared" && b.root.kind === "shared" && a.root.array !== b.root.array) {
    if (!(dynamicShared(a.root.array) && dynamicShared(b.root.array))) return false;
  }
  if (a.base === b.base) return a.offset < b.offset + b.size && b.offset < a.offset + a.size;
  return true;
}

/** The memory that a piece of code may change. */
export interface Clobbers {
  readonly stores: Access[];
  /** A barrier, fence, syncwarp, atomic or the like makes other threads' writes visible. */
  everything: boolean;
}

const PUBLISHING: ReadonlySet<SsaOp> = new Set<SsaOp>([
  "bar",
  "fence",
  "gridsync",
  "syncwarp",
  "printf",
  "launch",
  "deviceSynchronize",
]);

function publishes(inst: Inst): boolean {
  return PUBLISHING.has(inst.op);
}

export function clobbersOf(node: SsaNode, into: Clobbers = { stores: [], everything: false }): Clobbers {
  if (node.kind === "inst") {
    if (node.op === "st" || node.op === "atom") into.stores.push(accessOf(node));
    if (publishes(node)) into.everything = true;
  }
  for (const inner of regionsOf(node)) for (const child of inner.nodes) clobbersOf(child, into);
  return into;
}

export function loopClobbers(loop: LoopNode): Clobbers {
  return clobbersOf(loop);
}

function cellKey(access: Access, type: string): string {
  const { root } = access;
  return `${access.base.id} ${access.offset} ${access.size} ${type} ${root.kind}${root.kind === "param" ? root.index : root.array}`;
}

export class MemoryValues {
  private cells: Map<string, Cell>;
  private readonly dynamicShared: DynamicShared;

  constructor(dynamicShared: DynamicShared, cells: Map<string, Cell> = new Map()) {
    this.dynamicShared = dynamicShared;
    this.cells = cells;
  }

  copy(): MemoryValues {
    return new MemoryValues(this.dynamicShared, new Map(this.cells));
  }

  /** The values that a load would give, if they are known. */
  find(inst: Inst): readonly Value[] | null {
    const cell = this.cells.get(cellKey(accessOf(inst), inst.type));
    return cell === undefined ? null : cell.values.map(resolve);
  }

  remember(inst: Inst, values: readonly Value[]): void {
    const access = accessOf(inst);
    this.cells.set(cellKey(access, inst.type), { ...access, values });
  }

  forget(clobbers: Clobbers): void {
    if (this.cells.size === 0) return;
    if (clobbers.everything) this.drop((cell) => cell.root.kind !== "local");
    for (const store of clobbers.stores) this.drop((cell) => mayMeet(cell, store, this.dynamicShared));
  }

  private drop(test: (cell: Cell) => boolean): void {
    for (const [key, cell] of this.cells) if (test(cell)) this.cells.delete(key);
  }
}
