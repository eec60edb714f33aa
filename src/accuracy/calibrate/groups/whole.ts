/**
 * Whole launches on an H200, most of them short (test/reference/h200/micro/launch.cu): dispatch, the start of blocks, what
 * stands before the first load, L2's and DRAM's latency, the launch's end. Repeated, with what fits of the data in L2, and
 * behind a dirty L2.
 */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroSimulator } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { x: ptr(f32), y: ptr(f32), z: ptr(f32), n: i32 };

const kernels: Readonly<Record<string, Kernel>> = {
  nothing: kernel("nothing", { params }, ({ z, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) z[i] = f32(1);
  }),
  readEach: kernel("readEach", { params }, ({ x, z, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
      const v = x[i]!;
      if (v === 123.5) z[i] = v;
    }
  }),
  writeEach: kernel("writeEach", { params }, ({ z, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = f32(1);
  }),
  copyEach: kernel("copyEach", { params }, ({ x, z, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i]!;
  }),
  axpyEach: kernel("axpyEach", { params }, ({ x, y, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.5 * x[i]! + y[i]!;
  }),
  triadEach: kernel("triadEach", { params }, ({ x, y, z, n }, { threadIdx, blockIdx, blockDim }) => {
    const i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 2.5 * x[i]! + y[i]!;
  }),
  sumLoop: kernel("sumLoop", { params }, ({ x, z, n }, { threadIdx, blockIdx, blockDim, gridDim, unroll }) => {
    let s = f32(0);
    for (let i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      unroll(1);
      s += x[i]!;
    }
    if (s === 123.5) z[0] = s;
  }),
};

interface Row {
  readonly kernel: string;
  readonly grid: number;
  readonly block: number;
  readonly n: number;
  readonly repeatedUs: number;
  readonly coldUs: number;
}

/** Each second size of blocks and arrays. */
function isTaken({ kernel: name, block, n }: Row): boolean {
  return name in kernels && (name.endsWith("Loop") || (block !== 128 && block !== 512)) && n !== 2 ** 21;
}

/** As measured: the repeated launch, too, stands behind another kernel. */
function microseconds(gpu: MicroSimulator, { kernel: name, grid, block, n }: Row, cache: "cold" | "warm"): number {
  const { queuedKernelEventMicroseconds, emptyKernelEventMicroseconds } = gpu.device.launch;
  const byteLength = 4 * n;
  const second = { address: gpu.out.address + gpu.out.byteLength / 2, byteLength };
  const args = [{ address: gpu.data.address, byteLength }, { address: gpu.out.address, byteLength }, second, n];
  const time = gpu.predict({ kernel: kernels[name]!, blocks: grid, threads: block, args, cache });
  return time.timeMs * 1000 + (cache === "warm" ? queuedKernelEventMicroseconds - emptyKernelEventMicroseconds : 0);
}

/** In the order of the file. */
export function wholeLaunchBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/launch.json") as { readonly rows: readonly Row[] };
  return rows.filter(isTaken).flatMap((row) =>
    (["warm", "cold"] as const).map(
      (cache): MicroBenchmark => ({
        group: cache === "warm" ? "whole launches, repeated" : "whole launches, behind a dirty L2",
        id: `${row.kernel}, ${row.n / 2 ** 20} Mi, ${row.grid} blocks of ${row.block}`,
        unit: "us",
        measured: cache === "warm" ? row.repeatedUs : row.coldUs,
        simulate: (gpu) => microseconds(gpu, row, cache),
      }),
    ),
  );
}
