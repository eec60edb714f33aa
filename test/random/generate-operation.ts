/** Statements of one operation each, so that every operation of every type is made equally often. */
import { FUNCTIONS, type LanguageFunction } from "./functions.js";
import { binary, call, isInteger, isSigned, isWide, literal, unsignedOf } from "./generate-expression.js";
import { StatementGenerator } from "./generate-statement.js";
import { type BinaryOp, type Expr, NUMERIC, type Numeric, type Stmt, type Type } from "./tree.js";

const STEPS = [1, -1] as const;
const FLOAT_OPS: readonly BinaryOp[] = ["+", "-", "*", "/"];
const INTEGER_OPS: readonly BinaryOp[] = ["+", "-", "*", "idiv", "%", "&", "|", "^", "<<", ">>", ">>>"];

/** `value` gives the operation's value, or a statement that assigns with it. */
type Operation =
  | { readonly k: "value"; readonly t: Type; readonly value: () => Expr }
  | { readonly k: "stmts"; readonly t: Numeric; readonly stmts: (name: string) => readonly Stmt[] };

export abstract class OperationGenerator extends StatementGenerator {
  private readonly operations: { exact?: readonly Operation[]; approximate?: readonly Operation[] } = {};

  /** A new variable that has the value of one operation, each as likely as the others. */
  protected override operation(exact = true): Stmt {
    this.operations[exact ? "exact" : "approximate"] ??= exact ? this.possible() : this.approximations();
    const made = this.choices.pick(this.operations[exact ? "exact" : "approximate"] ?? []);
    const name = this.fresh(made.t === "bool" ? "b_" : `${made.t[0]}_`);
    const body = made.k === "stmts" ? made.stmts(name) : [];
    const init = made.k === "value" ? made.value() : null;
    this.scope.names.push({ name, t: made.t, mutable: false, uniform: false });
    if (init !== null) return { k: "let", name, t: made.t, mutable: false, init };
    return { k: "group", body, loose: true };
  }

  private approximations(): readonly Operation[] {
    return FUNCTIONS.filter(({ exact }) => !exact).map((fn) => ({
      k: "value",
      t: fn.result,
      value: () => this.called(fn),
    }));
  }

  /** All but those that other statements are full of. */
  private possible(): readonly Operation[] {
    const value = (t: Type, make: () => Expr): Operation => ({ k: "value", t, value: make });
    return [
      ...FUNCTIONS.filter(({ exact }) => exact).map((fn) => value(fn.result, () => this.called(fn))),
      ...NUMERIC.flatMap((t) => {
        const ops = isInteger(t) ? INTEGER_OPS : FLOAT_OPS;
        const assigned = ops.filter((op) => op !== ">>>");
        return [
          // The result of >>> is unsigned.
          ...ops.map((op) => value(op === ">>>" ? unsignedOf(t) : t, () => this.combined(op, t))),
          ...assigned.map((op): Operation => ({ k: "stmts", t, stmts: (name) => this.assigned(name, t, op) })),
          value(t, () => ({ k: "unary", op: "-", t, a: this.held(t, 0xffff) })),
          ...STEPS.map((by): Operation => ({ k: "stmts", t, stmts: (name) => this.stepped(name, t, by) })),
        ];
      }),
    ];
  }

  private called(fn: LanguageFunction): Expr {
    const { choices, options } = this;
    const args = fn.args.map((t) => {
      if (t === "bool") return this.condition(1);
      if (fn.names[0] === "abs" && options.defined) return binary(">>", t, this.numeric(t, 1), literal("i32", 1));
      return fn.showsNan ? this.visibleFloat(this.numeric(t, 1)) : this.numeric(t, 1);
    });
    return call(fn.result, choices.pick(fn.names), ...args);
  }

  /** A value that keeps a signed operation from overflow, where that has no meaning. */
  private held(t: Numeric, mask: number): Expr {
    const value = this.numeric(t, 1);
    if (!(this.options.defined && isSigned(t))) return value;
    return binary("&", t, value, literal(t, isWide(t) ? BigInt(mask) : mask));
  }

  private second(op: BinaryOp, t: Numeric): Expr {
    const number = (v: number): Expr => literal(t, isWide(t) ? BigInt(v) : v);
    if (op === "idiv" || op === "%") {
      return binary("|", t, binary("&", t, this.numeric(t, 1), number(0x7fff)), number(1));
    }
    if (op === "<<" || op === ">>" || op === ">>>") {
      const width = isWide(t) ? 63 : 31;
      return binary("&", "i32", this.numeric("i32", 1), literal("i32", op === "<<" && isSigned(t) ? 15 : width));
    }
    return this.held(t, 0x7fff);
  }

  private combined(op: BinaryOp, t: Numeric): Expr {
    const first = op === "+" || op === "-" || op === "*" || op === "<<" ? this.held(t, 0x7fff) : this.numeric(t, 1);
    return { k: "binary", op, t: op === ">>>" ? unsignedOf(t) : t, a: first, b: this.second(op, t) };
  }

  private assigned(name: string, t: Numeric, op: BinaryOp): readonly Stmt[] {
    const first: Stmt = { k: "let", name, t, mutable: true, init: this.held(t, 0x7fff) };
    return [first, { k: "set", name, t, op, value: this.second(op, t) }];
  }

  private stepped(name: string, t: Numeric, by: 1 | -1): readonly Stmt[] {
    return [
      { k: "let", name, t, mutable: true, init: this.held(t, 0x7fff) },
      { k: "step", name, t, by },
    ];
  }
}
