/** Traversals of a tree of regions that several passes share: each also visits the nodes nested in ifs and loops. */
import {
  type IfNode,
  type Inst,
  type LoopNode,
  type Region,
  regionsOf,
  type SsaNode,
  type Value,
  walk,
} from "./ssa.js";

/** Visits every instruction, in program order. */
export function walkInstructions(region: Region, visit: (inst: Inst) => void): void {
  walk(region, (node) => {
    if (node.kind === "inst") visit(node);
  });
}

/** Visits every node of a loop's body and latch, in program order. */
export function walkLoop(loop: LoopNode, visit: (node: SsaNode) => void): void {
  for (const region of regionsOf(loop)) walk(region, visit);
}

/** Every loop, outer before inner. */
export function loopsIn(region: Region): readonly LoopNode[] {
  const loops: LoopNode[] = [];
  walk(region, (node) => {
    if (node.kind === "loop") loops.push(node);
  });
  return loops;
}

/** Replaces each node by those that `rewrite` returns, inner nodes before outer ones. */
export function rewriteNodes(region: Region, rewrite: (node: SsaNode) => readonly SsaNode[]): void {
  region.nodes = region.nodes.flatMap((node) => {
    for (const inner of regionsOf(node)) rewriteNodes(inner, rewrite);
    return rewrite(node);
  });
}

/** The nodes that take a loop's place. */
export interface LoopRewrite {
  readonly nodes: readonly SsaNode[];
  readonly changed: boolean;
}

/** Where a loop stands: in another loop or not, and whether the traversal has changed a loop inside it. */
export interface LoopPlace {
  readonly nested: boolean;
  readonly innerChanged: boolean;
}

/** Replaces each loop by the nodes that `rewrite` returns, inner loops before outer ones. True if one changed. */
export function rewriteLoops(
  region: Region,
  rewrite: (loop: LoopNode, place: LoopPlace) => LoopRewrite,
  nested = false,
): boolean {
  let changed = false;
  region.nodes = region.nodes.flatMap((node): readonly SsaNode[] => {
    let innerChanged = false;
    for (const inner of regionsOf(node))
      innerChanged = rewriteLoops(inner, rewrite, nested || node.kind === "loop") || innerChanged;
    changed ||= innerChanged;
    if (node.kind !== "loop") return [node];
    const made = rewrite(node, { nested, innerChanged });
    changed ||= made.changed;
    return made.nodes;
  });
  return changed;
}

/** Removes the instructions in `gone`. */
export function removeInstructions(region: Region, gone: ReadonlySet<SsaNode>): void {
  if (gone.size > 0) rewriteNodes(region, (node) => (gone.has(node) ? [] : [node]));
}

/** The values that a node reads: an instruction's operands, or those that enter, leave and control an if or a loop. */
export function readsOf(node: SsaNode): readonly Value[] {
  if (node.kind === "inst") return node.operands;
  const ends = regionsOf(node).flatMap(({ end }) => end.values);
  const conditions = node.condition === null ? [] : [node.condition];
  return node.kind === "if"
    ? [...conditions, ...ends]
    : [...node.inits, ...node.nexts, ...node.exits, ...conditions, ...ends];
}

/** True if the sides of an if hold more than `most` nodes. A loop counts as `most`. */
export function isLongerThan(most: number, branch: IfNode): boolean {
  let count = 0;
  for (const side of regionsOf(branch)) {
    walk(side, ({ kind }) => {
      count += kind === "loop" ? most : 1;
    });
  }
  return count > most;
}
