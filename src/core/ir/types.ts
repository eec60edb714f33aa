/** The value types of the kernel language: CUDA's scalars, its short vectors, and typed pointers into one memory space. */

export type Scalar = "bool" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64";

/** Integers of 8 and 16 bits. Memory alone holds them: a load gives an i32 with the number's sign, a store keeps the low bits. */
export type Narrow = "i8" | "u8" | "i16" | "u16";

export interface VectorType {
  readonly scalar: Scalar;
  readonly lanes: 2 | 4;
}

export type ElementType = Scalar | Narrow | VectorType;

export type Space = "global" | "shared" | "local";

export interface PointerType {
  readonly pointer: ElementType;
  readonly space: Space;
  readonly volatile: boolean;
}

export type Type = Scalar | VectorType | PointerType;

export function isScalar(type: Type): type is Scalar {
  return typeof type === "string";
}

export function isVector(type: Type | ElementType): type is VectorType {
  return typeof type === "object" && "lanes" in type;
}

export function isNarrow(type: Type | ElementType): type is Narrow {
  return type === "i8" || type === "u8" || type === "i16" || type === "u16";
}

/** The type of the value that a load of an element gives, and that a store of it takes. */
export function loadedType(element: ElementType): Scalar | VectorType {
  return isNarrow(element) ? "i32" : element;
}

export function isPointer(type: Type | ElementType): type is PointerType {
  return typeof type === "object" && "pointer" in type;
}

export function isFloat(type: Scalar): boolean {
  return type === "f32" || type === "f64";
}

export function isInteger(type: Scalar): boolean {
  return type === "i32" || type === "u32" || type === "i64" || type === "u64";
}

export function isSigned(type: Scalar): boolean {
  return type === "i32" || type === "i64";
}

/** CUDA's limit of local memory (Programming Guide, "Technical Specifications per Compute Capability"). */
export const LOCAL_BYTES_PER_THREAD: number = 512 * 1024;

/** Size in memory, in bytes. A bool takes one byte only as a function result; it cannot be stored. */
export function byteSize(type: ElementType): number {
  if (typeof type === "object") return byteSize(type.scalar) * type.lanes;
  switch (type) {
    case "bool":
    case "i8":
    case "u8":
      return 1;
    case "i16":
    case "u16":
      return 2;
    case "i64":
    case "u64":
    case "f64":
      return 8;
    default:
      return 4;
  }
}

/** CUDA C++'s name of a type, for messages and for the CUDA back end. */
export function cudaName(type: Type | ElementType): string {
  if (isPointer(type)) return `${type.volatile ? "volatile " : ""}${cudaName(type.pointer)}*`;
  if (isVector(type)) {
    const stem = {
      i32: "int",
      u32: "uint",
      f32: "float",
      f64: "double",
      i64: "longlong",
      u64: "ulonglong",
      bool: "bool",
    };
    return `${stem[type.scalar]}${type.lanes}`;
  }
  const names: Record<Scalar | Narrow, string> = {
    bool: "bool",
    i8: "char",
    u8: "unsigned char",
    i16: "short",
    u16: "unsigned short",
    i32: "int",
    u32: "unsigned int",
    i64: "long long",
    u64: "unsigned long long",
    f32: "float",
    f64: "double",
  };
  return names[type];
}
