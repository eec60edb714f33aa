import { describe, expect, it } from "vitest";
import { h200 } from "../../../../src/core/device/gpus/h200.js";
import { createRawCounters } from "../../../../src/core/engine/engine.js";
import { fastEngine } from "../../../../src/core/engine/fast/index.js";
import { meetingPlaces } from "../../../../src/core/lower/machine/reconvergence.js";
import { NOT_HELD, SectorTable } from "../../../../src/core/timing/memory/sector-table.js";
import { dropFolded } from "../../../../src/core/timing/program/expand-slots.js";
import { microcode } from "../../../../src/core/timing/program/microcode.js";
import { ARRIVAL } from "../../../../src/core/timing/program/slot-info.js";
import { warpStreams } from "../../../../src/core/timing/program/warp-streams.js";
import { type BlockTrace, RETURNED_SHIFT } from "../../../../src/core/timing/trace/trace.js";
import { assemble } from "../../engine/assembler.js";
import { compileCuda } from "../../lower/kernel-code.js";
import { Buffers, traceLaunch } from "../traced-launch.js";

const buffers = new Buffers(8);
const words = buffers.allocate(4 << 20);

const twoSums = assemble(`
  param P ptr i32
  i = mad.i32 blockIdx.x, 64, threadIdx.x
  a = addr P[i]
  x = ld.i32 P[a]
  y = add.i32 x, 1
  b = addr P[i]
  z = ld.i32 P[b + 4096]
  w = add.i32 z, y
  st.i32 P[a], w
`);
const shape = {
  program: twoSums,
  grid: [4, 1, 1],
  block: [64, 1, 1],
  dynamicSharedBytes: 0,
  args: [words],
  memory: buffers.memory,
} as const;

describe("a trace", () => {
  const { blocks } = traceLaunch(shape);

  it("has every warp's instructions in their order", () => {
    expect(blocks.map(({ block }) => block)).toEqual([0, 1, 2, 3]);
    for (const trace of blocks) {
      expect(trace.warps).toBe(2);
      const pcs = [...trace.pcs.subarray(trace.pcStart[0], trace.pcStart[1])];
      expect(pcs).toEqual(twoSums.instructions.map(({ pc }) => pc));
    }
  });

  it("has lanes, wavefronts and the four sectors of each warp's coalesced access", () => {
    const first = words.address / 32;
    const { memory, memoryStart } = blocks[1]!;
    const load = [...memory.subarray(memoryStart[1], memoryStart[1]! + 7)];
    expect(load).toEqual([32, 1 | (1 << RETURNED_SHIFT), 4, first + 12, first + 13, first + 14, first + 15]);
  });
});

describe("a trace's load from global memory", () => {
  const strided = assemble(`
    param P ptr i32
    param stride i32
    i = mul.i32 threadIdx.x, stride
    a = addr P[i]
    x = ld.i32 P[a]
    st.i32 P[a], x
  `);

  it.each([
    [2, 2, 2],
    [8, 8, 8],
    [31, 1, 8],
    [33, 1, 8],
    [36, 4, 10],
    [48, 16, 23],
    [64, 32, 32],
  ])(
    "whose lanes lie %d words apart keeps L1's banks for %d cycles, if it has to wait for %d",
    (stride, there, returned) => {
      const { memory } = traceLaunch({ ...shape, program: strided, grid: [1, 1, 1], args: [words, stride] }).blocks[0]!;
      expect([memory[1]! % (1 << RETURNED_SHIFT), memory[1]! >> RETURNED_SHIFT]).toEqual([there, returned]);
    },
  );
});

describe("the instructions that issue", () => {
  it("are those that take an issue slot", () => {
    const mc = microcode(twoSums, h200);
    const trace = traceLaunch(shape).blocks[2]!;
    const without = Int32Array.from(mc.slotCount, (count, pc) => (twoSums.instructions[pc]!.op === "add" ? 0 : count));
    const dropped = dropFolded(trace, without);
    expect(dropped.pcs.length).toBe(trace.pcs.length - 2 * 2);
    expect(dropFolded(trace, mc.slotCount)).toBe(trace);
  });
});

describe("a cache's contents", () => {
  it("are what was touched since the last 128 bytes came in", () => {
    const cache = new SectorTable(128, 16);
    for (const key of [1, 2, 3, 4]) cache.fill(key, 32, 10 * key);
    expect(cache.readyAt(cache.find(1))).toBe(10);
    for (const key of [5, 6]) cache.fill(key, 32, 10 * key);
    expect(cache.find(2)).toBe(NOT_HELD);
    expect(cache.find(1)).not.toBe(NOT_HELD);
    cache.drop(1);
    expect(cache.find(1)).toBe(NOT_HELD);
  });

  it("survive growth of the table", () => {
    const cache = new SectorTable(1e9, 16);
    for (let key = 0; key < 5000; key++) cache.fill(key * 2 ** 28 + key, 32, key);
    for (let key = 0; key < 5000; key += 7) expect(cache.readyAt(cache.find(key * 2 ** 28 + key))).toBe(key);
  });
});

describe("jumps at which lanes part", () => {
  const parting = compileCuda(
    "__global__ void k(int *o, int m) { int x = threadIdx.x; if ((x & m) == 0) { o[x] = 1; __threadfence(); o[x] = x; } int y = x; while ((y & m) != 0) y >>= 1; o[x] = y; }",
  );
  const jumps = meetingPlaces(parting.instructions);
  const launch = { ...shape, program: parting, grid: [1, 1, 1] } as const;
  const traceOf = (m: number): BlockTrace => traceLaunch({ ...launch, args: [words, m] }).blocks[0]!;
  const partedBy = (m: number): number => {
    const counters = createRawCounters(parting);
    const rest = { args: [words, m], stepLimit: 1e6, sharedBanks: 32, lockstep: false };
    fastEngine.run({ ...launch, ...rest }, { first: 0, end: 1, step: 1 }, counters);
    return counters.divergent.reduce((sum, count, pc) => sum + (jumps[pc]! >= 0 ? count : 0), 0);
  };

  it.each([0, 1, 6, 32])("are as many as the engine counts, mask %i", (m) => {
    expect(traceOf(m).parted.length).toBe(partedBy(m));
  });
  it("are known by their number among the warp's jumps that have a point of reconvergence", () => {
    const { parted, partedStart, pcs, pcStart } = traceOf(1);
    expect(parted[0]).toBe(0);
    for (const warp of [0, 1]) {
      const made = [...pcs.subarray(pcStart[warp], pcStart[warp + 1])].filter((pc) => jumps[pc]! >= 0);
      for (const nth of parted.subarray(partedStart[warp], partedStart[warp + 1]))
        expect(nth).toBeLessThan(made.length);
    }
  });
  it("have the warp issue the BSYNC once more", () => {
    const trace = traceOf(1);
    const code = microcode(parting, h200);
    const { slots } = warpStreams([trace], [trace.memory], code);
    const arrivals = [...slots].filter((slot) => slot >= 0 && (code.info[slot]! & ARRIVAL) !== 0);
    expect(arrivals.length).toBe(trace.parted.length);
    expect(new Set(arrivals.map((slot) => code.pcOf[slot]))).toEqual(new Set([...jumps].filter((pc) => pc >= 0)));
  });
});
