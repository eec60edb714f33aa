/** Lowers intrinsics to instructions. `args` are the arguments' values. */
import type { Span } from "../../base/errors.js";
import type { IntrinsicExpr, IntrinsicName } from "../../ir/ir.js";
import type { Scalar } from "../../ir/types.js";
import type { RegisterType } from "../program.js";
import type { Modifiers, Value } from "../ssa/ssa.js";
import type { BuildContext } from "./build-context.js";

const REDUX: Partial<Record<IntrinsicName, NonNullable<Modifiers["redux"]>>> = {
  reduceAdd: "add",
  reduceMin: "min",
  reduceMax: "max",
  reduceAnd: "and",
  reduceOr: "or",
  reduceXor: "xor",
};

export function buildIntrinsic(context: BuildContext, expr: IntrinsicExpr, args: Value[]): readonly Value[] {
  const { name, span } = expr;
  const type = expr.type;
  const sourceType = args[args.length - 1]?.type ?? "u32";
  switch (name) {
    case "fma":
      return [context.emit("mad", type as Scalar, args, span, { immediate: 1 })];
    case "floatAsInt":
    case "intAsFloat":
      return [context.emit("bitcast", type as Scalar, args, span, { sourceType })];
    case "isnan":
    case "isinf":
      return [context.emit(name, sourceType, args, span, { sourceType })].map((value) =>
        resultOfType(context, value, "bool"),
      );
    case "popc":
    case "ffs":
    case "clz": {
      const wide = sourceType === "i64" || sourceType === "u64";
      const value = context.emit(name, wide ? sourceType : (type as Scalar), args, span, { sourceType });
      return [wide ? resultOfType(context, value, "i32") : value];
    }
    case "isfinite":
    case "signbit":
      return [floatTest(context, name, args[0]!, span)];
    case "addRn":
    case "subRn":
    case "mulRn":
    case "divRn":
      return [context.emit(ROUNDED[name], type as Scalar, args, span, name === "divRn" ? {} : { exact: true })];
    case "fmod":
      return [context.emit("rem", type as Scalar, args, span)];
    case "mul24":
      return [mul24(context, type as "i32" | "u32", args, span)];
    case "funnelShiftL":
    case "funnelShiftR":
    case "funnelShiftLc":
    case "funnelShiftRc":
      return [funnelShift(context, name, args, span)];
    default:
      return buildWarpIntrinsic(context, expr, args);
  }
}

/** The intrinsics that read or synchronize other lanes, and those that emit the operation of the same name. */
function buildWarpIntrinsic(context: BuildContext, expr: IntrinsicExpr, args: Value[]): readonly Value[] {
  const { name, span, type } = expr;
  const sourceType = args[args.length - 1]?.type ?? "u32";
  const nothing = (
    op: "syncwarp" | "bar" | "fence" | "gridsync" | "deviceSynchronize",
    mods: Modifiers = {},
  ): readonly Value[] => {
    context.emitMany(op, "u32", [], args, span, mods);
    return [];
  };
  switch (name) {
    case "legacyShfl":
    case "legacyShflUp":
    case "legacyShflDown":
    case "legacyShflXor":
    case "legacyBallot":
    case "legacyAny":
    case "legacyAll": {
      const { op, legacy } = LEGACY[name];
      return [context.emit(op, type as Scalar, [activeLanes(context, span), ...args], span, { legacy })];
    }
    case "laneId":
      return [context.emit("special", "u32", [], span, { special: { name: "laneId" } })];
    case "warpSize":
      return [context.emit("warpSize", "i32", [], span)];
    case "clock":
      return [context.emit("special", type as Scalar, [], span, { special: { name: "clock" }, volatile: true })];
    case "ballot":
    case "any":
    case "all":
      return [context.emit(name, type as Scalar, args, span)];
    case "activemask":
      return [context.emit(name, "u32", [], span)];
    case "matchAny":
    case "matchAll":
    case "matchAllPredicate":
      return [context.emit(name, type as Scalar, args, span, { sourceType })];
    case "syncwarp":
      return nothing("syncwarp");
    case "syncthreads":
      return nothing("bar");
    case "syncthreadsCount":
      return [context.emit("bar", type as Scalar, args, span, { barrierReduce: "count" })];
    case "syncthreadsAnd":
      return [context.emit("bar", type as Scalar, args, span, { barrierReduce: "and" })];
    case "syncthreadsOr":
      return [context.emit("bar", type as Scalar, args, span, { barrierReduce: "or" })];
    case "threadfence":
      return nothing("fence", { space: "global" });
    case "threadfenceBlock":
      return nothing("fence", { space: "shared" });
    case "gridSync":
      return nothing("gridsync");
    case "deviceSynchronize":
      return nothing("deviceSynchronize");
    default: {
      const redux = REDUX[name];
      if (redux !== undefined) return [context.emit("redux", type as Scalar, args, span, { redux })];
      return [context.emit(name as "min", type as Scalar, args, span)];
    }
  }
}

const ROUNDED = { addRn: "add", subRn: "sub", mulRn: "mul", divRn: "div" } as const;

/** Warp functions older than CUDA 9 act on the active lanes. */
const LEGACY = {
  legacyShfl: { op: "shfl", legacy: "__shfl" },
  legacyShflUp: { op: "shflUp", legacy: "__shfl_up" },
  legacyShflDown: { op: "shflDown", legacy: "__shfl_down" },
  legacyShflXor: { op: "shflXor", legacy: "__shfl_xor" },
  legacyBallot: { op: "ballot", legacy: "__ballot" },
  legacyAny: { op: "any", legacy: "__any" },
  legacyAll: { op: "all", legacy: "__all" },
} as const;

/** The older instructions have no mask operand, so computing it takes no instruction. */
function activeLanes(context: BuildContext, span: Span): Value {
  const mask = context.emit("activemask", "u32", [], span);
  mask.def!.slots = [];
  return mask;
}

/** The product of the low 24 bits of both factors, from two shifts or masks and a product. */
function mul24(context: BuildContext, type: "i32" | "u32", args: readonly Value[], span: Span): Value {
  const low = args.map((arg) => {
    if (type === "u32") return context.emit("and", "u32", [arg, context.fn.constant("u32", 0xffffff)], span);
    const eight = context.fn.constant("u32", 8);
    return context.emit("shr", "i32", [context.emit("shl", "i32", [arg, eight], span), eight], span);
  });
  return context.emit("mul", type, low, span);
}

/**
 * __funnelshift_l gives the upper half of (high:low) << count, __funnelshift_r the lower half of >> count. The count
 * is taken modulo 32, or clamped to 32 (..c). One SHF.W does it all, so the parts have no slots.
 */
function funnelShift(
  context: BuildContext,
  name: "funnelShiftL" | "funnelShiftR" | "funnelShiftLc" | "funnelShiftRc",
  args: readonly Value[],
  span: Span,
): Value {
  const [low, high, given] = args as [Value, Value, Value];
  const left = name === "funnelShiftL" || name === "funnelShiftLc";
  const clamped = name === "funnelShiftLc" || name === "funnelShiftRc";
  const count = clamped
    ? context.emit("min", "u32", [given, context.fn.constant("u32", 32)], span)
    : context.emit("and", "u32", [given, context.fn.constant("u32", 31)], span);
  const rest = context.emit("sub", "u32", [context.fn.constant("u32", 32), count], span);
  // A shift by 32 gives 0.
  const kept = context.emit(left ? "shl" : "shr", "u32", [left ? high : low, count], span);
  const entering = context.emit(left ? "shr" : "shl", "u32", [left ? low : high, rest], span);
  const whole = context.emit("or", "u32", [kept, entering], span);
  for (const part of [count, rest, kept, entering]) part.def!.slots = [];
  whole.def!.slots = FUNNEL_SHIFT;
  return whole;
}

const FUNNEL_SHIFT = Object.freeze([{ mnemonic: "SHF.W", pipe: "alu", independent: false } as const]);

/** isfinite is |x| < infinity; signbit is the highest bit. */
function floatTest(context: BuildContext, name: "isfinite" | "signbit", value: Value, span: Span): Value {
  const sourceType = value.type as "f32" | "f64";
  if (name === "isfinite") {
    const magnitude = context.emit("abs", sourceType, [value], span);
    const infinity = context.fn.constant(sourceType, Number.POSITIVE_INFINITY);
    return context.emit("setp", "bool", [magnitude, infinity], span, { compare: "lt", sourceType });
  }
  const bits = sourceType === "f32" ? "i32" : "i64";
  const integer = context.emit("bitcast", bits, [value], span, { sourceType });
  const zero = context.fn.constant(bits, bits === "i64" ? 0n : 0);
  return context.emit("setp", "bool", [integer, zero], span, { compare: "lt", sourceType: bits });
}

/** Sets a result type that differs from the operand's: isnan gives a bool, popc of 64 bits an i32. */
function resultOfType(context: BuildContext, value: Value, type: RegisterType): Value {
  const inst = value.def!;
  const result = context.fn.value(type);
  inst.results = [result];
  result.def = inst;
  return result;
}
