/** The tables and figures that a run of the course leaves in out/. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, plotlyJson } from "../../show/figures/figure.js";
import { toCsv } from "../../show/output/csv.js";
import { toHtml } from "../../show/output/html.js";
import { toJson } from "../../show/output/json.js";
import { toMarkdown } from "../../show/output/markdown.js";
import { toText } from "../../show/output/plain-text.js";
import { toPng } from "../../show/output/png.js";
import type { Table } from "../../show/table.js";
import { type Ladder, type LadderId, ladderIds, simulateLadder } from "./ladder.js";
import { ladderFigures, publishedComparison, speedupsTable, timesTable } from "./ladder-tables.js";

/** A narrow terminal's. */
const NARROW_COLUMNS = 60;

/** Writes a table as `<folder>/<name>.md`, `.txt`, `.csv`, `.json` and `.html` (a fragment). */
export function writeTable(folder: string, name: string, shown: Table): void {
  mkdirSync(folder, { recursive: true });
  const write = (ending: string, text: string): void => writeFileSync(join(folder, `${name}.${ending}`), text);
  write("md", toMarkdown(shown));
  write("txt", toText(shown, { width: NARROW_COLUMNS }));
  write("csv", toCsv(shown));
  write("json", toJson(shown));
  write("html", toHtml(shown));
}

/** Writes a figure as `<folder>/<name>.json` (plotly's data, layout and config, and `alt`) and as `<name>.png`. */
export function writeFigure(folder: string, name: string, figure: Figure): void {
  mkdirSync(folder, { recursive: true });
  const plotly: unknown = JSON.parse(plotlyJson(figure));
  writeFileSync(join(folder, `${name}.json`), JSON.stringify({ ...(plotly as object), alt: figure.alt }));
  writeFileSync(join(folder, `${name}.png`), toPng(figure));
}

/** Beginnings of the files' names: pages show tables in the names' order, and Example 03 belongs to Lab 30. */
const FILE_NAMES: Readonly<Record<LadderId, string>> = {
  "lab-28": "lab-28",
  "example-03": "lab-30-example-03",
  notes: "day-43-notes",
  "warp-reduce": "day-45-warp-reduce",
};

function writeLadder(outDir: string, ladder: Ladder): void {
  const tables = join(outDir, "tables");
  const begin = FILE_NAMES[ladder.ladder];
  writeTable(tables, `${begin}-1-times`, timesTable(ladder));
  writeTable(tables, `${begin}-2-speedups`, speedupsTable(ladder));
  const comparison = publishedComparison(ladder);
  if (comparison !== null) writeTable(tables, `${begin}-3-published`, comparison);
  for (const { name, figure } of ladderFigures(ladder)) {
    writeFigure(join(outDir, "plots"), `${begin}-${name}`, figure);
  }
}

export interface TablesSize {
  /** Elements. */
  readonly n: number;
  readonly block: number;
}

/**
 * Simulates Labs 25 to 28 and Example 03 under the conditions of their published tables and writes tables and figures.
 * @param say takes a line about what begins
 * @param other a size or block other than the published one
 * @throws Error when a sum is wrong: no table of a wrong kernel is written.
 */
export function writeTables(outDir: string, say: (line: string) => void, other: Partial<TablesSize> = {}): void {
  for (const id of ladderIds) {
    const ladder = simulateLadder({ ...other, ladder: id, say });
    const wrong = ladder.rows.find((row) => !row.correct);
    if (wrong !== undefined) {
      throw new Error(`${wrong.version} gives ${wrong.result} instead of ${wrong.expected}.`);
    }
    say(`writing the tables and figures of ${ladder.title} ...`);
    writeLadder(outDir, ladder);
  }
}
