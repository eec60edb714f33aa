/**
 * An expression that two branches compute is computed once before them, if its operands are known there (NVVM hoists it
 * to the nearest block that comes before all its places). Starts of arrays and parameters cost nothing to NVVM and stay.
 */
import { Inst, type Region, resolve, type SsaFunction, type SsaNode, type Value } from "../ssa.js";
import { isSpeculatable } from "./effects.js";
import { pureKey } from "./value-key.js";

const STAY: ReadonlySet<string> = new Set(["base", "param", "special", "setp", "pand", "por", "pnot", "selp", "cvt"]);

/** True if something moved: what it feeds may move next. */
export function hoistCommon(fn: SsaFunction): boolean {
  return hoistIn(fn, fn.body, new Set());
}

/** `known`: values defined before the region stands. */
function hoistIn(fn: SsaFunction, region: Region, outer: ReadonlySet<Value>): boolean {
  const known = new Set(outer);
  const places = new Map<string, { count: number; readonly first: number; readonly inst: Inst }>();
  const nodes: SsaNode[] = [];
  region.nodes.forEach((node, i) => {
    if (node.kind !== "inst") {
      const here = new Set<string>();
      const note = (inner: Region): void => {
        const keys = new Map<string, Inst>();
        collect(inner, known, keys);
        for (const [key, inst] of keys) {
          const place = places.get(key);
          if (place === undefined) places.set(key, { count: 1, first: i, inst });
          else place.count++;
          here.add(key);
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
  for (const { count, first, inst } of places.values()) {
    if (count < 2) continue;
    const list = before.get(first) ?? [];
    list.push(inst);
    before.set(first, list);
  }
  const moved = new Set<Inst>([...before.values()].flat());
  for (const list of before.values()) {
    for (const inst of [...list]) {
      inst.operands = inst.operands.map((operand) => {
        const value = resolve(operand);
        if (known.has(value) || !isLeaf(value) || value.def === null) return value;
        const leaf = value.def;
        const copy = fn.value(value.type, value.name);
        list.unshift(new Inst(leaf.op, leaf.type, [copy], [], leaf.mods, leaf.span, leaf.source));
        return copy;
      });
    }
  }
  if (moved.size > 0) drop(region, moved);
  let changed = moved.size > 0;
  region.nodes.forEach((node, i) => {
    nodes.push(...(before.get(i) ?? []), node);
  });
  region.nodes = nodes;
  const inside = new Set(outer);
  for (const node of region.nodes) {
    if (node.kind === "if") {
      changed = hoistIn(fn, node.then, inside) || changed;
      changed = hoistIn(fn, node.else, inside) || changed;
    } else if (node.kind === "loop") {
      const body = new Set(inside);
      for (const param of node.params) body.add(param);
      changed = hoistIn(fn, node.body, body) || changed;
      changed = hoistIn(fn, node.latch, body) || changed;
    }
    for (const result of node.results) inside.add(result);
  }
  return changed;
}

function isLeaf(value: Value): boolean {
  return value.def !== null && (value.def.op === "base" || value.def.op === "param" || value.def.op === "special");
}

/** A key in which the starts of arrays, parameters and places are named by what they are, not by where they stand. */
function placelessKey(inst: Inst): string {
  const leaves = inst.operands.map((operand) => {
    const value = resolve(operand);
    return isLeaf(value) ? pureKey(value.def!) : String(value.id);
  });
  const rest = pureKey(new Inst(inst.op, inst.type, [], [], inst.mods, inst.span, inst.source));
  return `${rest}: ${leaves.join(", ")}`;
}

function collect(region: Region, known: ReadonlySet<Value>, into: Map<string, Inst>): void {
  for (const node of region.nodes) {
    if (node.kind === "if") {
      collect(node.then, known, into);
      collect(node.else, known, into);
    } else if (node.kind === "loop") {
      collect(node.body, known, into);
      collect(node.latch, known, into);
    } else if (node.results.length === 1 && !STAY.has(node.op) && isSpeculatable(node)) {
      const ready = node.operands.every((operand) => {
        const value = resolve(operand);
        return value.constant !== null || known.has(value) || isLeaf(value);
      });
      if (ready) into.set(placelessKey(node), node);
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
