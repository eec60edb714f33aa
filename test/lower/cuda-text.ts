/**
 * Reads kernels in CUDA C++ into the IR, so that the very text nvcc compiled is what the lowering is compared on. Reads
 * the part of the language that the probes use; anything else is an error. For tests only.
 */
import type { SourceText, Span } from "../../src/base/errors.js";
import type {
  ArithmeticOp,
  AtomicOp,
  CompareOp,
  DeviceFunction,
  Expr,
  IntrinsicName,
  KernelIr,
  LocalArray,
  Param,
  PointerExpr,
  PointerRoot,
  SharedArray,
  Stmt,
  Variable,
} from "../../src/ir/ir.js";
import {
  type ElementType,
  isFloat,
  isPointer,
  isVector,
  type PointerType,
  type Scalar,
  type Space,
  type Type,
} from "../../src/ir/types.js";
import { type Token, tokenize } from "./cuda-lexer.js";

type Symbol =
  | { readonly kind: "variable"; readonly id: number; readonly type: Exclude<Type, PointerType> }
  | {
      readonly kind: "pointer";
      readonly root: PointerRoot;
      readonly type: PointerType;
      readonly dims: readonly number[];
    }
  | { readonly kind: "param"; readonly index: number; readonly type: Scalar }
  | { readonly kind: "constant"; readonly type: Scalar; readonly value: number };

interface FunctionText {
  readonly name: string;
  readonly template: readonly string[];
  readonly start: number;
  readonly returns: Type | "void";
  readonly kernel: boolean;
}

interface Place {
  readonly pointer: PointerExpr;
  readonly index: Expr;
}

const RANK: Record<Scalar, number> = { bool: 0, i32: 1, u32: 2, i64: 3, u64: 4, f32: 5, f64: 6 };

const ATOMICS: Record<string, AtomicOp> = {
  atomicAdd: "add",
  atomicSub: "sub",
  atomicMin: "min",
  atomicMax: "max",
  atomicAnd: "and",
  atomicOr: "or",
  atomicXor: "xor",
  atomicExch: "exch",
  atomicCAS: "cas",
  atomicInc: "inc",
  atomicDec: "dec",
};

const FLOAT_FUNCTIONS: Record<string, IntrinsicName> = {
  sqrtf: "sqrt",
  rsqrtf: "rsqrt",
  expf: "exp",
  exp2f: "exp2",
  logf: "log",
  log2f: "log2",
  sinf: "sin",
  cosf: "cos",
  tanhf: "tanh",
  floorf: "floor",
  ceilf: "ceil",
  truncf: "trunc",
  rintf: "rint",
  __expf: "fastExp",
  __sinf: "fastSin",
  __cosf: "fastCos",
  __logf: "fastLog",
  __saturatef: "saturate",
};

/** All kernels of a text (`__global__` functions, templates with their arguments as `name<512>`). */
export function readCuda(text: string, name = "probes.cu"): ReadonlyMap<string, KernelIr> {
  const source: SourceText = { name, text, firstLine: 1 };
  const tokens = tokenize(text);
  const functions = findFunctions(tokens);
  const kernels = new Map<string, KernelIr>();
  for (const fn of functions.values()) {
    if (fn.kernel && fn.template.length === 0) kernels.set(fn.name, new Reader(tokens, source, functions).kernel(fn));
  }
  return kernels;
}

function findFunctions(tokens: readonly Token[]): Map<string, FunctionText> {
  const functions = new Map<string, FunctionText>();
  let depth = 0;
  let from = 0;
  tokens.forEach((token, i) => {
    if (token.text === "{") {
      if (depth === 0 && tokens[i - 1]?.text === ")") {
        const head = tokens.slice(from, i);
        const open = head.findIndex(
          (item, j) => item.text === "(" && head[j - 1]?.kind === "name" && head[j - 1]!.text !== "__launch_bounds__",
        );
        const fnName = head[open - 1]!.text;
        const template: string[] = [];
        const end = head.findIndex((item) => item.text === ">");
        if (head[0]?.text === "template") {
          for (let j = 2; j < end; j++)
            if (head[j + 1]?.text === "," || head[j + 1]?.text === ">") template.push(head[j]!.text);
        }
        const texts = head.map((item) => item.text);
        functions.set(fnName, {
          name: fnName,
          template,
          start: from + open,
          returns:
            texts.includes("void") && texts.indexOf("void") < open
              ? "void"
              : scalarIn(texts.slice(template.length > 0 ? end + 1 : 0, open - 1)),
          kernel: texts.includes("__global__"),
        });
      }
      depth++;
    } else if (token.text === "}") {
      depth--;
      if (depth === 0) from = i + 1;
    } else if (token.text === ";" && depth === 0) from = i + 1;
  });
  return functions;
}

function scalarIn(words: readonly string[]): Scalar {
  const has = (word: string): boolean => words.includes(word);
  if (has("float")) return "f32";
  if (has("double")) return "f64";
  if (has("bool")) return "bool";
  const unsigned = has("unsigned") || has("uint") || has("uint32_t");
  const long = words.filter((word) => word === "long").length > 0 || has("size_t");
  if (long) return unsigned || has("size_t") ? "u64" : "i64";
  return unsigned ? "u32" : "i32";
}

class Reader {
  private readonly tokens: readonly Token[];
  private readonly source: SourceText;
  private readonly functions: ReadonlyMap<string, FunctionText>;
  private at = 0;
  private scopes: Map<string, Symbol>[] = [new Map()];
  private readonly variables: Variable[] = [];
  private readonly shared: SharedArray[] = [];
  private readonly local: LocalArray[] = [];
  private readonly compiled: DeviceFunction[] = [];
  private readonly compiledIndex = new Map<string, number>();

  constructor(tokens: readonly Token[], source: SourceText, functions: ReadonlyMap<string, FunctionText>) {
    this.tokens = tokens;
    this.source = source;
    this.functions = functions;
  }

  kernel(fn: FunctionText): KernelIr {
    this.at = fn.start;
    const params: Param[] = [];
    this.expect("(");
    while (!this.accept(")")) {
      const { type, name } = this.parameter();
      const index = params.length;
      if (isPointer(type)) {
        params.push({ name, kind: "pointer", type });
        this.define(name, { kind: "pointer", root: { kind: "param", index }, type, dims: [] });
      } else if (typeof type === "string") {
        params.push({ name, kind: "scalar", type });
        this.define(name, { kind: "param", index, type });
      } else throw this.error("a vector parameter");
      this.accept(",");
    }
    const body = this.block();
    return {
      name: fn.name,
      source: this.source,
      params,
      constants: [],
      variables: this.variables,
      sharedArrays: this.shared,
      localArrays: this.local,
      functions: this.compiled,
      body,
      warnings: [],
    };
  }

  // ---- tokens ----
  private get token(): Token {
    return this.tokens[this.at]!;
  }
  private next(): Token {
    return this.tokens[this.at++]!;
  }
  private is(text: string): boolean {
    return this.token.text === text && this.token.kind !== "string";
  }
  private accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }
  private expect(text: string): Token {
    if (!this.is(text)) throw this.error(`"${text}" expected, "${this.token.text}" found`);
    return this.next();
  }
  private error(what: string): Error {
    return new Error(
      `${what} in line ${this.token.span.line}: ${this.source.text.split("\n")[this.token.span.line - 1] ?? ""}`,
    );
  }

  // ---- names ----
  private define(name: string, symbol: Symbol): void {
    this.scopes.at(-1)!.set(name, symbol);
  }
  private lookup(name: string): Symbol {
    for (let i = this.scopes.length - 1; i >= 0; i--) {
      const found = this.scopes[i]!.get(name);
      if (found !== undefined) return found;
    }
    throw this.error(`unknown name ${name}`);
  }

  // ---- types ----
  private static readonly TYPE_WORDS = new Set([
    "const",
    "volatile",
    "unsigned",
    "signed",
    "int",
    "uint",
    "float",
    "double",
    "bool",
    "long",
    "void",
    "size_t",
    "uint32_t",
    "int2",
    "int4",
    "uint2",
    "uint4",
    "float2",
    "float4",
    "double2",
    "__shared__",
    "extern",
    "register",
  ]);
  private typeAhead(): boolean {
    return this.token.kind === "name" && Reader.TYPE_WORDS.has(this.token.text);
  }
  private typeWords(): { readonly element: ElementType; readonly words: readonly string[] } {
    const words: string[] = [];
    while (this.typeAhead()) words.push(this.next().text);
    const vector = words.find((word) => /^(int|uint|float|double)[24]$/.test(word));
    if (vector === undefined) return { element: scalarIn(words), words };
    const scalar = scalarIn([vector.slice(0, -1)]);
    return { element: { scalar, lanes: vector.endsWith("2") ? 2 : 4 }, words };
  }
  private stars(): boolean {
    let pointer = false;
    while (this.accept("*")) pointer = true;
    while (this.accept("__restrict__") || this.accept("const")) pointer = pointer && true;
    return pointer;
  }
  private parameter(): { readonly type: Type; readonly name: string } {
    const { element, words } = this.typeWords();
    const pointer = this.stars();
    const name = this.next().text;
    if (!pointer) return { type: element, name };
    return { type: { pointer: element, space: "global", volatile: words.includes("volatile") }, name };
  }

  // ---- statements ----
  private block(): Stmt[] {
    this.expect("{");
    this.scopes.push(new Map());
    const body: Stmt[] = [];
    while (!this.accept("}")) body.push(...this.statement());
    this.scopes.pop();
    return body;
  }

  private body(): Stmt[] {
    return this.is("{") ? this.block() : this.statement();
  }

  private statement(): Stmt[] {
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

  private forLoop(span: Span): Stmt[] {
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
  private switchChain(span: Span): Stmt[] {
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
      chain = [{ kind: "if", condition, then: item.body, else: chain, span }];
    }
    return [{ kind: "declare", variable: id, value: this.convert(subject, "i32"), span }, ...chain];
  }

  private variable(name: string, type: Type, span: Span): number {
    this.variables.push({ name, type, mutable: true, span });
    return this.variables.length - 1;
  }

  /** A declaration, an assignment or a call: what may stand before `;`. */
  private simple(): Stmt[] {
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

  private assign(target: Expr, op: string, right: Expr, span: Span): Stmt {
    if (target.kind === "pointer") {
      if (target.root.kind !== "variable") throw this.error("assignment to an array");
      const value = op === "=" ? right : this.binary(op === "+=" ? "+" : "-", target, right, span);
      return { kind: "assign", variable: target.root.variable, component: null, value, span };
    }
    const type = (target as { readonly type: ElementType }).type;
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

  private declaration(): Stmt[] {
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
      const start = value ?? (typeof element === "string" ? this.constant(element, 0, span) : null);
      if (start !== null) {
        result.push({
          kind: "declare",
          variable: id,
          value: typeof element === "string" ? this.convert(start, element) : start,
          span,
        });
      }
    } while (this.accept(","));
    return result;
  }

  private array(name: string, element: ElementType, words: readonly string[], span: Span): void {
    const dims: number[] = [];
    while (this.accept("[")) {
      if (this.accept("]")) continue;
      const size = this.expression();
      if (size.kind !== "const") throw this.error("an array size that is no constant");
      dims.push(Number(size.value));
      this.expect("]");
    }
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

  // ---- expressions ----
  private constant(type: Scalar, value: number, span: Span): Expr {
    const wide = type === "i64" || type === "u64";
    return { kind: "const", type, value: wide ? BigInt(value) : type === "f32" ? Math.fround(value) : value, span };
  }

  private typeOf(expr: Expr): Scalar {
    if ("type" in expr && typeof expr.type === "string" && expr.type !== "void") return expr.type;
    throw this.error("a scalar expected");
  }

  private convert(expr: Expr, type: Scalar): Expr {
    const from = this.typeOf(expr);
    if (from === type) return expr;
    if (expr.kind === "const" && from !== "bool") return this.convertConstant(expr.value, from, type, expr.span);
    return { kind: "convert", type, operand: expr, span: expr.span };
  }

  private convertConstant(value: number | bigint, _from: Scalar, type: Scalar, span: Span): Expr {
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

  private truth(expr: Expr): Expr {
    return this.convert(expr, "bool");
  }

  private promote(expr: Expr): Expr {
    return this.typeOf(expr) === "bool" ? this.convert(expr, "i32") : expr;
  }

  private expression(): Expr {
    return this.conditional();
  }

  private conditional(): Expr {
    const condition = this.logicalOr();
    const { span } = this.token;
    if (!this.accept("?")) return condition;
    const whenTrue = this.expression();
    this.expect(":");
    const whenFalse = this.conditional();
    if (typeof (whenTrue as { type?: unknown }).type === "object") {
      return {
        kind: "select",
        type: (whenTrue as { type: ElementType }).type,
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

  private logicalOr(): Expr {
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

  private logicalAnd(): Expr {
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

  private static readonly LEVELS: readonly (readonly string[])[] = [
    ["|"],
    ["^"],
    ["&"],
    ["==", "!="],
    ["<", "<=", ">", ">="],
    ["<<", ">>"],
    ["+", "-"],
    ["*", "/", "%"],
  ];

  private level(depth: number): Expr {
    const ops = Reader.LEVELS[depth];
    if (ops === undefined) return this.unary();
    let left = this.level(depth + 1);
    while (this.token.kind === "punctuation" && ops.includes(this.token.text)) {
      const { text, span } = this.next();
      left = this.binary(text, left, this.level(depth + 1), span);
    }
    return left;
  }

  private common(left: Expr, right: Expr): Scalar {
    const a = this.typeOf(left);
    const b = this.typeOf(right);
    return RANK[a] >= RANK[b] ? a : b;
  }

  private binary(op: string, leftExpr: Expr, rightExpr: Expr, span: Span): Expr {
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

  private negative(expr: Expr): Expr {
    return { kind: "unary", op: "neg", type: this.typeOf(expr), operand: expr, span: expr.span };
  }

  private fold(op: ArithmeticOp, type: Scalar, left: Expr, right: Expr, span: Span): Expr | null {
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

  private movePointer(pointer: PointerExpr, offset: Expr): PointerExpr {
    const moved = pointer.offset === null ? offset : this.binary("+", pointer.offset, offset, offset.span);
    return { ...pointer, offset: moved };
  }

  private unary(): Expr {
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
      return { kind: "load", type: target.type.pointer, pointer: target, index: this.constant("i32", 0, span), span };
    }
    if (
      this.is("(") &&
      this.tokens[this.at + 1]?.kind === "name" &&
      Reader.TYPE_WORDS.has(this.tokens[this.at + 1]!.text)
    ) {
      this.next();
      const { element, words } = this.typeWords();
      const pointer = this.stars();
      this.expect(")");
      const operand = this.unary();
      if (!pointer) return this.convert(operand, element as Scalar);
      if (operand.kind !== "pointer") throw this.error("cast of no pointer");
      return { ...operand, type: { ...operand.type, pointer: element, volatile: words.includes("volatile") } };
    }
    return this.postfix();
  }

  private postfix(): Expr {
    let expr = this.primary();
    for (;;) {
      const { span } = this.token;
      if (this.is(".")) {
        this.next();
        const component = "xyzw".indexOf(this.next().text) as 0 | 1 | 2 | 3;
        const type = (expr as { type: ElementType }).type;
        if (!isVector(type)) throw this.error("component of no vector");
        expr = { kind: "component", type: type.scalar, vector: expr, component, span };
        continue;
      }
      return expr;
    }
  }

  private readPointer(symbol: Extract<Symbol, { kind: "pointer" }>, span: Span): Expr {
    const pointer: PointerExpr = { kind: "pointer", type: symbol.type, root: symbol.root, offset: null, span };
    const element = symbol.type.pointer;
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

  private primary(): Expr {
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

  private number(text: string, span: Span): Expr {
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

  private readonly returns: (Type | "void")[] = [];

  private call(name: string, span: Span): Expr {
    const target = this.functions.get(name);
    if (target !== undefined) return this.deviceCall(target, span);
    this.expect("(");
    const args: Expr[] = [];
    while (!this.accept(")")) {
      args.push(this.expression());
      this.accept(",");
    }
    return this.intrinsic(name, args, span);
  }

  private deviceCall(target: FunctionText, span: Span): Expr {
    const values: number[] = [];
    if (this.accept("<")) {
      while (!this.accept(">")) {
        const value = this.level(6);
        if (value.kind !== "const") throw this.error("template argument");
        values.push(Number(value.value));
        this.accept(",");
      }
    }
    const key = `${target.name}<${values.join(",")}>`;
    let index = this.compiledIndex.get(key);
    if (index === undefined) {
      index = this.compileDevice(target, values);
      this.compiledIndex.set(key, index);
    }
    const callee = this.compiled[index]!;
    this.expect("(");
    const args: Expr[] = [];
    while (!this.accept(")")) {
      const arg = this.expression();
      const type = this.variables[callee.params[args.length]!]!.type;
      args.push(
        typeof type === "string"
          ? this.convert(arg, type)
          : isPointer(type) && arg.kind === "pointer"
            ? { ...arg, type: { ...type, space: arg.type.space } }
            : arg,
      );
      this.accept(",");
    }
    return { kind: "call", type: callee.returns, callee: index, args, span };
  }

  private compileDevice(target: FunctionText, values: readonly number[]): number {
    const saved = { at: this.at, scopes: this.scopes };
    const constants = new Map<string, Symbol>();
    for (const [i, name] of target.template.entries())
      constants.set(name, { kind: "constant", type: "u32", value: values[i]! });
    this.scopes = [constants, new Map()];
    this.at = target.start;
    const params: number[] = [];
    this.expect("(");
    while (!this.accept(")")) {
      const { span } = this.token;
      const { type, name } = this.parameter();
      const id = this.variable(name, type, span);
      params.push(id);
      if (isPointer(type))
        this.define(name, { kind: "pointer", root: { kind: "variable", variable: id }, type, dims: [] });
      else this.define(name, { kind: "variable", id, type });
      this.accept(",");
    }
    this.returns.push(target.returns);
    const body = this.block();
    this.returns.pop();
    this.at = saved.at;
    this.scopes = saved.scopes;
    const returns = target.returns;
    if (typeof returns === "object" && isPointer(returns)) throw this.error("a pointer returned");
    this.compiled.push({ name: target.name, source: this.source, params, returns, body });
    return this.compiled.length - 1;
  }

  private intrinsicOf(name: IntrinsicName, type: Scalar | "void", args: readonly Expr[], span: Span): Expr {
    return { kind: "intrinsic", name, type, args, span };
  }

  private intrinsic(name: string, args: readonly Expr[], span: Span): Expr {
    const atomic = ATOMICS[name];
    if (atomic !== undefined) {
      const place = this.place(args[0]!);
      const type = place.pointer.type.pointer as Scalar;
      return {
        kind: "atomic",
        op: atomic,
        type,
        ...place,
        args: args.slice(1).map((arg) => this.convert(arg, type)),
        span,
      };
    }
    const u32 = (i: number): Expr => this.convert(args[i]!, "u32");
    const i32 = (i: number): Expr => this.convert(args[i]!, "i32");
    const shuffle = (op: IntrinsicName): Expr => {
      const width = args[3] === undefined ? this.constant("i32", 32, span) : i32(3);
      return this.intrinsicOf(
        op,
        this.typeOf(args[1]!),
        [u32(0), args[1]!, op === "shflUp" || op === "shflDown" ? u32(2) : i32(2), width],
        span,
      );
    };
    const math = FLOAT_FUNCTIONS[name];
    if (math !== undefined) return this.intrinsicOf(math, "f32", [this.convert(args[0]!, "f32")], span);
    switch (name) {
      case "__syncthreads":
        return this.intrinsicOf("syncthreads", "void", [], span);
      case "__threadfence":
        return this.intrinsicOf("threadfence", "void", [], span);
      case "__syncwarp":
        return this.intrinsicOf(
          "syncwarp",
          "void",
          [args[0] === undefined ? this.constant("u32", 0xffffffff, span) : u32(0)],
          span,
        );
      case "__shfl_sync":
        return shuffle("shfl");
      case "__shfl_up_sync":
        return shuffle("shflUp");
      case "__shfl_down_sync":
        return shuffle("shflDown");
      case "__shfl_xor_sync":
        return shuffle("shflXor");
      case "__ballot_sync":
        return this.intrinsicOf("ballot", "u32", [u32(0), this.truth(args[1]!)], span);
      case "__any_sync":
        return this.convert(this.intrinsicOf("any", "bool", [u32(0), this.truth(args[1]!)], span), "i32");
      case "__all_sync":
        return this.convert(this.intrinsicOf("all", "bool", [u32(0), this.truth(args[1]!)], span), "i32");
      case "__activemask":
        return this.intrinsicOf("activemask", "u32", [], span);
      case "__match_any_sync":
        return this.intrinsicOf("matchAny", "u32", [u32(0), args[1]!], span);
      case "__reduce_add_sync":
        return this.intrinsicOf("reduceAdd", this.typeOf(args[1]!), [u32(0), args[1]!], span);
      case "__popc":
        return this.intrinsicOf("popc", "i32", [u32(0)], span);
      case "__ffs":
        return this.intrinsicOf("ffs", "i32", [i32(0)], span);
      case "__clz":
        return this.intrinsicOf("clz", "i32", [i32(0)], span);
      case "__brev":
        return this.intrinsicOf("brev", "u32", [u32(0)], span);
      case "__fdividef":
        return this.intrinsicOf("fastDivide", "f32", args, span);
      case "min":
      case "max":
      case "fminf":
      case "fmaxf": {
        const type = this.common(args[0]!, args[1]!);
        return this.intrinsicOf(
          name.includes("min") ? "min" : "max",
          type,
          args.map((arg) => this.convert(arg, type)),
          span,
        );
      }
      case "abs":
      case "fabsf":
        return this.intrinsicOf("abs", this.typeOf(args[0]!), args, span);
      case "fmaf":
        return this.intrinsicOf("fma", "f32", args, span);
      case "make_float4":
        return { kind: "makeVector", type: { scalar: "f32", lanes: 4 }, components: args, span };
      case "make_int4":
        return { kind: "makeVector", type: { scalar: "i32", lanes: 4 }, components: args, span };
      case "make_float2":
        return { kind: "makeVector", type: { scalar: "f32", lanes: 2 }, components: args, span };
      default:
        throw this.error(`unknown function ${name}`);
    }
  }

  private place(expr: Expr): Place {
    if (expr.kind !== "pointer") throw this.error("an atomic on no pointer");
    if (expr.offset === null) return { pointer: expr, index: this.constant("i32", 0, expr.span) };
    return { pointer: { ...expr, offset: null }, index: expr.offset };
  }
}
