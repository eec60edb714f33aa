/** The grids of a launch over time: a row a grid, a colour a depth. */
import type { LaunchedGrid } from "../../host/children/launch-tree.js";
import type { LaunchResult } from "../../host/launch-result.js";
import type { Figure } from "../../show/figures/figure.js";
import { checkTexts, type FigureTexts, makeFigure } from "../../show/figures/frame.js";
import { seriesColor } from "../../show/figures/palette.js";
import { stateTrace } from "../../show/figures/state-traces.js";
import { linearTicks } from "../../show/figures/ticks.js";
import { formatNumber } from "../../show/number-format.js";
import { gridName, treeOf } from "./launch-tree-text.js";

const MOST_ROWS = 48;
const MOST_NAMED_ROWS = 24;
/** A legend of more depths takes more room than the grids, and its colours repeat: then the rows have the depth. */
const MOST_LEGEND = 5;
const ROW_HEIGHT = 18;
/** A shorter grid is drawn with this share of the time, to be seen. */
const LEAST_SHARE = 0.008;

/** In the order of the launches, a grid's own before its later siblings. */
function rowsOf(root: LaunchedGrid): readonly LaunchedGrid[] {
  const rows: LaunchedGrid[] = [];
  const open = [root];
  for (let grid = open.pop(); grid !== undefined; grid = open.pop()) {
    rows.push(grid);
    open.push(...[...grid.children].reverse());
  }
  return rows;
}

/**
 * A picture of parents and children over time. Predicted.
 * @throws InputError for a launch without child grids
 * @example
 * display(launchTreeFigure(gpu.launch(recursiveSum, { grid: 1, block: 512 }, args)));
 */
export function launchTreeFigure(launch: LaunchResult, texts: Partial<FigureTexts> = {}): Figure {
  checkTexts("launchTreeFigure", texts);
  const all = rowsOf(treeOf(launch, "launchTreeFigure"));
  const rows = all.slice(0, MOST_ROWS);
  const end = Math.max(...rows.map(({ endMicroseconds }) => endMicroseconds));
  const least = LEAST_SHARE * end;
  const depths = [...new Set(rows.map(({ depth }) => depth))].sort((a, b) => a - b);
  const rowHeight = rows.length > MOST_NAMED_ROWS ? ROW_HEIGHT / 2 : ROW_HEIGHT;
  const inLegend = depths.length <= MOST_LEGEND;
  const data = depths.map((depth) => ({
    ...stateTrace({
      name: depth === 0 ? "the host's grid" : `depth ${depth}`,
      color: seriesColor(depth),
      width: 0.7 * rowHeight,
      pieces: rows.flatMap((grid, row) =>
        grid.depth === depth
          ? [{ row, from: grid.startMicroseconds, to: Math.max(grid.endMicroseconds, grid.startMicroseconds + least) }]
          : [],
      ),
      hover: `%{x:.1f} us: depth ${depth}<extra></extra>`,
    }),
    showlegend: inLegend,
  }));
  const rowName = (grid: LaunchedGrid): string => (inLegend ? "" : `${grid.depth}: `) + gridName(grid);
  const named = rows.length <= MOST_NAMED_ROWS ? rows : rows.slice(0, 1);
  const shown = rows.length === all.length ? `${all.length} grids` : `the first ${rows.length} of ${all.length} grids`;
  const time = formatNumber(end, { decimals: 1 });
  return makeFigure({
    texts: {
      title: `${launch.kernel}: grids that grids launch`,
      subtitle: `${shown}, ${launch.device.name}, predicted`,
      ...texts,
    },
    alt: `${shown} of ${launch.kernel} on ${launch.device.name} over ${time} us, ${depths.length - 1} levels below the host's: ${depths
      .map((depth) => `${all.filter((grid) => grid.depth === depth).length} at depth ${depth}`)
      .join(", ")}.`,
    data,
    plotHeight: Math.max(120, rows.length * rowHeight),
    xaxis: { type: "linear", title: "Time (us)", range: [0, 1.02 * end], ticks: linearTicks(0, end), grid: true },
    yaxis: {
      type: "linear",
      title: inLegend ? "" : "Depth and grid",
      range: [rows.length - 0.4, -0.6],
      ticks: { values: named.map((_, row) => row), texts: named.map(rowName) },
      grid: false,
    },
    narrow: true,
  });
}
