/**
 * Literals: integers by size, floats by the dot they are written with, bigints as 64 bits. An exponent alone makes no
 * float, as bundlers print 1000 as 1e3: without a dot, a whole number of 32 bits is an integer.
 */
import type { Literal } from "acorn";
import type { Span } from "../../../base/errors.js";
import type { Report } from "../../text/report.js";
import type { ScalarExpr } from "./convert.js";
import { constant, literal } from "./fold.js";

function numberLiteral(value: number, raw: string, span: Span, report: Report): ScalarExpr {
  const hex = /^0[xXbBoO]/.test(raw);
  const exponent = !hex && /[eE]/.test(raw);
  if (!hex && (raw.includes(".") || !Number.isInteger(value))) return literal("f32", value, span);
  if (exponent && value > 0xffffffff) return literal("f32", value, span);
  if (value <= 0x7fffffff) return literal("i32", value, span);
  // C makes 0xffffffff unsigned and 4294967295 long; a bundler prints one as the other, so both are unsigned here.
  if (value <= 0xffffffff) return literal("u32", value, span);
  if (Number.isSafeInteger(value)) return constant("i64", value, span);
  return report.fail(
    span,
    `${raw} is too large to be exact as a JavaScript number.`,
    `Write it as a bigint: ${raw}n, or as a float: ${raw}.0.`,
  );
}

export function literalExpr(node: Literal, span: Span, report: Report): ScalarExpr {
  const { value } = node;
  if (node.regex !== undefined) {
    return report.fail(
      span,
      "A regular expression has no place in a kernel.",
      "Leave it out: kernels compute with numbers.",
    );
  }
  if (typeof value === "number") return numberLiteral(value, node.raw ?? String(value), span, report);
  if (typeof value === "bigint") {
    const type = value > 0x7fffffffffffffffn ? "u64" : "i64";
    if (value > 0xffffffffffffffffn)
      report.fail(span, `${value} does not fit in 64 bits.`, "Use at most 0xffffffffffffffffn.");
    return constant(type, value, span);
  }
  if (typeof value === "boolean") return constant("bool", value ? 1 : 0, span);
  if (typeof value === "string") {
    return report.fail(
      span,
      "A string has no place in a kernel, but as the format of printf.",
      "Kernels compute with numbers; number the cases: 0, 1, 2.",
    );
  }
  return report.fail(span, "null is no value of the kernel language.", 'Use a number; 0 or -1 often marks "none".');
}
