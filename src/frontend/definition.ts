/** What the front end is given to compile: a function's text with its declared parameters, constants and functions. */
import type { SourcePlace } from "../base/source-place.js";
import type { KernelIr } from "../ir/ir.js";
import type { TypedConstant, ValueType } from "./element.js";
import type { Parameters } from "./parameter.js";

/**
 * The value of a template parameter: an integer is an i32, another number an f32, `f64(...)` and the like say else. A type
 * (`template <typename T>`) is one too.
 */
export type ConstantInput = number | boolean | bigint | TypedConstant | ValueType;

/** What a function's arguments are, in their order. */
export type ArgumentOrder = readonly ("params" | "cuda" | "constants")[];

/** A device function as the compiler needs it; made by `device()`. */
export interface DeviceDefinition {
  readonly kind: "device";
  readonly name: string;
  readonly text: string;
  /** Where the learner wrote it, as far as it is known. */
  readonly place?: SourcePlace | undefined;
  readonly params: Parameters;
  readonly constants: Readonly<Record<string, ConstantInput>>;
  readonly functions: Readonly<Record<string, Callee>>;
  /** Parameters, CUDA's words and constants unless given. */
  readonly argumentOrder?: ArgumentOrder;
}

/** A kernel that a kernel launches; made by `kernel()`. */
export interface ChildKernel {
  readonly kind: "kernel";
  readonly name: string;
  readonly ir: KernelIr;
}

export type Callee = DeviceDefinition | ChildKernel;

/** Device functions and kernels by the names they were made with. */
export interface KnownCallees {
  callee(name: string): Callee | undefined;
  /** Every name, for messages. */
  names(): Iterable<string>;
}

export interface KernelDefinition {
  readonly name: string;
  readonly text: string;
  /** Where the learner wrote it, as far as it is known. */
  readonly place?: SourcePlace | undefined;
  readonly params: Parameters;
  readonly constants: Readonly<Record<string, ConstantInput>>;
  readonly functions: Readonly<Record<string, Callee>>;
  /** Parameters, CUDA's words and constants unless given. */
  readonly argumentOrder?: ArgumentOrder;
  /** What the text may call by its own name, besides `functions`. */
  readonly known?: KnownCallees;
}
