/** The kernel `lines` of test/reference/h200/micro/lines.cu: loads that L2 answers, of one to four sectors of each line, wherever in it. */
import { i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { data: ptr(i32), out: ptr(i32), n: i32, places: i32, apart: i32, rounds: i32 };

const readLines: Kernel = kernel(
  "lines",
  { params },
  ({ data, out, n, places, apart, rounds }, { threadIdx, blockIdx, gridDim, idiv, unroll, local, i32 }) => {
    const t = i32(threadIdx.x);
    const lines = idiv(256, n);
    const sector = (places >> (4 * (t % n))) & 15;
    let b = i32(blockIdx.x);
    let sum = 0;
    for (let k = 0; k < rounds; k++) {
      unroll(1);
      const v = local(i32, 4);
      for (let u = 0; u < 4; u++) {
        unroll();
        b += 67;
        if (b >= i32(gridDim.x)) b -= i32(gridDim.x);
        v[u] = data[(b * lines + idiv(t, n)) * 32 * apart + sector * 8]!;
      }
      for (let u = 0; u < 4; u++) {
        unroll();
        sum += v[u]!;
      }
    }
    out[blockIdx.x * 256 + threadIdx.x] = sum;
  },
);

interface LinesRow {
  readonly lanesOfLine: number;
  /** Hexadecimal: the sector of the line that each lane asks for, the last digit's first. */
  readonly places: string;
  readonly linesApart: number;
  readonly grid: number;
  readonly rounds: number;
  readonly us: number;
}

export function lineBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/lines.json") as { readonly rows: readonly LinesRow[] };
  return rows.map(
    ({ lanesOfLine, places, linesApart, grid, rounds, us }): MicroBenchmark => ({
      group: "sectors of lines from L2",
      id: `sectors ${places} of lines ${linesApart} apart, ${grid} blocks`,
      unit: "us",
      measured: us,
      simulate: (gpu) =>
        gpu.predict({
          kernel: readLines,
          blocks: grid,
          threads: 256,
          args: [gpu.data, gpu.out, lanesOfLine, Number.parseInt(places, 16), linesApart, rounds],
        }).timeMs * 1000,
    }),
  );
}
