/** Names of types as the kernel language writes them, for messages. */
import { cudaName, type ElementType, isPointer, isVector, type Type } from "../../ir/types.js";

/** `i32`, `float4`, `volatile i32 array`, `nothing` for a call without a value. */
export function typeName(type: Type | ElementType | "void"): string {
  if (type === "void") return "nothing";
  if (typeof type === "string") return type;
  if (isPointer(type)) return `${type.volatile ? "volatile " : ""}${typeName(type.pointer)} array`;
  return isVector(type) ? cudaName(type) : "value";
}

/** With its article: `an i32`, `a u32`. */
export function aType(type: Type | ElementType | "void"): string {
  const name = typeName(type);
  if (name === "nothing") return name;
  return `${/^(i|f32|f64)/.test(name) ? "an" : "a"} ${name}`;
}

/** The same at the start of a sentence. */
export function startingWith(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
