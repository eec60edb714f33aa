/** NVIDIA H200 (Hopper, compute capability 9.0): the reference of the timing model, measured for this project. */
import { documented, estimated, measured, memory, occupancyHeader, programmingGuide, published } from "../source.js";
import { device, fieldsFrom, sourced } from "../sourced.js";
import type { DeviceSpec } from "../spec.js";

const properties = measured("cudaGetDeviceProperties on the H200 (CUDA 13.0, driver 580)");
const gaps = "test/reference/h200/micro/set-2.json";
const transfers = "test/reference/h200/micro/transfers.json";
const first = "test/reference/h200/micro/set-1.json";
const third = "test/reference/h200/micro/set-3.json";
const cdp = "test/reference/h200/micro/cdp.json";

export const h200: DeviceSpec = device(
  { id: "h200", name: "NVIDIA H200", architecture: "Hopper", codename: "GH100" },
  {
    ...fieldsFrom(properties, {
      computeCapability: { major: 9, minor: 0 },
      smCount: 132,
    }),
    warpSize: sourced(32, programmingGuide),
    limits: {
      ...fieldsFrom(properties, {
        maxThreadsPerBlock: 1024,
        maxBlockDim: [1024, 1024, 64],
        maxGridDim: [2147483647, 65535, 65535],
        maxThreadsPerSm: 2048,
        maxBlocksPerSm: 32,
        registersPerSm: 65536,
        registersPerBlock: 65536,
        sharedBytesPerSm: 233472,
        sharedBytesPerBlock: 49152,
        sharedBytesPerBlockOptIn: 232448,
        sharedReservedBytesPerBlock: 1024,
        totalGlobalMemBytes: 150109880320,
      }),
      ...fieldsFrom(programmingGuide, {
        maxWarpsPerSm: 64,
        maxRegistersPerThread: 255,
      }),
      ...fieldsFrom(occupancyHeader, {
        registerAllocationUnit: 256,
        doubleUnitRegisterCounts: [],
        registerFileParts: 4,
        sharedAllocationUnitBytes: 128,
        sharedCarveoutsBytes: [0, 8192, 16384, 32768, 65536, 102400, 135168, 167936, 200704, 233472],
        barriersPerSm: 64,
      }),
    },
    smClockMHz: sourced(1980, measured(`${first}: clock_kHz, and what nvidia-smi showed under load`)),
    schedulersPerSm: sourced(4, programmingGuide),
    warpScheduling: sourced("greedyUntilYield", measured("test/reference/h200/micro/yield.json")),
    issueWidthPerScheduler: sourced(1, programmingGuide),
    pipes: {
      alu: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        measured(`${gaps}: lop3_only 4.0 cycles; setp_selp 8.0 for two; 64 results a cycle and SM (Programming Guide)`),
      ),
      fma: sourced(
        { latencyCycles: 4, issueIntervalCycles: 1, sharedBy: "scheduler" },
        measured(`${first}: ffma 3.97 cycles; ${gaps}: 3.80 of 4 warp instructions a cycle and SM`),
      ),
      imad: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        measured(`${first}: imad 3.97 cycles; 1.99 warp instructions a cycle and SM`),
      ),
      fp64: sourced(
        { latencyCycles: 8, issueIntervalCycles: 2, sharedBy: "scheduler" },
        measured(`${gaps}: dfma and dadd 7.9 cycles; dadd 1.91 warp instructions a cycle and SM`),
      ),
      xu: sourced(
        { latencyCycles: 17, issueIntervalCycles: 8, sharedBy: "scheduler" },
        measured(`${gaps}: ex2 and popc 16.77 cycles; ex2 0.498 warp instructions a cycle and SM`),
      ),
      lsu: sourced(
        { issueIntervalCycles: 1, sharedBy: "sm" },
        measured(
          `${first}: shared_load 0.998 warp instructions a cycle and SM; a predicated-off one takes its turn too`,
        ),
      ),
      shuffle: sourced(
        { latencyCycles: 24, issueIntervalCycles: 1, sharedBy: "sm" },
        measured(`${gaps}: shfl_bfly 23.7 cycles; ${first}: shfl 1.00 warp instructions a cycle and SM`),
      ),
      vote: sourced(
        { latencyCycles: 13, issueIntervalCycles: 2, sharedBy: "scheduler" },
        measured(`${gaps}: ISETP and VOTE 17.0 cycles, less 4 of the ISETP; issue as the ISETP`),
      ),
      match: sourced(
        { latencyCycles: 28, issueIntervalCycles: 2, sharedBy: "sm" },
        measured(`${gaps}: match_all 27.6 cycles; 0.496 warp instructions a cycle and SM`),
      ),
      redux: sourced(
        { latencyCycles: 40, issueIntervalCycles: 2, sharedBy: "sm" },
        measured(`${gaps}: REDUX and MOV 43.9 cycles, less 4 of the MOV; 0.496 warp instructions a cycle and SM`),
      ),
      uniform: {
        latencyCycles: sourced(8, measured(`${gaps}: loop_of_one_xor 29.0 cycles, less compare and branch`)),
        issueIntervalCycles: sourced(2, memory("Nsight Compute's peak rate of the uniform pipe")),
        sharedBy: sourced("scheduler", memory("each sub-partition has a uniform datapath")),
      },
      constant: {
        latencyCycles: sourced(21, published("mt4g sample results, H100 80GB HBM3: constant L1 latency 20.7 cycles")),
        ...fieldsFrom(estimated("as the alu"), {
          issueIntervalCycles: 2,
          sharedBy: "scheduler",
        }),
      },
      special: {
        latencyCycles: sourced(
          30,
          measured(
            "test/reference/h200/micro/set-4.json: prologue 63 cycles from the first instruction to an address made of S2R, IMAD, IMAD.WIDE and two ISETP; reading the clock alone takes 15",
          ),
        ),
        issueIntervalCycles: sourced(
          2,
          measured("test/reference/h200/micro/prologue.json: special_rate, 2.00 cycles with 4 to 32 warps"),
        ),
        sharedBy: sourced("sm", measured("test/reference/h200/micro/prologue.json: special_rate, one warp 5.4 cycles")),
      },
      cbu: {
        latencyCycles: sourced(12, measured(`${third}: branch, taken, predicate known: 12.5 cycles`)),
        predicateLatencyCycles: sourced(
          13,
          measured(
            `${third}: compare, exit not taken, xor 22.4 cycles = predicate + 5 + 4; ${gaps}: taken_branch_in_loop 38.0 = predicate + BRA 12 + BSYNC 12`,
          ),
        ),
        issueIntervalCycles: sourced(
          2,
          measured(`${gaps}: taken_branch_in_loop with 8 warps a scheduler, 8.1 cycles for BSSY, BRA, BSYNC`),
        ),
        sharedBy: sourced("scheduler", estimated("each sub-partition has its branch unit")),
      },
      adu: sourced(
        { issueIntervalCycles: 3, sharedBy: "scheduler" },
        measured(`${gaps}: syncthreads with 8 blocks of 256 an SM: 53.5 cycles for 16 warps a scheduler`),
      ),
    },
    matchAny: sourced(
      { latencyCycles: 45, latencyPerValueCycles: 10, intervalPerValueCycles: 2 },
      measured(
        `${first}: match_any of one value 55.3 cycles; ${gaps}: of 32 values 363 cycles, one in 48.5 cycles of an SM where one of four has one value; test/reference/h200/micro/extra.json: of 32 values each one in 64`,
      ),
    ),
    sharedMemory: {
      ...fieldsFrom(programmingGuide, {
        banks: 32,
        bankWidthBytes: 4,
      }),
      loadLatencyCycles: sourced(
        23,
        measured(`${gaps}: shared_load_chain 22.7 cycles (28.8 in ${first} with the address arithmetic)`),
      ),
      latencyPerExtraWavefrontCycles: sourced(
        2,
        measured(`${gaps}: shared_load_chain, strides 1 to 32: 22.7 to 83.8 cycles`),
      ),
      wavefrontCycles: sourced(1, measured(`${gaps}: shared_load and shared_store, 32 warps, strides 2 to 32`)),
      atomicLatencyCycles: sourced(27, measured(`${gaps}: shared_atomic_returning, 1 lane an address: 27.3 cycles`)),
      atomicLatencyPerExtraLaneCycles: sourced(
        2,
        measured(`${gaps}: shared_atomic_returning, 1 to 32 lanes an address: 27.3 to 88.3`),
      ),
      atomicLaneIntervalCycles: sourced(
        1,
        measured(`${gaps}: shared_red, 32 warps: 1.2 to 31.5 cycles for 1 to 32 lanes an address`),
      ),
    },
    barrier: sourced(
      { baseLatencyCycles: 12, perWarpCycles: 2 },
      measured(`${first}: syncthreads 13.8 to 75.0 cycles for 1 to 32 warps: 11.8 + 1.97 a warp`),
    ),
    l1: {
      ...fieldsFrom(programmingGuide, {
        cachesGlobalLoads: true,
        capacityBytes: 262144,
      }),
      storesEvict: sourced(false, memory("Volta whitepaper: L1 is written through")),
      ...fieldsFrom(published("mt4g sample results, H100 80GB HBM3"), {
        lineBytes: 128,
        sectorBytes: 32,
      }),
      missBytes: sourced(32, published("mt4g sample results, H100 80GB HBM3: L1 fetch granularity")),
      hitLatencyCycles: sourced(
        33,
        measured(`${gaps}: pointer_chase_ca 32.6 cycles (42.7 in ${first} with index arithmetic)`),
      ),
      bytesPerCycle: sourced(128, published("te42kyfo/gpu-benches, gpu-strides h200.txt: 126 bytes a cycle and SM")),
      lineIntervalCycles: sourced(
        1,
        measured("test/reference/h200/micro/lanes.json: miss1, 2 to 32 lines a request: 2.4 to 32.6 cycles"),
      ),
      hitLineIntervalCycles: sourced(
        0.25,
        measured(
          "test/reference/h200/micro/lanes.json: hit32, 4 to 32 lines a request without conflicts: 1.4 to 8.65 cycles",
        ),
      ),
      maxOutstandingMisses: sourced(null, measured(`${first}: streams, 64 warps with 16 sectors each: no limit seen`)),
    },
    l2: {
      sizeBytes: sourced(62914560, properties),
      ...fieldsFrom(published("mt4g sample results, H100 80GB HBM3"), {
        lineBytes: 128,
        sectorBytes: 32,
      }),
      fetchBytes: sourced(
        64,
        measured(`${gaps}: strided_read of every 16th word: as many bytes a second as 64-byte pieces would make`),
      ),
      partitions: sourced(
        2,
        measured(
          "test/reference/h200/micro/hits.json: half of what misses, and of what is stored, is looked up again (ltcfabric)",
        ),
      ),
      ...fieldsFrom(measured("test/reference/h200/micro/cache.json: repeated, reads and copies of 8 to 128 MiB"), {
        allKeptShare: 0.65,
        noneKeptShare: 0.87,
      }),
      hitLatencyCycles: sourced(280, measured(`${gaps}: pointer_chase_cg, second round, 64 KiB to 40 MiB: 280 cycles`)),
      bandwidthGBps: sourced(9500, published("te42kyfo/gpu-benches, gpu-l2-cache h200.txt, sets of 25 to 37 MB")),
      writeBandwidthGBps: sourced(
        4650,
        measured("test/reference/h200/micro/extra.json: span, 4500 to 4740 GB/s for 24 to 48 MiB"),
      ),
      portBytesPerCyclePerSm: sourced(
        128,
        measured(
          "test/reference/h200/micro/mix-2.json, port: a line a cycle, whether one, two or four of its sectors are asked for",
        ),
      ),
      portWriteBytesPerCyclePerSm: sourced(
        32,
        measured("test/reference/h200/micro/mix-2.json, stores: whole sectors of one SM, a sector a cycle"),
      ),
      campingFactor: sourced(
        1.2,
        measured(
          "test/reference/h200/micro/pattern.json, columnsWrite of 256x1: 65 to 69 us, 56.6 where lines are 1 or 2 KiB apart",
        ),
      ),
      strongLineCycles: sourced(
        0.285,
        measured(
          "test/reference/h200/micro/strong.json: pieceBoth with 4224 warps, 1200 cycles a step, and 300 where no load follows a store to its line",
        ),
      ),
    },
    dram: {
      peakBandwidthGBps: sourced(
        4814,
        measured(`${first}: mem_kHz 3201000 x 2 x bus_bits 6016 / 8; NVIDIA's sheet says 4.8 TB/s`),
      ),
      busWidthBits: sourced(6016, measured(`${transfers}: properties, memoryBusWidth`)),
      achievableReadFraction: sourced(0.965, measured(`${gaps}: dram_read 4644 GB/s`)),
      achievableWriteFraction: sourced(0.905, measured(`${gaps}: dram_write 4356 GB/s`)),
      achievableCopyFraction: sourced(
        0.88,
        measured(
          "test/reference/h200/micro/streams.json: 192 MiB more of an array read and one written, 4411 GB/s by pieces, 4065 GB/s in a loop: the mean",
        ),
      ),
      latencyCycles: sourced(
        658,
        measured(
          `${first}: global_chase_cg of 256 MiB 668.5 cycles, less 10 of index arithmetic; test/reference/h200/micro/set-4.json: load_latency_by_L2, clean, 8 warps: 128 bytes 687, less 13 of the clock`,
        ),
      ),
    },
    atomics: {
      returnLatencyCycles: sourced(307, measured(`${gaps}: global_atomic_returning_chain, 1 thread`)),
      sameAddressIntervalCycles: sourced(
        1.45,
        measured(`${gaps}: red one lane a warp, one address, 1056 blocks: 0.734 ns`),
      ),
      sameAddressLaneCycles: sourced(
        1.56,
        measured(`${gaps}: red 32 lanes one address, own sector a warp, 1 block: 25.2 ns for 32 lanes`),
      ),
      requestIntervalCyclesPerSm: sourced(
        9.4,
        measured(`${first}: global_atomic_add 9.36 to 9.44 cycles; ${gaps}: the same with 8 warps`),
      ),
    },
    launch: {
      blockDispatchNanoseconds: sourced(
        0.602,
        measured(`${first} and ${gaps}: empty_blocks_of 32, 0.602 to 0.604 ns a block`),
      ),
      firstRoundIntervalCycles: sourced(
        32,
        measured(`${third}: turnaround, firstRoundSpread 17 to 40 cycles a block, 35 for 8 of 256`),
      ),
      emptyBlockResidencyCycles: sourced(301, measured(`${gaps}: empty_blocks_of 32, one block an SM at a time`)),
      residencyPerWarpCycles: sourced(
        2.1,
        measured(`${gaps}: empty_blocks_of 32 to 1024, one block an SM at a time: 301 to 367 cycles`),
      ),
      emptyKernelDurationMicroseconds: sourced(
        1.54,
        measured(`${third}: ncu, empty kernels of 1 and 132 blocks 1.60 and 1.54 us`),
      ),
      queuedKernelEventMicroseconds: sourced(2.69, measured(`${third}: after, empty: 2.688 us`)),
      emptyKernelEventMicroseconds: sourced(4.672, measured(`${first}: launch_event_ms`)),
      backToBackMicroseconds: sourced(3.116, measured(`${first}: launch_back_to_back_us`)),
      memoryEndMicroseconds: sourced(
        0.18,
        measured("test/reference/h200/micro/launch.json: one line an SM, 0.17 to 0.18 us"),
      ),
      fullMemoryEndMicroseconds: sourced(
        0.38,
        measured(
          "test/reference/h200/micro/launch.json: writeEach and readEach against nothing, 248 to 2000 lines an SM: 0.31 to 0.48 us, a load's latency left out",
        ),
      ),
    },
    transfers: {
      copyEngines: sourced(3, measured(`${transfers}: properties, asyncEngineCount`)),
      hostToDeviceGBps: sourced(55.5, measured(`${transfers}: pinnedHtoD, 256 MiB 4837 us, 16 MiB 306 us`)),
      deviceToHostGBps: sourced(55.4, measured(`${transfers}: pinnedDtoH, 256 MiB 4853 us, 16 MiB 306 us`)),
      pageableHostToDeviceGBps: sourced(
        14,
        measured(`${transfers}: pageableHtoD, 1 MiB 14.1, 16 MiB 16.1, 256 MiB 9.0 GB/s: the median`),
      ),
      pageableDeviceToHostGBps: sourced(
        15.9,
        measured(`${transfers}: pageableDtoH, 1 MiB 9.0, 16 MiB 15.9, 256 MiB 16.1 GB/s: the median`),
      ),
      bothWaysFraction: sourced(
        0.916,
        measured(`${transfers}: bothWays, 256 MiB each way 5294 us, one way 4837 and 4853 us`),
      ),
      copyMicroseconds: sourced(2.5, measured(`${transfers}: pinnedHtoDs, 100 copies of 4 bytes 251 us`)),
      pageableCopyMicroseconds: sourced(
        7.4,
        measured(`${transfers}: pageableHtoD 6.7 and pageableDtoH 8.2 us, 4 bytes`),
      ),
      deviceCopyMicroseconds: sourced(5.5, measured(`${transfers}: DtoD, 4 bytes to 1 MiB 5.5 to 6.2 us`)),
      memsetMicroseconds: sourced(
        3,
        measured(`${transfers}: memset, 4 KiB 3.0 us; 256 MiB 64.6 us, 61.6 of them at the rate of writing`),
      ),
      copyCallMicroseconds: sourced(1.4, measured(`${transfers}: pinnedHtoDs, the calls of 100 copies 138 us`)),
      allocationsWait: sourced(
        false,
        measured("test/reference/h200/micro/overlap.json: between:malloc 527 us, between:hostAlloc 526, nothing 519"),
      ),
    },
    dynamicParallelism: {
      childIntervalMicroseconds: sourced(
        0.475,
        measured(`${first}: cdp_children 1000 and 2000, fire and forget: 0.475 us a child`),
      ),
      awaitedIntervalMicroseconds: sourced(
        null,
        documented("CUDA C++ Programming Guide, dynamic parallelism: no device-side synchronization from 9.0 on"),
      ),
      childLatencyMicroseconds: sourced(
        13.1,
        measured(`${first}: cdp_children 1 less cdp_tail_depth 0 (a parent alone)`),
      ),
      launchMicroseconds: sourced(
        6.4,
        measured(`${cdp}: issue_cycles, 8 children in the null stream: 12,825 cycles a launch`),
      ),
      streamIntervalMicroseconds: sourced(
        3,
        measured(`${cdp}: threads_of_a_block, null stream, 256 to 1024: 2.98 us a child`),
      ),
      nestedLaunchMicroseconds: sourced(10.2, measured(`${cdp}: chain, null stream, depth 1 to 30: 10.1 us a level`)),
      tailLaunchMicroseconds: sourced(10.9, measured(`${first}: cdp_tail_depth 1 to 23: 10.9 us a level`)),
      maxDepth: sourced(
        null,
        measured(`${cdp}: chain: 2048 grids, each launched by the one before, then the pool is full; no other limit`),
      ),
      pendingLaunchLimit: sourced(
        2048,
        measured(`${cdp}: pending_blocks 4096: 2048 run, then cudaErrorLaunchPendingCountExceeded`),
      ),
    },
  },
);
