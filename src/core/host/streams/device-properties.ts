/** A GPU's numbers by the names of cudaDeviceProp, as cudaGetDeviceProperties and deviceQuery give them. */
import { generationOf } from "../../device/gpus/capability.js";
import type { DeviceSpec } from "../../device/index.js";

/** Clocks are in kHz and sizes in bytes, as in CUDA. */
export interface DeviceProperties {
  readonly name: string;
  /** Compute capability. */
  readonly major: number;
  readonly minor: number;
  readonly totalGlobalMem: number;
  readonly multiProcessorCount: number;
  readonly warpSize: number;
  readonly clockRate: number;
  readonly memoryClockRate: number;
  /** Bits. */
  readonly memoryBusWidth: number;
  readonly l2CacheSize: number;
  readonly maxThreadsPerBlock: number;
  readonly maxThreadsDim: readonly [x: number, y: number, z: number];
  readonly maxGridSize: readonly [x: number, y: number, z: number];
  readonly maxThreadsPerMultiProcessor: number;
  readonly maxBlocksPerMultiProcessor: number;
  readonly regsPerBlock: number;
  readonly regsPerMultiprocessor: number;
  readonly sharedMemPerBlock: number;
  readonly sharedMemPerBlockOptin: number;
  readonly sharedMemPerMultiprocessor: number;
  readonly reservedSharedMemPerBlock: number;
  readonly totalConstMem: number;
  /** Copies that run beside kernels: 1 one way at a time, 2 and more both ways. */
  readonly asyncEngineCount: number;
  /** 1: kernels of different streams run together. */
  readonly concurrentKernels: 0 | 1;
  /** 1: grids that wait for one another (cudaLaunchCooperativeKernel). */
  readonly cooperativeLaunch: 0 | 1;
  /** 1: page-locked memory has an address on the GPU. */
  readonly unifiedAddressing: 0 | 1;
}

const CONSTANT_BYTES = 65536;

/** The memory transfers on both edges of its clock. */
function memoryClockKHz({ dram }: DeviceSpec): number {
  return Math.round((dram.peakBandwidthGBps * 1e6) / ((2 * dram.busWidthBits) / 8));
}

export function deviceProperties(device: DeviceSpec): DeviceProperties {
  const { limits, computeCapability } = device;
  const generation = generationOf(computeCapability);
  return {
    name: device.name,
    major: computeCapability.major,
    minor: computeCapability.minor,
    totalGlobalMem: limits.totalGlobalMemBytes,
    multiProcessorCount: device.smCount,
    warpSize: device.warpSize,
    // On Fermi deviceQuery reports the shader clock, twice that of the schedulers.
    clockRate: device.smClockMHz * 1e3 * (generation.reportsShaderClock ? 2 : 1),
    memoryClockRate: memoryClockKHz(device),
    memoryBusWidth: device.dram.busWidthBits,
    l2CacheSize: device.l2.sizeBytes,
    maxThreadsPerBlock: limits.maxThreadsPerBlock,
    maxThreadsDim: limits.maxBlockDim,
    maxGridSize: limits.maxGridDim,
    maxThreadsPerMultiProcessor: limits.maxThreadsPerSm,
    maxBlocksPerMultiProcessor: limits.maxBlocksPerSm,
    regsPerBlock: limits.registersPerBlock,
    regsPerMultiprocessor: limits.registersPerSm,
    sharedMemPerBlock: limits.sharedBytesPerBlock,
    sharedMemPerBlockOptin: limits.sharedBytesPerBlockOptIn,
    sharedMemPerMultiprocessor: limits.sharedBytesPerSm,
    reservedSharedMemPerBlock: limits.sharedReservedBytesPerBlock,
    totalConstMem: CONSTANT_BYTES,
    asyncEngineCount: device.transfers.copyEngines,
    concurrentKernels: 1,
    cooperativeLaunch: generation.cooperativeLaunch ? 1 : 0,
    unifiedAddressing: 1,
  };
}
