import { describe, expect, it } from "vitest";
import type { BarTrace, Figure, ScatterTrace } from "../../../src/core/show/figures/figure.js";
import { plotlyJson, plotText, plotTextLines } from "../../../src/core/show/figures/figure.js";
import { laneFigure, laneValuesFigure } from "../../../src/core/show/figures/lane-figure.js";
import { lineFigure, occupancyFigure } from "../../../src/core/show/figures/line-figure.js";
import { attainableGops, rooflineFigure } from "../../../src/core/show/figures/roofline-figure.js";
import { scatterFigure } from "../../../src/core/show/figures/scatter-figure.js";
import { type ShuffleStep, shuffleFigure } from "../../../src/core/show/figures/shuffle-figure.js";
import { linearTicks, logTicks, tickText, warpTicks } from "../../../src/core/show/figures/ticks.js";
import {
  bandwidthFigure,
  comparisonFigure,
  speedupFigure,
  timeFigure,
} from "../../../src/core/show/figures/version-figures.js";
import { speedups } from "../../../src/core/show/speedup.js";
import { bytesRead, lab28 } from "./lab28.js";

const rows = speedups(
  lab28.map(({ version, timeMs }) => ({ version, timeMs, bytes: bytesRead })),
  { peakGBps: 432 },
);
const bars = (figure: Figure): readonly BarTrace[] => figure.data.filter((trace) => trace.type === "bar");
const scatters = (figure: Figure): readonly ScatterTrace[] => figure.data.filter((trace) => trace.type === "scatter");
const versions = lab28.map((row) => row.version);

describe("figures of a ladder", () => {
  it("of time hold the rows' times", () => {
    expect(bars(timeFigure(rows)).map(({ x, y }) => ({ x, y }))).toEqual([
      { x: lab28.map((row) => row.timeMs), y: versions },
    ]);
  });

  it("of speed-up write the published speed-ups at the bars' ends", () => {
    expect(bars(speedupFigure(rows))[0]?.text).toEqual(["1.00×", "1.58×", "1.63×", "2.99×", "4.03×"]);
  });

  it("of bandwidth draw the peak as a line with its label", () => {
    const { layout, data } = bandwidthFigure(rows, { device: "RTX 4080 Laptop", peakGBps: 432 });
    expect(layout.shapes.map(({ x0, x1 }) => [x0, x1])).toEqual([[432, 432]]);
    expect(layout.annotations[0]?.text).toBe("peak of RTX 4080 Laptop: 432 GB/s");
    expect(layout.xaxis.range[1]).toBeGreaterThan(432);
    expect((data[0] as BarTrace).x).toEqual(rows.map((row) => row.bandwidthGBps));
  });

  it("move a label into its bar where it would cross the peak's line", () => {
    const near = [
      { version: "near", bandwidthGBps: 425 },
      { version: "far", bandwidthGBps: 100 },
    ];
    const figure = bandwidthFigure(near, { device: "GPU", peakGBps: 432 });
    expect(bars(figure)[0]?.textposition).toEqual(["inside", "outside"]);
  });

  it("start at zero, so that lengths compare", () => {
    for (const figure of [timeFigure(rows), speedupFigure(rows), bandwidthFigure(rows)]) {
      expect(figure.layout.xaxis.range[0]).toBe(0);
    }
  });

  it("name the quantity and its unit at the axis", () => {
    expect(timeFigure(rows).layout.xaxis.title.text).toBe("Event time (ms)");
    expect(bandwidthFigure(rows).layout.xaxis.title.text).toBe("Bandwidth (GB/s)");
  });

  it("compare simulated with published by hatching beside the colour", () => {
    const compared = versions.map((version, index) => ({
      version,
      simulated: index + 1,
      published: index === 3 ? null : index + 2,
    }));
    const [simulated, published] = bars(comparisonFigure(compared, { name: "Kernel time", unit: "ms", decimals: 3 }));
    expect(simulated?.x).toEqual([1, 2, 3, 4, 5]);
    expect(published?.x).toEqual([2, 3, 4, null, 6]);
    expect(simulated?.marker.pattern.shape).not.toBe(published?.marker.pattern.shape);
  });

  it("tell their numbers in the alt text", () => {
    expect(timeFigure(rows).alt).toContain("Warp-Level Optimization: 0.175");
  });

  it("refuse a negative bar and two versions of one name", () => {
    expect(() => timeFigure([{ version: "a", timeMs: -1 }])).toThrow(/rows\[0\]\.timeMs is -1/);
    expect(() =>
      timeFigure([
        { version: "a", timeMs: 1 },
        { version: "a", timeMs: 2 },
      ]),
    ).toThrow(/named "a"/);
  });
});

describe("line figures", () => {
  const blocks = [32, 64, 128, 256, 512, 1024];
  const figure = lineFigure({
    title: "T",
    xTitle: "Threads per block",
    yTitle: "Bandwidth (GB/s)",
    xScale: "log2",
    series: [
      { name: "one", points: blocks.map((x, index) => ({ x, y: index })) },
      { name: "two", points: blocks.map((x, index) => ({ x, y: 2 * index })) },
    ],
  });

  it("hold the points", () => {
    expect(scatters(figure).map(({ x, y }) => ({ x, y }))).toEqual([
      { x: blocks, y: [0, 1, 2, 3, 4, 5] },
      { x: blocks, y: [0, 2, 4, 6, 8, 10] },
    ]);
  });

  it("show points below zero inside the axis", () => {
    const points = [-3, -1].map((y, x) => ({ x, y }));
    const [low, high] = lineFigure({ title: "T", xTitle: "x", yTitle: "y", series: [{ name: "s", points }] }).layout
      .yaxis.range;
    expect(low).toBeLessThan(-3);
    expect(high).toBe(0);
  });

  it("put ticks at the block sizes", () => {
    expect(figure.layout.xaxis.ticktext).toEqual(["32", "64", "128", "256", "512", "1024"]);
  });

  it("tell series apart by sign and dash beside the colour", () => {
    const [one, two] = scatters(figure);
    expect(one?.marker?.symbol).not.toBe(two?.marker?.symbol);
    expect(one?.line?.dash).not.toBe(two?.line?.dash);
  });

  it("break a line at a point without a value", () => {
    const broken = lineFigure({
      title: "T",
      xTitle: "x",
      yTitle: "y",
      series: [
        {
          name: "s",
          points: [
            { x: 1, y: 1 },
            { x: 2, y: null },
            { x: 4, y: 2 },
          ],
        },
      ],
    });
    expect(scatters(broken)[0]?.y).toEqual([1, null, 2]);
    expect(broken.alt).toContain("s: 1: 1, 2: none, 4: 2");
  });

  it("refuse a point that a logarithmic axis cannot show", () => {
    const spec = { title: "T", xTitle: "x", yTitle: "y", xScale: "log2" as const };
    expect(() => lineFigure({ ...spec, series: [{ name: "s", points: [{ x: 0, y: 1 }] }] })).toThrow(
      /"s" has the point \(0, 1\)/,
    );
  });

  it("of occupancy mark the launch with its share of the warps", () => {
    const curve = [
      { x: 256, activeWarps: 64 },
      { x: 1024, activeWarps: 32 },
    ];
    const marked = occupancyFigure({
      xTitle: "Threads per block",
      curve,
      maxWarps: 64,
      current: { x: 1024, activeWarps: 32 },
    });
    expect(scatters(marked).at(-1)).toMatchObject({ x: [1024], y: [32], name: "this launch: 50 % at 1024" });
  });
});

describe("the validation's scatter plot", () => {
  const points = [
    { label: "good", group: "H200", measured: 1, simulated: 1.05 },
    { label: "bad", group: "H200", measured: 2, simulated: 3 },
    { label: "other", group: "V100", measured: 10, simulated: 9 },
  ];
  const figure = scatterFigure({ points, quantity: "Kernel time", unit: "ms", labelled: 1 });

  it("has the diagonal from corner to corner", () => {
    const diagonal = scatters(figure).find((trace) => trace.name === "exact");
    expect(diagonal?.x).toEqual(diagonal?.y);
    expect(diagonal?.x.map(Number).map(Math.log10)).toEqual(
      figure.layout.xaxis.range.map((end) => expect.closeTo(end, 10)),
    );
  });

  it("has equal axes and a square plot, so that the diagonal is one", () => {
    const { width, height, margin, xaxis, yaxis } = figure.layout;
    expect(xaxis.range).toEqual(yaxis.range);
    expect(width - margin.l - margin.r).toBe(height - margin.t - margin.b);
  });

  it("holds measured as x and simulated as y, a trace a group", () => {
    const groups = scatters(figure).filter((trace) => trace.mode === "markers");
    expect(groups.map(({ name, x, y }) => ({ name, x, y }))).toEqual([
      { name: "H200", x: [1, 2], y: [1.05, 3] },
      { name: "V100", x: [10], y: [9] },
    ]);
  });

  it("labels the worst point with its signed deviation", () => {
    const labels = scatters(figure).filter((trace) => trace.mode === "markers+text");
    expect(labels.map((trace) => trace.text)).toEqual([["bad +50.0 %"]]);
  });

  it("refuses a time that is not positive", () => {
    expect(() =>
      scatterFigure({ points: [{ label: "p", group: "g", measured: 0, simulated: 1 }], quantity: "q", unit: "u" }),
    ).toThrow(/"p" is \(0, 1\)/);
  });
});

describe("the roofline", () => {
  it("is bound by bandwidth left of the ridge and by the pipes right of it", () => {
    expect([0.25, 10, 100].map((intensity) => attainableGops(intensity, 900, 9000))).toEqual([225, 9000, 9000]);
  });

  it("draws its corner at peak rate over bandwidth", () => {
    const figure = rooflineFigure({
      device: "V100",
      peakGBps: 900,
      peakGops: 9000,
      operation: "additions",
      points: [{ label: "reduce", intensityOpsPerByte: 0.25, rateGops: 112.5 }],
    });
    const [roof, point] = scatters(figure);
    expect([roof?.x[1], roof?.y[1]]).toEqual([10, 9000]);
    expect(point).toMatchObject({ x: [0.25], y: [112.5] });
    expect(figure.alt).toContain("reduce: 50.0 % of the roof");
  });

  it("gives points that would cover each other one sign and one name, and tells each share", () => {
    const point = (label: string, rateGops: number) => ({ label, intensityOpsPerByte: 0.25, rateGops });
    const figure = rooflineFigure({
      device: "V100",
      peakGBps: 900,
      peakGops: 9000,
      operation: "additions",
      points: [point("v0", 90), point("v1", 40.2), point("v2", 40.3), point("v3", 180), point("v4", 181)],
    });
    const marks = scatters(figure).filter(({ mode }) => mode === "markers");
    expect(marks.map(({ name }) => name)).toEqual(["v0", "v1, v2", "v3, v4"]);
    expect(figure.alt).toContain("v4: 80.4 % of the roof");
  });
});

describe("lane figures", () => {
  const kinds = [{ name: "needed" }, { name: "ignored" }];
  const steps = [16, 8].map((s) => ({
    label: `s = ${s}`,
    lanes: Array.from({ length: 32 }, (_, lane) => (lane < s ? "needed" : "ignored")),
  }));

  it("have a sign for each lane and step", () => {
    const [needed, ignored] = scatters(laneFigure({ title: "T", kinds, steps }));
    expect(needed?.x).toHaveLength(24);
    expect(ignored?.x).toHaveLength(40);
    expect(ignored?.x.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, index) => 16 + index));
  });

  it("tell the kinds apart without colour", () => {
    const [needed, ignored] = scatters(laneFigure({ title: "T", kinds, steps }));
    expect(needed?.marker?.symbol).not.toBe(ignored?.marker?.symbol);
  });

  it("refuse a step that has not 32 lanes", () => {
    expect(() => laneFigure({ title: "T", kinds, steps: [{ label: "s", lanes: ["needed"] }] })).toThrow(
      /"s" has 1 lanes/,
    );
  });

  it("refuse a lane of an unknown kind", () => {
    const lanes = Array.from({ length: 32 }, (_, lane) => (lane === 7 ? "odd" : "needed"));
    expect(() => laneFigure({ title: "T", kinds, steps: [{ label: "s", lanes }] })).toThrow(
      /Lane 7 of step "s" is of kind "odd"/,
    );
  });

  it("write each value into its cell", () => {
    const values = Array.from({ length: 32 }, (_, lane) => lane * lane);
    const [trace] = scatters(laneValuesFigure({ title: "T", steps: [{ label: "s", values }] }));
    expect(trace?.text).toEqual(values.map(String));
  });
});

describe("a text for plotly", () => {
  it("cannot be read as a tag, an entity or TeX", () => {
    expect(plotText("reduce<512> && $x$")).not.toMatch(/[<$]|&(?!#\d+;)/);
  });

  it("is read back as it was", () => {
    expect(plotTextLines(plotText("a<b> &amp; $x$\nc"))).toEqual(["a<b> &amp; $x$", "c"]);
  });
});

describe("a figure as data", () => {
  it("survives JSON unchanged, so that no field is undefined, a function or NaN", () => {
    const figure = bandwidthFigure(rows, { device: "GPU", peakGBps: 432 });
    expect(JSON.parse(plotlyJson(figure))).toMatchObject({ data: figure.data, layout: figure.layout });
  });

  it("never offers to send itself to plotly's makers", () => {
    expect(JSON.parse(plotlyJson(timeFigure(rows))).config).toMatchObject({ showSendToCloud: false });
  });

  it("has no font under 12 pixels", () => {
    const points = [{ label: "p", group: "g", measured: 1, simulated: 2 }];
    for (const figure of [timeFigure(rows), scatterFigure({ points, quantity: "q", unit: "u" })]) {
      const found = [...plotlyJson(figure).matchAll(/font":\{"(?:family":"[^"]*",")?size":(\d+)/g)].map(([, size]) =>
        Number(size),
      );
      expect(found.length).toBeGreaterThan(3);
      expect(Math.min(...found)).toBeGreaterThanOrEqual(12);
    }
  });
});

describe("ticks", () => {
  it("are round numbers inside the axis", () => {
    expect(linearTicks(0, 0.77).values).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
    expect(linearTicks(0, 4800).texts).toEqual(["0", "1000", "2000", "3000", "4000"]);
  });

  it("of a logarithmic axis are 1, 2, 5 over few decades and powers of ten over many", () => {
    expect(logTicks(0.1, 10).values).toEqual([0.1, 0.2, 0.5, 1, 2, 5, 10]);
    expect(logTicks(0.01, 1e4).values).toEqual([0.01, 0.1, 1, 10, 100, 1000, 10000]);
  });

  it("of a logarithmic axis that spans less than a decade are still several", () => {
    expect(logTicks(0.42, 0.71).values).toEqual([0.45, 0.5, 0.55, 0.6, 0.65, 0.7]);
  });

  it("of threads are multiples of a power of two", () => {
    expect(warpTicks(0, 1024).values).toEqual([0, 128, 256, 384, 512, 640, 768, 896, 1024]);
  });

  it("write array sizes as powers of two", () => {
    expect([1024, 2 ** 24, 20000].map(tickText)).toEqual(["1024", "2²⁴", "20,000"]);
  });
});

describe("a figure of a shuffle", () => {
  const lanes = Array.from({ length: 32 }, (_, lane) => lane);
  const steps: readonly ShuffleStep[] = [
    { label: "loaded", values: lanes },
    ...[16, 8, 4, 2, 1].map((mask) => ({
      label: `xor ${mask}`,
      values: lanes,
      sources: lanes.map((lane) => lane ^ mask),
    })),
  ];
  const lines = (figure: Figure): readonly ScatterTrace[] => scatters(figure).filter(({ mode }) => mode === "lines");
  const colored = (figure: Figure): number => lines(figure).filter(({ line }) => line?.width === 2).length;

  it("draws a line from the lane that each value was taken from", () => {
    const figure = shuffleFigure({ title: "t", steps: steps.slice(0, 2) });
    const ends = lines(figure).map(({ x, y }) => [...x, ...y]);
    expect(ends).toHaveLength(32);
    expect(ends).toContainEqual([16, 0, "loaded", "xor 16"]);
    expect(figure.alt).toContain("xor 16: 0 1 2");
  });

  it("follows a lane of a butterfly back to all 32, through 2 + 4 + 8 + 16 + 32 lines", () => {
    const figure = shuffleFigure({ title: "t", steps, follow: 13 });
    expect(colored(figure)).toBe(62);
    expect(figure.alt).toContain("Lane 13 ends with values of 32 lanes");
  });

  it("draws no line for a lane that keeps its own value, unless it is followed", () => {
    const own: readonly ShuffleStep[] = [
      { label: "a", values: lanes },
      { label: "b", values: lanes, sources: lanes },
    ];
    expect(lines(shuffleFigure({ title: "t", steps: own }))).toHaveLength(0);
    expect(lines(shuffleFigure({ title: "t", steps: own, follow: 3 })).map(({ x }) => x)).toEqual([[3, 3]]);
  });

  it("refuses lanes that a warp does not have", () => {
    const bad = { label: "b", values: lanes, sources: lanes.map((lane) => lane + 1) };
    expect(() => shuffleFigure({ title: "t", steps: [{ label: "a", values: lanes }, bad] })).toThrow(
      /sources\[31\] is .*\nGive a whole number from 0 to 31/,
    );
    expect(() => shuffleFigure({ title: "t", steps, follow: 32 })).toThrow(
      /follow is 32\.\nGive a whole number from 0 to 31/,
    );
    expect(() => shuffleFigure({ title: "t", steps: [{ label: "a", values: [1] }] })).toThrow(/32 lanes/);
  });
});
