/**
 * The program as a block runs it. Control flow that holds barriers runs once for the block. Between barriers are phases,
 * each of which a warp runs to its end before the next warp starts.
 */
import type { JumpNode, Program, ProgramNode, Region } from "../../../lower/program.js";

type IfNode = Extract<ProgramNode, { kind: "if" }>;
type LoopNode = Extract<ProgramNode, { kind: "loop" }>;

export interface Phase {
  readonly kind: "phase";
  readonly id: number;
  /** Without barriers, and without jumps to loops of the block's level. */
  readonly items: Region;
}

export type BlockNode =
  | Phase
  | { readonly kind: "barrier"; readonly pc: number }
  | {
      readonly kind: "if";
      readonly node: IfNode;
      readonly then: readonly BlockNode[];
      readonly else: readonly BlockNode[];
    }
  | {
      readonly kind: "loop";
      readonly node: LoopNode;
      readonly body: readonly BlockNode[];
      readonly latch: readonly BlockNode[];
    }
  | { readonly kind: "jump"; readonly node: JumpNode };

export interface BlockStructure {
  readonly nodes: readonly BlockNode[];
  readonly phases: readonly Phase[];
  /** Phases that a block may run several times: those in loops of its level. */
  readonly repeated: ReadonlySet<Phase>;
  /** By pc: the phase it stands in, or null for instructions of the block's level (barriers, their branches). */
  readonly phaseOf: readonly (Phase | null)[];
  /** By pc: stands in a run directly in a phase, under no control flow of its own. */
  readonly straight: readonly boolean[];
}

function isBarrier(program: Program, pc: number): boolean {
  return program.instructions[pc]!.op === "bar";
}

function holdsBarrier(program: Program, nodes: Region): boolean {
  const holds = (part: Region): boolean => holdsBarrier(program, part);
  return nodes.some((node) => {
    if (node.kind === "run") {
      for (let i = 0; i < node.count; i++) if (isBarrier(program, node.first + i)) return true;
      return false;
    }
    if (node.kind === "if") return holds(node.then) || holds(node.else);
    return node.kind === "loop" && (holds(node.body) || holds(node.latch));
  });
}

/** Calls `action` for each pc of the nodes; nested: under control flow within them. */
function visit(nodes: Region, action: (pc: number, nested: boolean) => void, nested: boolean): void {
  for (const node of nodes) {
    if (node.kind === "run") for (let i = 0; i < node.count; i++) action(node.first + i, nested);
    else if (node.kind === "if") {
      action(node.branch, true);
      visit(node.then, action, true);
      if (node.jumpOver !== null) action(node.jumpOver, true);
      visit(node.else, action, true);
    } else if (node.kind === "loop") {
      visit(node.body, action, true);
      visit(node.latch, action, true);
      action(node.backBranch, true);
    } else action(node.pc, true);
  }
}

export function findStructure(program: Program): BlockStructure {
  const blockLoops = new Set<number>();
  const phases: Phase[] = [];
  const phaseOf: (Phase | null)[] = program.instructions.map(() => null);
  const straight: boolean[] = program.instructions.map(() => false);

  const isOfBlock = (node: ProgramNode): boolean => {
    switch (node.kind) {
      case "run":
        return false;
      case "if":
        return holdsBarrier(program, [node]) || node.then.some(isOfBlock) || node.else.some(isOfBlock);
      case "loop":
        return holdsBarrier(program, [node]) || node.body.some(isOfBlock) || node.latch.some(isOfBlock);
      default:
        return node.kind !== "exit" && blockLoops.has(node.loop);
    }
  };
  const build = (nodes: Region): BlockNode[] => {
    const out: BlockNode[] = [];
    let items: ProgramNode[] = [];
    const close = (): void => {
      if (items.length === 0) return;
      const phase: Phase = { kind: "phase", id: phases.length, items };
      phases.push(phase);
      visit(
        items,
        (pc, nested) => {
          phaseOf[pc] = phase;
          straight[pc] = !nested;
        },
        false,
      );
      out.push(phase);
      items = [];
    };
    for (const node of nodes) {
      if (node.kind === "run") {
        let first = node.first;
        const end = node.first + node.count;
        for (let pc = first; pc <= end; pc++) {
          if (pc < end && !isBarrier(program, pc)) continue;
          if (pc > first) items.push({ kind: "run", first, count: pc - first });
          if (pc < end) {
            close();
            out.push({ kind: "barrier", pc });
          }
          first = pc + 1;
        }
      } else if (node.kind === "loop" && holdsBarrier(program, [node])) {
        close();
        blockLoops.add(node.id);
        out.push({ kind: "loop", node, body: build(node.body), latch: build(node.latch) });
      } else if (!isOfBlock(node)) items.push(node);
      else {
        close();
        if (node.kind === "if") out.push({ kind: "if", node, then: build(node.then), else: build(node.else) });
        else if (node.kind !== "loop") out.push({ kind: "jump", node });
        else throw new Error("a loop of the block holds a barrier");
      }
    }
    close();
    return out;
  };

  const nodes = build(program.body);
  return { nodes, phases, repeated: phasesInLoops(nodes, false), phaseOf, straight };
}

function phasesInLoops(nodes: readonly BlockNode[], inLoop: boolean): ReadonlySet<Phase> {
  const found = new Set<Phase>();
  for (const node of nodes) {
    if (node.kind === "phase" && inLoop) found.add(node);
    const parts = node.kind === "if" ? [node.then, node.else] : node.kind === "loop" ? [node.body, node.latch] : [];
    for (const part of parts) for (const phase of phasesInLoops(part, inLoop || node.kind === "loop")) found.add(phase);
  }
  return found;
}
