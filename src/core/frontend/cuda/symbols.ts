/** The meanings of names in a CUDA C++ text. */
import type { Expr, PointerExpr, PointerRoot } from "../../ir/ir.js";
import type { PointerType, Scalar, Type } from "../../ir/types.js";

export type CudaSymbol =
  | { readonly kind: "variable"; readonly id: number; readonly type: Exclude<Type, PointerType> }
  | {
      readonly kind: "pointer";
      readonly root: PointerRoot;
      readonly type: PointerType;
      readonly dims: readonly number[];
    }
  | { readonly kind: "param"; readonly index: number; readonly type: Scalar }
  | { readonly kind: "constant"; readonly type: Scalar; readonly value: number };

export interface FunctionText {
  readonly name: string;
  readonly template: readonly string[];
  readonly start: number;
  readonly returns: Type | "void";
  readonly kernel: boolean;
}

export interface Place {
  readonly pointer: PointerExpr;
  readonly index: Expr;
}

/** The scalar type that the words of a declaration name. */
export function scalarIn(words: readonly string[]): Scalar {
  const has = (word: string): boolean => words.includes(word);
  if (has("float")) return "f32";
  if (has("double")) return "f64";
  if (has("bool")) return "bool";
  const unsigned = has("unsigned") || has("uint") || has("uint32_t");
  const long = words.filter((word) => word === "long").length > 0 || has("size_t");
  if (long) return unsigned || has("size_t") ? "u64" : "i64";
  return unsigned ? "u32" : "i32";
}
