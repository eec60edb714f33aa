/** Calls: CUDA's own functions by their names, functions of the file, constructors, launches of child grids. */
import type { Expr, LaunchStream } from "../../../ir/ir.js";
import { isPointer, loadedType, type PointerType, type Scalar, type VectorType } from "../../../ir/types.js";
import { children, type Node } from "../tree/node.js";
import type { CType } from "../tree/types.js";
import { copiesBits, type FunctionNode } from "../tree/unit.js";
import { calleeId, returnsAtEnd } from "../tree/usage.js";
import { elementOf, inElements, movedBytes, pointerExpr, strideOf } from "./address.js";
import { converted, integer } from "./constants.js";
import { inlined } from "./inlined.js";
import { intrinsic } from "./intrinsics.js";
import { temporary } from "./places.js";
import { functionBody, locate, refuseKind, returnType, scalar, value } from "./reading.js";
import { initialize, isRecord } from "./records.js";
import type { Translation } from "./translation.js";
import {
  type Address,
  type CallResult,
  irScalar,
  irVector,
  type Location,
  type PointerHolder,
  type Value,
} from "./values.js";

const given = (value: Value): CallResult => ({ kind: "value", value });

/** The callee's own name, and the expression of the object where it is a member function. */
function calleeOf(node: Node): { readonly name: string; readonly object: Node | null; readonly arrow: boolean } {
  let head = children(node)[0];
  while (head !== undefined && head.kind !== "DeclRefExpr" && head.kind !== "MemberExpr") head = children(head)[0];
  if (head?.kind === "MemberExpr") {
    return { name: head.name ?? "", object: children(head)[0] ?? null, arrow: head.isArrow === true };
  }
  return { name: head?.referencedDecl?.name ?? "", object: null, arrow: false };
}

export function call(t: Translation, node: Node): CallResult {
  const { name, object, arrow } = calleeOf(node);
  const fn = t.unit.functions.get(calleeId(children(node)[0]) ?? "");
  const args = children(node).slice(1);
  if (fn === undefined || fn.body === undefined || copiesBits(t.unit, fn))
    return withoutBody(t, node, name, object, args);
  if (t.open.includes(fn)) {
    t.refuse(
      node,
      `${fn.name} calls itself; recursion is not there in kernels.`,
      "Write a loop, with a local array as its stack where it needs one.",
    );
  }
  const operator = node.kind === "CXXOperatorCallExpr" && fn.record !== null;
  const self = operator ? (args[0] ?? null) : fn.record === null ? null : object;
  const own = operator ? args.slice(1) : args;
  const place = self === null ? null : objectOf(t, self, arrow && !operator);
  return called(t, fn, place, own, node);
}

function objectOf(t: Translation, object: Node, arrow: boolean): Location {
  if (!arrow) return locate(t, object);
  const inner = object.kind === "ImplicitCastExpr" ? children(object)[0] : object;
  if (inner?.kind === "CXXThisExpr" && t.self !== null) return t.self;
  const pointer = value(t, object);
  if (pointer.kind === "pointer") return { kind: "memory", address: pointer.address, type: pointer.to };
  return t.refuse(object, "`->` needs a pointer into memory of the device.", "Use `.` on a variable.");
}

/** Headers that compute what a GPU has instructions for, by the end of their paths. */
const COMPUTED: Readonly<Record<string, string>> = {
  "cuda_fp16.h":
    "A half is computed as a float and rounded. Its values are a GPU's; instructions and times are not, as a GPU has HADD2 and HFMA2.",
  "sm_61_intrinsics.h":
    "Packed integers are computed one by one. Their values are a GPU's; instructions and times are not, as a GPU has IDP and VIADDMNMX.",
  "cub.cuh":
    "CUB's blocks are computed by shuffles with barriers around them. Their values are CUB's; instructions and times are not.",
};

function warnOfComputed(t: Translation, fn: FunctionNode, node: Node): void {
  const { warnings } = t.tables;
  const file = fn.node.place?.file ?? "";
  const message = file.startsWith("system/") ? COMPUTED[file.slice(file.lastIndexOf("/") + 1)] : undefined;
  if (message === undefined || warnings.some((known) => known.message === message)) return;
  warnings.push({ message, span: t.span(node) });
}

function called(
  t: Translation,
  fn: FunctionNode,
  self: Location | null,
  args: readonly Node[],
  node: Node,
): CallResult {
  warnOfComputed(t, fn, node);
  const returns = returnType(t, fn);
  const byName = fn.record !== null || returns.kind === "reference" || returns.kind === "pointer" || isRecord(returns);
  const references = fn.parameters.some((parameter) => {
    const type = t.unit.type(parameter);
    return type.kind === "reference" || isRecord(type);
  });
  if ((byName || references) && returnsAtEnd(fn)) return inlined(t, fn, self, args, node);
  if (returns.kind === "reference" || returns.kind === "pointer") {
    return t.refuse(
      node,
      `${fn.name} returns a pointer or a reference from the middle of its body.`,
      "Return it at the end alone.",
    );
  }
  return given(calledApart(t, fn, self, args, returns, node));
}

/** A constructor builds the object in its place. */
export function constructorCall(
  t: Translation,
  fn: FunctionNode,
  place: Location,
  args: readonly Node[],
  node: Node,
): void {
  if (t.open.includes(fn)) t.refuse(node, `${fn.name} constructs itself.`, "Construct it elsewhere.");
  inlined(t, fn, place, args, node);
}

interface Passed {
  readonly expr: Expr;
  readonly type: Scalar | VectorType | PointerType;
  readonly key: string;
  readonly declared: CType;
  readonly pointee: CType | null;
}

function pointerArgument(address: Address, declared: CType, pointee: CType, node: Node, t: Translation): Passed {
  const stride = strideOf(t, pointee, node);
  const expr = pointerExpr(inElements(t, address, stride.element, node), t.span(node));
  return { expr, type: expr.type, key: `${address.space}${address.volatile ? " volatile" : ""}`, declared, pointee };
}

/** An argument as a value of the IR: numbers and vectors as they are, all else by its address. */
function passed(t: Translation, type: CType, argument: Node): Passed {
  if (type.kind === "reference" || isRecord(type)) {
    const target = type.kind === "reference" ? type.to : type;
    const found = locate(t, argument);
    if (found.kind === "memory" && type.kind === "reference")
      return pointerArgument(found.address, type, found.type, argument, t);
    const place = temporary(t, "argument", target, argument);
    if (type.kind === "reference" && found.kind !== "value") {
      t.refuse(
        argument,
        "A variable is passed by reference to a function that returns early.",
        "Return at the end of the function alone.",
      );
    }
    initialize(t, place, argument);
    return pointerArgument(place.address, type, place.type, argument, t);
  }
  const found = value(t, argument);
  if (found.kind === "scalar" || found.kind === "vector") {
    return { expr: found.expr, type: found.expr.type as Scalar, key: "", declared: type, pointee: null };
  }
  if (found.kind === "pointer") {
    const pointee = type.kind === "pointer" && type.to.kind !== "void" && found.to.kind === "void" ? type.to : found.to;
    return pointerArgument(found.address, type, pointee, argument, t);
  }
  return t.refuse(argument, "This argument has no value on the device.", "Pass a number, a vector or a pointer.");
}

function calledApart(
  t: Translation,
  fn: FunctionNode,
  self: Location | null,
  args: readonly Node[],
  returns: CType,
  node: Node,
): Value {
  const list: Passed[] = [];
  const span = t.span(node);
  const record = isRecord(returns);
  const result = record ? temporary(t, "result", returns, node) : null;
  if (result !== null) list.push(pointerArgument(result.address, returns, returns, node, t));
  if (self !== null) {
    if (self.kind !== "memory")
      return t.refuse(node, "A member function that returns early works on this variable.", "Return at its end alone.");
    list.push(pointerArgument(self.address, self.type, self.type, node, t));
  }
  for (const [index, parameter] of fn.parameters.entries()) {
    const argument = args[index];
    if (argument === undefined) return t.refuse(node, `An argument of ${fn.name} is missing.`, "Write it out.");
    list.push(passed(t, t.unit.type(parameter), argument));
  }
  const key = `${fn.node.id} ${list.map((each) => each.key).join(",")}`;
  const callee = t.tables.instances.get(key) ?? compiled(t, fn, list, record, self !== null, returns);
  t.tables.instances.set(key, callee);
  const element = elementOf(returns);
  const value = returns.kind === "scalar" ? irScalar(returns.scalar) : element === null ? null : loadedType(element);
  const irType = record ? "void" : (value ?? "void");
  const variables = t.tables.functions[callee]?.params ?? [];
  const values = list.map((each, index) => {
    const want = t.tables.variables[variables[index] ?? -1]?.type;
    return want !== undefined && isPointer(want) && each.expr.kind === "pointer"
      ? { ...each.expr, type: { ...want, space: each.expr.type.space } }
      : each.expr;
  });
  const expr: Expr = { kind: "call", type: irType, callee, args: values, span };
  if (irType === "void") {
    t.emit({ kind: "expr", value: expr, span });
    return result === null
      ? { kind: "void" }
      : { kind: "record", address: result.address, name: (returns as { name: string }).name };
  }
  if (typeof irType !== "string") return { kind: "vector", expr, type: irType };
  return { kind: "scalar", expr, type: returns.kind === "scalar" ? returns.scalar : "i32" };
}

/** Compiles a function for the spaces of its pointers. */
function compiled(
  t: Translation,
  fn: FunctionNode,
  list: readonly Passed[],
  record: boolean,
  member: boolean,
  returns: CType,
): number {
  const outer = {
    output: t.output,
    scope: t.scope,
    returns: t.returns,
    self: t.self,
    usage: t.usage,
  };
  t.output = [];
  t.scope = new Map();
  t.usage = t.usageOf(fn);
  t.self = null;
  t.open.push(fn);
  const params: number[] = [];
  const names = [...(record ? [null] : []), ...(member ? [null] : []), ...fn.parameters];
  let result: Address | null = null;
  list.forEach((each, index) => {
    const parameter = names[index];
    const span = t.span(parameter ?? fn.node);
    const variable = t.variable(parameter?.name ?? (index === 0 && record ? "result" : "self"), each.type, span);
    params.push(variable);
    const address: Address | null = isPointer(each.type)
      ? {
          root: { kind: "variable", variable },
          space: each.type.space,
          volatile: each.type.volatile,
          element: each.type.pointer,
          offset: null,
          index: null,
        }
      : null;
    if (parameter === null || parameter === undefined) {
      if (address === null) return;
      if (record && index === 0) result = address;
      else t.self = { kind: "memory", address, type: each.pointee ?? each.declared };
      return;
    }
    t.scope.set(parameter.id, parameterLocation(t, parameter, each, variable, address));
  });
  t.returns = { kind: "function", type: returns, result };
  functionBody(t, fn);
  const body = t.output;
  t.open.pop();
  Object.assign(t, outer);
  const element =
    returns.kind === "scalar" ? irScalar(returns.scalar) : returns.kind === "record" ? irVector(returns.name) : null;
  t.tables.functions.push({
    name: fn.name.replace(/\W+/g, "_"),
    source: t.sources(fn.node.place?.file ?? ""),
    params,
    returns: element ?? "void",
    body,
  });
  return t.tables.functions.length - 1;
}

function parameterLocation(
  t: Translation,
  parameter: Node,
  each: Passed,
  variable: number,
  address: Address | null,
): Location {
  if (address !== null) {
    if (each.declared.kind !== "pointer") return { kind: "memory", address, type: each.pointee ?? each.declared };
    const holder: PointerHolder = {
      name: parameter.name ?? "pointer",
      to: each.pointee ?? each.declared.to,
      span: t.span(parameter),
      variable,
      asIndex: false,
      address,
      declareLater: null,
    };
    if (t.usage.comparesPointers && t.usage.modified.has(parameter.id)) {
      const index = t.variable(holder.name, "i64", holder.span);
      t.emit({ kind: "declare", variable: index, value: integer("i64", 0, holder.span), span: holder.span });
      return { kind: "pointer", holder: { ...holder, asIndex: true, variable: index } };
    }
    return { kind: "pointer", holder };
  }
  const { type } = each;
  if (isPointer(type)) throw new Error("a pointer without an address");
  if (t.usage.addressed.has(parameter.id) && each.declared.kind === "scalar") {
    const place = temporary(t, parameter.name ?? "parameter", each.declared, parameter);
    const span = t.span(parameter);
    const { address: own } = place;
    t.emit({
      kind: "store",
      pointer: pointerExpr(own, span),
      index: integer("i32", 0, span),
      value: { kind: "variable", type, variable, span },
      compound: false,
      span,
    });
    return { ...place, type: each.declared };
  }
  const own = each.declared.kind === "scalar" ? each.declared.scalar : typeof type === "string" ? type : type.scalar;
  return { kind: "slot", variable, type, scalar: own, component: null };
}

function withoutBody(t: Translation, node: Node, name: string, object: Node | null, args: readonly Node[]): CallResult {
  if (name === "operator=" && object === null) {
    const [left, right] = args;
    if (left === undefined || right === undefined) return refuseKind(t, node);
    const place = locate(t, left);
    initialize(t, place, right);
    return { kind: "location", location: place };
  }
  const found = intrinsic(t, name, args, node);
  if (found !== null) return given(found);
  return t.refuse(
    node,
    `${name || "This function"} is not there in kernels.`,
    object === null ? "Write it as a __device__ function, or use one of CUDA's." : "Write what it does in the kernel.",
  );
}

/** `child<<<grid, block, bytes, stream>>>(...)` in a kernel. */
export function kernelLaunch(t: Translation, node: Node): void {
  const [head, config, ...args] = children(node);
  const fn = t.unit.functions.get(calleeId(head) ?? "");
  if (fn === undefined || config === undefined) {
    t.refuse(node, "The kernel that is launched here has no body in this file.", "Define it in this file.");
    return;
  }
  const span = t.span(node);
  // clang writes the launch as a call: two pointers, the grid, the block, the bytes of shared memory, the stream.
  const settings = children(config).slice(1);
  const own = settings.length >= 6 ? settings.slice(2) : settings;
  const [grid, block, bytes, stream] = own;
  if (grid === undefined || block === undefined) {
    refuseKind(t, node);
    return;
  }
  const sizes = (part: Node): readonly [Expr, Expr, Expr] => {
    const place = temporary(t, "size", { kind: "record", name: "dim3" }, part);
    initialize(t, place, part);
    const at = (lane: number): Expr => ({
      kind: "load",
      type: "u32",
      pointer: pointerExpr(movedBytes(t, place.address, 0, "u32", part), span),
      index: integer("i32", lane, span),
      span,
    });
    return [at(0), at(1), at(2)];
  };
  const [gridSizes, blockSizes] = [sizes(grid), sizes(block)];
  const shared = bytes === undefined ? null : scalar(t, bytes);
  const kernel = fn === t.kernel ? "self" : childIndex(t, fn);
  const values = fn.parameters.map((parameter, index): Expr => {
    const argument = args[index];
    if (argument === undefined) return t.refuse(node, `An argument of ${fn.name} is missing.`, "Write it out.");
    const found = value(t, argument);
    if (found.kind === "scalar") return found.type === "bool" ? converted(found.expr, "bool", "i32") : found.expr;
    if (found.kind === "pointer" && found.address.space === "global") {
      const type = t.unit.type(parameter);
      const { element } = strideOf(t, type.kind === "pointer" ? type.to : found.to, argument);
      return pointerExpr(inElements(t, found.address, element, argument), t.span(argument));
    }
    return t.refuse(
      argument,
      "A child grid is given something that is no number and no pointer into global memory.",
      "Pass global memory.",
    );
  });
  t.emit({
    kind: "launch",
    kernel,
    grid: gridSizes,
    block: blockSizes,
    sharedBytes: shared === null ? integer("u32", 0, span) : converted(shared.expr, shared.type, "u32"),
    stream: streamOf(t, stream),
    args: values,
    span,
  });
}

function childIndex(t: Translation, fn: FunctionNode): number {
  const known = t.tables.children.indexOf(fn);
  return known >= 0 ? known : t.tables.children.push(fn) - 1;
}

function streamOf(t: Translation, node: Node | undefined): LaunchStream {
  if (node === undefined) return "block";
  if (node.kind === "CStyleCastExpr" || node.kind === "ImplicitCastExpr" || node.kind === "ParenExpr") {
    return streamOf(t, children(node)[0]);
  }
  if (node.kind === "CXXNullPtrLiteralExpr" || node.kind === "CXXDefaultArgExpr") return "block";
  if (node.kind === "IntegerLiteral") {
    const streams: Readonly<Record<string, LaunchStream>> = { "0": "block", "3": "tail", "4": "fireAndForget" };
    const stream = streams[String(node.value)];
    if (stream !== undefined) return stream;
  }
  if (node.kind === "DeclRefExpr") {
    if (!t.tables.warnings.some(({ message }) => message === STREAMS)) {
      t.tables.warnings.push({ message: STREAMS, span: t.span(node) });
    }
    return "block";
  }
  return t.refuse(
    node,
    "A child grid is launched into a stream that is not known here.",
    "Leave the stream out, or use cudaStreamTailLaunch or cudaStreamFireAndForget.",
  );
}

const STREAMS =
  "Child grids of one block run one after another, whatever their streams: one of the orders that a GPU may choose, and not its times.";
