/** Two launches side by side: what changed, and why the second is faster or slower. */

import { InputError } from "../../base/errors.js";
import { checkArgument } from "../../base/shape.js";
import { summarized } from "../../base/summary.js";
import type { LaunchResult } from "../../host/launch-result.js";
import { launchShape } from "../../profile/launch-shape.js";
import type { Shown } from "../../show/display-data.js";
import { formatNumber } from "../../show/number-format.js";
import { table } from "../../show/table.js";
import { type Bound, STALL_REASONS, type StallReason } from "../../timing/index.js";
import { explain } from "./explain.js";
import { type Finding, shortNumber } from "./finding.js";

export interface MetricChange {
  readonly metric: string;
  readonly before: number;
  readonly after: number;
  /** Relative, in percent; null where there was none before. */
  readonly changePercent: number | null;
  readonly kind: "exact" | "predicted";
}

export interface Difference extends Shown {
  /** Time of the first launch over that of the second. */
  readonly speedup: number;
  /** Metrics that changed by at least five percent. */
  readonly changes: readonly MetricChange[];
  /** Findings that the second launch no longer has, and those that only it has. */
  readonly solved: readonly Finding[];
  readonly arisen: readonly Finding[];
  readonly text: string;
}

/** Relative change from which on a metric is told. */
const LEAST_CHANGE = 0.05;
/** Times within this share are the same. */
const SAME_TIME = 0.01;
const MOST_REASONS = 2;

/** Cycles that a warp spends in a state, from its start to its end. */
function warpCycles({ time, metrics }: LaunchResult, state: StallReason): number {
  return time.stalls[state] * metrics.instructionsPerWarp;
}

type Quantity = readonly [metric: string, of: (launch: LaunchResult) => number | null, kind: "exact" | "predicted"];

const dramBytes: Quantity = ["DRAM bytes", ({ time }) => time.dramBytesRead + time.dramBytesWritten, "predicted"];
const instructions: Quantity = ["warp instructions", ({ counters }) => counters.warpInstructions, "exact"];
const sectors: Quantity = ["global sectors", ({ counters: c }) => c.globalLoadSectors + c.globalStoreSectors, "exact"];
const blocks: Quantity = ["blocks", ({ counters }) => counters.blocks, "exact"];

const QUANTITIES: readonly Quantity[] = [
  instructions,
  sectors,
  dramBytes,
  blocks,
  ["warps", ({ counters }) => counters.warps, "exact"],
  ["shared wavefronts", ({ counters: c }) => c.sharedLoadWavefronts + c.sharedStoreWavefronts, "exact"],
  ["shared bank conflicts", ({ counters: c }) => c.sharedLoadBankConflicts + c.sharedStoreBankConflicts, "exact"],
  ["barriers", ({ counters }) => counters.barriers, "exact"],
  ["divergent branches", ({ counters }) => counters.divergentBranches, "exact"],
  ["global atomic requests", ({ counters }) => counters.globalAtomicRequests, "exact"],
  ["warp_execution_efficiency (%)", ({ metrics }) => metrics.warpExecutionEfficiencyPercent, "exact"],
  ["gld_efficiency (%)", ({ metrics }) => metrics.globalLoadEfficiencyPercent, "exact"],
  ["achieved_occupancy (%)", ({ time }) => time.achievedOccupancyPercent, "predicted"],
  ["issue_slot_utilization (%)", ({ time }) => time.issueSlotUtilizationPercent, "predicted"],
];

/** The work that costs time where a resource bounds a launch. */
const WORK_OF: Readonly<Record<Exclude<Bound, "latency">, Quantity>> = {
  dram: dramBytes,
  l2: sectors,
  issue: instructions,
  pipe: instructions,
  dispatch: blocks,
};

function changeOf([metric, of, kind]: Quantity, a: LaunchResult, b: LaunchResult): MetricChange | null {
  const [before, after] = [of(a), of(b)];
  if (before === null || after === null || before === after) return null;
  return { metric, before, after, changePercent: before === 0 ? null : (100 * (after - before)) / before, kind };
}

function isLarge({ changePercent }: MetricChange): boolean {
  return changePercent === null || Math.abs(changePercent) >= 100 * LEAST_CHANGE;
}

function changeText({ metric, before, after, changePercent }: MetricChange): string {
  const change = changePercent === null ? "" : ` (${formatNumber(changePercent, { decimals: 0, sign: true })} %)`;
  return `${metric} ${shortNumber(before)} to ${shortNumber(after)}${change}`;
}

/** The states in which a warp spends less (or, where the second launch is slower, more) of its time, the largest first. */
function stallReasons(a: LaunchResult, b: LaunchResult, faster: boolean): readonly string[] {
  const sign = faster ? 1 : -1;
  const all = STALL_REASONS.reduce((sum, state) => sum + warpCycles(faster ? a : b, state), 0);
  return STALL_REASONS.map((state) => ({ state, before: warpCycles(a, state), after: warpCycles(b, state) }))
    .map((each) => ({ ...each, gain: sign * (each.before - each.after) }))
    .filter(({ gain }) => gain > LEAST_CHANGE * all)
    .sort((x, y) => y.gain - x.gain)
    .slice(0, MOST_REASONS)
    .map(({ state, before, after }) => `${state} (${shortNumber(before)} to ${shortNumber(after)} cycles, predicted)`);
}

function reasonText(a: LaunchResult, b: LaunchResult, faster: boolean): string {
  const { bound } = faster ? a.time : b.time;
  const parts: string[] = [];
  if (bound !== "latency") {
    const work = changeOf(WORK_OF[bound], a, b);
    const helps = work !== null && isLarge(work) && work.after < work.before === faster;
    if (helps) parts.push(`The ${faster ? "first" : "second"} launch was bound by ${bound}: ${changeText(work)}.`);
  }
  const stalls = stallReasons(a, b, faster);
  if (stalls.length > 0) parts.push(`A warp spends ${faster ? "less" : "more"} time in ${stalls.join(" and ")}.`);
  return parts.join(" ");
}

/** The clocks of a launch beside each other: as many digits for each. */
function milli(milliseconds: number): string {
  return milliseconds.toPrecision(3);
}

function speedText(a: LaunchResult, b: LaunchResult, speedup: number): string {
  const times = `event time ${milli(a.timeMs)} to ${milli(b.timeMs)} ms, kernel duration ${milli(a.time.durationMicroseconds / 1000)} to ${milli(b.time.durationMicroseconds / 1000)} ms (predicted)`;
  const same = Math.abs(speedup - 1) <= SAME_TIME;
  const ratio = formatNumber(speedup > 1 ? speedup : 1 / speedup, { decimals: 2 });
  return same
    ? `Both take the same time: ${times}.`
    : `The second is ${ratio} times as ${speedup > 1 ? "fast" : "slow"}: ${times}.`;
}

/**
 * Says what changed from one launch to another, and why the second is faster or slower.
 * @throws InputError for launches on two GPUs.
 * @example
 * display(explainDifference(interleaved, sequential));
 */
export function explainDifference(a: LaunchResult, b: LaunchResult): Difference {
  checkArgument("explainDifference", "a", a, launchShape);
  checkArgument("explainDifference", "b", b, launchShape);
  if (a.device.name !== b.device.name) {
    throw new InputError({
      what: `explainDifference was given launches on ${a.device.name} and ${b.device.name}.`,
      cure: "Compare launches on one GPU, so that the kernels make the difference.",
    });
  }
  const speedup = a.timeMs / b.timeMs;
  const changes = QUANTITIES.flatMap((quantity) => changeOf(quantity, a, b) ?? []).filter(isLarge);
  const [before, after] = [explain(a).findings, explain(b).findings];
  const has = (findings: readonly Finding[], { rule }: Finding): boolean => findings.some((each) => each.rule === rule);
  const solved = before.filter((finding) => !has(after, finding));
  const arisen = after.filter((finding) => !has(before, finding));
  const rules = (findings: readonly Finding[]): string => findings.map(({ rule }) => rule).join(", ");
  const text = [
    speedText(a, b, speedup),
    Math.abs(speedup - 1) <= SAME_TIME ? "" : reasonText(a, b, speedup > 1),
    solved.length === 0 ? "" : `No longer found: ${rules(solved)}.`,
    arisen.length === 0 ? "" : `Newly found: ${rules(arisen)}.`,
    changes.length === 0 ? "" : `Changed: ${changes.map(changeText).join("; ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n");
  return summarized(
    {
      speedup,
      changes,
      solved,
      arisen,
      text,
      views: [
        table({
          title: `${a.kernel} and ${b.kernel} on ${a.device.name}: what changed`,
          columns: [
            { key: "metric", title: "Metric" },
            { key: "before", title: a.kernel, align: "right" },
            { key: "after", title: b.kernel === a.kernel ? `${b.kernel} (second)` : b.kernel, align: "right" },
            { key: "changePercent", title: "Change", format: { decimals: 0, sign: true, suffix: " %" } },
            { key: "kind", title: "Kind" },
          ],
          // Counts to the unit: an exact number is not rounded.
          rows: changes.map((change) => ({
            ...change,
            before: shortNumber(change.before),
            after: shortNumber(change.after),
          })),
          note: [speedText(a, b, speedup), reasonText(a, b, speedup > 1)].filter((part) => part !== "").join(" "),
        }),
      ],
    },
    ({ text }) => text,
  );
}
