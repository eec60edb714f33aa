/** Which webs are live where lanes of a warp part: there a lane that waits must keep its value. */
import type { Program, ProgramNode, Region } from "../../../lower/program.js";
import type { Web, WebTable } from "./webs.js";

export type WebSet = ReadonlySet<Web>;

export interface Liveness {
  /** By branch pc of an if: webs live for lanes that skip `then` (at the start of `else`). */
  readonly atElse: ReadonlyMap<number, WebSet>;
  /** By branch pc of an if: webs live after it. */
  readonly atJoin: ReadonlyMap<number, WebSet>;
  /** By loop id: webs live after the loop, at its latch and at its head. */
  readonly atExit: ReadonlyMap<number, WebSet>;
  readonly atLatch: ReadonlyMap<number, WebSet>;
  readonly atHead: ReadonlyMap<number, WebSet>;
}

type LoopNode = Extract<ProgramNode, { kind: "loop" }>;

export function findLiveness(program: Program, table: WebTable): Liveness {
  const atElse = new Map<number, WebSet>();
  const atJoin = new Map<number, WebSet>();
  const atExit = new Map<number, WebSet>();
  const atLatch = new Map<number, WebSet>();
  const atHead = new Map<number, WebSet>();

  const withGuard = (live: Set<Web>, pc: number): void => {
    const web = table.guard[pc];
    if (web != null) live.add(web);
  };

  const region = (nodes: Region, out: WebSet): WebSet => {
    let live: WebSet = out;
    for (let i = nodes.length - 1; i >= 0; i--) live = nodeIn(nodes[i]!, live);
    return live;
  };

  const loopIn = (node: LoopNode, out: WebSet): WebSet => {
    atExit.set(node.id, out);
    let head: WebSet = atHead.get(node.id) ?? new Set();
    for (;;) {
      const back = new Set<Web>([...head, ...(node.condition === null ? [] : out)]);
      withGuard(back, node.backBranch);
      const latch = region(node.latch, back);
      atLatch.set(node.id, latch);
      const next = region(node.body, latch);
      if (next.size === head.size) {
        atHead.set(node.id, next);
        return next;
      }
      head = next;
    }
  };

  const nodeIn = (node: ProgramNode, out: WebSet): WebSet => {
    switch (node.kind) {
      case "run": {
        const live = new Set(out);
        for (let pc = node.first + node.count - 1; pc >= node.first; pc--) {
          if (program.instructions[pc]!.guard === null) for (const web of table.dst[pc]!) live.delete(web);
          for (const web of table.src[pc]!) if (web !== null) live.add(web);
          withGuard(live, pc);
        }
        return live;
      }
      case "if": {
        atJoin.set(node.branch, out);
        const other = region(node.else, out);
        atElse.set(node.branch, other);
        const live = new Set([...region(node.then, out), ...other]);
        withGuard(live, node.branch);
        return live;
      }
      case "loop":
        return loopIn(node, out);
      default: {
        const target =
          node.kind === "exit"
            ? undefined
            : node.kind === "break"
              ? atExit.get(node.loop)
              : (atLatch.get(node.loop) ?? new Set<Web>());
        const live = new Set<Web>([...(node.condition === null ? [] : out), ...(target ?? [])]);
        withGuard(live, node.pc);
        return live;
      }
    }
  };

  region(program.body, new Set());
  return { atElse, atJoin, atExit, atLatch, atHead };
}
