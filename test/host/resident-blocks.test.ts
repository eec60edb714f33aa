/** Blocks that wait for other blocks: all that the GPU holds at once make progress. */
import { describe, expect, it } from "vitest";
import { Gpu } from "../../src/host/gpu.js";
import type { LaunchResult } from "../../src/host/launch-result.js";
import type { LaunchSchedule } from "../../src/host/launch-schedule.js";
import { WAITING, type WaitingKernel } from "../kernels/waiting-blocks.js";

const GPUS = { "2.0": "m2070", "7.0": "v100", "9.0": "h200" } as const;
const SEEDS = Array.from({ length: 10 }, (_, k) => ({ seed: k + 1 }));

function run(
  { kernel, expected }: WaitingKernel,
  gpu: Gpu,
  grid: number,
  block: number,
  schedule: LaunchSchedule = "default",
): { readonly result: LaunchResult; readonly got: Int32Array; readonly wanted: Int32Array } {
  const values = Int32Array.from({ length: grid * block }, (_, i) => ((i * 37) % 101) - 20);
  const data = gpu.upload(values);
  const flags = gpu.upload(new Int32Array(Math.max(8, 4 * grid + 4 * block)));
  const out = gpu.upload(new Int32Array(grid * block));
  const result = gpu.launch(kernel, { grid, block, schedule }, { data, flags, out });
  const got = out.read();
  for (const buffer of [data, flags, out]) buffer.free();
  return { result, got, wanted: expected(values, grid, block) };
}

describe("a grid whose blocks wait for one another", () => {
  for (const [capability, id] of Object.entries(GPUS)) {
    const gpu = new Gpu(id, { memoryBytes: 8 << 20 });
    for (const waiting of WAITING) {
      it(`computes ${waiting.kernel.name} on ${capability}`, () => {
        for (const grid of [2, 7, 40]) {
          const { got, wanted, result } = run(waiting, gpu, grid, 64);
          expect([grid, got]).toEqual([grid, wanted]);
          expect(result.timeMs).toBeGreaterThan(0);
          expect(run(waiting, gpu, grid, 64).result.timeMs).toBe(result.timeMs);
        }
      });
      it(`computes ${waiting.kernel.name} on ${capability} under ten seeds`, () => {
        for (const schedule of SEEDS) {
          const { got, wanted } = run(waiting, gpu, 7, 64, schedule);
          expect([schedule, got]).toEqual([schedule, wanted]);
        }
      });
    }
  }
});
