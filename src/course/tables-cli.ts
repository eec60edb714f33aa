/** `npm run tables`: Lab 28's tables for any GPU, size and block. Progress goes to stderr, the tables to stdout. */
import { toCsv } from "../show/csv.js";
import { toMarkdown } from "../show/markdown.js";
import { toText, wrap } from "../show/plain-text.js";
import type { Table } from "../show/table.js";
import { type Ladder, simulateLadder } from "./ladder.js";
import { ladderTable, publishedComparison, publishedNote, speedupsTable, timesTable } from "./ladder-tables.js";
import { OptionError, readTablesOptions, type TablesOptions } from "./tables-options.js";

export interface TextOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** What `--json` prints. */
function ladderJson(ladder: Ladder): string {
  const { device, n, block, input, cache, rows, unpublished } = ladder;
  const object = {
    device: device.id,
    deviceName: device.name,
    peakGBps: device.dram.peakBandwidthGBps,
    n,
    block,
    input,
    cache,
    rows,
    note: unpublished === "" ? publishedNote(ladder) : unpublished,
  };
  return `${JSON.stringify(object, null, 2)}\n`;
}

function shownTables(ladder: Ladder): readonly Table[] {
  const comparison = publishedComparison(ladder);
  return [timesTable(ladder), speedupsTable(ladder), ...(comparison === null ? [] : [comparison])];
}

/** The output of a ladder in one of the formats. */
export function formatLadder(ladder: Ladder, format: TablesOptions["format"], width: number = 80): string {
  if (format === "json") return ladderJson(ladder);
  if (format === "csv") return toCsv(ladderTable(ladder));
  const tables = shownTables(ladder).map((shown) =>
    format === "markdown" ? toMarkdown(shown) : toText(shown, { width }),
  );
  const note = format === "markdown" ? [ladder.unpublished] : wrap(ladder.unpublished, width);
  return `${tables.join("\n")}${ladder.unpublished === "" ? "" : `\n${note.join("\n")}\n`}`;
}

/** @returns the exit code: 0, 1 when a sum is wrong, 2 for options that are not allowed. */
export function runTables(args: readonly string[], { out, error }: TextOutput): number {
  let options: TablesOptions | string;
  try {
    options = readTablesOptions(args);
  } catch (problem) {
    if (!(problem instanceof OptionError)) throw problem;
    error(`${problem.message}\n`);
    return 2;
  }
  if (typeof options === "string") {
    out(`${options}\n`);
    return 0;
  }
  const { format, ...ladderOptions } = options;
  const ladder = simulateLadder({ ...ladderOptions, say: (line) => error(`${line}\n`) });
  out(formatLadder(ladder, format));
  const wrong = ladder.rows.filter((row) => !row.correct);
  for (const row of wrong) error(`${row.version} gives ${row.result} instead of ${row.expected}.\n`);
  return wrong.length === 0 ? 0 : 1;
}
