/** The course's first page: the tables, the figures and the notebooks of one run. */
import { escapeHtml } from "../../core/show/output/html.js";
import { frontWarp } from "./front-warp.js";
import type { PageLink } from "./notebook-page.js";
import { figureHtml, type PlotlyFigure, pageHtml, runStateHtml } from "./page-frame.js";
import { PLAY_PAGE } from "./play-page.js";

/** A table as a file of out/tables holds it (see src/core/show/output/json.ts); `columns` may be missing. */
export interface TableFile {
  readonly title?: string;
  readonly note?: string;
  readonly columns?: readonly { readonly key: string; readonly title: string; readonly unit: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

export interface PageTable {
  readonly name: string;
  /** A ready fragment of HTML, which keeps the number formats that JSON has not; else the data. */
  readonly content: string | TableFile;
}

export interface PageFigure {
  readonly name: string;
  readonly figure: PlotlyFigure & { readonly alt?: string };
}

export interface IndexParts {
  /** The course's own text (notebooks/README.md) as HTML; null for a folder of notebooks without one. */
  readonly front?: string | null;
  /** A line about the run that goes on; empty where none does. */
  readonly state?: string;
  readonly tables: readonly PageTable[];
  readonly figures: readonly PageFigure[];
  /** `about`: what the page asks. */
  readonly notebooks: readonly (PageLink & { readonly about?: string; readonly failed: boolean })[];
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return typeof value === "object" ? JSON.stringify(value) : String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  return String(Number(value.toPrecision(4)));
}

function dataTable({ title = "", note = "", columns, rows }: TableFile): string {
  const shown = columns ?? Object.keys(rows[0] ?? {}).map((key) => ({ key, title: key, unit: "" }));
  const numeric = new Set(
    shown.filter(({ key }) => rows.some((row) => typeof row[key] === "number")).map(({ key }) => key),
  );
  const align = (key: string): string => (numeric.has(key) ? ' class="number"' : "");
  const head = shown.map(({ key, title: name, unit }) => {
    return `<th scope="col"${align(key)}>${escapeHtml(unit === "" ? name : `${name} (${unit})`)}</th>`;
  });
  const body = rows.map(
    (row) => `<tr>${shown.map(({ key }) => `<td${align(key)}>${escapeHtml(cellText(row[key]))}</td>`).join("")}</tr>`,
  );
  const foot = note === "" ? "" : `<tfoot><tr><td colspan="${shown.length}">${escapeHtml(note)}</td></tr></tfoot>`;
  const caption = title === "" ? "" : `<caption>${escapeHtml(title)}</caption>`;
  return `<table>${caption}<thead><tr>${head.join("")}</tr></thead><tbody>${body.join("\n")}</tbody>${foot}</table>`;
}

function tableHtml({ content }: PageTable): string {
  return `<div class="scroll">${typeof content === "string" ? content : dataTable(content)}</div>`;
}

/** The figure's own title, without plotly's marks. */
function titleOf({ layout }: PlotlyFigure): string | undefined {
  const text = (layout?.title as { readonly text?: unknown } | undefined)?.text;
  return typeof text === "string" ? text.replace(/<[^>]*>/g, " ") : undefined;
}

function section(heading: string, parts: readonly string[]): string {
  return parts.length === 0 ? "" : `<section><h2>${heading}</h2>\n${parts.join("\n")}\n</section>`;
}

const ABOUT = `<h1>CUDA reductions on a simulated GPU</h1>
<p>No GPU was used: the kernels ran on warplab’s simulator, which counts what a profiler counts and predicts the time on
the named GPU.</p>`;

/** index.html */
export function indexPage({ front = null, state = "", tables, figures, notebooks }: IndexParts): string {
  const listed = front === null ? notebooks : notebooks.filter(({ failed }) => failed);
  const items = listed.map(({ href, title, about = "", failed }) => {
    const mark = failed ? ' <strong class="failed">a cell failed</strong>' : "";
    const question = about === "" ? "" : `<br>${escapeHtml(about.replace(/[`*]/g, ""))}`;
    return `<li><a href="${escapeHtml(href)}">${escapeHtml(title)}</a>${mark}${question}</li>`;
  });
  const list = items.length === 0 ? [] : [`<ul class="notebooks">\n${items.join("\n")}\n</ul>`];
  const play = `<nav aria-label="Pages"><a href="notebooks/${PLAY_PAGE}.html">A page of your own: write a kernel and run it here</a></nav>`;
  // Behind the first paragraph: what this is, then a warp to press, then the rest.
  const course = front?.replace("</p>", (end) => `${end}\n<p class="progress" hidden></p>\n${frontWarp()}`);
  const body = `${play}
${runStateHtml("", state)}<main>
${course === undefined ? ABOUT : `<div class="course">\n${course}\n</div>`}
${section(front === null ? "Notebooks" : "Pages with a cell that failed", list)}
${section("Tables", tables.map(tableHtml))}
${section(
  "Figures",
  figures.map(({ name, figure }) => figureHtml(figure, figure.alt ?? titleOf(figure) ?? name)),
)}
</main>`;
  return pageHtml({ title: "warplab: CUDA reductions on a simulated GPU", toRoot: "", body });
}
