/**
 * Removes dead code: instructions, results and parameters of ifs and loops without uses, and ifs and loops without
 * effects.
 */

import { endsProvably } from "../../analysis/finite-loop.js";
import { isRemovable } from "../../ssa/effects.js";
import {
  type IfNode,
  isJump,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Terminator,
  type Value,
} from "../../ssa/ssa.js";

/** `keepsLoops`: also those that provably end stay, as in code that is not optimised. */
export function removeDeadCode(fn: SsaFunction, keepsLoops: boolean = false): void {
  const live = new Liveness(fn.valueCount, keepsLoops);
  live.run(fn.body);
  sweep(fn.body, live);
}

class Liveness {
  private readonly alive: Uint8Array;
  private changed = false;

  constructor(
    count: number,
    readonly keepsLoops: boolean,
  ) {
    this.alive = new Uint8Array(count);
  }

  has(value: Value): boolean {
    return this.alive[resolve(value).id] === 1;
  }

  run(region: Region): void {
    do {
      this.changed = false;
      this.region(region);
    } while (this.changed);
  }

  private mark(value: Value): void {
    const { id } = resolve(value);
    if (this.alive[id] === 1) return;
    this.alive[id] = 1;
    this.changed = true;
  }

  private region(region: Region): void {
    this.end(region.end);
    for (let i = region.nodes.length - 1; i >= 0; i--) {
      const node = region.nodes[i]!;
      if (node.kind === "inst") {
        if (!isRemovable(node) || node.results.some((result) => this.has(result)))
          for (const value of node.operands) this.mark(value);
      } else if (node.kind === "if") this.branch(node);
      else this.loop(node);
    }
  }

  /** Marks each value whose counterpart among `readers` is live. */
  private markRead(values: readonly Value[], readers: readonly Value[]): void {
    for (let i = 0; i < values.length; i++) if (this.has(readers[i]!)) this.mark(values[i]!);
  }

  private end(end: Terminator): void {
    if (end.kind === "break") this.markRead(end.values, end.loop.results);
    if (end.kind === "continue") this.markRead(end.values, end.loop.latchParams);
  }

  private branch(node: IfNode): void {
    const joined = (region: Region): void => {
      if (!isJump(region.end)) this.markRead(region.end.values, node.results);
      this.region(region);
    };
    joined(node.then);
    joined(node.else);
    if (hasEffect(node, this)) this.mark(node.condition);
  }

  private loop(node: LoopNode): void {
    if (!hasEffect(node, this)) return;
    if (node.condition !== null) this.mark(node.condition);
    this.markRead(node.exits, node.results);
    this.markRead(node.nexts, node.params);
    this.region(node.latch);
    if (!isJump(node.body.end)) this.markRead(node.body.end.values, node.latchParams);
    this.region(node.body);
    this.markRead(node.inits, node.params);
  }
}

/** The node has side effects or a live result, is a loop that may not end, or jumps out of the loops `within`. */
function hasEffect(node: SsaNode, live: Liveness, within: readonly LoopNode[] = []): boolean {
  if (node.kind === "inst") return !isRemovable(node) || node.results.some((result) => live.has(result));
  if (node.results.some((result) => live.has(result))) return true;
  const loops = node.kind === "loop" ? [...within, node] : within;
  const region = ({ end, nodes }: Region): boolean =>
    (isJump(end) && !((end.kind === "break" || end.kind === "continue") && loops.includes(end.loop))) ||
    nodes.some((child) => hasEffect(child, live, loops));
  if (node.kind === "if") return region(node.then) || region(node.else);
  return region(node.body) || region(node.latch) || live.keepsLoops || !endsProvably(node);
}

function keep<T>(list: readonly T[], kept: readonly number[]): T[] {
  return kept.map((i) => list[i]!);
}

function indices(values: readonly Value[], live: Liveness): number[] {
  return values.map((_, i) => i).filter((i) => live.has(values[i]!));
}

/** Loops whose results or latch parameters changed: their jumps must drop the same values. */
interface JumpEdits {
  readonly results: ReadonlyMap<LoopNode, readonly number[]>;
  readonly latchParams: ReadonlyMap<LoopNode, readonly number[]>;
}

function sweep(region: Region, live: Liveness): void {
  const results = new Map<LoopNode, readonly number[]>();
  const latchParams = new Map<LoopNode, readonly number[]>();
  sweepRegion(region, live, { results, latchParams }, results, latchParams);
}

function sweepRegion(
  region: Region,
  live: Liveness,
  edits: JumpEdits,
  results: Map<LoopNode, readonly number[]>,
  latchParams: Map<LoopNode, readonly number[]>,
): void {
  const nodes: SsaNode[] = [];
  for (const node of region.nodes) {
    if (!hasEffect(node, live)) continue;
    nodes.push(node);
    if (node.kind === "if") {
      const kept = indices(node.results, live);
      if (!isJump(node.then.end)) node.then.end = { kind: "yield", values: keep(node.then.end.values, kept) };
      if (!isJump(node.else.end)) node.else.end = { kind: "yield", values: keep(node.else.end.values, kept) };
      node.results = keep(node.results, kept);
      sweepRegion(node.then, live, edits, results, latchParams);
      sweepRegion(node.else, live, edits, results, latchParams);
    } else if (node.kind === "loop") {
      const keptResults = indices(node.results, live);
      const keptParams = indices(node.params, live);
      const keptLatch = indices(node.latchParams, live);
      results.set(node, keptResults);
      latchParams.set(node, keptLatch);
      sweepRegion(node.body, live, edits, results, latchParams);
      sweepRegion(node.latch, live, edits, results, latchParams);
      if (!isJump(node.body.end)) node.body.end = { kind: "yield", values: keep(node.body.end.values, keptLatch) };
      node.exits = keep(node.exits, keptResults);
      node.results = keep(node.results, keptResults);
      node.inits = keep(node.inits, keptParams);
      node.nexts = keep(node.nexts, keptParams);
      node.params = keep(node.params, keptParams);
      node.latchParams = keep(node.latchParams, keptLatch);
    }
  }
  region.nodes = nodes;
  const { end } = region;
  if (end.kind === "break") {
    const kept = edits.results.get(end.loop);
    if (kept !== undefined) region.end = { ...end, values: keep(end.values, kept) };
  } else if (end.kind === "continue") {
    const kept = edits.latchParams.get(end.loop);
    if (kept !== undefined) region.end = { ...end, values: keep(end.values, kept) };
  }
}
