/** Loops with 64-bit counters: unrolled by four where nvcc does, with C's results. */
import { describe, expect, it } from "vitest";
import { execute } from "../engine/launch.js";
import { compileCuda, count } from "./kernel-code.js";

type Case = readonly [what: string, loop: string, loads: number, next: (n: number, lane: number) => readonly number[]];

function from(start: number, n: number, step: number): readonly number[] {
  const places: number[] = [];
  for (let i = start; i < n; i += step) places.push(i);
  return places;
}

/** The numbers of loads are those of nvcc 13.0's code for sm_90. */
const CASES: readonly Case[] = [
  ["up to a bound", "long long i = 0; i < n; i++", 5, (n) => from(0, n, 1)],
  ["unsigned, up to a bound", "unsigned long long i = 0; i < (unsigned long long)n; i++", 5, (n) => from(0, n, 1)],
  [
    "by a stride of the grid",
    "long long i = threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x",
    5,
    (n, t) => from(t, n, 32),
  ],
  ["by a parameter", "long long i = threadIdx.x; i < n; i += s", 5, (n, t) => from(t, n, 7)],
  ["by a constant", "long long i = threadIdx.x; i < n; i += 128", 29, (n, t) => from(t, n, 128)],
  ["by the block's size", "long long i = threadIdx.x; i < n; i += blockDim.x", 1, (n, t) => from(t, n, 32)],
  [
    "unsigned, by a stride",
    "unsigned long long i = threadIdx.x; i < (unsigned long long)n; i += (unsigned long long)gridDim.x * blockDim.x",
    1,
    (n, t) => from(t, n, 32),
  ],
];
const data = Float32Array.from({ length: 4096 }, (_, i) => (Math.imul(i, 37) % 101) - 7);

describe("a loop of 64 bits", () => {
  it.each(CASES)("%s is unrolled as nvcc has it, and right", (_what, loop, loads, places) => {
    const program = compileCuda(
      `__global__ void k(const float *in, float *out, long long n, long long s) { float v = 0.0f;
         for (${loop}) v += in[i]; out[threadIdx.x] = v; }`,
    );
    expect(count(program, "LDG")).toBe(loads);
    for (const n of [0, 1, 3, 4, 5, 37, 1023, 4096]) {
      const done = execute(program, { block: 32, args: { in: data, out: new Float32Array(32), n: BigInt(n), s: 7n } });
      const wanted = Array.from({ length: 32 }, (_lane, lane) => places(n, lane).reduce((v, i) => v + data[i]!, 0));
      expect([...done.read<Float32Array>("out")]).toEqual(wanted);
    }
  });
});
