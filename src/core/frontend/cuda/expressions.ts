/** Expressions of CUDA C++ into IR, with C's promotions. */

import type { Span } from "../../base/errors.js";
import type { ArithmeticOp, CompareOp, Expr, PointerExpr } from "../../ir/ir.js";
import {
  byteSize,
  type ElementType,
  isFloat,
  isVector,
  loadedType,
  type Scalar,
  type VectorType,
} from "../../ir/types.js";
import type { CudaSymbol } from "./symbols.js";
import { WordReader } from "./words.js";

const RANK: Record<Scalar, number> = { bool: 0, i32: 1, u32: 2, i64: 3, u64: 4, f32: 5, f64: 6 };

export abstract class ExpressionReader extends WordReader {
  protected abstract call(name: string, span: Span): Expr;

  protected constant(type: Scalar, value: number, span: Span): Expr {
    const wide = type === "i64" || type === "u64";
    return { kind: "const", type, value: wide ? BigInt(value) : type === "f32" ? Math.fround(value) : value, span };
  }

  protected typeOf(expr: Expr): Scalar {
    if ("type" in expr && typeof expr.type === "string" && expr.type !== "void") return expr.type;
    throw this.error("a scalar expected");
  }

  protected convert(expr: Expr, type: Scalar): Expr {
    const from = this.typeOf(expr);
    if (from === type) return expr;
    if (expr.kind === "const" && from !== "bool") return this.convertConstant(expr.value, from, type, expr.span);
    return { kind: "convert", type, operand: expr, span: expr.span };
  }

  protected convertConstant(value: number | bigint, _from: Scalar, type: Scalar, span: Span): Expr {
    const plain = Number(value);
    switch (type) {
      case "i32":
        return this.constant("i32", Math.trunc(plain) | 0, span);
      case "u32":
        return this.constant("u32", Math.trunc(plain) >>> 0, span);
      case "bool":
        return this.constant("bool", plain !== 0 ? 1 : 0, span);
      case "u64":
        return { kind: "const", type, value: BigInt.asUintN(64, BigInt(Math.trunc(plain))), span };
      default:
        return this.constant(type, plain, span);
    }
  }

  protected truth(expr: Expr): Expr {
    return this.convert(expr, "bool");
  }

  protected promote(expr: Expr): Expr {
    return this.typeOf(expr) === "bool" ? this.convert(expr, "i32") : expr;
  }

  protected expression(): Expr {
    return this.conditional();
  }

  protected conditional(): Expr {
    const condition = this.logicalOr();
    const { span } = this.token;
    if (!this.accept("?")) return condition;
    const whenTrue = this.expression();
    this.expect(":");
    const whenFalse = this.conditional();
    if (typeof (whenTrue as { type?: unknown }).type === "object") {
      return {
        kind: "select",
        type: (whenTrue as { type: VectorType }).type,
        condition: this.truth(condition),
        whenTrue,
        whenFalse,
        span,
      };
    }
    const type = this.common(this.promote(whenTrue), this.promote(whenFalse));
    return {
      kind: "select",
      type,
      condition: this.truth(condition),
      whenTrue: this.convert(whenTrue, type),
      whenFalse: this.convert(whenFalse, type),
      span,
    };
  }

  protected logicalOr(): Expr {
    let left = this.logicalAnd();
    while (this.is("||")) {
      const { span } = this.next();
      left = {
        kind: "logical",
        op: "or",
        type: "bool",
        left: this.truth(left),
        right: this.truth(this.logicalAnd()),
        span,
      };
    }
    return left;
  }

  protected logicalAnd(): Expr {
    let left = this.level(0);
    while (this.is("&&")) {
      const { span } = this.next();
      left = {
        kind: "logical",
        op: "and",
        type: "bool",
        left: this.truth(left),
        right: this.truth(this.level(0)),
        span,
      };
    }
    return left;
  }

  protected static readonly LEVELS: readonly (readonly string[])[] = [
    ["|"],
    ["^"],
    ["&"],
    ["==", "!="],
    ["<", "<=", ">", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
  ];

  protected level(depth: number): Expr {
    const ops = ExpressionReader.LEVELS[depth];
    if (ops === undefined) return this.unary();
    let left = this.level(depth + 1);
    while (this.token.kind === "punctuation" && ops.includes(this.token.text)) {
      const { text, span } = this.next();
      left = this.binary(text, left, this.level(depth + 1), span);
    }
    return left;
  }

  protected common(left: Expr, right: Expr): Scalar {
    const a = this.typeOf(left);
    const b = this.typeOf(right);
    return RANK[a] >= RANK[b] ? a : b;
  }

  protected binary(op: string, leftExpr: Expr, rightExpr: Expr, span: Span): Expr {
    if (leftExpr.kind === "pointer") {
      const offset = op === "-" ? this.negative(rightExpr) : rightExpr;
      return this.movePointer(leftExpr, offset);
    }
    const left = this.promote(leftExpr);
    const right = this.promote(rightExpr);
    const compares: Record<string, CompareOp> = {
      "==": "eq",
      "!=": "ne",
      "<": "lt",
      "<=": "le",
      ">": "gt",
      ">=": "ge",
    };
    const compare = compares[op];
    if (compare !== undefined) {
      const type = this.common(left, right);
      return {
        kind: "compare",
        op: compare,
        type: "bool",
        operandType: type,
        left: this.convert(left, type),
        right: this.convert(right, type),
        span,
      };
    }
    const names: Record<string, ArithmeticOp> = {
      "+": "add",
      "-": "sub",
      "*": "mul",
      "/": "div",
      "%": "rem",
      "&": "and",
      "|": "or",
      "^": "xor",
      "<<": "shl",
      ">>": "shr",
    };
    const name = names[op];
    if (name === undefined) throw this.error(`operator ${op}`);
    if (name === "shl" || name === "shr") {
      return { kind: "binary", op: name, type: this.typeOf(left), left, right: this.convert(right, "u32"), span };
    }
    const type = this.common(left, right);
    const folded = this.fold(name, type, this.convert(left, type), this.convert(right, type), span);
    if (folded !== null) return folded;
    return { kind: "binary", op: name, type, left: this.convert(left, type), right: this.convert(right, type), span };
  }

  protected negative(expr: Expr): Expr {
    return { kind: "unary", op: "neg", type: this.typeOf(expr), operand: expr, span: expr.span };
  }

  protected fold(op: ArithmeticOp, type: Scalar, left: Expr, right: Expr, span: Span): Expr | null {
    if (left.kind !== "const" || right.kind !== "const" || type === "i64" || type === "u64") return null;
    const a = Number(left.value);
    const b = Number(right.value);
    const wrap = (value: number): number => (type === "i32" ? value | 0 : type === "u32" ? value >>> 0 : value);
    switch (op) {
      case "add":
        return this.constant(type, wrap(a + b), span);
      case "sub":
        return this.constant(type, wrap(a - b), span);
      case "mul":
        return this.constant(type, isFloat(type) ? a * b : wrap(Math.imul(a, b)), span);
      case "div":
        return this.constant(type, isFloat(type) ? a / b : wrap(Math.trunc(a / b)), span);
      default:
        return null;
    }
  }

  protected movePointer(pointer: PointerExpr, offset: Expr): PointerExpr {
    const before = pointer.offset;
    if (before === null) return { ...pointer, offset };
    // Each index is widened by itself: in + y * width + x adds twice.
    const wide = pointer.root.kind === "param" && before.kind !== "const" && offset.kind !== "const";
    const widened = (index: Expr): Expr => (wide ? this.convert(index, "i64") : index);
    return { ...pointer, offset: this.binary("+", widened(before), widened(offset), offset.span) };
  }

  /** How far a pointer has been moved, counted in elements of another size. */
  protected inElements({ type, offset }: PointerExpr, element: ElementType): Expr | null {
    const [from, to] = [byteSize(type.pointer), byteSize(element)];
    if (offset === null || from === to) return offset;
    const times = this.constant("i32", from > to ? from / to : to / from, offset.span);
    return this.binary(from > to ? "*" : "/", offset, times, offset.span);
  }

  protected unary(): Expr {
    const { span } = this.token;
    if (this.accept("-")) {
      const operand = this.promote(this.unary());
      if (operand.kind === "const")
        return {
          ...operand,
          value:
            typeof operand.value === "bigint"
              ? -operand.value
              : operand.type === "u32"
                ? -operand.value >>> 0
                : -operand.value,
        };
      return { kind: "unary", op: "neg", type: this.typeOf(operand), operand, span };
    }
    if (this.accept("+")) return this.unary();
    if (this.accept("!")) return { kind: "unary", op: "not", type: "bool", operand: this.truth(this.unary()), span };
    if (this.accept("~")) {
      const operand = this.promote(this.unary());
      return { kind: "unary", op: "bitNot", type: this.typeOf(operand), operand, span };
    }
    if (this.accept("&")) {
      const target = this.unary();
      if (target.kind !== "load") throw this.error("address of a value");
      return this.movePointer(target.pointer, target.index);
    }
    if (this.accept("*")) {
      const target = this.unary();
      if (target.kind !== "pointer") throw this.error("not a pointer");
      return {
        kind: "load",
        type: loadedType(target.type.pointer),
        pointer: target,
        index: this.constant("i32", 0, span),
        span,
      };
    }
    if (
      this.is("(") &&
      this.tokens[this.at + 1]?.kind === "name" &&
      WordReader.TYPE_WORDS.has(this.tokens[this.at + 1]!.text)
    ) {
      this.next();
      const { element, words } = this.typeWords();
      const pointer = this.stars();
      this.expect(")");
      const operand = this.unary();
      if (!pointer) return this.convert(operand, element as Scalar);
      if (operand.kind !== "pointer") throw this.error("cast of no pointer");
      const offset = this.inElements(operand, element);
      const type = { ...operand.type, pointer: element, volatile: words.includes("volatile") };
      return { ...operand, offset, type };
    }
    return this.postfix();
  }

  protected postfix(): Expr {
    let expr = this.primary();
    for (;;) {
      const { span } = this.token;
      if (this.is(".")) {
        this.next();
        const component = "xyzw".indexOf(this.next().text) as 0 | 1 | 2 | 3;
        const type = (expr as { type: Scalar | VectorType }).type;
        if (!isVector(type)) throw this.error("component of no vector");
        expr = { kind: "component", type: type.scalar, vector: expr, component, span };
        continue;
      }
      return expr;
    }
  }

  protected readPointer(symbol: Extract<CudaSymbol, { kind: "pointer" }>, span: Span): Expr {
    const pointer: PointerExpr = { kind: "pointer", type: symbol.type, root: symbol.root, offset: null, span };
    const element = loadedType(symbol.type.pointer);
    if (symbol.dims[0] === -1) {
      return { kind: "load", type: element, pointer, index: this.constant("i32", 0, span), span };
    }
    if (!this.is("[")) return pointer;
    let index: Expr | null = null;
    let dimension = 0;
    do {
      this.expect("[");
      const part = this.promote(this.expression());
      this.expect("]");
      const size = symbol.dims[dimension];
      index =
        index === null || size === undefined
          ? part
          : this.binary("+", this.binary("*", index, this.constant("i32", size, span), span), part, span);
      dimension++;
    } while (this.is("[") && dimension < symbol.dims.length);
    return { kind: "load", type: element, pointer, index, span };
  }

  protected primary(): Expr {
    const { token } = this;
    const { span } = token;
    if (this.accept("(")) {
      const inner = this.expression();
      this.expect(")");
      return inner;
    }
    this.next();
    if (token.kind === "number") return this.number(token.text, span);
    if (token.kind !== "name") throw this.error(`unexpected ${token.text}`);
    if (token.text === "true" || token.text === "false") {
      return this.constant("bool", token.text === "true" ? 1 : 0, span);
    }
    if (token.text === "warpSize") return { kind: "intrinsic", name: "warpSize", type: "i32", args: [], span };
    if (["threadIdx", "blockIdx", "blockDim", "gridDim"].includes(token.text)) {
      this.expect(".");
      const axis = this.next().text as "x" | "y" | "z";
      return { kind: "builtin", type: "u32", name: token.text as "threadIdx", axis, span };
    }
    if (this.is("(") || (this.is("<") && this.functions.get(token.text)?.template.length))
      return this.call(token.text, span);
    const symbol = this.lookup(token.text);
    switch (symbol.kind) {
      case "variable":
        return { kind: "variable", type: symbol.type, variable: symbol.id, span };
      case "param":
        return { kind: "param", type: symbol.type, index: symbol.index, span };
      case "constant":
        return this.constant(symbol.type, symbol.value, span);
      case "pointer":
        return this.readPointer(symbol, span);
    }
  }

  protected number(text: string, span: Span): Expr {
    const hex = /^0[xX]/.test(text);
    if (!hex && /[.eE]|[fF]$/.test(text)) {
      const float = /[fF]$/.test(text);
      return this.constant(float ? "f32" : "f64", Number(text.replace(/[fF]$/, "")), span);
    }
    const digits = text.replace(/[uUlL]+$/, "");
    const suffix = text.slice(digits.length).toLowerCase();
    const value = Number(digits);
    if (suffix.includes("ll")) return this.constant(suffix.includes("u") ? "u64" : "i64", value, span);
    const unsigned = suffix.includes("u") || value > 0x7fffffff;
    return this.constant(unsigned ? "u32" : "i32", value, span);
  }
}
