/** A GPU changed by a text of its fields' paths. */
import { describe, expect, it } from "vitest";
import { h200, m2070, VARIABLE_FIELDS, variantOf } from "../../../src/core/device/index.js";

describe("variantOf", () => {
  it("sets, multiplies and divides, several with commas, and says so in the name", () => {
    const variant = variantOf(h200, "sharedMemory.banks=64, smCount*2, dram.peakBandwidthGBps/2");
    expect(variant.sharedMemory.banks).toBe(64);
    expect(variant.smCount).toBe(264);
    expect(variant.dram.peakBandwidthGBps).toBe(h200.dram.peakBandwidthGBps / 2);
    expect(variant.l2).toEqual(h200.l2);
    expect(variant.name).toContain("sharedMemory.banks=64");
    expect(variantOf(h200, "l1.cachesGlobalLoads=false").l1.cachesGlobalLoads).toBe(false);
    expect(variantOf(h200, "warpScheduling=looseRoundRobin").warpScheduling).toBe("looseRoundRobin");
  });

  it("a wrong path is answered with those that there are", () => {
    expect(() => variantOf(h200, "sharedMemory.bank=64")).toThrow(/Did you mean sharedMemory\.banks\?/);
    expect(() => variantOf(h200, "shared.banks=64")).toThrow(/Did you mean sharedMemory\.banks\?.*sharedMemory\.\*/s);
    expect(() => variantOf(h200, "l2.size*2")).toThrow(/There are l2\.sizeBytes, /);
    expect(() => variantOf(m2070, "pipes.redux.latencyCycles*2")).toThrow(/no field of this device/);
  });

  it.each([
    ["warpSize=64", /warps of 32 lanes/],
    ["computeCapability.major=7", /other code for another generation/],
    ["l2.lineBytes=64", /lines of 128 bytes/],
    ["issueWidthPerScheduler=2", /one instruction a cycle/],
    ["transfers.hostToDeviceGBps*2", /no part of a launch's time/],
    ["limits.totalGlobalMemBytes*2", /not how long it takes/],
    ["atomics.requestIntervalCyclesPerSm*2", /does not read it/],
  ])("%s is refused with the reason", (set, reason) => {
    expect(() => variantOf(h200, set)).toThrow(reason);
    expect(VARIABLE_FIELDS).not.toContain(set.replace(/[=*].*/, ""));
  });

  it.each([
    ["", /does not say what to change/],
    ["smCount", /does not say what to change/],
    ["smCount=many", /many is no number/],
    ["smCount*0", /is 0, but must be more/],
    ["smCount*1.001", /must be whole/],
    ["sharedMemory.banks=48", /power of two/],
    ["l1.storesEvict*2", /no number to multiply/],
    ["l1.storesEvict=2", /true or false/],
    ["limits.sharedCarveoutsBytes=0", /modifyDevice/],
  ])('"%s" is refused', (set, reason) => {
    expect(() => variantOf(h200, set)).toThrow(reason);
  });
});
