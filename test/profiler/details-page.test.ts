/** Nsight Compute's page: labels and layout of its own pages, numbers of the launch. And how far to believe them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { i32, type Kernel, kernel, ptr } from "../../src/frontend/index.js";
import { Gpu } from "../../src/host/gpu.js";
import type { LaunchResult } from "../../src/host/launch-result.js";
import { metric } from "../../src/profile/metric.js";
import { fidelity } from "../../src/profiler/fidelity/fidelity.js";
import { MEASURED_ERRORS } from "../../src/profiler/fidelity/measured-errors.js";
import { ncu } from "../../src/profiler/ncu/details-page.js";

/** Heads and rules as Nsight Compute 2022 to 2025 print them. */
const WARP_STATE = [
  "    Section: Warp State Statistics",
  "    ---------------------------------------- ----------- ------------",
  "    Metric Name                              Metric Unit Metric Value",
  "    ---------------------------------------- ----------- ------------",
];
const ELIGIBLE = "    One or More Eligible                   %        62.09";

const gpu = new Gpu("h200", { memoryBytes: 1 << 22 });
const turn: Kernel = kernel(
  "turn",
  { params: { from: ptr(i32), to: ptr(i32) } },
  ({ from, to }, { threadIdx, blockIdx, blockDim, shared, syncthreads }) => {
    const values = shared(i32, 256);
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    values[(threadIdx.x * 2) % 256] = from[i]!;
    syncthreads();
    to[i] = values[threadIdx.x]!;
  },
);
const args = { from: gpu.alloc(i32, 65536), to: gpu.alloc(i32, 65536) };
const launch: LaunchResult = gpu.launch(turn, { grid: 256, block: 256 }, args);
const page = ncu(launch);
const lines = page.split("\n");

/** The number beside a label. */
function shown(label: string): string {
  const line = lines.find((each) => each.trim().startsWith(`${label}  `) || each.trim().startsWith(`${label} `));
  return line?.trim().split(/\s+/).at(-1) ?? "";
}

describe("the details page", () => {
  it("has Nsight Compute's sections in its order, and its rules", () => {
    const titles = lines.filter((line) => line.includes("Section: ")).map((line) => line.trim().slice(9));
    expect(titles).toEqual([
      "GPU Speed Of Light Throughput",
      "Memory Workload Analysis",
      "Scheduler Statistics",
      "Warp State Statistics",
      "Launch Statistics",
      "Occupancy",
      "Source Counters",
    ]);
    const at = lines.indexOf(WARP_STATE[0]!);
    expect(lines.slice(at, at + 4)).toEqual(WARP_STATE);
    expect(lines.find((line) => line.includes("One or More Eligible"))).toHaveLength(ELIGIBLE.length);
    expect(lines[0]).toBe("  turn(int*, int*) (256, 1, 1)x(256, 1, 1), Context 1, Stream 7, Device 0, CC 9.0");
  });
  it("agrees with the metrics and with itself", () => {
    expect(Number(shown("Achieved Occupancy")) / 100).toBeCloseTo(metric(launch, "achieved_occupancy").value!, 3);
    expect(Number(shown("One or More Eligible")) + Number(shown("No Eligible"))).toBeCloseTo(100, 1);
    const states = lines.filter((line) => /^ {4}(Selected|Stall )/.test(line));
    const sum = states.reduce((all, line) => all + Number(line.trim().split(/\s+/).at(-1)), 0);
    expect(sum).toBeCloseTo(Number(shown("Warp Cycles Per Issued Instruction")), 1);
    // 256 blocks on 132 SMs of 8 each.
    expect(shown("Waves Per SM")).toBe((256 / (132 * 8)).toFixed(2));
  });
  it("has a line for each source line with code, with its share and conflicts", () => {
    const store = lines.find((line) => line.includes("= from[i]"))!;
    // Even words only: two wavefronts where one would do, four sectors a request.
    expect(store).toMatch(/ 4\.00 {6}2\.00 {2}values/);
    const shares = lines.map((line) => / ([\d.]+)% +\d+ /.exec(line)?.[1]).filter((share) => share !== undefined);
    expect(shares.reduce((all, share) => all + Number(share), 0)).toBeCloseTo(100, 0);
  });
  it("says that Nsight Compute does not have Fermi, and refuses what is no launch", () => {
    const m2070 = new Gpu("m2070", { memoryBytes: 1 << 22 });
    const of = { from: m2070.alloc(i32, 256), to: m2070.alloc(i32, 256) };
    expect(ncu(m2070.launch(turn, { grid: 1, block: 256 }, of))).toContain("begins with compute capability 7.0");
    expect(() => ncu(undefined as unknown as LaunchResult)).toThrow(/launch is missing/);
  });
});

interface CheckedTable {
  readonly rows: number;
  readonly timeMeanPercent: number;
  readonly instructionsMeanPercent: number | null;
  readonly occupancyMeanPoints: number | null;
}
const checked: { readonly figures: { readonly tables: Readonly<Record<string, CheckedTable>> } } = JSON.parse(
  readFileSync(new URL("../reference/checked/validation.json", import.meta.url), "utf8"),
);

describe("how far to believe a number", () => {
  it.each(Object.keys(MEASURED_ERRORS))("of %s is condensed from the last check of all launches", (id) => {
    const cold = Object.entries(checked.figures.tables).filter(
      ([name]) => name.startsWith(`${id}-`) && !name.endsWith("-warm"),
    );
    const mean = (key: Exclude<keyof CheckedTable, "rows">): readonly [number, string] | null => {
      const having = cold.flatMap(([, table]) => (table[key] === null ? [] : [[table.rows, table[key]] as const]));
      const launches = having.reduce((sum, [rows]) => sum + rows, 0);
      const total = having.reduce((sum, [rows, each]) => sum + rows * each, 0);
      return launches === 0 ? null : [launches, (total / launches).toFixed(2)];
    };
    const kept = MEASURED_ERRORS[id]!;
    const found = [kept.timePercent, kept.instructionsPercent, kept.occupancyPoints].map((error) =>
      error === null ? null : [error.launches, error.mean.toFixed(2)],
    );
    expect(found).toEqual([mean("timeMeanPercent"), mean("instructionsMeanPercent"), mean("occupancyMeanPoints")]);
  });
  it("is exact for counts, and an error in the mean for predictions", () => {
    expect(fidelity(launch.device, metric(launch, "gld_efficiency"))).toBe("exact");
    expect(fidelity(launch.device, metric(launch, "inst_executed_global_loads"))).toBe("exact");
    for (const name of ["inst_executed", "branch_efficiency", "inst_integer", "warp_execution_efficiency"]) {
      expect(fidelity(launch.device, metric(launch, name)), name).toMatch(
        /^exact for the simulated code; nvcc's own code has \d\.\d % more or fewer/,
      );
    }
    expect(fidelity(launch.device, metric(launch, "achieved_occupancy"))).toMatch(
      /^predicted, off by \d\.\d points in the mean of \d+ measured launches of this GPU$/,
    );
    expect(() => fidelity(launch.device, undefined as never)).toThrow(/number is missing/);
    expect(fidelity(launch.device, "duration")).toMatch(/off by \d\.\d % in the mean/);
    expect(fidelity({ id: "a100" }, "duration")).toBe("predicted; no launch of this GPU was measured");
  });
});
