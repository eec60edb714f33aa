/** Warps go from barrier to barrier one after the other, however the code between two barriers is spread over loops. */
import { describe, expect, it } from "vitest";
import { createRawCounters } from "../../../src/core/engine/engine.js";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { execute, type LaunchOptions, prepare } from "../engine/launch.js";
import { compareEngines } from "./both-engines.js";

function runBoth(text: string, options: LaunchOptions): Int32Array {
  expect(compareEngines(text, options)).toMatchObject({ supported: true, differences: [] });
  return execute(text, { engine: fastEngine, ...options }).read<Int32Array>("out");
}

/** A barrier at the head of a loop: the code after the loop follows its last iteration with no barrier between. */
const HEAD = `
param out ptr i32
param rounds i32
shared s i32 64
  t = mov.i32 threadIdx.x
  b = addr s[t]
  st.i32 s[b], t
  c = mov.i32 0
  loop {
    bar
    x = ld.i32 s[b]
    x = add.i32 x, 100
    st.i32 s[b], x
    c = add.i32 c, 1
    p = setp.lt.i32 c, rounds
  } while p
  u = xor.i32 t, 32
  d = addr s[u]
  y = ld.i32 s[d]
  o = addr out[t]
  st.i32 out[o], y`;

describe("between two barriers", () => {
  it("a warp runs to the end before the next one starts, out of a loop and past it", () => {
    for (const rounds of [1, 2, 5]) {
      const out = runBoth(HEAD, { block: 64, args: { out: new Int32Array(64), rounds } });
      // Warp 0 sees warp 1's elements without the last iteration, warp 1 sees warp 0's with it.
      const expected = Array.from({ length: 64 }, (_, t) => (t ^ 32) + 100 * (t < 32 ? rounds - 1 : rounds));
      expect([...out]).toEqual(expected);
    }
  });
  it("sums a block as the textbook's reduction does, whose last round has no barrier behind it", () => {
    const text = `
param input ptr i32
param out ptr i32
shared s i32 256
  t = mov.u32 threadIdx.x
  i = mad.u32 blockIdx.x, blockDim.x, t
  a = addr.u32 input[i]
  b = addr.u32 s[t]
  x = ld.i32 input[a]
  st.i32 s[b], x
  stride = mov.u32 128
  loop {
    bar
    p = setp.lt.u32 t, stride
    if p {
      q = add.u32 t, stride
      d = addr.u32 s[q]
      y = ld.i32 s[d]
      x = ld.i32 s[b]
      x = add.i32 x, y
      st.i32 s[b], x
    }
    stride = shr.u32 stride, 1
    again = setp.gt.u32 stride, 0
  } while again
  first = setp.eq.u32 t, 0
  if first {
    o = addr.u32 out[blockIdx.x]
    z = ld.i32 s[b]
    st.i32 out[o], z
  }`;
    const input = Int32Array.from({ length: 1024 }, (_, i) => i * i - 7);
    const out = runBoth(text, { block: 256, grid: 4, args: { input, out: new Int32Array(4) } });
    const sums = [0, 1, 2, 3].map((k) => input.subarray(256 * k, 256 * k + 256).reduce((sum, x) => sum + x, 0));
    expect([...out]).toEqual(sums);
  });
  it("a value that the block computes in a round is the same for the warp that comes last", () => {
    const text = `
param out ptr i32
param rounds i32
shared s i32 64
  t = mov.i32 threadIdx.x
  b = addr s[t]
  sum = mov.i32 0
  k = mov.i32 1
  c = mov.i32 0
  loop {
    st.i32 s[b], k
    bar
    x = ld.i32 s[b]
    x = add.i32 x, k
    sum = add.i32 sum, x
    k = mul.i32 k, 3
    c = add.i32 c, 1
    p = setp.lt.i32 c, rounds
  } while p
  o = addr out[t]
  st.i32 out[o], sum`;
    const out = runBoth(text, { block: 64, args: { out: new Int32Array(64), rounds: 4 } });
    expect([...out]).toEqual(Array(64).fill(2 * (1 + 3 + 9 + 27)));
  });
  it("lanes that have ended neither count nor vote", () => {
    const text = `
param out ptr i32
param n i32
  t = mov.i32 threadIdx.x
  o = addr out[t]
  ended = setp.ge.i32 t, n
  exit if ended
  c = mov.i32 0
  loop {
    st.i32 out[o], c
    odd = and.i32 t, 1
    p = setp.eq.i32 odd, 1
    votes = bar.count p
    c = add.i32 c, votes
    st.i32 out[o], c
    q = setp.lt.i32 c, 100
  } while q`;
    const out = runBoth(text, { block: 128, grid: 2, args: { out: new Int32Array(128), n: 71 } });
    expect([...out]).toEqual(Array.from({ length: 128 }, (_, t) => (t < 71 ? 105 : 0)));
  });
  it("a warp that fails leaves undone what the warps after it would do", () => {
    const text = `
param out ptr i32
param k i32
shared s i32 64
  t = mov.i32 threadIdx.x
  o = addr out[t]
  c = mov.i32 0
  loop {
    bar
    st.i32 out[o], 7
    c = add.i32 c, 1
    p = setp.lt.i32 c, 1
  } while p
  u = mul.i32 t, k
  b = addr s[u]
  st.i32 s[b], 1`;
    const options = { block: 64, args: { out: new Int32Array(64), k: 1000 } };
    expect(compareEngines(text, options).differences).toEqual([]);
    const { launch, read } = prepare(text, options);
    const run = (): unknown => fastEngine.run(launch, { first: 0, end: 1, step: 1 }, createRawCounters(launch.program));
    expect(run).toThrow("warp 0");
    expect([...read<Int32Array>("out")]).toEqual([...Array(32).fill(7), ...Array(32).fill(0)]);
  });
});
