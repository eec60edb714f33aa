/**
 * One function's text while it is translated: the state that its readers share. Expressions hold calls, and calls hold
 * expressions, so the readers of different kinds of text reach each other through the translator.
 */
import type { Expression, Node, Statement } from "acorn";
import { CompileError, type Span } from "../../base/errors.js";
import type { Expr, Stmt, VariableExpr } from "../../ir/ir.js";
import type { Scalar, VectorType } from "../../ir/types.js";
import type { Callee } from "../declare/definition.js";
import { lastDefined, lastDevice } from "../declare/definitions.js";
import type { Form } from "../declare/form.js";
import { refusedSyntax } from "../text/refused.js";
import type { Report } from "../text/report.js";
import { aType } from "../text/type-name.js";
import { type AssignedNames, assignedNames } from "./assigned-names.js";
import type { KernelTables, OwnParameter } from "./kernel-tables.js";
import { Scope } from "./names/scope.js";
import type { ParsedSource } from "./parsed-source.js";
import { isScalarExpr, type ScalarExpr, type ValueExpr } from "./values/convert.js";
import type { OperatorContext } from "./values/operators.js";
import { cureFor, describe, type Members, type PointerValue, type Value } from "./values/value.js";

/** Mean length of a line beyond which a text is taken for a minifier's. */
const MINIFIED_LINE_LENGTH = 150;

/** One reader for each kind of text. */
export interface Readers {
  value(t: Translator, node: Expression): Value;
  condition(t: Translator, node: Expression): ScalarExpr;
  statement(t: Translator, node: Statement): void;
  expressionStatement(t: Translator, node: Expression): void;
}

/** A kernel or a device function with all that its text can name. */
export interface FunctionInput {
  readonly source: ParsedSource;
  readonly report: Report;
  readonly tables: KernelTables;
  /** Parameters by name. */
  readonly params: Members;
  /** Template constants and device functions by name. */
  readonly constants: Members;
  /** False for a device function. */
  readonly isKernel: boolean;
  /** Parameters of the kernel being translated, for launch(self, ...). */
  readonly ownParameters: readonly OwnParameter[];
  /** How the kernel is written, for messages. */
  readonly form: Form;
}

/** A return whose value gets its final type once all returns of the function are known. */
export interface PendingReturn {
  readonly kind: "return";
  value: Expr | null;
  readonly span: Span;
}

export class Translator implements OperatorContext, FunctionInput {
  readonly source: ParsedSource;
  readonly report: Report;
  readonly tables: KernelTables;
  readonly params: Members;
  readonly constants: Members;
  readonly isKernel: boolean;
  readonly ownParameters: readonly OwnParameter[];
  readonly form: Form;
  readonly nonNegative: Set<number> = new Set();
  /** Arrays made at a place of the text: where a text is read twice (switch arms), it stays one array. */
  readonly arraysByNode: Map<Node, PointerValue> = new Map();
  readonly assigned: AssignedNames;
  readonly returns: PendingReturn[] = [];
  scope: Scope = new Scope(null);
  /** Statements of the list that is being read. */
  output: Stmt[] = [];
  /** True after a jump that constants make certain: `if (N === 0) return;` rules out the rest of its block. */
  unreachable = false;
  /** The name that the result of the expression being read will have, for arrays. */
  resultName: string | null = null;
  /** Above 0 inside of loop conditions, right sides of && and || and arms of ?:, where no statement can be added. */
  private repeated = 0;

  constructor(
    input: FunctionInput,
    private readonly readers: Readers,
  ) {
    this.source = input.source;
    this.report = input.report;
    this.tables = input.tables;
    this.params = input.params;
    this.constants = input.constants;
    this.isKernel = input.isKernel;
    this.ownParameters = input.ownParameters;
    this.form = input.form;
    this.assigned = assignedNames(input.source.tree);
  }

  /** True for a text that a minifier seems to have made. */
  get isMinified(): boolean {
    const { text } = this.source.text;
    return text.length / text.split("\n").length > MINIFIED_LINE_LENGTH;
  }

  span(node: { readonly start: number; readonly end: number }): Span {
    return this.source.span(node);
  }

  value(node: Expression): Value {
    return this.readers.value(this, node);
  }

  condition(node: Expression): ScalarExpr {
    return this.readers.condition(this, node);
  }

  statement(node: Statement): void {
    this.readers.statement(this, node);
  }

  expressionStatement(node: Expression): void {
    this.readers.expressionStatement(this, node);
  }

  /** A scalar or vector. */
  expr(node: Expression): ValueExpr {
    const value = this.value(node);
    if (value.kind === "expr") {
      if (value.expr.type !== "void") return value.expr;
      return this.report.fail(this.span(node), "This call gives no value.", "Call it as a statement of its own.");
    }
    return this.report.fail(this.span(node), `A value is needed here; this is ${describe(value)}.`, cureFor(value));
  }

  scalar(node: Expression): ScalarExpr {
    const expr = this.expr(node);
    if (isScalarExpr(expr)) return expr;
    return this.report.fail(
      this.span(node),
      `A number is needed here; this is ${aType(expr.type)}.`,
      "Take one component: .x, .y, .z or .w.",
    );
  }

  /** Adds a statement before the one that is being read. */
  emit(statement: Stmt): void {
    this.output.push(statement);
  }

  /** A variable that holds `value`, declared before the statement that is being read. */
  hold<T extends Scalar | VectorType>(
    name: string,
    value: ValueExpr & { readonly type: T },
  ): VariableExpr & { readonly type: T } {
    if (this.repeated > 0) {
      this.report.fail(
        value.span,
        "This stands where it may run never, or again and again.",
        "Give it a name in a statement before: const group = coalesced_threads();",
      );
    }
    const variable = this.tables.variables.length;
    this.tables.variables.push({ name, type: value.type, mutable: false, span: value.span });
    this.emit({ kind: "declare", variable, value, span: value.span });
    return { kind: "variable", type: value.type, variable, span: value.span };
  }

  /** The statements that `work` makes, in a scope of their own. */
  collect(work: () => void): readonly Stmt[] {
    const { output: outer, scope: outerScope, unreachable } = this;
    const collected: Stmt[] = [];
    this.output = collected;
    this.scope = new Scope(outerScope);
    work();
    this.output = outer;
    this.scope = outerScope;
    this.unreachable = unreachable;
    return collected;
  }

  /** The result of `work` on a text that may run never, or more than once. */
  notOnce<T>(work: () => T): T {
    this.repeated++;
    const result = work();
    this.repeated--;
    return result;
  }

  /** The result of `work` on a text that is read for its type alone and leaves no trace; null where it is refused. */
  readForType<T>(work: () => T): T | null {
    const restore = this.tables.savepoint();
    const { output, repeated, resultName } = this;
    const [known, made] = [this.nonNegative.size, this.arraysByNode.size];
    this.output = [];
    this.tables.readForType++;
    try {
      return work();
    } catch (failure) {
      if (failure instanceof CompileError) return null;
      throw failure;
    } finally {
      this.tables.readForType--;
      restore();
      this.output = output;
      this.repeated = repeated;
      this.resultName = resultName;
      forgetAfter(this.nonNegative, known);
      forgetAfter(this.arraysByNode, made);
    }
  }

  /** Fails for JavaScript that kernels do not have, by the name of its node. */
  refuseSyntax(type: string, span: Span): never {
    const refusal = refusedSyntax[type];
    if (refusal === undefined) throw new Error(`the kernel language says nothing of ${type}`);
    return this.report.fail(span, refusal.what, refusal.cure);
  }

  /** True for a name that the text does not declare. */
  isFree(name: string): boolean {
    return this.scope.find(name) === undefined;
  }

  /** Every name that is visible here, CUDA's words left out, for messages. */
  visibleNames(): Iterable<string> {
    const own: readonly Value["kind"][] = ["expr", "pointer", "record", "group", "device", "child"];
    return [...this.scope.visible()].filter((name) => own.includes(this.scope.find(name)?.value.kind ?? "builtin"));
  }

  /** The device function or kernel that a free name means; its own name means no kernel that was made before. */
  defined(name: string): Callee | undefined {
    const last = this.isOwnName(name) ? lastDevice : lastDefined;
    const callee = this.tables.named.get(name) ?? last(name);
    if (callee !== undefined) this.tables.named.set(name, callee);
    return callee;
  }

  /** True for the name of the kernel or device function that is being read. */
  isOwnName(name: string): boolean {
    return name === this.source.text.name || name === this.source.tree.id?.name;
  }
}

/** Takes out what was added last, all but the first `count` keys: nothing else is ever taken out. */
function forgetAfter<K>(
  table: { readonly size: number; keys(): Iterable<K>; delete(key: K): boolean },
  count: number,
): void {
  if (table.size === count) return;
  for (const key of [...table.keys()].slice(count)) table.delete(key);
}

/** One call of a word of the language. */
export interface CallSite {
  readonly name: string;
  readonly args: readonly Expression[];
  readonly span: Span;
  readonly node: Node;
}

export type CallHandler = (translator: Translator, call: CallSite) => Value;
