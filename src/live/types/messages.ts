/** What a page and the worker that checks types say to each other. */
import type { TypedName, TypeMark } from "./checker.js";

export interface TypeAnswers {
  readonly marks: readonly (readonly TypeMark[])[];
  readonly members: readonly TypedName[];
  readonly typeAt: string | null;
}

/** `position` counts characters of the cell's text. */
export type TypeRequest = { readonly id: number; readonly texts: readonly string[] } & (
  | { readonly kind: "marks" }
  | { readonly kind: "members" | "typeAt"; readonly cell: number; readonly position: number }
);

export interface TypeAnswer {
  readonly id: number;
  readonly value: TypeAnswers[keyof TypeAnswers];
}
