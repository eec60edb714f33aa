/** The frame of every page of the course: head, figures, footer. All links lead into the pages' own folder. */
import { escapeHtml } from "../../show/output/html.js";

/** A figure for plotly; the fields are its own. */
export interface PlotlyFigure {
  readonly data: readonly unknown[];
  readonly layout?: Readonly<Record<string, unknown>>;
}

/** Whether a value that came from a file or a cell can be drawn. */
export function isPlotlyFigure(value: unknown): value is PlotlyFigure {
  return typeof value === "object" && value !== null && Array.isArray((value as { data?: unknown }).data);
}

/** JSON that may stand inside a script element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

/**
 * A figure that plotly draws when the page loads; until then, and without JavaScript, its picture if it has one.
 * @param png the picture in base64
 */
export function figureHtml(figure: PlotlyFigure, alt: string, png?: string): string {
  const text = escapeHtml(alt);
  const picture = png === undefined ? "" : `<img alt="${text}" src="data:image/png;base64,${png}">`;
  return `<figure class="plot"><div class="plot-area" role="group" aria-label="${text}">${picture}</div>
<script type="application/json">${scriptJson(figure)}</script></figure>`;
}

/**
 * A line about the run that writes the pages, which run.js keeps up to date; empty where no run goes on.
 * @param name the page's notebook; "" for the front page
 */
export function runStateHtml(name: string, state: string): string {
  if (state === "") return "";
  return `<p class="run-state" role="status" data-page="${escapeHtml(name)}">${escapeHtml(state)}</p>\n`;
}

export interface PageParts {
  readonly title: string;
  /** From the page's folder to the folder of index.html: "" or "../". */
  readonly toRoot: string;
  readonly body: string;
}

/** A whole page; plotly and the script of a run are loaded only where something needs them. */
export function pageHtml({ title, toRoot, body }: PageParts): string {
  const plots = body.includes('<figure class="plot">')
    ? `<script src="${toRoot}assets/plotly.js"></script>\n<script src="${toRoot}assets/plots.js"></script>\n`
    : "";
  const run = /class="(run-state|course)"/.test(body) ? `<script src="${toRoot}assets/run.js"></script>\n` : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${toRoot}assets/style.css">
</head>
<body>
${body}
<footer>warplab: CUDA reductions on a simulated GPU. Every number on these pages was computed by the run that wrote them.</footer>
${plots}${run}<script src="${toRoot}assets/scroll.js"></script>
</body>
</html>
`;
}
