/** The part that all readers share: to read a part of another kind, and to refuse one. */
import type { Expr } from "../../../ir/ir.js";
import { isFloat } from "../../../ir/types.js";
import { children, type Node } from "../tree/node.js";
import type { CScalar, CType } from "../tree/types.js";
import type { FunctionNode } from "../tree/unit.js";
import { float, integer } from "./constants.js";
import { scalarOf } from "./places.js";
import type { Translation } from "./translation.js";
import { irScalar, type Location, type Value } from "./values.js";

/** The value of an expression; of a place, what it holds. */
export const value = (t: Translation, node: Node): Value => t.readers.value(t, node);

/** The place that an expression names. */
export const locate = (t: Translation, node: Node): Location => t.readers.locate(t, node);

/** A condition; bool. */
export const condition = (t: Translation, node: Node): Expr => t.readers.condition(t, node);

/** An expression for what it does alone. */
export const effect = (t: Translation, node: Node): void => t.readers.effect(t, node);

export const statement = (t: Translation, node: Node): void => t.readers.statement(t, node);

/** The statements of a function's body. */
export function functionBody(t: Translation, fn: FunctionNode): void {
  for (const node of children(fn.body)) statement(t, node);
}

export function scalarType(t: Translation, node: Node): CScalar {
  const type = t.unit.type(node);
  if (type.kind === "scalar") return type.scalar;
  return t.refuse(
    node,
    `A number is needed here; this is ${node.type?.qualType ?? "something else"}.`,
    "Convert it to a number.",
  );
}

/** A scalar's expression. */
export function scalar(t: Translation, node: Node): Value & { kind: "scalar" } {
  return scalarOf(t, value(t, node), node);
}

const KINDS: Readonly<Record<string, readonly [string, string]>> = {
  LambdaExpr: ["A lambda", "Write a __device__ function, or a struct with operator()."],
  CXXNewExpr: ["`new` on the device", "Allocate on the host with cudaMalloc, and pass the pointer."],
  CXXDeleteExpr: ["`delete` on the device", "Free on the host with cudaFree."],
  AtomicExpr: ["An atomic of C11", "Use atomicAdd and its like."],
  GotoStmt: ["`goto`", "Use a loop, break or a function's return."],
  GCCAsmStmt: ["PTX by asm", "Use CUDA's functions, such as __popc or __shfl_sync."],
  RecoveryExpr: ["An expression that C++ cannot read", "Mend the error that clang has named."],
  PseudoObjectExpr: ["A property", "Call the function."],
  StmtExpr: ["A statement in an expression", "Write a function."],
  CXXDynamicCastExpr: ["dynamic_cast", "Use a template."],
  CXXThrowExpr: ["`throw` on the device", "Write an error code to memory."],
  CXXTryStmt: ["`try` on the device", "Write an error code to memory."],
};

export function refuseKind(t: Translation, node: Node): never {
  const [what, cure] = KINDS[node.kind] ?? [`${node.kind} (clang's name)`, "Write it in a plainer way."];
  return t.refuse(node, `${what} is not there in kernels.`, cure);
}

export function unsetOf(like: Value, span: Expr["span"]): Expr {
  if (like.kind === "vector") {
    const { scalar: part, lanes } = like.type;
    const zero: Expr = isFloat(part) ? float(part as "f32", 0, span) : integer(part, 0, span);
    return { kind: "makeVector", type: like.type, components: Array.from({ length: lanes }, () => zero), span };
  }
  const type = like.kind === "scalar" ? irScalar(like.type) : "i32";
  const zero = isFloat(type) ? float(type as "f32", 0, span) : integer(type, 0, span);
  return { ...zero, unset: true };
}

export function returnType(t: Translation, fn: FunctionNode): CType {
  const type = t.unit.type(fn.node);
  return type.kind === "function" ? type.returns : { kind: "void" };
}
