/** The rules of a GPU's queues, by its compute capability and copy engines. */
import type { ComputeCapability, DeviceSpec } from "../../device/index.js";
import type { Engine } from "./operation.js";

export interface StreamRules {
  readonly computeCapability: ComputeCapability;
  /**
   * Before Hyper-Q (up to 3.0), from the Programming Guide: an operation behind a launch in its stream checks whether that
   * has ended. It begins when all blocks of all earlier launches have begun, and later launches wait for the checked one.
   */
  readonly checksLaunches: boolean;
  /** An engine takes its operations in the order of the calls, though a later one may be ready first. */
  readonly inOrder: (engine: Engine) => boolean;
  /** Engines of one queue do one copy at a time. */
  readonly copyQueue: (engine: Engine) => string;
  /** Share of its speed that a copy keeps while one in the other direction runs. */
  readonly bothWaysFraction: number;
}

const HYPER_Q_FROM = 3.5;
const LAST_TO_CHECK_LAUNCHES = 3;

/** Programming Guide, technical specifications: the most grids that run at one time. */
export function residentGrids({ major, minor }: ComputeCapability): number {
  if (major < 3) return 16;
  if (major === 3 && minor < 5) return 16;
  if (major < 6 || (major === 6 && minor === 1)) return 32;
  if ((major === 6 || major === 7) && minor === 2) return 16;
  return 128;
}

export function streamRules({ computeCapability, transfers }: DeviceSpec): StreamRules {
  const capability = computeCapability.major + computeCapability.minor / 10;
  const oneCopyEngine = transfers.copyEngines < 2;
  const oneQueue = capability < HYPER_Q_FROM;
  return {
    computeCapability,
    checksLaunches: capability <= LAST_TO_CHECK_LAUNCHES,
    // Programming Guide, overlapping behavior: with one engine, a copy from the host waits for a copy to it issued before.
    inOrder: (engine) => oneQueue || (oneCopyEngine && engine !== "SMs"),
    copyQueue: (engine) => (oneCopyEngine ? "copies" : engine),
    bothWaysFraction: transfers.bothWaysFraction,
  };
}
