/** `npm run tables`: the tables of the seeds for any GPU, size and block. Progress goes to stderr, the tables to stdout. */

import "../files-on-disk.js";
import "../platform.js";
import { InputError } from "../../core/base/errors.js";
import { deviceById } from "../../core/device/index.js";
import { toCsv } from "../../core/show/output/csv.js";
import { escapeHtml, toHtml } from "../../core/show/output/html.js";
import { toMarkdown } from "../../core/show/output/markdown.js";
import { toText, wrap } from "../../core/show/output/plain-text.js";
import { toSvg } from "../../core/show/output/svg.js";
import type { Table } from "../../core/show/table.js";
import { publishedNote } from "../../course/reductions/published.js";
import { type Ladder, simulateLadder } from "../../course/tables/ladder.js";
import {
  ladderFigures,
  ladderTable,
  publishedComparison,
  sideBySide,
  speedupsTable,
  timesTable,
} from "../../course/tables/ladder-tables.js";
import { OptionError, readTablesOptions, type TablesOptions } from "../tables/tables-options.js";

export interface TextOutput {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
  /** The terminal's; undefined where there is none. */
  readonly columns?: number | undefined;
}

/** The tables' width: the terminal's where that is of use; a narrow one's in a file or a pipe. */
function tableWidth(columns: number | undefined): number {
  return Math.min(80, Math.max(40, columns ?? 60));
}

type Format = TablesOptions["format"];

/** The object that `--json` prints for a ladder. */
function ladderObject(ladder: Ladder): object {
  const { device, n, block, input, cache, rows, unpublished } = ladder;
  return {
    table: ladder.ladder,
    device: device.id,
    deviceName: device.name,
    peakGBps: device.dram.peakBandwidthGBps,
    n,
    block,
    input,
    cache,
    rows,
    note: unpublished === "" ? publishedNote(ladder.published) : unpublished,
  };
}

function shownTables(ladder: Ladder): readonly Table[] {
  const comparison = publishedComparison(ladder);
  return [timesTable(ladder), speedupsTable(ladder), ...(comparison === null ? [] : [comparison])];
}

/** A ladder's tables as text or Markdown. */
export function formatLadder(ladder: Ladder, format: "text" | "markdown", width: number = 60): string {
  const tables = shownTables(ladder).map((shown) =>
    format === "markdown" ? toMarkdown(shown) : toText(shown, { width }),
  );
  const note = format === "markdown" ? [ladder.unpublished] : wrap(ladder.unpublished, width);
  return `${tables.join("\n")}${ladder.unpublished === "" ? "" : `\n${note.join("\n")}\n`}`;
}

const STYLE = `body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;margin:1.5em 0;display:block;overflow-x:auto}td,th{padding:.25em .7em}
caption{text-align:left;font-weight:bold}figure{margin:1.5em 0}svg{max-width:100%;height:auto}`;

/** A page that needs no other file: tables, and the plots as SVG with their text. */
function htmlPage(groups: readonly (readonly Ladder[])[]): string {
  const parts = groups.flatMap((ladders) => [
    ...(ladders.length > 1 ? [toHtml(sideBySide(ladders))] : []),
    ...ladders.flatMap((ladder) => [
      ...shownTables(ladder).map(toHtml),
      ladder.unpublished === "" ? "" : `<p>${escapeHtml(ladder.unpublished)}</p>`,
      ...ladderFigures(ladder).map(
        ({ figure }) => `<figure role="img" aria-label="${escapeHtml(figure.alt)}">${toSvg(figure)}</figure>`,
      ),
    ]),
  ]);
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>warplab: tables</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body>\n<h1>Reductions, simulated</h1>\n${parts.join("\n")}\n</body></html>\n`;
}

/** The text to print; each group is one ladder on one or more GPUs. @param width columns, of tables as text */
export function formatLadders(groups: readonly (readonly Ladder[])[], format: Format, width: number = 60): string {
  const all = groups.flat();
  if (format === "html") return htmlPage(groups);
  if (format === "json") {
    const objects = all.map(ladderObject);
    return `${JSON.stringify(objects.length === 1 ? objects[0] : objects, null, 2)}\n`;
  }
  if (format === "csv") {
    const [head = "", ...lines] = all.map((ladder) => toCsv(ladderTable(ladder)));
    // One header for all: every ladder has the same columns.
    return head + lines.map((text) => text.slice(text.indexOf("\n") + 1)).join("");
  }
  const texts = groups.flatMap((ladders) => {
    const beside = ladders.length > 1 ? [sideBySide(ladders)] : [];
    const first = beside.map((shown) => (format === "markdown" ? toMarkdown(shown) : toText(shown, { width })));
    return [...first, ...ladders.map((ladder) => formatLadder(ladder, format, width))];
  });
  return texts.join("\n");
}

/** What is wrong with the first device file that is, before anything is simulated. */
function firstProblem(devices: readonly string[]): string | null {
  try {
    for (const device of devices) deviceById(device);
    return null;
  } catch (problem) {
    if (!(problem instanceof InputError)) throw problem;
    return problem.message;
  }
}

/** @returns the exit code: 0, 1 when a sum is wrong, 2 for options that are not allowed. */
export function runTables(args: readonly string[], { out, error, columns }: TextOutput): number {
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
  const { format, ladders: ids, devices, ...rest } = options;
  const say = (line: string): void => error(`${line}\n`);
  const problem = firstProblem(devices);
  if (problem !== null) {
    error(`${problem}\n`);
    return 2;
  }
  const groups = ids.map((ladder) =>
    (devices.length === 0 ? [{}] : devices.map((device) => ({ device }))).map((on) =>
      simulateLadder({ ...rest, ...on, ladder, say }),
    ),
  );
  out(formatLadders(groups, format, tableWidth(columns)));
  const wrong = groups.flat().flatMap(({ rows }) => rows.filter((row) => !row.correct));
  for (const row of wrong) error(`${row.version} gives ${row.result} instead of ${row.expected}.\n`);
  return wrong.length === 0 ? 0 : 1;
}
