/** Texts of a figure: by themselves, or each on a square of its own colour. */
import { plotText, type ScatterTrace } from "./figure.js";
import { textOn } from "./palette.js";

export const TEXT_SIZE = 12;

export interface WrittenText {
  readonly x: number;
  readonly y: number | string;
  readonly text: string;
}

export function writtenTexts(
  all: readonly WrittenText[],
  textposition: "middle center" | "middle right",
): ScatterTrace {
  return {
    type: "scatter",
    mode: "text",
    name: "texts",
    showlegend: false,
    hoverinfo: "skip",
    x: all.map(({ x }) => x),
    y: all.map(({ y }) => y),
    text: all.map(({ text }) => plotText(text)),
    textposition,
    textfont: { size: TEXT_SIZE },
    cliponaxis: false,
  };
}

/** @param size of a square in pixels */
export function colouredCells(
  cells: readonly (WrittenText & { readonly color: string })[],
  size: number,
  hovertemplate: string,
  textSize: number = TEXT_SIZE,
): ScatterTrace {
  const colors = cells.map(({ color }) => color);
  return {
    type: "scatter",
    mode: "markers+text",
    name: "value",
    x: cells.map(({ x }) => x),
    y: cells.map(({ y }) => y),
    text: cells.map(({ text }) => plotText(text)),
    textposition: "middle center",
    textfont: { size: textSize, color: colors.map(textOn) },
    hovertemplate,
    marker: { symbol: "square", size, color: colors },
    showlegend: false,
    cliponaxis: false,
  };
}
