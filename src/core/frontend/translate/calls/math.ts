/**
 * Mathematical functions: CUDA's names, the `f` names of the float versions, the fast `__` versions. Functions of
 * JavaScript's Math stand beside them where they mean the same (CUDA C++ Programming Guide, Mathematical Functions; CUDA
 * Math API).
 */
import type { IntrinsicName } from "../../../ir/ir.js";
import { isFloat, isInteger, isSigned, type Scalar } from "../../../ir/types.js";
import { aType } from "../../text/type-name.js";
import type { CallHandler, CallSite, Translator } from "../translator.js";
import { commonType, convertTo, type ScalarExpr } from "../values/convert.js";
import { constant, isConst } from "../values/fold.js";
import { binary, integerDivide } from "../values/operators.js";
import { plain } from "../values/value.js";
import { argument, floatArgument, integerArgument, intrinsic, requireCount, scalarAs } from "./arguments.js";
import { bits } from "./bits.js";

/** Functions of floats, in f32 or f64 as their arguments are. */
const floatFunctions: Readonly<Record<string, readonly [IntrinsicName, number]>> = {
  sqrt: ["sqrt", 1],
  rsqrt: ["rsqrt", 1],
  exp: ["exp", 1],
  exp2: ["exp2", 1],
  log: ["log", 1],
  log2: ["log2", 1],
  sin: ["sin", 1],
  cos: ["cos", 1],
  tanh: ["tanh", 1],
  exp10: ["exp10", 1],
  expm1: ["expm1", 1],
  log10: ["log10", 1],
  log1p: ["log1p", 1],
  tan: ["tan", 1],
  asin: ["asin", 1],
  acos: ["acos", 1],
  atan: ["atan", 1],
  sinh: ["sinh", 1],
  cosh: ["cosh", 1],
  asinh: ["asinh", 1],
  acosh: ["acosh", 1],
  atanh: ["atanh", 1],
  cbrt: ["cbrt", 1],
  sinpi: ["sinpi", 1],
  cospi: ["cospi", 1],
  pow: ["pow", 2],
  atan2: ["atan2", 2],
  hypot: ["hypot", 2],
  fmod: ["fmod", 2],
  copysign: ["copysign", 2],
  fdim: ["fdim", 2],
  floor: ["floor", 1],
  ceil: ["ceil", 1],
  trunc: ["trunc", 1],
  rint: ["rint", 1],
  nearbyint: ["rint", 1],
  round: ["round", 1],
  fma: ["fma", 3],
  rcp: ["rcp", 1],
};

/** Functions of float alone. */
const singleFunctions: Readonly<Record<string, readonly [IntrinsicName, number]>> = {
  ...Object.fromEntries(Object.entries(floatFunctions).map(([name, entry]) => [`${name}f`, entry])),
  fabsf: ["abs", 1],
  fminf: ["min", 2],
  fmaxf: ["max", 2],
  __expf: ["fastExp", 1],
  __sinf: ["fastSin", 1],
  __cosf: ["fastCos", 1],
  __logf: ["fastLog", 1],
  __tanf: ["fastTan", 1],
  __exp10f: ["fastExp10", 1],
  __log2f: ["fastLog2", 1],
  __log10f: ["fastLog10", 1],
  __powf: ["fastPow", 2],
  __fdividef: ["fastDivide", 2],
  fdividef: ["fastDivide", 2],
  __saturatef: ["saturate", 1],
  saturate: ["saturate", 1],
  __frcp_rn: ["rcp", 1],
  __fsqrt_rn: ["sqrt", 1],
  __fmaf_rn: ["fma", 3],
  __fadd_rn: ["addRn", 2],
  __fsub_rn: ["subRn", 2],
  __fmul_rn: ["mulRn", 2],
  __fdiv_rn: ["divRn", 2],
};

/** Functions of double alone. */
const doubleFunctions: Readonly<Record<string, readonly [IntrinsicName, number]>> = {
  __dadd_rn: ["addRn", 2],
  __dsub_rn: ["subRn", 2],
  __dmul_rn: ["mulRn", 2],
  __ddiv_rn: ["divRn", 2],
  __dsqrt_rn: ["sqrt", 1],
  __drcp_rn: ["rcp", 1],
  __fma_rn: ["fma", 3],
};

function form(name: string, count: number): string {
  return `${name}(${["x", "y", "z"].slice(0, count).join(", ")})`;
}

function floats(name: IntrinsicName, count: number): CallHandler {
  return (t, call) => {
    requireCount(t, call, count, count, form(call.name, count));
    const args = call.args.map((_, index) => floatArgument(t, call, index));
    const type = args.reduce<Scalar>((common, arg) => commonType(common, arg.type), "f32");
    return intrinsic(
      call,
      name,
      type,
      args.map((arg) => convertTo(arg, type)),
    );
  };
}

function of(type: "f32" | "f64"): (name: IntrinsicName, count: number) => CallHandler {
  return (name, count) => (t, call) => {
    requireCount(t, call, count, count, form(call.name, count));
    return intrinsic(
      call,
      name,
      type,
      call.args.map((_, index) => scalarAs(t, call, index, type)),
    );
  };
}

/** min and max: of two values in their common type; Math.min and Math.max take more. */
function extreme(name: "min" | "max", most: number): CallHandler {
  return (t, call) => {
    requireCount(t, call, 2, most, form(call.name, 2));
    const args = call.args.map((node) => t.scalar(node));
    const type = args.reduce<Scalar>((common, arg) => commonType(common, arg.type), "i32");
    warnOfMixedSigns(t, call, args, type);
    const [first, ...rest] = args.map((arg) => convertTo(arg, type));
    if (first === undefined) throw new Error(`${call.name} has nothing to compare`);
    const combined = rest.reduce<ScalarExpr>((left, right) => {
      if (isConst(left) && isConst(right) && isInteger(type)) {
        const value = left.value < right.value === (name === "min") ? left.value : right.value;
        return constant(type, value, call.span);
      }
      return { kind: "intrinsic", name, type, args: [left, right], span: call.span };
    }, first);
    return plain(combined);
  };
}

function warnOfMixedSigns(t: Translator, call: CallSite, args: readonly ScalarExpr[], type: Scalar): void {
  if (!isInteger(type) || isSigned(type)) return;
  const signed = args.find((arg) => isInteger(arg.type) && isSigned(arg.type) && !isConst(arg));
  if (signed === undefined) return;
  t.report.warn(
    call.span,
    `${call.name} mixes ${signed.type} with ${type}: as in CUDA, the ${signed.type} value is read as unsigned. Bring both to one type first: ${signed.type}(...) or ${type}(...).`,
  );
}

const abs: CallHandler = (t, call) => {
  requireCount(t, call, 1, 1, "abs(x)");
  const value = t.scalar(argument(call, 0));
  const type = value.type === "bool" ? "i32" : value.type;
  if (isInteger(type) && !isSigned(type)) {
    t.report.fail(
      call.span,
      `abs of ${aType(type)}, which is never negative.`,
      "Leave abs out, or convert: abs(i32(x)).",
    );
  }
  return intrinsic(call, "abs", type, [convertTo(value, type)]);
};

/** Test of a float; gives a truth value. */
function test(name: "isnan" | "isinf" | "isfinite" | "signbit"): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, form(call.name, 1));
    return intrinsic(call, name, "bool", [floatArgument(t, call, 0)]);
  };
}

const idiv: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "idiv(a, b)");
  return plain(integerDivide(t, t.scalar(argument(call, 0)), t.scalar(argument(call, 1)), call.span));
};

function entries(
  table: Readonly<Record<string, readonly [IntrinsicName, number]>>,
  make: (name: IntrinsicName, count: number) => CallHandler,
): [string, CallHandler][] {
  return Object.entries(table).map(([name, [op, count]]) => [name, make(op, count)]);
}

/** CUDA's conversions with a rounding of their own: __float2int_rn to nearest even, _rz to zero, _rd down, _ru up. */
const roundedConversions: readonly (readonly [string, CallHandler])[] = (
  [
    ["float", "f32"],
    ["double", "f64"],
  ] as const
).flatMap(([from, source]) =>
  (
    [
      ["int", "i32"],
      ["uint", "u32"],
      ["ll", "i64"],
      ["ull", "u64"],
    ] as const
  ).flatMap(([to, target]) =>
    (
      [
        ["rn", "rint"],
        ["rz", "trunc"],
        ["rd", "floor"],
        ["ru", "ceil"],
      ] as const
    ).map(([suffix, name]): readonly [string, CallHandler] => [
      `__${from}2${to}_${suffix}`,
      (t, call) => {
        requireCount(t, call, 1, 1, form(call.name, 1));
        const value = scalarAs(t, call, 0, source);
        // A conversion rounds to zero by itself.
        const whole: ScalarExpr =
          suffix === "rz" ? value : { kind: "intrinsic", name, type: source, args: [value], span: call.span };
        return plain(convertTo(whole, target));
      },
    ]),
  ),
);

export const mathFunctions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ...entries(floatFunctions, floats),
  ...entries(singleFunctions, of("f32")),
  ...entries(doubleFunctions, of("f64")),
  ["min", extreme("min", 2)],
  ["max", extreme("max", 2)],
  ["fmin", floats("min", 2)],
  ["fmax", floats("max", 2)],
  ["abs", abs],
  ["fabs", floats("abs", 1)],
  ["isnan", test("isnan")],
  ["isinf", test("isinf")],
  ["isfinite", test("isfinite")],
  ["signbit", test("signbit")],
  ...roundedConversions,
  ["idiv", idiv],
]);

/** Math.floor of an unsigned quotient is the quotient; of a float it is floor. Integers stay as they are. */
function rounding(name: "floor" | "ceil" | "trunc"): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, `Math.${name}(x)`);
    const node = argument(call, 0);
    if (node.type === "BinaryExpression" && node.operator === "/" && node.left.type !== "PrivateIdentifier") {
      const left = t.scalar(node.left);
      const right = t.scalar(node.right);
      if (!isFloat(left.type) && !isFloat(right.type)) {
        const type = commonType(left.type, right.type);
        if (name === "trunc" || (name === "floor" && !isSigned(type))) {
          return plain(integerDivide(t, left, right, call.span));
        }
        return t.report.fail(
          call.span,
          `Math.${name} of a quotient of ${type} values: CUDA's integer division rounds towards zero, which differs.`,
          name === "floor"
            ? "Write idiv(a, b) where neither is negative."
            : "Write idiv(a + b - 1, b) where neither is negative.",
        );
      }
      const quotient = binary(t, "/", left, right, t.span(node));
      return intrinsic(call, name, quotient.type, [quotient]);
    }
    return intrinsic(call, name, ...only(floatArgument(t, call, 0)));
  };
}

function only(value: ScalarExpr): [Scalar, ScalarExpr[]] {
  return [value.type, [value]];
}

const imul: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "Math.imul(a, b)");
  const [left, right] = [integerArgument(t, call, 0), integerArgument(t, call, 1)];
  return plain(binary(t, "*", convertTo(left, "i32"), convertTo(right, "i32"), call.span));
};

const fround: CallHandler = (t, call) => {
  requireCount(t, call, 1, 1, "Math.fround(x)");
  return plain(convertTo(t.scalar(argument(call, 0)), "f32"));
};

/** JavaScript's Math, as far as it means the same as a function of CUDA. */
export const javaScriptMath: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ["min", extreme("min", 32)],
  ["max", extreme("max", 32)],
  ["abs", abs],
  ["floor", rounding("floor")],
  ["ceil", rounding("ceil")],
  ["trunc", rounding("trunc")],
  ["imul", imul],
  ["fround", fround],
  ["clz32", bits("clz", ["i32"], "i32")],
  ...`sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh cbrt pow atan2
  hypot`
    .split(/\s+/)
    .map((name): [string, CallHandler] => {
      const [op, count] = floatFunctions[name] ?? ["sqrt", 1];
      return [name, floats(op, count)];
    }),
]);
