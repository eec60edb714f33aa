/** Simulates every microbenchmark and sums up the errors by group. Deterministic. */
import { InputError } from "../base/errors.js";
import { h200 } from "../device/index.js";
import { signedPercent } from "../show/number-format.js";
import { type Table, table } from "../show/table.js";
import { type MicroBenchmark, microBenchmarks } from "./calibrate-benchmarks.js";
import { blocksOfColumnsBenchmarks, columnBenchmarks } from "./calibrate-columns.js";
import { laneBenchmarks } from "./calibrate-lanes.js";
import { MicroSimulator } from "./calibrate-launch.js";
import { lineBenchmarks } from "./calibrate-lines.js";
import { pendingBenchmarks } from "./calibrate-pending.js";
import { phaseBenchmarks } from "./calibrate-phases.js";
import { pieceBenchmarks } from "./calibrate-pieces.js";
import { pitchBenchmarks, splitBenchmarks } from "./calibrate-pitch.js";
import { raggedBenchmarks } from "./calibrate-ragged.js";
import { roundBenchmarks, yieldBenchmarks } from "./calibrate-rounds.js";
import { rowBenchmarks } from "./calibrate-rows.js";
import { smallKernelBenchmarks } from "./calibrate-small.js";
import { spinBenchmarks } from "./calibrate-spin.js";
import { spreadBenchmarks } from "./calibrate-spread.js";
import { stepBenchmarks } from "./calibrate-steps.js";
import { streamBenchmarks } from "./calibrate-streams.js";
import { strongBenchmarks } from "./calibrate-strong.js";
import { tileBenchmarks } from "./calibrate-tiles.js";
import { wholeLaunchBenchmarks } from "./calibrate-whole.js";
import { meanAbsolute } from "./validate-numbers.js";

export interface CalibrationRow {
  /** The GPU that it was measured and simulated on. */
  readonly device: string;
  readonly group: string;
  readonly id: string;
  readonly unit: string;
  readonly simulated: number;
  readonly measured: number;
  /** 100 * (simulated - measured) / measured. */
  readonly errorPercent: number;
}

export interface CalibrationGroup {
  readonly group: string;
  readonly rows: number;
  readonly meanAbsolutePercent: number;
  /** Signed. */
  readonly worstPercent: number;
  readonly worstRow: string;
}

export interface Calibration {
  /** The greatest error first. */
  readonly rows: readonly CalibrationRow[];
  readonly groups: readonly CalibrationGroup[];
  readonly meanAbsolutePercent: number;
}

export interface CalibrationOptions {
  /** Only groups whose name contains one of these. */
  readonly groups?: readonly string[];
  readonly say?: (line: string) => void;
}

function groupOf(group: string, rows: readonly CalibrationRow[]): CalibrationGroup {
  const members = rows.filter((row) => row.group === group);
  const worst = members.reduce((most, row) => (Math.abs(row.errorPercent) > Math.abs(most.errorPercent) ? row : most));
  return {
    group,
    rows: members.length,
    meanAbsolutePercent: meanAbsolute(members.map(({ errorPercent }) => errorPercent)) ?? 0,
    worstPercent: worst.errorPercent,
    worstRow: worst.id,
  };
}

/** All there are: a GPU's follow one another. */
export function allBenchmarks(): readonly MicroBenchmark[] {
  return [
    ...microBenchmarks(),
    ...spreadBenchmarks(),
    ...stepBenchmarks(),
    ...spinBenchmarks(),
    ...strongBenchmarks(),
    ...laneBenchmarks(),
    ...lineBenchmarks(),
    ...pendingBenchmarks(),
    ...raggedBenchmarks(),
    ...rowBenchmarks(),
    ...phaseBenchmarks(),
    ...wholeLaunchBenchmarks(),
    ...pieceBenchmarks(),
    ...columnBenchmarks(),
    ...blocksOfColumnsBenchmarks(),
    ...roundBenchmarks(),
    ...yieldBenchmarks(),
    ...streamBenchmarks(),
    ...smallKernelBenchmarks(),
    ...tileBenchmarks(),
    ...pitchBenchmarks(),
    ...splitBenchmarks(),
  ];
}

/** @throws InputError for a group that there is not. */
export function calibrate(options: CalibrationOptions = {}): Calibration {
  const { groups = [], say = () => {} } = options;
  const all = allBenchmarks();
  const names = [...new Set(all.map(({ group }) => group))];
  const unknown = groups.find((part) => !names.some((name) => name.includes(part)));
  if (unknown !== undefined) {
    throw new InputError({
      what: `There is no group of microbenchmarks "${unknown}".`,
      cure: `There are: ${names.join(", ")}.`,
    });
  }
  const chosen = names
    .filter((name) => groups.length === 0 || groups.some((part) => name.includes(part)))
    .flatMap((name) => all.filter(({ group }) => group === name));
  let gpu: MicroSimulator | undefined;
  const rows = chosen.map(({ group, id, unit, measured, simulate, device = h200 }, index): CalibrationRow => {
    if (group !== chosen[index - 1]?.group) say(`${group} ...`);
    if (gpu?.device !== device) gpu = new MicroSimulator(device);
    const simulated = simulate(gpu);
    return {
      device: device.name,
      group,
      id,
      unit,
      simulated,
      measured,
      errorPercent: (100 * (simulated - measured)) / measured,
    };
  });
  return {
    rows: [...rows].sort((a, b) => Math.abs(b.errorPercent) - Math.abs(a.errorPercent)),
    groups: names.filter((name) => rows.some(({ group }) => group === name)).map((name) => groupOf(name, rows)),
    meanAbsolutePercent: meanAbsolute(rows.map(({ errorPercent }) => errorPercent)) ?? 0,
  };
}

const error = { align: "right", format: signedPercent } as const;
const value = { align: "right", format: { significant: 4 } } as const;

export function calibrationTables({ rows, groups }: Calibration): readonly [rows: Table, groups: Table] {
  return [
    table({
      title: "Microbenchmarks",
      note: "Measured: test/reference/probes/h200-micro-extra.json, of an H200; test/reference/gpu-stream.json and gpu-small-kernels.json, of others. The greatest error comes first.",
      columns: [
        { key: "group", title: "Group" },
        { key: "id", title: "Microbenchmark" },
        { key: "simulated", title: "Simulated", ...value },
        { key: "measured", title: "Measured", ...value },
        { key: "unit", title: "Unit" },
        { key: "errorPercent", title: "Error", ...error },
      ],
      rows,
    }),
    table({
      title: "By group",
      columns: [
        { key: "group", title: "Group" },
        { key: "rows", title: "Rows" },
        {
          key: "meanAbsolutePercent",
          title: "Mean absolute error",
          unit: "%",
          align: "right",
          format: { decimals: 1 },
        },
        { key: "worstPercent", title: "Worst", ...error },
        { key: "worstRow", title: "Worst microbenchmark" },
      ],
      rows: groups,
    }),
  ];
}
