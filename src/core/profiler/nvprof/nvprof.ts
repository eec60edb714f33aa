/** nvprof's four modes as text, for the launches and copies that a callback makes. */

import { InputError } from "../../base/errors.js";
import {
  boolean,
  callable,
  checkArgument,
  checkOptions,
  either,
  type Fields,
  listOf,
  oneOf,
  optional,
  type Shape,
  string,
} from "../../base/shape.js";
import { type Activity, listen } from "../../host/activity.js";
import { capability } from "../../profile/catalog/metric-spec.js";
import { eventNames, eventSpec, LAST_OF_NVPROF, metricNames, metricSpec } from "../../profile/metric.js";
import { fidelityLines } from "../fidelity/fidelity.js";
import { reportCsv, reportText, traceReport } from "./metric-report.js";
import { apiCalls, type GpuActivity, gpuActivities } from "./recorded.js";
import { summaryCsv, summaryText } from "./summary.js";
import { apiTraceCsv, apiTraceText, gpuTraceCsv, gpuTraceText } from "./traces.js";

export interface NvprofOptions {
  /** Default "summary". Metrics and events go with "summary" and "gpu-trace". */
  readonly mode?: "summary" | "gpu-trace" | "api-trace";
  /** --metrics: names of nvprof or Nsight Compute, as a list or with commas between; "all" for every one. */
  readonly metrics?: string | readonly string[];
  /** --events: the same. */
  readonly events?: string | readonly string[];
  /** --csv. */
  readonly csv?: boolean;
  /** Shown as the profiled application. Default "notebook". */
  readonly application?: string;
}

const MODES = ["summary", "gpu-trace", "api-trace"] as const;

/** In place of nvprof's ==process==: nothing ran in a process that a profiler watched. */
const MARK = "==warplab==";

const names: Shape = either(string, listOf(string));

const OPTIONS: Fields<NvprofOptions> = {
  mode: optional(oneOf(...MODES)),
  metrics: optional(names),
  events: optional(names),
  csv: optional(boolean),
  application: optional(string),
};

function checkReport(options: NvprofOptions): void {
  checkOptions("nvprof", options, OPTIONS);
  const { mode = "summary" } = options;
  if (mode === "api-trace" && (options.metrics !== undefined || options.events !== undefined)) {
    throw new InputError({
      what: "nvprof: metrics and events are those of kernels, and an API trace has none.",
      cure: 'Leave mode out, or give "gpu-trace" for one line a launch.',
    });
  }
}

function namesOf(given: NvprofOptions["metrics"], all: readonly string[]): readonly string[] {
  if (given === undefined) return [];
  const names = (typeof given === "string" ? given.split(",") : given).map((name) => name.trim());
  return names.flatMap((name) => (name === "all" ? all : name === "" ? [] : [name]));
}

/** Refused before anything runs. */
function checkNames(metrics: readonly string[], events: readonly string[]): void {
  for (const name of metrics) metricSpec(name);
  for (const name of events) eventSpec(name);
}

/** @throws InputError for unknown options and names. */
export function checkNvprof(options: NvprofOptions): void {
  checkReport(options);
  checkNames(namesOf(options.metrics, metricNames), namesOf(options.events, eventNames));
}

/** Notes on what is no measurement. */
function notes(gpu: readonly GpuActivity[]): readonly string[] {
  const later = gpu.find(({ device }) => device !== null && capability(device.computeCapability) > LAST_OF_NVPROF);
  if (later === undefined) return [];
  return [
    `${MARK} Warning: nvprof does not support ${later.device?.name}: it ends with compute capability ${LAST_OF_NVPROF}.`,
    `${MARK} Metrics have the names that Nsight Compute (ncu) shows them by.`,
  ];
}

/** How far to believe the numbers, for each GPU that ran something. */
function fidelityNotes(gpu: readonly GpuActivity[]): readonly string[] {
  const devices = new Map(gpu.flatMap(({ device }) => (device === null ? [] : [[device.id, device] as const])));
  return [...devices.values()].flatMap((device) => [
    `${MARK} ${device.name}:`,
    ...fidelityLines(device).map((line) => `${MARK}   ${line}`),
  ]);
}

const PREDICTED = `${MARK} Times of kernels and copies are predicted. API calls have no time in the model: "-".`;

/** The text of a report on recorded activities. */
export function nvprofText(activities: readonly Activity[], options: NvprofOptions = {}): string {
  checkReport(options);
  const { mode = "summary", csv = false, application = "notebook" } = options;
  const metrics = namesOf(options.metrics, metricNames);
  const events = namesOf(options.events, eventNames);
  checkNames(metrics, events);
  const counted = options.metrics !== undefined || options.events !== undefined;
  const gpu = gpuActivities(activities, !counted && mode !== "api-trace");
  const head = [`${MARK} Profiling application: ${application}`, ...notes(gpu), ...fidelityNotes(gpu)];
  if (counted) {
    const report = (kind: "event" | "metric", names: readonly string[]): readonly string[] => {
      if (names.length === 0) return [];
      const title = mode === "gpu-trace" ? [] : [`${MARK} ${kind === "event" ? "Event" : "Metric"} result:`];
      const lines =
        mode === "gpu-trace"
          ? traceReport(gpu, kind, names, csv)
          : csv
            ? reportCsv(gpu, kind, names)
            : reportText(gpu, kind, names);
      return [...title, ...lines];
    };
    if (gpu.every(({ launch }) => launch === null)) {
      return `${[...head, `${MARK} No kernels were profiled.`].join("\n")}\n`;
    }
    const both = [report("event", events), report("metric", metrics)].filter((lines) => lines.length > 0);
    return `${[...head, `${MARK} Profiling result:`, both.map((lines) => lines.join("\n")).join("\n\n")].join("\n")}\n`;
  }
  const api = apiCalls(activities);
  const [text, comma] = {
    summary: [() => summaryText(gpu, api), () => summaryCsv(gpu, api)] as const,
    "gpu-trace": [() => gpuTraceText(gpu), () => gpuTraceCsv(gpu)] as const,
    "api-trace": [() => apiTraceText(api), () => apiTraceCsv(api)] as const,
  }[mode];
  return `${[...head, PREDICTED, `${MARK} Profiling result:`, ...(csv ? comma() : text())].join("\n")}\n`;
}

/**
 * Runs `work` and reports on the launches and copies that it makes, in nvprof's layout. Times are predicted; counts are
 * exact; the model has no time for API calls, which is shown as "-".
 * @throws InputError for unknown names and options, before `work` runs; whatever `work` throws.
 * @example
 * console.log(nvprof(() => gpu.launch(sum, { grid, block }, args), { metrics: "gld_efficiency,achieved_occupancy" }));
 */
export function nvprof(work: () => unknown, options: NvprofOptions = {}): string {
  checkArgument("nvprof", "work", work, callable);
  checkNvprof(options);
  const recording = listen();
  let result: unknown;
  let activities: readonly Activity[] = [];
  try {
    result = work();
  } finally {
    activities = recording.stop();
  }
  if (result instanceof Promise) {
    throw new InputError({
      what: "nvprof was given a function that returns a promise.",
      cure: "Give a plain function: launches and copies of warplab need no await.",
    });
  }
  return nvprofText(activities, options);
}
