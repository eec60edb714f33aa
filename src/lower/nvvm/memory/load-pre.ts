/**
 * `if (c) a += s[k]; b += s[k];` is one load, in front of the `if`: what one side loads and the code behind it loads again is
 * loaded in any case (LLVM's GVN adds it to the other side, SimplifyCFG puts both before the branch; nvcc 13.0, 60 kernels).
 * Nothing in the side or on the way may change memory or talk to other lanes; a place in shared memory has to be made of sums
 * and products of what is known in front. Value numbering finds then that the later load loads what is known.
 */

import { hasSideEffects, isSpeculatable } from "../../ssa/effects.js";
import {
  type IfNode,
  type Inst,
  isJump,
  type Region,
  regionsOf,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { chainOf, withLeaves } from "../control/hoist-common.js";

export function advanceLoads(fn: SsaFunction): boolean {
  return visit(fn, fn.body, new Set());
}

function visit(fn: SsaFunction, region: Region, outer: ReadonlySet<Value>): boolean {
  const known = new Set(outer);
  let changed = false;
  for (let i = 0; i < region.nodes.length; i++) {
    const node = region.nodes[i]!;
    if (node.kind === "if") {
      const moved = advanced(fn, node, region.nodes.slice(i + 1), known);
      region.nodes.splice(i, 0, ...moved);
      i += moved.length;
      changed ||= moved.length > 0;
    }
    const inside = new Set(known);
    if (node.kind === "loop") for (const param of node.params) inside.add(param);
    for (const inner of regionsOf(node)) changed = visit(fn, inner, inside) || changed;
    for (const result of node.results) known.add(result);
  }
  return changed;
}

/** What goes in front of the `if`; its results are known from there on. */
function advanced(fn: SsaFunction, node: IfNode, behind: readonly SsaNode[], known: Set<Value>): Inst[] {
  if (isJump(node.then.end) || isJump(node.else.end) || !isQuiet(node)) return [];
  const side = node.else.nodes.length === 0 ? node.then : node.then.nodes.length === 0 ? node.else : null;
  const moved: Inst[] = [];
  for (const load of side?.nodes ?? []) {
    const chain: Inst[] = [];
    const key = load.kind === "inst" ? placeOf(load, known, chain) : null;
    if (key === null || load.kind !== "inst" || !loadedAgain(key, behind, known)) continue;
    for (const inst of [...chain, load]) {
      moved.push(...withLeaves(fn, inst, known), inst);
      for (const result of inst.results) known.add(result);
    }
  }
  if (side !== null) side.nodes = side.nodes.filter((child) => child.kind !== "inst" || !moved.includes(child));
  return moved;
}

function loadedAgain(key: string, behind: readonly SsaNode[], known: ReadonlySet<Value>): boolean {
  for (const node of behind) {
    if (node.kind === "inst" && placeOf(node, known, []) === key) return true;
    if (!isQuiet(node)) return false;
  }
  return false;
}

/** What a load loads, by what is known in front; null where that does not say it, or it is no plain load. */
function placeOf(load: Inst, known: ReadonlySet<Value>, chain: Inst[]): string | null {
  const { space, offset = 0, volatile } = load.mods;
  if (load.op !== "ld" || volatile === true) return null;
  const follows = (inst: Inst): boolean => isSpeculatable(inst) && (space !== "shared" || SUMS.has(inst.op));
  const place = chainOf(load.operands[0]!, known, chain, follows);
  return place === null ? null : `${load.type} ${load.results.length} ${offset} ${place}`;
}

const SUMS: ReadonlySet<string> = new Set(["add", "mul", "cvt", "addr"]);

/** Neither it nor what stands in it changes memory, or is a loop, which might not end. */
function isQuiet(node: SsaNode): boolean {
  if (node.kind === "inst") return node.op !== "st" && !hasSideEffects(node);
  return node.kind === "if" && regionsOf(node).every((region) => region.nodes.every(isQuiet));
}
