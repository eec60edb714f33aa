import { createRequire } from "node:module";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type DisplayData, tableData } from "../../../src/core/show/display-data.js";
import { timeFigure } from "../../../src/core/show/figures/version-figures.js";
import { table } from "../../../src/core/show/table.js";
import { display, figureBundle } from "../../../src/node/display/notebook.js";
import { pngPixels } from "../../core/show/png-pixels.js";

const figure = timeFigure([{ version: "a", timeMs: 1 }]);
const made = table({ title: "T", columns: [{ key: "v" }], rows: [{ v: 1 }] });

describe("a figure in a notebook", () => {
  it("comes as plotly figure, PNG and text, without HTML that would hide the PNG", () => {
    expect(Object.keys(figureBundle(figure).data).sort()).toEqual([
      "application/vnd.plotly.v1+json",
      "image/png",
      "text/plain",
    ]);
  });

  it("has the plotly figure as an object", () => {
    expect(figureBundle(figure).data["application/vnd.plotly.v1+json"]).toMatchObject({
      data: figure.data,
      layout: figure.layout,
    });
  });

  it("has a PNG in base64 of twice the size at which it is shown", () => {
    const { data, metadata } = figureBundle(figure);
    const { width, height } = pngPixels(Buffer.from(String(data["image/png"]), "base64"));
    expect(metadata["image/png"]).toEqual({ width: width / 2, height: height / 2 });
  });
});

describe("a table in a notebook", () => {
  it("comes as HTML, Markdown and text", () => {
    expect(Object.keys(tableData(made).data).sort()).toEqual(["text/html", "text/markdown", "text/plain"]);
  });
});

describe("display", () => {
  const require = createRequire(import.meta.url);
  const loadTslab = (): { lastWriteDisplayData: unknown } => require("tslab/dist/jupyter.js");

  afterEach(() => {
    const path = require.resolve("tslab/dist/jupyter.js");
    if (require.cache[path] !== undefined) loadTslab().lastWriteDisplayData = null;
    vi.restoreAllMocks();
  });

  it("writes text to stdout and nothing to stderr outside of a notebook", () => {
    const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    const err = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    display(made);
    display(figure);
    const text = out.mock.calls.map(([chunk]) => String(chunk)).join("");
    expect(text).toContain("T\n\nv\n─\n1\n");
    expect(text).toContain(figure.alt);
    expect(err).not.toHaveBeenCalled();
  });

  it("sends one bundle through the tslab that runs the notebook", () => {
    const sent: { data: DisplayData; update: boolean }[] = [];
    const out = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    loadTslab().lastWriteDisplayData = (data: DisplayData, update: boolean) => sent.push({ data, update });
    display(figure);
    display(made);
    expect(sent).toEqual([
      { data: figureBundle(figure), update: false },
      { data: tableData(made), update: false },
    ]);
    expect(out).not.toHaveBeenCalled();
  });
});
