/** The time that operations take alone: kernels by their predicted time, copies by the rates of the GPU's link and memory. */
import type { DeviceSpec } from "../../device/index.js";
import type { CopyActivity, MemsetActivity } from "../activity.js";
import type { LaunchResult } from "../launch-result.js";
import type { Demands, Engine, KernelPhase, OperationCost } from "./operation.js";

const NO_DEMANDS: Demands = { dram: 0, l2: 0, issue: 0 };

/** Microseconds of so many bytes at 10^9 bytes a second. */
function transferMicroseconds(bytes: number, gigabytesPerSecond: number): number {
  return bytes / (gigabytesPerSecond * 1e3);
}

/**
 * Whole rounds fill all places for blocks, the last one what is left. A kernel's predicted time is that of all rounds, each as
 * long as the others.
 */
function kernelPhases(rounds: number, microseconds: number): readonly KernelPhase[] {
  const whole = Math.floor(rounds);
  const rest = rounds - whole;
  const each = microseconds / Math.ceil(rounds);
  return [
    ...(whole > 0 ? [{ share: 1, microseconds: whole * each }] : []),
    ...(rest > 0 ? [{ share: rest, microseconds: each }] : []),
  ];
}

/** A kernel with its child grids; the lead is what two events around it measure beyond the kernel's own time. */
export function kernelCost(launch: LaunchResult): OperationCost {
  const { device, grid, occupancy, time, timeMs, children } = launch;
  const { peakBandwidthGBps, achievableReadFraction, achievableWriteFraction } = device.dram;
  const own = time.durationMicroseconds;
  const microseconds = own + (children?.timeMs ?? 0) * 1e3;
  const places = device.smCount * Math.max(1, occupancy.activeBlocksPerSm);
  const dramMicroseconds =
    transferMicroseconds(time.dramBytesRead, peakBandwidthGBps * achievableReadFraction) +
    transferMicroseconds(time.dramBytesWritten, peakBandwidthGBps * achievableWriteFraction);
  const share = own / microseconds;
  return {
    leadMicroseconds: Math.max(0, timeMs * 1e3 - microseconds),
    phases: kernelPhases((grid[0] * grid[1] * grid[2]) / places, microseconds),
    demands: {
      dram: Math.min(1, dramMicroseconds / microseconds),
      l2: Math.min(1, (time.l2BusyPercent / 100) * share),
      issue: Math.min(1, (Math.max(time.pipeBusyPercent, time.issueSlotUtilizationPercent) / 100) * share),
    },
  };
}

function onePhase(microseconds: number, dram: number): OperationCost {
  return { leadMicroseconds: 0, phases: [{ share: 1, microseconds }], demands: { ...NO_DEMANDS, dram } };
}

/** A copy between host and GPU, or within the GPU's memory, where each byte is read and written. */
export function copyCost(device: DeviceSpec, { way, host, bytes }: CopyActivity): OperationCost {
  const { dram, transfers } = device;
  if (way === "DtoD") {
    const streaming = transferMicroseconds(2 * bytes, dram.peakBandwidthGBps * dram.achievableCopyFraction);
    const all = transfers.deviceCopyMicroseconds + streaming;
    return onePhase(all, streaming / all);
  }
  const pinned = host === "pinned";
  const rate =
    way === "HtoD"
      ? pinned
        ? transfers.hostToDeviceGBps
        : transfers.pageableHostToDeviceGBps
      : pinned
        ? transfers.deviceToHostGBps
        : transfers.pageableDeviceToHostGBps;
  const fixed = pinned ? transfers.copyMicroseconds : transfers.pageableCopyMicroseconds;
  const all = fixed + transferMicroseconds(bytes, rate);
  return onePhase(all, transferMicroseconds(bytes, dram.peakBandwidthGBps) / all);
}

export function memsetCost(device: DeviceSpec, { bytes }: MemsetActivity): OperationCost {
  const { dram, transfers } = device;
  const streaming = transferMicroseconds(bytes, dram.peakBandwidthGBps * dram.achievableWriteFraction);
  const all = transfers.memsetMicroseconds + streaming;
  return onePhase(all, streaming / all);
}

/** Copies within the GPU's memory and memsets run on the SMs. */
export function engineOf({ way }: Pick<CopyActivity, "way">): Engine {
  return way === "DtoD" ? "SMs" : way;
}
