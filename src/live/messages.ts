/** What a page and its session's worker say to each other. */
import type { DisplayPayload } from "../course/notebook/cell-sink.js";
import type { MimeBundle } from "../course/notebook/notebook.js";
import type { LocatedFailure } from "./cells/failure.js";

/** To the worker. It runs one cell at a time. */
export interface RunCell {
  readonly kind: "run";
  readonly source: string;
  readonly count: number;
}

/**
 * The compiler of CUDA C++ as its parts by their names: clang's script and modules. Where it is kept, there is also the header
 * of CUDA as clang has compiled it.
 */
export interface CompilerParts {
  readonly packed: boolean;
  readonly files: Readonly<Record<string, Blob>>;
}

/** To the worker, before the first cell of CUDA C++; or why the compiler is not there. */
export interface GiveCompiler {
  readonly kind: "compiler";
  readonly compiler: CompilerParts | string;
}

/** Points of an exercise that a cell has checked. */
export interface Points {
  readonly exercise: string;
  readonly points: number;
  readonly outOf: number;
}

/** From the frame, or from its worker, before a cell runs. */
export type StartMessage =
  | { readonly kind: "opened" }
  | { readonly kind: "failed"; readonly what: string }
  | { readonly kind: "compiler-taken" };

/** From the worker; `count` is the cell's number. */
export type SessionMessage =
  | { readonly kind: "ready" }
  | { readonly kind: "stream"; readonly count: number; readonly name: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "display"; readonly count: number; readonly payload: DisplayPayload }
  | { readonly kind: "result"; readonly count: number; readonly data: MimeBundle }
  | ({ readonly kind: "points"; readonly count: number } & Points)
  | { readonly kind: "end"; readonly count: number; readonly failure?: LocatedFailure };
