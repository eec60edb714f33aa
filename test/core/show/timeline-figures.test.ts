import { describe, expect, it } from "vitest";
import type { ScatterTrace } from "../../../src/core/show/figures/figure.js";
import { makeFigure } from "../../../src/core/show/figures/frame.js";
import { stateColors, stateTrace } from "../../../src/core/show/figures/state-traces.js";
import {
  blockDim,
  blockIdx,
  Gpu,
  i32,
  kernel,
  ones,
  ptr,
  STALL_REASONS,
  schedulerIssues,
  stallFigure,
  threadIdx,
  timeline,
  timelineFigure,
  toPng,
} from "../../../src/node/index.js";
import { countColor, pngPixels } from "./png-pixels.js";

const copy = kernel("copy", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
});
const gpu = new Gpu("v100");
const n = 640 * 256;
const launch = gpu.launch(copy, { grid: 640, block: 256 }, { to: gpu.alloc(i32, n), from: gpu.upload(ones(n)) });
const record = timeline(launch, { cycles: 2000 });
const scatters = (data: readonly unknown[]): readonly ScatterTrace[] => data as readonly ScatterTrace[];

/** Cycles that a trace covers. */
function covered({ x }: ScatterTrace): number {
  let sum = 0;
  for (let i = 0; i < x.length; i += 3) sum += Number(x[i + 1]) - Number(x[i]);
  return sum;
}

describe("the timeline's figure", () => {
  it("covers each warp cycle once", () => {
    const figure = timelineFigure(record, { scheduler: "all" });
    const recorded = record.warps
      .flatMap(({ stretches }) => stretches)
      .reduce((sum, { from, to }) => sum + to - from, 0);
    const shown = scatters(figure.data).filter(({ showlegend }) => showlegend !== false);
    expect(shown.reduce((sum, trace) => sum + covered(trace), 0)).toBe(recorded);
    expect(shown[0]?.name).toBe("selected");
  });

  it("shows fewer issues with the other warps off", () => {
    const issues = (others: boolean): number => {
      const traces = scatters(timelineFigure(record, { others }).data);
      return covered(traces.find(({ name }) => name === "issues")!);
    };
    expect(issues(false)).toBeGreaterThan(0);
    expect(issues(true)).toBeGreaterThan(5 * issues(false));
  });

  it("has the colour of the commonest state in its picture", () => {
    const pixels = pngPixels(toPng(timelineFigure(record), { scale: 1 }));
    expect(countColor(pixels, stateColors.long_scoreboard.toLowerCase())).toBeGreaterThan(500);
  });

  it("lets plotly leave out no piece, though most are narrower than a pixel", () => {
    expect(scatters(timelineFigure(record).data).map(({ line }) => line?.simplify)).not.toContain(undefined);
  });

  it("refuses cycles, schedulers and warps that there are not", () => {
    expect(() => timelineFigure(record, { to: 3000 })).toThrow(/between 0 and 2000/);
    expect(() => timelineFigure(record, { scheduler: 4 })).toThrow(/from 0 to 3/);
    expect(() => timelineFigure(record, { warp: 99 })).toThrow(/there is no warp 99/);
    expect(() => timeline(launch, { cycles: 0 })).toThrow(/from 1 to/);
  });
});

describe("the issues of schedulers", () => {
  it("are the selected cycles of their warps, part by part", () => {
    const selected = record.warps
      .flatMap(({ stretches }) => stretches.filter(({ state }) => state === "selected"))
      .reduce((sum, { from, to }) => sum + to - from, 0);
    const sum = (from: number, to: number): number =>
      schedulerIssues(record, { from, to }).reduce((all, { issues }) => all + issues, 0);
    expect(sum(0, 2000)).toBe(selected);
    expect(sum(0, 700) + sum(700, 2000)).toBe(selected);
  });

  it("are at most one a cycle, and the warps are shared out evenly", () => {
    const rows = schedulerIssues(record);
    expect(rows.map(({ scheduler }) => scheduler)).toEqual([0, 1, 2, 3]);
    for (const { issuesPerCycle } of rows) expect(issuesPerCycle).toBeLessThanOrEqual(1);
    expect(new Set(rows.map(({ warps }) => warps)).size).toBe(1);
    expect(() => schedulerIssues(record, { from: 5, to: 5 })).toThrow(/between 0 and 2000/);
  });
});

describe("the stall stack", () => {
  it("is as long as all states of an instruction together", () => {
    const figure = stallFigure([{ name: "copy", launch }]);
    const all = STALL_REASONS.reduce((sum, state) => sum + launch.time.stalls[state], 0);
    const ends = scatters(figure.data).flatMap(({ x }) => x.map(Number));
    expect(Math.max(...ends)).toBeCloseTo(all, 5);
  });

  it("draws states that touch and share a colour as one piece, which has no seams", () => {
    const { data } = stallFigure([{ name: "copy", launch }]);
    for (const { x } of scatters(data).filter(({ mode }) => mode === "lines")) {
      const ends = x.flatMap((value, at) => (at % 3 === 1 ? [value] : []));
      const starts = x.flatMap((value, at) => (at % 3 === 0 && at > 0 ? [value] : []));
      expect(starts.filter((start) => ends.includes(start))).toEqual([]);
    }
  });

  it("has room for the legend on a phone, where plotly's columns are as wide as its widest entry", () => {
    // Seen in Chromium in a figure 480 pixels wide: 20 pixels a row, one column for entries of this length.
    const figure = makeFigure({
      texts: { title: "Long names" },
      alt: "",
      data: Array.from({ length: 7 }, (_, at) =>
        stateTrace({ name: `a state of a long name, ${at}`, color: "#000000", width: 8, pieces: [], hover: "" }),
      ),
      plotHeight: 200,
      xaxis: { type: "linear", title: "Cycle", range: [0, 1], ticks: { values: [], texts: [] }, grid: false },
      yaxis: { type: "linear", title: "", range: [0, 1], ticks: { values: [0], texts: ["64 warps"] }, grid: false },
      narrow: true,
    });
    expect(figure.layout.margin.t).toBeGreaterThan(24 + 7 * 20);
  });

  it("adds to 100 in shares, and refuses two launches of one name", () => {
    const ends = scatters(stallFigure([{ name: "copy", launch }], { shares: true }).data).flatMap(({ x }) =>
      x.map(Number),
    );
    expect(Math.max(...ends)).toBeCloseTo(100, 5);
    expect(() =>
      stallFigure([
        { name: "a", launch },
        { name: "a", launch },
      ]),
    ).toThrow(/named "a"/);
    expect(() => stallFigure([])).toThrow(/no launch/);
  });
});
