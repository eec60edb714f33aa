import { describe, expect, it } from "vitest";
import { figureHtml, pageScript, pageStyle, tableHtml } from "../../src/show/page.js";
import { table } from "../../src/show/table.js";
import { comparisonFigure, timeFigure } from "../../src/show/versionFigures.js";

const figure = timeFigure([{ version: "</script><b>", timeMs: 1 }], { title: "T" });
const json = (html: string): string => /<script type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? "";

describe("a figure in a page", () => {
  it("carries the plotly figure as JSON that cannot end its script", () => {
    expect(JSON.parse(json(figureHtml(figure, "time")))).toMatchObject({ data: figure.data });
  });

  it("shows a still picture until scripts run", () => {
    expect(figureHtml(figure, "time")).toMatch(/<div class="warplab-plot"><svg [^>]*role="img"/);
  });

  it("shares no id with another figure of the page", () => {
    const hatched = comparisonFigure([{ version: "a", simulated: 1, published: 2 }], {
      name: "Time",
      unit: "ms",
      decimals: 1,
    });
    const ids = ["one", "two"].flatMap((id) =>
      [...figureHtml(hatched, id).matchAll(/ id="([^"]+)"/g)].map(([, found]) => found),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(figureHtml(hatched, "one")).toContain("url(#one-hatch-");
  });

  it("refuses an id that is none", () => {
    expect(() => figureHtml(figure, 'x" onload="')).toThrow(/is no id/);
  });

  it("asks nothing of the network", () => {
    const page =
      figureHtml(figure, "time") +
      tableHtml(table({ columns: [{ key: "a" }], rows: [{ a: 1 }] })) +
      pageStyle +
      pageScript("plotly.js");
    expect(page.replaceAll('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|\/\/[a-z]|@import/);
    expect([...page.matchAll(/ src="([^"]*)"/g)].map(([, address]) => address)).toEqual(["plotly.js"]);
  });
});
