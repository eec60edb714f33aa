/** The kernels of test/reference/h200/micro/steps.cu: steps of a reduction in shared memory, by themselves. */
import { i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { out: ptr(i32), steps: i32, stride: i32 };
const WORDS = 1024;

const barOnly: Kernel = kernel("barOnly", { params }, ({ out, steps }, { threadIdx, syncthreads }) => {
  for (let i = 0; i < steps; i++) syncthreads();
  if (steps === 12345) out[threadIdx.x] = steps;
});

const loadAll: Kernel = kernel(
  "loadAll",
  { params },
  ({ out, steps }, { threadIdx, externShared, syncthreads, i32 }) => {
    const words = externShared(i32);
    const t = i32(threadIdx.x);
    words[t] = t;
    for (let i = 0; i < steps; i++) {
      words[t]! += words[t ^ 1]!;
      syncthreads();
    }
    if (words[t] === 12345) out[t] = steps;
  },
);

/** `stride` threads load: half of the block, or a warp. */
const loadSome: Kernel = kernel(
  "loadSome",
  { params },
  ({ out, steps, stride }, { threadIdx, externShared, syncthreads, i32 }) => {
    const words = externShared(i32);
    const t = i32(threadIdx.x);
    words[t] = t;
    for (let i = 0; i < steps; i++) {
      if (t < stride) words[t]! += words[t + stride]!;
      syncthreads();
    }
    if (words[t] === 12345) out[t] = steps;
  },
);

const loadApart: Kernel = kernel(
  "loadApart",
  { params },
  ({ out, steps, stride }, { threadIdx, blockDim, externShared, syncthreads, i32 }) => {
    const words = externShared(i32);
    const t = i32(threadIdx.x);
    words[t] = t;
    for (let i = 0; i < steps; i++) {
      const index = 2 * stride * t;
      if (index < i32(blockDim.x)) words[index]! += words[index + stride]!;
      syncthreads();
    }
    if (words[t] === 12345) out[t] = steps;
  },
);

const tree: Kernel = kernel(
  "tree",
  { params },
  ({ out, steps }, { threadIdx, blockDim, externShared, syncthreads, i32 }) => {
    const words = externShared(i32);
    const t = i32(threadIdx.x);
    words[t] = t;
    for (let i = 0; i < steps; i++) {
      for (let k = i32(blockDim.x) >> 1; k > 0; k >>= 1) {
        if (t < k) words[t]! += words[t + k]!;
        syncthreads();
      }
    }
    if (words[t] === 12345) out[t] = steps;
  },
);

interface StepRow {
  readonly kernel: string;
  readonly threads: number;
  readonly blocksPerSm: number;
  readonly stride: number;
  readonly cyclesPerStep: number;
}

/** Kernel and its third argument. */
function stepKernel({ kernel: name, threads, stride }: StepRow): readonly [Kernel, number] | null {
  if (name === "barOnly") return [barOnly, 0];
  if (name === "loadAll") return [loadAll, 0];
  if (name === "loadHalf") return [loadSome, threads / 2];
  if (name === "loadWarp") return [loadSome, 32];
  if (name === "loadApart") return [loadApart, stride];
  return name === "tree" ? [tree, 0] : null;
}

const FEW = 4;
const MORE = 12;

/** Those of full SMs: where blocks meet in the memory unit. */
export function stepBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/steps.json") as { readonly rows: readonly StepRow[] };
  return rows.flatMap((row): readonly MicroBenchmark[] => {
    const found = stepKernel(row);
    if (found === null || row.blocksPerSm === 1) return [];
    const [of, argument] = found;
    return [
      {
        group: "steps in shared memory",
        id: `${row.kernel}${row.stride === 0 ? "" : ` ${row.stride}`}, ${row.blocksPerSm} blocks of ${row.threads} threads`,
        unit: "cycles a step",
        measured: row.cyclesPerStep,
        simulate: (gpu) => {
          const [few, more] = [FEW, MORE].map(
            (steps) =>
              gpu.predict({
                kernel: of,
                blocks: row.blocksPerSm * gpu.device.smCount,
                threads: row.threads,
                sharedBytes: WORDS * 4,
                args: [gpu.out, steps, argument],
              }).cycles,
          );
          return (more! - few!) / (MORE - FEW);
        },
      },
    ];
  });
}
