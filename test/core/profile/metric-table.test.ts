/**
 * The table of metrics against what nvprof printed for a V100 and an M2070 (published/reductions.json), against Nsight
 * Compute's counters of an H200 (h200/measured/labs.json), and against counts made by hand.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { f32, f64, i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { timeText, valueText } from "../../../src/core/profile/catalog/format.js";
import { event, eventNames, eventTable, metric, metricNames, metricTable } from "../../../src/core/profile/metric.js";
import { inPlaceReductions } from "../../../src/course/reductions/in-place-kernels.js";
import * as labs from "../../kernels/labs.js";

const v100 = new Gpu("v100", { memoryBytes: 80 << 20 });
const h200 = new Gpu("h200", { memoryBytes: 80 << 20 });
const m2070 = new Gpu("m2070", { memoryBytes: 80 << 20 });

const fill: Kernel = kernel("fill", { params: { data: ptr(i32) } }, ({ data }, { threadIdx, blockIdx, blockDim }) => {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 1;
});

function launchFill(gpu: Gpu): LaunchResult {
  const data = gpu.alloc(i32, 1024);
  const result = gpu.launch(fill, { grid: 8, block: 128 }, { data });
  data.free();
  return result;
}

describe("the table of metrics", () => {
  it("has each name once, with definition, formula and kind", () => {
    expect(new Set(metricNames).size).toBe(metricNames.length);
    expect(new Set(eventNames).size).toBe(eventNames.length);
    for (const { name, definition, formula, title } of [...metricTable, ...eventTable]) {
      expect(
        [definition, formula, title].map((text) => text.length > 2),
        name,
      ).toEqual([true, true, true]);
    }
  });
  it("has a finite number or a reason for every name on every generation", () => {
    for (const launch of [launchFill(m2070), launchFill(v100), launchFill(h200)]) {
      const all = [
        ...metricNames.map((name) => metric(launch, name)),
        ...eventNames.map((name) => event(launch, name)),
      ];
      for (const { name, value, reason } of all) {
        expect(value === null ? reason !== null : Number.isFinite(value) && reason === null, name).toBe(true);
      }
    }
  });
  it("says which tool of the GPU shows a metric: nvprof ends with 7.2, Nsight Compute has later GPUs", () => {
    const ncuName = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
    expect(metric(launchFill(v100), "gst_efficiency")).toMatchObject({ tool: "nvprof", toolName: "gst_efficiency" });
    expect(metric(launchFill(h200), "gst_efficiency")).toMatchObject({ tool: "ncu", toolName: ncuName, value: 100 });
    expect(metric(launchFill(h200), ncuName).name).toBe("gst_efficiency");
  });
  it("gives none where no counter of the GPU has it, and says so", () => {
    const { value, text, reason } = metric(launchFill(m2070), "eligible_warps_per_cycle");
    expect([value, text]).toEqual([null, "n/a"]);
    expect(reason).toContain("compute capability 2.0");
    expect(metric(launchFill(h200), "gld_requested_throughput").value).toBeNull();
  });
  it("gives none where there is nothing to divide by, and says why", () => {
    expect(metric(launchFill(v100), "gld_efficiency")).toMatchObject({
      value: null,
      text: "n/a",
      reason: "the kernel loads nothing from global memory",
    });
  });
  it("refuses unknown names with the nearest ones, and takes events for events", () => {
    const launch = launchFill(v100);
    expect(() => metric(launch, "gld_eficiency")).toThrow(
      /There is no metric "gld_eficiency".\nDid you mean gld_efficiency/,
    );
    expect(() => metric(launch, "occupancy")).toThrow(/achieved_occupancy/);
    expect(() => metric(launch, "divergent_branch")).toThrow(/is an event/);
    expect(() => event(launch, "ipc")).toThrow(/is a metric/);
    expect(() => metric(undefined as unknown as LaunchResult, "ipc")).toThrow(/launch is missing/);
  });
  it("writes values as nvprof does", () => {
    expect(valueText(77.8301, "percent")).toBe("77.83%");
    expect(valueText(914.26e9, "bytes/s")).toBe("914.26GB/s");
    expect(valueText(14.079e9, "bytes/s")).toBe("14.079GB/s");
    expect(valueText(0.72529386, "ratio")).toBe("0.725294");
    expect(valueText(1345.8, "ratio")).toBe("1.3458e+03");
    expect([169.63e-6, 2.784e-6, 7.7809e-3, 640e-9].map(timeText)).toEqual([
      "169.63us",
      "2.7840us",
      "7.7809ms",
      "640ns",
    ]);
  });
});

describe("floating-point operations", () => {
  const line: Kernel = kernel("line", { params: { a: ptr(f32), b: ptr(f64) } }, ({ a, b }, { threadIdx }) => {
    a[threadIdx.x] = a[threadIdx.x] * 3 + 1;
    b[threadIdx.x] = b[threadIdx.x] * 3 + 1;
  });
  const flops = (contractFma: boolean): readonly (number | null)[] => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20, contractFma });
    const launch = gpu.launch(line, { grid: 1, block: 96 }, { a: gpu.alloc(f32, 96), b: gpu.alloc(f64, 96) });
    const names = ["flop_count_sp", "flop_count_sp_fma", "flop_count_sp_add", "flop_count_dp", "flop_count_dp_mul"];
    return names.map((name) => metric(launch, name).value);
  };
  it("of 96 threads with a multiply and an add each are 192, fused or not", () => {
    expect(flops(true)).toEqual([192, 96, 0, 192, 0]);
    expect(flops(false)).toEqual([192, 0, 96, 192, 96]);
  });
});

describe("shared efficiency", () => {
  const strided: Kernel = kernel(
    "strided",
    { params: { output: ptr(i32), stride: i32 } },
    ({ output, stride }, { threadIdx, shared, syncthreads, i32 }) => {
      const words = shared(i32, 1024);
      const lane = i32(threadIdx.x);
      words[lane * stride] = lane;
      syncthreads();
      output[lane] = words[lane * stride];
    },
  );
  it.each([
    [1, 100, 1, 0],
    [2, 50, 2, 2],
    [32, 3.125, 32, 62],
  ])("of a warp with words %i apart is %d %%: %i wavefronts a request", (stride, percent, degree, conflicts) => {
    const output = v100.alloc(i32, 32);
    const launch = v100.launch(strided, { grid: 1, block: 32 }, { output, stride });
    output.free();
    expect(metric(launch, "shared_efficiency").value).toBe(percent);
    expect(metric(launch, "shared_load_transactions_per_request").value).toBe(degree);
    const found = ["shared_ld_bank_conflict", "shared_st_bank_conflict"].map((name) => event(launch, name).value ?? 0);
    expect(found[0]! + found[1]!).toBe(conflicts);
  });
});

interface Published {
  readonly id: string;
  readonly n: number;
  readonly block: number;
  readonly rows: readonly { readonly version: string; readonly metrics: Readonly<Record<string, number>> }[];
}
const published: readonly Published[] = JSON.parse(
  readFileSync(new URL("../../reference/published/reductions.json", import.meta.url), "utf8"),
);

/** Blocks of these kernels all do the same, so that a part of the grid has the whole grid's shares. */
const PART = 2 ** 20;

function inPlace(
  gpu: Gpu,
  id: string,
  version: string,
): { launch: LaunchResult; row: Readonly<Record<string, number>> } {
  const file = published.find((each) => each.id === id)!;
  const { kernel: reduction, dataBlocks } = inPlaceReductions.find(({ title }) => title === version)!;
  const input = gpu.alloc(i32, PART).fill(1);
  const output = gpu.alloc(i32, PART / file.block);
  const config = { grid: PART / file.block / dataBlocks, block: file.block };
  const launch = gpu.launch(reduction, config, { input, output, n: PART });
  // The prediction is made when it is first read.
  launch.time.cycles;
  input.free();
  output.free();
  return { launch, row: file.rows.find((row) => row.version === version)!.metrics };
}

const percent = (launch: LaunchResult, name: string): number => metric(launch, name).value ?? Number.NaN;

describe("nvprof on a V100", () => {
  // In points. Divergent branches of the first version are told otherwise by Volta's counters.
  it.each([
    ["reduceNeighbored", 6.1],
    ["reduceNeighboredLess", 0.3],
    ["reduceInterleaved", 0.3],
  ])("%s: inst_per_warp as printed, branch_efficiency within %d points", (version, points) => {
    const { launch, row } = inPlace(v100, "v100-in-place", version);
    expect(metric(launch, "inst_per_warp").text).toBe(row.inst_per_warp!.toFixed(6));
    expect(Math.abs(percent(launch, "branch_efficiency") - row.branch_efficiency_pct!)).toBeLessThan(points);
  });
  it.each(["reduceNeighbored", "reduceNeighboredLess", "reduceInterleaved", "reduceUnrolling4"])(
    "%s: bytes of gld_throughput over its duration are those of gld_transactions, within 3 percent",
    (version) => {
      const { launch, row } = inPlace(v100, "v100-in-place", version);
      const bytes = 32 * percent(launch, "gld_transactions") * (2 ** 24 / PART);
      expect(bytes / (row.gld_throughput_GBps! * row.duration_us_derived! * 1e3)).toBeCloseTo(1, 1.22);
    },
  );
  it.each([
    ["reduceInterleaved", 3],
    ["reduceUnrolling8", 6],
    ["reduceUnrollWarps8", 9],
    ["reduceCompleteUnrollWarps8", 9],
  ])("%s: stall_sync within %i points", (version, points) => {
    const { launch, row } = inPlace(v100, "v100-in-place", version);
    expect(Math.abs(percent(launch, "stall_sync") - row.stall_sync_pct!)).toBeLessThan(points);
  });
});

describe("nvprof on an M2070", () => {
  it.each([
    ["reduceNeighbored", 1.3],
    ["reduceNeighboredLess", 1.3],
  ])("%s: inst_per_warp within %d percent", (version, bound) => {
    const { launch, row } = inPlace(m2070, "m2070-in-place", version);
    expect(Math.abs(100 * (percent(launch, "inst_per_warp") / row.inst_per_warp! - 1))).toBeLessThan(bound);
  });
  it.each([
    ["reduceUnrolling8", 7],
    ["reduceUnrollWarps8", 9],
  ])("%s: stall_sync within %i points", (version, points) => {
    const { launch, row } = inPlace(m2070, "m2070-in-place", version);
    expect(Math.abs(percent(launch, "stall_sync") - row.stall_sync_pct!)).toBeLessThan(points);
  });
});

interface Measured {
  readonly kernel: string;
  readonly grid: number;
  readonly block: number;
  readonly shared_bytes: number;
  readonly counters: Readonly<Record<string, number>>;
}
const measured: { readonly rows: readonly Measured[] } = JSON.parse(
  readFileSync(new URL("../../reference/h200/measured/labs.json", import.meta.url), "utf8"),
);

const ints = h200.alloc(i32, 2 ** 24).fill(1);

describe.each([
  ["lab25_interleaved_divergent", labs.divergent],
  ["lab28_last_warp", labs.lastWarp],
] as const)("Nsight Compute on an H200, %s", (name, reduction) => {
  const row = measured.rows.find((each) => each.kernel === name && each.block === 256)!;
  const { counters: c } = row;
  const output = h200.alloc(i32, row.grid);
  const config = { grid: row.grid, block: row.block, sharedBytes: row.shared_bytes };
  const launch = h200.launch(reduction, config, { input: ints, output });
  // The prediction is made when it is first read.
  launch.time.cycles;
  output.free();
  const of = (each: string): number => metric(launch, each).value ?? Number.NaN;

  it("has its counts by Nsight Compute's own names", () => {
    for (const counter of [
      "smsp__inst_executed_op_branch.sum",
      "smsp__inst_executed_op_global_ld.sum",
      "smsp__inst_executed_op_shared_st.sum",
      "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ]) {
      expect([counter, of(counter)]).toEqual([counter, c[counter]]);
    }
    const instructions = of("smsp__inst_executed.sum") / c["smsp__inst_executed.sum"]!;
    expect(Math.abs(100 * (instructions - 1))).toBeLessThan(2.6);
    expect(event(launch, "branch").value).toBe(c["smsp__sass_branch_targets.sum"]);
  });
  it("has its predicted metrics within bounds", () => {
    const ipc = 4 * c["smsp__inst_executed.avg.per_cycle_active"]!;
    const notSelected = c["smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"]!;
    const durationSeconds = c["gpu__time_duration.sum"]! * 1e-9;
    const points = (ours: number, theirs: number): number => Math.abs(ours - theirs);
    const off = (ours: number, theirs: number): number => Math.abs(100 * (ours / theirs - 1));
    expect(
      points(of("sm_efficiency"), (100 * c["sm__cycles_active.avg"]!) / c["sm__cycles_elapsed.avg"]!),
    ).toBeLessThan(2);
    const occupancy = c["sm__warps_active.avg.pct_of_peak_sustained_active"]!;
    expect(points(100 * of("achieved_occupancy"), occupancy)).toBeLessThan(4);
    expect(off(of("ipc"), ipc)).toBeLessThan(8);
    expect(off(of("eligible_warps_per_cycle"), ipc * (1 + notSelected))).toBeLessThan(22);
    expect(off(of("dram_read_throughput"), c["dram__bytes_read.sum"]! / durationSeconds)).toBeLessThan(6);
    expect(points(of("l2_tex_hit_rate"), c["lts__t_sector_hit_rate.pct"]!)).toBeLessThan(2);
  });
  it("has its stalls within 6.1 points of all warp cycles without an issue", () => {
    const stalls = Object.entries(c).filter(([key]) => key.includes("issue_stalled_") && !key.includes("selected_per"));
    const notSelected = c["smsp__average_warps_issue_stalled_not_selected_per_issue_active.ratio"]!;
    const all = stalls.reduce((sum, [, value]) => sum + value, 0) + notSelected;
    const theirs = (...reasons: readonly string[]): number => {
      const names = reasons.map((each) => `smsp__average_warps_issue_stalled_${each}_per_issue_active.ratio`);
      return (100 * names.reduce((sum, each) => sum + (c[each] ?? 0), 0)) / all;
    };
    const pairs: readonly (readonly [string, number])[] = [
      ["stall_sync", theirs("barrier", "membar")],
      ["stall_memory_dependency", theirs("long_scoreboard")],
      ["stall_exec_dependency", theirs("wait", "short_scoreboard", "branch_resolving")],
      ["stall_not_selected", theirs("not_selected")],
      ["stall_inst_fetch", theirs("no_instruction")],
      ["stall_pipe_busy", theirs("math_pipe_throttle", "mio_throttle")],
      ["stall_memory_throttle", theirs("lg_throttle", "drain")],
    ];
    for (const [stall, theirShare] of pairs) {
      expect(Math.abs(of(stall) - theirShare), stall).toBeLessThan(6.1);
    }
  });
});
