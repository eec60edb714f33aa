/** Powers of two (at most 16) that divide every address of an access, proven from roots, scales and offsets. */
import type { Program } from "../../../lower/program.js";
import type { Web, WebTable } from "./webs.js";

export function powerDividing(value: number): number {
  if (value === 0) return 16;
  let power = 1;
  while (power < 16 && value % (power * 2) === 0) power *= 2;
  return power;
}

/** By pc of a load, store or atomic. `paramAlignment`: of all pointer arguments of the launch. */
export function findAlignments(program: Program, table: WebTable, paramAlignment: number): (pc: number) => number {
  const known = new Map<Web, number>();
  const start = (pc: number): number => {
    const { root } = program.instructions[pc]!;
    if (root?.kind === "shared") return powerDividing(program.shared[root.array]?.offsetBytes ?? 0);
    if (root?.kind === "local") return powerDividing(program.local[root.array]?.offsetBytes ?? 0);
    return paramAlignment;
  };
  const source = (pc: number, index: number): number => {
    const web = table.src[pc]![index];
    return web == null ? 1 : web.readsInitial ? 1 : (known.get(web) ?? 16);
  };
  let changed = true;
  while (changed) {
    changed = false;
    for (const { pc, op, src, scale } of program.instructions) {
      for (const web of table.dst[pc]!) {
        if (web.type !== "addr") continue;
        let multiple = 1;
        if (op === "addr") {
          const [index] = src;
          const moved = (scale ?? 1) * (index?.kind === "imm" ? Number(index.value) : 1);
          multiple = Math.min(powerDividing(moved), src.length > 1 ? source(pc, 1) : start(pc));
        } else if (op === "mov") multiple = source(pc, 0);
        else if (op === "selp") multiple = Math.min(source(pc, 0), source(pc, 1));
        if (multiple < (known.get(web) ?? 16)) {
          known.set(web, multiple);
          changed = true;
        }
      }
    }
  }
  return (pc) => Math.min(source(pc, 0), powerDividing(program.instructions[pc]!.offset ?? 0));
}
