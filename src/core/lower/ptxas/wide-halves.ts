/**
 * 64-bit integers are register pairs. Joining or splitting words only renames registers, and a half known to be zero
 * is neither shifted nor combined. With nvcc 13.0 `(u64)a << 32 | b` takes no instruction, `(u64)a << 40` two,
 * `(u32)(k >> 32)` none.
 */
import { isSigned, type Scalar } from "../../ir/types.js";
import { slot } from "../analysis/instruction-matcher.js";
import type { IssueSlot } from "../program.js";
import { type Inst, resolve, type SsaFunction, type Value, walk } from "../ssa/ssa.js";
import { readsOf, walkInstructions } from "../ssa/traversal.js";

const LOGIC = slot("LOP3.LUT", "alu");
const SHIFT = slot("SHF.R.U32.HI", "alu");
const SIGN = slot("SHF.R.S32.HI", "alu");
const SUM = slot("IADD3", "alu");
const ZERO = slot("MOV", "alu");
const PRODUCT_LOW = slot("IMAD", "imad");
const SHIFT_PAIR = slot("SHF.R.U64", "alu");
const WORD = 0xffffffffn;

/** Two flags for the halves of a value. */
interface Halves {
  readonly low: boolean;
  readonly high: boolean;
}

const BOTH: Halves = { low: true, high: true };
const LOW: Halves = { low: true, high: false };
const HIGH: Halves = { low: false, high: true };
const NEITHER: Halves = { low: false, high: false };

function isWide(type: string): boolean {
  return type === "i64" || type === "u64";
}

function widens({ op, type, mods }: Inst): boolean {
  return op === "cvt" && isWide(type) && (mods.sourceType === "i32" || mods.sourceType === "u32");
}

/** The bits by which a shift moves one half into the other; 0 if it does not. */
function shiftOf(inst: Inst): number {
  if (!isWide(inst.type) || (inst.op !== "shl" && (inst.op !== "shr" || inst.type !== "u64"))) return 0;
  const by = Number(resolve(inst.operands[1]!).constant ?? 0);
  return by >= 32 && by < 64 ? by : 0;
}

/** The mask of an `and` that clears the upper half. */
function maskOf(inst: Inst): bigint | null {
  if (inst.op !== "and" || !isWide(inst.type)) return null;
  const { constant } = resolve(inst.operands[1]!);
  return constant !== null && BigInt.asUintN(64, BigInt(constant)) <= WORD ? BigInt(constant) : null;
}

function combines({ op, type }: Inst): boolean {
  return isWide(type) && (op === "or" || op === "xor" || op === "add");
}

/** The halves that are zero. */
function zerosOf(value: Value): Halves {
  const { constant, def, type } = resolve(value);
  if (!isWide(type)) return NEITHER;
  if (constant !== null) {
    const bits = BigInt.asUintN(64, BigInt(constant));
    return { low: (bits & WORD) === 0n, high: bits >> 32n === 0n };
  }
  if (def === null) return NEITHER;
  if (widens(def)) return isSigned(def.mods.sourceType as Scalar) ? NEITHER : HIGH;
  if (shiftOf(def) > 0) return def.op === "shl" ? LOW : HIGH;
  if (maskOf(def) !== null) return HIGH;
  if (combines(def) && def.op !== "add") {
    const [a, b] = def.operands.map(zerosOf) as [Halves, Halves];
    return { low: a.low && b.low, high: a.high && b.high };
  }
  return NEITHER;
}

/** Operations whose lower half needs the operands' lower halves alone, and the one-word instruction for it. */
const WORD_FORMS: Readonly<Partial<Record<string, readonly IssueSlot[]>>> = {
  add: SUM,
  sub: SUM,
  neg: SUM,
  mul: PRODUCT_LOW,
  mad: PRODUCT_LOW,
  and: LOGIC,
  or: LOGIC,
  xor: LOGIC,
  not: LOGIC,
};

/** A product of widened words is one instruction, which reads the words. */
function multipliesWords(inst: Inst): boolean {
  if (inst.op !== "mul" || !isWide(inst.type) || inst.slots === null) return false;
  const parts = inst.operands.map(resolve);
  return parts.every(({ constant, def }) => constant !== null || (def !== null && widens(def)));
}

/**
 * The halves of an operand that an instruction reads. `zero`: the halves that are zero, which sums and logic skip.
 * `wanted`: the live halves of its result.
 */
function readBy(inst: Inst, zero: Halves, wanted: Halves): Halves {
  if (multipliesWords(inst)) return LOW;
  if (isWide(inst.type) && !wanted.high && WORD_FORMS[inst.op] !== undefined)
    return wanted.low && !(combines(inst) && zero.low) ? LOW : NEITHER;
  if (inst.op === "cvt" && isWide(inst.mods.sourceType ?? "i32") && (inst.type === "i32" || inst.type === "u32"))
    return LOW;
  if (shiftOf(inst) > 0) return inst.op === "shl" ? LOW : HIGH;
  if (maskOf(inst) !== null) return LOW;
  return combines(inst) ? { low: !zero.low, high: !zero.high } : BOTH;
}

function slotsOf(inst: Inst, read: Halves): readonly IssueSlot[] | null {
  const zero = zerosOf(inst.results[0]!);
  const zeros = (read.low && zero.low ? 1 : 0) + (read.high && zero.high ? 1 : 0);
  const withZeros = (...slots: readonly (readonly IssueSlot[])[]): readonly IssueSlot[] =>
    [...slots, ...Array.from({ length: zeros }, () => ZERO)].flat();
  if (inst.op === "cvt" && isWide(inst.mods.sourceType ?? "i32") && (inst.type === "i32" || inst.type === "u32"))
    return [];
  if (widens(inst)) return zero.high ? withZeros() : read.high ? SIGN : [];
  if (isWide(inst.type) && read.low && !read.high) {
    const form = WORD_FORMS[inst.op];
    if (form !== undefined && (inst.op === "add" || (!combines(inst) && maskOf(inst) === null))) return form;
    if (inst.op === "shr" && shiftOf(inst) === 0) return SHIFT_PAIR;
  }
  const shift = shiftOf(inst);
  if (shift > 0) return shift === 32 ? withZeros() : withZeros(SHIFT);
  const mask = maskOf(inst);
  if (mask !== null) return mask === WORD ? withZeros() : withZeros(LOGIC);
  if (!combines(inst)) return null;
  const [a, b] = inst.operands.map(zerosOf) as [Halves, Halves];
  const low = !a.low && !b.low;
  const high = !a.high && !b.high;
  if (low && (high || inst.op === "add")) return null;
  const work = inst.op === "add" ? SUM : LOGIC;
  return withZeros(...(low ? [work] : []), ...(high ? [work] : []));
}

export function nameHalves(fn: SsaFunction): void {
  const reads = new Map<Value, Halves>();
  let grown = false;
  const note = (value: Value, { low, high }: Halves): void => {
    const before = reads.get(value) ?? NEITHER;
    if ((low && !before.low) || (high && !before.high)) {
      reads.set(value, { low: low || before.low, high: high || before.high });
      grown = true;
    }
  };
  // A dead half of a result is dead in its operands, too: repeat until nothing changes.
  const mark = (): void =>
    walk(fn.body, (node) => {
      const [result] = node.results;
      const wanted = node.results.length === 1 ? (reads.get(result!) ?? NEITHER) : BOTH;
      for (const value of readsOf(node))
        note(resolve(value), node.kind === "inst" ? readBy(node, zerosOf(value), wanted) : BOTH);
    });
  do {
    grown = false;
    mark();
  } while (grown);
  walkInstructions(fn.body, (node) => {
    if (node.results.length !== 1) return;
    const read = reads.get(node.results[0]!) ?? NEITHER;
    if (node.slots === null) node.slots = slotsOf(node, read);
    else if (isWide(node.type) && (node.op === "add" || node.op === "mul") && !read.high && node.slots.length > 1)
      node.slots = PRODUCT_LOW;
  });
}
