/**
 * Drops stores to an address that the same thread writes again before it reads it: LLVM's DeadStoreElimination, within
 * a basic block. Other threads' reads count only where a barrier, fence, `syncwarp` or atomic stands between, or where
 * the store is volatile. So `s[t] += s[t + 32]; s[t] += s[t + 16]; ..` stores once, as in nvcc's machine code. Without
 * volatile, a last warp then adds the old values of the other lanes.
 */
import type { SharedArray } from "../../../ir/ir.js";
import { type Access, AccessIndex, type DynamicShared } from "../../analysis/access-index.js";
import { accessOf, clobbersOf, dynamicOf } from "../../analysis/memory-values.js";
import { type Inst, type Region, regionsOf, type SsaFunction, type SsaNode } from "../../ssa/ssa.js";

export function removeDeadStores(fn: SsaFunction, sharedArrays: readonly SharedArray[]): void {
  visit(fn.body, dynamicOf(sharedArrays));
}

interface Pending extends Access {
  readonly inst: Inst;
}

function visit(region: Region, dynamicShared: DynamicShared): void {
  const dead = new Set<SsaNode>();
  const pending = new AccessIndex<Pending>(dynamicShared);
  for (const node of region.nodes) {
    if (node.kind !== "inst") {
      pending.clear();
      for (const inner of regionsOf(node)) visit(inner, dynamicShared);
    } else if (node.op === "st") {
      const access = accessOf(node);
      for (const earlier of pending.near(access)) {
        if (!covers(access, earlier)) continue;
        dead.add(earlier.inst);
        pending.delete(earlier);
      }
      if (node.mods.volatile !== true) pending.add({ ...access, inst: node });
    } else if (node.op === "ld" || node.op === "atom") {
      pending.dropMeeting(accessOf(node));
    } else if (clobbersOf(node).everything) {
      pending.clear();
    }
  }
  if (dead.size > 0) region.nodes = region.nodes.filter((node) => !dead.has(node));
}

function covers(later: Access, earlier: Access): boolean {
  return (
    later.base === earlier.base &&
    later.offset <= earlier.offset &&
    later.offset + later.size >= earlier.offset + earlier.size
  );
}
