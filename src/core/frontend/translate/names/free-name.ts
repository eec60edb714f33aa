/**
 * Names that the text does not declare: types, words of CUDA, device functions and kernels. Any other is refused with a
 * cure.
 */
import type { Expression, Identifier, MemberExpression } from "acorn";
import { nearest } from "../../../base/nearest.js";
import type { Callee } from "../../declare/definition.js";
import { definedNames } from "../../declare/definitions.js";
import { typeNamed } from "../../declare/element.js";
import { absentWord } from "../../text/absent-words.js";
import { builtinNames, builtinValue } from "../calls/builtins.js";
import type { Translator } from "../translator.js";
import type { Value } from "../values/value.js";

const mathConstants: ReadonlySet<string> = new Set(["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"]);

export function isMathConstant(name: string): boolean {
  return mathConstants.has(name);
}

/** A device function or a kernel as a value. */
export function calleeValue(callee: Callee): Value {
  return callee.kind === "device" ? { kind: "device", device: callee } : { kind: "child", kernel: callee };
}

export function freeName(t: Translator, name: string, node: Expression): Value {
  const type = typeNamed(name);
  if (type !== undefined) return { kind: "type", type };
  const callee = t.defined(name);
  const word = builtinValue(name);
  if (word !== undefined && callee?.kind === "device") {
    return t.report.fail(
      t.span(node),
      `${name} is a word of CUDA, and a device function has that name too.`,
      `Give the device function another name: device("my_${name}", ...).`,
    );
  }
  if (word !== undefined) return word;
  if (callee?.kind === "device" && (t.isKernel || !t.isOwnName(name))) return calleeValue(callee);
  if (t.isOwnName(name)) return ownName(t, name, node);
  if (callee !== undefined) return calleeValue(callee);
  const absent = absentWord(name);
  if (absent !== undefined) {
    // A call and a cast mean the word itself; any other name may be a variable's that happens to be the same.
    const isWord = /^\(|^\)$/.test(t.source.written({ start: node.end, end: node.end + 1 }));
    const own = isWord ? "" : ` A variable of yours is not seen here. ${t.form.giveName(name)}`;
    return t.report.fail(t.span(node), absent.what, absent.cure + own);
  }
  return unknownName(t, name, node);
}

/** A kernel's own name is the kernel, for launch; a function's own would be a recursion. */
function ownName(t: Translator, name: string, node: Expression): Value {
  return t.isKernel ? { kind: "child", kernel: "self" } : recursion(t, name, node);
}

export function recursion(t: Translator, name: string, node: Expression): never {
  return t.report.fail(
    t.span(node),
    `${name} calls itself; recursion has no place in a kernel.`,
    "Write a loop, with local(i32, n) as its stack where it needs one. (A kernel can launch itself as a child grid: launch(self, ...).)",
  );
}

const RENAMED =
  "If a minifier has renamed it, keep names in this file, or give the kernel all that it uses in the long form: kernel(name, { params, constants, functions }, (parameters, { threadIdx, ... }, { ... }) => ...).";

function unknownName(t: Translator, name: string, node: Expression): never {
  const own = [...t.visibleNames()];
  const near = nearest(name, [...own, ...definedNames(), ...builtinNames()]);
  const guess = near === null ? "" : `Did you mean ${near}? `;
  const functions = definedNames();
  const known = `Known are ${own.length === 0 ? "no names of its own" : own.join(", ")}${
    functions.length === 0 ? "" : `, the functions ${functions.slice(-24).join(", ")}`
  }, and the words of LANGUAGE.md.`;
  return t.report.fail(
    t.span(node),
    `${name} is not a name of this kernel: a kernel is compiled from its text alone and cannot see variables around it.`,
    t.isMinified ? `${RENAMED} ${guess}${known}` : `${guess}${known} ${t.form.giveName(name)}`,
  );
}

/** A name that is none of the members there are. */
export function unknownMember(
  t: Translator,
  node: MemberExpression,
  what: string,
  property: string,
  known: readonly string[],
): never {
  const near = nearest(property, known);
  const some = known.length > 24 ? `${known.slice(0, 24).join(", ")} ... (LANGUAGE.md has all)` : known.join(", ");
  const cure = near === null ? `It has ${some}.` : `Did you mean ${near}?`;
  return t.report.fail(t.span(node), `${what} has no ${property}.`, cure);
}

export function isIdentifier(node: { readonly type: string }): node is Identifier {
  return node.type === "Identifier";
}
