/**
 * Mathematical functions: CUDA's names, the `f` names of the float versions, the fast `__` versions, and those functions
 * of JavaScript's Math that mean the same (CUDA C++ Programming Guide, Mathematical Functions Appendix; CUDA Math API).
 */
import type { IntrinsicName } from "../ir/ir.js";
import { isFloat, isInteger, isSigned, type Scalar } from "../ir/types.js";
import { argument, floatArgument, integerArgument, intrinsic, requireCount, scalarAs } from "./arguments.js";
import { commonType, convertTo, type ScalarExpr } from "./convert.js";
import { constant, isConst } from "./fold.js";
import { binary, integerDivide } from "./operators.js";
import type { CallHandler, CallSite, Translator } from "./translator.js";
import { aType } from "./type-name.js";
import { plain } from "./value.js";

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
  pow: ["pow", 2],
  floor: ["floor", 1],
  ceil: ["ceil", 1],
  trunc: ["trunc", 1],
  rint: ["rint", 1],
  fma: ["fma", 3],
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
  __fdividef: ["fastDivide", 2],
  __saturatef: ["saturate", 1],
  saturate: ["saturate", 1],
  __frcp_rn: ["rcp", 1],
  __fsqrt_rn: ["sqrt", 1],
  __fmaf_rn: ["fma", 3],
  rcp: ["rcp", 1],
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

function singles(name: IntrinsicName, count: number): CallHandler {
  return (t, call) => {
    requireCount(t, call, count, count, form(call.name, count));
    return intrinsic(
      call,
      name,
      "f32",
      call.args.map((_, index) => scalarAs(t, call, index, "f32")),
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
    if (first === undefined)
      return t.report.fail(call.span, `${call.name} has nothing to compare.`, "Give two values.");
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
  const value = t.scalar(argument(t, call, 0));
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
function test(name: "isnan" | "isinf"): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, form(call.name, 1));
    return intrinsic(call, name, "bool", [floatArgument(t, call, 0)]);
  };
}

/** Operations on the bits of 32-bit integers, with CUDA's parameter types. */
function bits(name: IntrinsicName, params: readonly Scalar[], result: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, params.length, params.length, form(call.name, params.length));
    const args = params.map((type, index) => {
      const value = integerArgument(t, call, index);
      if (value.type !== "i64" && value.type !== "u64") return convertTo(value, type);
      return t.report.fail(
        value.span,
        `${call.name} works on 32 bits; this is ${aType(value.type)}.`,
        "Split it: u32(x) and u32(x >> 32).",
      );
    });
    return intrinsic(call, name, result, args);
  };
}

const mulhi: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "mulhi(a, b)");
  const left = integerArgument(t, call, 0);
  const right = integerArgument(t, call, 1);
  const type = commonType(left.type, right.type);
  if (type !== "i32" && type !== "u32") {
    return t.report.fail(
      call.span,
      `mulhi multiplies 32-bit integers; one side is ${aType(type)}.`,
      "Convert: mulhi(i32(a), b).",
    );
  }
  return intrinsic(call, "mulhi", type, [convertTo(left, type), convertTo(right, type)]);
};

/** The bits of a float as an integer of the same size, and back. */
function bitCast(name: "floatAsInt" | "intAsFloat", from: Scalar, to: Scalar): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, form(call.name, 1));
    const value = scalarAs(t, call, 0, from);
    const direct = name === "floatAsInt" ? "i32" : "f32";
    const operand = name === "intAsFloat" ? convertTo(value, "i32") : value;
    const cast: ScalarExpr = { kind: "intrinsic", name, type: direct, args: [operand], span: call.span };
    return plain(convertTo(cast, to));
  };
}

const idiv: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "idiv(a, b)");
  return plain(integerDivide(t, t.scalar(argument(t, call, 0)), t.scalar(argument(t, call, 1)), call.span));
};

function entries(
  table: Readonly<Record<string, readonly [IntrinsicName, number]>>,
  make: (name: IntrinsicName, count: number) => CallHandler,
): [string, CallHandler][] {
  return Object.entries(table).map(([name, [op, count]]) => [name, make(op, count)]);
}

export const mathFunctions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ...entries(floatFunctions, floats),
  ...entries(singleFunctions, singles),
  ["min", extreme("min", 2)],
  ["max", extreme("max", 2)],
  ["fmin", floats("min", 2)],
  ["fmax", floats("max", 2)],
  ["abs", abs],
  ["fabs", floats("abs", 1)],
  ["isnan", test("isnan")],
  ["isinf", test("isinf")],
  ["popc", bits("popc", ["u32"], "i32")],
  ["ffs", bits("ffs", ["i32"], "i32")],
  ["clz", bits("clz", ["i32"], "i32")],
  ["brev", bits("brev", ["u32"], "u32")],
  ["byte_perm", bits("bytePerm", ["u32", "u32", "u32"], "u32")],
  ["mulhi", mulhi],
  ["umulhi", bits("mulhi", ["u32", "u32"], "u32")],
  ["float_as_int", bitCast("floatAsInt", "f32", "i32")],
  ["float_as_uint", bitCast("floatAsInt", "f32", "u32")],
  ["int_as_float", bitCast("intAsFloat", "i32", "f32")],
  ["uint_as_float", bitCast("intAsFloat", "u32", "f32")],
  ["idiv", idiv],
]);

/** Math.floor of an unsigned quotient is the quotient; of a float it is floor. Integers stay as they are. */
function rounding(name: "floor" | "ceil" | "trunc"): CallHandler {
  return (t, call) => {
    requireCount(t, call, 1, 1, `Math.${name}(x)`);
    const node = argument(t, call, 0);
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
  return plain(convertTo(t.scalar(argument(t, call, 0)), "f32"));
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
  ...["sqrt", "exp", "log", "log2", "sin", "cos", "tanh", "pow"].map((name): [string, CallHandler] => {
    const [op, count] = floatFunctions[name] ?? ["sqrt", 1];
    return [name, floats(op, count)];
  }),
]);
