/**
 * Operations with two paths in nvcc's code. Float quotients, reciprocals and square roots call a function if an
 * operand is 0, infinite, denormal or extreme. 64-bit quotients and remainders do if an operand does not fit 32
 * bits. From machine code of nvcc 13.0 for sm_90 and ncu's counts (test/reference/h200/micro/paths.json). The float
 * slow path is that of an operand 0; infinite ones take up to 4 instructions more, denormal ones up to 61.
 */

import type { IssueSlot, Op, RegisterType } from "../program.js";
import { sequence } from "./issue-slots.js";

export interface TwoPaths {
  /** Tests which path a lane takes. */
  readonly check: { readonly op: Op; readonly slots: readonly IssueSlot[] };
  /** The instructions that all lanes execute before the paths diverge; may be empty. */
  readonly common: readonly IssueSlot[];
  /** Empty if the common instructions compute the result. */
  readonly fast: readonly IssueSlot[];
  readonly slow: readonly IssueSlot[];
}

function paths(op: Op, check: string, common: string, fast: string, slow: string): TwoPaths {
  const slots = (code: string): readonly IssueSlot[] => Object.freeze(code === "" ? [] : sequence(code));
  return { check: { op, slots: slots(check) }, common: slots(common), fast: slots(fast), slow: slots(slow) };
}

const QUOTIENT_F32 = paths(
  "slowQuotient",
  "FCHK",
  "MUFU.RCP FFMA*5",
  "",
  "MOV CALL |MOV |SHF.R |BSSY |SHF.R |MOV LOP3 |MOV |LOP3 VIADD |VIADD ISETP*2 @P.MOV |BRA |FSETP*2 PLOP3 BRA |LOP3 BRA |FSETP*3 BRA |LOP3 PLOP3 BRA |LOP3 |BRA |BSYNC |MOV |RET",
);
const RECIPROCAL_F32 = paths(
  "slowReciprocal",
  "VIADD LOP3 ISETP",
  "",
  "MUFU.RCP FFMA FADD FFMA",
  "MOV CALL |IMAD.SHL |BSSY SHF.R ISETP BRA |IMAD.SHL ISETP @P.FFMA |@P.MUFU.RCP @P.MUFU.RCP @P.FFMA @P.FADD @P.FFMA*2 |BRA |BSYNC MOV |MOV |RET",
);
const ROOT_F32 = paths(
  "slowRoot",
  "IADD3 ISETP",
  "",
  "MUFU.RSQ FMUL |FMUL FFMA*2",
  "MUFU.RSQ |MOV CALL |LOP3 @P.MOV |BRA |MOV*2 |RET",
);
const QUOTIENT_F64 = paths(
  "slowQuotient",
  "FSETP |FFMA FSETP",
  "MOV |MUFU.RCP64H DFMA*5 DMUL DFMA*2",
  "",
  "MOV CALL |FSETP |MOV |LOP3 |BSSY |FSETP LOP3 |MOV |LOP3*2 @P.DMUL |ISETP |@P.LOP3 |@P.MOV MUFU.RCP64H |@P.ISETP |MOV @P.SEL @P.LOP3*2 |DFMA DFMA*2 |SEL |MOV LOP3 |DFMA @P.DFMA |DFMA |MOV*2 @P.LOP3 |@P.LOP3 |DMUL VIADD |VIADD |DFMA ISETP*2 |DFMA BRA |DSETP BRA |DSETP BRA |ISETP |MOV*2 BRA |ISETP |LOP3 ISETP @P.LOP3 |@P.MOV @P.MOV |@P.MOV |BRA |BSYNC |MOV*2 |MOV |RET",
);
const RECIPROCAL_F64 = paths(
  "slowReciprocal",
  "VIADD FSETP",
  "MUFU.RCP64H DFMA*5",
  "",
  "LOP3 VIADD |MOV |CALL |DSETP |BSSY BRA |LOP3 IADD3 ISETP @P.LOP3 |@P.MOV |BRA |BSYNC |MOV*2 |MOV |RET",
);
const ROOT_F64 = paths(
  "slowRoot",
  "VIADD ISETP",
  "MOV |MOV |MUFU.RSQ64H DMUL DFMA*2 |DMUL DFMA DMUL |VIADD |MOV DFMA*2",
  "",
  "MOV CALL |MOV*2 |ISETP |BSSY |MOV BRA |DSETP BRA |DADD |BSYNC |MOV |RET",
);

const LONG_CHECK = "LOP3 ISETP";
const SHORT_QUOTIENT =
  "I2F.U32 |MOV |ISETP MUFU.RCP IADD3 |MOV F2I.FTZ |MOV IMAD IMAD.HI*2 IADD3 IMAD ISETP @P.IADD3 |@P.IADD3 ISETP @P.IADD3 @P.LOP3 MOV";
const SHORT_REMAINDER =
  "I2F.U32 |IADD3 |ISETP MUFU.RCP IADD3 |MOV F2I.FTZ |MOV IMAD IMAD.HI*2 IADD3 IMAD ISETP @P.IADD3 ISETP @P.IADD3 @P.LOP3";
const QUOTIENT_I64 = paths(
  "slowQuotient",
  LONG_CHECK,
  "",
  SHORT_QUOTIENT,
  "MOV CALL |MOV*2 |IADD3 ISETP |ISETP |IMAD.X SEL |SEL I2F.U64 MUFU.RCP IADD3 F2I.U64 IMAD.WIDE |IMAD IADD3 |IMAD IMAD.HI |IMAD.X |MOV IMAD |IMAD.WIDE |IMAD.HI IMAD.HI IADD3 |IMAD.X IMAD.WIDE |IADD3 |IMAD IADD3 |IMAD IMAD.HI |IADD3*2 IMAD.WIDE |SEL |IMAD.X IMAD.HI |SEL |IMAD |LOP3 |IMAD.HI IADD3 |IMAD.X |MOV IMAD.HI |IADD3 IMAD.WIDE |IMAD IMAD.HI |IMAD.HI IADD3 |IADD3 IMAD.WIDE |IMAD.X IADD3 |IMAD |IADD3 ISETP |IMAD |IADD3 IMAD.X |IADD3 ISETP |IMAD.X SEL |SEL*2 ISETP |SEL |IADD3 ISETP |ISETP |IMAD.X SEL |SEL IADD3 |ISETP SEL |IMAD.X |ISETP |MOV SEL |MOV |SEL SEL |RET",
);
const REMAINDER_I64 = paths(
  "slowQuotient",
  LONG_CHECK,
  "",
  SHORT_REMAINDER,
  "MOV CALL |MOV*2 |IADD3 |ISETP IADD3 |SEL SEL I2F.U64 MUFU.RCP VIADD F2I.U64 IMAD.WIDE |IMAD IADD3 |IMAD IMAD.HI |IMAD.X |MOV IMAD |IMAD.WIDE |IMAD.HI IMAD.HI IADD3 |IMAD.X IMAD.WIDE |IADD3 |ISETP |IMAD IADD3 |IMAD IMAD.HI |IMAD.X |IADD3 IMAD.WIDE |SEL |MOV IMAD.HI |IMAD |IMAD.HI IADD3 |IMAD.X |IADD3 IMAD.HI |SEL |IADD3 IMAD.WIDE |IMAD IMAD.HI |IMAD.HI IADD3 |IADD3 IMAD.WIDE |IMAD.X IADD3 |IMAD ISETP |IMAD IMAD.X |IADD3 ISETP |IADD3 SEL |SEL ISETP |IADD3 ISETP |IMAD.X SEL |SEL IADD3 |ISETP SEL |IMAD.X |ISETP |MOV SEL |MOV |SEL SEL |RET",
);
const QUOTIENT_U64 = paths(
  "slowQuotient",
  LONG_CHECK,
  "",
  SHORT_QUOTIENT,
  "MOV CALL |MOV*2 I2F.U64 MUFU.RCP IADD3 F2I.U64 IMAD.WIDE |IMAD IADD3 |IMAD IMAD.HI |IMAD.X |MOV IMAD |IMAD.WIDE |IMAD.HI IMAD.HI IADD3 |IMAD.X IMAD.WIDE |IADD3 |IMAD IADD3 |IMAD IMAD.HI |IADD3 |MOV IMAD.WIDE |IMAD IMAD.HI |IMAD.HI IADD3 |IMAD.X IMAD.HI |IADD3 IMAD.WIDE |IMAD IMAD.HI |IMAD.HI IADD3 |IMAD.X IMAD.WIDE |IADD3 |IMAD IADD3 |IMAD ISETP |IMAD.X |IADD3*2 ISETP |IMAD.X |IADD3 SEL |SEL*3 ISETP |IADD3 |ISETP ISETP |IADD3 |ISETP SEL |MOV |SEL |MOV SEL |SEL |RET",
);
const REMAINDER_U64 = paths(
  "slowQuotient",
  LONG_CHECK,
  "",
  SHORT_REMAINDER,
  "MOV CALL |MOV*2 I2F.U64 MUFU.RCP IADD3 F2I.U64 IMAD.WIDE |IMAD IADD3 |IMAD IMAD.HI |IMAD.X |MOV IMAD |IMAD.WIDE |IMAD.HI IMAD.HI IADD3 |IMAD.X IMAD.WIDE |IADD3 |IMAD IADD3 |IMAD IMAD.HI |IADD3 |MOV IMAD.WIDE |IMAD IMAD.HI |IMAD.HI IADD3 |IMAD.X IMAD.HI |IADD3 IMAD.WIDE |IMAD IMAD.HI |IMAD.HI IADD3 |IMAD.X IMAD.WIDE |IADD3 |IMAD IADD3 |IMAD ISETP |IMAD.X |IADD3 ISETP |IADD3 SEL |SEL IADD3 |ISETP*2 IMAD.X |ISETP*2 SEL |SEL |MOV |MOV SEL |SEL |RET",
);

const PATHS: Readonly<Record<string, TwoPaths>> = {
  "div f32": QUOTIENT_F32,
  "rcp f32": RECIPROCAL_F32,
  "sqrt f32": ROOT_F32,
  "div f64": QUOTIENT_F64,
  "rcp f64": RECIPROCAL_F64,
  "sqrt f64": ROOT_F64,
  "div i64": QUOTIENT_I64,
  "rem i64": REMAINDER_I64,
  "div u64": QUOTIENT_U64,
  "rem u64": REMAINDER_U64,
};

/** Null if the operation has one path. */
export function twoPaths(op: string, type: RegisterType): TwoPaths | null {
  return PATHS[`${op} ${type}`] ?? null;
}

/** The machine instructions of a lane on the fast path. */
export function fastPathSlots({ check, common, fast }: TwoPaths): readonly IssueSlot[] {
  return [...sequence("BSSY"), ...check.slots, ...common, ...sequence("BRA"), ...fast, ...sequence("BSYNC")];
}
