/** The machine instructions of 64-bit addresses that one IMAD.WIDE cannot compute. */
import type { IssueSlot } from "../program.js";

export const LEA: IssueSlot = Object.freeze({ mnemonic: "LEA", pipe: "alu", independent: false });
export const LEA_HIGH: IssueSlot = Object.freeze({ mnemonic: "LEA.HI.X", pipe: "alu", independent: false });
export const SIGN: IssueSlot = Object.freeze({ mnemonic: "SHF.R.S32.HI", pipe: "alu", independent: true });
export const SHIFT: IssueSlot = Object.freeze({ mnemonic: "IMAD.SHL.U32", pipe: "imad", independent: false });
export const SHIFT_HIGH: IssueSlot = Object.freeze({ mnemonic: "SHF.L.U64.HI", pipe: "alu", independent: false });
export const ADD: IssueSlot = Object.freeze({ mnemonic: "IADD3", pipe: "alu", independent: false });
export const ADD_HIGH: IssueSlot = Object.freeze({ mnemonic: "IADD3.X", pipe: "alu", independent: false });
