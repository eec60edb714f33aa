/** Between the class run and its child processes. */
import type { Grade } from "../grade/grade.js";

export type ClassRequest =
  /** `seed`: the class's, so that no change of a text draws anew. */
  | { readonly kind: "grade"; readonly exercise: string; readonly path: string; readonly seed: number }
  /** Hashes of the kernels that every student is given. */
  | { readonly kind: "given"; readonly exercise: string };

export interface Graded {
  /** Names the bytes that were graded; null where there were none. */
  readonly sha256: string | null;
  /** null where there is no kernel. */
  readonly fingerprint: readonly string[] | null;
  readonly grade: Grade;
}

export interface Given {
  readonly given: readonly string[];
}
