/** The rules of a GPU's queues, by its compute capability and copy engines. */
import { generationOf } from "../../device/gpus/capability.js";
import type { DeviceSpec } from "../../device/index.js";
import type { Engine } from "./operation.js";

export interface StreamRules {
  /** The most grids that run at one time. */
  readonly residentGrids: number;
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

export function streamRules({ computeCapability, transfers }: DeviceSpec): StreamRules {
  const { queueEachStream, checksLaunches, residentGrids } = generationOf(computeCapability);
  const oneCopyEngine = transfers.copyEngines < 2;
  return {
    residentGrids,
    checksLaunches,
    // Programming Guide, overlapping behavior: with one engine, a copy from the host waits for a copy to it issued before.
    inOrder: (engine) => !queueEachStream || (oneCopyEngine && engine !== "SMs"),
    copyQueue: (engine) => (oneCopyEngine ? "copies" : engine),
    bothWaysFraction: transfers.bothWaysFraction,
  };
}
