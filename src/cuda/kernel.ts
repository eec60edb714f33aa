/** A kernel as readable CUDA C++: shared arrays, device functions and the body, with the learner's names. */
import type { DeviceFunction, KernelIr } from "../ir/ir.js";
import { cudaName } from "../ir/types.js";
import { PRELUDE_FUNCTIONS, type Scope } from "./expression.js";
import { bodyLines } from "./statement.js";
import { NameTable } from "./type-names.js";

export interface CudaOptions {
  /** The TypeScript lines as comments; on unless told otherwise. */
  readonly comments?: boolean;
}

export interface CudaKernelText {
  /** The `__global__` function's name. */
  readonly name: string;
  readonly text: string;
}

function scopeOf(ir: KernelIr, names: NameTable): Scope & { readonly kernel: string; readonly dynamicBlock: string } {
  return {
    kernel: names.claim(ir.name),
    dynamicBlock: names.claim("dynamic_shared"),
    functions: ir.functions.map((fn) => names.claim(fn.name)),
    params: ir.params.map((param) => names.claim(param.name)),
    shared: ir.sharedArrays.map((array) => names.claim(array.name)),
    local: ir.localArrays.map((array) => names.claim(array.name)),
    variables: ir.variables.map((variable) => names.claim(variable.name)),
  };
}

/** Shared arrays are declared in the kernel; a device function that names one directly gets it by file scope. */
function sharedLines(ir: KernelIr, scope: Scope & { readonly dynamicBlock: string }): readonly string[] {
  const lines: string[] = [];
  const dynamic = ir.sharedArrays.some((array) => array.dims === null);
  if (dynamic) lines.push(`extern __shared__ __align__(16) unsigned char ${scope.dynamicBlock}[];`);
  ir.sharedArrays.forEach((array, index) => {
    const type = `${array.volatile ? "volatile " : ""}${cudaName(array.element)}`;
    const name = scope.shared[index];
    if (array.dims === null) lines.push(`#define ${name} ((${type}*)${scope.dynamicBlock})`);
    else lines.push(`__shared__ ${type} ${name}[${array.dims.reduce((product, dim) => product * dim, 1)}];`);
  });
  return lines;
}

function functionText(fn: DeviceFunction, index: number, ir: KernelIr, scope: Scope, comments: boolean): string {
  const params = fn.params.map((id) => {
    const variable = ir.variables[id];
    return variable === undefined ? "?" : `${cudaName(variable.type)} ${scope.variables[id]}`;
  });
  const returns = fn.returns === "void" ? "void" : cudaName(fn.returns);
  const lines = bodyLines(fn.body, { ir, scope, source: fn.source, comments });
  return `__device__ __forceinline__ ${returns} ${scope.functions[index]}(${params.join(", ")}) {\n${lines.join("\n")}\n}`;
}

/** CUDA C++ of one kernel, to be compiled as it stands after `#include <cuda_runtime.h>`, `<cmath>` and `<cstdio>`. */
export function cudaKernel(ir: KernelIr, options: CudaOptions = {}): CudaKernelText {
  const comments = options.comments ?? true;
  const scope = scopeOf(ir, new NameTable());
  const params = ir.params.map((param, index) => `${cudaName(param.type)} ${scope.params[index]}`);
  const functions = ir.functions.map((fn, index) => functionText(fn, index, ir, scope, comments));
  const locals = ir.localArrays.map((array, index) => {
    const length = array.dims.reduce((product, dim) => product * dim, 1);
    return `  ${cudaName(array.element)} ${scope.local[index]}[${length}] = {};`;
  });
  const body = bodyLines(ir.body, { ir, scope, source: ir.source, comments });
  const kernel = [`extern "C" __global__ void ${scope.kernel}(${params.join(", ")}) {`, ...locals, ...body, "}"].join(
    "\n",
  );
  const shared = sharedLines(ir, scope).join("\n");
  const parts = [...functions, kernel];
  const prelude = Object.entries(PRELUDE_FUNCTIONS)
    .filter(([name]) => parts.some((part) => new RegExp(`\\b${name}\\b`).test(part)))
    .map(([, text]) => text);
  if (parts.some((part) => part.includes("cooperative_groups::"))) prelude.unshift("#include <cooperative_groups.h>");
  const text = [...prelude, shared, ...parts].filter((part) => part !== "").join("\n\n");
  return { name: scope.kernel, text: `${text}\n` };
}
