/** A checked run of a kernel that sums an array, and how it is shown. */
import { boolean, objectWith, oneOf, positive, type Shape, string, whole } from "../../core/base/shape.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import { launchShape } from "../../core/profile/launch-shape.js";
import { milliseconds, sizeText } from "../../core/show/number-format.js";
import { type Table, table } from "../../core/show/table.js";

/** The result of a reduction. `display` shows it as a table. */
export interface Reduction {
  readonly kind: "reduction";
  /** The kernel's name. */
  readonly kernel: string;
  readonly launch: LaunchResult;
  /** Elements summed, without padding. */
  readonly n: number;
  readonly block: number;
  readonly grid: number;
  readonly cache: "cold" | "warm";
  /** The kernel's sum: the blocks' sums added up. */
  readonly sum: number;
  /** A plain JavaScript sum of the input: of int modulo 2^32, of float in double precision. */
  readonly expected: number;
  /** Whether the two agree; floats within the rounding that the order of additions may cost. */
  readonly right: boolean;
  /** Predicted kernel time. */
  readonly timeMs: number;
  /** Bytes of the n elements over the time, in 10^9 bytes a second. */
  readonly bandwidthGBps: number;
  /** The tables that `display` shows. */
  readonly views: readonly Table[];
}

/** Elements, block, GPU and state of the caches, in a line. */
export const runShape: Shape = objectWith(
  {
    kernel: string,
    launch: launchShape,
    n: whole(1),
    block: whole(1),
    grid: whole(1),
    cache: oneOf("cold", "warm"),
    right: boolean,
    timeMs: positive,
    bandwidthGBps: positive,
  },
  "what runReduction(...) returns",
);

export function conditionsOf({ launch, n, block, cache }: Pick<Reduction, "launch" | "n" | "block" | "cache">): string {
  return `${sizeText(n)} elements, block ${block}, ${launch.device.name}, ${cache} L2`;
}

/** One run: its sum, whether it is right, time and bandwidth. */
export function runTable(run: Omit<Reduction, "views">): Table {
  return table({
    title: `${run.kernel}: ${conditionsOf(run)}`,
    columns: [
      { key: "right", title: "Sum right" },
      { key: "sum", title: "Sum", format: { grouping: true } },
      { key: "expected", title: "Plain sum", format: { grouping: true } },
      { key: "timeMs", title: "Kernel time, predicted", unit: "ms", format: milliseconds },
      { key: "bandwidthGBps", title: "Bandwidth", unit: "GB/s", format: { decimals: 1 } },
    ],
    rows: [run],
  });
}
