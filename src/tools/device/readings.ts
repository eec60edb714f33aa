/** What microbenchmarks printed: named readings with their spread, and what the program said of the card. */
import { InputError } from "../../core/base/errors.js";
import { earlierReadings } from "./earlier-rows.js";
import type { Reading, Row } from "./reading.js";

export interface Readings {
  /** The line that describes the card; null where the output has none. */
  readonly card: Row | null;
  readonly byName: ReadonlyMap<string, Reading>;
  /** MHz of the SM clock between the groups. */
  readonly clocks: readonly number[];
  readonly warnings: readonly string[];
}

export interface OutputFile {
  readonly name: string;
  readonly text: string;
}

function rowsOf({ name, text }: OutputFile): readonly Row[] {
  const whole = parsed(text);
  if (whole !== undefined && Array.isArray(whole.rows)) return whole.rows as readonly Row[];
  const lines = text.split("\n").map((line) => parsed(line.trim().replace(/,$/, "")));
  const rows = lines.filter((row) => row !== undefined);
  if (rows.length > 0) return rows;
  throw new InputError({
    what: `${name} holds no line of JSON.`,
    cure: "Give the output of the program that `npx warplab measure` writes.",
  });
}

function parsed(text: string): Row | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as Row;
  } catch {
    return undefined;
  }
}

function readingOf(row: Row, from: string): Reading {
  const { reading, value, low, high, unit } = row;
  return {
    name: String(reading),
    value: Number(value),
    low: Number(low),
    high: Number(high),
    unit: String(unit),
    from,
  };
}

/** @throws InputError where a file holds no rows, or the program reported an error. */
export function readOutputs(files: readonly OutputFile[]): Readings {
  const byName = new Map<string, Reading>();
  const clocks: number[] = [];
  const warnings: string[] = [];
  let card: Row | null = null;
  const earlier: { readonly row: Row; readonly from: string }[] = [];
  for (const file of files) {
    for (const row of rowsOf(file)) {
      if ("error" in row && "call" in row) {
        throw new InputError({
          what: `${file.name}: the program ended with "${row.error}" at ${row.call}.`,
          cure: "Run it on a card that is free, and give the output of a whole run.",
        });
      }
      if ("card" in row) card = row;
      else if ("reading" in row) {
        const reading = readingOf(row, `${file.name}: ${row.reading}, the median of ${row.repetitions}`);
        byName.set(reading.name, reading);
      } else if ("clock" in row) clocks.push(Number(row.value));
      else if ("warning" in row) warnings.push(`${row.warning} (${row.group})`);
      else earlier.push({ row, from: file.name });
    }
  }
  for (const reading of earlierReadings(earlier)) if (!byName.has(reading.name)) byName.set(reading.name, reading);
  if (byName.size === 0) {
    throw new InputError({
      what: "The output has no reading that a device's number comes from.",
      cure: "Give the output of the program that `npx warplab measure` writes.",
    });
  }
  return { card, byName, clocks, warnings };
}
