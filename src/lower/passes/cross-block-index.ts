/**
 * A 32-bit index that two global addresses use in different blocks: NVVM extends it to 64 bits once, in the first, so that
 * the later address is no longer one IMAD.WIDE but a 64-bit shift and add (LEA, LEA.HI.X, and the sign's SHF).
 * Blocks are NVVM's: they end at every branch that it sees, also where ptxas predicates it.
 */
import type { IssueSlot } from "../program.js";
import { type IfNode, isJump, type Region, resolve, type SsaFunction, type Value } from "../ssa.js";
import { isSpeculatable } from "./effects.js";

const LEA = { mnemonic: "LEA", pipe: "alu", independent: false } as const;
const LEA_HIGH = { mnemonic: "LEA.HI.X", pipe: "alu", independent: false } as const;
const SIGN = { mnemonic: "SHF.R.S32.HI", pipe: "alu", independent: true } as const;
const SIGNED: readonly IssueSlot[] = Object.freeze([SIGN, LEA, LEA_HIGH]);
const LATER: readonly IssueSlot[] = Object.freeze([LEA, LEA_HIGH]);

/** NVVM computes both sides and selects, where they are short and can do no harm: no block ends there. */
function becomesSelect(node: IfNode): boolean {
  const short = (region: Region): boolean =>
    !isJump(region.end) &&
    region.nodes.length <= 2 &&
    region.nodes.every((child) => child.kind === "inst" && isSpeculatable(child));
  return node.results.length > 0 && short(node.then) && short(node.else);
}

/** Where an index was extended first, and whether its sign has been made since. */
interface Extension {
  readonly block: number;
  signed: boolean;
}

export function markCrossBlockIndices(fn: SsaFunction): void {
  let block = 0;
  const visit = (region: Region, outer: ReadonlyMap<Value, Extension>): void => {
    const seen = new Map(outer);
    block++;
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const { mods } = node;
        if (node.op === "cvt" && (node.type === "i64" || node.type === "u64")) {
          const narrow = resolve(node.operands[0]!);
          if (!seen.has(narrow)) seen.set(narrow, { block, signed: false });
          continue;
        }
        if (node.op !== "addr" || mods.space !== "global" || node.slots !== null) continue;
        if (mods.sourceType !== "i32" && mods.sourceType !== "u32") continue;
        const index = resolve(node.operands[1]!);
        if (index.constant !== null || resolve(node.operands[0]!).def?.op !== "base") continue;
        const first = seen.get(index);
        if (first === undefined) seen.set(index, { block, signed: false });
        else if (first.block !== block) {
          node.slots = mods.sourceType === "i32" && !first.signed ? SIGNED : LATER;
          first.signed = true;
        }
      } else if (node.kind === "if") {
        if (becomesSelect(node)) continue;
        visit(node.then, seen);
        visit(node.else, seen);
        block++;
      } else {
        visit(node.body, seen);
        visit(node.latch, seen);
        block++;
      }
    }
  };
  visit(fn.body, new Map());
}
