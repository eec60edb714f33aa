/**
 * A GPU as the simulator knows it: one object of plain numbers with the unit in each name, and their sources beside them.
 *
 * `OccupancySpec` decides which launches fit and how many blocks are resident. `DeviceSpec` adds the numbers of the timing
 * model. Cycles are cycles of `smClockMHz` everywhere.
 */
import type { Sources } from "./source.js";

/** The limits of a launch, and the resources of an SM that blocks share. */
export interface LaunchLimits {
  readonly maxThreadsPerBlock: number;
  /** Largest blockDim along x, y, z. */
  readonly maxBlockDim: readonly [x: number, y: number, z: number];
  /** Largest gridDim along x, y, z. */
  readonly maxGridDim: readonly [x: number, y: number, z: number];
  readonly maxThreadsPerSm: number;
  readonly maxWarpsPerSm: number;
  readonly maxBlocksPerSm: number;
  /** 32-bit registers. */
  readonly registersPerSm: number;
  readonly registersPerBlock: number;
  readonly maxRegistersPerThread: number;
  /** Registers are given to a warp in multiples of this. */
  readonly registerAllocationUnit: number;
  /** Registers a thread for which the unit is twice as large (Fermi); empty elsewhere. */
  readonly doubleUnitRegisterCounts: readonly number[];
  /** The register file stands in this many equal parts, and a warp lives in one of them. */
  readonly registerFileParts: number;
  readonly sharedBytesPerSm: number;
  /** Static and dynamic shared memory together, unless the kernel opts in to more. */
  readonly sharedBytesPerBlock: number;
  /** The most dynamic shared memory that a kernel can opt in to (cudaFuncAttributeMaxDynamicSharedMemorySize). */
  readonly sharedBytesPerBlockOptIn: number;
  /** Taken by the system from the SM's shared memory for each block. */
  readonly sharedReservedBytesPerBlock: number;
  readonly sharedAllocationUnitBytes: number;
  /** Sizes that the SM's shared memory can be set to, ascending. */
  readonly sharedCarveoutsBytes: readonly number[];
  /** Block barriers an SM has; null where NVIDIA's calculator sets no limit. */
  readonly barriersPerSm: number | null;
  readonly totalGlobalMemBytes: number;
}

export interface ComputeCapability {
  readonly major: number;
  readonly minor: number;
}

export interface OccupancyNumbers {
  readonly computeCapability: ComputeCapability;
  readonly smCount: number;
  readonly warpSize: number;
  readonly limits: LaunchLimits;
}

/** A GPU as far as occupancy and launch limits go. */
export interface OccupancySpec extends OccupancyNumbers {
  /** Lower case, as `deviceById` takes it. */
  readonly id: string;
  readonly name: string;
  /** NVIDIA's name of the architecture, such as Volta. */
  readonly architecture: string;
  /** The die, such as GV100. */
  readonly codename: string;
  readonly sources: Sources<OccupancyNumbers>;
}

/** How often a pipe takes a warp instruction. */
export interface IssueRate {
  /** Cycles that one warp instruction occupies the pipe. */
  readonly issueIntervalCycles: number;
  /** Each scheduler (sub-partition) has one such pipe, or the schedulers of an SM share one. */
  readonly sharedBy: "scheduler" | "sm";
}

export interface PipeSpec extends IssueRate {
  /** From the issue of an instruction to the issue of one that needs its result. */
  readonly latencyCycles: number;
}

export interface BranchSpec extends PipeSpec {
  /** From the issue of a compare to the issue of a branch or exit that needs its predicate. */
  readonly predicateLatencyCycles: number;
}

/**
 * The execution pipes, by the names of the lowered program's `Pipe`. `match` and `redux` are apart for their rates.
 * null: the GPU has no such pipe, and its kernels no such instructions.
 */
export interface Pipes {
  /** Integer add, logic, shift, compare, min/max, select. */
  readonly alu: PipeSpec;
  /** fp32 add, multiply, fma. */
  readonly fma: PipeSpec;
  /** Integer multiply-add. */
  readonly imad: PipeSpec;
  readonly fp64: PipeSpec;
  /** Reciprocal, sine and the like, conversions, popc. */
  readonly xu: PipeSpec;
  /** Loads, stores, atomics: how often the SM takes one. Their latencies stand with the memories. */
  readonly lsu: IssueRate;
  readonly shuffle: PipeSpec | null;
  readonly vote: PipeSpec;
  /** match.all: one pass over the warp. match.any makes one for each of its values (`MatchAnySpec`). */
  readonly match: PipeSpec | null;
  readonly redux: PipeSpec | null;
  readonly uniform: PipeSpec | null;
  /** A load from constant memory (LDC, ULDC) that hits. */
  readonly constant: PipeSpec;
  /** Reading a special register (S2R): threadIdx, blockIdx, clock. */
  readonly special: PipeSpec;
  /** Branches and reconvergence; latency to the next instruction of the same warp. */
  readonly cbu: BranchSpec;
  /** Arrival at a block barrier; its latency stands in `barrier`. */
  readonly adu: IssueRate;
}

/** match.any, which compares the lanes with one of their distinct values after the other. */
export interface MatchAnySpec {
  readonly latencyCycles: number;
  /** Added to the latency by each value. */
  readonly latencyPerValueCycles: number;
  /** Cycles that the match unit takes for each value. */
  readonly intervalPerValueCycles: number;
}

export interface SharedMemorySpec {
  readonly banks: number;
  readonly bankWidthBytes: number;
  /** Issue of a load without conflicts to issue of what needs it, the address being ready. */
  readonly loadLatencyCycles: number;
  /** Added to the latency by each wavefront after the first. */
  readonly latencyPerExtraWavefrontCycles: number;
  /** Cycles of the SM's data stage a wavefront takes. */
  readonly wavefrontCycles: number;
  /** Atomics that return a value, without conflicts. */
  readonly atomicLatencyCycles: number;
  /** Added to the latency of an atomic by each further lane on the same address. */
  readonly atomicLatencyPerExtraLaneCycles: number;
  /** Cycles of the SM's data stage that each lane on the most contended address takes. */
  readonly atomicLaneIntervalCycles: number;
}

/** A block barrier opens baseLatency + perWarp x (warps of the block) cycles after its last warp arrives. */
export interface BarrierSpec {
  readonly baseLatencyCycles: number;
  readonly perWarpCycles: number;
}

export interface L1Spec {
  readonly cachesGlobalLoads: boolean;
  /** A store evicts its line (Fermi), rather than writing it through. */
  readonly storesEvict: boolean;
  /** L1 and shared memory, which share one memory: L1 is what the carve-out leaves. */
  readonly capacityBytes: number;
  readonly lineBytes: number;
  readonly sectorBytes: number;
  /** The least that a miss asks of L2: one sector, or Fermi's whole line. */
  readonly missBytes: number;
  readonly hitLatencyCycles: number;
  /** Data that the SM's loads can take from it. */
  readonly bytesPerCycle: number;
  /** Between two lines of one request that it does not hold. */
  readonly lineIntervalCycles: number;
  /** Between two that it holds, whose tags are looked up side by side. */
  readonly hitLineIntervalCycles: number;
  /** Misses (of missBytes) in flight; null where none was found. */
  readonly maxOutstandingMisses: number | null;
}

export interface L2Spec {
  readonly sizeBytes: number;
  readonly lineBytes: number;
  readonly sectorBytes: number;
  /** The least that a miss fetches from DRAM. */
  readonly fetchBytes: number;
  /** An SM reaches one of them itself; what belongs to another one it looks up in both. */
  readonly partitions: number;
  /**
   * The next launch finds all data that a launch touched once if it is at most this share of L2's size. From
   * `noneKeptShare` on it finds nothing: the lines that it needs next have always just been evicted.
   */
  readonly allKeptShare: number;
  readonly noneKeptShare: number;
  /** From a load's issue in the SM, L1 missed. */
  readonly hitLatencyCycles: number;
  /** All SMs reading together. */
  readonly bandwidthGBps: number;
  /** All SMs writing together, to lines that L2 holds. */
  readonly writeBandwidthGBps: number;
  /** Between one SM and L2. */
  readonly portBytesPerCyclePerSm: number;
  /** The same for stores and atomics, whole sectors counted. */
  readonly portWriteBytesPerCyclePerSm: number;
  /** The cost for L2 of stores to lines 8 to 64 KiB apart, which hit few of its slices, against other stores. */
  readonly campingFactor: number;
  /**
   * Cycles of all slices for a volatile load of a line (four sectors) that its SM has just stored to. The two halves of an
   * H200's L2 have to agree on it. 0: no cost.
   */
  readonly strongLineCycles: number;
}

export interface DramSpec {
  readonly peakBandwidthGBps: number;
  /** The width of all memory chips together. They transfer twice a cycle of the memory clock. */
  readonly busWidthBits: number;
  /** Share of the peak that a plain stream reaches: reading, writing, and reading and writing alike. */
  readonly achievableReadFraction: number;
  readonly achievableWriteFraction: number;
  readonly achievableCopyFraction: number;
  /** From a load's issue in the SM, both caches missed, the memory idle. */
  readonly latencyCycles: number;
}

/** Atomics on global memory; L2 does them. A request is one warp's instruction. */
export interface AtomicsSpec {
  /** From issue of one that returns a value, to what needs it. */
  readonly returnLatencyCycles: number;
  /** Between two requests to one address, for the whole GPU. */
  readonly sameAddressIntervalCycles: number;
  /** Added to a request by each further lane on the same address, where compiler and code do not aggregate them. */
  readonly sameAddressLaneCycles: number;
  /** Between two requests of one SM, to any addresses. */
  readonly requestIntervalCyclesPerSm: number;
}

export interface LaunchCosts {
  /** Between two blocks given out, for the whole GPU. */
  readonly blockDispatchNanoseconds: number;
  /** Between two blocks that an SM is given at the start of a launch, while it is being filled. */
  readonly firstRoundIntervalCycles: number;
  /** How long an empty kernel's one-warp block holds its place on an SM, from dispatch to the next block's. */
  readonly emptyBlockResidencyCycles: number;
  /** The same, for each further warp of the block. */
  readonly residencyPerWarpCycles: number;
  /** An empty kernel's own time, as gpu__time_duration. */
  readonly emptyKernelDurationMicroseconds: number;
  /** An empty kernel between two CUDA events, after other work of its stream. */
  readonly queuedKernelEventMicroseconds: number;
  /** An empty kernel between two CUDA events, the GPU idle before. */
  readonly emptyKernelEventMicroseconds: number;
  /** An empty kernel among others of its stream, launched without waiting. */
  readonly backToBackMicroseconds: number;
  /** The extra time to end for a kernel that accesses global memory, if few lines an SM. */
  readonly memoryEndMicroseconds: number;
  /** The same for 256 lines an SM and more. */
  readonly fullMemoryEndMicroseconds: number;
}

/** Copies between the host and the GPU, and the other work that streams hand over. 10^9 bytes are one GB. */
export interface TransferSpec {
  /** As cudaDeviceProp's asyncEngineCount. One engine copies one way at a time; with more, both ways run together. */
  readonly copyEngines: number;
  /** From and to page-locked memory, of large copies. */
  readonly hostToDeviceGBps: number;
  readonly deviceToHostGBps: number;
  /** From and to pageable memory, which the driver moves through page-locked pieces. */
  readonly pageableHostToDeviceGBps: number;
  readonly pageableDeviceToHostGBps: number;
  /** Share of its speed that a copy keeps while another one runs in the other direction. */
  readonly bothWaysFraction: number;
  /** The part of a copy's time that does not depend on its size. */
  readonly copyMicroseconds: number;
  readonly pageableCopyMicroseconds: number;
  /** The same within the GPU's memory, whose copies run on the SMs, and for setting it. */
  readonly deviceCopyMicroseconds: number;
  readonly memsetMicroseconds: number;
  /** The host's time for a call that copies and does not wait. */
  readonly copyCallMicroseconds: number;
  /** Work handed over after an allocation does not run beside work handed over before. */
  readonly allocationsWait: boolean;
}

/** Grids launched by kernels. */
export interface DynamicParallelismSpec {
  /** Between children that do not wait for each other (fire and forget, or streams of different blocks). */
  readonly childIntervalMicroseconds: number;
  /** Between children whose launching blocks wait for them; null: kernels cannot wait (compute capability 9.0 and later). */
  readonly awaitedIntervalMicroseconds: number | null;
  /** The time that a first empty child adds to its parent's. */
  readonly childLatencyMicroseconds: number;
  /** A warp's own time for one launch: the launches of its lanes follow one another. */
  readonly launchMicroseconds: number;
  /** Between the ends of empty children of one stream whose launches stand ready. */
  readonly streamIntervalMicroseconds: number;
  /** The time of an empty grid that is launched by the one before: its launch and its run. */
  readonly nestedLaunchMicroseconds: number;
  /** From the end of a parent to the end of its empty tail child. */
  readonly tailLaunchMicroseconds: number;
  /** Levels of child grids below the host's; null: as many as the pool of launches holds. */
  readonly maxDepth: number | null;
  /**
   * Grids that may be launched and not yet ended unless cudaDeviceSetLimit says otherwise. null: further ones go to a
   * slower pool (CUDA 11 and before, whose kernels can wait for their children).
   */
  readonly pendingLaunchLimit: number | null;
}

/**
 * The warp that a scheduler issues from.
 * - greedyThenYoungest: the warp it issued from last, as long as that can go on, else the youngest.
 * - greedyUntilYield: the same, but warps that yield come after all others, the one that waits longest first. The compiler
 *   marks an instruction to yield if the next one waits for its result.
 * - looseRoundRobin: all warps in turn.
 */
export type WarpScheduling = "greedyThenYoungest" | "greedyUntilYield" | "looseRoundRobin";

export interface DeviceNumbers extends OccupancyNumbers {
  /**
   * The clock of all cycles of the specification: the boost clock of the SM. On Fermi it is the schedulers' clock, half
   * of the shader clock that deviceQuery reports. A warp instruction is then issued each cycle, as on later GPUs.
   */
  readonly smClockMHz: number;
  readonly schedulersPerSm: number;
  readonly warpScheduling: WarpScheduling;
  /** Warp instructions a scheduler issues a cycle. */
  readonly issueWidthPerScheduler: number;
  readonly pipes: Pipes;
  /** null: there is no match. */
  readonly matchAny: MatchAnySpec | null;
  readonly sharedMemory: SharedMemorySpec;
  readonly barrier: BarrierSpec;
  readonly l1: L1Spec;
  readonly l2: L2Spec;
  readonly dram: DramSpec;
  readonly atomics: AtomicsSpec;
  readonly launch: LaunchCosts;
  readonly transfers: TransferSpec;
  /** null: kernels cannot launch kernels (before compute capability 3.5). */
  readonly dynamicParallelism: DynamicParallelismSpec | null;
}

/** A GPU with all that the simulator needs to time it. */
export interface DeviceSpec extends DeviceNumbers, Omit<OccupancySpec, "sources"> {
  readonly sources: Sources<DeviceNumbers>;
}
