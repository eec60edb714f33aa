/** nvprof's --metrics and --events: least, greatest and mean of each kernel's launches, or one line for each launch. */
import type { LaunchResult } from "../../host/launch-result.js";
import { sizeText, valueText } from "../../profile/catalog/format.js";
import { event, type MetricValue, metric } from "../../profile/metric.js";
import { csvLine, headOf, row } from "./columns.js";
import { deviceName, type GpuActivity, kernelName } from "./recorded.js";

export type ReportKind = "metric" | "event";

interface Measured {
  readonly device: string;
  readonly kernel: string;
  /** One for each launch. */
  readonly values: readonly MetricValue[];
}

function read(launch: LaunchResult, kind: ReportKind, name: string): MetricValue {
  return kind === "metric" ? metric(launch, name) : event(launch, name);
}

/** Devices in the order of their first launch, kernels by name, as nvprof has them. */
function measured(gpu: readonly GpuActivity[], kind: ReportKind, names: readonly string[]): readonly Measured[] {
  const groups = new Map<string, LaunchResult[]>();
  const devices: string[] = [];
  for (const { launch } of gpu) {
    if (launch === null) continue;
    const device = deviceName(launch.device);
    if (!devices.includes(device)) devices.push(device);
    const key = JSON.stringify([devices.indexOf(device), kernelName(launch)]);
    groups.set(key, [...(groups.get(key) ?? []), launch]);
  }
  return [...groups]
    .map(([key, launches]) => ({ place: JSON.parse(key) as [number, string], launches }))
    .sort((a, b) => a.place[0] - b.place[0] || (a.place[1] < b.place[1] ? -1 : 1))
    .flatMap(({ place: [device, kernel], launches }) =>
      names.map((name) => ({
        device: devices[device] ?? "",
        kernel,
        values: launches.map((launch) => read(launch, kind, name)),
      })),
    );
}

interface Statistics {
  readonly least: number | null;
  readonly most: number | null;
  readonly mean: number | null;
  readonly total: number | null;
}

/** Over the launches that have a value, in the tool's unit; none where no launch has one. */
function statisticsOf(values: readonly MetricValue[]): Statistics {
  const numbers = values.flatMap(({ toolValue }) => (toolValue === null ? [] : [toolValue]));
  if (numbers.length === 0) return { least: null, most: null, mean: null, total: null };
  const total = numbers.reduce((sum, value) => sum + value, 0);
  return { least: Math.min(...numbers), most: Math.max(...numbers), mean: total / numbers.length, total };
}

/** In the unit of the tool that has it on this GPU. */
function texts({ values }: Measured, numbers: readonly (number | null)[]): readonly string[] {
  const [first] = values;
  if (first === undefined) return [];
  if (first.toolUnit === "bytes") return numbers.map((value) => (value === null ? "n/a" : sizeText(value)));
  return numbers.map((value) => valueText(value, first.toolUnit));
}

const shownName = (value: MetricValue): string => value.toolName ?? value.name;

const NUMBER_WIDTH = 10;
const NAME_WIDTH = 40;

function reasonLines(rows: readonly Measured[]): readonly string[] {
  const reasons = rows.flatMap(({ kernel, values }) =>
    values.flatMap(({ name, reason }) => (reason === null ? [] : [`n/a: ${name} of ${kernel}: ${reason}.`])),
  );
  return [...new Set(reasons)];
}

function columnsOf(rows: readonly Measured[], kind: ReportKind): readonly { title: string; width: number }[] {
  const names = rows.map(({ values }) => values[0]).filter((value) => value !== undefined);
  const longest = Math.max(NAME_WIDTH, ...names.map((value) => shownName(value).length + 1));
  const description = Math.max(NAME_WIDTH, ...names.map(({ title }) => title.length + 1));
  const numbers = (kind === "event" ? ["Min", "Max", "Avg"] : ["Min", "Max"]).map((title) => ({
    title,
    width: NUMBER_WIDTH,
  }));
  return [
    { title: "Invocations", width: 11 },
    { title: kind === "metric" ? "Metric Name" : "Event Name", width: longest },
    ...(kind === "metric" ? [{ title: "Metric Description", width: description }] : []),
    ...numbers,
  ];
}

export function reportText(gpu: readonly GpuActivity[], kind: ReportKind, names: readonly string[]): readonly string[] {
  const rows = measured(gpu, kind, names);
  const columns = columnsOf(rows, kind);
  const lines: string[] = [headOf(columns, kind === "metric" ? "       Avg" : "     Total")];
  let device = "";
  let kernel = "";
  for (const each of rows) {
    const [first] = each.values;
    if (first === undefined) continue;
    if (each.device !== device) lines.push(`Device "${each.device}"`);
    if (each.device !== device || each.kernel !== kernel) lines.push(`    Kernel: ${each.kernel}`);
    ({ device, kernel } = each);
    const { least, most, mean, total } = statisticsOf(each.values);
    const numbers = texts(each, kind === "metric" ? [least, most, mean] : [least, most, mean, total]);
    const described = kind === "metric" ? [first.title] : [];
    const cells = [String(each.values.length), shownName(first), ...described, ...numbers.slice(0, -1)];
    lines.push(row(columns, cells, (numbers.at(-1) ?? "").padStart(NUMBER_WIDTH)));
  }
  return [...lines, ...reasonLines(rows)];
}

export function reportCsv(gpu: readonly GpuActivity[], kind: ReportKind, names: readonly string[]): readonly string[] {
  const title = kind === "metric" ? ["Metric Name", "Metric Description"] : ["Event Name"];
  const total = kind === "metric" ? [] : ["Total"];
  return [
    csvLine(["Device", "Kernel", "Invocations", ...title, "Min", "Max", "Avg", ...total]),
    ...measured(gpu, kind, names).flatMap(({ device, kernel, values }) => {
      const [first] = values;
      if (first === undefined) return [];
      const found = statisticsOf(values);
      const numbers = [found.least, found.most, found.mean, ...(kind === "event" ? [found.total] : [])];
      const described = kind === "metric" ? [shownName(first), first.title] : [shownName(first)];
      // nvprof writes percentages with six digits, and without quotes.
      const shown = numbers.map((value) =>
        value !== null && first.toolUnit === "percent"
          ? `${value.toFixed(6)}%`
          : value === null
            ? "n/a"
            : String(value),
      );
      return [[csvLine([device, kernel, values.length, ...described]), ...shown].join(",")];
    }),
  ];
}

/** The form with --print-gpu-trace: one line for each launch, one column for each name. */
export function traceReport(
  gpu: readonly GpuActivity[],
  kind: ReportKind,
  names: readonly string[],
  csv: boolean,
): readonly string[] {
  const launches = gpu.flatMap(({ launch, correlation }) => (launch === null ? [] : [{ launch, correlation }]));
  const rows = launches.map(({ launch, correlation }) => ({
    device: deviceName(launch.device),
    kernel: `${kernelName(launch)} [${correlation}]`,
    values: names.map((name) => read(launch, kind, name)),
  }));
  const heads = names.map((name) => {
    const value = rows[0]?.values[names.indexOf(name)];
    return value === undefined ? name : shownName(value);
  });
  if (csv) {
    return [
      csvLine(["Device", "Context", "Stream", "Kernel", ...heads]),
      ...rows.map(({ device, kernel, values }) =>
        [csvLine([device, "1", "7", kernel]), ...values.map(({ toolText }) => toolText)].join(","),
      ),
    ];
  }
  const width = (title: string, cells: readonly string[]): number =>
    Math.max(title.length, ...cells.map((c) => c.length));
  const columns = [
    {
      title: "Device",
      width: width(
        "Device",
        rows.map(({ device }) => device),
      ),
    },
    { title: "Context", width: 9 },
    { title: "Stream", width: 9 },
    {
      title: "Kernel",
      width: width(
        "Kernel",
        rows.map(({ kernel }) => kernel),
      ),
    },
    ...heads.map((title, index) => ({
      title,
      width: width(
        title,
        rows.map((r) => r.values[index]?.toolText ?? ""),
      ),
    })),
  ];
  return [
    headOf(columns, ""),
    ...rows.map(({ device, kernel, values }) =>
      row(columns, [device, "1", "7", kernel, ...values.map(({ toolText }) => toolText)], ""),
    ),
    ...new Set(
      rows.flatMap((r) => r.values.flatMap((v) => (v.reason === null ? [] : [`n/a: ${v.name}: ${v.reason}.`]))),
    ),
  ];
}
