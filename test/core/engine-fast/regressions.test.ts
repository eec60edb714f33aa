/**
 * Programs on which the fast engine once gave a wrong result, cut down from random ones. Each is held against the
 * reference engine, and against values worked out here where that is short.
 */
import { describe, expect, it } from "vitest";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { execute, type LaunchOptions } from "../engine/launch.js";
import { compareEngines } from "./both-engines.js";

function expectAgreement(text: string, options: LaunchOptions): void {
  expect(compareEngines(text, options)).toMatchObject({ supported: true, differences: [] });
}

describe("a phase whose lanes leave a loop in different rounds, run first as if they left together", () => {
  it("starts again from the value that an earlier phase gave its lanes", () => {
    const text = `
param out ptr i32
  i = mov.i32 threadIdx.x
  v = mul.i32 i, i
  bar
  c = mov.i32 0
  h = and.i32 i, 3
  synced loop {
    v = add.i32 v, i
    c = add.i32 c, 1
    q = setp.lt.i32 c, h
  } while q
  v = mad.i32 c, 1000000, v
  o = addr out[i]
  st.i32 out[o], v`;
    const options = { block: 64, args: { out: new Int32Array(64) } };
    expectAgreement(text, options);
    const { read } = execute(text, { engine: fastEngine, ...options });
    const rounds = (i: number): number => Math.max(1, i & 3);
    expect([...read<Int32Array>("out")]).toEqual(
      Array.from({ length: 64 }, (_, i) => i * i + rounds(i) * (i + 1000000)),
    );
  });
  it("starts again from the value that the round before left", () => {
    const text = `
param out ptr i32
  i = mov.i32 threadIdx.x
  v = mul.i32 i, i
  round = mov.i32 0
  loop {
    bar
    c = mov.i32 0
    h = and.i32 i, 3
    synced loop {
      v = add.i32 v, i
      c = add.i32 c, 1
      q = setp.lt.i32 c, h
    } while q
    v = mad.i32 c, 1000000, v
    bar
    round = add.i32 round, 1
    again = setp.lt.i32 round, 3
  } while again
  o = addr out[i]
  st.i32 out[o], v`;
    const options = { block: 64, args: { out: new Int32Array(64) } };
    expectAgreement(text, options);
    const { read } = execute(text, { engine: fastEngine, ...options });
    const rounds = (i: number): number => 3 * Math.max(1, i & 3);
    expect([...read<Int32Array>("out")]).toEqual(
      Array.from({ length: 64 }, (_, i) => i * i + rounds(i) * (i + 1000000)),
    );
  });
  it("leaves the value that lanes had before, of a register that some lanes never wrote", () => {
    const text = `
param out ptr i32
param n i32
reg p bool
reg w i32
reg v i32
  i = mov.i32 threadIdx.x
  c = mov.i32 0
  h = and.i32 i, 3
  synced loop {
    bare if p {
    } else {
      r = setp.lt.i32 n, 32
      if !r {
        @p w = cvt.i32.u32 w
      } else {
        v = lop3.i32 v, n, i, 79
      }
    }
    c = add.i32 c, 1
    q = setp.lt.i32 c, h
  } while q
  bar
  s = pnot r
  u = and.u32 i, 63
  o = addr out[u]
  st.i32 out[o], v`;
    expectAgreement(text, { block: 128, grid: 3, args: { out: new Int32Array(128), n: 29 } });
  });
  it("starts again from what an atomic of the phase before returned", () => {
    const text = `
param out ptr i32
param n i32
shared s i32 256
reg u u32
  i = mov.u32 threadIdx.x
  w = mov.i32 n
  v = max.i32 w, 32
  f = mov.i32 255
  b = addr s[f]
  v = atom.add.i32 s[b], v
  bar
  p = setp.lt.u32 i, u
  r = setp.ge.i32 n, 0
  bare if r {
    c = mov.i32 0
    k = mov.i32 2
    synced loop {
      continue if p
      c = add.i32 c, 1
      q = setp.lt.i32 c, k
    } while q
    d = mov.i32 0
    h = and.i32 v, 3
    synced loop {
      v = shl.u32 i, 2
      d = add.i32 d, 1
      q = setp.lt.i32 d, h
    } while q
  }
  o = addr out[i]
  st.i32 out[o], v`;
    expectAgreement(text, { block: [16, 4, 1], grid: 2, args: { out: new Int32Array(128), n: 34 } });
  });
});

describe("statements that are run together", () => {
  it("load one element for all lanes before any of them stores over it", () => {
    const text = `
param data ptr i32
param n i32
  i = mov.i32 threadIdx.x
  a = addr data[20]
  x = ld.i32 data[a]
  c = addr data[i]
  st.i32 data[c], i
  d = addr data[i]
  st.i32 data[d + 128], x
  p = setp.lt.i32 i, n
  @p x = mov.i32 i
  st.i32 data[d + 256], x`;
    const options = { block: 32, args: { data: new Int32Array(96).fill(99), n: 7 } };
    expectAgreement(text, options);
    const { read } = execute(text, { engine: fastEngine, ...options });
    const rows = [(i: number) => i, () => 99, (i: number) => (i < 7 ? i : 99)];
    expect([...read<Int32Array>("data")]).toEqual(rows.flatMap((row) => Array.from({ length: 32 }, (_, i) => row(i))));
  });
  it("run before a division of the whole warp's values that fails", () => {
    const text = `
param out ptr i32
param n i32
  i = mov.i32 threadIdx.x
  o = addr out[i]
  st.i32 out[o], 7
  d = div.i32 100, n
  st.i32 out[o], d`;
    const options = { block: 32, args: { out: new Int32Array(32), n: 0 } };
    expectAgreement(text, options);
  });
});

describe("a shuffle in a loop whose result takes the place of its source", () => {
  for (const [op, argument, width, source] of [
    ["shflXor", 6, 8, (lane: number) => lane ^ 6],
    ["shflXor", 16, 32, (lane: number) => lane ^ 16],
    ["shflUp", 5, 32, (lane: number) => (lane < 5 ? lane : lane - 5)],
    ["shflDown", 7, 32, (lane: number) => (lane > 24 ? lane : lane + 7)],
    ["shfl", 9, 16, (lane: number) => (lane & 16) + 9],
  ] as const) {
    it(`reads the values of before: ${op} ${argument}, width ${width}`, () => {
      const text = `
param out ptr i32
  v = mov.i32 threadIdx.x
  v = mul.i32 v, v
  c = mov.i32 0
  loop {
    v = ${op}.i32 0xffffffff, v, ${argument}, ${width}
    c = add.i32 c, 1
    p = setp.lt.i32 c, 3
  } while p
  o = addr out[threadIdx.x]
  st.i32 out[o], v`;
      const options = { block: 32, args: { out: new Int32Array(32) } };
      expectAgreement(text, options);
      const { read } = execute(text, { engine: fastEngine, ...options });
      const from = (lane: number): number => source(source(source(lane)));
      expect([...read<Int32Array>("out")]).toEqual(Array.from({ length: 32 }, (_, lane) => from(lane) ** 2));
    });
  }
});

describe("an atomic whose lanes' indices wrap", () => {
  it("is done where they come to by wrapping", () => {
    for (const root of ["s", "out"]) {
      const text = `
param out ptr i32
param k u32
shared s i32 32
  t = mov.i32 threadIdx.x
  odd = and.i32 t, 1
  p = setp.eq.i32 odd, 0
  i = mad.u32 threadIdx.x, k, 13
  a = addr ${root}[i]
  @p x = atom.add.i32 ${root}[a], 1
  b = addr ${root}[13]
  y = ld.i32 ${root}[b]
  o = addr out[t]
  st.i32 out[o], y`;
      const options = { block: 32, args: { out: new Int32Array(32), k: 2 ** 31 } };
      expectAgreement(text, options);
      const { read } = execute(text, { engine: fastEngine, ...options });
      expect([...read<Int32Array>("out")]).toEqual(Array(32).fill(16));
    }
  });
});

describe("an address that is moved on", () => {
  it("wraps in each lane as its index does", () => {
    const text = `
param out ptr i32
param k u32
shared s i32 256
  i = mad.i32 threadIdx.x, k, 1
  p = setp.ge.i32 i, 0
  b = addr.i32 s[i]
  c = addr.i32 s[2] + b
  @p i = ld.i32 s[c]
  o = addr out[0]
  st.i32 out[o], i`;
    const options = { block: 96, args: { out: new Int32Array(1), k: 2 ** 30 } };
    expectAgreement(text, options);
    expect(() => execute(text, { engine: fastEngine, ...options })).toThrow("lanes 0x22222222");
  });
  it("comes back to its element where the indices' sum wraps, for one address and for one in each lane", () => {
    for (const index of ["k", "t"]) {
      const text = `
param out ptr i32
param k u32
shared s i32 256
  a = addr.u32 s[threadIdx.x]
  st.i32 s[a], threadIdx.x
  t = xor.i32 threadIdx.x, k
  b = addr.u32 s[${index}]
  c = addr.u32 s[k] + b
  i = ld.i32 s[c]
  o = addr.u32 out[threadIdx.x]
  st.i32 out[o], i`;
      const options = { block: 32, args: { out: new Int32Array(32), k: 2 ** 31 } };
      expectAgreement(text, options);
      const { read } = execute(text, { engine: fastEngine, ...options });
      expect([...read<Int32Array>("out")]).toEqual(Array.from({ length: 32 }, (_, t) => (index === "k" ? 0 : t)));
    }
  });
  it("by an unsigned index is reported out of bounds with the index that it has, negative where it is", () => {
    const text = `
param out ptr i32
param n i32
  i = mad.i32 threadIdx.x, -1, n
  b = addr out[i]
  u = mov.u32 0
  c = addr.u32 out[u] + b
  st.i32 out[c], i`;
    const options = { block: 64, args: { out: new Int32Array(64), n: 9 } };
    expectAgreement(text, options);
    expect(() => execute(text, { engine: fastEngine, ...options })).toThrow("writes out[-1]");
  });
});
