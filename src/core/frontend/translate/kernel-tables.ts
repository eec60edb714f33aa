/** The tables of one kernel, which its own text and its device functions' texts fill together. */
import type { Span } from "../../base/errors.js";
import type { DeviceFunction, KernelIr, LocalArray, SharedArray, Variable, Warning } from "../../ir/ir.js";
import type { PointerType, Scalar } from "../../ir/types.js";
import type { Callee, DeviceDefinition } from "../declare/definition.js";
import type { Report } from "../text/report.js";

export interface KernelTables {
  readonly variables: Variable[];
  readonly sharedArrays: SharedArray[];
  readonly localArrays: LocalArray[];
  readonly functions: DeviceFunction[];
  readonly warnings: Warning[];
  readonly children: KernelIr[];
  /** The meanings that free names were found to have, kept for other instances of the kernel. */
  readonly named: Map<string, Callee>;
  /** Device functions that are being read, outermost first. */
  readonly open: DeviceDefinition[];
  /** Above 0 while text is read for its type alone. */
  readForType: number;
  /** Notes what the tables hold; the function that it returns removes all that was added since. */
  readonly savepoint: () => () => void;
  /** Index in `functions` of a device function for one choice of its pointer parameters' spaces; compiles it once. */
  readonly instance: (
    device: DeviceDefinition,
    pointers: readonly (PointerType | null)[],
    span: Span,
    report: Report,
  ) => number;
}

/** A parameter of the kernel itself; `pointer` is CUDA's name of a pointer's element. */
export interface OwnParameter {
  readonly name: string;
  readonly kind: "scalar" | "pointer";
  readonly type: Scalar;
  readonly pointer: string;
}
