import { describe, expect, it } from "vitest";
import { formatNumber } from "../../../src/core/show/number-format.js";
import { toHtml } from "../../../src/core/show/output/html.js";
import { toJson } from "../../../src/core/show/output/json.js";
import { table } from "../../../src/core/show/table.js";

interface Row {
  readonly version: string;
  readonly timeMs: number | null;
  readonly lanes: readonly number[];
}
const rows: readonly Row[] = [
  { version: "a", timeMs: 0.25, lanes: [1] },
  { version: "b", timeMs: null, lanes: [] },
];

describe("table", () => {
  it("keeps only the named columns", () => {
    expect(table({ columns: [{ key: "version" }], rows }).rows).toEqual([{ version: "a" }, { version: "b" }]);
  });

  it("lines up numbers on the right and texts on the left", () => {
    const made = table<Row>({ columns: [{ key: "version" }, { key: "timeMs" }], rows });
    expect(made.columns.map((column) => column.align)).toEqual(["left", "right"]);
  });

  it("cannot be changed", () => {
    const made = table({ columns: [{ key: "version" }], rows });
    expect(() => Object.assign(made.rows[0] ?? {}, { version: "changed" })).toThrow(TypeError);
    expect(() => Object.assign(made, { title: "changed" })).toThrow(TypeError);
  });

  it("refuses NaN and names its row and column", () => {
    const make = () => table({ columns: [{ key: "timeMs" }], rows: [{ timeMs: 1 }, { timeMs: 0 / 0 }] });
    expect(make).toThrow(/row 2, column "timeMs" is NaN/);
  });

  it("refuses a column given twice", () => {
    expect(() => table({ columns: [{ key: "version" }, { key: "version" }], rows })).toThrow(/key "version"/);
  });

  it("refuses to have no column", () => {
    expect(() => table({ columns: [], rows })).toThrow(/columns is \[\]/);
  });
});

describe("a number's written form", () => {
  it("groups thousands with commas and leaves the fraction alone", () => {
    expect(formatNumber(16777216.12345, { decimals: 5, grouping: true })).toBe("16,777,216.12345");
    expect(formatNumber(2n ** 64n, { grouping: true })).toBe("18,446,744,073,709,551,616");
  });

  it("has no minus before a zero that rounding made", () => {
    expect(formatNumber(-0.001, { decimals: 2 })).toBe("0.00");
    expect(formatNumber(-0.0001, { decimals: 1, sign: true })).toBe("0.0");
  });

  it("shows a fraction in percent", () => {
    expect(formatNumber(0.8875, { scale: 100, decimals: 1, suffix: " %" })).toBe("88.8 %");
  });

  it("keeps significant digits and drops zeros behind them", () => {
    expect([0.000123456, 1500, 4814.25].map((value) => formatNumber(value, { significant: 3 }))).toEqual([
      "0.000123",
      "1500",
      "4810",
    ]);
  });
});

describe("JSON of a table", () => {
  const made = table({
    title: "T",
    columns: [
      { key: "version" },
      { key: "timeMs", title: "Kernel time", unit: "ms", format: { decimals: 1 } },
      { key: "warps" },
    ],
    rows: [
      { version: "a", timeMs: 0.123456789, warps: 5n },
      { version: "b", timeMs: null, warps: 2n ** 60n + 1n },
    ],
  });

  it("has numbers in full precision whatever their written form", () => {
    expect(JSON.parse(toJson(made)).rows[0]).toEqual({ version: "a", timeMs: 0.123456789, warps: 5 });
  });

  it("has digits as text where a double would lose some", () => {
    expect(JSON.parse(toJson(made)).rows[1]).toEqual({ version: "b", timeMs: null, warps: "1152921504606846977" });
  });

  it("names the columns' units", () => {
    expect(JSON.parse(toJson(made)).columns[1]).toEqual({ key: "timeMs", title: "Kernel time", unit: "ms" });
  });
});

describe("HTML of a table", () => {
  const html = toHtml(
    table({
      title: "a < b & c",
      note: '"quoted"',
      columns: [
        { key: "version", title: "<script>" },
        { key: "timeMs", unit: "ms" },
      ],
      rows: [{ version: '<img src=x onerror="alert(1)">', timeMs: 1 }],
    }),
  );

  it("escapes what would be markup", () => {
    expect(html).toContain("<caption>a &lt; b &amp; c</caption>");
    expect(html).not.toMatch(/<script|<img/);
  });

  it("marks its headers as such", () => {
    expect(html.match(/<th scope="col"/g)).toHaveLength(2);
  });

  it("lines up numbers for sanitizers that drop styles", () => {
    expect(html).toContain('<td align="right" style="text-align:right">1</td>');
  });
});
