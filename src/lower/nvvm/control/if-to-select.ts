/**
 * Which `if`s NVVM turns into selects: both sides computed by all lanes, no block ends there. Found with nvcc 13.0 by
 * counting operations: one side of up to five; two sides with one result, up to three in the first and five in the
 * second; two sides with more results, four in all.
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

const ONE_SIDE = 5;
const FIRST_OF_TWO = 3;
const SECOND_OF_TWO = 5;
const TWO_RESULTS = 4;
/** After a loop in it has been unrolled NVVM folds no more than one operation. */
const AFTER_LOOP = 1;

const DEAR = 6;

/** They come from where the kernel starts. */
const FREE: ReadonlySet<string> = new Set(["param", "special", "base", "warpSize"]);

export function markSelects(fn: SsaFunction): void {
  visit(fn, fn.body, countUses(fn));
}

/** fminf and fmaxf stay in a block of their own. */
function isFloatBound({ op, type }: Inst): boolean {
  return (op === "min" || op === "max") && type === "f32";
}

/**
 * `if (c) v = fmaxf(v, u)`: what v was has a register beside the result's, where both the next step's shuffle and its maximum read
 * that (five steps of a scan have five moves, `v += u` none).
 */
function keepBefore({ then, else: otherwise, results }: IfNode, uses: Int32Array): void {
  const [node] = then.nodes;
  if (then.nodes.length !== 1 || otherwise.nodes.length > 0 || results.length !== 1) return;
  if (node?.kind !== "inst" || !isFloatBound(node) || uses[results[0]!.id]! < 2) return;
  node.slots = [...MOVE, ...issueSlots(node.op, node.type, node.mods).map((slot) => ({ ...slot, independent: true }))];
}

function visit(fn: SsaFunction, region: Region, uses: Int32Array): void {
  region.nodes = region.nodes.flatMap((node): SsaNode[] => {
    if (node.kind === "loop") {
      visit(fn, node.body, uses);
      visit(fn, node.latch, uses);
    } else if (node.kind === "if") {
      visit(fn, node.then, uses);
      visit(fn, node.else, uses);
      node.select = isSelect(node);
      keepBefore(node, uses);
      if (node.select && node.results.some(({ type }) => type === "f64")) return chosen(fn, node);
    }
    return [node];
  });
}

/** Doubles are computed by all lanes and chosen by halves (two FSEL); what gives others is a guarded instruction. */
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

/** NVVM's operations in a side that all lanes may compute; null where they may not. */
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
  return inst.op === "div" || inst.op === "rem" || issueSlots(inst.op, inst.type, inst.mods).length > 3 ? DEAR : 1;
}
