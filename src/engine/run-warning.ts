/** What CUDA leaves undefined and a GPU passes over in silence: an engine that sees it goes on, and says so. */
import type { Warning } from "../ir/ir.js";

export type RunWarningKind =
  /** Shared memory is read before it was written. */
  | "uninitialized-shared"
  /** The mask of a warp primitive names lanes that the block does not have, or that have ended. */
  | "missing-lanes"
  /** The source lane of a shuffle is outside the mask, inactive, missing or has ended. */
  | "undefined-shuffle-source"
  /** A block barrier in a branch that a part of the block takes, or after some threads have ended. */
  | "divergent-barrier";

export interface RunWarning extends Warning {
  readonly kind: RunWarningKind;
  /** Where the run found it: linear index of the block, warp in the block, and mask of lanes. */
  readonly block: number;
  readonly warp: number;
  readonly lanes: number;
}
