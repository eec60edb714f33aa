/** A shuffle's width that only the launch tells: CUDA defines 1, 2, 4, 8, 16 and 32. */
import { describe, expect, it } from "vitest";
import { Gpu, i32, kernel, ptr, sanitize, shfl_sync, shfl_xor_sync, threadIdx } from "../../../src/index.js";

const PARAMS = { o: ptr(i32), width: i32 };
const moves = kernel("moves", PARAMS, ({ o, width }) => {
  o[threadIdx.x] = shfl_sync(0xffffffff, i32(threadIdx.x), 1, width) + shfl_xor_sync(0xffffffff, 0, 1, width);
});

describe.each(["v100", "h200"] as const)("on %s a shuffle's width at run time", (device) => {
  const launch = (width: number, way: object) => {
    const gpu = new Gpu(device);
    const o = gpu.alloc(i32, 32);
    const { warnings } = gpu.launch(moves, { grid: 1, block: 32, ...way }, { o, width });
    return { warnings: warnings.map(({ kind }) => kind), values: [...o.read()] };
  };
  const WAYS = [{}, { debug: true }, { schedule: { seed: 1 } }];

  it("of a power of two works without a word", () => {
    for (const way of WAYS) {
      for (const width of [2, 4, 8, 16, 32]) {
        const { warnings, values } = launch(width, way);
        expect(warnings).toEqual([]);
        expect(values).toEqual(Array.from({ length: 32 }, (_, lane) => lane - (lane % width) + 1));
      }
    }
  });

  it("of any other number is warned of, and gives garbage with a seed", () => {
    for (const width of [0, 3, 12, 24, 33, -2]) {
      for (const way of WAYS) expect(launch(width, way).warnings).toEqual(["shuffle-width"]);
      const [one, other] = [1, 2].map((seed) => launch(width, { schedule: { seed } }).values);
      expect(one).not.toEqual(other);
    }
  });

  it("of any other number is a finding of synccheck", () => {
    const { findings } = sanitize(() => launch(12, {}));
    expect(findings.map(({ tool, title }) => `${tool}: ${title}`)).toEqual([
      "synccheck: Barrier error detected. Shuffle of a width that is no power of two",
    ]);
  });
});
