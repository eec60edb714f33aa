/** A kernel as readable CUDA C++: shared arrays, device functions and the body, with the learner's names. */
import type { DeviceFunction, KernelIr, Stmt } from "../ir/ir.js";
import { cudaName, isPointer, type Type } from "../ir/types.js";
import { nestedLists } from "../ir/walk.js";
import { elementName, PRELUDE_FUNCTIONS, type Scope } from "./expression.js";
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

type KernelScope = Scope & { readonly dynamicBlock: string };

function declared(type: Type): string | null {
  return isPointer(type) ? elementName(type.pointer, type.volatile) : null;
}

function declaredVariables(body: readonly Stmt[]): readonly number[] {
  return body.flatMap((stmt) => [
    ...(stmt.kind === "declare" ? [stmt.variable] : []),
    ...nestedLists(stmt).flatMap(declaredVariables),
  ]);
}

/** Names of all variables: those of a device function in a scope of their own. */
function variableNames(ir: KernelIr, own: NameTable, outer: NameTable): readonly string[] {
  const tables = new Map<number, NameTable>();
  for (const fn of ir.functions) {
    const table = outer.nested();
    for (const id of fn.params) tables.set(id, table);
    for (const id of declaredVariables(fn.body)) tables.set(id, table);
  }
  return ir.variables.map((variable, id) => (tables.get(id) ?? own).claim(variable.name));
}

function scopeOf(ir: KernelIr, names: NameTable, children: readonly string[]): KernelScope {
  const own = names.nested();
  return {
    self: names.claim(ir.name),
    children,
    functions: ir.functions.map((fn) => names.claim(fn.name)),
    dynamicBlock: own.claim("dynamic_shared"),
    params: ir.params.map((param) => own.claim(param.name)),
    shared: ir.sharedArrays.map((array) => own.claim(array.name)),
    local: ir.localArrays.map((array) => own.claim(array.name)),
    variables: variableNames(ir, own, names),
    elements: {
      params: ir.params.map((param) => declared(param.type)),
      variables: ir.variables.map((variable) => declared(variable.type)),
      shared: ir.sharedArrays.map((array) => elementName(array.element, array.volatile)),
      local: ir.localArrays.map((array) => elementName(array.element, false)),
    },
  };
}

/** Declared at the head of the kernel. Device functions get arrays by pointer, so none needs file scope. */
function sharedLines(ir: KernelIr, scope: KernelScope): readonly string[] {
  const lines: string[] = [];
  if (ir.sharedArrays.some((array) => array.dims === null)) {
    lines.push(`  extern __shared__ __align__(16) unsigned char ${scope.dynamicBlock}[];`);
  }
  ir.sharedArrays.forEach((array, index) => {
    const type = elementName(array.element, array.volatile);
    const name = scope.shared[index];
    if (array.dims === null) lines.push(`  ${type}* ${name} = (${type}*)${scope.dynamicBlock};`);
    else lines.push(`  __shared__ ${type} ${name}[${array.dims.reduce((product, dim) => product * dim, 1)}];`);
  });
  return lines;
}

function functionText(fn: DeviceFunction, index: number, ir: KernelIr, scope: KernelScope, comments: boolean): string {
  const params = fn.params.map((id) => {
    const variable = ir.variables[id];
    return variable === undefined ? "?" : `${cudaName(variable.type)} ${scope.variables[id]}`;
  });
  const returns = fn.returns === "void" ? "void" : cudaName(fn.returns);
  const lines = bodyLines(fn.body, { ir, scope, source: fn.source, comments });
  return `__device__ __forceinline__ ${returns} ${scope.functions[index]}(${params.join(", ")}) {\n${lines.join("\n")}\n}`;
}

function kernelParts(ir: KernelIr, names: NameTable, comments: boolean, parts: string[]): string {
  const children = (ir.children ?? []).map((child) => kernelParts(child, names, comments, parts));
  const scope = scopeOf(ir, names, children);
  ir.functions.forEach((fn, index) => {
    parts.push(functionText(fn, index, ir, scope, comments));
  });
  const params = ir.params.map((param, index) => `${cudaName(param.type)} ${scope.params[index]}`);
  const locals = ir.localArrays.map((array, index) => {
    const length = array.dims.reduce((product, dim) => product * dim, 1);
    return `  ${cudaName(array.element)} ${scope.local[index]}[${length}] = {};`;
  });
  const body = bodyLines(ir.body, { ir, scope, source: ir.source, comments });
  const head = `extern "C" __global__ void ${scope.self}(${params.join(", ")}) {`;
  parts.push([head, ...sharedLines(ir, scope), ...locals, ...body, "}"].join("\n"));
  return scope.self;
}

/** CUDA C++ of one kernel with what it calls and launches; needs `<cuda_runtime.h>`, `<cmath>` and `<cstdio>` before it. */
export function cudaKernel(ir: KernelIr, options: CudaOptions = {}): CudaKernelText {
  const parts: string[] = [];
  const name = kernelParts(ir, new NameTable(), options.comments ?? true, parts);
  const prelude = Object.entries(PRELUDE_FUNCTIONS)
    .filter(([helper]) => parts.some((part) => new RegExp(`\\b${helper}\\b`).test(part)))
    .map(([, text]) => text);
  if (parts.some((part) => part.includes("cooperative_groups::"))) prelude.unshift("#include <cooperative_groups.h>");
  return { name, text: `${[...prelude, ...parts].join("\n\n")}\n` };
}
