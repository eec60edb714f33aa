import { describe, expect, it } from "vitest";
import {
  annotatedText,
  blockDim,
  blockIdx,
  Gpu,
  i32,
  kernel,
  lineHeatFigure,
  lineProfile,
  ones,
  ptr,
  STALL_REASONS,
  shared,
  syncthreads,
  threadIdx,
  toPng,
} from "../../../src/node/index.js";

const sum = kernel("sum", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const part = shared(i32, 256);
  const mine = from[blockIdx.x * blockDim.x + threadIdx.x];
  part[threadIdx.x] = mine;
  syncthreads();
  for (let s = 1; s < blockDim.x; s *= 2) {
    const index = 2 * s * threadIdx.x;
    if (index < blockDim.x) part[index] += part[index + s];
    syncthreads();
  }
  if (threadIdx.x === 0) to[blockIdx.x] = part[0];
});
const gpu = new Gpu("v100");
const grid = 640;
const args = { to: gpu.alloc(i32, grid), from: gpu.upload(ones(256 * grid)) };
const launch = gpu.launch(sum, { grid, block: 256 }, args);
const profile = lineProfile(launch);
const lineWith = (text: string) => profile.lines.find((line) => line.text.includes(text))!;
const shareOf = (text: string, reason: string): number =>
  lineWith(text).stalls.find((stall) => stall.reason === reason)?.share ?? 0;

describe("a launch by source line", () => {
  it("has all the stall samples, in the shares of the prediction's stalls", () => {
    expect(profile.lines.reduce((all, { stallShare }) => all + stallShare, 0)).toBeCloseTo(1, 9);
    const { stalls } = launch.time;
    const all = STALL_REASONS.reduce((total, each) => total + (each === "selected" ? 0 : stalls[each]), 0);
    for (const reason of STALL_REASONS) {
      if (reason === "selected") continue;
      const share = profile.lines.flatMap((line) => line.stalls.filter((stall) => stall.reason === reason));
      expect(share.reduce((total, each) => total + each.share, 0)).toBeCloseTo(stalls[reason] / all, 1);
    }
  });

  it("has barrier stalls at barriers alone, and the wait for a load at the line that uses it", () => {
    const waiting = profile.lines.filter(({ stalls }) => stalls.some(({ reason }) => reason === "barrier"));
    expect(waiting.map(({ text }) => text)).toEqual(["syncthreads();", "syncthreads();"]);
    expect(shareOf("= mine", "long_scoreboard")).toBeGreaterThan(0.05);
    expect(shareOf("index + s", "long_scoreboard")).toBe(0);
    expect(shareOf("index + s", "short_scoreboard")).toBeGreaterThan(0.05);
  });

  it("counts the lanes of each line exactly", () => {
    expect(lineWith("= mine").activeLanes).toBe(32);
    expect(lineWith("from[").sectorsPerRequest).toBe(4);
    expect(lineWith("index + s").conflictDegree).toBeGreaterThan(2);
  });

  it("is a listing of at most 60 columns with every line of the text", () => {
    const rows = annotatedText(profile).split("\n");
    expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(60);
    const numbers = rows.map((row) => Number(/^ {0,3}(\d+)/.exec(row)?.[1])).filter((number) => number > 0);
    expect(numbers).toEqual(
      Array.from({ length: launch.program.sources[0]!.text.split("\n").length }, (_, i) => i + 1),
    );
    expect(rows.join(" ")).toMatch(/waits: long_scoreboard \d+ %/);
  });

  it("is a heat map no wider than a phone, with each number in its text", () => {
    const figure = lineHeatFigure(profile);
    expect(figure.layout.width).toBeLessThanOrEqual(390);
    expect(figure.alt).toMatch(/line \d+ \(.*index \+ s\]\)?;\): instr\. % \d+, stalls % \d+/);
    expect(toPng(figure).length).toBeGreaterThan(1000);
    expect(() => lineHeatFigure({ ...profile, lines: [] })).toThrow(/0 lines with code/);
  });
});
