/** A notebook as a web page: its text, its code, and what its cells put out. */
import { AnsiUp } from "ansi_up";
import { escapeHtml } from "../../core/show/output/html.js";
import {
  type Cell,
  expectsError,
  type MimeBundle,
  type Notebook,
  type Output,
} from "../../course/notebook/notebook.js";
import { streamClass } from "../../course/notebook/stream-layout.js";
import { cellFolds, foldedHtml } from "./cell-folds.js";
import { cleanHtml, framePage, needsFrame } from "./clean-html.js";
import { highlightCuda, highlightTypeScript, isCuda } from "./highlight.js";
import { markdownHtml } from "./markdown-page.js";
import { dataAddress, figureHtml, isPlotlyFigure, pageHtml, runStateHtml, scriptJson } from "./page-frame.js";
import { examples } from "./play-page.js";
import { terminalText } from "./terminal-text.js";

/** A page to which the navigation leads. */
export interface PageLink {
  readonly href: string;
  readonly title: string;
}

/** The first heading of the notebook, or its name where it has none. */
export function notebookTitle(notebook: Notebook, name: string): string {
  for (const cell of notebook.cells) {
    const heading = cell.cell_type === "markdown" ? /^#\s+(.+)$/m.exec(cell.source)?.[1] : undefined;
    if (heading !== undefined) return heading.replace(/[`*_]/g, "").trim();
  }
  return name;
}

/** A terminal's text, with the colours of its escape sequences; style.css has their names. */
function terminalHtml(text: string): string {
  const terminal = new AnsiUp();
  terminal.use_classes = true;
  return terminal.ansi_to_html(terminalText(text));
}

/** Writes the page of a frame. @returns its address from the notebook's page */
export type AddFrame = (page: string) => string;

/** Without scripts where no frame can be written. */
function ownHtml(html: string, title: string, addFrame: AddFrame | undefined): string {
  if (addFrame === undefined || !needsFrame(html)) return `<div class="scroll">${cleanHtml(html)}</div>`;
  const address = escapeHtml(addFrame(framePage(html, title)));
  return `<iframe class="output-frame" sandbox="allow-scripts" src="${address}" title="${escapeHtml(title)}"></iframe>`;
}

/** The richest form of a bundle that a page can show. */
function bundleHtml(data: MimeBundle, addFrame: AddFrame | undefined): string {
  const text = (mime: string): string | undefined =>
    typeof data[mime] === "string" ? (data[mime] as string) : undefined;
  const figure = data["application/vnd.plotly.v1+json"];
  if (isPlotlyFigure(figure)) return figureHtml(figure, text("text/plain") ?? "figure", text("image/png"));
  const html = text("text/html");
  if (html !== undefined) return ownHtml(html, text("text/plain") ?? "output", addFrame);
  const svg = text("image/svg+xml");
  const alt = escapeHtml(text("text/plain") ?? "picture");
  if (svg !== undefined) {
    return `<img alt="${alt}" src="${dataAddress("image/svg+xml", Buffer.from(svg).toString("base64"))}">`;
  }
  for (const mime of ["image/png", "image/jpeg", "image/gif"]) {
    const image = text(mime);
    if (image !== undefined) return `<img alt="${alt}" src="${dataAddress(mime, image)}">`;
  }
  const marked = text("text/markdown");
  if (marked !== undefined) return markdownHtml(marked);
  return `<pre class="result">${terminalHtml(text("text/plain") ?? `(output of type ${Object.keys(data).join(", ")})`)}</pre>`;
}

function outputHtml(output: Output, addFrame: AddFrame | undefined): string {
  switch (output.output_type) {
    case "stream":
      return `<pre class="${streamClass(output)}">${isCuda(output.text) ? highlightCuda(output.text) : terminalHtml(output.text)}</pre>`;
    case "error":
      return `<pre class="failure">${terminalHtml(output.traceback.join("\n"))}</pre>`;
    default:
      return bundleHtml(output.data, addFrame);
  }
}

function cellHtml(cell: Cell, addFrame: AddFrame | undefined): string {
  if (cell.cell_type === "markdown") return `<section class="cell markdown">${markdownHtml(cell.source)}</section>`;
  if (cell.cell_type !== "code" || cell.source.trim() === "") return "";
  const count = cell.execution_count === null ? "" : `<span class="count">[${cell.execution_count}]</span>`;
  const source = `<div class="source">${count}<pre><code>${highlightTypeScript(cell.source)}</code></pre></div>`;
  const outputs = cell.outputs.map((output) => `<div class="output">${outputHtml(output, addFrame)}</div>`).join("\n");
  const folds = cellFolds(cell.metadata);
  const shown = `<div class="outputs">${outputs}</div>`;
  const expected = expectsError(cell) ? " data-expects-error" : "";
  const html = `<section class="cell code" data-cell="${escapeHtml(cell.id ?? "")}"${expected}>
${folds.source ? foldedHtml("Show the code", source) : source}
${folds.outputs && outputs !== "" ? foldedHtml("Show the output", shown) : shown}
</section>`;
  return folds.cell ? foldedHtml("Show the cell", html) : html;
}

/** The address of a file of this name beside the page; the name may hold signs that mean something in addresses. */
export function addressOf(name: string, ending: string): string {
  return `${encodeURIComponent(name)}.${ending}`;
}

/** The links and the line that stand around a notebook on its page. */
export interface PageSurroundings {
  readonly before?: PageLink | undefined;
  readonly after?: PageLink | undefined;
  /** Where its outputs come from, while that may change. */
  readonly state?: string;
  /** A link can hold the texts of these: a page to try a kernel in, and one that stands in a frame of another page. */
  readonly role?: "workbench" | "frame";
  /** Without it, HTML that needs scripts stands without them. */
  readonly addFrame?: AddFrame;
}

function linkHtml({ href, title }: PageLink): string {
  return `<a href="${escapeHtml(href)}">${escapeHtml(title)}</a>`;
}

/**
 * The page of a notebook.
 * @param name its file's name without the ending
 */
export function notebookPage(notebook: Notebook, name: string, around: PageSurroundings = {}): string {
  const { before, after, state = "", role, addFrame } = around;
  const links = [
    { href: "../index.html", title: "Overview" },
    ...(before === undefined ? [] : [{ ...before, title: `← ${before.title}` }]),
    ...(after === undefined ? [] : [{ ...after, title: `${after.title} →` }]),
  ]
    .map(linkHtml)
    .join("");
  const file = addressOf(name, "ipynb");
  const download = `<a href="${file}" download>Download ${escapeHtml(name)}.ipynb</a>`;
  const cells = notebook.cells.map((cell) => cellHtml(cell, addFrame)).join("\n");
  const list = `<script type="application/json" id="examples">${scriptJson(examples)}</script>`;
  const main = `<main data-page="${escapeHtml(name)}"${role === undefined ? "" : ` data-role="${role}"`}>
${cells}
${role === "workbench" ? list : ""}</main>`;
  const body =
    role === "frame"
      ? main
      : `<nav aria-label="Pages">${links}${download}</nav>
${runStateHtml(name, state)}${main}
<nav class="next" aria-label="Next page">${links}</nav>`;
  return pageHtml({ title: notebookTitle(notebook, name), toRoot: "../", body });
}
