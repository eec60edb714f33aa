/** Additions of floats and doubles to shared memory by one warp, against an H200's counters (h200/micro/spin.json). */
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

const { rows } = JSON.parse(readFileSync(new URL("../../reference/h200/micro/spin.json", import.meta.url), "utf8")) as {
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

describe("integers of 64 bits in shared memory", () => {
  const all = (1n << 64n) - 1n;
  // Whole warps meet at each of 1, 2, 4, ... words: what 32 / words lanes leave of a word that begins as 5.
  const changes: readonly (readonly [name: string, change: (word: bigint, lane: bigint) => bigint])[] = [
    ["Add", (word, lane) => word + (lane << 40n)],
    ["And", (word, lane) => word & ~(1n << lane) & all],
    ["Or", (word, lane) => word | (1n << (lane + 20n))],
    ["Xor", (word, lane) => word ^ (3n << (lane + 20n))],
  ];
  const operands: Readonly<Record<string, string>> = {
    Add: "(unsigned long long)t << 40",
    And: "~(1ull << t)",
    Or: "1ull << (t + 20)",
    Xor: "3ull << (t + 20)",
  };

  it.each(changes)("are changed by loops of compare-and-swap, as nvcc has it for sm_90: atomic%s", (name, change) => {
    const program = compileCuda(
      `__global__ void k(unsigned long long *o, int mask) { __shared__ unsigned long long s[32]; int t = threadIdx.x; s[t] = 5; __syncthreads(); atomic${name}(&s[t & mask], ${operands[name]}); __syncthreads(); o[t] = s[t & mask]; }`,
    );
    const swap = program.instructions.find(({ op }) => op === "atom")!;
    expect(swap.spin).toBe(true);
    for (const mask of [0, 3, 15, 31]) {
      const options = { block: 32, args: { o: new BigUint64Array(32), mask } };
      const { counters, read } = execute(program, options);
      const words = Array.from({ length: mask + 1 }, (_, word) => {
        const lanes = Array.from({ length: 32 }, (_, lane) => lane).filter((lane) => (lane & mask) === word);
        return lanes.reduce((value, lane) => BigInt.asUintN(64, change(value, BigInt(lane))), 5n);
      });
      expect([...read<BigUint64Array>("o")]).toEqual(Array.from({ length: 32 }, (_, lane) => words[lane & mask]));
      expect(counters.executed[swap.pc]! > 1).toBe(mask < 31);
      expect(compareEngines(program, options)).toEqual({ supported: true, differences: [], fault: null });
    }
  });

  it("are exchanged by one instruction", () => {
    const program = compileCuda(
      "__global__ void k(unsigned long long *o) { __shared__ unsigned long long s[32]; int t = threadIdx.x; s[t] = t; __syncthreads(); o[t] = atomicExch(&s[t], 7ull); }",
    );
    expect(program.instructions.filter(({ op }) => op === "atom").map(({ spin }) => spin ?? false)).toEqual([false]);
  });
});
