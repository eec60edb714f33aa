import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { serviceOf, sharedWavefronts } from "../../../src/core/engine/semantics/bank-conflicts.js";
import { compileCuda } from "../lower/kernel-code.js";

interface Row {
  readonly kind: "increment" | "add" | "add_returning";
  readonly pattern: string;
  readonly warps: number;
  readonly cycles: number;
}

const { rows } = JSON.parse(
  readFileSync(new URL("../../reference/h200/micro/increments.json", import.meta.url), "utf8"),
) as { readonly rows: readonly Row[] };

/** The word of each lane, as in h200/micro/increments.cu. */
const WORDS: Readonly<Record<string, (lane: number) => number>> = {
  apart: (l) => l,
  pairs: (l) => l >> 1,
  fours: (l) => l >> 2,
  eights: (l) => l >> 3,
  halves: (l) => l >> 4,
  one: () => 0,
  one_of_many: (l) => (l < 16 ? 0 : l),
  bank2: (l) => l * 2,
  bank4: (l) => l * 4,
  bank8: (l) => l * 8,
  bank32: (l) => l * 32,
  bank2_pairs: (l) => (l >> 1) * 4,
  bank8_pairs: (l) => (l >> 1) * 16,
  bank16_pairs: (l) => (l >> 1) * 32,
  bank8_fours: (l) => (l >> 2) * 32,
};

const STATEMENTS = {
  increment: "atomicAdd(&s[i], 1);",
  add: "atomicAdd(&s[i], v);",
  add_returning: "o[i + 64] = atomicAdd(&s[i], v);",
};

describe("atomics in shared memory", () => {
  for (const [kind, statement] of Object.entries(STATEMENTS)) {
    const { instructions } = compileCuda(
      `__global__ void k(int *o, int v) { __shared__ int s[64]; int i = o[threadIdx.x]; ${statement} __syncthreads(); o[i] = s[i] + v; }`,
    );
    const atomic = instructions.find(({ op }) => op === "atom");
    if (atomic === undefined) throw new Error(`no atomic in ${statement}`);
    for (const { pattern, cycles } of rows.filter((row) => row.kind === kind && row.warps === 32)) {
      it(`take the cycles that an H200 with 32 warps takes for ${kind}, ${pattern}`, () => {
        const addresses = Int32Array.from({ length: 32 }, (_, lane) => 4 * WORDS[pattern]!(lane));
        expect(sharedWavefronts(addresses, -1, 4, 32, serviceOf(atomic))).toBe(Math.round(cycles));
      });
    }
  }
});
