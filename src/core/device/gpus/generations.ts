/**
 * The numbers that GPUs of a generation have in common, each with its source. A device file spreads these groups and
 * overrides what is known better of its GPU. A number that nobody has measured on it is the H200's, and its source says so.
 */

import { documented, estimated, memory, nearest, occupancyHeader, programmingGuide, type Source } from "../source.js";
import { fieldsFrom, type Sourced, type SourcedNumbers, sourced } from "../sourced.js";
import type {
  AtomicsSpec,
  BarrierSpec,
  L1Spec,
  L2Spec,
  LaunchCosts,
  LaunchLimits,
  MatchAnySpec,
  Pipes,
  SharedMemorySpec,
} from "../spec.js";
import { h200 } from "./h200.js";

/** All of a group but the fields that each GPU's own file gives. */
type Without<T, Own extends keyof T> = Omit<SourcedNumbers<T>, Own>;

type SharedSizes = "sharedBytesPerSm" | "sharedBytesPerBlockOptIn" | "sharedCarveoutsBytes";

export interface KeplerNumbers<OwnLimits extends keyof LaunchLimits = never> {
  readonly warpSize: Sourced<number>;
  readonly limits: Without<LaunchLimits, OwnLimits | "maxBlocksPerSm" | "totalGlobalMemBytes">;
}

export interface VoltaNumbers<OwnLimits extends keyof LaunchLimits, OwnPipes extends keyof Pipes>
  extends KeplerNumbers<OwnLimits> {
  readonly schedulersPerSm: Sourced<number>;
  readonly issueWidthPerScheduler: Sourced<number>;
  readonly pipes: Without<Pipes, OwnPipes>;
  readonly matchAny: Sourced<MatchAnySpec | null>;
  readonly sharedMemory: Without<SharedMemorySpec, "loadLatencyCycles" | "wavefrontCycles">;
  readonly barrier: Without<BarrierSpec, "perWarpCycles">;
  readonly l1: Pick<
    SourcedNumbers<L1Spec>,
    "cachesGlobalLoads" | "capacityBytes" | "storesEvict" | "lineIntervalCycles" | "hitLineIntervalCycles"
  >;
  readonly l2: Pick<
    SourcedNumbers<L2Spec>,
    "fetchBytes" | "portBytesPerCyclePerSm" | "portWriteBytesPerCyclePerSm" | "campingFactor" | "strongLineCycles"
  >;
  readonly atomics: Without<AtomicsSpec, "returnLatencyCycles">;
  readonly launch: Without<
    LaunchCosts,
    "blockDispatchNanoseconds" | "emptyBlockResidencyCycles" | "backToBackMicroseconds"
  >;
}

export interface AmpereNumbers<OwnLimits extends keyof LaunchLimits, OwnPipes extends keyof Pipes>
  extends VoltaNumbers<OwnLimits, OwnPipes> {
  readonly barrier: SourcedNumbers<BarrierSpec>;
}

/** Limits from Kepler on. */
export const kepler: KeplerNumbers<SharedSizes> = {
  warpSize: sourced(32, programmingGuide),
  limits: {
    ...fieldsFrom(programmingGuide, {
      maxThreadsPerBlock: 1024,
      maxBlockDim: [1024, 1024, 64],
      maxGridDim: [2147483647, 65535, 65535],
      maxThreadsPerSm: 2048,
      maxWarpsPerSm: 64,
      registersPerSm: 65536,
      registersPerBlock: 65536,
      maxRegistersPerThread: 255,
      sharedBytesPerBlock: 49152,
    }),
    ...fieldsFrom(occupancyHeader, {
      registerAllocationUnit: 256,
      doubleUnitRegisterCounts: [],
      registerFileParts: 4,
      sharedReservedBytesPerBlock: 0,
      sharedAllocationUnitBytes: 256,
      barriersPerSm: null,
    }),
  },
};

/** The source of a number that nobody has measured on `gpu`. */
export function asH200(gpu: string): Source {
  return nearest(`measured on the H200 (see h200.ts), in cycles; no measurement of the ${gpu} found`);
}

const timeOfH200 = nearest("measured on the H200");

/** From Volta on: four schedulers an SM, and L1 and shared memory in one array. */
export function volta(
  gpu: string,
): VoltaNumbers<SharedSizes, "alu" | "fma" | "imad" | "fp64" | "xu" | "lsu" | "redux" | "uniform" | "constant"> {
  const likeH200 = asH200(gpu);
  const { pipes, matchAny, sharedMemory, barrier, l1, l2, atomics, launch } = h200;
  return {
    ...kepler,
    ...fieldsFrom(programmingGuide, { schedulersPerSm: 4, issueWidthPerScheduler: 1 }),
    pipes: {
      shuffle: {
        latencyCycles: sourced(24, likeH200),
        ...fieldsFrom(programmingGuide, { issueIntervalCycles: 1, sharedBy: "sm" }),
      },
      ...fieldsFrom(likeH200, {
        vote: pipes.vote,
        match: pipes.match,
        special: pipes.special,
        cbu: pipes.cbu,
        adu: pipes.adu,
      }),
    },
    matchAny: sourced(matchAny, likeH200),
    sharedMemory: {
      ...fieldsFrom(programmingGuide, { banks: 32, bankWidthBytes: 4 }),
      ...fieldsFrom(likeH200, {
        latencyPerExtraWavefrontCycles: sharedMemory.latencyPerExtraWavefrontCycles,
        atomicLatencyCycles: sharedMemory.atomicLatencyCycles,
        atomicLatencyPerExtraLaneCycles: sharedMemory.atomicLatencyPerExtraLaneCycles,
        atomicLaneIntervalCycles: sharedMemory.atomicLaneIntervalCycles,
      }),
    },
    barrier: { baseLatencyCycles: sourced(barrier.baseLatencyCycles, likeH200) },
    l1: {
      ...fieldsFrom(programmingGuide, { cachesGlobalLoads: true, capacityBytes: 131072 }),
      storesEvict: sourced(false, memory("Volta whitepaper: L1 is written through")),
      ...fieldsFrom(likeH200, {
        lineIntervalCycles: l1.lineIntervalCycles,
        hitLineIntervalCycles: l1.hitLineIntervalCycles,
      }),
    },
    l2: {
      fetchBytes: sourced(
        l2.fetchBytes,
        nearest("measured on the H200; CUDA's cudaLimitMaxL2FetchGranularity starts at 64"),
      ),
      portBytesPerCyclePerSm: sourced(64, memory("64 bytes a cycle between an SM and L2 since Volta")),
      ...fieldsFrom(likeH200, {
        portWriteBytesPerCyclePerSm: l2.portWriteBytesPerCyclePerSm,
        campingFactor: l2.campingFactor,
      }),
      strongLineCycles: sourced(0, estimated("its L2 is one; on an H200, of two halves, it was measured")),
    },
    atomics: fieldsFrom(likeH200, {
      sameAddressIntervalCycles: atomics.sameAddressIntervalCycles,
      sameAddressLaneCycles: atomics.sameAddressLaneCycles,
      requestIntervalCyclesPerSm: atomics.requestIntervalCyclesPerSm,
    }),
    launch: {
      ...fieldsFrom(likeH200, {
        firstRoundIntervalCycles: launch.firstRoundIntervalCycles,
        residencyPerWarpCycles: launch.residencyPerWarpCycles,
      }),
      ...fieldsFrom(timeOfH200, {
        emptyKernelDurationMicroseconds: launch.emptyKernelDurationMicroseconds,
        queuedKernelEventMicroseconds: launch.queuedKernelEventMicroseconds,
        emptyKernelEventMicroseconds: launch.emptyKernelEventMicroseconds,
        memoryEndMicroseconds: launch.memoryEndMicroseconds,
        fullMemoryEndMicroseconds: launch.fullMemoryEndMicroseconds,
      }),
    },
  };
}

/** From Ampere on: the uniform datapath that came with Turing, and __reduce_sync. */
export function ampere(gpu: string, capability: string): AmpereNumbers<SharedSizes, "fma" | "fp64" | "lsu"> {
  const likeH200 = asH200(gpu);
  const before = volta(gpu);
  return {
    ...before,
    limits: {
      ...before.limits,
      ...fieldsFrom(occupancyHeader, { sharedReservedBytesPerBlock: 1024, sharedAllocationUnitBytes: 128 }),
    },
    pipes: {
      ...before.pipes,
      alu: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        documented(
          `Programming Guide: 4 cycles for most arithmetic; 64 integer results a cycle and SM on ${capability}`,
        ),
      ),
      imad: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        documented("Programming Guide: 4 cycles for most arithmetic; 64 integer multiply-adds a cycle and SM on 8.x"),
      ),
      xu: {
        latencyCycles: sourced(18, nearest("RTX 4070 Ti Super: SASS latency tables, MUFU.EX2 17.6 cycles")),
        ...fieldsFrom(programmingGuide, { issueIntervalCycles: 8, sharedBy: "scheduler" }),
      },
      redux: {
        latencyCycles: sourced(40, likeH200),
        issueIntervalCycles: sourced(
          2,
          documented("Programming Guide: __reduce_sync 16 results a cycle and SM on 8.x"),
        ),
        sharedBy: sourced("sm", estimated("as on the H200")),
      },
      uniform: sourced(h200.pipes.uniform, likeH200),
      constant: {
        latencyCycles: sourced(21, nearest("mt4g sample results, H100 80GB HBM3: constant L1 latency 20.7 cycles")),
        ...fieldsFrom(estimated("as the alu"), { issueIntervalCycles: 2, sharedBy: "scheduler" }),
      },
    },
    barrier: {
      ...before.barrier,
      perWarpCycles: sourced(2, documented("Programming Guide: __syncthreads() 16 operations a cycle and SM on 8.x")),
    },
  };
}

/** Ampere's GA10x and Ada's AD10x, the dies of GeForce: smaller SMs with twice the fp32 lanes and hardly any fp64. */
export function geforce(gpu: string, capability: string): AmpereNumbers<never, "fp64" | "lsu"> {
  const before = ampere(gpu, capability);
  return {
    ...before,
    limits: {
      ...before.limits,
      ...fieldsFrom(programmingGuide, {
        maxThreadsPerSm: 1536,
        maxWarpsPerSm: 48,
        sharedBytesPerSm: 102400,
        sharedBytesPerBlockOptIn: 101376,
      }),
      sharedCarveoutsBytes: sourced([0, 8192, 16384, 32768, 65536, 102400], occupancyHeader),
    },
    pipes: {
      ...before.pipes,
      fma: sourced(
        { latencyCycles: 4, issueIntervalCycles: 1, sharedBy: "scheduler" },
        documented(`Programming Guide: 4 cycles for most arithmetic; 128 fp32 results a cycle and SM on ${capability}`),
      ),
    },
  };
}
