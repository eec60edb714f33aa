/** Messages, in order, from the process that runs a notebook to its parent process. */
import type { CellFailure } from "./cell-failure.js";
import type { ChangedOutputs } from "./cell-outputs.js";

export type RunnerMessage =
  /** The cell with this position in the notebook begins. */
  | { readonly kind: "begin"; readonly cell: number }
  /** It ended; `failure` is missing when it ran to its end. */
  | {
      readonly kind: "end";
      readonly cell: number;
      readonly executionCount: number;
      readonly outputs: ChangedOutputs;
      readonly failure?: CellFailure;
    }
  /** All that can run has run; what came after the last cell's end. */
  | { readonly kind: "done"; readonly outputs: ChangedOutputs };
