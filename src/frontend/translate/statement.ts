/** Statements of the kernel's text: control flow, blocks, calls. */
import type {
  BlockStatement,
  CallExpression,
  DoWhileStatement,
  Expression,
  ForStatement,
  IfStatement,
  Node,
  ReturnStatement as ReturnNode,
  Statement,
  SwitchStatement,
  WhileStatement,
} from "acorn";
import type { Span } from "../../base/errors.js";
import type { Expr, LoopStmt, ReturnStmt, Stmt } from "../../ir/ir.js";
import { hasEffect } from "../../ir/walk.js";
import { AssignmentTranslator } from "./assignment.js";
import { builtinValue } from "./calls/builtins.js";
import { launchStatement } from "./calls/child-launch.js";
import { printfStatement } from "./calls/printf.js";
import type { ScalarExpr, ValueExpr } from "./convert.js";
import { constant, isConst } from "./fold.js";
import { compare, logical } from "./operators.js";
import { decided, ends } from "./ruled-out.js";
import { Scope } from "./scope.js";
import { continuesOutside, type SwitchArm, switchArms } from "./switch.js";
import type { CallSite } from "./translator.js";
import { plain } from "./value.js";

/** A return whose value gets its final type once all returns of the function are known. */
export interface PendingReturn {
  readonly kind: "return";
  value: Expr | null;
  readonly span: Span;
}

type Unroll = number | "full" | null;

/** One side of a branch: its text, null where it has none, and what makes its statements. */
interface Side {
  readonly node: Node | null;
  readonly make: () => void;
}

export abstract class StatementTranslator extends AssignmentTranslator {
  protected readonly returns: PendingReturn[] = [];
  /** True behind a jump that constants make certain: `if (N === 0) return;` rules out the rest of its block. */
  private unreachable = false;

  /** The statements that `work` makes, in a scope of their own. */
  protected collect(work: () => void): readonly Stmt[] {
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

  protected statements(nodes: readonly Statement[]): void {
    for (const [index, node] of nodes.entries()) {
      if (this.unreachable) {
        this.ruleOut(...nodes.slice(index));
        return;
      }
      this.statement(node);
    }
  }

  /** What is made of a condition and its two sides, of which one may be ruled out. */
  private branch(condition: ScalarExpr, sides: readonly [Side, Side], span: Span): void {
    const holds = decided(condition);
    const [then, otherwise] = sides;
    if (holds === null) {
      this.emit({ kind: "if", condition, then: this.collect(then.make), else: this.collect(otherwise.make), span });
      return;
    }
    if (hasEffect(condition)) this.emit({ kind: "expr", value: condition, span });
    const [taken, ruledOut] = holds ? [then, otherwise] : [otherwise, then];
    if (ruledOut.node !== null) this.ruleOut(ruledOut.node);
    this.certain(this.collect(taken.make), span);
  }

  /** Statements that run whatever the launch is given, in a block where they declare names, and what they rule out. */
  private certain(body: readonly Stmt[], span: Span): void {
    if (body.some(({ kind }) => kind === "declare")) this.emit({ kind: "block", body, span });
    else for (const stmt of body) this.emit(stmt);
    if (ends(body)) this.unreachable = true;
  }

  private side(node: Statement | null | undefined): Side {
    return {
      node: node ?? null,
      make: () => {
        if (node?.type === "BlockStatement") this.statements(node.body);
        else if (node) this.statement(node);
      },
    };
  }

  private statement(node: Statement): void {
    const span = this.span(node);
    switch (node.type) {
      case "EmptyStatement":
        return;
      case "ExpressionStatement":
        if (node.directive === undefined) this.expressionStatement(node.expression);
        return;
      case "VariableDeclaration":
        this.declaration(node);
        return;
      case "BlockStatement":
        this.block(node, span);
        return;
      case "IfStatement":
        this.ifStatement(node);
        return;
      case "ForStatement":
        this.forStatement(node);
        return;
      case "WhileStatement":
      case "DoWhileStatement":
        this.whileStatement(node);
        return;
      case "SwitchStatement":
        this.switchStatement(node);
        return;
      case "BreakStatement":
      case "ContinueStatement":
        // Labels are refused, and JavaScript has neither word outside of loops and switches.
        this.emit({ kind: node.type === "BreakStatement" ? "break" : "continue", span });
        return;
      case "ReturnStatement":
        this.returnStatement(node);
        return;
      default:
        this.refuseSyntax(node.type, span);
    }
  }

  protected expressionStatement(node: Expression): void {
    if (this.effect(node)) return;
    const span = this.span(node);
    switch (node.type) {
      case "ParenthesizedExpression":
        this.expressionStatement(node.expression);
        return;
      case "SequenceExpression":
        for (const part of node.expressions) this.expressionStatement(part);
        return;
      case "CallExpression":
        this.callOrWord(node);
        return;
      case "LogicalExpression": {
        // What minifiers make of `if (c) f();`
        if (node.operator === "??") break;
        const work = { node: node.right, make: () => this.expressionStatement(node.right) };
        const nothing = this.side(null);
        const condition = this.condition(this.lastOf(node.left));
        this.branch(condition, node.operator === "&&" ? [work, nothing] : [nothing, work], span);
        return;
      }
      case "ConditionalExpression": {
        const [then, otherwise] = [node.consequent, node.alternate].map((part) => ({
          node: part,
          make: () => this.expressionStatement(part),
        }));
        if (then !== undefined && otherwise !== undefined)
          this.branch(this.condition(this.lastOf(node.test)), [then, otherwise], span);
        return;
      }
      case "YieldExpression":
      case "AwaitExpression":
      case "FunctionExpression":
      case "TemplateLiteral":
        this.value(node);
        return;
    }
    this.value(node);
    this.report.fail(span, "This statement has no effect.", "Assign its value, or leave it out.");
  }

  /** printf, launch and unroll are statements; other calls are expressions whose value may be dropped. */
  private callOrWord(node: CallExpression): void {
    const word = this.wordOf(node);
    if (word === "printf" || word === "launch") {
      const site: CallSite = { name: word, args: this.plainArguments(node), span: this.span(node), node };
      this.emit(word === "printf" ? printfStatement(this, site) : launchStatement(this, site));
    } else if (word === "unroll") {
      this.report.fail(
        this.span(node),
        "unroll stands where no loop begins.",
        "Make it the first statement of the loop's body: for (...) { unroll(4); ... }.",
      );
    } else this.callStatement(node);
  }

  private plainArguments(node: CallExpression): readonly Expression[] {
    return node.arguments.map((arg) =>
      arg.type === "SpreadElement"
        ? this.report.fail(this.span(arg), "`...` needs a list of unknown length.", "Write the arguments one by one.")
        : arg,
    );
  }

  /** The word of the language that a call names, however it is reached; null for other calls. */
  private wordOf(node: CallExpression): string | null {
    const { callee } = node;
    if (callee.type === "Identifier") {
      const value = this.scope.find(callee.name)?.value ?? builtinValue(callee.name);
      return value?.kind === "builtin" ? value.name : null;
    }
    if (callee.type !== "MemberExpression" || callee.computed || callee.object.type !== "Identifier") return null;
    const object = this.scope.find(callee.object.name)?.value;
    if (object?.kind !== "namespace" || object.name !== "cuda" || callee.property.type !== "Identifier") return null;
    return callee.property.name;
  }

  private ifStatement(node: IfStatement): void {
    const sides = [this.side(node.consequent), this.side(node.alternate)] as const;
    this.branch(this.condition(this.lastOf(node.test)), sides, this.span(node));
  }

  /** Of `a(), b(), c`, which minifiers make of statements: c, once a() and b() have been read as statements. */
  private lastOf(node: Expression): Expression {
    if (node.type !== "SequenceExpression") return node;
    for (const part of node.expressions.slice(0, -1)) this.expressionStatement(part);
    return node.expressions.at(-1) ?? node;
  }

  private block(node: BlockStatement, span: Span): void {
    let certain = false;
    const body = this.collect(() => {
      this.statements(node.body);
      certain = this.unreachable;
    });
    this.emit({ kind: "block", body, span });
    this.unreachable = certain;
  }

  private loopCondition(node: Expression): Expr | null {
    const condition = this.notOnce(() => this.condition(node));
    return isConst(condition) && condition.value !== 0 ? null : condition;
  }

  /** True where the first test of a for loop fails: its variables still have their first values. */
  private neverEntered(test: Expression, init: readonly Stmt[]): boolean {
    const outer = this.scope;
    const first = new Scope(outer);
    for (const stmt of init) {
      if (stmt.kind !== "declare" || stmt.value.kind !== "const") continue;
      const name = this.tables.variables[stmt.variable]?.name ?? "";
      first.declare(name, { value: plain(stmt.value), variable: null, fixed: null, span: stmt.span });
    }
    this.scope = first;
    const condition = this.readForType(() => this.condition(test));
    this.scope = outer;
    return condition !== null && decided(condition) === false && !hasEffect(condition);
  }

  private loopBody(node: Statement): { readonly body: readonly Stmt[]; readonly unroll: Unroll } {
    let unroll: Unroll = null;
    const body = this.collect(() => {
      const [first, ...rest] = node.type === "BlockStatement" ? node.body : [node];
      if (first === undefined) return;
      // `unroll(), work();` is what a minifier makes of two statements.
      const expression = first.type === "ExpressionStatement" ? first.expression : null;
      const [hint, ...work] = expression?.type === "SequenceExpression" ? expression.expressions : [expression];
      if (hint?.type === "CallExpression" && this.wordOf(hint) === "unroll") {
        unroll = this.unrollFactor(hint);
        for (const part of work) if (part !== null) this.expressionStatement(part);
      } else this.statement(first);
      this.statements(rest);
    });
    return { body, unroll };
  }

  /** `unroll(4)`, or `unroll()` for the whole loop. */
  private unrollFactor(call: CallExpression): Unroll {
    const [factor, more] = this.plainArguments(call);
    if (factor === undefined) return "full";
    const value = this.scalar(factor);
    const count = isConst(value) ? Number(value.value) : Number.NaN;
    if (more !== undefined || !Number.isInteger(count) || count < 1) {
      return this.report.fail(
        this.span(call),
        "unroll takes the number of copies of the body, known when the kernel is compiled.",
        "Write unroll(4), or unroll() for the whole loop.",
      );
    }
    return count;
  }

  /** A comment `#pragma unroll` or `#pragma unroll 4` right before a loop. */
  private pragma(node: Statement): Unroll {
    const { comments } = this.source;
    const text = this.source.text.text;
    for (const comment of comments) {
      const found = /^\s*#?\s*pragma\s+unroll\b\s*\(?(\d*)/.exec(comment.value);
      if (found === null || comment.end > node.start) continue;
      const offset = node.start - comment.end;
      const from = this.textStart(comment.end);
      if (text.slice(from, from + offset).trim() === "") return found[1] ? Number(found[1]) : "full";
    }
    return null;
  }

  /** Position in the learner's text of a position in the wrapped text that was parsed. */
  private textStart(position: number): number {
    return position - this.source.wrapped;
  }

  private forStatement(node: ForStatement): void {
    const hint = this.pragma(node);
    const outerScope = this.scope;
    this.scope = new Scope(outerScope);
    const scope = this.scope;
    const outer = this.output;
    const init: Stmt[] = [];
    this.output = init;
    if (node.init?.type === "VariableDeclaration") this.declaration(node.init);
    else if (node.init) this.expressionStatement(node.init);
    if (node.test && this.neverEntered(node.test, init)) {
      this.ruleOut(node.test, node.body, ...(node.update ? [node.update] : []));
      this.output = outer;
      this.scope = outerScope;
      this.certain(init, this.span(node));
      return;
    }
    const condition = node.test ? this.loopCondition(node.test) : null;
    const { body, unroll } = this.loopBody(node.body);
    this.scope = scope;
    const update: Stmt[] = [];
    this.output = update;
    if (node.update) this.expressionStatement(node.update);
    this.output = outer;
    this.scope = outerScope;
    this.emit({
      kind: "loop",
      init,
      condition,
      testFirst: true,
      update,
      body,
      unroll: unroll ?? hint,
      span: this.span(node),
    });
  }

  private whileStatement(node: WhileStatement | DoWhileStatement): void {
    const hint = this.pragma(node);
    if (node.type === "WhileStatement" && this.neverEntered(node.test, [])) {
      this.ruleOut(node.body);
      return;
    }
    const condition = this.loopCondition(node.test);
    const { body, unroll } = this.loopBody(node.body);
    const loop: LoopStmt = {
      kind: "loop",
      init: [],
      condition,
      testFirst: node.type === "WhileStatement",
      update: [],
      body,
      unroll: unroll ?? hint,
      span: this.span(node),
    };
    this.emit(loop);
  }

  private returnStatement(node: ReturnNode): void {
    this.returnValue(node.argument ?? null, this.span(node));
  }

  protected returnValue(argument: Expression | null, span: Span): void {
    if (this.isKernel && argument !== null) {
      this.report.fail(
        span,
        "A kernel returns no value.",
        "Write the result to an output array: output[i] = x; return;",
      );
    }
    const value: ValueExpr | null = argument === null ? null : this.returned(argument);
    const pending: PendingReturn = { kind: "return", value, span };
    this.returns.push(pending);
    const statement: ReturnStmt = pending;
    this.emit(statement);
  }

  private returned(argument: Expression): ValueExpr {
    const node = this.lastOf(argument);
    const value = this.value(node);
    if (value.kind === "expr" && value.expr.type !== "void") return value.expr;
    if (value.kind !== "pointer") return this.expr(node);
    return this.report.fail(
      this.span(node),
      "A device function returns a number or a vector; this is an array.",
      "Return an index instead of an array.",
    );
  }

  private switchStatement(node: SwitchStatement): void {
    const span = this.span(node);
    const discriminant = this.scalar(this.lastOf(node.discriminant));
    const arms = this.possibleArms(switchArms(node), discriminant);
    const breaks = arms.some((arm) => arm.breaksInside);
    if (breaks && continuesOutside(node)) {
      this.report.fail(
        span,
        "This switch mixes `break` inside an if with `continue` of a loop around it.",
        "Write it as if (x === 0) { ... } else if (x === 1) { ... }.",
      );
    }
    const subject = ["const", "param", "builtin", "variable"].includes(discriminant.kind)
      ? discriminant
      : this.hold("selector", discriminant);
    const chain = (): void => this.switchChain(subject, arms, span);
    if (breaks) {
      const body = this.collect(chain);
      const condition = constant("bool", 0, span);
      this.emit({ kind: "loop", init: [], condition, testFirst: false, update: [], body, unroll: null, span });
    } else chain();
  }

  /** All arms; where the subject is a constant the one that it chooses, and of the others their names are read. */
  private possibleArms(arms: readonly SwitchArm[], subject: ScalarExpr): readonly SwitchArm[] {
    if (!isConst(subject)) return arms;
    const chosen =
      arms.find(({ tests }) => tests !== null && decided(this.caseCondition(subject, tests, subject.span))) ??
      arms.find(({ tests }) => tests === null);
    for (const arm of arms) if (arm !== chosen) this.ruleOut(...arm.body);
    return chosen === undefined ? [] : [{ ...chosen, tests: null }];
  }

  private switchChain(subject: ScalarExpr, arms: readonly SwitchArm[], span: Span): void {
    const fallback = arms.find((arm) => arm.tests === null);
    const read = (arm: SwitchArm | undefined): readonly Stmt[] =>
      arm === undefined ? [] : this.collect(() => this.statements(arm.body));
    const [first, ...rest] = arms.filter((arm) => arm.tests !== null);
    if (first === undefined) {
      this.certain(read(fallback), span);
      return;
    }
    const build = (arm: SwitchArm, others: readonly SwitchArm[]): Stmt => {
      const condition = this.caseCondition(subject, arm.tests ?? [], span);
      const then = read(arm);
      const [next, ...after] = others;
      const otherwise = next === undefined ? read(fallback) : [build(next, after)];
      return { kind: "if", condition, then, else: otherwise, arm: true, span };
    };
    this.emit(build(first, rest));
  }

  private caseCondition(subject: ScalarExpr, tests: readonly Expression[], span: Span): ScalarExpr {
    const conditions = tests.map((test) => {
      const value = this.scalar(test);
      if (!isConst(value))
        this.report.fail(
          this.span(test),
          "A case is a constant.",
          "Write a number or a template constant, or use if (x === y).",
        );
      return compare(this, "===", subject, value, this.span(test));
    });
    return conditions.reduce((left, right) => logical("or", left, right, span));
  }
}
