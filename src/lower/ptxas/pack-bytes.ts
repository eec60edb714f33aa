/**
 * The lowest bytes of four words put together, a & 255 | (b & 255) << 8 | (c & 255) << 16 | d << 24, are three byte permutations
 * (PRMT), without masks and shifts (NVVM). Fewer bytes are masked and shifted.
 */

import { NONE, slot } from "../analysis/instruction-matcher.js";
import type { IssueSlot } from "../program.js";
import { isInteger32 } from "../ssa/integer-types.js";
import { operatorTree } from "../ssa/operator-terms.js";
import { countUses, type Inst, resolve, type SsaFunction, type Value, walk } from "../ssa/ssa.js";

const PERMUTE: readonly IssueSlot[] = slot("PRMT", "alu");
const JOINS: ReadonlySet<string> = new Set(["or", "add"]);

export function packBytes(fn: SsaFunction): void {
  const uses = countUses(fn);
  const single = (value: Value, op: string): Inst | null => {
    const { def, id } = resolve(value);
    return def?.op === op && uses[id] === 1 && def.slots === null ? def : null;
  };
  const constantOf = (inst: Inst): number => Number(resolve(inst.operands[1]!).constant ?? -1);

  /** The byte of the word that a term gives, and what does not remain of it; null for another term. */
  const byteOf = (term: Value): { readonly at: number; readonly gone: readonly Inst[] } | null => {
    const shift = single(term, "shl");
    const at = shift === null ? 0 : constantOf(shift) / 8;
    if (at !== 0 && at !== 1 && at !== 2 && at !== 3) return null;
    const mask = single(shift === null ? term : shift.operands[0]!, "and");
    const masks = mask !== null && constantOf(mask) === 255;
    if (!masks && at !== 3) return null;
    return { at, gone: [...(shift === null ? [] : [shift]), ...(masks ? [mask] : [])] };
  };

  walk(fn.body, (node) => {
    if (node.kind !== "inst" || !JOINS.has(node.op) || !isInteger32(node.type) || node.slots !== null) return;
    const { terms, inner } = operatorTree(node, (operand) => single(operand, node.op));
    const bytes = terms.map(({ value }) => byteOf(value));
    if (bytes.length !== 4 || new Set(bytes.map((byte) => byte?.at)).size !== 4 || bytes.includes(null)) return;
    for (const byte of bytes) for (const inst of byte!.gone) inst.slots = NONE;
    for (const join of [node, ...inner]) join.slots = PERMUTE;
  });
}
