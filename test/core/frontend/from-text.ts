/** Kernels from statements given as text, so that no test runner rewrites what the front end reads. */
import { CompileError } from "../../../src/core/base/errors.js";
import { compileKernel } from "../../../src/core/frontend/compile.js";
import type { Callee, ConstantInput } from "../../../src/core/frontend/declare/definition.js";
import { f32, f64, float4, i32, i64, int2, u32, u64 } from "../../../src/core/frontend/declare/element.js";
import type { FormName } from "../../../src/core/frontend/declare/form.js";
import type { Parameters } from "../../../src/core/frontend/declare/parameter.js";
import { ptr, volatile } from "../../../src/core/frontend/declare/parameter.js";
import { builtinNames } from "../../../src/core/frontend/translate/calls/builtins.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { printBody, printKernel } from "../../../src/core/ir/print.js";
import { verifyIr } from "../../../src/core/ir/verify-ir.js";

/** Parameters of every kernel made here: arrays of each type, and scalars. */
export const params: Parameters = {
  input: ptr(i32),
  output: ptr(i32),
  words: ptr(u32),
  floats: ptr(f32),
  doubles: ptr(f64),
  longs: ptr(i64),
  vectors: ptr(float4),
  pairs: ptr(int2),
  vol: volatile(ptr(i32)),
  n: i32,
  u: u32,
  x: f32,
  d: f64,
  l: i64,
  ul: u64,
};

export interface Surroundings {
  /** Long unless told. */
  readonly form?: FormName;
  readonly constants?: Readonly<Record<string, ConstantInput>>;
  readonly functions?: Readonly<Record<string, Callee>>;
}

/** A kernel whose body is `statements`, which begin on line 2. Checked by the IR's validator. */
export function kernelOf(statements: string, { constants = {}, functions = {} }: Surroundings = {}): KernelIr {
  const names = [...Object.keys(constants), ...Object.keys(functions)];
  const used = builtinNames().filter((name) => new RegExp(`(?<![.\\w])${name}\\b`).test(statements));
  const text = `({ ${Object.keys(params).join(", ")} }, { ${used.join(", ")} }, { ${names.join(", ")} }) => {\n${statements}\n}`;
  return compiled(text, { constants, functions });
}

/** A kernel from its whole text. */
export function compiled(
  text: string,
  { constants = {}, functions = {}, form = "long" }: Surroundings = {},
  name = "k",
): KernelIr {
  const ir = compileKernel({ name, text, params, constants, functions, form });
  const problems = verifyIr(ir);
  if (problems.length > 0) throw new Error(`${printKernel(ir)}\n${problems.join("\n")}`);
  return ir;
}

/** The IR of statements as text. */
export function bodyOf(statements: string, surroundings: Surroundings = {}): string {
  return printBody(kernelOf(statements, surroundings));
}

/** The IR of one expression, as it is stored into an array of its type: what stands right of the `=`. */
export function resultOf(expression: string, surroundings: Surroundings = {}): string {
  const lines = bodyOf(`const result = ${expression};`, surroundings).split("\n");
  const last = lines.at(-1) ?? "";
  return last.replace(/^let result(: .*?) = /, (_, type: string) => `${type.slice(2)} `);
}

export interface Refused {
  readonly line: number;
  /** The text under the caret. */
  readonly marked: string;
  readonly what: string;
  readonly cure: string;
  readonly message: string;
}

/** The front end's error for a text that it refuses. */
export function refused(make: () => unknown): Refused {
  try {
    make();
  } catch (error) {
    if (!(error instanceof CompileError)) throw error;
    const { span, source, what, cure, message } = error;
    const line = source?.text.split("\n")[(span?.line ?? 0) - 1] ?? "";
    const marked = span === undefined ? "" : line.slice(span.column, span.column + span.length);
    return { line: span?.line ?? 0, marked, what, cure, message };
  }
  throw new Error("The text was accepted.");
}
