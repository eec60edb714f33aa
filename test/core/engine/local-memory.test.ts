/** Large local arrays of which a thread touches little, beside plain arithmetic; and what the engine keeps of them. */
import { describe, expect, it } from "vitest";
import { createReferenceEngine, referenceEngine } from "../../../src/core/engine/reference/index.js";
import { LocalMemory } from "../../../src/core/engine/reference/local-memory.js";
import { compileCuda } from "../lower/kernel-code.js";
import { execute } from "./launch.js";

const LENGTH = 130_000;
const THREADS = 128;

const program = compileCuda(`__global__ void touched(int* out) {
  int v[${LENGTH}];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  v[i % 1000] = i;
  v[(i * 7919) % ${LENGTH}] = i + 1;
  out[i] = v[i % 1000] + v[(i * 7919) % ${LENGTH}];
}`);

function expected(blocks: number): Int32Array {
  return Int32Array.from({ length: blocks * THREADS }, (_, i) =>
    i % 1000 === (i * 7919) % LENGTH ? 2 * (i + 1) : 2 * i + 1,
  );
}

describe("a local array of 520,000 bytes of which each thread touches two ints", () => {
  it.each([
    { engine: referenceEngine, blocks: 64, name: "one block after the other" },
    {
      engine: createReferenceEngine({ schedule: { kind: "adversarial", seed: 2 } }),
      blocks: 16,
      name: "blocks mixed by a seed",
    },
  ])("holds what is written, $name", ({ engine, blocks }) => {
    const args = { out: new Int32Array(blocks * THREADS) };
    const launched = execute(program, { grid: blocks, block: THREADS, args, engine });
    expect(launched.read("out")).toEqual(expected(blocks));
  });

  it("takes memory for the pages that are touched, and gives them to the next block", () => {
    const memory = new LocalMemory(program, { slots: 1, warpsPerBlock: THREADS / 32, threadWords: LENGTH }, null, null);
    const places = new Set<number>();
    for (let block = 0; block < 4; block++) {
      memory.startBlock(0, block);
      for (let thread = 0; thread < THREADS; thread++) {
        const place = memory.at(thread * LENGTH + 1000 * block);
        expect(memory.chunkOf(place)[memory.inChunk(place)]).toBe(0);
        memory.chunkOf(place)[memory.inChunk(place)] = 1;
        places.add(place >> 7);
      }
    }
    // Pages of 512 bytes: one for each thread, whatever the block.
    expect(places.size).toBe(THREADS);
  });

  it("is 0 at first in each block, and garbage with a seed, the same for one seed", () => {
    const unwritten = compileCuda(`__global__ void unwritten(int* out, int at) {
      int v[${LENGTH}];
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      out[i] = v[at + threadIdx.x];
      v[at + threadIdx.x] = 7;
    }`);
    const read = (engine: typeof referenceEngine): Int32Array =>
      execute(unwritten, { grid: 3, block: 32, args: { out: new Int32Array(96), at: 999 }, engine }).read<Int32Array>(
        "out",
      );
    const seeded = () => createReferenceEngine({ schedule: { kind: "adversarial", seed: 9 } });
    expect(read(referenceEngine)).toEqual(new Int32Array(96));
    expect(new Set(read(seeded())).size).toBeGreaterThan(90);
    expect(read(seeded())).toEqual(read(seeded()));
  });
});
