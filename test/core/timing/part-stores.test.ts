import { describe, expect, it } from "vitest";
import { readReference } from "../../../src/tools/accuracy/measured-table.js";
import { cleanMicroseconds, microKernels } from "./cold-launch.js";

interface Row {
  readonly kernel: string;
  readonly w: number;
  readonly h: number;
  readonly grid: readonly [number, number];
  readonly block: readonly [number, number];
  readonly cleanUs: number;
}

const { rows } = readReference("h200/micro/parts.json") as { readonly rows: readonly Row[] };
const kernels = microKernels("h200/micro/parts.cu", "typedef void");

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
      const simulated = cleanMicroseconds(kernels.get(kernel)!, [...grid, 1], [...block, 1], 0, ["F", "H", w, h]);
      expect(Math.abs(simulated / row.cleanUs - 1)).toBeLessThan(0.12);
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
  const { rows: mixed } = readReference("h200/micro/mix.json") as { readonly rows: readonly Mixed[] };
  const mixedKernels = microKernels("h200/micro/mix.cu", "typedef void");
  const chosen = mixed.filter(({ loads }) => loads >= 4);

  it.each(chosen)(
    "$micro with $loads loads takes as long as on the H200, within 10 %",
    ({ micro, loads, threads, nothingInL2Us }) => {
      const args = ["F", "H", loads, 2 ** 20 - 1] as const;
      const simulated = cleanMicroseconds(mixedKernels.get(micro)!, threads / 256, 256, 0, args);
      expect(Math.abs(simulated / nothingInL2Us - 1)).toBeLessThan(0.1);
    },
  );
});
