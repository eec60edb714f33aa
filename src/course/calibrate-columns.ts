/**
 * Matrices of floats, doubles and float4 written or read down columns and along rows, transposed, copied and not: by Nsight Compute and behind a
 * dirty L2 (test/reference/h200-columns-micro.cu).
 */
import { f32, f64, float4, i32, type Kernel, kernel, ptr } from "../frontend/index.js";
import type { MicroBenchmark } from "./calibrate-benchmarks.js";
import { predictedOnce } from "./calibrate-launch.js";
import { readReference } from "./validate-measured.js";

const floats = { input: ptr(f32), out: ptr(f32), side: i32 };
const doubles = { input: ptr(f64), out: ptr(f64), side: i32 };
const quads = { input: ptr(float4), out: ptr(float4), side: i32 };

/** By kernel and type, as the row names them. */
const kernels: ReadonlyMap<string, Kernel> = new Map<string, Kernel>(
  [floats, doubles, quads].flatMap((params, index): [string, Kernel][] => {
    const type = ["float", "double", "float4"][index]!;
    return [
      [
        `transposeDown ${type}`,
        kernel("transposeDown", { params }, ({ input, out, side }, { threadIdx, blockIdx, blockDim, i32 }) => {
          const x = i32(blockIdx.x * blockDim.x + threadIdx.x);
          const y = i32(blockIdx.y * blockDim.y + threadIdx.y);
          if (x < side && y < side) out[x * side + y] = input[y * side + x]!;
        }),
      ],
      [
        `transposeAcross ${type}`,
        kernel("transposeAcross", { params }, ({ input, out, side }, { threadIdx, blockIdx, blockDim, i32 }) => {
          const x = i32(blockIdx.x * blockDim.x + threadIdx.x);
          const y = i32(blockIdx.y * blockDim.y + threadIdx.y);
          if (x < side && y < side) out[y * side + x] = input[x * side + y]!;
        }),
      ],
      [
        `copyAcross ${type}`,
        kernel("copyAcross", { params }, ({ input, out, side }, { threadIdx, blockIdx, blockDim, i32 }) => {
          const x = i32(blockIdx.x * blockDim.x + threadIdx.x);
          const y = i32(blockIdx.y * blockDim.y + threadIdx.y);
          if (x < side && y < side) out[y * side + x] = input[y * side + x]!;
        }),
      ],
    ];
  }),
);

interface Row {
  readonly micro: string;
  readonly type: string;
  readonly side: number;
  readonly block: string;
  readonly ncuUs: number;
  readonly dirtyUs: number;
}

export function columnBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200-columns-micro.json") as { readonly rows: readonly Row[] };
  return rows.flatMap(({ micro, type, side, block, ncuUs, dirtyUs }): readonly MicroBenchmark[] => {
    const moves = kernels.get(`${micro} ${type}`);
    if (moves === undefined) return [];
    const [width = 0, height = 0] = block.split("x").map(Number);
    const predict = predictedOnce((gpu) => ({
      kernel: moves,
      blocks: [Math.ceil(side / width), Math.ceil(side / height), 1],
      threads: [width, height, 1],
      args: [gpu.data, gpu.out, side],
      cache: "cold",
    }));
    const id = `${micro} of ${type}, ${side} x ${side}, blocks of ${block}`;
    return [
      {
        group: "matrices by columns and rows, by Nsight Compute",
        id,
        unit: "us",
        measured: ncuUs,
        simulate: (gpu) => predict(gpu).durationMicroseconds,
      },
      {
        group: "matrices by columns and rows, behind a dirty L2",
        id,
        unit: "us",
        measured: dirtyUs,
        simulate: (gpu) => predict(gpu).timeMs * 1000,
      },
    ];
  });
}
