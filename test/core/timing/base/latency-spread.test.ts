import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FetchSpread } from "../../../../src/core/timing/base/latency-spread.js";

interface Fate {
  readonly micro: string;
  readonly apartBytes: number;
  readonly delayCycles: number;
  readonly blocks: number;
  readonly correlation: number;
}

const text = readFileSync(new URL("../../../reference/h200/micro/walk.json", import.meta.url), "utf8");
const fates = (JSON.parse(text) as { readonly rows: readonly Fate[] }).rows.filter(
  ({ micro, apartBytes, blocks }) => micro === "fate" && apartBytes === 512 && blocks === 16,
);
const PAIRS = 4000;
const SECTORS_APART = 16;
const LATENCY_CYCLES = 658;

function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  const mean = (of: (pair: readonly [number, number]) => number): number =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [first, second] = [mean(([a]) => a), mean(([, b]) => b)];
  const together = mean(([a, b]) => (a - first) * (b - second));
  return together / Math.sqrt(mean(([a]) => (a - first) ** 2) * mean(([, b]) => (b - second) ** 2));
}

describe("the latencies of two loads from one piece of DRAM", () => {
  it("were measured at seven delays", () => {
    expect(fates).toHaveLength(7);
  });

  for (const { delayCycles, correlation } of fates) {
    it(`correlate as on the H200 when they are ${delayCycles} cycles apart`, () => {
      const spread = new FetchSpread(2);
      const pairs = Array.from({ length: PAIRS }, (_, k): readonly [number, number] => {
        const [sector, time] = [k * 64 * 37, k * 3000];
        return [spread.latencyOf(sector, time), spread.latencyOf(sector + SECTORS_APART, time + delayCycles)];
      }).map(([a, b]): readonly [number, number] => [a * LATENCY_CYCLES, b * LATENCY_CYCLES]);
      expect(Math.abs(correlationOf(pairs) - correlation)).toBeLessThan(0.15);
    });
  }
});
