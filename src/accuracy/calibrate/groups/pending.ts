/**
 * The kernel `ask` of test/reference/h200/micro/pending.cu: requests to sectors that are on their way, one behind the other, and to
 * such as L1 has, of lines and banks in several ways. One SM.
 */
import { f32, type Kernel, kernel, ptr, u32 } from "../../../frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";
import { instancesOf } from "./ways.js";

const params = { data: ptr(f32), pitch: u32, turn: u32, step: u32, rounds: u32, out: ptr(f32) };
const constants = { REQUESTS: 4, AGAIN: 0 };
const ROUNDS = 32;
const FAR_APART = 1024;
const LINE_WORDS = 32;

const ask: Kernel = kernel(
  "ask",
  { params, constants },
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
      simulate: (gpu) =>
        gpu.clockedCycles({
          kernel: asks,
          blocks: 1,
          threads: warps * 32,
          args: [gpu.data, pitchWords, turn, step, ROUNDS, gpu.out],
          cache: from === "L2" ? "warm" : "cold",
        }) / ROUNDS,
    };
  });
}
