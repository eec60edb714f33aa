/**
 * The kernels `rows` of test/reference/h200/micro/walk.cu and `walk` of h200/micro/dirty.cu: each thread walks along a row of its own.
 * What stands behind a dirty L2 is left out, as the cycles of a launch are not simulated with one.
 */
import { f32, i32, type Kernel, kernel, ptr } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const params = { data: ptr(f32), pitch: i32, rounds: i32, vector: ptr(f32), out: ptr(f32) };
const constants = { LOADS: 4 };
/** `rows` calls DRAM what stands behind a dirty L2. */
const DIRTY: ReadonlySet<string> = new Set(["DRAM", "dirty"]);
const LINE_WORDS = 32;
/** The vector lies behind all rows. */
const VECTOR_AT = 2 ** 29;

const rowsAlone: Kernel = kernel(
  "rows",
  { params, constants },
  ({ data, pitch, rounds, out }, { threadIdx, blockIdx, blockDim, unroll, i32 }, { LOADS }) => {
    const row = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let mine = data.subarray(row * pitch);
    let sum = f32(0);
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < LOADS; k++) {
        unroll();
        sum += mine[k]!;
      }
      mine = mine.subarray(LOADS);
    }
    if (sum === 12345) out[row] = sum;
  },
);

const rowsWithVector: Kernel = kernel(
  "rowsWithVector",
  { params, constants },
  ({ data, pitch, rounds, vector, out }, { threadIdx, blockIdx, blockDim, unroll, i32 }, { LOADS }) => {
    const row = i32(blockIdx.x * blockDim.x + threadIdx.x);
    let mine = data.subarray(row * pitch);
    let factors = vector.subarray(0);
    let sum = f32(0);
    for (let round = 0; round < rounds; round++) {
      unroll(1);
      for (let k = 0; k < LOADS; k++) {
        unroll();
        sum += mine[k]! * factors[k]!;
      }
      mine = mine.subarray(LOADS);
      factors = factors.subarray(LOADS);
    }
    if (sum === 12345) out[row] = sum;
  },
);

/** By vector and loads under way at a time. */
const kernels: ReadonlyMap<string, Kernel> = new Map(
  [4, 8, 16].flatMap((LOADS): [string, Kernel][] => [
    [`0 ${LOADS}`, rowsAlone.with({ LOADS })],
    [`1 ${LOADS}`, rowsWithVector.with({ LOADS })],
  ]),
);

interface WalkRow {
  readonly micro: string;
  readonly from: string;
  readonly SMs: number;
  readonly warpsPerSM: number;
  readonly loads: number;
  readonly vector: number;
  readonly pitchWords: number;
  readonly cyclesPerRequest: number;
}

/** Rows within the memory that calibration has before the vector. */
const MOST_ROW_WORDS = VECTOR_AT / Float32Array.BYTES_PER_ELEMENT;

interface Walk {
  readonly row: WalkRow;
  readonly words: number;
}

function walksOf(file: string, kernel: string, words: number): readonly Walk[] {
  const { rows } = readReference(file) as { readonly rows: readonly WalkRow[] };
  return rows.filter(({ micro, from }) => micro === kernel && !DIRTY.has(from)).map((row) => ({ row, words }));
}

export function rowBenchmarks(): readonly MicroBenchmark[] {
  const all = [
    // Its rows of whole lines are those of the other file.
    ...walksOf("h200/micro/walk.json", "rows", 1024).filter(({ row }) => row.pitchWords % LINE_WORDS !== 0),
    ...walksOf("h200/micro/dirty.json", "walk", 512),
  ];
  return all.flatMap(({ row, words }): readonly MicroBenchmark[] => {
    const { from, SMs: blocks, warpsPerSM, loads, vector, pitchWords } = row;
    const walk = kernels.get(`${vector} ${loads}`);
    if (walk === undefined || blocks * warpsPerSM * 32 * pitchWords > MOST_ROW_WORDS) return [];
    return [
      {
        group: "threads that walk along rows",
        id: `${blocks} SMs, ${warpsPerSM} warps, ${loads} loads, pitch ${pitchWords}, from ${from === "L2" ? from : "DRAM"}${vector === 1 ? ", with a vector" : ""}`,
        unit: "cycles a request",
        measured: row.cyclesPerRequest,
        simulate: (gpu) => {
          const beyond = { address: gpu.data.address + VECTOR_AT, byteLength: gpu.data.byteLength - VECTOR_AT };
          const cycles = gpu.clockedCycles({
            kernel: walk,
            blocks,
            threads: warpsPerSM * 32,
            args: [gpu.data, pitchWords, words / loads, beyond, gpu.out],
            cache: from === "L2" ? "warm" : "cold",
          });
          return cycles / words;
        },
      },
    ];
  });
}
