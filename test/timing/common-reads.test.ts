import { describe, expect, it } from "vitest";
import { readReference } from "../../src/accuracy/measured-table.js";
import { readCuda } from "../../src/frontend/cuda/read-cuda.js";
import { coldMicroseconds, coldNumbers, loadsFound, microKernels } from "./cold-launch.js";

interface Row {
  readonly micro: string;
  readonly block: number;
  readonly grid: number;
  readonly loads: number;
  readonly words: number;
  readonly shift: number;
  readonly own: number;
  readonly repeatedUs: number;
  readonly dirtyUs: number;
  readonly sectorsToL1: number;
  readonly loadSectors: number;
}

const { rows } = readReference("h200/micro/together.json") as { readonly rows: readonly Row[] };
const kernels = microKernels("h200/micro/together.cu", "// BEGIN MEASURING");

describe("words at random of what all blocks read", () => {
  const gathers = rows.filter(({ micro, words }) => micro === "gatherWords" && words < 2 ** 19);
  const launched = ({ words, block }: Row): Parameters<typeof coldNumbers> => [
    kernels.get("gatherWords")!,
    2 ** 22 / block,
    block,
    0,
    ["R", "F", "H", words - 1],
  ];

  it.each(gathers)("are found in L1 as often as on the H200, within an eighth: $words, blocks of $block", (row) => {
    const share = loadsFound(coldNumbers(...launched(row)));
    expect(Math.abs(share - (1 - row.sectorsToL1 / row.loadSectors))).toBeLessThan(0.125);
  });

  it.each(gathers)("come as fast as on the H200, within 16 %: $words, blocks of $block", (row) => {
    expect(Math.abs(coldMicroseconds(...launched(row)) / row.dirtyUs - 1)).toBeLessThan(0.16);
  });
});

describe("blocks that end with an atomic on one word", () => {
  const ends = rows.filter(
    ({ micro, block, grid, loads }) => /^treeEnd(Int|Float)$/.test(micro) && grid < 65536 && block * loads < 1024,
  );

  it.each(ends)(
    "take as long as on the H200, within 14 %: $micro, $grid of $block threads, $loads loads each",
    (row) => {
      const data = row.micro === "treeEndInt" ? "I" : "F";
      const { grid, block, loads, dirtyUs } = row;
      const simulated = coldMicroseconds(kernels.get(row.micro)!, grid, block, block * 4, [data, "cnt", loads]);
      expect(Math.abs(simulated / dirtyUs - 1)).toBeLessThan(0.14);
    },
  );

  it("leave their SM before L2 has added up what they sent", () => {
    const { cyclesActive, timeMs } = coldNumbers(kernels.get("treeEndFloat")!, 8192, 64, 256, ["F", "cnt", 1]);
    const longest = 1980 * 1000 * (timeMs ?? Number.NaN);
    expect(cyclesActive ?? Number.NaN).toBeLessThan(longest / 2);
  });
});

describe("what all blocks read at the same time for the first time", () => {
  const words = 2 ** 18;
  const measured = (own: number): number =>
    rows.find(({ micro, block, grid, own: each, shift }) => {
      return micro === "together" && block === 128 && grid === 66 && each === own && shift === 0;
    })?.repeatedUs ?? Number.NaN;

  it("waits for DRAM on every SM, though one has it read: longer than the H200 from L2, no longer than words of its own", () => {
    const simulated = coldMicroseconds(kernels.get("together")!, 66, 128, 0, ["B", "H", words, 0, 0]);
    expect(simulated).toBeGreaterThan(1.4 * measured(0));
    expect(simulated).toBeLessThan(measured(words));
  });
});

describe("a block's own words that are among those that all blocks read", () => {
  const OWN_THEN_ALL = `#define K extern "C" __global__ void
K ownThenAll(const int *p, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = p[i];
  for (int k = 0; k < n; k++) v = max(v, p[k] ^ v);
  out[i] = v;
}`;

  it("are no help to the blocks that stand for the grid: each brings its own, and an SM's all the common ones", () => {
    const kernel = readCuda(OWN_THEN_ALL).get("ownThenAll")!;
    const [grid, block, words, sms] = [528, 64, 512, 132];
    const sectorsAWord = 4 / 32;
    const missed = block * sectorsAWord + (words * sectorsAWord * sms) / grid;
    const loaded = block * sectorsAWord + (block / 32) * words;
    const found = loadsFound(coldNumbers(kernel, grid, block, 0, ["I", "O", words]));
    expect(Math.abs(found - (1 - missed / loaded))).toBeLessThan(0.003);
  });
});

describe("what each block reads of all blocks before it", () => {
  const LOOK_BACK = `#define K extern "C" __global__ void
K lookBack(const int *sums, int *out, int n) {
  int v = 0;
  for (int b = (int)blockIdx.x - 1 - (int)threadIdx.x; b >= 0; b -= 32) v += sums[b];
  out[blockIdx.x * blockDim.x + threadIdx.x] = v;
}`;

  it("is brought once by all the blocks of an SM, though each begins with sums that those before it do not read", () => {
    const kernel = readCuda(LOOK_BACK).get("lookBack")!;
    const [grid, block, sms] = [8192, 32, 132];
    // A request reads 128 bytes, four sectors of them, at a line's beginning.
    const loaded = (4 * grid * grid) / (2 * block);
    const missed = (sms * grid * 4) / 32;
    const found = loadsFound(coldNumbers(kernel, grid, block, 0, ["P", "O", 0]));
    expect(Math.abs(found - (1 - missed / loaded))).toBeLessThan(0.06);
  });
});
