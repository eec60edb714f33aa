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
