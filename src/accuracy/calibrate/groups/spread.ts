/** Atomics of test/reference/h200/micro/spread.cu: of all SMs, each lane's at random. */

import { meanAbsolute } from "../../compared-numbers.js";
import { readReference } from "../../measured-table.js";
import type { MicroBenchmark } from "./benchmarks.js";
import { globalAtomics } from "./kernels.js";

interface SpreadRow {
  readonly kind: string;
  readonly words: number;
  readonly nsPerWarpRequest: number;
}

const BLOCKS = 1056;
const WARPS = 8;
const FEW = 8;
const MORE = 24;

/** Each as the mean of the places that the words had. */
export function spreadBenchmarks(): readonly MicroBenchmark[] {
  const rows = (readReference("h200/micro/spread.json") as { readonly rows: readonly SpreadRow[] }).rows.filter(
    ({ kind }) => kind === "random",
  );
  const kernel = globalAtomics.with({ SCATTERED: true });
  return [...new Set(rows.map(({ words }) => words))].map((words): MicroBenchmark => {
    const places = rows.filter((row) => row.words === words).map(({ nsPerWarpRequest }) => nsPerWarpRequest);
    return {
      group: "atomics at random",
      id: `${words} words`,
      unit: "ns a request",
      measured: meanAbsolute(places) ?? Number.NaN,
      simulate: (gpu) => {
        const [few, more] = [FEW, MORE].map(
          (rounds) =>
            gpu.predict({ kernel, blocks: BLOCKS, threads: WARPS * 32, args: [gpu.out, words - 1, rounds] }).timeMs,
        );
        return ((more! - few!) * 1e6) / (BLOCKS * WARPS * (MORE - FEW));
      },
    };
  });
}
