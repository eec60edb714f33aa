/** nvprof's --metrics and --events: least, greatest and mean of each kernel's launches, or one line for each launch. */
import type { LaunchResult } from "../../host/launch-result.js";
import { sizeText, valueText } from "../../profile/catalog/format.js";
import type { ProfiledLaunch } from "../../profile/catalog/metric-spec.js";
import { event, type MetricValue, metric } from "../../profile/metric.js";
import { csvLine, headOf, row } from "./columns.js";
import { deviceName, type GpuActivity, kernelName } from "./recorded.js";

export type ReportKind = "metric" | "event";

interface Measured {
  readonly device: string;
  readonly kernel: string;
  readonly invocations: number;
  /** One for each launch; for child grids, the mean grid of each launch. */
  readonly values: readonly MetricValue[];
  /** Grids behind each value. */
  readonly grids: readonly number[];
}

/** A launch, or the child grids of one kernel that it has started. */
interface Profiled {
  readonly launch: ProfiledLaunch;
  readonly grids: number;
}

function profiledOf(launch: LaunchResult): readonly Profiled[] {
  const children = launch.children?.kernels ?? [];
  return [{ launch, grids: 1 }, ...children.map(({ meanGrid, grids }) => ({ launch: meanGrid, grids }))];
}

function read(launch: ProfiledLaunch, kind: ReportKind, name: string): MetricValue {
  return kind === "metric" ? metric(launch, name) : event(launch, name);
}

/** Devices in the order of their first launch, kernels by name, as nvprof has them. */
function measured(gpu: readonly GpuActivity[], kind: ReportKind, names: readonly string[]): readonly Measured[] {
  const groups = new Map<string, Profiled[]>();
  const devices: string[] = [];
  for (const { launch: host } of gpu) {
    if (host === null) continue;
    const device = deviceName(host.device);
    if (!devices.includes(device)) devices.push(device);
    for (const profiled of profiledOf(host)) {
      const key = JSON.stringify([devices.indexOf(device), kernelName(profiled.launch)]);
      groups.set(key, [...(groups.get(key) ?? []), profiled]);
    }
  }
  return [...groups]
    .map(([key, profiled]) => ({ place: JSON.parse(key) as [number, string], profiled }))
    .sort((a, b) => a.place[0] - b.place[0] || (a.place[1] < b.place[1] ? -1 : 1))
    .flatMap(({ place: [device, kernel], profiled }) => {
      const grids = profiled.map((each) => each.grids);
      const invocations = grids.reduce((sum, count) => sum + count, 0);
      return names.map((name) => ({
        device: devices[device] ?? "",
        kernel,
        invocations,
        values: profiled.map(({ launch }) => read(launch, kind, name)),
        grids,
      }));
    });
}

interface Statistics {
  readonly least: number | null;
  readonly most: number | null;
  readonly mean: number | null;
  readonly total: number | null;
}

/**
 * Over the launches that have a value, in the tool's unit; none where no launch has one. Child grids are counted together: they
 * have a mean and a total, no least and no greatest.
 */
function statisticsOf({ values, grids }: Measured): Statistics {
  const numbers = values.flatMap(({ toolValue }, index) =>
    toolValue === null ? [] : [{ value: toolValue, count: grids[index] ?? 1 }],
  );
  if (numbers.length === 0) return { least: null, most: null, mean: null, total: null };
  const total = numbers.reduce((sum, { value, count }) => sum + value * count, 0);
  const mean = total / numbers.reduce((sum, { count }) => sum + count, 0);
  if (numbers.some(({ count }) => count > 1)) return { least: null, most: null, mean, total };
  const plain = numbers.map(({ value }) => value);
  return { least: Math.min(...plain), most: Math.max(...plain), mean, total };
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

function meanLines(rows: readonly Measured[]): readonly string[] {
  const kernels = rows.filter(({ grids }) => grids.some((count) => count > 1)).map(({ kernel }) => kernel);
  return [...new Set(kernels)].map((kernel) => `n/a: Min and Max of ${kernel}: child grids are counted together.`);
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
    const { least, most, mean, total } = statisticsOf(each);
    const numbers = texts(each, kind === "metric" ? [least, most, mean] : [least, most, mean, total]);
    const described = kind === "metric" ? [first.title] : [];
    const cells = [String(each.invocations), shownName(first), ...described, ...numbers.slice(0, -1)];
    lines.push(row(columns, cells, (numbers.at(-1) ?? "").padStart(NUMBER_WIDTH)));
  }
  return [...lines, ...reasonLines(rows), ...meanLines(rows)];
}

export function reportCsv(gpu: readonly GpuActivity[], kind: ReportKind, names: readonly string[]): readonly string[] {
  const title = kind === "metric" ? ["Metric Name", "Metric Description"] : ["Event Name"];
  const total = kind === "metric" ? [] : ["Total"];
  return [
    csvLine(["Device", "Kernel", "Invocations", ...title, "Min", "Max", "Avg", ...total]),
    ...measured(gpu, kind, names).flatMap((each) => {
      const { device, kernel, values, invocations } = each;
      const [first] = values;
      if (first === undefined) return [];
      const found = statisticsOf(each);
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
      return [[csvLine([device, kernel, invocations, ...described]), ...shown].join(",")];
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
  const launches = gpu.flatMap(({ launch: host, correlation }) =>
    host === null ? [] : profiledOf(host).map((profiled) => ({ ...profiled, correlation })),
  );
  const rows = launches.map(({ launch, correlation, grids }) => ({
    device: deviceName(launch.device),
    kernel: `${kernelName(launch)} [${correlation}]${grids > 1 ? ` mean of ${grids} grids` : ""}`,
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
