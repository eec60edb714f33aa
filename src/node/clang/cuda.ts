/** The kernels of a .cu file. clang runs in a thread here (clang.ts). */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { InputError, type SourceText } from "../../core/base/errors.js";
import { checkArgument, checkOptions, optional, string } from "../../core/base/shape.js";
import { type Tree, withFile } from "../../core/frontend/cuda-cpp/arguments.js";
import { type CudaKernels, checkSize, kernelsOf, lineNumbers, provideClang } from "../../core/program/cuda-text.js";
import { compileWithClang } from "./clang.js";

provideClang(compileWithClang);

export { type CudaKernels, cuda, cudaText, refusedKernels } from "../../core/program/cuda-text.js";

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
  const kernels = kernelsOf({ main, files, source }, text);
  if (Object.keys(kernels).length === 0)
    throw new InputError({
      what: `${path} has no kernel.`,
      cure: "Name a file of CUDA C++ with a __global__ function.",
    });
  return kernels;
}
