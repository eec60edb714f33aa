/**
 * The kernel `rows` of test/reference/h200-walk-micro.cu and h200-access-micro.cu: each thread walks along a row of its own. What the
 * former has from DRAM stands behind a dirty L2, which the cycles of a launch are not simulated with.
 */
import { f32, i32, type Kernel, kernel, ptr } from "../frontend/index.js";
import type { MicroBenchmark } from "./calibrate-benchmarks.js";
import { readReference } from "./validate-measured.js";

const params = { data: ptr(f32), pitch: i32, rounds: i32, vector: ptr(f32), out: ptr(f32) };
const constants = { LOADS: 4 };
const WORDS = 1024;
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
  readonly vector?: number;
  readonly withVector?: number;
  readonly pitchWords: number;
  readonly stepWords?: number;
  readonly cyclesPerRequest: number;
}

/** With a vector ptxas divides 16 loads into two rounds. */
const MOST_WITH_VECTOR = 8;
/** More warps have only half of the rows. */
const MOST_WARPS = 8;

function rowsOf(file: string): readonly WalkRow[] {
  return (readReference(file) as { readonly rows: readonly WalkRow[] }).rows.filter(({ micro }) => micro === "rows");
}

export function rowBenchmarks(): readonly MicroBenchmark[] {
  const all = [
    ...rowsOf("h200-walk-micro.json").filter(({ from }) => from === "L2"),
    ...rowsOf("h200-access-micro.json").filter(({ loads, stepWords }) => loads > MOST_WITH_VECTOR && stepWords === 1),
  ];
  return all.flatMap((row): readonly MicroBenchmark[] => {
    const { from, SMs: blocks, warpsPerSM, loads, vector = row.withVector ?? 0, pitchWords } = row;
    const walk = kernels.get(`${vector} ${loads}`);
    if (walk === undefined || warpsPerSM > MOST_WARPS || (vector > 0 && loads > MOST_WITH_VECTOR)) return [];
    return [
      {
        group: "threads that walk along rows",
        id: `${blocks} SMs, ${warpsPerSM} warps, ${loads} loads, pitch ${pitchWords}, from ${from}${vector === 1 ? ", with a vector" : ""}`,
        unit: "cycles a request",
        measured: row.cyclesPerRequest,
        simulate: (gpu) => {
          const beyond = { address: gpu.data.address + VECTOR_AT, byteLength: gpu.data.byteLength - VECTOR_AT };
          const { cycles } = gpu.predict({
            kernel: walk,
            blocks,
            threads: warpsPerSM * 32,
            args: [gpu.data, pitchWords, WORDS / loads, beyond, gpu.out],
            cache: from === "L2" ? "warm" : "cold",
          });
          return (cycles - gpu.device.launch.emptyBlockResidencyCycles) / WORDS;
        },
      },
    ];
  });
}
