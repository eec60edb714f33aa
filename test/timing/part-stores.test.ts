import { describe, expect, it } from "vitest";
import { ValidationArrays } from "../../src/course/validate-arrays.js";
import { LaunchSimulator } from "../../src/course/validate-launch.js";
import { readReference } from "../../src/course/validate-measured.js";
import { NO_NUMBERS } from "../../src/course/validate-numbers.js";
import { microKernels } from "./cold-launch.js";

interface Row {
  readonly kernel: string;
  readonly w: number;
  readonly h: number;
  readonly grid: readonly [number, number];
  readonly block: readonly [number, number];
  readonly cleanUs: number;
}

const { rows } = readReference("h200-parts-micro.json") as { readonly rows: readonly Row[] };
const kernels = microKernels("h200-parts-micro.cu", "typedef void");
const simulator = new LaunchSimulator(new ValidationArrays(), false);
/** Two events of the measuring program show so much more than the kernel's duration. */
const EVENTS_MICROSECONDS = 1.1;

describe("a transpose that stores parts of sectors beside loads from DRAM", () => {
  const shapes = ["32,8", "8,32", "32,4"];
  const chosen = rows.filter(
    ({ kernel, w, block }) =>
      (kernel === "trans1" || kernel === "transRow4") && w === 2048 && shapes.includes(`${block}`),
  );

  it.each(chosen)(
    "$kernel in blocks of $block takes as long as on the H200 behind clean caches, within 12 %",
    (row) => {
      const { kernel, w, h, grid, block } = row;
      const launch = { id: kernel, kernel: kernels.get(kernel)!, dynamicSharedBytes: 0, cache: "cold" } as const;
      const { numbers } = simulator.simulate(
        { ...launch, grid: [...grid, 1], block: [...block, 1], args: ["F", "H", w, h], measured: NO_NUMBERS },
        "h200",
        { clockMHz: null, timerMicroseconds: 0 },
      );
      expect(Math.abs(((numbers.durationMicroseconds ?? 0) + EVENTS_MICROSECONDS) / row.cleanUs - 1)).toBeLessThan(
        0.12,
      );
    },
  );
});

interface Mixed {
  readonly micro: string;
  readonly loads: number;
  readonly threads: number;
  readonly nothingInL2Us: number;
}

describe("stores to few lines, which L2 holds, beside loads from DRAM", () => {
  const { rows: mixed } = readReference("h200-mix-micro.json") as { readonly rows: readonly Mixed[] };
  const mixedKernels = microKernels("h200-mix-micro.cu", "typedef void");
  const chosen = mixed.filter(({ loads }) => loads >= 4);

  it.each(chosen)(
    "$micro with $loads loads takes as long as on the H200, within 10 %",
    ({ micro, loads, threads, nothingInL2Us }) => {
      const launch = { id: micro, kernel: mixedKernels.get(micro)!, dynamicSharedBytes: 0, cache: "cold" } as const;
      const { numbers } = simulator.simulate(
        {
          ...launch,
          grid: [threads / 256, 1, 1],
          block: [256, 1, 1],
          args: ["F", "H", loads, 2 ** 20 - 1],
          measured: NO_NUMBERS,
        },
        "h200",
        { clockMHz: null, timerMicroseconds: 0 },
      );
      expect(Math.abs(((numbers.durationMicroseconds ?? 0) + EVENTS_MICROSECONDS) / nothingInL2Us - 1)).toBeLessThan(
        0.1,
      );
    },
  );
});
