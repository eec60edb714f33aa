/**
 * Loops of multiply-adds by 1 to 8 warps a scheduler. h200/micro/rounds.cu measures the branch back and its test,
 * h200/micro/yield.cu multiply-adds that wait for the one before, or for the one before that. These texts read the
 * clock, in each iteration or as values that they store, so the kernel is written here.
 */
import { f32, i32, type Kernel, kernel, ptr } from "../../../../core/frontend/index.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";

const SMS = 132;
const FEW = 200;
const MORE = 600;

const rounds: Kernel = kernel(
  "rounds",
  { params: { out: ptr(f32), most: i32, factor: f32 }, constants: { MULTIPLY_ADDS: 8, CHAINS: 8 } },
  ({ out, most, factor }, { threadIdx, blockIdx, blockDim, unroll, f32, local }, { MULTIPLY_ADDS, CHAINS }) => {
    const v = local(f32, 8);
    for (let k = 0; k < 8; k++) {
      unroll();
      v[k] = f32(threadIdx.x + k);
    }
    for (let n = 0; n < most; n++) {
      unroll(1);
      for (let k = 0; k < MULTIPLY_ADDS; k++) {
        unroll();
        v[k % CHAINS] = v[k % CHAINS]! * factor + 0.5;
      }
    }
    let sum = f32(0);
    for (let k = 0; k < 8; k++) {
      unroll();
      sum += v[k]!;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  },
);

interface Row {
  readonly multiplyAdds: number;
  readonly test: number;
  readonly warpsPerSM: number;
  readonly cycles: number;
}

export function roundBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/rounds.json") as { readonly rows: readonly Row[] };
  return rows
    .filter(({ test }) => test === 0)
    .map(({ multiplyAdds, warpsPerSM, cycles }): MicroBenchmark => {
      const loop = rounds.with({ MULTIPLY_ADDS: multiplyAdds });
      return {
        group: "rounds of multiply-adds",
        id: `${multiplyAdds} a round, ${warpsPerSM} warps`,
        unit: "cycles a round",
        measured: cycles,
        simulate: (gpu) => {
          const [few, more] = [FEW, MORE].map(
            (most) =>
              gpu.predict({ kernel: loop.ir, blocks: SMS, threads: warpsPerSM * 32, args: [gpu.out, most, 0.999] })
                .cycles,
          );
          return (more! - few!) / (MORE - FEW) / (warpsPerSM / 4);
        },
      };
    });
}

interface YieldRow {
  readonly body: string;
  readonly k: number;
  readonly blocks: number;
  readonly warps: number;
  /** For each warp of a scheduler: block, slot, the cycles at which its first and its last iteration end, and of one. */
  readonly of: readonly (readonly [number, number, number, number, number])[];
}

const ROUNDS = 64;
const FIRST_ROUNDS = 16;
/** Multiply-adds in chains, in a long loop and a shorter one: the difference is theirs alone. */
const LOOPS = [
  { body: "chain", chains: 1, longer: 64, shorter: 16 },
  { body: "chains2", chains: 2, longer: 64, shorter: 16 },
  { body: "free", chains: 8, longer: 128, shorter: 48 },
] as const;

export function yieldBenchmarks(): readonly MicroBenchmark[] {
  const { rows } = readReference("h200/micro/yield.json") as { readonly rows: readonly YieldRow[] };
  return LOOPS.flatMap(({ body, chains, longer, shorter }) => {
    const of = (length: number): readonly YieldRow[] => rows.filter((row) => row.body === body && row.k === length);
    return of(longer).map((row): MicroBenchmark => {
      const { blocks, warps } = row;
      const other = of(shorter).find((each) => each.blocks === blocks && each.warps === warps)!;
      return {
        group: "chains of multiply-adds",
        id: `${chains} a warp, ${blocks} ${blocks === 1 ? "block" : "blocks"} of ${warps} warps`,
        unit: "cycles a multiply-add",
        measured: (roundOf(row) - roundOf(other)) / (longer - shorter),
        simulate: (gpu) => {
          const cycles = (length: number, most: number): number => {
            const loop = rounds.with({ MULTIPLY_ADDS: length, CHAINS: chains });
            return gpu.predict({
              kernel: loop.ir,
              blocks: blocks * SMS,
              threads: warps * 32,
              args: [gpu.out, most, 0.999],
            }).cycles;
          };
          const [long, short] = [longer, shorter].map(
            (length) => (cycles(length, ROUNDS) - cycles(length, FIRST_ROUNDS)) / (ROUNDS - FIRST_ROUNDS),
          );
          return (long! - short!) / (longer - shorter);
        },
      };
    });
  });
}

/** Cycles of an iteration, over all warps together. */
function roundOf({ of }: YieldRow): number {
  const first = Math.min(...of.map(([, , begin]) => begin));
  return (Math.max(...of.map(([, , , end]) => end)) - first) / (ROUNDS - 1);
}
