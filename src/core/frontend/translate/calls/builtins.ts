/** Every word of the language, and what it stands for. */
import { narrowed } from "../../../ir/narrowed.js";
import { isNarrow, isVector, type VectorType } from "../../../ir/types.js";
import { typeNamed } from "../../declare/element.js";
import { memoryFunctions } from "../memory.js";
import type { CallHandler } from "../translator.js";
import { assign, convertTo } from "../values/convert.js";
import { constant } from "../values/fold.js";
import { plain, type Value } from "../values/value.js";
import { argument, requireCount } from "./arguments.js";
import { bitFunctions } from "./bits.js";
import { groupFunctions, groupOperators } from "./groups.js";
import { mathFunctions } from "./math.js";
import { warpFunctions } from "./warp.js";

/** `i32(x)` and the like: CUDA's cast. */
export const cast: CallHandler = (t, call) => {
  const type = typeNamed(call.name);
  if (type === undefined) throw new Error(`${call.name} is no type`);
  if (isVector(type)) {
    return t.report.fail(
      call.span,
      `${call.name} is no function.`,
      `Build the vector: ${vectorForm(call.name, type)}.`,
    );
  }
  requireCount(t, call, 1, 1, `${call.name}(x)`);
  const value = t.scalar(argument(call, 0));
  if (type === "bool" && value.type !== "bool") {
    return t.report.fail(call.span, "bool(...) is no cast of the language.", "Write the comparison: x !== 0.");
  }
  if (isNarrow(type)) return plain(narrowed(convertTo(value, "i32"), type));
  const converted = convertTo(value, type);
  // A cast fixes the type: a cast literal no longer takes the precision of its neighbours.
  return plain(converted.kind === "const" ? constant(type, converted.value, call.span) : converted);
};

function vectorForm(name: string, { lanes }: VectorType): string {
  return `make_${name}(${["x", "y", "z", "w"].slice(0, lanes).join(", ")})`;
}

function makeVector(name: string): CallHandler {
  const type = typeNamed(name);
  if (type === undefined || !isVector(type)) throw new Error(`${name} is no vector type`);
  return (t, call) => {
    requireCount(t, call, type.lanes, type.lanes, vectorForm(name, type));
    const components = call.args.map((node) =>
      assign(t.expr(node), { name: `a component of ${name}`, type: type.scalar }, t.span(node), t.report),
    );
    return plain({ kind: "makeVector", type, components, span: call.span });
  };
}

const standAlone: CallHandler = (t, call) =>
  t.report.fail(
    call.span,
    `${call.name} gives no value.`,
    call.name === "unroll"
      ? "Make it the first statement of a loop's body: for (...) { unroll(4); ... }."
      : `Write ${call.name}(...) as a statement of its own.`,
  );

const vectorNames = ["int2", "int4", "uint2", "uint4", "float2", "float4", "double2"];

const functions: ReadonlyMap<string, CallHandler> = new Map<string, CallHandler>([
  ...mathFunctions,
  ...bitFunctions,
  ...warpFunctions,
  ...memoryFunctions,
  ...groupFunctions,
  ...vectorNames.map((name): [string, CallHandler] => [`make_${name}`, makeVector(name)]),
  ...["printf", "unroll", "launch"].map((name): [string, CallHandler] => [name, standAlone]),
]);

/** The handler of a call by its word. */
export function builtinFunction(name: string): CallHandler | undefined {
  return functions.get(name);
}

/** The meaning of a word; undefined where the language has no such word. */
export function builtinValue(name: string): Value | undefined {
  if (name === "threadIdx" || name === "blockIdx" || name === "blockDim" || name === "gridDim")
    return { kind: "dim3", name };
  if (name === "warpSize")
    return plain({ kind: "intrinsic", name, type: "i32", args: [], span: { line: 1, column: 0, length: 1 } });
  if (name === "self") return { kind: "child", kernel: "self" };
  const operator = groupOperators.get(name);
  if (operator !== undefined) return { kind: "operator", operator };
  const type = typeNamed(name);
  if (type !== undefined) return { kind: "type", type };
  return functions.has(name) ? { kind: "builtin", name } : undefined;
}

const plainWords = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "self"];
const typeWords = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", ...vectorNames];

/** Every word, for messages. */
export function builtinNames(): readonly string[] {
  return [...plainWords, ...typeWords, ...groupOperators.keys(), ...functions.keys()];
}
