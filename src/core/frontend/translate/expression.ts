/** Expressions of the kernel's text to typed IR expressions: operators, conditions, calls. */
import type { BinaryExpression, ConditionalExpression, Expression, LogicalExpression, UnaryExpression } from "acorn";
import type { Span } from "../../base/errors.js";
import { cudaName, isFloat, isScalar, isVector, type Scalar } from "../../ir/types.js";
import { hasEffect } from "../../ir/walk.js";
import { refusedOperators } from "../text/refused.js";
import { typeName } from "../text/type-name.js";
import { callValue } from "./call.js";
import { memberValue } from "./names/member.js";
import { namedValue } from "./names/name.js";
import { decided, ruleOut } from "./ruled-out.js";
import type { Translator } from "./translator.js";
import { asCondition, commonType, convertTo, isScalarExpr, type ScalarExpr, type ValueExpr } from "./values/convert.js";
import { literalExpr } from "./values/literal.js";
import {
  binary,
  bitNot,
  compare,
  compareOperators,
  integerDivide,
  logical,
  logicalNot,
  negate,
} from "./values/operators.js";
import { plain, type Value } from "./values/value.js";

/** The type of `c ? a : b`. */
function chosenType(a: Scalar, b: Scalar): Scalar {
  return a === "bool" && b === "bool" ? "bool" : commonType(a, b);
}

export function condition(t: Translator, node: Expression): ScalarExpr {
  if (node.type === "AssignmentExpression") {
    t.report.fail(
      t.span(node),
      "An assignment stands where a condition is asked for.",
      "Compare with ===, or assign in a statement before.",
    );
  }
  if (node.type === "LogicalExpression" && node.operator !== "??") return logicalCondition(t, node);
  return asCondition(t.scalar(node), t.report);
}

export function value(t: Translator, node: Expression): Value {
  switch (node.type) {
    case "Literal":
      return plain(literalExpr(node, t.span(node), t.report));
    case "Identifier":
      return namedValue(t, node.name, node);
    case "ParenthesizedExpression":
      return t.value(node.expression);
    case "BinaryExpression":
      return plain(binaryExpr(t, node));
    case "UnaryExpression":
      return plain(unaryExpr(t, node));
    case "LogicalExpression":
      return plain(logicalValue(t, node));
    case "ConditionalExpression":
      return plain(conditional(t, node));
    case "MemberExpression":
      return memberValue(t, node);
    case "CallExpression":
      return callValue(t, node);
    case "SequenceExpression":
      return t.report.fail(t.span(node), "Several expressions are joined by commas.", "Write one statement for each.");
    case "AssignmentExpression":
      return t.report.fail(t.span(node), "An assignment inside an expression.", "Make it a statement of its own.");
    case "UpdateExpression":
      return t.report.fail(
        t.span(node),
        `\`${node.operator}\` inside an expression.`,
        `Make it a statement of its own, before or after: ${node.operator === "++" ? "i++" : "i--"};`,
      );
    default:
      return t.refuseSyntax(node.type, t.span(node));
  }
}

function binaryExpr(t: Translator, node: BinaryExpression): ScalarExpr {
  const span = t.span(node);
  const { operator, left, right } = node;
  const refusal = refusedOperators[operator];
  if (refusal !== undefined) t.report.fail(span, refusal.what, refusal.cure);
  // `#name in object` stands in classes alone.
  if (left.type === "PrivateIdentifier") throw new Error("a private name outside of a class");
  if (operator === "**") return power(t, left, right, span);
  const quotient = truncatedQuotient(t, operator, left, right, span);
  if (quotient !== null) return quotient;
  const a = t.scalar(left);
  const b = t.scalar(right);
  return operator in compareOperators ? compare(t, operator, a, b, span) : binary(t, operator, a, b, span);
}

/** `(a / b) | 0` is CUDA's integer division in both languages, where a and b are integers. */
function truncatedQuotient(
  t: Translator,
  operator: string,
  left: Expression,
  right: Expression,
  span: Span,
): ScalarExpr | null {
  if (operator !== "|" || left.type !== "BinaryExpression" || left.operator !== "/") return null;
  if (right.type !== "Literal" || right.value !== 0 || left.left.type === "PrivateIdentifier") return null;
  const a = t.scalar(left.left);
  const b = t.scalar(left.right);
  return isFloat(a.type) || isFloat(b.type) ? null : integerDivide(t, a, b, span);
}

function power(t: Translator, left: Expression, right: Expression, span: Span): ScalarExpr {
  const a = t.scalar(left);
  const b = t.scalar(right);
  const type = commonType(a.type, b.type);
  if (!isFloat(type)) {
    return t.report.fail(
      span,
      "`**` between integers has no instruction in CUDA.",
      "Write x * x, 1 << n for a power of two, or pow(f32(x), f32(n)).",
    );
  }
  return { kind: "intrinsic", name: "pow", type, args: [convertTo(a, type), convertTo(b, type)], span };
}

function unaryExpr(t: Translator, node: UnaryExpression): ScalarExpr {
  const span = t.span(node);
  const refusal = refusedOperators[node.operator];
  if (refusal !== undefined) return t.report.fail(span, refusal.what, refusal.cure);
  if (node.operator === "!") return logicalNot(t, t.condition(node.argument), span);
  const operand = t.scalar(node.argument);
  if (node.operator === "-") return negate(t, operand, span);
  if (node.operator === "~") return bitNot(t, operand, span);
  return operand.type === "bool" ? convertTo(operand, "i32") : operand;
}

function logicalCondition(t: Translator, node: LogicalExpression): ScalarExpr {
  const left = t.condition(node.left);
  if (decided(left) === (node.operator === "||")) {
    ruleOut(t, node.right);
    return left;
  }
  const right = t.notOnce(() => t.condition(node.right));
  return logical(node.operator === "&&" ? "and" : "or", left, right, t.span(node));
}

/** As a value, `a && b` is b in JavaScript and 0 or 1 in CUDA: only truth values may be joined. */
function logicalValue(t: Translator, node: LogicalExpression): ScalarExpr {
  const span = t.span(node);
  const refusal = refusedOperators[node.operator];
  if (refusal !== undefined) t.report.fail(span, refusal.what, refusal.cure);
  for (const side of [node.left, node.right]) {
    const inner = side.type === "LogicalExpression" ? logicalValue(t, side) : t.scalar(side);
    if (inner.type !== "bool") {
      t.report.fail(
        t.span(side),
        `\`${node.operator}\` with a number gives a number in JavaScript and true or false in CUDA.`,
        `Compare the number: x !== 0 ${node.operator} ...; to choose a value, write c ? a : b.`,
      );
    }
    // The left side rules the right one out.
    if (decided(inner) === (node.operator === "||")) break;
  }
  return logicalCondition(t, node);
}

function conditional(t: Translator, node: ConditionalExpression): ValueExpr {
  const span = t.span(node);
  const condition = t.condition(node.test);
  const holds = decided(condition);
  if (holds !== null && !hasEffect(condition)) {
    const [taken, ruledOut] = holds ? [node.consequent, node.alternate] : [node.alternate, node.consequent];
    return takenSide(t, taken, ruledOut, span);
  }
  const whenTrue = t.notOnce(() => t.expr(node.consequent));
  const whenFalse = t.notOnce(() => t.expr(node.alternate));
  if (!isScalarExpr(whenTrue) || !isScalarExpr(whenFalse)) {
    const { type } = whenTrue;
    if (
      type !== "void" &&
      !isScalar(type) &&
      isVector(type) &&
      whenFalse.type !== "void" &&
      cudaName(type) === cudaName(whenFalse.type)
    ) {
      return { kind: "select", type, condition, whenTrue, whenFalse, span };
    }
    return t.report.fail(span, "The two sides of `?:` have different types.", "Give both the same type.");
  }
  const type = chosenType(whenTrue.type, whenFalse.type);
  const [a, b] = [convertTo(whenTrue, type), convertTo(whenFalse, type)];
  return { kind: "select", type, condition, whenTrue: a, whenFalse: b, span };
}

/** As in C++, `?:` has the common type of both sides, of which the one ruled out gives its type alone. */
function takenSide(t: Translator, taken: Expression, ruledOut: Expression, span: Span): ValueExpr {
  ruleOut(t, ruledOut);
  const value = t.expr(taken);
  const other = t.readForType(() => t.expr(ruledOut));
  if (other === null) return value;
  if (isScalarExpr(value) && isScalarExpr(other)) return convertTo(value, chosenType(value.type, other.type));
  if (typeName(value.type) === typeName(other.type)) return value;
  return t.report.fail(span, "The two sides of `?:` have different types.", "Give both the same type.");
}
