/** Whole launches of microbenchmarks in CUDA C++, behind 512 MiB written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type LaunchNumbers, NO_NUMBERS } from "../../src/accuracy/compared-numbers.js";
import { ValidationArrays } from "../../src/accuracy/measured-arrays.js";
import type { ValidationArgument } from "../../src/accuracy/measured-table.js";
import { LaunchSimulator } from "../../src/accuracy/validate/simulated-launch.js";
import { courseRoot } from "../../src/course/course-root.js";
import type { Dim3 } from "../../src/engine/engine.js";
import { readCuda } from "../../src/frontend/cuda/read-cuda.js";
import type { KernelIr } from "../../src/ir/ir.js";

const simulator = new LaunchSimulator(new ValidationArrays(), false);

/** The kernels of a text in test/reference, which stand between its typedef of uint and `end`. */
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

/** The share of the sectors loaded that L1 has, where it has none of those stored to. */
export function loadsFound({ l1HitRatePercent, globalLoadSectors, globalStoreSectors }: LaunchNumbers): number {
  const loads = globalLoadSectors ?? Number.NaN;
  return ((l1HitRatePercent ?? Number.NaN) / 100) * (1 + (globalStoreSectors ?? 0) / loads);
}

/** Of a measuring program behind clean caches, whose two events show so much more than the kernel's duration. */
const EVENTS_MICROSECONDS = 1.1;

export function cleanMicroseconds(...launch: Parameters<typeof coldNumbers>): number {
  return (coldNumbers(...launch).durationMicroseconds ?? 0) + EVENTS_MICROSECONDS;
}

/** What two events show of a launch on an H200. */
export function coldMicroseconds(...launch: Parameters<typeof coldNumbers>): number {
  return 1000 * (coldNumbers(...launch).timeMs ?? Number.NaN);
}
