/**
 * NVIDIA Tesla M2070 (Fermi GF100, compute capability 2.0), ECC on as servers run it.
 *
 * Cycles are of the schedulers' clock, 573.5 MHz. NVIDIA and papers count in the shader clock of 1147 MHz: two of its
 * cycles are one here. Each of the two schedulers then issues one warp instruction a cycle to a pipe of 16 lanes that run
 * at the shader clock. A wavefront of shared memory takes one cycle.
 */
import { documented, estimated, memory, nearest, programmingGuide, published } from "../source.js";
import { device, fieldsFrom, sourced } from "../sourced.js";
import type { DeviceSpec } from "../spec.js";
import { transfersOver } from "./transfers.js";

const query = published("deviceQuery of a Tesla M2070");
const calculator = documented("CUDA Occupancy Calculator; cuda_occupancy.h of CUDA 7.0, the last that knows 2.x");
const throughput = memory("CUDA C Programming Guide 3.2 to 8.0, arithmetic throughput of 2.0, in shader clocks");
const andersch = nearest("GF106: Andersch et al., ISPASS 2015 (from memory), in shader clocks, halved");
const guess = estimated("no measurement found; scaled from the H200's and from the depth of the arithmetic pipe");

export const m2070: DeviceSpec = device(
  { id: "m2070", name: "NVIDIA Tesla M2070", architecture: "Fermi", codename: "GF100" },
  {
    ...fieldsFrom(query, {
      computeCapability: { major: 2, minor: 0 },
      smCount: 14,
      warpSize: 32,
    }),
    limits: {
      ...fieldsFrom(query, {
        maxThreadsPerBlock: 1024,
        maxBlockDim: [1024, 1024, 64],
        maxGridDim: [65535, 65535, 65535],
        maxThreadsPerSm: 1536,
        registersPerSm: 32768,
        registersPerBlock: 32768,
        sharedBytesPerSm: 49152,
        sharedBytesPerBlock: 49152,
      }),
      maxWarpsPerSm: sourced(48, programmingGuide),
      ...fieldsFrom(calculator, {
        maxBlocksPerSm: 8,
        maxRegistersPerThread: 63,
        registerAllocationUnit: 64,
        doubleUnitRegisterCounts: [21, 22, 29, 30, 37, 38, 45, 46],
        registerFileParts: 2,
        sharedReservedBytesPerBlock: 0,
        sharedAllocationUnitBytes: 128,
        sharedCarveoutsBytes: [16384, 49152],
        barriersPerSm: null,
      }),
      sharedBytesPerBlockOptIn: sourced(
        49152,
        documented("opting in to more than 48 KB came with compute capability 7.0"),
      ),
      totalGlobalMemBytes: sourced(5636096000, memory("deviceQuery of M2070 and C2070 with ECC on: 5375 MBytes")),
    },
    smClockMHz: sourced(
      573.5,
      published("deviceQuery of a Tesla M2070: 1147 MHz shader clock; TechPowerUp: GPU clock 574 MHz"),
    ),
    schedulersPerSm: sourced(2, programmingGuide),
    warpScheduling: sourced("greedyThenYoungest", nearest("Huerta et al., arXiv 2503.20481, on later GPUs")),
    issueWidthPerScheduler: sourced(1, programmingGuide),
    pipes: {
      alu: {
        latencyCycles: sourced(9, andersch),
        ...fieldsFrom(throughput, {
          issueIntervalCycles: 1,
          sharedBy: "scheduler",
        }),
      },
      fma: {
        latencyCycles: sourced(9, andersch),
        ...fieldsFrom(throughput, {
          issueIntervalCycles: 1,
          sharedBy: "scheduler",
        }),
      },
      imad: {
        latencyCycles: sourced(9, estimated("as the add")),
        ...fieldsFrom(throughput, {
          issueIntervalCycles: 1,
          sharedBy: "sm",
        }),
      },
      fp64: {
        latencyCycles: sourced(11, guess),
        ...fieldsFrom(throughput, {
          issueIntervalCycles: 1,
          sharedBy: "sm",
        }),
      },
      xu: {
        latencyCycles: sourced(20, guess),
        ...fieldsFrom(throughput, {
          issueIntervalCycles: 4,
          sharedBy: "sm",
        }),
      },
      lsu: sourced(
        { issueIntervalCycles: 1, sharedBy: "sm" },
        memory("Fermi whitepaper: 16 load/store units an SM, at the shader clock"),
      ),
      shuffle: sourced(null, documented("Programming Guide: shuffles need compute capability 3.0")),
      vote: sourced({ latencyCycles: 9, issueIntervalCycles: 1, sharedBy: "scheduler" }, estimated("as the alu")),
      match: sourced(null, documented("Programming Guide: __match_any_sync needs compute capability 7.0")),
      redux: sourced(null, documented("Programming Guide: __reduce_sync needs compute capability 8.0")),
      uniform: sourced(null, documented("the uniform datapath came with Turing")),
      ...fieldsFrom(guess, {
        constant: { latencyCycles: 20, issueIntervalCycles: 1, sharedBy: "sm" },
        special: { latencyCycles: 30, issueIntervalCycles: 1, sharedBy: "scheduler" },
        cbu: { latencyCycles: 12, predicateLatencyCycles: 13, issueIntervalCycles: 1, sharedBy: "scheduler" },
        adu: { issueIntervalCycles: 1, sharedBy: "sm" },
      }),
    },
    matchAny: sourced(null, documented("Programming Guide: __match_any_sync needs compute capability 7.0")),
    sharedMemory: {
      ...fieldsFrom(programmingGuide, {
        banks: 32,
        bankWidthBytes: 4,
      }),
      loadLatencyCycles: sourced(
        25,
        nearest("GTX 560 Ti: Mei and Chu 2017 (from memory), 50 shader clocks, halved; Accel-Sim's GTX 480: 26"),
      ),
      latencyPerExtraWavefrontCycles: sourced(
        18.7,
        nearest(
          "GTX 560 Ti: Mei and Chu 2017 (from memory), 50 to 1209 shader clocks for 1 to 32 ways: conflicts replay the instruction",
        ),
      ),
      wavefrontCycles: sourced(
        1,
        documented("Programming Guide 2.x: a bank gives 32 bits every two (shader) clock cycles"),
      ),
      ...fieldsFrom(guess, {
        atomicLatencyCycles: 60,
        atomicLaneIntervalCycles: 5,
      }),
      atomicLatencyPerExtraLaneCycles: sourced(
        60,
        estimated("Fermi's shared atomics are loops that lock, load, add, store and unlock"),
      ),
    },
    barrier: {
      baseLatencyCycles: sourced(12, nearest("measured on the H200 (see h200.ts), in cycles")),
      perWarpCycles: sourced(
        1,
        memory("Programming Guide 3.2 to 8.0: __syncthreads() 16 operations a shader clock and SM on 2.x"),
      ),
    },
    l1: {
      ...fieldsFrom(programmingGuide, {
        cachesGlobalLoads: true,
        capacityBytes: 65536,
        lineBytes: 128,
        sectorBytes: 128,
        missBytes: 128,
      }),
      storesEvict: sourced(
        true,
        memory("CUDA C Programming Guide 3.2 to 8.0, 2.x: stores go to L2 and invalidate the line in L1"),
      ),
      hitLatencyCycles: sourced(22.5, andersch),
      bytesPerCycle: sourced(128, memory("as shared memory, which it is one memory with")),
      ...fieldsFrom(estimated("a 128-byte line a cycle"), {
        lineIntervalCycles: 1,
        hitLineIntervalCycles: 1,
      }),
      maxOutstandingMisses: sourced(64, published("Accel-Sim, tested configuration SM2_GTX480: 64 entries for misses")),
    },
    l2: {
      sizeBytes: sourced(786432, query),
      lineBytes: sourced(128, published("Accel-Sim, tested configuration SM2_GTX480")),
      sectorBytes: sourced(32, memory("Programming Guide 2.x: 32-byte transactions where L1 is off")),
      fetchBytes: sourced(32, memory("a burst of GDDR5 on a 32-bit channel")),
      partitions: sourced(1, memory("no partitions before GA100 (its whitepaper names them as new)")),
      ...fieldsFrom(nearest("V100 (see v100.ts)"), {
        allKeptShare: 0.95,
        noneKeptShare: 1.65,
      }),
      hitLatencyCycles: sourced(155, andersch),
      bandwidthGBps: sourced(220, memory("GF100: 384 bytes a cycle of the 574 MHz clock")),
      ...fieldsFrom(estimated("as reading"), {
        writeBandwidthGBps: 220,
        portWriteBytesPerCyclePerSm: 32,
      }),
      portBytesPerCyclePerSm: sourced(32, published("Accel-Sim, configuration TeslaC2050: 32-byte flits")),
      campingFactor: sourced(1.2, nearest("measured on the H200 (see h200.ts)")),
      strongLineCycles: sourced(0, estimated("its L2 is one; on an H200, of two halves, it was measured")),
    },
    dram: {
      peakBandwidthGBps: sourced(150.3, published("deviceQuery of a Tesla M2070: 1566 MHz x 2 x 384 bit")),
      busWidthBits: sourced(384, published("deviceQuery of a Tesla M2070: 384 bit")),
      achievableReadFraction: sourced(
        0.7,
        memory("SHOC device memory reads of C2050 and M2070 with ECC on, about 105 GB/s"),
      ),
      achievableWriteFraction: sourced(0.7, memory("as reading, with ECC on")),
      achievableCopyFraction: sourced(0.65, memory("with ECC on, writes of part of an ECC word read it first")),
      latencyCycles: sourced(342.5, andersch),
    },
    atomics: {
      returnLatencyCycles: sourced(200, guess),
      ...fieldsFrom(memory("Kepler GK110 whitepaper: one a clock to one address, nine times Fermi's rate"), {
        sameAddressIntervalCycles: 9,
        sameAddressLaneCycles: 9,
      }),
      requestIntervalCyclesPerSm: sourced(9.4, nearest("measured on the H200 (see h200.ts), in cycles")),
    },
    launch: {
      blockDispatchNanoseconds: sourced(2.08, nearest("H200: 0.602 ns at 1980 MHz, the same cycles at 573.5 MHz")),
      ...fieldsFrom(guess, {
        firstRoundIntervalCycles: 32,
        emptyKernelDurationMicroseconds: 1.54,
        queuedKernelEventMicroseconds: 2.69,
        memoryEndMicroseconds: 0.18,
        fullMemoryEndMicroseconds: 0.38,
      }),
      emptyBlockResidencyCycles: sourced(221, nearest("V100 (see v100.ts), in cycles")),
      residencyPerWarpCycles: sourced(2.1, nearest("measured on the H200 (see h200.ts), in cycles")),
      ...fieldsFrom(memory("papers of 2010 to 2012: 5 to 10 us for a launch and its wait"), {
        emptyKernelEventMicroseconds: 5,
        backToBackMicroseconds: 5,
      }),
    },
    transfers: transfersOver(
      "M2070",
      [2, memory("Tesla C2050 and M2070: two copy engines (GeForce of the time: one)")],
      {
        hostToDeviceGBps: 5.69,
        deviceToHostGBps: 6.35,
        pageableHostToDeviceGBps: 1.59,
        pageableDeviceToHostGBps: 1.66,
      },
      memory(
        "NVIDIA's developer blog on data transfers, PCIe 2.0 x16: a Tesla M2050, 5.69 and 6.35 GB/s page-locked, 1.59 and 1.66 pageable",
      ),
    ),
    dynamicParallelism: sourced(
      null,
      documented("Programming Guide: dynamic parallelism needs compute capability 3.5"),
    ),
  },
);
