/** A GPU whose SMs run at another clock than the device file's. */
import { type DeviceChanges, modifyDevice } from "./modify.js";
import type { DeviceSpec } from "./spec.js";

/**
 * `device` with its SMs at `smClockMHz`. L2 and the dispatcher follow the SMs' clock; DRAM does not, so what a miss takes
 * beyond L2 keeps its time, not its cycles. The launch's own times are the host's and the front end's.
 */
export function atClock(device: DeviceSpec, smClockMHz: number): DeviceSpec {
  const { id, name, l2, dram, launch } = device;
  const factor = smClockMHz / device.smClockMHz;
  const changes: DeviceChanges = {
    id,
    name,
    smClockMHz,
    l2: { bandwidthGBps: l2.bandwidthGBps * factor, writeBandwidthGBps: l2.writeBandwidthGBps * factor },
    dram: { latencyCycles: l2.hitLatencyCycles + (dram.latencyCycles - l2.hitLatencyCycles) * factor },
    launch: { blockDispatchNanoseconds: launch.blockDispatchNanoseconds / factor },
  };
  return modifyDevice(device, changes);
}
