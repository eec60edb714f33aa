/** Additions of floats and doubles to shared memory by one warp, against an H200's counters (h200-spin-micro.json). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { compareEngines } from "../engine-fast/both-engines.js";
import { compileCuda } from "../lower/kernel-code.js";
import { execute } from "./launch.js";

interface Row {
  readonly type: "float" | "double";
  readonly warps: number;
  readonly stride?: number;
  /** Compare-and-swaps, and wavefronts of loads and swaps, an addition. */
  readonly rounds: number;
  readonly wavefronts: number;
}

const { rows } = JSON.parse(readFileSync(new URL("../reference/h200-spin-micro.json", import.meta.url), "utf8")) as {
  readonly rows: readonly Row[];
};

describe("one warp that adds to words of shared memory apart", () => {
  for (const { type, warps, stride, rounds, wavefronts } of rows) {
    if (warps !== 1 || stride === undefined) continue;
    it(`takes ${rounds} rounds and ${wavefronts} wavefronts for ${type}s with stride ${stride}`, () => {
      const program = compileCuda(
        `__global__ void k(${type} *o, int stride) { __shared__ ${type} s[1024]; int i = (threadIdx.x * stride) & 1023; if (stride >= 0) s[i] = 0; __syncthreads(); atomicAdd(&s[i], (${type})1); __syncthreads(); o[threadIdx.x] = s[i]; }`,
      );
      const swap = program.instructions.find(({ op }) => op === "atom")!.pc;
      const load = program.instructions.filter(({ pc, op }) => op === "ld" && pc < swap).at(-1)!.pc;
      const out = type === "float" ? new Float32Array(32) : new Float64Array(32);
      const options = { block: 32, args: { o: out, stride } };
      const { counters, read } = execute(program, options);
      expect(counters.executed[swap]).toBe(rounds);
      expect(counters.wavefronts[swap]! + counters.wavefronts[load]!).toBe(wavefronts);
      const meeting = Array.from({ length: 32 }, (_, t) => Array.from({ length: 32 }, (_, u) => (u - t) * stride));
      const sums = meeting.map((distances) => distances.filter((distance) => (distance & 1023) === 0).length);
      expect([...read<Float32Array | Float64Array>("o")]).toEqual(sums);
      expect(compareEngines(program, options)).toEqual({ supported: true, differences: [], fault: null });
    });
  }
});
