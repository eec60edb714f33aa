import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { TagBanks } from "../../../../src/core/timing/memory/tag-banks.js";

interface HitRow {
  readonly micro: string;
  readonly pattern: string;
  readonly words: number;
  readonly hit32: number;
}

const LANES = 32;
const LINE_WORDS = 32;
const REQUESTS = 16;
const { rows } = JSON.parse(
  readFileSync(new URL("../../../reference/h200/micro/lanes.json", import.meta.url), "utf8"),
) as {
  readonly rows: readonly HitRow[];
};

/** The words that lanes read; none if the pattern is neither a constant stride nor a list. */
function wordsOf(pattern: string): readonly number[] {
  const stride = /^stride(\d+)$/.exec(pattern);
  if (stride !== null) return Array.from({ length: LANES }, (_, lane) => lane * Number(stride[1]));
  return /at:([\d:]+)$/.exec(pattern)?.[1]?.split(":").map(Number) ?? [];
}

function banksOf(words: readonly number[]): number {
  const perBank = new Int32Array(LINE_WORDS);
  for (const word of new Set(words)) perBank[word % LINE_WORDS]!++;
  return Math.max(...perBank);
}

/** The mean over measured requests, each a line after the one before it. */
function cyclesOf(words: readonly number[]): number {
  const tags = new TagBanks(0.25, 1);
  let total = 0;
  for (let behind = 0; behind < REQUESTS; behind++) {
    tags.clear();
    for (const line of new Set(words.map((word) => Math.floor(word / LINE_WORDS)))) tags.add(line + behind);
    total += Math.max(tags.cycles, banksOf(words));
  }
  return total / REQUESTS;
}

describe("L1's tags", () => {
  const patterns = rows.filter(
    ({ micro, pattern, words }) => micro === "hit" && words === 1 && wordsOf(pattern).length > 0,
  );

  it("and its data's banks take the cycles of an H200, within 5 % in the mean and a fifth each", () => {
    expect(patterns.length).toBeGreaterThan(40);
    const errors = patterns.map(({ pattern, hit32 }) => Math.abs(cyclesOf(wordsOf(pattern)) / hit32 - 1));
    expect(errors.reduce((sum, error) => sum + error, 0) / errors.length).toBeLessThan(0.05);
    expect(Math.max(...errors)).toBeLessThan(0.22);
  });

  it("take a quarter of a cycle for lines in a row, more where one bank has most of them", () => {
    const inRow = new TagBanks(0.25, 1);
    for (let line = 0; line < 32; line++) inRow.add(line);
    expect(inRow.cycles).toBe(8);
    const same = new TagBanks(0.25, 1);
    for (let k = 0; k < 8; k++) same.add(5);
    expect(same.cycles).toBe(8);
  });

  it("are one bank where a line that is there takes as long as one that is not", () => {
    const tags = new TagBanks(1, 1);
    for (let line = 0; line < 6; line++) tags.add(line);
    expect(tags.cycles).toBe(6);
    tags.clear();
    expect(tags.cycles).toBe(0);
  });
});
