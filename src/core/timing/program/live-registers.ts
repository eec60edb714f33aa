/** The registers that are live at the start and at the end of each basic block. */
import type { Instruction, Reg } from "../../lower/program.js";

export interface LiveRegisters {
  readonly before: ReadonlySet<Reg>;
  readonly behind: ReadonlySet<Reg>;
}

/**
 * Liveness of each block of straight-line code from `starts[b]` to `starts[b + 1]`; only its last instruction may
 * branch.
 */
export function liveRegisters(
  instructions: readonly Instruction[],
  starts: readonly number[],
): readonly LiveRegisters[] {
  // A guarded instruction keeps the old value in some lanes, if the register has an unguarded definition.
  const whole = new Set(instructions.flatMap(({ guard, dst }) => (guard === null ? dst : [])));
  const blockAt = new Map(starts.map((start, block) => [start, block]));
  const blocks = starts.map((start, block) => {
    const code = instructions.slice(start, starts[block + 1] ?? instructions.length);
    const reads = new Set<Reg>();
    const sets = new Set<Reg>();
    for (const { src, guard, dst } of code) {
      for (const source of src) if (source.kind === "reg" && !sets.has(source.reg)) reads.add(source.reg);
      if (guard !== null && !sets.has(guard.reg)) reads.add(guard.reg);
      for (const reg of dst) if (guard === null || !whole.has(reg)) sets.add(reg);
    }
    const last = code.at(-1);
    const goesOn = last === undefined || last.guard !== null || (last.op !== "bra" && last.op !== "exit");
    const next = goesOn && block + 1 < starts.length ? [block + 1] : [];
    const target = last?.target === undefined ? undefined : blockAt.get(last.target);
    return { sets, next: target === undefined ? next : [...next, target], before: reads, behind: new Set<Reg>() };
  });
  for (let changed = true; changed; ) {
    changed = false;
    for (let b = blocks.length - 1; b >= 0; b--) {
      const { sets, next, before, behind } = blocks[b]!;
      for (const follower of next) {
        for (const reg of blocks[follower]!.before) {
          if (behind.has(reg)) continue;
          behind.add(reg);
          if (sets.has(reg) || before.has(reg)) continue;
          before.add(reg);
          changed = true;
        }
      }
    }
  }
  return blocks;
}
