import { describe, expect, it } from "vitest";
import {
  comparisonTable,
  deviationPercent,
  deviations,
  meanAbsoluteDeviationPercent,
} from "../../../src/core/show/comparison.js";
import { toMarkdown } from "../../../src/core/show/output/markdown.js";

const rows = [
  { version: "slow", simulated: 1.1, published: 1 },
  { version: "fast", simulated: 0.8, published: 1 },
  { version: "new", simulated: 0.5, published: null },
];

describe("deviation from the published number", () => {
  it("is positive when the simulation is higher", () => {
    expect(deviationPercent(1.1, 1)).toBeCloseTo(10, 10);
  });

  it("does not exist where nothing was published", () => {
    expect(deviations(rows)[2]?.deviationPercent).toBeNull();
  });

  it("is averaged without its sign over the published rows", () => {
    expect(meanAbsoluteDeviationPercent(deviations(rows))).toBeCloseTo(15, 10);
  });

  it("has no average when nothing was published", () => {
    expect(meanAbsoluteDeviationPercent(deviations(rows.slice(2)))).toBeNull();
  });

  it("stands in the table with its sign", () => {
    const text = toMarkdown(comparisonTable(rows, { name: "Kernel time", unit: "ms", decimals: 3 }));
    expect(text).toContain("| slow | 1.100 | 1.000 | +10.0 % |");
    expect(text).toContain("| fast | 0.800 | 1.000 | -20.0 % |");
    expect(text).toContain("| new | 0.500 | – | – |");
  });
});
