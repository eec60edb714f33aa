/**
 * What lies at a fixed place of a shared array may be read whether a round asks for it or not, so NVVM reads it in front of a loop in which
 * nothing writes there, also where only an `if` within the loop asks (LLVM's LICM: the place can be read without a fault). nvcc
 * 13.0: `before` and s[3] under a test are, s[t & 31] and what a pointer points to are not.
 */
import type { SharedArray } from "../../../ir/ir.js";
import { accessOf, clobbersOf, dynamicOf, mayMeet } from "../../analysis/memory-values.js";
import { byteLength } from "../../machine/shared-layout.js";
import {
  Inst,
  type LoopNode,
  type Region,
  replaceEach,
  resolve,
  type SsaFunction,
  type SsaNode,
} from "../../ssa/ssa.js";

/** True if something moved. */
export function hoistCellLoads(fn: SsaFunction, sharedArrays: readonly SharedArray[]): boolean {
  const visit = (region: Region): boolean => {
    let changed = false;
    const nodes: SsaNode[] = [];
    for (const node of region.nodes) {
      if (node.kind === "if") {
        changed = visit(node.then) || changed;
        changed = visit(node.else) || changed;
      } else if (node.kind === "loop") {
        changed = visit(node.body) || changed;
        changed = visit(node.latch) || changed;
        const moved = movedOut(fn, node, sharedArrays);
        changed = changed || moved.length > 0;
        nodes.push(...moved);
      }
      nodes.push(node);
    }
    region.nodes = nodes;
    return changed;
  };
  return visit(fn.body);
}

/** Bytes; 0 for the dynamic one, whose size the launch says. */
function sizeOf({ element, dims }: SharedArray): number {
  return dims === null ? 0 : byteLength({ element, dims });
}

function movedOut(fn: SsaFunction, loop: LoopNode, sharedArrays: readonly SharedArray[]): Inst[] {
  const dynamicShared = dynamicOf(sharedArrays);
  const clobbers = clobbersOf(loop);
  if (clobbers.everything) return [];
  const moved: Inst[] = [];
  const movable = (inst: Inst): boolean => {
    if (inst.op !== "ld" || inst.mods.volatile === true) return false;
    const start = resolve(inst.operands[0]!).def;
    if (start?.op !== "base" || start.mods.root?.kind !== "shared") return false;
    const access = accessOf(inst);
    if (access.offset < 0 || access.offset + access.size > sizeOf(sharedArrays[start.mods.root.array]!)) return false;
    return clobbers.stores.every((store) => !mayMeet(access, store, dynamicShared));
  };
  const take = (region: Region): void => {
    for (const node of region.nodes) {
      if (node.kind === "if") within(node.then, node.else);
      else if (node.kind === "loop") within(node.body, node.latch);
    }
  };
  const within = (...regions: readonly Region[]): void => {
    for (const region of regions) {
      region.nodes = region.nodes.filter((node) => {
        if (node.kind !== "inst" || !movable(node)) return true;
        const start = resolve(node.operands[0]!).def!;
        const base = new Inst("base", start.type, [fn.value(start.type)], [], start.mods, node.span, node.source);
        const results = node.results.map((result) => fn.value(result.type, result.name));
        moved.push(base, new Inst("ld", node.type, results, [base.results[0]!], node.mods, node.span, node.source));
        replaceEach(node.results, (i) => results[i]!);
        return false;
      });
      take(region);
    }
  };
  take(loop.body);
  return moved;
}
