/** Strided reads that wrap around, against an H200's counts (h200/micro/wraps.json). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readCuda } from "../../../../src/core/frontend/cuda/read-cuda.js";
import { roomIn } from "../../../../src/core/timing/footprint/lattice.js";
import { readReference } from "../../../../src/tools/accuracy/measured-table.js";
import { coldNumbers } from "../cold-launch.js";

interface Row {
  readonly kernel: string;
  readonly stride: number;
  readonly words: number;
  readonly grid: number;
  readonly block: number;
  readonly coldUs: number;
  readonly dramBytesRead: number;
}

const { rows } = readReference("h200/micro/wraps.json") as { readonly rows: readonly Row[] };
const kernels = readCuda(readFileSync(new URL("../../../reference/h200/micro/wraps.cu", import.meta.url), "utf8"));

/** Passes that advance by more than a sector return to it only after L2 has evicted it. */
const MOVING_ON = new Set([48, 520]);
const wraps = rows.filter(({ kernel, stride }) => kernel === "readWrap" && !MOVING_ON.has(stride));

describe("reads at equal distances that come round to the beginning", () => {
  it.each(wraps)(
    "bring what an H200 brings, within a third or a MB: stride $stride of $words words, blocks of $block",
    (row) => {
      const args = ["F", "H", row.stride, row.words] as const;
      const { dramBytesRead } = coldNumbers(kernels.get("readWrap")!, row.grid, row.block, 0, args);
      const off = Math.abs((dramBytesRead ?? Number.NaN) - row.dramBytesRead);
      expect(off).toBeLessThan(Math.max(1e6, row.dramBytesRead / 3));
    },
  );
});

describe("the room of a lattice", () => {
  it("is its places in each period, in pieces those that they lie in", () => {
    expect(roomIn({ period: 125, stretch: 1, apart: false }, 1250, 1)).toBe(10);
    expect(roomIn({ period: 125, stretch: 25, apart: false }, 1250, 1)).toBe(250);
    expect(roomIn({ period: 125, stretch: 25, apart: false }, 1250, 2)).toBe(130);
    expect(roomIn({ period: 50, stretch: 4, apart: true }, 500, 2)).toBe(40);
    expect(roomIn({ period: 1, stretch: 1, apart: false }, 500, 2)).toBe(250);
  });
});
