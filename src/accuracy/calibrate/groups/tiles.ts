/** The kernel `tiles` of test/reference/h200/micro/tiles.cu: tiles of 1024 words of a matrix, read and written in several orders of blocks. */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";
import { dirtyAndRepeated, instancesOf, type TimedTwice } from "./ways.js";

const params = { data: ptr(f32), out: ptr(f32), n: i32 };
const constants = { READ: 1, WRITE: 1, WIDTH: 32, DEEP: 1 };

/** A tile's words behind each other; the next block's tile beside a block's, below it, and below it in panels of a few. */
const ORDERS = ["none", "linear", "rows", "columns", "panels"] as const;
type Order = (typeof ORDERS)[number];

const tiles: Kernel = kernel(
  "tiles",
  { params, constants },
  ({ data, out, n }, { threadIdx, blockIdx, unroll, local, idiv, u32, f32 }, { READ, WRITE, WIDTH, DEEP }) => {
    const b = blockIdx.x;
    const across = u32(idiv(n, WIDTH));
    const down = u32(idiv(n, idiv(1024, WIDTH)));
    const lane = threadIdx.x % WIDTH;
    const v = local(f32, 4);
    for (let u = 0; u < 4; u++) {
      unroll();
      const row = idiv(threadIdx.x, WIDTH) + u32(idiv(256, WIDTH) * u);
      const first = READ === 2 ? b % across : READ === 3 ? idiv(b, down) : idiv(b, DEEP) % across;
      const below =
        READ === 2 ? idiv(b, across) : READ === 3 ? b % down : idiv(b, DEEP * across) * DEEP + (b % u32(DEEP));
      if (READ === 0) v[u] = f32(1);
      else if (READ === 1) v[u] = data[b * 1024 + row * WIDTH + lane]!;
      else v[u] = data[(below * idiv(1024, WIDTH) + row) * u32(n) + first * WIDTH + lane]!;
    }
    if (WRITE === 0) {
      if (v[0]! + v[1]! + v[2]! + v[3]! === 12345) out[b] = f32(1);
    } else {
      for (let u = 0; u < 4; u++) {
        unroll();
        const row = idiv(threadIdx.x, WIDTH) + u32(idiv(256, WIDTH) * u);
        const first = WRITE === 2 ? b % across : WRITE === 3 ? idiv(b, down) : idiv(b, DEEP) % across;
        const below =
          WRITE === 2 ? idiv(b, across) : WRITE === 3 ? b % down : idiv(b, DEEP * across) * DEEP + (b % u32(DEEP));
        if (WRITE === 1) out[b * 1024 + row * WIDTH + lane] = v[u]!;
        else out[(below * idiv(1024, WIDTH) + row) * u32(n) + first * WIDTH + lane] = v[u]!;
      }
    }
  },
);

interface TilesRow extends TimedTwice {
  readonly read: Order;
  readonly write: Order;
  /** Tiles of a panel. */
  readonly deep?: number;
  /** Words of a tile's row. */
  readonly width: number;
  readonly n: number;
}

export function tileBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/tiles.json") as { readonly rows: readonly TilesRow[] };
  const kernelOf = instancesOf(tiles);
  return dirtyAndRepeated(
    "tiles of a matrix",
    rows,
    ({ read, write, deep, width, n }) =>
      `read ${read}, write ${write}${deep === undefined ? "" : ` of ${deep}`}, ${width} words a row, ${n} x ${n}`,
    ({ read, write, deep = 1, width, n }, gpu) => ({
      kernel: kernelOf({ READ: ORDERS.indexOf(read), WRITE: ORDERS.indexOf(write), WIDTH: width, DEEP: deep }),
      blocks: n ** 2 / 1024,
      threads: 256,
      args: [gpu.data, gpu.out, n],
    }),
  );
}
