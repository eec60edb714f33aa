/** What the GPUs of a compute capability have in common beside their numbers, by name. */
import type { ComputeCapability } from "../spec.js";

export interface Generation {
  /** Each lane has a program counter of its own (Volta and later). */
  readonly independentThreads: boolean;
  /** A warp that exits frees its slot and registers; each scheduler has its own. */
  readonly warpsLeave: boolean;
  /** The driver divides the SM's memory between L1 and shared memory by the launch; else the program asks. */
  readonly fitsCarveout: boolean;
  /** The driver makes room for more blocks than are resident. */
  readonly roomForMoreBlocks: boolean;
  /** The register file has two banks, and 64-bit multiplies a unit of their own. */
  readonly twoRegisterBanks: boolean;
  /** Some integer operations run on the pipe of multiply-adds too. */
  readonly integersOnFma: boolean;
  /** The device runtime can wait for child grids. */
  readonly waitsForChildren: boolean;
  readonly cooperativeLaunch: boolean;
  /** deviceQuery reports the clock of the shaders, twice the schedulers'. */
  readonly reportsShaderClock: boolean;
  /** Each stream has a queue of its own (Hyper-Q). */
  readonly queueEachStream: boolean;
  /** The only queue checks at each launch whether the one before has ended. */
  readonly checksLaunches: boolean;
  /** The most grids that run at one time (CUDA C++ Programming Guide, technical specifications). */
  readonly residentGrids: number;
}

function residentGrids({ major, minor }: ComputeCapability): number {
  if (major < 3) return 16;
  if (major === 3 && minor < 5) return 16;
  if (major < 6 || (major === 6 && minor === 1)) return 32;
  if ((major === 6 || major === 7) && minor === 2) return 16;
  return 128;
}

export function generationOf(capability: ComputeCapability): Generation {
  const { major, minor } = capability;
  const volta = major >= 7;
  return {
    independentThreads: volta,
    warpsLeave: volta,
    fitsCarveout: volta,
    roomForMoreBlocks: major >= 9,
    twoRegisterBanks: volta,
    integersOnFma: volta,
    waitsForChildren: major < 9,
    cooperativeLaunch: major >= 6,
    reportsShaderClock: major < 3,
    queueEachStream: major > 3 || (major === 3 && minor >= 5),
    checksLaunches: major < 3 || (major === 3 && minor === 0),
    residentGrids: residentGrids(capability),
  };
}
