import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Dim3 } from "../../../../src/core/engine/engine.js";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { courseRoot } from "../../../../src/node/course-root.js";
import { NO_NUMBERS } from "../../../../src/tools/accuracy/compared-numbers.js";
import { ValidationArrays } from "../../../../src/tools/accuracy/measured-arrays.js";
import { LaunchSimulator } from "../../../../src/tools/accuracy/validate/simulated-launch.js";

interface Row {
  readonly kernel: string;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly grid: readonly [number, number];
  readonly block: readonly [number, number];
  readonly cleanUs: number;
  readonly repeatedUs: number;
}

const reference = (file: string): string => readFileSync(join(courseRoot(), "test/reference", file), "utf8");
const { rows } = JSON.parse(reference("h200/micro/pattern.json")) as { readonly rows: readonly Row[] };
const text = reference("h200/micro/pattern.cu");
const kernels = readCuda(text.slice(text.indexOf("#define K "), text.indexOf("#define CK")), "h200/micro/pattern.cu");
const simulator = new LaunchSimulator(new ValidationArrays(), false);
/** The measuring program's two events show this much more than the kernel's duration. */
const EVENTS_MICROSECONDS = 1.1;

function simulated(
  { kernel, a, b, c, grid, block }: Row,
  cache: "cold" | "warm",
): { readonly duration: number; readonly event: number } {
  const two = (size: readonly [number, number]): Dim3 => [size[0], size[1], 1];
  const launch = { id: kernel, kernel: kernels.get(kernel)!, dynamicSharedBytes: 0, cache } as const;
  const { numbers } = simulator.simulate(
    { ...launch, grid: two(grid), block: two(block), args: ["F", "B", a, b, c], measured: NO_NUMBERS },
    "h200",
    { clockMHz: null, timerMicroseconds: 0 },
  );
  return { duration: numbers.durationMicroseconds ?? 0, event: 1000 * (numbers.timeMs ?? 0) };
}

describe("stores to words at random", () => {
  const chosen = rows.filter(({ kernel, a }) => kernel === "randomStore" && a >= 2 ** 20 && a <= 2 ** 24);

  it.each(chosen)("of $a words take as long as on the H200 behind a clean L2, within 12 %", (row) => {
    const error = (simulated(row, "cold").duration + EVENTS_MICROSECONDS) / row.cleanUs - 1;
    expect(Math.abs(error)).toBeLessThan(0.12);
  });

  it.each(chosen)("of $a words take as long as there when they are repeated, within 14 %", (row) => {
    expect(Math.abs(simulated(row, "warm").event / row.repeatedUs - 1)).toBeLessThan(0.14);
  });
});

describe("stores to words whose numbers' bits are reversed, which whole requests keep in order and blocks do not", () => {
  const chosen = rows.filter(({ kernel, a }) => kernel === "bitReversed" && a >= 9 && a <= 12);

  it.each(chosen)("of 2^(32 - $a) words take as long as on the H200 behind a clean L2, within 12 %", (row) => {
    const error = (simulated(row, "cold").duration + EVENTS_MICROSECONDS) / row.cleanUs - 1;
    expect(Math.abs(error)).toBeLessThan(0.12);
  });

  it.each(chosen)("of 2^(32 - $a) words take as long as there when they are repeated, within 5 %", (row) => {
    expect(Math.abs(simulated(row, "warm").event / row.repeatedUs - 1)).toBeLessThan(0.05);
  });
});

describe("stores that come back to a sector in the next lap", () => {
  const chosen = rows.filter(
    ({ kernel, a, grid }) => kernel === "laterWrite" && grid[0] === 2 ** 14 && a >= 2 ** 16 && a <= 2 ** 17,
  );

  it.each(chosen)("of $a stores take as long as on the H200 behind a clean L2, within 12 %", (row) => {
    const error = (simulated(row, "cold").duration + EVENTS_MICROSECONDS) / row.cleanUs - 1;
    expect(Math.abs(error)).toBeLessThan(0.12);
  });
});
