/** Whole launches of microbenchmarks in CUDA C++, behind 512 MiB written. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { courseRoot } from "../../src/course/course-root.js";
import { ValidationArrays } from "../../src/course/validate-arrays.js";
import { LaunchSimulator } from "../../src/course/validate-launch.js";
import type { ValidationArgument } from "../../src/course/validate-measured.js";
import { type LaunchNumbers, NO_NUMBERS } from "../../src/course/validate-numbers.js";
import type { KernelIr } from "../../src/ir/ir.js";
import { readCuda } from "../lower/cuda-text.js";

const simulator = new LaunchSimulator(new ValidationArrays(), false);

/** The kernels of a text in test/reference, which stand between its typedef of uint and `end`. */
export function microKernels(file: string, end: string): ReadonlyMap<string, KernelIr> {
  const text = readFileSync(join(courseRoot, "test/reference", file), "utf8");
  return readCuda(text.slice(text.indexOf("typedef unsigned int uint;"), text.indexOf(end)));
}

export function coldNumbers(
  kernel: KernelIr,
  grid: number,
  block: number,
  dynamicSharedBytes: number,
  args: readonly ValidationArgument[],
): LaunchNumbers {
  return simulator.simulate(
    {
      id: kernel.name,
      kernel,
      grid: [grid, 1, 1],
      block: [block, 1, 1],
      dynamicSharedBytes,
      args,
      cache: "cold",
      measured: NO_NUMBERS,
    },
    "h200",
    { clockMHz: null, timerMicroseconds: 0 },
  ).numbers;
}

/** What two events show of a launch on an H200. */
export function coldMicroseconds(...launch: Parameters<typeof coldNumbers>): number {
  return 1000 * (coldNumbers(...launch).timeMs ?? Number.NaN);
}
