/**
 * Indices of shared and local arrays whose terms wrap at 2^32, as CUDA's unsigned arithmetic does. The compiler hands the
 * terms to the address one by one.
 */
import { describe, expect, it, test } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { compileKernel } from "../../../src/core/frontend/index.js";
import { lower } from "../../../src/core/lower/lower.js";
import {
  asVector,
  atomicAdd,
  Gpu,
  i32,
  int4,
  kernel,
  local,
  ptr,
  sanitize,
  shared,
  syncthreads,
  this_grid,
  threadIdx,
  u32,
  volatile,
} from "../../../src/index.js";
import { Choices } from "../../random/prng.js";
import { execute } from "../engine/launch.js";

const DEVICES = ["m2070", "v100", "h200"] as const;
const WAYS = [
  ["by default", {}],
  ["with seed 3", { schedule: { seed: 3 } }],
  ["with -G", { debug: true }],
] as const;

/** Each stores 31 - t in `o[t]`, by an index that is right only modulo 2^32. */
const mirrored = kernel("mirrored", { o: ptr(i32) }, ({ o }) => {
  const s = shared(i32, 32);
  s[threadIdx.x] = i32(threadIdx.x);
  syncthreads();
  o[threadIdx.x] = s[threadIdx.x * 4294967295 + 31];
});
const stored = kernel("stored", { o: ptr(i32) }, ({ o }) => {
  const s = shared(i32, 32);
  s[threadIdx.x * 4294967295 + 31] = i32(threadIdx.x);
  syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
});
const added = kernel("added", { o: ptr(i32) }, ({ o }) => {
  const s = shared(i32, 32);
  s[threadIdx.x] = 0;
  syncthreads();
  atomicAdd(s, threadIdx.x * 4294967295 + 31, i32(threadIdx.x));
  syncthreads();
  o[threadIdx.x] = s[threadIdx.x];
});
const watched = kernel("watched", { o: ptr(i32) }, ({ o }) => {
  const s = volatile(shared(i32, 32));
  s[threadIdx.x] = i32(threadIdx.x);
  syncthreads();
  o[threadIdx.x] = s[threadIdx.x * 4294967295 + 31];
});
const vectors = kernel("vectors", { o: ptr(i32) }, ({ o }) => {
  const s = shared(i32, 128);
  for (let i = 0; i < 4; i++) s[threadIdx.x * 4 + i] = i32(threadIdx.x);
  syncthreads();
  const found = asVector(s, int4)[threadIdx.x * 4294967295 + 31];
  o[threadIdx.x] = found.x + found.w - found.y;
});
const own = kernel("own", { o: ptr(i32) }, ({ o }) => {
  const l = local(i32, 32);
  for (let i = 0; i < 32; i++) l[i32(threadIdx.x) ^ i] = i ^ i32(threadIdx.x);
  o[threadIdx.x] = l[threadIdx.x * 4294967295 + 31];
});
const remainder = kernel("remainder", { o: ptr(i32) }, ({ o }) => {
  const s = shared(i32, 32);
  s[threadIdx.x] = i32(threadIdx.x);
  syncthreads();
  o[threadIdx.x] =
    31 -
    i32(threadIdx.x) +
    s[(threadIdx.x + 1) % 24] -
    (i32(threadIdx.x + 1) % 24) +
    s[threadIdx.x % 3] -
    (i32(threadIdx.x) % 3);
});
const gridWide = kernel("gridWide", { o: ptr(i32) }, ({ o }) => {
  const s = shared(i32, 32);
  s[threadIdx.x] = i32(threadIdx.x);
  this_grid().sync();
  o[threadIdx.x] = s[threadIdx.x * 4294967295 + 31];
});
const KERNELS = [mirrored, stored, added, watched, vectors, own, remainder];
const EXPECTED = Array.from({ length: 32 }, (_, t) => 31 - t);

describe.each(DEVICES)("on %s an index that wraps", (device) => {
  test.each(WAYS)("finds its element %s", (_, way) => {
    for (const each of KERNELS) {
      const gpu = new Gpu(device);
      const o = gpu.alloc(i32, 32);
      gpu.launch(each, { grid: 1, block: 32, ...way }, { o });
      expect([...o.read()], each.name).toEqual(EXPECTED);
    }
  });
  it("is no finding of the sanitizer, and one that is out of bounds is, by its signed value", () => {
    for (const each of KERNELS) {
      const { findings } = sanitize(() => {
        const gpu = new Gpu(device);
        gpu.launch(each, { grid: 1, block: 32 }, { o: gpu.alloc(i32, 32) });
      });
      expect(findings, each.name).toEqual([]);
    }
    const below = kernel("below", { o: ptr(i32) }, ({ o }) => {
      const s = shared(i32, 32);
      s[threadIdx.x] = 1;
      syncthreads();
      o[threadIdx.x] = s[threadIdx.x * 4294967295];
    });
    for (const [, way] of WAYS) {
      const gpu = new Gpu(device);
      const launch = () => gpu.launch(below, { grid: 1, block: 2, ...way }, { o: gpu.alloc(i32, 2) });
      expect(launch).toThrow("reads s[-1], but shared s has 32 int elements");
    }
  });
});

it("finds its element in a cooperative grid, and step by step", () => {
  const gpu = new Gpu("h200");
  const o = gpu.alloc(i32, 32);
  gpu.launch(gridWide, { grid: 1, block: 32 }, { o });
  expect([...o.read()]).toEqual(EXPECTED);
  o.fill(0);
  const steps = gpu.step(mirrored, { grid: 1, block: 32 }, { o });
  while (steps.step());
  expect([...o.read()]).toEqual(EXPECTED);
});

/** A u32 expression as text and as its value. */
interface Term {
  readonly text: string;
  readonly value: (t: number, k: number) => number;
}

function term(choices: Choices, depth: number): Term {
  const far = [4294967295, 4294967272, 2147483648, 3000000000, 1073741825, 130150525, 33, 24, 7, 2, 1];
  if (depth === 0) {
    const constant = choices.chance(0.3) ? choices.bits() : choices.pick(far);
    return choices.pick<Term>([
      { text: "t", value: (t) => t },
      { text: "k", value: (_, k) => k },
      { text: `u32(${constant})`, value: () => constant },
    ]);
  }
  const [a, b] = [term(choices, depth - 1), term(choices, choices.below(depth))];
  const count = choices.pick([1, 2, 5, 31]);
  return choices.pick<Term>([
    { text: `(${a.text} + ${b.text})`, value: (t, k) => (a.value(t, k) + b.value(t, k)) >>> 0 },
    { text: `(${a.text} - ${b.text})`, value: (t, k) => (a.value(t, k) - b.value(t, k)) >>> 0 },
    { text: `(${a.text} * ${b.text})`, value: (t, k) => Math.imul(a.value(t, k), b.value(t, k)) >>> 0 },
    { text: `(${a.text} << ${count})`, value: (t, k) => (a.value(t, k) << count) >>> 0 },
  ]);
}

const ELEMENTS = { i32: "s[i]", f64: "i32(d[i])", int4: "v[i].y", local: "l[i]" } as const;

test.each([
  [2, 0],
  [7, 0],
  [9, 0],
] as const)("sums and products of random u32 terms find the element that JavaScript finds on %i.%i", (major, minor) => {
  for (let seed = 1; seed <= 24; seed++) {
    const choices = new Choices(seed);
    const { text, value } = term(choices, 3);
    const k = choices.chance(0.5) ? choices.bits() : choices.pick([4294967295, 2147483649, 130150525, 3]);
    // `n` brings the index of one thread into the array, so that the compiler cannot tell where it is.
    const n = (choices.below(64) - value(choices.below(64), k)) >>> 0;
    const [name, read] = choices.pick(Object.entries(ELEMENTS));
    const kernelText = `({ o, k, n }, { threadIdx, shared, local, asVector, int4, syncthreads, u32, i32, f64 }) => {
      const s = shared(i32, 256); const d = shared(f64, 64); const l = local(i32, 64); const v = asVector(s, int4);
      const t = threadIdx.x;
      for (let j = 0; j < 4; j++) s[${name === "int4" ? "j + t * 4" : "j * 64 + t"}] = i32(t);
      d[t] = f64(i32(t));
      for (let j = 0; j < 64; j++) l[i32(t) ^ j] = i32(t) ^ j;
      syncthreads();
      const i = ${text} + n;
      o[t] = i < 64 ? ${read} : -1;
    }`;
    const params = { o: ptr(i32), k: u32, n: u32 };
    const ir = compileKernel({ name: "wraps", text: kernelText, params, constants: {}, functions: {} });
    const expected = Array.from({ length: 64 }, (_, t) => {
      const i = (value(t, k) + n) >>> 0;
      return i < 64 ? i : -1;
    });
    for (const debug of [false, true]) {
      const program = lower(ir, { computeCapability: { major, minor }, contractFma: true, debug });
      for (const engine of [fastEngine, referenceEngine]) {
        const { read: result } = execute(program, {
          block: 64,
          args: { o: new Int32Array(64), k, n },
          engine,
          lockstep: major < 7,
        });
        expect([...result<Int32Array>("o")], `${text} + n, ${read}, k = ${k}, n = ${n}`).toEqual(expected);
      }
    }
  }
});
