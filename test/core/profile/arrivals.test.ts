/** Points of reconvergence are issued by each group of lanes that comes there: against what an H200 counted. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { readCuda } from "../../../src/core/frontend/cuda/read-cuda.js";
import { lower } from "../../../src/core/lower/lower.js";
import { furtherArrivals } from "../../../src/core/profile/arrivals.js";
import { countEvents } from "../../../src/core/profile/counters.js";
import { execute } from "../engine/launch.js";
import { compileCuda } from "../lower/kernel-code.js";

const BITONIC = "bitonicBlock";
const reference = (name: string): string => readFileSync(new URL(`../../reference/${name}`, import.meta.url), "utf8");

interface Row {
  readonly kernel: string;
  readonly grid: readonly number[];
  readonly block: readonly number[];
  readonly counters: Readonly<Record<string, number>>;
}

describe("a sorting network in shared memory, whose ifs part the lanes of a warp", () => {
  const { rows } = JSON.parse(reference("h200/measured/holdout.json")) as { readonly rows: readonly Row[] };
  const program = lower(readCuda(reference("h200/kernels/holdout.cu"), "holdout.cu").get(BITONIC)!, {
    computeCapability: { major: 9, minor: 0 },
    contractFma: true,
  });
  it.each([128, 512])("issues as many instructions a warp in blocks of %i as on an H200", (threads) => {
    const row = rows.find(({ kernel, block }) => kernel === BITONIC && block[0] === threads)!;
    const measured = row.counters["smsp__inst_executed.sum"]! / ((row.grid[0]! * threads) / 32);
    const data = Int32Array.from({ length: 4 * threads }, (_, k) => Math.imul(k, 2654435761) >>> 22);
    const args = { in: data, out: new Int32Array(4 * threads) };
    const { counters } = execute(program, {
      grid: 4,
      block: threads,
      dynamicSharedBytes: 4 * threads,
      args,
      engine: fastEngine,
      sharedMemory: true,
    });
    const simulated = countEvents(program, counters).warpInstructions / counters.warps;
    expect(Math.abs(simulated / measured - 1)).toBeLessThan(0.005);
  });
});

describe("a loop that lanes leave in different rounds", () => {
  const program = compileCuda(
    'extern "C" __global__ void rounds(int *out) { int t = threadIdx.x; int x = t; while (x % 7 != 0) x = x * 3 + 1; out[t] = x; }',
  );
  it("has one arrival more for each round but the last in which some leave", () => {
    const { counters } = execute(program, { block: 32, args: { out: new Int32Array(32) } });
    const left = new Set<number>();
    for (let t = 0; t < 32; t++) {
      let round = 0;
      for (let x = t; x % 7 !== 0; x = x * 3 + 1) round++;
      left.add(round);
    }
    const further = [...furtherArrivals(program, counters).values()].reduce((sum, count) => sum + count, 0);
    expect(further).toBe(left.size - 1);
  });
});
