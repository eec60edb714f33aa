/** Arguments of a call of the language: their number, their types, their conversion. */
import type { Expression } from "acorn";
import type { Expr, IntrinsicName } from "../../../ir/ir.js";
import { isFloat, isInteger, type Scalar } from "../../../ir/types.js";
import { aType } from "../../text/type-name.js";
import type { CallSite, Translator } from "../translator.js";
import { assignScalar, convertTo, type ScalarExpr } from "../values/convert.js";
import { constant, exactValue } from "../values/fold.js";
import { type PlainValue, plain } from "../values/value.js";

/** Refuses a call with too few or too many arguments; `form` is how it is written. */
export function requireCount(t: Translator, call: CallSite, least: number, most: number, form: string): void {
  const given = call.args.length;
  if (given >= least && given <= most) return;
  const wanted = least === most ? `${least}` : `${least} to ${most}`;
  t.report.fail(
    call.span,
    `${call.name} takes ${wanted} argument${most === 1 ? "" : "s"}; it is given ${given}.`,
    `Write ${form}.`,
  );
}

/** Argument `index` of a call whose number of arguments was checked. */
export function argument(call: CallSite, index: number): Expression {
  const node = call.args[index];
  if (node === undefined) {
    throw new Error(`${call.name} was read without its argument ${index + 1}`);
  }
  return node;
}

/** Argument `index` as `type`, converted as an assignment would. */
export function scalarAs(t: Translator, call: CallSite, index: number, type: Scalar): ScalarExpr {
  const node = argument(call, index);
  const target = { name: `argument ${index + 1} of ${call.name}`, type };
  return assignScalar(t.scalar(node), target, t.span(node), t.report);
}

/** Argument `index`, which must be a float; a literal such as 2 counts as 2.0. */
export function floatArgument(t: Translator, call: CallSite, index: number): ScalarExpr {
  const node = argument(call, index);
  const value = t.scalar(node);
  if (isFloat(value.type)) return value;
  if (exactValue(value) !== undefined) return convertTo(value, "f32");
  return t.report.fail(
    t.span(node),
    `${call.name} works on floats; this is ${aType(value.type)}.`,
    `Say which precision: ${call.name}(f32(x)) or ${call.name}(f64(x)).`,
  );
}

/** Argument `index`, which must be an integer; a truth value counts as 0 or 1. */
export function integerArgument(t: Translator, call: CallSite, index: number): ScalarExpr {
  const node = argument(call, index);
  const value = t.scalar(node);
  if (value.type === "bool") return convertTo(value, "i32");
  if (isInteger(value.type)) return value;
  return t.report.fail(
    t.span(node),
    `${call.name} works on integers; this is ${aType(value.type)}.`,
    `Convert first: ${call.name}(i32(x)), or float_as_int(x) for the bits.`,
  );
}

export function intrinsic(
  call: CallSite,
  name: IntrinsicName,
  type: Scalar | "void",
  args: readonly Expr[],
): PlainValue {
  return plain({ kind: "intrinsic", name, type, args, span: call.span });
}

/** All 32 lanes. */
export function fullMask(call: CallSite): ScalarExpr {
  return constant("u32", 0xffffffff, call.span);
}
