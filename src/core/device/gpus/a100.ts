/** NVIDIA A100 PCIe 40 GB (Ampere GA100, compute capability 8.0) at its boost clock of 1410 MHz. */

import { documented, estimated, memory, nearest, occupancyHeader, programmingGuide, published } from "../source.js";
import { device, fieldsFrom, sourced } from "../sourced.js";
import type { DeviceSpec } from "../spec.js";
import { a30, childGridsLike } from "./device-runtime.js";
import { ampere, asH200 } from "./generations.js";
import { transfersOver } from "./transfers.js";

const mt4g = published("mt4g sample results, NVIDIA A100-PCIE-40GB");
const stream = published("te42kyfo/gpu-benches, gpu-stream a100_40.txt, of 1555 GB/s");

const generation = ampere("A100", "8.0");
const likeH200 = asH200("A100");

const smClockMHz = sourced(1410, published("mt4g and te42kyfo/gpu-benches, A100-PCIE-40GB: 1410 MHz"));

export const a100: DeviceSpec = device(
  { id: "a100", name: "NVIDIA A100-PCIE-40GB", architecture: "Ampere", codename: "GA100" },
  {
    ...generation,
    dynamicParallelism: childGridsLike(a30, smClockMHz),
    ...fieldsFrom(mt4g, {
      computeCapability: { major: 8, minor: 0 },
      smCount: 108,
    }),
    limits: {
      ...generation.limits,
      ...fieldsFrom(occupancyHeader, {
        maxBlocksPerSm: 32,
        sharedCarveoutsBytes: [0, 8192, 16384, 32768, 65536, 102400, 135168, 167936],
      }),
      ...fieldsFrom(programmingGuide, {
        sharedBytesPerSm: 167936,
        sharedBytesPerBlockOptIn: 166912,
      }),
      totalGlobalMemBytes: sourced(42406903808, mt4g),
    },
    smClockMHz,
    warpScheduling: sourced("greedyThenYoungest", published("Huerta et al., arXiv 2503.20481, on Ampere")),
    pipes: {
      ...generation.pipes,
      fma: sourced(
        { latencyCycles: 4, issueIntervalCycles: 2, sharedBy: "scheduler" },
        documented("Programming Guide: 4 cycles for most arithmetic; 64 fp32 results a cycle and SM on 8.0"),
      ),
      fp64: {
        latencyCycles: sourced(8, nearest("H200 7.9 and TITAN V 8.07 cycles")),
        issueIntervalCycles: sourced(4, documented("Programming Guide: 32 fp64 results a cycle and SM on 8.0")),
        sharedBy: sourced("scheduler", estimated("8 lanes a scheduler")),
      },
      lsu: sourced(
        { issueIntervalCycles: 1, sharedBy: "sm" },
        published("te42kyfo/gpu-benches, gpu-strides a100.txt: loads of one address by all lanes, 1.02 cycles a warp"),
      ),
    },
    sharedMemory: {
      ...generation.sharedMemory,
      loadLatencyCycles: sourced(23, published("Abdelkhalik et al. 2022, arXiv:2208.11174, 23 cycles")),
      wavefrontCycles: sourced(1, memory("GA100 whitepaper: shared memory 128 bytes a cycle and SM")),
    },
    l1: {
      ...generation.l1,
      capacityBytes: sourced(196608, programmingGuide),
      ...fieldsFrom(mt4g, {
        lineBytes: 128,
        sectorBytes: 32,
        missBytes: 32,
      }),
      hitLatencyCycles: sourced(36, published("te42kyfo/gpu-benches, gpu-latency a100_40.txt, 36.0 cycles")),
      bytesPerCycle: sourced(
        126,
        published("te42kyfo/gpu-benches, gpu-strides a100.txt: 126 bytes a cycle and SM (gpu-cache a100_80.txt 126)"),
      ),
      maxOutstandingMisses: sourced(
        null,
        published("te42kyfo/gpu-benches, gpu-stream a100_40.txt: 64 warps, 1490 GB/s, no limit seen"),
      ),
    },
    l2: {
      ...generation.l2,
      sizeBytes: sourced(41943040, memory("NVIDIA A100 data sheet: 40 MB")),
      ...fieldsFrom(mt4g, {
        lineBytes: 128,
        sectorBytes: 32,
      }),
      partitions: sourced(2, memory("GA100 whitepaper: the L2 cache is divided into two partitions")),
      ...fieldsFrom(
        nearest(
          "A100 80 GB (same die): te42kyfo/gpu-benches, gpu-small-kernels a100_80_graph.txt: 26 of 42 MB at L2's speed, 42 at DRAM's",
        ),
        {
          allKeptShare: 0.65,
          noneKeptShare: 1.02,
        },
      ),
      hitLatencyCycles: sourced(
        213,
        published("te42kyfo/gpu-benches, gpu-latency a100_40.txt, 213 cycles in the near half of L2"),
      ),
      bandwidthGBps: sourced(
        4600,
        nearest("A100 80 GB (same die): te42kyfo/gpu-benches, gpu-cache a100_80.txt, 4600 GB/s"),
      ),
      writeBandwidthGBps: sourced(
        4600,
        estimated("as reading: a slice reads and writes 32 bytes a cycle; the H200's reads 64"),
      ),
      strongLineCycles: sourced(0.285, likeH200),
    },
    dram: {
      peakBandwidthGBps: sourced(1555, memory("NVIDIA A100 data sheet, 40 GB: HBM2 1215 MHz x 2 x 5120 bit")),
      busWidthBits: sourced(5120, memory("NVIDIA A100 data sheet, 40 GB: 5120 bit")),
      ...fieldsFrom(stream, {
        achievableReadFraction: 0.958,
        achievableWriteFraction: 0.967,
        achievableCopyFraction: 0.888,
      }),
      latencyCycles: sourced(
        573,
        published("te42kyfo/gpu-benches, gpu-latency a100_40.txt, 206 MB: 573 cycles at 1410 MHz"),
      ),
    },
    atomics: {
      ...generation.atomics,
      returnLatencyCycles: sourced(240, nearest("H200: 27 cycles more than a load that hits L2")),
    },
    launch: {
      ...generation.launch,
      blockDispatchNanoseconds: sourced(0.845, nearest("H200: 0.602 ns at 1980 MHz, the same cycles at 1410 MHz")),
      emptyBlockResidencyCycles: sourced(
        342,
        nearest(
          "te42kyfo/gpu-benches, gpu-stream a100_40.txt: init with blocks of 32, 159 GB/s, two blocks an SM: 490 cycles a block, less the 148 that the same lasts longer than an empty block on the H200",
        ),
      ),
      backToBackMicroseconds: sourced(
        2.62,
        nearest(
          "A100 80 GB (same die): te42kyfo/gpu-benches, gpu-small-kernels a100_80.txt, 64 kB a kernel at 25 GB/s",
        ),
      ),
    },
    transfers: transfersOver(
      "A100",
      [3, published("gpu_info of an A100-PCIE-40GB: 3 async engines")],
      {
        hostToDeviceGBps: 24.6,
        deviceToHostGBps: 26.2,
        pageableHostToDeviceGBps: 12.3,
        pageableDeviceToHostGBps: 13.1,
      },
      memory("bandwidthTest over PCIe 4.0 x16: 24 to 26 of 32 GB/s"),
    ),
  },
);
