/**
 * Streams by occupancy, measured by others on several GPUs: te42kyfo/gpu-benches, gpu-stream. One 8-byte element a
 * thread, two blocks an SM, so the size of the block sets how many loads are in flight. What little of a GPU's numbers
 * was read from these files is named in its device file; the other rows test the model.
 */
import { atClock, type DeviceSpec, deviceById, modifyDevice, rtx3080 } from "../../../device/index.js";
import { f64, type Kernel, kernel, ptr, u32 } from "../../../frontend/index.js";
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
export const streamGpus: Readonly<
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
    kernel: stream,
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
