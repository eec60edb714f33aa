/**
 * Whole launches over matrices, written or read down columns and along rows. Tiles come in several orders of blocks, and
 * rows begin anywhere in a line or sector.
 */
import type { MicroBenchmark } from "./benchmarks.js";
import { benchmarksOf, dirtyAndRepeated, eventMicroseconds, kernelMicroseconds } from "./measured-rows.js";

interface ColumnsRow {
  readonly micro: string;
  readonly type: string;
  readonly side: number;
  /** Such as 32x8. */
  readonly block: string;
  readonly ncuUs: number;
  readonly dirtyUs: number;
  readonly repeatedUs: number;
}

function blockOf({ block }: ColumnsRow): readonly [number, number, number] {
  const [width = 0, height = 0] = block.split("x").map(Number);
  return [width, height, 1];
}

const columns = {
  id: ({ micro, type, side, block }: ColumnsRow) => `${micro} of ${type}, ${side} x ${side}, blocks of ${block}`,
  kernel: ({ micro, type }: ColumnsRow) => [micro, type] as const,
  grid: (row: ColumnsRow) => {
    const [width, height] = blockOf(row);
    return [Math.ceil(row.side / width), Math.ceil(row.side / height), 1] as const;
  },
  block: blockOf,
};

const COLUMN_KERNELS = ["transposeDown", "transposeAcross", "copyAcross"];
const BLOCK_KERNELS = [
  "readDown float",
  "readDown double",
  "transposeAcross float",
  "transposeAcross double",
  "transposeAcross float4",
];
/** Sides of those simulated: in L2 as a whole, and not. */
const SIDES = [2048, 4096];

export function columnBenchmarks(): readonly MicroBenchmark[] {
  return [
    ...benchmarksOf<ColumnsRow>({
      ...columns,
      file: "h200/micro/columns",
      rows: (rows) => rows.filter(({ micro }) => COLUMN_KERNELS.includes(micro)),
      args: ({ side }, gpu) => [gpu.data, gpu.out, side, side],
      figures: [
        {
          group: "matrices by columns and rows, by Nsight Compute",
          unit: "us",
          measured: ({ ncuUs }) => ncuUs,
          simulated: kernelMicroseconds,
        },
        {
          group: "matrices by columns and rows, behind a dirty L2",
          unit: "us",
          measured: ({ dirtyUs }) => dirtyUs,
          simulated: eventMicroseconds("cold"),
        },
      ],
    }),
    ...benchmarksOf<ColumnsRow>({
      ...columns,
      file: "h200/micro/registers",
      rows: (rows) =>
        rows.filter(({ micro, type, side }) => BLOCK_KERNELS.includes(`${micro} ${type}`) && SIDES.includes(side)),
      args: ({ side }, gpu) => [gpu.data, gpu.out, side, side],
      figures: [
        {
          group: "columns by blocks, behind a dirty L2",
          unit: "us",
          measured: ({ dirtyUs }) => dirtyUs,
          simulated: eventMicroseconds("cold"),
        },
        {
          group: "columns by blocks, repeated",
          unit: "us",
          measured: ({ repeatedUs }) => repeatedUs,
          simulated: eventMicroseconds("warm"),
        },
      ],
    }),
  ];
}

/** The words of a tile one after the other; the next block's tile beside a block's, below it, or below it in panels. */
const ORDERS = ["none", "linear", "rows", "columns", "panels"] as const;
type Order = (typeof ORDERS)[number];

interface TilesRow {
  readonly read: Order;
  readonly write: Order;
  /** Tiles of a panel. */
  readonly deep?: number;
  /** Words of a tile's row. */
  readonly width: number;
  readonly n: number;
  readonly dirty: number;
  readonly repeated: number;
}

/** The text's number of an order: panels of 1, 2, ... tiles are 4, 5, ... */
function orderOf(order: Order, deep: number = 1): number {
  return order === "panels" ? 3 + deep : ORDERS.indexOf(order);
}

interface PitchRow {
  readonly read: Order;
  readonly write: Order;
  readonly n: number;
  /** Words between the end of a row and the next. */
  readonly pad: number;
  /** Words before the first. */
  readonly shift: number;
  readonly dirty: number;
  readonly repeated: number;
}

interface SplitRow {
  /** Whether the written words were read, from words in a row. */
  readonly read: boolean;
  readonly n: number;
  readonly pad: number;
  /** Tiles of a column: so many blocks later the next one is written. */
  readonly deep: number;
  readonly dirty: number;
}

export function tileBenchmarks(): readonly MicroBenchmark[] {
  return [
    ...benchmarksOf<TilesRow>({
      file: "h200/micro/tiles",
      id: ({ read, write, deep, width, n }) =>
        `read ${read}, write ${write}${deep === undefined ? "" : ` of ${deep}`}, ${width} words a row, ${n} x ${n}`,
      kernel: ({ read, write, deep, width }) => ["tiles", orderOf(read, deep), orderOf(write, deep), width],
      grid: ({ n }) => n ** 2 / 1024,
      block: () => 256,
      args: ({ n }, gpu) => [gpu.data, gpu.out, n],
      figures: dirtyAndRepeated("tiles of a matrix"),
    }),
    ...benchmarksOf<PitchRow>({
      file: "h200/micro/pitch",
      id: ({ read, write, n, pad, shift }) =>
        `read ${read}, write ${write}, ${n} x ${n}, ${pad} words between rows, ${shift} before`,
      kernel: ({ read, write }) => ["pitched", orderOf(read), orderOf(write)],
      grid: ({ n }) => [n / 32, n / 32, 1],
      block: () => [32, 8, 1],
      args: ({ n, pad, shift }, gpu) => [gpu.from(gpu.data, shift), gpu.from(gpu.out, shift), n + pad],
      figures: dirtyAndRepeated("rows that begin anywhere"),
    }),
    ...benchmarksOf<SplitRow>({
      file: "h200/micro/split",
      id: ({ read, n, pad, deep }) =>
        `${read ? "copied" : "written"}, ${n} x ${n}, ${pad} words between rows, the second part ${deep} blocks later`,
      kernel: ({ read }) => ["panels", read ? 1 : 0],
      grid: ({ n }) => (n / 32) ** 2,
      block: () => [32, 8, 1],
      args: ({ n, pad, deep }, gpu) => [gpu.data, gpu.out, n + pad, n / 32, deep],
      figures: [
        {
          group: "sectors in two parts, behind a dirty L2",
          unit: "us",
          measured: ({ dirty }) => dirty,
          simulated: eventMicroseconds("cold"),
        },
      ],
    }),
  ];
}
