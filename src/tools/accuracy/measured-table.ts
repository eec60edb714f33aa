/** A measured table, the place of the tables, and Nsight Compute's counters of a launch as the numbers compared. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { InputError } from "../../core/base/errors.js";
import type { Dim3 } from "../../core/engine/engine.js";
import type { KernelIr } from "../../core/ir/ir.js";
import { STALL_REASONS, type StallReason } from "../../core/timing/index.js";
import { courseRoot } from "../../node/course-root.js";
import { dominantOf, type LaunchNumbers, NO_NUMBERS } from "./compared-numbers.js";
import type { ArrayName } from "./measured-arrays.js";

export type ValidationArgument = ArrayName | number;

export interface MeasuredLaunch {
  /** Unique in its table. */
  readonly id: string;
  readonly kernel: KernelIr;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  /** In the order of the kernel's parameters. */
  readonly args: readonly ValidationArgument[];
  readonly cache: "cold" | "warm";
  /** Every block is run, however alike those of the sample are. */
  readonly exact?: boolean;
  /** Launches queued after it; the measured time includes them. */
  readonly further?: readonly Omit<MeasuredLaunch, "cache" | "measured">[];
  readonly measured: LaunchNumbers;
  /** The times of all runs that the source gives, where it gives several. */
  readonly runsMs?: readonly number[];
}

/** How a table's times came about, where it is not as the model takes it. */
export interface MeasuringConditions {
  /** The SM clock; null: the device's. */
  readonly clockMHz: number | null;
  /** Time that the table's clock shows beyond two events around the launch. */
  readonly timerMicroseconds: number;
}

export const AS_MODELLED: MeasuringConditions = Object.freeze({ clockMHz: null, timerMicroseconds: 0 });

export interface MeasuredTable {
  readonly id: string;
  readonly title: string;
  /** A device's id. */
  readonly device: string;
  readonly source: string;
  /** Whether it counts in the means over all tables. */
  readonly counted: boolean;
  /** Notes for a reader: the clock, doubts. Empty for nothing. */
  readonly note: string;
  readonly conditions: MeasuringConditions;
  readonly launches: readonly MeasuredLaunch[];
}

export const REFERENCE = "test/reference";

/** @throws InputError where the file is missing. */
export function readReference(file: string): unknown {
  const path = join(courseRoot(), REFERENCE, file);
  if (!existsSync(path)) {
    throw new InputError({
      what: `There is no ${REFERENCE}/${file}, which the model is compared with.`,
      cure: "Run this in a clone of the project.",
    });
  }
  return JSON.parse(readFileSync(path, "utf8"));
}

/** @returns its path from the course's folder */
export function writeReference(file: string, text: string): string {
  const path = join(courseRoot(), REFERENCE, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return `${REFERENCE}/${file}`;
}

export type Counters = Readonly<Record<string, number>>;

function stallsOf(counters: Counters): LaunchNumbers["stalls"] {
  const stalls: Partial<Record<StallReason, number>> = {};
  for (const reason of STALL_REASONS) {
    const ratio = counters[`smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio`];
    if (ratio !== undefined) stalls[reason] = ratio;
  }
  return Object.keys(stalls).length === 0 ? null : stalls;
}

/** Nsight Compute's counters of one launch as the numbers compared. */
export function numbersOf(counters: Counters, warps: number, smCount: number, timeMs: number): LaunchNumbers {
  const at = (name: string): number | null => counters[name] ?? null;
  const sum = (...names: readonly string[]): number | null =>
    names.some((name) => counters[name] === undefined)
      ? null
      : names.reduce((total, name) => total + (counters[name] ?? 0), 0);
  const over = (value: number | null, by: number): number | null => (value === null ? null : value / by);
  const stalls = stallsOf(counters);
  const wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_";
  return {
    ...NO_NUMBERS,
    timeMs,
    durationMicroseconds: over(at("gpu__time_duration.sum"), 1000),
    cyclesActive: over(at("sm__cycles_active.sum"), smCount),
    warpInstructions: at("smsp__inst_executed.sum"),
    instructionsPerWarp: over(at("smsp__inst_executed.sum"), warps),
    achievedOccupancyPercent: at("sm__warps_active.avg.pct_of_peak_sustained_active"),
    registersPerThread: at("launch__registers_per_thread"),
    globalLoadSectors: at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    globalStoreSectors: at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    sharedWavefronts: sum(`${wavefronts}ld.sum`, `${wavefronts}st.sum`),
    l1HitRatePercent: at("l1tex__t_sector_hit_rate.pct"),
    l2HitRatePercent: at("lts__t_sector_hit_rate.pct"),
    dramBytesRead: at("dram__bytes_read.sum"),
    dramBytesWritten: at("dram__bytes_write.sum"),
    dominantStall: stalls === null ? null : dominantOf(stalls),
    stalls,
  };
}

export function warpsOf(grid: Dim3, block: Dim3): number {
  return grid[0] * grid[1] * grid[2] * Math.ceil((block[0] * block[1] * block[2]) / 32);
}
