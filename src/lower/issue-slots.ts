/** Machine instructions written down: what an operation stands for. */
import type { IssueSlot, Pipe } from "./program.js";

function slot(mnemonic: string, pipe: Pipe, independent = false): IssueSlot {
  return { mnemonic, pipe, independent };
}

export function one(mnemonic: string, pipe: Pipe): readonly IssueSlot[] {
  return [slot(mnemonic, pipe)];
}

/** "MNEMONIC:pipe" each; a leading "|" marks a slot that need not wait for the one before. */
export function sequence(text: string): readonly IssueSlot[] {
  return text.split(" ").map((item) => {
    const independent = item.startsWith("|");
    const [mnemonic, pipe] = (independent ? item.slice(1) : item).split(":");
    return slot(mnemonic!, pipe as Pipe, independent);
  });
}

const PIPES: readonly (readonly [RegExp, Pipe])[] = [
  [/^(FFMA|FMUL|FADD)/, "fma"],
  [/^(MUFU|F2I|I2F\b|F2F|FRND|FCHK)/, "xu"],
  [/^IMAD/, "imad"],
  [/^(DFMA|DMUL|DADD|DSETP)/, "fp64"],
  [/^(BRA|BSSY|BSYNC|CALL|RET)/, "cbu"],
  [/^UMOV/, "uniform"],
  [/^LDC/, "constant"],
];

/** Mnemonics alone, "*n" n times; "|" as above. */
export function slotsOf(code: string): readonly IssueSlot[] {
  return code.split(" ").flatMap((item) => {
    const [, independent, mnemonic, times] = /^(\|?)(.*?)(?:\*(\d+))?$/.exec(item)!;
    const plain = mnemonic!.replace("@P.", "");
    const pipe = PIPES.find(([pattern]) => pattern.test(plain))?.[1] ?? "alu";
    return Array.from({ length: Number(times ?? 1) }, () => ({
      mnemonic: mnemonic!,
      pipe,
      independent: independent !== "",
    }));
  });
}
