/**
 * Phases worth running twice. The first run assumes that all lanes of the warp go the same way at every branch, which
 * keeps loop counters affine and masks full. Where they do not, the phase runs once more without the assumption. That is
 * possible up to the first side effect of the phase: so far the warp has only read.
 */
import type { ProgramNode, Region } from "../../../lower/program.js";
import type { Analysis } from "./analysis.js";
import { isAccess } from "./shape.js";
import { type Assumption, ShapeFinder, type ShapeTable } from "./shapes.js";
import type { Phase } from "./structure.js";
import type { Web } from "./webs.js";

export interface Speculation {
  /** Branches and guards that must take all active lanes or none. */
  readonly together: ReadonlySet<number>;
  readonly shapes: ShapeTable;
}

/** null where nothing would be gained. */
export function findSpeculation(analysis: Analysis, phase: Phase): Speculation | null {
  const { program, shapes, table, structure } = analysis;
  const together = new Set<number>();
  let divergentLoop = false;
  let limit = Infinity;
  /** `outermost`: first pc of the outermost loop of the phase around the nodes. */
  const walk = (nodes: Region, outermost: number | null): void => {
    for (const node of nodes) visit(node, outermost);
  };
  const condition = (pc: number): void => {
    if (pc < limit && shapes.isVaryingCondition(pc)) together.add(pc);
  };
  const visit = (node: ProgramNode, outermost: number | null): void => {
    switch (node.kind) {
      case "run":
        for (let pc = node.first; pc < node.first + node.count; pc++) {
          const { op, guard } = program.instructions[pc]!;
          if (op === "st" || op === "atom" || op === "printf") limit = Math.min(limit, outermost ?? pc);
          else if (guard !== null && (isAccess(program.instructions[pc]!) || table.dst[pc]!.length > 0)) condition(pc);
        }
        return;
      case "if":
        condition(node.branch);
        walk(node.then, outermost);
        walk(node.else, outermost);
        return;
      case "loop": {
        const first = outermost ?? firstPc([...node.body, ...node.latch]) ?? node.backBranch;
        walk(node.body, first);
        walk(node.latch, first);
        condition(node.backBranch);
        if (node.backBranch < limit && shapes.divergentLoops.has(node.id)) divergentLoop = true;
        return;
      }
      default:
        condition(node.pc);
    }
  };
  walk(phase.items, null);
  for (const pc of together) if (pc >= limit) together.delete(pc);
  if (!divergentLoop || together.size === 0) return null;

  const inPhase = (pc: number): boolean => structure.phaseOf[pc] === phase;
  // A value that a lane keeps in memory from one phase to the next must survive a failed speculation.
  const overwrites = table.webs.some((web) => {
    if (web.type === "bool" || shapes.shapeOf(web).kind !== "varying" || !web.defs.some(inPhase)) return false;
    const local = [...web.defs, ...web.uses].every(inPhase);
    if (web.readsInitial) return !local || structure.repeated.has(phase);
    return !web.defs.every(inPhase);
  });
  if (overwrites) return null;
  const webs = new Set<Web>(table.webs.filter((web) => [...web.defs, ...web.uses].every(inPhase)));
  const assumption: Assumption = { together, webs, base: shapes };
  const { liveness, ranges, shape } = analysis;
  const better = new ShapeFinder(program, table, liveness, structure, ranges, shape, assumption);
  const gain = [...webs].some(
    (web) => shapes.shapeOf(web).kind === "varying" && better.shapeOf(web).kind !== "varying",
  );
  return gain ? { together, shapes: better } : null;
}

function firstPc(nodes: Region): number | null {
  const [node] = nodes;
  if (node === undefined) return null;
  if (node.kind === "run") return node.first;
  if (node.kind === "if") return node.branch;
  if (node.kind === "loop") return firstPc([...node.body, ...node.latch]) ?? node.backBranch;
  return node.pc;
}
