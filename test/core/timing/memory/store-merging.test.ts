import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { missedAtRandom } from "../../../../src/core/timing/memory/random-reuse.js";
import { StoreMerging } from "../../../../src/core/timing/memory/store-merging.js";
import { courseRoot } from "../../../../src/node/course-root.js";

interface Row {
  readonly kernel: string;
  readonly a: number;
  readonly c: number;
  readonly grid: readonly number[];
  readonly block: readonly [number, number];
  readonly ncu?: { readonly l2WriteRequests: number; readonly l2WriteSectors: number; readonly dramReadMB: number };
}

const { rows } = JSON.parse(readFileSync(join(courseRoot(), "test/reference/h200/micro/pattern.json"), "utf8")) as {
  readonly rows: readonly Row[];
};

/** Lines and sectors per store of a launch with `stores` stores a thread. */
function measured(row: Row, stores: number): { readonly lines: number; readonly sectors: number } {
  const requests = (row.grid[0]! * row.grid[1]! * row.block[0] * row.block[1] * stores) / 32;
  return { lines: row.ncu!.l2WriteRequests / requests, sectors: row.ncu!.l2WriteSectors / requests };
}

function columns(width: number, height: number): { readonly lines: number; readonly sectors: number } {
  const row = rows.find(
    ({ kernel, c, block, ncu }) =>
      kernel === "columnsWrite" && c === 2048 && block[0] === width && block[1] === height && ncu !== undefined,
  )!;
  return measured(row, 1);
}

/**
 * The mean request of blocks of width x height threads, one after the other, where each thread stores a word of a
 * column.
 */
function simulated(width: number, height: number): { readonly lines: number; readonly sectors: number } {
  const merging = new StoreMerging();
  const rowsPerWarp = 32 / width;
  let lines = 0;
  let sectors = 0;
  let requests = 0;
  for (let block = 0; block < 64; block++) {
    for (let warp = 0; warp < height / rowsPerWarp; warp++, requests++) {
      if (merging.begin(width, width, 128, 0, 0)) {
        for (let x = 0; x < width; x++) {
          merging.take(block * 4096 + x * 64, 1 << Math.floor((warp * rowsPerWarp) / 8), width, requests * 64, -1);
        }
      }
      lines += merging.lines;
      sectors += merging.sectors;
    }
  }
  return { lines: lines / requests, sectors: sectors / requests };
}

describe("stores to one line", () => {
  it("leave the SM as one where eight warps of a block write the same 8 lines", () => {
    expect(simulated(8, 32).lines).toBeCloseTo(columns(8, 32).lines, 1);
    expect(simulated(8, 32).sectors).toBeCloseTo(columns(8, 32).sectors, 0);
  });

  it("merge in part where they go to 16 lines", () => {
    expect(simulated(16, 16).lines / columns(16, 16).lines).toBeGreaterThan(0.8);
    expect(simulated(16, 16).lines / columns(16, 16).lines).toBeLessThan(1.2);
  });

  it("do not merge where they go to 32 lines", () => {
    expect(simulated(32, 8)).toEqual({ lines: 32, sectors: 32 });
    expect(columns(32, 8).lines).toBeGreaterThan(31.9);
  });

  it("of one warp in a row fill each other's gaps whatever came between", () => {
    const merging = new StoreMerging();
    const warps = 30;
    let sent = 0;
    for (let store = 0; store < 2; store++) {
      for (let warp = 0; warp < warps; warp++) {
        merging.begin(1, 4, 128, 0, 0);
        merging.take(warp * 7, 15, 1, warp * 100 + store, warp * 100 + store + 1);
        sent += merging.sectors;
      }
    }
    const row = rows.find(({ kernel, a, ncu }) => kernel === "structStore2" && a === 2 && ncu !== undefined)!;
    // Both stores of a warp name the same 8 sectors.
    expect(sent / (2 * 4 * warps)).toBeCloseTo(measured(row, 2).sectors / 8, 1);
  });
});

describe("random loads", () => {
  it("find their data driven out as often as an H200's, by what DRAM reads", () => {
    for (const words of [2 ** 23, 2 ** 24]) {
      const row = rows.find(({ kernel, a }) => kernel === "randomLoad" && a === words)!;
      const bytes = 4 * words;
      const pieces = bytes / 64;
      // Each burst is fetched once, by one in 16 loads.
      const read = pieces + (words - pieces) * missedAtRandom(bytes, 0, 62914560);
      expect((read * 64) / 1e6 / row.ncu!.dramReadMB).toBeGreaterThan(0.5);
      expect((read * 64) / 1e6 / row.ncu!.dramReadMB).toBeLessThan(1.2);
    }
  });
});
