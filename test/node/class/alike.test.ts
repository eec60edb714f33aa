/** Kernels that were copied are found, also in other words and another order; right answers of different hands are not. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handedIn } from "../../../src/course/exercises/answer.js";
import { exercise, exerciseIds } from "../../../src/course/exercises/exercise.js";
import { alikePairs, LEAST_OWN, type Printed } from "../../../src/node/class/similar/alike.js";
import { fingerprintOf } from "../../../src/node/class/similar/fingerprint.js";
import { answerOfFile } from "../../../src/node/grade/file-answer.js";
import type { Answers } from "../../labs/answers/answer.js";

const root = join(import.meta.dirname, "../../..");

function printOf(id: string, text: string): readonly string[] {
  const kernel = handedIn(exercise(id), answerOfFile("answer.ts", text));
  if (typeof kernel === "string") throw new Error(kernel);
  return fingerprintOf(kernel.ir);
}

function published(id: string, name: string): string {
  return readFileSync(join(root, "labs", id, `${name}.ts`), "utf8");
}

function givenOf(id: string): ReadonlySet<string> {
  return new Set(["starter", "solution"].flatMap((name) => printOf(id, published(id, name))));
}

const HEAD = 'import { device, i32, kernel, ptr } from "warplab";\n';

const ORIGINAL = `${HEAD}
const warpTotal = device("warpTotal", { value: i32 }, ({ value }, { shfl_xor_sync }) => {
  let sum = value;
  sum += shfl_xor_sync(0xffffffff, sum, 1);
  sum += shfl_xor_sync(0xffffffff, sum, 2);
  sum += shfl_xor_sync(0xffffffff, sum, 4);
  sum += shfl_xor_sync(0xffffffff, sum, 8);
  sum += shfl_xor_sync(0xffffffff, sum, 16);
  return sum;
});
export const answer = kernel("answer", { input: ptr(i32), output: ptr(i32) },
  ({ input, output }, { threadIdx, blockIdx, blockDim, externShared, syncthreads }) => {
    const totals = externShared(i32);
    const lane = threadIdx.x & 31;
    const warp = threadIdx.x >> 5;
    const first = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    const own = warpTotal(input[first] + input[first + blockDim.x]);
    if (lane == 0) totals[warp] = own;
    syncthreads();
    if (warp == 0) {
      let part = 0;
      if (lane < blockDim.x >> 5) part = totals[lane];
      const all = warpTotal(part);
      if (threadIdx.x == 0) output[blockIdx.x] = all;
    }
  });
`;

/** The same with other names, line breaks, constants' names, exchanged sides and declarations in another order. */
const COPY = `${HEAD}// All my own work.
const FULL = 0xffffffff;
export const helper = device("helper", { v: i32 }, ({ v }, { shfl_xor_sync }) => {
  let r = v; r += shfl_xor_sync(0xffffffff, r, 1); r += shfl_xor_sync(0xffffffff, r, 2);
  r = shfl_xor_sync(0xffffffff, r, 4) + r;
  r += shfl_xor_sync(0xffffffff, r, 8);
  r += shfl_xor_sync(0xffffffff, r, 16);
  return r;
});
export const answer = kernel("answer", { output: ptr(i32), input: ptr(i32) },
  ({ output, input }, { externShared, threadIdx, blockDim, blockIdx, syncthreads }) => {
    const start = threadIdx.x + 2 * blockDim.x * blockIdx.x;
    const w = threadIdx.x >> 5;
    const buffer = externShared(i32);
    const l = threadIdx.x & 31;
    const x = helper(input[start + blockDim.x] + input[start]);
    if (0 == l) buffer[w] = x;
    syncthreads();
    if (w == 0) {
      let y = 0;
      if (blockDim.x >> 5 > l) { y = buffer[l]; }
      const z = helper(y);
      if (0 == threadIdx.x) { output[blockIdx.x] = z; }
    }
  });
`;

describe("a copy", () => {
  it("is found, renamed, formatted and reordered", () => {
    const given = givenOf("lab-28");
    const [original, copy] = [printOf("lab-28", ORIGINAL), printOf("lab-28", COPY)];
    const own = original.filter((hash) => !given.has(hash));
    expect(own.length).toBeGreaterThanOrEqual(LEAST_OWN);
    const others = ["starter", "solution"].map((name) => ({
      student: name,
      fingerprint: printOf("lab-28", published("lab-28", name)),
    }));
    const prints = [{ student: "anna", fingerprint: original }, ...others, { student: "ben", fingerprint: copy }];
    const [pair, more] = alikePairs(prints, given);
    expect(pair).toMatchObject({ students: ["anna", "ben"] });
    expect(pair?.share).toBeGreaterThanOrEqual(0.75);
    expect(more).toBeUndefined();
  });

  it("is nothing but names, formatting and the order of declarations to a fingerprint", () => {
    const renamed = ORIGINAL.replaceAll("totals", "a").replaceAll("lane", "b").replaceAll("warpTotal", "c");
    expect(printOf("lab-28", renamed)).toEqual(printOf("lab-28", ORIGINAL));
    const lane = "    const lane = threadIdx.x & 31;\n";
    const later = ORIGINAL.replace(lane, "").replace("    const own", `${lane}    const own`);
    expect(later).not.toBe(ORIGINAL);
    expect(printOf("lab-28", later)).toEqual(printOf("lab-28", ORIGINAL));
    expect(printOf("lab-28", ORIGINAL.replace("sum, 8", "sum, 9"))).not.toEqual(printOf("lab-28", ORIGINAL));
  });
});

describe("kernels that are alike for a reason", () => {
  const many = (count: number, fingerprint: readonly string[]): readonly Printed[] =>
    Array.from({ length: count }, (_, n) => ({ student: `s${n}`, fingerprint }));
  const hashes = (from: number, count: number): readonly string[] =>
    Array.from({ length: count }, (_, n) => `h${from + n}`);

  it("are no pair: what the starter or the solution has, what many have, and a line or two", () => {
    const given = new Set(hashes(0, 50));
    expect(alikePairs(many(2, hashes(0, 50)), given)).toEqual([]);
    expect(alikePairs(many(2, hashes(0, 50 + LEAST_OWN - 1)), given)).toEqual([]);
    expect(alikePairs(many(5, hashes(100, 40)), given)).toEqual([]);
    expect(alikePairs(many(4, hashes(100, 40)), given)).toHaveLength(6);
  });

  it("are told the share of the larger one, so that a part in common makes no copy", () => {
    const prints = [
      { student: "a", fingerprint: hashes(0, 40) },
      { student: "b", fingerprint: hashes(0, 31) },
      { student: "c", fingerprint: hashes(20, 20) },
    ];
    expect(alikePairs(prints, new Set())).toEqual([{ students: ["a", "b"], share: 31 / 40, common: 31 }]);
  });
});

it("of 266 pairs of right answers one is alike, of which one is the other with a full mask", async () => {
  const found: string[] = [];
  let pairs = 0;
  for (const id of exerciseIds()) {
    const { answers } = (await import(`../../labs/answers/${id}.ts`)) as { readonly answers: Answers };
    const given = givenOf(id);
    const prints = answers.right.map(({ how, answer }): Printed => {
      const kernel = handedIn(exercise(id), answer);
      if (typeof kernel === "string") throw new Error(kernel);
      return { student: how, fingerprint: fingerprintOf(kernel.ir) };
    });
    const large = prints.filter(({ fingerprint }) => fingerprint.filter((hash) => !given.has(hash)).length > 0);
    pairs += (large.length * (large.length - 1)) / 2;
    found.push(...alikePairs(prints, given).map(({ students }) => `${id}: ${students.join(" | ")}`));
  }
  const masks = [
    "shuffles within each warp, and thread 0 adds the warps' sums",
    "shuffles with a full mask, of which a last warp of fewer threads has a part",
  ];
  expect([pairs, found]).toEqual([266, [`lab-26: ${masks.join(" | ")}`]]);
});
