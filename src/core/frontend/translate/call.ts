/** Calls: what is called decides how the arguments are read. */
import type { CallExpression, Expression, MemberExpression, Node } from "acorn";
import type { Span } from "../../base/errors.js";
import { cudaName, isVector } from "../../ir/types.js";
import { builtinFunction, builtinValue, cast } from "./calls/builtins.js";
import { callDevice } from "./calls/device-call.js";
import { groupMember } from "./calls/groups.js";
import { javaScriptMath } from "./calls/math.js";
import { moved } from "./memory.js";
import { recursion } from "./names/free-name.js";
import type { CallSite, Translator } from "./translator.js";
import { cureFor, describe, type Value } from "./values/value.js";

export function callValue(t: Translator, node: CallExpression): Value {
  const span = t.span(node);
  if (node.callee.type === "Super") return t.refuseSyntax("Super", span);
  const args: Expression[] = [];
  for (const arg of node.arguments) {
    if (arg.type === "SpreadElement")
      return t.report.fail(t.span(arg), "`...` needs a list of unknown length.", "Write the arguments one by one.");
    args.push(arg);
  }
  if (node.callee.type === "MemberExpression" && !node.callee.computed && node.callee.property.type === "Identifier") {
    const method = methodCall(t, node.callee, args, span, node);
    if (method !== null) return method;
  }
  if (node.callee.type === "Identifier" && recurses(t, node.callee.name)) {
    return recursion(t, node.callee.name, node.callee);
  }
  const callee = t.value(node.callee);
  const site = { args, span, node };
  switch (callee.kind) {
    case "builtin":
      return builtinCall(t, { ...site, name: callee.name });
    case "math": {
      const handler = javaScriptMath.get(callee.name);
      if (handler === undefined) throw new Error(`Math.${callee.name} has no handler`);
      return handler(t, { ...site, name: `Math.${callee.name}` });
    }
    case "type":
      return cast(t, { ...site, name: isVector(callee.type) ? cudaName(callee.type) : callee.type });
    case "device":
      return callDevice(t, callee.device, { ...site, name: callee.device.name });
    case "operator":
      if (args.length === 0) return callee;
      return t.report.fail(
        span,
        `${callee.operator.name} is an operator for reduce and the scans.`,
        `Give it to one of them: reduce(tile, value, ${callee.operator.name}).`,
      );
    case "child":
      return t.report.fail(
        span,
        "A kernel is not called; it is launched.",
        "Write launch(child, { grid: 1, block: 32 }, { ...arguments }) as a statement.",
      );
    case "expr":
      if (callee.expr.kind === "intrinsic" && args.length === 0 && callee.expr.name === "laneId") return callee;
      return t.report.fail(
        span,
        "A value is called as if it were a function.",
        "Write * to multiply, [i] for an element of an array.",
      );
    default:
      return t.report.fail(span, `This is ${describe(callee)}, not a function.`, cureFor(callee));
  }
}

/** True for a call of the function that is being read, by its own name. */
function recurses(t: Translator, name: string): boolean {
  if (!t.isFree(name) || !t.isOwnName(name) || builtinFunction(name) !== undefined) return false;
  return !t.isKernel || t.defined(name)?.kind !== "device";
}

/** A call `object.name(...)` on an array or a group; null where the object is neither. */
function methodCall(
  t: Translator,
  callee: MemberExpression,
  args: readonly Expression[],
  span: Span,
  node: Node,
): Value | null {
  if (callee.object.type === "Super" || callee.property.type !== "Identifier") return null;
  if (callee.object.type === "Identifier" && t.isFree(callee.object.name)) return null;
  const object = t.value(callee.object);
  const name = callee.property.name;
  if (object.kind === "pointer") {
    if (name === "subarray") return moved(t, object, args, span);
    return t.report.fail(
      span,
      `A CUDA array has no ${name}().`,
      "Use a loop over indices; input.subarray(n) moves the start.",
    );
  }
  if (object.kind === "group") return groupMember(t, object.group, { name, args, span, node });
  return null;
}

function builtinCall(t: Translator, call: CallSite): Value {
  const handler = builtinFunction(call.name);
  if (handler === undefined) throw new Error(`${call.name} has no handler`);
  return handler(t, call);
}

export function plainArguments(t: Translator, node: CallExpression): readonly Expression[] {
  return node.arguments.map((arg) =>
    arg.type === "SpreadElement"
      ? t.report.fail(t.span(arg), "`...` needs a list of unknown length.", "Write the arguments one by one.")
      : arg,
  );
}

/** The word of the language that a call names, however it is reached; null for other calls. */
export function wordOf(t: Translator, node: CallExpression): string | null {
  const { callee } = node;
  if (callee.type === "Identifier") {
    const value = t.scope.find(callee.name)?.value ?? builtinValue(callee.name);
    return value?.kind === "builtin" ? value.name : null;
  }
  if (callee.type !== "MemberExpression" || callee.computed || callee.object.type !== "Identifier") return null;
  const object = t.scope.find(callee.object.name)?.value;
  if (object?.kind !== "namespace" || object.name !== "cuda" || callee.property.type !== "Identifier") return null;
  return callee.property.name;
}
