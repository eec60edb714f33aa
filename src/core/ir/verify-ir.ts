/**
 * Checks the invariants at the head of ir.ts: types of operands, roots of pointers, indices, breaks inside of
 * loops, calls that do not recurse. A front end's tests run it; a violation is a bug of the front end.
 */
import type { Expr, KernelIr, PointerExpr, Stmt } from "./ir.js";
import { typeText } from "./print.js";
import { isFloat, isInteger, isPointer, isScalar, isVector, loadedType, type Scalar, type Type } from "./types.js";
import { expressionsOf, nestedLists, operands } from "./walk.js";

function same(a: Type | "void", b: Type | "void"): boolean {
  return typeText(a) === typeText(b);
}

function lanesOf(type: Type | "void"): number {
  return type !== "void" && isVector(type) ? type.lanes : 0;
}

class Verifier {
  readonly problems: string[] = [];
  constructor(private readonly ir: KernelIr) {}

  private require(condition: boolean, problem: string, at: { readonly span: { readonly line: number } }): void {
    if (!condition) this.problems.push(`line ${at.span.line}: ${problem}`);
  }

  private typed(expr: Expr, type: Type, what: string): void {
    this.require(same(expr.type, type), `${what} is ${typeText(expr.type)}, not ${typeText(type)}`, expr);
  }

  private integer(expr: Expr, what: string): void {
    this.require(expr.type !== "void" && isScalar(expr.type) && isInteger(expr.type), `${what} is no integer`, expr);
  }

  private constant(expr: Expr & { readonly kind: "const" }): void {
    const { type, value } = expr;
    const big = type === "i64" || type === "u64";
    this.require((typeof value === "bigint") === big, `constant ${value} has the wrong form for ${type}`, expr);
    if (type === "bool") this.require(value === 0 || value === 1, `bool constant ${value}`, expr);
    if (type === "i32") this.require(value === (Number(value) | 0), `i32 constant ${value} out of range`, expr);
    if (type === "u32") this.require(value === Number(value) >>> 0, `u32 constant ${value} out of range`, expr);
    if (type === "f32")
      this.require(Object.is(Number(value), Math.fround(Number(value))), `f32 constant ${value} is not rounded`, expr);
  }

  private pointer(expr: PointerExpr): void {
    const { root } = expr;
    const tables = {
      param: this.ir.params,
      shared: this.ir.sharedArrays,
      local: this.ir.localArrays,
      variable: this.ir.variables,
    };
    const index = root.kind === "param" ? root.index : root.kind === "variable" ? root.variable : root.array;
    this.require(index in tables[root.kind], `pointer to a ${root.kind} that is not there`, expr);
    if (root.kind === "variable") {
      const type = this.ir.variables[root.variable]?.type;
      this.require(
        type !== undefined && isPointer(type) && type.space === expr.type.space,
        "pointer root is no pointer variable of its space",
        expr,
      );
    }
    if (root.kind === "param") {
      this.require(
        this.ir.params[root.index]?.kind === "pointer" && expr.type.space === "global",
        "pointer to a scalar parameter",
        expr,
      );
    }
    if (root.kind === "shared" || root.kind === "local") {
      this.require(
        expr.type.space === root.kind,
        `pointer into ${root.kind} memory has space ${expr.type.space}`,
        expr,
      );
    }
    this.require(expr.type.pointer !== "bool", "a bool has no place in memory", expr);
    if (expr.offset !== null) this.integer(expr.offset, "pointer offset");
  }

  private element(pointer: PointerExpr, index: Expr, type: Type | "void", at: Expr | Stmt): void {
    this.require(
      same(loadedType(pointer.type.pointer), type),
      `element of ${typeText(pointer.type)} has type ${typeText(type)}`,
      at,
    );
    this.integer(index, "index");
  }

  private arithmetic(expr: Expr & { readonly kind: "binary" }): void {
    this.typed(expr.left, expr.type, "left operand");
    const shift = expr.op === "shl" || expr.op === "shr";
    this.typed(expr.right, shift ? "u32" : expr.type, "right operand");
    const bits = shift || expr.op === "and" || expr.op === "or" || expr.op === "xor" || expr.op === "rem";
    this.require(!(bits && isFloat(expr.type)), `${expr.op} of floats`, expr);
    this.require(expr.type !== "bool", `arithmetic on bools: ${expr.op}`, expr);
  }

  expr(expr: Expr): void {
    for (const operand of operands(expr)) this.expr(operand);
    switch (expr.kind) {
      case "const":
        this.constant(expr);
        return;
      case "param":
        this.require(this.ir.params[expr.index]?.type === expr.type, "parameter of another type", expr);
        return;
      case "variable":
        this.require(
          same(this.ir.variables[expr.variable]?.type ?? "void", expr.type),
          "variable of another type",
          expr,
        );
        return;
      case "unary":
        this.typed(expr.operand, expr.op === "not" ? "bool" : expr.type, `operand of ${expr.op}`);
        return;
      case "binary":
        this.arithmetic(expr);
        return;
      case "compare":
        this.typed(expr.left, expr.operandType, "left side");
        this.typed(expr.right, expr.operandType, "right side");
        return;
      case "logical":
        this.typed(expr.left, "bool", "left side");
        this.typed(expr.right, "bool", "right side");
        return;
      case "select":
        this.typed(expr.condition, "bool", "condition");
        this.typed(expr.whenTrue, expr.type, "true side");
        this.typed(expr.whenFalse, expr.type, "false side");
        return;
      case "convert":
        this.require(
          expr.operand.type !== "void" && isScalar(expr.operand.type) && expr.operand.type !== expr.type,
          "conversion without a change",
          expr,
        );
        return;
      case "load":
        this.element(expr.pointer, expr.index, expr.type, expr);
        return;
      case "atomic":
        this.element(expr.pointer, expr.index, expr.type, expr);
        for (const arg of expr.args) this.typed(arg, expr.type, "operand of an atomic");
        this.require(expr.args.length === (expr.op === "cas" ? 2 : 1), "operands of an atomic", expr);
        return;
      case "call":
        this.call(expr);
        return;
      case "component":
        this.require(expr.component < lanesOf(expr.vector.type), "component of no vector", expr);
        return;
      case "makeVector":
        for (const part of expr.components) this.typed(part, expr.type.scalar, "component");
        this.require(expr.components.length === expr.type.lanes, "number of components", expr);
        return;
      case "pointer":
        this.pointer(expr);
        return;
      default:
        return;
    }
  }

  private call(expr: Expr & { readonly kind: "call" }): void {
    const callee = this.ir.functions[expr.callee];
    this.require(callee !== undefined, "call of a function that is not there", expr);
    if (callee === undefined) return;
    this.require(same(callee.returns, expr.type), `call of ${callee.name} has another type than its result`, expr);
    this.require(callee.params.length === expr.args.length, `number of arguments of ${callee.name}`, expr);
    expr.args.forEach((arg, index) => {
      const type = this.ir.variables[callee.params[index] ?? -1]?.type;
      if (type === undefined) return;
      const fits =
        isPointer(type) && arg.kind === "pointer"
          ? same(type, { ...arg.type, volatile: type.volatile })
          : same(type, arg.type);
      this.require(fits, `argument ${index} of ${callee.name} is ${typeText(arg.type)}, not ${typeText(type)}`, expr);
    });
  }

  statements(stmts: readonly Stmt[], loops: number, returns: Type | "void"): void {
    for (const stmt of stmts) {
      for (const expr of expressionsOf(stmt)) this.expr(expr);
      this.statement(stmt, loops, returns);
      const inner = stmt.kind === "loop" ? loops + 1 : loops;
      for (const list of nestedLists(stmt)) this.statements(list, inner, returns);
    }
  }

  private statement(stmt: Stmt, loops: number, returns: Type | "void"): void {
    switch (stmt.kind) {
      case "declare":
        this.typed(stmt.value, this.ir.variables[stmt.variable]?.type ?? "bool", "value of a declaration");
        return;
      case "assign": {
        const variable = this.ir.variables[stmt.variable];
        this.require(
          variable?.mutable === true,
          `assignment to ${variable?.name ?? "nothing"}, which is constant`,
          stmt,
        );
        const type: Type | undefined = variable?.type;
        if (type === undefined) return;
        const part: Type = stmt.component !== null && isVector(type) ? type.scalar : type;
        this.typed(stmt.value, part, "assigned value");
        return;
      }
      case "store":
        this.element(stmt.pointer, stmt.index, stmt.value.type, stmt);
        return;
      case "if":
        this.typed(stmt.condition, "bool", "condition");
        return;
      case "loop":
        if (stmt.condition !== null) this.typed(stmt.condition, "bool", "condition");
        return;
      case "break":
      case "continue":
        this.require(loops > 0, `${stmt.kind} outside of a loop`, stmt);
        return;
      case "return":
        this.require(same(stmt.value?.type ?? "void", returns), "value of a return", stmt);
        return;
      case "launch":
        this.launch(stmt);
        return;
      default:
        return;
    }
  }

  private launch(stmt: Stmt & { readonly kind: "launch" }): void {
    for (const size of [...stmt.grid, ...stmt.block, stmt.sharedBytes]) this.typed(size, "u32", "size of a launch");
    const child = stmt.kernel === "self" ? this.ir : this.ir.children?.[stmt.kernel];
    this.require(child !== undefined, "launch of a kernel that is not there", stmt);
    this.require(child?.params.length === stmt.args.length, "number of arguments of a launch", stmt);
    stmt.args.forEach((arg, index) => {
      const param = child?.params[index];
      if (param === undefined) return;
      const type: Scalar | Type = param.type;
      const fits =
        isPointer(type) && arg.kind === "pointer"
          ? typeText(type.pointer) === typeText(arg.type.pointer) && arg.type.space === "global"
          : same(type, arg.type);
      this.require(fits, `argument ${index} of a launch is ${typeText(arg.type)}, not ${typeText(type)}`, stmt);
    });
  }

  /** A function calls only functions that were complete before it, so that no call recurses. */
  calls(stmts: readonly Stmt[], below: number): void {
    const visit = (expr: Expr): void => {
      if (expr.kind === "call") this.require(expr.callee < below, "a call that could recurse", expr);
      for (const operand of operands(expr)) visit(operand);
    };
    for (const stmt of stmts) {
      for (const expr of expressionsOf(stmt)) visit(expr);
      for (const list of nestedLists(stmt)) this.calls(list, below);
    }
  }
}

/** The invariants that the kernel breaks, one sentence each; empty where it is sound. */
export function verifyIr(ir: KernelIr): readonly string[] {
  const verifier = new Verifier(ir);
  verifier.statements(ir.body, 0, "void");
  ir.functions.forEach((fn, index) => {
    verifier.statements(fn.body, 0, fn.returns);
    verifier.calls(fn.body, index);
  });
  return verifier.problems;
}
