/**
 * Loops that may wait for another thread: whether they go on depends on a value that is read again and again from the
 * same place. Where lanes, warps or blocks must take turns for them, only the reference engine's schedule helps.
 */
import type { Instruction, Program, ProgramNode, Region } from "../../../lower/program.js";
import { findWebs, type Web, type WebTable } from "./webs.js";

type LoopNode = Extract<ProgramNode, { kind: "loop" }>;

/** Some loop of the program may wait. */
export function maySpin(program: Program, table: WebTable): boolean {
  return someLoop(program, table, (_, changes) => !changes);
}

const waitForBlocks = new WeakMap<Program, boolean>();

/** Some loop of the program may wait for another block: it reads global memory, also where it moves on from time to time. */
export function mayWaitForBlocks(program: Program): boolean {
  const known = waitForBlocks.get(program);
  if (known !== undefined) return known;
  const result = someLoop(
    program,
    findWebs(program),
    ({ op, space, volatile }, changes) => space === "global" && (!changes || op === "atom" || volatile === true),
  );
  waitForBlocks.set(program, result);
  return result;
}

/** Whether a read may be one that is waited for; `changes`: its address may be another in each iteration. */
type Awaited = (read: Instruction, changes: boolean) => boolean;

function someLoop(program: Program, table: WebTable, awaited: Awaited): boolean {
  const loopMaySpin = (nodes: Region): boolean =>
    nodes.some((node) => {
      if (node.kind === "if") return loopMaySpin(node.then) || loopMaySpin(node.else);
      if (node.kind !== "loop") return false;
      return loopMaySpin(node.body) || loopMaySpin(node.latch) || new Loop(program, table, node).maySpin(awaited);
    });
  return loopMaySpin(program.body);
}

class Loop {
  /** By pc in the loop: the conditions inside the loop that decide whether a lane comes there. */
  private readonly control = new Map<number, readonly Web[]>();
  /** Conditions of the jumps in the loop, and of the branches around them. */
  private readonly jumps: Web[] = [];
  private readonly changing = new Map<Web, boolean>();

  constructor(
    private readonly program: Program,
    private readonly table: WebTable,
    private readonly node: LoopNode,
  ) {
    this.place([...node.body, ...node.latch], []);
    this.control.set(node.backBranch, []);
  }

  private place(nodes: Region, around: readonly Web[]): void {
    const under = (pc: number): readonly Web[] => {
      const condition = this.table.guard[pc] ?? null;
      return condition === null ? around : [...around, condition];
    };
    for (const node of nodes) {
      if (node.kind === "run") for (let i = 0; i < node.count; i++) this.control.set(node.first + i, around);
      else if (node.kind === "if") {
        this.place(node.then, under(node.branch));
        this.place(node.else, under(node.branch));
      } else if (node.kind === "loop") this.place([...node.body, ...node.latch], under(node.backBranch));
      else this.jumps.push(...under(node.pc));
    }
  }

  /** The loop's end depends on a read that may be waited for. */
  maySpin(awaited: Awaited): boolean {
    const { program, table, control } = this;
    const again = table.guard[this.node.backBranch] ?? null;
    const pending = [...this.jumps, ...(again === null ? [] : [again])];
    const seen = new Set<Web>();
    while (pending.length > 0) {
      const web = pending.pop()!;
      if (seen.has(web)) continue;
      seen.add(web);
      for (const pc of web.defs) {
        const around = control.get(pc);
        if (around === undefined) continue;
        const instruction = program.instructions[pc]!;
        const { op } = instruction;
        const address = table.src[pc]![0] ?? null;
        const reads = (op === "ld" || op === "atom") && address !== null;
        if (reads && awaited(instruction, this.changes(address))) return true;
        const guard = table.guard[pc] ?? null;
        for (const source of [...table.src[pc]!, guard, ...around]) if (source !== null) pending.push(source);
      }
    }
    return false;
  }

  /** The web may have another value in the next iteration, other than by a read of memory. */
  private changes(web: Web): boolean {
    const known = this.changing.get(web);
    if (known !== undefined) return known;
    this.changing.set(web, false);
    const defs = web.defs.filter((pc) => this.control.has(pc));
    // A web with several definitions, or one in terms of itself, is carried around the loop.
    const result =
      (defs.length > 0 && (web.defs.length > 1 || web.readsInitial)) ||
      defs.some((pc) => this.table.src[pc]!.some((source) => source !== null && this.changes(source)));
    this.changing.set(web, result);
    return result;
  }
}
