/**
 * A 32-bit index that two global addresses use in different blocks: NVVM extends it to 64 bits once, in the first, so that
 * the later address is no longer one IMAD.WIDE but a 64-bit shift and add (LEA, LEA.HI.X, and the sign's SHF; of several, each
 * behind another, SHL, SHF.L.U64.HI once and IADD3, IADD3.X each: 17 variants).
 * Blocks are NVVM's: they end at every branch that it sees, also where ptxas predicates it.
 */
import { Divergence } from "../../analysis/divergence.js";
import { ADD, ADD_HIGH, LEA, LEA_HIGH, SHIFT, SHIFT_HIGH, SIGN } from "../../machine/address-slots.js";
import type { IssueSlot } from "../../program.js";
import {
  countUses,
  type Inst,
  type Region,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
  walk,
} from "../../ssa/ssa.js";

/** Addresses of several arrays at one 64-bit index: shifted once, then added. */
const WIDE_FIRST: readonly IssueSlot[] = Object.freeze([SHIFT, SHIFT_HIGH, ADD, ADD_HIGH]);
const WIDE_FURTHER: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);
const MASKED_GLOBAL: readonly IssueSlot[] = Object.freeze([SHIFT, ADD, ADD_HIGH]);
const BYTE_INDEX: readonly IssueSlot[] = Object.freeze([LEA, ADD_HIGH]);
const NONE: readonly IssueSlot[] = Object.freeze([]);
const MASKED_SHARED: readonly IssueSlot[] = Object.freeze([SHIFT]);
const MASKED_GLOBAL_SHIFTED: readonly IssueSlot[] = Object.freeze([ADD, ADD_HIGH]);
const LOGIC = { mnemonic: "LOP3.LUT", pipe: "alu", independent: false } as const;
const ADDED: readonly IssueSlot[] = Object.freeze([ADD]);
const SHIFTED_AND_ADDED: readonly IssueSlot[] = Object.freeze([SHIFT, ADD]);
const FLIPPED_ANEW: readonly IssueSlot[] = Object.freeze([LOGIC]);
const SIGNED: readonly IssueSlot[] = Object.freeze([SIGN, LEA, LEA_HIGH]);
const SIGNED_FIRST: readonly IssueSlot[] = Object.freeze([SIGN, SHIFT, SHIFT_HIGH, ADD, ADD_HIGH]);
const LATER: readonly IssueSlot[] = Object.freeze([LEA, LEA_HIGH]);

/** Where an index was extended first, and whether its sign has been made since. */
interface Extension {
  readonly block: number;
  signed: boolean;
}

/**
 * An index that is a mask of a value (`h[x & 255]`) is shifted before it is masked, so that the address takes its own
 * instructions: no multiply-add, and for shared memory the access itself adds the array's start, unless that is put together
 * where lanes have parted (`perLane`), in a register a lane. A shift in the text is that shift. Masks of one value plus constants share the shifted value: it is in `shifted` then.
 */
function maskedAddress(
  inst: Inst,
  uses: Int32Array,
  shifted: Set<string>,
  perLane: ReadonlySet<Value>,
): readonly IssueSlot[] | null {
  const index = resolve(inst.operands[1]!);
  const { def } = index;
  if (def?.op !== "and" || uses[index.id] !== 1 || resolve(def.operands[1]!).constant === null) return null;
  if (inst.mods.space === "global") {
    const loaded = resolve(def.operands[0]!);
    // Only the loaded byte of a signed word matters, so only it is loaded; an unsigned one is shifted and masked as it is widened.
    if (inst.mods.sourceType === "i32" && loadsPart(def, uses)) return BYTE_INDEX;
    return shiftedAnyway(loaded, uses) ? MASKED_GLOBAL_SHIFTED : MASKED_GLOBAL;
  }
  if (inst.mods.space !== "shared") return null;
  const masked = resolve(def.operands[0]!);
  const [shift, none] = perLane.has(resolve(inst.operands[0]!)) ? [SHIFTED_AND_ADDED, ADDED] : [MASKED_SHARED, NONE];
  if (shiftedAnyway(masked, uses)) return none;
  const sum = masked.def?.op === "add" && resolve(masked.def.operands[1]!).constant !== null ? masked.def : null;
  const key = shiftKey(sum === null ? masked : resolve(sum.operands[0]!), inst);
  if (shifted.has(key)) return none;
  shifted.add(key);
  return shift;
}

/**
 * s[x >> 2] of words: the bits of x that the shift drops are masked in its place, and the access adds the array's start; of s[x >> 1] it is shifted to
 * the left and then masked (nvcc 13.0, sm_90: further down the index is shifted and scaled); in global memory a sum of 64 bits does, if x is unsigned.
 */
function shiftedBackAddress(inst: Inst, uses: Int32Array, perLane: ReadonlySet<Value>): readonly IssueSlot[] | null {
  const index = resolve(inst.operands[1]!);
  if (!shiftedAnyway(index, uses)) return null;
  const { scale = 1, space } = inst.mods;
  const factor = 2 ** Number(resolve(index.def!.operands[1]!).constant);
  if (space === "shared" && factor <= scale && Number.isInteger(Math.log2(scale))) {
    const added = perLane.has(resolve(inst.operands[0]!)) ? ADDED : NONE;
    return factor < scale ? [LOGIC, ...added] : added;
  }
  if (factor !== scale || space !== "global") return null;
  return index.def!.type === "u32" ? MASKED_GLOBAL_SHIFTED : null;
}

/** Whether a mask reads one byte or half of a word that only it reads; the mask and what shifts it are none then. */
function loadsPart(mask: Inst, uses: Int32Array): boolean {
  const size = resolve(mask.operands[1]!).constant;
  if (size !== 0xff && size !== 0xffff) return false;
  const part = resolve(mask.operands[0]!);
  const shift = shiftedAnyway(part, uses) ? part.def! : null;
  const bits = shift === null ? 0 : resolve(shift.operands[1]!).constant;
  const word = shift === null ? part : resolve(shift.operands[0]!);
  if (word.def?.op !== "ld" || uses[word.id] !== 1) return false;
  if (bits !== 0 && bits !== 16 && !(bits === 8 && size === 0xff)) return false;
  if (shift !== null) shift.slots = NONE;
  mask.slots = NONE;
  return true;
}

function shiftedAnyway(value: Value, uses: Int32Array): boolean {
  const { def } = value;
  return def?.op === "shr" && uses[value.id] === 1 && resolve(def.operands[1]!).constant !== null;
}

/** What is shifted, and how far. */
function shiftKey(value: Value, { mods }: Inst): string {
  return `${value.id} ${mods.scale}`;
}

/** s[t ^ 4] beside s[t]: the bits of 4 * t are flipped, and the access adds the array's start. */
function flippedAddress(inst: Inst, uses: Int32Array, shifted: Set<string>): readonly IssueSlot[] | null {
  if (inst.mods.space !== "shared") return null;
  const index = resolve(inst.operands[1]!);
  const { def } = index;
  if (def?.op !== "xor" || resolve(def.operands[1]!).constant === null) {
    shifted.add(shiftKey(index, inst));
    return null;
  }
  if (!shifted.has(shiftKey(resolve(def.operands[0]!), inst))) return null;
  return uses[index.id] === 1 ? NONE : FLIPPED_ANEW;
}

/** Addresses that are read at other places than their own alone. */
function readOnlyBeyond(fn: SsaFunction): ReadonlySet<Value> {
  const beyond = new Set<Value>();
  const at = new Set<Value>();
  walk(fn.body, (node) => {
    if (node.kind !== "inst") return;
    for (const [i, operand] of node.operands.entries()) {
      const offset = i === 0 && (node.op === "ld" || node.op === "st" || node.op === "atom") ? node.mods.offset : 0;
      (offset ? beyond : at).add(resolve(operand));
    }
  });
  return new Set([...beyond].filter((address) => !at.has(address)));
}

/** Marks the addresses of a block that share a 64-bit index. */
function shareWideIndices(region: Region): void {
  const groups = new Map<string, Inst[]>();
  for (const node of region.nodes) {
    if (node.kind !== "inst" || node.op !== "addr" || node.mods.space !== "global") continue;
    const { sourceType, scale } = node.mods;
    const index = resolve(node.operands[1]!);
    if ((sourceType !== "i64" && sourceType !== "u64") || scale === 1 || index.constant !== null) continue;
    const key = `${index.id} ${scale}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [node]);
    else group.push(node);
  }
  for (const [first, ...others] of groups.values()) {
    if (others.length === 0) continue;
    first!.slots = WIDE_FIRST;
    for (const other of others) other.slots = WIDE_FURTHER;
  }
}

/**
 * Gives the masks that addresses do themselves. `early`: addresses that were put in front of branches, where their index is
 * scaled as well as extended: the product is what later addresses read, and IMAD.WIDE makes it anew (nvcc 13.0: 20 kernels).
 */
export function markCrossBlockIndices(fn: SsaFunction, early: ReadonlySet<Value>): ReadonlySet<Inst> {
  const taken = new Set<Inst>();
  let block = 0;
  const uses = countUses(fn);
  const divergence = new Divergence(fn);
  const perLane = new Set<Value>();
  const scaled = new Set<Value>();
  /** Masked addresses that the access adds the array's start to. */
  const startless = new Set<Inst>();
  const stepped = readOnlyBeyond(fn);
  const visit = (
    region: Region,
    outer: ReadonlyMap<Value, Extension>,
    before: ReadonlySet<string>,
    extended: ReadonlyMap<string, Inst>,
    apart: boolean,
  ): void => {
    const seen = new Map(outer);
    const shifted = new Set(before);
    const firsts = new Map(extended);
    block++;
    shareWideIndices(region);
    const here = new Set<SsaNode>(region.nodes);
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        const { mods } = node;
        if (apart && node.op === "base" && mods.root?.kind === "shared") perLane.add(node.results[0]!);
        if (node.op === "cvt" && (node.type === "i64" || node.type === "u64")) {
          const narrow = resolve(node.operands[0]!);
          if (!seen.has(narrow)) seen.set(narrow, { block, signed: false });
          continue;
        }
        if (node.op === "addr" && node.slots === null) {
          const { def } = resolve(node.operands[1]!);
          // What is scaled and what scales it are joined in one block only (LLVM's selection).
          if (def !== null && (mods.space !== "shared" || here.has(def))) {
            node.slots = maskedAddress(node, uses, shifted, perLane);
            if (node.slots !== null) taken.add(def);
            node.slots ??= shiftedBackAddress(node, uses, perLane);
          }
          node.slots ??= flippedAddress(node, uses, shifted);
        }
        if (node.op === "addr" && mods.space === "shared") {
          // A row's address: the array's start is added to it unless its column's mask is added to both.
          const row = resolve(node.operands[0]!).def;
          if (row !== null && startless.delete(row) && node.slots === null) row.slots = [...row.slots!, ADD];
          if (node.slots !== null && !perLane.has(resolve(node.operands[0]!))) startless.add(node);
          perLane.add(node.results[0]!);
        }
        if (node.op !== "addr" || mods.space !== "global" || node.slots !== null) continue;
        if (mods.sourceType !== "i32" && mods.sourceType !== "u32") continue;
        const index = resolve(node.operands[1]!);
        if (index.constant !== null || resolve(node.operands[0]!).def?.op !== "base") continue;
        const first = seen.get(index);
        // p[i + 1] beside q[i]: the sum is an index of its own there.
        if (first !== undefined && first.block !== block && stepped.has(node.results[0]!)) continue;
        if (first === undefined && early.has(node.results[0]!)) scaled.add(index);
        else if (scaled.has(index)) continue;
        else if (first === undefined) seen.set(index, { block, signed: false });
        else if (first.block !== block) {
          const key = `${index.id} ${mods.scale}`;
          const other = firsts.get(key);
          if (other !== undefined) {
            // A second one that comes behind it: the index is shifted once for both.
            if (other.slots === SIGNED) other.slots = SIGNED_FIRST;
            else if (other.slots === LATER) other.slots = WIDE_FIRST;
            node.slots = WIDE_FURTHER;
            continue;
          }
          firsts.set(key, node);
          node.slots = mods.sourceType === "i32" && !first.signed ? SIGNED : LATER;
          first.signed = true;
        }
      } else if (node.kind === "if") {
        if (node.select) continue;
        const parted = apart || divergence.differs(node.condition);
        visit(node.then, seen, shifted, firsts, parted);
        visit(node.else, seen, shifted, firsts, parted);
        if (!node.leader) block++;
      } else {
        visit(node.body, seen, shifted, firsts, apart);
        visit(node.latch, seen, shifted, firsts, apart);
        block++;
      }
    }
  };
  visit(fn.body, new Map(), new Set(), new Map(), false);
  return taken;
}
