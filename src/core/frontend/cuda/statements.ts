/** Statements and declarations of CUDA C++ into IR. */

import type { Span } from "../../base/errors.js";
import type { Expr, Stmt } from "../../ir/ir.js";
import type { PointerType, Scalar, Space, VectorType } from "../../ir/types.js";
import { CallReader } from "./calls.js";

export abstract class StatementReader extends CallReader {
  protected override block(): Stmt[] {
    this.expect("{");
    this.scopes.push(new Map());
    const body: Stmt[] = [];
    while (!this.accept("}")) body.push(...this.statement());
    this.scopes.pop();
    return body;
  }

  protected body(): Stmt[] {
    return this.is("{") ? this.block() : this.statement();
  }

  protected statement(): Stmt[] {
    const { span } = this.token;
    if (this.accept(";")) return [];
    if (this.is("{")) return [{ kind: "block", body: this.block(), span }];
    if (this.is("#")) throw this.error("directive");
    if (this.accept("if")) {
      this.expect("(");
      const condition = this.truth(this.expression());
      this.expect(")");
      const then = this.body();
      const otherwise = this.accept("else") ? this.body() : [];
      return [{ kind: "if", condition, then, else: otherwise, span }];
    }
    if (this.token.kind === "pragma") {
      const count = this.next().text;
      return this.statement().map((inner) =>
        inner.kind === "loop" ? { ...inner, unroll: count === "" ? "full" : Number(count) } : inner,
      );
    }
    if (this.accept("for")) return this.forLoop(span);
    if (this.accept("while")) {
      this.expect("(");
      const condition = this.truth(this.expression());
      this.expect(")");
      return [
        { kind: "loop", init: [], condition, testFirst: true, update: [], body: this.body(), unroll: null, span },
      ];
    }
    if (this.accept("do")) {
      const body = this.body();
      this.expect("while");
      this.expect("(");
      const condition = this.truth(this.expression());
      this.expect(")");
      this.expect(";");
      return [{ kind: "loop", init: [], condition, testFirst: false, update: [], body, unroll: null, span }];
    }
    if (this.accept("break")) {
      this.expect(";");
      return [{ kind: "break", span }];
    }
    if (this.accept("continue")) {
      this.expect(";");
      return [{ kind: "continue", span }];
    }
    if (this.accept("return")) {
      const value = this.is(";") ? null : this.expression();
      this.expect(";");
      const target = this.returns.at(-1);
      return [
        {
          kind: "return",
          value:
            value === null || typeof target !== "string" || target === "void" ? value : this.convert(value, target),
          span,
        },
      ];
    }
    if (this.accept("switch")) return this.switchChain(span);
    const statements = this.simple();
    this.expect(";");
    return statements;
  }

  protected forLoop(span: Span): Stmt[] {
    this.expect("(");
    this.scopes.push(new Map());
    const init = this.is(";") ? [] : this.simple();
    this.expect(";");
    const condition = this.is(";") ? null : this.truth(this.expression());
    this.expect(";");
    const update: Stmt[] = [];
    while (!this.is(")")) {
      update.push(...this.simple());
      this.accept(",");
    }
    this.expect(")");
    const body = this.body();
    this.scopes.pop();
    return [{ kind: "loop", init, condition, testFirst: true, update, body, unroll: null, span }];
  }

  /** switch with a break after each case, as a chain of ifs. */
  protected switchChain(span: Span): Stmt[] {
    this.expect("(");
    const subject = this.expression();
    this.expect(")");
    this.expect("{");
    const id = this.variable("switch", "i32", span);
    const read: Expr = { kind: "variable", type: "i32", variable: id, span };
    const cases: { readonly value: Expr | null; readonly body: Stmt[] }[] = [];
    while (!this.accept("}")) {
      let value: Expr | null = null;
      if (!this.accept("default")) {
        this.expect("case");
        value = this.expression();
      }
      this.expect(":");
      const body: Stmt[] = [];
      while (!this.is("case") && !this.is("default") && !this.is("}")) {
        if (this.is("break")) {
          this.next();
          this.expect(";");
        } else body.push(...this.statement());
      }
      cases.push({ value, body });
    }
    let chain: Stmt[] = cases.find((item) => item.value === null)?.body ?? [];
    for (const item of cases.reverse()) {
      if (item.value === null) continue;
      const condition: Expr = {
        kind: "compare",
        op: "eq",
        type: "bool",
        operandType: "i32",
        left: read,
        right: item.value,
        span,
      };
      chain = [{ kind: "if", condition, then: item.body, else: chain, arm: true, span }];
    }
    return [{ kind: "declare", variable: id, value: this.convert(subject, "i32"), span }, ...chain];
  }

  /** A declaration, an assignment or a call: what may stand before `;`. */
  protected simple(): Stmt[] {
    if (this.typeAhead()) return this.declaration();
    const { span } = this.token;
    if (this.is("++") || this.is("--")) {
      const op = this.next().text;
      return [this.assign(this.unary(), op === "++" ? "+=" : "-=", this.constant("i32", 1, span), span)];
    }
    const target = this.expression();
    if (this.is("++") || this.is("--")) {
      const op = this.next().text;
      return [this.assign(target, op === "++" ? "+=" : "-=", this.constant("i32", 1, span), span)];
    }
    if (/^([-+*/%&|^]|<<|>>)?=$/.test(this.token.text)) {
      const op = this.next().text;
      return [this.assign(target, op, this.expression(), span)];
    }
    return [{ kind: "expr", value: target, span }];
  }

  protected assign(target: Expr, op: string, right: Expr, span: Span): Stmt {
    if (target.kind === "pointer") {
      if (target.root.kind !== "variable") throw this.error("assignment to an array");
      const value = op === "=" ? right : this.binary(op === "+=" ? "+" : "-", target, right, span);
      return { kind: "assign", variable: target.root.variable, component: null, value, span };
    }
    const type = (target as { readonly type: Scalar | VectorType }).type;
    const plain = op === "=" ? right : this.binary(op.slice(0, -1), target, right, span);
    const value = typeof type === "string" ? this.convert(plain, type) : plain;
    if (target.kind === "variable") return { kind: "assign", variable: target.variable, component: null, value, span };
    if (target.kind === "component" && target.vector.kind === "variable") {
      return { kind: "assign", variable: target.vector.variable, component: target.component, value, span };
    }
    if (target.kind === "load") {
      return { kind: "store", pointer: target.pointer, index: target.index, value, compound: op !== "=", span };
    }
    throw this.error("assignment to a value");
  }

  protected declaration(): Stmt[] {
    const { element, words } = this.typeWords();
    const result: Stmt[] = [];
    do {
      const { span } = this.token;
      const pointer = this.stars();
      const name = this.next().text;
      if (this.is("[") || words.includes("__shared__")) {
        this.array(name, element, words, span);
        continue;
      }
      if (pointer) {
        this.expect("=");
        const value = this.expression();
        if (value.kind !== "pointer") throw this.error("a pointer's start");
        const type: PointerType = { pointer: element, space: value.type.space, volatile: words.includes("volatile") };
        const id = this.variable(name, type, span);
        this.define(name, { kind: "pointer", root: { kind: "variable", variable: id }, type, dims: [] });
        result.push({ kind: "declare", variable: id, value: { ...value, type }, span });
        continue;
      }
      const value = this.accept("=") ? this.expression() : null;
      const id = this.variable(name, element, span);
      this.define(name, { kind: "variable", id, type: element });
      const start = value ?? this.zero(element, span);
      result.push({
        kind: "declare",
        variable: id,
        value: typeof element === "string" ? this.convert(start, element) : start,
        span,
      });
    } while (this.accept(","));
    return result;
  }

  /** The value of a variable that is declared without one; no kernel reads it. */
  protected zero(element: Scalar | VectorType, span: Span): Expr {
    if (typeof element === "string") {
      const value = this.constant(element, 0, span);
      return value.kind === "const" ? { ...value, unset: true } : value;
    }
    const components = Array.from({ length: element.lanes }, () => this.constant(element.scalar, 0, span));
    return { kind: "makeVector", type: element, components, span };
  }

  protected array(name: string, declared: Scalar | VectorType, words: readonly string[], span: Span): void {
    const dims: number[] = [];
    while (this.accept("[")) {
      if (this.accept("]")) continue;
      const size = this.expression();
      if (size.kind !== "const") throw this.error("an array size that is no constant");
      dims.push(Number(size.value));
      this.expect("]");
    }
    // The IR has no bools in memory. A flag by itself makes the same code as an int; of several in a word it would not be so.
    if (declared === "bool" && dims.length > 0) throw this.error("an array of bools");
    const element = declared === "bool" ? "i32" : declared;
    const isShared = words.includes("__shared__");
    const volatile = words.includes("volatile");
    const space: Space = isShared ? "shared" : "local";
    const type: PointerType = { pointer: element, space, volatile };
    if (isShared) {
      const dynamic = words.includes("extern");
      const scalar = dims.length === 0;
      this.shared.push({ name, element, dims: dynamic ? null : scalar ? [1] : dims, volatile, span });
      this.define(name, {
        kind: "pointer",
        root: { kind: "shared", array: this.shared.length - 1 },
        type,
        dims: dynamic ? [] : scalar ? [-1] : dims,
      });
      return;
    }
    this.local.push({ name, element, dims, span });
    this.define(name, { kind: "pointer", root: { kind: "local", array: this.local.length - 1 }, type, dims });
  }
}
