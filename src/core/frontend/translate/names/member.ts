/** Members and elements: the meaning of `a.b` and `a[i]`. */
import type { Expression, Identifier, MemberExpression } from "acorn";
import type { Span } from "../../../base/errors.js";
import { nearest } from "../../../base/nearest.js";
import { isScalar } from "../../../ir/types.js";
import { absentWord } from "../../text/absent-words.js";
import { aType, startingWith } from "../../text/type-name.js";
import { builtinNames, builtinValue } from "../calls/builtins.js";
import { javaScriptMath } from "../calls/math.js";
import { indexExpression, indexed, load } from "../memory.js";
import type { Translator } from "../translator.js";
import { literal } from "../values/fold.js";
import { cureFor, describe, type NamespaceName, plain, type Value } from "../values/value.js";
import { isMathConstant, unknownMember } from "./free-name.js";
import { placed } from "./name.js";

const components: readonly string[] = ["x", "y", "z", "w"];

/** The text to write instead of a function of JavaScript's Math that CUDA lacks, or has with another meaning. */
const otherMath: Readonly<Record<string, string>> = {
  round: "Write rint(x) (to even at .5) or floor(x + 0.5): JavaScript and CUDA round halves differently.",
  random: "Give random numbers as an input array, or compute a hash of the thread's index.",
  sign: "Write (x > 0 ? 1 : 0) - (x < 0 ? 1 : 0).",
};

function mathConstant(name: string): number {
  const value: unknown = Reflect.get(Math, name);
  return typeof value === "number" ? value : Number.NaN;
}

export function memberValue(t: Translator, node: MemberExpression): Value {
  const span = t.span(node);
  if (node.object.type === "Super") return t.refuseSyntax("Super", span);
  const object = t.value(node.object);
  if (node.computed) return elementValue(t, node, object, span);
  return memberOf(t, object, (node.property as Identifier).name, node, span);
}

function elementValue(t: Translator, node: MemberExpression, object: Value, span: Span): Value {
  if (object.kind !== "pointer") {
    return t.report.fail(
      span,
      `Only arrays are indexed; this is ${describe(object)}.`,
      "Index a pointer parameter or a shared or local array.",
    );
  }
  const place = indexed(t, object, indexExpression(t, node.property as Expression), span);
  return place.kind === "row" ? place.pointer : plain(load(place.pointer, place.index, span));
}

/** `object.name`. */
export function memberOf(t: Translator, object: Value, name: string, node: MemberExpression, span: Span): Value {
  switch (object.kind) {
    case "dim3":
      if (name === "x" || name === "y" || name === "z") {
        return plain({ kind: "builtin", type: "u32", name: object.name, axis: name, span });
      }
      return unknownMember(t, node, object.name, name, ["x", "y", "z"]);
    case "expr": {
      const { expr } = object;
      if (expr.type === "void" || isScalar(expr.type)) {
        return t.report.fail(span, `A number has no ${name}.`, `Use the number itself, without .${name}.`);
      }
      const index = components.indexOf(name);
      if (index < 0 || index >= expr.type.lanes) {
        return unknownMember(t, node, startingWith(aType(expr.type)), name, components.slice(0, expr.type.lanes));
      }
      return plain({
        kind: "component",
        type: expr.type.scalar,
        vector: expr,
        component: index as 0 | 1 | 2 | 3,
        span,
      });
    }
    case "record": {
      const field = object.fields.get(name);
      return field ?? unknownMember(t, node, "The result", name, [...object.fields.keys()]);
    }
    case "namespace":
      return namespaceMember(t, object.name, name, node);
    case "pointer":
      if (name === "length") {
        return t.report.fail(
          span,
          "A CUDA array does not know its length.",
          "Pass it as a parameter: { input: ptr(i32), n: i32 }.",
        );
      }
      return t.report.fail(
        span,
        `An array has no ${name}.`,
        "Read an element by its index, input[i]; input.subarray(n) moves the start.",
      );
    default:
      return t.report.fail(span, `${startingWith(describe(object))} has no ${name}.`, cureFor(object));
  }
}

function namespaceMember(t: Translator, space: NamespaceName, name: string, node: MemberExpression): Value {
  if (space === "Math") {
    if (isMathConstant(name)) return plain(literal("f32", mathConstant(name), t.span(node)));
    if (javaScriptMath.has(name)) return { kind: "math", name };
    const cure = Object.hasOwn(otherMath, name) ? otherMath[name] : undefined;
    if (cure === undefined) return unknownMember(t, node, "Math", name, [...javaScriptMath.keys()]);
    return t.report.fail(t.span(node), `Math.${name} is not available in a kernel.`, cure);
  }
  if (space === "cuda") {
    const word = builtinValue(name);
    if (word !== undefined) return word;
    const absent = absentWord(name);
    if (absent !== undefined) return t.report.fail(t.span(node), absent.what, absent.cure);
    if (t.form.arguments.includes("constants") || nearest(name, builtinNames()) !== null)
      return unknownMember(t, node, "The kernel's second argument", name, builtinNames());
    return t.report.fail(
      t.span(node),
      `${name} is no word of CUDA, and this kernel has no constants.`,
      t.form.giveName(name),
    );
  }
  const members = space === "params" ? t.params : t.constants;
  const found = members.get(name);
  if (found !== undefined) return placed(t, found, node);
  return missingMember(t, space, name, node);
}

/** A name that the declaration of the kernel does not have. */
function missingMember(
  t: Translator,
  space: "params" | "constants",
  name: string,
  node: { readonly start: number; readonly end: number },
): never {
  if (space === "constants" && !t.form.arguments.includes("cuda") && builtinValue(name) !== undefined) {
    return t.report.fail(
      t.span(node),
      `${name} is a word of CUDA; this kernel's second argument has its constants.`,
      `Leave ${name} out of the braces and import it: import { ${name} } from "warplab".`,
    );
  }
  const names = [...(space === "params" ? t.params : t.constants).keys()].join(", ") || "none";
  const cure =
    space === "params"
      ? `Declare it: ${t.form.parameter(`${name}: i32`)} or ${t.form.parameter(`${name}: ptr(i32)`)}. Declared are: ${names}.`
      : `Give its value where the kernel is made: ${t.form.constant(name)}. Given are: ${names}.`;
  return t.report.fail(
    t.span(node),
    `${name} is not among the ${space === "params" ? "parameters" : "constants and functions"} of this kernel.`,
    cure,
  );
}
