/** Tiles of 32 x 32 words (32 rows of one line) of a matrix of 256 tiles a row: 1024 sectors a row, 32768 between tiles of a column. */
import { describe, expect, it } from "vitest";
import { blocksUntilBeside, costOfLinesApart } from "../../../src/timing/footprint/apart-lines.js";
import { noUse, type RootUse } from "../../../src/timing/footprint/root-use.js";

const LINE = 4;
const ROW = 1024;
const DOWN = 32 * ROW;

/** What two traced blocks of tiles have written. */
const TILES: RootUse = { ...noUse(0), distinct: 256, runs: 64, written: 256 };

/** Where blocks stand in an order of columns of `deep` tiles. */
function columnsOf(deep: number, blocks: readonly number[]): readonly (readonly [number, number])[] {
  return blocks.map((block) => [block, (block % deep) * DOWN + Math.floor(block / deep) * LINE]);
}

describe("blocks until one writes beside a block", () => {
  it("are a column of tiles, told by two neighbours in two columns", () => {
    expect(blocksUntilBeside(columnsOf(8, [0, 1, 7, 8]), DOWN, LINE, [2048, 1, 1])).toBe(8);
  });

  it("are a column of tiles, told by blocks far apart", () => {
    expect(blocksUntilBeside(columnsOf(256, [0, 1, 1000, 1001, 3000, 3001]), DOWN, LINE, [65536, 1, 1])).toBe(256);
  });

  it("are the grid's width where only blocks of one row were traced, and endless in a grid of one row", () => {
    expect(blocksUntilBeside(columnsOf(64, [0, 1, 2]), DOWN, LINE, [64, 64, 1])).toBe(64);
    expect(blocksUntilBeside(columnsOf(64, [0, 1, 2]), DOWN, LINE, [4096, 1, 1])).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("whole lines apart from each other", () => {
  const grid = [256, 256, 1] as const;
  it("cost DRAM more where those beside them are written after 1 MiB of others", () => {
    const places = columnsOf(256, [0, 1, 1000, 1001]);
    expect(costOfLinesApart(TILES, 2, places, DOWN, grid, 1.25)).toBeCloseTo(1.25, 6);
  });

  it("cost nothing more after 16 KiB, or where the next block writes beside", () => {
    expect(costOfLinesApart(TILES, 2, columnsOf(4, [0, 1, 3, 4]), DOWN, [4, 1, 1], 1.25)).toBe(1);
    expect(costOfLinesApart(TILES, 2, columnsOf(1, [0, 1, 100, 101]), LINE, grid, 1.25)).toBe(1);
  });

  it("cost less more where several lie in a row, and nothing where a block's are all one stretch", () => {
    const places = columnsOf(256, [0, 1, 1000, 1001]);
    const inPairs = costOfLinesApart({ ...TILES, runs: 32 }, 2, places, DOWN, grid, 1.25);
    expect(inPairs).toBeGreaterThan(1.1);
    expect(inPairs).toBeLessThan(1.2);
    expect(costOfLinesApart({ ...TILES, runs: 2 }, 2, places, DOWN, grid, 1.25)).toBe(1);
  });
});
