/** Nsight Compute's page: labels and layout of its own pages, numbers of the launch. And how far to believe them. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { metric } from "../../../src/core/profile/metric.js";
import { explain } from "../../../src/core/profiler/explain/explain.js";
import { fidelity } from "../../../src/core/profiler/fidelity/fidelity.js";
import { MEASURED_ERRORS } from "../../../src/core/profiler/fidelity/measured-errors.js";
import { ncu } from "../../../src/core/profiler/ncu/details-page.js";

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
const empty = kernel("empty", { params: { out: ptr(i32) } }, ({ out }, { threadIdx }) => {
  if (threadIdx.x === 5000) out[0] = 1;
});
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
      "Compute Workload Analysis",
      "Memory Workload Analysis",
      "Scheduler Statistics",
      "Warp State Statistics",
      "Instruction Statistics",
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
  it("has the labels and units of NVIDIA's page", () => {
    for (const row of [
      /^ {4}L1\/TEX Cache Throughput +% +[\d.]+$/,
      /^ {4}Executed Ipc Active +inst\/cycle +[\d.]+$/,
      /^ {4}SM Busy +% +[\d.]+$/,
      /^ {4}Avg\. Executed Instructions Per Scheduler +inst +[\d,.]+$/,
      /^ {4}Shared Memory Configuration Size +Kbyte +[\d.]+$/,
      /^ {4}Driver Shared Memory Per Block +Kbyte\/block +1\.02$/,
      /^ {4}Static Shared Memory Per Block +Kbyte\/block +1\.02$/,
      /^ {4}Block Limit Barriers +block +32$/,
    ])
      expect(lines.filter((line) => row.test(line))).toHaveLength(1);
    expect(Number(shown("Executed Instructions").replaceAll(",", ""))).toBe(launch.counters.warpInstructions);
    const store = explain(launch).findings.find(({ line }) => line !== null);
    const listed = lines.find((line) => line.endsWith(store?.line?.text ?? "none"));
    expect(listed?.trim().split(/\s+/)[0]).toBe(String(store?.line?.line));
  });
  it("has the block limit by shared memory that Nsight Compute measured on an H200", () => {
    const h200 = new Gpu("h200", { memoryBytes: 1 << 16 });
    const out = h200.alloc(i32, 64);
    // Threads a block and shared memory of a block without the driver's 1024 bytes, and the blocks that ncu prints:
    // launch__occupancy_limit_shared_mem of test/reference/h200/measured/probes.json and labs.json.
    for (const [block, sharedBytes, blocks] of [
      [128, 0, 32],
      [256, 0, 32],
      [512, 0, 16],
      [1024, 0, 8],
      [256, 128, 28],
      [512, 128, 14],
      [1024, 128, 7],
      [256, 1024, 16],
      [256, 1152, 30],
      [256, 2048, 21],
      [256, 4096, 20],
      [1024, 4096, 3],
    ] as const) {
      const text = ncu(h200.launch(empty, { grid: 1, block, sharedBytes }, { out }));
      expect(/Block Limit Shared Mem +block +(\d+)/.exec(text)?.[1], `${block} ${sharedBytes}`).toBe(String(blocks));
    }
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
  readFileSync(new URL("../../reference/checked/validation.json", import.meta.url), "utf8"),
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
