/**
 * The kernel `rows` of test/reference/h200/micro/ragged.cu: rows, of whole lines and not, read from end to end by 1 to 16 lanes each,
 * behind a dirty L2.
 */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { data: ptr(f32), rows: i32, words: i32, out: ptr(f32) };
const constants = { LANES: 1 };
const THREADS = 128;
const MIB_WORDS = 2 ** 18;

const readRows: Kernel = kernel(
  "rows",
  { params, constants },
  ({ data, rows, words, out }, { threadIdx, blockIdx, blockDim, idiv, i32 }, { LANES }) => {
    const thread = blockIdx.x * blockDim.x + threadIdx.x;
    const row = idiv(i32(thread), LANES);
    const lane = i32(threadIdx.x % LANES);
    if (row >= rows) return;
    let sum = f32(0);
    for (let column = lane; column < words; column += LANES) sum += data[row * words + column]!;
    out[thread] = sum;
  },
);

interface RaggedRow {
  readonly lanes: number;
  readonly words: number;
  readonly MiB: number;
  readonly behind: string;
  readonly us: number;
}

export function raggedBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/ragged.json") as { readonly rows: readonly RaggedRow[] };
  const kernels = new Map([1, 4, 8, 16].map((LANES) => [LANES, readRows.with({ LANES })]));
  return rows.flatMap(({ lanes, words, MiB, behind, us }): readonly MicroBenchmark[] => {
    const reads = kernels.get(lanes);
    if (reads === undefined || behind !== "dirty") return [];
    const count = Math.floor((MiB * MIB_WORDS) / words);
    return [
      {
        group: "rows of whole lines and not",
        id: `${MiB} MiB of rows of ${words} words, ${lanes} lanes each`,
        unit: "us",
        measured: us,
        simulate: (gpu) =>
          gpu.predict({
            kernel: reads,
            blocks: Math.ceil((count * lanes) / THREADS),
            threads: THREADS,
            args: [gpu.data, count, words, gpu.out],
            cache: "cold",
          }).timeMs * 1000,
      },
    ];
  });
}
