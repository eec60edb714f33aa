/** Simulates every microbenchmark and sums up the errors by group. Deterministic. */
import "../../../node/platform.js";
import { InputError } from "../../../core/base/errors.js";
import { h200 } from "../../../core/device/index.js";
import { meanAbsolute } from "../compared-numbers.js";
import { type Sample, sampleOf } from "../sample.js";
import { phaseBenchmarks, pieceBenchmarks, raggedBenchmarks, wholeLaunchBenchmarks } from "./groups/arrays.js";
import { MicroSimulator } from "./groups/benchmark-launch.js";
import { type MicroBenchmark, microBenchmarks } from "./groups/benchmarks.js";
import { smallKernelBenchmarks, streamBenchmarks } from "./groups/gpu-benches.js";
import { laneBenchmarks, lineBenchmarks, spreadBenchmarks, strongBenchmarks } from "./groups/l2-requests.js";
import { columnBenchmarks, tileBenchmarks } from "./groups/matrices.js";
import { roundBenchmarks, yieldBenchmarks } from "./groups/multiply-adds.js";
import { spinBenchmarks, stepBenchmarks } from "./groups/shared-memory.js";
import { pendingBenchmarks, rowBenchmarks } from "./groups/waiting-loads.js";

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
  /** Only the fixed eighth that is recorded. */
  readonly sample?: Sample;
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
    ...roundBenchmarks(),
    ...yieldBenchmarks(),
    ...streamBenchmarks(),
    ...smallKernelBenchmarks(),
    ...tileBenchmarks(),
  ];
}

/** Group after group. @throws InputError for a group that there is not. */
export function chooseBenchmarks({ groups = [], sample }: CalibrationOptions): readonly MicroBenchmark[] {
  const all = allBenchmarks();
  const names = [...new Set(all.map(({ group }) => group))];
  const unknown = groups.find((part) => !names.some((name) => name.includes(part)));
  if (unknown !== undefined) {
    throw new InputError({
      what: `There is no group of microbenchmarks "${unknown}".`,
      cure: `There are: ${names.join(", ")}.`,
    });
  }
  return names
    .filter((name) => groups.length === 0 || groups.some((part) => name.includes(part)))
    .flatMap((name) => {
      const members = all.filter(({ group }) => group === name);
      return sample !== undefined ? sampleOf(members, sample) : members;
    });
}

/** Simulates one microbenchmark after another; one of another GPU than the last begins in a memory of its own. */
export function benchmarkSimulator(): (benchmark: MicroBenchmark) => CalibrationRow {
  let gpu: MicroSimulator | undefined;
  return ({ group, id, unit, measured, simulate, device = h200 }) => {
    if (gpu?.device !== device) gpu = new MicroSimulator(device);
    const simulated = simulate(gpu);
    const errorPercent = (100 * (simulated - measured)) / measured;
    return { device: device.name, group, id, unit, simulated, measured, errorPercent };
  };
}

/** @param rows in the order of the benchmarks */
export function calibrationOf(rows: readonly CalibrationRow[]): Calibration {
  const names = [...new Set(rows.map(({ group }) => group))];
  return {
    rows: [...rows].sort((a, b) => Math.abs(b.errorPercent) - Math.abs(a.errorPercent)),
    groups: names.map((name) => groupOf(name, rows)),
    meanAbsolutePercent: meanAbsolute(rows.map(({ errorPercent }) => errorPercent)) ?? 0,
  };
}

/** In this thread. @throws InputError for a group that there is not. */
export function calibrate(options: CalibrationOptions = {}): Calibration {
  return calibrationOf(chooseBenchmarks(options).map(benchmarkSimulator()));
}
