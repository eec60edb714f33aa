/**
 * The kernels `pitched` of test/reference/h200/micro/pitch.cu and `panels` of h200/micro/split.cu: tiles of 32 x 32 words of matrices whose rows
 * begin anywhere in a line or sector.
 */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";
import { dirtyAndRepeated, instancesOf, type TimedTwice } from "./ways.js";

const params = { data: ptr(f32), out: ptr(f32), pitch: i32, shift: i32 };

/** A tile's words behind each other; the next block's tile beside a block's, and below it. */
const ORDERS = ["none", "linear", "rows", "columns"] as const;
type Order = (typeof ORDERS)[number];

const pitched: Kernel = kernel(
  "pitched",
  { params, constants: { READ: 1, WRITE: 1 } },
  ({ data, out, pitch, shift }, { threadIdx, blockIdx, gridDim, unroll, local, f32 }, { READ, WRITE }) => {
    const lane = threadIdx.x;
    const v = local(f32, 4);
    const linear = (blockIdx.y * gridDim.x + blockIdx.x) * 1024;
    for (let u = 0; u < 4; u++) {
      unroll();
      const row = threadIdx.y + 8 * u;
      if (READ === 0) v[u] = f32(1);
      else if (READ === 1) v[u] = data[linear + row * 32 + lane + shift]!;
      else if (READ === 2) v[u] = data[(blockIdx.y * 32 + row) * pitch + blockIdx.x * 32 + lane + shift]!;
      else v[u] = data[(blockIdx.x * 32 + row) * pitch + blockIdx.y * 32 + lane + shift]!;
    }
    if (WRITE === 0) {
      if (v[0]! + v[1]! + v[2]! + v[3]! === 12345) out[blockIdx.x] = f32(1);
    } else {
      for (let u = 0; u < 4; u++) {
        unroll();
        const row = threadIdx.y + 8 * u;
        if (WRITE === 1) out[linear + row * 32 + lane + shift] = v[u]!;
        else if (WRITE === 2) out[(blockIdx.y * 32 + row) * pitch + blockIdx.x * 32 + lane + shift] = v[u]!;
        else out[(blockIdx.x * 32 + row) * pitch + blockIdx.y * 32 + lane + shift] = v[u]!;
      }
    }
  },
);

const panels: Kernel = kernel(
  "panels",
  {
    params: { data: ptr(f32), out: ptr(f32), pitch: i32, across: i32, deep: i32 },
    constants: { READ: 1 },
  },
  ({ data, out, pitch, across, deep }, { threadIdx, blockIdx, unroll, local, idiv, f32 }, { READ }) => {
    const lane = threadIdx.x;
    const b = blockIdx.x;
    const v = local(f32, 4);
    for (let u = 0; u < 4; u++) {
      unroll();
      v[u] = READ === 1 ? data[b * 1024 + (threadIdx.y + 8 * u) * 32 + lane]! : f32(1);
    }
    const below = idiv(b, deep * across) * deep + (b % deep);
    const first = idiv(b, deep) % across;
    for (let u = 0; u < 4; u++) {
      unroll();
      out[(below * 32 + threadIdx.y + 8 * u) * pitch + first * 32 + lane] = v[u]!;
    }
  },
);

interface PitchRow extends TimedTwice {
  readonly read: Order;
  readonly write: Order;
  readonly n: number;
  /** Words between the end of a row and the next. */
  readonly pad: number;
  /** Words before the first. */
  readonly shift: number;
}

export function pitchBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/pitch.json") as { readonly rows: readonly PitchRow[] };
  const kernelOf = instancesOf(pitched);
  return dirtyAndRepeated(
    "rows that begin anywhere",
    rows,
    ({ read, write, n, pad, shift }) =>
      `read ${read}, write ${write}, ${n} x ${n}, ${pad} words between rows, ${shift} before`,
    ({ read, write, n, pad, shift }, gpu) => ({
      kernel: kernelOf({ READ: ORDERS.indexOf(read), WRITE: ORDERS.indexOf(write) }),
      blocks: [n / 32, n / 32, 1],
      threads: [32, 8, 1],
      args: [gpu.data, gpu.out, n + pad, shift],
    }),
  );
}

interface SplitRow {
  /** Whether what is written was read, from words in a row. */
  readonly read: boolean;
  readonly n: number;
  readonly pad: number;
  /** Tiles of a column: so many blocks later the next one is written. */
  readonly deep: number;
  readonly dirty: number;
}

export function splitBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/split.json") as { readonly rows: readonly SplitRow[] };
  const [alone, behindReads] = [panels.with({ READ: 0 }), panels.with({ READ: 1 })];
  return rows.map(
    (row): MicroBenchmark => ({
      group: "sectors in two parts, behind a dirty L2",
      id: `${row.read ? "copied" : "written"}, ${row.n} x ${row.n}, ${row.pad} words between rows, the second part ${row.deep} blocks later`,
      unit: "us",
      measured: row.dirty,
      simulate: (gpu) =>
        gpu.predict({
          kernel: row.read ? behindReads : alone,
          blocks: (row.n / 32) ** 2,
          threads: [32, 8, 1],
          args: [gpu.data, gpu.out, row.n + row.pad, row.n / 32, row.deep],
          cache: "cold",
        }).timeMs * 1000,
    }),
  );
}
