/**
 * A 32-bit index that two global addresses use in different blocks: NVVM extends it to 64 bits once, in the first, so that
 * the later address is no longer one IMAD.WIDE but a 64-bit shift and add (LEA, LEA.HI.X, and the sign's SHF).
 * Blocks are NVVM's: they end at every branch that it sees, also where ptxas predicates it.
 */
import type { IssueSlot } from "../program.js";
import { countUses, type Inst, type Region, resolve, type SsaFunction, type Value, walk } from "../ssa.js";

const LEA = { mnemonic: "LEA", pipe: "alu", independent: false } as const;
const LEA_HIGH = { mnemonic: "LEA.HI.X", pipe: "alu", independent: false } as const;
const SIGN = { mnemonic: "SHF.R.S32.HI", pipe: "alu", independent: true } as const;
const SHIFT = { mnemonic: "IMAD.SHL.U32", pipe: "imad", independent: false } as const;
const ADD = { mnemonic: "IADD3", pipe: "alu", independent: false } as const;
const ADD_HIGH = { mnemonic: "IADD3.X", pipe: "alu", independent: false } as const;
const MASKED_GLOBAL: readonly IssueSlot[] = Object.freeze([SHIFT, ADD, ADD_HIGH]);
const BYTE_INDEX: readonly IssueSlot[] = Object.freeze([LEA, ADD_HIGH]);
const NONE: readonly IssueSlot[] = Object.freeze([]);
const MASKED_SHARED: readonly IssueSlot[] = Object.freeze([SHIFT]);
const MASKED_SHARED_IN_LOOP: readonly IssueSlot[] = Object.freeze([SHIFT, ADD]);
const SIGNED: readonly IssueSlot[] = Object.freeze([SIGN, LEA, LEA_HIGH]);
const LATER: readonly IssueSlot[] = Object.freeze([LEA, LEA_HIGH]);

/** Where an index was extended first, and whether its sign has been made since. */
interface Extension {
  readonly block: number;
  signed: boolean;
}

/**
 * An index that is a mask of a value (`h[x & 255]`) is shifted before it is masked, so that the address takes its own
 * instructions: no multiply-add, and for shared memory the access itself adds the array's start (an atomic in a loop does
 * not). Masks of one value plus constants share the shifted value: it is in `shifted` then.
 */
function maskedAddress(
  inst: Inst,
  uses: Int32Array,
  atomicInLoop: boolean,
  shifted: Set<Value>,
): readonly IssueSlot[] | null {
  const index = resolve(inst.operands[1]!);
  const { def } = index;
  if (def?.op !== "and" || uses[index.id] !== 1 || resolve(def.operands[1]!).constant === null) return null;
  if (inst.mods.space === "global") {
    // Only the loaded byte matters, so only it is loaded.
    const loaded = resolve(def.operands[0]!);
    const mask = resolve(def.operands[1]!).constant;
    if (loaded.def?.op === "ld" && uses[loaded.id] === 1 && (mask === 0xff || mask === 0xffff)) {
      def.slots = NONE;
      return BYTE_INDEX;
    }
    return MASKED_GLOBAL;
  }
  if (inst.mods.space !== "shared") return null;
  if (atomicInLoop) return MASKED_SHARED_IN_LOOP;
  const masked = resolve(def.operands[0]!);
  const sum = masked.def?.op === "add" && resolve(masked.def.operands[1]!).constant !== null ? masked.def : null;
  const source = sum === null ? masked : resolve(sum.operands[0]!);
  if (shifted.has(source)) return NONE;
  shifted.add(source);
  return MASKED_SHARED;
}

export function markCrossBlockIndices(fn: SsaFunction): void {
  let block = 0;
  let loops = 0;
  const uses = countUses(fn);
  const atomics = new Set<Value>();
  walk(fn.body, (node) => {
    if (node.kind === "inst" && node.op === "atom") atomics.add(resolve(node.operands[0]!));
  });
  const visit = (region: Region, outer: ReadonlyMap<Value, Extension>): void => {
    const seen = new Map(outer);
    const shifted = new Set<Value>();
    block++;
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const { mods } = node;
        if (node.op === "cvt" && (node.type === "i64" || node.type === "u64")) {
          const narrow = resolve(node.operands[0]!);
          if (!seen.has(narrow)) seen.set(narrow, { block, signed: false });
          continue;
        }
        if (node.op === "addr" && node.slots === null) {
          node.slots = maskedAddress(node, uses, loops > 0 && atomics.has(resolve(node.results[0]!)), shifted);
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
        if (node.select) continue;
        visit(node.then, seen);
        visit(node.else, seen);
        if (!node.leader) block++;
      } else {
        loops++;
        visit(node.body, seen);
        visit(node.latch, seen);
        loops--;
        block++;
      }
    }
  };
  visit(fn.body, new Map());
}
