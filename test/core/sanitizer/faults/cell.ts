/** Cells of the table of faults: what goes wrong, in which memory, and who is on the other side. */
import type { Kernel } from "../../../../src/core/frontend/index.js";
import type { Gpu } from "../../../../src/core/host/gpu.js";
import type { SanitizerTool } from "../../../../src/index.js";
import { ALL, argumentsOf, type Launching } from "../planted/planted.js";

export const OPERATIONS = [
  "a plain store that nothing orders",
  "a plain update, x += 1",
  "an update through volatile",
  "a plain access beside atomics",
  "an atomic of a narrower scope",
  "a hand-over without its fence",
  "a hand-over with a fence of the block",
  "a hand-over with its fence in the wrong place",
  "a barrier that is missing",
  "a barrier that a part reaches",
  "a read of what nobody has written",
  "an index out of bounds",
  "a vector at half of one",
  "memory that was freed",
  "a mask that names the wrong lanes",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export const SPACES = ["global", "shared", "local"] as const;
export type Space = (typeof SPACES)[number];

export const SIDES = ["lane", "warp", "block", "child grid", "stream", "host"] as const;
export type Side = (typeof SIDES)[number];

/** A fault that one tool has to find, with a part of the line that it names. */
export interface CellFault {
  readonly operation: Operation;
  readonly space: Space;
  readonly side: Side;
  readonly name: string;
  readonly tool: SanitizerTool;
  /** A part of a line that the finding shows. */
  readonly line: string;
  readonly devices: readonly string[];
  readonly run: (gpu: Gpu, fixed: boolean) => unknown;
}

type Place = readonly [Operation, Space, Side];

/** A fault of a program of its own. */
export function program(
  [operation, space, side]: Place,
  name: string,
  [tool, line]: readonly [SanitizerTool, string],
  run: CellFault["run"],
  devices: readonly string[] = ALL,
): CellFault {
  return { operation, space, side, name, tool, line, devices, run };
}

/** A fault in one launch of a kernel that has a constant FIXED. */
export function launched(
  place: Place,
  name: string,
  finds: readonly [SanitizerTool, string],
  kernel: Kernel,
  launching: Launching = {},
  devices: readonly string[] = ALL,
): CellFault {
  const { length: _, sizes: __, unwritten: ___, zeros: ____, values: _____, ...config } = launching;
  const twin = kernel.with({ FIXED: true });
  const run = (gpu: Gpu, fixed: boolean): void => {
    const one = fixed ? twin : kernel;
    gpu.launch(one, { grid: 1, block: 64, ...config }, argumentsOf(gpu, one, launching));
  };
  return program(place, name, finds, run, devices);
}
