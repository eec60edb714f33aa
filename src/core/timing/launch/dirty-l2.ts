/**
 * How much longer a launch takes if L2 is full of dirty data, until the launch has evicted it. The data may come from
 * other work, or from an earlier run of the launch. CUDA events show this; Nsight Compute empties the caches.
 */

import { drivenOut, OWN_DIRTY } from "../memory/l2-retention.js";
import { IDLE_DRAM, type SharesOfTime } from "./bound.js";
import type { LaunchSimulation, SimulatedLaunch } from "./launch-simulation.js";
import type { PredictInput } from "./predict-input.js";

/**
 * Limits that save simulation. If little of the launch is affected, or little of its time waits for DRAM, a long launch
 * is simulated in part. The part tells how much slower dirty data makes it. If almost nothing is affected, no
 * simulation is needed.
 */
const LITTLE_DIRTY = 0.06;
const LITTLE_HELD_UP = 0.045;
const LONG = 120_000;
const LONG_LINES = 80_000;
const LEAST_DIRTY = 0.01;

export interface BehindDirtyL2 {
  readonly cycles: number;
  /** Warp instructions simulated for this. */
  readonly simulatedWarpInstructions: number;
}

export function behindDirtyL2(
  { device, cacheState, simulateAll }: PredictInput,
  simulation: LaunchSimulation,
  clean: SimulatedLaunch,
  shares: SharesOfTime,
  linesPerSlot: number,
): BehindDirtyL2 {
  const { run, path, share, cycles } = clean;
  const { readBytes, warmShare, touched } = simulation;
  const { sizeBytes } = device.l2;
  const fetched = (path.dramReadBytes * clean.sms * touched.lineFactor) / share;
  const filled = Math.max(readBytes + touched.writtenBytes, touched.lineBytes * (1 - warmShare), fetched);
  const idle = filled === 0 || shares.dram < IDLE_DRAM || simulateAll === "gpu";
  const ownDirty = Math.min(1, (OWN_DIRTY * touched.writtenBytes) / Math.max(1, touched.lineBytes)) * (1 - warmShare);
  const out =
    drivenOut(filled, Math.max(shares.dram, shares.intoL2), sizeBytes) * (cacheState === "warm" ? ownDirty : 1);
  const dirtyPart = idle ? 0 : (out * sizeBytes) / filled;
  const heldUp = dirtyPart * shares.dram;
  if (heldUp < LEAST_DIRTY) return { cycles, simulatedWarpInstructions: 0 };
  const little = dirtyPart < LITTLE_DIRTY || heldUp < LITTLE_HELD_UP;
  const long = run.issues > LONG || run.issues * linesPerSlot > LONG_LINES;
  const dirty = simulation.dirty(clean, little && long);
  return {
    cycles: cycles + dirtyPart * (dirty.cycles - cycles),
    simulatedWarpInstructions: dirty.run.issued,
  };
}
