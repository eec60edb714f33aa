/** Blocks of one launch on several threads: the same memory and counters as on one, whoever runs which block. */
import { describe, expect, it } from "vitest";
import { webAssembly } from "../../../src/core/base/webassembly.js";
import { createBlockWork, createRawCounters } from "../../../src/core/engine/engine.js";
import { BlockWorkers } from "../../../src/core/engine/fast/block-workers.js";
import { createFastEngine } from "../../../src/core/engine/fast/index.js";
import { FunctionBody } from "../../../src/core/engine/fast/wasm/body.js";
import { ModuleBuilder } from "../../../src/core/engine/fast/wasm/module.js";
import { I32, MEMORY } from "../../../src/core/engine/fast/wasm/opcodes.js";
import { referenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute, prepare } from "../engine/launch.js";
import { compareEngines } from "./both-engines.js";
import { launchOf } from "./random-launch.js";
import { createRandom, randomProgram } from "./random-program.js";

const shared = createFastEngine(referenceEngine, { helpers: 2, leastSharedThreads: 0 });

const SQUARES = `
param a ptr i32
  i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x
  b = addr.u32 a[i]
  x = mul.u32 i, i
  x = add.u32 x, 1
  st.u32 a[b], x`;

/** A module like a kernel's: run(scratch, first, end, step) writes 7 to word k of the memory for each block k. */
function sevens(): Uint8Array {
  const module = new ModuleBuilder({ shared: true, maximumPages: 65536 });
  module.import({ name: "fault", params: [], results: [] });
  const body = new FunctionBody(["i32", "i32", "i32", "i32"], []);
  const done = body.block();
  const again = body.loop();
  body.get(1);
  body.get(2);
  body.op(I32.ge_u);
  body.brIf(done);
  body.get(1);
  body.i32(2);
  body.op(I32.shl);
  body.i32(7);
  body.memory(MEMORY.i32_store, 0, 2);
  body.get(1);
  body.get(3);
  body.op(I32.add);
  body.set(1);
  body.br(again);
  body.end();
  body.end();
  module.define(module.declare(), body, "run");
  return module.encode();
}

const limits = {
  portion: 1000,
  warpSteps: 1e6,
  blockSteps: 1e6,
  launchPortion: 1000,
  mostPortions: 1000,
  deadline: Number.POSITIVE_INFINITY,
};
const unlisted = { mostAtOnce: 1024, listed: 0, work: null, limits };

describe("helpers", () => {
  it("take the portions that the launching thread does not come to", () => {
    const workers = BlockWorkers.create(1)!;
    const memory = new webAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    const words = new Int32Array(memory.buffer);
    const module = new webAssembly.Module(sevens());
    for (const step of [1, 3]) {
      words.fill(0);
      const own = new Set<number>();
      const isHelped = (): boolean => words.some((word) => word === 7);
      const done = workers.share({
        module,
        memory,
        blocks: { first: 5, end: 965, step },
        scratches: [0, 0],
        ...unlisted,
        run: (first, end) => {
          // The first portion takes until the helper has done one.
          for (let naps = 0; !isHelped() && naps < 3000; naps++) Atomics.wait(words, 16000, 0, 10);
          for (let block = first; block < end; block += step) own.add(block);
        },
      });
      expect(done).toBe(true);
      expect(isHelped()).toBe(true);
      for (let block = 5; block < 965; block += step) expect(own.has(block)).toBe(words[block] === 0);
      expect(words.every((word, block) => word === 0 || (block - 5) % step === 0)).toBe(true);
    }
  });
  it("are done when the launching thread goes on, also where it fails at once", () => {
    const workers = BlockWorkers.create(2)!;
    const memory = new webAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
    const module = new webAssembly.Module(sevens());
    for (let time = 0; time < 20; time++) {
      let failed = false;
      const done = workers.share({
        module,
        memory,
        blocks: { first: 0, end: 10_000, step: 1 },
        scratches: [0, 0, 0],
        ...unlisted,
        run: () => {
          failed = true;
          throw new Error("failed");
        },
      });
      expect(done).toBe(!failed);
      const words = new Int32Array(memory.buffer);
      words.fill(1);
      Atomics.wait(words, 0, 1, 2);
      expect(words.every((word) => word === 1)).toBe(true);
    }
  });
});

describe("a launch that threads share", () => {
  it("leaves the same memory and counters, for every number of blocks", () => {
    for (const grid of [1, 2, 3, 31, 32, 33, 64, 100, 1000]) {
      const args = { a: new Int32Array(64 * grid) };
      const options = { grid, block: 64, args, sharedMemory: true };
      const { read, counters } = execute(SQUARES, { ...options, engine: shared });
      expect([...read<Int32Array>("a")]).toEqual(Array.from(args.a, (_, i) => Math.imul(i, i) + 1));
      expect(counters).toEqual(execute(SQUARES, options).counters);
    }
  });
  it("lists what each block did, of a grid of more blocks than a kernel's call takes", () => {
    const text = `
param a ptr i32
  n = and.i32 blockIdx.x, 7
  k = mov.i32 0
  loop {
    k = add.i32 k, 1
    p = setp.lt.i32 k, n
  } while p
  i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x
  b = addr.u32 a[i]
  st.i32 a[b], k`;
    const grid = 5000;
    const { launch } = prepare(text, { grid, block: 64, args: { a: new Int32Array(64 * grid) }, sharedMemory: true });
    const work = createBlockWork(grid)!;
    shared.run(launch, { first: 0, end: grid, step: 1 }, createRawCounters(launch.program), work);
    const once = work[0]!;
    const rounds = (block: number): number => Math.max(1, block & 7);
    const aRound = (work[2]! - once) / (rounds(2) - 1);
    expect(aRound).toBeGreaterThan(0);
    expect([...work]).toEqual(Array.from(work, (_, block) => once + aRound * (rounds(block) - 1)));
  });
  it("fails as one thread does where a block fails, with the memory that it would leave", () => {
    for (const length of [0, 1000, 6399]) {
      const { launch, read } = prepare(SQUARES, {
        grid: 100,
        block: 64,
        args: { a: new Int32Array(length) },
        sharedMemory: true,
      });
      const run = (): unknown => shared.run(launch, { first: 0, end: 100, step: 1 }, createRawCounters(launch.program));
      expect(run).toThrow(`writes a[${length}]`);
      expect(run).toThrow(`block (${length >> 6},0,0)`);
      const whole = length - (length % 32);
      const expected = Array.from({ length }, (_, i) => (i < whole ? Math.imul(i, i) + 1 : 0));
      expect([...read<Int32Array>("a")]).toEqual(expected);
    }
  });
  it("keeps blocks in order that write to one place, or read what another has written", () => {
    const text = `
param a ptr i32
param n i32
  b = addr a[0]
  x = ld.i32 a[b]
  i = mov.i32 blockIdx.x
  x = mad.i32 x, 3, i
  st.i32 a[b], x`;
    const args = { a: new Int32Array(1), n: 1 };
    const { read } = execute(text, { grid: 200, block: 32, args, sharedMemory: true, engine: shared });
    let expected = 0;
    for (let i = 0; i < 200; i++) expected = (Math.imul(expected, 3) + i) | 0;
    expect([...read<Int32Array>("a")]).toEqual([expected]);
  });
  it("is random programs' too, on both engines", () => {
    const first = Number(process.env.WARPLAB_SEED ?? 1);
    for (let seed = first; seed < first + Number(process.env.WARPLAB_PROGRAMS ?? 60); seed++) {
      const random = createRandom(seed);
      const text = randomProgram(random, { faults: seed % 2 === 0, size: 10 + random.below(40) });
      const { differences } = compareEngines(text, { ...launchOf(random), sharedMemory: true }, 0, shared);
      expect(differences, `seed ${seed}`).toEqual([]);
    }
  });
});
