import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCsv } from "../../../../src/core/show/output/csv.js";
import { table } from "../../../../src/core/show/table.js";

/** A reader of RFC 4180 by its grammar, for comparison. */
function readCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]];
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error("not RFC 4180");
    const [, raw = "", end] = match;
    records.at(-1)?.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end === "\r\n") records.push([]);
  }
  return records.slice(0, -1);
}

describe("CSV of a table", () => {
  it("has the keys as header and numbers in full precision", () => {
    const made = table({
      columns: [
        { key: "version", title: "Version" },
        { key: "timeMs", format: { decimals: 1 } },
      ],
      rows: [{ version: "a", timeMs: 0.125 }],
    });
    expect(toCsv(made)).toBe("version,timeMs\r\na,0.125\r\n");
  });

  it("leaves a cell empty that is not available", () => {
    expect(toCsv(table({ columns: [{ key: "a" }, { key: "b" }], rows: [{ a: null, b: 1 }] }))).toBe("a,b\r\n,1\r\n");
  });

  it("is read back as it was by RFC 4180's grammar", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ unit: fc.constantFrom('"', ",", "\r", "\n", "a", " ", ";") }),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ a: text, b: text }), { maxLength: 5 }), (rows) => {
        const made = table({ columns: [{ key: "a" }, { key: "b" }], rows });
        expect(readCsv(toCsv(made))).toEqual([["a", "b"], ...rows.map(({ a, b }) => [a, b])]);
      }),
    );
  });
});
