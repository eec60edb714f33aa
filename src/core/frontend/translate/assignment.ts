/** Assignments and ++, alone or in lists; a pointer variable stays in its array. */
import type {
  ArrayPattern,
  AssignmentExpression,
  Expression,
  Identifier,
  MemberExpression,
  Pattern,
  UpdateExpression,
} from "acorn";
import type { Span } from "../../base/errors.js";
import { cudaName, isInteger, type Scalar, type VectorType } from "../../ir/types.js";
import { refusedOperators } from "../text/refused.js";
import { aType } from "../text/type-name.js";
import { pointerValue } from "./memory.js";
import { type Place, placeOf, refuseAssignment } from "./names/place.js";
import type { Translator } from "./translator.js";
import { isScalarExpr, type ScalarExpr, type ValueExpr } from "./values/convert.js";
import { constant, isConst } from "./values/fold.js";
import { binary } from "./values/operators.js";

/** Each name of `[a, b]` with its value of `[x, y]`; a list exists in the text alone, so both sides are written out. */
export function elementPairs(
  t: Translator,
  left: ArrayPattern,
  right: Expression,
): readonly (readonly [Pattern, Expression])[] {
  const values = right.type === "ArrayExpression" ? right.elements : null;
  if (values === null || values.length !== left.elements.length) {
    return t.report.fail(
      t.span(right),
      "A list of names takes a list of as many values.",
      "Write both sides out: [a, b] = [b, a], or assign one at a time.",
    );
  }
  return left.elements.map((target, index) => {
    const value = values[index];
    if (target === null || value === null || value === undefined || value.type === "SpreadElement") {
      return t.report.fail(t.span(left), "A list of names has a gap.", "Name each one, with a value for each.");
    }
    return [target, value] as const;
  });
}

/** Carries out an assignment or ++; false for other expressions. */
export function effect(t: Translator, node: Expression): boolean {
  if (node.type === "ParenthesizedExpression") return effect(t, node.expression);
  if (node.type === "AssignmentExpression") assignment(t, node);
  else if (node.type === "UpdateExpression") update(t, node);
  else return false;
  return true;
}

function assignment(t: Translator, node: AssignmentExpression): void {
  const span = t.span(node);
  const operator = node.operator;
  const refusal = refusedOperators[operator];
  if (refusal !== undefined) t.report.fail(span, refusal.what, refusal.cure);
  if (operator === "=" && node.left.type === "Identifier" && pointerAssignment(t, node.left.name, node)) return;
  if (node.left.type === "ArrayPattern") {
    exchange(t, node.left, node.right, span);
    return;
  }
  if (node.right.type === "AssignmentExpression") assignment(t, node.right);
  const right = node.right.type === "AssignmentExpression" ? chained(t, node.right) : node.right;
  const place = placeOf(t, node.left, operator !== "=");
  const value = t.expr(right);
  if (operator === "=") place.write(value, false, span);
  else place.write(combined(t, operator.slice(0, -1), place, value, span), true, span);
}

/** `[a, b] = [b, a]`: all values are found before any is assigned. */
function exchange(t: Translator, left: ArrayPattern, right: Expression, span: Span): void {
  const pairs = elementPairs(t, left, right);
  const values = pairs.map(([, value]) => {
    const found = t.expr(value);
    if (isConst(found) || found.type === "void") return found;
    return t.hold("exchanged", found as ValueExpr & { readonly type: Scalar | VectorType });
  });
  pairs.forEach(([target], index) => {
    const value = values[index];
    if (value !== undefined) placeOf(t, target, false).write(value, false, span);
  });
}

function combined(t: Translator, operator: string, place: Place, value: ValueExpr, span: Span): ScalarExpr {
  const current = place.read();
  if (!isScalarExpr(current) || !isScalarExpr(value)) {
    return t.report.fail(span, "Vectors are computed component by component.", "Write v.x += w.x; v.y += w.y; ...");
  }
  if (operator === "/" && isInteger(current.type) && isInteger(value.type)) {
    t.report.fail(
      span,
      "`/=` between integers: JavaScript would keep the fraction, CUDA drops it.",
      `Write ${place.written} = idiv(${place.written}, ...), or >>= for a power of two.`,
    );
  }
  if (operator === "**") {
    const { written } = place;
    return t.report.fail(
      span,
      "`**=` is not part of the kernel language.",
      isInteger(current.type)
        ? `Write ${written} = ${written} * ${written}, or ${current.type}(pow(f32(x), f32(y))).`
        : `Write ${written} = pow(${written}, y).`,
    );
  }
  return binary(t, operator, current, value, span);
}

function update(t: Translator, node: UpdateExpression): undefined {
  const span = t.span(node);
  const place = placeOf(t, node.argument as Identifier | MemberExpression, true);
  const current = place.read();
  if (!isScalarExpr(current))
    return t.report.fail(span, `\`${node.operator}\` on a vector.`, "Count one component: v.x++.");
  place.write(binary(t, node.operator === "++" ? "+" : "-", current, constant("i32", 1, span), span), true, span);
}

/** `p = p.subarray(n)`: true where the left side is a pointer variable. */
function pointerAssignment(t: Translator, name: string, node: AssignmentExpression): boolean {
  const binding = t.scope.find(name);
  if (binding === undefined || binding.value.kind !== "pointer") return false;
  const span = t.span(node);
  if (binding.variable === null || binding.fixed !== null) return refuseAssignment(t, name, binding, span);
  const given = pointerValue(t, node.right);
  if (given.root !== binding.value.root) {
    t.report.fail(
      span,
      `${name} would point into another array than before.`,
      "A pointer variable stays in one array. Use two variables, or choose by an index.",
    );
  }
  if (cudaName(given.expr.type) !== cudaName(binding.value.expr.type)) {
    t.report.fail(
      span,
      `${name} is ${aType(binding.value.expr.type)}; ${aType(given.expr.type)} is assigned.`,
      "Give the other pointer a name of its own: const other = ...",
    );
  }
  t.emit({ kind: "assign", variable: binding.variable, component: null, value: given.expr, span });
  return true;
}

/** The inner variable of `a = b = 0`, which the outer assignment reads. */
export function chained(t: Translator, node: AssignmentExpression): Expression {
  if (node.left.type === "Identifier") return node.left;
  return t.report.fail(t.span(node), "A chained assignment goes through memory.", "Write two statements.");
}
