/**
 * Moves of stepping pointers. ptxas steps a global pointer's two words one after the other, while accesses read
 * another register pair. Each iteration moves the words there, as does the preheader. The only one-word load of a
 * loop has its result in that pair, which saves one move. Without stores there are no moves for sixteen loads per
 * iteration, nor where the loop tests its own counter. Neither are there for a pointer that starts at its array, or
 * whose index is added in the iteration (150 loops, nvcc 13.0).
 */

import { isOffset, pointerOf } from "../analysis/address.js";
import { overheadAt } from "../machine/overhead.js";
import { isWide } from "../machine/vector-moves.js";
import type { UnrolledLoops } from "../nvvm/loops/loop-runtime-unroll.js";
import { stepOverhead } from "../nvvm/loops/source-pointers.js";
import type { IssueSlot } from "../program.js";
import { isConvergent, someNode } from "../ssa/effects.js";
import {
  type Inst,
  type LoopNode,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../ssa/ssa.js";

/** The number of loads through a pointer in an iteration. */
const MANY_LOADS = 16;
const MOVE: IssueSlot = Object.freeze({ mnemonic: "MOV", pipe: "alu", independent: true });

interface Place {
  readonly region: Region;
  readonly loop: LoopNode;
  readonly front: readonly IssueSlot[];
  readonly round: readonly IssueSlot[];
}

export function movePointers(fn: SsaFunction, unrolled: UnrolledLoops): boolean {
  const uniform = new Set([...unrolled.values()].flatMap((loop) => loop.uniform));
  const places: Place[] = [];
  walk(fn.body, (loop, region) => {
    if (loop.kind !== "loop" || someNode(loop.body, (inner) => inner.kind === "loop" || isTogether(inner))) return;
    const pointers = loop.params.filter((param, i) => !uniform.has(param) && steps(loop, param, i));
    const moves = pointers.reduce((sum, pointer) => sum + movesOf(loop, pointer), 0);
    const slots = Array.from({ length: moves }, () => MOVE);
    const { front, round } = stepOverhead(loop, countsDown(loop));
    if (moves + front.length > 0)
      places.push({ region, loop, front: [...front, ...slots], round: [...round, ...slots] });
  });
  for (const { region, loop, front, round } of places) {
    region.nodes.splice(region.nodes.indexOf(loop), 0, overheadAt(loop, front));
    loop.body.nodes.unshift(overheadAt(loop, round));
  }
  return places.length > 0;
}

function isTogether(node: SsaNode): boolean {
  return node.kind === "inst" && isConvergent(node);
}

function steps(loop: LoopNode, param: Value, place: number): boolean {
  if (param.type !== "addr") return false;
  const advance = resolve(loop.nexts[place]!).def;
  // NVVM steps no pointer in a loop with two tests.
  if (loop.condition === null || resolve(loop.condition).def?.op !== "setp") return false;
  if (advance === null || !isOffset(advance) || advance.mods.space !== "global") return false;
  return pointerOf(advance.operands[0]!) === param && !startsAtBase(loop.inits[place]!);
}

/** True even if another version of the loop may have run before. */
function startsAtBase(init: Value): boolean {
  const now = resolve(init);
  const { def, owner } = now;
  if (def !== null) return def.op === "base";
  return owner?.kind === "if" && startsAtBase(owner.else.end.values[owner.results.indexOf(now)]!);
}

function movesOf(loop: LoopNode, pointer: Value): number {
  const reads = (nodes: readonly SsaNode[]): readonly Inst[] =>
    nodes.filter((node): node is Inst => isAccess(node) && pointerOf(node.operands[0]!) === pointer);
  const always = reads(loop.body.nodes);
  const sometimes = loop.body.nodes.flatMap((node) => (node.kind === "if" ? reads(node.then.nodes) : []));
  const accesses = always.length + sometimes.length;
  if (loop.body.nodes.some((node) => isAccess(node) && node.op === "st")) return accesses > 0 ? 2 : 0;
  if (accesses >= MANY_LOADS || !countsDown(loop)) return 0;
  const [load] = always;
  if (accesses > 1) return 2;
  if (load === undefined) return 0;
  return load.results.length === 1 && !isWide(load.type) ? 1 : 2;
}

function isAccess(node: SsaNode): node is Inst {
  return node.kind === "inst" && (node.op === "ld" || node.op === "st") && node.mods.space === "global";
}

/** The loop counts the iterations left down to 0. */
function countsDown({ condition }: LoopNode): boolean {
  const test = condition === null ? null : resolve(condition).def;
  return test?.mods.compare === "ne" && Number(resolve(test.operands[1]!).constant) === 0;
}
