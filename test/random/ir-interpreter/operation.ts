/** What an expression of the IR gives for given values of its operands, by the arithmetic of the oracle. */
import type { ArithmeticOp, CompareOp, Expr, IntrinsicExpr, IntrinsicName } from "../../../src/core/ir/ir.js";
import type { Scalar as ScalarType } from "../../../src/core/ir/types.js";
import { binary, compare, convert, round, type Scalar, wrap } from "../oracle-arithmetic.js";
import { intrinsic } from "../oracle-functions.js";
import type * as tree from "../tree.js";

const ARITHMETIC: Readonly<Record<ArithmeticOp, tree.BinaryOp>> = {
  add: "+",
  sub: "-",
  mul: "*",
  div: "idiv",
  rem: "%",
  and: "&",
  or: "|",
  xor: "^",
  shl: "<<",
  shr: ">>",
};

const COMPARE: Readonly<Record<CompareOp, tree.CompareOp>> = {
  eq: "===",
  ne: "!==",
  lt: "<",
  le: "<=",
  gt: ">",
  ge: ">=",
};

export type Strict = Extract<Expr, { kind: "unary" | "binary" | "compare" | "convert" | "intrinsic" }>;

export function operation(expr: Strict, values: readonly Scalar[]): Scalar {
  const [a = 0, b = 0] = values;
  switch (expr.kind) {
    case "unary": {
      if (expr.op === "not") return a === 0 ? 1 : 0;
      if (expr.op === "bitNot") return wrap(expr.type, ~BigInt(a));
      return isFloat(expr.type) ? -Number(a) : wrap(expr.type, -BigInt(a));
    }
    case "binary":
      return binary(expr.op === "div" && isFloat(expr.type) ? "/" : ARITHMETIC[expr.op], numeric(expr.type), a, b);
    case "compare":
      return compare(COMPARE[expr.op], a, b) ? 1 : 0;
    case "convert":
      return convert(a, scalar(expr.operand.type), expr.type);
    case "intrinsic":
      return intrinsicOf(expr, values);
  }
}

const isFloat = (type: ScalarType): boolean => type === "f32" || type === "f64";

function scalar(type: Expr["type"]): ScalarType {
  if (typeof type !== "string" || type === "void") throw new Error("an operand that is no scalar");
  return type;
}

function numeric(type: ScalarType): tree.Numeric {
  if (type === "bool") throw new Error("arithmetic on bools");
  return type;
}

/** Names of the language where they are not those of the IR. */
const NAMES: Partial<Record<IntrinsicName, string>> = {
  bytePerm: "byte_perm",
  funnelShiftL: "funnelshift_l",
  funnelShiftR: "funnelshift_r",
  funnelShiftLc: "funnelshift_lc",
  funnelShiftRc: "funnelshift_rc",
};

const ROUNDED: Partial<Record<IntrinsicName, tree.BinaryOp>> = { addRn: "+", subRn: "-", mulRn: "*", divRn: "/" };

function intrinsicOf(expr: IntrinsicExpr, values: readonly Scalar[]): Scalar {
  const first = expr.args[0];
  const type = first === undefined ? "i32" : scalar(first.type);
  const rounded = ROUNDED[expr.name];
  if (rounded !== undefined) return binary(rounded, numeric(type), values[0] ?? 0, values[1] ?? 0);
  if (expr.name === "floatAsInt")
    return intrinsic(type === "f64" ? "double_as_longlong" : "float_as_int", type, values);
  if (expr.name === "intAsFloat")
    return intrinsic(type === "i64" ? "longlong_as_double" : "int_as_float", type, values);
  const result = intrinsic(NAMES[expr.name] ?? expr.name, type, values);
  return type === "f32" && typeof result === "number" && expr.type === "f32" ? round("f32", result) : result;
}
