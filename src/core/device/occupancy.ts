/**
 * NVIDIA's occupancy calculation: how many blocks of a launch an SM holds at a time, and what keeps it from holding
 * more. The rules are those of cuda_occupancy.h (CUDA 13.0; for compute capability 2.x of CUDA 7.0); what differs from
 * GPU to GPU is data in `LaunchLimits`.
 */

import { InputError } from "../base/errors.js";
import { checkOptions, type Fields, optional, whole } from "../base/shape.js";
import { checkOccupancySpec } from "./check-spec.js";
import type { OccupancySpec } from "./spec.js";

export interface OccupancyInput {
  readonly threadsPerBlock: number;
  readonly registersPerThread: number;
  /** Default 0. */
  readonly staticSharedBytes?: number;
  /** Default 0. */
  readonly dynamicSharedBytes?: number;
  /** Block barriers the kernel uses; default 1, as NVIDIA's calculator. */
  readonly barriers?: number;
  /** The kernel has opted in to this much dynamic shared memory (cudaFuncAttributeMaxDynamicSharedMemorySize). */
  readonly dynamicSharedOptInBytes?: number;
  /** Shared memory that the SM is set to, one of `limits.sharedCarveoutsBytes`; default the largest. */
  readonly sharedCarveoutBytes?: number;
}

export type LimitingFactor = "warps" | "registers" | "shared" | "blocks" | "barriers";

/** Blocks an SM could hold by one resource alone; `unlimitedBlocks` where the launch takes none of it. */
export interface BlockLimits {
  readonly registers: number;
  readonly sharedMemory: number;
  readonly warps: number;
  readonly blocks: number;
  readonly barriers: number;
}

export interface Occupancy {
  /** 0: the launch does not fit on this GPU. */
  readonly activeBlocksPerSm: number;
  readonly activeWarpsPerSm: number;
  /** Active warps over the most an SM can hold, 0..1. */
  readonly theoreticalOccupancy: number;
  readonly limits: BlockLimits;
  /** All that limit to `activeBlocksPerSm`, in the order warps, registers, shared, blocks, barriers. */
  readonly limitingFactors: readonly LimitingFactor[];
  /** The registers that a block really takes, rounded up to allocation units. */
  readonly allocatedRegistersPerBlock: number;
  readonly allocatedSharedBytesPerBlock: number;
}

/** The limit by a resource that a launch does not use, as NVIDIA's calculator gives it (INT_MAX). */
export const unlimitedBlocks = 2147483647;

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit;
}

/** Registers that a warp takes: allocation units, twice as large for some counts on Fermi. */
function registersPerWarp(spec: OccupancySpec, registersPerThread: number): number {
  const { limits } = spec;
  const factor = limits.doubleUnitRegisterCounts.includes(registersPerThread) ? 2 : 1;
  return roundUp(registersPerThread * spec.warpSize, limits.registerAllocationUnit * factor);
}

/** From compute capability 7.0 NVIDIA's calculator lets 256 registers a thread pass, though kernels have 255 at most. */
function maxCalculatedRegisters(spec: OccupancySpec): number {
  const { maxRegistersPerThread } = spec.limits;
  return spec.computeCapability.major >= 7 && maxRegistersPerThread === 255 ? 256 : maxRegistersPerThread;
}

function blocksByRegisters(spec: OccupancySpec, perWarp: number, warpsPerBlock: number, perThread: number): number {
  const { limits } = spec;
  // The hardware's check takes it that a block's warps stand in all parts of the register file alike.
  const assumed = perWarp * roundUp(warpsPerBlock, limits.registerFileParts);
  if (assumed > limits.registersPerBlock || perThread > maxCalculatedRegisters(spec)) return 0;
  if (perWarp === 0) return unlimitedBlocks;
  const warpsPerPart = Math.floor(limits.registersPerSm / limits.registerFileParts / perWarp);
  return Math.floor((warpsPerPart * limits.registerFileParts) / warpsPerBlock);
}

/** Shared memory a block may take, what the system reserves included. */
function sharedLimitPerBlock(spec: OccupancySpec, input: OccupancyInput): number {
  const { limits } = spec;
  const optIn = input.dynamicSharedOptInBytes;
  const base =
    optIn !== undefined && (input.staticSharedBytes ?? 0) + optIn > limits.sharedBytesPerBlock
      ? limits.sharedBytesPerBlockOptIn
      : limits.sharedBytesPerBlock;
  return base + limits.sharedReservedBytesPerBlock;
}

function blocksByShared(spec: OccupancySpec, input: OccupancyInput, allocated: number): number {
  const { limits } = spec;
  const optIn = input.dynamicSharedOptInBytes;
  if (allocated > sharedLimitPerBlock(spec, input)) return 0;
  if (optIn !== undefined && (input.dynamicSharedBytes ?? 0) > optIn) return 0;
  if (allocated === 0) return unlimitedBlocks;
  const wanted = input.sharedCarveoutBytes ?? limits.sharedBytesPerSm;
  // A carve-out in which not even one block fits is raised to the next in which one does.
  const carveout = limits.sharedCarveoutsBytes.find((size) => size >= Math.max(wanted, allocated));
  return Math.floor((carveout ?? limits.sharedBytesPerSm) / allocated);
}

function checkCarveout(spec: OccupancySpec, carveout: number | undefined): void {
  if (carveout === undefined || spec.limits.sharedCarveoutsBytes.includes(carveout)) return;
  throw new InputError({
    what: `Occupancy: ${spec.name} cannot set ${carveout} bytes of an SM aside for shared memory.`,
    cure: `Give sharedCarveoutBytes one of ${spec.limits.sharedCarveoutsBytes.join(", ")}.`,
  });
}

const OCCUPANCY: Fields<OccupancyInput> = {
  threadsPerBlock: whole(1),
  registersPerThread: whole(0),
  staticSharedBytes: optional(whole(0)),
  dynamicSharedBytes: optional(whole(0)),
  barriers: optional(whole(0)),
  dynamicSharedOptInBytes: optional(whole(0)),
  sharedCarveoutBytes: optional(whole(0)),
};

/**
 * The occupancy of a launch. A launch that does not fit has 0 active blocks; `checkLaunch` says why in CUDA's words.
 * @throws InputError for a number that is not whole or negative.
 */
export function occupancy(spec: OccupancySpec, input: OccupancyInput): Occupancy {
  checkOccupancySpec(spec);
  checkOptions("occupancy", input, OCCUPANCY);
  checkCarveout(spec, input.sharedCarveoutBytes);
  const { limits } = spec;
  const warpsPerBlock = Math.ceil(input.threadsPerBlock / spec.warpSize);
  const perWarp = registersPerWarp(spec, input.registersPerThread);
  const allocatedShared = roundUp(
    (input.staticSharedBytes ?? 0) + (input.dynamicSharedBytes ?? 0) + limits.sharedReservedBytesPerBlock,
    limits.sharedAllocationUnitBytes,
  );
  const barriers = input.barriers ?? 1;
  const by: BlockLimits = {
    registers: blocksByRegisters(spec, perWarp, warpsPerBlock, input.registersPerThread),
    sharedMemory: blocksByShared(spec, input, allocatedShared),
    warps: input.threadsPerBlock > limits.maxThreadsPerBlock ? 0 : Math.floor(limits.maxWarpsPerSm / warpsPerBlock),
    blocks: limits.maxBlocksPerSm,
    barriers:
      limits.barriersPerSm === null || barriers === 0 ? unlimitedBlocks : Math.floor(limits.barriersPerSm / barriers),
  };
  const active = Math.min(by.registers, by.sharedMemory, by.warps, by.blocks, by.barriers);
  const factors: readonly (readonly [LimitingFactor, number])[] = [
    ["warps", by.warps],
    ["registers", by.registers],
    ["shared", by.sharedMemory],
    ["blocks", by.blocks],
    ["barriers", by.barriers],
  ];
  const activeWarps = active * warpsPerBlock;
  return {
    activeBlocksPerSm: active,
    activeWarpsPerSm: activeWarps,
    theoreticalOccupancy: activeWarps / limits.maxWarpsPerSm,
    limits: by,
    limitingFactors: factors.filter(([, limit]) => limit === active).map(([factor]) => factor),
    allocatedRegistersPerBlock: perWarp * warpsPerBlock,
    allocatedSharedBytesPerBlock: allocatedShared,
  };
}

/** The occupancy of a program's launch that has opted in to the dynamic shared memory that it uses. */
export function occupancyOfLaunch(
  spec: OccupancySpec,
  launch: {
    readonly program: { readonly registersPerThread: number; readonly staticSharedBytes: number };
    readonly block: readonly number[];
    readonly dynamicSharedBytes: number;
  },
): Occupancy {
  const { program, block, dynamicSharedBytes } = launch;
  return occupancy(spec, {
    threadsPerBlock: block.reduce((product, extent) => product * extent, 1),
    registersPerThread: program.registersPerThread,
    staticSharedBytes: program.staticSharedBytes,
    dynamicSharedBytes,
    dynamicSharedOptInBytes: dynamicSharedBytes,
  });
}
