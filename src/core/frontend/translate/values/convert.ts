/**
 * Conversions between types: CUDA C++'s usual arithmetic conversions, the conversions of an assignment (those that
 * would lose what the learner sees are refused), and truth values.
 */
import type { Span } from "../../../base/errors.js";
import type { ConstExpr, Expr, PointerExpr } from "../../../ir/ir.js";
import { cudaName, isFloat, isInteger, isScalar, isSigned, type Scalar, type VectorType } from "../../../ir/types.js";
import type { Report } from "../../text/report.js";
import { aType, startingWith } from "../../text/type-name.js";
import { bitWidth, constant, convertConstant, exactValue, foldCompare, isConst } from "./fold.js";

/** An expression with one scalar value. */
export type ScalarExpr = Exclude<Expr, PointerExpr> & { readonly type: Scalar };

/** Any expression but a pointer; a call may give nothing ("void"). */
export type ValueExpr = Exclude<Expr, PointerExpr>;

export function isScalarExpr(expr: ValueExpr): expr is ValueExpr & { readonly type: Scalar } {
  return expr.type !== "void" && isScalar(expr.type);
}

/** `expr` as `type`; constants are converted now, with the exact value of a literal where it has one. */
export function convertTo(expr: ScalarExpr, type: Scalar): ScalarExpr {
  if (expr.type === type) return expr;
  if (isConst(expr))
    return constant(type, type === "f64" ? (exactValue(expr) ?? expr.value) : expr.value, expr.span, expr.type);
  if (type === "bool") return truth(expr);
  return { kind: "convert", type, operand: expr, span: expr.span };
}

/** C's truth of an integer: not zero. */
function truth(expr: ScalarExpr): ScalarExpr {
  const zero = constant(expr.type, 0, expr.span);
  if (isConst(expr)) return constant("bool", foldCompare("ne", expr.value, zero.value) ? 1 : 0, expr.span);
  return { kind: "compare", op: "ne", type: "bool", operandType: expr.type, left: expr, right: zero, span: expr.span };
}

/** `expr` as the condition of an if, a loop, `&&`, `||`, `!` or `?:`. */
export function asCondition(expr: ScalarExpr, report: Report): ScalarExpr {
  if (expr.type === "bool") return expr;
  if (isFloat(expr.type)) {
    report.fail(
      expr.span,
      `${startingWith(aType(expr.type))} stands where true or false is asked for; JavaScript and CUDA disagree about NaN there.`,
      "Write the comparison: x !== 0.",
    );
  }
  return truth(expr);
}

const ranks: readonly Scalar[] = ["i32", "u32", "i64", "u64", "f32", "f64"];

/** The common type of two operands: the higher in i32 < u32 < i64 < u64 < f32 < f64; a bool counts as i32. */
export function commonType(a: Scalar, b: Scalar): Scalar {
  return ranks[Math.max(ranks.indexOf(a), ranks.indexOf(b), 0)] ?? "i32";
}

/** True where the value cannot be negative, as far as the text shows. */
export function isNonNegative(expr: Expr, knownVariables: ReadonlySet<number>): boolean {
  switch (expr.kind) {
    case "const":
      return expr.value >= 0;
    case "builtin":
      return true;
    case "variable":
      return knownVariables.has(expr.variable) || (isScalar(expr.type) && unsignedOrBool(expr.type));
    case "convert":
      if (unsignedOrBool(expr.type)) return true;
      return (
        isScalarOperand(expr.operand) && !isFloat(expr.operand.type) && isNonNegative(expr.operand, knownVariables)
      );
    case "intrinsic":
      return unsignedType(expr.type) || ["popc", "clz", "ffs", "syncthreadsCount"].includes(expr.name);
    case "binary": {
      if (unsignedOrBool(expr.type)) return true;
      const left = isNonNegative(expr.left, knownVariables);
      const right = isNonNegative(expr.right, knownVariables);
      if (expr.op === "and") return left || right;
      if (expr.op === "shr" || expr.op === "rem") return left;
      return ["div", "or", "xor"].includes(expr.op) && left && right;
    }
    case "select":
      return isNonNegative(expr.whenTrue, knownVariables) && isNonNegative(expr.whenFalse, knownVariables);
    default:
      return unsignedType(expr.type);
  }
}

function isScalarOperand(expr: Expr): expr is ScalarExpr {
  return expr.type !== "void" && isScalar(expr.type);
}

function unsignedOrBool(type: Scalar): boolean {
  return type === "bool" || (isInteger(type) && !isSigned(type));
}

function unsignedType(type: Expr["type"]): boolean {
  return typeof type === "string" && type !== "void" && unsignedOrBool(type);
}

/** Names a place that takes a value: `variable sum`, `an element of output`. */
export interface Target {
  readonly name: string;
  /** How what it stands in would be declared to hold `type`, for a cure; a variable unless told. */
  readonly declaredAs?: (type: Scalar) => string;
  readonly type: Scalar | VectorType;
}

function narrowed(expr: ConstExpr, type: Scalar): ConstExpr | null {
  const value = convertConstant(expr.value, type);
  return BigInt(value) === BigInt(expr.value) ? constant(type, value, expr.span) : null;
}

function variableOf(type: Scalar): string {
  return `the variable so: let x = ${type}(0) (a bare 0.0 reads as the integer 0 once a bundler has printed it)`;
}

/** `expr` as assigned to `target`: widening happens by itself, a loss must be written as a cast. */
export function assign(expr: ValueExpr, target: Target, span: Span, report: Report): ValueExpr {
  const { name, type } = target;
  if (expr.type === "void") throw new Error(`nothing is assigned to ${name}`);
  if (!isScalar(type) || !isScalarExpr(expr)) {
    if (!isScalar(type) && !isScalar(expr.type) && cudaName(type) === cudaName(expr.type)) return expr;
    const cure = isScalar(type)
      ? "Take one component: .x, .y, .z or .w."
      : `Build the vector: make_${cudaName(type)}(...).`;
    return report.fail(
      span,
      `${startingWith(aType(expr.type))} is assigned to ${name}, which is ${aType(type)}.`,
      cure,
    );
  }
  if (expr.type === type) return expr;
  if (type === "bool") {
    return report.fail(
      span,
      `${startingWith(aType(expr.type))} is assigned to ${name}, which is a bool.`,
      "Write the comparison: x !== 0.",
    );
  }
  if (isFloat(expr.type) && isInteger(type)) {
    return report.fail(
      span,
      `${startingWith(aType(expr.type))} is assigned to ${name}, which is ${aType(type)}: the fraction would be lost.`,
      `If the loss is meant, write ${type}(...). If ${expr.type} values are to be kept, declare ${(target.declaredAs ?? variableOf)(expr.type)}.`,
    );
  }
  if (expr.type === "f64" && type === "f32") {
    return report.fail(
      span,
      `An f64 is assigned to ${name}, which is an f32: digits would be lost.`,
      "Write f32(...).",
    );
  }
  if (isInteger(expr.type) && isInteger(type) && bitWidth(expr.type) > bitWidth(type)) {
    const fitting = isConst(expr) ? narrowed(expr, type) : null;
    if (fitting !== null) return fitting;
    const refuse = isConst(expr) ? report.failOnValue : report.fail;
    refuse(
      span,
      `${startingWith(aType(expr.type))} is assigned to ${name}, which is ${aType(type)}: the upper 32 bits would be lost.`,
      `Write ${type}(...) if that is meant.`,
    );
  }
  return convertTo(expr, type);
}

/** The same where both sides are scalars. */
export function assignScalar(
  expr: ScalarExpr,
  target: Target & { readonly type: Scalar },
  span: Span,
  report: Report,
): ScalarExpr {
  return assign(expr, target, span, report) as ScalarExpr;
}

export type TypedExpr = ValueExpr & { readonly type: Scalar | VectorType };

/** An expression that has a value. */
export function typed(expr: ValueExpr, report: Report): TypedExpr {
  const { type } = expr;
  if (type === "void") return report.fail(expr.span, "This call gives no value.", "Call it as a statement of its own.");
  return { ...expr, type } as TypedExpr;
}
