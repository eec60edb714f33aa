/** A function whose statements stand in the caller: its references are the caller's own variables. */
import { children, type Node } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import type { FunctionNode } from "../tree/unit.js";
import { elementOf, movedBytes, strideOf } from "./address.js";
import { pointTo, temporary, write } from "./places.js";
import { functionBody, locate, returnType, value } from "./reading.js";
import { initialize, isRecord } from "./records.js";
import type { ReturnTarget, Translation } from "./translation.js";
import { type CallResult, irScalar, type Location, type PointerHolder, type Value } from "./values.js";

/** A value that stays as it is, whatever the statements after it do. */
function steadyValue(t: Translation, found: Value, name: string): Value {
  if (found.kind === "scalar" || found.kind === "vector") {
    return { ...found, expr: t.hold(name, found.expr, found.expr.type as "i32") };
  }
  if (found.kind === "pointer") {
    const { index, offset } = found.address;
    const held = index === null ? null : t.hold(name, index, index.type as "i32");
    const start = offset === null ? null : t.hold(name, offset, offset.type as "i32");
    return { ...found, address: { ...found.address, index: held, offset: start } };
  }
  return found;
}

function steadyPlace(t: Translation, place: Location, name: string): Location {
  if (place.kind === "value") return { kind: "value", value: steadyValue(t, place.value, name) };
  if (place.kind !== "memory") return place;
  const { index, offset } = place.address;
  const held = index === null ? null : t.hold(name, index, index.type as "i32");
  const start = offset === null ? null : t.hold(name, offset, offset.type as "i32");
  return { ...place, address: { ...place.address, index: held, offset: start } };
}

function bound(t: Translation, fn: FunctionNode, parameter: Node, argument: Node): Location {
  const type = t.unit.type(parameter);
  const name = parameter.name ?? "parameter";
  const usage = t.usageOf(fn);
  const [modified, addressed] = [usage.modified.has(parameter.id), usage.addressed.has(parameter.id)];
  if (type.kind === "reference") return steadyPlace(t, locate(t, argument), name);
  if (isRecord(type)) {
    const own = wholeStruct(t, argument);
    if (own !== null && !modified) return own;
    const place = temporary(t, name, type, argument);
    initialize(t, place, argument);
    return place;
  }
  const found = value(t, argument);
  if (found.kind === "pointer" && type.kind === "pointer") {
    const seen: Value = found.to.kind === "void" || type.to.kind === "record" ? { ...found, to: type.to } : found;
    if (!modified && !addressed) return { kind: "value", value: steadyValue(t, seen, name) };
    const holder: PointerHolder = {
      name,
      to: seen.kind === "pointer" ? seen.to : type.to,
      span: t.span(argument),
      variable: null,
      asIndex: usage.comparesPointers,
      address: null,
      declareLater: null,
    };
    pointTo(t, holder, seen, argument);
    return { kind: "pointer", holder };
  }
  if (found.kind !== "scalar" && found.kind !== "vector") return { kind: "value", value: found };
  if (addressed) {
    const place = temporary(t, name, type, argument);
    const own: Location = { ...place, type };
    write(t, own, found, argument);
    return own;
  }
  if (!modified) return { kind: "value", value: steadyValue(t, found, name) };
  const span = t.span(argument);
  const irType = found.kind === "scalar" ? irScalar(found.type) : found.type;
  const variable = t.variable(name, irType, span);
  t.emit({ kind: "declare", variable, value: found.expr, span });
  const scalar = found.kind === "scalar" ? found.type : found.type.scalar;
  return { kind: "slot", variable, type: irType, scalar, component: null };
}

/** The fields of a struct that is copied as it is; null for other values. */
export function wholeStruct(t: Translation, argument: Node): (Location & { kind: "fields" }) | null {
  let inner: Node | undefined = argument;
  while (inner !== undefined && ["CXXConstructExpr", "ImplicitCastExpr", "ParenExpr"].includes(inner.kind)) {
    const inside: readonly Node[] = children(inner);
    inner = inside.length === 1 ? inside[0] : undefined;
  }
  if (inner?.kind !== "DeclRefExpr") return null;
  const known = t.scope.get(inner.referencedDecl?.id ?? "");
  return known?.kind === "fields" ? known : null;
}

export function inlined(
  t: Translation,
  fn: FunctionNode,
  self: Location | null,
  args: readonly Node[],
  node: Node,
): CallResult {
  const bindings = fn.parameters.map((parameter, index): readonly [string, Location] => {
    const argument = args[index];
    if (argument === undefined) return t.refuse(node, `An argument of ${fn.name} is missing.`, "Write it out.");
    return [parameter.id, bound(t, fn, parameter, argument)];
  });
  const outer = { scope: t.scope, returns: t.returns, self: t.self, usage: t.usage };
  const target: ReturnTarget & { kind: "inline" } = { kind: "inline", type: returnType(t, fn), result: null };
  t.scope = new Map([...t.scope, ...bindings]);
  t.returns = target;
  t.self = self;
  t.usage = t.usageOf(fn);
  t.open.push(fn);
  if (fn.node.kind === "CXXConstructorDecl") initializers(t, fn, self);
  functionBody(t, fn);
  t.open.pop();
  Object.assign(t, outer);
  return resultOf(t, target);
}

function resultOf(t: Translation, target: ReturnTarget & { kind: "inline" }): CallResult {
  const { result, type } = target;
  if (result === null) return { kind: "value", value: { kind: "void" } };
  if (type.kind === "reference") return { kind: "location", location: result as Location };
  return { kind: "value", value: steadyValue(t, result as Value, "returned") };
}

/** `: x(a), y(b)` of a constructor. */
function initializers(t: Translation, fn: FunctionNode, self: Location | null): void {
  if (self?.kind !== "memory" || self.type.kind !== "record") return;
  const fields = t.unit.layout(self.type.name)?.fields ?? [];
  for (const each of children(fn.node)) {
    if (each.kind !== "CXXCtorInitializer") continue;
    const field = fields.find(({ name }) => name === each.anyInit?.name);
    const init = children(each)[0];
    if (init === undefined) continue;
    if (field === undefined) {
      const base = each.baseInit === undefined ? null : t.unit.typeOf(each.baseInit.qualType);
      const [first] = t.unit.bases(self.type.name);
      if (base?.kind !== "record" || first !== base.name) {
        t.refuse(each, "A second base class is initialized.", "Keep its fields in the struct itself.");
        continue;
      }
      initialize(t, { ...self, type: base }, init);
      continue;
    }
    const inner: CType = field.type.kind === "array" ? field.type.of : field.type;
    const element = elementOf(inner) ?? strideOf(t, inner, init).element;
    initialize(
      t,
      { kind: "memory", address: movedBytes(t, self.address, field.offset, element, init), type: field.type },
      init,
    );
  }
}
