/** Loops of multiply-adds by 1 to 8 warps a scheduler (test/reference/h200-rounds-micro.cu): what the branch back and its test cost. */
import { f32, i32, type Kernel, kernel, ptr } from "../frontend/index.js";
import type { MicroBenchmark } from "./calibrate-benchmarks.js";
import { readReference } from "./validate-measured.js";

const SMS = 132;
const FEW = 200;
const MORE = 600;

const rounds: Kernel = kernel(
  "rounds",
  { params: { out: ptr(f32), most: i32, factor: f32 }, constants: { MULTIPLY_ADDS: 8 } },
  ({ out, most, factor }, { threadIdx, blockIdx, blockDim, unroll, f32, local }, { MULTIPLY_ADDS }) => {
    const v = local(f32, 8);
    for (let k = 0; k < 8; k++) {
      unroll();
      v[k] = f32(threadIdx.x + k);
    }
    for (let n = 0; n < most; n++) {
      unroll(1);
      for (let k = 0; k < MULTIPLY_ADDS; k++) {
        unroll();
        v[k % 8] = v[k % 8]! * factor + 0.5;
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
  const { rows } = readReference("h200-rounds-micro.json") as { readonly rows: readonly Row[] };
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
              gpu.predict({ kernel: loop, blocks: SMS, threads: warpsPerSM * 32, args: [gpu.out, most, 0.999] }).cycles,
          );
          return (more! - few!) / (MORE - FEW) / (warpsPerSM / 4);
        },
      };
    });
}
