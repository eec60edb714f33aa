/** The effect of a launch on the reference engine on memory, output and counters. */
import { describe, expect, it } from "vitest";
import { createReferenceEngine } from "../../../src/core/engine/reference/index.js";
import { execute } from "./launch.js";

const REDUCTION = `
param in ptr i32
param out ptr i32
shared s i32 dynamic
  t = mov.u32 threadIdx.x
  i = mad.u32 blockIdx.x, blockDim.x, t
  a = addr.u32 in[i]
  x = ld.i32 in[a]
  b = addr.u32 s[t]
  st.i32 s[b], x
  bar
  k = shr.u32 blockDim.x, 1
  loop {
    p = setp.lt.u32 t, k
    @p c = addr.u32 s[k] + b
    @p v = ld.i32 s[c]
    @p w = ld.i32 s[b]
    @p w = add.i32 w, v
    @p st.i32 s[b], w
    k = shr.u32 k, 1
    bar
    q = setp.ne.u32 k, 0
  } while q
  z = setp.eq.u32 t, 0
  exit if !z
  o = addr.u32 out[blockIdx.x]
  r = ld.i32 s[b]
  st.i32 out[o], r`;

function reduce(
  block: number,
  blocks: number,
): { sums: Int32Array; expected: number[]; counters: (pc: number) => object } {
  const data = Int32Array.from({ length: block * blocks }, (_, k) => ((k * 2654435761) >>> 22) - 500);
  const args = { in: data, out: new Int32Array(blocks) };
  const { read, counters } = execute(REDUCTION, { grid: blocks, block, args, dynamicSharedBytes: block * 4 });
  const expected = Array.from({ length: blocks }, (_, b) =>
    data.subarray(b * block, (b + 1) * block).reduce((sum, value) => sum + value, 0),
  );
  const at = (pc: number): object =>
    Object.fromEntries(
      Object.entries(counters).flatMap(([name, values]) => (typeof values === "number" ? [] : [[name, values[pc]]])),
    );
  return { sums: read<Int32Array>("out"), expected, counters: at };
}

describe("a block reduction in shared memory", () => {
  for (const block of [32, 64, 256, 1024]) {
    it(`of ${block} threads gives JavaScript's sums`, () => {
      const { sums, expected } = reduce(block, 3);
      expect([...sums]).toEqual(expected);
    });
  }
  const { counters } = reduce(256, 2);
  it("executes the first instruction once a warp, with all lanes", () => {
    expect(counters(0)).toMatchObject({ executed: 16, activeLanes: 512, predicatedLanes: 512 });
  });
  it("loads 4 sectors and 1 line a warp from consecutive ints", () => {
    expect(counters(3)).toMatchObject({ requests: 16, sectors: 64, lines: 16, bytes: 2048 });
  });
  it("issues a predicated load in every warp, but requests it only where a lane's guard holds", () => {
    // 8 warps and 8 iterations; those of 128, 64, 32, 16.. threads need 4, 2, 1, 1, 1, 1, 1, 1 warps.
    expect(counters(10)).toMatchObject({ executed: 128, activeLanes: 4096, predicatedLanes: 2 * 255, requests: 24 });
  });
  it("stores conflict-free: one wavefront a request", () => {
    expect(counters(13)).toMatchObject({ requests: 24, wavefronts: 24, idealWavefronts: 24 });
  });
  it("does not diverge at the loop's branch", () => {
    expect(counters(17)).toMatchObject({ executed: 128, divergent: 0 });
  });
});

/** `r` of each thread of one block after `code`, read as `type`. */
function threads(code: string, options: { block?: number; type?: "u32" | "i32"; lockstep?: boolean } = {}): number[] {
  const block = options.block ?? 32;
  const text = `param out ptr u32\n${code}\n o = addr out[threadIdx.x]\n st.u32 out[o], r`;
  const { read } = execute(text, { block, args: { out: new Uint32Array(block) }, lockstep: options.lockstep ?? false });
  return [...read<Uint32Array>("out")];
}

describe("divergence", () => {
  const TWO_SIDED = `
  p = setp.lt.u32 laneId, 10
  if p {
    r = mov.u32 1
  } else {
    r = mov.u32 2
  }
  r = add.u32 r, 10`;
  it("runs both sides of a branch with their own lanes and joins behind", () => {
    const { counters, launch } = execute(TWO_SIDED, { block: 32 });
    const table = launch.program.instructions.map(({ op, pc }) => [
      op,
      counters.executed[pc],
      counters.activeLanes[pc],
    ]);
    expect(table).toEqual([
      ["setp", 1, 32],
      ["bssy", 1, 32],
      ["bra", 1, 32],
      ["mov", 1, 10],
      ["bra", 1, 10],
      ["mov", 1, 22],
      ["bsync", 1, 32],
      ["add", 1, 32],
      ["exit", 1, 32],
    ]);
    expect(counters.divergent[2]).toBe(1);
  });
  it("runs a loop until its last lane has left, each lane as often as it asked", () => {
    const code = `
  n = and.u32 laneId, 3
  r = mov.u32 0
  loop {
    p = setp.ge.u32 r, n
    break if p
    r = add.u32 r, 1
  } again`;
    expect(threads(code)).toEqual(Array.from({ length: 32 }, (_, lane) => lane & 3));
  });
  it("continues with the latch, where a loop has one", () => {
    const code = `
  r = mov.u32 0
  i = mov.u32 0
  loop {
    odd = and.u32 i, 1
    p = setp.ne.u32 odd, 0
    continue if p
    r = add.u32 r, i
    latch
    i = add.u32 i, 1
    q = setp.lt.u32 i, 10
  } while q`;
    expect(threads(code)[0]).toBe(0 + 2 + 4 + 6 + 8);
  });
  it("gives activemask the lanes that are together", () => {
    expect(threads(`p = setp.lt.u32 laneId, 4\n r = mov.u32 0\n if p {\n r = activemask\n }`).slice(2, 6)).toEqual([
      15, 15, 0, 0,
    ]);
  });
  it("executes the last, partial warp with its own lanes only", () => {
    const { counters } = execute("x = mov.u32 1", { block: 40 });
    expect([counters.executed[0], counters.activeLanes[0], counters.warps]).toEqual([2, 40, 2]);
  });
  it("reads 0 from a register that was not written", () => {
    expect(threads(`reg r u32\n p = setp.lt.u32 laneId, 1\n @p r = mov.u32 5`).slice(0, 2)).toEqual([5, 0]);
  });
});

describe("order of execution", () => {
  it("lets the highest lane's value stay where lanes store to one address", () => {
    const { read } = execute(`param out ptr u32\n a = addr out[0]\n st.u32 out[a], threadIdx.x`, {
      block: 64,
      args: { out: new Uint32Array(1) },
    });
    expect(read<Uint32Array>("out")[0]).toBe(63);
  });
  it("hands out atomic tickets by block, warp and lane", () => {
    const code = `param n ptr u32\nparam out ptr u32\n a = addr n[0]\n r = atom.add.u32 n[a], 1
      i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x\n o = addr.u32 out[i]\n st.u32 out[o], r`;
    const { read } = execute(code, { grid: 2, block: 64, args: { n: new Uint32Array(1), out: new Uint32Array(128) } });
    expect([...read<Uint32Array>("out")]).toEqual([...Array(128).keys()]);
  });
});

describe("atomics", () => {
  const cases: readonly (readonly [string, readonly number[], number])[] = [
    ["add.i32", [5], 165],
    ["sub.i32", [5], -155],
    ["min.i32", [-3], -3],
    ["max.i32", [9], 9],
    ["and.u32", [4], 4],
    ["or.u32", [8], 13],
    ["xor.u32", [1], 5],
    ["exch.i32", [77], 77],
    ["inc.u32", [6], 2],
    ["dec.u32", [6], 1],
    ["cas.i32", [5, 9], 9],
  ];
  for (const [op, operands, expected] of cases) {
    it(`32 lanes of ${op} ${operands.join(", ")} turn 5 into ${expected}`, () => {
      const code = `param v ptr i32\n a = addr v[0]\n atom.${op} v[a], ${operands.join(", ")}`;
      const { read } = execute(code, { block: 32, args: { v: Int32Array.of(5) } });
      expect(read<Int32Array>("v")[0]).toBe(expected);
    });
  }
  it("wrap 64-bit sums", () => {
    const code = `param v ptr u64\n a = addr v[0]\n atom.add.u64 v[a], 0x8000000000000000`;
    const { read } = execute(code, { block: 3, args: { v: BigUint64Array.of(1n) } });
    expect(read<BigUint64Array>("v")[0]).toBe(0x8000000000000001n);
  });
  it("serialise on shared memory: 32 lanes on one word take 32 wavefronts", () => {
    const code = `shared s u32 32\n a = addr s[0]\n atom.add.u32 s[a], 1`;
    const { counters } = execute(code, { block: 32 });
    expect([counters.requests[1], counters.wavefronts[1]]).toEqual([1, 32]);
  });
});

describe("memory accesses count", () => {
  const load = (stride: number, block = 32): { sectors: number; lines: number; bytes: number } => {
    const code = `param in ptr i32\n i = mul.u32 threadIdx.x, ${stride}\n a = addr.u32 in[i]\n x = ld.i32 in[a]`;
    const { counters } = execute(code, { block, args: { in: new Int32Array(32 * 33) } });
    return { sectors: counters.sectors[2] ?? 0, lines: counters.lines[2] ?? 0, bytes: counters.bytes[2] ?? 0 };
  };
  it("4 sectors in 1 line for 32 consecutive ints", () => {
    expect(load(1)).toEqual({ sectors: 4, lines: 1, bytes: 128 });
  });
  it("8 sectors in 2 lines at stride 2", () => expect(load(2)).toEqual({ sectors: 8, lines: 2, bytes: 128 }));
  it("a sector a lane at stride 8", () => expect(load(8)).toEqual({ sectors: 32, lines: 8, bytes: 128 }));
  it("a line a lane at stride 32", () => expect(load(32)).toEqual({ sectors: 32, lines: 32, bytes: 128 }));
  it("one sector where all lanes read one word", () => expect(load(0)).toEqual({ sectors: 1, lines: 1, bytes: 128 }));
  it("16 sectors for an int4 a lane, in 4 lines", () => {
    const code = `param in ptr i32\n a = addr in[threadIdx.x * 16]\n x, y, z, w = ld.i32 in[a]\n s = add.i32 x, w`;
    const { counters } = execute(code, { block: 32, args: { in: new Int32Array(128) } });
    expect([counters.sectors[1], counters.lines[1], counters.bytes[1]]).toEqual([16, 4, 512]);
  });
});

describe("conflicts of shared memory depend on the banks", () => {
  const wavefronts = (stride: number, sharedBanks: number): number => {
    const code = `shared s i32 2048\n i = mul.u32 laneId, ${stride}\n a = addr.u32 s[i]\n x = ld.i32 s[a]`;
    return execute(code, { block: 32, sharedBanks }).counters.wavefronts[2] ?? 0;
  };
  const cases: readonly (readonly [stride: number, banks: number, wavefronts: number])[] = [
    [1, 32, 1],
    [2, 32, 2],
    [32, 32, 32],
    [33, 32, 1],
    [1, 16, 2],
    [2, 64, 1],
    [32, 64, 16],
    [32, 1024, 1],
  ];
  for (const [stride, banks, expected] of cases) {
    it(`stride ${stride} on ${banks} banks takes ${expected}`, () => expect(wavefronts(stride, banks)).toBe(expected));
  }
});

describe("values of other widths", () => {
  it("keep the bits of a NaN through load, move, shuffle, select and store", () => {
    const code = `
param in ptr f32
param out ptr f32
  a = addr in[threadIdx.x]
  x = ld.f32 in[a]
  y = mov.f32 x
  p = setp.eq.i32 0, 0
  z = selp.f32 y, 1, p
  z = shfl.f32 0xffffffff, z, laneId, 32
  o = addr out[threadIdx.x]
  st.f32 out[o], z`;
    const bits = Int32Array.from({ length: 32 }, (_, lane) => 0x7f800001 + lane * 0x1001);
    const { read } = execute(code, {
      block: 32,
      args: { in: new Float32Array(bits.buffer), out: new Float32Array(32) },
    });
    expect([...new Int32Array(read<Float32Array>("out").buffer)]).toEqual([...bits]);
  });
  it("shuffle and store 64-bit integers", () => {
    const code = `
param out ptr i64
  w = cvt.i64.u32 laneId
  w = mad.i64 w, 0x100000000, -1
  v = shflXor.i64 0xffffffff, w, 1, 32
  o = addr out[threadIdx.x]
  st.i64 out[o], v`;
    const { read } = execute(code, { block: 32, args: { out: new BigInt64Array(32) } });
    const expected = Array.from({ length: 32 }, (_, lane) => BigInt(lane ^ 1) * 0x100000000n - 1n);
    expect([...read<BigInt64Array>("out")]).toEqual(expected);
  });
  it("keep a local array apart for each thread", () => {
    const code = `
local l u32 4
  a = addr l[0]
  st.u32 l[a + 8], threadIdx.x
  r = ld.u32 l[a + 8]`;
    expect(threads(code, { block: 64 })).toEqual([...Array(64).keys()]);
  });
});

describe("barriers", () => {
  it("count, and, or the threads' predicates", () => {
    const code = `
  p = setp.lt.u32 threadIdx.x, 40
  c = bar.count p
  a = bar.and p
  o2 = bar.or p
  r = mad.i32 c, 100, a
  r = mad.i32 r, 10, o2`;
    expect(new Set(threads(code, { block: 64 }))).toEqual(new Set([40 * 1000 + 1]));
  });
  it("do not wait for threads that have ended", () => {
    const code = `
shared s u32 32
  p = setp.ge.u32 threadIdx.x, 40
  exit if p
  bar
  r = mov.u32 7`;
    expect(threads(code, { block: 64 }).slice(38, 42)).toEqual([7, 7, 0, 0]);
  });
  it("of the grid wait for every block", () => {
    const code = `
param n ptr u32
param out ptr u32
  a = addr n[0]
  atom.add.u32 n[a], 1
  gridsync
  v = ld.u32 n[a]
  i = mad.u32 blockIdx.x, blockDim.x, threadIdx.x
  o = addr.u32 out[i]
  st.u32 out[o], v`;
    const { read } = execute(code, { grid: 5, block: 40, args: { n: new Uint32Array(1), out: new Uint32Array(200) } });
    expect(new Set(read<Uint32Array>("out"))).toEqual(new Set([200]));
  });
});

describe("printf", () => {
  it("prints in order of execution: by warp and lane, the arguments as CUDA formats them", () => {
    const code = `
  p = setp.lt.u32 laneId, 2
  f = cvt.f32.u32 threadIdx.x
  @p printf.u32.f32 "thread %u: %.1f\\n" threadIdx.x, f`;
    const { result } = execute(code, { block: 64 });
    expect(result.printed.map(({ text }) => text)).toEqual([
      "thread 0: 0.0\n",
      "thread 1: 1.0\n",
      "thread 32: 32.0\n",
      "thread 33: 33.0\n",
    ]);
  });
});

describe("an observer", () => {
  it("sees every warp instruction with its masks, and the sectors of a load", () => {
    const seen: object[] = [];
    const engine = createReferenceEngine({
      observer: {
        instruction: ({ block, warp, pc, activeMask, guardMask, sectors, sectorCount }) =>
          seen.push([block, warp, pc, activeMask, guardMask, [...sectors.subarray(0, sectorCount)].map((s) => s & 3)]),
      },
    });
    const code = `param in ptr i32\n p = setp.lt.u32 laneId, 8\n a = addr in[laneId]\n @p x = ld.i32 in[a]`;
    execute(code, { block: 32, args: { in: new Int32Array(32) }, engine });
    expect(seen).toEqual([
      [0, 0, 0, -1, -1, []],
      [0, 0, 1, -1, -1, []],
      [0, 0, 2, -1, 255, [0]],
      [0, 0, 3, -1, -1, []],
    ]);
  });
});
