/** The warnings of a launch: the compiler's about the kernel's text, and behaviour of its run that CUDA leaves undefined. */
import type { UndefinedKind } from "../engine/engine.js";
import type { RunWarning } from "../engine/run-warning.js";
import type { Warning } from "../ir/ir.js";

export type LaunchWarningKind =
  /** As `kernel.warnings`. */
  | "compiler"
  /** A grid waits for its children at a depth for which CUDA reserves no memory. */
  | "sync-depth"
  /** A child grid deeper than CUDA documents, on a GPU that was measured to run it. */
  | "nesting-depth"
  | UndefinedKind;

export interface LaunchWarning extends Warning {
  readonly kind: LaunchWarningKind;
  /** Where the run found it: linear index of the block, warp in the block, and mask of lanes. */
  readonly block?: number;
  readonly warp?: number;
  readonly lanes?: number;
}

export function launchWarnings(
  compiler: readonly Warning[],
  run: readonly (LaunchWarning | RunWarning)[],
): readonly LaunchWarning[] {
  return [...compiler.map((warning) => ({ ...warning, kind: "compiler" as const })), ...run];
}
