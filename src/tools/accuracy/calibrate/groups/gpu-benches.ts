/**
 * Microbenchmarks that others measured on several GPUs (te42kyfo/gpu-benches), whose texts are not kept here, so the
 * kernels are written here. gpu-stream: one 8-byte element a thread, two blocks an SM, so the size of the block sets how
 * many loads are in flight. gpu-small-kernels: copies of 64 kB to some 200 MB, one kernel after the other. The gap between
 * two kernels is the smallest one's. The device files name the few numbers that were read from these measurements.
 */
import { atClock, type DeviceSpec, deviceById, modifyDevice, rtx3080 } from "../../../../core/device/index.js";
import { f64, i32, type Kernel, kernel, ptr, u32 } from "../../../../core/frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroSimulator } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { a: ptr(f64), b: ptr(f64), c: ptr(f64), n: u32 };

const init: Kernel = kernel("init", { params }, ({ a, n }, { threadIdx, blockIdx, blockDim }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.23;
});

const read: Kernel = kernel("read", { params }, ({ a, b, n }, { threadIdx, blockIdx, blockDim }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const value = b[i]!;
    if (value === 123.0) a[i] = value;
  }
});

const scale: Kernel = kernel("scale", { params }, ({ a, b, n }, { threadIdx, blockIdx, blockDim }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i]! * 1.2;
});

const triad: Kernel = kernel("triad", { params }, ({ a, b, c, n }, { threadIdx, blockIdx, blockDim }) => {
  const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i]! * 1.2 + c[i]!;
});

/** Each with the arrays that it goes through, in the order of the file's columns. */
const streams: readonly { readonly kernel: Kernel; readonly arrays: number }[] = [
  { kernel: init, arrays: 1 },
  { kernel: read, arrays: 1 },
  { kernel: scale, arrays: 2 },
  { kernel: triad, arrays: 3 },
];

/**
 * By the file's name, with the clock of the measurements. An A40 is the RTX 3080's die with more SMs, all of its L2 (gpu-cache
 * a40.txt) and other memory.
 */
const streamGpus: Readonly<
  Record<"v100" | "a100_40" | "a40" | "h200", { readonly name: string; readonly device: DeviceSpec }>
> = {
  v100: { name: "V100", device: atClock(deviceById("v100"), 1380) },
  a100_40: { name: "A100", device: deviceById("a100") },
  a40: {
    name: "A40",
    device: modifyDevice(atClock(rtx3080, 1740), {
      smCount: 84,
      l2: { sizeBytes: 6291456, bandwidthGBps: 2400, writeBandwidthGBps: 2400 },
      dram: { peakBandwidthGBps: 695.8 },
    }),
  },
  h200: { name: "H200", device: deviceById("h200") },
};

const ELEMENTS = 2 ** 26;

/** Shared memory of which two blocks fill an SM. */
function halfOfSharedMemory({ limits }: DeviceSpec): number {
  const unit = limits.sharedAllocationUnitBytes;
  return Math.floor((limits.sharedBytesPerSm / 2 - limits.sharedReservedBytesPerBlock) / unit) * unit;
}

function streamGBps(gpu: MicroSimulator, stream: Kernel, arrays: number, threads: number): number {
  const bytes = 8 * ELEMENTS;
  const { data, out } = gpu;
  const time = gpu.predict({
    kernel: stream.ir,
    blocks: Math.ceil(ELEMENTS / threads),
    threads,
    sharedBytes: halfOfSharedMemory(gpu.device),
    args: [
      { address: out.address, byteLength: bytes },
      { address: data.address, byteLength: bytes },
      { address: data.address + bytes, byteLength: bytes },
      ELEMENTS,
    ],
  });
  return (arrays * bytes) / (time.timeMs * 1e6);
}

/** In the order of the file. */
export function streamBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("published/gpu-stream.json") as {
    readonly rows: Readonly<Record<string, readonly (readonly number[])[]>>;
  };
  return Object.entries(streamGpus).flatMap(([file, { name, device }]) =>
    (rows[file] ?? []).flatMap(([threads = 0, ...measured]) =>
      streams.map(
        ({ kernel: stream, arrays }, index): MicroBenchmark => ({
          group: `streams by occupancy, ${name}`,
          id: `${stream.name}, ${threads} threads a block`,
          unit: "GB/s",
          measured: measured[index] ?? Number.NaN,
          device,
          simulate: (gpu) => streamGBps(gpu, stream, arrays, threads),
        }),
      ),
    ),
  );
}

const smallParams = { a: ptr(f64), b: ptr(f64), size: i32 };

const scaleLine: Kernel = kernel(
  "scale",
  { params: smallParams },
  ({ a, b, size }, { threadIdx, blockIdx, blockDim }) => {
    const i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= size) return;
    a[i] = b[i]! * 0.25;
  },
);

const scaleSquare: Kernel = kernel(
  "scaleSquare",
  { params: smallParams },
  ({ a, b, size }, { threadIdx, blockIdx, blockDim }) => {
    const x = threadIdx.x + blockIdx.x * blockDim.x;
    const y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= size || y >= size) return;
    a[y * size + x] = b[y * size + x]! * 0.25;
  },
);

type Shape = readonly [number, number];

interface SmallKernels {
  readonly name: string;
  readonly device: DeviceSpec;
  readonly stream: Kernel;
  /** In the order of the file's columns. */
  readonly blocks: readonly Shape[];
  /** Elements of the arrays, and those of them that the rate counts. */
  readonly elements: (size: number) => number;
  readonly counted: (size: number) => number;
}

const line = {
  stream: scaleLine,
  blocks: [
    [256, 1],
    [1024, 1],
  ],
  elements: (size: number) => size,
  counted: (size: number) => size,
} as const;

const { v100, a40, h200, a100_40 } = streamGpus;

/** By the file's name. The A100 is one of 80 GB; the sizes here stay in L2. */
const gpus: Readonly<Record<string, SmallKernels>> = {
  v100: {
    ...v100,
    stream: scaleSquare,
    blocks: [
      [32, 32],
      [1024, 1],
    ],
    elements: (size) => size ** 2,
    counted: (size) => (size - 2) ** 2,
  },
  a100_80: { ...line, ...a100_40, device: modifyDevice(a100_40.device, { dram: { peakBandwidthGBps: 1935 } }) },
  a40: { ...line, ...a40 },
  h200: { ...line, ...h200 },
};

/** Time of one kernel, without the time around it between events. */
function microseconds(gpu: MicroSimulator, { stream, elements }: SmallKernels, size: number, [x, y]: Shape): number {
  const byteLength = 8 * elements(size);
  const time = gpu.predict({
    kernel: stream.ir,
    blocks: [Math.floor(size / x) + 1, stream === scaleLine ? 1 : Math.floor(size / y) + 1, 1],
    threads: [x, y, 1],
    everyBlock: true,
    args: [{ address: gpu.out.address, byteLength }, { address: gpu.data.address, byteLength }, size],
  });
  return time.timeMs * 1000 - gpu.device.launch.emptyKernelEventMicroseconds;
}

/** In the order of the file. */
export function smallKernelBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("published/gpu-small-kernels.json") as {
    readonly rows: Readonly<Record<string, readonly (readonly number[])[]>>;
  };
  return Object.entries(gpus).flatMap(([file, kernels]) => {
    const measuredOf = (row: readonly number[], column: number): number =>
      (16 * kernels.counted(row[0]!)) / (1000 * row[column + 1]!);
    const [smallest = [], ...others] = rows[file] ?? [];
    return others.flatMap((row) =>
      kernels.blocks.map(
        (block, column): MicroBenchmark => ({
          group: `short kernels, ${kernels.name}`,
          id: `${((16 * kernels.elements(row[0]!)) / 1e6).toPrecision(3)} MB, blocks of ${block.join("x")}`,
          unit: "us",
          measured: measuredOf(row, column),
          device: kernels.device,
          simulate: (gpu) =>
            microseconds(gpu, kernels, row[0]!, block) -
            microseconds(gpu, kernels, smallest[0]!, block) +
            measuredOf(smallest, column),
        }),
      ),
    );
  });
}
