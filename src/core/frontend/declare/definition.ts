/** A function to compile: its text with its declared parameters, constants and functions. */
import type { SourcePlace } from "../../base/source-place.js";
import type { KernelIr } from "../../ir/ir.js";
import type { TypedConstant, ValueType } from "./element.js";
import type { FormName } from "./form.js";
import type { Parameters } from "./parameter.js";

/**
 * The value of a template parameter: an integer is an i32, another number an f32, `f64(...)` and the like say else. A type
 * (`template <typename T>`) is one too.
 */
export type ConstantInput = number | boolean | bigint | TypedConstant | ValueType;

/** The arguments of the text's function, and their order: form.ts. */
interface Written {
  /** Long unless told. */
  readonly form?: FormName;
}

/** A device function as the compiler needs it; made by `device()`. */
export interface DeviceDefinition extends Written {
  readonly kind: "device";
  readonly name: string;
  readonly text: string;
  /** Where the learner wrote it, as far as it is known. */
  readonly place?: SourcePlace | undefined;
  readonly params: Parameters;
  readonly constants: Readonly<Record<string, ConstantInput>>;
  readonly functions: Readonly<Record<string, Callee>>;
  /** CUDA's own, which no learner has written: reports show the line that calls it. */
  readonly library?: true;
}

/** A kernel that a kernel launches; made by `kernel()`. */
export interface ChildKernel {
  readonly kind: "kernel";
  readonly name: string;
  readonly ir: KernelIr;
}

export type Callee = DeviceDefinition | ChildKernel;

/** All that `device` and `kernel` have made. */
export const callees: WeakSet<object> = new WeakSet();

/** Whether a value is a device function or a kernel, and nothing that only looks like one. */
export function isCallee(value: unknown): value is Callee {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && callees.has(value);
}

export interface KernelDefinition extends Written {
  readonly name: string;
  readonly text: string;
  /** Where the learner wrote it, as far as it is known. */
  readonly place?: SourcePlace | undefined;
  readonly params: Parameters;
  readonly constants: Readonly<Record<string, ConstantInput>>;
  readonly functions: Readonly<Record<string, Callee>>;
  /** The meanings of free names that are known already; any other name means the last definition of it. */
  readonly named?: ReadonlyMap<string, Callee>;
}
