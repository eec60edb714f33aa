/** The tree of grids against the notes' printout, and times against the launch's own. */
import { describe, expect, test } from "vitest";
import {
  Gpu,
  i32,
  kernel,
  launch,
  launchTreeFigure,
  launchTreeText,
  ptr,
  threadIdx,
  toPng,
} from "../../../../src/node/index.js";
import { dynamicParallelismCheck } from "../../../kernels/notes.js";

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
const nested = gpu.launch(dynamicParallelismCheck, { grid: 1, block: 16 }, { size: 16, depth: 0 });

const child = kernel("child", { out: ptr(i32) }, ({ out }) => {
  out[threadIdx.x] = 1;
});
const parent = kernel("parent", { out: ptr(i32) }, ({ out }) => {
  launch(child, { grid: 2, block: 64 }, { out });
});
const out = gpu.alloc(i32, 64);
const flat = gpu.launch(parent, { grid: 3, block: 4 }, { out });

describe("the notes' kernel from 16 threads", () => {
  test("has depths 0 to 4, each grid half as wide, launched by thread 0", () => {
    const chain = [];
    for (let grid = nested.children!.tree; ; grid = grid.children[0]!) {
      chain.push([grid.depth, grid.block[0], grid.launchedBy?.thread[0] ?? null]);
      if (grid.children.length === 0) break;
    }
    expect(chain).toEqual([
      [0, 16, null],
      [1, 8, 0],
      [2, 4, 0],
      [3, 2, 0],
      [4, 1, 0],
    ]);
  });

  test("has its grids one after the other, the last one ending with the launch's added time", () => {
    let last = -1;
    let end = 0;
    for (let grid = nested.children!.tree; ; grid = grid.children[0]!) {
      expect(grid.startMicroseconds).toBeGreaterThan(last);
      expect(grid.endMicroseconds).toBeGreaterThanOrEqual(grid.startMicroseconds);
      last = grid.startMicroseconds;
      end = grid.endMicroseconds;
      if (grid.children.length === 0) break;
    }
    const { tree, timeMs } = nested.children!;
    expect(end - tree.endMicroseconds).toBeCloseTo(1000 * timeMs, 6);
  });

  test("is five lines of text, each a level further in", () => {
    const lines = launchTreeText(nested).split("\n");
    expect(lines.map((line) => line.replace(/, [\d.]+ to .*$/, ""))).toEqual([
      "dynamic_parallelism_check<<<1, 16>>> by the host",
      "  dynamic_parallelism_check<<<1, 8>>> by block (0,0,0) thread (0,0,0)",
      "    dynamic_parallelism_check<<<1, 4>>> by block (0,0,0) thread (0,0,0)",
      "      dynamic_parallelism_check<<<1, 2>>> by block (0,0,0) thread (0,0,0)",
      "        dynamic_parallelism_check<<<1, 1>>> by block (0,0,0) thread (0,0,0)",
    ]);
  });
});

describe("twelve children of three blocks", () => {
  test("are all in the tree, each with its launcher", () => {
    const { tree } = flat.children!;
    expect(tree.children.map(({ launchedBy }) => [launchedBy?.block[0], launchedBy?.thread[0]])).toEqual(
      [0, 1, 2].flatMap((block) => [0, 1, 2, 3].map((thread) => [block, thread])),
    );
    const ends = tree.children.map(({ endMicroseconds }) => endMicroseconds);
    expect(Math.max(...ends) - tree.endMicroseconds).toBeCloseTo(1000 * flat.children!.timeMs, 6);
  });

  test("are one line, as they are alike", () => {
    expect(launchTreeText(flat).split("\n")[1]).toMatch(
      /^ {2}12 x child<<<2, 64>>> by 12 launches, [\d.]+ to [\d.]+ us$/,
    );
  });

  test("are thirteen rows of a picture in two colours, with text that says the same", () => {
    const figure = launchTreeFigure(flat);
    expect(figure.data.map(({ name }) => name)).toEqual(["the host's grid", "depth 1"]);
    expect(figure.alt).toMatch(/^13 grids of parent on .* 1 levels? below the host's: 1 at depth 0, 12 at depth 1\.$/);
    const png = toPng(figure);
    expect(png.length).toBeGreaterThan(5000);
  });
});

test("more depths than a legend holds stand before the rows' names", () => {
  const deeper = gpu.launch(dynamicParallelismCheck, { grid: 1, block: 32 }, { size: 32, depth: 0 });
  const { data, layout } = launchTreeFigure(deeper);
  expect(data.map((trace) => trace.type === "scatter" && trace.showlegend)).toEqual(Array(6).fill(false));
  expect(layout.yaxis.ticktext).toEqual(
    [32, 16, 8, 4, 2, 1].map((threads, depth) => `${depth}: dynamic_parallelism_check<<<1, ${threads}>>>`),
  );
  expect(launchTreeFigure(nested).layout.yaxis.ticktext?.[0]).toBe("dynamic_parallelism_check<<<1, 16>>>");
});

test("a launch without child grids, and none at all, are refused with the cure", () => {
  const alone = gpu.launch(child, { grid: 1, block: 64 }, { out });
  expect(() => launchTreeText(alone)).toThrow(/kernel child launched no grid/);
  expect(() => launchTreeFigure(undefined as never)).toThrow(/launch is missing/);
});
