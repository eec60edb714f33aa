/** Lowers IR expressions to SSA values. A vector is the list of its components. */
import type { Span } from "../../base/errors.js";
import type {
  AtomicExpr,
  BinaryExpr,
  CompareExpr,
  ConvertExpr,
  Expr,
  IntrinsicName,
  LoadExpr,
  PointerExpr,
  SelectExpr,
} from "../../ir/ir.js";
import { byteSize, type ElementType, isFloat, isNarrow, isVector, loadedType, type Scalar } from "../../ir/types.js";
import type { Op, RegisterType, Root } from "../program.js";
import type { Modifiers, Value } from "../ssa/ssa.js";
import { buildBranches } from "./build-branch.js";
import type { BuildContext } from "./build-context.js";
import { buildIntrinsic } from "./build-intrinsic.js";
import { rowAndColumn } from "./row-index.js";

/** A pointer's address and its root. */
export interface Pointer {
  readonly address: Value;
  readonly root: Root;
  readonly volatile: boolean;
  readonly element: ElementType;
}

/** What a register holds of an element: its scalar, or 32 bits of a narrower one. */
export function scalarOf(element: ElementType): Scalar {
  const type = loadedType(element);
  return typeof type === "object" ? type.scalar : type;
}

export function buildScalar(context: BuildContext, expr: Expr): Value {
  return buildValues(context, expr)[0]!;
}

export function buildValues(context: BuildContext, expr: Expr): readonly Value[] {
  const { fn } = context;
  switch (expr.kind) {
    case "const":
      return [expr.unset === true ? fn.unset(expr.type, expr.value) : fn.constant(expr.type, expr.value)];
    case "param":
      return [context.emit("param", expr.type, [], expr.span, { index: expr.index })];
    case "builtin":
      return [context.emit("special", "u32", [], expr.span, { special: { name: expr.name, axis: expr.axis } })];
    case "variable":
      return context.slot(expr.variable, expr.span).values;
    case "unary": {
      const operand = buildScalar(context, expr.operand);
      if (expr.op === "neg") return [context.emit("neg", expr.type, [operand], expr.span)];
      return [context.emit(expr.type === "bool" ? "pnot" : "not", expr.type, [operand], expr.span)];
    }
    case "binary":
      return [buildBinary(context, expr)];
    case "compare":
      return [buildCompare(context, expr)];
    case "logical":
      return [buildLogical(context, expr.op, expr.left, expr.right, expr.span)];
    case "select":
      return buildSelect(context, expr);
    case "convert":
      return [buildConvert(context, expr)];
    case "intrinsic":
      return buildIntrinsic(
        context,
        expr,
        expr.args.map((arg) => buildScalar(context, arg)),
      );
    case "load":
      return buildLoad(context, expr);
    case "atomic":
      return [buildAtomic(context, expr)];
    case "call":
      return context.builders.call(context, expr.callee, expr.args, expr.span);
    case "component":
      return [buildValues(context, expr.vector)[expr.component]!];
    case "makeVector":
      return expr.components.map((component) => buildScalar(context, component));
    case "pointer":
      return [buildPointer(context, expr).address];
  }
}

function buildBinary(context: BuildContext, expr: BinaryExpr): Value {
  const left = buildScalar(context, expr.left);
  const right = buildScalar(context, expr.right);
  if (expr.type === "bool") {
    const logic: Partial<Record<BinaryExpr["op"], Op>> = { and: "pand", or: "por", xor: "pxor" };
    const op = logic[expr.op];
    if (op !== undefined) return context.emit(op as "pand", "bool", [left, right], expr.span);
  }
  return context.emit(expr.op, expr.type, [left, right], expr.span);
}

function buildCompare(context: BuildContext, expr: CompareExpr): Value {
  const left = buildScalar(context, expr.left);
  const right = buildScalar(context, expr.right);
  if (expr.operandType === "bool") {
    const different = context.emit("pxor", "bool", [left, right], expr.span);
    if (expr.op === "ne") return different;
    return context.emit("pnot", "bool", [different], expr.span);
  }
  return context.emit("setp", "bool", [left, right], expr.span, {
    compare: expr.op,
    sourceType: expr.operandType,
  });
}

/** All lanes evaluate the right side where that is cheap and harmless; otherwise a branch guards it, as in C. */
function buildLogical(context: BuildContext, op: "and" | "or", leftExpr: Expr, rightExpr: Expr, span: Span): Value {
  // (a && b) && c is a && (b && c): the first operand that fails decides.
  if (leftExpr.kind === "logical" && leftExpr.op === op && !harmless(leftExpr.right)) {
    const rest: Expr = { kind: "logical", op, type: "bool", left: leftExpr.right, right: rightExpr, span };
    return buildLogical(context, op, leftExpr.left, rest, span);
  }
  const left = buildScalar(context, leftExpr);
  if (harmless(rightExpr)) {
    const right = buildScalar(context, rightExpr);
    return context.emit(op === "and" ? "pand" : "por", "bool", [left, right], span);
  }
  const decided = context.fn.constant("bool", op === "and" ? 0 : 1);
  const more = (): readonly Value[] => [buildScalar(context, rightExpr)];
  const known = (): readonly Value[] => [decided];
  return buildBranches(context, left, op === "and" ? more : known, op === "and" ? known : more, ["bool"], span)[0]!;
}

function buildSelect(context: BuildContext, expr: SelectExpr): readonly Value[] {
  const condition = buildScalar(context, expr.condition);
  const lanes = isVector(expr.type) ? expr.type.lanes : 1;
  const types = new Array<RegisterType>(lanes).fill(scalarOf(expr.type));
  return buildBranches(
    context,
    condition,
    () => buildValues(context, expr.whenTrue),
    () => buildValues(context, expr.whenFalse),
    types,
    expr.span,
  );
}

/** True if the expression can neither fault nor have a visible effect in lanes that need not evaluate it. */
export function harmless(expr: Expr): boolean {
  switch (expr.kind) {
    case "const":
    case "param":
    case "builtin":
    case "variable":
      return true;
    case "unary":
    case "convert":
      return harmless(expr.operand);
    case "binary":
      if ((expr.op === "div" || expr.op === "rem") && !isFloat(expr.type)) {
        return expr.right.kind === "const" && Number(expr.right.value) !== 0 && harmless(expr.left);
      }
      return harmless(expr.left) && harmless(expr.right);
    case "compare":
    case "logical":
      return harmless(expr.left) && harmless(expr.right);
    case "select":
      return harmless(expr.condition) && harmless(expr.whenTrue) && harmless(expr.whenFalse);
    case "component":
      return harmless(expr.vector);
    case "makeVector":
      return expr.components.every(harmless);
    case "intrinsic":
      return PURE_INTRINSICS.has(expr.name) && expr.args.every(harmless);
    default:
      return false;
  }
}

function buildConvert(context: BuildContext, expr: ConvertExpr): Value {
  const operand = buildScalar(context, expr.operand);
  const from = operand.type;
  if (from === expr.type) return operand;
  if (expr.type === "bool") {
    const zero = context.fn.constant(from, from === "i64" || from === "u64" ? 0n : 0);
    return context.emit("setp", "bool", [operand, zero], expr.span, { compare: "ne", sourceType: from });
  }
  if (from === "bool") {
    const wide = expr.type === "i64" || expr.type === "u64";
    const one = context.fn.constant(expr.type, wide ? 1n : 1);
    const zero = context.fn.constant(expr.type, wide ? 0n : 0);
    return context.emit("selp", expr.type, [one, zero, operand], expr.span);
  }
  return context.emit("cvt", expr.type, [operand], expr.span, { sourceType: from });
}

/** Operations without side effects or exchange between lanes, of the same name in the program. */
const PURE_INTRINSICS: ReadonlySet<IntrinsicName> = new Set<IntrinsicName>([
  "min",
  "max",
  "abs",
  "fma",
  "mulhi",
  "popc",
  "ffs",
  "clz",
  "brev",
  "bytePerm",
  "mul24",
  "funnelShiftL",
  "funnelShiftR",
  "funnelShiftLc",
  "funnelShiftRc",
  "addRn",
  "subRn",
  "mulRn",
  "divRn",
  "sqrt",
  "rsqrt",
  "rcp",
  "exp",
  "exp2",
  "log",
  "log2",
  "sin",
  "cos",
  "tanh",
  "exp10",
  "expm1",
  "log10",
  "log1p",
  "tan",
  "asin",
  "acos",
  "atan",
  "sinh",
  "cosh",
  "asinh",
  "acosh",
  "atanh",
  "cbrt",
  "sinpi",
  "cospi",
  "pow",
  "atan2",
  "hypot",
  "fmod",
  "copysign",
  "fdim",
  "floor",
  "ceil",
  "trunc",
  "rint",
  "round",
  "fastExp",
  "fastSin",
  "fastCos",
  "fastLog",
  "fastTan",
  "fastExp10",
  "fastLog2",
  "fastLog10",
  "fastPow",
  "fastDivide",
  "saturate",
  "isnan",
  "isinf",
  "isfinite",
  "signbit",
  "floatAsInt",
  "intAsFloat",
  "laneId",
  "warpSize",
]);

function rootVolatile(context: BuildContext, root: Root): boolean {
  if (root.kind === "shared") return context.ir.sharedArrays[root.array]?.volatile ?? false;
  if (root.kind === "param") {
    const param = context.ir.params[root.index];
    return param?.kind === "pointer" && param.type.volatile;
  }
  return false;
}

/** The address of `pointer`; variables lead to its root. */
export function buildPointer(context: BuildContext, pointer: PointerExpr): Pointer {
  const element = pointer.type.pointer;
  let address: Value;
  let root: Root;
  if (pointer.root.kind === "variable") {
    const slot = context.slot(pointer.root.variable, pointer.span);
    if (slot.root === null) throw context.error("this variable is not a pointer", pointer.span);
    address = slot.values[0]!;
    root = slot.root;
  } else {
    root = pointer.root;
    address = context.emit("base", "addr", [], pointer.span, { root });
  }
  const volatile = pointer.type.volatile || (pointer.root.kind !== "variable" && rootVolatile(context, root));
  if (pointer.offset !== null) {
    address = buildAddress(context, address, root, buildScalar(context, pointer.offset), element, pointer.span);
  }
  return { address, root, volatile, element };
}

export function spaceOf(root: Root): "global" | "shared" | "local" {
  return root.kind === "param" ? "global" : root.kind;
}

function buildAddress(
  context: BuildContext,
  address: Value,
  root: Root,
  index: Value,
  element: ElementType,
  span: Span,
  row = false,
): Value {
  return context.emit("addr", "addr", [address, index], span, {
    root,
    scale: byteSize(element),
    sourceType: index.type,
    space: spaceOf(root),
    ...(row ? { row } : {}),
  });
}

function access(context: BuildContext, pointer: Pointer, index: Expr, span: Span, row = false): Value {
  const { root, element } = pointer;
  // The row's address is a separate value, which the row's elements share.
  const split = root.kind === "shared" ? rowAndColumn(index, context.ir.sharedArrays[root.array]?.dims ?? null) : null;
  const start = split === null ? pointer.address : access(context, pointer, split.left, span, true);
  return buildAddress(context, start, root, buildScalar(context, split?.right ?? index), element, span, row);
}

function memoryModifiers({ root, volatile, element }: Pointer): Modifiers {
  return { root, space: spaceOf(root), offset: 0, volatile, ...(isNarrow(element) ? { narrow: element } : {}) };
}

function buildLoad(context: BuildContext, expr: LoadExpr): readonly Value[] {
  const pointer = buildPointer(context, expr.pointer);
  const address = access(context, pointer, expr.index, expr.span);
  const lanes = isVector(expr.type) ? expr.type.lanes : 1;
  const scalar = scalarOf(expr.type);
  const results = Array.from({ length: lanes }, () => context.fn.value(scalar));
  context.emitMany("ld", scalar, results, [address], expr.span, memoryModifiers(pointer));
  return results;
}

/**
 * As in C++17 the value is evaluated before the address, and in `a[i] += x` x before a[i]. Source order is kept
 * where the difference would be visible: the index has effects, or x may change a[i].
 */
export function buildStore(
  context: BuildContext,
  pointerExpr: PointerExpr,
  index: Expr,
  value: Expr,
  compound: boolean,
  span: Span,
): void {
  const store = (pointer: Pointer, address: Value, values: readonly Value[]): void => {
    context.emitMany("st", scalarOf(pointer.element), [], [address, ...values], span, memoryModifiers(pointer));
  };
  if (!harmless(index)) {
    const pointer = buildPointer(context, pointerExpr);
    const address = access(context, pointer, index, span);
    store(pointer, address, buildValues(context, value));
    return;
  }
  if (compound && value.kind === "binary" && value.left.kind === "load" && quiet(value.right)) {
    const right = buildScalar(context, value.right);
    // The addresses keep that order, but the loads run from left to right.
    const { nodes } = context.region;
    const last = nodes.at(-1);
    const load = last?.kind === "inst" && last.op === "ld" && last.results[0] === right ? nodes.pop() : undefined;
    const left = buildScalar(context, value.left);
    if (load !== undefined) nodes.push(load);
    const result = context.emit(value.op, value.type, [left, right], value.span);
    const pointer = buildPointer(context, pointerExpr);
    store(pointer, access(context, pointer, index, span), [result]);
    return;
  }
  const values = buildValues(context, value);
  const pointer = buildPointer(context, pointerExpr);
  store(pointer, access(context, pointer, index, span), values);
}

/** It only reads, so it commutes with other reads. */
function quiet(expr: Expr): boolean {
  switch (expr.kind) {
    case "load":
      return quiet(expr.index) && (expr.pointer.offset === null || quiet(expr.pointer.offset));
    case "unary":
    case "convert":
      return quiet(expr.operand);
    case "binary":
    case "compare":
      return quiet(expr.left) && quiet(expr.right);
    default:
      return harmless(expr);
  }
}

function buildAtomic(context: BuildContext, expr: AtomicExpr): Value {
  const pointer = buildPointer(context, expr.pointer);
  const address = access(context, pointer, expr.index, expr.span);
  const args = expr.args.map((arg) => buildScalar(context, arg));
  return context.emit("atom", expr.type, [address, ...args], expr.span, {
    ...memoryModifiers(pointer),
    atomic: expr.op,
  });
}
