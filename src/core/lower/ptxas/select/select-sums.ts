/** Integer sums and products: multiply-add, shift-add, three-input add, wide products. */

import { type InstructionMatcher, NONE, slot } from "../../analysis/instruction-matcher.js";
import { SIGN } from "../../machine/address-slots.js";
import { issueSlots } from "../../machine/machine-instructions.js";
import type { IssueSlot } from "../../program.js";
import { type Inst, NO_MODIFIERS, resolve, type SsaNode, type Value } from "../../ssa/ssa.js";

const LEA_HI = slot("LEA.HI", "alu");
const LEA_HI_SIGNED = slot("LEA.HI.SX32", "alu");
const REVERSE = slot("BREV", "xu");
const FIND_HIGHEST = slot("FLO.U32.SH", "xu");
const COPY_IN_LOOP: readonly IssueSlot[] = Object.freeze([...slot("@P.IADD3", "alu"), ...slot("MOV", "alu")]);
const MOVE_ZERO = slot("MOV", "alu");
const COUNT_ON = slot("IADD3", "alu");
const COPY_BACK = slot("@P.IMAD.MOV", "imad");
const MULTIPLY_WIDE = slot("IMAD.WIDE", "imad");
const MULTIPLY_WIDE_UNSIGNED = slot("IMAD.WIDE.U32", "imad");
/** A 64-bit value times a constant whose upper half is the sign of its lower half. */
const MULTIPLY_BY_WORD: readonly IssueSlot[] = Object.freeze([
  ...slot("IMAD", "imad"),
  ...slot("IMAD.WIDE.U32", "imad"),
  ...slot("IADD3", "alu"),
]);

/**
 * c + (test ? 1 : 0) is c + 1 and a predicated copy of c, which is not in place for a loop's own counter. Such sums
 * are not part of a three-input add. A rank counted in 16 copies takes 16 VIADD and 16 @P IMAD.MOV (nvcc 13.0 for
 * sm_90).
 */
export function countedTest(m: InstructionMatcher, inst: Inst): boolean {
  for (const [part, count] of [inst.operands, [...inst.operands].reverse()] as [Value, Value][]) {
    const choice = m.single(part, "selp");
    if (choice === null) continue;
    const [one, zero] = choice.operands.map((operand) => resolve(operand).constant);
    if (one !== 1 || zero !== 0) continue;
    if (resolve(count).constant !== null) return false;
    const carried = m.loop?.params.indexOf(resolve(count)) ?? -1;
    if (carried >= 0 && resolve(m.loop!.nexts[carried]!) === resolve(inst.results[0]!)) inst.slots = COPY_IN_LOOP;
    else {
      choice.slots = COUNT_ON;
      inst.slots = COPY_BACK;
    }
    return true;
  }
  return false;
}

/**
 * A product in the preheader is contracted into the loop's sum if a factor is a constant or a parameter (ten loops,
 * nvcc 13.0). The sum reads that factor as an operand. Products of registers and of launch sizes stay in the
 * preheader, unless launch sizes are constant memory operands.
 */
function nearby(m: InstructionMatcher, product: Inst): boolean {
  if (m.loopOf.get(product) === m.loop) return true;
  const factors = product.operands.map(resolve);
  if (factors.some(isLaunchSize)) return m.target.constantOperands && factors.every(isLaunchSize);
  return factors.some(({ constant, def }) => constant !== null || def?.op === "param");
}

/** NVVM has x - y - 1 as x + ~y: LOP3, IADD3. */
function addComplement(m: InstructionMatcher, inst: Inst): void {
  const difference = inst.mods.complement === true ? m.single(inst.operands[0]!, "sub") : null;
  if (difference === null) return;
  const [x, y] = difference.operands as [Value, Value];
  difference.op = "not";
  difference.operands = [y];
  inst.operands = [x, inst.operands[0]!];
  inst.mods = NO_MODIFIERS;
}

export function integerSum(m: InstructionMatcher, inst: Inst, before: SsaNode[]): void {
  addComplement(m, inst);
  const [a, b] = inst.operands as [Value, Value];
  const sides: readonly (readonly [Value, Value])[] =
    inst.op === "add"
      ? [
          [a, b],
          [b, a],
        ]
      : [[a, b]];
  for (const [part, rest] of sides) {
    const product = m.single(part, "mul") ?? m.onlyAdded(part, "mul");
    if (product !== null && nearby(m, product)) {
      const other = inst.op === "add" ? rest : m.negated(inst, rest, before);
      m.become(inst, "mad", [product.operands[0]!, product.operands[1]!, other], part);
      return;
    }
  }
  if (inst.op === "sub") {
    const product = m.single(b, "mul");
    const factor = product === null ? null : resolve(product.operands[1]!).constant;
    if (product !== null && typeof factor === "number") {
      m.become(inst, "mad", [product.operands[0]!, m.negated(inst, product.operands[1]!, before), a], b);
      return;
    }
  }
  // Either operand of a shift-add may be negated.
  for (const [part, rest] of inst.op === "add" ? sides : [...sides, [b, a] as const]) {
    const shift = m.single(part, "shl") ?? m.onlyAdded(part, "shl");
    const count = shift === null ? null : resolve(shift.operands[1]!).constant;
    if (shift === null || typeof count !== "number" || count >= 32) continue;
    // A shift in the preheader leaves the other term to the shift in the loop.
    if (inst.op === "add" && m.loopOf.get(shift) !== m.loop && m.single(rest, "shr") !== null) continue;
    const [x] = shift.operands as [Value];
    const operands =
      inst.op === "add"
        ? [x, rest]
        : part === a
          ? [x, m.negated(inst, rest, before)]
          : [m.negated(inst, x, before), rest];
    inst.mods = { immediate: count };
    m.become(inst, "lea", operands, part);
    return;
  }
  if (inst.op === "add") {
    for (const [part] of sides) {
      const shift = m.single(part, "shr");
      if (shift !== null && typeof resolve(shift.operands[1]!).constant === "number") {
        shift.slots = NONE;
        inst.slots = shift.type === "i32" ? LEA_HI_SIGNED : LEA_HI;
        return;
      }
    }
  }
  if (findFirstSet(m, inst)) return;
  threeTerms(m, inst, sides, before);
}

/** The hardware gives __ffs(x) - 1; __ffs adds 1. */
function findFirstSet(m: InstructionMatcher, inst: Inst): boolean {
  if (inst.op !== "add" || Number(resolve(inst.operands[1]!).constant) !== -1) return false;
  const ffs = m.single(inst.operands[0]!, "ffs");
  if (ffs === null) return false;
  ffs.slots = REVERSE;
  inst.slots = FIND_HIGHEST;
  return true;
}

/** (a ± b) ± c is one IADD3, whose operands can be negated. */
function threeTerms(
  m: InstructionMatcher,
  inst: Inst,
  sides: readonly (readonly [Value, Value])[],
  before: SsaNode[],
): void {
  for (const [part, rest] of sides) {
    const sum = m.single(part, "add") ?? m.single(part, "sub");
    if (sum === null) continue;
    const [x, y] = sum.operands as [Value, Value];
    const second = sum.op === "add" ? y : m.negated(inst, y, before);
    const third = inst.op === "add" ? rest : m.negated(inst, rest, before);
    inst.type = "u32";
    m.become(inst, "add3", [x, second, third], part);
    return;
  }
  if (inst.op !== "sub") return;
  const [a, b] = inst.operands as [Value, Value];
  const sum = m.single(b, "add") ?? m.single(b, "sub");
  if (sum === null) return;
  const [x, y] = sum.operands as [Value, Value];
  const second = m.negated(inst, x, before);
  const third = sum.op === "add" ? m.negated(inst, y, before) : y;
  inst.type = "u32";
  m.become(inst, "add3", [a, second, third], b);
}

/**
 * The only signed division of a kernel, by a parameter and outside loops: magnitudes are computed once and reused
 * (10 kernels).
 */
export function divideByParameter(m: InstructionMatcher, inst: Inst): void {
  if (inst.type !== "i32" || inst.slots !== null || m.loop !== null || m.signedDivisions !== 1) return;
  if (resolve(inst.operands[1]!).def?.op === "param") inst.slots = issueSlots(inst.op, inst.type, inst.mods).slice(2);
}

/**
 * The 64-bit product of 32-bit factors is one instruction. Exception: a signed factor that is widened in front of
 * the product's loop, which gives a 64-bit product and the other factor's sign (8 loops).
 */
export function wideProduct(m: InstructionMatcher, inst: Inst): void {
  const parts = inst.operands.map((operand) => resolve(operand));
  const signs = parts.map((part) => {
    if (part.constant !== null) return "constant";
    return part.def?.op === "cvt" ? (part.def.mods.sourceType ?? "") : "";
  });
  const small = parts.every(({ constant }) => constant === null || fitsWord(constant));
  const from = signs.find((sign) => sign === "i32" || sign === "u32");
  if (from === undefined || !signs.every((sign) => sign === from || sign === "constant")) {
    if (small && signs.includes("constant") && !isShift(inst)) inst.slots = MULTIPLY_BY_WORD;
    return;
  }
  if (!small) return;
  const loops = parts.flatMap(({ def }) => (def === null ? [] : [m.loopOf.get(def) ?? null]));
  if (from === "i32" && m.loop !== null && loops.includes(m.loop) && loops.some((loop) => loop !== m.loop)) {
    inst.slots = [SIGN, ...issueSlots(inst.op, inst.type, inst.mods)];
    return;
  }
  inst.slots = from === "i32" ? MULTIPLY_WIDE : MULTIPLY_WIDE_UNSIGNED;
}

/**
 * A sum with a 64-bit product is a step of the product. A product of 32-bit factors in the preheader stays there. A
 * full 64-bit product is computed in each iteration (IMAD, IMAD.WIDE.U32, IMAD, IADD3).
 */
export function wideSum(m: InstructionMatcher, inst: Inst): void {
  if (inst.op === "add") {
    for (const operand of inst.operands) {
      const { def } = resolve(operand);
      if (def?.op !== "mul" || m.useCount(operand) !== 1) continue;
      if (def.slots === null ? isShift(def) : m.loopOf.get(def) !== m.loop) continue;
      const product = def.slots ?? issueSlots(def.op, def.type, def.mods);
      // The upper half of an added word needs its own register.
      const word = inst.operands.some((other) => other !== operand && isWidenedWord(resolve(other)));
      inst.slots = word ? [...MOVE_ZERO, ...product] : product;
      def.slots = NONE;
      return;
    }
  }
  for (const operand of inst.operands) {
    const part = m.single(operand, "add") ?? m.single(operand, "sub");
    if (part === null || m.loopOf.get(part) !== m.loop) continue;
    // Three terms with two carries; a fourth is another sum.
    part.slots = NONE;
    inst.slots = issueSlots(inst.op, inst.type, inst.mods);
    return;
  }
}

function isWidenedWord({ def }: Value): boolean {
  return def?.op === "cvt" && def.mods.sourceType === "u32";
}

function fitsWord(constant: number | bigint): boolean {
  return BigInt.asIntN(32, BigInt(constant)) === BigInt.asIntN(64, BigInt(constant));
}

/** A product with a power of two. */
function isShift(product: Inst): boolean {
  const { constant } = resolve(product.operands[1]!);
  return constant !== null && (BigInt(constant) & (BigInt(constant) - 1n)) === 0n;
}

function isLaunchSize(value: Value): boolean {
  const name = value.def?.mods.special?.name;
  return name === "blockDim" || name === "gridDim";
}
