/** The kernel `segment` of test/reference/h200/micro/lanes.cu: each lane reads words of its own, one after the other. */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { data: ptr(f32), words: i32, rounds: i32, out: ptr(f32) };

const segment: Kernel = kernel("segment", { params }, ({ data, words, rounds, out }, { threadIdx, i32, unroll }) => {
  const t = i32(threadIdx.x);
  let mine = data.subarray(((t >> 5) * rounds * 32 + (t & 31)) * words);
  let sum = f32(0);
  for (let round = 0; round < rounds; round++) {
    for (let k = 0; k < words; k++) {
      unroll(4);
      sum += mine[k]!;
    }
    mine = mine.subarray(32 * words);
  }
  if (sum === 12345) out[t] = sum;
});

interface LaneRow {
  readonly micro: string;
  readonly words: number;
  readonly warpsPerSM: number;
  readonly rounds: number;
  readonly cyclesPerRequestSM: number;
}

/** Fewer warps wait for L2, and fewer requests for the first data. */
const LEAST_WARPS = 16;
const LEAST_ROUNDS = 2;

export function laneBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/lanes.json") as { readonly rows: readonly LaneRow[] };
  return rows.flatMap((row): readonly MicroBenchmark[] => {
    const { micro, words, warpsPerSM, rounds } = row;
    if (micro !== "segment" || warpsPerSM < LEAST_WARPS || rounds < LEAST_ROUNDS) return [];
    return [
      {
        group: "lanes that read words of their own",
        id: `${words} words a lane, ${warpsPerSM} warps an SM`,
        unit: "cycles a request",
        measured: row.cyclesPerRequestSM,
        simulate: (gpu) => {
          const cycles = gpu.clockedCycles({
            kernel: segment,
            blocks: gpu.device.smCount,
            threads: warpsPerSM * 32,
            args: [gpu.data, words, rounds, gpu.out],
          });
          return cycles / (words * rounds * warpsPerSM);
        },
      },
    ];
  });
}
