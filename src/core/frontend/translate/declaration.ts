/** Declarations: variables, pointers, names taken out of braces. */
import type { Expression, Identifier, MemberExpression, Pattern, Property, VariableDeclaration } from "acorn";
import type { PointerExpr } from "../../ir/ir.js";
import { isInteger, isScalar } from "../../ir/types.js";
import { chained, effect, elementPairs } from "./assignment.js";
import { settled } from "./memory.js";
import { isIdentifier } from "./names/free-name.js";
import { memberOf } from "./names/member.js";
import type { Binding } from "./names/scope.js";
import type { Translator } from "./translator.js";
import { isNonNegative, typed, type ValueExpr } from "./values/convert.js";
import { constant, isConst } from "./values/fold.js";
import { type PointerValue, plain, type Value } from "./values/value.js";

/** The property's name; a notebook's compiler may have to quote it. */
function plainKey(key: Property["key"]): Identifier | null {
  if (isIdentifier(key)) return key;
  return key.type === "Literal" && typeof key.value === "string"
    ? { ...key, type: "Identifier", name: key.value }
    : null;
}

export function bind(
  t: Translator,
  name: string,
  value: Value,
  node: { readonly start: number; readonly end: number },
  options: Partial<Binding> = {},
): void {
  const span = t.span(node);
  const binding: Binding = { value, variable: null, fixed: "it is not a variable", span, ...options };
  if (!t.scope.declare(name, binding)) {
    t.report.fail(span, `${name} is declared twice in the same block.`, "Give one of them another name.");
  }
}

export function declaration(t: Translator, node: VariableDeclaration): void {
  if (node.kind !== "const" && node.kind !== "let") {
    t.report.fail(
      t.span(node),
      `\`${node.kind}\` is not part of the kernel language.`,
      "Declare with const, or with let if it changes.",
    );
  }
  for (const { id, init } of node.declarations) {
    if (init === null || init === undefined) {
      t.report.fail(
        t.span(id),
        "A variable is declared without a value, so its type is unknown.",
        "Give it a first value: let x = 0 (i32), let x = 0.0 or f32(0) (f32), let x = u32(0).",
      );
    } else declareOne(t, id, init, node.kind === "let");
  }
}

function declareOne(t: Translator, id: Pattern, init: Expression, mutable: boolean): void {
  if (id.type === "ArrayPattern") {
    for (const [part, value] of elementPairs(t, id, init)) declareOne(t, part, value, mutable);
    return;
  }
  if (init.type === "AssignmentExpression") effect(t, init);
  const source = init.type === "AssignmentExpression" ? chained(t, init) : init;
  t.resultName = id.type === "Identifier" ? id.name : null;
  const value = t.value(source);
  t.resultName = null;
  if (id.type === "Identifier") declareNamed(t, id.name, id, source, value, mutable);
  else if (id.type === "ObjectPattern") bindPattern(t, id, value, mutable);
  else refuseDefault(t, id);
}

function declareNamed(
  t: Translator,
  name: string,
  id: Pattern,
  init: Expression,
  value: Value,
  mutable: boolean,
): void {
  if (value.kind === "expr") declareVariable(t, name, id, value.expr, mutable);
  else if (value.kind === "pointer") declarePointer(t, name, id, init, value, mutable);
  else if (value.kind === "record") {
    const fields = [...value.fields].map(([field, part]): [string, Value] => [
      field,
      part.kind === "expr" ? plain(t.hold(`${name}_${field}`, typed(part.expr, t.report))) : part,
    ]);
    bind(t, name, { kind: "record", fields: new Map(fields) }, id);
  } else bind(t, name, value, id);
}

function declareVariable(
  t: Translator,
  name: string,
  id: { readonly start: number; readonly end: number },
  init: ValueExpr,
  mutable: boolean,
): void {
  const value = typed(init, t.report);
  const span = t.span(id);
  const variable = t.tables.variables.length;
  t.tables.variables.push({ name, type: value.type, mutable, span });
  t.emit({ kind: "declare", variable, value, span });
  const stays = !mutable || !t.assigned.all.has(name) || t.assigned.neverNegative.has(name);
  if (stays && isScalar(value.type) && isInteger(value.type) && isNonNegative(value, t.nonNegative)) {
    t.nonNegative.add(variable);
  }
  // As in C++, a constant with a constant value can size an array.
  const reference: ValueExpr =
    !mutable && isConst(value)
      ? constant(value.type, value.value, span)
      : { kind: "variable", type: value.type, variable, span };
  bind(t, name, plain(reference), id, { variable, fixed: mutable ? null : "it is declared with const" });
}

function declarePointer(
  t: Translator,
  name: string,
  id: Pattern,
  init: Expression | null,
  value: PointerValue,
  mutable: boolean,
): void {
  if (makesArray(t, init) || value.dims.length > 0) {
    bind(t, name, value, id, { fixed: "it is an array" });
    return;
  }
  const pointer = settled(t, value).expr;
  const span = t.span(id);
  const variable = t.tables.variables.length;
  t.tables.variables.push({ name, type: pointer.type, mutable, span });
  t.emit({ kind: "declare", variable, value: pointer, span });
  const reference: PointerExpr = {
    kind: "pointer",
    type: pointer.type,
    root: { kind: "variable", variable },
    offset: null,
    span,
  };
  const bound: PointerValue = { kind: "pointer", expr: reference, root: value.root, dims: [], row: null };
  bind(t, name, bound, id, { variable, fixed: mutable ? null : "it is declared with const" });
}

/** True for shared(...), local(...) and a volatile(...) right around one. */
function makesArray(t: Translator, init: Expression | null): boolean {
  if (init?.type !== "CallExpression") return false;
  const [first] = init.arguments;
  return t.arraysByNode.has(init) || (first !== undefined && t.arraysByNode.has(first));
}

/** `{ x, y: row }` of a value with parts: threadIdx, a vector, a result such as match_all_sync's. */
export function bindPattern(
  t: Translator,
  pattern: Pattern & { readonly type: "ObjectPattern" },
  value: Value,
  mutable: boolean,
): void {
  for (const property of pattern.properties) {
    if (property.type === "RestElement" && value.kind === "namespace" && isIdentifier(property.argument)) {
      bind(t, property.argument.name, value, property.argument);
      continue;
    }
    const key = property.type === "RestElement" || property.computed ? null : plainKey(property.key);
    if (property.type === "RestElement" || key === null) {
      t.report.fail(t.span(property), "Only plain names can be taken out of braces.", "Name each one: { x, y }.");
    }
    const member: MemberExpression = {
      ...property,
      type: "MemberExpression",
      object: key,
      property: key,
      computed: false,
      optional: false,
    };
    const part = memberOf(t, value, key.name, member, t.span(property));
    if (property.value.type === "ObjectPattern") bindPattern(t, property.value, part, mutable);
    else if (property.value.type !== "Identifier") refuseDefault(t, property.value);
    else if (value.kind === "namespace" && !mutable) bindMember(t, property.value.name, property.value, part);
    else if (part.kind === "expr") declareVariable(t, property.value.name, property.value, part.expr, mutable);
    else bind(t, property.value.name, part, property.value);
  }
}

/** A parameter, constant or word of the language under a name of the kernel's own. */
function bindMember(t: Translator, name: string, id: Pattern, value: Value): void {
  const assigned = t.assigned.all.has(name);
  if (value.kind === "expr" && value.expr.kind === "variable") {
    bind(t, name, value, id, { variable: value.expr.variable, fixed: null });
    if (assigned) makeMutable(t, value.expr.variable);
  } else if (value.kind === "pointer" && value.expr.root.kind === "variable") {
    bind(t, name, value, id, { variable: value.expr.root.variable, fixed: null });
    if (assigned) makeMutable(t, value.expr.root.variable);
  } else if (assigned && value.kind === "expr" && value.expr.kind === "param") {
    // CUDA's parameters are variables of the thread.
    declareVariable(t, name, id, value.expr, true);
  } else if (assigned && value.kind === "pointer") declarePointer(t, name, id, null, value, true);
  else bind(t, name, value, id, { fixed: "it is a name of the kernel's arguments" });
}

function makeMutable(t: Translator, variable: number): void {
  const known = t.tables.variables[variable];
  if (known !== undefined) t.tables.variables[variable] = { ...known, mutable: true };
}

export function refuseDefault(t: Translator, pattern: Pattern): never {
  return t.report.fail(
    t.span(pattern),
    pattern.type === "AssignmentPattern"
      ? "A default value has no place in a kernel."
      : "This form of name is not part of the kernel language.",
    pattern.type === "AssignmentPattern"
      ? "Leave it out: the launch gives every argument, and constants have their values where the kernel is made."
      : "Use plain names: { input, output }.",
  );
}
