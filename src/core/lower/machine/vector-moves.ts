/**
 * The moves before vector stores, whose operands must be in neighbouring registers. A vector load's results stay in
 * place if the first store that reads them stores them in the same positions. All other operands are moved, zeros
 * too (nvcc 13.0 for sm_90).
 */
import type { RegisterType } from "../program.js";
import { type Inst, resolve, type SsaFunction, type Value } from "../ssa/ssa.js";
import { walkInstructions } from "../ssa/traversal.js";

/** The number of moves of each store that needs some. */
export function vectorMoves(fn: SsaFunction): ReadonlyMap<Inst, number> {
  const moves = new Map<Inst, number>();
  const stored = new Set<Inst>();
  walkInstructions(fn.body, (node) => {
    if (node.op !== "st" || node.operands.length <= 2) return;
    const values = node.operands.slice(1).map(resolve);
    const loads = values.map(vectorLoad);
    const stays = (load: Inst, value: Value, at: number): boolean =>
      load.results.length === values.length && resolve(load.results[at]!) === value;
    const inPlace = loads.find((load, i) => load !== null && !stored.has(load) && stays(load, values[i]!, i)) ?? null;
    const [first] = loads;
    const whole = first !== undefined && first !== null && values.every((value, i) => stays(first, value, i));
    const count = values.filter((value, i) => {
      const load = loads[i]!;
      if (load === null) return value.constant !== null && Number(value.constant) === 0;
      return load !== inPlace || !stays(load, value, i);
    }).length;
    const zeros = values.every((value) => value.constant !== null);
    if (!whole && !zeros && count > 0) moves.set(node, count * (isWide(node.type) ? 2 : 1));
    for (const load of loads) if (load !== null) stored.add(load);
  });
  return moves;
}

/** The value takes two registers. */
export function isWide(type: RegisterType): boolean {
  return type === "f64" || type === "i64" || type === "u64";
}

function vectorLoad({ def }: Value): Inst | null {
  return def?.op === "ld" && def.results.length > 1 ? def : null;
}
