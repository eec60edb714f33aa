/** Tiles of 32 x 32 words whose rows begin one word into a sector: 32 rows of five sectors, of which the first and the last are written in part. */
import { describe, expect, it } from "vitest";
import { noUse, type RootUse } from "../../../src/timing/footprint/root-use.js";
import { costOfSplitSectors } from "../../../src/timing/footprint/split-sectors.js";

const ROW = 1024;
const DOWN = 32 * ROW;
const GRID = [256, 256, 1] as const;
/** What such a sector costs where its other part comes late, against a whole one. */
const LATE = 6.5;

/** What two traced blocks have written. */
const TILES: RootUse = { ...noUse(0), distinct: 320, runs: 64, written: 320, stored: 2 * 4096 };

/** Where blocks stand in an order of columns of `deep` tiles. */
function columnsOf(deep: number, blocks: readonly number[]): readonly (readonly [number, number])[] {
  return blocks.map((block) => [block, (block % deep) * DOWN + Math.floor(block / deep) * 4]);
}

describe("sectors of which two blocks write a part", () => {
  const far = columnsOf(256, [0, 1, 1000, 1001]);
  it("cost DRAM five and a half more each where a column of tiles lies between the parts", () => {
    const cost = costOfSplitSectors(TILES, 2, far, DOWN, GRID, false, LATE);
    expect(cost).toBeCloseTo(5.5 * (64 / 320), 6);
  });

  it("cost less where the next block writes the other part, the least where none waits for what it reads", () => {
    const next = columnsOf(1, [0, 1, 100, 101]);
    const alone = costOfSplitSectors(TILES, 2, next, 4, GRID, false, LATE);
    const behindReads = costOfSplitSectors(TILES, 2, next, 4, GRID, true, LATE);
    expect(alone).toBeCloseTo(0.3 * 1.1, 6);
    expect(behindReads).toBeCloseTo(0.6 * 1.1, 6);
  });

  it("cost nothing where rows are whole sectors, or were read before, or the device has no such cost", () => {
    const whole = { ...TILES, written: 256, distinct: 256 };
    expect(costOfSplitSectors(whole, 2, far, DOWN, GRID, false, LATE)).toBe(0);
    expect(costOfSplitSectors({ ...TILES, readFirst: 320 }, 2, far, DOWN, GRID, false, LATE)).toBe(0);
    expect(costOfSplitSectors(TILES, 2, far, DOWN, GRID, false, 1)).toBe(0);
  });

  it("are none where stretches are shorter than two sectors, or stores leave gaps anywhere", () => {
    const words = { ...TILES, runs: 320, stored: 320 * 4 };
    expect(costOfSplitSectors(words, 2, far, DOWN, GRID, false, LATE)).toBe(0);
    expect(costOfSplitSectors({ ...TILES, runs: 16 }, 2, far, DOWN, GRID, false, LATE)).toBe(0);
  });
});
