/**
 * printf of the device: the format is checked against the arguments at compile time (CUDA C++ Programming Guide,
 * Formatted Output). Floats travel as doubles, as C's variable arguments do.
 */
import type { Expression } from "acorn";
import type { Expr, PrintfStmt } from "../../../ir/ir.js";
import { isFloat, type Scalar } from "../../../ir/types.js";
import { aType } from "../../text/type-name.js";
import type { CallSite, Translator } from "../translator.js";
import { convertTo } from "../values/convert.js";
import { argument, requireCount } from "./arguments.js";

interface Conversion {
  readonly text: string;
  /** h, l, ll ... */
  readonly length: string;
  readonly letter: string;
  /** Arguments taken for `*` widths and precisions. */
  readonly stars: number;
}

const pattern = /%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+)?)?(hh|h|ll|l|j|z|t|L)?([a-zA-Z]))/g;

/** The conversions of a format in order, `%%` left out. */
export function conversionsOf(format: string): readonly Conversion[] {
  const found: Conversion[] = [];
  for (const match of format.matchAll(pattern)) {
    if (match[0] === "%%") continue;
    const stars = (match[2] === "*" ? 1 : 0) + (match[3] === "*" ? 1 : 0);
    found.push({ text: match[0], length: match[4] ?? "", letter: match[5] ?? "", stars });
  }
  return found;
}

function formatOf(t: Translator, node: Expression): string {
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  const [only] = node.type === "TemplateLiteral" ? node.quasis : [];
  if (only !== undefined && node.type === "TemplateLiteral" && node.expressions.length === 0)
    return only.value.cooked ?? only.value.raw;
  return t.report.fail(
    t.span(node),
    "printf needs its format as a text in quotes.",
    'Write printf("thread %d: %f\\n", threadIdx.x, x).',
  );
}

function fitting(type: Scalar): string {
  if (isFloat(type)) return "%f";
  const names: Partial<Record<Scalar, string>> = { u32: "%u", i64: "%lld", u64: "%llu" };
  return names[type] ?? "%d";
}

/** One argument as C passes it: bool as int, float as double. */
function promoted(t: Translator, node: Expression, conversion: Conversion): Expr {
  const value = t.scalar(node);
  const { letter, length, text } = conversion;
  const span = t.span(node);
  const refuse = (): never =>
    t.report.fail(
      span,
      `${text} of the format does not fit ${aType(value.type)}.`,
      `Write ${fitting(value.type)}, or convert the value.`,
    );
  if ("feEgGaAF".includes(letter)) return isFloat(value.type) ? convertTo(value, "f64") : refuse();
  if (letter === "c") return value.type === "i32" || value.type === "u32" ? value : refuse();
  if (!"diouxX".includes(letter)) {
    return t.report.fail(
      span,
      `${text} is not supported by the kernel's printf.`,
      "Use %d, %u, %x, %lld, %llu, %f, %e, %g, %c, %s or %%.",
    );
  }
  if (isFloat(value.type)) return refuse();
  const wide = value.type === "i64" || value.type === "u64";
  const long = length === "ll" || length === "l" || length === "j" || length === "z";
  if (wide !== long) return refuse();
  return value.type === "bool" ? convertTo(value, "i32") : value;
}

/** `%s` with the flags, width and precision of C, for a text that the kernel's source holds. */
function textConversion(conversion: Conversion, text: string): string {
  const [, flags = "", width = "0", precision] = /^%([-+ #0]*)(\d+)?(?:\.(\d*))?/.exec(conversion.text) ?? [];
  const cut = precision === undefined ? text : text.slice(0, Number(precision));
  return flags.includes("-") ? cut.padEnd(Number(width)) : cut.padStart(Number(width));
}

/** The format with its `%s` written out, and the arguments of the other conversions. */
function withTexts(t: Translator, call: CallSite, format: string): { format: string; values: readonly Expression[] } {
  const conversions = conversionsOf(format);
  const values = call.args.slice(1);
  if (values.length !== conversions.length || !conversions.some(({ letter }) => letter === "s")) {
    return { format, values };
  }
  let next = 0;
  const written = format.replaceAll(pattern, (match) => {
    if (match === "%%") return match;
    const [conversion, value] = [conversions[next], values[next]];
    next++;
    if (conversion?.letter !== "s" || value === undefined) return match;
    if (value.type === "Literal" && typeof value.value === "string") {
      return textConversion(conversion, value.value).replaceAll("%", "%%");
    }
    return t.report.fail(
      t.span(value),
      "%s prints a text in quotes; a kernel computes none.",
      'Write the text itself: printf("%s\\n", "even"), or two printf under an if.',
    );
  });
  return { format: written, values: values.filter((_, index) => conversions[index]?.letter !== "s") };
}

/** The widest field, and the most digits. */
const MOST_COLUMNS = 4096;

export function printfStatement(t: Translator, call: CallSite): PrintfStmt {
  requireCount(t, call, 1, 1024, 'printf("%d\\n", x)');
  const { format, values } = withTexts(t, call, formatOf(t, argument(call, 0)));
  const conversions = conversionsOf(format);
  const wanted = conversions.length;
  const star = conversions.find(({ stars }) => stars > 0);
  if (star !== undefined)
    t.report.fail(call.span, `${star.text} takes its width from an argument.`, "Write the width as a number: %8d.");
  for (const { text } of conversions) {
    if ((text.match(/\d+/g) ?? []).every((digits) => Number(digits) <= MOST_COLUMNS)) continue;
    t.report.fail(
      call.span,
      `${text} asks for more than ${MOST_COLUMNS} characters.`,
      `Give a width and a precision of ${MOST_COLUMNS} at the most.`,
    );
  }
  if (values.length !== wanted) {
    t.report.fail(
      call.span,
      `The format asks for ${wanted} value${wanted === 1 ? "" : "s"}; printf is given ${values.length}.`,
      "Give one value for each %; a percent sign itself is %%.",
    );
  }
  const args = values.map((node, index) => {
    const conversion = conversions[index];
    return conversion === undefined ? t.scalar(node) : promoted(t, node, conversion);
  });
  return { kind: "printf", format, args, span: call.span };
}
