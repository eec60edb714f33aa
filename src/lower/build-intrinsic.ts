/** Intrinsics to instructions; `args` are their arguments' values. */
import type { IntrinsicExpr, IntrinsicName } from "../ir/ir.js";
import type { Scalar } from "../ir/types.js";
import type { BuildContext } from "./build-context.js";
import type { Modifiers, Value } from "./ssa.js";

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
  const nothing = (
    op: "syncwarp" | "bar" | "fence" | "gridsync" | "deviceSynchronize",
    mods: Modifiers = {},
  ): readonly Value[] => {
    context.emitMany(op, "u32", [], args, span, mods);
    return [];
  };
  switch (name) {
    case "fma":
      return [context.emit("mad", type as Scalar, args, span, { immediate: 1 })];
    case "floatAsInt":
    case "intAsFloat":
      return [context.emit("bitcast", type as Scalar, args, span, { sourceType })];
    case "isnan":
    case "isinf":
      return [context.emit(name, sourceType, args, span, { sourceType })].map((value) => boolean(context, value));
    case "popc":
    case "ffs":
    case "clz":
      return [context.emit(name, type as Scalar, args, span, { sourceType })];
    case "laneId":
      return [context.emit("special", "u32", [], span, { special: { name: "laneId" } })];
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

/** isnan and isinf are of their operand's type, but give a bool. */
function boolean(context: BuildContext, value: Value): Value {
  const inst = value.def!;
  const result = context.fn.value("bool");
  inst.results = [result];
  result.def = inst;
  return result;
}
