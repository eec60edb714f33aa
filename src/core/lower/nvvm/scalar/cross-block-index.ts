/**
 * A 32-bit index of two global addresses in different blocks. NVVM extends it to 64 bits once, in the first block,
 * so the later address is not one IMAD.WIDE but a 64-bit shift and add. One later address takes LEA, LEA.HI.X and
 * SHF for the sign. Several take SHL and SHF.L.U64.HI once, then IADD3, IADD3.X each (17 variants). Blocks are
 * NVVM's: they end at every branch that it sees, even one that ptxas predicates.
 */
import { Divergence } from "../../analysis/divergence.js";
import { ADD, ADD_HIGH, LEA, LEA_HIGH, SHIFT, SHIFT_HIGH, SIGN } from "../../machine/address-slots.js";
import type { IssueSlot } from "../../program.js";
import { isInteger64 } from "../../ssa/integer-types.js";
import {
  countUses,
  type Inst,
  type Region,
  regionsOf,
  resolve,
  type SsaFunction,
  type SsaNode,
  type Value,
} from "../../ssa/ssa.js";
import { walkInstructions } from "../../ssa/traversal.js";

/** Addresses of several arrays with one 64-bit index: one shift, then a sum each. */
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

/** The block in which an index was extended first, and whether its sign has been computed since. */
interface Extension {
  readonly block: number;
  signed: boolean;
}

/**
 * A masked index (`h[x & 255]`) is shifted before it is masked, so the address is not a multiply-add. In shared
 * memory the access adds the array's start, unless each lane computes it in its own register after a divergence
 * (`perLane`). An explicit shift takes the place of that shift. Masks of one value plus constants share the shifted
 * value, which is then in `shifted`.
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
    // Only the loaded byte of a signed word matters, so only the byte is loaded. An unsigned word is shifted and
    // masked as it is widened.
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
 * s[x >> 2] of words masks the bits of x that the shift drops, and the access adds the array's start. s[x >> 1]
 * shifts left, then masks; with larger shifts the index is shifted and scaled (nvcc 13.0, sm_90). In global memory a
 * 64-bit sum does so if x is unsigned.
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

/**
 * True if a mask reads one byte or half of a word with no other use. The mask and its shift then take no
 * instructions.
 */
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

/** Identifies a value and its scale. */
function shiftKey(value: Value, { mods }: Inst): string {
  return `${value.id} ${mods.scale}`;
}

/** s[t ^ 4] after s[t]: flips bits of 4 * t, and the access adds the array's start. */
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

/** Addresses that are only read with an offset. */
function readOnlyBeyond(fn: SsaFunction): ReadonlySet<Value> {
  const beyond = new Set<Value>();
  const at = new Set<Value>();
  walkInstructions(fn.body, (node) => {
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
 * Returns the masks that addresses compute themselves. `early`: addresses hoisted in front of branches. There the index is
 * scaled as well as extended; later addresses read the product, and IMAD.WIDE recomputes it (20 kernels).
 */
export function markCrossBlockIndices(fn: SsaFunction, early: ReadonlySet<Value>): ReadonlySet<Inst> {
  const marker = new IndexMarker(fn, early);
  marker.region(fn.body, { seen: new Map(), shifted: new Set(), firsts: new Map() }, false);
  return marker.taken;
}

/** The indices available where a region begins. */
interface AvailableIndices {
  readonly seen: ReadonlyMap<Value, Extension>;
  readonly shifted: ReadonlySet<string>;
  /** The first address of an extended index and scale. */
  readonly firsts: ReadonlyMap<string, Inst>;
}

class IndexMarker {
  readonly taken = new Set<Inst>();
  private readonly early: ReadonlySet<Value>;
  private readonly uses: Int32Array;
  private readonly divergence: Divergence;
  private readonly stepped: ReadonlySet<Value>;
  private readonly perLane = new Set<Value>();
  private readonly scaled = new Set<Value>();
  /** Masked addresses to which the access adds the array's start. */
  private readonly startless = new Set<Inst>();
  private block = 0;

  constructor(fn: SsaFunction, early: ReadonlySet<Value>) {
    this.early = early;
    this.uses = countUses(fn);
    this.divergence = new Divergence(fn);
    this.stepped = readOnlyBeyond(fn);
  }

  /** `diverged`: some lanes of a warp may not run the region. */
  region(region: Region, outer: AvailableIndices, diverged: boolean): void {
    const seen = new Map(outer.seen);
    const shifted = new Set(outer.shifted);
    const firsts = new Map(outer.firsts);
    this.block++;
    shareWideIndices(region);
    const here = new Set<SsaNode>(region.nodes);
    for (const node of region.nodes) {
      if (node.kind === "inst") {
        if (diverged && node.op === "base" && node.mods.root?.kind === "shared") this.perLane.add(node.results[0]!);
        if (node.op === "cvt" && isInteger64(node.type)) {
          const narrow = resolve(node.operands[0]!);
          if (!seen.has(narrow)) seen.set(narrow, { block: this.block, signed: false });
        } else if (node.op === "addr") {
          this.logic(node, here, shifted);
          if (node.mods.space === "shared") this.sharedAddress(node);
          if (node.mods.space === "global" && node.slots === null) this.globalAddress(node, seen, firsts);
        }
        continue;
      }
      if (node.kind === "if" && node.select) continue;
      const differs = diverged || (node.kind === "if" && this.divergence.differs(node.condition));
      for (const inner of regionsOf(node)) this.region(inner, { seen, shifted, firsts }, differs);
      if (node.kind === "loop" || !node.leader) this.block++;
    }
  }

  private logic(node: Inst, here: ReadonlySet<SsaNode>, shifted: Set<string>): void {
    if (node.slots !== null) return;
    const { def } = resolve(node.operands[1]!);
    // LLVM's selection joins a shift and its operand only within one block.
    if (def !== null && (node.mods.space !== "shared" || here.has(def))) {
      node.slots = maskedAddress(node, this.uses, shifted, this.perLane);
      if (node.slots !== null) this.taken.add(def);
      node.slots ??= shiftedBackAddress(node, this.uses, this.perLane);
    }
    node.slots ??= flippedAddress(node, this.uses, shifted);
  }

  private sharedAddress(node: Inst): void {
    const row = resolve(node.operands[0]!);
    // A row's address takes the array's start unless its column's mask adds both.
    if (row.def !== null && this.startless.delete(row.def) && node.slots === null)
      row.def.slots = [...row.def.slots!, ADD];
    if (node.slots !== null && !this.perLane.has(row)) this.startless.add(node);
    this.perLane.add(node.results[0]!);
  }

  private globalAddress(node: Inst, seen: Map<Value, Extension>, firsts: Map<string, Inst>): void {
    const { mods } = node;
    const { block } = this;
    const [address] = node.results as [Value];
    if (mods.sourceType !== "i32" && mods.sourceType !== "u32") return;
    const index = resolve(node.operands[1]!);
    if (index.constant !== null || resolve(node.operands[0]!).def?.op !== "base") return;
    const first = seen.get(index);
    // p[i + 1] after q[i]: the sum is an index of its own.
    if (first !== undefined && first.block !== block && this.stepped.has(address)) return;
    if (first === undefined && this.early.has(address)) {
      this.scaled.add(index);
      return;
    }
    if (this.scaled.has(index)) return;
    if (first === undefined) {
      seen.set(index, { block, signed: false });
      return;
    }
    if (first.block === block) return;
    const key = `${index.id} ${mods.scale}`;
    const other = firsts.get(key);
    if (other !== undefined) {
      // A second address in a later block: one shift of the index serves both.
      if (other.slots === SIGNED) other.slots = SIGNED_FIRST;
      else if (other.slots === LATER) other.slots = WIDE_FIRST;
      node.slots = WIDE_FURTHER;
      return;
    }
    firsts.set(key, node);
    node.slots = mods.sourceType === "i32" && !first.signed ? SIGNED : LATER;
    first.signed = true;
  }
}
