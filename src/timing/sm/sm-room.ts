/** What an SM holds of a launch: blocks, warps, and the L1 that shared memory leaves. */
import type { Occupancy } from "../../device/occupancy.js";
import type { DeviceSpec } from "../../device/spec.js";
import type { SmInput } from "./sm-run.js";

/**
 * Shared memory that the driver sets aside: since Volta the least that holds the resident blocks, before it the most
 * unless the program asks for a larger L1. L1 has the rest.
 */
export function l1Bytes(device: DeviceSpec, { activeBlocksPerSm, allocatedSharedBytesPerBlock }: Occupancy): number {
  if (device.computeCapability.major < 7) return Math.max(0, device.l1.capacityBytes - device.limits.sharedBytesPerSm);
  const needed = activeBlocksPerSm * allocatedSharedBytesPerBlock;
  const carveout =
    device.limits.sharedCarveoutsBytes.find((bytes) => bytes >= needed) ?? device.limits.sharedBytesPerSm;
  return Math.max(0, device.l1.capacityBytes - carveout);
}

/** From Volta on the schedulers have their own slots and registers, which warps leave one by one (warp-slots.ts). */
const WARPS_LEAVE_SINCE = 7;

/** What else than the first round's `resident` blocks an SM can hold. */
export function roomOnSm(
  device: DeviceSpec,
  { limits, allocatedRegistersPerBlock }: Occupancy,
  warpsPerBlock: number,
  resident: number,
): Pick<SmInput, "mostBlocks" | "warpsPerScheduler" | "warpsLeave"> {
  const { schedulersPerSm, limits: most } = device;
  const warpsLeave = device.computeCapability.major >= WARPS_LEAVE_SINCE;
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
