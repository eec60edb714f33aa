/**
 * Loads that wait for their sectors. Threads walk along rows of their own in `rows` of h200/micro/walk.cu and `walk` of
 * h200/micro/dirty.cu; `ask` of h200/micro/pending.cu requests sectors that are on their way. These texts have their
 * loads as assembler, which the reader does not know, so the kernels are written here.
 */
import { f32, i32, type Kernel, kernel, ptr, u32 } from "../../../../core/frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const walkParams = { data: ptr(f32), pitch: i32, rounds: i32, vector: ptr(f32), out: ptr(f32) };
const walkConstants = { LOADS: 4 };
/** `rows` calls DRAM what stands behind a dirty L2. */
const DIRTY: ReadonlySet<string> = new Set(["DRAM", "dirty"]);
const LINE_WORDS = 32;
/** The vector lies after all rows. */
const VECTOR_AT = 2 ** 29;

const rowsAlone: Kernel = kernel(
  "rows",
  { params: walkParams, constants: walkConstants },
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
  { params: walkParams, constants: walkConstants },
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
          const cache = from === "L2" ? "warm" : "cold";
          const { cycles } = gpu.predict({
            kernel: walk.ir,
            blocks,
            threads: warpsPerSM * 32,
            args: [gpu.data, pitchWords, words / loads, beyond, gpu.out],
            cache,
          });
          return (cycles - gpu.cyclesOutside(cache)) / words;
        },
      },
    ];
  });
}

const askParams = { data: ptr(f32), pitch: u32, turn: u32, step: u32, rounds: u32, out: ptr(f32) };
const askConstants = { REQUESTS: 4, AGAIN: 0 };
const ROUNDS = 32;
const FAR_APART = 1024;

const ask: Kernel = kernel(
  "ask",
  { params: askParams, constants: askConstants },
  ({ data, pitch, turn, step, rounds, out }, { threadIdx, blockIdx, blockDim, unroll, local }, { REQUESTS, AGAIN }) => {
    const thread = blockIdx.x * blockDim.x + threadIdx.x;
    const first = turn !== 0 ? Math.trunc((threadIdx.x & 31) / turn) & 7 : u32(0);
    const at = local(u32, REQUESTS);
    const v = local(f32, REQUESTS);
    for (let k = 0; k < REQUESTS; k++) {
      unroll();
      at[k] = thread * pitch + ((first + k) & 7);
    }
    let sum = f32(0);
    for (let r = u32(0); r < rounds; r++) {
      unroll(1);
      for (let k = 0; k < REQUESTS; k++) {
        unroll();
        v[k] = data[at[k]!]!;
      }
      for (let k = 0; k < REQUESTS; k++) {
        unroll();
        sum += v[k]!;
      }
      if (AGAIN > 0) {
        const more = sum === 1e30 ? u32(1) : u32(0);
        for (let k = 0; k < REQUESTS; k++) {
          unroll();
          v[k] = data[at[k]! + more]!;
        }
        for (let k = 0; k < REQUESTS; k++) {
          unroll();
          sum += v[k]!;
        }
      }
      const further = sum === 1e30 ? step + 1 : step;
      for (let k = 0; k < REQUESTS; k++) {
        unroll();
        at[k] = at[k]! + further;
      }
    }
    if (sum === 12345) out[thread] = sum;
  },
);

interface AskRow {
  readonly requests: number;
  readonly again: number;
  readonly warps: number;
  readonly pitchWords: number;
  readonly turn: number;
  readonly from: string;
  readonly cyclesPerRound: number;
}

export function pendingBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/pending.json") as { readonly rows: readonly AskRow[] };
  const kernelOf = instancesOf(ask);
  return rows.map((row) => {
    const { requests: REQUESTS, again: AGAIN, warps, pitchWords, turn, from } = row;
    const asks = kernelOf({ REQUESTS, AGAIN });
    const step = pitchWords < FAR_APART ? LINE_WORDS * pitchWords * warps : LINE_WORDS;
    return {
      group: "requests to sectors on their way",
      id: `${warps} warps, ${REQUESTS} requests${AGAIN > 0 ? ", again" : ""}, pitch ${pitchWords}, turn ${turn}, from ${from}`,
      unit: "cycles a round",
      measured: row.cyclesPerRound,
      simulate: (gpu) => {
        const cache = from === "L2" ? "warm" : "cold";
        const { cycles } = gpu.predict({
          kernel: asks.ir,
          blocks: 1,
          threads: warps * 32,
          args: [gpu.data, pitchWords, turn, step, ROUNDS, gpu.out],
          cache,
        });
        return (cycles - gpu.cyclesOutside(cache)) / ROUNDS;
      },
    };
  });
}

/** A kernel's instances, each made once: with other constants it is compiled anew. */
function instancesOf(kernel: Kernel): (constants: Readonly<Record<string, number>>) => Kernel {
  const made = new Map<string, Kernel>();
  return (constants) => {
    const key = Object.values(constants).join(" ");
    const instance = made.get(key) ?? kernel.with(constants);
    made.set(key, instance);
    return instance;
  };
}
