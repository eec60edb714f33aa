/** The room of an SM for a launch: blocks, warps, and the L1 that shared memory leaves. */
import { generationOf } from "../../device/gpus/capability.js";
import type { Occupancy } from "../../device/occupancy.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { SmInput } from "./sm-run.js";

/**
 * The size of L1 after the shared memory carveout. Since Volta, the driver chooses the smallest carveout that fits the
 * resident blocks. Before Volta, it chooses the largest one, unless the program asks for a larger L1.
 */
export function l1Bytes(device: DeviceSpec, { activeBlocksPerSm, allocatedSharedBytesPerBlock }: Occupancy): number {
  const { fitsCarveout } = generationOf(device.computeCapability);
  if (!fitsCarveout) return Math.max(0, device.l1.capacityBytes - device.limits.sharedBytesPerSm);
  const needed = activeBlocksPerSm * allocatedSharedBytesPerBlock;
  const carveout =
    device.limits.sharedCarveoutsBytes.find((bytes) => bytes >= needed) ?? device.limits.sharedBytesPerSm;
  return Math.max(0, device.l1.capacityBytes - carveout);
}

/** The number of blocks and warps that an SM can hold; `resident` is the number of blocks in the first wave. */
export function roomOnSm(
  device: DeviceSpec,
  { limits, allocatedRegistersPerBlock }: Occupancy,
  warpsPerBlock: number,
  resident: number,
): Pick<SmInput, "mostBlocks" | "warpsPerScheduler" | "warpsLeave"> {
  const { schedulersPerSm, limits: most } = device;
  // Each warp that exits frees its slot (`warp-slots.ts`).
  const { warpsLeave } = generationOf(device.computeCapability);
  if (!warpsLeave) {
    return {
      mostBlocks: resident,
      warpsPerScheduler: Math.ceil((resident * warpsPerBlock) / schedulersPerSm),
      warpsLeave,
    };
  }
  const perWarp = Math.max(1, allocatedRegistersPerBlock / warpsPerBlock);
  return {
    mostBlocks: Math.min(limits.sharedMemory, limits.blocks, limits.barriers),
    warpsPerScheduler: Math.min(
      Math.floor(most.maxWarpsPerSm / schedulersPerSm),
      Math.floor(most.registersPerSm / schedulersPerSm / perWarp),
    ),
    warpsLeave,
  };
}
