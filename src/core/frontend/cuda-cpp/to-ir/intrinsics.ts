/** CUDA's own functions by their names. */
import type { Expr, IntrinsicName, Stmt } from "../../../ir/ir.js";
import { isFloat, type Scalar } from "../../../ir/types.js";
import { ATOMICS } from "../../text/cuda-functions.js";
import type { Node } from "../tree/node.js";
import type { CScalar, CType } from "../tree/types.js";
import { accessOf, elementOf, inElements, strideOf } from "./address.js";
import { converted, float, integer } from "./constants.js";
import { read, write } from "./places.js";
import { condition, scalar, scalarType, value } from "./reading.js";
import { conversionNamed, SCALAR_FUNCTIONS } from "./scalar-functions.js";
import type { Translation } from "./translation.js";
import { irScalar, irVector, type Value } from "./values.js";

const SHUFFLES: Readonly<Record<string, IntrinsicName>> = {
  __shfl_sync: "shfl",
  __shfl_up_sync: "shflUp",
  __shfl_down_sync: "shflDown",
  __shfl_xor_sync: "shflXor",
  __shfl: "legacyShfl",
  __shfl_up: "legacyShflUp",
  __shfl_down: "legacyShflDown",
  __shfl_xor: "legacyShflXor",
};

const REDUCTIONS: Readonly<Record<string, IntrinsicName>> = {
  __reduce_add_sync: "reduceAdd",
  __reduce_min_sync: "reduceMin",
  __reduce_max_sync: "reduceMax",
  __reduce_and_sync: "reduceAnd",
  __reduce_or_sync: "reduceOr",
  __reduce_xor_sync: "reduceXor",
};

const SIMPLE: Readonly<Record<string, readonly [IntrinsicName, Scalar | "void", "truth" | "none"]>> = {
  __syncthreads: ["syncthreads", "void", "none"],
  __syncthreads_count: ["syncthreadsCount", "i32", "truth"],
  __syncthreads_and: ["syncthreadsAnd", "bool", "truth"],
  __syncthreads_or: ["syncthreadsOr", "bool", "truth"],
  __threadfence: ["threadfence", "void", "none"],
  __threadfence_system: ["threadfence", "void", "none"],
  __threadfence_block: ["threadfenceBlock", "void", "none"],
  __activemask: ["activemask", "u32", "none"],
  __any: ["legacyAny", "bool", "truth"],
  __all: ["legacyAll", "bool", "truth"],
  __ballot: ["legacyBallot", "u32", "truth"],
  __warplab_lane: ["laneId", "u32", "none"],
  __warplab_grid_sync: ["gridSync", "void", "none"],
  cudaDeviceSynchronize: ["deviceSynchronize", "void", "none"],
  clock: ["clock", "i64", "none"],
  clock64: ["clock", "i64", "none"],
};

export function intrinsic(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  return (
    simple(t, name, args, node) ??
    warp(t, name, args, node) ??
    atomic(t, name, args, node) ??
    numbers(t, name, args, node) ??
    vector(t, name, args, node) ??
    memory(t, name, args, node) ??
    output(t, name, args, node)
  );
}

/** A value of the IR's type `type`, as the C++ type of the call. */
function result(t: Translation, expr: Expr, node: Node): Value {
  if (expr.type === "void") {
    t.emit({ kind: "expr", value: expr, span: expr.span });
    return { kind: "void" };
  }
  const type = t.unit.type(node);
  if (type.kind === "void") {
    t.emit({ kind: "expr", value: expr, span: expr.span });
    return { kind: "void" };
  }
  const want = type.kind === "scalar" ? type.scalar : (expr.type as CScalar);
  return { kind: "scalar", expr: converted(expr, expr.type as CScalar, want), type: want };
}

function made(name: IntrinsicName, type: Scalar | "void", args: readonly Expr[], node: Node, t: Translation): Expr {
  return { kind: "intrinsic", name, type, args, span: t.span(node) };
}

function simple(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  if (name === "cudaStreamCreateWithFlags" || name === "cudaStreamDestroy") {
    return { kind: "scalar", expr: integer("i32", 0, t.span(node)), type: "i32" };
  }
  const found = SIMPLE[name];
  if (found === undefined) return null;
  const [op, type, takes] = found;
  const [first] = args;
  const list = takes === "truth" && first !== undefined ? [condition(t, first)] : [];
  const value = result(t, made(op, type, list, node, t), node);
  if (name !== "cudaDeviceSynchronize") return value;
  return { kind: "scalar", expr: integer("i32", 0, t.span(node)), type: "i32" };
}

function warp(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const shuffle = SHUFFLES[name];
  const span = t.span(node);
  const as = (index: number, type: CScalar): Expr => {
    const argument = args[index];
    if (argument === undefined) return t.refuse(node, `An argument of ${name} is missing.`, "Write it out.");
    const found = scalar(t, argument);
    return converted(found.expr, found.type, type);
  };
  if (shuffle !== undefined) {
    const legacy = !name.endsWith("_sync");
    const at = legacy ? 0 : 1;
    const type = scalarType(t, node);
    const distance = name.includes("_up") || name.includes("_down") ? "u32" : "i32";
    const width = args[at + 2];
    const list = [
      ...(legacy ? [] : [as(0, "u32")]),
      as(at, type),
      as(at + 1, distance),
      width === undefined || width.kind === "CXXDefaultArgExpr" ? integer("i32", 32, span) : as(at + 2, "i32"),
    ];
    return { kind: "scalar", expr: made(shuffle, irScalar(type), list, node, t), type };
  }
  const reduction = REDUCTIONS[name];
  if (reduction !== undefined) {
    const type = scalarType(t, node);
    return { kind: "scalar", expr: made(reduction, irScalar(type), [as(0, "u32"), as(1, type)], node, t), type };
  }
  const [first, second] = args;
  switch (name) {
    case "__any_sync":
    case "__all_sync":
    case "__ballot_sync": {
      if (second === undefined) return null;
      const op = name === "__any_sync" ? "any" : name === "__all_sync" ? "all" : "ballot";
      return result(t, made(op, op === "ballot" ? "u32" : "bool", [as(0, "u32"), condition(t, second)], node, t), node);
    }
    case "__match_any_sync":
      return result(t, made("matchAny", "u32", [as(0, "u32"), scalarArgument(t, second, node)], node, t), node);
    case "__match_all_sync": {
      const target = args[2];
      if (target === undefined) return null;
      const mask = t.hold("mask", as(0, "u32"), "u32");
      const one = scalarArgument(t, second, node);
      const compared = t.hold("matched", one, one.type as Scalar);
      const predicate = made("matchAllPredicate", "bool", [mask, compared], node, t);
      store(t, target, { kind: "scalar", expr: converted(predicate, "bool", "i32"), type: "i32" }, node);
      return result(t, made("matchAll", "u32", [mask, compared], node, t), node);
    }
    case "__syncwarp": {
      const mask =
        first === undefined || first.kind === "CXXDefaultArgExpr" ? integer("u32", 0xffffffff, span) : as(0, "u32");
      return result(t, made("syncwarp", "void", [mask], node, t), node);
    }
    default:
      return null;
  }
}

function scalarArgument(t: Translation, argument: Node | undefined, node: Node): Expr {
  return argument === undefined ? t.refuse(node, "An argument is missing.", "Write it out.") : scalar(t, argument).expr;
}

/** `*pointer = value`; a pointer to a variable included. */
function store(t: Translation, pointer: Node, given: Value, node: Node): void {
  const found = value(t, pointer);
  if (found.kind !== "pointer") {
    t.refuse(
      pointer,
      "A result is written to something that is no memory of the device.",
      "Pass the address of a variable.",
    );
    return;
  }
  write(t, { kind: "memory", address: found.address, type: found.to }, given, node);
}

function atomic(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const op = ATOMICS[name.replace(/_(block|system)$/, "")];
  const [first, ...rest] = args;
  if (op === undefined || first === undefined) return null;
  const found = value(t, first);
  const type = scalarType(t, node);
  if (found.kind !== "pointer" || found.address.space === "local") {
    return t.refuse(node, `${name} on what no other thread sees.`, "Use shared or global memory.");
  }
  const element = irScalar(type);
  const { pointer, index } = accessOf(t, inElements(t, found.address, element, node), element, node);
  const operands = rest.map((argument) => {
    const one = scalar(t, argument);
    return converted(one.expr, one.type, type);
  });
  const expr: Expr = { kind: "atomic", op, type: element, pointer, index, args: operands, span: t.span(node) };
  return { kind: "scalar", expr, type };
}

function numbers(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const type = t.unit.type(node);
  const own: CScalar =
    type.kind === "scalar"
      ? type.scalar
      : type.kind === "reference" && type.to.kind === "scalar"
        ? type.to.scalar
        : "i32";
  const span = t.span(node);
  const ir = irScalar(own);
  const values = (want: CScalar = own): readonly Expr[] =>
    args.map((argument) => {
      const one = scalar(t, argument);
      return converted(one.expr, one.type, want);
    });
  const scalarResult = (expr: Expr, as: CScalar = own): Value => ({ kind: "scalar", expr, type: as });
  switch (name) {
    case "min":
    case "max":
    case "fminf":
    case "fmaxf":
    case "fmin":
    case "fmax":
    case "umin":
    case "umax":
      return scalarResult(made(name.includes("min") ? "min" : "max", ir, values(), node, t));
    case "abs":
    case "labs":
    case "llabs":
    case "fabs":
    case "fabsf":
      return scalarResult(made("abs", ir, values(), node, t));
    case "nearbyint":
    case "nearbyintf":
      return scalarResult(made("rint", ir, values(), node, t));
    case "__frcp_rn":
    case "__drcp_rn": {
      const one = float(ir as "f32", 1, span);
      return scalarResult(made("divRn", ir, [one, ...values()], node, t));
    }
    case "__builtin_inff":
    case "__builtin_inf":
    case "__builtin_huge_valf":
    case "__builtin_huge_val":
      return scalarResult(float(ir as "f32", Number.POSITIVE_INFINITY, span));
    case "__builtin_nanf":
    case "__builtin_nan":
      return scalarResult(float(ir as "f32", Number.NaN, span));
    case "isnan":
    case "isinf":
    case "isfinite":
    case "signbit": {
      const [first] = args;
      if (first === undefined) return null;
      return scalarResult(made(name, "bool", [scalar(t, first).expr], node, t), "bool");
    }
    case "__hadd":
      return null;
    default: {
      const conversion = conversionNamed(name);
      const [only] = args;
      if (conversion !== null && only !== undefined) {
        const { from, to, rounding } = conversion;
        const one = scalar(t, only);
        const given = converted(one.expr, one.type, from);
        const rounded = rounding === null ? given : made(rounding, from, [given], node, t);
        return result(t, converted(rounded, from, to), node);
      }
      const found =
        SCALAR_FUNCTIONS.get(name) ??
        (isFloat(ir) ? SCALAR_FUNCTIONS.get(own === "f32" ? `${name}f` : name) : undefined);
      if (found === undefined) return null;
      // An overload for floats has the double's name.
      const floats = own === "f32" && found.result === "f64" && found.params.every((each) => each === "f64");
      const seen = floats ? (SCALAR_FUNCTIONS.get(`${name}f`) ?? found) : found;
      const list = args.map((argument, index) => {
        const one = scalar(t, argument);
        return converted(one.expr, one.type, (seen.params[index] ?? one.type) as CScalar);
      });
      return result(t, made(seen.name, seen.result, list, node, t), node);
    }
  }
}

function vector(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const found = /^make_(\w+)$/.exec(name);
  if (found === null) return null;
  const type = irVector(found[1] ?? "");
  if (type === null) return recordMade(t, found[1] ?? "", args, node);
  const components = args.map((argument) => {
    const one = scalar(t, argument);
    return converted(one.expr, one.type, type.scalar);
  });
  if (components.length !== type.lanes) return null;
  return { kind: "vector", expr: { kind: "makeVector", type, components, span: t.span(node) }, type };
}

/** make_float3 and its like build a struct in the thread's own memory. */
function recordMade(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const layout = t.unit.layout(name);
  if (layout === null || layout.fields.length !== args.length) return null;
  const type: CType = { kind: "record", name };
  const { element, count } = strideOf(t, type, node);
  const array = t.localArray("made", element, [count], t.span(node));
  const address = {
    root: { kind: "local", array },
    space: "local",
    volatile: false,
    element,
    offset: null,
    index: null,
  } as const;
  args.forEach((argument, index) => {
    const field = layout.fields[index];
    if (field === undefined) return;
    const one = scalar(t, argument);
    const at = { ...address, index: integer("i32", index, t.span(node)) };
    write(t, { kind: "memory", address: at, type: field.type }, one, node);
  });
  return { kind: "record", address, name };
}

const LOADS = /^__ld(g|cg|ca|cs|lu|cv)$/;
const STORES = /^__st(cg|cs|wb|wt)$/;

function memory(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const [first, second, third] = args;
  if (first === undefined) return null;
  if (LOADS.test(name)) {
    const found = value(t, first);
    if (found.kind !== "pointer") return null;
    const type = t.unit.type(node);
    const element = elementOf(type);
    const address = element === null ? found.address : inElements(t, found.address, element, node);
    return read(t, { kind: "memory", address, type }, node);
  }
  if (STORES.test(name) && second !== undefined) {
    store(t, first, value(t, second), node);
    return { kind: "void" };
  }
  if (
    (name === "sincosf" || name === "sincos" || name === "__sincosf") &&
    second !== undefined &&
    third !== undefined
  ) {
    const one = scalar(t, first);
    const type: CScalar = name === "sincos" ? "f64" : "f32";
    const angle = t.hold("angle", converted(one.expr, one.type, type), irScalar(type));
    const [sine, cosine]: readonly IntrinsicName[] = name === "__sincosf" ? ["fastSin", "fastCos"] : ["sin", "cos"];
    store(t, second, { kind: "scalar", expr: made(sine ?? "sin", irScalar(type), [angle], node, t), type }, node);
    store(t, third, { kind: "scalar", expr: made(cosine ?? "cos", irScalar(type), [angle], node, t), type }, node);
    return { kind: "void" };
  }
  return null;
}

function textOf(t: Translation, node: Node): string | null {
  const found = value(t, node);
  return found.kind === "string" ? found.text : null;
}

function output(t: Translation, name: string, args: readonly Node[], node: Node): Value | null {
  const span = t.span(node);
  const [first, ...rest] = args;
  if (first === undefined) return null;
  if (name === "__warplab_assert_any") {
    const holds = condition(t, first);
    const text = rest[0] === undefined ? null : textOf(t, rest[0]);
    const failed: Stmt = {
      kind: "printf",
      format: `assertion \`${text ?? ""}\` failed`,
      args: [],
      asserts: true,
      span,
    };
    const fails: Expr = { kind: "unary", op: "not", type: "bool", operand: holds, span };
    t.emit({ kind: "if", condition: fails, then: [failed], else: [], span });
    return { kind: "void" };
  }
  if (name !== "printf") return null;
  let format = textOf(t, first);
  if (format === null) return t.refuse(first, "printf's format is no text in quotes.", "Write the text in the call.");
  const values: Expr[] = [];
  const texts: string[] = [];
  rest.forEach((argument) => {
    const found = value(t, argument);
    if (found.kind === "string") texts.push(found.text);
    else if (found.kind === "scalar")
      values.push(found.expr.type === "bool" ? converted(found.expr, "bool", "i32") : found.expr);
    else t.refuse(argument, "printf is given something that is no number and no text.", "Print numbers.");
  });
  // Texts that are known stand in the format itself.
  format = format.replace(/%(-?\d*)s/g, (whole) =>
    texts.length === 0 ? whole : (texts.shift() ?? "").replaceAll("%", "%%"),
  );
  t.emit({ kind: "printf", format, args: values, span });
  return { kind: "scalar", expr: integer("i32", values.length, span), type: "i32" };
}
