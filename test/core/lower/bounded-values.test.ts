/**
 * Words between two bounds, tests of shifted bits, and word positions: both engines give JavaScript's results,
 * around the bounds and at sign changes.
 */
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute } from "../engine/launch.js";
import { compileCuda } from "./kernel-code.js";

const ENGINES = [
  ["fast", fastEngine],
  ["reference", referenceEngine],
] as const;
const LEAST = -(2 ** 31);
const WORDS = [LEAST, LEAST + 1, -300, -8, -2, -1, 0, 1, 4, 5, 6, 7, 8, 62, 63, 64, 127, 128, 768, 2 ** 31 - 1];
const VALUES: Readonly<Record<string, (x: number, t: number) => number>> = {
  "x < 0 ? 0 : x > 63 ? 63 : x": (x) => Math.min(Math.max(x, 0), 63),
  "x > 63 ? 63 : x < 0 ? 0 : x": (x) => Math.min(Math.max(x, 0), 63),
  "x < 5 ? 5 : x > 63 ? 63 : x": (x) => Math.min(Math.max(x, 5), 63),
  "x >= -5 ? x > 63 ? 63 : x : -5": (x) => Math.min(Math.max(x, -5), 63),
  "x < 63 ? 63 : x > 5 ? 5 : x": (x) => (x < 63 ? 63 : x > 5 ? 5 : x),
  "(x >> 7 & 1) == 0 ? 2 : 3": (x) => (((x >> 7) & 1) === 0 ? 2 : 3),
  "(x >> 7 & 1) == 1 ? 2 : 3": (x) => (((x >> 7) & 1) === 1 ? 2 : 3),
  "(x >> 7 & 6) != 0 ? 2 : 3": (x) => (((x >> 7) & 6) !== 0 ? 2 : 3),
  "(x >> 30 & 3) == 0 ? 2 : 3": (x) => (((x >> 30) & 3) === 0 ? 2 : 3),
  "(x >> 31 & 3) == 0 ? 2 : 3": (x) => (((x >> 31) & 3) === 0 ? 2 : 3),
  "n - 1 - x": (x) => (19 - x) | 0,
  "n - x - 1": (x) => (19 - x) | 0,
  "7 * x - 1 - in[t + 1]": (x, t) => (Math.imul(7, x) - 1 - (WORDS[t + 1] ?? 0)) | 0,
  "t * n + x * 16 + (t & 3)": (x, t) => (t * 20 + Math.imul(x, 16) + (t & 3)) | 0,
};

describe.each(ENGINES)("on the %s engine", (_, engine) => {
  it.each(Object.keys(VALUES))("%s", (text) => {
    const program = compileCuda(
      `extern "C" __global__ void bounded(const int *in, int *out, int n) { int t = threadIdx.x, x = in[t]; out[t] = ${text}; }`,
    );
    const done = execute(program, {
      block: WORDS.length,
      args: { in: Int32Array.from([...WORDS, 0]), out: new Int32Array(WORDS.length), n: 20 },
      engine,
    });
    const expected = WORDS.map((x, t) => VALUES[text]!(x, t));
    expect([...done.read<Int32Array>("out")]).toEqual(expected);
  });
});
