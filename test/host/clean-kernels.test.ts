/**
 * Kernels that are right warn of nothing at run time, on a GPU of each kind and whatever the schedule: no false alarm. Their
 * sizes are no multiple of the block wherever the kernel compares with the size.
 */
import { describe, expect, it } from "vitest";
import { programOn } from "../../src/course/exercises/check.js";
import { exercise, exerciseIds } from "../../src/course/exercises/exercise-files.js";
import { runTrial, withTrial } from "../../src/course/exercises/trial.js";
import { inPlaceReductions } from "../../src/course/reductions/in-place-kernels.js";
import { randomInts } from "../../src/course/reductions/reduction-run.js";
import {
  example03Reductions,
  labReductions,
  lastWarpWithSyncwarp,
  type ReductionVersion,
  reductionShape,
} from "../../src/course/reductions/reductions.js";
import { f32, i32, type Kernel } from "../../src/frontend/index.js";
import type { DeviceBuffer } from "../../src/host/buffer.js";
import { Gpu } from "../../src/host/gpu.js";
import type { LaunchConfig } from "../../src/host/launch.js";
import type { LaunchResult } from "../../src/host/launch-result.js";
import * as day37 from "../kernels/day37.js";
import * as notes from "../kernels/notes.js";
import * as examples from "../kernels/warp-examples.js";

const OLD = "m2070";
const DEVICES = [OLD, "v100", "h200"];
const gpus = new Map(DEVICES.map((id) => [id, new Gpu(id, { memoryBytes: 8 << 20 })]));
const SCHEDULES: readonly NonNullable<LaunchConfig["schedule"]>[] = ["default", { seed: 1 }];

type Configured = Pick<LaunchConfig, "schedule">;
/** Launches with a schedule, on a GPU of its own memory. */
type Launching = (gpu: Gpu, configured: Configured) => LaunchResult;

/** What the run of each schedule has found, one line a warning. */
function told(id: string, launching: Launching): readonly string[] {
  const gpu = gpus.get(id)!;
  return SCHEDULES.flatMap((schedule) => {
    try {
      const { warnings } = launching(gpu, { schedule });
      return warnings.filter(({ kind }) => kind !== "compiler").map(({ message }) => message);
    } finally {
      gpu.reset();
    }
  });
}

const ints = (gpu: Gpu, n: number): DeviceBuffer<"i32"> => gpu.upload(randomInts(n));

function reducing(version: ReductionVersion, n: number, block: number): Launching {
  return (gpu, configured) => {
    const { blocks, paddedLength } = reductionShape(version, n, block);
    const type = version.element === "i32" ? i32 : f32;
    const args = { input: gpu.alloc(type, paddedLength), output: gpu.alloc(type, blocks) };
    const config = { grid: blocks, block, sharedBytes: 4 * block, ...configured };
    return gpu.launch(version.kernel, config, version.guarded ? { ...args, n } : args);
  };
}

describe("the reductions of the course", () => {
  const versions = [...labReductions, lastWarpWithSyncwarp, ...example03Reductions];
  it.each(versions.map((version) => [version.title, version] as const))("warn of nothing: %s", (_, version) => {
    for (const id of DEVICES) {
      for (const block of [64, 256])
        expect([id, block, told(id, reducing(version, 3001, block))]).toEqual([id, block, []]);
    }
  });

  it.each(inPlaceReductions.map((version) => [version.title, version] as const))(
    "in global memory warn of nothing: %s",
    (_, { kernel, dataBlocks }) => {
      const n = 2 * dataBlocks * 512;
      for (const id of DEVICES) {
        const launching: Launching = (gpu, configured) =>
          gpu.launch(
            kernel,
            { grid: 2, block: 512, ...configured },
            { input: ints(gpu, n), output: gpu.alloc(i32, 2), n },
          );
        expect([id, told(id, launching)]).toEqual([id, []]);
      }
    },
  );
});

function compilesOn(device: string, kernel: Kernel): boolean {
  return programOn(new Gpu(device), kernel) !== null;
}

describe("the exercises' solutions", () => {
  it.each(exerciseIds())("warn of nothing: %s", async (id) => {
    const { answer } = (await import(`../../labs/${id}/solution.ts`)) as { readonly answer: Kernel };
    const spec = exercise(id);
    // Of each list the GPUs that have what the solution uses; the others' launches are refused, as their own tests say.
    for (const devices of spec.devices) expect(devices.some((device) => compilesOn(device, answer))).toBe(true);
    for (const device of new Set(spec.devices.flat())) {
      if (!compilesOn(device, answer)) continue;
      const gpu = new Gpu(device, { memoryBytes: 8 << 20 });
      for (const n of [1, 257, 4097]) {
        for (const block of spec.blocks.named) {
          const tried = { n, block, dataSeed: n, traced: 0 };
          withTrial({ gpu, spec, kernel: answer, tried }, (trial) => {
            const { launch, wrong } = runTrial(trial);
            expect(launch.warnings.filter(({ kind }) => kind !== "compiler")).toEqual([]);
            expect(wrong).toBeNull();
          });
        }
      }
    }
  });
});

describe("the documents' kernels", () => {
  const sized: readonly (readonly [Kernel, block: number, grid: number])[] = [
    [examples.sharedMemoryReduction, 256, 5],
    [examples.warpShuffleReduction, 96, 12],
    [examples.multipleReductions, 256, 1],
    [examples.gridWideReduction, 256, 5],
    [examples.aggregatedAtomics, 256, 5],
    [examples.plainAtomics, 256, 5],
    [examples.cooperativeReduction, 128, 9],
  ];
  it.each(sized)("warn of nothing over 1111 elements: $name", (one, block, grid) => {
    for (const id of DEVICES) {
      if (id === OLD && one !== examples.sharedMemoryReduction && one !== examples.plainAtomics) continue;
      const launching: Launching = (gpu, configured) => {
        const args = { input: ints(gpu, 1111), output: gpu.alloc(i32, grid + 2), n: 1111 };
        return gpu.launch(one, { grid, block, ...configured }, args);
      };
      expect([id, told(id, launching)]).toEqual([id, []]);
    }
  });

  it("of one warp warn of nothing", () => {
    for (const id of DEVICES.filter((device) => device !== OLD)) {
      for (const one of [examples.singleWarpReduction, examples.shuffleUpScan]) {
        const launching: Launching = (gpu, configured) =>
          gpu.launch(one, { grid: 1, block: 32, ...configured }, { input: ints(gpu, 32), output: gpu.alloc(i32, 32) });
        expect([id, told(id, launching)]).toEqual([id, []]);
      }
      const scan: Launching = (gpu, configured) => {
        const args = { input: ints(gpu, 32), segment: gpu.alloc(i32, 32), output: gpu.alloc(i32, 32) };
        return gpu.launch(examples.segmentedScan, { grid: 1, block: 32, ...configured }, args);
      };
      expect([id, told(id, scan)]).toEqual([id, []]);
      const floats: Launching = (gpu, configured) => {
        const args = { input: gpu.alloc(f32, 96), output: gpu.alloc(f32, 3) };
        return gpu.launch(day37.warpReductionExample, { grid: 1, block: 96, ...configured }, args);
      };
      expect([id, told(id, floats)]).toEqual([id, []]);
    }
  });

  const pairs: readonly (readonly [Kernel, dataBlocks: number])[] = [
    [notes.neighbored, 1],
    [notes.neighboredImproved, 1],
    [notes.interleaved, 1],
    [notes.unrollingBlocks2, 2],
    [notes.unrollingBlocks4, 4],
    [notes.warpUnrolling, 1],
    [notes.completeUnrolling, 1],
  ];
  it.each(pairs)("warn of nothing over whole blocks: $name", (one, dataBlocks) => {
    const size = 5 * 128 * dataBlocks;
    for (const id of DEVICES) {
      const launching: Launching = (gpu, configured) =>
        gpu.launch(
          one,
          { grid: 5, block: 128, ...configured },
          { input: ints(gpu, size), temp: gpu.alloc(i32, 5), size },
        );
      expect([id, told(id, launching)]).toEqual([id, []]);
    }
  });
});
