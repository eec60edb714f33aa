/** Finds the resource that bounds a launch, from how busy each shared resource is. */
import type { DeviceSpec } from "../../device/spec.js";
import { PIPE_NAMES, type PipeName } from "../base/pipe-names.js";
import type { MemoryPath } from "../memory/memory-path.js";
import type { SmRun } from "../sm/sm-run.js";
import type { Bound } from "./launch-time.js";

/** Share of the time for which each shared resource is busy. */
export type SharesOfTime = Readonly<Record<"dram" | "l2" | "intoL2" | "issue" | "pipe", number>>;

export function boundShares(
  device: DeviceSpec,
  run: SmRun,
  path: MemoryPath,
  activeSms: number,
  dramFraction: number,
): SharesOfTime {
  const cycles = Math.max(1, run.cycles);
  const perSecond = (bytes: number): number => (bytes / cycles) * (device.smClockMHz / 1000) * activeSms;
  return {
    dram: perSecond(path.dramReadBytes + path.dramWriteBytes) / (device.dram.peakBandwidthGBps * dramFraction),
    l2: perSecond(path.l2ReadSectors * 32) / device.l2.bandwidthGBps,
    intoL2: path.comeInCycles / cycles,
    issue: run.issued / (cycles * device.schedulersPerSm * device.issueWidthPerScheduler),
    pipe: Math.max(...busyShares(device, run)),
  };
}

/** Share of the time that each pipe is busy. */
function busyShares(device: DeviceSpec, run: SmRun): readonly number[] {
  return PIPE_NAMES.map((name, index) => {
    const units = device.pipes[name]?.sharedBy === "sm" ? 1 : device.schedulersPerSm;
    return run.pipeBusyCycles[index]! / (Math.max(1, run.cycles) * units);
  });
}

export function busiestPipe(device: DeviceSpec, run: SmRun): PipeName {
  const shares = busyShares(device, run);
  return PIPE_NAMES.reduce((most, name, index) => (shares[index]! > shares[PIPE_NAMES.indexOf(most)]! ? name : most));
}

/** A resource that is busy for this share of the time bounds the launch. */
const BINDING_SHARE = 0.75;
/** Below this share of DRAM's time a dirty L2 does not slow the launch. */
export const IDLE_DRAM = 0.02;

export function boundOf(device: DeviceSpec, shares: SharesOfTime, interval: number, activeSms: number): Bound {
  const dispatch = (device.launch.blockDispatchNanoseconds * device.smClockMHz * activeSms) / 1000 / interval;
  const all: readonly (readonly [Bound, number])[] = [
    ["dispatch", dispatch],
    ["dram", shares.dram],
    ["l2", shares.l2],
    ["issue", shares.issue],
    ["pipe", shares.pipe],
  ];
  const [bound, share] = all.reduce((most, entry) => (entry[1] > most[1] ? entry : most));
  return share >= BINDING_SHARE ? bound : "latency";
}
