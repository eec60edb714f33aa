/** Calls of device functions, by position or by name, and the instance that fits the pointers passed. */
import type { Expression } from "acorn";
import type { Expr } from "../../../ir/ir.js";
import { narrowed } from "../../../ir/narrowed.js";
import { cudaName, isNarrow, loadedType, type PointerType } from "../../../ir/types.js";
import type { DeviceDefinition } from "../../declare/definition.js";
import { isPointerParameter, type PointerParameter } from "../../declare/parameter.js";
import { typeName } from "../../text/type-name.js";
import { pointerValue } from "../memory.js";
import type { CallSite, Translator } from "../translator.js";
import { assign } from "../values/convert.js";
import { plain, type Value } from "../values/value.js";

/** The arguments in the order of the declaration: `f(a, b)`, or `f({ a, b })` as the declaration has them. */
export function orderedArguments(
  t: Translator,
  names: readonly string[],
  args: readonly Expression[],
  call: { readonly name: string; readonly span: CallSite["span"] },
): readonly Expression[] {
  const [first, second] = args;
  if (first?.type !== "ObjectExpression" || second !== undefined) {
    if (args.length === names.length) return args;
    return t.report.fail(
      call.span,
      `${call.name} takes ${names.length} argument${names.length === 1 ? "" : "s"} (${names.join(", ")}); it is given ${args.length}.`,
      `Write ${call.name}(${names.join(", ")}).`,
    );
  }
  const given = new Map<string, Expression>();
  for (const property of first.properties) {
    if (property.type === "SpreadElement" || property.computed || property.kind !== "init") {
      return t.report.fail(
        t.span(property),
        "Arguments by name are written one by one.",
        `Write ${call.name}({ ${names.join(", ")} }).`,
      );
    }
    const key = property.key.type === "Identifier" ? property.key.name : "";
    if (!names.includes(key)) {
      return t.report.fail(
        t.span(property),
        `${call.name} has no parameter ${key}.`,
        `Its parameters are: ${names.join(", ")}.`,
      );
    }
    given.set(key, property.value);
  }
  return names.map(
    (name) =>
      given.get(name) ??
      t.report.fail(
        call.span,
        `${call.name} is called without ${name}.`,
        `Write ${call.name}({ ${names.join(", ")} }).`,
      ),
  );
}

/** One pointer argument, checked against its declaration. */
export function pointerArgument(
  t: Translator,
  node: Expression,
  name: string,
  parameter: PointerParameter,
  callee: string,
): Expr & { readonly kind: "pointer" } {
  const { expr } = pointerValue(t, node);
  const { type } = expr;
  const wanted = parameter.element.type;
  if (cudaName(type.pointer) !== cudaName(wanted)) {
    return t.report.fail(
      t.span(node),
      `${name} of ${callee} points to ${typeName(wanted)}; this array holds ${typeName(type.pointer)}.`,
      `Give it an array of ${typeName(wanted)}, or declare it: { ${name}: ptr(${typeName(type.pointer)}) }.`,
    );
  }
  if (type.volatile && !parameter.volatile) {
    return t.report.fail(
      t.span(node),
      `${name} of ${callee} is not volatile; this array is.`,
      `Declare it: { ${name}: volatile(ptr(${typeName(wanted)})) }.`,
    );
  }
  if (parameter.space !== "any" && parameter.space !== type.space) {
    return t.report.fail(
      t.span(node),
      `${name} of ${callee} takes ${parameter.space} arrays; this one is ${type.space}.`,
      `Declare it for both: { ${name}: ptr(${typeName(wanted)}) }.`,
    );
  }
  return expr;
}

export function callDevice(t: Translator, device: DeviceDefinition, call: CallSite): Value {
  const parameters = Object.entries(device.params);
  const ordered = orderedArguments(
    t,
    parameters.map(([name]) => name),
    call.args,
    call,
  );
  const args: Expr[] = [];
  const pointers: (PointerType | null)[] = [];
  parameters.forEach(([name, parameter], index) => {
    const node = ordered[index];
    if (node === undefined) return;
    if (isPointerParameter(parameter)) {
      const pointer = pointerArgument(t, node, name, parameter, device.name);
      args.push(pointer);
      pointers.push({ ...pointer.type, volatile: parameter.volatile });
      return;
    }
    const { type } = parameter;
    const target = { name: `${name} of ${device.name}`, type: loadedType(type) };
    const given = assign(t.expr(node), target, t.span(node), t.report);
    args.push(isNarrow(type) ? narrowed(given, type) : given);
    pointers.push(null);
  });
  const callee = t.tables.instance(device, pointers, call.span, t.report);
  const type = t.tables.functions[callee]?.returns ?? "void";
  return plain({ kind: "call", type, callee, args, span: call.span });
}
