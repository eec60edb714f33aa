/**
 * The pictures' font, DejaVu Sans: its files, which characters it has, and how wide a text is. The widths are read
 * from the TrueType tables head, hhea, hmtx and cmap (format 4), so that labels never meet the picture's edge.
 * Tables: https://learn.microsoft.com/en-us/typography/opentype/spec/otff
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export const fontFamily = "DejaVu Sans";
/** For plotly in a browser: Verdana has nearly DejaVu's widths. */
export const fontStack = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";

interface Metrics {
  /** Advance width in em, by code point; undefined where the font has no glyph. */
  readonly advance: (codePoint: number) => number | undefined;
}

function tableOffset(view: DataView, tag: string): number {
  const tables = view.getUint16(4);
  for (let index = 0; index < tables; index++) {
    const record = 12 + index * 16;
    const name = [0, 1, 2, 3].map((at) => String.fromCharCode(view.getUint8(record + at))).join("");
    if (name === tag) return view.getUint32(record + 8);
  }
  throw new Error(`The font has no table ${tag}.`);
}

/** Offset of the Unicode BMP subtable of format 4. */
function bmpMap(view: DataView): number {
  const cmap = tableOffset(view, "cmap");
  const subtables = view.getUint16(cmap + 2);
  for (let index = 0; index < subtables; index++) {
    const at = cmap + view.getUint32(cmap + 4 + index * 8 + 4);
    if (view.getUint16(at) === 4) return at;
  }
  throw new Error("The font has no character map of format 4.");
}

function glyphOf(view: DataView, map: number, code: number): number {
  const doubled = view.getUint16(map + 6);
  const [ends, starts] = [map + 14, map + 16 + doubled];
  const [deltas, ranges] = [starts + doubled, starts + 2 * doubled];
  for (let at = 0; at < doubled; at += 2) {
    if (code > view.getUint16(ends + at)) continue;
    const start = view.getUint16(starts + at);
    if (code < start) return 0;
    const delta = view.getUint16(deltas + at);
    const range = view.getUint16(ranges + at);
    if (range === 0) return (code + delta) & 0xffff;
    const glyph = view.getUint16(ranges + at + range + 2 * (code - start));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}

function readMetrics(file: string): Metrics {
  const bytes = readFileSync(file);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitsPerEm = view.getUint16(tableOffset(view, "head") + 18);
  const wide = view.getUint16(tableOffset(view, "hhea") + 34);
  const hmtx = tableOffset(view, "hmtx");
  const map = bmpMap(view);
  const known = new Map<number, number | undefined>();
  return {
    advance(code) {
      if (!known.has(code)) {
        const glyph = code > 0xffff ? 0 : glyphOf(view, map, code);
        const width = view.getUint16(hmtx + 4 * Math.min(glyph, wide - 1)) / unitsPerEm;
        known.set(code, glyph === 0 ? undefined : width);
      }
      return known.get(code);
    },
  };
}

interface LoadedFont {
  readonly regularFile: string;
  readonly boldFile: string;
  readonly regular: Metrics;
  readonly bold: Metrics;
}

let loaded: LoadedFont | undefined;

function font(): LoadedFont {
  if (loaded === undefined) {
    const folder = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
    const regularFile = join(folder, "DejaVuSans.ttf");
    const boldFile = join(folder, "DejaVuSans-Bold.ttf");
    loaded = { regularFile, boldFile, regular: readMetrics(regularFile), bold: readMetrics(boldFile) };
  }
  return loaded;
}

/** Regular and bold, as paths. */
export function fontFiles(): readonly string[] {
  return [font().regularFile, font().boldFile];
}

/** Width of one line in pixels; a character that the font lacks counts as one em. */
export function textWidth(text: string, sizePx: number, bold = false): number {
  const metrics = bold ? font().bold : font().regular;
  let em = 0;
  for (const character of text) em += metrics.advance(character.codePointAt(0) ?? 0) ?? 1;
  return em * sizePx;
}

/** Whether the font has a glyph for every character. */
export function fontCovers(text: string): boolean {
  for (const character of text) if (font().regular.advance(character.codePointAt(0) ?? 0) === undefined) return false;
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
