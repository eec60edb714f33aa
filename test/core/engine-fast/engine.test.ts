import { describe, expect, it } from "vitest";
import { createRawCounters } from "../../../src/core/engine/engine.js";
import { fastEngine } from "../../../src/core/engine/fast/index.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";
import { assemble } from "../engine/assembler.js";
import { execute, prepare } from "../engine/launch.js";
import { compareEngines } from "./both-engines.js";

const engine = fastEngine;

const DOUBLE = `
param a ptr i32
param n u32
  i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x
  p = setp.lt.u32 i, n
  b = addr.u32 a[i]
  @p x = ld.i32 a[b]
  x = add.i32 x, x
  @p st.i32 a[b], x
`;

describe("the fast engine", () => {
  it("runs the last, partial block of a grid", () => {
    const a = Int32Array.from({ length: 100 }, (_, i) => i);
    const { read } = execute(DOUBLE, { engine, grid: 2, block: 64, args: { a, n: 100 } });
    expect([...read<Int32Array>("a")]).toEqual([...a].map((x) => 2 * x));
  });
  it("runs a program again with other sizes", () => {
    const program = assemble(DOUBLE);
    for (const n of [10, 300, 77]) {
      const a = new Int32Array(n).fill(3);
      const { read } = execute(program, { engine, grid: Math.ceil(n / 64), block: 64, args: { a, n } });
      expect([...read<Int32Array>("a")]).toEqual(Array(n).fill(6));
    }
  });
  it("runs only the blocks of its range", () => {
    const a = new Int32Array(5 * 32).fill(1);
    const { launch, read } = prepare(DOUBLE, { grid: 5, block: 32, args: { a, n: 160 } });
    const counters = createRawCounters(launch.program);
    engine.run(launch, { first: 1, end: 5, step: 2 }, counters);
    const firsts = [0, 1, 2, 3, 4].map((block) => read<Int32Array>("a")[block * 32]);
    expect(firsts).toEqual([1, 2, 1, 2, 1]);
    expect(counters.blocks).toBe(2);
  });
  it("runs on memory that workers share", () => {
    const memory = createDeviceMemory({ initialBytes: 6 << 20, maximumBytes: 8 << 20, shared: true });
    const address = memory.firstFreeAddress;
    new Int32Array(memory.buffer, address, 32).fill(21);
    const { launch } = prepare(DOUBLE, { block: 32, args: { a: new Int32Array(32), n: 32 } });
    const shared = { ...launch, memory, args: [{ address, byteLength: 128 }, 32] };
    expect(engine.supports(shared)).toBe(true);
    engine.run(shared, { first: 0, end: 1, step: 1 }, createRawCounters(launch.program));
    expect([...new Int32Array(memory.buffer, address, 32)]).toEqual(Array(32).fill(42));
  });
  it("refuses an index of 2^30, whose bytes would wrap to 0, in global and in shared memory", () => {
    for (const root of ["a", "s"]) {
      const text = `param a ptr i32\nparam k i32\nshared s i32 32\n  b = addr ${root}[k]\n  st.i32 ${root}[b], 1`;
      const run = (): unknown => execute(text, { engine, block: 32, args: { a: new Int32Array(32), k: 2 ** 30 } });
      expect(run).toThrow(`${root}[1073741824]`);
    }
  });
  it("stores nothing of an instruction in which a lane is out of bounds", () => {
    const { launch, read } = prepare(`param a ptr i32\n  b = addr a[threadIdx.x]\n  st.i32 a[b], 7`, {
      block: 32,
      args: { a: new Int32Array(31) },
    });
    expect(() => engine.run(launch, { first: 0, end: 1, step: 1 }, createRawCounters(launch.program))).toThrow(
      "lanes 0x80000000",
    );
    expect([...read<Int32Array>("a")]).toEqual(Array(31).fill(0));
  });
  it("ends an endless loop at the step limit", () => {
    const text = `param a ptr i32\n  x = mov.i32 0\n  loop {\n    x = add.i32 x, 1\n    p = setp.ne.i32 x, -1\n  } while p`;
    const run = (): unknown => execute(text, { engine, block: 32, stepLimit: 1000, args: { a: new Int32Array(1) } });
    expect(run).toThrow("cudaErrorLaunchTimeout");
  });
  it("falls back where a loop waits for another lane", () => {
    const text = `
param a ptr i32
  t = mov.u32 threadIdx.x
  p = setp.ne.u32 t, 5
  b = addr a[0]
  if p {
    loop {
      x = ld.i32.volatile a[b]
      q = setp.eq.i32 x, 0
    } while q
  } else {
    st.i32.volatile a[b], 3
  }
  c = addr.u32 a[t]
  st.i32 a[c + 128], t`;
    const options = { block: 32, args: { a: new Int32Array(64) } };
    expect(compareEngines(text, options)).toEqual({ supported: true, differences: [], fault: null });
    const { read, counters } = execute(text, { engine, ...options });
    expect([...read<Int32Array>("a")]).toEqual([3, ...Array(31).fill(0), ...Array.from({ length: 32 }, (_, i) => i)]);
    expect(counters.warps).toBe(1);
  });
  it("runs a loop that compares and swaps until it succeeds as the reference engine does", () => {
    const text = `
param a ptr i32
  t = mov.i32 threadIdx.x
  b = addr a[0]
  old = ld.i32 a[b]
  synced loop {
    assumed = mov.i32 old
    sum = add.i32 assumed, t
    old = atom.cas.i32 a[b], assumed, sum
    p = setp.ne.i32 old, assumed
  } while p`;
    const options = { block: 64, grid: 3, args: { a: new Int32Array(1) } };
    expect(compareEngines(text, options)).toEqual({ supported: true, differences: [], fault: null });
    const { read } = execute(text, { engine, ...options });
    expect([...read<Int32Array>("a")]).toEqual([(3 * 64 * 63) / 2]);
  });
  it("falls back where lanes wait in different branches for one shuffle", () => {
    const text = `
param a ptr i32
  t = mov.u32 threadIdx.x
  p = setp.lt.u32 t, 16
  v = mov.i32 threadIdx.x
  b = addr.u32 a[t]
  if p {
    w = shflXor.i32 0xffffffff, v, 31, 32
  } else {
    w = shflXor.i32 0xffffffff, v, 31, 32
  }
  st.i32 a[b], w`;
    const options = { block: 32, args: { a: new Int32Array(32) } };
    expect(compareEngines(text, options)).toEqual({ supported: true, differences: [], fault: null });
    const { read } = execute(text, { engine, ...options });
    expect([...read<Int32Array>("a")]).toEqual(Array.from({ length: 32 }, (_, lane) => 31 - lane));
  });
  it("runs a grid-stride loop whose lanes leave in different rounds as one whose lanes leave together", () => {
    const text = `
param a ptr i32
param out ptr i32
param n i32
  t = mov.i32 threadIdx.x
  i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x
  sum = mov.i32 0
  p = setp.lt.i32 i, n
  if p {
    loop {
      b = addr a[i]
      x = ld.i32 a[b]
      sum = add.i32 sum, x
      i = add.i32 i, 128
      q = setp.lt.i32 i, n
    } while q
  }
  o = addr out[t]
  st.i32 out[o], sum
  o = addr out[t]
  st.i32 out[o + 256], i`;
    for (const n of [1, 63, 64, 128, 640, 641, 700, 1000]) {
      const args = { a: Int32Array.from({ length: 1000 }, (_, i) => i * i), out: new Int32Array(128), n };
      expect(compareEngines(text, { block: 64, grid: 2, args }).differences).toEqual([]);
    }
  });
});
