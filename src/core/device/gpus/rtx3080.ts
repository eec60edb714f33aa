/** NVIDIA GeForce RTX 3080, 10 GB (Ampere GA102, compute capability 8.6) at its boost clock of 1710 MHz. */

import { documented, estimated, memory, nearest, occupancyHeader, published } from "../source.js";
import { device, fieldsFrom, sourced } from "../sourced.js";
import type { DeviceSpec } from "../spec.js";
import { childGridsLike, rtx4090 } from "./device-runtime.js";
import { geforce } from "./generations.js";
import { transfersOver } from "./transfers.js";

const query = published("deviceQuery of an RTX 3080 (junstar92's CUDA notes)");
const stream = nearest("A40 (same die, GDDR6): te42kyfo/gpu-benches, gpu-stream a40.txt, of 695.8 GB/s");

const generation = geforce("RTX 3080", "8.6");

const smClockMHz = sourced(
  1710,
  published("deviceQuery of an RTX 3080 (junstar92's CUDA notes): 1710 MHz, NVIDIA's boost clock"),
);

export const rtx3080: DeviceSpec = device(
  { id: "rtx3080", name: "NVIDIA GeForce RTX 3080", architecture: "Ampere", codename: "GA102" },
  {
    ...generation,
    dynamicParallelism: childGridsLike(rtx4090, smClockMHz),
    ...fieldsFrom(query, {
      computeCapability: { major: 8, minor: 6 },
      smCount: 68,
      warpSize: 32,
    }),
    limits: {
      ...generation.limits,
      ...fieldsFrom(query, {
        maxThreadsPerBlock: 1024,
        maxThreadsPerSm: 1536,
        registersPerSm: 65536,
        registersPerBlock: 65536,
        sharedBytesPerSm: 102400,
        totalGlobalMemBytes: 10737418240,
      }),
      maxBlocksPerSm: sourced(16, occupancyHeader),
    },
    smClockMHz,
    warpScheduling: sourced("greedyThenYoungest", published("Huerta et al., arXiv 2503.20481, on Ampere")),
    pipes: {
      ...generation.pipes,
      fp64: {
        latencyCycles: sourced(48, nearest("RTX 4070 Ti Super: SASS latency tables, DADD 48.5 cycles")),
        issueIntervalCycles: sourced(16, documented("Programming Guide: 2 fp64 results a cycle and SM on 8.6")),
        sharedBy: sourced("sm", estimated("2 lanes an SM cannot be one a scheduler")),
      },
      lsu: sourced(
        { issueIntervalCycles: 2, sharedBy: "sm" },
        nearest(
          "A40 (same die): te42kyfo/gpu-benches, gpu-strides a40.txt, loads of one address by all lanes: 2.00 cycles a warp (A100: 1.02)",
        ),
      ),
      shuffle: {
        ...generation.pipes.shuffle,
        latencyCycles: sourced(25, nearest("RTX 4070 Ti Super: SASS latency tables, SHFL.BFLY 25.0 cycles")),
      },
    },
    sharedMemory: {
      ...generation.sharedMemory,
      loadLatencyCycles: sourced(23, nearest("A100: Abdelkhalik et al. 2022, arXiv:2208.11174, 23 cycles")),
      wavefrontCycles: sourced(1, memory("GA102 whitepaper: shared memory 128 bytes a cycle and SM")),
    },
    l1: {
      ...generation.l1,
      ...fieldsFrom(published("Accel-Sim, tested configuration SM86_RTX3070"), {
        lineBytes: 128,
        sectorBytes: 32,
        missBytes: 32,
      }),
      hitLatencyCycles: sourced(36, nearest("A100 and L40: te42kyfo/gpu-benches, gpu-latency, 36.0 and 36.1 cycles")),
      bytesPerCycle: sourced(
        64,
        nearest("A40 (same die): te42kyfo/gpu-benches, gpu-cache and gpu-strides a40.txt: 64 bytes a cycle and SM"),
      ),
      maxOutstandingMisses: sourced(
        null,
        nearest(
          "A40 (same die): te42kyfo/gpu-benches, gpu-stream a40.txt, 48 warps with 8 sectors each, no limit seen",
        ),
      ),
    },
    l2: {
      ...generation.l2,
      sizeBytes: sourced(5242880, query),
      ...fieldsFrom(published("Accel-Sim, tested configuration SM86_RTX3070"), {
        lineBytes: 128,
        sectorBytes: 32,
      }),
      partitions: sourced(1, memory("no partitions before GA100, nor in its siblings of the GA10x series")),
      ...fieldsFrom(
        nearest(
          "A40 (same die): te42kyfo/gpu-benches, gpu-small-kernels a40_graph.txt: 5.8 of 6.3 MB at L2's speed, from 11 on at DRAM's",
        ),
        {
          allKeptShare: 0.92,
          noneKeptShare: 1.75,
        },
      ),
      hitLatencyCycles: sourced(
        213,
        nearest("A100: te42kyfo/gpu-benches, gpu-latency a100.txt, 213 cycles in the near partition"),
      ),
      bandwidthGBps: sourced(
        1909,
        nearest(
          "A40 (same die): te42kyfo/gpu-benches, gpu-cache a40.txt, 2400 GB/s: 16.4 bytes a cycle and SM, for 68 SM at 1710 MHz",
        ),
      ),
      writeBandwidthGBps: sourced(
        1909,
        estimated("as reading: a slice reads and writes 32 bytes a cycle; the H200's reads 64"),
      ),
    },
    dram: {
      peakBandwidthGBps: sourced(
        760.1,
        published("deviceQuery of an RTX 3080 (junstar92's CUDA notes): 9501 MHz x 2 x 320 bit"),
      ),
      busWidthBits: sourced(320, published("deviceQuery of an RTX 3080 (junstar92's CUDA notes): 320 bit")),
      ...fieldsFrom(stream, {
        achievableReadFraction: 0.976,
        achievableWriteFraction: 0.976,
        achievableCopyFraction: 0.938,
      }),
      latencyCycles: sourced(
        457,
        nearest(
          "L40 (GDDR6): te42kyfo/gpu-benches, gpu-latency l40.txt, 143 ns beyond L2, taken at 1710 MHz; RTX3070 configuration of Accel-Sim: 441",
        ),
      ),
    },
    atomics: {
      ...generation.atomics,
      returnLatencyCycles: sourced(240, nearest("H200: 27 cycles more than a load that hits L2")),
      sameAddressIntervalCycles: sourced(
        1.32,
        nearest(
          "RTX 3070 Ti (GA104): histogramShared of rtx3080-nvbench.json's source, 2^27 sectors over four units of 512 bytes: 0.679 ns a sector and unit, where neighbouring sectors take 0.88 of the interval",
        ),
      ),
      sameAddressLaneCycles: sourced(
        0.93,
        nearest("RTX 3070 Ti (GA104): histogramGlobal of the same source, 2^26 lanes at one address: 0.543 ns each"),
      ),
    },
    launch: {
      ...generation.launch,
      blockDispatchNanoseconds: sourced(0.697, nearest("H200: 0.602 ns at 1980 MHz, the same cycles at 1710 MHz")),
      emptyBlockResidencyCycles: sourced(
        224,
        nearest(
          "A40 (same die): te42kyfo/gpu-benches, gpu-stream a40.txt: init with blocks of 32, 201 GB/s, two blocks an SM: 372 cycles a block, less the 148 that the same lasts longer than an empty block on the H200",
        ),
      ),
      backToBackMicroseconds: sourced(
        2.048,
        nearest("A40 (same die): te42kyfo/gpu-benches, gpu-small-kernels a40.txt, 64 kB a kernel"),
      ),
    },
    transfers: transfersOver(
      "RTX 3080",
      [2, published("deviceQuery of an RTX 3080 (junstar92's CUDA notes): 2 copy engines")],
      { hostToDeviceGBps: 25, deviceToHostGBps: 26.3, pageableHostToDeviceGBps: 12.5, pageableDeviceToHostGBps: 13.1 },
      memory("bandwidthTest over PCIe 4.0 x16: 24 to 26 of 32 GB/s"),
    ),
  },
);
