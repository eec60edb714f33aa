/** The part of an SM's memory that the driver sets aside for shared memory, and the blocks that fit in it. */
import { generationOf } from "../../device/gpus/capability.js";
import type { LaunchResult } from "../../host/launch-result.js";

/**
 * Blocks that the driver makes room for. On an H200 there was room for twice the resident blocks, and for one more than
 * one or two. Blocks without shared memory had four times the room (test/reference/h200/measured, probes and labs).
 */
function roomFor({ occupancy, device, staticSharedBytes, dynamicSharedBytes }: LaunchResult): number {
  const { activeBlocksPerSm: resident } = occupancy;
  if (!generationOf(device.computeCapability).roomForMoreBlocks) return resident;
  const most = device.limits.maxBlocksPerSm;
  if (staticSharedBytes + dynamicSharedBytes === 0) return Math.min(most, 4 * resident);
  return Math.min(most, resident > 2 ? 2 * resident : resident + 1);
}

/** Bytes: the smallest configuration with that room. Before Volta it is the largest, unless the program asks. */
export function sharedConfigurationBytes(launch: LaunchResult): number {
  const { occupancy, device } = launch;
  const { sharedCarveoutsBytes: sizes, sharedBytesPerSm: largest } = device.limits;
  if (!generationOf(device.computeCapability).fitsCarveout) return largest;
  const wanted = roomFor(launch) * occupancy.allocatedSharedBytesPerBlock;
  return sizes.find((size) => size >= wanted) ?? largest;
}

/** Blocks that fit in the configuration; those that an SM holds, where a block takes nothing of it. */
export function blocksBySharedConfiguration(launch: LaunchResult): number {
  const { allocatedSharedBytesPerBlock: each, limits } = launch.occupancy;
  return each === 0 ? limits.blocks : Math.floor(sharedConfigurationBytes(launch) / each);
}
