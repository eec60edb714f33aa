/**
 * The launches that CUDA refuses, with the error that cudaGetLastError would give. Sources: CUDA Runtime API (error codes
 * and their texts), CUDA C++ Programming Guide (limits per compute capability).
 */

import { InputError, LaunchError } from "../base/errors.js";
import { shown } from "../base/shown.js";
import { occupancy } from "./occupancy.js";
import type { OccupancySpec } from "./spec.js";

export type Extent = readonly [x: number, y: number, z: number];

export interface LaunchConfiguration {
  /** For the error's text. */
  readonly kernel: string;
  readonly grid: Extent;
  readonly block: Extent;
  /** Default 0. */
  readonly dynamicSharedBytes?: number;
  /** Default 0. */
  readonly staticSharedBytes?: number;
  /** Default 0: not checked. */
  readonly registersPerThread?: number;
  /** The size that the kernel has opted in to (cudaFuncAttributeMaxDynamicSharedMemorySize). */
  readonly dynamicSharedOptInBytes?: number;
  /** All blocks must be resident at once (cudaLaunchCooperativeKernel). */
  readonly cooperative?: boolean;
}

const AXES = ["x", "y", "z"] as const;

/** CUDA's texts (cudaGetErrorString). */
const TEXTS = {
  cudaErrorInvalidConfiguration: "invalid configuration argument",
  cudaErrorInvalidValue: "invalid argument",
  cudaErrorLaunchOutOfResources: "too many resources requested for launch",
  cudaErrorCooperativeLaunchTooLarge: "too many blocks in cooperative launch",
} as const;

function refuse(code: keyof typeof TEXTS, kernel: string, why: string, cure: string): never {
  throw new LaunchError(code, { what: `${TEXTS[code]}. Kernel ${kernel}: ${why}.`, cure });
}

function checkWhole(kernel: string, name: string, value: number): void {
  if (Number.isInteger(value) && value >= 0) return;
  throw new InputError({
    what: `Launch of kernel ${kernel}: ${name} is ${shown(value)}.`,
    cure: "Give a whole number that is not negative; Math.ceil(n / blockSize) rounds a number of blocks up.",
  });
}

function checkExtent(kernel: string, name: "grid" | "block", extent: Extent, most: Extent, gpu: string): void {
  for (const [index, axis] of AXES.entries()) {
    const value = extent[index] ?? Number.NaN;
    checkWhole(kernel, `${name}.${axis}`, value);
    if (value === 0) {
      const cure = name === "grid" ? "Launch at least one block, or skip the launch where n is 0." : "Give 1 or more.";
      refuse("cudaErrorInvalidConfiguration", kernel, `${name}.${axis} is 0 (${name} ${extent.join(" x ")})`, cure);
    }
    const limit = most[index] ?? 0;
    if (value > limit) {
      const why = `${name}.${axis} is ${value}, but ${gpu} allows ${limit}`;
      const other =
        name === "grid" ? "Use larger blocks, or a grid-stride loop" : "Use smaller blocks and a larger grid";
      refuse("cudaErrorInvalidConfiguration", kernel, why, `${other}; ${name}.${axis} may be ${limit} at most.`);
    }
  }
}

function checkShared(spec: OccupancySpec, launch: LaunchConfiguration): void {
  const { limits } = spec;
  const staticBytes = launch.staticSharedBytes ?? 0;
  const dynamicBytes = launch.dynamicSharedBytes ?? 0;
  const optIn = launch.dynamicSharedOptInBytes;
  const sum = `${staticBytes + dynamicBytes} bytes of shared memory a block (${staticBytes} static, ${dynamicBytes} dynamic)`;
  if (staticBytes > limits.sharedBytesPerBlock) {
    const why = `${staticBytes} bytes of static shared memory a block, but static arrays may take ${limits.sharedBytesPerBlock}`;
    refuse("cudaErrorInvalidValue", launch.kernel, why, "Make the arrays smaller, or use dynamic shared memory.");
  }
  if (optIn !== undefined && staticBytes + optIn > limits.sharedBytesPerBlockOptIn) {
    const why = `it opts in to ${optIn} bytes of dynamic shared memory beside ${staticBytes} static, but ${spec.name} has ${limits.sharedBytesPerBlockOptIn} for a block`;
    refuse("cudaErrorInvalidValue", launch.kernel, why, "Opt in to less.");
  }
  const limit = Math.max(limits.sharedBytesPerBlock, optIn === undefined ? 0 : staticBytes + optIn);
  if (staticBytes + dynamicBytes <= limit) return;
  const fits = staticBytes + dynamicBytes <= limits.sharedBytesPerBlockOptIn;
  refuse(
    "cudaErrorInvalidValue",
    launch.kernel,
    `${sum}, but ${limit} are allowed`,
    fits
      ? `Use less, or opt in to more by sharedOptInBytes: ${dynamicBytes} in the launch's configuration (cudaFuncAttributeMaxDynamicSharedMemorySize); ${spec.name} allows up to ${limits.sharedBytesPerBlockOptIn} so.`
      : `Use less: ${spec.name} has ${limits.sharedBytesPerBlockOptIn} bytes for a block at the most. Smaller blocks usually need less.`,
  );
}

function checkRegisters(spec: OccupancySpec, launch: LaunchConfiguration, threads: number): void {
  const { limits } = spec;
  const registersPerThread = launch.registersPerThread ?? 0;
  if (registersPerThread > limits.maxRegistersPerThread) {
    const why = `${registersPerThread} registers a thread, but ${spec.name} has ${limits.maxRegistersPerThread} for one`;
    refuse(
      "cudaErrorLaunchOutOfResources",
      launch.kernel,
      why,
      "Keep fewer values alive at once; those that nvcc can spill are in local memory already.",
    );
  }
  const resident = occupancy(spec, { threadsPerBlock: threads, registersPerThread });
  if (resident.limits.registers > 0) return;
  const why = `${threads} threads of ${registersPerThread} registers take ${resident.allocatedRegistersPerBlock} registers, but ${spec.name} has ${limits.registersPerBlock} for a block`;
  refuse("cudaErrorLaunchOutOfResources", launch.kernel, why, "Use smaller blocks, or fewer registers a thread.");
}

function checkCooperative(spec: OccupancySpec, launch: LaunchConfiguration, threads: number): void {
  const { activeBlocksPerSm } = occupancy(spec, {
    threadsPerBlock: threads,
    registersPerThread: launch.registersPerThread ?? 0,
    staticSharedBytes: launch.staticSharedBytes ?? 0,
    dynamicSharedBytes: launch.dynamicSharedBytes ?? 0,
    ...(launch.dynamicSharedOptInBytes === undefined
      ? {}
      : { dynamicSharedOptInBytes: launch.dynamicSharedOptInBytes }),
  });
  const resident = activeBlocksPerSm * spec.smCount;
  const blocks = launch.grid[0] * launch.grid[1] * launch.grid[2];
  if (blocks <= resident) return;
  const why = `a cooperative grid of ${blocks} blocks, but ${spec.name} holds ${resident} of them at once (${activeBlocksPerSm} on each of ${spec.smCount} SMs)`;
  const cure = `Launch ${resident} blocks at most, each doing more in a grid-stride loop.`;
  refuse("cudaErrorCooperativeLaunchTooLarge", launch.kernel, why, cure);
}

/**
 * Refuses a launch that CUDA would refuse on this GPU.
 * @throws LaunchError with CUDA's code: cudaErrorInvalidConfiguration (a zero or too large extent, too many threads),
 * cudaErrorInvalidValue (shared memory), cudaErrorLaunchOutOfResources (registers), cudaErrorCooperativeLaunchTooLarge.
 * @throws InputError for a number that is not whole or negative, which CUDA's types could not even hold.
 */
export function checkLaunch(spec: OccupancySpec, launch: LaunchConfiguration): void {
  const { limits } = spec;
  checkExtent(launch.kernel, "grid", launch.grid, limits.maxGridDim, spec.name);
  checkExtent(launch.kernel, "block", launch.block, limits.maxBlockDim, spec.name);
  checkWhole(launch.kernel, "dynamicSharedBytes", launch.dynamicSharedBytes ?? 0);
  checkWhole(launch.kernel, "staticSharedBytes", launch.staticSharedBytes ?? 0);
  checkWhole(launch.kernel, "registersPerThread", launch.registersPerThread ?? 0);
  checkWhole(launch.kernel, "dynamicSharedOptInBytes", launch.dynamicSharedOptInBytes ?? 0);
  const [x, y, z] = launch.block;
  const threads = x * y * z;
  if (threads > limits.maxThreadsPerBlock) {
    const why = `a block of ${launch.block.join(" x ")} = ${threads} threads, but ${spec.name} allows ${limits.maxThreadsPerBlock}`;
    const cure = `Use at most ${limits.maxThreadsPerBlock} threads a block, and more blocks.`;
    refuse("cudaErrorInvalidConfiguration", launch.kernel, why, cure);
  }
  checkShared(spec, launch);
  checkRegisters(spec, launch, threads);
  if (launch.cooperative === true) checkCooperative(spec, launch, threads);
}
