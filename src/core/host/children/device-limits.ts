/** cudaDeviceSetLimit and cudaDeviceGetLimit: the limits of dynamic parallelism. */

import { InputError } from "../../base/errors.js";
import { nearest } from "../../base/nearest.js";
import { shown } from "../../base/shown.js";
import { generationOf } from "../../device/gpus/capability.js";
import type { DeviceSpec } from "../../device/index.js";

/**
 * cudaLimitDevRuntimePendingLaunchCount: grids that grids have started and that are not at their end.
 * cudaLimitDevRuntimeSyncDepth: levels of grids that may wait for their children, the host's grid is the first.
 */
export type DeviceLimit = "cudaLimitDevRuntimePendingLaunchCount" | "cudaLimitDevRuntimeSyncDepth";

const NAMES: readonly DeviceLimit[] = ["cudaLimitDevRuntimePendingLaunchCount", "cudaLimitDevRuntimeSyncDepth"];

/** CUDA's defaults (Programming Guide, dynamic parallelism). */
const DEFAULT_PENDING = 2048;
const DEFAULT_SYNC_DEPTH = 2;

/** CUDA nests no deeper, so nobody can wait deeper. */
const DEEPEST_SYNC = 24;

/** Bytes of a pending launch are not published; more than this no GPU has memory for. */
const MOST_PENDING = 1 << 24;

export class DeviceLimits {
  readonly #device: DeviceSpec;
  readonly #given: Map<DeviceLimit, number> = new Map();

  constructor(device: DeviceSpec) {
    this.#device = device;
  }

  #refuse(call: string, code: string, what: string, cure: string): never {
    throw new InputError({ what: `${code}: ${call}: ${what}.`, cure });
  }

  #check(call: string, name: DeviceLimit): void {
    if (!NAMES.includes(name)) {
      const near = nearest(typeof name === "string" ? name : "", NAMES);
      const guess = near === null ? "" : `Did you mean ${near}? `;
      this.#refuse(
        call,
        "cudaErrorInvalidValue",
        `there is no limit ${typeof name === "string" ? name : shown(name)} here`,
        `${guess}There are ${NAMES.join(" and ")}: stacks, printf and the heap of kernels have no limit here.`,
      );
    }
    const { computeCapability, dynamicParallelism, name: gpu } = this.#device;
    const { major, minor } = computeCapability;
    if (dynamicParallelism === null) {
      this.#refuse(
        call,
        "cudaErrorUnsupportedLimit",
        `${gpu} has compute capability ${major}.${minor}, and ${name} needs 3.5`,
        "Leave it out: grids launch no grids on this GPU.",
      );
    }
    if (name === "cudaLimitDevRuntimeSyncDepth" && !generationOf(computeCapability).waitsForChildren) {
      this.#refuse(
        call,
        "cudaErrorUnsupportedLimit",
        `${gpu} has compute capability ${major}.${minor}, and kernels cannot wait for child grids from 9.0 on`,
        'Leave it out, and continue in a tail launch: launch(child, { grid, block, stream: "tail" }, args).',
      );
    }
  }

  set(name: DeviceLimit, value: number): void {
    const call = "gpu.setLimit";
    this.#check(call, name);
    const most = name === "cudaLimitDevRuntimeSyncDepth" ? DEEPEST_SYNC : MOST_PENDING;
    if (!Number.isSafeInteger(value) || value < 1 || value > most) {
      this.#refuse(
        call,
        "cudaErrorInvalidValue",
        `${name} is ${shown(value)}`,
        `Give a whole number from 1 to ${most}: gpu.setLimit("${name}", ${name === "cudaLimitDevRuntimeSyncDepth" ? 4 : 4096}).`,
      );
    }
    this.#given.set(name, value);
  }

  get(name: DeviceLimit): number {
    this.#check("gpu.limit", name);
    const standard =
      name === "cudaLimitDevRuntimeSyncDepth"
        ? DEFAULT_SYNC_DEPTH
        : (this.#device.dynamicParallelism?.pendingLaunchLimit ?? DEFAULT_PENDING);
    return this.#given.get(name) ?? standard;
  }

  /**
   * Launches beyond this fail. null before 9.0: there further ones go to a slower pool in the GPU's memory, whatever the limit
   * says.
   */
  get mostPending(): number | null {
    const limit = this.#device.dynamicParallelism?.pendingLaunchLimit ?? null;
    return limit === null ? null : (this.#given.get("cudaLimitDevRuntimePendingLaunchCount") ?? limit);
  }

  /** Levels that may wait, and whether the program has set it: then a deeper wait fails. */
  get syncDepth(): { readonly levels: number; readonly given: boolean } {
    const given = this.#given.get("cudaLimitDevRuntimeSyncDepth");
    return { levels: given ?? DEFAULT_SYNC_DEPTH, given: given !== undefined };
  }
}
