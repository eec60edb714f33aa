/** A checked run of a kernel that sums an array, and how it is shown. */
import { boolean, objectWith, oneOf, positive, type Shape, string, whole } from "../../core/base/shape.js";
import type { LaunchResult } from "../../core/host/launch-result.js";
import { launchShape } from "../../core/profile/launch-shape.js";
import { warningText } from "../../core/show/launch-table.js";
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
  /** Predicted, as two events around the launch would measure it. */
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

/** A sanitized launch takes a second at this size. */
const MOST_SANITIZED = 2 ** 14;

export function conditionsOf({ launch, n, block, cache }: Pick<Reduction, "launch" | "n" | "block" | "cache">): string {
  return `${sizeText(n)} elements, block ${block}, ${launch.device.name}, ${cache} L2`;
}

/** What to ask about sums that are wrong; empty where all are right. */
export function wrongText(runs: readonly Pick<Reduction, "kernel" | "n" | "block" | "right">[]): string {
  const wrong = runs.find(({ right }) => !right);
  if (wrong === undefined) return "";
  const { kernel, block, n } = wrong;
  const small = Math.min(n, MOST_SANITIZED);
  const call = `sanitize(() => runReduction(gpu, ${kernel}, ${small}, { block: ${block} }))`;
  return `A sum is wrong. ${call} names races, accesses out of bounds, unwritten memory and wrong masks, each with its line.`;
}

/** One run: its sum, whether it is right, time and bandwidth. */
export function runTable(run: Omit<Reduction, "views">): Table {
  return table({
    title: `${run.kernel}: ${conditionsOf(run)}`,
    columns: [
      { key: "right", title: "Sum right" },
      { key: "sum", title: "Sum", format: { grouping: true } },
      { key: "expected", title: "Plain sum", format: { grouping: true } },
      { key: "timeMs", title: "Event time, predicted", unit: "ms", format: milliseconds },
      { key: "bandwidthGBps", title: "Bandwidth", unit: "GB/s", format: { decimals: 1 } },
    ],
    rows: [run],
    note: [wrongText([run]), warningText([run.launch])].filter((text) => text !== "").join(" "),
  });
}
