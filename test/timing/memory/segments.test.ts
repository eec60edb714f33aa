/** Counters that blocks following each other add to: test/reference/h200/micro/segments.json. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readReference } from "../../../src/accuracy/measured-table.js";
import { readCuda } from "../../../src/frontend/cuda/read-cuda.js";
import { liveSectors } from "../../../src/timing/memory/segments.js";
import { coldMicroseconds } from "../cold-launch.js";

interface Row {
  readonly kernel: string;
  readonly a: number;
  readonly b: number;
  readonly grid: number;
  readonly block: number;
  readonly dirtyUs: number;
}

const { rows } = readReference("h200/micro/segments.json") as { readonly rows: readonly Row[] };
const kernels = readCuda(readFileSync(new URL("../../reference/h200/micro/segments.cu", import.meta.url), "utf8"));

describe("counters of segments", () => {
  const long = rows.filter(({ grid, block, a, b }) => grid === 65536 && block === 256 && a >= 14 && b === 0);

  it.each(long.filter(({ kernel }) => kernel.startsWith("warpAdds")))(
    "added to by each warp ($kernel), one for 2^$a threads, take as long as on the H200, within an eighth",
    ({ kernel, a, b, grid, block, dirtyUs }) => {
      const arrays = kernel.endsWith("Float") ? (["F", "H"] as const) : (["I", "O"] as const);
      const simulated = coldMicroseconds(kernels.get(kernel)!, grid, block, 0, [...arrays, a, b]);
      expect(Math.abs(simulated / dirtyUs - 1)).toBeLessThan(1 / 8);
    },
  );

  it("are those that resident blocks are at where blocks come to them in order, and none else", () => {
    const inOrder = [0, 1, 100, 101, 200, 201, 300, 301].map((block) => [block, Math.floor(block / 50)] as const);
    expect(liveSectors(inOrder, 1, 50, 1056)).toBeCloseTo(21.1, 1);
    expect(liveSectors([...inOrder, [400, 3]], 1, 50, 1056)).toBe(0);
    expect(liveSectors(inOrder, 1, 1.5, 1056)).toBe(0);
    expect(liveSectors(inOrder, 1, 50, 4000)).toBe(0);
    expect(liveSectors(inOrder.slice(0, 5), 1, 50, 1056)).toBe(0);
  });
});
