/** The kernels of test/reference/h200/micro/spin.cu: additions to shared memory, loops of compare-and-swap that warps contend for. */
import { f32, f64, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const spinFloat: Kernel = kernel(
  "spinFloat",
  { params: { out: ptr(f32), n: i32, words: i32, lanes: i32 } },
  ({ out, n, words, lanes }, { threadIdx, blockDim, shared, syncthreads, atomicAdd, i32, u32, f32 }) => {
    const s = shared(f32, 1024);
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) s[i] = 0;
    syncthreads();
    let k = (u32(threadIdx.x) + u32(77)) * u32(2654435761);
    for (let i = 0; i < n; i++) {
      k = k * u32(1664525) + u32(1013904223);
      if (i32(threadIdx.x & 31) < lanes) atomicAdd(s, (k >> 16) & u32(words - 1), 1);
    }
    syncthreads();
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) out[i] = s[i]!;
  },
);

const spinDouble: Kernel = kernel(
  "spinDouble",
  { params: { out: ptr(f64), n: i32, words: i32, lanes: i32 } },
  ({ out, n, words, lanes }, { threadIdx, blockDim, shared, syncthreads, atomicAdd, i32, u32, f64 }) => {
    const s = shared(f64, 1024);
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) s[i] = 0;
    syncthreads();
    let k = (u32(threadIdx.x) + u32(77)) * u32(2654435761);
    for (let i = 0; i < n; i++) {
      k = k * u32(1664525) + u32(1013904223);
      if (i32(threadIdx.x & 31) < lanes) atomicAdd(s, (k >> 16) & u32(words - 1), 1);
    }
    syncthreads();
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) out[i] = s[i]!;
  },
);

const stridedFloat: Kernel = kernel(
  "stridedFloat",
  { params: { out: ptr(f32), n: i32, stride: i32 } },
  ({ out, n, stride }, { threadIdx, blockDim, shared, syncthreads, atomicAdd, i32, f32 }) => {
    const s = shared(f32, 1024);
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) s[i] = 0;
    syncthreads();
    for (let i = 0; i < n; i++) atomicAdd(s, (i32(threadIdx.x & 31) * stride + i) & 1023, 1);
    syncthreads();
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) out[i] = s[i]!;
  },
);

const stridedDouble: Kernel = kernel(
  "stridedDouble",
  { params: { out: ptr(f64), n: i32, stride: i32 } },
  ({ out, n, stride }, { threadIdx, blockDim, shared, syncthreads, atomicAdd, i32, f64 }) => {
    const s = shared(f64, 1024);
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) s[i] = 0;
    syncthreads();
    for (let i = 0; i < n; i++) atomicAdd(s, (i32(threadIdx.x & 31) * stride + i) & 1023, 1);
    syncthreads();
    for (let i = i32(threadIdx.x); i < 1024; i += i32(blockDim.x)) out[i] = s[i]!;
  },
);

interface SpinRow {
  readonly type: "float" | "double";
  readonly warps: number;
  readonly lanes?: number;
  readonly words?: number;
  readonly stride?: number;
  readonly cycles: number;
}

const FEW = 16;
const MORE = 48;

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

export function spinBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/spin.json") as { readonly rows: readonly SpinRow[] };
  return rows.map(({ type, warps, lanes, words, stride, cycles }): MicroBenchmark => {
    const random = lanes !== undefined && words !== undefined;
    const of = type === "float" ? (random ? spinFloat : stridedFloat) : random ? spinDouble : stridedDouble;
    const args = random ? [words, lanes] : [stride!];
    const where = random ? `${count(lanes, "lane")}, ${count(words, "word")}` : `stride ${stride}`;
    return {
      group: `additions of ${type}s to shared memory`,
      id: `${count(warps, "warp")}, ${where}`,
      unit: "cycles an addition",
      measured: cycles,
      simulate: (gpu) => {
        const [few, more] = [FEW, MORE].map(
          (n) => gpu.predict({ kernel: of, blocks: 1, threads: 32 * warps, args: [gpu.out, n, ...args] }).cycles,
        );
        return (more! - few!) / (MORE - FEW);
      },
    };
  });
}
