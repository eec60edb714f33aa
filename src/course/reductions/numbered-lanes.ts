/** A picture of lanes with a number in each cell, and the numbers in the text that says the same. */
import type { Figure } from "../../core/show/figures/figure.js";
import type { FigureTexts } from "../../core/show/figures/frame.js";
import { type LaneKind, laneFigure } from "../../core/show/figures/lane-figure.js";

export interface NumberedRow {
  readonly label: string;
  /** A lane without a number has null. */
  readonly numbers: readonly (number | null)[];
  /** Each lane's kind, by its name. */
  readonly kinds: readonly string[];
}

/** The kinds that a row has: the legend shows no others. */
export function usedKinds(kinds: readonly LaneKind[], rows: readonly NumberedRow[]): readonly LaneKind[] {
  return kinds.filter(({ name }) => rows.some((row) => row.kinds.includes(name)));
}

/** @param what the numbers are, for the text: "Banks" */
export function numberedLanesFigure(
  texts: FigureTexts,
  what: string,
  kinds: readonly LaneKind[],
  rows: readonly NumberedRow[],
): Figure {
  const figure = laneFigure({
    ...texts,
    kinds,
    steps: rows.map((row) => ({
      label: row.label,
      lanes: row.kinds,
      texts: row.numbers.map((number) => number ?? ""),
    })),
  });
  const lines = rows.map(({ label, numbers }) => `${label}: ${numbers.map((number) => number ?? "–").join(" ")}`);
  return { ...figure, alt: `${figure.alt} ${what} by lane. ${lines.join("; ")}.` };
}
