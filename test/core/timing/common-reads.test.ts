import { describe, expect, it } from "vitest";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { readReference } from "../../../src/tools/accuracy/measured-table.js";
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
}

const { rows } = readReference("h200/micro/together.json") as { readonly rows: readonly Row[] };
const kernels = microKernels("h200/micro/together.cu", "// BEGIN MEASURING");

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
