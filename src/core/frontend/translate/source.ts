/** Parses a kernel's text with acorn; it is never run. */
import type { Comment, Expression } from "acorn";
import { parseExpressionAt } from "acorn";
import { CompileError, type SourceText, type Span } from "../../base/errors.js";
import type { SourcePlace } from "../../base/source-place.js";
import { isStackOverflow, nestedTooDeeply } from "../../base/stack-overflow.js";
import { checkNesting, MOST_CHARACTERS } from "../text/size-limits.js";
import { plainNames } from "./names/plain-names.js";
import type { KernelNode, ParsedSource } from "./parsed-source.js";

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function placer(text: string, wrapped: number): (node: { readonly start: number; readonly end: number }) => Span {
  const starts = lineStarts(text);
  return ({ start, end }) => {
    const from = Math.max(0, Math.min(text.length, start - wrapped));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= from) low = middle;
      else high = middle - 1;
    }
    const lineStart = starts[low] ?? 0;
    const lineEnd = starts[low + 1] ?? text.length + 1;
    // A span stays on its first line, so that a caret can stand under it.
    const length = Math.max(1, Math.min(end - wrapped, lineEnd - 1) - from);
    return { line: low + 1, column: from - lineStart, length };
  };
}

interface Attempt {
  readonly expression: Expression;
  readonly comments: readonly Comment[];
}

function attempt(text: string): Attempt {
  const comments: Comment[] = [];
  const expression = parseExpressionAt(text, 0, { ecmaVersion: "latest", onComment: comments });
  return { expression, comments };
}

function asFunction(expression: Expression): KernelNode | null {
  if (expression.type === "ArrowFunctionExpression" || expression.type === "FunctionExpression") return expression;
  if (expression.type === "ObjectExpression" && expression.properties.length === 1) {
    const property = expression.properties[0];
    if (property?.type === "Property" && property.value.type === "FunctionExpression") return property.value;
  }
  return null;
}

/** Nothing may follow the function: it would be passed over. `end`: of the function, or of the object that wraps a method. */
function refuseMore(source: SourceText, text: string, end: number, wrap: string): void {
  const from = wrap === "(" ? end : text.length;
  const rest = text.slice(from);
  const code = rest.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (comment) => " ".repeat(comment.length));
  const at = code.search(/\S/);
  if (at < 0) return;
  throw new CompileError({
    what: `The text of ${source.kind ?? "kernel"} "${source.name}" goes on after the end of the function.`,
    cure: "Give one function, and nothing after it.",
    source,
    span: placer(text, 0)({ start: from + at, end: from + at + 1 }),
  });
}

/** Parses the text of an arrow function, a function expression or a method. Throws CompileError. */
export function parseSource(name: string, text: string, place?: SourcePlace, kind?: "device function"): ParsedSource {
  const source: SourceText = {
    name,
    text,
    firstLine: 1,
    ...(kind === undefined ? {} : { kind }),
    ...(place === undefined ? {} : { where: place.where }),
    ...(place?.lines == null ? {} : { lines: place.lines }),
  };
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text)) {
    throw new CompileError({
      what: `The text of ${kind ?? "kernel"} "${name}" cannot be read: the function is bound or built in.`,
      cure: "Give the function itself, written in place as an arrow function: ({ input, output }, ...) => { ... }.",
    });
  }
  const which = `${kind ?? "kernel"} "${name}"`;
  if (text.length > MOST_CHARACTERS) {
    throw new CompileError({
      what: `The text of ${which} has ${text.length} characters; ${MOST_CHARACTERS} can be compiled.`,
      cure: "Put data into a buffer that the launch is given, and split the work over several kernels.",
    });
  }
  let firstFailure: unknown;
  for (const wrap of ["(", "({"]) {
    const parse = (written: string): Attempt => attempt(`${wrap}${written}${wrap === "(" ? ")" : "})"}`);
    try {
      const first = parse(text);
      checkNesting(first.expression, (node, what, cure) => {
        throw new CompileError({ what, cure, source, span: placer(text, wrap.length)(node) });
      });
      refuseMore(source, text, first.expression.end - wrap.length, wrap);
      const isOther = asFunction(first.expression) === null;
      const plain = isOther ? text : plainNames(text, name, first.expression, wrap.length);
      const { expression, comments } = plain === text ? first : parse(plain);
      const tree = asFunction(expression);
      const written: ParsedSource["written"] = ({ start, end }) => plain.slice(start - wrap.length, end - wrap.length);
      if (tree !== null) {
        const span = placer(plain, wrap.length);
        return { text: { ...source, text: plain }, tree, comments, wrapped: wrap.length, span, written };
      }
    } catch (failure) {
      if (failure instanceof CompileError) throw failure;
      firstFailure ??= failure;
    }
  }
  if (isStackOverflow(firstFailure)) throw nestedTooDeeply(which);
  const at = firstFailure instanceof SyntaxError && "pos" in firstFailure ? Number(firstFailure.pos) : 1;
  const reason = firstFailure instanceof Error ? firstFailure.message.replace(/ \(\d+:\d+\)$/, "") : "no function";
  throw new CompileError({
    what: `The text of ${kind ?? "kernel"} "${name}" is not a function that can be read: ${reason}.`,
    cure: "Write the kernel as an arrow function or a function expression.",
    source,
    span: placer(text, 1)({ start: at, end: at + 1 }),
  });
}
