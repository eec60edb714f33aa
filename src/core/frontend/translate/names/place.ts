/** The left sides of assignments: variables, elements of arrays, components of vectors. */
import type { Expression, MemberExpression, Pattern } from "acorn";
import type { Span } from "../../../base/errors.js";
import type { VariableExpr } from "../../../ir/ir.js";
import { narrowed } from "../../../ir/narrowed.js";
import { isNarrow, isScalar, isVector, loadedType, type Scalar, type VectorType } from "../../../ir/types.js";
import { hasEffect } from "../../../ir/walk.js";
import { indexExpression, indexed, load, settled } from "../memory.js";
import type { Translator } from "../translator.js";
import { assign, type ScalarExpr, typed, type ValueExpr } from "../values/convert.js";
import { constant } from "../values/fold.js";
import { binary } from "../values/operators.js";
import { describe, type PointerValue } from "../values/value.js";
import { freeName, isIdentifier } from "./free-name.js";
import type { Binding } from "./scope.js";

const componentNames = ["x", "y", "z", "w"];

/** The left side of an `=`: how it is read (for `+=`) and how it is written. */
export interface Place {
  readonly name: string;
  /** As the learner wrote it. */
  readonly written: string;
  readonly type: Scalar | VectorType;
  read(): ValueExpr;
  write(value: ValueExpr, compound: boolean, span: Span): void;
}

function cureOf(name: string, { fixed, value }: Binding): string {
  if (fixed === "it is declared with const") return `Declare it with let: let ${name} = ...`;
  if (value.kind === "expr") return `Copy it to a variable: let x = ${name}.`;
  if (value.kind === "dim3") return `Copy a dimension to a variable: let x = ${name}.x.`;
  if (value.kind === "pointer")
    return `Assign its elements, ${name}[i] = ..., or give the other array a name of its own.`;
  return "Give the variable another name: let value = ...";
}

export function placeOf(t: Translator, left: Pattern, isRead: boolean): Place {
  if (left.type === "Identifier") return variablePlace(t, left.name, left);
  if (left.type === "MemberExpression") return memberPlace(t, left, isRead);
  return t.report.fail(t.span(left), "Several names are assigned at once.", "Assign them one by one.");
}

export function refuseAssignment(t: Translator, name: string, binding: Binding, span: Span): never {
  const { fixed, value } = binding;
  return t.report.fail(span, `${name} cannot be assigned: ${fixed ?? describe(value)}.`, cureOf(name, binding));
}

function variablePlace(t: Translator, name: string, node: Expression | Pattern): Place {
  const span = t.span(node);
  const binding = t.scope.find(name);
  if (binding === undefined) {
    freeName(t, name, node as Expression);
    return t.report.fail(
      span,
      `${name} cannot be assigned: it is a word of the language.`,
      "Give the variable another name: let value = ...",
    );
  }
  const { variable, value, fixed } = binding;
  if (variable === null || fixed !== null || value.kind !== "expr") {
    if (value.kind === "pointer" && fixed === null) {
      return t.report.fail(span, `${name} is a pointer.`, `Move it by ${name} = ${name}.subarray(n).`);
    }
    return refuseAssignment(t, name, binding, span);
  }
  const type = typed(value.expr, t.report).type;
  return {
    name,
    written: name,
    type,
    read: () => ({ ...value.expr, span }),
    write: (given, _compound, whole) => {
      const converted = assign(given, { name, type }, whole, t.report);
      t.emit({ kind: "assign", variable, component: null, value: converted, span: whole });
    },
  };
}

function memberPlace(t: Translator, node: MemberExpression, isRead: boolean): Place {
  const span = t.span(node);
  if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return t.refuseSyntax("Super", span);
  if (!node.computed)
    return componentPlace(t, node, node.object, isIdentifier(node.property) ? node.property.name : "", span);
  const object = t.value(node.object);
  if (object.kind !== "pointer") {
    return t.report.fail(
      span,
      `Only elements of arrays are assigned; this is ${describe(object)}.`,
      object.kind === "namespace"
        ? "Take the parameters by their names: ({ input, output }) => { ... }."
        : "Index a pointer parameter, declared as { data: ptr(i32) }, or a shared or local array.",
    );
  }
  const array = node.object.type === "Identifier" ? node.object.name : "this array";
  const index = indexExpression(t, node.property);
  return elementPlace(t, object, { array, written: t.source.written(node) }, index, isRead, span);
}

function elementPlace(
  t: Translator,
  object: PointerValue,
  { array, written }: { readonly array: string; readonly written: string },
  at: ScalarExpr,
  isRead: boolean,
  span: Span,
): Place {
  const found = indexed(t, object, at, span);
  if (found.kind === "row") return t.report.fail(span, "A whole row is assigned.", "Assign one element: tile[y][x].");
  let { index, pointer } = found;
  if (isRead) {
    // The place of `a[next()] += x` is found once.
    if (hasEffect(index)) index = t.hold("index", index);
    if (pointer.expr.offset !== null && hasEffect(pointer.expr.offset)) {
      const offset = t.hold("offset", pointer.expr.offset as ScalarExpr);
      pointer = { ...pointer, expr: { ...pointer.expr, offset } };
    }
  }
  const element = pointer.expr.type.pointer;
  const type = loadedType(element);
  const name = `an element of ${array}`;
  const declaredAs = (wanted: Scalar): string =>
    `the array so: ptr(${wanted}), shared(${wanted}, n) or local(${wanted}, n)`;
  return {
    name,
    written,
    type,
    read: () => load(pointer, index, span),
    write: (given, compound, whole) => {
      const assigned = assign(given, { name, type, declaredAs }, whole, t.report);
      // As CUDA and JavaScript's typed arrays do, an element of 8 or 16 bits keeps the low bits.
      const value = isNarrow(element) ? narrowed(assigned, element) : assigned;
      t.emit({ kind: "store", pointer: pointer.expr, index, value, compound, span: whole });
    },
  };
}

/** `v.x = ...` of a vector variable, `data[i].x = ...` of a vector in memory. */
function componentPlace(t: Translator, node: MemberExpression, object: Expression, name: string, span: Span): Place {
  const component = componentNames.indexOf(name);
  if (object.type === "Identifier") {
    const binding = t.scope.find(object.name);
    if (binding?.value.kind === "expr" && binding.value.expr.kind === "variable") {
      return variableComponent(t, object.name, binding, binding.value.expr, component, span);
    }
  }
  if (object.type === "MemberExpression" && object.computed && object.object.type !== "Super") {
    const array = t.value(object.object);
    if (array.kind === "pointer" && object.property.type !== "PrivateIdentifier") {
      const { pointer } = array.expr.type;
      if (isVector(pointer) && component >= 0 && component < pointer.lanes) {
        return scalarView(t, object, array, pointer, component, span);
      }
    }
  }
  t.value(node);
  return t.report.fail(
    span,
    `.${name} cannot be assigned here.`,
    "Assign a variable, an element of an array, or a component of a vector.",
  );
}

/** `data[i].y` of int4 data is element 4 * i + 1 of the same memory as int. */
function scalarView(
  t: Translator,
  node: MemberExpression,
  array: PointerValue,
  type: VectorType,
  component: number,
  span: Span,
): Place {
  const scale = (expr: ScalarExpr): ScalarExpr => binary(t, "*", expr, constant("i32", type.lanes, span), span);
  const flat = settled(t, array);
  const offset = flat.expr.offset === null ? null : scale(flat.expr.offset as ScalarExpr);
  const expr = { ...flat.expr, type: { ...flat.expr.type, pointer: type.scalar }, offset };
  const index = binary(
    t,
    "+",
    scale(indexExpression(t, node.property as Expression)),
    constant("i32", component, span),
    span,
  );
  const written = `${t.source.written(node)}.${componentNames[component] ?? "x"}`;
  return elementPlace(t, { ...flat, expr }, { array: "this array", written }, index, true, span);
}

function variableComponent(
  t: Translator,
  name: string,
  binding: Binding,
  expr: VariableExpr,
  component: number,
  span: Span,
): Place {
  const { type } = expr;
  if (isScalar(type) || component < 0 || component >= type.lanes) {
    return t.report.fail(
      span,
      `${name} has no such component.`,
      isScalar(type)
        ? `Assign the number itself: ${name} = ...`
        : `It has ${componentNames.slice(0, type.lanes).join(", ")}.`,
    );
  }
  const { variable } = binding;
  if (variable === null || binding.fixed !== null) {
    return t.report.fail(
      span,
      `${name} cannot be changed: it is declared with const.`,
      `Declare it with let. It is a copy of the vector, as in CUDA; memory changes by output[i] = ${name}.`,
    );
  }
  const part = componentNames[component] ?? "x";
  const scalar = type.scalar;
  return {
    name: `${name}.${part}`,
    written: `${name}.${part}`,
    type: scalar,
    read: () => ({ kind: "component", type: scalar, vector: expr, component: component as 0 | 1 | 2 | 3, span }),
    write: (given, _compound, whole) => {
      const value = assign(given, { name: `${name}.${part}`, type: scalar }, whole, t.report);
      t.emit({ kind: "assign", variable, component: component as 0 | 1 | 2 | 3, value, span: whole });
    },
  };
}
