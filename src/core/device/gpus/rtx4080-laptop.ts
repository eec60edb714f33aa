/**
 * NVIDIA GeForce RTX 4080 Laptop GPU (Ada AD104, compute capability 8.9). Laptops run it at 1350 to 2280 MHz, by their
 * power limit; taken at 2280 MHz, which memory-bound kernels reach in all but the thinnest. For another one:
 * modifyDevice(rtx4080Laptop, { smClockMHz: 1800 }).
 */

import { documented, estimated, memory, nearest, occupancyHeader, programmingGuide, published } from "../source.js";
import { device, fieldsFrom, sourced } from "../sourced.js";
import type { DeviceSpec } from "../spec.js";
import { childGridsLike, rtx4090 } from "./device-runtime.js";
import { geforce } from "./generations.js";
import { transfersOver } from "./transfers.js";

const die = memory("NVIDIA's sheet: AD104 with 58 SM");
const stream = nearest("L40 (same architecture and memory): te42kyfo/gpu-benches, gpu-stream l40.txt, of 864 GB/s");

const generation = geforce("RTX 4080 Laptop", "8.9");

const smClockMHz = sourced(2280, memory("NVIDIA's sheet: boost 1350 to 2280 MHz by the laptop; the top is taken"));

export const rtx4080Laptop: DeviceSpec = device(
  { id: "rtx4080-laptop", name: "NVIDIA GeForce RTX 4080 Laptop GPU", architecture: "Ada Lovelace", codename: "AD104" },
  {
    ...generation,
    dynamicParallelism: childGridsLike(rtx4090, smClockMHz),
    computeCapability: sourced({ major: 8, minor: 9 }, programmingGuide),
    smCount: sourced(58, die),
    limits: {
      ...generation.limits,
      maxBlocksPerSm: sourced(24, occupancyHeader),
      totalGlobalMemBytes: sourced(12878610432, published("nvidia-smi listings: 12282 MiB")),
    },
    smClockMHz,
    warpScheduling: sourced("greedyThenYoungest", nearest("Huerta et al., arXiv 2503.20481, on Ampere")),
    pipes: {
      ...generation.pipes,
      fp64: {
        latencyCycles: sourced(48, nearest("RTX 4070 Ti Super (same die): SASS latency tables, DADD 48.5 cycles")),
        issueIntervalCycles: sourced(16, documented("Programming Guide: 2 fp64 results a cycle and SM on 8.9")),
        sharedBy: sourced("sm", estimated("2 lanes an SM cannot be one a scheduler")),
      },
      xu: {
        ...generation.pipes.xu,
        latencyCycles: sourced(18, nearest("RTX 4070 Ti Super (same die): SASS latency tables, MUFU.EX2 17.6 cycles")),
      },
      lsu: sourced(
        { issueIntervalCycles: 2, sharedBy: "sm" },
        nearest(
          "A40 (the generation before): te42kyfo/gpu-benches, gpu-strides a40.txt, loads of one address by all lanes: 2.00 cycles a warp (A100: 1.02)",
        ),
      ),
      shuffle: {
        ...generation.pipes.shuffle,
        latencyCycles: sourced(25, nearest("RTX 4070 Ti Super (same die): SASS latency tables, SHFL.BFLY 25.0 cycles")),
      },
    },
    sharedMemory: {
      ...generation.sharedMemory,
      loadLatencyCycles: sourced(28, nearest("RTX 4070 Ti Super (same die): SASS latency tables, LDS 28.0 cycles")),
      latencyPerExtraWavefrontCycles: sourced(
        2,
        nearest("RTX 4070 Ti Super (same die): SASS latency tables, 53 to 115 cycles for strides 1 to 32"),
      ),
      wavefrontCycles: sourced(1, memory("as GA102: shared memory 128 bytes a cycle and SM")),
    },
    l1: {
      ...generation.l1,
      ...fieldsFrom(published("Accel-Sim, configuration SM89_RTX4060_LAPTOP"), {
        lineBytes: 128,
        sectorBytes: 32,
        missBytes: 32,
      }),
      hitLatencyCycles: sourced(36, nearest("L40: te42kyfo/gpu-benches, gpu-latency l40.txt, 36.1 cycles")),
      bytesPerCycle: sourced(64, nearest("L40: te42kyfo/gpu-benches, gpu-cache l40.txt: 64 bytes a cycle and SM")),
      maxOutstandingMisses: sourced(
        null,
        nearest("L40: te42kyfo/gpu-benches, gpu-stream l40.txt, 48 warps with 8 sectors each, no limit seen"),
      ),
    },
    l2: {
      ...generation.l2,
      sizeBytes: sourced(50331648, die),
      ...fieldsFrom(published("Accel-Sim, configuration SM89_RTX4060_LAPTOP"), {
        lineBytes: 128,
        sectorBytes: 32,
      }),
      partitions: sourced(1, memory("AD10x whitepaper names none")),
      ...fieldsFrom(
        nearest(
          "L40: te42kyfo/gpu-benches, gpu-small-kernels l40_graph.txt: 85 of 101 MB at L2's speed, from 161 on at DRAM's",
        ),
        {
          allKeptShare: 0.85,
          noneKeptShare: 1.6,
        },
      ),
      hitLatencyCycles: sourced(277, nearest("L40: te42kyfo/gpu-benches, gpu-latency l40.txt, 276.5 cycles")),
      bandwidthGBps: sourced(
        2132,
        nearest(
          "L40: te42kyfo/gpu-benches, gpu-cache l40.txt, 5700 GB/s: 16.1 bytes a cycle and SM, for 58 SM at 2280 MHz",
        ),
      ),
      writeBandwidthGBps: sourced(
        2132,
        estimated("as reading: a slice reads and writes 32 bytes a cycle; the H200's reads 64"),
      ),
    },
    dram: {
      peakBandwidthGBps: sourced(432, memory("NVIDIA's sheet: GDDR6 of 18 Gbps x 192 bit")),
      busWidthBits: sourced(192, memory("NVIDIA's sheet: 192 bit")),
      ...fieldsFrom(stream, {
        achievableReadFraction: 0.977,
        achievableWriteFraction: 0.979,
        achievableCopyFraction: 0.891,
      }),
      latencyCycles: sourced(
        602,
        nearest(
          "L40: te42kyfo/gpu-benches, gpu-latency l40.txt: 632 cycles at 2490 MHz; the 143 ns beyond L2 taken at 2280 MHz",
        ),
      ),
    },
    atomics: {
      ...generation.atomics,
      returnLatencyCycles: sourced(304, nearest("H200: 27 cycles more than a load that hits L2")),
    },
    launch: {
      ...generation.launch,
      blockDispatchNanoseconds: sourced(0.523, nearest("H200: 0.602 ns at 1980 MHz, the same cycles at 2280 MHz")),
      emptyBlockResidencyCycles: sourced(
        414,
        nearest(
          "L40: te42kyfo/gpu-benches, gpu-stream l40.txt: init with blocks of 32, 322 GB/s, two blocks an SM: 562 cycles a block, less the 148 that the same lasts longer than an empty block on the H200",
        ),
      ),
      backToBackMicroseconds: sourced(
        1.638,
        nearest("L40: te42kyfo/gpu-benches, gpu-small-kernels l40.txt, 64 kB a kernel"),
      ),
    },
    transfers: transfersOver(
      "RTX 4080 Laptop",
      [2, memory("deviceQuery of GeForce RTX 40: 2 copy engines")],
      { hostToDeviceGBps: 12.6, deviceToHostGBps: 13.1, pageableHostToDeviceGBps: 6.3, pageableDeviceToHostGBps: 6.5 },
      memory("PCIe 4.0 with 8 lanes in most laptops: half of 16 lanes' 25 GB/s"),
    ),
  },
);
