/**
 * Loops that may wait for another thread: whether they go on depends on a value that is read again and again from the
 * same place. Lanes, warps and blocks must take turns for them, which is the reference engine's schedule.
 */
import type { Program, ProgramNode, Region } from "../../../lower/program.js";
import type { Web, WebTable } from "./webs.js";

type LoopNode = Extract<ProgramNode, { kind: "loop" }>;

/** The pc of such a read, or null. */
export function findSpin(program: Program, table: WebTable): number | null {
  const loops: LoopNode[] = [];
  const collect = (nodes: Region): void => {
    for (const node of nodes) {
      if (node.kind === "if") {
        collect(node.then);
        collect(node.else);
      } else if (node.kind === "loop") {
        loops.push(node);
        collect(node.body);
        collect(node.latch);
      }
    }
  };
  collect(program.body);
  for (const loop of loops) {
    const pc = spinIn(program, table, loop);
    if (pc !== null) return pc;
  }
  return null;
}

function spinIn(program: Program, table: WebTable, loop: LoopNode): number | null {
  const inside = new Set<number>([loop.backBranch]);
  const conditions: (Web | null)[] = [table.guard[loop.backBranch] ?? null];
  const walk = (nodes: Region): void => {
    for (const node of nodes) {
      if (node.kind === "run") for (let i = 0; i < node.count; i++) inside.add(node.first + i);
      else if (node.kind === "if") {
        walk(node.then);
        walk(node.else);
        conditions.push(table.guard[node.branch] ?? null);
      } else if (node.kind === "loop") {
        walk(node.body);
        walk(node.latch);
      } else conditions.push(table.guard[node.pc] ?? null);
    }
  };
  walk([...loop.body, ...loop.latch]);

  const changing = new Map<Web, boolean>();
  /** The web may have another value in the next round, other than by a read of memory. */
  const changes = (web: Web): boolean => {
    const known = changing.get(web);
    if (known !== undefined) return known;
    changing.set(web, false);
    const defs = web.defs.filter((pc) => inside.has(pc));
    // A web with several definitions, or one in terms of itself, is carried around the loop.
    const result =
      (defs.length > 0 && (web.defs.length > 1 || web.readsInitial)) ||
      defs.some((pc) => table.src[pc]!.some((source) => source !== null && changes(source)));
    changing.set(web, result);
    return result;
  };
  const seen = new Set<Web>();
  const pending = conditions.filter((web): web is Web => web !== null);
  while (pending.length > 0) {
    const web = pending.pop()!;
    if (seen.has(web)) continue;
    seen.add(web);
    for (const pc of web.defs) {
      if (!inside.has(pc)) continue;
      const { op } = program.instructions[pc]!;
      const address = table.src[pc]![0] ?? null;
      if ((op === "ld" || op === "atom") && address !== null && !changes(address)) return pc;
      const guard = table.guard[pc] ?? null;
      for (const source of [...table.src[pc]!, guard]) if (source !== null) pending.push(source);
    }
  }
  return null;
}
