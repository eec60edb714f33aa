/**
 * A line of a kernel's text as the learner wrote it. TypeScript, tslab and bundlers put a module object before imported names
 * (`exports.threadIdx`, `warplab_1.blockDim`, `(0, warplab_1.syncthreads)()`), which nobody has written.
 */

interface KernelText {
  readonly text: string;
}

/** Module objects as TypeScript (`lib_1`), esbuild (`import_lib`), Babel (`_lib`), Vite and webpack name them. */
const MODULE = /^(exports|import_\w+|_\w+|\w+_\d+|__vi_import_\d+__|\w*__WEBPACK_\w+)$/;

const MEMBER = /(\(0, )?(?<![\w$.])([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)(\))?/g;

/** A variable stands somewhere without a member after it, at least where it is declared; a module object never does. */
function isModule(name: string, text: string): boolean {
  return (
    MODULE.test(name) && !new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$]|\\.[A-Za-z_$])`).test(text)
  );
}

function written(part: string, text: string): string {
  return part.replace(MEMBER, (all: string, open: string | undefined, object: string, name: string, close = "") => {
    if (!isModule(object, text)) return all;
    return open !== undefined && close === ")" ? name : `${open ?? ""}${name}${close}`;
  });
}

/** The line, counted from 1; undefined where the text has no such line. */
export function writtenLine({ text }: KernelText, line: number): string | undefined {
  const compiled = text.split("\n")[line - 1];
  return compiled === undefined ? undefined : written(compiled, text);
}

/** Where a part of the text's line stands in the line as it was written. */
export function writtenSpan(
  { text }: KernelText,
  { line, column, length }: { readonly line: number; readonly column: number; readonly length: number },
): { readonly column: number; readonly length: number } {
  const compiled = text.split("\n")[line - 1] ?? "";
  // A span may begin after the "(0, " of a call, which is not shown.
  const before = compiled.slice(0, column).replace(/\(0, $/, "");
  const part = compiled.slice(column, column + length);
  return { column: written(before, text).length, length: written(part, text).length };
}
