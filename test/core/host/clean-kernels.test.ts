/**
 * Kernels that are right warn of nothing at run time, on a GPU of each kind and whatever the schedule: no false alarm. Their
 * sizes are no multiple of the block wherever the kernel compares with the size.
 */
import { describe, expect, it } from "vitest";
import { i32, type Kernel } from "../../../src/core/frontend/index.js";
import type { DeviceBuffer } from "../../../src/core/host/buffer.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";
import type { LaunchResult } from "../../../src/core/host/launch-result.js";
import { programOn } from "../../../src/course/exercises/check.js";
import { exercise, exerciseIds } from "../../../src/course/exercises/exercise.js";
import { runTrial, withTrial } from "../../../src/course/exercises/trial.js";
import { inPlaceReductions } from "../../../src/course/reductions/in-place-kernels.js";
import { randomInts } from "../../../src/course/reductions/reduction-run.js";
import { example03Reductions, labReductions, lastWarpWithSyncwarp } from "../../../src/course/reductions/reductions.js";
import { cleanLaunches, reducing } from "../../kernels/clean-launches.js";

const DEVICES = ["m2070", "v100", "h200"];
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
    const { answer } = (await import(`../../../labs/${id}/solution.ts`)) as { readonly answer: Kernel };
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
  it.each(cleanLaunches.map((each) => [each.name, each] as const))("warn of nothing: %s", (_, { devices, launch }) => {
    for (const id of devices) expect([id, told(id, launch)]).toEqual([id, []]);
  });
});
