/** The value types of the kernel language: CUDA's scalars, its short vectors, and typed pointers into one memory space. */

export type Scalar = "bool" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64";

export interface VectorType {
  readonly scalar: Scalar;
  readonly lanes: 2 | 4;
}

export type ElementType = Scalar | VectorType;

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

export function isVector(type: Type): type is VectorType {
  return typeof type === "object" && "lanes" in type;
}

export function isPointer(type: Type): type is PointerType {
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
      return 1;
    case "i64":
    case "u64":
    case "f64":
      return 8;
    default:
      return 4;
  }
}

/** CUDA C++'s name of a type, for messages and for the CUDA back end. */
export function cudaName(type: Type): string {
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
  const names: Record<Scalar, string> = {
    bool: "bool",
    i32: "int",
    u32: "unsigned int",
    i64: "long long",
    u64: "unsigned long long",
    f32: "float",
    f64: "double",
  };
  return names[type];
}
