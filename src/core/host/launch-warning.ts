/** The warnings of a launch: the compiler's about the kernel's text, and behaviour of its run that CUDA leaves undefined. */
import type { UndefinedKind } from "../engine/engine.js";
import type { OtherLanes, RunWarning } from "../engine/run-warning.js";
import type { Warning } from "../ir/ir.js";
import type { Instruction, Program } from "../lower/program.js";

export type LaunchWarningKind =
  /** As `kernel.warnings`. */
  | "compiler"
  /** A grid waits for its children at a depth for which CUDA reserves no memory. */
  | "sync-depth"
  /** A child grid deeper than CUDA documents, on a GPU that was measured to run it. */
  | "nesting-depth"
  /** The printf buffer was full: the oldest lines are lost. */
  | "printf-lost"
  | UndefinedKind;

export interface LaunchWarning extends Warning {
  readonly kind: LaunchWarningKind;
  /** Where the run found it: linear index of the block, warp in the block, and mask of lanes. */
  readonly block?: number;
  readonly warp?: number;
  readonly lanes?: number;
  /** Lanes that are elsewhere at the same time: at another barrier. */
  readonly other?: OtherLanes;
  /** CUDA defines it on this GPU: what to look out for, and no fault. */
  readonly defined?: boolean;
  /** The message with the cure that the kernel's text alone can follow, where `message` has another. */
  readonly kernelMessage?: string;
}

/** A warning at an instruction's place in the text. */
export function warningAt(
  { sources }: Program,
  { source: index, span }: Instruction,
  kind: LaunchWarningKind,
  message: string,
): LaunchWarning {
  const source = sources[index];
  return { kind, message, span, ...(source === undefined ? {} : { source }) };
}

/** Said where the printf buffer has dropped `lost` calls' output. */
export function lostPrints(program: Program, lost: number, bytes: number): readonly LaunchWarning[] {
  if (lost === 0) return [];
  const { instructions, name, children = [] } = program;
  const printing = [...instructions, ...children.flatMap((child) => child.instructions)].find(
    ({ op }) => op === "printf",
  );
  const message = `${name}: ${lost} of the printf calls are lost, the oldest ones: the buffer of ${bytes} bytes was full, and a GPU overwrites it from its start. Print less, or make it larger: new Gpu(id, { printfBytes }), which is cudaDeviceSetLimit(cudaLimitPrintfFifoSize, ...).`;
  const first = printing ?? instructions[0];
  if (first === undefined) return [];
  return [warningAt(program, first, "printf-lost", message)];
}

export function launchWarnings(
  program: Program,
  run: readonly (LaunchWarning | RunWarning)[],
): readonly LaunchWarning[] {
  const compiler = program.warnings.map((warning) => ({ ...warning, kind: "compiler" as const }));
  return [...compiler, ...run];
}
