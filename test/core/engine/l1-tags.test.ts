import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sharedWavefronts, TOGETHER } from "../../../src/core/engine/semantics/bank-conflicts.js";
import { returnedWavefronts, tagBankOf } from "../../../src/core/engine/semantics/l1-tags.js";

interface PairRow {
  readonly micro: "pair";
  readonly lines: readonly [number, number];
  readonly conflicts: number;
}

interface RequestRow {
  readonly micro: "hit" | "miss";
  readonly pattern: string;
  readonly bytes: number;
  readonly warps: number;
  readonly reachWords: number;
  readonly offsets: readonly number[];
  readonly tagCycles: number;
  readonly dataCycles: number;
}

interface StoreRow {
  readonly micro: string;
  readonly bytes: number;
  readonly stride: number;
  readonly warps: number;
  readonly reachWords: number;
  readonly dataCycles: number;
}

const ALL_LANES = -1;
const WORD_BYTES = 4;
const LINE_BYTES = 128;
const ROUNDS = 64;
const BANKS = 32;

const { rows } = JSON.parse(
  readFileSync(new URL("../../reference/h200/micro/stage.json", import.meta.url), "utf8"),
) as {
  readonly rows: readonly (PairRow | RequestRow)[];
};
const pairs = rows.filter((row) => row.micro === "pair");
const requests = rows.filter((row) => row.micro !== "pair");

/** The mean of what a request of the row takes. */
function meanOf({ offsets, warps, reachWords }: RequestRow, cycles: (addresses: Int32Array) => number): number {
  let total = 0;
  for (let request = 0; request < warps * ROUNDS; request++)
    total += cycles(Int32Array.from(offsets, (word) => WORD_BYTES * (word + request * reachWords)));
  return total / (warps * ROUNDS);
}

function tagCycles(addresses: Int32Array): number {
  const ofBank = [0, 0, 0, 0];
  for (const line of new Set(addresses.map((address) => Math.floor(address / LINE_BYTES)))) ofBank[tagBankOf(line)]!++;
  return Math.max(...ofBank);
}

describe("L1's tags, against an H200's counters", () => {
  it("have two lines in one bank where Nsight Compute counts a conflict, all pairs of them", () => {
    expect(pairs.length).toBeGreaterThan(190);
    for (const { lines, conflicts } of pairs) {
      expect([lines, tagBankOf(lines[0]) === tagBankOf(lines[1])]).toEqual([lines, conflicts === 1]);
    }
  });

  it("take a request as many cycles as the fullest bank has lines, within 3 % and what the launch's beginning adds", () => {
    expect(requests.length).toBeGreaterThan(150);
    for (const row of requests) {
      const cycles = meanOf(row, tagCycles);
      expect(Math.abs(row.tagCycles - cycles), row.pattern).toBeLessThan(0.03 * cycles + 0.06);
    }
  });
});

describe("L1's data stage, against an H200's counters", () => {
  it("gives a load that waits its lines as they were looked at, those of one cycle together", () => {
    for (const row of requests.filter(({ micro }) => micro === "miss")) {
      const cycles = meanOf(row, (addresses) => returnedWavefronts(addresses, ALL_LANES, row.bytes));
      expect(Math.abs(row.dataCycles - cycles), row.pattern).toBeLessThan(0.2);
    }
  });

  it("gives a load that finds all its data what shared memory would take for it", () => {
    for (const row of requests.filter(({ micro }) => micro === "hit")) {
      const cycles = meanOf(row, (addresses) => sharedWavefronts(addresses, ALL_LANES, row.bytes, BANKS, TOGETHER));
      expect(Math.abs(row.dataCycles - cycles), row.pattern).toBeLessThan(0.4);
    }
  });

  it("takes a store's lines as it gives a waiting load's, within 15 % and a third of a cycle", () => {
    const { rows: mixed } = JSON.parse(
      readFileSync(new URL("../../reference/h200/micro/mix-2.json", import.meta.url), "utf8"),
    ) as { readonly rows: readonly StoreRow[] };
    const stores = mixed.filter(({ micro }) => micro === "stores");
    expect(stores.length).toBe(27);
    for (const { bytes, stride, warps, reachWords, dataCycles } of stores) {
      let total = 0;
      for (let request = 0; request < warps * ROUNDS; request++) {
        const first = WORD_BYTES * request * reachWords;
        total += returnedWavefronts(
          Int32Array.from({ length: 32 }, (_, lane) => first + lane * stride * bytes),
          ALL_LANES,
          bytes,
        );
      }
      const cycles = total / (warps * ROUNDS);
      expect(Math.abs(dataCycles - cycles), `${bytes} bytes, stride ${stride}`).toBeLessThan(0.15 * cycles + 0.34);
    }
  });

  it("takes a cycle for lanes of one line, and one for each line where all ask for the same bank", () => {
    const inRow = Int32Array.from({ length: 32 }, (_, lane) => 4 * lane);
    expect(returnedWavefronts(inRow, ALL_LANES, 4)).toBe(1);
    const apart = Int32Array.from({ length: 32 }, (_, lane) => LINE_BYTES * lane);
    expect(returnedWavefronts(apart, ALL_LANES, 4)).toBe(32);
    expect(returnedWavefronts(apart, 0b1011, 4)).toBe(3);
  });
});
