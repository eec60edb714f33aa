/** Expressions: the value of one, and the place that one names. */

import type { Expr, Stmt } from "../../../ir/ir.js";
import { arithmeticOperators, compareOperators } from "../../translate/values/operators.js";
import { children, type Node, only } from "../tree/node.js";
import type { CScalar, CType } from "../tree/types.js";
import { inElements } from "./address.js";
import { assigned, incremented } from "./assignment.js";
import { call, kernelLaunch } from "./call.js";
import { cast } from "./cast.js";
import { converted, float, integer } from "./constants.js";
import {
  arithmetic,
  compared,
  comparedPointers,
  comparedWithNull,
  complement,
  difference,
  negated,
  not,
  shiftCount,
  shifted,
} from "./operators.js";
import { read, scalarOf, temporary } from "./places.js";
import { locate, refuseKind, scalar, scalarType, unsetOf } from "./reading.js";
import { constructed, initialize } from "./records.js";
import type { Translation } from "./translation.js";
import { type Address, irScalar, type Value } from "./values.js";

const VOID: Value = { kind: "void" };

/** A condition; bool. */
export function condition(t: Translation, node: Node): Expr {
  const found = value(t, node);
  if (found.kind === "pointer") comparedWithNull(t, found, node);
  if (found.kind === "pointer" || found.kind === "string") return integer("bool", 1, t.span(node));
  if (found.kind === "null") return integer("bool", 0, t.span(node));
  const one = scalarOf(t, found, node);
  return converted(one.expr, one.type, "bool");
}

/** The value of an expression; of a place, what it holds. */
export function value(t: Translation, node: Node): Value {
  const span = t.span(node);
  switch (node.kind) {
    case "ParenExpr":
    case "ConstantExpr":
      if (node.kind === "ConstantExpr" && node.value !== undefined && t.unit.type(node).kind === "scalar") {
        const type = scalarType(t, node);
        const text = String(node.value);
        if (/^-?\d+$/.test(text)) return { kind: "scalar", expr: integer(irScalar(type), BigInt(text), span), type };
      }
      return value(t, only(node));
    case "ExprWithCleanups":
    case "MaterializeTemporaryExpr":
    case "CXXBindTemporaryExpr":
    case "SubstNonTypeTemplateParmExpr":
    case "CXXDefaultArgExpr":
    case "CXXDefaultInitExpr":
    case "FullExpr": {
      const inside = children(node).filter((child) => !child.kind.endsWith("Decl"));
      const last = inside.at(-1);
      if (last === undefined) return t.refuse(node, "A default argument of another file.", "Write the argument out.");
      return value(t, last);
    }
    case "IntegerLiteral":
    case "CharacterLiteral": {
      const type = scalarType(t, node);
      return { kind: "scalar", expr: integer(irScalar(type), BigInt(String(node.value ?? 0)), span), type };
    }
    case "CXXBoolLiteralExpr":
      return {
        kind: "scalar",
        expr: integer("bool", node.value === true || node.value === "true" ? 1 : 0, span),
        type: "bool",
      };
    case "FloatingLiteral": {
      const type = scalarType(t, node);
      return { kind: "scalar", expr: float(irScalar(type) as "f32", Number(node.value), span), type };
    }
    case "StringLiteral":
      return { kind: "string", text: textOf(String(node.value ?? '""')) };
    case "CXXNullPtrLiteralExpr":
    case "GNUNullExpr":
      return { kind: "null" };
    case "ImplicitCastExpr":
    case "CStyleCastExpr":
    case "CXXStaticCastExpr":
    case "CXXReinterpretCastExpr":
    case "CXXConstCastExpr":
    case "CXXFunctionalCastExpr":
    case "BuiltinBitCastExpr":
      return cast(t, node);
    case "UnaryOperator":
      return unary(t, node);
    case "BinaryOperator":
      return binary(t, node);
    case "CompoundAssignOperator":
      return read(t, assigned(t, node), node);
    case "ConditionalOperator":
      return conditional(t, node);
    case "UnaryExprOrTypeTraitExpr":
      return sizeOf(t, node);
    case "CallExpr":
    case "CXXMemberCallExpr":
    case "CXXOperatorCallExpr": {
      const result = call(t, node);
      return result.kind === "location" ? read(t, result.location, node) : result.value;
    }
    case "CUDAKernelCallExpr":
      kernelLaunch(t, node);
      return VOID;
    case "CXXConstructExpr":
    case "CXXTemporaryObjectExpr":
    case "InitListExpr":
    case "CXXScalarValueInitExpr":
    case "ImplicitValueInitExpr":
      return constructed(t, node);
    case "DeclRefExpr":
      if (node.referencedDecl?.kind === "EnumConstantDecl") return enumerator(t, node);
      return read(t, locate(t, node), node);
    case "ArraySubscriptExpr":
    case "MemberExpr":
    case "CXXThisExpr":
      if (node.kind === "CXXThisExpr") return thisPointer(t, node);
      return read(t, locate(t, node), node);
    case "TypeTraitExpr":
    case "CXXNoexceptExpr":
      return { kind: "scalar", expr: integer("bool", node.value ? 1 : 0, span), type: "bool" };
    default:
      return refuseKind(t, node);
  }
}

const CONTROL: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  a: "\u0007",
  v: "\u000b",
};

/** The text of a string literal, which clang prints with C's escapes. */
function textOf(literal: string): string {
  const body = literal.replace(/^(?:u8|[uUL])?"/, "").replace(/"$/, "");
  return body.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|.)/g, (_, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8));
    return CONTROL[code] ?? code;
  });
}

function enumerator(t: Translation, node: Node): Value {
  const found =
    t.unit.enumerators.get(node.referencedDecl?.id ?? "") ?? t.unit.enumerators.get(node.referencedDecl?.name ?? "");
  if (found === undefined)
    return t.refuse(
      node,
      `The value of ${node.referencedDecl?.name ?? "this name"} is not known here.`,
      "Write the number.",
    );
  const type = scalarType(t, node);
  return { kind: "scalar", expr: integer(irScalar(type), found.value, t.span(node)), type };
}

function thisPointer(t: Translation, node: Node): Value {
  const { self } = t;
  if (self?.kind === "memory") {
    return { kind: "pointer", address: self.address, to: self.type };
  }
  return t.refuse(node, "`this` is used as a pointer.", "Name the member alone.");
}

function unary(t: Translation, node: Node): Value {
  const child = only(node);
  const span = t.span(node);
  switch (node.opcode) {
    case "&": {
      const place = locate(t, child);
      if (place.kind === "memory") return { kind: "pointer", address: place.address, to: place.type };
      if (place.kind === "value" && place.value.kind === "record") {
        return { kind: "pointer", address: place.value.address, to: { kind: "record", name: place.value.name } };
      }
      return t.refuse(node, "The address of this is not kept in memory.", "Take the address of an array's element.");
    }
    case "*":
      return read(t, locate(t, node), node);
    case "++":
    case "--":
      return incremented(t, node);
    case "+":
      return value(t, child);
    case "-": {
      const found = scalar(t, child);
      return { kind: "scalar", expr: negated(found.expr, found.type, span), type: found.type };
    }
    case "~": {
      const found = scalar(t, child);
      return { kind: "scalar", expr: complement(found.expr, found.type, span), type: found.type };
    }
    case "!":
      return { kind: "scalar", expr: not(condition(t, child), span), type: "bool" };
    case "__extension__":
      return value(t, child);
    default:
      return refuseKind(t, node);
  }
}

function binary(t: Translation, node: Node): Value {
  const [left, right] = children(node);
  if (left === undefined || right === undefined) return refuseKind(t, node);
  const opcode = node.opcode ?? "";
  const span = t.span(node);
  if (opcode === "=") return read(t, assigned(t, node), node);
  if (opcode === ",") {
    effect(t, left);
    return value(t, right);
  }
  if (opcode === "&&" || opcode === "||") return logical(t, opcode, left, right, node);
  const one = value(t, left);
  const other = value(t, right);
  const compare = compareOperators[opcode];
  if (compare !== undefined) {
    if (one.kind !== "scalar" || other.kind !== "scalar") {
      return { kind: "scalar", expr: comparedPointers(t, compare, one, other, node), type: "bool" };
    }
    return { kind: "scalar", expr: compared(compare, one.expr, other.expr, one.type, span), type: "bool" };
  }
  if (one.kind === "pointer" && other.kind === "pointer") {
    return { kind: "scalar", expr: difference(t, one, other, node), type: "i64" };
  }
  if (one.kind === "pointer" && other.kind === "scalar") return shifted(t, one, other.expr, opcode === "-", node);
  if (other.kind === "pointer" && one.kind === "scalar") return shifted(t, other, one.expr, false, node);
  const op = arithmeticOperators[opcode];
  if (op === undefined) return refuseKind(t, node);
  const [a, b] = [scalarOf(t, one, left), scalarOf(t, other, right)];
  const type = scalarType(t, node);
  const count = opcode === "<<" || opcode === ">>" ? shiftCount(b) : b.expr;
  return { kind: "scalar", expr: arithmetic(op, a.expr, count, type, span), type };
}

/** The statements of `work`, with its result. */
function apart<T>(t: Translation, work: () => T): { readonly made: readonly Stmt[]; readonly result: T } {
  let result: T | undefined;
  const made = t.collect(() => {
    result = work();
  });
  return { made, result: result as T };
}

function logical(t: Translation, opcode: "&&" | "||", left: Node, right: Node, node: Node): Value {
  const span = t.span(node);
  const first = condition(t, left);
  const and = opcode === "&&";
  if (first.kind === "const" && (Number(first.value) === 0) === and)
    return { kind: "scalar", expr: first, type: "bool" };
  const { made, result } = apart(t, () => condition(t, right));
  if (made.length === 0) {
    if (first.kind === "const") return { kind: "scalar", expr: result, type: "bool" };
    const expr: Expr = { kind: "logical", op: and ? "and" : "or", type: "bool", left: first, right: result, span };
    return { kind: "scalar", expr, type: "bool" };
  }
  const variable = t.variable("decided", "bool", span);
  t.emit({ kind: "declare", variable, value: first, span });
  const decided: Expr = { kind: "variable", type: "bool", variable, span };
  const rest: Stmt[] = [...made, { kind: "assign", variable, component: null, value: result, span }];
  t.emit({ kind: "if", condition: decided, then: and ? rest : [], else: and ? [] : rest, span });
  return { kind: "scalar", expr: decided, type: "bool" };
}

function conditional(t: Translation, node: Node): Value {
  const [test, yes, no] = children(node);
  if (test === undefined || yes === undefined || no === undefined) return refuseKind(t, node);
  const span = t.span(node);
  const chosen = condition(t, test);
  if (chosen.kind === "const") return value(t, Number(chosen.value) !== 0 ? yes : no);
  const [one, other] = [apart(t, () => value(t, yes)), apart(t, () => value(t, no))];
  const [a, b] = [one.result, other.result];
  const quiet = one.made.length === 0 && other.made.length === 0;
  if (a.kind === "void" || b.kind === "void") {
    t.emit({ kind: "if", condition: chosen, then: one.made, else: other.made, span });
    return VOID;
  }
  if ((a.kind === "scalar" && b.kind === "scalar") || (a.kind === "vector" && b.kind === "vector")) {
    const type = a.expr.type as "i32";
    if (quiet) {
      return { ...a, expr: { kind: "select", type, condition: chosen, whenTrue: a.expr, whenFalse: b.expr, span } };
    }
    const variable = t.variable("chosen", type, span);
    t.emit({ kind: "declare", variable, value: unsetOf(a, span), span });
    const arm = (made: readonly Stmt[], expr: Expr): readonly Stmt[] => [
      ...made,
      { kind: "assign", variable, component: null, value: expr, span },
    ];
    t.emit({ kind: "if", condition: chosen, then: arm(one.made, a.expr), else: arm(other.made, b.expr), span });
    return { ...a, expr: { kind: "variable", type, variable, span } };
  }
  if (a.kind === "record" || b.kind === "record") {
    const type = t.unit.type(node);
    const place = temporary(t, "chosen", type, node);
    const arm = (branch: Node): readonly Stmt[] => t.collect(() => initialize(t, place, branch));
    t.emit({ kind: "if", condition: chosen, then: arm(yes), else: arm(no), span });
    return read(t, place, node);
  }
  if (a.kind === "string" && b.kind === "string") {
    return t.refuse(node, "A text is chosen by a condition.", "Write printf in both branches of an if.");
  }
  return pointerChoice(t, chosen, a, b, node);
}

/** Two pointers into one array: the index is chosen. */
function pointerChoice(t: Translation, chosen: Expr, a: Value, b: Value, node: Node): Value {
  const span = t.span(node);
  if (
    a.kind !== "pointer" ||
    b.kind !== "pointer" ||
    JSON.stringify(a.address.root) !== JSON.stringify(b.address.root)
  ) {
    return t.refuse(
      node,
      "One of two arrays is chosen by a condition.",
      "Write an if, with the access in both branches; or choose an index.",
    );
  }
  const [one, other] = [a.address, inElements(t, b.address, a.address.element, node)];
  const wide = (address: Address): Expr => {
    const sum = [address.offset, address.index].flatMap((expr) =>
      expr === null ? [] : [converted(expr, expr.type as CScalar, "i64")],
    );
    const [x, y] = sum;
    if (x === undefined) return integer("i64", 0, span);
    return y === undefined ? x : { kind: "binary", op: "add", type: "i64", left: x, right: y, span };
  };
  const index: Expr = {
    kind: "select",
    type: "i64",
    condition: chosen,
    whenTrue: wide(one),
    whenFalse: wide(other),
    span,
  };
  return { ...a, address: { ...one, offset: null, index } };
}

function sizeOf(t: Translation, node: Node): Value {
  const [child] = children(node);
  const type: CType =
    node.argType !== undefined
      ? t.unit.typeOf(node.argType.desugaredQualType ?? node.argType.qualType)
      : child === undefined
        ? { kind: "void" }
        : t.unit.type(child);
  const measured = t.unit.layouts.measure(type);
  if (measured === null || (node.name !== "sizeof" && node.name !== "alignof")) {
    return t.refuse(
      node,
      `The size of ${node.argType?.qualType ?? "this"} is not known here.`,
      "Write the number of bytes.",
    );
  }
  const bytes = node.name === "sizeof" ? measured.size : measured.align;
  return { kind: "scalar", expr: integer("u64", bytes, t.span(node)), type: "u64" };
}

/** An expression for what it does alone. */
export function effect(t: Translation, node: Node): void {
  const span = t.span(node);
  if (node.kind === "BinaryOperator" && node.opcode === "=") {
    assigned(t, node);
    return;
  }
  if (node.kind === "CompoundAssignOperator") {
    assigned(t, node);
    return;
  }
  if (node.kind === "UnaryOperator" && (node.opcode === "++" || node.opcode === "--")) {
    incremented(t, node, true);
    return;
  }
  if (node.kind === "ParenExpr" || node.kind === "ExprWithCleanups") {
    effect(t, only(node));
    return;
  }
  const isCall = node.kind === "CallExpr" || node.kind === "CXXOperatorCallExpr" || node.kind === "CXXMemberCallExpr";
  if (isCall) {
    const result = call(t, node);
    if (result.kind === "value" && (result.value.kind === "scalar" || result.value.kind === "vector")) {
      const { expr } = result.value;
      if (expr.kind !== "const" && expr.kind !== "variable") t.emit({ kind: "expr", value: expr, span });
    }
    return;
  }
  const found = value(t, node);
  if (
    (found.kind === "scalar" || found.kind === "vector") &&
    found.expr.kind !== "const" &&
    found.expr.kind !== "variable"
  ) {
    t.emit({ kind: "expr", value: found.expr, span });
  }
}
