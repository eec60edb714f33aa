/** The memory accesses of a run that keep their order. */

import type { Op } from "../program.js";
import { componentBytes } from "../program.js";
import type { DraftInst } from "./draft.js";

/** Memory keeps its order around these. */
const PUBLISHES: ReadonlySet<Op> = new Set<Op>(["bar", "syncwarp", "fence"]);

/**
 * A load stays ordered with stores that may alias. Volatile accesses, atomics and barriers stay ordered with
 * everything.
 */
export class MemoryOrder {
  private readonly stores: { readonly at: number; readonly inst: DraftInst }[] = [];
  private readonly loads: { readonly at: number; readonly inst: DraftInst }[] = [];
  private wall = -1;
  private lastVolatile = -1;

  visit(inst: DraftInst, at: number, edge: (from: number, cycles: number) => void): void {
    if (PUBLISHES.has(inst.op) || (inst.op === "mov" && inst.mods.volatile === true)) {
      for (const store of this.stores) edge(store.at, 1);
      for (const load of this.loads) edge(load.at, 0);
      if (this.wall >= 0) edge(this.wall, 1);
      this.stores.length = 0;
      this.loads.length = 0;
      this.wall = at;
      return;
    }
    if (inst.op !== "ld" && inst.op !== "st" && inst.op !== "atom") return;
    if (this.wall >= 0) edge(this.wall, 1);
    for (const store of this.stores) if (mayMeet(store.inst, inst)) edge(store.at, 1);
    if (inst.op !== "ld") for (const load of this.loads) if (mayMeet(load.inst, inst)) edge(load.at, 0);
    if (inst.mods.volatile === true) {
      if (this.lastVolatile >= 0) edge(this.lastVolatile, 1);
      this.lastVolatile = at;
    }
    (inst.op === "ld" ? this.loads : this.stores).push({ at, inst });
  }
}

/**
 * Two accesses through one register do not alias if their offsets are disjoint; a redefinition of the register
 * orders them. Volatile accesses and atomics never move.
 */
function mayMeet(a: DraftInst, b: DraftInst): boolean {
  if (a.mods.space !== b.mods.space) return false;
  const plain = [a, b].every(({ op, mods }) => op !== "atom" && mods.volatile !== true);
  const [from, to] = [a.src[0], b.src[0]];
  if (!plain || from?.kind !== "reg" || to?.kind !== "reg" || from.reg !== to.reg) return true;
  const [first, second] = [a.mods.offset ?? 0, b.mods.offset ?? 0];
  return first < second ? second < first + bytesOf(a) : first < second + bytesOf(b);
}

function bytesOf({ op, type, mods, dst, src }: DraftInst): number {
  const lanes = op === "ld" ? dst.length : src.length - 1;
  return lanes * componentBytes(type, mods.narrow);
}
