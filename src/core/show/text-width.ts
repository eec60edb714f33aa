/** How wide a text is in the pictures' font, DejaVu Sans, so that labels never meet the picture's edge. */
import { BOLD_WIDTHS, REGULAR_WIDTHS, UNITS_PER_EM } from "./dejavu-widths.js";

export const fontFamily = "DejaVu Sans";
/** For plotly in a browser: Verdana has nearly DejaVu's widths. */
export const fontStack = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

/** Advance in em by code point, from the runs of dejavu-widths.ts. */
function readWidths(runs: string): ReadonlyMap<number, number> {
  const widths = new Map<number, number>();
  let code = 0;
  for (const run of runs.trim().split(/\s+/)) {
    const [, skip = "", count = "1", width] = /^([0-9a-f]*)(?:\*(\d+))?:(\d+)$/.exec(run)!;
    if (skip !== "") code += Number.parseInt(skip, 16);
    for (const end = code + Number(count); code < end; code++) widths.set(code, Number(width) / UNITS_PER_EM);
  }
  return widths;
}

let regular: ReadonlyMap<number, number> | undefined;
let bold: ReadonlyMap<number, number> | undefined;

function widthsOf(isBold: boolean): ReadonlyMap<number, number> {
  if (isBold) {
    bold ??= readWidths(BOLD_WIDTHS);
    return bold;
  }
  regular ??= readWidths(REGULAR_WIDTHS);
  return regular;
}

/** Width of one line in pixels; a character that the font lacks counts as one em. */
export function textWidth(text: string, sizePx: number, isBold = false): number {
  const widths = widthsOf(isBold);
  let em = 0;
  for (const character of text) em += widths.get(character.codePointAt(0) ?? 0) ?? 1;
  return em * sizePx;
}

/** Whether the font has a glyph for every character. */
export function fontCovers(text: string): boolean {
  for (const character of text) if (!widthsOf(false).has(character.codePointAt(0) ?? 0)) return false;
  return true;
}

/** Breaks a text into lines of at most `widthPx`: at spaces outside of parentheses, else anywhere. */
export function wrapText(text: string, widthPx: number, sizePx: number, bold = false): readonly string[] {
  const fits = (line: string): boolean => textWidth(line, sizePx, bold) <= widthPx;
  const lines: string[] = [];
  const start = (word: string): void => {
    lines.push("");
    for (const character of word) {
      const last = lines.at(-1) ?? "";
      if (last === "" || fits(last + character)) lines[lines.length - 1] = last + character;
      else lines.push(character);
    }
  };
  const whole = text.replace(/\([^()]*\)/g, (group) => (fits(group) ? group.replace(/\s+/g, "\u00a0") : group));
  for (const word of whole.split(/[^\S\u00a0]+/).filter((part) => part !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && fits(`${last} ${word}`)) lines[lines.length - 1] = `${last} ${word}`;
    else start(word);
  }
  return lines.length === 0 ? [""] : lines;
}
