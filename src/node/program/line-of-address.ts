/** The line of a program that an address in its module belongs to, by the line table that clang has written. */
import { caret, placeText as lineText } from "../../core/base/errors.js";
import { runClang } from "../clang/clang.js";
import { PREFIX, sourceOf } from "./program-folder.js";

export interface ProgramLine {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const CODE_SECTION = 10;

/** Where the code section's content begins: line tables count from there. */
function codeStart(bytes: Uint8Array): number {
  let at = 8;
  const number = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const section = bytes[at++];
    const size = number();
    if (section === CODE_SECTION) return at;
    at += size;
  }
  return 0;
}

/** The innermost of the addresses that lies in the program's own text; null where none does. */
export function lineOfAddresses(bytes: Uint8Array, addresses: readonly number[]): ProgramLine | null {
  const start = codeStart(bytes);
  const asked = addresses.filter((address) => address >= start).map((address) => `0x${(address - start).toString(16)}`);
  if (asked.length === 0) return null;
  const { output } = runClang({
    args: ["llvm-symbolizer", "--obj=program.wasm", "--no-demangle", "--functions=none", ...asked],
    files: { "program.wasm": bytes },
  });
  for (const found of output.matchAll(/^(.*):(\d+):(\d+)$/gm)) {
    const [, file = "", line, column] = found;
    const own = file.replace(/^\//, "").replace(PREFIX, "");
    if (/^\/usr\/|^\?\?/.test(file) || own.startsWith("usr/") || own === "warplab_host.h" || Number(line) === 0)
      continue;
    return { file: own, line: Number(line), column: Number(column) };
  }
  return null;
}

/** The addresses of an error's stack, innermost first. */
export function stackAddresses(stack: string): readonly number[] {
  return [...stack.matchAll(/wasm-function\[\d+\]:(0x[0-9a-f]+)/g)].map(([, address = "0"]) => Number(address));
}

/** A line with a caret, for a message. */
export function placeText(texts: ReadonlyMap<string, string>, { file, line, column }: ProgramLine): string {
  const source = sourceOf(texts, file.startsWith(PREFIX) ? file : `${PREFIX}${file}`);
  return `  ${lineText(source, line)}\n${caret(source, { line, column: Math.max(0, column - 1), length: 1 })}`;
}
