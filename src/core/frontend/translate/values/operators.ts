/**
 * Unary and binary operators on typed expressions. Where JavaScript and CUDA give the same text two meanings, the text
 * is refused and the message names the form that both read alike.
 */
import type { Span } from "../../../base/errors.js";
import type { ArithmeticOp, CompareOp, Expr } from "../../../ir/ir.js";
import { isFloat, isInteger, isSigned, type Scalar } from "../../../ir/types.js";
import type { Report } from "../../text/report.js";
import { aType } from "../../text/type-name.js";
import { asCondition, commonType, convertTo, isNonNegative, type ScalarExpr } from "./convert.js";
import { bitWidth, constant, exactValue, foldBinary, foldCompare, isConst, literal } from "./fold.js";

/** The part of the function around them that operators need. */
export interface OperatorContext {
  readonly report: Report;
  /** Constant variables that are known not to be negative. */
  readonly nonNegative: ReadonlySet<number>;
}

export const arithmeticOperators: Readonly<Record<string, ArithmeticOp>> = {
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
  ">>>": "shr",
};

export const compareOperators: Readonly<Record<string, CompareOp>> = {
  "==": "eq",
  "===": "eq",
  "!=": "ne",
  "!==": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
};

const bitwise: readonly ArithmeticOp[] = ["and", "or", "xor"];

/** Both operands in their common type; warns where a signed value that may be negative becomes unsigned. */
function unify(
  context: OperatorContext,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
  signMatters: string | null,
): { readonly type: Scalar; readonly left: ScalarExpr; readonly right: ScalarExpr } {
  const type = commonType(left.type, right.type);
  if (signMatters !== null && isInteger(type) && !isSigned(type)) {
    for (const [signed, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (isInteger(signed.type) && isSigned(signed.type) && !isNonNegative(signed, context.nonNegative)) {
        const cast = other.type === "u64" ? "i64" : "i32";
        context.report.warn(
          span,
          `${signMatters} mixes ${signed.type} with ${other.type}: as in CUDA, the ${signed.type} side is read as unsigned, so a negative value becomes a huge one. If it can be negative, write ${cast}(...) around the unsigned side; if not, ${other.type}(...) around the signed one.`,
        );
      }
    }
  }
  return { type, left: convertTo(left, type), right: convertTo(right, type) };
}

function made(op: ArithmeticOp, type: Scalar, left: ScalarExpr, right: ScalarExpr, span: Span): ScalarExpr {
  if (isConst(left) && isConst(right)) {
    const value = foldBinary(op, type, left.value, right.value);
    if (value !== null) return constant(type, value, span);
  }
  return { kind: "binary", op, type, left, right, span };
}

/** The constant fold of two literals that keeps the exact value for a later f64. */
function foldedLiteral(op: ArithmeticOp, left: ScalarExpr, right: ScalarExpr, span: Span): ScalarExpr | null {
  const a = exactValue(left);
  const b = exactValue(right);
  if (a === undefined || b === undefined || commonType(left.type, right.type) !== "f32") return null;
  const value = foldBinary(op, "f64", a, b);
  return value === null ? null : literal("f32", Number(value), span);
}

function shift(
  context: OperatorContext,
  operator: string,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
): ScalarExpr {
  if (isFloat(left.type) || isFloat(right.type)) floatsHaveNoBits(context, operator, left, right, span);
  const promoted = left.type === "bool" ? "i32" : left.type;
  const type = operator === ">>>" ? (bitWidth(promoted) === 64 ? "u64" : "u32") : promoted;
  if (isConst(right) && (right.value < 0 || right.value >= bitWidth(type))) {
    context.report.failOnValue(
      span,
      `A shift by ${right.value} has no meaning for the ${bitWidth(type)} bits of ${type}; JavaScript and CUDA disagree about it.`,
      `Shift by 0 to ${bitWidth(type) - 1}.`,
    );
  }
  return made(operator === "<<" ? "shl" : "shr", type, convertTo(left, type), convertTo(right, "u32"), span);
}

function floatsHaveNoBits(
  context: OperatorContext,
  operator: string,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
): never {
  const type = isFloat(left.type) ? left.type : right.type;
  return context.report.fail(
    span,
    `\`${operator}\` works on integers; one side is ${aType(type)}.`,
    "Convert first: i32(x) truncates towards zero; float_as_int(x) gives the bits.",
  );
}

/** `left operator right` for the arithmetic operators. */
export function binary(
  context: OperatorContext,
  operator: string,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
): ScalarExpr {
  const op = arithmeticOperators[operator];
  if (op === undefined) throw new Error(`${operator} is no arithmetic operator`);
  if (op === "shl" || op === "shr") return shift(context, operator, left, right, span);
  const anyFloat = isFloat(left.type) || isFloat(right.type);
  if (bitwise.includes(op) && anyFloat) floatsHaveNoBits(context, operator, left, right, span);
  if (op === "rem" && anyFloat) {
    context.report.fail(
      span,
      "`%` works on integers; one side is a float.",
      "Write x - y * trunc(x / y), or convert: i32(x) % n.",
    );
  }
  if (op === "div" && !anyFloat) {
    context.report.fail(
      span,
      "`/` between integers: JavaScript would keep the fraction, CUDA drops it.",
      "Write idiv(a, b) (or Math.trunc(a / b)) for CUDA's integer division, >> for a power of two, or f32(a) / b to keep the fraction.",
    );
  }
  const folded = anyFloat ? foldedLiteral(op, left, right, span) : null;
  if (folded !== null) return folded;
  const sides = unify(context, left, right, span, op === "rem" ? "`%`" : null);
  if (op === "rem") refuseZero(context, sides.right, span, "%");
  return made(op, sides.type, sides.left, sides.right, span);
}

function refuseZero(context: OperatorContext, divisor: ScalarExpr, span: Span, operator: string): void {
  if (isConst(divisor) && (divisor.value === 0 || divisor.value === 0n)) {
    context.report.failOnValue(span, `\`${operator}\` by zero.`, "Divide by a number that is not 0.");
  }
}

/** CUDA's integer division: truncates towards zero. */
export function integerDivide(context: OperatorContext, left: ScalarExpr, right: ScalarExpr, span: Span): ScalarExpr {
  if (isFloat(left.type) || isFloat(right.type)) {
    return context.report.fail(
      span,
      "idiv divides integers; one side is a float.",
      "Write a / b for floats, or convert first: idiv(i32(a), b).",
    );
  }
  const sides = unify(context, left, right, span, "idiv");
  refuseZero(context, sides.right, span, "idiv");
  return made("div", sides.type, sides.left, sides.right, span);
}

/** `left operator right` for the comparisons. */
export function compare(
  context: OperatorContext,
  operator: string,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
): ScalarExpr {
  const op = compareOperators[operator] ?? "eq";
  const bools = (left.type === "bool" ? 1 : 0) + (right.type === "bool" ? 1 : 0);
  const equality = op === "eq" || op === "ne";
  if (bools > 0 && !(equality && bools === 2)) {
    context.report.fail(
      span,
      equality
        ? `\`${operator}\` compares a truth value with a number; JavaScript and CUDA disagree about that.`
        : `A truth value is compared by \`${operator}\`: a < b < c asks whether (true or false) < c.`,
      equality ? "Compare numbers, or test the truth value itself: if (flag), if (!flag)." : "Write a < b && b < c.",
    );
  }
  if (bools === 2) return comparison(op, "bool", left, right, span);
  const sides = unify(context, left, right, span, `\`${operator}\``);
  warnOfConstantComparison(context, op, sides.type, sides.left, sides.right, span);
  warnOfSumWithTerm(context, op, sides.left, sides.right, span);
  return comparison(op, sides.type, sides.left, sides.right, span);
}

function comparison(op: CompareOp, operandType: Scalar, left: ScalarExpr, right: ScalarExpr, span: Span): ScalarExpr {
  if (isConst(left) && isConst(right)) return constant("bool", foldCompare(op, left.value, right.value) ? 1 : 0, span);
  return { kind: "compare", op, type: "bool", operandType, left, right, span };
}

/** `unsigned >= 0` is always true: the classic endless loop downwards. */
function warnOfConstantComparison(
  context: OperatorContext,
  op: CompareOp,
  type: Scalar,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
): void {
  if (isConst(left) || !isConst(right) || Number(right.value) !== 0 || isFloat(type) || isSigned(type)) return;
  if (op === "ge" || op === "lt") {
    context.report.warn(
      span,
      `An unsigned value ${op === "ge" ? "is always >= 0" : "is never < 0"}: counting below zero wraps to 4294967295. Count with an i32 (let i = i32(...)), or test > 0.`,
    );
  }
}

/** `i + 100 < i` asks whether the sum overflows, which CUDA C++ lets nvcc take for never. */
function warnOfSumWithTerm(
  context: OperatorContext,
  op: CompareOp,
  left: ScalarExpr,
  right: ScalarExpr,
  span: Span,
): void {
  if (op === "eq" || op === "ne") return;
  if (!isSumOf(left, right) && !isSumOf(right, left)) return;
  context.report.warn(
    span,
    `The comparison of ${aType(left.type)} sum with its own term does not tell whether the sum overflows: nvcc -O3 decides it as if no sum did. Compare with what is left (i > 2147483647 - 100), or add as ${left.type === "i64" ? "u64" : "u32 or i64"}.`,
  );
}

function isSumOf(sum: ScalarExpr, term: ScalarExpr): boolean {
  if (sum.kind !== "binary" || (sum.op !== "add" && sum.op !== "sub") || !isInteger(sum.type) || !isSigned(sum.type))
    return false;
  return isSameName(sum.left, term) || (sum.op === "add" && isSameName(sum.right, term));
}

function isSameName(one: Expr, other: ScalarExpr): boolean {
  if (one.kind === "variable") return other.kind === "variable" && other.variable === one.variable;
  return one.kind === "param" && other.kind === "param" && other.index === one.index;
}

export function negate(context: OperatorContext, operand: ScalarExpr, span: Span): ScalarExpr {
  const exact = exactValue(operand);
  if (isConst(operand)) {
    // 2147483648 alone is a u32; with its minus sign it is the smallest i32.
    if (exact === 2147483648 && operand.type === "u32") return literal("i32", -2147483648, span);
    if (exact !== undefined && operand.type !== "u32")
      return literal(operand.type === "f32" ? "f32" : "i32", -exact, span);
    return constant(
      operand.type === "bool" ? "i32" : operand.type,
      typeof operand.value === "bigint" ? -operand.value : -operand.value,
      span,
    );
  }
  const type = operand.type === "bool" ? "i32" : operand.type;
  if (isInteger(type) && !isSigned(type)) {
    context.report.warn(
      span,
      `The negative of ${aType(type)} wraps to a huge positive number, as in CUDA. Write ${type === "u64" ? "i64" : "i32"}(...) around it first if a negative number is meant.`,
    );
  }
  return { kind: "unary", op: "neg", type, operand: convertTo(operand, type), span };
}

export function bitNot(context: OperatorContext, operand: ScalarExpr, span: Span): ScalarExpr {
  if (isFloat(operand.type)) floatsHaveNoBits(context, "~", operand, operand, span);
  const type = operand.type === "bool" ? "i32" : operand.type;
  const converted = convertTo(operand, type);
  if (isConst(converted)) return constant(type, ~BigInt(converted.value), span);
  return { kind: "unary", op: "bitNot", type, operand: converted, span };
}

export function logicalNot(context: OperatorContext, operand: ScalarExpr, span: Span): ScalarExpr {
  const condition = asCondition(operand, context.report);
  if (isConst(condition)) return constant("bool", condition.value === 0 ? 1 : 0, span);
  return { kind: "unary", op: "not", type: "bool", operand: condition, span };
}

/** `left && right`, `left || right` on conditions; a constant left side decides at once. */
export function logical(op: "and" | "or", left: ScalarExpr, right: ScalarExpr, span: Span): ScalarExpr {
  if (isConst(left)) return (left.value !== 0) === (op === "and") ? right : left;
  return { kind: "logical", op, type: "bool", left, right, span };
}
