import { describe, expect, it } from "vitest";
import { areInNoOrder, type BlockPlace, lapSectors } from "../../../../src/core/timing/footprint/laps.js";
import { readReference } from "../../../../src/tools/accuracy/measured-table.js";
import { coldMicroseconds, microKernels } from "../cold-launch.js";

interface Row {
  readonly micro: string;
  readonly MiB: number;
  readonly stride: number;
  readonly coldUs: number;
}

const { rows } = readReference("h200/micro/lanes.json") as { readonly rows: readonly Row[] };
const kernels = microKernels("h200/micro/lanes.cu", "// ---- end ----");
const WORDS_PER_MIB = 2 ** 18;

describe("an array that blocks read in laps", () => {
  const beyondL2 = rows.filter(({ micro, MiB }) => micro === "wrap" && MiB > 60);

  it.each(beyondL2)("of $MiB MiB, every $stride th word, is read as slowly as on the H200, within 12 %", (row) => {
    const words = row.MiB * WORDS_PER_MIB;
    const simulated = coldMicroseconds(kernels.get("wrapRead")!, words / 512, 256, 0, [
      "B",
      "Z",
      row.stride,
      words - 1,
    ]);
    expect(Math.abs(simulated / row.coldUs - 1)).toBeLessThan(0.12);
  });
});

/** First sectors of blocks that advance by `shift` sectors and start again after `lap`. */
function inLaps(blocks: readonly number[], shift: number, lap: number): readonly BlockPlace[] {
  return blocks.map((block) => [block, (block * shift) % lap]);
}

describe("where blocks begin", () => {
  const blocks = [0, 1, 1489, 1490, 2979, 2980, 7446, 7447, 8192];

  it("tells the sectors of a lap", () => {
    expect(lapSectors(inLaps(blocks, 288, 2 ** 21), 288, 1_763_488)).toBe(2 ** 21);
  });

  it("tells them of laps backwards", () => {
    const backwards = inLaps(blocks, 288, 2 ** 21).map(([block, sector]): BlockPlace => [block, -sector]);
    expect(lapSectors(backwards, -288, 1_763_488)).toBe(2 ** 21);
  });

  it("tells no lap where blocks go on to the end once", () => {
    expect(lapSectors(inLaps(blocks, 288, 2 ** 30), 288, 8192 * 288)).toBeNull();
  });

  it("tells no lap where each second block goes on by less, as at the ends of rows", () => {
    const rows = blocks.map((block): BlockPlace => [block, Math.floor(block / 2) * 163 + (block % 2) * 128]);
    expect(lapSectors(rows, 128, 8192 * 82)).toBeNull();
  });
});

describe("the order of blocks", () => {
  const blocks = [0, 1, 745, 746, 1490, 1491, 2978, 2979, 4095];
  const reversed = (bits: number) => (block: number) =>
    [...block.toString(2).padStart(bits, "0")].reduceRight((number, bit) => 2 * number + Number(bit), 0);
  const at = (place: (block: number) => number): readonly BlockPlace[] => blocks.map((block) => [block, place(block)]);

  it("is none where a block's number is read backwards", () => {
    expect(areInNoOrder(at(reversed(12)), 4096)).toBe(true);
  });

  it("is one where each lies behind the one before", () => {
    expect(
      areInNoOrder(
        at((block) => 128 * block),
        4096,
      ),
    ).toBe(false);
  });

  it("is one where rows of blocks lie elsewhere than what follows a row", () => {
    expect(
      areInNoOrder(
        at((block) => 2 ** 16 * (block % 64) + 4 * Math.floor(block / 64)),
        64,
      ),
    ).toBe(false);
  });

  it("is one where blocks write as much as they have found, more or less", () => {
    expect(
      areInNoOrder(
        at((block) => 64 * block + ((block * 37) % 48)),
        4096,
      ),
    ).toBe(false);
  });
});
