/** A launch by source line as a heat map: a row a line, a column a quantity, darker for more. */

import { InputError } from "../base/errors.js";
import { checkArgument } from "../base/shape.js";
import type { Figure } from "../show/figures/figure.js";
import { plotText } from "../show/figures/figure.js";
import { checkTexts, type FigureTexts, leftMargin, makeFigure, rightMargin, sizes } from "../show/figures/frame.js";
import { sequentialColor } from "../show/figures/palette.js";
import { colouredCells } from "../show/figures/text-traces.js";
import { formatNumber } from "../show/number-format.js";
import { wrapText } from "../show/text-width.js";
import type { LineProfile, ProfiledLine } from "./line-profile.js";
import { profileShape } from "./line-profile.js";

interface Quantity {
  readonly name: string;
  readonly of: (line: ProfiledLine) => number | null;
  /** How dark a value is, 0 to 1; `most` is the column's largest. */
  readonly shade: (value: number, most: number) => number;
  readonly decimals: number;
}

const WARP = 32;
const ofMost = (value: number, most: number): number => (most > 0 ? value / most : 0);
/** Ratios from 1, the best, to a warp's 32, the worst. */
const ofWorst = (value: number): number => Math.log2(Math.max(1, value)) / Math.log2(WARP);

const QUANTITIES: readonly Quantity[] = [
  { name: "instr.<br>%", of: ({ share }) => 100 * share, shade: ofMost, decimals: 0 },
  { name: "stalls<br>%", of: ({ stallShare }) => 100 * stallShare, shade: ofMost, decimals: 0 },
  {
    name: "idle<br>lanes",
    of: ({ activeLanes }) => (activeLanes === null ? null : WARP - activeLanes),
    shade: (value) => value / WARP,
    decimals: 0,
  },
  { name: "sect.<br>a req.", of: ({ sectorsPerRequest }) => sectorsPerRequest, shade: ofWorst, decimals: 1 },
  { name: "bank<br>degr.", of: ({ conflictDegree }) => conflictDegree, shade: ofWorst, decimals: 1 },
];

const NAME_WIDTH = 124;
const NAME_LINES = 2;
const CELL_WIDTH = 42;
const CELL_HEIGHT = 34;
const MOST_LINES = 60;

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly shade: number;
  readonly text: string;
}

function cellsOf(lines: readonly ProfiledLine[]): readonly Cell[] {
  return QUANTITIES.flatMap(({ of, shade, decimals }, column) => {
    const values = lines.map(of);
    const most = Math.max(...values.map((value) => value ?? 0));
    return values.flatMap((value, row): Cell[] => {
      if (value === null) return [];
      return [{ row, column, shade: shade(value, most), text: formatNumber(value, { decimals }) }];
    });
  });
}

/**
 * The heat map of a line profile.
 * @throws InputError for a profile of no or of too many lines.
 * @example
 * display(lineHeatFigure(lineProfile(launch)));
 */
export function lineHeatFigure(profile: LineProfile, texts: Partial<FigureTexts> = {}): Figure {
  checkArgument("lineHeatFigure", "profile", profile, profileShape);
  checkTexts("lineHeatFigure", texts);
  const { lines, kernel, device } = profile;
  if (lines.length === 0 || lines.length > MOST_LINES) {
    throw new InputError({
      what: `lineHeatFigure: ${kernel} has ${lines.length} lines with code.`,
      cure: `A picture holds 1 to ${MOST_LINES} lines; print annotatedText(profile) for more.`,
    });
  }
  const cells = cellsOf(lines);
  const data = colouredCells(
    cells.map(({ row, column, text, shade }) => ({ x: column, y: row, text, color: sequentialColor(shade) })),
    CELL_HEIGHT - 2,
    "%{text}<extra></extra>",
  );
  const labels = lines.map(({ line, text, function: name }) => {
    const parts = wrapText(`${line}: ${name === kernel ? text : `${name}: ${text}`}`, NAME_WIDTH - 14, sizes.tick);
    return parts.length <= NAME_LINES ? parts : [...parts.slice(0, NAME_LINES - 1), `${parts[NAME_LINES - 1]} …`];
  });
  const shown = labels.map((label) => label.map(plotText).join("<br>"));
  const rows = lines.map(({ line, text }, row) => {
    const values = QUANTITIES.map(({ name }, column) => {
      const cell = cells.find((each) => each.row === row && each.column === column);
      return cell === undefined ? "" : `${name.replace("<br>", " ")} ${cell.text}`;
    });
    return `line ${line} (${text}): ${values.filter((value) => value !== "").join(", ")}`;
  });
  return makeFigure({
    texts: {
      title: `${kernel} by line`,
      subtitle: `${device}; counts exact, stalls predicted; darker is more`,
      ...texts,
      width: leftMargin(shown, "") + QUANTITIES.length * CELL_WIDTH + rightMargin,
    },
    alt: `Heat map of ${kernel} by source line. ${rows.join("; ")}.`,
    data: [data],
    plotHeight: lines.length * (CELL_HEIGHT + 2),
    xaxis: {
      type: "linear",
      title: "",
      range: [-0.5, QUANTITIES.length - 0.5],
      ticks: { values: [...QUANTITIES.keys()], texts: QUANTITIES.map(({ name }) => name) },
      grid: false,
    },
    yaxis: {
      type: "linear",
      title: "",
      range: [lines.length - 0.5, -0.5],
      ticks: { values: [...lines.keys()], texts: shown },
      grid: false,
    },
    fixedWidth: true,
  });
}
