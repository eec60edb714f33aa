/** The kernels of test/reference/h200/micro/phases.cu: rounds of blocks that load together, then wait together. */
import { i32, int4, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { data: ptr(int4), out: ptr(i32), think: i32 };
const THREADS = 512;
const BLOCKS_PER_SM = 4;

/** 16 bytes a thread, LOADS times. */
const phaseRead: Kernel = kernel(
  "phaseRead",
  { params, constants: { LOADS: 4 } },
  ({ data, out, think }, { threadIdx, blockIdx, shared, syncthreads, unroll, i32 }, { LOADS }) => {
    const last = shared(i32, 1);
    const t = i32(threadIdx.x);
    const at = i32(blockIdx.x) * 512 * LOADS + t;
    let sum = i32(0);
    for (let k = 0; k < LOADS; k++) {
      unroll();
      const a = data[at + 512 * k]!;
      sum += a.x + a.y + a.z + a.w;
    }
    if (sum === 12345) out[0] = 1;
    syncthreads();
    if (t < 32) {
      for (let i = 0; i < think; i++) sum = sum * 5 + t;
      if (t === 0) last[0] = sum;
    }
    syncthreads();
    if (t === 0) out[blockIdx.x] = last[0]!;
  },
);

const phaseWrite: Kernel = kernel(
  "phaseWrite",
  { params },
  ({ data, out, think }, { threadIdx, blockIdx, shared, syncthreads, i32, make_int4 }) => {
    const last = shared(i32, 1);
    const t = i32(threadIdx.x);
    const at = i32(blockIdx.x) * 2048 + t;
    const a = data[at]!;
    const b = data[at + 512]!;
    const c = data[at + 1024]!;
    const e = data[at + 1536]!;
    let sum = a.x + b.x + c.x + e.x;
    data[at] = make_int4(sum, a.y + b.y + c.y + e.y, a.z + b.z + c.z + e.z, a.w + b.w + c.w + e.w);
    syncthreads();
    if (t < 32) {
      for (let i = 0; i < think; i++) sum = sum * 5 + t;
      if (t === 0) last[0] = sum;
    }
    syncthreads();
    if (t === 0) out[blockIdx.x] = last[0]!;
  },
);

const phaseTree: Kernel = kernel(
  "phaseTree",
  { params },
  ({ data, out }, { threadIdx, blockIdx, syncthreads, i32, make_int4 }) => {
    const t = i32(threadIdx.x);
    const first = i32(blockIdx.x) * 2048;
    const at = first + t;
    const a = data[at]!;
    const b = data[at + 512]!;
    const c = data[at + 1024]!;
    const e = data[at + 1536]!;
    data[at] = make_int4(a.x + b.x + c.x + e.x, a.y + b.y + c.y + e.y, a.z + b.z + c.z + e.z, a.w + b.w + c.w + e.w);
    syncthreads();
    for (let stride = 256; stride > 0; stride >>= 1) {
      if (t < stride) {
        const p = data[at]!;
        const q = data[at + stride]!;
        data[at] = make_int4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
      }
      syncthreads();
    }
    if (t === 0) out[blockIdx.x] = data[first]!.x;
  },
);

const kernels: ReadonlyMap<string, Kernel> = new Map([
  ["phase4", phaseRead],
  ["phase2", phaseRead.with({ LOADS: 2 })],
  ["phaseWrite", phaseWrite],
  ["phaseTree", phaseTree],
]);

interface PhaseRow {
  readonly kernel: string;
  readonly think: number;
  readonly rounds: number;
  readonly eventMicroseconds: number;
}

export function phaseBenchmarks(): readonly MicroBenchmark[] {
  const { rows, emptyKernelMicroseconds } = readReference("h200/micro/phases.json") as {
    readonly rows: readonly PhaseRow[];
    readonly emptyKernelMicroseconds: number;
  };
  return rows.map(
    (row): MicroBenchmark => ({
      group: "phases of blocks",
      id: `${row.kernel}, ${row.rounds} rounds${row.kernel === "phaseTree" ? "" : `, ${row.think} steps`}`,
      unit: "us more than an empty kernel",
      measured: row.eventMicroseconds - emptyKernelMicroseconds,
      simulate: (gpu) =>
        gpu.predict({
          kernel: kernels.get(row.kernel)!,
          blocks: row.rounds * BLOCKS_PER_SM * gpu.device.smCount,
          threads: THREADS,
          args: [gpu.data, gpu.out, row.think],
          cache: "cold",
        }).durationMicroseconds - gpu.device.launch.emptyKernelDurationMicroseconds,
    }),
  );
}
