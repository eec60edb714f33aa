/** The microbenchmarks simulated on a device, beside what was measured. Their kernels are those of `npm run calibrate`. */
import type { DeviceSpec } from "../../core/device/index.js";
import { int4, type Kernel, kernel, ptr, u32 } from "../../core/frontend/index.js";
import { type MicroLaunch, MicroSimulator } from "../accuracy/calibrate/groups/benchmark-launch.js";
import {
  BARRIERS_A_ROUND,
  barriers,
  readSpan,
  SHARED_A_ROUND,
  sharedLoads,
  sharedStores,
  tightLoop,
} from "../accuracy/calibrate/groups/kernels.js";
import { OPERATIONS_A_ROUND, operationKernels } from "../accuracy/calibrate/groups/operations.js";
import type { Reading } from "./reading.js";
import type { Readings } from "./readings.js";

export interface ComparedReading {
  readonly name: string;
  readonly simulated: number;
  readonly measured: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  /** 100 * (simulated - measured) / measured. */
  readonly errorPercent: number;
}

type Simulate = (gpu: MicroSimulator, at: number) => number;

/** The operations' names in `operations.ts`; every instruction of a pipe has its rate and latency. */
const OPERATIONS: Readonly<Record<string, string>> = {
  imad: "imad",
  ffma: "ffma",
  dadd: "dadd",
  ex2: "popc",
  setp_selp: "setp_selp",
  shfl: "shfl_bfly",
  redux: "redux",
  match_any: "match_any",
};

const empty: Kernel = kernel("empty", { params: { out: ptr(u32), writes: u32 } }, ({ out, writes }) => {
  if (writes !== 0) out[0] = 1;
});

const redOfOneLane: Kernel = kernel(
  "redOfOneLane",
  { params: { out: ptr(u32), rounds: u32 } },
  ({ out, rounds }, { threadIdx, atomicAdd, unroll }) => {
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      if ((threadIdx.x & 31) === 0) atomicAdd(out, 0, round);
    }
  },
);

const vectors = { data: ptr(int4), out: ptr(int4) };

const readPieces: Kernel = kernel(
  "readPieces",
  { params: vectors },
  ({ data, out }, { threadIdx, blockIdx, blockDim }) => {
    const value = data[blockIdx.x * blockDim.x + threadIdx.x]!;
    if ((value.x ^ value.y ^ value.z ^ value.w) === 1234567) out[0] = value;
  },
);

const copyPieces: Kernel = kernel(
  "copyPieces",
  { params: vectors },
  ({ data, out }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = data[i]!;
  },
);

/** Of two lengths: start and end fall out. */
function cyclesBetween(
  gpu: MicroSimulator,
  launch: (rounds: number) => MicroLaunch,
  few: number,
  more: number,
): number {
  return (gpu.predict(launch(more)).cycles - gpu.predict(launch(few)).cycles) / (more - few);
}

function operation(name: string, part: "chain" | "four", warps: number): Simulate {
  return (gpu) => {
    const found = operationKernels.find((each) => each.name === OPERATIONS[name])!;
    const launch = (rounds: number): MicroLaunch => ({
      kernel: found[part].ir,
      blocks: 1,
      threads: warps * 32,
      args: [gpu.out, ...found.operands, rounds],
    });
    return cyclesBetween(gpu, launch, 4, 12) / OPERATIONS_A_ROUND;
  };
}

const MEBIBYTE = 2 ** 20;

/** GB/s by the time that 64 MiB more take. */
function stream(of: Kernel, moved: number, loop: boolean): Simulate {
  return (gpu) => {
    const launch = (mebibytes: number): MicroLaunch => {
      const vectorCount = (mebibytes * MEBIBYTE) / 16;
      return loop
        ? {
            kernel: of.ir,
            blocks: 8 * gpu.device.smCount,
            threads: 512,
            args: [gpu.data, vectorCount, gpu.out],
            cache: "cold",
          }
        : { kernel: of.ir, blocks: vectorCount / 256, threads: 256, args: [gpu.data, gpu.out], cache: "cold" };
    };
    const cycles = cyclesBetween(gpu, launch, 192, 256) / MEBIBYTE;
    return (moved * gpu.device.smClockMHz) / 1000 / cycles;
  };
}

const nanoseconds = (gpu: MicroSimulator, cycles: number): number => (cycles * 1000) / gpu.device.smClockMHz;

const shared =
  (of: Kernel): Simulate =>
  (gpu, stride) =>
    cyclesBetween(
      gpu,
      (rounds) => ({ kernel: of.ir, blocks: 1, threads: 1024, sharedBytes: 8192, args: [gpu.out, stride, rounds] }),
      2,
      6,
    ) /
    (SHARED_A_ROUND * 32);

const barrierOf =
  (blocks: number): Simulate =>
  (gpu, warps) =>
    cyclesBetween(
      gpu,
      (rounds) => ({ kernel: barriers.ir, blocks: blocks * gpu.device.smCount, threads: warps * 32, args: [rounds] }),
      4,
      12,
    ) / BARRIERS_A_ROUND;

const emptyLaunch = (gpu: MicroSimulator, blocks: number, threads: number, sharedBytes: number = 0): MicroLaunch => ({
  kernel: empty.ir,
  blocks,
  threads,
  sharedBytes,
  args: [gpu.out, 0],
});

/** By the reading's name, where `at` is the number at its end. */
const SIMULATIONS: readonly (readonly [names: RegExp, simulate: Simulate])[] = [
  ...Object.keys(OPERATIONS).flatMap((name): readonly (readonly [RegExp, Simulate])[] => [
    [new RegExp(`^chain\\.${name}$`), operation(name, "chain", 1)],
    [new RegExp(`^rate\\.${name}$`), (gpu) => 32 / operation(name, "four", 32)(gpu, 0)],
  ]),
  [/^shared\.load\.\d+$/, shared(sharedLoads)],
  [/^shared\.store\.\d+$/, shared(sharedStores)],
  [/^barrier\.\d+$/, barrierOf(1)],
  [/^barrier\.8x8$/, (gpu) => barrierOf(8)(gpu, 8)],
  [
    /^loop\.one$/,
    (gpu) =>
      cyclesBetween(
        gpu,
        (rounds) => ({ kernel: tightLoop.ir, blocks: 1, threads: 32, args: [gpu.out, rounds] }),
        32,
        160,
      ),
  ],
  [/^dram\.read\.pieces$/, stream(readPieces, 1, false)],
  [/^dram\.read\.loop$/, stream(readSpan, 1, true)],
  [/^dram\.copy\.pieces$/, stream(copyPieces, 2, false)],
  [
    /^atomic\.address$/,
    (gpu) => {
      const blocks = 8 * gpu.device.smCount;
      const launch = (rounds: number): MicroLaunch => ({
        kernel: redOfOneLane.ir,
        blocks,
        threads: 256,
        args: [gpu.out, rounds],
      });
      return nanoseconds(gpu, cyclesBetween(gpu, launch, 16, 48) / (8 * blocks));
    },
  ],
  [
    /^blocks\.dispatch$/,
    (gpu) =>
      nanoseconds(
        gpu,
        cyclesBetween(gpu, (blocks) => emptyLaunch(gpu, blocks, 32), 60_000, 120_000),
      ),
  ],
  [
    /^blocks\.residency\.\d+$/,
    (gpu, warps) => {
      const { sharedBytesPerSm, sharedBytesPerBlockOptIn } = gpu.device.limits;
      const alone = Math.min(sharedBytesPerBlockOptIn, sharedBytesPerSm / 2 + 1024);
      const launch = (rounds: number): MicroLaunch => emptyLaunch(gpu, rounds * gpu.device.smCount, warps * 32, alone);
      return cyclesBetween(gpu, launch, 100, 300);
    },
  ],
  [/^launch\.queued$/, (gpu) => gpu.predict({ ...emptyLaunch(gpu, 1, 256), cache: "cold" }).timeMs * 1000],
  [/^launch\.idle$/, (gpu) => gpu.predict(emptyLaunch(gpu, 1, 256)).timeMs * 1000],
];

/** Each reading that a kernel here stands for, in the order of the output. */
export function compareReadings(device: DeviceSpec, { byName }: Readings): readonly ComparedReading[] {
  const gpu = new MicroSimulator(device);
  const simulated = (reading: Reading): readonly ComparedReading[] => {
    const { name, value, low, high, unit } = reading;
    const found = SIMULATIONS.find(([names]) => names.test(name));
    if (found === undefined) return [];
    const result = found[1](gpu, Number(/\d+$/.exec(name)?.[0] ?? 0));
    return [
      { name, simulated: result, measured: value, low, high, unit, errorPercent: (100 * (result - value)) / value },
    ];
  };
  return [...byName.values()].flatMap(simulated);
}
