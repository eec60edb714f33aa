/** The share of a GPU's peak bandwidth that a launch reaches, in steps that give points. */
import { bandwidthGBps, type LaunchResult } from "../../core/host/launch-result.js";
import { explain } from "../../core/profiler/explain/explain.js";
import { countsByLine } from "../../core/profiler/line-counts.js";
import { count, formatNumber } from "../../core/show/number-format.js";
import { type Finding, NOT_YET, number } from "./finding.js";
import { countsLine } from "./source-line.js";
import type { CheckSpec } from "./spec.js";

export type BandwidthSpec = Extract<CheckSpec, { readonly kind: "bandwidth" }>;

const INT_BYTES = 4;

/** In whole tenths of a percent, rounded down: a share below a step does not read as if it were reached. */
const percent = (share: number): string => `${number(Math.floor(1000 * share) / 10)} %`;

/** The advice for a kernel that already reads each byte once, as this one has to. */
const NO_BYTE_TO_SAVE =
  "Each int has to be read once, so look at the time around it: wider loads early, whole waves of blocks, a short end of each block.";

/** A kernel may move so much more than its input before there are bytes to save. */
const MORE_BYTES = 1.1;

type Advised = ReturnType<typeof explain>["findings"][number];

/** Fewer bytes help only where the launch moves more than its input. */
function adviceOn(launch: LaunchResult, { rule, advice }: Advised, inputBytes: number): string {
  const { dramBytesRead, dramBytesWritten } = launch.time;
  const saves = dramBytesRead + dramBytesWritten > MORE_BYTES * inputBytes;
  return rule === "memory bound" && !saves ? NO_BYTE_TO_SAVE : advice;
}

/** The rule of `explain` that weighs most, with its line; else the line that moves most data. */
function boundText(launch: LaunchResult, inputBytes: number): string {
  const [first] = explain(launch).findings;
  const lines = countsByLine(launch);
  const named = lines.find(({ line, function: name }) => line === first?.line?.line && name === first.line.function);
  const [busiest] = [...lines].sort((a, b) => b.globalRequests - a.globalRequests);
  const at = named ?? busiest;
  const place = at === undefined ? "" : ` Look at ${countsLine(at, launch.program)}.`;
  return first === undefined ? place : ` ${first.sentence} ${adviceOn(launch, first, inputBytes)}${place}`;
}

/** Finds the share that the measured launch over n ints reaches on the check's GPU. All of the launch's time counts. */
export function bandwidthFinding(
  { gpu, steps, points: all }: BandwidthSpec,
  launches: readonly LaunchResult[],
  n: number,
): Finding {
  const launch = launches.find(({ device }) => device.id === gpu);
  if (launch === undefined) return NOT_YET;
  const { device, timeMs, cache } = launch;
  const rate = bandwidthGBps(launch, INT_BYTES * n);
  const peak = device.dram.peakBandwidthGBps;
  const share = rate / peak;
  const reached = { gpu, share, timeMs };
  const points = Math.max(0, ...steps.filter((step) => share >= step.share).map((step) => step.points));
  const next = steps.find((step) => share < step.share);
  const found = `${device.name}: ${formatNumber(n, count)} ints in ${timeMs.toFixed(4)} ms, predicted, ${cache} L2: ${Math.round(rate)} GB/s, ${percent(share)} of the peak of ${peak} GB/s.`;
  if (next === undefined) return { passed: true, sentence: found, reached };
  const more = `${number(points)} of ${number(all)} points; from ${percent(next.share)} on it is ${number(next.points)}.`;
  return { passed: false, points, sentence: `${found} That is ${more}${boundText(launch, INT_BYTES * n)}`, reached };
}
