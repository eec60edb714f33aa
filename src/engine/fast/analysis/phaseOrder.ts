/**
 * Between two barriers a warp must run to the end before the next warp starts. A phase is run by all warps before the
 * next phase: that is the same, unless two phases without a barrier between them touch the same memory.
 */
import type { Instruction, Program } from "../../../lower/program.js";
import type { BlockNode, BlockStructure, Phase } from "./structure.js";

/** Two phases of one barrier interval that warps could tell apart, as pcs of the accesses; null if there are none. */
export function findPhaseConflict(
  program: Program,
  structure: BlockStructure,
  paramsDisjoint: boolean,
): readonly [number, number] | null {
  const accesses = new Map<Phase, Instruction[]>();
  structure.phaseOf.forEach((phase, pc) => {
    const instruction = program.instructions[pc]!;
    if (phase === null || !["ld", "st", "atom", "printf"].includes(instruction.op)) return;
    accesses.set(phase, [...(accesses.get(phase) ?? []), instruction]);
  });
  let conflict: readonly [number, number] | null = null;

  const compare = (a: Phase, b: Phase): void => {
    for (const first of accesses.get(a) ?? []) {
      for (const second of accesses.get(b) ?? []) {
        if (conflict === null && meets(program, first, second, paramsDisjoint)) conflict = [first.pc, second.pc];
      }
    }
  };
  const walk = (nodes: readonly BlockNode[], before: ReadonlySet<Phase>): ReadonlySet<Phase> => {
    let open = before;
    for (const node of nodes) {
      switch (node.kind) {
        case "phase":
          for (const earlier of open) if (earlier !== node) compare(earlier, node);
          if (accesses.has(node)) open = new Set([...open, node]);
          break;
        case "barrier":
          if (program.instructions[node.pc]!.guard === null) open = new Set();
          break;
        case "if":
          open = new Set([...walk(node.then, open), ...walk(node.else, open)]);
          break;
        case "loop": {
          // A phase of one round may share its interval with a phase of the round before, itself included.
          const first = walk(node.latch, walk(node.body, open));
          for (const phase of first) if (reachesItself(node, phase, program)) compare(phase, phase);
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
  return conflict;
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
  // From the head on again: a barrier in front of the phase keeps the rounds apart.
  const head = (nodes: readonly BlockNode[]): boolean => {
    for (const node of nodes) {
      if (node === phase) return true;
      if (node.kind === "barrier" && program.instructions[node.pc]!.guard === null) return false;
    }
    return true;
  };
  return head(loop.body);
}

function meets(program: Program, a: Instruction, b: Instruction, paramsDisjoint: boolean): boolean {
  if (a.op === "printf" || b.op === "printf") return a.op === b.op;
  if (a.op === "ld" && b.op === "ld") return false;
  const [first, second] = [a.root, b.root];
  if (first === undefined || second === undefined) return true;
  if (first.kind !== second.kind || first.kind === "local") return false;
  if (first.kind === "param" && second.kind === "param") return first.index === second.index || !paramsDisjoint;
  if (first.kind === "shared" && second.kind === "shared") {
    if (first.array === second.array) return true;
    return [first, second].every(({ array }) => program.shared[array]!.sizeBytes === null);
  }
  return true;
}
