/** An SM's parts counted out of a GPU's numbers: schedulers, places of warps, registers, and the lanes of each unit. */
import { checkDevice } from "./check-spec.js";
import type { DeviceSpec, IssueRate } from "./spec.js";

/** The units of an SM that the timing model has. Tensor cores and texture units are not among them. */
export type SmUnitName = "int" | "fp32" | "fp64" | "sfu" | "loadStore";

/** Lanes that do the same kind of work. */
export interface SmUnit {
  readonly unit: SmUnitName;
  /** INT, FP32, FP64, SFU, LD/ST, as NVIDIA's drawings have them. */
  readonly title: string;
  /** One such unit a scheduler, or one for the whole SM. */
  readonly sharedBy: IssueRate["sharedBy"];
  readonly lanes: number;
  /** Lanes of the whole SM. */
  readonly lanesPerSm: number;
  /** Cycles of the schedulers that a warp instruction takes of it. */
  readonly cyclesPerWarp: number;
}

export interface SmParts {
  readonly schedulers: number;
  /** Warps that a scheduler chooses from, if all places are taken. */
  readonly warpsPerScheduler: number;
  readonly registersPerScheduler: number;
  /** The clock of the lanes over that of the schedulers. */
  readonly lanesClock: number;
  readonly units: readonly SmUnit[];
  /** L1 and shared memory together, where they are one memory. */
  readonly l1AndSharedBytes: number;
  /** The parts of it that shared memory can take. */
  readonly sharedCarveoutsBytes: readonly number[];
}

/** Fermi's lanes run at the shader clock, twice as fast as its schedulers. From Kepler on there is one clock. */
const LANES_CLOCK: Readonly<Record<string, number>> = { Fermi: 2 };

/**
 * The parts of one SM.
 * @example smParts(deviceById("v100")).units.map(({ title, lanesPerSm }) => `${title}: ${lanesPerSm} lanes`);
 */
export function smParts(device: DeviceSpec): SmParts {
  checkDevice(device);
  const { schedulersPerSm: schedulers, warpSize, limits, pipes, l1, architecture } = device;
  const lanesClock = LANES_CLOCK[architecture] ?? 1;
  const units: readonly (readonly [SmUnitName, string, IssueRate])[] = [
    ["int", "INT", pipes.alu],
    ["fp32", "FP32", pipes.fma],
    ["fp64", "FP64", pipes.fp64],
    ["sfu", "SFU", pipes.xu],
    ["loadStore", "LD/ST", pipes.lsu],
  ];
  return {
    schedulers,
    warpsPerScheduler: limits.maxWarpsPerSm / schedulers,
    registersPerScheduler: limits.registersPerSm / schedulers,
    lanesClock,
    units: units.map(([unit, title, { issueIntervalCycles, sharedBy }]): SmUnit => {
      const lanes = Math.max(1, Math.round(warpSize / issueIntervalCycles / lanesClock));
      const lanesPerSm = lanes * (sharedBy === "scheduler" ? schedulers : 1);
      return { unit, title, sharedBy, lanes, lanesPerSm, cyclesPerWarp: issueIntervalCycles };
    }),
    l1AndSharedBytes: l1.capacityBytes,
    sharedCarveoutsBytes: limits.sharedCarveoutsBytes,
  };
}
