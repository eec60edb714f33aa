/**
 * CUDA C++ as a language of kernels: cuda`...` for a text, `loadCuda` for a file. Both give its kernels by name; a template's
 * instances are `name.with({ BLOCK: 256 })`.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { CompileError, InputError, type SourceText } from "../../core/base/errors.js";
import {
  checkArgument,
  checkOptions,
  either,
  finite,
  listOf,
  optional,
  type Shape,
  shape,
  string,
} from "../../core/base/shape.js";
import { placeOf, type SourcePlace } from "../../core/base/source-place.js";
import { type Tree, withFile } from "../../core/frontend/cuda-cpp/arguments.js";
import { type CudaInput, checkKernelsOf, compileFile } from "../../core/frontend/cuda-cpp/program.js";
import type { RefusedKernel } from "../../core/frontend/cuda-cpp/to-ir/kernel.js";
import { CudaKernel, CudaTemplate, type CudaText } from "../../core/frontend/cuda-cpp-kernel.js";
import { compileWithClang } from "./clang.js";

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

function checkSize(text: string, what: string): void {
  if (text.length <= MOST_BYTES) return;
  throw new InputError({
    what: `${what} has ${text.length} characters.`,
    cure: `Split it: a file of CUDA C++ has ${MOST_BYTES} at most.`,
  });
}

function kernelsOf(input: CudaInput, text: string): CudaKernels {
  checkKernelsOf(text);
  const file = compileFile(compileWithClang, input);
  const [first] = file.refused;
  if (first !== undefined && file.kernels.length + file.templates.length === 0) throw first.reason;
  const source: CudaText = {
    text,
    symbols: new Map(),
    instantiate: (name, given) => {
      const title = `${name}<${given.join(", ")}>`;
      const more = `${text}\nstatic void* __warplab_instance = (void*)&${title};\n`;
      const made = compileFile(compileWithClang, { ...input, files: withFile(input.files, input.main, more) });
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

/** The files that a text includes by "...", below its folder. */
function included(folder: string, text: string, at: string, files: Map<string, string>): void {
  for (const [, name = ""] of text.matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)) {
    const path = join(folder, at, name);
    const inside = relative(folder, path);
    if (inside.startsWith("..")) {
      throw new InputError({
        what: `"${name}" is included from outside of the folder of the file.`,
        cure: `Copy it into that folder, or name a folder around both: loadCuda(path, { root: ".." }).`,
      });
    }
    if (files.has(inside) || !existsSync(path) || !statSync(path).isFile()) continue;
    const inner = readFileSync(path, "utf8");
    checkSize(inner, name);
    files.set(inside, inner);
    included(folder, inner, dirname(inside), files);
  }
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

export interface LoadOptions {
  /** The folder whose files may be included; that of the file itself unless told otherwise. */
  readonly root?: string;
}

/**
 * The kernels of a .cu file. Its host part is parsed and left out; kernels that are refused throw the reason when they are asked
 * for, and `refusedKernels` lists them.
 * @throws CompileError where no kernel of the file can be used; InputError where there is no such file
 */
export function loadCuda(path: string, options: LoadOptions = {}): CudaKernels {
  checkArgument("loadCuda", "path", path, string);
  checkOptions<LoadOptions>("loadCuda", options, { root: optional(string) });
  if (!existsSync(path) || !statSync(path).isFile())
    throw new InputError({ what: `There is no file ${path}.`, cure: "Give the path of a .cu file." });
  const text = readFileSync(path, "utf8");
  checkSize(text, path);
  const root = options.root ?? dirname(path);
  const main = relative(root, path).replaceAll("\\", "/");
  if (main.startsWith(".."))
    throw new InputError({ what: `${path} lies outside of ${root}.`, cure: "Give a folder around the file as root." });
  const found = new Map([[main, text]]);
  included(root, text, dirname(main), found);
  let files: Tree = {};
  for (const [name, content] of found) files = withFile(files, name.replaceAll("\\", "/"), content);
  const source = (file: string): SourceText => {
    const own = file.replace(/^\.\//, "");
    return {
      name: own,
      text: found.get(own) ?? "",
      firstLine: 1,
      where: own,
      lines: lineNumbers(found.get(own) ?? ""),
    };
  };
  return kernelsOf({ main, files, source }, text);
}

function lineNumbers(text: string): readonly number[] {
  return text.split("\n").map((_, index) => index + 1);
}
