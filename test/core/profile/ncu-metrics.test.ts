/**
 * The table of metrics against Nsight Compute's counters of fourteen kernels of an H200 (test/reference/ncu), none of which
 * the model, the lowering or the catalog was made with.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { event, eventTable, metric, metricTable } from "../../../src/core/profile/metric.js";
import { lineProfile } from "../../../src/core/profiler/line-profile.js";
import { counted, countedLaunches, simulate } from "./ncu-table.js";

const launches = countedLaunches.map((row) => ({ row, run: simulate(row) }));
const table = [
  ...metricTable.map((spec) => ({ spec, of: metric })),
  ...eventTable.map((spec) => ({ spec, of: event })),
];
/** nvcc unrolls the one's loop otherwise, and makes fewer accesses of the other's array. */
const OTHER_CODE: ReadonlySet<string> = new Set(["tripsByValue", "digitsInLocalMemory"]);

/** Largest deviation: in percent of the counter, in points where it is a percentage itself. */
function worst(name: string, apart: ReadonlySet<string> = new Set()): number {
  let most = 0;
  for (const { row, run } of launches) {
    if (apart.has(row.kernel)) continue;
    for (const { spec, of } of table.filter((each) => each.spec.name === name)) {
      const [ours, theirs] = [of(run, name).value, counted(spec, row)];
      expect(theirs, `${row.kernel} ${name}`).not.toBeNull();
      if (ours === null || theirs === null || theirs === 0) {
        expect([ours ?? 0, theirs], `${row.kernel} ${name}`).toEqual([0, 0]);
      } else {
        const points = spec.unit === "percent";
        most = Math.max(most, points ? Math.abs(ours - theirs) : 100 * Math.abs(ours / theirs - 1));
      }
    }
  }
  return most;
}

describe("on fourteen kernels of an H200", () => {
  it("every name that the table has for Nsight Compute is one that it counts", () => {
    const names = table.flatMap(({ spec }) => spec.ncu.flatMap((text) => text.match(/[a-z0-9]+__[a-z0-9_.]+/g) ?? []));
    expect(names.length).toBeGreaterThan(80);
    const unknown = names.filter((name) => countedLaunches.some(({ counters }) => counters[name] === undefined));
    expect(unknown).toEqual([]);
  });

  it.each([
    "gld_transactions_per_request",
    "gst_transactions_per_request",
    "gld_transactions",
    "gst_transactions",
    "gld_efficiency",
    "gst_efficiency",
    "global_load_requests",
    "global_store_requests",
    "shared_load_transactions_per_request",
    "ldst_executed",
    "inst_executed_global_loads",
    "inst_executed_global_stores",
    "inst_executed_global_atomics",
    "inst_executed_global_reductions",
    "inst_executed_shared_loads",
    "inst_executed_shared_stores",
    "inst_executed_shared_atomics",
    "inst_executed_local_loads",
    "inst_executed_local_stores",
    "inst_fp_32",
    "inst_fp_64",
    "inst_bit_convert",
    "inst_inter_thread_communication",
    "flop_count_sp",
    "flop_count_sp_fma",
    "flop_count_dp",
    "flop_count_dp_fma",
    "warps_launched",
    "threads_launched",
    "sm_cta_launched",
    "atom_count",
  ])("%s is what was counted", (name) => expect(worst(name)).toBeLessThan(0.1));

  it.each([
    ["shared_store_transactions_per_request", 1],
    ["shared_load_transactions", 2],
    ["shared_store_transactions", 4],
    ["shared_efficiency", 2],
  ])("%s is within %d, colliding fills of L1 left out", (name, most) => expect(worst(name)).toBeLessThan(most));

  it.each([
    ["inst_executed", 9],
    ["inst_per_warp", 9],
    ["warp_execution_efficiency", 0.5],
    ["warp_nonpred_execution_efficiency", 3.5],
    ["cf_executed", 7],
    ["branch_efficiency", 5.5],
    ["inst_integer", 20],
    ["divergent_branch", 0.1],
  ])("%s is within %d where nvcc's loops and arrays are those of the simulated code", (name, most) => {
    expect(worst(name, OTHER_CODE)).toBeLessThan(most);
  });

  it.each([
    ["sm_efficiency", 14],
    ["achieved_occupancy", 12],
    ["ipc", 21],
    ["eligible_warps_per_cycle", 62],
    ["gld_throughput", 11],
    ["stall_sync", 24],
    ["stall_not_selected", 11],
    ["stall_exec_dependency", 11],
    ["stall_memory_dependency", 32],
  ])("%s, which is predicted, is within %d", (name, most) => expect(worst(name, OTHER_CODE)).toBeLessThan(most));

  it("twelve of the times are within 10 percent of the kernel's alone", () => {
    for (const { row, run } of launches) {
      if (OTHER_CODE.has(row.kernel)) continue;
      const measured = row.counters["gpu__time_duration.sum"]! / 1000;
      expect(Math.abs(run.time.durationMicroseconds / measured - 1), row.kernel).toBeLessThan(0.1);
    }
  });

  it("the time of the launch with an indexed local array is within a third of the GPU's: 16 stores fill it, not four", () => {
    const { row, run } = launches.find(({ row: { kernel } }) => kernel === "digitsInLocalMemory")!;
    const measured = row.counters["gpu__time_duration.sum"]! / 1000;
    expect(Math.abs(run.time.durationMicroseconds / measured - 1)).toBeLessThan(1 / 3);
  });
});

describe("stalls by line, beside Nsight Compute's samples", () => {
  const file = readFileSync(new URL("../../reference/ncu/line-stalls.json", import.meta.url), "utf8");
  const rows: readonly { kernel: string; shareByLine: Record<string, number> }[] = JSON.parse(file).rows;
  const compared = launches.map(({ row, run }) => {
    const theirs = rows.find(({ kernel }) => kernel === row.kernel)!.shareByLine;
    const { lines } = lineProfile(run);
    const shared = lines.reduce((sum, { line, stallShare }) => sum + Math.min(stallShare, theirs[line] ?? 0), 0);
    const most = Object.entries(theirs).reduce((a, b) => (b[1] > a[1] ? b : a))[0];
    const top = lines.reduce((a, b) => (b.stallShare > a.stallShare ? b : a)).line;
    return { kernel: row.kernel, shared, same: Number(most) === top };
  });

  it("have the line that waits most in ten kernels", () => {
    // Nsight Compute shows a wait at the next instruction: after a barrier, and at the exit for stores on their way.
    const others = compared.filter(({ same }) => !same).map(({ kernel }) => kernel);
    // nvcc fills the local array with four stores of four words, the simulated code with sixteen, which take longer.
    expect(others).toEqual(["transposeByRows", "barrierAStep", "tripsByValue", "digitsInLocalMemory"]);
  });

  it("share 72 percent of the samples in the mean", () => {
    expect(compared.reduce((sum, { shared }) => sum + shared, 0) / compared.length).toBeGreaterThan(0.72);
  });
});
