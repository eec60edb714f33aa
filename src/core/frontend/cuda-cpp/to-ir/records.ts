/** Structs and arrays as a whole: their construction, field by field, into a place. */
import type { Expr } from "../../../ir/ir.js";
import { isFloat, isVector, loadedType } from "../../../ir/types.js";
import { children, type Node } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import { copiesBits, type FunctionNode } from "../tree/unit.js";
import { elementOf, inElements, moved, movedBytes, strideOf } from "./address.js";
import { float, inRange, integer } from "./constants.js";
import { copyRecord, leaves, read, temporary, write } from "./places.js";
import { locate, refuseKind, scalar, value } from "./reading.js";
import type { Translation } from "./translation.js";
import { type Address, irScalar, irVector, type Location, type Value } from "./values.js";

/** The most elements that are set one by one; more are set in a loop. */
const MOST_WRITTEN = 64;

/** A struct that is no short vector of the machine. */
export function isRecord(type: CType): type is CType & { kind: "record" } {
  return type.kind === "record" && irVector(type.name) === null;
}

/** The value 0 of a scalar or vector type. */
export function zero(t: Translation, type: CType, node: Node): Value {
  const span = t.span(node);
  if (type.kind === "scalar") {
    const ir = irScalar(type.scalar);
    return {
      kind: "scalar",
      expr: isFloat(ir) ? float(ir as "f32", 0, span) : integer(ir, 0, span),
      type: type.scalar,
    };
  }
  const vector = type.kind === "record" ? irVector(type.name) : null;
  if (vector !== null) {
    const part = isFloat(vector.scalar) ? float(vector.scalar as "f32", 0, span) : integer(vector.scalar, 0, span);
    const components = Array.from({ length: vector.lanes }, () => part);
    return { kind: "vector", expr: { kind: "makeVector", type: vector, components, span }, type: vector };
  }
  if (type.kind === "pointer") return { kind: "null" };
  return t.refuse(node, "A value of this type is made of nothing.", "Give it a value.");
}

/** The value of a constructor or a list in braces. */
export function constructed(t: Translation, node: Node): Value {
  const type = t.unit.type(node);
  const inside = children(node).filter((child) => child.kind !== "TemplateArgument");
  if (type.kind === "record") {
    const vector = irVector(type.name);
    if (vector !== null) return constructedVector(t, node, inside, vector);
    const place = temporary(t, "temporary", type, node);
    initialize(t, place, node);
    return read(t, place, node);
  }
  const [first] = inside;
  if (first !== undefined && node.kind !== "ImplicitValueInitExpr") return value(t, first);
  return zero(t, type, node);
}

function constructedVector(
  t: Translation,
  node: Node,
  inside: readonly Node[],
  vector: NonNullable<ReturnType<typeof irVector>>,
): Value {
  const [first] = inside;
  const span = t.span(node);
  if (first === undefined) {
    const none = zero(t, t.unit.type(node), node);
    if (node.kind !== "CXXConstructExpr" || none.kind !== "vector" || none.expr.kind !== "makeVector") return none;
    const components = none.expr.components.map(
      (part): Expr => (part.kind === "const" ? { ...part, unset: true } : part),
    );
    return { ...none, expr: { ...none.expr, components } };
  }
  if (node.kind === "CXXConstructExpr" || (inside.length === 1 && t.unit.type(first).kind === "record"))
    return value(t, first);
  const components = Array.from({ length: vector.lanes }, (_, lane): Expr => {
    const part = inside[lane];
    if (part !== undefined && part.kind !== "ImplicitValueInitExpr") return scalar(t, part).expr;
    return isFloat(vector.scalar) ? float(vector.scalar as "f32", 0, span) : integer(vector.scalar, 0, span);
  });
  return { kind: "vector", expr: { kind: "makeVector", type: vector, components, span }, type: vector };
}

/** Gives a place its first value, or another one. */
export function initialize(t: Translation, place: Location, node: Node): void {
  const type = place.kind === "memory" ? place.type : t.unit.type(node);
  if (place.kind !== "memory" || (!isRecord(type) && type.kind !== "array")) {
    write(t, place, value(t, node), node);
    return;
  }
  switch (node.kind) {
    case "ParenExpr":
    case "ExprWithCleanups":
    case "MaterializeTemporaryExpr":
    case "CXXBindTemporaryExpr":
    case "ConstantExpr":
    case "CXXDefaultInitExpr":
    case "CXXFunctionalCastExpr":
    case "CXXStaticCastExpr":
    case "CStyleCastExpr":
    case "ImplicitCastExpr": {
      const child = children(node).at(-1);
      if (child !== undefined && node.castKind !== "LValueToRValue") {
        initialize(t, place, child);
        return;
      }
      break;
    }
    case "InitListExpr":
      initializeList(t, place, node);
      return;
    case "StringLiteral":
      initializeText(t, place, node);
      return;
    case "ImplicitValueInitExpr":
    case "CXXScalarValueInitExpr":
      clear(t, place.address, type, node);
      return;
    case "CXXConstructExpr":
    case "CXXTemporaryObjectExpr":
      construct(t, place, node);
      return;
    case "ConditionalOperator": {
      const found = value(t, node);
      if (found.kind === "record") copyRecord(t, place.address, found.address, type, node);
      return;
    }
    default:
  }
  const found = node.valueCategory === "prvalue" ? value(t, node) : read(t, locate(t, node), node);
  if (found.kind === "record") {
    copyRecord(t, place.address, found.address, type, node);
    return;
  }
  t.refuse(node, "A struct is given this value.", "Give it field by field.");
}

/** Sets all of a place to 0. */
export function clear(t: Translation, address: Address, type: CType, node: Node): void {
  const parts = type.kind === "array" ? [] : leaves(t, type, 0, node);
  if (type.kind === "array") {
    fill(t, address, type, node);
    return;
  }
  for (const part of parts) {
    const element = elementOf(part.type) ?? "i32";
    write(
      t,
      { kind: "memory", address: movedBytes(t, address, part.offset, element, node), type: part.type },
      zero(t, part.type, node),
      node,
    );
  }
}

function fill(t: Translation, address: Address, type: CType & { kind: "array" }, node: Node, from = 0): void {
  const stride = strideOf(t, type, node);
  const own = inElements(t, address, stride.element, node);
  const per = stride.count / (type.length ?? 1);
  const [begin, end] = [from * per, stride.count];
  const span = t.span(node);
  const loaded = loadedType(stride.element);
  const part = isVector(loaded) ? loaded.scalar : loaded;
  const nothing: Expr = isFloat(part as "f32") ? float(part as "f32", 0, span) : integer(part as "i32", 0, span);
  const stored: Expr = isVector(stride.element)
    ? {
        kind: "makeVector",
        type: stride.element,
        components: Array.from({ length: stride.element.lanes }, () => nothing),
        span,
      }
    : nothing;
  const store = (index: Expr): void => {
    const whole = moved(t, own, { kind: "scalar", scalar: "i32" }, integer("i32", 0, span), node);
    const pointer = {
      kind: "pointer",
      type: { pointer: stride.element, space: own.space, volatile: own.volatile },
      root: own.root,
      offset: whole.index ?? null,
      span,
    } as const;
    t.emit({ kind: "store", pointer: { ...pointer, offset: own.index }, index, value: stored, compound: false, span });
  };
  if (end - begin <= MOST_WRITTEN) {
    for (let i = begin; i < end; i++) store(integer("i32", i, span));
    return;
  }
  const variable = t.variable("filled", "i32", span);
  const index: Expr = { kind: "variable", type: "i32", variable, span };
  const body = t.collect(() => store(index));
  const next: Expr = { kind: "binary", op: "add", type: "i32", left: index, right: integer("i32", 1, span), span };
  t.emit({
    kind: "loop",
    init: [{ kind: "declare", variable, value: integer("i32", begin, span), span }],
    condition: {
      kind: "compare",
      op: "lt",
      type: "bool",
      operandType: "i32",
      left: index,
      right: integer("i32", end, span),
      span,
    },
    testFirst: true,
    update: [{ kind: "assign", variable, component: null, value: next, span }],
    body,
    unroll: null,
    span,
  });
}

/** An array of characters of a text and the zeros behind it. */
function initializeText(t: Translation, { address, type }: Location & { kind: "memory" }, node: Node): void {
  const found = value(t, node);
  if (type.kind !== "array" || type.of.kind !== "scalar" || found.kind !== "string") {
    refuseKind(t, node);
    return;
  }
  const { of, length } = type;
  const codes = [...found.text].slice(0, length ?? 0);
  for (const [index, code] of codes.entries()) {
    const at = moved(t, address, of, integer("i32", index, t.span(node)), node);
    const expr = inRange(integer("i32", code.codePointAt(0) ?? 0, t.span(node)), of.scalar);
    write(t, { kind: "memory", address: at, type: of }, { kind: "scalar", expr, type: of.scalar }, node);
  }
  if (codes.length < (length ?? 0)) fill(t, address, type, node, codes.length);
}

function initializeList(t: Translation, place: Location & { kind: "memory" }, node: Node): void {
  const { address, type } = place;
  if (type.kind === "array") {
    // clang names the value of all other elements first.
    const [filler, ...listed] = node.array_filler ?? [];
    const given = filler === undefined ? children(node) : listed;
    if (children(node).length === 1 && children(node)[0]?.kind === "StringLiteral") {
      initialize(t, place, children(node)[0] ?? node);
      return;
    }
    given.forEach((child, index) => {
      const at = moved(t, address, type.of, integer("i32", index, t.span(node)), node);
      initialize(t, { kind: "memory", address: at, type: type.of }, child);
    });
    const length = type.length ?? 0;
    if (filler === undefined || filler.kind === "ImplicitValueInitExpr" || length > MOST_WRITTEN) {
      if (given.length < length) fill(t, address, type, node, given.length);
      return;
    }
    for (let index = given.length; index < length; index++) {
      const at = moved(t, address, type.of, integer("i32", index, t.span(node)), node);
      initialize(t, { kind: "memory", address: at, type: type.of }, filler);
    }
    return;
  }
  if (type.kind !== "record") return;
  const fields = t.unit.layout(type.name)?.fields ?? [];
  const inside = children(node);
  const [only] = inside;
  if (
    inside.length === 1 &&
    only !== undefined &&
    isRecord(t.unit.type(only)) &&
    t.unit.type(only).kind === "record" &&
    fields[0]?.type.kind !== "record"
  ) {
    initialize(t, place, only);
    return;
  }
  fields.forEach((field, index) => {
    const child = inside[index];
    const inner = field.type.kind === "array" ? field.type.of : field.type;
    const element = elementOf(inner) ?? strideOf(t, inner, node).element;
    const at: Location = {
      kind: "memory",
      address: movedBytes(t, address, field.offset, element, node),
      type: field.type,
    };
    if (child === undefined || child.kind === "ImplicitValueInitExpr") clear(t, at.address, field.type, node);
    else initialize(t, at, child);
  });
}

/** The constructor that an expression calls; undefined where the compiler makes it. */
function constructorOf(t: Translation, record: string, node: Node): FunctionNode | undefined {
  const wanted = node.ctorType?.qualType ?? "";
  for (const fn of t.unit.functions.values()) {
    if (fn.node.kind === "CXXConstructorDecl" && fn.record === record && fn.node.type?.qualType === wanted) return fn;
  }
  return undefined;
}

function construct(t: Translation, place: Location & { kind: "memory" }, node: Node): void {
  const { type, address } = place;
  const inside = children(node);
  if (type.kind === "array") {
    const { length, of } = type;
    if (inside.length > 0 || (length ?? 0) > MOST_WRITTEN) {
      t.refuse(node, "An array of structs with constructors.", "Set its elements in a loop.");
    }
    if (!isRecord(of) || constructorOf(t, of.name, node) === undefined) return;
    for (let i = 0; i < (length ?? 0); i++) {
      const at = moved(t, address, of, integer("i32", i, t.span(node)), node);
      construct(t, { kind: "memory", address: at, type: of }, node);
    }
    return;
  }
  if (type.kind !== "record") return;
  const fn = constructorOf(t, type.name, node);
  if (fn !== undefined && !copiesBits(t.unit, fn)) {
    t.readers.constructorCall(t, fn, place, inside, node);
    return;
  }
  const [first] = inside;
  if (type.name === "dim3" && inside.length === 3) {
    ["x", "y", "z"].forEach((_, lane) => {
      const part = inside[lane];
      if (part === undefined) return;
      const at = movedBytes(t, address, 4 * lane, "u32", node);
      write(t, { kind: "memory", address: at, type: { kind: "scalar", scalar: "u32" } }, scalar(t, part), node);
    });
    return;
  }
  if (first === undefined) {
    const record = t.unit.record(type.name);
    // A constructor that the compiler makes sets the fields with a value in the struct, and leaves the others.
    for (const field of record === undefined ? [] : children(record)) {
      const init =
        field.kind === "FieldDecl" ? children(field).find((child) => !child.kind.endsWith("Attr")) : undefined;
      const known = t.unit.layout(type.name)?.fields.find(({ name }) => name === field.name);
      if (init === undefined || known === undefined) continue;
      const element = elementOf(known.type) ?? strideOf(t, known.type, node).element;
      initialize(
        t,
        { kind: "memory", address: movedBytes(t, address, known.offset, element, node), type: known.type },
        init,
      );
    }
    return;
  }
  if (inside.length === 1) {
    initialize(t, place, first);
    return;
  }
  refuseKind(t, node);
}
