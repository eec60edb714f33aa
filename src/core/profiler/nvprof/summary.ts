/** nvprof's summary: GPU activities and API calls by name. Times are predicted; API calls have none. */
import { timeText } from "../../profile/catalog/format.js";
import { csvLine, headOf, row } from "./columns.js";
import type { ApiCall, GpuActivity } from "./recorded.js";

const COLUMNS = [
  { title: "Type", width: 16 },
  { title: "Time(%)", width: 7 },
  { title: "Time", width: 8 },
  { title: "Calls", width: 8 },
  { title: "Avg", width: 8 },
  { title: "Min", width: 8 },
  { title: "Max", width: 8 },
] as const;

interface Line {
  readonly type: "GPU activities" | "API calls";
  readonly name: string;
  readonly calls: number;
  /** Predicted seconds of each; empty where the model has no time. */
  readonly seconds: readonly number[];
}

function byName<T extends { readonly name: string }>(
  items: readonly T[],
): readonly (readonly [string, readonly T[]])[] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(item.name, [...(groups.get(item.name) ?? []), item]);
  return [...groups];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function linesOf(gpu: readonly GpuActivity[], api: readonly ApiCall[]): readonly Line[] {
  const activities = byName(gpu).map(([name, items]): Line => {
    const seconds = items.flatMap((item) => (item.seconds === null ? [] : [item.seconds]));
    return { type: "GPU activities", name, calls: items.length, seconds };
  });
  const calls = byName(api).map(
    ([name, items]): Line => ({ type: "API calls", name, calls: items.length, seconds: [] }),
  );
  activities.sort((a, b) => sum(b.seconds) - sum(a.seconds));
  calls.sort((a, b) => b.calls - a.calls);
  return [...activities, ...calls];
}

interface Figures {
  readonly percent: number;
  readonly time: number;
  readonly average: number;
  readonly least: number;
  readonly most: number;
}

function figuresOf({ seconds }: Line, all: number): Figures | null {
  if (seconds.length === 0) return null;
  const time = sum(seconds);
  return {
    percent: (100 * time) / all,
    time,
    average: time / seconds.length,
    least: Math.min(...seconds),
    most: Math.max(...seconds),
  };
}

export function summaryText(gpu: readonly GpuActivity[], api: readonly ApiCall[]): readonly string[] {
  const lines = linesOf(gpu, api);
  const all = sum(lines.flatMap(({ seconds }) => seconds));
  return [
    headOf(COLUMNS, "Name"),
    ...lines.map((line, index) => {
      const type = index === 0 || lines[index - 1]?.type !== line.type ? `${line.type}:` : "";
      const found = figuresOf(line, all);
      const of = (seconds: number | undefined): string => (seconds === undefined ? "-" : timeText(seconds));
      const share = found === null ? "-" : `${found.percent.toFixed(2)}%`;
      const times = [of(found?.time), String(line.calls), of(found?.average), of(found?.least), of(found?.most)];
      return row(COLUMNS, [type, share, ...times], line.name);
    }),
  ];
}

/** Times in microseconds, as the second line says. */
export function summaryCsv(gpu: readonly GpuActivity[], api: readonly ApiCall[]): readonly string[] {
  const lines = linesOf(gpu, api);
  const all = sum(lines.flatMap(({ seconds }) => seconds));
  const microseconds = (seconds: number | undefined): number | null =>
    seconds === undefined ? null : Number((seconds * 1e6).toFixed(6));
  return [
    csvLine(["Type", "Time(%)", "Time", "Calls", "Avg", "Min", "Max", "Name"]),
    ",%,us,,us,us,us,",
    ...lines.map((line) => {
      const found = figuresOf(line, all);
      const percent = found === null ? null : Number(found.percent.toFixed(6));
      const rest = [found?.average, found?.least, found?.most].map(microseconds);
      return csvLine([line.type, percent, microseconds(found?.time), line.calls, ...rest, line.name]);
    }),
  ];
}
