/** How a learner makes kernels and device functions, in the short form and in the long one (form.ts). */
import { InputError } from "../base/errors.js";
import {
  anything,
  boolean,
  checkArgument,
  checkOptions,
  finite,
  listOf,
  objectWith,
  oneOf,
  optional,
  orNull,
  recordOf,
  type Shape,
  shape,
  string,
} from "../base/shape.js";
import { isOwnCall, placeOf, type SourcePlace } from "../base/source-place.js";
import { summarized } from "../base/summary.js";
import { type CudaOptions, cudaKernel } from "../cuda/kernel.js";
import type { KernelIr, Warning } from "../ir/ir.js";
import { type CompiledKernel, compileWithNames } from "./compile.js";
import {
  type Callee,
  type ChildKernel,
  type ConstantInput,
  callees,
  type DeviceDefinition,
  isCallee,
  type KernelDefinition,
} from "./declare/definition.js";
import { defineDevice, defineKernel } from "./declare/definitions.js";
import { isValueType, type Long, type ScalarType, TypedConstant, type ValueType } from "./declare/element.js";
import { type FormName, forms } from "./declare/form.js";
import {
  type DeviceArray,
  type InKernel,
  isParameter,
  type KernelParameters,
  type Parameters,
} from "./declare/parameter.js";
import { textOf } from "./text/kept-text.js";
import type { Cuda } from "./words/long-form.js";

export type Constants = Readonly<Record<string, ConstantInput>>;

/** Device functions to call and kernels to launch. */
export type Functions = Readonly<Record<string, Callee>>;

/** The constants of a kernel in its short form; device functions and kernels may stand among them. */
export type Template = Readonly<Record<string, ConstantInput | Callee>>;

/** `i64(5)` is a Long, which is `any` to TypeScript, and so would take every side of a condition. */
type ConstantInKernel<C> = 0 extends C & 1
  ? Long
  : C extends boolean
    ? boolean
    : C extends bigint
      ? Long
      : C extends ValueType | Callee
        ? C
        : number;

/** The third argument of a kernel: its constants as numbers, its functions to call. */
export type KernelConstants<C, F> = { [K in keyof C]: ConstantInKernel<C[K]> } & { [K in keyof F]: F[K] };

/** The constants inside a kernel of the short form. */
export type TemplateInKernel<T> = { [K in keyof T]: ConstantInKernel<T[K]> };

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

  /** Whether a value is a kernel, and nothing that only looks like one. */
  static is(value: unknown): value is Kernel {
    return isCallee(value) && value.kind === "kernel";
  }

  /** `compiled`: what another language's compiler has made of the text. */
  constructor(spec: KernelDefinition & { readonly params: P }, compiled?: CompiledKernel) {
    checkArgument("new Kernel", "spec", spec, definitionShape);
    this.name = spec.name;
    callees.add(this);
    const { ir, named } = compiled ?? compileWithNames(spec);
    // Its names as they were read: one that is defined later changes no other instance.
    this.spec = Object.freeze({ ...spec, text: ir.source.text, named });
    this.ir = ir;
  }

  /** Legal things in the text that may surprise, such as comparisons of signed with unsigned. */
  get warnings(): readonly Warning[] {
    return this.ir.warnings;
  }

  /** The kernel as CUDA C++, names kept, with the TypeScript lines as comments; nvcc compiles it. */
  toCuda(options: CudaOptions = {}): string {
    checkOptions<CudaOptions>("kernel.toCuda", options, { comments: optional(boolean) });
    return cudaKernel(this.ir, options).text;
  }

  /** The same kernel with other values of its constants. Throws InputError for a name that is none of them. */
  with(constants: Constants): Kernel<P> {
    checkArgument("kernel.with", "constants", constants, recordOf(anything));
    const known = this.spec.constants;
    const stranger = Object.keys(constants).find((name) => !Object.hasOwn(known, name));
    if (stranger !== undefined && Object.keys(known).length === 0) {
      throw new InputError({
        what: `Kernel "${this.name}" has no constant ${stranger}.`,
        cure: `Declare it: ${forms[this.spec.form ?? "long"].constant(stranger)}.`,
      });
    }
    const each = Object.fromEntries(Object.keys(known).map((name) => [name, optional(constantShape)]));
    checkOptions("kernel.with", constants, each);
    return new Kernel({ ...this.spec, constants: { ...this.spec.constants, ...constants } });
  }
}

const again = (spec: KernelDefinition): Kernel => new Kernel(spec);

export const kernelShape: Shape = shape("what kernel(...) returns", Kernel.is);

function isConstant(value: unknown): value is ConstantInput {
  if (value instanceof TypedConstant || isValueType(value)) return true;
  return typeof value === "boolean" || typeof value === "bigint" || (typeof value === "number" && !Number.isNaN(value));
}

const constantShape: Shape = shape("a number, a truth value or a type, such as 256", isConstant);

/** The parts of a kernel or a device function, whichever form it is written in. */
interface Parts {
  readonly form: FormName;
  readonly params: Parameters;
  readonly constants: Constants;
  readonly functions: Functions;
  readonly text: string;
  /** Known where the text was read from a file; else a stack tells it. */
  readonly place?: SourcePlace;
}

/** A function that nobody calls: text that was read from a file. It takes a function's place in `kernelFromText`. */
export class WrittenFunction {
  readonly #written = true;

  static is(value: object): value is WrittenFunction {
    return #written in value;
  }

  constructor(
    readonly text: string,
    readonly place: SourcePlace,
  ) {}
}

type Body = WrittenFunction | ((...args: never[]) => unknown);

function isBody(value: unknown): value is Body {
  return typeof value === "function" || (typeof value === "object" && value !== null && WrittenFunction.is(value));
}

function written(body: Body): Pick<Parts, "text" | "place"> {
  if (typeof body !== "function") return { text: body.text, place: body.place };
  return { text: textOf(body) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The long form's declaration; a parameter of that name is a type. */
function isDeclaration(value: unknown): value is KernelDeclaration<Parameters, Constants, Functions> {
  return isRecord(value) && isRecord(value.params) && !isParameter(value.params);
}

/** Other mistakes are told with the text, where that is compiled. */
const readable: Shape = shape("a number or a type, such as 256, i32 or ptr(f32)", (value) => {
  void [isParameter(value), isConstant(value)];
  return true;
});

/** Constants and functions apart; what is neither is left to the compiler to refuse. */
function sorted(template: Template): Pick<Parts, "constants" | "functions"> {
  const entries = Object.entries(template);
  const functions = entries.filter((entry): entry is [string, Callee] => isCallee(entry[1]));
  const constants = entries.filter((entry): entry is [string, ConstantInput] => !isCallee(entry[1]));
  return { constants: Object.fromEntries(constants), functions: Object.fromEntries(functions) };
}

const definitionShape: Shape = objectWith({
  name: string,
  text: string,
  form: optional(oneOf("short", "long", "template")),
  place: optional(objectWith({ where: string, lines: orNull(listOf(finite)) })),
  params: recordOf(readable),
  constants: recordOf(readable),
  functions: recordOf(anything),
  named: optional(shape("a map of names", (value) => value instanceof Map)),
});

/** The parts of a call, checked as far as JavaScript callers can get them wrong. */
function partsOf(maker: "kernel" | "device", name: unknown, given: readonly unknown[]): Parts {
  const title = typeof name === "string" && name !== "" ? name : "name";
  const cure = `Write ${maker}("${title}", { input: ptr(i32), n: i32 }, ({ input, n }) => { ... }).`;
  if (typeof name !== "string" || name === "") {
    throw new InputError({ what: `${maker}(...) was called without a name.`, cure });
  }
  const call = `${maker} "${name}"`;
  const [declared, second, third] = given;
  if (isRecord(declared)) checkArgument(call, "parameters", declared, recordOf(readable));
  if (!isRecord(declared) || isParameter(declared)) {
    throw new InputError({ what: `${maker} "${name}" has no parameters.`, cure });
  }
  const body = isBody(second) ? second : third;
  if (!isBody(body)) {
    throw new InputError({ what: `${maker} "${name}" has no function as its last argument.`, cure });
  }
  const text = written(body);
  if (isDeclaration(declared)) {
    checkOptions<typeof declared>(call, declared, {
      params: recordOf(readable),
      constants: optional(recordOf(readable)),
      functions: optional(recordOf(anything)),
    });
    const { params, constants = {}, functions = {} } = declared;
    return { form: "long", params, constants, functions, ...text };
  }
  const params = declared as Parameters;
  if (body === second) return { form: "short", params, constants: {}, functions: {}, ...text };
  if (!isRecord(second)) {
    throw new InputError({
      what: `${maker} "${name}" has no template constants between its parameters and its function.`,
      cure: `Write ${maker}("${title}", { input: ptr(i32) }, { BLOCK: 256 }, ({ input }, { BLOCK }) => { ... }).`,
    });
  }
  checkArgument(call, "constants", second, recordOf(readable));
  return { form: "template", params, ...sorted(second as Template), ...text };
}

/**
 * Makes a kernel: `kernel("double", { data: ptr(i32), n: i32 }, ({ data, n }) => { ... })`. The function is compiled and
 * never run. Its text uses CUDA's words, which this package exports, and calls device functions and kernels by their names.
 * Throws CompileError with the line and the cure where the text is no kernel.
 */
export function kernel<P extends Parameters>(
  name: string,
  params: P,
  body: (parameters: KernelParameters<P>, cuda: Cuda) => void,
): Kernel<P>;
/**
 * With constants, CUDA's template parameters: `kernel("sum", { data: ptr(i32) }, { BLOCK: 256 }, ({ data }, { BLOCK }) =>
 * { ... })`; `sum.with({ BLOCK: 512 })` is another instance.
 */
export function kernel<P extends Parameters, T extends Template>(
  name: string,
  params: P,
  constants: T,
  body: (parameters: KernelParameters<P>, constants: TemplateInKernel<T>) => void,
): Kernel<P>;
/**
 * The long form, whose function is given all that it uses: its parameters, CUDA's words and the constants with device
 * functions. It survives bundlers that rename.
 */
export function kernel<P extends Parameters, C extends Constants = None, F extends Functions = None>(
  name: string,
  declaration: KernelDeclaration<P, C, F>,
  body: KernelFunction<P, C, F>,
): Kernel<P>;
export function kernel(name: string, ...given: readonly unknown[]): Kernel {
  const parts = partsOf("kernel", name, given);
  const { stack } = new Error();
  const made = new Kernel({ name, ...parts, place: placeOf(parts.text, stack, name) });
  // The package's own kernels are no names of the learner's.
  if (!isOwnCall(stack)) defineKernel(made, again);
  return made;
}

/**
 * Makes a device function: `device("twice", { x: f32 }, ({ x }) => 2 * x)`. Kernels call it by that name, and it is compiled
 * into each of them. A kernel has the last one of that name before it was made.
 */
export function device<P extends Parameters, R = void>(
  name: string,
  params: P,
  body: (parameters: DeviceParameters<P>, cuda: Cuda) => R,
): DeviceFunction<P, R>;
/** With constants, as a template: `device("fill", { x: f32 }, { WIDTH: 32 }, ({ x }, { WIDTH }) => ...)`. */
export function device<P extends Parameters, T extends Template, R = void>(
  name: string,
  params: P,
  constants: T,
  body: (parameters: DeviceParameters<P>, constants: TemplateInKernel<T>) => R,
): DeviceFunction<P, R>;
/** The long form, whose function is given all that it uses. */
export function device<P extends Parameters, C extends Constants = None, F extends Functions = None, R = void>(
  name: string,
  declaration: KernelDeclaration<P, C, F>,
  body: (parameters: DeviceParameters<P>, cuda: Cuda, constants: KernelConstants<C, F>) => R,
): DeviceFunction<P, R>;
export function device(name: string, ...given: readonly unknown[]): DeviceFunction {
  const parts = partsOf("device", name, given);
  const { stack } = new Error();
  const made = deviceOf(name, { ...parts, place: placeOf(parts.text, stack, name) });
  if (!isOwnCall(stack)) defineDevice(made);
  return made;
}

function deviceOf(
  name: string,
  parts: Omit<Parts, "place"> & { readonly place: SourcePlace | undefined },
): DeviceFunction {
  const onHost = (): never => {
    throw new InputError({
      what: `The device function ${name} was called on the host.`,
      cure: `Call it inside of a kernel: kernel("name", { data: ptr(f32) }, ({ data }) => { ... ${name}(...) ... }).`,
    });
  };
  const made = Object.assign(onHost, { kind: "device" as const, ...parts });
  callees.add(made);
  Object.defineProperty(made, "name", { value: name });
  return Object.freeze(made);
}

/**
 * Makes what `kernel(name, ...given)` does of a function that is text: nothing of a learner's file is run.
 * @param named the meanings of the text's free names
 * @throws what `kernel` throws: CompileError, InputError
 */
export function kernelFromText(name: unknown, given: readonly unknown[], named: ReadonlyMap<string, Callee>): Kernel {
  const parts = partsOf("kernel", name, given);
  return new Kernel({ name: name as string, ...parts, named });
}

/** Makes what `device(name, ...given)` does of a function that is text. */
export function deviceFromText(name: unknown, given: readonly unknown[]): DeviceFunction {
  const parts = partsOf("device", name, given);
  return deviceOf(name as string, { place: undefined, ...parts });
}

summarized(Kernel.prototype, (shown) => {
  const declaration = /__global__[^{]*/.exec(shown.toCuda())?.[0].trim() ?? shown.name;
  return `Kernel: ${declaration.replace(/\s+/g, " ")}; toCuda() has its text`;
});
