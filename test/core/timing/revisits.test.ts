import { describe, expect, it } from "vitest";
import { readReference } from "../../../src/tools/accuracy/measured-table.js";
import { coldMicroseconds, microKernels } from "./cold-launch.js";

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

const { rows } = readReference("h200/micro/revisit.json") as { readonly rows: readonly (LapsRow & EndRow)[] };
const kernels = microKernels("h200/micro/revisit.cu", "// BEGIN MEASURING");

describe("stores that come back to their sectors in laps larger than L2", () => {
  const laps = rows.filter(({ micro, n, bits }) => micro === "storeLaps" && n >= 2 ** 22 && bits >= 24);

  it.each(laps)("of every $stride th word, $n in all, of 2^$bits take as long as on the H200, within 23 %", (row) => {
    const simulated = coldMicroseconds(kernels.get("storeLaps")!, row.n / 256, 256, 0, [
      "B",
      row.stride,
      2 ** row.bits - 1,
    ]);
    expect(Math.abs(simulated / row.dirtyUs - 1)).toBeLessThan(0.23);
  });
});

describe("blocks that load and end with an atomic on one word", () => {
  const ends = rows.filter(({ micro, grid, end }) => micro === "treeEnd" && grid === 65536 && end < 2);

  it.each(ends)("of $block threads, $loads loads each, end $end, take as long as on the H200, within 16 %", (row) => {
    const { block, grid, loads, end } = row;
    const simulated = coldMicroseconds(kernels.get("treeEnd")!, grid, block, block * 4, [
      "B",
      "O",
      loads,
      end,
      grid * block * loads,
    ]);
    expect(Math.abs(simulated / row.dirtyUs - 1)).toBeLessThan(0.16);
  });
});
