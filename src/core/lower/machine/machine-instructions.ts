/**
 * The machine instructions of each operation: mnemonic, pipe, and whether each waits for the previous one. Source:
 * machine code of nvcc 13.0 for sm_90 (NVCC-RULES.md). The pipes follow the CUDA C++ Programming Guide, "Arithmetic
 * Instructions", and Nsight Compute's pipe metrics.
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
/** The upper half of a 64-bit product; the signed form subtracts for a negative first factor. */
const WIDE_HIGH_PRODUCT = {
  u64: sequence(UNSIGNED_HIGH),
  i64: sequence(`${UNSIGNED_HIGH} |ISETP.LT.AND:alu IADD3:alu IADD3.X:alu SEL:alu |SEL:alu`),
} as const;

const WIDE: ReadonlySet<RegisterType> = new Set<RegisterType>(["i64", "u64"]);

function sign(type: RegisterType): string {
  return type === "addr" || type === "bool" || isSigned(type as Scalar) ? "" : ".U32";
}

/** The slots of operation `op`. `type` as in `Instruction`. */
export function issueSlots(op: SsaOp, type: RegisterType, mods: Modifiers): readonly IssueSlot[] {
  const key = `${op} ${type} ${mods.sourceType ?? ""} ${mods.compare ?? ""} ${mods.combine ?? ""} ${mods.space ?? ""} ${mods.scale ?? ""} ${mods.redux ?? ""} ${mods.atomic ?? ""} ${mods.special?.name ?? ""} ${mods.special !== undefined && "axis" in mods.special ? mods.special.axis : ""} ${mods.volatile === true ? "v" : ""} ${mods.narrow ?? ""} ${mods.root?.kind ?? ""} ${mods.launch?.types.length ?? ""}`;
  let slots = cache.get(key);
  if (slots === undefined) {
    slots = Object.freeze(compute(op, type, mods));
    cache.set(key, slots);
  }
  return slots;
}

const cache = new Map<string, readonly IssueSlot[]>();

/** The operand classes that have machine instructions of their own. */
type Width = "word" | "wide" | "f32" | "f64";

function widthOf(type: RegisterType): Width {
  if (type === "f32" || type === "f64") return type;
  return WIDE.has(type) ? "wide" : "word";
}

const TWO_WORDS = sequence("IADD3:alu IADD3.X:alu");
const WIDE_PRODUCT = sequence("IMAD:imad |IMAD.WIDE.U32:imad IMAD:imad IADD3:alu");
const SELECT_PAIR = sequence("SEL:alu |SEL:alu");
const LOGIC = byWidth(one("LOP3.LUT", "alu"), { wide: sequence("LOP3.LUT:alu |LOP3.LUT:alu") });
const FRND = byWidth(one("FRND", "xu"), { f64: one("FRND.F64", "xu") });
const ADDITION = byWidth(one("IADD3", "alu"), { wide: TWO_WORDS, f32: one("FADD", "fma"), f64: one("DADD", "fp64") });
const CLASSIFICATION = byWidth(one("FSETP", "alu"), { f64: one("DSETP", "fp64") });

const EXTREMUM = byWidth(one("VIMNMX", "alu"), {
  wide: sequence("ISETP:alu ISETP.EX:alu SEL:alu |SEL:alu"),
  f32: one("FMNMX", "alu"),
  f64: sequence("DSETP:fp64 |MOV:alu |MOV:alu |MOV:alu FSEL:alu |SEL:alu LOP3.LUT:alu"),
});

function byWidth(
  word: readonly IssueSlot[],
  others: Partial<Record<Width, readonly IssueSlot[]>>,
): Readonly<Record<Width, readonly IssueSlot[]>> {
  return { word, wide: word, f32: word, f64: word, ...others };
}

function shuffle(mode: string): Readonly<Record<Width, readonly IssueSlot[]>> {
  const pair = sequence(`SHFL.${mode}:shuffle |SHFL.${mode}:shuffle`);
  return byWidth(one(`SHFL.${mode}`, "shuffle"), { wide: pair, f64: pair });
}

/** Operations whose machine instructions depend on the operands' width alone. */
const BY_WIDTH: Partial<Record<SsaOp, Readonly<Record<Width, readonly IssueSlot[]>>>> = {
  param: byWidth(one("LDC", "constant"), { wide: one("LDC.64", "constant"), f64: one("LDC.64", "constant") }),
  add: ADDITION,
  sub: ADDITION,
  neg: ADDITION,
  abs: { ...ADDITION, word: one("IABS", "alu") },
  mul: byWidth(one("IMAD", "imad"), { wide: WIDE_PRODUCT, f32: one("FMUL", "fma"), f64: one("DMUL", "fp64") }),
  mad: byWidth(one("IMAD", "imad"), { wide: WIDE_PRODUCT, f32: one("FFMA", "fma"), f64: one("DFMA", "fp64") }),
  min: EXTREMUM,
  max: EXTREMUM,
  and: LOGIC,
  or: LOGIC,
  xor: LOGIC,
  not: LOGIC,
  lop3: LOGIC,
  shl: byWidth(one("SHF.L.U32", "alu"), { wide: sequence("SHF.L.U32:alu |SHF.L.U64.HI:alu") }),
  floor: FRND,
  ceil: FRND,
  trunc: FRND,
  rint: FRND,
  round: byWidth(sequence("LOP3.LUT:alu FADD.RZ:fma FSETP:alu FRND.TRUNC:xu FSETP:alu FSEL:alu"), {
    f64: sequence("LOP3.LUT:alu DADD:fp64 FRND.F64:xu DSETP:fp64 FSEL:alu |FSEL:alu"),
  }),
  fdim: byWidth(sequence("FADD:fma |FSETP:alu FSEL:alu"), {
    f64: sequence("DADD:fp64 DSETP:fp64 FSEL:alu |FSEL:alu"),
  }),
  isnan: CLASSIFICATION,
  isinf: CLASSIFICATION,
  selp: byWidth(one("SEL", "alu"), { f32: one("FSEL", "alu"), wide: SELECT_PAIR, f64: SELECT_PAIR }),
  shfl: shuffle("IDX"),
  shflUp: shuffle("UP"),
  shflDown: shuffle("DOWN"),
  shflXor: shuffle("BFLY"),
};
const FAST_LOGARITHM = sequence("FSETP:alu @P.FMUL:fma MUFU.LG2:xu @P.FADD:fma FMUL:fma");
const FAST_EXPONENTIAL = sequence("FMUL:fma FSETP:alu @P.FMUL:fma MUFU.EX2:xu @P.FMUL:fma");
const PREDICATE_LOGIC = one("PLOP3.LUT", "alu");
const NOTHING: readonly IssueSlot[] = [];

/** Operations that always have the same machine instructions. */
const FIXED: Partial<Record<SsaOp, readonly IssueSlot[]>> = {
  add3: one("IADD3", "alu"),
  lea: one("LEA", "alu"),
  ffs: sequence("BREV:xu FLO.U32.SH:xu IADD3:alu"),
  clz: sequence("FLO.U32:xu IADD3:alu"),
  brev: one("BREV", "xu"),
  bytePerm: one("PRMT", "alu"),
  rsqrt: sequence("FSETP:alu @P.FMUL:fma MUFU.RSQ:xu @P.FMUL:fma"),
  copysign: one("LOP3.LUT", "alu"),
  fastExp: FAST_EXPONENTIAL,
  fastExp10: FAST_EXPONENTIAL,
  fastLog2: sequence("FSETP:alu @P.FMUL:fma MUFU.LG2:xu @P.FADD:fma"),
  fastLog: FAST_LOGARITHM,
  fastLog10: FAST_LOGARITHM,
  fastPow: sequence(
    "FSETP:alu @P.FMUL:fma MUFU.LG2:xu @P.FADD:fma FMUL:fma FSETP:alu @P.FMUL:fma MUFU.EX2:xu @P.FMUL:fma",
  ),
  fastTan: sequence("FMUL.RZ:fma |MUFU.SIN:xu MUFU.COS:xu FSETP:alu @P.FMUL:fma MUFU.RCP:xu FMUL:fma"),
  fastSin: sequence("FMUL.RZ:fma MUFU.SIN:xu"),
  fastCos: sequence("FMUL.RZ:fma MUFU.COS:xu"),
  fastDivide: sequence("FSETP:alu @P.FMUL:fma @P.FMUL:fma MUFU.RCP:xu FMUL:fma"),
  saturate: one("FADD.SAT", "fma"),
  bitcast: NOTHING,
  pand: PREDICATE_LOGIC,
  por: PREDICATE_LOGIC,
  pxor: PREDICATE_LOGIC,
  pnot: PREDICATE_LOGIC,
  ballot: one("VOTE.ANY", "vote"),
  any: one("VOTE.ANY", "vote"),
  all: one("VOTE.ALL", "vote"),
  activemask: one("VOTE.ANY", "vote"),
  matchAny: one("MATCH.ANY", "vote"),
  matchAll: one("MATCH.ALL", "vote"),
  matchAllPredicate: one("MATCH.ALL", "vote"),
  syncwarp: one("WARPSYNC", "cbu"),
  fence: one("MEMBAR", "lsu"),
  gridsync: sequence("BAR.SYNC:adu MEMBAR:lsu ATOMG.E.ADD:lsu LDG.E.STRONG.GPU:lsu BAR.SYNC:adu"),
  deviceSynchronize: sequence("MOV:alu |MOV:alu CALL.ABS.NOINC:cbu"),
  warpSize: NOTHING,
  overhead: NOTHING,
  printf: sequence("MOV:alu |MOV:alu |MOV:alu STL:lsu CALL.ABS:cbu"),
};

function compute(op: SsaOp, type: RegisterType, mods: Modifiers): readonly IssueSlot[] {
  const ofFunction = type === "f32" || type === "f64" ? functionSlots(op, type) : null;
  if (ofFunction !== null) return ofFunction;
  const paths = twoPaths(op, type);
  if (paths !== null) return fastPathSlots(paths);
  return FIXED[op] ?? BY_WIDTH[op]?.[widthOf(type)] ?? slotsByModifiers(op, type, mods);
}

/** Operations whose machine instructions depend on a modifier or on the exact type. */
function slotsByModifiers(op: SsaOp, type: RegisterType, mods: Modifiers): readonly IssueSlot[] {
  const wide = WIDE.has(type);
  switch (op) {
    case "mov":
      return wide || type === "f64" || (type === "addr" && mods.space === "global") ? MOVE_WIDE : MOVE;
    case "base":
      return mods.root?.kind === "param" ? one("LDC.64", "constant") : one("ULEA", "uniform");
    case "special":
      return specialSlots(mods);
    case "addr":
      return addressSlots(mods);
    case "shr":
      if (wide) return sequence("SHF.R.U64:alu |SHF.R.S32.HI:alu");
      return one(type === "i32" ? "SHF.R.S32.HI" : "SHF.R.U32.HI", "alu");
    case "mulhi":
      return wide ? WIDE_HIGH_PRODUCT[type === "u64" ? "u64" : "i64"] : one(`IMAD.HI${sign(type)}`, "imad");
    case "popc":
      return WIDE.has(mods.sourceType ?? "u32") ? sequence("POPC:xu |POPC:xu IADD3:alu") : one("POPC", "xu");
    case "div":
      return type === "u32" ? UNSIGNED_QUOTIENT : SIGNED_QUOTIENT;
    case "rem":
      return type === "u32" ? UNSIGNED_REMAINDER : SIGNED_REMAINDER;
    case "cvt":
      return convertSlots(mods.sourceType ?? "i32", type);
    case "setp":
      return compareSlots(mods);
    case "ld":
      return one(memoryMnemonic("LD", type, mods), "lsu");
    case "st":
      return one(memoryMnemonic("ST", type, mods), "lsu");
    case "atom":
      return one(`${mods.space === "shared" ? "ATOMS" : "ATOMG.E"}.${(mods.atomic ?? "add").toUpperCase()}`, "lsu");
    case "redux":
      return sequence(`REDUX.${(mods.redux ?? "add").toUpperCase()}:vote MOV:alu`);
    case "bar":
      return mods.barrierReduce === undefined ? one("BAR.SYNC", "adu") : sequence("BAR.RED:adu B2R.RESULT:adu");
    case "launch":
      return launchSlots(mods);
    default:
      throw new Error(`No machine code is known for ${op} of ${type}.`);
  }
}

function compareSlots(mods: Modifiers): readonly IssueSlot[] {
  const source = mods.sourceType ?? "i32";
  const name = `SETP.${(mods.compare ?? "eq").toUpperCase()}`;
  const combine = (mods.combine ?? "and").toUpperCase();
  if (source === "f32") return one(`F${name}.${combine}`, "alu");
  if (source === "f64") return one(`D${name}.${combine}`, "fp64");
  if (WIDE.has(source)) return sequence(`I${name}.U32.AND:alu I${name}.${combine}.EX:alu`);
  return one(`I${name}${sign(source)}.${combine}`, "alu");
}

/**
 * nvcc 13's code for a launch (chain() in test/reference/h200/micro/cdp.cu). It calls for a parameter buffer with the
 * sizes in registers, stores each argument, and calls the launch. The device runtime then takes about 13,000 cycles,
 * which the timing model adds.
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
  const wide = type === "f64" || type === "addr" || WIDE.has(type) ? ".64" : "";
  const signed = stem === "LD" ? "S" : "U";
  const bytes = mods.narrow === undefined ? wide : `.${mods.narrow.replace("i", signed).toUpperCase()}`;
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
/** CS2R R2, SRZ clears a register pair. */
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
