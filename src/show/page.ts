/**
 * Figures and tables as fragments of an HTML page that asks nothing of the network: a figure is an inline SVG that
 * reads without scripts and in print, and turns into the interactive plotly figure once the page's loader runs.
 */
import { InputError } from "../base/errors.js";
import { type Figure, plotlyJson } from "./figure.js";
import { escapeHtml, toHtml } from "./html.js";
import { pageTheme, toSvg } from "./svg.js";
import type { Table } from "./table.js";

/** JSON that cannot end the script element it stands in. */
function scriptJson(json: string): string {
  return json.replaceAll("<", "\\u003c");
}

/**
 * The figure; `id` is unique in the page.
 * @throws InputError for an id that is no name of letters, digits, "-" and "_" beginning with a letter.
 */
export function figureHtml(figure: Figure, id: string): string {
  if (!/^[A-Za-z][\w-]*$/.test(id)) {
    throw new InputError({
      what: `"${id}" is no id for a figure.`,
      cure: "Use letters, digits, - and _, a letter first.",
    });
  }
  // Ids inside an SVG are the page's: two figures must not share their clip paths and hatches.
  const svg = toSvg(figure, pageTheme).replaceAll('id="', `id="${id}-`).replaceAll("url(#", `url(#${id}-`);
  return [
    `<figure class="warplab-figure" id="${id}" role="group" aria-label="${escapeHtml(figure.title)}">`,
    `<div class="warplab-plot">${svg}</div>`,
    `<script type="application/json">${scriptJson(plotlyJson(figure))}</script>`,
    "</figure>",
    "",
  ].join("\n");
}

export function tableHtml(table: Table): string {
  return `<div class="warplab-scroll" tabindex="0" role="region" aria-label="${escapeHtml(table.title || "Table")}">\n${toHtml(table)}</div>\n`;
}

/** Style sheet for figures and tables, in light and dark; for a style element of the page. */
export const pageStyle: string = `
.warplab-figure, .warplab-scroll { margin: 1.5rem 0; overflow-x: auto; }
.warplab-plot { min-width: 480px; }
.warplab-plot > svg { display: block; max-width: 100%; height: auto; }
.warplab-table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.warplab-table caption { text-align: left; font-weight: 600; padding: 0.3rem 0; }
.warplab-table th, .warplab-table td { padding: 0.3rem 0.8rem; border-bottom: 1px solid rgba(128, 128, 128, 0.4); }
.warplab-table thead th { border-bottom: 2px solid rgba(128, 128, 128, 0.8); vertical-align: bottom; }
@media print { .warplab-figure { break-inside: avoid; } }
`;

const LOADER = `
const plots = [...document.querySelectorAll(".warplab-figure")];
const dark = matchMedia("(prefers-color-scheme: dark)");
const colors = () => {
  const text = getComputedStyle(document.body).color;
  const grid = "rgba(128,128,128,0.35)";
  return { "font.color": text, "title.font.color": text, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    "xaxis.gridcolor": grid, "yaxis.gridcolor": grid };
};
const draw = async (figure) => {
  const place = figure.querySelector(".warplab-plot");
  const { data, layout, config } = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
  if (config.responsive) layout.width = Math.max(480, place.clientWidth);
  const still = place.firstElementChild;
  const label = still.getAttribute("aria-label");
  place.replaceChildren();
  try {
    await Plotly.newPlot(place, data, layout, { ...config, responsive: false });
    await Plotly.relayout(place, colors());
    place.setAttribute("role", "img");
    place.setAttribute("aria-label", label);
  } catch (error) {
    place.replaceChildren(still);
    console.error(error);
  }
};
if (typeof Plotly !== "undefined") {
  for (const figure of plots) draw(figure);
  dark.addEventListener("change", () => {
    for (const figure of plots) Plotly.relayout(figure.querySelector(".warplab-plot"), colors());
  });
  let waiting;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      for (const figure of plots) {
        const { config } = JSON.parse(figure.querySelector("script[type='application/json']").textContent);
        const place = figure.querySelector(".warplab-plot");
        if (config.responsive) Plotly.relayout(place, { width: Math.max(480, place.clientWidth) });
      }
    }, 150);
  });
}
`;

/**
 * The scripts that make the page's figures interactive; to stand once, at the end of the body.
 * `plotlyPath` is the address of a local plotly bundle, such as "plotly.js"; without it the still pictures stay.
 */
export function pageScript(plotlyPath: string): string {
  return `<script src="${escapeHtml(plotlyPath)}"></script>\n<script>(() => {${LOADER}})();</script>\n`;
}
