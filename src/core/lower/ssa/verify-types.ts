/** Checks the number and the types of an instruction's operands and results. */
import type { RegisterType } from "../program.js";
import { type Inst, resolve, type SsaOp, type Value } from "./ssa.js";

/** Registers have no sign. */
function bits(type: RegisterType): string {
  if (type === "u32") return "i32";
  return type === "u64" ? "i64" : type;
}

export function fits(type: RegisterType, wanted: RegisterType): boolean {
  return bits(type) === bits(wanted);
}

/**
 * T: the instruction's type. S: its source type. b: bool. a: addr. w: a 32-bit integer. n: any integer. A part in
 * brackets may be absent. The result comes after the arrow; `-` is none.
 */
type Signature = string;

const of = (ops: readonly SsaOp[], signature: Signature): readonly (readonly [SsaOp, Signature])[] =>
  ops.map((op) => [op, signature]);

/** All others take one or more operands of their own type and give one such value, or have signatures of their own. */
const SIGNATURES: ReadonlyMap<SsaOp, Signature> = new Map<SsaOp, Signature>([
  ...of(["add", "sub", "mul", "min", "max", "and", "or", "xor", "mulhi", "div", "rem", "lea"], "TT>T"),
  ...of(["pow", "atan2", "hypot", "copysign", "fdim", "fastPow", "fastDivide", "pand", "por", "pxor"], "TT>T"),
  ...of(["mad", "add3", "lop3", "bytePerm"], "TTT>T"),
  ...of(["mov", "neg", "abs", "not", "brev", "floor", "ceil", "trunc", "rint", "round", "saturate", "pnot"], "T>T"),
  ...of(["shl", "shr"], "Tw>T"),
  ...of(["cvt", "bitcast"], "S>T"),
  ...of(["isnan", "isinf"], "T>b"),
  ...of(["shfl", "shflUp", "shflDown", "shflXor"], "wTww>T"),
  ...of(["any", "all"], "wb>b"),
  ["ballot", "wb>w"],
  ["redux", "wT>T"],
  ["setp", "SS[b]>b"],
  ["selp", "TTb>T"],
  ["addr", "an>a"],
  ["atom", "aT[T]>[T]"],
  ["ld", "a>T[T][T][T]"],
  ["st", "aT[T][T][T]>-"],
  ["syncwarp", "w>-"],
  ["activemask", ">w"],
  ["param", ">T"],
  ["special", ">T"],
  ["base", ">a"],
  ["warpSize", ">w"],
]);

/** These read operands of several types. */
const UNCHECKED: ReadonlySet<SsaOp> = new Set<SsaOp>([
  "popc",
  "ffs",
  "clz",
  "matchAny",
  "matchAll",
  "matchAllPredicate",
  "bar",
  "fence",
  "gridsync",
  "printf",
  "launch",
  "deviceSynchronize",
  "overhead",
]);

function isOfKind(type: RegisterType, kind: string, inst: Inst): boolean {
  switch (kind) {
    case "T":
      return fits(type, inst.type);
    case "S":
      return inst.mods.sourceType !== undefined && fits(type, inst.mods.sourceType);
    case "b":
      return type === "bool";
    case "a":
      return type === "addr";
    case "w":
      return bits(type) === "i32";
    default:
      return bits(type) === "i32" || bits(type) === "i64";
  }
}

export function checkInstructionTypes(inst: Inst, fault: (what: string) => void): void {
  // A vote for one atomic compares values of any type and number.
  if (UNCHECKED.has(inst.op) || inst.mods.together === true) return;
  const [operands = "", results = ""] = (SIGNATURES.get(inst.op) ?? "T[T]>T").split(">");
  const check = (values: readonly Value[], kinds: string, what: string): void => {
    const all = kinds.replaceAll(/[[\]-]/g, "");
    const least = kinds.replaceAll(/\[.\]|-/g, "").length;
    if (values.length < least || values.length > all.length) {
      fault(`has ${values.length} ${what}s, not ${least === all.length ? least : `${least} to ${all.length}`}`);
      return;
    }
    values.forEach((value, i) => {
      const { type } = resolve(value);
      if (!isOfKind(type, all[i]!, inst)) fault(`${what} ${i} is ${type} in an instruction of ${inst.type}`);
    });
  };
  check(inst.operands, operands, "operand");
  check(inst.results, results, "result");
}
