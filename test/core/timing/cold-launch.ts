/** Whole launches of microbenchmarks in CUDA C++, after a write of 512 MiB. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Dim3 } from "../../../src/core/engine/engine.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../../src/core/ir/ir.js";
import { courseRoot } from "../../../src/node/course-root.js";
import { type LaunchNumbers, NO_NUMBERS } from "../../../src/tools/accuracy/compared-numbers.js";
import { ValidationArrays } from "../../../src/tools/accuracy/measured-arrays.js";
import type { ValidationArgument } from "../../../src/tools/accuracy/measured-table.js";
import { LaunchSimulator } from "../../../src/tools/accuracy/validate/simulated-launch.js";

const simulator = new LaunchSimulator(new ValidationArrays(), false);

/** The kernels of a text in test/reference, between its typedef of uint and `end`. */
export function microKernels(file: string, end: string): ReadonlyMap<string, KernelIr> {
  const text = readFileSync(join(courseRoot(), "test/reference", file), "utf8");
  return readCuda(text.slice(text.indexOf("typedef unsigned int uint;"), text.indexOf(end)));
}

function dim3(extent: number | Dim3): Dim3 {
  return typeof extent === "number" ? [extent, 1, 1] : extent;
}

export function coldNumbers(
  kernel: KernelIr,
  grid: number | Dim3,
  block: number | Dim3,
  dynamicSharedBytes: number,
  args: readonly ValidationArgument[],
): LaunchNumbers {
  return simulator.simulate(
    {
      id: kernel.name,
      kernel,
      grid: dim3(grid),
      block: dim3(block),
      dynamicSharedBytes,
      args,
      cache: "cold",
      measured: NO_NUMBERS,
    },
    "h200",
    { clockMHz: null, timerMicroseconds: 0 },
  ).numbers;
}

/** The hit rate of loads in L1, in a kernel that loads no sector that it stores. */
export function loadsFound({ l1HitRatePercent, globalLoadSectors, globalStoreSectors }: LaunchNumbers): number {
  const loads = globalLoadSectors ?? Number.NaN;
  return ((l1HitRatePercent ?? Number.NaN) / 100) * (1 + (globalStoreSectors ?? 0) / loads);
}

/** Microseconds that two events show above the kernel's duration, in a program that measures with clean caches. */
const EVENTS_MICROSECONDS = 1.1;

export function cleanMicroseconds(...launch: Parameters<typeof coldNumbers>): number {
  return (coldNumbers(...launch).durationMicroseconds ?? 0) + EVENTS_MICROSECONDS;
}

/** Microseconds between two events around a launch on an H200. */
export function coldMicroseconds(...launch: Parameters<typeof coldNumbers>): number {
  return 1000 * (coldNumbers(...launch).timeMs ?? Number.NaN);
}
