import { describe, expect, it } from "vitest";
import { h200, modifyDevice } from "../../../../src/core/device/index.js";
import { Dram } from "../../../../src/core/timing/memory/dram.js";

const KIB = 1024;

/** Time of the last of 64 reads of one KiB that an SM issues at once, after 50,000 idle cycles. */
function burstEnds(dram: Dram): number {
  dram.read(0, KIB, KIB, 0);
  const ends = Array.from({ length: 64 }, (_, i) => dram.read(32 * (i + 1), KIB, KIB, 50_000));
  return Math.max(...ends);
}

describe("DRAM", () => {
  it("serves a burst of an SM from what other SMs leave, but not where all are in step", () => {
    const { smCount, smClockMHz } = h200;
    const inStep = modifyDevice(h200, { id: "in-step", name: "In step", warpScheduling: "looseRoundRobin" });
    const share = (64 * KIB * smCount * smClockMHz) / 1000 / h200.dram.peakBandwidthGBps;
    const apart = burstEnds(new Dram(h200, smCount, 1));
    const together = burstEnds(new Dram(inStep, smCount, 1));
    expect(together - 50_000).toBeGreaterThan(share * 0.95);
    expect(apart - 50_000).toBeLessThan(together - 50_000 - h200.dram.latencyCycles);
  });
});
