/**
 * The rounds that lanes have made of the loops around an atomic that the active lanes do as one. Its address is the same for
 * all lanes of a round. Independent threads may meet there in different rounds, and then each round has its own atomic.
 */
import type { Instruction, LoopNode, Program, Region } from "../../lower/program.js";

export interface LoopRounds {
  /** Counters that a program needs, one for each loop. */
  readonly count: number;
  /** Counters of the loops around the instruction. */
  around(pc: number): readonly number[];
  /** The counter that the backward branch at `pc` raises, and those of the loops inside, which start anew; null for none. */
  raisedBy(pc: number): { readonly raised: number | null; readonly anew: readonly number[] } | null;
}

const NONE: readonly number[] = [];

export function findLoopRounds(program: Program): LoopRounds {
  const { instructions } = program;
  const counters = new Map<LoopNode, number>();
  const around = new Map<number, readonly LoopNode[]>();
  const branches: { readonly pc: number; readonly target: number; readonly loops: readonly LoopNode[] }[] = [];
  const look = ({ pc, op, target, together }: Instruction, loops: readonly LoopNode[]): void => {
    if (op === "bra" && target !== undefined && target <= pc) branches.push({ pc, target, loops });
    if (together !== true) return;
    around.set(pc, loops);
    for (const loop of loops) counters.set(loop, counters.get(loop) ?? counters.size);
  };
  const walk = (region: Region, loops: readonly LoopNode[]): void => {
    for (const node of region) {
      if (node.kind === "run") for (let k = 0; k < node.count; k++) look(instructions[node.first + k]!, loops);
      else if (node.kind === "if") {
        walk(node.then, loops);
        if (node.jumpOver !== null) look(instructions[node.jumpOver]!, loops);
        walk(node.else, loops);
      } else if (node.kind === "loop") {
        const inner = [...loops, node];
        walk(node.body, inner);
        walk(node.latch, inner);
        look(instructions[node.backBranch]!, inner);
      } else look(instructions[node.pc]!, loops);
    }
  };
  walk(program.body, []);
  const first = ({ backBranch }: LoopNode): number => instructions[backBranch]!.target ?? backBranch;
  const inside = (outer: LoopNode): readonly number[] =>
    [...counters].flatMap(([loop, counter]) =>
      loop !== outer && first(loop) >= first(outer) && loop.backBranch <= outer.backBranch ? [counter] : [],
    );
  const raised = new Map(
    counters.size === 0
      ? []
      : branches.flatMap(({ pc, target, loops }) => {
          const loop = loops.filter((each) => first(each) === target).at(-1);
          return loop === undefined ? [] : [[pc, { raised: counters.get(loop) ?? null, anew: inside(loop) }] as const];
        }),
  );
  return {
    count: counters.size,
    around: (pc) => around.get(pc)?.map((loop) => counters.get(loop)!) ?? NONE,
    raisedBy: (pc) => raised.get(pc) ?? null,
  };
}
