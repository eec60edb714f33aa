/** One function's text as a whole: its three arguments, its body, the type of its returns. */
import type { Expression, Node, Pattern } from "acorn";
import type { Span } from "../../base/errors.js";
import type { Stmt } from "../../ir/ir.js";
import { cudaName, isScalar, type Scalar, type VectorType } from "../../ir/types.js";
import type { Form } from "../declare/form.js";
import type { Report } from "../text/report.js";
import { walk } from "../text/tree.js";
import { aType } from "../text/type-name.js";
import { assign, commonType } from "./convert.js";
import { isConst } from "./fold.js";
import type { Members } from "./name.js";
import { Scope } from "./scope.js";
import type { ParsedSource } from "./source.js";
import { StatementTranslator } from "./statement.js";
import type { KernelTables, OwnParameter } from "./translator.js";
import type { Value } from "./value.js";

/** What the text assigns anywhere: every name, and those that no assignment can make negative. */
interface AssignedNames {
  readonly all: ReadonlySet<string>;
  readonly neverNegative: ReadonlySet<string>;
}

/** Operators that keep a variable from 0 upwards when the other side is a literal (a wrap past 2^31 apart). */
const growing: ReadonlySet<string> = new Set(["++", "+=", "*=", "<<=", ">>=", ">>>=", "%=", "&="]);

function assignedNames(tree: Node): AssignedNames {
  const all = new Set<string>();
  const suspect = new Set<string>();
  walk(tree, (node) => {
    const target = childNode(node, node.type === "AssignmentExpression" ? "left" : "argument");
    if (node.type === "AssignmentExpression" && target?.type === "ArrayPattern") {
      for (const part of elementsOf(target)) {
        if (!("name" in part)) continue;
        all.add(String(part.name));
        suspect.add(String(part.name));
      }
      return;
    }
    if ((node.type !== "AssignmentExpression" && node.type !== "UpdateExpression") || !target || !("name" in target))
      return;
    const name = String(target.name);
    all.add(name);
    const right = childNode(node, "right");
    const plainNumber =
      right === null || (right.type === "Literal" && "value" in right && typeof right.value === "number");
    if (!("operator" in node && growing.has(String(node.operator)) && plainNumber)) suspect.add(name);
  });
  return { all, neverNegative: new Set([...all].filter((name) => !suspect.has(name))) };
}

/** The parts of `[a, b]`. */
function elementsOf(pattern: Node): readonly Node[] {
  const elements: unknown = Reflect.get(pattern, "elements");
  return Array.isArray(elements) ? elements.filter((part): part is Node => part !== null) : [];
}

function childNode(node: Node, key: string): Node | null {
  const child: unknown = Reflect.get(node, key);
  return typeof child === "object" && child !== null && "type" in child ? (child as Node) : null;
}

/** One function, kernel or device, with its own scopes. */
export class FunctionTranslator extends StatementTranslator {
  protected readonly assignedNames: ReadonlySet<string>;
  protected readonly neverNegative: ReadonlySet<string>;

  constructor(
    source: ParsedSource,
    report: Report,
    tables: KernelTables,
    params: Members,
    constants: Members,
    readonly isKernel: boolean,
    readonly ownParameters: readonly OwnParameter[],
    readonly form: Form,
  ) {
    super(source, report, tables, params, constants);
    const names = assignedNames(source.tree);
    this.assignedNames = names.all;
    this.neverNegative = names.neverNegative;
  }

  private get words(): string {
    return this.isKernel ? "A kernel" : "A device function";
  }

  /** Statements of the whole function. */
  body(): readonly Stmt[] {
    const { tree } = this.source;
    if (tree.async)
      this.report.fail(
        this.span(tree),
        `${this.words} cannot be async.`,
        "Remove async: threads wait with syncthreads().",
      );
    if (tree.generator)
      this.report.fail(
        this.span(tree),
        `${this.words} cannot be a generator.`,
        "Remove the *: write results to an output array.",
      );
    return this.collect(() => {
      tree.params.forEach((pattern, index) => {
        const name = this.form.arguments[index];
        if (name === undefined) {
          const { refusal, head } = this.form;
          this.report.fail(this.span(pattern), `${this.words} ${refusal}`, `Write ${head}.`);
        }
        this.bindArgument(pattern, { kind: "namespace", name });
      });
      const inner = this.scope;
      this.scope = new Scope(inner);
      const { body } = tree;
      if (body.type === "BlockStatement") this.statements(body.body);
      else this.arrowBody(body);
    });
  }

  private arrowBody(body: Expression): void {
    if (this.isKernel || this.isStatementLike(body)) this.expressionStatement(body);
    else this.returnValue(body, this.span(body));
  }

  private isStatementLike(body: Expression): boolean {
    return (
      body.type === "AssignmentExpression" || body.type === "UpdateExpression" || body.type === "SequenceExpression"
    );
  }

  private bindArgument(pattern: Pattern, value: Value): void {
    if (pattern.type === "Identifier") this.bind(pattern.name, value, pattern);
    else if (pattern.type === "ObjectPattern") this.bindPattern(pattern, value, false);
    else if (pattern.type === "RestElement")
      this.report.fail(this.span(pattern), "`...` needs a list of unknown length.", "Name the arguments one by one.");
    else this.refuseDefault(pattern);
  }

  /** The common type of all returns; each return is converted to it. */
  returnType(body: readonly Stmt[]): Scalar | VectorType | "void" {
    const values = this.returns.filter(({ value }) => value !== null);
    const [first] = values;
    if (first === undefined || first.value === null || first.value.type === "void") return "void";
    const silent = this.returns.find(({ value }) => value === null);
    if (silent !== undefined)
      this.report.fail(
        silent.span,
        "This return gives no value; others of this function do.",
        "Return a value everywhere.",
      );
    const type = values.reduce<Scalar | VectorType>(
      (common, { value, span }) =>
        this.unified(common, value?.type as Scalar | VectorType, value !== null && isConst(value), span),
      first.value.type as Scalar | VectorType,
    );
    for (const pending of values) {
      const { value } = pending;
      if (value === null || value.kind === "pointer") continue;
      pending.value = assign(value, { name: "the function's result", type }, pending.span, this.report);
    }
    if (!alwaysReturns(body)) {
      this.report.fail(
        this.span(this.source.tree),
        "This function can end without returning a value.",
        "Put a return at its end.",
      );
    }
    return type;
  }

  private unified(
    common: Scalar | VectorType,
    next: Scalar | VectorType,
    isConstant: boolean,
    span: Span,
  ): Scalar | VectorType {
    if (cudaName(common) === cudaName(next)) return common;
    const constants = isConstant || this.returns.some(({ value }) => value !== null && isConst(value));
    if (isScalar(common) && isScalar(next) && constants && common !== "bool" && next !== "bool")
      return commonType(common, next);
    return this.report.fail(
      span,
      `This returns ${aType(next)}; another return of this function gives ${aType(common)}.`,
      "Convert so that all returns have one type.",
    );
  }
}

/** True where no path leaves the list at its end. */
function alwaysReturns(body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    if (stmt.kind === "return") return true;
    if (stmt.kind === "block") return alwaysReturns(stmt.body);
    if (stmt.kind === "if") return alwaysReturns(stmt.then) && alwaysReturns(stmt.else);
    return stmt.kind === "loop" && stmt.condition === null && !hasBreak(stmt.body);
  });
}

function hasBreak(body: readonly Stmt[]): boolean {
  return body.some((stmt) => {
    if (stmt.kind === "break") return true;
    if (stmt.kind === "block") return hasBreak(stmt.body);
    return stmt.kind === "if" && (hasBreak(stmt.then) || hasBreak(stmt.else));
  });
}
