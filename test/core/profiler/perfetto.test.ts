import { describe, expect, it } from "vitest";
import {
  blockDim,
  blockIdx,
  Gpu,
  i32,
  kernel,
  ones,
  type PerfettoTrace,
  ptr,
  STALL_REASONS,
  threadIdx,
  timeline,
  toPerfetto,
} from "../../../src/index.js";

const copy = kernel("copy", { to: ptr(i32), from: ptr(i32) }, ({ to, from }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
});
const gpu = new Gpu("v100");
const args = { to: gpu.alloc(i32, 81920), from: gpu.upload(ones(81920)) };
const record = gpu.timeline(copy, { grid: 640, block: 128 }, args, { cycles: 800 });
const trace = JSON.parse(toPerfetto(record)) as PerfettoTrace;

describe("a trace for Perfetto", () => {
  it("has the fields that the Trace Event Format asks of each event", () => {
    expect(trace.displayTimeUnit).toMatch(/^(ns|ms)$/);
    for (const event of trace.traceEvents) {
      expect([Number.isInteger(event.pid), Number.isInteger(event.tid)]).toEqual([true, true]);
      if (event.ph === "M") {
        expect(["process_name", "thread_name", "thread_sort_index"]).toContain(event.name);
        continue;
      }
      expect(event.ph).toBe("X");
      expect(STALL_REASONS).toContain(event.name);
      expect(Number.isFinite(event.ts) && event.ts >= 0 && event.dur > 0).toBe(true);
    }
  });

  it("names its process and each thread, and has no slices of one thread that overlap", () => {
    const named = trace.traceEvents.filter(({ name }) => name === "thread_name").map(({ tid }) => tid);
    const slices = trace.traceEvents.filter((event) => event.ph === "X");
    expect(trace.traceEvents.filter(({ name }) => name === "process_name")).toHaveLength(1);
    expect(new Set(slices.map(({ tid }) => tid))).toEqual(new Set(named));
    const ends = new Map<number, number>();
    for (const { tid, ts, dur } of slices) {
      expect(ts).toBeGreaterThanOrEqual(ends.get(tid) ?? 0);
      ends.set(tid, ts + dur);
    }
  });

  it("has every cycle of the timeline, with the line's text", () => {
    const slices = trace.traceEvents.filter((event) => event.ph === "X");
    const recorded = timeline(gpu.launch(copy, { grid: 640, block: 128 }, args), { cycles: 800 });
    const cycles = recorded.warps
      .flatMap(({ stretches }) => stretches)
      .reduce((sum, { from, to }) => sum + to - from, 0);
    expect(slices.reduce((sum, { dur }) => sum + dur, 0)).toBe(cycles);
    const longest = slices.reduce((most, each) => (each.dur > most.dur ? each : most));
    expect([longest.name, longest.args.text]).toEqual(["long_scoreboard", "to[i] = from[i];"]);
  });
});
