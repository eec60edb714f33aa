/** Warp primitives against what an H200 returns (test/reference/values/golden.jsonl and values/divergence.jsonl). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { execute } from "./launch.js";

interface WarpRow {
  readonly warp: string;
  readonly mask: number;
  readonly arg: number;
  readonly width: number;
  readonly in: readonly number[];
  readonly out: readonly (number | null)[];
}

function lines(file: string): object[] {
  const text = readFileSync(new URL(`../../reference/${file}`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
}

const rows = lines("values/golden.jsonl").filter((row): row is WarpRow => "warp" in row);

/**
 * The golden kernel's work on each lane's value `v`. Its vote predicates were v & 1 for ballot, false in every lane for
 * any, true in every lane for all. match_any saw v & 3. match_all saw one value in all lanes and gave 2 * mask, xor the
 * predicate.
 */
const BODY: Readonly<Record<string, string>> = {
  shfl_sync: "r = shfl.i32 mask, v, arg, width",
  shfl_up_sync: "r = shflUp.i32 mask, v, arg, width",
  shfl_down_sync: "r = shflDown.i32 mask, v, arg, width",
  shfl_xor_sync: "r = shflXor.i32 mask, v, arg, width",
  ballot_sync: "b = and.i32 v, 1\n p = setp.ne.i32 b, 0\n r = ballot mask, p",
  any_sync: "p = setp.ne.i32 v, v\n q = any mask, p\n r = cvt.i32.bool q",
  all_sync: "p = setp.eq.i32 v, v\n q = all mask, p\n r = cvt.i32.bool q",
  match_any_sync: "k = and.i32 v, 3\n r = matchAny.i32 mask, k",
  match_all_sync:
    "m = matchAll.i32 mask, arg\n p = matchAllPredicate.i32 mask, arg\n m = shl.u32 m, 1\n n = cvt.i32.bool p\n r = xor.i32 m, n",
  reduce_add_sync: "r = redux.add.i32 mask, v",
  "reduce_min_sync(int)": "r = redux.min.i32 mask, v",
  "reduce_max_sync(unsigned)": "r = redux.max.u32 mask, v",
  reduce_and_sync: "r = redux.and.u32 mask, v",
  reduce_or_sync: "r = redux.or.u32 mask, v",
  reduce_xor_sync: "r = redux.xor.u32 mask, v",
};

function kernelWith(body: string): string {
  return `
param in ptr i32
param out ptr i32
param mask u32
param arg i32
param width u32
  a = addr in[threadIdx.x]
  v = ld.i32 in[a]
  one = shl.u32 1, laneId
  named = and.u32 one, mask
  inMask = setp.ne.u32 named, 0
  if inMask {
    ${body}
    o = addr out[threadIdx.x]
    st.i32 out[o], r
  }`;
}

/** Lanes whose result CUDA defines: they do not read a lane outside the mask. */
function defined(row: WarpRow, lane: number): boolean {
  const source = shuffleSourceByTheGuide(row, lane);
  return source === null || ((row.mask >>> source) & 1) === 1;
}

/** The source lane in the words of the CUDA guide, written apart from the engine; null for other primitives. */
function shuffleSourceByTheGuide({ warp, arg, width }: WarpRow, lane: number): number | null {
  const segment = Math.floor(lane / width) * width;
  const moved = arg & 31;
  if (warp === "shfl_sync") return segment + (((arg % width) + width) % width);
  if (warp === "shfl_up_sync") return lane - moved < segment ? lane : lane - moved;
  if (warp === "shfl_down_sync") return lane + moved >= segment + width ? lane : lane + moved;
  if (warp === "shfl_xor_sync") return (lane ^ moved) >= segment + width ? lane : lane ^ moved;
  return null;
}

describe("warp primitives give what an H200 gives", () => {
  for (const name of new Set(rows.map((row) => row.warp))) {
    const body = BODY[name];
    it(`${name}, on every mask and width of the file`, () => {
      if (body === undefined) throw new Error(`no kernel for ${name}`);
      for (const row of rows.filter((candidate) => candidate.warp === name)) {
        const out = new Int32Array(32);
        const args = { in: Int32Array.from(row.in), out, mask: row.mask, arg: row.arg, width: row.width };
        const { read } = execute(kernelWith(body), { block: 32, args });
        const result = read<Int32Array>("out");
        for (const [lane, expected] of row.out.entries()) {
          if (expected !== null && defined(row, lane)) expect([row, lane, result[lane]]).toEqual([row, lane, expected]);
        }
      }
    });
  }
});

interface HangRow {
  readonly hang: string;
  readonly out: readonly number[];
}

/** Rows of 32 results, as test/reference/values/corners.cu printed them from an H200. */
const divergence = lines("values/divergence.jsonl").filter((row): row is HangRow => "out" in row);
const warps = divergence.find((row) => row.hang === "warps")?.out ?? [];
const branches = divergence.find((row) => row.hang === "branches")?.out ?? [];

function results(code: string, block = 32): number[] {
  const { read } = execute(`param out ptr u32\n${code}\n o = addr out[threadIdx.x]\n st.u32 out[o], r`, {
    block,
    args: { out: new Uint32Array(block) },
  });
  return [...read<Uint32Array>("out")];
}

describe("lanes of different fates meet as on an H200", () => {
  it("matches floats by their bits: two NaNs and the two zeros differ", () => {
    const code = `
      t = mov.u32 threadIdx.x
      v = mov.u32 0x3f800000
      p4 = setp.lt.u32 t, 16
      @p4 v = mov.u32 0x80000000
      p3 = setp.lt.u32 t, 12
      @p3 v = mov.u32 0
      p2 = setp.lt.u32 t, 8
      @p2 v = mov.u32 0x7fc00001
      p1 = setp.lt.u32 t, 4
      @p1 v = mov.u32 0x7fc00000
      f = bitcast.f32.u32 v
      r = matchAny.f32 0xffffffff, f`;
    expect(results(code)).toEqual(warps.slice(0, 32));
  });
  const groups = "k = rem.u32 threadIdx.x, 3\n g = matchAny.u32 0xffffffff, k";
  it("reduces several groups of lanes in one instruction, each by its own mask", () => {
    expect(results(`${groups}\n r = redux.add.u32 g, threadIdx.x`)).toEqual(warps.slice(32, 64));
  });
  it("shuffles within several groups at once", () => {
    const code = `${groups}\n to = add.u32 threadIdx.x, 3\n r = shfl.u32 g, threadIdx.x, to, 32`;
    // Lanes 29 to 31 read lanes 0 to 2, of which 0 and 1 are outside the groups of 30 and 31: undefined.
    expect(results(code).slice(0, 29)).toEqual(warps.slice(64, 93));
  });
  it("ballots within several groups at once", () => {
    const code = `${groups}\n odd = and.u32 threadIdx.x, 1\n p = setp.ne.u32 odd, 0\n r = ballot g, p`;
    expect(results(code)).toEqual(warps.slice(96, 128));
  });
  it("matches 64-bit values", () => {
    const code = `k = rem.u32 threadIdx.x, 5\n w = cvt.i64.u32 k\n w = mul.i64 w, 0x100000001\n r = matchAny.i64 0xffffffff, w`;
    expect(results(code)).toEqual(warps.slice(128, 160));
  });
  it("shuffles between the two sides of a branch, each with a shuffle of its own", () => {
    const code = `
      t = mov.u32 threadIdx.x
      from = sub.u32 31, t
      p = setp.lt.u32 t, 16
      if p {
        v = add.u32 t, 100
        r = shfl.u32 0xffffffff, v, from, 32
      } else {
        v = add.u32 t, 200
        r = shfl.u32 0xffffffff, v, from, 32
      }`;
    expect(results(code)).toEqual(warps.slice(160, 192));
  });
  it("does not wait in a vote for lanes that have ended", () => {
    const code = `
      p = setp.lt.u32 threadIdx.x, 8
      exit if p
      all = setp.eq.i32 0, 0
      r = ballot 0xffffffff, all`;
    expect(results(code)).toEqual(warps.slice(224, 256));
  });
  it("lets a block barrier in either side of a branch meet the other", () => {
    const code = `
      shared s u32 64
      t = mov.u32 threadIdx.x
      a = addr s[t]
      low = and.u32 t, 1
      odd = setp.ne.u32 low, 0
      if odd {
        st.u32 s[a], t
        bar
        r = ld.u32 s[a - 4]
      } else {
        v = add.u32 t, 100
        st.u32 s[a], v
        bar
        r = ld.u32 s[a + 4]
      }`;
    expect(results(code, 64)).toEqual(branches);
  });
});
