/**
 * Between two barriers a warp runs to the end before the next warp starts. Running a phase for all warps before the next
 * phase gives the same, unless warps could tell. They can if two phases without a barrier between them touch memory or
 * print. They can also if one phase may fail and so leave undone what the other does.
 */
import type { Program } from "../../../lower/program.js";
import type { Ranges } from "./range.js";
import { BLOCK_UNIFORM, mayFault, sameShape } from "./shape.js";
import type { ShapeTable } from "./shapes.js";
import type { BlockNode, BlockStructure, Phase } from "./structure.js";
import type { WebTable } from "./webs.js";

/** Guards of barriers and of the control flow around them, by pc, that are not proven to be the same in the whole block. */
export function findDifferingFlow(
  structure: BlockStructure,
  program: Program,
  shapes: ShapeTable,
  table: WebTable,
): readonly number[] {
  const differing: number[] = [];
  const guard = (pc: number): void => {
    const web = table.guard[pc] ?? null;
    if (web !== null && program.instructions[pc]!.guard !== null && !sameShape(shapes.shapeOf(web), BLOCK_UNIFORM))
      differing.push(pc);
  };
  const walk = (nodes: readonly BlockNode[]): void => {
    for (const node of nodes) {
      if (node.kind === "barrier") guard(node.pc);
      else if (node.kind === "jump") guard(node.node.pc);
      else if (node.kind === "if") {
        guard(node.node.branch);
        walk(node.then);
        walk(node.else);
      } else if (node.kind === "loop") {
        walk(node.body);
        walk(node.latch);
        guard(node.node.backBranch);
      }
    }
  };
  walk(structure.nodes);
  return differing;
}

/** Some barrier interval has two phases that act in ways that warps could tell. */
export function hasPhasesToKeepInOrder(program: Program, structure: BlockStructure, ranges: Ranges): boolean {
  const acting = new Set<Phase>();
  structure.phaseOf.forEach((phase, pc) => {
    const instruction = program.instructions[pc]!;
    const acts = ["ld", "st", "atom", "printf"].includes(instruction.op) || mayFault(instruction, pc, ranges);
    if (phase !== null && acts) acting.add(phase);
  });
  let found = false;
  const walk = (nodes: readonly BlockNode[], before: ReadonlySet<Phase>): ReadonlySet<Phase> => {
    let open = before;
    for (const node of nodes) {
      switch (node.kind) {
        case "phase":
          if (!acting.has(node)) break;
          for (const earlier of open) if (earlier !== node) found = true;
          open = new Set([...open, node]);
          break;
        case "barrier":
          if (program.instructions[node.pc]!.guard === null) open = new Set();
          break;
        case "if":
          open = new Set([...walk(node.then, open), ...walk(node.else, open)]);
          break;
        case "loop": {
          // A phase may share its interval with a phase of the iteration before, itself included.
          const first = walk(node.latch, walk(node.body, open));
          for (const phase of first) if (reachesItself(node, phase, program)) found = true;
          open = new Set([...open, ...walk(node.latch, walk(node.body, new Set([...open, ...first])))]);
          break;
        }
        default:
          break;
      }
    }
    return open;
  };
  walk(structure.nodes, new Set());
  return found;
}

/** The loop can come from a phase to the same phase without a barrier. */
function reachesItself(loop: Extract<BlockNode, { kind: "loop" }>, phase: Phase, program: Program): boolean {
  const path = (nodes: readonly BlockNode[], state: "before" | "after" | "blocked"): "before" | "after" | "blocked" => {
    let now = state;
    for (const node of nodes) {
      if (node === phase) now = "after";
      else if (node.kind === "barrier" && now === "after" && program.instructions[node.pc]!.guard === null)
        now = "blocked";
      else if (node.kind === "if") {
        const sides = [path(node.then, now), path(node.else, now)];
        now = sides.includes("after") ? "after" : (sides[0] ?? now);
      } else if (node.kind === "loop") now = path([...node.body, ...node.latch], now);
    }
    return now;
  };
  const end = path([...loop.body, ...loop.latch], "before");
  if (end !== "after") return false;
  // The next iteration starts at the head: a barrier before the phase keeps the iterations apart.
  const head = (nodes: readonly BlockNode[]): boolean => {
    for (const node of nodes) {
      if (node === phase) return true;
      if (node.kind === "barrier" && program.instructions[node.pc]!.guard === null) return false;
    }
    return true;
  };
  return head(loop.body);
}
