/**
 * CUDA C++ text of IR expressions. The IR's conversions are explicit; here only those are written that C++ would not
 * make by itself, so that the text reads like the learner's.
 */
import type { ArithmeticOp, BinaryExpr, CompareOp, Expr, IntrinsicExpr, PointerExpr } from "../ir/ir.js";
import { cudaName, type ElementType, isFloat, isVector, type Scalar } from "../ir/types.js";
import { literal } from "./type-names.js";

/** Names of everything an expression can mention. */
export interface Scope {
  readonly params: readonly string[];
  readonly variables: readonly string[];
  readonly shared: readonly string[];
  readonly local: readonly string[];
  readonly functions: readonly string[];
  /** The declared element of each array and pointer, such as `volatile int`; null for variables that are no pointers. */
  readonly elements: {
    readonly params: readonly (string | null)[];
    readonly variables: readonly (string | null)[];
    readonly shared: readonly string[];
    readonly local: readonly string[];
  };
  /** Child kernels, by index, and this kernel itself. */
  readonly children: readonly string[];
  readonly self: string;
}

interface Text {
  readonly text: string;
  /** C++ precedence: 17 primary, 16 unary, 13 * / %, 12 + -, 11 shifts, 9 relational, 8 equality, 7 &, 6 ^, 5 |, 4 &&, 3 ||, 2 ?:. */
  readonly precedence: number;
}

const BINARY: Readonly<Record<ArithmeticOp, readonly [string, number]>> = {
  mul: ["*", 13],
  div: ["/", 13],
  rem: ["%", 13],
  add: ["+", 12],
  sub: ["-", 12],
  shl: ["<<", 11],
  shr: [">>", 11],
  and: ["&", 7],
  xor: ["^", 6],
  or: ["|", 5],
};

const COMPARE: Readonly<Record<CompareOp, readonly [string, number]>> = {
  lt: ["<", 9],
  le: ["<=", 9],
  gt: [">", 9],
  ge: [">=", 9],
  eq: ["==", 8],
  ne: ["!=", 8],
};

const PRIMARY = 17;
const UNARY = 16;

function wrap(text: Text, least: number): string {
  return text.precedence >= least ? text.text : `(${text.text})`;
}

function primary(text: string): Text {
  return { text, precedence: PRIMARY };
}

const RANK: Readonly<Record<Scalar, number>> = { bool: 0, i32: 1, u32: 2, i64: 3, u64: 4, f32: 5, f64: 6 };

/** C++'s usual arithmetic conversion of two operand types. */
function common(a: Scalar, b: Scalar): Scalar {
  const higher = RANK[a] >= RANK[b] ? a : b;
  return higher === "bool" ? "i32" : higher;
}

/** `expr` without conversions that only widen or change the sign, which C++ makes by itself in the given context. */
function bare(expr: Expr): Expr {
  return expr.kind === "convert" && expr.operand.kind !== "pointer" ? expr.operand : expr;
}

function scalarType(expr: Expr): Scalar | null {
  return typeof expr.type === "string" && expr.type !== "void" ? (expr.type as Scalar) : null;
}

/** The two operands of an operation on `type`, with casts left out where C++ converts to `type` anyway. */
function operands(left: Expr, right: Expr, type: Scalar): readonly [Expr, Expr] {
  const candidates: readonly (readonly [Expr, Expr])[] = [
    [bare(left), bare(right)],
    [bare(left), right],
    [left, bare(right)],
  ];
  for (const [a, b] of candidates) {
    const ta = scalarType(a);
    const tb = scalarType(b);
    if (ta !== null && tb !== null && common(ta, tb) === type) return [a, b];
  }
  return [left, right];
}

/** `2u` beside an unsigned operand reads as `2`: C++ converts it, to the same value. */
function plainLiteral(expr: Expr, other: Expr): Expr {
  const small = expr.kind === "const" && expr.type === "u32" && typeof expr.value === "number" && expr.value < 2 ** 31;
  return small && other.kind !== "const" && scalarType(other) === "u32" ? { ...expr, type: "i32" } : expr;
}

function readable([left, right]: readonly [Expr, Expr]): readonly [Expr, Expr] {
  return [plainLiteral(left, right), plainLiteral(right, left)];
}

function binaryOperands(expr: BinaryExpr): readonly [Expr, Expr] {
  const shift = expr.op === "shl" || expr.op === "shr";
  if (!shift) return readable(operands(expr.left, expr.right, expr.type));
  const count = bare(expr.right);
  const plain = count.kind === "const" && count.type === "u32" ? { ...count, type: "i32" as const } : count;
  return [expr.left, plain];
}

/** `target op= right` where `value` is `target op right`; null where it is something else. */
export function compoundText(target: string, value: Expr, scope: Scope): string | null {
  const stripped = bare(value);
  if (stripped.kind !== "binary") return null;
  const [left, right] = binaryOperands(stripped);
  if (print(left, scope).text !== target) return null;
  return `${target} ${BINARY[stripped.op][0]}= ${print(right, scope).text}`;
}

const FLOAT_FUNCTIONS: Readonly<Record<string, readonly [f32: string, f64: string]>> = {
  sqrt: ["sqrtf", "sqrt"],
  rsqrt: ["rsqrtf", "rsqrt"],
  rcp: ["__frcp_rn", "__drcp_rn"],
  exp: ["expf", "exp"],
  exp2: ["exp2f", "exp2"],
  log: ["logf", "log"],
  log2: ["log2f", "log2"],
  sin: ["sinf", "sin"],
  cos: ["cosf", "cos"],
  tanh: ["tanhf", "tanh"],
  exp10: ["exp10f", "exp10"],
  expm1: ["expm1f", "expm1"],
  log10: ["log10f", "log10"],
  log1p: ["log1pf", "log1p"],
  tan: ["tanf", "tan"],
  asin: ["asinf", "asin"],
  acos: ["acosf", "acos"],
  atan: ["atanf", "atan"],
  sinh: ["sinhf", "sinh"],
  cosh: ["coshf", "cosh"],
  asinh: ["asinhf", "asinh"],
  acosh: ["acoshf", "acosh"],
  atanh: ["atanhf", "atanh"],
  cbrt: ["cbrtf", "cbrt"],
  sinpi: ["sinpif", "sinpi"],
  cospi: ["cospif", "cospi"],
  pow: ["powf", "pow"],
  atan2: ["atan2f", "atan2"],
  hypot: ["hypotf", "hypot"],
  fmod: ["fmodf", "fmod"],
  copysign: ["copysignf", "copysign"],
  fdim: ["fdimf", "fdim"],
  floor: ["floorf", "floor"],
  ceil: ["ceilf", "ceil"],
  trunc: ["truncf", "trunc"],
  rint: ["rintf", "rint"],
  round: ["roundf", "round"],
  fma: ["fmaf", "fma"],
  fastExp: ["__expf", "exp"],
  fastSin: ["__sinf", "sin"],
  fastCos: ["__cosf", "cos"],
  fastLog: ["__logf", "log"],
  fastTan: ["__tanf", "tan"],
  fastExp10: ["__exp10f", "exp10"],
  fastLog2: ["__log2f", "log2"],
  fastLog10: ["__log10f", "log10"],
  fastPow: ["__powf", "pow"],
  fastDivide: ["__fdividef", "fdivide"],
  addRn: ["__fadd_rn", "__dadd_rn"],
  subRn: ["__fsub_rn", "__dsub_rn"],
  mulRn: ["__fmul_rn", "__dmul_rn"],
  divRn: ["__fdiv_rn", "__ddiv_rn"],
  saturate: ["__saturatef", "__saturatef"],
  isnan: ["isnan", "isnan"],
  isinf: ["isinf", "isinf"],
  isfinite: ["isfinite", "isfinite"],
  signbit: ["signbit", "signbit"],
};

const PLAIN_FUNCTIONS: Readonly<Record<string, string>> = {
  bytePerm: "__byte_perm",
  funnelShiftL: "__funnelshift_l",
  funnelShiftR: "__funnelshift_r",
  funnelShiftLc: "__funnelshift_lc",
  funnelShiftRc: "__funnelshift_rc",
  shfl: "__shfl_sync",
  shflUp: "__shfl_up_sync",
  shflDown: "__shfl_down_sync",
  shflXor: "__shfl_xor_sync",
  legacyShfl: "__shfl",
  legacyShflUp: "__shfl_up",
  legacyShflDown: "__shfl_down",
  legacyShflXor: "__shfl_xor",
  legacyBallot: "__ballot",
  legacyAny: "__any",
  legacyAll: "__all",
  ballot: "__ballot_sync",
  any: "__any_sync",
  all: "__all_sync",
  activemask: "__activemask",
  matchAny: "__match_any_sync",
  matchAll: "match_all_mask",
  matchAllPredicate: "match_all_predicate",
  reduceAdd: "__reduce_add_sync",
  reduceMin: "__reduce_min_sync",
  reduceMax: "__reduce_max_sync",
  reduceAnd: "__reduce_and_sync",
  reduceOr: "__reduce_or_sync",
  reduceXor: "__reduce_xor_sync",
  syncwarp: "__syncwarp",
  laneId: "lane_id",
  warpSize: "warpSize",
  syncthreads: "__syncthreads",
  syncthreadsCount: "__syncthreads_count",
  syncthreadsAnd: "__syncthreads_and",
  syncthreadsOr: "__syncthreads_or",
  threadfence: "__threadfence",
  threadfenceBlock: "__threadfence_block",
  gridSync: "cooperative_groups::this_grid().sync",
  clock: "clock",
  deviceSynchronize: "cudaDeviceSynchronize",
};

function functionName(expr: IntrinsicExpr): string {
  const type = expr.args.map(scalarType).find((candidate) => candidate !== null) ?? "i32";
  const float = FLOAT_FUNCTIONS[expr.name];
  if (float !== undefined) return type === "f64" ? float[1] : float[0];
  if (expr.name === "min" || expr.name === "max")
    return isFloat(type) ? `f${expr.name}${type === "f32" ? "f" : ""}` : expr.name;
  if (expr.name === "abs") return type === "f32" ? "fabsf" : type === "f64" ? "fabs" : type === "i64" ? "llabs" : "abs";
  const wide = type === "i64" || type === "u64";
  if (expr.name === "mulhi")
    return { i32: "__mulhi", u32: "__umulhi", i64: "__mul64hi", u64: "__umul64hi" }[type as "i32"] ?? "__mulhi";
  if (expr.name === "popc" || expr.name === "ffs" || expr.name === "clz" || expr.name === "brev") {
    return `__${expr.name}${wide ? "ll" : ""}`;
  }
  if (expr.name === "mul24") return type === "u32" ? "__umul24" : "__mul24";
  if (expr.name === "floatAsInt") return type === "f64" ? "__double_as_longlong" : "__float_as_int";
  if (expr.name === "intAsFloat") return wide ? "__longlong_as_double" : "__int_as_float";
  const plain = PLAIN_FUNCTIONS[expr.name];
  if (plain === undefined) throw new Error(`no CUDA name for ${expr.name}`);
  return plain;
}

/** The functions defined at the head of the text that CUDA lacks as plain functions. */
export const PRELUDE_FUNCTIONS: Readonly<Record<string, string>> = {
  lane_id:
    '__device__ __forceinline__ unsigned lane_id() { unsigned lane; asm("mov.u32 %0, %%laneid;" : "=r"(lane)); return lane; }',
  match_all_mask:
    "template <class T> __device__ __forceinline__ unsigned match_all_mask(unsigned mask, T value) { int all; return __match_all_sync(mask, value, &all); }",
  match_all_predicate:
    "template <class T> __device__ __forceinline__ bool match_all_predicate(unsigned mask, T value) { int all; __match_all_sync(mask, value, &all); return all != 0; }",
};

export function pointerText(pointer: PointerExpr, scope: Scope): string {
  const text = pointerParts(pointer, scope);
  return text.text;
}

function rootName(pointer: PointerExpr, scope: Scope): string {
  const root = pointer.root;
  const name =
    root.kind === "param"
      ? scope.params[root.index]
      : root.kind === "shared"
        ? scope.shared[root.array]
        : root.kind === "local"
          ? scope.local[root.array]
          : scope.variables[root.variable];
  return name ?? "?";
}

/** `int`, or `volatile int`. */
export function elementName(element: ElementType, isVolatile: boolean): string {
  return `${isVolatile ? "volatile " : ""}${cudaName(element)}`;
}

/** The element type of the root's declaration, where it can be told; a pointer of another type is cast to its own. */
function rootElement(pointer: PointerExpr, scope: Scope): string | null {
  const { root } = pointer;
  if (root.kind === "param") return scope.elements.params[root.index] ?? null;
  if (root.kind === "shared") return scope.elements.shared[root.array] ?? null;
  if (root.kind === "local") return scope.elements.local[root.array] ?? null;
  return scope.elements.variables[root.variable] ?? null;
}

function pointerParts(pointer: PointerExpr, scope: Scope): Text {
  const own = rootElement(pointer, scope);
  const name = rootName(pointer, scope);
  const same = own === null || own === elementName(pointer.type.pointer, pointer.type.volatile);
  const base = same ? primary(name) : primary(`((${cudaName(pointer.type)})${name})`);
  if (pointer.offset === null) return base;
  return { text: `${base.text} + ${wrap(print(bare(pointer.offset), scope), 13)}`, precedence: 12 };
}

function element(pointer: PointerExpr, index: Expr, scope: Scope): string {
  const base = wrap(pointerParts(pointer, scope), PRIMARY);
  return `${base}[${print(bare(index), scope).text}]`;
}

/** Text of an lvalue: `pointer[index]`. */
export function elementText(pointer: PointerExpr, index: Expr, scope: Scope): string {
  return element(pointer, index, scope);
}

const ATOMIC: Readonly<Record<string, string>> = {
  add: "atomicAdd",
  sub: "atomicSub",
  min: "atomicMin",
  max: "atomicMax",
  and: "atomicAnd",
  or: "atomicOr",
  xor: "atomicXor",
  exch: "atomicExch",
  cas: "atomicCAS",
  inc: "atomicInc",
  dec: "atomicDec",
};

function print(expr: Expr, scope: Scope): Text {
  switch (expr.kind) {
    case "const": {
      const text = literal(expr.type, expr.value);
      return { text, precedence: text.startsWith("-") ? UNARY : PRIMARY };
    }
    case "param":
      return primary(scope.params[expr.index] ?? "?");
    case "builtin":
      return primary(`${expr.name}.${expr.axis}`);
    case "variable":
      return primary(scope.variables[expr.variable] ?? "?");
    case "unary": {
      const sign = expr.op === "neg" ? "-" : expr.op === "not" ? "!" : "~";
      const operand = print(expr.operand, scope);
      const text = wrap(operand, UNARY);
      return { text: text.startsWith(sign) ? `${sign}(${text})` : sign + text, precedence: UNARY };
    }
    case "binary": {
      const [sign, precedence] = BINARY[expr.op];
      const [left, right] = binaryOperands(expr);
      return {
        text: `${wrap(print(left, scope), precedence)} ${sign} ${wrap(print(right, scope), precedence + 1)}`,
        precedence,
      };
    }
    case "compare": {
      const [sign, precedence] = COMPARE[expr.op];
      const [left, right] = readable(operands(expr.left, expr.right, expr.operandType));
      return {
        text: `${wrap(print(left, scope), precedence + 1)} ${sign} ${wrap(print(right, scope), precedence + 1)}`,
        precedence,
      };
    }
    case "logical": {
      const [sign, precedence] = expr.op === "and" ? (["&&", 4] as const) : (["||", 3] as const);
      return {
        text: `${wrap(print(expr.left, scope), precedence)} ${sign} ${wrap(print(expr.right, scope), precedence)}`,
        precedence,
      };
    }
    case "select":
      return {
        text: `${wrap(print(expr.condition, scope), 3)} ? ${wrap(print(expr.whenTrue, scope), 3)} : ${wrap(print(expr.whenFalse, scope), 2)}`,
        precedence: 2,
      };
    case "convert":
      return { text: `(${cudaName(expr.type)})${wrap(print(expr.operand, scope), UNARY)}`, precedence: UNARY };
    case "intrinsic":
      if (expr.name === "warpSize") return primary("warpSize");
      return primary(`${functionName(expr)}(${expr.args.map((arg) => print(arg, scope).text).join(", ")})`);
    case "load":
      return primary(element(expr.pointer, expr.index, scope));
    case "atomic":
      return primary(
        `${ATOMIC[expr.op]}(&${element(expr.pointer, expr.index, scope)}, ${expr.args.map((arg) => print(arg, scope).text).join(", ")})`,
      );
    case "call":
      return primary(
        `${scope.functions[expr.callee] ?? "?"}(${expr.args.map((arg) => print(bareArgument(arg), scope).text).join(", ")})`,
      );
    case "component":
      return primary(`${wrap(print(expr.vector, scope), PRIMARY)}.${"xyzw"[expr.component]}`);
    case "makeVector": {
      const type = expr.type;
      const name = isVector(type) ? cudaName(type) : "?";
      return primary(`make_${name}(${expr.components.map((part) => print(part, scope).text).join(", ")})`);
    }
    case "pointer":
      return pointerParts(expr, scope);
  }
}

/** Arguments convert to the parameter's type by themselves. */
function bareArgument(expr: Expr): Expr {
  return expr.kind === "pointer" ? expr : bare(expr);
}

/** Where C++ converts to the wanted type by itself: initialisers, assignments, arguments, indices. */
export function convertedText(expr: Expr, scope: Scope): string {
  return print(bare(expr), scope).text;
}

export function expressionText(expr: Expr, scope: Scope): string {
  return print(expr, scope).text;
}
