/** The input of a prediction, and the check that it is consistent. */
import { InputError } from "../../base/errors.js";
import { checkDevice } from "../../device/check-spec.js";
import { type Occupancy, occupancyOfLaunch } from "../../device/occupancy.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { BlockWork, Dim3, RawCounters } from "../../engine/engine.js";
import type { Program } from "../../lower/program.js";
import type { LaunchTraces } from "../trace/trace.js";
import type { BusySm } from "./block-schedule.js";

export interface PredictInput {
  readonly device: DeviceSpec;
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly dynamicSharedBytes: number;
  readonly traces: LaunchTraces;
  /** Exact counters of the whole grid, to check the sample against. */
  readonly counters?: RawCounters;
  /** Warp instructions of each block of the grid, where they are known. */
  readonly work?: BlockWork;
  /** If blocks differ, the SMs that may be done last, if they were already derived from `work`. */
  readonly lastSms?: readonly BusySm[];
  /** cold: caches hold nothing of the launch's data. warm: L2 holds what fits of it. */
  readonly cacheState: "cold" | "warm";
  /**
   * Simulates all blocks of one SM, or of the GPU (whose blocks must all be traced), instead of extrapolating. It
   * serves to measure the error of the sampling.
   */
  readonly simulateAll?: "sm" | "gpu";
  /**
   * Warp instructions after which no further blocks are simulated, if enough waves of blocks are done; default 160 000.
   */
  readonly instructionBudget?: number;
}

/** The launch's shape on the GPU. */
export interface LaunchShape {
  readonly gridBlocks: number;
  readonly warpsPerBlock: number;
  /** SMs that have blocks. */
  readonly activeSms: number;
  readonly occupancy: Occupancy;
}

function blocksOf(dim: Dim3): number {
  return dim[0] * dim[1] * dim[2];
}

/** @throws InputError for an impossible device (by field), traces of another launch, or blocks that fit on no SM. */
export function launchShape(input: PredictInput): LaunchShape {
  const { device } = input;
  const gridBlocks = blocksOf(input.grid);
  const warpsPerBlock = Math.ceil(blocksOf(input.block) / device.warpSize);
  checkDevice(device);
  checkTraces(input.traces, gridBlocks, warpsPerBlock);
  const occupancy = occupancyOfLaunch(device, input);
  if (occupancy.activeBlocksPerSm === 0) {
    throw new InputError({
      what: `predictLaunch: no block of the launch fits on ${device.name} (limited by ${occupancy.limitingFactors.join(", ")})`,
      cure: "use smaller blocks, less shared memory or fewer registers",
    });
  }
  return { gridBlocks, warpsPerBlock, activeSms: Math.min(gridBlocks, device.smCount), occupancy };
}

function checkTraces({ blocks }: LaunchTraces, gridBlocks: number, warpsPerBlock: number): void {
  if (blocks.length === 0) {
    throw new InputError({
      what: "predictLaunch: traces.blocks is empty",
      cure: "run the blocks of sampleBlocks(...) in the reference engine with a TraceRecorder",
    });
  }
  for (const trace of blocks) {
    if (trace.warps !== warpsPerBlock || trace.block < 0 || trace.block >= gridBlocks) {
      throw new InputError({
        what: `predictLaunch: traces.blocks has block ${trace.block} with ${trace.warps} warps, but the launch has ${gridBlocks} blocks of ${warpsPerBlock} warps`,
        cure: "give traces of this launch",
      });
    }
  }
}
