/** NVIDIA Tesla V100 SXM2 (Volta, compute capability 7.0) at its boost clock of 1530 MHz. */

import { documented, estimated, memory, nearest, occupancyHeader, programmingGuide, published } from "../source.js";
import { device, fieldsFrom, sourced } from "../sourced.js";
import type { DeviceSpec } from "../spec.js";
import { a30, childGridsLike } from "./device-runtime.js";
import { volta } from "./generations.js";
import { transfersOver } from "./transfers.js";

const mt4g = published("mt4g sample results, Tesla V100-PCIE-16GB");
const stream = published("te42kyfo/gpu-benches, gpu-stream v100.txt, of 898 GB/s");

const generation = volta("V100");

const smClockMHz = sourced(1530, memory("NVIDIA Tesla V100 data sheet: SXM2 boost 1530 MHz (PCIe 1380)"));

export const v100: DeviceSpec = device(
  { id: "v100", name: "NVIDIA Tesla V100-SXM2-16GB", architecture: "Volta", codename: "GV100" },
  {
    ...generation,
    dynamicParallelism: childGridsLike(a30, smClockMHz),
    computeCapability: sourced({ major: 7, minor: 0 }, programmingGuide),
    ...fieldsFrom(mt4g, {
      smCount: 80,
      warpSize: 32,
    }),
    limits: {
      ...generation.limits,
      ...fieldsFrom(mt4g, {
        maxThreadsPerBlock: 1024,
        maxThreadsPerSm: 2048,
        registersPerSm: 65536,
        registersPerBlock: 65536,
        sharedBytesPerSm: 98304,
        sharedBytesPerBlock: 49152,
        sharedReservedBytesPerBlock: 0,
        totalGlobalMemBytes: 16928342016,
      }),
      ...fieldsFrom(occupancyHeader, {
        maxBlocksPerSm: 32,
        sharedCarveoutsBytes: [0, 8192, 16384, 32768, 65536, 98304],
      }),
      sharedBytesPerBlockOptIn: sourced(98304, programmingGuide),
    },
    smClockMHz,
    warpScheduling: sourced(
      "looseRoundRobin",
      published(
        "Accel-Sim's configuration of a Quadro V100 (gpgpu_scheduler lrr), which its authors compared with the GPU",
      ),
    ),
    pipes: {
      ...generation.pipes,
      alu: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        documented("Programming Guide: 4 cycles for most arithmetic on 7.x, 64 integer results a cycle and SM"),
      ),
      fma: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        published("Accel-Sim microbenchmarks of a TITAN V (same die): fp32 4.12 cycles, 126.9 flop a cycle and SM"),
      ),
      imad: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        published(
          "Accel-Sim microbenchmarks of a TITAN V: int32 4.31 cycles, 126.9 operations (MAD = 2) a cycle and SM",
        ),
      ),
      fp64: sourced(
        { latencyCycles: 8, issueIntervalCycles: 4, sharedBy: "scheduler" },
        published("Accel-Sim microbenchmarks of a TITAN V: fp64 8.07 cycles, 63.9 flop a cycle and SM"),
      ),
      xu: sourced(
        { latencyCycles: 21, issueIntervalCycles: 8, sharedBy: "scheduler" },
        published("Accel-Sim microbenchmarks of a TITAN V: sfu 21.1 cycles, 15.98 results a cycle and SM"),
      ),
      lsu: sourced(
        { issueIntervalCycles: 1, sharedBy: "sm" },
        published("te42kyfo/gpu-benches, gpu-cache v100.txt: 125 bytes a cycle and SM, one 128-byte warp load a cycle"),
      ),
      redux: sourced(null, documented("Programming Guide: __reduce_sync needs compute capability 8.0")),
      uniform: sourced(null, documented("the uniform datapath came with Turing")),
      constant: {
        latencyCycles: sourced(27, memory("Jia et al. 2018, arXiv:1804.06826: constant L1 of the V100, 27 cycles")),
        ...fieldsFrom(estimated("as the alu"), {
          issueIntervalCycles: 2,
          sharedBy: "scheduler",
        }),
      },
    },
    sharedMemory: {
      ...generation.sharedMemory,
      loadLatencyCycles: sourced(
        19,
        published("Jia et al. 2018, arXiv:1804.06826 (23.5 by mt4g, 27.0 on a TITAN V, with address arithmetic)"),
      ),
      wavefrontCycles: sourced(
        1,
        published("Accel-Sim microbenchmarks of a TITAN V: shared memory 126.5 bytes a cycle and SM"),
      ),
    },
    barrier: {
      ...generation.barrier,
      perWarpCycles: sourced(2, documented("Programming Guide: __syncthreads() 16 operations a cycle and SM on 7.x")),
    },
    l1: {
      ...generation.l1,
      ...fieldsFrom(mt4g, {
        lineBytes: 128,
        sectorBytes: 32,
        missBytes: 32,
      }),
      hitLatencyCycles: sourced(
        30,
        published("te42kyfo/gpu-benches, gpu-latency v100.txt: 29.9 cycles (Jia 28, mt4g 30.1)"),
      ),
      bytesPerCycle: sourced(
        125,
        published("te42kyfo/gpu-benches, gpu-cache v100.txt: 13.8 TB/s over 80 SM at 1380 MHz"),
      ),
      maxOutstandingMisses: sourced(
        null,
        published("te42kyfo/gpu-benches, gpu-stream v100.txt: 64 warps with 8 sectors each, no limit seen"),
      ),
    },
    l2: {
      ...generation.l2,
      ...fieldsFrom(mt4g, {
        sizeBytes: 6291456,
        lineBytes: 128,
        sectorBytes: 32,
      }),
      partitions: sourced(1, memory("no partitions before GA100 (its whitepaper names them as new)")),
      ...fieldsFrom(
        published(
          "te42kyfo/gpu-benches at 20db037, gpu-small-kernels v100.txt: 6.1 of 6.3 MB at L2's speed, from 10.4 on at DRAM's",
        ),
        {
          allKeptShare: 0.95,
          noneKeptShare: 1.65,
        },
      ),
      hitLatencyCycles: sourced(
        215,
        published("te42kyfo/gpu-benches, gpu-latency v100.txt: 215 cycles (mt4g 214.5, Jia 193)"),
      ),
      bandwidthGBps: sourced(
        2716,
        published("te42kyfo/gpu-benches, gpu-cache v100.txt: 2450 GB/s at 1380 MHz, in proportion at 1530"),
      ),
      writeBandwidthGBps: sourced(
        2716,
        estimated("as reading: a slice reads and writes 32 bytes a cycle; the H200's reads 64"),
      ),
      campingFactor: sourced(
        2,
        published(
          "notes on a V100 (test/reference/published/v100-notes.json): naive transpose of 4096 x 4096, 402 us: 85 cycles an SM for 16 lines 16 KiB apart, 43 without",
        ),
      ),
    },
    dram: {
      peakBandwidthGBps: sourced(898, published("mt4g: 877 MHz x 2 x 4096 bit")),
      busWidthBits: sourced(4096, published("mt4g: 877 MHz x 2 x 4096 bit")),
      achievableReadFraction: sourced(
        0.996,
        estimated(
          "as writing: te42kyfo/gpu-benches, gpu-stream v100.txt, reads 866 GB/s with an SM full of threads of one load each, but still 4 to 5 GB/s more with each further 32, which their latency bounds",
        ),
      ),
      ...fieldsFrom(stream, {
        achievableWriteFraction: 0.996,
        achievableCopyFraction: 0.893,
      }),
      latencyCycles: sourced(
        461,
        published(
          "te42kyfo/gpu-benches, gpu-latency v100.txt: 437 cycles at 1380 MHz; the 161 ns beyond L2 taken at 1530 MHz",
        ),
      ),
    },
    atomics: {
      ...generation.atomics,
      returnLatencyCycles: sourced(244, published("Accel-Sim microbenchmarks of a TITAN V: int32 add 243.6 cycles")),
    },
    launch: {
      ...generation.launch,
      blockDispatchNanoseconds: sourced(
        1.51,
        published(
          "te42kyfo/gpu-benches, gpu-stream v100.txt: init with blocks of 32 threads 153 GB/s, of 128 595 GB/s: 1.67 ns a block at 1380 MHz",
        ),
      ),
      emptyBlockResidencyCycles: sourced(
        221,
        nearest(
          "te42kyfo/gpu-benches, gpu-stream v100.txt: init with blocks of 32, 153 GB/s, two blocks an SM: 369 cycles a block, less the 148 that the same lasts longer than an empty block on the H200",
        ),
      ),
      backToBackMicroseconds: sourced(3.116, nearest("measured on the H200")),
    },
    transfers: transfersOver(
      "V100",
      [5, published("deviceQuery of a V100 (6 MiB of L2), in a public course: 5 copy engines")],
      { hostToDeviceGBps: 10.8, deviceToHostGBps: 12.1, pageableHostToDeviceGBps: 5.4, pageableDeviceToHostGBps: 6.1 },
      published(
        "bandwidthTest on three hosts with a V100-SXM2-16GB: 9.6, 10.8, 11.1 GB/s to it, 11.4, 12.1, 12.5 from it",
      ),
    ),
  },
);
