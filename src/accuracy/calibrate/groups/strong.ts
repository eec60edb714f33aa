/** The kernels of test/reference/h200/micro/strong.cu: volatile loads behind stores to their line, on lines that change. */
import { i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { out: ptr(i32), rounds: i32, steps: i32 };

const pieceBoth: Kernel = kernel(
  "pieceBoth",
  { params },
  ({ out, rounds, steps }, { threadIdx, blockIdx, blockDim, gridDim, unroll, volatile, i32 }) => {
    const lane = i32(threadIdx.x & 31);
    const w = i32((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
    const warps = i32((gridDim.x * blockDim.x) >> 5);
    const g = volatile(out);
    for (let r = 0; r < rounds; r++) {
      const at = (r * warps + w) * 128 + lane;
      for (let s = 0; s < steps; s++) {
        unroll(1);
        g[at]! += g[at + 16]!;
      }
    }
  },
);

const pieceEight: Kernel = kernel(
  "pieceEight",
  { params },
  ({ out, rounds, steps }, { threadIdx, blockIdx, blockDim, gridDim, unroll, volatile, i32 }) => {
    const lane = i32(threadIdx.x & 31);
    const w = i32((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
    const warps = i32((gridDim.x * blockDim.x) >> 5);
    const g = volatile(out);
    for (let r = 0; r < rounds; r++) {
      const at = (r * warps + w) * 128 + lane;
      for (let s = 0; s < steps; s++) {
        unroll(1);
        if (lane < 8) g[at]! += 1;
      }
    }
  },
);

const pieceNext: Kernel = kernel(
  "pieceNext",
  { params },
  ({ out, rounds, steps }, { threadIdx, blockIdx, blockDim, gridDim, unroll, volatile, i32 }) => {
    const lane = i32(threadIdx.x & 31);
    const w = i32((blockIdx.x * blockDim.x + threadIdx.x) >> 5);
    const warps = i32((gridDim.x * blockDim.x) >> 5);
    const g = volatile(out);
    for (let r = 0; r < rounds; r++) {
      const at = (r * warps + w) * 128 + lane;
      for (let s = 0; s < steps; s++) {
        unroll(1);
        g[at] = g[at + 32]! + 1;
      }
    }
  },
);

const KERNELS: Readonly<Record<string, Kernel>> = { pieceBoth, pieceEight, pieceNext };

interface PieceRow {
  readonly micro: string;
  readonly sms: number;
  readonly warpsPerSm: number;
  readonly steps: number;
  readonly cyclesPerPiece: number;
}

const FEW = 4;
const MORE = 12;
const MOST_WARPS = 32;

/** Of eight steps a piece. */
export function strongBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/strong.json") as { readonly rows: readonly PieceRow[] };
  return rows.flatMap(({ micro, sms, warpsPerSm, steps, cyclesPerPiece }): readonly MicroBenchmark[] => {
    const of = KERNELS[micro];
    if (of === undefined || steps !== 8) return [];
    const blocksPerSm = warpsPerSm / Math.min(warpsPerSm, MOST_WARPS);
    return [
      {
        group: "volatile loads behind stores",
        id: `${micro}, ${warpsPerSm} warps on each of ${sms} SMs`,
        unit: "cycles a piece",
        measured: cyclesPerPiece,
        simulate: (gpu) => {
          const [few, more] = [FEW, MORE].map(
            (rounds) =>
              gpu.predict({
                kernel: of,
                blocks: sms * blocksPerSm,
                threads: 32 * Math.min(warpsPerSm, MOST_WARPS),
                args: [gpu.out, rounds, steps],
              }).cycles,
          );
          return (more! - few!) / (MORE - FEW);
        },
      },
    ];
  });
}
