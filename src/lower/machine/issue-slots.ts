/** Machine instructions written down: what an operation stands for. */
import type { IssueSlot, Pipe } from "../program.js";

/** The pipe of a mnemonic that names none; of all others the integer units'. */
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
 * Mnemonics, each with ":pipe" where that is not its usual one and with "*n" where there are n of them; a leading "|" marks a slot that
 * need not wait for the one before.
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
