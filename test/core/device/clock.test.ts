import { describe, expect, it } from "vitest";
import { atClock, v100 } from "../../../src/core/device/index.js";

describe("a V100 at 1380 MHz, the clock of te42kyfo/gpu-benches", () => {
  const device = atClock(v100, 1380);

  it("has the bandwidth of L2 that was measured there, 2450 GB/s", () => {
    expect(device.l2.bandwidthGBps).toBeCloseTo(2450, -1);
  });

  it("has the latency of memory that was measured there, 437 cycles", () => {
    expect(Math.abs(device.dram.latencyCycles - 437)).toBeLessThan(1);
  });

  it("starts blocks as many of its cycles apart as at its boost clock", () => {
    const cycles = (spec: typeof v100): number => spec.launch.blockDispatchNanoseconds * spec.smClockMHz;
    expect(cycles(device)).toBeCloseTo(cycles(v100), 6);
  });

  it("keeps DRAM's bandwidth and the GPU's name", () => {
    expect([device.dram.peakBandwidthGBps, device.id]).toEqual([v100.dram.peakBandwidthGBps, "v100"]);
  });
});
