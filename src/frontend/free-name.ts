/**
 * Names that are no part of the kernel. What a notebook or a bundler makes of an outer name (`exports.a1`,
 * `(0, lib_1.sub)(x)`, `__vi_import_0__.x`) is recognised, so that the message speaks of the name the learner wrote.
 */
import type { Expression, Identifier, MemberExpression } from "acorn";
import { absentWord } from "./absent-words.js";
import { builtinNames, builtinValue } from "./builtins.js";
import { nearest } from "./nearest.js";
import type { Translator } from "./translator.js";
import type { Value } from "./value.js";

const mathConstants: ReadonlySet<string> = new Set(["E", "LN10", "LN2", "LOG10E", "LOG2E", "PI", "SQRT1_2", "SQRT2"]);

export function isMathConstant(name: string): boolean {
  return mathConstants.has(name);
}

/** Module objects as TypeScript (`lib_1`), esbuild (`import_lib`), Babel (`_lib`), Vite and webpack name them. */
const rewritten = /^(_|import_)|_\d+$|__WEBPACK_/;

/** `i32$1`: a bundler's way out where two modules use one name. */
function withoutNumber(name: string): string {
  return name.replace(/\$\d+$/, "");
}

/** The learner's name in a form that a compiler gave it; null where the expression is none. */
export function mangledName(node: Expression, isFree: (name: string) => boolean): string | null {
  if (node.type === "SequenceExpression") {
    const [zero, inner, more] = node.expressions;
    if (zero?.type !== "Literal" || zero.value !== 0 || inner === undefined || more !== undefined) return null;
    return inner.type === "Identifier" ? inner.name : mangledName(inner, isFree);
  }
  if (node.type !== "MemberExpression" || node.computed || node.object.type !== "Identifier") return null;
  if (node.property.type !== "Identifier" || !isFree(node.object.name)) return null;
  const object = node.object.name;
  const name = node.property.name;
  // A word of the language is one from whatever module object it is read; what JavaScript itself has is no module.
  const isModule = !(object in globalThis) && absentWord(object) === undefined;
  const isWord = isModule && builtinValue(withoutNumber(name)) !== undefined;
  return object === "exports" || rewritten.test(object) || isWord ? name : null;
}

/** The function of the language that a free name means: printf, unroll and the like; null for other names. */
export function freeWord(t: Translator, name: string): string | null {
  if (t.tables.known.callee(name) !== undefined) return null;
  const word = builtinValue(withoutNumber(name));
  return word?.kind === "builtin" ? word.name : null;
}

/**
 * The value of a free name: a device function or a kernel by the name it was made with, a word of CUDA or a type,
 * wherever they are imported from; all else is refused.
 */
export function freeName(t: Translator, name: string, node: Expression, ownName: string, mangled: boolean): Value {
  const callee = name === ownName ? undefined : t.tables.known.callee(name);
  if (callee !== undefined)
    return callee.kind === "device" ? { kind: "device", device: callee } : { kind: "child", kernel: callee };
  const word = builtinValue(withoutNumber(name));
  if (word !== undefined && name !== ownName) return word;
  const span = t.span(node);
  const written = mangled ? `${name} (a name from outside, as the notebook or a bundler rewrote it)` : name;
  if (name === ownName) {
    return t.report.fail(
      span,
      `${name} calls itself; recursion has no place in a kernel.`,
      "Write a loop, with local(i32, n) as its stack where it needs one. (A kernel can launch itself as a child grid: launch(self, ...).)",
    );
  }
  const absent = absentWord(name);
  if (absent !== undefined) return t.report.fail(span, absent.what, absent.cure);
  const known = [...t.tables.known.names()];
  const near = nearest(name, [...t.visibleNames(), ...known, ...builtinNames()]);
  const guess = near === null || near === name ? "" : `Did you mean ${near}? `;
  return t.report.fail(
    span,
    `${written} is not a name of this kernel: a kernel is compiled from its text alone and cannot see variables around it.`,
    `${guess}If it is a number, give it as constants: { ${name} } and take it from the third argument; a device function goes into functions: { ${name} }; a value that changes from launch to launch is a parameter.`,
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
