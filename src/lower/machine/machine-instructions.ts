/**
 * The machine instructions that an operation stands for: mnemonic, pipe, and whether each waits for the one before.
 * Source: machine code that nvcc 13.0 makes for sm_90 (NVCC-RULES.md); pipes by NVIDIA's throughput table (CUDA C++
 * Programming Guide, "Arithmetic Instructions") and Nsight Compute's pipe metrics.
 */
import { isSigned, type Scalar } from "../../ir/types.js";
import type { IssueSlot, RegisterType } from "../program.js";
import type { Modifiers, SsaOp } from "../ssa/ssa.js";
import { functionSlots } from "./function-code.js";
import { one, sequence } from "./issue-slots.js";
import { fastPathSlots, twoPaths } from "./two-path-code.js";

const UNSIGNED_REMAINDER: readonly IssueSlot[] = sequence(
  "I2F.U32.RP:xu |IADD3:alu |ISETP.NE.U32.AND:alu MUFU.RCP:xu IADD3:alu F2I.FTZ.U32.TRUNC.NTZ:xu |MOV:alu IMAD:imad IMAD.HI.U32:imad IMAD.HI.U32:imad IADD3:alu IMAD:imad ISETP.GE.U32.AND:alu @P.IADD3:alu ISETP.GE.U32.AND:alu @P.IADD3:alu @P.LOP3.LUT:alu",
);
const UNSIGNED_QUOTIENT: readonly IssueSlot[] = sequence(
  "I2F.U32.RP:xu |IADD3:alu |ISETP.NE.U32.AND:alu MUFU.RCP:xu IADD3:alu F2I.FTZ.U32.TRUNC.NTZ:xu |MOV:alu IMAD:imad IMAD.HI.U32:imad IMAD.HI.U32:imad IADD3:alu IMAD:imad ISETP.GE.U32.AND:alu @P.IADD3:alu @P.IADD3:alu ISETP.GE.U32.AND:alu @P.IADD3:alu @P.LOP3.LUT:alu",
);
const SIGNED_REMAINDER: readonly IssueSlot[] = sequence(
  "IABS:alu |IABS:alu |ISETP.GE.AND:alu |IABS:alu |IABS:alu I2F.RP:xu MUFU.RCP:xu IADD3:alu F2I.FTZ.U32.TRUNC.NTZ:xu |MOV:alu IADD3:alu IMAD:imad IMAD.HI.U32:imad |IADD3:alu IMAD.HI.U32:imad IMAD:imad ISETP.GT.U32.AND:alu @P.IADD3:alu |ISETP.NE.AND:alu ISETP.GT.U32.AND:alu @P.IADD3:alu @P.IADD3:alu @P.LOP3.LUT:alu",
);
const SIGNED_QUOTIENT: readonly IssueSlot[] = sequence(
  "IABS:alu |IABS:alu |IABS:alu I2F.RP:xu |IADD3:alu MUFU.RCP:xu IADD3:alu F2I.FTZ.U32.TRUNC.NTZ:xu |MOV:alu IADD3:alu IMAD:imad IMAD.HI.U32:imad |MOV:alu IMAD.HI.U32:imad IMAD:imad ISETP.GT.U32.AND:alu @P.IADD3:alu @P.IADD3:alu ISETP.NE.AND:alu ISETP.GE.U32.AND:alu LOP3.LUT:alu ISETP.GE.AND:alu @P.IADD3:alu @P.IADD3:alu @P.LOP3.LUT:alu",
);

const UNSIGNED_HIGH =
  "IMAD.WIDE.U32:imad IMAD.WIDE.U32:imad |IMAD.WIDE.U32:imad IMAD.X:imad |MOV:alu IADD3:alu IMAD.WIDE.U32.X:imad";
/** The upper half of a product of 64 bits; signed, what the sign of the first factor takes away. */
const WIDE_HIGH_PRODUCT = {
  u64: sequence(UNSIGNED_HIGH),
  i64: sequence(`${UNSIGNED_HIGH} |ISETP.LT.AND:alu IADD3:alu IADD3.X:alu SEL:alu |SEL:alu`),
} as const;

const FLOAT: ReadonlySet<RegisterType> = new Set<RegisterType>(["f32"]);
const WIDE: ReadonlySet<RegisterType> = new Set<RegisterType>(["i64", "u64"]);

function sign(type: RegisterType): string {
  return type === "addr" || type === "bool" || isSigned(type as Scalar) ? "" : ".U32";
}

/** The slots of operation `op`. `type` as in `Instruction`. */
export function issueSlots(op: SsaOp, type: RegisterType, mods: Modifiers): readonly IssueSlot[] {
  const key = `${op} ${type} ${mods.sourceType ?? ""} ${mods.compare ?? ""} ${mods.combine ?? ""} ${mods.space ?? ""} ${mods.scale ?? ""} ${mods.redux ?? ""} ${mods.atomic ?? ""} ${mods.special?.name ?? ""} ${mods.special !== undefined && "axis" in mods.special ? mods.special.axis : ""} ${mods.volatile === true ? "v" : ""} ${mods.root?.kind ?? ""} ${mods.launch?.types.length ?? ""}`;
  let slots = cache.get(key);
  if (slots === undefined) {
    slots = Object.freeze(compute(op, type, mods));
    cache.set(key, slots);
  }
  return slots;
}

const cache = new Map<string, readonly IssueSlot[]>();

function compute(op: SsaOp, type: RegisterType, mods: Modifiers): readonly IssueSlot[] {
  const f32 = FLOAT.has(type);
  const f64 = type === "f64";
  const wide = WIDE.has(type);
  const ofFunction = f32 || f64 ? functionSlots(op, f32 ? "f32" : "f64") : null;
  if (ofFunction !== null) return ofFunction;
  const paths = twoPaths(op, type);
  if (paths !== null) return fastPathSlots(paths);
  switch (op) {
    case "mov":
      return wide || f64 || (type === "addr" && mods.space === "global")
        ? sequence("MOV:alu |MOV:alu")
        : one("MOV", "alu");
    case "param":
      return one(wide || f64 ? "LDC.64" : "LDC", "constant");
    case "base":
      return mods.root?.kind === "param" ? one("LDC.64", "constant") : one("ULEA", "uniform");
    case "special":
      return specialSlots(mods);
    case "addr":
      return addressSlots(mods);
    case "add":
    case "sub":
      if (f32) return one("FADD", "fma");
      if (f64) return one("DADD", "fp64");
      return wide ? sequence("IADD3:alu IADD3.X:alu") : one("IADD3", "alu");
    case "mul":
      if (f32) return one("FMUL", "fma");
      if (f64) return one("DMUL", "fp64");
      return wide ? sequence("IMAD:imad |IMAD.WIDE.U32:imad IMAD:imad IADD3:alu") : one("IMAD", "imad");
    case "mad":
      if (f32) return one("FFMA", "fma");
      if (f64) return one("DFMA", "fp64");
      return wide ? sequence("IMAD:imad |IMAD.WIDE.U32:imad IMAD:imad IADD3:alu") : one("IMAD", "imad");
    case "neg":
    case "abs":
      if (f32) return one("FADD", "fma");
      if (f64) return one("DADD", "fp64");
      if (wide) return sequence("IADD3:alu IADD3.X:alu");
      return one(op === "abs" ? "IABS" : "IADD3", "alu");
    case "min":
    case "max":
      if (f32) return one("FMNMX", "alu");
      if (f64) return sequence("DSETP:fp64 |MOV:alu |MOV:alu |MOV:alu FSEL:alu |SEL:alu LOP3.LUT:alu");
      return wide ? sequence("ISETP:alu ISETP.EX:alu SEL:alu |SEL:alu") : one("VIMNMX", "alu");
    case "add3":
      return one("IADD3", "alu");
    case "and":
    case "or":
    case "xor":
    case "not":
    case "lop3":
      return wide ? sequence("LOP3.LUT:alu |LOP3.LUT:alu") : one("LOP3.LUT", "alu");
    case "shl":
      return wide ? sequence("SHF.L.U32:alu |SHF.L.U64.HI:alu") : one("SHF.L.U32", "alu");
    case "shr":
      if (wide) return sequence("SHF.R.U64:alu |SHF.R.S32.HI:alu");
      return one(type === "i32" ? "SHF.R.S32.HI" : "SHF.R.U32.HI", "alu");
    case "lea":
      return one("LEA", "alu");
    case "mulhi":
      return wide ? WIDE_HIGH_PRODUCT[type === "u64" ? "u64" : "i64"] : one(`IMAD.HI${sign(type)}`, "imad");
    case "popc":
      return WIDE.has(mods.sourceType ?? "u32") ? sequence("POPC:xu |POPC:xu IADD3:alu") : one("POPC", "xu");
    case "ffs":
      return sequence("BREV:xu FLO.U32.SH:xu IADD3:alu");
    case "clz":
      return sequence("FLO.U32:xu IADD3:alu");
    case "brev":
      return one("BREV", "xu");
    case "bytePerm":
      return one("PRMT", "alu");
    case "div":
      return type === "u32" ? UNSIGNED_QUOTIENT : SIGNED_QUOTIENT;
    case "rem":
      return type === "u32" ? UNSIGNED_REMAINDER : SIGNED_REMAINDER;
    case "rsqrt":
      return sequence("FSETP:alu @P.FMUL:fma MUFU.RSQ:xu @P.FMUL:fma");
    case "floor":
    case "ceil":
    case "trunc":
    case "rint":
      return one(f64 ? "FRND.F64" : "FRND", "xu");
    case "round":
      return f64
        ? sequence("LOP3.LUT:alu DADD:fp64 FRND.F64:xu DSETP:fp64 FSEL:alu |FSEL:alu")
        : sequence("LOP3.LUT:alu FADD.RZ:fma FSETP:alu FRND.TRUNC:xu FSETP:alu FSEL:alu");
    case "copysign":
      return one("LOP3.LUT", "alu");
    case "fdim":
      return f64 ? sequence("DADD:fp64 DSETP:fp64 FSEL:alu |FSEL:alu") : sequence("FADD:fma |FSETP:alu FSEL:alu");
    case "fastExp":
      return sequence("FMUL:fma FSETP:alu @P.FMUL:fma MUFU.EX2:xu @P.FMUL:fma");
    case "fastLog2":
      return sequence("FSETP:alu @P.FMUL:fma MUFU.LG2:xu @P.FADD:fma");
    case "fastExp10":
      return sequence("FMUL:fma FSETP:alu @P.FMUL:fma MUFU.EX2:xu @P.FMUL:fma");
    case "fastPow":
      return sequence(
        "FSETP:alu @P.FMUL:fma MUFU.LG2:xu @P.FADD:fma FMUL:fma FSETP:alu @P.FMUL:fma MUFU.EX2:xu @P.FMUL:fma",
      );
    case "fastTan":
      return sequence("FMUL.RZ:fma |MUFU.SIN:xu MUFU.COS:xu FSETP:alu @P.FMUL:fma MUFU.RCP:xu FMUL:fma");
    case "fastLog10":
    case "fastLog":
      return sequence("FSETP:alu @P.FMUL:fma MUFU.LG2:xu @P.FADD:fma FMUL:fma");
    case "fastSin":
    case "fastCos":
      return sequence(`FMUL.RZ:fma MUFU.${op === "fastSin" ? "SIN" : "COS"}:xu`);
    case "fastDivide":
      return sequence("FSETP:alu @P.FMUL:fma @P.FMUL:fma MUFU.RCP:xu FMUL:fma");
    case "saturate":
      return one("FADD.SAT", "fma");
    case "bitcast":
      return [];
    case "isnan":
    case "isinf":
      return one(f64 ? "DSETP" : "FSETP", f64 ? "fp64" : "alu");
    case "cvt":
      return convertSlots(mods.sourceType ?? "i32", type);
    case "setp": {
      const source = mods.sourceType ?? "i32";
      const name = `SETP.${(mods.compare ?? "eq").toUpperCase()}`;
      const combine = (mods.combine ?? "and").toUpperCase();
      if (source === "f32") return one(`F${name}.${combine}`, "alu");
      if (source === "f64") return one(`D${name}.${combine}`, "fp64");
      if (WIDE.has(source)) return sequence(`I${name}.U32.AND:alu I${name}.${combine}.EX:alu`);
      return one(`I${name}${sign(source)}.${combine}`, "alu");
    }
    case "selp":
      if (f64 || wide) return sequence("SEL:alu |SEL:alu");
      return one(f32 ? "FSEL" : "SEL", "alu");
    case "pand":
    case "por":
    case "pxor":
    case "pnot":
      return one("PLOP3.LUT", "alu");
    case "ld":
      return one(memoryMnemonic("LD", type, mods), "lsu");
    case "st":
      return one(memoryMnemonic("ST", type, mods), "lsu");
    case "atom":
      return one(
        mods.space === "shared"
          ? `ATOMS.${(mods.atomic ?? "add").toUpperCase()}`
          : `ATOMG.E.${(mods.atomic ?? "add").toUpperCase()}`,
        "lsu",
      );
    case "shfl":
      return wide || f64 ? sequence("SHFL.IDX:shuffle |SHFL.IDX:shuffle") : one("SHFL.IDX", "shuffle");
    case "shflUp":
      return wide || f64 ? sequence("SHFL.UP:shuffle |SHFL.UP:shuffle") : one("SHFL.UP", "shuffle");
    case "shflDown":
      return wide || f64 ? sequence("SHFL.DOWN:shuffle |SHFL.DOWN:shuffle") : one("SHFL.DOWN", "shuffle");
    case "shflXor":
      return wide || f64 ? sequence("SHFL.BFLY:shuffle |SHFL.BFLY:shuffle") : one("SHFL.BFLY", "shuffle");
    case "ballot":
    case "any":
      return one("VOTE.ANY", "vote");
    case "all":
      return one("VOTE.ALL", "vote");
    case "activemask":
      return one("VOTE.ANY", "vote");
    case "matchAny":
      return one("MATCH.ANY", "vote");
    case "matchAll":
    case "matchAllPredicate":
      return one("MATCH.ALL", "vote");
    case "redux":
      return sequence(`REDUX.${(mods.redux ?? "add").toUpperCase()}:vote MOV:alu`);
    case "syncwarp":
      return one("WARPSYNC", "cbu");
    case "bar":
      return mods.barrierReduce === undefined ? one("BAR.SYNC", "adu") : sequence("BAR.RED:adu B2R.RESULT:adu");
    case "fence":
      return one("MEMBAR", "lsu");
    case "gridsync":
      return sequence("BAR.SYNC:adu MEMBAR:lsu ATOMG.E.ADD:lsu LDG.E.STRONG.GPU:lsu BAR.SYNC:adu");
    case "launch":
      return launchSlots(mods);
    case "deviceSynchronize":
      return sequence("MOV:alu |MOV:alu CALL.ABS.NOINC:cbu");
    case "warpSize":
    case "overhead":
      return [];
    case "printf":
      return sequence("MOV:alu |MOV:alu |MOV:alu STL:lsu CALL.ABS:cbu");
    default:
      throw new Error(`No machine code is known for ${op} of ${type}.`);
  }
}

/**
 * What nvcc 13 puts in the kernel: the sizes into the registers of the call for a parameter buffer, a store an argument,
 * the call that launches (machine code of chain() in test/reference/h200/micro/cdp.cu). The device runtime behind the calls
 * takes some 13,000 cycles (the same file), which timing adds as a whole.
 */
function launchSlots(mods: Modifiers): readonly IssueSlot[] {
  const getBuffer =
    "UMOV:uniform |UMOV:uniform |MOV:alu |MOV:alu |MOV:alu |MOV:alu |MOV:alu |MOV:alu |MOV:alu |MOV:alu |MOV:alu CALL.ABS.NOINC:cbu ISETP.NE.U32.AND:alu ISETP.NE.AND.EX:alu |BSSY:cbu |MOV:alu |MOV:alu BRA:cbu";
  const stores = (mods.launch?.types ?? []).map(() => " |ST.E:lsu").join("");
  const launch = " |UMOV:uniform |MOV:alu |MOV:alu |MOV:alu |MOV:alu |MOV:alu CALL.ABS.NOINC:cbu BSYNC:cbu";
  return sequence(getBuffer + stores + launch);
}

function specialSlots(mods: Modifiers): readonly IssueSlot[] {
  const special = mods.special;
  if (special === undefined) return one("S2R", "special");
  switch (special.name) {
    case "threadIdx":
      return one(`S2R SR_TID.${special.axis.toUpperCase()}`, "special");
    case "blockIdx":
      return one(`S2R SR_CTAID.${special.axis.toUpperCase()}`, "special");
    case "laneId":
      return one("S2R SR_LANEID", "special");
    case "clock":
      return one("CS2R SR_CLOCK", "special");
    default:
      return one("LDC", "constant");
  }
}

function addressSlots(mods: Modifiers): readonly IssueSlot[] {
  if (mods.space !== "global") return one("LEA", "alu");
  const unsigned = mods.sourceType === "u32";
  if (mods.sourceType === "i64" || mods.sourceType === "u64") return sequence("LEA:alu LEA.HI.X:alu");
  return one(unsigned ? "IMAD.WIDE.U32" : "IMAD.WIDE", "imad");
}

function memoryMnemonic(stem: "LD" | "ST", type: RegisterType, mods: Modifiers): string {
  const letter = mods.space === "shared" ? "S" : mods.space === "local" ? "L" : "G.E";
  const bytes = type === "f64" || WIDE.has(type) ? ".64" : "";
  return `${stem}${letter}${mods.volatile === true && mods.space === "global" ? ".STRONG.SYS" : ""}${bytes}`;
}

function convertSlots(from: RegisterType, to: RegisterType): readonly IssueSlot[] {
  const wideTo = WIDE.has(to);
  const wideFrom = WIDE.has(from);
  if ((from === "i32" || from === "u32") && wideTo) {
    return from === "i32" ? one("SHF.R.S32.HI", "alu") : one("MOV", "alu");
  }
  if (wideFrom && (to === "i32" || to === "u32" || wideTo)) return one("MOV", "alu");
  const integer = (type: RegisterType): boolean => type === "i32" || type === "u32";
  if (integer(from) && to === "f32") return one(`I2FP.F32.${from === "i32" ? "S32" : "U32"}`, "alu");
  if (from === "f32" && integer(to)) return one("F2I.TRUNC.NTZ", "xu");
  if (from === "f32" && to === "f64") return one("F2F.F64.F32", "xu");
  if (from === "f64" && to === "f32") return one("F2F.F32.F64", "xu");
  return one(from === "f64" || from === "f32" ? "F2I.64" : "I2F", "xu");
}

export const BRANCH: readonly IssueSlot[] = Object.freeze(one("BRA", "cbu"));
export const EXIT: readonly IssueSlot[] = Object.freeze(one("EXIT", "cbu"));
export const BSSY: readonly IssueSlot[] = Object.freeze(one("BSSY", "cbu"));
export const BSYNC: readonly IssueSlot[] = Object.freeze(one("BSYNC", "cbu"));
export const MOVE: readonly IssueSlot[] = Object.freeze(one("MOV", "alu"));
/** CS2R R2, SRZ: a pair of registers is 0. */
export const CLEAR_WIDE: readonly IssueSlot[] = Object.freeze(one("CS2R", "alu"));
export const MOVE_WIDE: readonly IssueSlot[] = Object.freeze(sequence("MOV:alu |MOV:alu"));
export const OVERHEAD: Readonly<
  Record<
    | "stackPointer"
    | "memoryDescriptor"
    | "sharedWindow"
    | "sharedOffset"
    | "shuffleTouch"
    | "clearConvergence"
    | "barrierPad"
    | "warpSync"
    | "maskSync"
    | "constantMaskSync"
    | "maskCheck"
    | "constantMaskCheck",
    readonly IssueSlot[]
  >
> = Object.freeze({
  stackPointer: one("LDC R1", "constant"),
  memoryDescriptor: one("ULDC.64", "constant"),
  sharedWindow: one("S2UR SR_CgaCtaId", "special"),
  sharedOffset: one("UMOV", "uniform"),
  shuffleTouch: one("@!PT.SHFL.IDX", "shuffle"),
  clearConvergence: one("BMOV.32.CLEAR", "cbu"),
  barrierPad: one("NOP", "cbu"),
  warpSync: one("WARPSYNC.ALL", "cbu"),
  maskSync: one("WARPSYNC", "cbu"),
  constantMaskSync: sequence("MOV:alu WARPSYNC:cbu"),
  maskCheck: one("BRA.DIV", "cbu"),
  constantMaskCheck: sequence("UMOV:uniform BRA.DIV:cbu"),
});
