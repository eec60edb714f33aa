/**
 * A kernel's IR as readable text, for tests and for learners who want to see what the compiler made of their text.
 * Operators on other types than i32 and bool carry the type: `(a +u32 b)`; constants carry C's suffixes.
 */
import type { Expr, KernelIr, PointerExpr, Stmt } from "./ir.js";
import { cudaName, type ElementType, isPointer, isVector, type Scalar, type Type } from "./types.js";

const arithmetic: Readonly<Record<string, string>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "/",
  rem: "%",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  shr: ">>",
  eq: "==",
  ne: "!=",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
};

const componentNames = ["x", "y", "z", "w"];

/** `i32`, `float4`, `volatile shared i32*`. */
export function typeText(type: Type | ElementType | "void"): string {
  if (typeof type === "string") return type;
  if (isPointer(type)) return `${type.volatile ? "volatile " : ""}${type.space} ${typeText(type.pointer)}*`;
  return isVector(type) ? cudaName(type) : "?";
}

function constantText(type: Scalar, value: number | bigint): string {
  switch (type) {
    case "bool":
      return value === 0 ? "false" : "true";
    case "i32":
      return String(value);
    case "u32":
      return `${value}u`;
    case "i64":
      return `${value}LL`;
    case "u64":
      return `${value}ULL`;
    case "f32":
      return `${Object.is(value, -0) ? "-0" : value}f`;
    case "f64":
      return `${Object.is(value, -0) ? "-0" : value}d`;
  }
}

function suffix(type: Scalar): string {
  return type === "i32" || type === "bool" ? "" : type;
}

class Printer {
  private readonly names: readonly string[];
  constructor(private readonly ir: KernelIr) {
    const count = new Map<string, number>();
    for (const { name } of ir.variables) count.set(name, (count.get(name) ?? 0) + 1);
    this.names = ir.variables.map(({ name }, id) => ((count.get(name) ?? 0) > 1 ? `${name}#${id}` : name));
  }

  variable(id: number): string {
    return this.names[id] ?? `?${id}`;
  }

  expr(expr: Expr): string {
    switch (expr.kind) {
      case "const":
        return constantText(expr.type, expr.value);
      case "param":
        return this.ir.params[expr.index]?.name ?? `param${expr.index}`;
      case "builtin":
        return `${expr.name}.${expr.axis}`;
      case "variable":
        return this.variable(expr.variable);
      case "unary":
        return `${{ neg: "-", not: "!", bitNot: "~" }[expr.op]}${suffix(expr.type)}${this.expr(expr.operand)}`;
      case "binary":
        return `(${this.expr(expr.left)} ${arithmetic[expr.op]}${suffix(expr.type)} ${this.expr(expr.right)})`;
      case "compare":
        return `(${this.expr(expr.left)} ${arithmetic[expr.op]}${suffix(expr.operandType)} ${this.expr(expr.right)})`;
      case "logical":
        return `(${this.expr(expr.left)} ${expr.op === "and" ? "&&" : "||"} ${this.expr(expr.right)})`;
      case "select":
        return `(${this.expr(expr.condition)} ? ${this.expr(expr.whenTrue)} : ${this.expr(expr.whenFalse)})`;
      case "convert":
        return `${expr.type}(${this.expr(expr.operand)})`;
      case "intrinsic":
        return `${expr.name}${expr.type === "void" ? "" : `.${expr.type}`}(${this.list(expr.args)})`;
      case "load":
        return `${this.place(expr.pointer)}[${this.expr(expr.index)}]`;
      case "atomic":
        return `atomic.${expr.op}.${expr.type}(${this.place(expr.pointer)}[${this.expr(expr.index)}], ${this.list(expr.args)})`;
      case "call":
        return `${this.ir.functions[expr.callee]?.name ?? "?"}#${expr.callee}(${this.list(expr.args)})`;
      case "component":
        return `${this.expr(expr.vector)}.${componentNames[expr.component]}`;
      case "makeVector":
        return `${cudaName(expr.type)}(${this.list(expr.components)})`;
      case "pointer":
        return this.pointer(expr);
    }
  }

  private list(exprs: readonly Expr[]): string {
    return exprs.map((expr) => this.expr(expr)).join(", ");
  }

  private rootType(pointer: PointerExpr): string {
    const { root } = pointer;
    switch (root.kind) {
      case "param": {
        const param = this.ir.params[root.index];
        return param?.kind === "pointer" ? typeText(param.type) : "?";
      }
      case "shared": {
        const array = this.ir.sharedArrays[root.array];
        return array ? typeText({ pointer: array.element, space: "shared", volatile: array.volatile }) : "?";
      }
      case "local": {
        const array = this.ir.localArrays[root.array];
        return array ? typeText({ pointer: array.element, space: "local", volatile: false }) : "?";
      }
      case "variable":
        return typeText(this.ir.variables[root.variable]?.type ?? "void");
    }
  }

  /** A pointer as it stands before `[index]`. */
  private place(pointer: PointerExpr): string {
    const text = this.pointer(pointer);
    return text.includes(" + ") ? `(${text})` : text;
  }

  pointer(pointer: PointerExpr): string {
    const { root } = pointer;
    const name =
      root.kind === "param"
        ? (this.ir.params[root.index]?.name ?? "?")
        : root.kind === "shared"
          ? (this.ir.sharedArrays[root.array]?.name ?? "?")
          : root.kind === "local"
            ? (this.ir.localArrays[root.array]?.name ?? "?")
            : this.variable(root.variable);
    const own = typeText(pointer.type);
    const seen = own === this.rootType(pointer) ? name : `(${own})${name}`;
    return pointer.offset === null ? seen : `${seen} + ${this.expr(pointer.offset)}`;
  }

  statements(stmts: readonly Stmt[], indent: string): string[] {
    return stmts.flatMap((stmt) => this.statement(stmt, indent));
  }

  private statement(stmt: Stmt, indent: string): string[] {
    const inner = `${indent}  `;
    switch (stmt.kind) {
      case "declare": {
        const { type, mutable } = this.ir.variables[stmt.variable] ?? { type: "void" as const, mutable: false };
        return [
          `${indent}${mutable ? "var" : "let"} ${this.variable(stmt.variable)}: ${typeText(type)} = ${this.expr(stmt.value)}`,
        ];
      }
      case "assign": {
        const component = stmt.component === null ? "" : `.${componentNames[stmt.component]}`;
        return [`${indent}${this.variable(stmt.variable)}${component} = ${this.expr(stmt.value)}`];
      }
      case "store":
        return [`${indent}${this.place(stmt.pointer)}[${this.expr(stmt.index)}] = ${this.expr(stmt.value)}`];
      case "expr":
        return [`${indent}${this.expr(stmt.value)}`];
      case "if": {
        const otherwise = stmt.else.length === 0 ? [] : [`${indent}else`, ...this.statements(stmt.else, inner)];
        return [`${indent}if ${this.expr(stmt.condition)}`, ...this.statements(stmt.then, inner), ...otherwise];
      }
      case "loop": {
        const unroll = stmt.unroll === null ? "" : ` unroll ${stmt.unroll}`;
        const condition = stmt.condition === null ? "" : ` ${this.expr(stmt.condition)}`;
        const head = stmt.testFirst ? `loop${condition}${unroll}` : `loop${unroll} do`;
        return [
          ...this.statements(stmt.init, indent),
          `${indent}${head}`,
          ...this.statements(stmt.body, inner),
          ...(stmt.update.length === 0 ? [] : [`${indent}update`, ...this.statements(stmt.update, inner)]),
          ...(stmt.testFirst ? [] : [`${indent}while${condition || " true"}`]),
        ];
      }
      case "break":
      case "continue":
        return [`${indent}${stmt.kind}`];
      case "return":
        return [`${indent}return${stmt.value === null ? "" : ` ${this.expr(stmt.value)}`}`];
      case "printf":
        return [
          `${indent}printf ${JSON.stringify(stmt.format)}${stmt.args.length === 0 ? "" : `, ${this.list(stmt.args)}`}`,
        ];
      case "launch": {
        const name = stmt.kernel === "self" ? "self" : (this.ir.children?.[stmt.kernel]?.name ?? "?");
        const sizes = `grid (${this.list(stmt.grid)}) block (${this.list(stmt.block)}) shared ${this.expr(stmt.sharedBytes)}`;
        const stream = stmt.stream === "block" ? "" : ` ${stmt.stream}`;
        return [`${indent}launch ${name} ${sizes}${stream} (${this.list(stmt.args)})`];
      }
      case "block":
        return [`${indent}block`, ...this.statements(stmt.body, inner)];
    }
  }
}

/** The statements of the kernel's body alone, without indentation at the outer level. */
export function printBody(ir: KernelIr): string {
  return new Printer(ir).statements(ir.body, "").join("\n");
}

/** The whole kernel: parameters, arrays, device functions, body. */
export function printKernel(ir: KernelIr): string {
  const printer = new Printer(ir);
  const params = ir.params.map((param) => `${param.name}: ${typeText(param.type)}`).join(", ");
  const constants = ir.constants.map(
    ({ name, type, value }) => `  const ${name}: ${type} = ${constantText(type, value)}`,
  );
  const shared = ir.sharedArrays.map(
    ({ name, element, dims, volatile }) =>
      `  ${volatile ? "volatile " : ""}${dims === null ? "extern " : ""}shared ${name}: ${typeText(element)}[${dims?.join("][") ?? ""}]`,
  );
  const local = ir.localArrays.map(
    ({ name, element, dims }) => `  local ${name}: ${typeText(element)}[${dims.join("][")}]`,
  );
  const functions = ir.functions.flatMap((fn, index) => {
    const list = fn.params
      .map((id) => `${printer.variable(id)}: ${typeText(ir.variables[id]?.type ?? "void")}`)
      .join(", ");
    return [`device ${fn.name}#${index}(${list}): ${typeText(fn.returns)}`, ...printer.statements(fn.body, "  ")];
  });
  return [
    ...functions,
    `kernel ${ir.name}(${params})`,
    ...constants,
    ...shared,
    ...local,
    ...printer.statements(ir.body, "  "),
  ].join("\n");
}
