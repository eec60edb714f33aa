/** How a learner makes kernels and device functions: `kernel(name, declaration, function)` and `device(...)`. */
import { InputError } from "../base/errors.js";
import { placeOf } from "../base/source-place.js";
import { type CudaOptions, cudaKernel } from "../cuda/kernel.js";
import type { KernelIr, Warning } from "../ir/ir.js";
import { compileKernel } from "./compile.js";
import type { Cuda } from "./cuda.js";
import type { Callee, ChildKernel, ConstantInput, DeviceDefinition, KernelDefinition } from "./definition.js";
import type { Long, ScalarType, ValueType } from "./element.js";
import type { DeviceArray, InKernel, KernelParameters, Parameters } from "./parameter.js";

export type Constants = Readonly<Record<string, ConstantInput>>;

/** What `functions` takes: device functions to call and kernels to launch. */
export type Functions = Readonly<Record<string, Callee>>;

/** `i64(5)` is a Long, which is `any` to TypeScript, and so would take every side of a condition. */
type ConstantInKernel<C> = 0 extends C & 1
  ? Long
  : C extends boolean
    ? boolean
    : C extends bigint
      ? Long
      : C extends ValueType
        ? C
        : number;

/** What the third argument of a kernel offers: its constants as numbers, its functions to call. */
export type KernelConstants<C, F> = { [K in keyof C]: ConstantInKernel<C[K]> } & { [K in keyof F]: F[K] };

export interface KernelDeclaration<P, C, F> {
  /** Name and type of each parameter, in the order of the launch: `{ input: ptr(i32), n: i32 }`. */
  readonly params: P;
  /** Template parameters: compiled into the kernel as numbers. `kernel.with({ ... })` makes another instance. */
  readonly constants?: C;
  /** Device functions that the kernel calls, and kernels that it launches. */
  readonly functions?: F;
}

export type KernelFunction<P, C, F> = (
  parameters: KernelParameters<P>,
  cuda: Cuda,
  constants: KernelConstants<C, F>,
) => void;

type InDevice<P> = P extends ScalarType<"bool"> ? boolean : InKernel<P>;

export type DeviceParameters<P> = { [K in keyof P]: InDevice<P[K]> };

type DeviceArgument = number | bigint | boolean | DeviceArray<unknown> | { readonly x: number; readonly y: number };

/** A device function: called inside of kernels, by position or by name. Its result type is that of its returns. */
export interface DeviceFunction<P = Parameters, R = unknown> extends DeviceDefinition {
  (args: DeviceParameters<P>): R;
  (...args: readonly DeviceArgument[]): R;
}

// biome-ignore lint/complexity/noBannedTypes: the type of "no constants" that adds no names.
type None = {};

/**
 * A compiled kernel. Immutable; `with` gives another instance of the template. Its text is compiled when it is made,
 * so that an error shows in the cell that holds the text.
 */
export class Kernel<P extends Parameters = Parameters> implements ChildKernel {
  readonly kind = "kernel";
  readonly name: string;
  readonly spec: KernelDefinition & { readonly params: P };
  readonly ir: KernelIr;

  constructor(spec: KernelDefinition & { readonly params: P }) {
    this.name = spec.name;
    this.spec = Object.freeze(spec);
    this.ir = compileKernel(spec);
  }

  /** Legal things in the text that may surprise, such as comparisons of signed with unsigned. */
  get warnings(): readonly Warning[] {
    return this.ir.warnings;
  }

  /** The kernel as CUDA C++, names kept, with the TypeScript lines as comments; nvcc compiles it. */
  toCuda(options: CudaOptions = {}): string {
    return cudaKernel(this.ir, options).text;
  }

  /** The same kernel with other values of its constants. Throws InputError for a name that is none of them. */
  with(constants: Constants): Kernel<P> {
    const known = Object.keys(this.spec.constants);
    for (const name of Object.keys(constants)) {
      if (!known.includes(name)) {
        throw new InputError({
          what: `Kernel "${this.name}" has no constant ${name}.`,
          cure:
            known.length > 0
              ? `It has ${known.join(", ")}.`
              : `Declare it: kernel(name, { params, constants: { ${name}: 256 } }, ...).`,
        });
      }
    }
    return new Kernel({ ...this.spec, constants: { ...this.spec.constants, ...constants } });
  }
}

function requireName(name: unknown, maker: string): asserts name is string {
  if (typeof name !== "string" || name === "") {
    throw new InputError({
      what: `${maker}(...) was called without a name.`,
      cure: `Write ${maker}("name", { params: { ... } }, ({ ... }) => { ... }).`,
    });
  }
}

/** The text of a function and its declaration, checked as far as JavaScript callers can get them wrong. */
function textOf(maker: string, name: string, declaration: unknown, body: unknown): string {
  const cure = `Write ${maker}("${name}", { params: { input: ptr(i32) } }, ({ input }, { threadIdx }) => { ... }).`;
  if (typeof declaration !== "object" || declaration === null || !("params" in declaration)) {
    throw new InputError({ what: `${maker} "${name}" has no params.`, cure });
  }
  if (typeof body !== "function")
    throw new InputError({ what: `${maker} "${name}" has no function as its third argument.`, cure });
  return Function.prototype.toString.call(body);
}

/**
 * Makes a kernel from the text of `body`, which is compiled and never run as JavaScript. Its three arguments are the
 * parameters, CUDA's words (threadIdx, syncthreads ...) and the constants with device functions.
 * Throws CompileError with the line and the cure where the text is no kernel.
 */
export function kernel<P extends Parameters, C extends Constants = None, F extends Functions = None>(
  name: string,
  declaration: KernelDeclaration<P, C, F>,
  body: KernelFunction<P, C, F>,
): Kernel<P> {
  requireName(name, "kernel");
  const text = textOf("kernel", name, declaration, body);
  const { params, constants = {}, functions = {} } = declaration;
  return new Kernel({ name, text, place: placeOf(text, new Error().stack, name), params, constants, functions });
}

/** Makes a device function from the text of `body`. It is compiled into each kernel that calls it. */
export function device<P extends Parameters, C extends Constants = None, F extends Functions = None, R = void>(
  name: string,
  declaration: KernelDeclaration<P, C, F>,
  body: (parameters: DeviceParameters<P>, cuda: Cuda, constants: KernelConstants<C, F>) => R,
): DeviceFunction<P, R> {
  requireName(name, "device");
  const text = textOf("device", name, declaration, body);
  const { params, constants = {}, functions = {} } = declaration;
  const onHost = (): never => {
    throw new InputError({
      what: `The device function ${name} was called on the host.`,
      cure: `Call it inside of a kernel: functions: { ${name} }, and take it from the kernel's third argument.`,
    });
  };
  const place = placeOf(text, new Error().stack, name);
  const parts = { kind: "device" as const, text, place, params, constants, functions };
  const made = Object.assign(onHost, parts);
  Object.defineProperty(made, "name", { value: name });
  return Object.freeze(made);
}
