/**
 * The model's predictions of a fixed eighth of all microbenchmarks, to the last digit: `npm run calibrate -- --record`
 * writes it, the tests compare with it.
 */

import { readReference, writeReference } from "../measured-table.js";
import { sampleOf } from "../sample.js";
import type { Calibration, CalibrationRow } from "./calibrate.js";

const FILE = "recorded/calibration.json";

/** By group and microbenchmark. */
export type RecordedBenchmarks = Readonly<Record<string, Readonly<Record<string, number>>>>;

type Rows = readonly CalibrationRow[];

function byGroup(rows: Rows): readonly (readonly [group: string, rows: Rows])[] {
  const groups = [...new Set(rows.map(({ group }) => group))].sort();
  return groups.map((name) => [name, rows.filter(({ group }) => group === name)]);
}

/** The microbenchmarks that are recorded. */
export function sampledRows({ rows }: Pick<Calibration, "rows">): Pick<Calibration, "rows"> {
  return { rows: byGroup(rows).flatMap(([, members]) => sampleOf(members, "recorded")) };
}

/** @param calibration of the sampled microbenchmarks alone */
export function recordedBenchmarks({ rows }: Pick<Calibration, "rows">): RecordedBenchmarks {
  return Object.fromEntries(
    byGroup(rows).map(([group, members]) => {
      const named = [...members].sort((a, b) => (a.id < b.id ? -1 : 1));
      return [group, Object.fromEntries(named.map(({ id, simulated }) => [id, simulated]))];
    }),
  );
}

/** One microbenchmark a line. @returns the file's path from the course's folder */
export function writeRecordedBenchmarks(recorded: RecordedBenchmarks): string {
  return writeReference(FILE, `${JSON.stringify(recorded, null, 1)}\n`);
}

export function readRecordedBenchmarks(): RecordedBenchmarks {
  return readReference(FILE) as RecordedBenchmarks;
}

/** The differences from the record, a line each; empty where there are none. */
export function changedBenchmarks(now: RecordedBenchmarks, recorded: RecordedBenchmarks): readonly string[] {
  const groups = [...new Set([...Object.keys(now), ...Object.keys(recorded)])];
  return groups.flatMap((group) => {
    const ids = [...new Set([...Object.keys(now[group] ?? {}), ...Object.keys(recorded[group] ?? {})])];
    return ids.flatMap((id) => {
      const [is, was] = [now[group]?.[id], recorded[group]?.[id]];
      return is === was ? [] : [`${group}, ${id}: ${is ?? "not simulated"} for ${was ?? "nothing recorded"}`];
    });
  });
}
