/** Kernels whose control flow the compiler restructures give JavaScript's results on both engines. */
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute } from "../engine/launch.js";
import { compileCuda } from "./kernel-code.js";

const ENGINES = [
  ["fast", fastEngine],
  ["reference", referenceEngine],
] as const;

const LANES = 64;
const input = Int32Array.from({ length: LANES * 2 }, (_, i) => (Math.imul(i, 37) % 23) - 5);

type Case = readonly [what: string, text: string, expected: (x: number, i: number) => number];

/** -1, plus the element at `start`, plus the following ones while `holds` is true of their index. */
function sumOnceAndWhile(start: number, holds: (k: number) => boolean): number {
  let r = -1;
  let k = start;
  do {
    r += input[k]! + k;
    k++;
  } while (holds(k));
  return r;
}

const CASES: readonly Case[] = [
  [
    "a switch of seven values, two of them negative",
    `switch (x) { case -2: r = i; break; case 9: r = x * 3; break; case 0: r = 7; break; case -5: r = x - i; break;
       case 4: r = x ^ i; break; case 3: r = i << 2; break; case 11: r = -x; break; default: r = 100 + x; }`,
    (x, i) =>
      new Map([
        [-2, i],
        [9, x * 3],
        [0, 7],
        [-5, x - i],
        [4, x ^ i],
        [3, i << 2],
        [11, -x],
      ]).get(x) ?? 100 + x,
  ],
  [
    "a switch without a default",
    "switch (x & 7) { case 5: r = x; break; case 1: r = i; break; case 2: r = 3; break; case 7: r = x + i; break; }",
    (x, i) =>
      new Map([
        [5, x],
        [1, i],
        [2, 3],
        [7, x + i],
      ]).get(x & 7) ?? -1,
  ],
  [
    "a switch whose default loops",
    `switch (x) { case 1: r = 5; break; case 2: r = 6; break; case 3: r = 7; break; case 4: r = 8; break;
       default: for (int k = 0; k < (x & 3); k++) r += k * i; }`,
    (x, i) => {
      if (x >= 1 && x <= 4) return x + 4;
      let r = -1;
      for (let k = 0; k < (x & 3); k++) r += k * i;
      return r;
    },
  ],
  [
    "a walk that a load ends",
    "int k = i; while (k < i + 20 && in[k] != 3) k++; r = k;",
    (_, i) => {
      let k = i;
      while (k < i + 20 && input[k] !== 3) k++;
      return k;
    },
  ],
  [
    "a walk with three tests",
    "int k = i + 9; while (k > 0 && in[k] > in[k - 1] && k < 60) k /= 2; r = k;",
    (_, i) => {
      let k = i + 9;
      while (k > 0 && input[k]! > input[k - 1]! && k < 60) k = Math.trunc(k / 2);
      return k;
    },
  ],
  [
    "a search that a break ends",
    "for (int k = 0; k < 30; k++) if (in[i + k] == 7) { r = k * 2; break; }",
    (_, i) => {
      for (let k = 0; k < 30; k++) if (input[i + k] === 7) return k * 2;
      return -1;
    },
  ],
  [
    "a break that gives two values of the round",
    "int s = 0; for (int k = 0; k < 12; k++) { s += in[i + k]; if (s > 40) { r = k; break; } } r = r * 1000 + s;",
    (_, i) => {
      let s = 0;
      let r = -1;
      for (let k = 0; k < 12; k++) {
        s += input[i + k]!;
        if (s > 40) {
          r = k;
          break;
        }
      }
      return r * 1000 + s;
    },
  ],
  [
    "a chain of loads",
    "if (in[i] > 2 && in[i + 1] > 4 && in[i + 2] < 9 && in[i + 3] != 6) r = in[i + 4];",
    (x, i) => (x > 2 && input[i + 1]! > 4 && input[i + 2]! < 9 && input[i + 3] !== 6 ? input[i + 4]! : -1),
  ],
  [
    "a chain of loads, any of which suffices",
    "bool f = in[i] > 9 || in[i + 1] > 9 || in[i + 2] > 9; r = f ? i : x;",
    (x, i) => (x > 9 || input[i + 1]! > 9 || input[i + 2]! > 9 ? i : x),
  ],
  [
    "sums of each kind",
    "int e = 0, o = 0; for (int k = 0; k < 9; k++) { int v = in[i + k]; if (v > 4) e += v; else o -= v; } r = e * 100 + o;",
    (_, i) => {
      let [e, o] = [0, 0];
      for (let k = 0; k < 9; k++) {
        const v = input[i + k]!;
        if (v > 4) e += v;
        else o -= v;
      }
      return e * 100 + o;
    },
  ],
  [
    "a loop up to the nearer of two bounds",
    "for (int k = i; k < i + x && k < n; k++) r += in[k] + k;",
    (x, i) => {
      let r = -1;
      for (let k = i; k < i + x && k < 21; k++) r += input[k]! + k;
      return r;
    },
  ],
  [
    "a loop that counts from 0, and ends before an array does",
    "for (int k = 0; k < x && i + k < n; k++) r = r * 3 + in[i + k];",
    (x, i) => {
      let r = -1;
      for (let k = 0; k < x && i + k < 21; k++) r = (Math.imul(r, 3) + input[i + k]!) | 0;
      return r;
    },
  ],
  [
    "a loop that runs once before its two tests",
    "int k = i; do { r += in[k] + k; k++; } while (k < i + x && k <= n);",
    (x, i) => sumOnceAndWhile(i, (k) => k < i + x && k <= 21),
  ],
  [
    "a loop that runs once before its test",
    "int k = i; do { r += in[k] + k; k++; } while (k < x);",
    (x, i) => sumOnceAndWhile(i, (k) => k < x),
  ],
  [
    "eight rounds that the end of an array leaves",
    "for (int k = 0; k < 8; k++) { int at = i + k * 3; if (at >= n) { r -= at; break; } r += in[at]; }",
    (_, i) => {
      let r = -1;
      for (let k = 0; k < 8; k++) {
        const at = i + k * 3;
        if (at >= 21) {
          r -= at;
          break;
        }
        r += input[at]!;
      }
      return r;
    },
  ],
  [
    "guarded loads in a loop with a bound known at run time",
    "for (int k = -n; k <= n; k++) if (i + k >= 0 && i + k < 64) r += in[i + k] * (k + 3);",
    (_, i) => {
      let r = -1;
      for (let k = -21; k <= 21; k++) if (i + k >= 0 && i + k < 64) r += input[i + k]! * (k + 3);
      return r;
    },
  ],
];

describe.each(ENGINES)("on the %s engine", (_, engine) => {
  it.each(CASES)("%s gives what C gives", (_what, text, expected) => {
    const program = compileCuda(
      `__global__ void k(const int *in, int *out, int n) { int i = threadIdx.x; int x = in[i]; int r = -1; ${text} out[i] = r; }`,
    );
    const done = execute(program, { block: LANES, args: { in: input, out: new Int32Array(LANES), n: 21 }, engine });
    const wanted = Array.from({ length: LANES }, (_lane, i) => expected(input[i]!, i));
    expect([...done.read<Int32Array>("out")]).toEqual(wanted);
  });
});

describe.each(ENGINES)("an atomic on the %s engine", (_, engine) => {
  it("at an index from a thread's own array goes to each thread's place", () => {
    const program = compileCuda(
      `__global__ void k(const int *in, int *out, int n) {
        int own[4];
        own[0] = threadIdx.x; own[1] = 0; own[2] = 0; own[3] = 0;
        own[0] -= own[0] * 2;
        atomicMin(&out[own[n & 3] & 63], 7);
      }`,
    );
    const out = new Int32Array(64).fill(100);
    const done = execute(program, { block: LANES, args: { in: input, out, n: 4 }, engine });
    const wanted = new Int32Array(64).fill(100);
    for (let i = 0; i < LANES; i++) wanted[-i & 63] = 7;
    expect([...done.read<Int32Array>("out")]).toEqual([...wanted]);
  });
});
