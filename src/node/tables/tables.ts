/** The tables and figures that a run of the course leaves in out/. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Figure, plotlyJson } from "../../core/show/figures/figure.js";
import { toCsv } from "../../core/show/output/csv.js";
import { toHtml } from "../../core/show/output/html.js";
import { toJson } from "../../core/show/output/json.js";
import { toMarkdown } from "../../core/show/output/markdown.js";
import { toText } from "../../core/show/output/plain-text.js";
import type { Table } from "../../core/show/table.js";
import { type Ladder, simulateLadder } from "../../course/tables/ladder.js";
import { type LadderId, ladderIds } from "../../course/tables/ladder-ids.js";
import { ladderFigures, publishedComparison, speedupsTable, timesTable } from "../../course/tables/ladder-tables.js";
import { toPng } from "../display/png.js";
import { replaceFile, replaceFiles } from "../setup/replace.js";

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

/** In out/tables: the files that the last run wrote there and in out/plots. */
const WRITTEN = ".written.json";

function writtenBefore(record: string): readonly string[] {
  try {
    const files: unknown = JSON.parse(readFileSync(record, "utf8"));
    // A path that leads elsewhere is none of ours.
    return Array.isArray(files) ? files.filter((file) => /^(tables|plots)[\\/][\w-]+\.\w+$/.test(String(file))) : [];
  } catch {
    return [];
  }
}

/**
 * Simulates Labs 25 to 28 and Example 03 under the conditions of their published tables and writes tables and figures.
 * They take the place of the last run's when all are written; other files of the folders stay.
 * @param say takes a line about what begins
 * @param other a size or block other than the published one
 * @throws Error when a sum is wrong: no table of a wrong kernel is written.
 */
export async function writeTables(
  outDir: string,
  say: (line: string) => void,
  other: Partial<TablesSize> = {},
): Promise<void> {
  const files = await replaceFiles(outDir, (beside) => {
    for (const id of ladderIds) {
      const ladder = simulateLadder({ ...other, ladder: id, say });
      const wrong = ladder.rows.find((row) => !row.correct);
      if (wrong !== undefined) {
        throw new Error(`${wrong.version} gives ${wrong.result} instead of ${wrong.expected}.`);
      }
      say(`writing the tables and figures of ${ladder.title} ...`);
      writeLadder(beside, ladder);
    }
  });
  const record = join(outDir, "tables", WRITTEN);
  for (const file of writtenBefore(record)) {
    if (!files.includes(file)) rmSync(join(outDir, file), { force: true });
  }
  replaceFile(record, JSON.stringify(files));
}
