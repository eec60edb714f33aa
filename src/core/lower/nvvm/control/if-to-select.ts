/**
 * Decides which `if`s NVVM turns into selects: all lanes compute both sides, and the basic block continues. The
 * limits count NVVM's operations (nvcc 13.0). One side may have five; two sides with one result three and five; two
 * sides with more results four in all.
 */
import { issueSlots, MOVE } from "../../machine/machine-instructions.js";
import { isSpeculatable } from "../../ssa/effects.js";
import {
  countUses,
  type IfNode,
  Inst,
  isJump,
  type Region,
  replace,
  type SsaFunction,
  type SsaNode,
} from "../../ssa/ssa.js";
import { rewriteNodes } from "../../ssa/traversal.js";

const ONE_SIDE = 5;
const FIRST_OF_TWO = 3;
const SECOND_OF_TWO = 5;
const TWO_RESULTS = 4;
/** NVVM folds at most one operation if a loop in the `if` has been unrolled. */
const AFTER_LOOP = 1;

const EXPENSIVE = 6;

/** These come from the kernel's entry. */
const FREE: ReadonlySet<string> = new Set(["param", "special", "base", "warpSize"]);

export function markSelects(fn: SsaFunction): void {
  const uses = countUses(fn);
  rewriteNodes(fn.body, (node) => selected(fn, node, uses));
}

/** fminf and fmaxf stay in a basic block of their own. */
function isFloatBound({ op, type }: Inst): boolean {
  return (op === "min" || op === "max") && type === "f32";
}

/**
 * `if (c) v = fmaxf(v, u)`: the old v needs its own register where both the next step's shuffle and its maximum read
 * it. Five steps of a scan have five moves; `v += u` has none.
 */
function keepBefore({ then, else: otherwise, results }: IfNode, uses: Int32Array): void {
  const [node] = then.nodes;
  if (then.nodes.length !== 1 || otherwise.nodes.length > 0 || results.length !== 1) return;
  if (node?.kind !== "inst" || !isFloatBound(node) || uses[results[0]!.id]! < 2) return;
  node.slots = [...MOVE, ...issueSlots(node.op, node.type, node.mods).map((slot) => ({ ...slot, independent: true }))];
}

function selected(fn: SsaFunction, node: SsaNode, uses: Int32Array): readonly SsaNode[] {
  if (node.kind !== "if") return [node];
  node.select = isSelect(node);
  keepBefore(node, uses);
  return node.select && node.results.some(({ type }) => type === "f64") ? chosen(fn, node) : [node];
}

/** All lanes compute doubles and select each half (two FSEL). Other types get a predicated instruction. */
function chosen(fn: SsaFunction, node: IfNode): SsaNode[] {
  const choices = node.results.map((result, i) => {
    const values = [node.then.end.values[i]!, node.else.end.values[i]!, node.condition];
    const choice = fn.value(result.type, result.name);
    replace(result, choice);
    return new Inst("selp", choice.type, [choice], values, {}, node.span, node.source);
  });
  return [...node.then.nodes, ...node.else.nodes, ...choices];
}

export function isSelect(node: IfNode): boolean {
  if (node.results.length === 0 || node.arm) return false;
  const first = operations(node.then);
  const second = operations(node.else);
  if (first === null || second === null) return false;
  if (node.looped) return first + second <= AFTER_LOOP;
  if (first === 0 || second === 0) return first + second <= ONE_SIDE;
  if (node.results.length > 1) return first + second <= TWO_RESULTS;
  return first <= FIRST_OF_TWO && second <= SECOND_OF_TWO;
}

/** The number of NVVM's operations in a side that all lanes may compute; null where they may not. */
function operations(region: Region): number | null {
  if (isJump(region.end)) return null;
  let total = 0;
  for (const node of region.nodes) {
    if (node.kind === "loop") return null;
    if (node.kind === "inst") {
      if (!isSpeculatable(node) || isFloatBound(node)) return null;
      total += cost(node);
      continue;
    }
    if (!node.select) return null;
    total += (operations(node.then) ?? 0) + (operations(node.else) ?? 0) + node.results.length;
  }
  return total;
}

function cost(inst: Inst): number {
  if (FREE.has(inst.op)) return 0;
  // Divisions and functions are many instructions, or a call.
  return inst.op === "div" || inst.op === "rem" || issueSlots(inst.op, inst.type, inst.mods).length > 3 ? EXPENSIVE : 1;
}
