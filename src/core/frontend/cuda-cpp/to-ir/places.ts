/** Reads and writes of places: variables, components, memory, pointer variables, whole records. */
import type { BuiltinName, Expr, Stmt } from "../../../ir/ir.js";
import { narrowed } from "../../../ir/narrowed.js";
import { byteSize, isNarrow, loadedType, type Narrow, type Scalar } from "../../../ir/types.js";
import { vectorOf } from "../tree/layout.js";
import type { Node } from "../tree/node.js";
import { type CType, isVolatile } from "../tree/types.js";
import { accessOf, elementOf, inElements, movedBytes, pointerExpr, strideOf } from "./address.js";
import { converted, integer } from "./constants.js";
import type { Translation } from "./translation.js";
import { type Address, irVector, type Location, type PointerHolder, rootKey, type Value } from "./values.js";

/** The most scalars that a copy of a record or an array is written out for. */
const MOST_COPIED = 64;

/** The value that a place holds. */
export function read(t: Translation, location: Location, node: Node): Value {
  const span = t.span(node);
  switch (location.kind) {
    case "value":
      return location.value;
    case "slot": {
      const whole: Expr = { kind: "variable", type: location.type, variable: location.variable, span };
      if (typeof location.type === "string") return { kind: "scalar", expr: whole, type: location.scalar };
      if (location.component === null) return { kind: "vector", expr: whole, type: location.type };
      const expr: Expr = {
        kind: "component",
        type: location.type.scalar,
        vector: whole,
        component: location.component,
        span,
      };
      return { kind: "scalar", expr, type: location.scalar };
    }
    case "pointer":
      return { kind: "pointer", address: holderAddress(t, location.holder, node), to: location.holder.to };
    case "builtin":
      return wholeBuiltin(t, location.name, node);
    case "memory":
      return readMemory(t, location.address, location.type, node);
    case "choice":
      return readChoice(t, location, node);
    case "fields":
      return t.refuse(node, `${location.record} holds pointers and is used as a whole.`, "Use its fields one by one.");
  }
}

/** threadIdx and its like as a struct of three. */
function wholeBuiltin(t: Translation, name: BuiltinName, node: Node): Value {
  const place = temporary(t, name, { kind: "record", name: "uint3" }, node);
  (["x", "y", "z"] as const).forEach((axis, lane) => {
    const expr: Expr = { kind: "builtin", type: "u32", name, axis, span: t.span(node) };
    const part: CType = { kind: "scalar", scalar: "u32" };
    const address = movedBytes(t, place.address, 4 * lane, "u32", node);
    writeMemory(t, address, part, { kind: "scalar", expr, type: "u32" }, node, false);
  });
  return { kind: "record", address: place.address, name: "uint3" };
}

function readChoice(t: Translation, { condition, yes, no }: Location & { kind: "choice" }, node: Node): Value {
  const [one, other] = [read(t, yes, node), read(t, no, node)];
  if ((one.kind === "scalar" && other.kind === "scalar") || (one.kind === "vector" && other.kind === "vector")) {
    const type = one.expr.type as Scalar;
    const span = t.span(node);
    return { ...one, expr: { kind: "select", type, condition, whenTrue: one.expr, whenFalse: other.expr, span } };
  }
  return t.refuse(node, "One of two arrays or structs is chosen by a condition.", "Write an if.");
}

function readMemory(t: Translation, address: Address, type: CType, node: Node): Value {
  const element = elementOf(type);
  if (element === null) {
    if (type.kind === "record") return { kind: "record", address, name: type.name };
    if (type.kind === "array") return { kind: "pointer", address, to: type.of };
    strideOf(t, type, node);
    return t.refuse(node, "A value of this type is read from memory.", "Use numbers and short vectors.");
  }
  strideOf(t, type, node);
  const seen = isVolatile(type) ? { ...address, volatile: true } : address;
  const { pointer, index } = accessOf(t, seen, element, node);
  const loaded = loadedType(element);
  const expr: Expr = { kind: "load", type: loaded, pointer, index, span: t.span(node) };
  if (typeof loaded !== "string") return { kind: "vector", expr, type: loaded };
  const scalar = type.kind === "scalar" ? type.scalar : loaded;
  if (scalar !== "bool") return { kind: "scalar", expr, type: scalar };
  return { kind: "scalar", expr: { kind: "convert", type: "bool", operand: expr, span: expr.span }, type: "bool" };
}

function holderAddress(t: Translation, holder: PointerHolder, node: Node): Address {
  if (holder.address === null || holder.variable === null) {
    return t.refuse(node, `The pointer ${holder.name} is read before it points anywhere.`, "Give it a value first.");
  }
  if (!holder.asIndex) return holder.address;
  const index: Expr = { kind: "variable", type: "i64", variable: holder.variable, span: t.span(node) };
  return { ...holder.address, index };
}

/** Gives a place a value, which has its type already. */
export function write(t: Translation, location: Location, value: Value, node: Node, compound = false): void {
  const span = t.span(node);
  switch (location.kind) {
    case "slot": {
      if (value.kind !== "scalar" && value.kind !== "vector") {
        if (value.kind === "record") write(t, location, vectorOfRecord(t, value, node), node);
        else t.refuse(node, "This value cannot be assigned here.", "Assign a number or a short vector.");
        return;
      }
      t.emit({ kind: "assign", variable: location.variable, component: location.component, value: value.expr, span });
      return;
    }
    case "pointer":
      pointTo(t, location.holder, value, node);
      return;
    case "choice": {
      const arm = (place: Location): Stmt[] => t.collect(() => write(t, place, value, node, compound));
      t.emit({ kind: "if", condition: location.condition, then: arm(location.yes), else: arm(location.no), span });
      return;
    }
    case "memory":
      writeMemory(t, location.address, location.type, value, node, compound);
      return;
    default:
      t.refuse(node, "This place cannot be assigned.", "Assign a variable or an element of an array.");
  }
}

function vectorOfRecord(t: Translation, value: Value & { kind: "record" }, node: Node): Value {
  const vector = irVector(value.name);
  if (vector === null) return t.refuse(node, `A ${value.name} cannot be assigned here.`, "Assign it field by field.");
  return readMemory(t, value.address, { kind: "record", name: value.name }, node);
}

function writeMemory(t: Translation, address: Address, type: CType, value: Value, node: Node, compound: boolean): void {
  const element = elementOf(type);
  const span = t.span(node);
  if (value.kind === "record") {
    copyRecord(t, address, value.address, { kind: "record", name: value.name }, node);
    return;
  }
  if (element === null || (value.kind !== "scalar" && value.kind !== "vector")) {
    strideOf(t, type, node);
    t.refuse(node, "A value of this type is written to memory.", "Use numbers and short vectors.");
    return;
  }
  strideOf(t, type, node);
  const seen = isVolatile(type) ? { ...address, volatile: true } : address;
  const { pointer, index } = accessOf(t, seen, element, node);
  const stored = value.kind === "scalar" && value.type === "bool" ? converted(value.expr, "bool", "i32") : value.expr;
  t.emit({ kind: "store", pointer, index, value: stored, compound, span });
}

/** Makes a pointer variable point elsewhere, within its root. */
export function pointTo(t: Translation, holder: PointerHolder, value: Value, node: Node): void {
  if (value.kind === "null") {
    t.refuse(node, `${holder.name} is made null.`, "Leave it as it is, and keep a bool that says whether it is used.");
    return;
  }
  if (value.kind !== "pointer") {
    t.refuse(
      node,
      `${holder.name} is given something that is no pointer of the device.`,
      "Give it an array or an element's address.",
    );
    return;
  }
  const span = t.span(node);
  const stride = strideOf(t, holder.to, node);
  const address = inElements(t, value.address, stride.element, node);
  const known = holder.address;
  if (known === null || holder.variable === null) {
    begin(t, holder, address, node);
    if (holder.declareLater === null) return;
    holder.declareLater = null;
  } else {
    const own = holder.asIndex ? known.root : holderRoot(t, holder, known);
    if (rootKey(baseOf(t, address.root)) !== rootKey(baseOf(t, own))) {
      t.refuse(
        node,
        `The pointer ${holder.name} points into one array and then into another.`,
        "Use a pointer variable for each array, or choose by an index.",
      );
    }
  }
  const target = holder.address ?? address;
  if (holder.variable === null) return;
  const whole = pointerExpr({ ...address, element: target.element, volatile: target.volatile }, span);
  const assigned: Expr = holder.asIndex ? wide(whole.offset, span) : whole;
  t.emit({ kind: "assign", variable: holder.variable, component: null, value: assigned, span });
}

function wide(offset: Expr | null, span: Expr["span"]): Expr {
  if (offset === null) return integer("i64", 0, span);
  if (offset.type === "i64") return offset;
  if (offset.kind === "const") return integer("i64", BigInt(offset.value), span);
  return { kind: "convert", type: "i64", operand: offset, span };
}

/** Roots of pointer variables, back to the array that they point into. */
function baseOf(t: Translation, root: Address["root"]): Address["root"] {
  if (root.kind !== "variable") return root;
  const holder = holders.get(t)?.get(root.variable);
  return holder === undefined ? root : baseOf(t, holder);
}

const holders = new WeakMap<Translation, Map<number, Address["root"]>>();

function holderRoot(t: Translation, holder: PointerHolder, address: Address): Address["root"] {
  return holder.variable === null ? address.root : (holders.get(t)?.get(holder.variable) ?? address.root);
}

/** The first value of a pointer variable: it decides the array that it stays in. */
function begin(t: Translation, holder: PointerHolder, address: Address, node: Node): void {
  const span = holder.span;
  if (holder.asIndex) {
    holder.variable = t.variable(holder.name, "i64", span);
    holder.address = { ...address, offset: null, index: null };
    const value = wide(pointerExpr(address, span).offset, span);
    if (holder.declareLater === null) t.emit({ kind: "declare", variable: holder.variable, value, span });
    else holder.declareLater(integer("i64", 0, span));
    return;
  }
  const pointer = pointerExpr(address, t.span(node));
  holder.variable = t.variable(holder.name, pointer.type, span);
  const roots = holders.get(t) ?? new Map<number, Address["root"]>();
  roots.set(holder.variable, address.root);
  holders.set(t, roots);
  const root = { kind: "variable", variable: holder.variable } as const;
  holder.address = { ...address, root, offset: null, index: null };
  if (holder.declareLater === null) {
    t.emit({ kind: "declare", variable: holder.variable, value: pointer, span });
    return;
  }
  if (address.root.kind === "variable") {
    // The place of the declaration may lie before that of the pointer it is made from.
    const base = baseOf(t, address.root);
    if (base.kind === "variable") {
      holder.declareLater({ ...pointer, offset: null, root: base });
      return;
    }
    holder.declareLater({ ...pointer, offset: null, root: base });
    return;
  }
  holder.declareLater({ ...pointer, offset: null });
}

/** Copies a record or an array, scalar by scalar. */
export function copyRecord(t: Translation, to: Address, from: Address, type: CType, node: Node): void {
  const parts = leaves(t, type, 0, node);
  if (parts.length > MOST_COPIED) {
    t.refuse(node, `A copy of ${parts.length} numbers at once.`, "Copy in a loop, or pass a pointer.");
  }
  const packed = packedVector(type);
  const words = packed !== null && from.space !== "local" ? unpacked(t, from, packed, node) : null;
  const values = parts.map(({ offset, type: part }, lane) => {
    const word = words?.[lane];
    if (word !== undefined && packed !== null)
      return {
        offset,
        part,
        element: packed.scalar,
        value: { kind: "scalar", expr: word, type: packed.scalar } as Value,
      };
    const element = elementOf(part) ?? "i32";
    const value = readMemory(t, movedBytes(t, from, offset, element, node), part, node);
    if (value.kind !== "scalar" && value.kind !== "vector") return null;
    const held = t.hold("copied", value.expr, value.expr.type as Scalar);
    return { offset, part, element, value: { ...value, expr: held } as Value };
  });
  const given = values.flatMap((each) => (each?.value.kind === "scalar" ? [each.value.expr] : []));
  if (packed !== null && to.space !== "local") {
    storePacked(t, to, packed, given, node);
    return;
  }
  for (const each of values) {
    if (each === null) continue;
    writeMemory(t, movedBytes(t, to, each.offset, each.element, node), each.part, each.value, node, false);
  }
}

/** The scalars and vectors of a type with their offsets. */
export function leaves(
  t: Translation,
  type: CType,
  base: number,
  node: Node,
): readonly { readonly offset: number; readonly type: CType }[] {
  if (elementOf(type) !== null) return [{ offset: base, type }];
  if (type.kind === "array") {
    const size = t.unit.layouts.size(type.of) ?? 0;
    return Array.from({ length: type.length ?? 0 }, (_, i) => leaves(t, type.of, base + i * size, node)).flat();
  }
  if (type.kind !== "record")
    return t.refuse(node, "A pointer is kept in a struct.", "Pass pointers as parameters of their own.");
  const layout = t.unit.layout(type.name);
  if (layout === null)
    return t.refuse(node, `The layout of ${type.name} is not known here.`, "Use a struct of plain numbers.");
  if (layout.union) {
    const scalar = ({ 1: "u8", 2: "u16", 4: "i32" } as const)[layout.align] ?? "i64";
    const step = byteSize(scalar);
    return Array.from({ length: layout.size / step }, (_, i) => ({
      offset: base + i * step,
      type: { kind: "scalar", scalar } as const,
    }));
  }
  return layout.fields.flatMap((field) => leaves(t, field.type, base + field.offset, node));
}

/** A new place of this thread's own for a value of a type. */
export function temporary(t: Translation, name: string, type: CType, node: Node): Location & { kind: "memory" } {
  const stride = strideOf(t, type, node);
  const array = t.localArray(name, stride.element, [Math.max(1, stride.count)], t.span(node));
  const address: Address = {
    root: { kind: "local", array },
    space: "local",
    volatile: false,
    element: stride.element,
    offset: null,
    index: null,
  };
  return { kind: "memory", address, type };
}

/** The scalar of a value; refuses all others. */
export function scalarOf(t: Translation, value: Value, node: Node): Value & { kind: "scalar" } {
  if (value.kind === "scalar") return value;
  return t.refuse(node, "A number is needed here.", "Take one part of it: .x, or an element.");
}

interface Packed {
  readonly scalar: Narrow;
  readonly lanes: number;
  /** The word that holds the vector. */
  readonly word: "u16" | "u32";
}

/** A vector of 2 or 4 bytes and its word, by which nvcc loads and stores it; null for other types. */
function packedVector(type: CType): Packed | null {
  const vector = type.kind === "record" ? vectorOf(type.name) : null;
  if (vector === null || (vector.lanes !== 2 && vector.lanes !== 4)) return null;
  const { scalar, lanes } = vector;
  if (scalar === "bool" || !isNarrow(scalar)) return null;
  const bytes = byteSize(scalar) * lanes;
  return bytes > 4 ? null : { scalar, lanes, word: bytes === 2 ? "u16" : "u32" };
}

const asInt = (expr: Expr): Expr =>
  expr.type === "i32" ? expr : { kind: "convert", type: "i32", operand: expr, span: expr.span };

/** The components of the vector at an address; each is an i32. */
function unpacked(t: Translation, from: Address, { scalar, lanes, word }: Packed, node: Node): readonly Expr[] {
  const span = t.span(node);
  const { pointer, index } = accessOf(t, from, word, node);
  const type = word === "u16" ? "i32" : "u32";
  const held = asInt(t.hold("word", { kind: "load", type, pointer, index, span }, type));
  return Array.from({ length: lanes }, (_, lane) => {
    const count = integer("u32", 8 * byteSize(scalar) * lane, span);
    const part: Expr = lane === 0 ? held : { kind: "binary", op: "shr", type: "i32", left: held, right: count, span };
    return t.hold("part", narrowed(part, scalar), "i32");
  });
}

/** Stores the vector of components, each an i32 that is in its range. */
function storePacked(t: Translation, to: Address, { scalar, word }: Packed, parts: readonly Expr[], node: Node): void {
  const span = t.span(node);
  const unsigned = scalar === "i8" ? "u8" : scalar === "i16" ? "u16" : scalar;
  const joined = parts
    .map((part, lane): Expr => {
      const bits = narrowed(part, unsigned);
      const count = integer("u32", 8 * byteSize(scalar) * lane, span);
      return lane === 0 ? bits : { kind: "binary", op: "shl", type: "i32", left: bits, right: count, span };
    })
    .reduce((left, right): Expr => ({ kind: "binary", op: "or", type: "i32", left, right, span }));
  const { pointer, index } = accessOf(t, to, word, node);
  const value: Expr =
    word === "u16" ? narrowed(joined, "u16") : { kind: "convert", type: "u32", operand: joined, span };
  t.emit({ kind: "store", pointer, index, value, compound: false, span });
}
