/** Declarations of a kernel's or device function's parameters, and what they are inside its text. */
import { InputError } from "../../base/errors.js";
import { checkArgument, type Shape, shape } from "../../base/shape.js";
import { isNarrow, type Scalar, type Space } from "../../ir/types.js";
import { isValueType, type ScalarType, type ValueOf, type ValueType, valueType } from "./element.js";

/** `space` "any": global in a kernel; in a device function whatever the call passes, one instance a space. */
export interface PointerParameter<E extends ValueType = ValueType> {
  readonly kind: "pointer";
  readonly element: E;
  readonly space: Space | "any";
  readonly volatile: boolean;
}

export type Parameter = ValueType | PointerParameter;

export type Parameters = Readonly<Record<string, Parameter>>;

/**
 * An array in the GPU's memory, as a kernel sees it: it is read and written by index and knows no length. `subarray`
 * is CUDA's pointer arithmetic: `input.subarray(n)[i]` is `input[n + i]`.
 */
export interface DeviceArray<T = number> {
  [index: number]: T;
  subarray(begin: number): DeviceArray<T>;
}

/** The type of a parameter inside the kernel's text. */
export type InKernel<P> =
  P extends PointerParameter<infer E> ? DeviceArray<ValueOf<E>> : P extends ValueType ? ValueOf<P> : number;

export type KernelParameters<P> = { [K in keyof P]: InKernel<P[K]> };

const pointerShape: Shape = shape("a pointer, such as ptr(i32)", (value) => isPointerParameter(value as Parameter));

function pointer<E extends ValueType>(element: E, space: Space | "any"): PointerParameter<E> {
  checkArgument(space === "any" ? "ptr" : "sharedPtr", "element", element, valueType);
  if (element.type === "bool") {
    throw new InputError({
      what: "A pointer to bool was declared; a bool has no place in memory.",
      cure: "Keep flags as ptr(i32): 0 or 1.",
    });
  }
  return Object.freeze({ kind: "pointer" as const, element, space, volatile: false });
}

/**
 * A pointer parameter. In a kernel it points into global memory (`int *`); in a device function it takes global and
 * shared arrays alike.
 */
export function ptr<E extends ValueType>(element: E): PointerParameter<E> {
  return pointer(element, "any");
}

/** A pointer parameter of a device function that takes shared arrays only. */
export function sharedPtr<E extends ValueType>(element: E): PointerParameter<E> {
  return pointer(element, "shared");
}

/** `volatile` of CUDA on a parameter: every access through the pointer goes to memory, none is kept in a register. */
export function volatile<E extends ValueType>(parameter: PointerParameter<E>): PointerParameter<E>;
/** In a kernel, the same array where every access goes to memory: `const view = volatile(sdata)`. */
export function volatile<T>(array: DeviceArray<T>): DeviceArray<T>;
export function volatile(parameter: PointerParameter | DeviceArray<unknown>): unknown {
  checkArgument("volatile", "parameter", parameter, pointerShape);
  return Object.freeze({ ...(parameter as PointerParameter), volatile: true });
}

/** A parameter's declaration, whatever an untyped caller gives. */
export function isParameter(value: unknown): value is Parameter {
  return isValueType(value) || isPointerParameter(value as Parameter);
}

export function isPointerParameter(parameter: Parameter): parameter is PointerParameter {
  if (typeof parameter !== "object" || parameter === null || !("kind" in parameter)) return false;
  return parameter.kind === "pointer" && isValueType(parameter.element);
}

export function isScalarType(parameter: Parameter): parameter is ScalarType<Scalar> {
  return typeof parameter === "function" && isValueType(parameter) && !isNarrow(parameter.type);
}
