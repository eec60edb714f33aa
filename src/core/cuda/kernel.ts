/** A kernel as readable CUDA C++: shared arrays, device functions and the body, with the learner's names. */
import { placeText } from "../base/errors.js";
import type { DeviceFunction, Expr, KernelIr, Stmt } from "../ir/ir.js";
import { cudaName, isPointer, type Type } from "../ir/types.js";
import { expressionsOf, nestedLists, operands } from "../ir/walk.js";
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

/** Arrays that a function's own statements name; what it is given by pointer is not among them. */
function namedArrays(body: readonly Stmt[]): {
  readonly shared: ReadonlySet<number>;
  readonly local: ReadonlySet<number>;
} {
  const named = { shared: new Set<number>(), local: new Set<number>() };
  const expression = (expr: Expr): void => {
    if (expr.kind === "pointer" && expr.root.kind === "shared") named.shared.add(expr.root.array);
    if (expr.kind === "pointer" && expr.root.kind === "local") named.local.add(expr.root.array);
    for (const operand of operands(expr)) expression(operand);
  };
  const list = (stmts: readonly Stmt[]): void => {
    for (const stmt of stmts) {
      for (const expr of expressionsOf(stmt)) expression(expr);
      for (const inner of nestedLists(stmt)) list(inner);
    }
  };
  list(body);
  return named;
}

/** The arrays that `body` names, for the head of its function: each is declared where the learner declared it. */
function arrayLines(body: readonly Stmt[], ir: KernelIr, scope: KernelScope): readonly string[] {
  const named = namedArrays(body);
  const lines: string[] = [];
  const length = (dims: readonly number[]): number => dims.reduce((product, dim) => product * dim, 1);
  if (ir.sharedArrays.some((array, index) => array.dims === null && named.shared.has(index))) {
    lines.push(`  extern __shared__ __align__(16) unsigned char ${scope.dynamicBlock}[];`);
  }
  ir.sharedArrays.forEach((array, index) => {
    if (!named.shared.has(index)) return;
    const type = elementName(array.element, array.volatile);
    const name = scope.shared[index];
    if (array.dims === null) lines.push(`  ${type}* ${name} = (${type}*)${scope.dynamicBlock};`);
    else lines.push(`  __shared__ ${type} ${name}[${length(array.dims)}];`);
  });
  ir.localArrays.forEach((array, index) => {
    if (!named.local.has(index)) return;
    lines.push(`  ${cudaName(array.element)} ${scope.local[index]}[${length(array.dims)}] = {};`);
  });
  return lines;
}

function functionText(fn: DeviceFunction, index: number, ir: KernelIr, scope: KernelScope, comments: boolean): string {
  const params = fn.params.map((id) => {
    const variable = ir.variables[id];
    return variable === undefined ? "?" : `${cudaName(variable.type)} ${scope.variables[id]}`;
  });
  const returns = fn.returns === "void" ? "void" : cudaName(fn.returns);
  const body = bodyLines(fn.body, { ir, scope, source: fn.source, comments });
  const lines = [...arrayLines(fn.body, ir, scope), ...body];
  const where = `${fn.source.where === undefined ? "" : ` (${placeText(fn.source, 1)})`}`;
  const note = fn.byName && comments ? `// ${fn.name}: as defined last when this kernel was made${where}\n` : "";
  return `${note}__device__ __forceinline__ ${returns} ${scope.functions[index]}(${params.join(", ")}) {\n${lines.join("\n")}\n}`;
}

function kernelParts(ir: KernelIr, names: NameTable, comments: boolean, parts: string[]): string {
  const children = (ir.children ?? []).map((child) => kernelParts(child, names, comments, parts));
  const scope = scopeOf(ir, names, children);
  ir.functions.forEach((fn, index) => {
    parts.push(functionText(fn, index, ir, scope, comments));
  });
  const params = ir.params.map((param, index) => `${cudaName(param.type)} ${scope.params[index]}`);
  const body = bodyLines(ir.body, { ir, scope, source: ir.source, comments });
  const head = `extern "C" __global__ void ${scope.self}(${params.join(", ")}) {`;
  parts.push([head, ...arrayLines(ir.body, ir, scope), ...body, "}"].join("\n"));
  return scope.self;
}

/** CUDA C++ of one kernel with what it calls and launches; needs `<cuda_runtime.h>`, `<cmath>` and `<cstdio>` before it. */
export function cudaKernel(ir: KernelIr, options: CudaOptions = {}): CudaKernelText {
  const parts: string[] = [];
  const names = new NameTable();
  const comments = options.comments ?? true;
  const name = kernelParts(ir, names, comments, parts);
  if (comments) {
    const changed = [...names.changed].map(
      ([own, other]) => `// ${own} is a name of C++ or of CUDA's headers: ${other} here.`,
    );
    if (changed.length > 0) parts.unshift(changed.join("\n"));
  }
  const prelude = Object.entries(PRELUDE_FUNCTIONS)
    .filter(([helper]) => parts.some((part) => new RegExp(`\\b${helper}\\b`).test(part)))
    .map(([, text]) => text);
  if (parts.some((part) => part.includes("cooperative_groups::"))) prelude.unshift("#include <cooperative_groups.h>");
  return { name, text: `${[...prelude, ...parts].join("\n\n")}\n` };
}
