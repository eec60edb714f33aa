import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { fontCovers, textWidth } from "../../../src/core/show/text-width.js";

// Tables of a TrueType file: https://learn.microsoft.com/en-us/typography/opentype/spec/otff
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

const folder = join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
const LAST_OF_PLANE = 0xffff;

test.each([
  ["DejaVuSans.ttf", false],
  ["DejaVuSans-Bold.ttf", true],
])("the widths are those of %s", (file, bold) => {
  const bytes = readFileSync(join(folder, file));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitsPerEm = view.getUint16(tableOffset(view, "head") + 18);
  const wide = view.getUint16(tableOffset(view, "hhea") + 34);
  const hmtx = tableOffset(view, "hmtx");
  const map = bmpMap(view);
  const others: string[] = [];
  for (let code = 0; code < LAST_OF_PLANE; code++) {
    const glyph = glyphOf(view, map, code);
    const width = glyph === 0 ? 1 : view.getUint16(hmtx + 4 * Math.min(glyph, wide - 1)) / unitsPerEm;
    const text = String.fromCharCode(code);
    if (textWidth(text, 1, bold) !== width) others.push(code.toString(16));
    if (!bold && fontCovers(text) !== (glyph !== 0)) others.push(`covers ${code.toString(16)}`);
  }
  expect(others).toEqual([]);
});
