/** CUDA C++ text of IR statements, with the learner's lines as comments where a new one begins. */
import { editorLine, type SourceText } from "../base/errors.js";
import { writtenLine } from "../base/written-line.js";
import type { Expr, KernelIr, LaunchStream, LoopStmt, Stmt } from "../ir/ir.js";
import { cudaName, isPointer } from "../ir/types.js";
import { compoundText, convertedText, elementText, expressionText, pointerText, type Scope } from "./expression.js";

export interface StatementContext {
  readonly ir: KernelIr;
  readonly scope: Scope;
  readonly source: SourceText;
  /** false leaves the comments out. */
  readonly comments: boolean;
}

interface Writer {
  readonly lines: string[];
  lastLine: number;
}

const STREAM_WORDS: Readonly<Record<LaunchStream, string>> = {
  block: "",
  fireAndForget: ", cudaStreamFireAndForget",
  tail: ", cudaStreamTailLaunch",
};

function indent(depth: number): string {
  return "  ".repeat(depth);
}

function quoted(format: string): string {
  return JSON.stringify(format);
}

const COMPONENTS = "xyzw";

/** A statement that can stand in a for header, without its semicolon; null if it cannot. */
function headerText(stmt: Stmt, context: StatementContext): string | null {
  switch (stmt.kind) {
    case "declare": {
      const variable = context.ir.variables[stmt.variable];
      if (variable === undefined || isPointer(variable.type)) return null;
      return `${cudaName(variable.type)} ${context.scope.variables[stmt.variable]} = ${convertedText(stmt.value, context.scope)}`;
    }
    case "assign":
      return assignText(stmt.variable, stmt.component, stmt.value, context);
    case "expr":
      return expressionText(stmt.value, context.scope);
    default:
      return null;
  }
}

function assignText(variable: number, component: number | null, value: Expr, context: StatementContext): string {
  const name = context.scope.variables[variable] ?? "?";
  const target = component === null ? name : `${name}.${COMPONENTS[component]}`;
  if (value.kind === "pointer") return `${target} = ${pointerText(value, context.scope)}`;
  return compoundText(target, value, context.scope) ?? `${target} = ${convertedText(value, context.scope)}`;
}

function loopText(loop: LoopStmt, depth: number, context: StatementContext, writer: Writer): void {
  const pad = indent(depth);
  const condition = loop.condition === null ? "" : expressionText(loop.condition, context.scope);
  if (loop.unroll !== null) writer.lines.push(`${pad}#pragma unroll${loop.unroll === "full" ? "" : ` ${loop.unroll}`}`);
  if (!loop.testFirst) {
    writer.lines.push(`${pad}do {`);
    blockText(loop.body, depth + 1, context, writer);
    writer.lines.push(`${pad}} while (${condition === "" ? "true" : condition});`);
    return;
  }
  const init = loop.init.map((stmt) => headerText(stmt, context));
  const update = loop.update.map((stmt) => headerText(stmt, context));
  const declarations = loop.init.filter((stmt) => stmt.kind === "declare").length;
  const simpleInit = !init.includes(null) && (declarations === 0 || init.length === 1);
  const outside = simpleInit ? "" : pad;
  let inner = depth;
  if (!simpleInit) {
    writer.lines.push(`${outside}{`);
    blockText(loop.init, depth + 1, context, writer);
    inner = depth + 1;
  }
  const innerPad = indent(inner);
  const header =
    loop.init.length === 0 && loop.update.length === 0
      ? `while (${condition === "" ? "true" : condition})`
      : `for (${simpleInit ? init.join(", ") : ""}; ${condition}; ${update.join(", ")})`;
  writer.lines.push(`${innerPad}${header} {`);
  blockText(loop.body, inner + 1, context, writer);
  writer.lines.push(`${innerPad}}`);
  if (!simpleInit) writer.lines.push(`${outside}}`);
}

function comment(stmt: Stmt, depth: number, context: StatementContext, writer: Writer): void {
  if (!context.comments || stmt.kind === "block" || stmt.span.line === writer.lastLine) return;
  const text = writtenLine(context.source, stmt.span.line)?.trim();
  writer.lastLine = stmt.span.line;
  if (text === undefined || text === "") return;
  writer.lines.push(`${indent(depth)}// ${editorLine(context.source, stmt.span.line)}: ${text.replace(/\\+$/, "")}`);
}

function statementText(stmt: Stmt, depth: number, context: StatementContext, writer: Writer): void {
  comment(stmt, depth, context, writer);
  const pad = indent(depth);
  const { scope, ir } = context;
  switch (stmt.kind) {
    case "declare": {
      const variable = ir.variables[stmt.variable];
      if (variable === undefined) return;
      const value = stmt.value.kind === "pointer" ? pointerText(stmt.value, scope) : convertedText(stmt.value, scope);
      const constant = variable.mutable || isPointer(variable.type) ? "" : "const ";
      writer.lines.push(`${pad}${constant}${cudaName(variable.type)} ${scope.variables[stmt.variable]} = ${value};`);
      return;
    }
    case "assign":
      writer.lines.push(`${pad}${assignText(stmt.variable, stmt.component, stmt.value, context)};`);
      return;
    case "store": {
      const target = elementText(stmt.pointer, stmt.index, scope);
      const compound = stmt.compound ? compoundText(target, stmt.value, scope) : null;
      writer.lines.push(`${pad}${compound ?? `${target} = ${convertedText(stmt.value, scope)}`};`);
      return;
    }
    case "expr":
      writer.lines.push(`${pad}${expressionText(stmt.value, scope)};`);
      return;
    case "if":
      writer.lines.push(`${pad}if (${expressionText(stmt.condition, scope)}) {`);
      blockText(stmt.then, depth + 1, context, writer);
      if (stmt.else.length > 0) {
        writer.lines.push(`${pad}} else {`);
        blockText(stmt.else, depth + 1, context, writer);
      }
      writer.lines.push(`${pad}}`);
      return;
    case "loop":
      loopText(stmt, depth, context, writer);
      return;
    case "break":
      writer.lines.push(`${pad}break;`);
      return;
    case "continue":
      writer.lines.push(`${pad}continue;`);
      return;
    case "return":
      writer.lines.push(stmt.value === null ? `${pad}return;` : `${pad}return ${convertedText(stmt.value, scope)};`);
      return;
    case "printf":
      if (stmt.asserts === true) {
        writer.lines.push(`${pad}__trap();`);
        return;
      }
      writer.lines.push(
        `${pad}printf(${[quoted(stmt.format), ...stmt.args.map((arg) => expressionText(arg, scope))].join(", ")});`,
      );
      return;
    case "launch": {
      const dim = (sizes: readonly Expr[]): string =>
        `dim3(${sizes.map((size) => convertedText(size, scope)).join(", ")})`;
      const callee = stmt.kernel === "self" ? scope.self : (scope.children[stmt.kernel] ?? "?");
      const sizes = `${dim(stmt.grid)}, ${dim(stmt.block)}, ${convertedText(stmt.sharedBytes, scope)}`;
      const config = `${sizes}${STREAM_WORDS[stmt.stream]}`;
      writer.lines.push(
        `${pad}${callee}<<<${config}>>>(${stmt.args.map((arg) => convertedText(arg, scope)).join(", ")});`,
      );
      return;
    }
    case "block":
      writer.lines.push(`${pad}{`);
      blockText(stmt.body, depth + 1, context, writer);
      writer.lines.push(`${pad}}`);
  }
}

function blockText(body: readonly Stmt[], depth: number, context: StatementContext, writer: Writer): void {
  for (const stmt of body) statementText(stmt, depth, context, writer);
}

/** Lines of a function's body, indented once. */
export function bodyLines(body: readonly Stmt[], context: StatementContext): readonly string[] {
  const writer: Writer = { lines: [], lastLine: -1 };
  blockText(body, 1, context, writer);
  return writer.lines;
}
