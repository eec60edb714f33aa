/**
 * One metric or event of a launch by name. nvprof's names and Nsight Compute's are both understood. nvprof ends with compute
 * capability 7.2, and Nsight Compute begins with 7.0. Each value says which tool of its GPU would show it, and by what name.
 */
import { InputError } from "../base/errors.js";
import { nearest } from "../base/nearest.js";
import { checkArgument } from "../base/shape.js";
import { shown } from "../base/shown.js";
import { EVENTS } from "./catalog/events.js";
import { valueText } from "./catalog/format.js";
import { ISSUE_METRICS } from "./catalog/issue-metrics.js";
import { MEMORY_METRICS } from "./catalog/memory-metrics.js";
import {
  capability,
  type MetricKind,
  type MetricSpec,
  type MetricUnit,
  type ProfiledLaunch,
} from "./catalog/metric-spec.js";
import { STALL_METRICS } from "./catalog/stall-metrics.js";
import { launchShape } from "./launch-shape.js";

/** Every metric that there is, as data. */
export const metricTable: readonly MetricSpec[] = Object.freeze([
  ...ISSUE_METRICS,
  ...MEMORY_METRICS,
  ...STALL_METRICS,
]);
/** Every event that there is, as data. */
export const eventTable: readonly MetricSpec[] = EVENTS;

/** nvprof's names of all metrics. */
export const metricNames: readonly string[] = metricTable.map(({ name }) => name);
/** nvprof's names of all events. */
export const eventNames: readonly string[] = eventTable.map(({ name }) => name);

export type ProfilerTool = "nvprof" | "ncu";

/** The last compute capability that nvprof knows. */
export const LAST_OF_NVPROF = 7.2;
const FIRST_OF_NCU = 7;

export interface MetricValue {
  /** nvprof's name. */
  readonly name: string;
  readonly title: string;
  /** In `unit`; null where the launch or the GPU has none, and `reason` says why. */
  readonly value: number | null;
  readonly unit: MetricUnit;
  /** exact: counted in every block. predicted: from the timing model. */
  readonly kind: MetricKind;
  /** The tool that shows it on this GPU, and its name there; null where no tool does. */
  readonly tool: ProfilerTool | null;
  readonly toolName: string | null;
  /** As nvprof writes it: "62.50%"; "n/a" for none. */
  readonly text: string;
  /** The same in the unit that the tool has for it: Nsight Compute gives lanes where nvprof gives their share of 32. */
  readonly toolText: string;
  /** The number of `toolText`, with its unit. */
  readonly toolValue: number | null;
  readonly toolUnit: MetricUnit;
  readonly reason: string | null;
}

function known(spec: MetricSpec, name: string): boolean {
  return spec.name === name || (spec.ncu.length === 1 && spec.ncu[0] === name);
}

/** Names that share the most words with the unknown one. */
function likely(name: string, names: readonly string[]): readonly string[] {
  const words = new Set(name.toLowerCase().split(/[^a-z0-9]+/));
  const shared = (other: string): number => {
    const parts = other.split("_");
    return parts.filter((word) => words.has(word)).length / (parts.length + words.size);
  };
  const close = nearest(name, names);
  const others = names.filter((other) => shared(other) > 0 && other !== close);
  others.sort((a, b) => shared(b) - shared(a));
  return [...(close === null ? [] : [close]), ...others].slice(0, 3);
}

function find(kind: "metric" | "event", name: string): MetricSpec {
  const [table, other] = kind === "metric" ? [metricTable, eventTable] : [eventTable, metricTable];
  const found = table.find((spec) => known(spec, name));
  if (found !== undefined) return found;
  const elsewhere = other.some((spec) => known(spec, name));
  const near = likely(typeof name === "string" ? name : "", kind === "metric" ? metricNames : eventNames);
  const meant = near.length === 0 ? "" : `Did you mean ${near.join(" or ")}? `;
  const otherKind = kind === "metric" ? "event" : "metric";
  throw new InputError({
    what: `There is no ${kind} ${shown(name)}.`,
    cure: elsewhere
      ? `${name} is ${otherKind === "event" ? "an event: ask for it with event(launch, name)" : "a metric: ask for it with metric(launch, name)"}.`
      : `${meant}${kind}Names lists all of them.`,
  });
}

/** @throws InputError naming the nearest ones for an unknown name. */
export function metricSpec(name: string): MetricSpec {
  return find("metric", name);
}

/** @throws InputError naming the nearest ones for an unknown name. */
export function eventSpec(name: string): MetricSpec {
  return find("event", name);
}

/** Whether nvprof has the metric for GPUs of that compute capability. */
function nvprofHas({ since = 2, until = LAST_OF_NVPROF }: MetricSpec, has: number): boolean {
  return has >= since && has <= until;
}

function toolOf(
  spec: MetricSpec,
  has: number,
): { readonly tool: ProfilerTool | null; readonly toolName: string | null } {
  if (nvprofHas(spec, has)) return { tool: "nvprof", toolName: spec.name };
  if (has >= FIRST_OF_NCU && spec.ncu.length > 0) return { tool: "ncu", toolName: spec.ncu.join(" + ") };
  return { tool: null, toolName: null };
}

function measure(launch: ProfiledLaunch, spec: MetricSpec): MetricValue {
  const { name, title, unit, kind } = spec;
  const { computeCapability, name: gpu } = launch.device;
  const { tool, toolName } = toolOf(spec, capability(computeCapability));
  const { major, minor } = computeCapability;
  const lacking = `${gpu} (compute capability ${major}.${minor}) has no counter for it that a tool shows`;
  const value = tool === null ? null : spec.value(launch);
  const reason = tool === null ? lacking : value === null ? (spec.none ?? "there is nothing to divide by") : null;
  const text = valueText(value, unit);
  const other = tool === "ncu" ? spec.inNcu : undefined;
  const toolUnit = other?.unit ?? unit;
  const toolValue = value === null ? null : value * (other?.factor ?? 1);
  const toolText = valueText(toolValue, toolUnit);
  return { name, title, value, unit, kind, tool, toolName, text, toolText, toolValue, toolUnit, reason };
}

/**
 * A metric of a launch, by nvprof's name or Nsight Compute's.
 * @throws InputError for an unknown name, naming the nearest ones, and for no launch.
 * @example
 * const { value, text, kind } = metric(launch, "gld_efficiency"); // 12.50, "12.50%", "exact"
 */
export function metric(launch: ProfiledLaunch, name: string): MetricValue {
  checkArgument("metric", "launch", launch, launchShape);
  return measure(launch, metricSpec(name));
}

/**
 * An event of a launch, by nvprof's name.
 * @throws InputError for an unknown name, naming the nearest ones, and for no launch.
 * @example
 * event(launch, "divergent_branch").value;
 */
export function event(launch: ProfiledLaunch, name: string): MetricValue {
  checkArgument("event", "launch", launch, launchShape);
  return measure(launch, eventSpec(name));
}
