/**
 * A cell of shared memory that a loop writes in each round, or reads and writes, and no other that it might meet, is kept in a register:
 * `while (i < n) { s[tid] += in[i]; i += step; }` loads before the loop and stores behind it (LLVM's LICM, which NVVM runs
 * before it unrolls). Not where other threads' writes become visible in the loop, nor where it is left by a jump.
 */
import type { SharedArray } from "../../../ir/ir.js";
import { definedIn } from "../../analysis/counted-loop.js";
import { type Access, accessOf, dynamicOf, loopClobbers, mayMeet } from "../../analysis/memory-values.js";
import { isSpeculatable } from "../../ssa/effects.js";
import { jumpsOut } from "../../ssa/loop-jumps.js";
import {
  Inst,
  type LoopNode,
  type Region,
  regionsOf,
  replace,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../../ssa/ssa.js";

type Meets = (a: Access, b: Access) => boolean;

export function promoteCells(fn: SsaFunction, sharedArrays: readonly SharedArray[]): boolean {
  const dynamicShared = dynamicOf(sharedArrays);
  const meets: Meets = (a, b) => mayMeet(a, b, dynamicShared);
  return visit(fn, fn.body, meets);
}

function visit(fn: SsaFunction, region: Region, meets: Meets): boolean {
  let changed = false;
  region.nodes = region.nodes.flatMap((node): SsaNode[] => {
    if (node.kind === "if") {
      const first = visit(fn, node.then, meets);
      changed = visit(fn, node.else, meets) || first || changed;
    }
    if (node.kind !== "loop") return [node];
    changed = visit(fn, node.body, meets) || changed;
    const before: SsaNode[] = [];
    const after: SsaNode[] = [];
    for (let cell = cellOf(node, meets); cell !== null; cell = cellOf(node, meets)) {
      changed = true;
      before.push(...cell.address);
      promote(fn, node, cell, before, after);
    }
    return [...before, node, ...after];
  });
  return changed;
}

interface PromotedCell {
  readonly access: Access;
  /** One of its stores. */
  readonly store: Inst;
  /** What computes its address in the loop, of what does not change there. */
  readonly address: readonly Inst[];
}

function isAccess(node: SsaNode): node is Inst {
  return node.kind === "inst" && (node.op === "ld" || node.op === "st" || node.op === "atom");
}

function cellOf(loop: LoopNode, meets: Meets): PromotedCell | null {
  if (loop.condition === null || jumpsOut(loop) || loopClobbers(loop).everything) return null;
  const all: Inst[] = [];
  for (const part of regionsOf(loop)) walk(part, (node) => isAccess(node) && all.push(node));
  const own = new Set<SsaNode>(loop.body.nodes);
  for (const store of all) {
    if (store.op !== "st" || store.mods.space !== "shared" || store.operands.length !== 2) continue;
    const access = accessOf(store);
    const others = all.filter((inst) => meets(access, accessOf(inst)));
    const same = (inst: Inst): boolean => {
      const { base, offset, size } = accessOf(inst);
      const where = base === access.base && offset === access.offset && size === access.size;
      return where && inst.type === store.type && inst.op !== "atom" && inst.mods.volatile !== true && own.has(inst);
    };
    if (!others.every(same)) continue;
    const address = invariantPart(loop, access.base);
    if (address !== null) return { access, store, address };
  }
  return null;
}

/** The instructions of the loop's body that `value` needs, in their order; null if it changes from round to round. */
function invariantPart(loop: LoopNode, value: Value): readonly Inst[] | null {
  const inside = definedIn(loop);
  const needed = new Set<Inst>();
  const collect = (of: Value): boolean => {
    const now = resolve(of);
    if (!inside.has(now)) return true;
    const { def } = now;
    if (def === null || !loop.body.nodes.includes(def) || !isSpeculatable(def)) return false;
    needed.add(def);
    return def.operands.every(collect);
  };
  return collect(value)
    ? loop.body.nodes.filter((node): node is Inst => node instanceof Inst && needed.has(node))
    : null;
}

function promote(fn: SsaFunction, loop: LoopNode, cell: PromotedCell, before: SsaNode[], after: SsaNode[]): void {
  const { access, store, address } = cell;
  const { type, mods, span, source } = store;
  const value = (): Value => {
    const made = fn.value(type);
    made.owner = loop;
    return made;
  };
  const [start, carried, next, result] = [fn.value(type), value(), value(), value()];
  before.push(new Inst("ld", type, [start], [access.base], mods, span, source));
  let current = carried;
  const moved = new Set<SsaNode>(address);
  loop.body.nodes = loop.body.nodes.filter((node) => {
    if (moved.has(node)) return false;
    if (!isAccess(node) || accessOf(node).base !== access.base || accessOf(node).offset !== access.offset) return true;
    if (node.op === "ld") replace(node.results[0]!, current);
    else current = resolve(node.operands[1]!);
    return false;
  });
  loop.params.push(carried);
  loop.inits.push(start);
  loop.body.end.values.push(current);
  loop.latchParams.push(next);
  loop.nexts.push(next);
  loop.exits.push(next);
  loop.results.push(result);
  after.push(new Inst("st", type, [], [access.base, result], mods, span, source));
}
