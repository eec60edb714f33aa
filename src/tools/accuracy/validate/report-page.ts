/** Writes the validation: a page, its tables and figures as files, and the report as JSON. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Figure, plotlyJson } from "../../../core/show/figures/figure.js";
import { escapeHtml, toHtml } from "../../../core/show/output/html.js";
import { toMarkdown } from "../../../core/show/output/markdown.js";
import type { Table } from "../../../core/show/table.js";
import { toPng } from "../../../node/display/png.js";
import { replaceFile } from "../../../node/setup/replace.js";
import { copyPageAssets } from "../../../node/site/page-assets.js";
import { figureHtml, pageHtml } from "../../../node/site/page-frame.js";
import { overallFigure, overallSentence, rowsTable, summaryTable, tableFigure } from "./report.js";
import type { ValidatedTable, ValidationReport } from "./validate.js";

/** The data that `--json` prints and validation.json holds; stable fields for programs. */
export function reportJson(report: ValidationReport): string {
  return `${JSON.stringify(report, null, 1)}\n`;
}

interface PagePart {
  readonly name: string;
  readonly tables: readonly Table[];
  readonly figures: readonly { readonly name: string; readonly figure: Figure }[];
}

function named(name: string, figure: Figure | null): PagePart["figures"] {
  return figure === null ? [] : [{ name, figure }];
}

function tablePart(validated: ValidatedTable): PagePart {
  return {
    name: validated.id,
    tables: [rowsTable(validated)],
    figures: [
      ...named(`${validated.id}-time`, tableFigure(validated, "timeMs")),
      ...named(`${validated.id}-instructions`, tableFigure(validated, "instructionsPerWarp")),
    ],
  };
}

function partHtml(part: PagePart, heading: string): string {
  const tables = part.tables.map((shown) => `<div class="scroll">${toHtml(shown)}</div>`);
  const figures = part.figures.map(({ figure }) => {
    const png = Buffer.from(toPng(figure)).toString("base64");
    return figureHtml(JSON.parse(plotlyJson(figure)), figure.alt, png);
  });
  return `<section id="${escapeHtml(part.name)}"><h2>${escapeHtml(heading)}</h2>
${[...tables, ...figures].join("\n")}
</section>`;
}

/**
 * Writes index.html with its assets, validation.json, a Markdown file a table, and each figure as plotly's JSON and PNG.
 * @returns the page's path
 */
export function writeValidation(folder: string, report: ValidationReport): string {
  mkdirSync(join(folder, "plots"), { recursive: true });
  copyPageAssets(folder);
  const summary: PagePart = {
    name: "summary",
    tables: [summaryTable(report)],
    figures: [
      ...named("all-time", overallFigure(report, "timeMs")),
      ...named("all-instructions", overallFigure(report, "instructionsPerWarp")),
    ],
  };
  const parts = [
    { part: summary, heading: "All tables" },
    ...report.tables.map((each) => ({ part: tablePart(each), heading: `${each.gpu}: ${each.title}` })),
  ];
  for (const { part } of parts) {
    replaceFile(join(folder, `${part.name}.md`), part.tables.map(toMarkdown).join("\n"));
    for (const { name, figure } of part.figures) {
      const plotly = JSON.parse(plotlyJson(figure)) as object;
      replaceFile(join(folder, "plots", `${name}.json`), JSON.stringify({ ...plotly, alt: figure.alt }));
      replaceFile(join(folder, "plots", `${name}.png`), toPng(figure));
    }
  }
  replaceFile(join(folder, "validation.json"), reportJson(report));
  const links = parts.map(({ part, heading }) => `<a href="#${escapeHtml(part.name)}">${escapeHtml(heading)}</a>`);
  const body = `<nav>${links.join("\n")}</nav>
<main class="wide">
<h1>How far to believe the times</h1>
<p><strong>${escapeHtml(overallSentence(report))}</strong></p>
<p>Every table of times that the project has, measured on a GPU or published by others, beside what the model predicts.
The model's numbers come from data sheets and microbenchmarks, never from these tables. What is known to be off stands in
test/DEVIATIONS.md. In each table the greatest error comes first; a point on the diagonal is predicted exactly, the dotted
lines are 15 % off.</p>
${parts.map(({ part, heading }) => partHtml(part, heading)).join("\n")}
</main>`;
  const page = join(folder, "index.html");
  replaceFile(page, pageHtml({ title: "warplab: how far to believe the times", toRoot: "", body }));
  return page;
}
