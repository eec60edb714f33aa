import { isFloat, type Scalar } from "../../../ir/types.js";
import type { RegisterType } from "../../program.js";
import { foldConstants, readAs } from "../../ssa/constant-folding.js";
import type { Maker } from "../../ssa/inst-builder.js";
import { isInteger32, isInteger64, isIntegerType, powerOfTwo } from "../../ssa/integer-types.js";
import { COMPLEMENT, DOUBLES, type Inst, resolve, type Value } from "../../ssa/ssa.js";
import { COMMUTES } from "../../ssa/value-key.js";
import { reversed } from "./bit-reversal.js";
import { divideByConstant } from "./divide-by-constant.js";
import { SWAPPED, simplifyCompare } from "./inst-combine-compares.js";
import { simplifyLogic, simplifyNot, simplifySelect } from "./inst-combine-selects.js";

export function simplify(inst: Inst, maker: Maker): Value | null {
  const { op, operands } = inst;
  if (inst.results.length !== 1) return null;
  if (COMMUTES.has(op) && resolve(operands[0]!).constant !== null && resolve(operands[1]!).constant === null) {
    operands.reverse();
  }
  if (op === "setp" && resolve(operands[0]!).constant !== null && resolve(operands[1]!).constant === null) {
    inst.operands = [operands[1]!, operands[0]!, ...operands.slice(2)];
    inst.mods = { ...inst.mods, compare: SWAPPED[inst.mods.compare!] };
  }
  if (operands.length > 0) {
    const constants = operands.map((operand) => resolve(operand).constant);
    if (constants.every((constant) => constant !== null)) {
      const folded = foldConstants(inst, constants as (number | bigint)[]);
      if (folded !== null) return maker.constant(inst.results[0]!.type, folded);
    }
  }
  maker.at = inst;
  if (operands.length === 2) {
    const folded = foldIntoChoice(inst, maker);
    if (folded !== null) return folded;
  }
  const a = operands[0] === undefined ? null : resolve(operands[0]);
  const b = operands[1] === undefined ? null : resolve(operands[1]);
  switch (op) {
    case "add":
    case "sub":
      return simplifySum(inst, a!, b!, maker);
    case "mul":
      return simplifyProduct(inst, a!, b!, maker);
    case "and":
    case "or":
    case "xor":
      return simplifyBits(inst, a!, b!, maker);
    case "shl":
    case "shr":
      return simplifyShift(inst, a!, b!, maker);
    case "div":
    case "rem":
      return simplifyDivision(inst, a!, b!, maker);
    case "not":
    case "neg":
      if (a!.def?.op === op) return resolve(a!.def.operands[0]!);
      return op === "neg" ? negatedProduct(inst, a!, maker) : null;
    case "min":
    case "max":
      return a === b ? a : null;
    case "setp":
      return simplifyCompare(inst, a!, b!, maker);
    case "selp":
      return simplifySelect(inst, maker);
    case "pand":
    case "por":
      return simplifyLogic(inst, a!, b!, maker);
    case "pxor":
      if (a === b) return maker.constant("bool", 0);
      if (b!.constant === 0) return a;
      return b!.constant === 1 ? maker.make("pnot", "bool", [a!]) : null;
    case "pnot":
      return simplifyNot(a!, maker);
    case "cvt":
      return simplifyConversion(inst, a!, maker);
    case "bitcast":
      return a!.def?.op === "bitcast" && a!.def.mods.sourceType === inst.type ? resolve(a!.def.operands[0]!) : null;
    default:
      return null;
  }
}

/** An operation on a select between constants, and a constant or a select of the same condition, becomes a select. */
function foldIntoChoice(inst: Inst, maker: Maker): Value | null {
  if (inst.op === "setp" || inst.type === "bool" || inst.op === "addr") return null;
  const sides = inst.operands.map((operand) => {
    const value = resolve(operand);
    if (value.constant !== null) return { condition: null, arms: [value.constant, value.constant] as const };
    const { def } = value;
    if (def?.op !== "selp" || !maker.readOnce(value)) return null;
    const [a, b] = [resolve(def.operands[0]!).constant, resolve(def.operands[1]!).constant];
    return a === null || b === null ? null : { condition: resolve(def.operands[2]!), arms: [a, b] as const };
  });
  const [left, right] = sides;
  if (left === null || right === null || left === undefined || right === undefined) return null;
  const condition = left.condition ?? right.condition;
  if (condition === null || (left.condition !== null && right.condition !== null && left.condition !== right.condition))
    return null;
  const first = foldConstants(inst, [left.arms[0], right.arms[0]]);
  const second = foldConstants(inst, [left.arms[1], right.arms[1]]);
  if (first === null || second === null) return null;
  const { type } = inst.results[0]!;
  return maker.make("selp", type, [maker.constant(type, first), maker.constant(type, second), condition]);
}

/** -(x * c) is x * -c, bit for bit. */
function negatedProduct(inst: Inst, product: Value, maker: Maker): Value | null {
  const { def } = product;
  if (isIntegerType(inst.type) || def?.op !== "mul" || !maker.readOnce(product)) return null;
  const factor = resolve(def.operands[1]!).constant;
  if (typeof factor !== "number") return null;
  return maker.make("mul", inst.type, [resolve(def.operands[0]!), maker.constant(inst.type, -factor)]);
}

function simplifySum(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { op, type } = inst;
  if (!isIntegerType(type)) {
    // x - 0 keeps every bit of x, and so does x + (-0).
    if (op === "sub" && b.constant !== null && Object.is(b.constant, 0)) return a;
    if (op === "add" && b.constant !== null && Object.is(b.constant, -0)) return a;
    // Folds the sign into the operation, so that a product can then be contracted.
    if (b.def?.op === "neg") {
      inst.op = op === "add" ? "sub" : "add";
      inst.operands = [a, b.def.operands[0]!];
    } else if (op === "add" && a.def?.op === "neg") {
      inst.op = "sub";
      inst.operands = [b, a.def.operands[0]!];
    }
    return null;
  }
  if (isInteger32(type)) {
    const complement = addComplement(inst, a, b, maker);
    if (complement !== null) return complement;
  }
  if (op === "sub") {
    if (a === b) return maker.constant(type, 0);
    if (b.constant !== null) return maker.make("add", type, [a, maker.constant(type, -BigInt(b.constant))]);
    if (b.def?.op === "neg") return maker.make("add", type, [a, b.def.operands[0]!]);
    if (a.constant !== null && Number(a.constant) === 0) return maker.make("neg", type, [b]);
    // c - (d - x)
    if (a.constant !== null && b.def?.op === "sub") {
      const inner = resolve(b.def.operands[0]!).constant;
      if (inner !== null) {
        const difference = maker.constant(type, BigInt(a.constant) - BigInt(inner));
        return maker.make("add", type, [resolve(b.def.operands[1]!), difference]);
      }
    }
    // (x + y) - x
    if (a.def?.op === "add" && resolve(a.def.operands[0]!) === b) return resolve(a.def.operands[1]!);
    if (a.def?.op === "add" && resolve(a.def.operands[1]!) === b) return resolve(a.def.operands[0]!);
    return null;
  }
  if (b.constant !== null) {
    if (Number(b.constant) === 0) return a;
    // (1 << x) - 1 is ~(-1 << x).
    if (a.def?.op === "shl" && isInteger32(type) && (Number(b.constant) | 0) === -1 && maker.readOnce(a)) {
      if (resolve(a.def.operands[0]!).constant === 1) {
        return maker.make("not", type, [maker.make("shl", type, [b, resolve(a.def.operands[1]!)])]);
      }
    }
    if (a.def?.op === "add") {
      const inner = resolve(a.def.operands[1]!).constant;
      if (inner !== null) {
        const sum = maker.constant(type, BigInt(inner) + BigInt(b.constant));
        return maker.make("add", type, [resolve(a.def.operands[0]!), sum]);
      }
    }
  }
  if (b.def?.op === "neg") return maker.make("sub", type, [a, b.def.operands[0]!]);
  if (a.def?.op === "neg") return maker.make("sub", type, [b, a.def.operands[0]!]);
  if (a === b) return maker.make("shl", type, [a, maker.constant("u32", 1)]);
  // (x - y) + y
  if (a.def?.op === "sub" && resolve(a.def.operands[1]!) === b) return resolve(a.def.operands[0]!);
  if (b.def?.op === "sub" && resolve(b.def.operands[1]!) === a) return resolve(b.def.operands[0]!);
  // Constants move outwards, so that they fold together and into offsets: (x + c) + y = (x + y) + c.
  if (a.def?.op === "add" && b.constant === null && !isSignOf(a, b)) {
    const inner = resolve(a.def.operands[1]!);
    if (inner.constant !== null) {
      return maker.make("add", type, [maker.make("add", type, [resolve(a.def.operands[0]!), b]), inner]);
    }
  }
  if (b.def?.op === "add" && a.constant === null) {
    const inner = resolve(b.def.operands[1]!);
    if (inner.constant !== null) {
      return maker.make("add", type, [maker.make("add", type, [a, resolve(b.def.operands[0]!)]), inner]);
    }
  }
  return null;
}

/**
 * x - y - 1 becomes x + ~y (InstCombine) if the inner sum or difference has no other use. It stays a sum with -1,
 * which analyses understand, and is marked.
 */
function addComplement(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { type } = inst;
  const isConstant = (value: Value, constant: number): boolean => (Number(value.constant ?? 0) | 0) === constant;
  if (inst.op === "add") {
    if (inst.mods.complement === undefined && isConstant(b, -1) && a.def?.op === "sub" && maker.readOnce(a)) {
      if (resolve(a.def.operands[0]!).constant === null) inst.mods = COMPLEMENT;
    }
    return null;
  }
  for (const [sum, one] of [
    [a, -1],
    [b, 1],
  ] as const) {
    const { def } = sum;
    if (def?.op !== "add" || !isConstant(resolve(def.operands[1]!), one) || !maker.readOnce(sum)) continue;
    const rest = resolve(def.operands[0]!);
    const difference = maker.make("sub", type, sum === a ? [rest, b] : [a, rest]);
    return maker.make("add", type, [difference, maker.constant(type, -1)]);
  }
  return null;
}

/** The bias that a division by a power of two adds to `a`: ptxas makes the sum one LEA.HI. */
function isSignOf(a: Value, b: Value): boolean {
  if (b.def?.op !== "shr") return false;
  const of = resolve(b.def.operands[0]!);
  return of === a || (of.def?.op === "shr" && resolve(of.def.operands[0]!) === a);
}

function simplifyProduct(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { type } = inst;
  if (b.constant === null) return null;
  if (!isIntegerType(type)) {
    if (b.constant === 1) return a;
    if (b.constant === 2) return maker.make("add", type, [a, a], inst.mods.exact === true ? inst.mods : DOUBLES);
    return null;
  }
  if (Number(b.constant) === 0) return maker.constant(type, 0);
  if (Number(b.constant) === 1) return a;
  if (Number(b.constant) === -1) return maker.make("neg", type, [a]);
  // -x * c is x * -c (InstCombine).
  if (a.def?.op === "neg" && isInteger32(type)) {
    return maker.make("mul", type, [resolve(a.def.operands[0]!), maker.constant(type, -Number(b.constant))]);
  }
  const shift = powerOfTwo(isInteger64(type) ? BigInt.asUintN(64, BigInt(b.constant)) : Number(b.constant) >>> 0);
  if (shift > 0) return maker.make("shl", type, [a, maker.constant("u32", shift)]);
  const { def } = a;
  if (def?.op === "mul") {
    const inner = resolve(def.operands[1]!).constant;
    if (inner !== null) {
      const product = isInteger64(type)
        ? BigInt(inner) * BigInt(b.constant)
        : Math.imul(Number(inner), Number(b.constant));
      return maker.make("mul", type, [resolve(def.operands[0]!), maker.constant(type, product)]);
    }
  }
  if (def?.op === "shl" && isInteger32(type)) {
    const inner = resolve(def.operands[1]!).constant;
    if (typeof inner === "number" && inner < 32) {
      const product = Math.imul(Number(b.constant), 1 << inner);
      return maker.make("mul", type, [resolve(def.operands[0]!), maker.constant(type, product)]);
    }
  }
  if (def?.op === "add" && maker.readOnce(a)) {
    const inner = resolve(def.operands[1]!).constant;
    if (inner !== null) {
      const product = isInteger64(type)
        ? BigInt(inner) * BigInt(b.constant)
        : Math.imul(Number(inner), Number(b.constant));
      const scaled = maker.make("mul", type, [resolve(def.operands[0]!), b]);
      return maker.make("add", type, [scaled, maker.constant(type, product)]);
    }
  }
  return null;
}

function simplifyBits(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { op, type } = inst;
  if (a === b) return op === "xor" ? maker.constant(type, 0) : a;
  if (b.constant === null) {
    const source = op === "or" && isInteger32(type) ? reversed(a, b) : null;
    return source && maker.make("brev", type, [source]);
  }
  const mask = isInteger64(type) ? BigInt.asUintN(64, BigInt(b.constant)) : BigInt(Number(b.constant) >>> 0);
  const full = isInteger64(type) ? 0xffffffffffffffffn : 0xffffffffn;
  if (op === "and") {
    if (mask === 0n) return maker.constant(type, 0);
    if (mask === full) return a;
    const low = lowBits(a, Number(mask), type, maker) ?? unmasked(a, Number(mask), type, maker);
    if (low !== null) return low;
  } else {
    if (mask === 0n) return a;
    if (op === "or" && mask === full) return maker.constant(type, -1);
    if (op === "xor" && mask === full) return maker.make("not", type, [a]);
  }
  if (a.def?.op === op) {
    const inner = resolve(a.def.operands[1]!).constant;
    if (inner !== null && isInteger32(type)) {
      const x = Number(inner);
      const y = Number(b.constant);
      const joined = op === "and" ? x & y : op === "or" ? x | y : x ^ y;
      return maker.make(op, type, [resolve(a.def.operands[0]!), maker.constant(type, joined)]);
    }
  }
  return null;
}

/**
 * Low bits of a sum, difference or product depend on the operands' low bits only: a mask that keeps those is
 * redundant.
 */
function unmasked(a: Value, mask: number, type: RegisterType, maker: Maker): Value | null {
  const { def } = a;
  if (!isInteger32(type) || (mask & (mask + 1)) !== 0 || def === null || !maker.readOnce(a)) return null;
  if (def.op !== "add" && def.op !== "sub" && def.op !== "mul") return null;
  let changed = false;
  const operands = def.operands.map((operand) => {
    const part = resolve(operand);
    const inner = part.def?.op === "and" ? resolve(part.def.operands[1]!).constant : null;
    if (typeof inner !== "number" || (inner & mask) >>> 0 !== mask >>> 0) return part;
    changed = true;
    return resolve(part.def!.operands[0]!);
  });
  return changed ? maker.make("and", type, [maker.make(def.op, def.type, operands), maker.constant(type, mask)]) : null;
}

/** The masked bits of a multiple of a higher power of two, or of one plus a constant, are constant. */
function lowBits(a: Value, mask: number, type: RegisterType, maker: Maker): Value | null {
  if (!isInteger32(type) || mask === 0) return null;
  const bits = 32 - Math.clz32(mask);
  if (maker.facts.evenness(a) >= bits) return maker.constant(type, 0);
  const added = a.def?.op === "add" ? resolve(a.def.operands[1]!).constant : null;
  if (typeof added !== "number" || maker.facts.evenness(a.def!.operands[0]!) < bits) return null;
  return maker.constant(type, (added & mask) >>> 0);
}

function simplifyShift(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { op, type } = inst;
  const count = b.constant;
  if (typeof count !== "number") return null;
  if (count === 0) return a;
  const bits = isInteger64(type) ? 64 : 32;
  if (op === "shr" && type === "i32" && maker.facts.notNegative(a)) {
    inst.type = "u32";
    return null;
  }
  if (count >= bits) {
    if (op === "shl" || type === "u32" || type === "u64") return maker.constant(type, 0);
    inst.operands = [a, maker.constant("u32", bits - 1)];
    return null;
  }
  const inner = a.def;
  const innerCount = inner === null || inner.operands[1] === undefined ? null : resolve(inner.operands[1]).constant;
  if (inner !== null && typeof innerCount === "number") {
    if (inner.op === op && (op === "shl" || inner.type === type)) {
      return maker.make(op, type, [resolve(inner.operands[0]!), maker.constant("u32", innerCount + count)]);
    }
    if (bits === 32 && innerCount === count && innerCount < 32) {
      // (x >> c) << c clears the low bits; (x << c) >> c, unsigned, the high ones.
      if (op === "shl" && inner.op === "shr") {
        return maker.make("and", type, [
          resolve(inner.operands[0]!),
          maker.constant(type, (0xffffffff << count) >>> 0),
        ]);
      }
      if (op === "shr" && type === "u32" && inner.op === "shl") {
        return maker.make("and", type, [resolve(inner.operands[0]!), maker.constant(type, 0xffffffff >>> count)]);
      }
    }
    if (bits === 32 && op === "shl" && inner.op === "mul") {
      return maker.make("mul", type, [resolve(inner.operands[0]!), maker.constant(type, innerCount << count)]);
    }
  }
  if (op === "shl" && inner?.op === "add" && maker.readOnce(a) && typeof innerCount === "number" && isInteger32(type)) {
    const shifted = maker.make("shl", type, [resolve(inner.operands[0]!), b]);
    return maker.make("add", type, [shifted, maker.constant(type, innerCount << count)]);
  }
  return null;
}

function simplifyDivision(inst: Inst, a: Value, b: Value, maker: Maker): Value | null {
  const { op, type } = inst;
  if (isFloat(type as Scalar)) {
    if (op !== "div") return null;
    if (a.constant === 1) return maker.make("rcp", type, [b]);
    if (b.constant === null) return null;
    if (b.constant === 1) return a;
    // A division by a power of two is exact as a product.
    const magnitude = Math.abs(Number(b.constant));
    const exponent = Math.log2(magnitude);
    if (Number.isInteger(exponent) && Math.abs(exponent) < 120 && 2 ** exponent === magnitude) {
      return maker.make("mul", type, [a, maker.constant(type, 1 / Number(b.constant))]);
    }
    return null;
  }
  if (b.constant === null) {
    if (type === "i32" && maker.facts.notNegative(a) && maker.facts.notNegative(b)) inst.type = "u32";
    return null;
  }
  if (Number(b.constant) === 0) return null;
  if (type === "i32" && Number(b.constant) > 0 && maker.facts.notNegative(a)) inst.type = "u32";
  if (Number(b.constant) === 1) return op === "div" ? a : maker.constant(type, 0);
  // Unsigned division by a power of two is a shift or mask at once; the rest waits until the uses are known
  // (expand-divisions.ts).
  const unsigned = inst.type === "u32" || inst.type === "u64";
  if (unsigned && powerOfTwo(readAs(inst.type, b.constant)) > 0) return divideByConstant(inst, a, b.constant, maker);
  return null;
}

function simplifyConversion(inst: Inst, a: Value, maker: Maker): Value | null {
  const from = inst.mods.sourceType ?? inst.type;
  const { type } = inst;
  if (isInteger32(from) && isInteger32(type)) return a;
  if (isInteger64(from) && isInteger64(type)) return a;
  const { def } = a;
  if (def?.op === "cvt") {
    const first = def.mods.sourceType ?? def.type;
    if (isInteger64(from) && isInteger32(type) && isInteger32(first)) return resolve(def.operands[0]!);
  }
  if (from === "i32" && isInteger64(type) && maker.facts.notNegative(a)) {
    inst.mods = { ...inst.mods, sourceType: "u32" };
  }
  return null;
}
