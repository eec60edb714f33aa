/** How a learner makes kernels and device functions: `kernel(name, parameters, function)` and `device(...)`. */
import { InputError } from "../base/errors.js";
import { placeOf } from "../base/source-place.js";
import { type CudaOptions, cudaKernel } from "../cuda/kernel.js";
import type { KernelIr, Warning } from "../ir/ir.js";
import { compileKernel } from "./compile.js";
import type { Cuda } from "./cuda.js";
import type {
  ArgumentOrder,
  Callee,
  ChildKernel,
  ConstantInput,
  DeviceDefinition,
  KernelDefinition,
} from "./definition.js";
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
    // What the text calls by name stays what it was when the kernel was made, for other instances too.
    const taken: Record<string, Callee> = {};
    const callee = (name: string): Callee | undefined => {
      const found = made.get(name);
      if (found !== undefined) taken[name] = found;
      return found;
    };
    this.ir = compileKernel({ ...spec, known: { callee, names: () => made.keys() } });
    this.spec = Object.freeze({ ...spec, functions: Object.freeze({ ...spec.functions, ...taken }) });
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
              : `Declare it: kernel(name, { input: ptr(i32) }, { ${name}: 256 }, ({ input }, { ${name}, ... }) => { ... }).`,
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
      cure: `Write ${maker}("name", { input: ptr(i32) }, ({ input }) => { ... }).`,
    });
  }
}

/** Device functions and kernels made in the short form, the last one of each name. */
const made: Map<string, Callee> = new Map();

/** What was given to `kernel` or `device` after the name, in one form. */
interface Given {
  readonly text: string;
  readonly params: Parameters;
  readonly constants: Constants;
  readonly functions: Functions;
  readonly argumentOrder?: ArgumentOrder;
  readonly short: boolean;
}

/** `{ params: { ... } }` of the long form; a parameter that is called params is a type. */
function isDeclaration(given: object): given is KernelDeclaration<Parameters, Constants, Functions> {
  if (!("params" in given)) return false;
  const { params } = given;
  return typeof params === "object" && params !== null && !("kind" in params || "type" in params);
}

/** Reads both forms, as far as JavaScript callers can get them wrong. */
function read(maker: string, name: string, rest: readonly unknown[]): Given {
  const cure = `Write ${maker}("${name}", { input: ptr(i32) }, ({ input }) => { ... }).`;
  const [first, ...others] = rest;
  const body = others.at(-1);
  if (typeof first !== "object" || first === null)
    throw new InputError({ what: `${maker} "${name}" has no parameters.`, cure });
  if (typeof body !== "function")
    throw new InputError({ what: `${maker} "${name}" has no function as its last argument.`, cure });
  const text = Function.prototype.toString.call(body);
  if (isDeclaration(first)) {
    const { params, constants = {}, functions = {} } = first;
    return { text, params, constants, functions, short: false };
  }
  const params = first as Parameters;
  if (others.length < 2) return { text, params, constants: {}, functions: {}, short: true };
  const constants = others[0];
  if (typeof constants !== "object" || constants === null)
    throw new InputError({
      what: `${maker} "${name}" has no template constants between its parameters and its function.`,
      cure: `Write ${maker}("${name}", { input: ptr(i32) }, { BLOCK: 256 }, ({ input }, { BLOCK }) => { ... }).`,
    });
  return {
    text,
    params,
    constants: constants as Constants,
    functions: {},
    argumentOrder: ["params", "constants"],
    short: true,
  };
}

/**
 * Makes a kernel from the text of its function, which is compiled and never run as JavaScript. CUDA's words are imported
 * names, device functions are known by theirs: the kernel takes the one of each name that was made last.
 * @param name CUDA's name of it, and what other kernels launch it by
 * @param params name and type of each parameter, in the order of the launch
 * @throws CompileError with line, caret and cure where the text is no kernel
 * @example
 * const double = kernel("double", { data: ptr(i32) }, ({ data }) => {
 *   data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
 * });
 */
export function kernel<P extends Parameters, C extends Constants = None, F extends Functions = None>(
  name: string,
  declaration: KernelDeclaration<P, C, F>,
  body: KernelFunction<P, C, F>,
): Kernel<P>;
/** With template constants: `kernel("sum", { input: ptr(i32) }, { BLOCK: 256 }, ({ input }, { BLOCK }) => { ... })`. */
export function kernel<P extends Parameters, C extends Constants>(
  name: string,
  params: P,
  constants: C,
  body: (parameters: KernelParameters<P>, constants: KernelConstants<C, None>) => void,
): Kernel<P>;
export function kernel<P extends Parameters>(
  name: string,
  params: P,
  body: (parameters: KernelParameters<P>, cuda: Cuda) => void,
): Kernel<P>;
export function kernel(name: string, ...rest: readonly unknown[]): Kernel {
  requireName(name, "kernel");
  const { short, ...given } = read("kernel", name, rest);
  const compiled = new Kernel({ name, place: placeOf(given.text, new Error().stack, name), ...given });
  if (short) made.set(name, compiled);
  return compiled;
}

/**
 * Makes a device function from the text of its function. It is compiled into each kernel that calls it by its name.
 * @example
 * const square = device("square", { x: f32 }, ({ x }) => x * x);
 */
export function device<P extends Parameters, C extends Constants = None, F extends Functions = None, R = void>(
  name: string,
  declaration: KernelDeclaration<P, C, F>,
  body: (parameters: DeviceParameters<P>, cuda: Cuda, constants: KernelConstants<C, F>) => R,
): DeviceFunction<P, R>;
/** With template constants: `device("last", { data: sharedPtr(i32) }, { BLOCK: 256 }, ({ data }, { BLOCK }) => ...)`. */
export function device<P extends Parameters, C extends Constants, R = void>(
  name: string,
  params: P,
  constants: C,
  body: (parameters: DeviceParameters<P>, constants: KernelConstants<C, None>) => R,
): DeviceFunction<P, R>;
export function device<P extends Parameters, R = void>(
  name: string,
  params: P,
  body: (parameters: DeviceParameters<P>, cuda: Cuda) => R,
): DeviceFunction<P, R>;
export function device(name: string, ...rest: readonly unknown[]): DeviceFunction {
  requireName(name, "device");
  const { short, ...given } = read("device", name, rest);
  const onHost = (): never => {
    throw new InputError({
      what: `The device function ${name} was called on the host.`,
      cure: `Call it inside of a kernel, by its name: ${name}(...).`,
    });
  };
  const place = placeOf(given.text, new Error().stack, name);
  const fn = Object.assign(onHost, { kind: "device" as const, place, ...given });
  Object.defineProperty(fn, "name", { value: name });
  if (short) made.set(name, fn);
  return Object.freeze(fn);
}
