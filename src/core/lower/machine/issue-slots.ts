/** A short notation for sequences of machine instructions. */
import type { IssueSlot, Pipe } from "../program.js";

/** The pipe of a mnemonic without a pipe; the default is the integer ALU. */
const PIPES: readonly (readonly [RegExp, Pipe])[] = [
  [/^(FFMA|FMUL|FADD)/, "fma"],
  [/^(MUFU|F2I|I2F\b|F2F|FRND|FCHK)/, "xu"],
  [/^IMAD/, "imad"],
  [/^(DFMA|DMUL|DADD|DSETP)/, "fp64"],
  [/^(BRA|BSSY|BSYNC|CALL|RET)/, "cbu"],
  [/^UMOV/, "uniform"],
  [/^LDC/, "constant"],
];

function usualPipe(mnemonic: string): Pipe {
  const plain = mnemonic.replace("@P.", "");
  return PIPES.find(([pattern]) => pattern.test(plain))?.[1] ?? "alu";
}

export function one(mnemonic: string, pipe: Pipe): readonly IssueSlot[] {
  return [{ mnemonic, pipe, independent: false }];
}

/**
 * Parses mnemonics, each with ":pipe" if it is not the usual one and "*n" for n of them. A leading "|" marks a slot
 * that does not wait for the previous one.
 */
export function sequence(text: string): readonly IssueSlot[] {
  return text.split(" ").flatMap((item) => {
    const [, mark, mnemonic, pipe, times] = /^(\|?)([^:*]+)(?::(\w+))?(?:\*(\d+))?$/.exec(item)!;
    return Array.from({ length: Number(times ?? 1) }, () => ({
      mnemonic: mnemonic!,
      pipe: (pipe as Pipe | undefined) ?? usualPipe(mnemonic!),
      independent: mark !== "",
    }));
  });
}
