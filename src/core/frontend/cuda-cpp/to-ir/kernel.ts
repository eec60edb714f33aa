/** One kernel of a file: its parameters, its body, the grids that it launches. */
import type { CompileError, SourceText } from "../../../base/errors.js";
import type { KernelIr, Param } from "../../../ir/ir.js";
import { byteSize, type ElementType, isVector, type Narrow, type Scalar } from "../../../ir/types.js";
import type { Node } from "../tree/node.js";
import type { CScalar, CType } from "../tree/types.js";
import type { FunctionNode, Unit } from "../tree/unit.js";
import { elementOf, movedBytes, strideOf } from "./address.js";
import { constructorCall } from "./call.js";
import { converted, inRange, integer } from "./constants.js";
import { initOf } from "./declaration.js";
import { condition, effect, value } from "./expression.js";
import { locate } from "./location.js";
import { leaves, temporary, write } from "./places.js";
import { functionBody } from "./reading.js";
import { initialize } from "./records.js";
import { statement } from "./statement.js";
import { type KernelTables, type Readers, type Sources, Translation } from "./translation.js";
import { irScalar, irVector, type Location, type PointerHolder, type Value } from "./values.js";

/** A variable of the device that a kernel uses: its hidden parameter. */
export interface DeviceSymbol {
  readonly name: string;
  /** clang's id of the declaration: kernels of one file share the variable. */
  readonly id: string;
  /** The name of the parameter that points to it. */
  readonly parameter: string;
  readonly element: ElementType;
  /** In elements. */
  readonly length: number;
  /** First values with the byte where each begins; 0 elsewhere. */
  readonly initial: readonly FirstValue[];
}

export interface FirstValue {
  readonly byte: number;
  readonly type: Scalar | Narrow;
  readonly value: number | bigint;
}

export interface TranslatedKernel {
  readonly name: string;
  readonly ir: KernelIr;
  readonly symbols: readonly DeviceSymbol[];
}

/** A kernel that is C++, but of which this compiler can make nothing. */
export interface RefusedKernel {
  readonly name: string;
  readonly reason: CompileError;
}

/** `name<256, float>` of an instance, `name` of others. */
export function kernelTitle(fn: FunctionNode): string {
  return fn.template === null ? fn.name : `${fn.name}<${fn.template.map(({ value }) => value).join(", ")}>`;
}

const READERS: Readers = { value, locate, condition, effect, statement, constructorCall };

export function translateKernel(unit: Unit, fn: FunctionNode, sources: Sources): TranslatedKernel {
  return translated(unit, fn, sources, []);
}

function translated(unit: Unit, fn: FunctionNode, sources: Sources, open: readonly FunctionNode[]): TranslatedKernel {
  const tables: KernelTables = {
    variables: [],
    sharedArrays: [],
    localArrays: [],
    functions: [],
    params: [],
    warnings: [],
    children: [],
    instances: new Map(),
    statics: new Map(),
    symbols: new Map(),
    comparedWithNull: new Set(),
  };
  const t = new Translation(unit, tables, fn, sources, READERS);
  t.open.push(fn);
  const source: SourceText = { ...sources(fn.node.place?.file ?? ""), name: fn.name };
  for (const parameter of fn.parameters) bindParameter(t, parameter);
  functionBody(t, fn);
  if (tables.symbols.size > 0 && open.length > 0) {
    t.refuse(fn.node, "A child grid uses a variable of the device.", "Pass a pointer to the child grid.");
  }
  const inner = tables.children.map((child) => {
    if (open.includes(child) || child === fn) {
      return t.refuse(child.node, "Kernels launch each other in a ring.", "Launch the kernel from itself.");
    }
    return translated(unit, child, sources, [...open, fn]).ir;
  });
  const ir: KernelIr = {
    name: fn.name,
    source,
    params: tables.params.map((param, index) => marked(param, index, tables)),
    constants: constantsOf(fn),
    variables: tables.variables,
    sharedArrays: tables.sharedArrays,
    localArrays: tables.localArrays,
    functions: tables.functions,
    body: t.output,
    warnings: tables.warnings,
    ...(inner.length > 0 ? { children: inner } : {}),
  };
  const symbols = [...tables.symbols.keys()].flatMap((id) => symbolOf(t, id));
  return { name: kernelTitle(fn), ir, symbols };
}

/** The parameter, marked if the kernel compares it with null. */
function marked(param: Param, index: number, { comparedWithNull }: KernelTables): Param {
  const compared = comparedWithNull.has(index) || comparedWithNull.has("any");
  return param.kind === "pointer" && compared ? { ...param, notNull: true } : param;
}

/** The variable's memory and first values. */
function symbolOf(t: Translation, id: string): readonly DeviceSymbol[] {
  const declaration = t.unit.declarations.get(id);
  const place = t.tables.statics.get(id);
  if (declaration === undefined || place?.kind !== "memory" || place.address.root.kind !== "param") return [];
  const { element, count } = strideOf(t, place.type, declaration);
  const init = initOf(declaration);
  const stores = init === undefined ? [] : t.collect(() => initialize(t, place, init));
  const initial: FirstValue[] = [];
  for (const stmt of stores) {
    if (stmt.kind !== "store" || stmt.index.kind !== "const") continue;
    const start =
      stmt.pointer.offset === null
        ? 0
        : stmt.pointer.offset.kind === "const"
          ? Number(stmt.pointer.offset.value)
          : null;
    const stored = stmt.pointer.type.pointer;
    const type = isVector(stored) ? stored.scalar : stored;
    const parts = stmt.value.kind === "makeVector" ? stmt.value.components : [stmt.value];
    parts.forEach((part, lane) => {
      if (part.kind !== "const" || start === null || stmt.index.kind !== "const") {
        t.refuse(
          declaration,
          "A variable of the device begins with what is no constant.",
          "Copy its values from the host.",
        );
        return;
      }
      const byte = (start + Number(stmt.index.value)) * byteSize(stored) + lane * byteSize(type);
      initial.push({ byte, type, value: part.value });
    });
  }
  const parameter = t.tables.params[place.address.root.index]?.name ?? "";
  return [{ name: declaration.name ?? "symbol", id, parameter, element, length: count, initial }];
}

function constantsOf(fn: FunctionNode): KernelIr["constants"] {
  return (fn.template ?? []).flatMap(({ name, value }) =>
    typeof value === "number" ? [{ name, type: "i32" as const, value }] : [],
  );
}

function bindParameter(t: Translation, parameter: Node): void {
  const type = t.unit.type(parameter);
  const name = parameter.name ?? `param${t.tables.params.length}`;
  if (type.kind === "pointer" || type.kind === "array") {
    const to: CType = type.kind === "pointer" ? type.to : type.of;
    const volatile = /\bvolatile\b/.test(parameter.type?.qualType ?? "");
    const given = pointerParameter(t, name, to, volatile, parameter);
    if (!t.usage.modified.has(parameter.id) && !t.usage.addressed.has(parameter.id)) {
      t.scope.set(parameter.id, { kind: "value", value: given });
      return;
    }
    t.scope.set(parameter.id, movingPointer(t, name, given, parameter));
    return;
  }
  if (type.kind === "scalar") {
    scalarParameter(t, parameter, type, name);
    return;
  }
  if (type.kind !== "record") {
    t.refuse(
      parameter,
      `A parameter of type ${parameter.type?.qualType ?? "unknown"}.`,
      "Pass numbers, pointers and plain structs.",
    );
    return;
  }
  if (holdsPointers(t, type)) {
    t.scope.set(parameter.id, fieldsOf(t, type, name, parameter));
    return;
  }
  // A struct arrives as its numbers, each as a parameter of the kernel.
  const place = temporary(t, name, type, parameter);
  const layout = t.unit.layout(type.name);
  for (const part of leaves(t, type, 0, parameter)) {
    if (part.type.kind !== "scalar") {
      vectorPart(t, name, part.type, part.offset, place, parameter);
      continue;
    }
    const field = layout?.fields.find(({ offset }) => offset === part.offset)?.name ?? `${part.offset}`;
    const given = numberParameter(t, `${name}.${field}`, part.type.scalar, parameter);
    const element = elementOf(part.type) ?? irScalar(part.type.scalar);
    const at = movedBytes(t, place.address, part.offset, element, parameter);
    write(t, { kind: "memory", address: at, type: part.type }, given, parameter);
  }
  t.scope.set(parameter.id, place);
}

function holdsPointers(t: Translation, type: CType): boolean {
  if (type.kind === "array") return holdsPointers(t, type.of);
  if (type.kind !== "record") return type.kind === "pointer";
  return t.unit.layout(type.name)?.fields.some((field) => holdsPointers(t, field.type)) ?? false;
}

/** A struct with pointers: each of its fields is a parameter. */
function fieldsOf(t: Translation, type: CType & { kind: "record" }, name: string, parameter: Node): Location {
  const fields = new Map<string, Location>();
  for (const field of t.unit.layout(type.name)?.fields ?? []) {
    const own = `${name}.${field.name}`;
    if (field.type.kind === "record") fields.set(field.name, fieldsOf(t, field.type, own, parameter));
    else if (field.type.kind === "scalar") {
      fields.set(field.name, { kind: "value", value: numberParameter(t, own, field.type.scalar, parameter) });
    } else if (field.type.kind === "pointer") {
      fields.set(field.name, { kind: "value", value: pointerParameter(t, own, field.type.to, false, parameter) });
    } else t.refuse(parameter, `${own} is an array in a struct with pointers.`, "Pass it as a parameter of its own.");
  }
  return { kind: "fields", record: type.name, fields };
}

/** A parameter that points into global memory. */
function pointerParameter(
  t: Translation,
  name: string,
  to: CType,
  volatile: boolean,
  parameter: Node,
): Value & { kind: "pointer" } {
  const seen: CType = to.kind === "void" ? { kind: "scalar", scalar: "i32" } : to;
  const { element } = strideOf(t, seen, parameter);
  const index =
    t.tables.params.push({ name, kind: "pointer", type: { pointer: element, space: "global", volatile } }) - 1;
  const root = { kind: "param", index } as const;
  return { kind: "pointer", address: { root, space: "global", volatile, element, offset: null, index: null }, to };
}

function vectorPart(
  t: Translation,
  name: string,
  type: CType,
  offset: number,
  place: Location & { kind: "memory" },
  parameter: Node,
): void {
  const vector = type.kind === "record" ? irVector(type.name) : null;
  if (vector === null) {
    t.refuse(parameter, "A parameter of this type.", "Pass numbers, pointers and plain structs.");
    return;
  }
  const span = t.span(parameter);
  const components = ["x", "y", "z", "w"].slice(0, vector.lanes).map((lane) => {
    const index = t.tables.params.push({ name: `${name}.${lane}`, kind: "scalar", type: vector.scalar }) - 1;
    return { kind: "param", type: vector.scalar, index, span } as const;
  });
  const value: Value = { kind: "vector", expr: { kind: "makeVector", type: vector, components, span }, type: vector };
  write(
    t,
    { kind: "memory", address: movedBytes(t, place.address, offset, vector, parameter), type },
    value,
    parameter,
  );
}

function movingPointer(t: Translation, name: string, given: Value & { kind: "pointer" }, parameter: Node): Location {
  const span = t.span(parameter);
  const { address } = given;
  if (t.usage.comparesPointers) {
    const variable = t.variable(name, "i64", span);
    t.emit({ kind: "declare", variable, value: integer("i64", 0, span), span });
    return {
      kind: "pointer",
      holder: { name, to: given.to, span, variable, asIndex: true, address, declareLater: null },
    };
  }
  const type = { pointer: address.element, space: address.space, volatile: address.volatile };
  const variable = t.variable(name, type, span);
  t.emit({ kind: "declare", variable, value: { kind: "pointer", type, root: address.root, offset: null, span }, span });
  const holder: PointerHolder = {
    name,
    to: given.to,
    span,
    variable,
    asIndex: false,
    address: { ...address, root: { kind: "variable", variable } },
    declareLater: null,
  };
  return { kind: "pointer", holder };
}

/** A number that the launch gives. A truth value arrives as an int; what is too large for a narrow type loses its upper bits. */
function numberParameter(t: Translation, name: string, type: CScalar, parameter: Node): Value & { kind: "scalar" } {
  const span = t.span(parameter);
  const given: Scalar = type === "bool" ? "i32" : irScalar(type);
  const index = t.tables.params.push({ name, kind: "scalar", type: given }) - 1;
  const expr = { kind: "param", type: given, index, span } as const;
  return { kind: "scalar", expr: type === "bool" ? converted(expr, "i32", "bool") : inRange(expr, type), type };
}

function scalarParameter(t: Translation, parameter: Node, type: CType & { kind: "scalar" }, name: string): void {
  const span = t.span(parameter);
  const scalar: Scalar = irScalar(type.scalar);
  const given = numberParameter(t, name, type.scalar, parameter);
  if (t.usage.addressed.has(parameter.id)) {
    const place = temporary(t, name, type, parameter);
    write(t, place, given, parameter);
    t.scope.set(parameter.id, place);
    return;
  }
  if (!t.usage.modified.has(parameter.id)) {
    t.scope.set(parameter.id, { kind: "value", value: given });
    return;
  }
  const variable = t.variable(name, scalar, span);
  t.emit({ kind: "declare", variable, value: given.expr, span });
  t.scope.set(parameter.id, { kind: "slot", variable, type: scalar, scalar: type.scalar, component: null });
}
