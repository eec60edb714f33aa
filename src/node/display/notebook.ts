/**
 * Shows a figure or a table in a notebook: one message with several forms, of which each front end takes the best it
 * can draw. The only file that knows tslab. Outside of tslab the text form goes to stdout.
 */

import { createRequire } from "node:module";
import { checkArgument, either, listOf, objectWith, type Shape } from "../../core/base/shape.js";
import { type Figure, figureShape, plotlyJson } from "../../core/show/figures/figure.js";
import { toHtml } from "../../core/show/output/html.js";
import { toMarkdown } from "../../core/show/output/markdown.js";
import { terminalStyle, toText } from "../../core/show/output/plain-text.js";
import { toSvg } from "../../core/show/output/svg.js";
import type { Table } from "../../core/show/table.js";
import { tableShape } from "../../core/show/table.js";
import { toPng } from "./png.js";

/** Jupyter's display_data: the same thing in several MIME types. */
export interface DisplayData {
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly transient: Readonly<Record<string, unknown>>;
}

type WriteDisplayData = (data: DisplayData, update: boolean) => void;

const TSLAB_JUPYTER = /[\\/]tslab[\\/]dist[\\/]jupyter\.js$/;

/**
 * The notebook's writer, if this process runs one. tslab keeps it in its module `dist/jupyter.js`, which is
 * looked up among those already loaded. The tslab that runs the notebook may be another copy (a global one) than the one
 * beside this package. Loading tslab here would also take seconds for nothing.
 */
function notebookWriter(): WriteDisplayData | undefined {
  const { cache } = createRequire(import.meta.url);
  for (const [path, module] of Object.entries(cache)) {
    if (!TSLAB_JUPYTER.test(path)) continue;
    const write: unknown = module?.exports?.lastWriteDisplayData;
    if (typeof write === "function") return write as WriteDisplayData;
  }
  return undefined;
}

/**
 * A figure in plotly's MIME type (VS Code), as PNG (Jupyter, nbconvert, GitHub) and as text. No text/html: front ends
 * prefer it to the PNG even where its scripts may not run.
 */
export function figureBundle(figure: Figure): DisplayData {
  const text = `${figure.title}\n${figure.alt}`;
  const { width, height } = figure.layout;
  const plotly: unknown = JSON.parse(plotlyJson(figure));
  let picture: Record<string, string>;
  let problem = "";
  try {
    picture = { "image/png": Buffer.from(toPng(figure)).toString("base64") };
  } catch (error) {
    // No add-on for this platform: SVG still shows in most front ends, and the text says what is missing.
    picture = { "image/svg+xml": toSvg(figure) };
    problem = `\n(shown as SVG, for a PNG could not be made: ${error instanceof Error ? error.message : String(error)})`;
  }
  return {
    data: { "application/vnd.plotly.v1+json": plotly, ...picture, "text/plain": text + problem },
    metadata: { "image/png": { width, height } },
    transient: {},
  };
}

/** A table as HTML (which every front end draws, and lines up numbers), Markdown (for exports) and text. */
export function tableBundle(table: Table): DisplayData {
  return {
    data: { "text/html": toHtml(table), "text/markdown": toMarkdown(table), "text/plain": toText(table) },
    metadata: {},
    transient: {},
  };
}

export function bundleOf(item: Figure | Table): DisplayData {
  return item.kind === "figure" ? figureBundle(item) : tableBundle(item);
}

/** Something that is shown as tables and figures, one after the other. */
export interface Shown {
  readonly views: readonly (Figure | Table)[];
}

const shownShape: Shape = objectWith(
  { views: listOf(either(figureShape, tableShape)) },
  "what display can show: a figure, a table, or a result with views",
);

/** Shows figures and tables in the notebook's cell; outside of a notebook writes them as text to stdout. */
export function display(...items: readonly (Figure | Table | Shown)[]): void {
  checkArgument("display", "items", items, listOf(either(figureShape, tableShape, shownShape)));
  const write = notebookWriter();
  for (const item of items.flatMap((each) => ("views" in each ? each.views : [each]))) {
    if (write !== undefined) {
      write(bundleOf(item), false);
      continue;
    }
    const style = terminalStyle(process.stdout, process.env);
    process.stdout.write(item.kind === "figure" ? `${item.title}\n${item.alt}\n` : toText(item, style));
  }
}
