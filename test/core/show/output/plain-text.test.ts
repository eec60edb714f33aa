import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { terminalStyle, terminalWidth, toText, wrap } from "../../../../src/core/show/output/plain-text.js";
import { speedups, speedupTable } from "../../../../src/core/show/speedup.js";
import { table } from "../../../../src/core/show/table.js";
import { bytesRead, lab28 } from "../lab28.js";

const ladder = speedupTable(
  speedups(
    lab28.map(({ version, timeMs }) => ({ version, timeMs, bytes: bytesRead })),
    { peakGBps: 432 },
  ),
  { title: "The five versions of Labs 25 to 28 on a simulated GPU with 2^24 integers", note: "Times are predictions." },
);
const widest = (text: string): number => Math.max(...text.split("\n").map(terminalWidth));

describe("a table in a terminal", () => {
  it("of Lab 28 fits 80 columns with every number whole", () => {
    const text = toText(ladder);
    expect(widest(text)).toBeLessThanOrEqual(80);
    for (const number of ["0.706", "383.48", "4.03×", "88.8 %"]) expect(text).toContain(number);
  });

  it("fits any width from 10 columns on", () => {
    fc.assert(fc.property(fc.integer({ min: 10, max: 120 }), (width) => widest(toText(ladder, { width })) <= width));
  });

  it("breaks no number while columns fit", () => {
    for (const width of [50, 60, 70, 80]) expect(toText(ladder, { width })).toMatch(/\b154\.63\b/);
  });

  it("lists records where columns do not fit", () => {
    expect(toText(ladder, { width: 32 })).toContain("\nEvent time (ms): 0.706\n");
  });

  it("lines up numbers on their right", () => {
    const made = table({
      columns: [{ key: "v", title: "version" }, { key: "n" }],
      rows: [
        { v: "a", n: 5 },
        { v: "b", n: 1234 },
      ],
    });
    expect(toText(made)).toBe("version     n\n───────  ────\na           5\nb        1234\n");
  });

  it("has no colour codes unless asked", () => {
    expect(toText(ladder)).not.toContain("\u001b");
    expect(toText(ladder, { color: true })).toContain("\u001b[1m");
  });

  it("does not let a cell's control codes through", () => {
    const text = toText(table({ columns: [{ key: "v" }], rows: [{ v: "\u001b[2Jgone\u202e" }] }));
    expect(text).toContain("\ufffd[2Jgone\ufffd");
  });

  it("counts wide characters as two columns", () => {
    expect(terminalWidth("归约 é e\u0301")).toBe(8);
  });
});

describe("wrap", () => {
  it("breaks behind a hyphen before it cuts a word", () => {
    expect(wrap("Non-Divergent Interleaved", 11)).toEqual(["Non-", "Divergent", "Interleaved"]);
  });

  it("loses nothing but spaces", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "b", "-", " ", "é") }),
        fc.integer({ min: 1, max: 12 }),
        (text, width) => {
          const clean = text.replace(/ +/g, " ").trim();
          expect(wrap(clean, width).join("").replaceAll(" ", "")).toBe(clean.replaceAll(" ", ""));
        },
      ),
    );
  });
});

describe("a terminal's style", () => {
  const terminal = { isTTY: true, columns: 120 };
  it("has colour on a terminal", () => {
    expect(terminalStyle(terminal, {})).toEqual({ width: 120, color: true });
  });

  it.each([{ NO_COLOR: "1" }, { CI: "true" }, { TERM: "dumb" }])("has no colour with %o", (environment) => {
    expect(terminalStyle(terminal, environment).color).toBe(false);
  });

  it("has 80 columns and no colour in a pipe", () => {
    expect(terminalStyle({}, {})).toEqual({ width: 80, color: false });
  });
});
