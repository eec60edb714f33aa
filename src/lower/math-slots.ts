/**
 * The machine instructions of mathematical functions that nvcc writes in place, on the path that arguments take which are no
 * special case: machine code of nvcc 13.0 for sm_90, read by nvdisasm. `|` in front: does not wait for the one before it.
 */
import { sequence } from "./issue-slots.js";
import type { IssueSlot } from "./program.js";

export const FLOAT_FUNCTIONS: Readonly<Partial<Record<string, readonly IssueSlot[]>>> = Object.freeze({
  pow: sequence(
    "MOV:alu |BSSY:cbu |FMUL:fma |FSETP:alu FSEL:alu |FSEL:alu |IADD3:alu LOP3:alu IADD3:alu |I2FP:alu |FADD:fma |FADD:fma |FFMA:fma |FADD:fma |MUFU.RCP:xu FMUL:fma FADD:fma |FMUL:fma |FFMA:fma |FADD:fma |FFMA:fma |FADD:fma |FFMA:fma |FFMA:fma |FFMA:fma |FMUL:fma |FFMA:fma |FFMA:fma |FMUL:fma |FFMA:fma |FMUL:fma FFMA:fma FFMA:fma |MOV:alu |FADD:fma FMUL:fma |FADD:fma |FRND:xu |FADD:fma |FFMA:fma |FSETP:alu |FSETP:alu |FFMA:fma |F2I:xu |FADD:fma |FSETP:alu |FADD:fma |SEL:alu |FSETP:alu |FFMA:fma |IADD3:alu |FSETP:alu |FFMA:fma |LEA:alu |MOV:alu |FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FMUL:fma |@P.FSEL:alu |@P.BRA:cbu |FSETP:alu FSETP:alu @P.BRA:cbu |FMUL:fma |FSETP:alu FSETP:alu |FRND.TRUNC:xu |FSETP:alu |FADD:fma FADD:fma |@P.FADD:fma |FSETP:alu |@P.LOP3:alu @P.LOP3:alu @P.MOV:alu |@P.BRA:cbu |FSETP:alu |FSETP:alu |@P.BRA:cbu |FSETP:alu |MOV:alu |@P.BRA:cbu |BSYNC:cbu",
  ),
  tanh: sequence(
    "MOV:alu |MOV:alu |FMUL:fma |FMUL:fma |FSETP:alu |FSETP:alu |FFMA:fma |MUFU.EX2:xu FADD:fma |FFMA:fma FFMA:fma |MUFU.RCP:xu |FFMA:fma |FFMA:fma FSEL:alu LOP3:alu |@P.FFMA:fma",
  ),
  cbrt: sequence(
    "FMUL:fma |FSETP:alu |FADD:fma |FSEL:alu |FSETP:alu |MUFU.LG2:xu @P.FADD:fma |FSETP:alu |FMUL:fma MUFU.EX2:xu FMUL:fma FMUL:fma FFMA:fma FMUL:fma FFMA:fma @P.FSEL:alu",
  ),
  atan: sequence(
    "MOV:alu |MUFU.RCP:xu |FSETP:alu @P.MOV:alu |FSEL:alu FMUL:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FFMA:fma @P.FFMA:fma |FSETP:alu |LOP3:alu FSEL:alu",
  ),
  atan2: sequence(
    "BSSY:cbu |FSETP:alu FSEL:alu |FSEL:alu |MUFU.RCP:xu |FCHK:alu |FFMA:fma FFMA:fma |SHF.R:alu |FFMA:fma FFMA:fma FFMA:fma |@P.BRA:cbu |BSYNC:cbu |MOV:alu |FMUL:fma |BSSY:cbu |FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FFMA:fma |@P.BRA:cbu |ISETP:alu @P.BRA:cbu |MOV:alu FFMA:fma |BRA:cbu |BSYNC:cbu |FSETP:alu |MOV:alu |FSETP:alu |ISETP:alu @P.FSEL:alu |FADD:fma |@P.FSEL:alu |FSETP:alu |LOP3:alu FSEL:alu",
  ),
  expm1: sequence(
    "MOV:alu |FMUL:fma |FSETP:alu |FRND:xu FSEL:alu FSETP:alu |FFMA:fma FFMA:fma FFMA:fma |@P.FADD:fma |FFMA:fma |FMUL:fma |FSETP:alu |FFMA:fma |FSETP:alu |FSEL:alu |FFMA:fma |MUFU.EX2:xu |FMUL:fma FFMA:fma |@P.FMUL:fma |FSETP:alu |FADD:fma FFMA:fma @P.FADD:fma |FSETP:alu FSEL:alu FSEL:alu |@P.FADD:fma",
  ),
  log: sequence(
    "MOV:alu |FSETP:alu FSEL:alu |@P.FMUL:fma IADD3:alu |ISETP:alu |LOP3:alu IADD3:alu |I2FP:alu |FADD:fma |FFMA:fma |@P.MOV:alu |FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FFMA:fma |SHF.R:alu |FFMA:fma |@P.FFMA:fma |FSETP:alu FSEL:alu",
  ),
  log2: sequence(
    "MOV:alu |FSETP:alu FSEL:alu |@P.FMUL:fma IADD3:alu |ISETP:alu |LOP3:alu IADD3:alu |I2FP:alu |FADD:fma |FFMA:fma |@P.MOV:alu |FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FMUL:fma FFMA:fma FADD:fma |@P.FFMA:fma |FSETP:alu FSEL:alu",
  ),
  log10: sequence(
    "MOV:alu |FSETP:alu FSEL:alu |@P.FMUL:fma IADD3:alu |ISETP:alu |LOP3:alu |FSETP:alu |IADD3:alu |I2FP:alu |FADD:fma |FFMA:fma |@P.MOV:alu |FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FFMA:fma FFMA:fma |@P.FFMA:fma FMUL:fma FSEL:alu",
  ),
  log1p: sequence(
    "MOV:alu |MOV:alu |BSSY:cbu |FADD.RZ:fma |ISETP:alu |IADD3:alu LOP3:alu IADD3:alu |IADD3:alu |I2FP:alu |FFMA:fma FADD:fma |FMUL:fma |FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma FFMA:fma FFMA:fma |@P.BRA:cbu |BSYNC:cbu",
  ),
  asin: sequence(
    "MOV:alu |MOV:alu |FFMA:fma |FSETP:alu |FSETP:alu |MUFU.RSQ:xu FMUL:fma |FMUL:fma FFMA:fma FFMA:fma FSEL:alu FSEL:alu FMUL:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma |MOV:alu |FFMA:fma FMUL:fma @P.FFMA:fma FSETP:alu |LOP3:alu FSEL:alu",
  ),
  acos: sequence(
    "MOV:alu |MOV:alu |FFMA:fma |FSETP:alu |FSETP:alu |MUFU.RSQ:xu FMUL:fma |FMUL:fma FFMA:fma FFMA:fma FSEL:alu |FSETP:alu |FSEL:alu LOP3:alu FMUL:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FFMA:fma FMUL:fma |MOV:alu |FFMA:fma FSEL:alu @P.FFMA:fma @P.FADD:fma",
  ),
  sinh: sequence(
    "MOV:alu |MOV:alu |FMUL:fma |FMUL:fma FFMA:fma |FRND.TRUNC:xu |FFMA:fma FFMA:fma FMUL:fma |FSETP:alu |LOP3:alu FSEL:alu |FSETP:alu |FFMA:fma FFMA:fma |FADD:fma |FMUL:fma |SHF.L:alu |MUFU.EX2:xu FMUL:fma MUFU.RCP:xu FMUL:fma FFMA:fma LOP3:alu |@P.FFMA:fma",
  ),
  cosh: sequence(
    "MOV:alu |FMUL:fma FRND.TRUNC:xu FSETP:alu |LOP3:alu FSEL:alu FFMA:fma FFMA:fma |FADD:fma |FMUL:fma |SHF.L:alu |MUFU.EX2:xu FMUL:fma MUFU.RCP:xu FMUL:fma FFMA:fma",
  ),
});

export const DOUBLE_FUNCTIONS: Readonly<Partial<Record<string, readonly IssueSlot[]>>> = Object.freeze({
  exp: sequence(
    "MOV:alu |UMOV:alu |MOV:alu |UMOV:alu |BSSY:cbu |DFMA:fp64 |FSETP:alu |DADD:fp64 DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |MOV:alu |UMOV:alu |MOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 DFMA:fp64 DFMA:fp64 |IMAD:imad |MOV:alu |@P.BRA:cbu |BSYNC:cbu",
  ),
  log: sequence(
    "BSSY:cbu |ISETP:alu |MOV:alu |MOV:alu |@P.DMUL:fp64 |@P.MOV:alu VIADD:alu ISETP:alu @P.MOV:alu |@P.MOV:alu |@P.FSETP:alu |@P.DFMA:fp64 |MOV:alu |@P.MOV:alu |MOV:alu |@P.MOV:alu |@P.FSEL:alu |@P.FSEL:alu |@P.BRA:cbu |LOP3:alu |MOV:alu |UMOV:alu |MOV:alu |LOP3:alu |MOV:alu |UMOV:alu |MOV:alu |ISETP:alu |MOV:alu |LEA:alu |UMOV:alu |UMOV:alu |@P.VIADD:alu |@P.IADD3:alu |@P.MOV:alu |LOP3:alu |DADD:fp64 |DADD:fp64 |MUFU.RCP64H:xu |DFMA:fp64 DFMA:fp64 DFMA:fp64 DMUL:fp64 DFMA:fp64 DMUL:fp64 |DADD:fp64 |DFMA:fp64 |UMOV:alu |UMOV:alu |DADD:fp64 |DADD:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |DFMA:fp64 |DFMA:fp64 |UMOV:alu |UMOV:alu |DMUL:fp64 |DFMA:fp64 |DFMA:fp64 |UMOV:alu |UMOV:alu |DADD:fp64 |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DFMA:fp64 |UMOV:alu |UMOV:alu |DMUL:fp64 DFMA:fp64 DADD:fp64 DFMA:fp64 DADD:fp64 |BSYNC:cbu",
  ),
  sqrt: sequence(
    "MOV:alu |MOV:alu |BSSY:cbu |MUFU.RSQ64H:xu |VIADD:alu ISETP:alu |DMUL:fp64 DFMA:fp64 DFMA:fp64 |DMUL:fp64 DFMA:fp64 DMUL:fp64 |VIADD:alu |MOV:alu |DFMA:fp64 DFMA:fp64 |@P.BRA:cbu |BSYNC:cbu",
  ),
  div: sequence(
    "MOV:alu |BSSY:cbu |MUFU.RCP64H:xu |FSETP:alu |DFMA:fp64 DFMA:fp64 DFMA:fp64 DFMA:fp64 DFMA:fp64 DMUL:fp64 DFMA:fp64 DFMA:fp64 |FFMA:fma FSETP:alu @P.BRA:cbu |BSYNC:cbu",
  ),
  rcp: sequence(
    "BSSY:cbu |MUFU.RCP64H:xu |VIADD:alu FSETP:alu |DFMA:fp64 DFMA:fp64 DFMA:fp64 DFMA:fp64 DFMA:fp64 |@P.BRA:cbu |BSYNC:cbu",
  ),
  rsqrt: sequence(
    "MOV:alu |MOV:alu |MOV:alu |BSSY:cbu |MUFU.RSQ64H:xu |VIADD:alu ISETP:alu |DMUL:fp64 DFMA:fp64 DFMA:fp64 |DMUL:fp64 DFMA:fp64 |@P.BRA:cbu |BSYNC:cbu",
  ),
});
