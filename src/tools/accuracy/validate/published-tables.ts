/**
 * Tables of CUDA kernels that others measured on GPUs which the project never had. The kernels are written anew in CUDA
 * C++ (test/reference/published), as the sources describe them.
 */

import { InputError } from "../../../core/base/errors.js";
import { median } from "../../../core/base/median.js";
import type { Dim3 } from "../../../core/engine/engine.js";
import type { KernelIr } from "../../../core/ir/ir.js";
import { NO_NUMBERS } from "../compared-numbers.js";
import { AS_MODELLED, type MeasuredLaunch, type MeasuredTable, readReference } from "../measured-table.js";
import { argumentsOf, idOf } from "./cuda-tables.js";
import { beyondEvents, CLOCK_WORDS, type Clock, firstLaunchMicroseconds } from "./host-clock.js";

interface TableHead {
  readonly id: string;
  readonly title: string;
  readonly device: string;
  readonly gpu: string;
  readonly source: string;
  readonly method: string;
}

interface NvbenchRow {
  readonly kernel: string;
  readonly args: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly sharedBytes: number;
  readonly timeMs: number;
}

interface RunsRow {
  readonly kernel: string;
  readonly args: string;
  readonly grid: Dim3;
  readonly block: Dim3;
  /** One value for each run. */
  readonly microseconds: readonly number[];
}

interface LevelsRow {
  readonly version: number;
  readonly kernel: string;
  readonly block: Dim3;
  readonly sharedBytes: number;
  readonly gigabytesPerSecond: number;
  /** In their order; each adds up what the one before has left. */
  readonly launches: readonly { readonly args: string; readonly grid: Dim3 }[];
}

type Kernels = ReadonlyMap<string, KernelIr>;

function kernelOf(kernels: Kernels, name: string): KernelIr {
  const kernel = kernels.get(name);
  if (kernel === undefined) {
    throw new InputError({
      what: `A published table has a row of ${name}, which is not in test/reference/published.`,
      cure: "Add it there.",
    });
  }
  return kernel;
}

/** One chapter's benchmarks after another, each launch as nvbench measures it: after L2 was flushed, between queued events. */
export function rtx3080Nvbench(kernels: Kernels): MeasuredTable {
  const file = readReference("published/rtx3080-nvbench.json") as TableHead & {
    readonly rows: readonly NvbenchRow[];
  };
  return {
    ...headOf(file),
    note: `${file.gpu}. ${file.method}`,
    conditions: AS_MODELLED,
    launches: file.rows.map((row) => ({
      id: idOf(row, file.rows),
      kernel: kernelOf(kernels, row.kernel),
      grid: row.grid,
      block: row.block,
      dynamicSharedBytes: row.sharedBytes,
      args: argumentsOf(row.args),
      cache: "cold",
      measured: { ...NO_NUMBERS, timeMs: row.timeMs },
    })),
  };
}

/** Sums of doubles in levels of launches, by a host's clock. */
export function v100Doubles(kernels: Kernels): MeasuredTable {
  const file = readReference("published/v100-doubles.json") as TableHead & {
    readonly n: number;
    readonly timer: Clock;
    readonly clockMHz: number;
    readonly clockSource: string;
    readonly rows: readonly LevelsRow[];
  };
  const launches = file.rows.map((row): MeasuredLaunch => {
    const kernel = kernelOf(kernels, row.kernel);
    const [first, ...further] = row.launches.map(
      ({ args, grid }): Omit<MeasuredLaunch, "cache" | "measured"> => ({
        id: row.kernel,
        kernel,
        grid,
        block: row.block,
        dynamicSharedBytes: row.sharedBytes,
        args: argumentsOf(args),
      }),
    );
    if (first === undefined) throw new InputError({ what: `${row.kernel} has no launch.`, cure: "Give it one." });
    return {
      ...first,
      cache: "cold",
      further,
      measured: { ...NO_NUMBERS, timeMs: (8 * file.n) / row.gigabytesPerSecond / 1e6 },
    };
  });
  return {
    ...headOf(file),
    note: `${file.gpu}. ${file.method}. Simulated for ${CLOCK_WORDS[file.timer]}, as an H200's host has it behind a copy, at ${file.clockMHz} MHz: ${file.clockSource}.`,
    conditions: { clockMHz: file.clockMHz, timerMicroseconds: firstLaunchMicroseconds(file.timer) },
    launches,
  };
}

function runsLaunches(kernels: Kernels, rows: readonly RunsRow[]): readonly MeasuredLaunch[] {
  return rows.map((row) => ({
    id: idOf(row, rows),
    kernel: kernelOf(kernels, row.kernel),
    grid: row.grid,
    block: row.block,
    dynamicSharedBytes: 0,
    args: argumentsOf(row.args),
    cache: "cold",
    measured: { ...NO_NUMBERS, timeMs: median(row.microseconds) / 1000 },
    runsMs: row.microseconds.map((microseconds) => microseconds / 1000),
  }));
}

/** Sums and transposes of a book's chapters, of some the profiler's times of the kernels, of others a host's clock. */
export function v100Notes(kernels: Kernels): readonly MeasuredTable[] {
  const file = readReference("published/v100-notes.json") as TableHead & {
    readonly clockMHz: number;
    readonly clockSource: string;
    readonly profiler: { readonly method: string; readonly rows: readonly RunsRow[] };
    readonly host: {
      readonly method: string;
      readonly beyondKernelMicroseconds: number;
      readonly beyondKernelSource: string;
      readonly rows: readonly RunsRow[];
    };
  };
  const { profiler, host, clockMHz } = file;
  const clock = `Simulated at ${clockMHz} MHz: ${file.clockSource}.`;
  return [
    {
      ...headOf(file),
      note: `${file.gpu}. ${profiler.method}. ${clock}`,
      conditions: { clockMHz, timerMicroseconds: beyondEvents(0, file.device) },
      launches: runsLaunches(kernels, profiler.rows),
    },
    {
      ...headOf(file),
      id: `${file.id}-host`,
      title: `${file.title}, by a host's clock`,
      note: `${file.gpu}. ${host.method}. ${host.beyondKernelMicroseconds} us beyond the kernel: ${host.beyondKernelSource}. ${clock}`,
      conditions: { clockMHz, timerMicroseconds: beyondEvents(host.beyondKernelMicroseconds, file.device) },
      launches: runsLaunches(kernels, host.rows),
    },
  ];
}

function headOf({
  id,
  title,
  device,
  source,
}: TableHead): Pick<MeasuredTable, "id" | "title" | "device" | "source" | "counted"> {
  return { id, title, device, source, counted: true };
}
