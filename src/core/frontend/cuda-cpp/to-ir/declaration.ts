/** Variables: those of a function, shared and local arrays, variables of the device, and what a name means. */
import type { Expr, Stmt } from "../../../ir/ir.js";
import type { ElementType } from "../../../ir/types.js";
import { children, type Node } from "../tree/node.js";
import { type CType, isVolatile } from "../tree/types.js";
import { strideOf } from "./address.js";
import { integer } from "./constants.js";
import { wholeStruct } from "./inlined.js";
import { pointTo, scalarOf, temporary, write } from "./places.js";
import { locate, refuseKind, unsetOf, value } from "./reading.js";
import { initialize, isRecord, zero } from "./records.js";
import type { Translation } from "./translation.js";
import { type Address, irScalar, irVector, type Location, type PointerHolder, type Value } from "./values.js";

const BUILTINS = new Set(["threadIdx", "blockIdx", "blockDim", "gridDim"]);

/** The meaning of a name where it stands. */
export function declaredLocation(t: Translation, node: Node): Location {
  const named = node.referencedDecl;
  const id = named?.id ?? "";
  const name = named?.name ?? "";
  const known = t.scope.get(id);
  if (known !== undefined) return known;
  if (BUILTINS.has(name) && !t.unit.declarations.has(id)) return { kind: "builtin", name: name as "threadIdx" };
  if (name === "warpSize" && !t.unit.declarations.has(id)) {
    const expr: Expr = { kind: "intrinsic", name: "warpSize", type: "i32", args: [], span: t.span(node) };
    return { kind: "value", value: { kind: "scalar", expr, type: "i32" } };
  }
  if (named?.kind === "EnumConstantDecl") return { kind: "value", value: value(t, node) };
  const declaration = t.unit.declarations.get(id);
  if (declaration === undefined) {
    return t.refuse(node, `${name} has no meaning in a kernel.`, "Pass it as a parameter.");
  }
  return outer(t, declaration, node);
}

const has = (node: Node, kind: string): boolean => children(node).some((child) => child.kind === kind);

export function initOf(node: Node): Node | undefined {
  return node.init === undefined && !node.constexpr
    ? undefined
    : children(node).find((child) => !child.kind.endsWith("Attr") && !child.kind.endsWith("Comment"));
}

/** A variable outside of the function: of the device, of shared memory, or a constant. */
function outer(t: Translation, declaration: Node, node: Node): Location {
  const known = t.tables.statics.get(declaration.id);
  if (known !== undefined) return known;
  if (has(declaration, "CUDASharedAttr")) return shared(t, declaration);
  const constant = has(declaration, "CUDAConstantAttr");
  if (has(declaration, "CUDADeviceAttr") || constant || has(declaration, "HIPManagedAttr")) {
    const init = initOf(declaration);
    if (!(declaration.constexpr && init !== undefined && t.unit.type(declaration).kind === "scalar")) {
      return symbol(t, declaration);
    }
  }
  const type = t.unit.type(declaration);
  const init = initOf(declaration);
  if (init !== undefined && type.kind === "scalar" && /\bconst\b/.test(declaration.type?.qualType ?? "")) {
    return { kind: "value", value: value(t, init) };
  }
  if (init !== undefined && type.kind === "array" && /\bconst\b/.test(declaration.type?.qualType ?? "")) {
    const place = temporary(t, declaration.name ?? "constant", type, declaration);
    initialize(t, place, init);
    return place;
  }
  return t.refuse(
    node,
    `${declaration.name ?? "This variable"} is a variable of the host.`,
    `Pass it as a parameter, or declare it __device__ or __constant__.`,
  );
}

/** A __device__ or __constant__ variable: memory that a hidden parameter of the kernel points to. */
function symbol(t: Translation, declaration: Node): Location {
  const name = declaration.name ?? "symbol";
  const type = t.unit.type(declaration);
  const stride = strideOf(t, type, declaration);
  const index = t.tables.params.length;
  t.tables.params.push({
    name: `::${name}`,
    kind: "pointer",
    type: { pointer: stride.element, space: "global", volatile: false },
  });
  t.tables.symbols.set(declaration.id, index);
  const address: Address = {
    root: { kind: "param", index },
    space: "global",
    volatile: isVolatile(type),
    element: stride.element,
    offset: null,
    index: null,
  };
  const location: Location = { kind: "memory", address, type };
  t.tables.statics.set(declaration.id, location);
  return location;
}

function dimensions(type: CType): readonly (number | null)[] {
  return type.kind === "array" ? [type.length, ...dimensions(type.of)] : [];
}

function innermost(type: CType): CType {
  return type.kind === "array" ? innermost(type.of) : type;
}

/** An array of shared memory; one of a declaration, however often its function is called. */
function shared(t: Translation, declaration: Node): Location {
  const type = t.unit.type(declaration);
  const stride = strideOf(t, innermost(type), declaration);
  const dims = dimensions(type);
  const dynamic = dims[0] === null || (declaration.storageClass === "extern" && dims.length > 0);
  const lengths = dims.map((length) => length ?? 0);
  const total = lengths.reduce((product, length) => product * length, 1) * stride.count;
  const own = dims.length === 0 ? [stride.count] : stride.count === 1 ? lengths : [total];
  const volatile = isVolatile(type);
  t.tables.sharedArrays.push({
    name: declaration.name ?? "shared",
    element: stride.element,
    dims: dynamic ? null : own,
    volatile,
    span: t.span(declaration),
  });
  const root = { kind: "shared", array: t.tables.sharedArrays.length - 1 } as const;
  const address: Address = { root, space: "shared", volatile, element: stride.element, offset: null, index: null };
  const location: Location = { kind: "memory", address, type };
  t.tables.statics.set(declaration.id, location);
  return location;
}

/** The declarations of a statement. */
export function declare(t: Translation, statement: Node): void {
  for (const child of children(statement)) {
    if (child.kind === "VarDecl") variable(t, child);
    else if (child.kind === "DecompositionDecl")
      t.refuse(child, "Names in brackets for the parts of a struct.", "Name each part.");
  }
}

function variable(t: Translation, node: Node): void {
  const type = t.unit.type(node);
  const init = initOf(node);
  if (init !== undefined && /\(lambda at /.test(node.type?.qualType ?? ""))
    refuseKind(t, { ...init, kind: "LambdaExpr" });
  if (has(node, "CUDASharedAttr")) {
    t.scope.set(node.id, t.tables.statics.get(node.id) ?? shared(t, node));
    return;
  }
  if (node.storageClass === "static" && !/\bconst\b/.test(node.type?.qualType ?? "") && !node.constexpr) {
    t.refuse(node, "A static variable of a function on the device.", "Declare it __device__ outside of the function.");
  }
  switch (type.kind) {
    case "scalar":
      scalarVariable(t, node, type, init);
      return;
    case "pointer":
      pointerVariable(t, node, type.to, init);
      return;
    case "reference":
      if (init === undefined) t.refuse(node, "A reference without a value.", "Give it one.");
      else t.scope.set(node.id, steadyReference(t, locate(t, init)));
      return;
    case "record": {
      const vector = irVector(type.name);
      if (vector !== null && !t.usage.addressed.has(node.id)) {
        const first = init === undefined ? unset(t, type, node) : value(t, init);
        const span = t.span(node);
        const own = t.variable(node.name ?? "vector", vector, span);
        if (first.kind === "vector") t.emit({ kind: "declare", variable: own, value: first.expr, span });
        else t.refuse(node, "A vector is given this value.", "Use make_float4 or its like.");
        t.scope.set(node.id, { kind: "slot", variable: own, type: vector, scalar: vector.scalar, component: null });
        return;
      }
      const same = init === undefined ? null : wholeStruct(t, init);
      if (same !== null && !t.usage.modified.has(node.id)) t.scope.set(node.id, same);
      else recordVariable(t, node, type, init);
      return;
    }
    case "array":
      recordVariable(t, node, type, init);
      return;
    default:
      t.refuse(
        node,
        `A variable of type ${node.type?.qualType ?? "unknown"}.`,
        "Use numbers, pointers, arrays and plain structs.",
      );
  }
}

/** A reference names one place from here on, whatever its index becomes. */
function steadyReference(t: Translation, place: Location): Location {
  if (place.kind !== "memory") return place;
  const { index, offset } = place.address;
  const held = (expr: Expr | null): Expr | null =>
    expr === null || expr.kind === "const" ? expr : t.hold("place", expr, expr.type as "i32");
  return { ...place, address: { ...place.address, index: held(index), offset: held(offset) } };
}

function unset(t: Translation, type: CType, node: Node): Value {
  return type.kind === "scalar"
    ? {
        kind: "scalar",
        expr: unsetOf({ kind: "scalar", expr: integer("i32", 0, t.span(node)), type: type.scalar }, t.span(node)),
        type: type.scalar,
      }
    : zero(t, type, node);
}

function scalarVariable(t: Translation, node: Node, type: CType & { kind: "scalar" }, init: Node | undefined): void {
  const span = t.span(node);
  const first = init === undefined ? unset(t, type, node) : value(t, init);
  const found = scalarOf(t, first, node);
  if (t.usage.addressed.has(node.id)) {
    const own = temporary(t, node.name ?? "variable", type, node);
    if (init !== undefined) write(t, own, { ...found, type: type.scalar }, node);
    t.scope.set(node.id, own);
    return;
  }
  const constant = /\bconst\b/.test(node.type?.qualType ?? "") || node.constexpr;
  if (constant && found.expr.kind === "const") {
    t.scope.set(node.id, { kind: "value", value: found });
    return;
  }
  const own = t.variable(node.name ?? "variable", irScalar(type.scalar), span);
  t.emit({ kind: "declare", variable: own, value: found.expr, span });
  t.scope.set(node.id, {
    kind: "slot",
    variable: own,
    type: irScalar(type.scalar),
    scalar: type.scalar,
    component: null,
  });
}

function pointerVariable(t: Translation, node: Node, to: CType, init: Node | undefined): void {
  const span = t.span(node);
  const first: Value = init === undefined ? { kind: "null" } : value(t, init);
  if (first.kind === "string") {
    t.scope.set(node.id, { kind: "value", value: first });
    return;
  }
  const seen =
    first.kind === "pointer" && (to.kind === "scalar" || to.kind === "void") && to.kind === first.to.kind
      ? first.to
      : to;
  const holder: PointerHolder = {
    name: node.name ?? "pointer",
    to: seen,
    span,
    variable: null,
    asIndex: t.usage.comparesPointers,
    address: null,
    declareLater: null,
  };
  t.scope.set(node.id, { kind: "pointer", holder });
  if (first.kind !== "null") {
    pointTo(t, holder, first, node);
    return;
  }
  const list: Stmt[] = t.output;
  const at = list.length;
  holder.declareLater = (pointer: Expr): void => {
    if (holder.variable !== null)
      list.splice(at, 0, { kind: "declare", variable: holder.variable, value: pointer, span });
  };
}

function recordVariable(t: Translation, node: Node, type: CType, init: Node | undefined): void {
  const declared = innermost(type);
  if (type.kind === "array" && dimensions(type).some((length) => length === null)) {
    t.refuse(node, "An array whose length is not known.", "Write the length.");
  }
  const stride = strideOf(t, innermost(type), node);
  const dims = dimensions(type).map((length) => length ?? 1);
  const element: ElementType = stride.element;
  const own =
    dims.length > 0 && stride.count === 1
      ? dims
      : [
          Math.max(
            1,
            dims.reduce((product, length) => product * length, stride.count),
          ),
        ];
  const array = t.localArray(node.name ?? "local", element, own, t.span(node));
  const address: Address = {
    root: { kind: "local", array },
    space: "local",
    volatile: false,
    element,
    offset: null,
    index: null,
  };
  const place: Location = { kind: "memory", address, type };
  t.scope.set(node.id, place);
  if (
    init !== undefined &&
    (type.kind === "array" || isRecord(declared) || irVector((declared as { name: string }).name) !== null)
  )
    initialize(t, place, init);
}
