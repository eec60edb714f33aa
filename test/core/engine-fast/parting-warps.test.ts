/** Barriers in control flow that may differ in a block: it is followed warp by warp, and lanes that part are left to others. */
import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/core/engine/engine.js";
import { createFastEngine } from "../../../src/core/engine/fast/index.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute, type LaunchOptions } from "../engine/launch.js";
import { compareEngines } from "./both-engines.js";

/** Runs on both engines, compares, and gives the blocks that the fast engine left to the other. */
function leftBlocks(
  text: string,
  options: LaunchOptions,
): { readonly out: Int32Array; readonly left: readonly number[] } {
  expect(compareEngines(text, options)).toMatchObject({ supported: true, differences: [] });
  const left: number[] = [];
  const noting: Engine = {
    name: "noting",
    run(launch, blocks, counters) {
      for (let block = blocks.first; block < blocks.end; block += blocks.step) left.push(block);
      return referenceEngine.run(launch, blocks, counters);
    },
  };
  const { read } = execute(text, { engine: createFastEngine(noting), ...options });
  return { out: read<Int32Array>("out"), left };
}

/** Sums of blocks of 128, all of it under a guard against the end of the input. */
const GUARDED_SUM = `
param input ptr i32
param out ptr i32
param n i32
shared s i32 128
  t = mov.i32 threadIdx.x
  i = mad.i32 blockIdx.x, blockDim.x, t
  inside = setp.lt.i32 i, n
  if inside {
    a = addr input[i]
    x = ld.i32 input[a]
    b = addr s[t]
    st.i32 s[b], x
    half = mov.i32 64
    loop {
      bar
      p = setp.lt.i32 t, half
      if p {
        u = add.i32 t, half
        c = addr s[u]
        y = ld.i32 s[c]
        x = ld.i32 s[b]
        x = add.i32 x, y
        st.i32 s[b], x
      }
      half = shr.i32 half, 1
      again = setp.gt.i32 half, 0
    } while again
    first = setp.eq.i32 t, 0
    if first {
      o = addr out[blockIdx.x]
      st.i32 out[o], x
    }
  }`;

function sumsOf(input: Int32Array): number[] {
  const blocks = Math.ceil(input.length / 128);
  return Array.from({ length: blocks }, (_, k) =>
    input.subarray(128 * k, 128 * k + 128).reduce((sum, x) => sum + x, 0),
  );
}

describe("a barrier under a guard", () => {
  const input = (n: number): Int32Array => Int32Array.from({ length: n }, (_, i) => i * 3 - 50);
  it("is run by the fast engine where all threads of a block pass the guard", () => {
    const args = { input: input(512), out: new Int32Array(4), n: 512 };
    const { out, left } = leftBlocks(GUARDED_SUM, { block: 128, grid: 4, args });
    expect([...out]).toEqual(sumsOf(args.input));
    expect(left).toEqual([]);
  });
  it("is run by the fast engine where whole warps of a block do not", () => {
    const args = { input: input(448), out: new Int32Array(4), n: 448 };
    const { out, left } = leftBlocks(GUARDED_SUM, { block: 128, grid: 4, args });
    expect([...out]).toEqual(sumsOf(args.input));
    expect(left).toEqual([]);
  });
  it("leaves the one block to the reference engine in which the lanes of a warp part", () => {
    const args = { input: input(450), out: new Int32Array(5), n: 450 };
    const { out, left } = leftBlocks(GUARDED_SUM, { block: 128, grid: 5, args });
    expect([...out]).toEqual([...sumsOf(args.input), 0]);
    expect(left).toEqual([3]);
  });
  it("does so before 7.0, too, where the barrier counts the warps that come with any of their lanes", () => {
    const args = { input: input(450), out: new Int32Array(5), n: 450 };
    const { out, left } = leftBlocks(GUARDED_SUM, { block: 128, grid: 5, args, lockstep: true });
    expect([...out]).toEqual([...sumsOf(args.input), 0]);
    expect(left).toEqual([3]);
  });
});

describe("warps that part", () => {
  it("go round a loop with a barrier as often as each will", () => {
    const text = `
param out ptr i32
  t = mov.i32 threadIdx.x
  w = shr.i32 t, 5
  o = addr out[t]
  c = mov.i32 0
  loop {
    bar
    c = add.i32 c, 1
    st.i32 out[o], c
    p = setp.le.i32 c, w
  } while p`;
    const { out, left } = leftBlocks(text, { block: 128, args: { out: new Int32Array(128) } });
    expect([...out]).toEqual(Array.from({ length: 128 }, (_, t) => 1 + (t >> 5)));
    expect(left).toEqual([]);
  });
  it("find the values of the block that the others have left, also where the last warp has ended", () => {
    const text = `
param out ptr i32
param n i32
  t = mov.i32 threadIdx.x
  o = addr out[t]
  p = setp.lt.i32 t, n
  if p {
    k = mov.i32 1
    c = mov.i32 0
    loop {
      bar
      k = mul.i32 k, 3
      c = add.i32 c, 1
      q = setp.lt.i32 c, 4
    } while q
    st.i32 out[o], k
  }`;
    const { out, left } = leftBlocks(text, { block: 128, args: { out: new Int32Array(128), n: 64 } });
    expect([...out]).toEqual(Array.from({ length: 128 }, (_, t) => (t < 64 ? 81 : 0)));
    expect(left).toEqual([]);
  });
  it("are left to the reference engine where they meet at different barriers", () => {
    const text = `
param out ptr i32
  t = mov.i32 threadIdx.x
  o = addr out[t]
  p = setp.lt.i32 t, 32
  if p {
    st.i32 out[o], 1
    bar
  } else {
    st.i32 out[o], 2
    bar
  }`;
    const { out, left } = leftBlocks(text, { block: 64, grid: 2, args: { out: new Int32Array(64) } });
    expect([...out]).toEqual(Array.from({ length: 64 }, (_, t) => (t < 32 ? 1 : 2)));
    expect(left).toEqual([0, 1]);
  });
  it("are counted as those of the barrier's votes that have come to it", () => {
    const text = `
param out ptr i32
param n i32
  t = mov.i32 threadIdx.x
  o = addr out[t]
  p = setp.lt.i32 t, n
  if p {
    odd = and.i32 t, 1
    q = setp.eq.i32 odd, 1
    votes = bar.count q
    st.i32 out[o], votes
  }`;
    const { out, left } = leftBlocks(text, { block: 128, args: { out: new Int32Array(128), n: 96 } });
    expect([...out]).toEqual(Array.from({ length: 128 }, (_, t) => (t < 96 ? 48 : 0)));
    expect(left).toEqual([]);
  });
});
