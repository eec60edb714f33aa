/**
 * Counters of Labs 25 to 28 against those of an H200 by Nsight Compute, over 2^24 ints (test/reference/
 * h200/measured/labs.json, measured for this project). Nothing in the lowering or the engines is fitted to them.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { i32, type Kernel } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import * as labs from "../../kernels/labs.js";

interface Row {
  readonly kernel: string;
  readonly n: number;
  readonly grid: number;
  readonly block: number;
  readonly shared_bytes: number;
  readonly time_ms_cold_L2: { readonly median: number };
  readonly counters: Readonly<Record<string, number>>;
}

const KERNELS: Readonly<Record<string, Kernel>> = {
  lab25_interleaved_divergent: labs.divergent,
  lab25_interleaved_nondivergent: labs.nonDivergent,
  lab26_sequential: labs.sequential,
  lab27_first_add: labs.firstAdd,
  lab28_last_warp: labs.lastWarp,
};

const file: { readonly rows: readonly Row[] } = JSON.parse(
  readFileSync(new URL("../../reference/h200/measured/labs.json", import.meta.url), "utf8"),
);
const rows = file.rows.filter((row) => row.kernel in KERNELS);
const gpu = new Gpu("h200", { memoryBytes: 80 << 20 });
const input = gpu.alloc(i32, 2 ** 24).fill(1);

function measured(row: Row, name: string): number {
  const value = row.counters[name];
  if (value === undefined) throw new Error(`${row.kernel} has no ${name}`);
  return value;
}

const wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op";
const conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op";

/** Signed, percent. */
const deviation = (ours: number, theirs: number): number => 100 * (ours / theirs - 1);
const percent = (value: number): string => `${value < 0 ? "" : "+"}${value.toFixed(2)} %`;

function sharedWavefronts({ counters }: LaunchResult, row: Row): number {
  const theirs = measured(row, `${wavefronts}_ld.sum`) + measured(row, `${wavefronts}_st.sum`);
  return deviation(counters.sharedLoadWavefronts + counters.sharedStoreWavefronts, theirs);
}

/** With the collisions of accesses and fills of L1 that the model expects. */
function profiledWavefronts({ expectedWavefronts: expected }: LaunchResult, row: Row): number {
  const theirs = measured(row, `${wavefronts}_ld.sum`) + measured(row, `${wavefronts}_st.sum`);
  return deviation(expected.sharedLoadWavefronts + expected.sharedStoreWavefronts, theirs);
}

const launches: ReadonlyMap<Row, LaunchResult> = new Map(
  rows.map((row): [Row, LaunchResult] => {
    const output = gpu.alloc(i32, row.grid);
    const launched = KERNELS[row.kernel];
    if (launched === undefined || row.n !== input.length) throw new Error(`no kernel for ${row.kernel}`);
    const config = { grid: row.grid, block: row.block, sharedBytes: row.shared_bytes };
    const result = gpu.launch(launched, config, { input, output });
    expect(output.read().reduce((sum, value) => sum + value, 0)).toBe(row.n);
    output.free();
    return [row, result];
  }),
);

console.log(
  [...launches]
    .map(([row, result]) => {
      const { counters } = result;
      const instructions = deviation(counters.warpInstructions, measured(row, "smsp__inst_executed.sum"));
      const threads = deviation(counters.threadInstructions, measured(row, "smsp__thread_inst_executed.sum"));
      return `${row.kernel}, block ${row.block}: warp instructions ${percent(instructions)}, thread instructions ${percent(threads)}, shared wavefronts ${percent(sharedWavefronts(result, row))} (${percent(profiledWavefronts(result, row))} with collisions)`;
    })
    .join("\n"),
);

it("all ten launches of the labs are compared", () => {
  expect(rows.map(({ kernel, block }) => [kernel, block])).toEqual(
    [256, 1024].flatMap((block) => Object.keys(KERNELS).map((name) => [name, block])),
  );
});

describe.each([...launches].map(([row, result]) => [row.kernel, row.block, row, result] as const))(
  "%s in blocks of %i",
  (_name, _block, row, { counters }) => {
    it("issues the H200's warp instructions within 5 %", () => {
      const difference = deviation(counters.warpInstructions, measured(row, "smsp__inst_executed.sum"));
      expect(Math.abs(difference)).toBeLessThan(5);
    });

    it("issues the H200's thread instructions within 5 %", () => {
      const difference = deviation(counters.threadInstructions, measured(row, "smsp__thread_inst_executed.sum"));
      expect(Math.abs(difference)).toBeLessThan(5);
    });

    it("makes exactly its global requests and sectors", () => {
      const { globalLoadRequests, globalStoreRequests, globalLoadSectors, globalStoreSectors } = counters;
      expect({ globalLoadRequests, globalStoreRequests, globalLoadSectors, globalStoreSectors }).toEqual({
        globalLoadRequests: measured(row, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
        globalStoreRequests: measured(row, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
        globalLoadSectors: measured(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
        globalStoreSectors: measured(row, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
      });
    });

    it("executes exactly its global and shared loads and stores", () => {
      const { globalLoadInstructions, globalStoreInstructions, sharedLoadInstructions, sharedStoreInstructions } =
        counters;
      expect([
        globalLoadInstructions,
        globalStoreInstructions,
        sharedLoadInstructions,
        sharedStoreInstructions,
      ]).toEqual(
        ["global_ld", "global_st", "shared_ld", "shared_st"].map((op) =>
          measured(row, `smsp__inst_executed_op_${op}.sum`),
        ),
      );
    });

    it("executes exactly its control instructions and branches, of which as many diverge", () => {
      expect([counters.controlInstructions, counters.branches, counters.divergentBranches]).toEqual(
        [
          "smsp__inst_executed_op_branch.sum",
          "smsp__sass_branch_targets.sum",
          "smsp__sass_branch_targets_threads_divergent.sum",
        ].map((name) => measured(row, name)),
      );
    });

    it("makes its shared wavefronts within 5 %, with the collisions with fills of L1 that the profiler counts too", () => {
      expect(Math.abs(profiledWavefronts(launches.get(row)!, row))).toBeLessThan(5);
    });

    it("makes no more wavefronts than the H200, and 6 % less at the most, without those collisions", () => {
      const difference = sharedWavefronts(launches.get(row)!, row);
      expect(difference).toBeLessThan(0);
      expect(difference).toBeGreaterThan(-6);
    });

    it("makes exactly the shared wavefronts that are left without what the H200 counts as conflicts", () => {
      const { sharedLoadWavefronts, sharedLoadBankConflicts, sharedStoreWavefronts, sharedStoreBankConflicts } =
        counters;
      expect([
        sharedLoadWavefronts - sharedLoadBankConflicts,
        sharedStoreWavefronts - sharedStoreBankConflicts,
      ]).toEqual(
        ["ld", "st"].map((op) => measured(row, `${wavefronts}_${op}.sum`) - measured(row, `${conflicts}_${op}.sum`)),
      );
    });

    it("leaves less than one conflict in ten loaded sectors to collisions with fills of L1", () => {
      const theirs = measured(row, `${conflicts}_ld.sum`) + measured(row, `${conflicts}_st.sum`);
      const unexplained = theirs - counters.sharedLoadBankConflicts - counters.sharedStoreBankConflicts;
      expect(unexplained).toBeGreaterThan(0);
      expect(unexplained).toBeLessThan(0.1 * counters.globalLoadSectors);
    });
  },
);

describe.each([256, 1024])("the five times in blocks of %i", (block) => {
  it("have the H200's order", () => {
    const five = [...launches].filter(([row]) => row.block === block);
    const order = (time: (entry: (typeof five)[number]) => number): readonly string[] =>
      [...five].sort((a, b) => time(b) - time(a)).map(([row]) => row.kernel);
    expect(order(([, result]) => result.timeMs)).toEqual(order(([row]) => row.time_ms_cold_L2.median));
  });
});
