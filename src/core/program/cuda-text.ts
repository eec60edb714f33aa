/**
 * CUDA C++ as a language of kernels: cuda`...` gives a text's kernels by name; a template's instances are
 * `name.with({ BLOCK: 256 })`. What runs clang is provided: a thread of Node, or a page's worker.
 */
import { CompileError, InputError, type SourceText } from "../base/errors.js";
import { checkArgument, either, finite, listOf, type Shape, shape, string } from "../base/shape.js";
import { placeOf, type SourcePlace } from "../base/source-place.js";
import { withFile } from "../frontend/cuda-cpp/arguments.js";
import { type CudaInput, checkKernelsOf, compileFile, type RunClang } from "../frontend/cuda-cpp/program.js";
import type { RefusedKernel } from "../frontend/cuda-cpp/to-ir/kernel.js";
import { CudaKernel, CudaTemplate, type CudaText } from "../frontend/cuda-cpp-kernel.js";

let runClang: RunClang = () => {
  throw new InputError({
    what: "CUDA C++ is read by clang, which is not here.",
    cure: 'Import cuda from "warplab" in Node. Kernels in TypeScript need nothing.',
  });
};

/** Says how clang is run from now on. */
export function provideClang(run: RunClang): void {
  runClang = run;
}

/** Kernels and templates of kernels by name. Those that are refused tell the reason when they are asked for. */
export interface CudaKernels {
  readonly [name: string]: CudaKernel & CudaTemplate;
}

const refusals = new WeakMap<object, readonly RefusedKernel[]>();

const kernelsShape: Shape = shape("what cuda`...` or loadCuda gives", (value) => refusals.has(value as object));
/** The texts between the values of a template literal. */
const partsShape: Shape = shape("a text: write cuda`...`", (value) => {
  const raw: unknown = Array.isArray(value) ? (value as { readonly raw?: unknown }).raw : undefined;
  return Array.isArray(raw) && raw.every((part) => typeof part === "string");
});

/** The kernels of a text that this compiler refuses, each with its reason. */
export function refusedKernels(
  kernels: CudaKernels,
): readonly { readonly name: string; readonly reason: CompileError }[] {
  checkArgument("refusedKernels", "kernels", kernels, kernelsShape);
  return refusals.get(kernels)!;
}

/** The largest text that is read. */
const MOST_BYTES = 1 << 20;

export function checkSize(text: string, what: string): void {
  if (text.length <= MOST_BYTES) return;
  throw new InputError({
    what: `${what} has ${text.length} characters.`,
    cure: `Split it: a file of CUDA C++ has ${MOST_BYTES} at most.`,
  });
}

export function kernelsOf(input: CudaInput, text: string): CudaKernels {
  checkKernelsOf(text);
  const file = compileFile(runClang, input);
  const [first] = file.refused;
  if (first !== undefined && file.kernels.length + file.templates.length === 0) throw first.reason;
  const source: CudaText = {
    text,
    symbols: new Map(),
    instantiate: (name, given) => {
      const title = `${name}<${given.join(", ")}>`;
      const more = `${text}\nstatic void* __warplab_instance = (void*)&${title};\n`;
      const made = compileFile(runClang, { ...input, files: withFile(input.files, input.main, more) });
      const before = new Set([...file.kernels, ...file.refused].map((each) => each.name));
      const isAsked = (each: { readonly name: string }): boolean => each.name.startsWith(`${name}<`);
      const isNew = (each: { readonly name: string }): boolean => isAsked(each) && !before.has(each.name);
      const reason = made.refused.find((each) => each.name === name || isNew(each))?.reason;
      if (reason !== undefined) throw reason;
      const wanted = made.kernels.filter(isAsked);
      const found = wanted.find(isNew) ?? wanted.at(-1);
      if (found !== undefined) return found;
      throw new InputError({
        what: `There is no instance ${title}.`,
        cure: "Compare the arguments with the template's parameters.",
      });
    },
  };
  const kernels: Record<string, unknown> = Object.create(null);
  const give = (name: string, value: () => unknown): void => {
    if (!(name in kernels)) Object.defineProperty(kernels, name, { enumerable: true, get: value });
  };
  const templates = new Set(file.templates.map(({ name }) => name));
  for (const each of file.kernels) {
    const made = new CudaKernel(each, source);
    give(each.name, () => made);
  }
  for (const { name, reason } of file.refused) {
    give(name, () => {
      throw reason;
    });
  }
  for (const node of file.templates) {
    const made = new CudaTemplate(node, source);
    if (templates.has(node.name)) give(node.name, () => made);
  }
  refusals.set(kernels, file.refused);
  return Object.freeze(kernels) as CudaKernels;
}

function sourceOf(name: string, text: string, place: SourcePlace | undefined): SourceText {
  return {
    name,
    text,
    firstLine: 1,
    ...(place === undefined ? {} : { where: place.where, ...(place.lines === null ? {} : { lines: place.lines }) }),
  };
}

/**
 * The kernels of a CUDA C++ text: const { reduce } = cuda`__global__ void reduce(...) { ... }`. One that is no C++, or uses
 * what is not there, throws the reason when it is asked for.
 * @throws CompileError with line and cure where no kernel can be used
 */
export function cuda(parts: TemplateStringsArray, ...values: readonly (number | string)[]): CudaKernels {
  checkArgument("cuda", "text", parts, partsShape);
  checkArgument("cuda", "values", values, listOf(either(string, finite)));
  const text = parts.raw.map((part, index) => `${part}${values[index] ?? ""}`).join("");
  checkSize(text, "The text of cuda`...`");
  const { stack } = new Error();
  const source = sourceOf("cuda", text, placeOf(text, stack, "cuda"));
  const kernels = kernelsOf({ main: "kernel.cu", files: { "kernel.cu": text }, source: () => source }, text);
  if (Object.keys(kernels).length === 0) {
    const plain = /^([^\n]*?)\bvoid\s+(\w+)\s*\(/m.exec(text);
    const [, before = "", name = "name"] = plain ?? [];
    const line = text.slice(0, plain?.index ?? 0).split("\n").length;
    throw new CompileError({
      what: "The text has no kernel.",
      cure: `Write __global__ void ${name}(...) { ... }.`,
      source,
      span: { line, column: before.length, length: 1 },
    });
  }
  return kernels;
}

/**
 * The kernels of a text that stands in a file of the name `where`, from a line on; it includes CUDA's own headers alone.
 * @throws CompileError where its kernels are no C++
 */
export function cudaText(text: string, where: string, firstLine: number = 1): CudaKernels {
  checkSize(text, where);
  const lines = lineNumbers(text).map((line) => line + firstLine - 1);
  const source: SourceText = { name: where, text, firstLine: 1, where, lines };
  return kernelsOf({ main: "kernel.cu", files: { "kernel.cu": text }, source: () => source }, text);
}

export function lineNumbers(text: string): readonly number[] {
  return text.split("\n").map((_, index) => index + 1);
}
