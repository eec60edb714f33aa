/**
 * Short kernels back to back, measured by others on several GPUs: te42kyfo/gpu-benches, gpu-small-kernels. A copy of 64 kB to
 * some 200 MB there and back: the ramp of a launch, what L2 keeps between launches and holds dirty, DRAM. The gap between two
 * kernels is the smallest one's; the others test the model.
 */
import { type DeviceSpec, modifyDevice } from "../../../device/index.js";
import { f64, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroSimulator } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";
import { streamGpus } from "./streams.js";

const params = { a: ptr(f64), b: ptr(f64), size: i32 };

const scale: Kernel = kernel("scale", { params }, ({ a, b, size }, { threadIdx, blockIdx, blockDim }) => {
  const i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= size) return;
  a[i] = b[i]! * 0.25;
});

const scaleSquare: Kernel = kernel("scaleSquare", { params }, ({ a, b, size }, { threadIdx, blockIdx, blockDim }) => {
  const x = threadIdx.x + blockIdx.x * blockDim.x;
  const y = threadIdx.y + blockIdx.y * blockDim.y;
  if (x >= size || y >= size) return;
  a[y * size + x] = b[y * size + x]! * 0.25;
});

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
  stream: scale,
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

/** Of one kernel, without what lies around it between events. */
function microseconds(gpu: MicroSimulator, { stream, elements }: SmallKernels, size: number, [x, y]: Shape): number {
  const byteLength = 8 * elements(size);
  const time = gpu.predict({
    kernel: stream,
    blocks: [Math.floor(size / x) + 1, stream === scale ? 1 : Math.floor(size / y) + 1, 1],
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
