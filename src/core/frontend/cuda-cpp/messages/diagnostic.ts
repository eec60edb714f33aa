/** clang's messages. */

export interface Diagnostic {
  readonly file: string;
  readonly line: number;
  /** 0-based. */
  readonly column: number;
  readonly message: string;
  readonly notes: string;
  /** Where what the message is about was asked for, such as an instance of a template: outermost last. */
  readonly requests: readonly { readonly file: string; readonly line: number; readonly column: number }[];
  readonly fatal: boolean;
}

/** The errors of clang's text, or its warnings, in its order, each with the notes below it. */
export function diagnosticsOf(text: string, wanted: "errors" | "warnings" = "errors"): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  let skips = false;
  for (const line of text.split("\n")) {
    const parts = /^(.*?):(\d+):(\d+): (fatal error|error|warning|note): (.*)$/.exec(line);
    if (parts === null) continue;
    const [, file = "", at = "1", column = "1", level = "", message = ""] = parts;
    const last = found.at(-1);
    const place = { file: file.replace(/^\.\//, ""), line: Number(at), column: Number(column) - 1 };
    if (level !== "note") skips = (level === "warning") !== (wanted === "warnings");
    if (skips) continue;
    if (level !== "note") {
      found.push({ ...place, message, notes: "", requests: [], fatal: level === "fatal error" });
    } else if (last !== undefined) {
      const requests = message.endsWith("requested here") ? [...last.requests, place] : last.requests;
      found[found.length - 1] = { ...last, notes: `${last.notes}${message}\n`, requests };
    }
  }
  return found;
}
