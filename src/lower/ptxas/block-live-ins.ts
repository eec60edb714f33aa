/**
 * How many words of registers LLVM's blocks are entered with. Counted as NVVM counts them before it decides whether to work values out
 * again (rematerialize.ts): 64 bits are two, predicates, constants, scalar parameters and starts of shared arrays none, a pointer
 * parameter two from the kernel's first block on, results of ifs and loops from behind the block that they begin.
 */
import {
  type IfNode,
  type Inst,
  type LoopNode,
  mapOperands,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type Value,
} from "../ssa/ssa.js";

/** The most words with which a block of `fn` is entered. */
export function mostLiveIn(fn: SsaFunction): number {
  const counter = new LiveInCounter(fn.body);
  counter.region(fn.body, new Set());
  return counter.most;
}

/** Live values; of a place that NVVM does not hoist its index; a pointer parameter is there by its index. */
type Live = Set<Value | number>;

class LiveInCounter {
  most = 0;
  private readonly sunk: ReadonlySet<number>;
  private readonly indices: ReadonlyMap<Value, Value>;
  /** What is live behind a loop, and where its latch begins. */
  private readonly behind = new Map<LoopNode, Live>();
  private readonly latched = new Map<LoopNode, Live>();

  constructor(body: Region) {
    this.sunk = sunkParameters(body);
    this.indices = indicesBehind(body);
  }

  /** What is live where `region` begins, if `after` is where it ends without a jump. */
  region(region: Region, after: Live): Live {
    const { end } = region;
    const live = new Set(
      end.kind === "yield"
        ? after
        : end.kind === "break"
          ? this.behind.get(end.loop)
          : end.kind === "continue"
            ? this.latched.get(end.loop)
            : [],
    );
    this.addAll(live, end.values);
    for (let i = region.nodes.length - 1; i >= 0; i--) {
      const node = region.nodes[i]!;
      for (const result of node.results) live.delete(result);
      if (node.kind === "inst") this.inst(node, live);
      else if (node.kind === "if") this.branch(node, live);
      else this.loop(node, live);
    }
    return live;
  }

  private inst(inst: Inst, live: Live): void {
    if (inst.op === "base" && inst.mods.root?.kind === "param") live.add(inst.mods.root.index);
    this.addAll(live, inst.operands);
  }

  private branch(node: IfNode, live: Live): void {
    if (!node.select) this.count(live);
    const sides = [node.then, node.else].map((side) => {
      const entered = this.region(side, live);
      if (!node.select && side.nodes.length > 0) this.count(entered);
      return entered;
    });
    live.clear();
    for (const side of sides) for (const value of side) live.add(value);
    this.addAll(live, [node.condition]);
  }

  private loop(node: LoopNode, live: Live): void {
    this.count(live);
    this.behind.set(node, new Set(live));
    const around = new Set(live);
    this.addAll(around, [...node.nexts, ...node.exits, ...(node.condition === null ? [] : [node.condition])]);
    // What the first round reads lives through all of them.
    for (let round = 0; round < 2; round++) {
      const latch = this.region(node.latch, around);
      for (const param of node.latchParams) latch.delete(param);
      this.latched.set(node, latch);
      const body = this.region(node.body, latch);
      for (const param of node.params) body.delete(param);
      for (const value of body) around.add(value);
      this.count(body);
      live.clear();
      for (const value of body) live.add(value);
    }
    this.addAll(live, node.inits);
  }

  private addAll(live: Live, values: readonly Value[]): void {
    for (const value of values) {
      const now = this.indices.get(resolve(value)) ?? resolve(value);
      if (now.constant === null) live.add(now);
    }
  }

  private count(live: Live): void {
    let words = 0;
    for (const value of live) {
      if (typeof value !== "number") words += wordsOf(value);
      else if (!this.sunk.has(value)) words += 2;
    }
    this.most = Math.max(this.most, words);
  }
}

function wordsOf({ type, def }: Value): number {
  if (type === "bool" || def?.op === "base" || def?.op === "param") return 0;
  if (type === "addr") return def?.mods.space === "shared" ? 1 : 2;
  return type === "i64" || type === "u64" || type === "f64" ? 2 : 1;
}

/** Pointer parameters that one block alone reads, which only the kernel's first block leads to: LLVM's InstCombine moves them there. */
function sunkParameters(body: Region): ReadonlySet<number> {
  const blocks = new Map<number, Set<string>>();
  let block = 0;
  const visit = (region: Region, name: string): void => {
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const { root } = node.mods;
        if (node.op !== "base" || root?.kind !== "param") continue;
        blocks.set(root.index, (blocks.get(root.index) ?? new Set()).add(name));
      } else if (node.kind === "if" && node.select) {
        visit(node.then, name);
        visit(node.else, name);
      } else {
        const first = name === "first" && region === body && node.kind === "if";
        const inner = node.kind === "if" ? [node.then, node.else] : [node.body, node.latch];
        for (const side of inner) visit(side, `${first ? "second" : ""} ${block++}`);
        name = `${block++}`;
      }
    }
  };
  visit(body, "first");
  const sunk = [...blocks].filter(([, names]) => names.size === 1 && /^(first|second)/.test([...names][0]!));
  return new Set(sunk.map(([index]) => index));
}

/** Places in shared memory that a branch and the code behind it read, by their indices: the assembler computes them in front of both, NVVM in each. */
function indicesBehind(body: Region): ReadonlyMap<Value, Value> {
  const indices = new Map<Value, Value>();
  const visit = (region: Region): void => {
    const inBranches = new Set<Value>();
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        for (const operand of node.operands) {
          const { def } = resolve(operand);
          if (def?.op !== "addr" || def.mods.space !== "shared" || !inBranches.has(resolve(operand))) continue;
          indices.set(resolve(operand), resolve(def.operands[1]!));
        }
      } else {
        mapOperands({ nodes: [node], end: { kind: "yield", values: [] } }, (value) => {
          inBranches.add(resolve(value));
          return value;
        });
        for (const inner of regionsOf(node)) visit(inner);
      }
    }
  };
  visit(body);
  return indices;
}
