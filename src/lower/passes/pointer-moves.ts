/**
 * Moves of pointers that go on by a constant. IADD3 and IADD3.X put the halves of the next address in registers of their own,
 * loads take those of the old one, and ptxas moves the halves back at the round's beginning: both where a round has several
 * accesses for each pointer, loads of 64 bits, or loads and stores; one where it has one load of a word. None where it has
 * sixteen loads for each, or one store; of more than three pointers one half each. The most frequent of 150 innermost loops
 * without branches (nvcc 13.0); others have one more or less.
 */
import { sequence } from "../issue-slots.js";
import type { IssueSlot } from "../program.js";
import { type Inst, type LoopNode, resolve, type SsaFunction, walk } from "../ssa.js";
import { isInteger64 } from "./integer-types.js";
import { overheadAt } from "./overhead.js";

const MANY = 16;
const MOST_WHOLE = 3;
const MOVE: readonly IssueSlot[] = sequence("|MOV");

export function movePointers(fn: SsaFunction): void {
  walk(fn.body, (node) => {
    if (node.kind !== "loop") return;
    const nodes = [...node.body.nodes, ...node.latch.nodes];
    const body = nodes.filter((inner) => inner.kind === "inst");
    if (body.length < nodes.length || body.some(({ op }) => op === "overhead")) return;
    const moves = movesOf(node, body);
    if (moves > 0) node.body.nodes.unshift(overheadAt(node, Array.from({ length: moves }, () => MOVE).flat()));
  });
}

function movesOf(loop: LoopNode, body: readonly Inst[]): number {
  const pointers = loop.params.filter((param, i) => {
    const { def } = resolve(loop.nexts[i]!);
    return def?.op === "addr" && resolve(def.operands[0]!) === param && resolve(def.operands[1]!).constant !== null;
  }).length;
  const accesses = (op: "ld" | "st"): readonly Inst[] =>
    body.filter((inst) => inst.op === op && inst.mods.space === "global");
  const loads = accesses("ld");
  const stores = accesses("st");
  if (stores.length === 0 && loads.length >= MANY * pointers) return 0;
  if (loads.length === 0 && stores.length <= pointers) return 0;
  const one = stores.length === 0 && loads.length <= pointers && !loads.some(isWide);
  return one || pointers > MOST_WHOLE ? pointers : 2 * pointers;
}

function isWide({ results, type }: Inst): boolean {
  return results.length > 1 || type === "f64" || isInteger64(type);
}
