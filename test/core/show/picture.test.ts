import { describe, expect, it } from "vitest";
import type { Figure } from "../../../src/core/show/figures/figure.js";
import { laneFigure } from "../../../src/core/show/figures/lane-figure.js";
import { seriesColors, textOn } from "../../../src/core/show/figures/palette.js";
import { bandwidthFigure, timeFigure } from "../../../src/core/show/figures/version-figures.js";
import { toSvg } from "../../../src/core/show/output/svg.js";
import { fontCovers, textWidth, wrapText } from "../../../src/core/show/text-width.js";
import { toPng } from "../../../src/node/display/png.js";
import { countColor, pixelColor, pngPixels } from "./png-pixels.js";

const rows = [
  { version: "divergent", timeMs: 4, bandwidthGBps: 100 },
  { version: "sequential", timeMs: 1, bandwidthGBps: 400 },
];
const figure = timeFigure(rows, { title: "Kernel time", width: 500 });
const withTitle = (given: Figure, text: string): Figure => ({
  ...given,
  layout: { ...given.layout, title: { ...given.layout.title, text } },
});

describe("a figure's PNG", () => {
  it("has the layout's size times the scale", () => {
    const { width, height } = figure.layout;
    for (const scale of [1, 2]) {
      expect(pngPixels(toPng(figure, { scale }))).toMatchObject({ width: width * scale, height: height * scale });
    }
  });

  it("has white paper, so that it reads on dark pages", () => {
    const pixels = pngPixels(toPng(figure));
    expect(pixelColor(pixels, 1, 1)).toBe("#ffffff");
  });

  it("has bars with areas in proportion to their values", () => {
    const pixels = pngPixels(toPng(figure, { scale: 1 }));
    const half = Math.round((figure.layout.margin.t + figure.layout.height - figure.layout.margin.b) / 2);
    const above = countColor(pixels, "#0072b2", { x0: 0, y0: 0, x1: pixels.width, y1: half });
    const below = countColor(pixels, "#0072b2", { x0: 0, y0: half, x1: pixels.width, y1: pixels.height });
    expect(above / below).toBeCloseTo(4, 0);
    expect(above).toBeGreaterThan(2000);
  });

  it("has its title's letters where the title stands, and nothing there without one", () => {
    const region = { x0: 0, y0: 0, x1: 400, y1: 50 };
    const ink = (given: Figure) => countColor(pngPixels(toPng(given)), "#222222", region);
    expect(ink(figure)).toBeGreaterThan(200);
    expect(ink(withTitle(figure, ""))).toBe(0);
    expect(ink(withTitle(figure, "Kernel time Kernel time"))).toBeGreaterThan(1.5 * ink(figure));
  });

  it("is the same picture each time", () => {
    expect(Buffer.from(toPng(figure)).equals(Buffer.from(toPng(figure)))).toBe(true);
  });

  it("shows the peak's line in its colour from top to bottom of the plot", () => {
    const peak = bandwidthFigure(rows, { device: "GPU", peakGBps: 500 });
    const pixels = pngPixels(toPng(peak, { scale: 2 }));
    const plotHeight = peak.layout.height - peak.layout.margin.t - peak.layout.margin.b;
    expect(countColor(pixels, "#d55e00")).toBeGreaterThan(2 * plotHeight);
  });

  it("has a square for each of 32 lanes", () => {
    const lanes = Array.from({ length: 32 }, () => "active");
    const lane = laneFigure({ title: "L", kinds: [{ name: "active" }], steps: [{ label: "T=0", lanes }] });
    const pixels = pngPixels(toPng(lane, { scale: 1 }));
    const y = Math.round((lane.layout.margin.t + lane.layout.height - lane.layout.margin.b) / 2);
    let runs = 0;
    for (let x = 1; x < pixels.width; x++) {
      if (pixelColor(pixels, x, y) === "#0072b2" && pixelColor(pixels, x - 1, y) !== "#0072b2") runs++;
    }
    expect(runs).toBe(32);
  });

  it("refuses an impossible scale", () => {
    expect(() => toPng(figure, { scale: 0 })).toThrow(/scale is 0\./);
  });
});

describe("a figure's SVG", () => {
  it("escapes names that look like markup", () => {
    const svg = toSvg(timeFigure([{ version: 'reduce<512> "&"', timeMs: 1 }]));
    expect(svg).toContain("reduce&lt;512&gt; &quot;&amp;&quot;");
    expect(svg).not.toContain("reduce<");
  });

  it("carries the alt text", () => {
    expect(toSvg(figure)).toContain(`aria-label="${figure.alt}"`);
  });

  it("keeps every text inside the picture", () => {
    const long = timeFigure([{ version: "averyveryverylongnamewithoutanyspace".repeat(3), timeMs: 12345.678 }], {
      title: "word ".repeat(60),
    });
    const texts =
      /<text x="([\d.-]+)" y="[\d.-]+" font-size="(\d+)"( font-weight="700")? text-anchor="(\w+)"[^>]*>([^<]*)</g;
    const found = [...toSvg(long).matchAll(texts)];
    expect(found.length).toBeGreaterThan(15);
    for (const [, x, size, bold, anchor, text = ""] of found) {
      const width = textWidth(text, Number(size), bold !== undefined);
      const left = Number(x) - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(long.layout.width);
    }
  });
});

describe("the pictures' font", () => {
  it("has the widths that DejaVu Sans has", () => {
    // Advance widths of DejaVu Sans 2.37 in units of 1/2048 em: W 2025, i 569, space 651.
    expect(["W", "i", " "].map((letter) => textWidth(letter, 2048))).toEqual([2025, 569, 651]);
  });

  it("has the signs of the field", () => {
    expect(fontCovers("µs × → ≤ ≥ ² ⁴ ⁹ – Δ ± ─ ∞ ½")).toBe(true);
  });

  it("does not have every character", () => {
    expect(fontCovers("归")).toBe(false);
  });

  it("keeps a word in parentheses together when it breaks lines", () => {
    expect(wrapText("Divergent Interleaved (Lab 25)", 190, 13)).toEqual(["Divergent Interleaved", "(Lab\u00a025)"]);
  });
});

describe("the palette", () => {
  it("writes on each colour with a contrast of 4.5 or more", () => {
    const luminance = (color: string): number =>
      [0.2126, 0.7152, 0.0722].reduce((sum, weight, index) => {
        const value = Number.parseInt(color.slice(1 + 2 * index, 3 + 2 * index), 16) / 255;
        return sum + weight * (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
      }, 0);
    for (const color of seriesColors) {
      const [a, b] = [luminance(color), luminance(textOn(color))];
      expect((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
