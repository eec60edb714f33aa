/**
 * The model's predictions of a fixed eighth of all measured launches, to the last digit: `npm run validate -- --record`
 * writes it, the tests compare with it. It says that nothing changed, not that it is right.
 */
import { createHash } from "node:crypto";
import type { LaunchNumbers } from "../compared-numbers.js";
import { readReference, writeReference } from "../measured-table.js";
import { sampleOf } from "../sample.js";
import type { ValidationReport, ValidationRow } from "./validate.js";

const FILE = "recorded/validation.json";

/** Those that say most about where a launch changed; all others are in the digest. */
const COLUMNS = [
  "timeMs",
  "warpInstructions",
  "registersPerThread",
  "achievedOccupancyPercent",
  "l1HitRatePercent",
  "l2HitRatePercent",
  "dramBytesRead",
  "dramBytesWritten",
  "dominantStall",
] as const satisfies readonly (keyof LaunchNumbers)[];

type Recorded = readonly (number | string | null)[];

/** By table and launch. */
export type RecordedLaunches = Readonly<Record<string, Readonly<Record<string, Recorded>>>>;

interface RecordedFile {
  readonly columns: readonly string[];
  readonly tables: RecordedLaunches;
}

function recordedOf({ simulated, bound }: ValidationRow): Recorded {
  const digest = createHash("sha256")
    .update(JSON.stringify([simulated, bound]))
    .digest("hex")
    .slice(0, 8);
  return [...COLUMNS.map((key) => simulated[key]), digest];
}

/** The recorded ones of a report of all launches. */
export function sampledRows({ tables }: Pick<ValidationReport, "tables">): Pick<ValidationReport, "tables"> {
  return { tables: tables.map((table) => ({ ...table, rows: sampleOf(table.rows, "recorded") })) };
}

/** @param report of the sampled launches alone */
export function recordedLaunches({ tables }: Pick<ValidationReport, "tables">): RecordedLaunches {
  return Object.fromEntries(
    tables.map(({ id, rows }) => {
      const named = [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
      return [id, Object.fromEntries(named.map((row) => [row.id, recordedOf(row)]))];
    }),
  );
}

/** One launch a line. @returns the file's path from the course's folder */
export function writeRecordedLaunches(recorded: RecordedLaunches): string {
  const tables = Object.entries(recorded).map(([id, launches]) => {
    const lines = Object.entries(launches).map(
      ([launch, values]) => `${JSON.stringify(launch)}:${JSON.stringify(values)}`,
    );
    return `${JSON.stringify(id)}:{\n${lines.join(",\n")}}`;
  });
  const columns = JSON.stringify([...COLUMNS, "digest"]);
  return writeReference(FILE, `{"columns":${columns},\n"tables":{\n${tables.join(",\n")}}}\n`);
}

export function readRecordedLaunches(): RecordedLaunches {
  return (readReference(FILE) as RecordedFile).tables;
}

/** The differences from the record, a line a launch; empty where there are none. */
export function changedLaunches(now: RecordedLaunches, recorded: RecordedLaunches): readonly string[] {
  const ids = [...new Set([...Object.keys(now), ...Object.keys(recorded)])];
  return ids.flatMap((id) => {
    const launches = [...new Set([...Object.keys(now[id] ?? {}), ...Object.keys(recorded[id] ?? {})])];
    return launches.flatMap((launch) => {
      const [is, was] = [now[id]?.[launch], recorded[id]?.[launch]];
      if (is === undefined) return [`${id}, ${launch}: recorded, but not simulated`];
      if (was === undefined) return [`${id}, ${launch}: not recorded`];
      const changes = [...COLUMNS, "other numbers"].flatMap((column, index) =>
        is[index] === was[index] ? [] : [`${column} ${is[index]} for ${was[index]}`],
      );
      return changes.length === 0 ? [] : [`${id}, ${launch}: ${changes.join(", ")}`];
    });
  });
}
