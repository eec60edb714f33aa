/** The frame of every page of the course: head, figures, footer. All links lead into the pages' own folder. */
import { escapeHtml } from "../../core/show/output/html.js";
import { pagePolicy, withoutHeaderOnly } from "./content-policy.js";

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
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(/</g, "\\u003c");
}

/** An address for a picture's bytes; base64 has no sign that could end an attribute. */
export function dataAddress(mime: string, base64: string): string {
  return `data:${mime};base64,${base64.replace(/[^A-Za-z0-9+/=]/g, "")}`;
}

/**
 * A figure that plotly draws when the page loads; until then, and without JavaScript, its picture if it has one.
 * @param png the picture in base64
 */
export function figureHtml(figure: PlotlyFigure, alt: string, png?: string): string {
  const text = escapeHtml(alt);
  const picture = png === undefined ? "" : `<img alt="${text}" src="${dataAddress("image/png", png)}">`;
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
    ? `<script src="${toRoot}assets/plotly.js" defer></script>\n<script src="${toRoot}assets/plots.js" defer></script>\n`
    : "";
  // In the head: a frame that is drawn before the page listens tells its height to nobody.
  const frames = body.includes('<iframe class="output-frame"')
    ? `<script src="${toRoot}assets/frames.js"></script>\n`
    : "";
  const steps = body.includes('<div class="steps">') ? `<script src="${toRoot}assets/steps.js" defer></script>\n` : "";
  const run = /class="(run-state|course)"/.test(body) ? `<script src="${toRoot}assets/run.js"></script>\n` : "";
  // Before plotly, which takes a second to be read: a cell can be run meanwhile.
  const live = body.includes(" data-cell=")
    ? `<script src="${toRoot}assets/live/main.js" type="module"></script>\n`
    : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${withoutHeaderOnly(pagePolicy())}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${toRoot}assets/style.css">
${frames}</head>
<body>
${body}
<footer>warplab: CUDA reductions on a simulated GPU. Simulated and predicted numbers are those of the run that wrote the page; published and measured ones are marked as such.</footer>
${live}${plots}${steps}${run}<script src="${toRoot}assets/scroll.js"></script>
</body>
</html>
`;
}
