import { describe, expect, it } from "vitest";
import {
  blockDim,
  blockIdx,
  compareMetrics,
  Gpu,
  i32,
  kernel,
  type LaunchResult,
  ptr,
  threadIdx,
} from "../../../src/index.js";

const copy = kernel("copy", { to: ptr(i32), from: ptr(i32), stride: i32 }, ({ to, from, stride }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i * stride];
});

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
const [to, from] = [gpu.alloc(i32, 1024), gpu.alloc(i32, 8192)];
const copied = (stride: number): LaunchResult => gpu.launch(copy, { grid: 4, block: 256 }, { to, from, stride });
const pair = [
  { name: "stride 8", launch: copied(8) },
  { name: "stride 1", launch: copied(1) },
] as const;

describe("metrics beside each other", () => {
  it("are a row each, written as nvprof does, with exact or predicted", () => {
    const shown = compareMetrics(pair, "gld_efficiency, gld_transactions_per_request, ipc");
    expect(shown.columns.map(({ title }) => title)).toEqual(["Metric", "stride 8", "stride 1", "Kind"]);
    // Eight words apart each lane has a sector of its own; side by side eight lanes share one.
    expect(shown.rows.slice(0, 2)).toEqual([
      { metric: "gld_efficiency", launch0: "12.50%", launch1: "100.00%", kind: "exact" },
      { metric: "gld_transactions_per_request", launch0: "32.000000", launch1: "4.000000", kind: "exact" },
    ]);
    expect(shown.rows[2]).toMatchObject({ metric: "ipc", kind: "predicted" });
  });

  it("take Nsight Compute's names, and say why a value is missing", () => {
    const shown = compareMetrics([copied(1)], ["smsp__inst_executed.sum", "shared_efficiency"], { note: "Cold." });
    expect(shown.rows.map(({ metric, launch0 }) => [metric, launch0])).toEqual([
      ["inst_executed", String(copied(1).counters.warpInstructions)],
      ["shared_efficiency", "n/a"],
    ]);
    expect(shown.note).toBe("Cold. shared_efficiency of copy: the kernel does not access shared memory.");
  });

  it("are refused for no launch, two of one name, no metric and an unknown one", () => {
    expect(() => compareMetrics([], "ipc")).toThrow(/no launch/);
    expect(() => compareMetrics([copied(1), copied(8)], "ipc")).toThrow(/Two launches are named "copy"/);
    expect(() => compareMetrics([copied(1)], " , ")).toThrow(/no metric/);
    expect(() => compareMetrics([copied(1)], "gld_eficiency")).toThrow(/Did you mean gld_efficiency/);
  });
});
