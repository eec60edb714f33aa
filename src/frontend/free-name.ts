/**
 * Names that are no part of the kernel. What a notebook or a bundler makes of an outer name (`exports.a1`,
 * `(0, lib_1.sub)(x)`, `__vi_import_0__.x`) is recognised, so that the message speaks of the name the learner wrote.
 */
import type { Expression, Identifier, MemberExpression } from "acorn";
import { builtinNames, builtinValue } from "./builtins.js";
import { typeNamed } from "./element.js";
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
  // A type is a word of the language, from whatever module object it is read.
  const known = object === "exports" || rewritten.test(object) || typeNamed(withoutNumber(name)) !== undefined;
  return known ? name : null;
}

/** JavaScript's and other shading languages' words, and what a kernel writes in their place. */
const elsewhere: Readonly<Record<string, string>> = {
  clamp: "Write min(max(x, low), high) with min and max from the second argument.",
  parseInt: "Numbers need no parsing here: i32(x) truncates a float to an integer.",
  parseFloat: "Numbers need no parsing here: f32(x) converts.",
  Number: "Every value is a number here: f32(x), f64(x) or i32(x) converts it.",
  BigInt: "Write i64(x) or u64(x).",
  Boolean: "Write the comparison: x !== 0.",
  String: "A kernel has no strings; printf prints numbers.",
  isNaN: "Take isnan from the second argument.",
  isFinite: "Take isfinite from the second argument.",
  Array: "Use local(i32, 4) for an array of the thread's own, or shared(i32, 256) for one of the block.",
  Int32Array: "Use local(i32, 4) for an array of the thread's own, or shared(i32, 256) for one of the block.",
  Uint32Array: "Use local(u32, 4) for an array of the thread's own, or shared(u32, 256) for one of the block.",
  Float32Array: "Use local(f32, 4) for an array of the thread's own, or shared(f32, 256) for one of the block.",
  Float64Array: "Use local(f64, 4) for an array of the thread's own, or shared(f64, 256) for one of the block.",
  Atomics: "Take atomicAdd and its like from the second argument: atomicAdd(array, index, value).",
  Date: "Take clock from the second argument: it counts the SM's cycles.",
  performance: "Take clock from the second argument: it counts the SM's cycles.",
  Error: "A GPU has no exceptions: write an error code to an output array.",
  ptr: "Types of pointers stand in params: { input: ptr(i32) }.",
};

/** The value of a free name: types are words of the language wherever they come from; all else is refused. */
export function freeName(t: Translator, name: string, node: Expression, ownName: string, mangled: boolean): Value {
  const type = typeNamed(withoutNumber(name));
  if (type !== undefined) return { kind: "type", type };
  const span = t.span(node);
  const written = mangled ? `${name} (a name from outside, as the notebook or a bundler rewrote it)` : name;
  if (name === ownName) {
    return t.report.fail(
      span,
      `${name} calls itself; recursion has no place in a kernel.`,
      "Write a loop, with local(i32, n) as its stack where it needs one. (A kernel can launch itself as a child grid: launch(self, ...).)",
    );
  }
  if (name === "console") {
    return t.report.fail(
      span,
      "console is not on the GPU.",
      'Use printf from the kernel\'s second argument: printf("%d\\n", x).',
    );
  }
  if (name === "undefined" || name === "null") {
    return t.report.fail(
      span,
      `${name} is no value of the kernel language.`,
      'Use a number; 0 or -1 often marks "none".',
    );
  }
  if (name === "arguments") {
    return t.report.fail(
      span,
      "`arguments` is not available in a kernel.",
      "Name the parameters in the kernel's first argument.",
    );
  }
  if (builtinValue(name) !== undefined) {
    return t.report.fail(
      span,
      `${name} is used but the kernel does not ask for it.`,
      `Add it to the names of the kernel's second argument: ({ ... }, { ${name}, ... }) => { ... }.`,
    );
  }
  const instead = Object.hasOwn(elsewhere, name) ? elsewhere[name] : undefined;
  if (instead !== undefined) return t.report.fail(span, `${name} does not exist in a kernel.`, instead);
  const near = nearest(name, [...t.visibleNames(), ...builtinNames()]);
  const guess = near === null || near === name ? "" : `Did you mean ${near}? `;
  return t.report.fail(
    span,
    `${written} is not a name of this kernel: a kernel is compiled from its text alone and cannot see variables around it.`,
    `${guess}If it is a number, give it as constants: { ${name} } and take it from the third argument; a device function goes into functions: { ${name} }; a value that changes from launch to launch is a parameter.`,
  );
}

/** Members of JavaScript's numbers and arrays that have no place in a kernel. */
export function unknownMember(
  t: Translator,
  node: MemberExpression,
  what: string,
  property: string,
  known: readonly string[],
): never {
  const near = nearest(property, known);
  const hint =
    near === null ? (known.length > 0 ? ` It has ${known.slice(0, 12).join(", ")}.` : "") : ` Did you mean ${near}?`;
  return t.report.fail(t.span(node), `${what} has no ${property}.`, `Use what the kernel language offers.${hint}`);
}

export function isIdentifier(node: { readonly type: string }): node is Identifier {
  return node.type === "Identifier";
}
