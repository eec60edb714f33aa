/** Tokens of CUDA C++ text, with simple macros (`#define NAME tokens`) expanded. */
import type { Span } from "../../base/errors.js";

export interface Token {
  readonly kind: "name" | "number" | "string" | "punctuation" | "pragma" | "end";
  readonly text: string;
  readonly span: Span;
}

const PATTERN =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(#(?:[^\n\\]|\\\n|\\)*)|([A-Za-z_]\w*)|((?:0[xX][0-9a-fA-F]+|\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+(?:[eE][+-]?\d+)?)[uUlLfF]*)|("(?:[^"\\]|\\.)*")|(<<=|>>=|\+\+|--|->|&&|\|\||<<|>>|[-+*/%&|^<>=!]=|[-+*/%&|^<>=!~?:;,.(){}[\]])|(\s+)/y;

export function tokenize(text: string): Token[] {
  const macros = new Map<string, Token[]>();
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  PATTERN.lastIndex = 0;
  for (let at = 0; at < text.length; ) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(text);
    if (match === null) throw new Error(`cannot read "${text.slice(at, at + 20)}" in line ${line}`);
    const span = { line, column: at - lineStart, length: match[0].length };
    const [whole, , directive, name, number, string, punctuation] = match;
    if (directive !== undefined) {
      const define = /^#define\s+(\w+)\s*([\s\S]*)$/.exec(directive.replace(/\\\n/g, "\n"));
      const unroll = /^#pragma\s+unroll\s*\(?(\d*)/.exec(directive);
      if (unroll !== null) tokens.push({ kind: "pragma", text: unroll[1]!, span });
      if (define !== null) macros.set(define[1]!, tokenize(define[2]!).slice(0, -1));
    } else if (name !== undefined) {
      const macro = macros.get(name);
      if (macro === undefined) tokens.push({ kind: "name", text: name, span });
      else tokens.push(...expand(macro, macros, span));
    } else if (number !== undefined) tokens.push({ kind: "number", text: number, span });
    else if (string !== undefined) tokens.push({ kind: "string", text: string, span });
    else if (punctuation !== undefined) tokens.push({ kind: "punctuation", text: punctuation, span });
    for (let i = 0; i < whole.length; i++) {
      if (whole[i] === "\n") {
        line++;
        lineStart = at + i + 1;
      }
    }
    at += whole.length;
  }
  tokens.push({ kind: "end", text: "", span: { line, column: 0, length: 1 } });
  return tokens;
}

function expand(macro: readonly Token[], macros: ReadonlyMap<string, Token[]>, span: Span): Token[] {
  return macro.flatMap((token) => {
    const inner = token.kind === "name" ? macros.get(token.text) : undefined;
    return inner === undefined ? [{ ...token, span }] : expand(inner, macros, span);
  });
}
