/** Arrays and pointers: shared, extern shared and local arrays, indexing, pointer arithmetic, volatile views, atomics. */
import type { Expression } from "acorn";
import type { Span } from "../../base/errors.js";
import type { AtomicOp, Expr } from "../../ir/ir.js";
import {
  byteSize,
  cudaName,
  type ElementType,
  isFloat,
  isNarrow,
  isVector,
  LOCAL_BYTES_PER_THREAD,
  loadedType,
  type Narrow,
  type PointerType,
  type Scalar,
} from "../../ir/types.js";
import { aType } from "../text/type-name.js";
import { argument, requireCount } from "./calls/arguments.js";
import type { CallHandler, CallSite, Translator } from "./translator.js";
import { assignScalar, type ScalarExpr, type ValueExpr } from "./values/convert.js";
import { constant, isConst } from "./values/fold.js";
import { binary } from "./values/operators.js";
import { describe, type PointerValue, plain } from "./values/value.js";

function elementType(t: Translator, call: CallSite, index: number): ElementType {
  const node = argument(call, index);
  const value = t.value(node);
  if (value.kind !== "type") {
    return t.report.fail(
      t.span(node),
      `${call.name} needs a type here, not ${describe(value)}.`,
      "Name one: i32, u32, f32, f64, i64, u64, float4 ...",
    );
  }
  if (value.type === "bool") {
    return t.report.fail(t.span(node), "A bool has no place in memory.", "Keep flags as i32: 0 or 1.");
  }
  return value.type;
}

function lengthOf(t: Translator, call: CallSite, node: Expression): number {
  const value = t.scalar(node);
  const length = isConst(value) && !isFloat(value.type) ? Number(value.value) : Number.NaN;
  if (!(Number.isSafeInteger(length) && length > 0)) {
    t.report.failOnValue(
      t.span(node),
      `The size of ${call.name}'s array is not a positive integer that is known when the kernel is compiled.`,
      call.name === "local"
        ? "Write a number, or a constant of the kernel: { SIZE: 8 }. A thread's own array cannot grow."
        : "Write a number, or a constant of the kernel: { BLOCK: 256 }. A size chosen at launch is externShared(type).",
    );
    return 1;
  }
  return length;
}

/** Lengths of the dimensions: `256` or `[32, 33]`. */
function dimensions(t: Translator, call: CallSite): readonly number[] {
  const node = argument(call, 1);
  if (node.type !== "ArrayExpression") return [lengthOf(t, call, node)];
  if (node.elements.length === 0 || node.elements.length > 3) {
    t.report.fail(
      t.span(node),
      "An array has one to three dimensions.",
      "Write a length, [rows, columns] or [planes, rows, columns].",
    );
  }
  return node.elements.map((element) => {
    if (element === null || element.type === "SpreadElement") {
      return t.report.fail(t.span(node), "A dimension is missing.", "Write its length.");
    }
    return lengthOf(t, call, element);
  });
}

/** Makes the array of a call once, however often the text is read. */
function once(t: Translator, call: CallSite, make: () => PointerValue): PointerValue {
  const known = t.arraysByNode.get(call.node);
  if (known !== undefined) return known;
  const made = make();
  t.arraysByNode.set(call.node, made);
  return made;
}

function arrayValue(
  kind: "shared" | "local",
  array: number,
  element: ElementType,
  dims: readonly number[],
  span: Span,
): PointerValue {
  const type: PointerType = { pointer: element, space: kind, volatile: false };
  const root = { kind, array } as const;
  return {
    kind: "pointer",
    expr: { kind: "pointer", type, root, offset: null, span },
    root: `${kind}:${array}`,
    dims: dims.slice(1),
    row: null,
  };
}

function declareShared(dynamic: boolean): CallHandler {
  return (t, call) =>
    once(t, call, () => {
      if (dynamic) requireCount(t, call, 1, 1, "externShared(i32): its size is given at the launch");
      else requireCount(t, call, 2, 2, "shared(i32, 256) or shared(f32, [32, 33])");
      const element = elementType(t, call, 0);
      const dims = dynamic ? null : dimensions(t, call);
      const id = t.tables.sharedArrays.length;
      const name = t.resultName ?? `shared${id}`;
      t.tables.sharedArrays.push({ name, element, dims, volatile: false, span: call.span });
      return arrayValue("shared", id, element, dims ?? [], call.span);
    });
}

const declareLocal: CallHandler = (t, call) =>
  once(t, call, () => {
    requireCount(t, call, 2, 2, "local(f32, 4)");
    const element = elementType(t, call, 0);
    const dims = dimensions(t, call);
    const bytes = dims.reduce((product, size) => product * size, byteSize(element));
    if (bytes > LOCAL_BYTES_PER_THREAD) {
      t.report.fail(
        call.span,
        `A local array of ${bytes} bytes: a thread has ${LOCAL_BYTES_PER_THREAD} bytes (512 KiB) of local memory.`,
        "Make it smaller, or use an array in global memory with a part for each thread.",
      );
    }
    const id = t.tables.localArrays.length;
    t.tables.localArrays.push({ name: t.resultName ?? `local${id}`, element, dims, span: call.span });
    return arrayValue("local", id, element, dims, call.span);
  });

/** `volatile(sdata)`: the same array, every access to memory. Around `shared(...)` itself it declares the array so. */
const volatileView: CallHandler = (t, call) => {
  requireCount(t, call, 1, 1, "volatile(sdata)");
  const node = argument(call, 0);
  const value = t.value(node);
  if (value.kind !== "pointer") {
    return t.report.fail(
      t.span(node),
      `volatile makes a view of an array, not of ${describe(value)}.`,
      "Write const view = volatile(sdata).",
    );
  }
  const { root } = value.expr;
  if (node.type === "CallExpression" && root.kind === "shared" && t.arraysByNode.has(node)) {
    const array = t.tables.sharedArrays[root.array];
    if (array !== undefined) t.tables.sharedArrays[root.array] = { ...array, volatile: true };
  }
  return { ...value, expr: { ...value.expr, type: { ...value.expr.type, volatile: true } } };
};

/** `asVector(input, float4)`: the same memory read four elements at a time; the address must be aligned for that. */
const asVector: CallHandler = (t, call) => {
  requireCount(t, call, 2, 2, "asVector(input, float4)");
  const value = pointerValue(t, argument(call, 0));
  const element = elementType(t, call, 1);
  const { type, offset } = value.expr;
  const from = isVector(type.pointer) ? type.pointer.scalar : type.pointer;
  const to = isVector(element) ? element.scalar : element;
  if (from !== to) {
    return t.report.fail(
      call.span,
      `An array of ${cudaName(type.pointer)} cannot be seen as ${cudaName(element)}.`,
      vectorCure(from),
    );
  }
  const ratio = byteSize(type.pointer) / byteSize(element);
  if (offset === null) return { ...value, expr: { ...value.expr, type: { ...type, pointer: element } } };
  if (ratio >= 1) {
    const scaled = binary(t, "*", scalarIndex(offset), constant("i32", ratio, call.span), call.span);
    return { ...value, expr: { ...value.expr, type: { ...type, pointer: element }, offset: scaled } };
  }
  return t.report.fail(
    call.span,
    "A moved pointer is seen as vectors in one step.",
    "Name it first: const part = input.subarray(n); const vectors = asVector(part, float4).",
  );
};

function vectorCure(from: Scalar | Narrow): string {
  const vectors: Partial<Record<Scalar | Narrow, string>> = {
    i32: "int4",
    u32: "uint4",
    f32: "float4",
    f64: "double2",
  };
  const name = vectors[from];
  return name === undefined
    ? "Read it element by element: longs[i]."
    : `Take a vector of its type: asVector(array, ${name}).`;
}

function scalarIndex(offset: Expr): ScalarExpr {
  return offset as ScalarExpr;
}

/** The index of an element: an integer of any width. */
export function indexExpression(t: Translator, node: Expression): ScalarExpr {
  const index = t.scalar(node);
  if (isFloat(index.type)) {
    t.report.fail(
      t.span(node),
      `An index is an integer; this is ${aType(index.type)}.`,
      "Convert it: i32(x) truncates towards zero; idiv(a, b) divides integers.",
    );
  }
  if (index.type === "bool")
    t.report.fail(t.span(node), "An index is an integer; this is true or false.", "Write i32(flag).");
  return index;
}

function sum(t: Translator, left: ScalarExpr | null, right: ScalarExpr, span: Span): ScalarExpr {
  if (left === null) return right;
  return binary(t, "+", left, right, span);
}

/** An element to be read or written, or a row of an array with more dimensions. */
export type Indexed =
  | { readonly kind: "element"; readonly pointer: PointerValue; readonly index: ScalarExpr }
  | { readonly kind: "row"; readonly pointer: PointerValue };

/** `pointer[index]`. */
export function indexed(t: Translator, pointer: PointerValue, index: ScalarExpr, span: Span): Indexed {
  if (pointer.dims.length > 0) {
    const stride = pointer.dims.reduce((product, length) => product * length, 1);
    const scaled = binary(t, "*", index, constant("i32", stride, span), span);
    const row = sum(t, pointer.row, scaled, span);
    return { kind: "row", pointer: { ...pointer, dims: pointer.dims.slice(1), row } };
  }
  return { kind: "element", pointer: { ...pointer, row: null }, index: sum(t, pointer.row, index, span) };
}

/** A row as a pointer of its own: the skipped elements become its offset. */
export function settled(t: Translator, pointer: PointerValue): PointerValue {
  if (pointer.row === null) return { ...pointer, dims: [] };
  const offset = pointer.expr.offset;
  const moved = sum(t, offset === null ? null : scalarIndex(offset), pointer.row, pointer.expr.span);
  return { ...pointer, expr: { ...pointer.expr, offset: moved }, dims: [], row: null };
}

/** `pointer.subarray(begin)`. */
export function moved(t: Translator, pointer: PointerValue, args: readonly Expression[], span: Span): PointerValue {
  const [begin, end] = args;
  if (begin === undefined || end !== undefined) {
    return t.report.fail(
      span,
      "subarray takes the number of elements to skip, and nothing else.",
      "Write input.subarray(n): a CUDA pointer knows no end.",
    );
  }
  const from = settled(t, pointer);
  const offset = from.expr.offset === null ? null : scalarIndex(from.expr.offset);
  return { ...from, expr: { ...from.expr, offset: sum(t, offset, indexExpression(t, begin), span), span } };
}

/** The array that an expression names. */
export function pointerValue(t: Translator, node: Expression): PointerValue {
  const value = t.value(node);
  if (value.kind === "pointer") return settled(t, value);
  return t.report.fail(
    t.span(node),
    `An array is needed here; this is ${describe(value)}.`,
    "Name a pointer parameter or a shared or local array.",
  );
}

export function load(pointer: PointerValue, index: ScalarExpr, span: Span): ValueExpr {
  return { kind: "load", type: loadedType(pointer.expr.type.pointer), pointer: pointer.expr, index, span };
}

interface AtomicRule {
  readonly op: AtomicOp;
  readonly types: readonly Scalar[];
  readonly operands: readonly string[];
}

const value = ["value"];
/** Which types CUDA has (CUDA C++ Programming Guide, Atomic Functions). */
const atomics: Readonly<Record<string, AtomicRule>> = {
  atomicAdd: { op: "add", types: ["i32", "u32", "u64", "f32", "f64"], operands: value },
  atomicSub: { op: "sub", types: ["i32", "u32"], operands: value },
  atomicMin: { op: "min", types: ["i32", "u32", "i64", "u64"], operands: value },
  atomicMax: { op: "max", types: ["i32", "u32", "i64", "u64"], operands: value },
  atomicAnd: { op: "and", types: ["i32", "u32", "u64"], operands: value },
  atomicOr: { op: "or", types: ["i32", "u32", "u64"], operands: value },
  atomicXor: { op: "xor", types: ["i32", "u32", "u64"], operands: value },
  atomicExch: { op: "exch", types: ["i32", "u32", "u64", "f32"], operands: value },
  atomicCAS: { op: "cas", types: ["i32", "u32", "u64"], operands: ["compare", "value"] },
  atomicInc: { op: "inc", types: ["u32"], operands: ["limit"] },
  atomicDec: { op: "dec", types: ["u32"], operands: ["limit"] },
};

function atomic(rule: AtomicRule): CallHandler {
  return (t, call) => {
    const count = 2 + rule.operands.length;
    requireCount(t, call, count, count, `${call.name}(array, index, ${rule.operands.join(", ")})`);
    const node = argument(call, 0);
    const target = t.value(node);
    if (target.kind !== "pointer") {
      return t.report.fail(
        t.span(node),
        `${call.name} works on an element of an array, not on ${describe(target)}.`,
        `Write ${call.name}(array, index, ${rule.operands.join(", ")}).`,
      );
    }
    const place = indexed(t, target, indexExpression(t, argument(call, 1)), call.span);
    if (place.kind === "row") {
      return t.report.fail(call.span, `${call.name} is given a whole row.`, `Write ${call.name}(tile[y], x, ...).`);
    }
    const { pointer, space } = place.pointer.expr.type;
    if (space === "local") {
      return t.report.fail(
        call.span,
        `${call.name} on a local array, which no other thread sees.`,
        "Compute on it directly, or use a shared array.",
      );
    }
    if (rule.op === "add" && isVector(pointer) && pointer.scalar === "f32") {
      return t.report.fail(
        call.span,
        `This language has no atomicAdd on ${cudaName(pointer)}; CUDA has it from compute capability 9.0 on, in global memory.`,
        "It adds each component by itself there, too. Add them one by one to the array of floats: atomicAdd(floats, i, v.x).",
      );
    }
    if (isVector(pointer) || isNarrow(pointer) || !rule.types.includes(pointer)) {
      return t.report.fail(
        call.span,
        `CUDA has no ${call.name} on ${cudaName(pointer)}.`,
        `It exists for arrays of ${rule.types.join(", ")}.`,
      );
    }
    const args = rule.operands.map((name, index) => {
      const operand = argument(call, index + 2);
      const place = { name: `${call.name}'s ${name}`, type: pointer };
      return assignScalar(t.scalar(operand), place, t.span(operand), t.report);
    });
    return plain({
      kind: "atomic",
      op: rule.op,
      type: pointer,
      pointer: place.pointer.expr,
      index: place.index,
      args,
      span: call.span,
    });
  };
}

export const memoryFunctions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ["shared", declareShared(false)],
  ["externShared", declareShared(true)],
  ["local", declareLocal],
  ["volatile", volatileView],
  ["asVector", asVector],
  ...Object.entries(atomics).map(([name, rule]): [string, CallHandler] => [name, atomic(rule)]),
]);
