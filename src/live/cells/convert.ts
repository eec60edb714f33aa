/**
 * A cell as JavaScript that runs in a session: TypeScript's types are erased, and what the cell declares becomes a
 * property of the session, where later cells find it and may declare it again. Lines stay where they are.
 */
import { type Node, type Pattern, parse, type Statement, type VariableDeclaration } from "acorn";
import { transform } from "sucrase";
import { caret, type Span } from "../../core/base/errors.js";
import { type CForm, cForm, typedVariable } from "../../core/frontend/cells/c-forms.js";

/** Names that the converted text finds around it. */
export const SESSION = "__session";
export const RESULT = "__result";
export const IMPORT = "__import";

/** Lines that stand before the cell's own in the converted text. */
export const LINES_BEFORE = 1;

export interface ConvertedCell {
  /** A function's text: it takes session, result and import, and returns a promise of the cell's end. */
  readonly code: string;
  /** What the cell declares. */
  readonly names: readonly string[];
}

/** A cell's text is no TypeScript. */
export class CellSyntaxError extends Error {
  constructor(
    readonly what: string,
    readonly span: Span,
    source: string,
    cure?: string,
  ) {
    const quoted = caret({ name: "cell", text: source, firstLine: 1 }, span);
    super([what, `  in this cell, line ${span.line}`, quoted, ...(cure === undefined ? [] : [cure])].join("\n"));
    // A form that the kernel language has otherwise is a kernel's error, as it is where the text parses.
    this.name = cure === undefined ? "SyntaxError" : "CompileError";
  }
}

function ofForm({ what, cure, span }: CForm, source: string): CellSyntaxError {
  return new CellSyntaxError(what, span, source, cure);
}

interface Objection {
  readonly what: string;
  readonly line: number;
  readonly column: number;
}

/** Sucrase and acorn end a message with the place: "(3:5)". */
function objectionOf(problem: unknown): Objection | null {
  if (!(problem instanceof Error)) return null;
  const found = /^(.*?) ?\((\d+):(\d+)\)$/s.exec(problem.message.replace("Error transforming cell: ", ""));
  if (found === null) return null;
  const [, what = "", line, column] = found;
  return { what: what.replace("sucrase: ", ""), line: Number(line), column: Number(column) };
}

/** Sucrase goes back to the begin of a function that it cannot read. Acorn, which knows no types, tells the place within. */
function acornObjection(source: string): Objection | null {
  try {
    parse(source, { ecmaVersion: "latest", sourceType: "module" });
    return null;
  } catch (problem) {
    return objectionOf(problem);
  }
}

function syntaxError(source: string, problem: unknown): unknown {
  if (problem instanceof CellSyntaxError) return problem;
  const form = cForm(source);
  if (form !== null) return ofForm(form, source);
  const first = objectionOf(problem);
  if (first === null) return problem;
  const other = acornObjection(source);
  const isLater = other !== null && other.line > first.line;
  const { what, line, column } = isLater ? other : first;
  const most = source.split("\n").length;
  const span = { line: Math.min(line, most), column: Math.max(0, column), length: 1 };
  return new CellSyntaxError(what, span, source);
}

function erased(source: string): string {
  return transform(source, {
    transforms: ["typescript"],
    disableESTransforms: true,
    keepUnusedImports: true,
  }).code;
}

function boundNames(pattern: Pattern): readonly string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((each) => boundNames(each.type === "RestElement" ? each : each.value));
    case "ArrayPattern":
      return pattern.elements.flatMap((each) => (each === null ? [] : boundNames(each)));
    case "RestElement":
      return boundNames(pattern.argument);
    case "AssignmentPattern":
      return boundNames(pattern.left);
    default:
      return [];
  }
}

/** The changes to one cell's text, and what stands before it. */
class Conversion {
  readonly #changes: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  readonly #before: string[] = [];
  readonly names: string[] = [];

  constructor(readonly text: string) {}

  convert(body: readonly (Statement | Node)[]): string {
    for (const statement of body) this.#statement(statement as Statement);
    const last = body.at(-1) as Statement | undefined;
    if (last?.type === "ExpressionStatement") {
      this.#change(last.start, last.start, `;${RESULT}.value = (`);
      this.#change(last.expression.end, last.end, ");");
    }
    let text = this.text;
    // From the end; of those at one place the last made comes last in the text.
    for (const { from, to, text: written } of this.#changes.reverse().sort((a, b) => b.from - a.from)) {
      text = `${text.slice(0, from)}${written}${text.slice(to)}`;
    }
    const before = this.#before.join(" ");
    return `(function (${SESSION}, ${RESULT}, ${IMPORT}) { with (${SESSION}) { return (async () => { "use strict"; ${before}
${text}
})(); } })`;
  }

  #change(from: number, to: number, text: string): void {
    const lost = this.text.slice(from, to).split("\n").length - text.split("\n").length;
    this.#changes.push({ from, to, text: text + "\n".repeat(Math.max(0, lost)) });
  }

  #statement(statement: Statement): void {
    const node = statement as Node & { readonly type: string };
    switch (node.type) {
      case "VariableDeclaration":
        this.#variables(statement as VariableDeclaration);
        break;
      case "FunctionDeclaration": {
        const { name } = (statement as { id: { name: string } } & Statement).id;
        this.names.push(name);
        this.#before.push(`${SESSION}.${name} = ${name};`);
        break;
      }
      case "ClassDeclaration": {
        const { name } = (statement as { id: { name: string } } & Statement).id;
        this.names.push(name);
        this.#change(node.start, node.start, `;${SESSION}.${name} = `);
        this.#change(node.end, node.end, ";");
        break;
      }
      case "ImportDeclaration":
        // The parser's own types have a node's kind as a text alone.
        this.#import(statement as unknown as ImportStatement);
        break;
      case "ExportNamedDeclaration": {
        const { declaration } = statement as unknown as { readonly declaration: Statement | null };
        this.#change(node.start, declaration?.start ?? node.end, "");
        if (declaration !== null) this.#statement(declaration);
        break;
      }
    }
  }

  /** `const a = 1, { b } = f()` becomes `;(a = 1, { b } = f())`: what is declared is the session's. */
  #variables({ start, end, kind, declarations }: VariableDeclaration): void {
    this.#change(start, start + kind.length, ";(");
    for (const { id, init } of declarations) {
      this.names.push(...boundNames(id));
      if (init === null || init === undefined) this.#change(id.end, id.end, " = undefined");
    }
    const last = declarations.at(-1)!;
    this.#change((last.init ?? last.id).end, (last.init ?? last.id).end, ")");
    if (this.text[end - 1] !== ";") this.#change(end, end, ";");
  }

  #import({ start, end, source, specifiers }: ImportStatement): void {
    this.#change(start, end, "");
    const module = `${IMPORT}(${JSON.stringify(source.value)})`;
    this.#before.push(`${module};`);
    for (const { type, local, imported } of specifiers) {
      const name = imported?.name ?? imported?.value ?? "default";
      const value =
        type === "ImportNamespaceSpecifier" ? module : `${IMPORT}(${JSON.stringify(source.value)}, "${name}")`;
      this.names.push(local.name);
      this.#before.push(`${SESSION}.${local.name} = ${value};`);
    }
  }
}

interface ImportStatement extends Node {
  readonly source: { readonly value: string };
  readonly specifiers: readonly {
    readonly type: string;
    readonly local: { readonly name: string };
    readonly imported?: { readonly name?: string; readonly value?: string };
  }[];
}

/** @throws CellSyntaxError where the text is no TypeScript */
export function convertCell(source: string): ConvertedCell {
  try {
    const typed = typedVariable(source);
    if (typed !== null) throw ofForm(typed, source);
    const text = erased(source);
    const program = parse(text, { ecmaVersion: "latest", sourceType: "module", preserveParens: true });
    const conversion = new Conversion(text);
    const code = conversion.convert(program.body);
    return { code, names: [...new Set(conversion.names)] };
  } catch (problem) {
    throw syntaxError(source, problem);
  }
}
