/**
 * The value types of the kernel language as values of TypeScript: `i32` ... `f64` and CUDA's short vectors. The same
 * name serves three uses: a type (`ptr(i32)`, `shared(f32, 256)`, `gpu.alloc(i32, n)`), a cast inside a kernel
 * (`i32(x)`), and, outside of kernels, a typed constant (`constants: { SCALE: f32(2) }`).
 */
import { InputError } from "../../base/errors.js";
import { type Shape, shape } from "../../base/shape.js";
import { unfit } from "../../ir/stored-value.js";
import { type ElementType, isNarrow, type Narrow, type Scalar, type VectorType } from "../../ir/types.js";

/**
 * A 64-bit integer inside a kernel. CUDA computes with `10n`, with `10` and with an int alike beside it; TypeScript lets
 * number and bigint meet in `any` alone, so the compiler of kernels checks these, and the editor does not.
 */
// biome-ignore lint/suspicious/noExplicitAny: no other type is an operand of number and of bigint.
export type Long = any;

/** The TypeScript type of a scalar inside a kernel. */
export type ScalarInKernel<S extends Scalar | Narrow> = S extends "i64" | "u64" ? Long : number;

/** A scalar type. Called outside of a kernel, it makes a typed constant, which `constants` takes. */
export interface ScalarType<S extends Scalar | Narrow = Scalar | Narrow> {
  /** Inside a kernel: CUDA's cast (float to int truncates towards zero and saturates; NaN gives 0). */
  (value: number | bigint | boolean): ScalarInKernel<S>;
  readonly type: S;
}

/** A short vector type such as `float4`, for parameters and arrays that are read and written as a whole. */
export interface VectorElement<L extends 2 | 4 = 2 | 4, S extends Scalar = Scalar> {
  readonly type: VectorType & { readonly lanes: L; readonly scalar: S };
}

export type ValueType = ScalarType | VectorElement;

/** A float2 or an int2 inside a kernel. */
export interface Vector2 {
  x: number;
  y: number;
}

/** A float4 or an int4 inside a kernel. */
export interface Vector4 extends Vector2 {
  z: number;
  w: number;
}

/** The TypeScript type of one element inside a kernel. */
export type ValueOf<E> = E extends { readonly type: { readonly lanes: 4 } }
  ? Vector4
  : E extends { readonly type: { readonly lanes: 2 } }
    ? Vector2
    : E extends { readonly type: "i64" | "u64" }
      ? Long
      : number;

/** A number with its CUDA type, as `f32(2)` makes it outside of a kernel. */
export class TypedConstant {
  readonly type: Scalar;
  readonly value: number | bigint | boolean;
  constructor(type: Scalar, value: number | bigint | boolean) {
    this.type = type;
    this.value = value;
  }
  valueOf(): number | bigint | boolean {
    return this.value;
  }
}

function scalar<S extends Scalar | Narrow>(type: S): ScalarType<S> {
  const cast = (value: number | bigint | boolean): ScalarInKernel<S> => {
    if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "boolean") {
      throw new InputError({
        what: `${type}(...) was given ${typeof value === "object" ? "an object" : `a ${typeof value}`}.`,
        cure: `Give it a number: ${type}(1).`,
      });
    }
    const wrong = typeof value === "boolean" ? null : unfit(type, value);
    if (wrong !== null) {
      throw new InputError({ what: `${type}(...) was given ${value}: ${wrong.reason}.`, cure: `${wrong.cure}.` });
    }
    // A constant is an object, but has its number's type, so that TypeScript lets kernels compute with it.
    return new TypedConstant(isNarrow(type) ? "i32" : type, value) as unknown as ScalarInKernel<S>;
  };
  return Object.freeze(Object.assign(cast, { type }));
}

function vector<L extends 2 | 4, S extends Scalar>(scalarType: S, lanes: L): VectorElement<L, S> {
  return Object.freeze({ type: Object.freeze({ scalar: scalarType, lanes }) });
}

/** CUDA's int: 32 bits, signed, wraps. */
export const i32: ScalarType<"i32"> = scalar("i32");
/** CUDA's unsigned int. */
export const u32: ScalarType<"u32"> = scalar("u32");
/** CUDA's long long. */
export const i64: ScalarType<"i64"> = scalar("i64");
/** CUDA's unsigned long long. */
export const u64: ScalarType<"u64"> = scalar("u64");
/** CUDA's float: every step is rounded to 24 bits. */
export const f32: ScalarType<"f32"> = scalar("f32");
/** CUDA's double. */
export const f64: ScalarType<"f64"> = scalar("f64");
/** CUDA's signed char. Memory alone has it: what is read is an i32, what is written keeps its low 8 bits. */
export const i8: ScalarType<"i8"> = scalar("i8");
/** CUDA's unsigned char, as i8. */
export const u8: ScalarType<"u8"> = scalar("u8");
/** CUDA's short: 16 bits, as i8. */
export const i16: ScalarType<"i16"> = scalar("i16");
/** CUDA's unsigned short, as i16. */
export const u16: ScalarType<"u16"> = scalar("u16");
/** CUDA's bool, for parameters of device functions only: it has no place in memory. */
export const bool: ScalarType<"bool"> = scalar("bool");

/** Two i32 as one: `.x`, `.y`. Build one by `make_int2`. */
export const int2: VectorElement<2, "i32"> = vector("i32", 2);
/** Four i32 as one: `.x`, `.y`, `.z`, `.w`. Build one by `make_int4`. */
export const int4: VectorElement<4, "i32"> = vector("i32", 4);
/** Two u32 as one: `.x`, `.y`. Build one by `make_uint2`. */
export const uint2: VectorElement<2, "u32"> = vector("u32", 2);
/** Four u32 as one: `.x`, `.y`, `.z`, `.w`. Build one by `make_uint4`. */
export const uint4: VectorElement<4, "u32"> = vector("u32", 4);
/** Two f32 as one: `.x`, `.y`. Build one by `make_float2`. */
export const float2: VectorElement<2, "f32"> = vector("f32", 2);
/** Four f32 as one: `.x`, `.y`, `.z`, `.w`. Build one by `make_float4`. */
export const float4: VectorElement<4, "f32"> = vector("f32", 4);
/** Two f64 as one: `.x`, `.y`. Build one by `make_double2`. */
export const double2: VectorElement<2, "f64"> = vector("f64", 2);

const scalarNames = ["bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"] as const;

const vectorTypes: ReadonlyMap<string, VectorType> = new Map(
  Object.entries({ int2, int4, uint2, uint4, float2, float4, double2 }).map(([name, element]) => [name, element.type]),
);

/** i32 ... f64, float4 ...: what this module's types are, whatever an untyped caller gives. */
export function isValueType(element: unknown): element is ValueType {
  if ((typeof element !== "object" && typeof element !== "function") || element === null) return false;
  const { type } = element as Partial<ValueType>;
  if (typeof type === "string") return scalarNames.includes(type);
  return [...vectorTypes.values()].some(({ scalar, lanes }) => type?.scalar === scalar && type.lanes === lanes);
}

export const valueType: Shape = shape("a type, such as i32, f32 or float4", isValueType);

/** The type that a name means in a kernel's text, such as `i32` or `float4`; undefined for other names. */
export function typeNamed(name: string): ElementType | undefined {
  return scalarNames.find((scalarName) => scalarName === name) ?? vectorTypes.get(name);
}
