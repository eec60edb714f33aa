/** Kernels that are right are clean under all four sanitizers, on a GPU of each kind: no false alarm. */
import { describe, expect, it } from "vitest";
import type { Kernel } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import { programOn } from "../../../src/course/exercises/check.js";
import { exercise, exerciseIds } from "../../../src/course/exercises/exercise.js";
import { runTrial, withTrial } from "../../../src/course/exercises/trial.js";
import { ones, runVersion } from "../../../src/course/reductions/reduction-run.js";
import {
  example03Reductions,
  labReductions,
  lastWarpWithSyncwarp,
  noteReductions,
  type ReductionVersion,
  warpReductions,
} from "../../../src/course/reductions/reductions.js";
import { runReduction } from "../../../src/course/reductions/run-reduction.js";
import { sanitize } from "../../../src/index.js";
import { cleanLaunches, reducing } from "../../kernels/clean-launches.js";
import { plainAtomics } from "../../kernels/warp-examples.js";

const DEVICES = ["m2070", "v100", "h200"];
const gpus = new Map(DEVICES.map((id) => [id, new Gpu(id, { memoryBytes: 1 << 20 })]));

function told(id: string, program: (gpu: Gpu) => unknown): readonly string[] {
  const gpu = gpus.get(id)!;
  const { findings } = sanitize(() => program(gpu), { leakCheck: true, trackUnusedMemory: true });
  gpu.reset();
  return findings.map(({ tool, severity, title, places }) =>
    [tool, severity, title, ...places.map(({ text }) => text)].join(" | "),
  );
}

/** Races within a warp are notes before compute capability 7.0, and errors from there on. */
const lockstepRaces = (id: string): string => `racecheck | ${id === "m2070" ? "note" : "error"}`;

function expectOnly(id: string, found: readonly string[], lockstep: boolean): void {
  const others = lockstep ? found.filter((text) => !text.startsWith(lockstepRaces(id))) : found;
  expect([id, others]).toEqual([id, []]);
  if (lockstep) expect([id, found.length > 0]).toEqual([id, true]);
}

/** The titles of versions whose last warp counts on lockstep and volatile. */
const LOCKSTEP = /Lab 28|Unroll Warp|Multi-Element|UnrollWarps|CompleteUnroll/;

describe("the reductions of the course", () => {
  const versions: readonly ReductionVersion[] = [
    ...labReductions,
    lastWarpWithSyncwarp,
    ...example03Reductions,
    ...noteReductions,
    ...warpReductions,
  ];
  it.each(versions.map((version) => [version.title, version] as const))("are clean: %s", (title, version) => {
    for (const id of DEVICES) {
      const shuffles = version === warpReductions[1];
      if (shuffles && id === "m2070") continue;
      const found = told(id, (gpu) => reducing(version, 517, 64)(gpu, {}));
      expectOnly(id, found, version !== lastWarpWithSyncwarp && LOCKSTEP.test(title));
    }
  });

  it("are clean as a notebook runs them, their padding and sums included", () => {
    const [first] = labReductions;
    expect(told("v100", (gpu) => runVersion(gpu, first!, ones(100), { block: 64 }))).toEqual([]);
    expect(told("v100", (gpu) => runReduction(gpu, first!.kernel, 100, { block: 64 }))).toEqual([]);
    expect(told("v100", (gpu) => runReduction(gpu, plainAtomics, 100, { outputs: 1 }))).toEqual([]);
  });
});

describe("the exercises' solutions", () => {
  it.each(exerciseIds())("are clean: %s", async (id) => {
    const { answer } = (await import(`../../../labs/${id}/solution.ts`)) as { readonly answer: Kernel };
    const spec = exercise(id);
    for (const device of DEVICES) {
      if (programOn(gpus.get(device)!, answer) === null) continue;
      const tried = { n: 517, block: (spec.blocks.named[1] ?? spec.blocks.named[0])!, dataSeed: 1, traced: 0 };
      const found = told(device, (gpu) => withTrial({ gpu, spec, kernel: answer, tried }, (trial) => runTrial(trial)));
      expectOnly(device, found, false);
    }
  });
});

describe("the documents' kernels", () => {
  it.each(cleanLaunches.map((each) => [each.name, each] as const))("are clean: %s", (_, each) => {
    for (const id of each.devices)
      expectOnly(
        id,
        told(id, (gpu) => each.launch(gpu, {})),
        each.lockstep,
      );
  });
});
