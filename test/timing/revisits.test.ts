import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { courseRoot } from "../../src/course/course-root.js";
import { ValidationArrays } from "../../src/course/validate-arrays.js";
import { LaunchSimulator } from "../../src/course/validate-launch.js";
import type { ValidationArgument } from "../../src/course/validate-measured.js";
import { NO_NUMBERS } from "../../src/course/validate-numbers.js";
import { readCuda } from "../lower/cuda-text.js";

interface LapsRow {
  readonly micro: string;
  readonly n: number;
  readonly stride: number;
  readonly bits: number;
  readonly dirtyUs: number;
}
interface EndRow {
  readonly micro: string;
  readonly block: number;
  readonly grid: number;
  readonly loads: number;
  readonly end: number;
  readonly dirtyUs: number;
}

const reference = (file: string): string => readFileSync(join(courseRoot, "test/reference", file), "utf8");
const { rows } = JSON.parse(reference("h200-revisit-micro.json")) as { readonly rows: readonly (LapsRow & EndRow)[] };
const text = reference("h200-revisit-micro.cu");
const kernels = readCuda(text.slice(text.indexOf("typedef unsigned int uint;"), text.indexOf("// BEGIN MEASURING")));
const simulator = new LaunchSimulator(new ValidationArrays(), false);

/** Behind 512 MiB written. */
function microseconds(
  name: string,
  grid: number,
  block: number,
  dynamicSharedBytes: number,
  args: readonly ValidationArgument[],
): number {
  const { numbers } = simulator.simulate(
    {
      id: name,
      kernel: kernels.get(name)!,
      grid: [grid, 1, 1],
      block: [block, 1, 1],
      dynamicSharedBytes,
      args,
      cache: "cold",
      measured: NO_NUMBERS,
    },
    "h200",
    { clockMHz: null, timerMicroseconds: 0 },
  );
  return 1000 * (numbers.timeMs ?? Number.NaN);
}

describe("stores that come back to their sectors in laps larger than L2", () => {
  const laps = rows.filter(({ micro, n, bits }) => micro === "storeLaps" && n >= 2 ** 22 && bits >= 24);

  it.each(laps)("of every $stride th word, $n in all, of 2^$bits take as long as on the H200, within 23 %", (row) => {
    const simulated = microseconds("storeLaps", row.n / 256, 256, 0, ["B", row.stride, 2 ** row.bits - 1]);
    expect(Math.abs(simulated / row.dirtyUs - 1)).toBeLessThan(0.23);
  });
});

describe("blocks that load and end with an atomic on one word", () => {
  const ends = rows.filter(({ micro, grid, end }) => micro === "treeEnd" && grid === 65536 && end < 2);

  it.each(ends)("of $block threads, $loads loads each, end $end, take as long as on the H200, within 16 %", (row) => {
    const { block, grid, loads, end } = row;
    const simulated = microseconds("treeEnd", grid, block, block * 4, ["B", "O", loads, end, grid * block * loads]);
    expect(Math.abs(simulated / row.dirtyUs - 1)).toBeLessThan(0.16);
  });
});
