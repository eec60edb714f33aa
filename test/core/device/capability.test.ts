/** What the compute capability alone decides, against CUDA's documents. */
import { describe, expect, it } from "vitest";
import { generationOf } from "../../../src/core/device/gpus/capability.js";

const of = (text: string) => {
  const [major = 0, minor = 0] = text.split(".").map(Number);
  return generationOf({ major, minor });
};

describe("a generation's properties", () => {
  it.each([
    ["2.0", 16],
    ["3.0", 16],
    ["3.5", 32],
    ["6.0", 128],
    ["6.1", 32],
    ["7.0", 128],
    ["7.2", 16],
    ["9.0", 128],
  ])("of %s: %d resident grids, as the Programming Guide's table says", (capability, grids) => {
    expect(of(capability).residentGrids).toBe(grids);
  });

  it("threads are independent from Volta on, and cooperative launches there are from Pascal on", () => {
    expect(["6.1", "7.0", "9.0"].map((each) => of(each).independentThreads)).toEqual([false, true, true]);
    expect(["5.2", "6.0"].map((each) => of(each).cooperativeLaunch)).toEqual([false, true]);
  });

  it("Hyper-Q is from 3.5 on, and 3.0 still checks each launch", () => {
    expect(["3.0", "3.5"].map((each) => of(each).queueEachStream)).toEqual([false, true]);
    expect(["2.0", "3.0", "3.5"].map((each) => of(each).checksLaunches)).toEqual([true, true, false]);
  });
});
