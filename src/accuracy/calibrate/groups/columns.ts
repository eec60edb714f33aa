/**
 * Matrices of floats, doubles and float4 written or read down columns and along rows, transposed, copied and not: by Nsight Compute and behind a
 * dirty L2 (test/reference/h200/micro/columns.cu), and by blocks of so many columns, behind a dirty L2 and repeated (h200/micro/registers.cu).
 */
import { f32, f64, float4, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import { predictedOnce } from "./benchmark-launch.js";
import type { MicroBenchmark } from "./benchmarks.js";

const floats = { input: ptr(f32), out: ptr(f32), side: i32 };
const doubles = { input: ptr(f64), out: ptr(f64), side: i32 };
const quads = { input: ptr(float4), out: ptr(float4), side: i32 };

/** By kernel and type, as the row names them. */
const kernels: Map<string, Kernel> = new Map<string, Kernel>(
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

for (const [type, params] of [
  ["float", floats],
  ["double", doubles],
] as const) {
  kernels.set(
    `readDown ${type}`,
    kernel("readDown", { params }, ({ input, out, side }, { threadIdx, blockIdx, blockDim, i32 }) => {
      const x = i32(blockIdx.x * blockDim.x + threadIdx.x);
      const y = i32(blockIdx.y * blockDim.y + threadIdx.y);
      const value = input[x * side + y]!;
      if (value === 12345) out[0] = value;
    }),
  );
}

interface Row {
  readonly micro: string;
  readonly type: string;
  readonly side: number;
  readonly block: string;
  readonly ncuUs: number;
  readonly dirtyUs: number;
}

interface RowOfBlocks extends Omit<Row, "ncuUs"> {
  readonly repeatedUs: number;
}

/** Sides of those simulated: in L2 as a whole, and not. */
const SIDES = [2048, 4096];

/** A launch that reads and writes `side` by `side`, by blocks of so many lanes and warps. */
function launchOf(moves: Kernel, side: number, block: string, cache: "cold" | "warm") {
  const [width = 0, height = 0] = block.split("x").map(Number);
  return predictedOnce((gpu) => ({
    kernel: moves,
    blocks: [Math.ceil(side / width), Math.ceil(side / height), 1],
    threads: [width, height, 1],
    args: [gpu.data, gpu.out, side],
    cache,
  }));
}

export function blocksOfColumnsBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/registers.json") as { readonly rows: readonly RowOfBlocks[] };
  return rows.flatMap(({ micro, type, side, block, dirtyUs, repeatedUs }): readonly MicroBenchmark[] => {
    const moves = kernels.get(`${micro} ${type}`);
    if (moves === undefined || !SIDES.includes(side)) return [];
    return (["cold", "warm"] as const).map((cache) => {
      const predict = launchOf(moves, side, block, cache);
      return {
        group: `columns by blocks, ${cache === "cold" ? "behind a dirty L2" : "repeated"}`,
        id: `${micro} of ${type}, ${side} x ${side}, blocks of ${block}`,
        unit: "us",
        measured: cache === "cold" ? dirtyUs : repeatedUs,
        simulate: (gpu) => predict(gpu).timeMs * 1000,
      };
    });
  });
}

export function columnBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/columns.json") as { readonly rows: readonly Row[] };
  return rows.flatMap(({ micro, type, side, block, ncuUs, dirtyUs }): readonly MicroBenchmark[] => {
    const moves = kernels.get(`${micro} ${type}`);
    if (moves === undefined) return [];
    const predict = launchOf(moves, side, block, "cold");
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
