/** Reductions by child grids: results, and the time of the one whose launches an H200 was measured with. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KernelFault } from "../../../src/core/base/errors.js";
import { i32 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { nested, nestedGrids, nestedNoWait } from "../../kernels/nested.js";

const BLOCKS = 64;
const SPAN = 512;
const data = Int32Array.from({ length: BLOCKS * SPAN }, (_, index) => (Math.imul(index, 0x9e3779b1) >> 8) + index);
const sums = Array.from({ length: BLOCKS }, (_, block) =>
  data.subarray(block * SPAN, (block + 1) * SPAN).reduce((sum, value) => (sum + value) | 0, 0),
);

interface Row {
  readonly micro?: string;
  readonly limit?: number;
  readonly ms?: number;
  readonly failed?: number;
}
const { rows } = JSON.parse(readFileSync(new URL("../../reference/h200/micro/cdp.json", import.meta.url), "utf8")) as {
  readonly rows: readonly Row[];
};
const measured = (name: string): Row => rows.find(({ micro, limit }) => micro === name && limit === 2048)!;

function ran(device: string, run: (gpu: Gpu) => LaunchResult): LaunchResult {
  return run(new Gpu(device, { memoryBytes: 64 << 20 }));
}

describe("each block's sum", () => {
  it("is right where every level waits for the next", () => {
    const gpu = new Gpu("v100", { memoryBytes: 16 << 20 });
    const output = gpu.alloc(i32, BLOCKS);
    const { children } = gpu.launch(
      nested,
      { grid: BLOCKS, block: SPAN },
      { input: gpu.upload(data), output, size: SPAN },
    );
    expect([...output.read()]).toEqual(sums);
    expect(children?.count).toBe(BLOCKS * 8);
  });
  it("is right where the first warp launches without waiting, on either device runtime", () => {
    for (const device of ["v100", "h200"]) {
      const gpu = new Gpu(device, { memoryBytes: 16 << 20 });
      const output = gpu.alloc(i32, BLOCKS);
      gpu.launch(nestedNoWait, { grid: BLOCKS, block: SPAN }, { input: gpu.upload(data), output, size: SPAN });
      expect([...output.read()], device).toEqual(sums);
    }
  });
  it("is right where one grid a level works for all blocks", () => {
    const gpu = new Gpu("h200", { memoryBytes: 16 << 20 });
    const output = gpu.alloc(i32, BLOCKS);
    const { children } = gpu.launch(
      nestedGrids,
      { grid: BLOCKS, block: SPAN / 2 },
      { input: gpu.upload(data), output, half: SPAN / 2, span: SPAN },
    );
    expect([...output.read()]).toEqual(sums);
    expect(children?.count).toBe(8);
    expect(children?.bound).toBe("chain");
  });
});

interface PublishedRow {
  readonly version: string;
  readonly time_ms: number;
}
const publishedOnV100 = (
  JSON.parse(readFileSync(new URL("../../reference/published/reductions.json", import.meta.url), "utf8")) as {
    readonly id: string;
    readonly rows: readonly PublishedRow[];
  }[]
).find(({ id }) => id === "v100-nested")!.rows;

describe("over 2^20 values on a V100, whose costs of child grids come from other GPUs", () => {
  const published = (version: string): number => publishedOnV100.find((row) => row.version === version)!.time_ms;
  const within = (version: string, result: LaunchResult): void => {
    expect(Math.abs(result.timeMs / published(version) - 1)).toBeLessThan(0.25);
  };
  const blockSums =
    (kernel: typeof nested) =>
    (gpu: Gpu): LaunchResult => {
      const input = gpu.upload(new Int32Array(1 << 20).fill(1));
      return gpu.launch(kernel, { grid: 2048, block: 512 }, { input, output: gpu.alloc(i32, 2048), size: 512 });
    };
  it("16,384 grids whose launching blocks wait take the published 33.2 ms, within 25 %", () => {
    within("gpu nested", ran("v100", blockSums(nested)));
  });
  it("16,384 grids without waits take the published 12.5 ms, within 25 %", () => {
    within("gpu nested nosync", ran("v100", blockSums(nestedNoWait)));
  });
  it("one grid a level, 8 in all, takes the published 0.74 ms, within 25 %", () => {
    const result = ran("v100", (gpu) => {
      const input = gpu.upload(new Int32Array(1 << 20).fill(1));
      const output = gpu.alloc(i32, 2048);
      return gpu.launch(nestedGrids, { grid: 2048, block: 256 }, { input, output, half: 256, span: 512 });
    });
    within("gpu nested2", result);
  });
});

interface NestedRow {
  readonly blocks: number;
  readonly block: number;
  readonly ms: number;
}
const onGpu = JSON.parse(readFileSync(new URL("../../reference/h200/micro/nested.json", import.meta.url), "utf8")) as {
  readonly rows: readonly NestedRow[];
};

describe("the reduction that launches without waiting, as its CUDA text ran on an H200", () => {
  for (const { blocks, block, ms } of onGpu.rows) {
    it(`takes ${ms} ms for ${blocks} blocks of ${block}, within 35 %`, () => {
      const result = ran("h200", (gpu) => {
        const input = gpu.upload(new Int32Array(blocks * block).fill(1));
        const output = gpu.alloc(i32, blocks);
        return gpu.launch(nestedNoWait, { grid: blocks, block }, { input, output, size: block });
      });
      expect(Math.abs(result.timeMs / ms - 1)).toBeLessThan(0.35);
    });
  }
});

describe("over 2^20 values in 2048 blocks, as the H200 was measured", () => {
  it("one grid a level takes the measured time, within 15 %", () => {
    const result = ran("h200", (gpu) => {
      const input = gpu.upload(new Int32Array(1 << 20).fill(1));
      const output = gpu.alloc(i32, 2048);
      return gpu.launch(nestedGrids, { grid: 2048, block: 256 }, { input, output, half: 256, span: 512 });
    });
    expect(Math.abs(result.timeMs / measured("nested2").ms! - 1)).toBeLessThan(0.15);
  });
  it("a grid for every block and level does not fit into the pool of launches", () => {
    expect(measured("nested_nosync").failed).toBeGreaterThan(0);
    const launch = (): LaunchResult =>
      ran("h200", (gpu) => {
        const input = gpu.upload(new Int32Array(1 << 20).fill(1));
        const output = gpu.alloc(i32, 2048);
        return gpu.launch(nestedNoWait, { grid: 2048, block: 512 }, { input, output, size: 512 });
      });
    expect(launch).toThrow(KernelFault);
    expect(launch).toThrow(/cudaErrorLaunchPendingCountExceeded/);
  });
});
