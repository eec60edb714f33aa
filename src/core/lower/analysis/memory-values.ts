/**
 * Tracks the memory locations with a known value: loads of them are redundant, and stores overwritten before a read
 * are dead. Two accesses may alias unless their spaces or arrays differ, or they have one base and disjoint offsets.
 * Volatile accesses are not tracked.
 */
import type { SharedArray } from "../../ir/ir.js";
import { componentBytes } from "../program.js";
import { type Inst, type LoopNode, regionsOf, resolve, type SsaNode, type SsaOp, type Value } from "../ssa/ssa.js";
import { type Access, AccessIndex, type DynamicShared, overlaps } from "./access-index.js";

interface Cell extends Access {
  readonly type: string;
  readonly values: readonly Value[];
}

export type { Access, DynamicShared } from "./access-index.js";

export function accessOf(inst: Inst): Access {
  const lanes = inst.op === "ld" ? inst.results.length : inst.op === "st" ? inst.operands.length - 1 : 1;
  return {
    base: resolve(inst.operands[0]!),
    root: inst.mods.root!,
    offset: inst.mods.offset ?? 0,
    size: componentBytes(inst.type, inst.mods.narrow) * lanes,
  };
}

export function dynamicOf(sharedArrays: readonly SharedArray[]): DynamicShared {
  return (array) => sharedArrays[array]?.dims === null;
}

export function mayMeet(a: Access, b: Access, dynamicShared: DynamicShared): boolean {
  if (a.root.kind !== b.root.kind) return false;
  if (a.root.kind === "local" && b.root.kind === "local" && a.root.array !== b.root.array) return false;
  if (a.root.kind === "shared" && b.root.kind === "shared" && a.root.array !== b.root.array) {
    if (!(dynamicShared(a.root.array) && dynamicShared(b.root.array))) return false;
  }
  return a.base !== b.base || overlaps(a, b);
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

export class MemoryValues {
  private constructor(private readonly cells: AccessIndex<Cell>) {}

  static empty(dynamicShared: DynamicShared): MemoryValues {
    return new MemoryValues(new AccessIndex(dynamicShared));
  }

  copy(): MemoryValues {
    return new MemoryValues(this.cells.copy());
  }

  /** The values that a load would give, if they are known. */
  find(inst: Inst): readonly Value[] | null {
    const access = accessOf(inst);
    const cell = this.cells.near(access).find((near) => isSame(near, access, kindOf(inst)));
    return cell === undefined ? null : cell.values.map(resolve);
  }

  remember(inst: Inst, values: readonly Value[]): void {
    const access = accessOf(inst);
    const type = kindOf(inst);
    this.cells.add({ ...access, type, values }, (other) => isSame(other, access, type));
  }

  forget(clobbers: Clobbers): void {
    if (clobbers.everything) this.cells.dropShown();
    for (const store of clobbers.stores) this.cells.dropMeeting(store);
  }
}

/** What is stored and loaded again as the same kind is the same value. */
function kindOf({ type, mods }: Inst): string {
  return mods.narrow ?? type;
}

function isSame(cell: Cell, access: Access, type: string): boolean {
  const { offset, size, root } = access;
  const sameRoot =
    root.kind === "param"
      ? cell.root.kind === "param" && cell.root.index === root.index
      : cell.root.kind === root.kind && cell.root.array === root.array;
  return cell.offset === offset && cell.size === size && cell.type === type && sameRoot;
}
