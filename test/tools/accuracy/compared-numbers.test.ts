import { describe, expect, it } from "vitest";
import {
  decidedOrder,
  dominantOf,
  kendallTau,
  meanAbsolute,
  NO_NUMBERS,
  numberErrors,
} from "../../../src/tools/accuracy/compared-numbers.js";

describe("the errors of a prediction", () => {
  it("are percent of the measured number, positive where too much is simulated", () => {
    const errors = numberErrors({ ...NO_NUMBERS, timeMs: 1.1 }, { ...NO_NUMBERS, timeMs: 1 });
    expect(errors.timeMs).toBeCloseTo(10, 9);
  });

  it("are points for what is a percentage itself", () => {
    const errors = numberErrors(
      { ...NO_NUMBERS, achievedOccupancyPercent: 45 },
      { ...NO_NUMBERS, achievedOccupancyPercent: 50 },
    );
    expect(errors.achievedOccupancyPercent).toBe(-5);
  });

  it("are left out where nothing was measured", () => {
    expect(numberErrors({ ...NO_NUMBERS, timeMs: 1 }, NO_NUMBERS)).toEqual({});
  });

  it("have a mean that signs do not cancel in", () => {
    expect(meanAbsolute([10, -30])).toBe(20);
    expect(meanAbsolute([])).toBeNull();
  });

  it("name the reason that most warps wait for, never the issue itself", () => {
    expect(dominantOf({ selected: 9, barrier: 2, wait: 3 })).toBe("wait");
    expect(dominantOf({ selected: 1 })).toBeNull();
  });
});

describe("Kendall's rank correlation", () => {
  it("is 1 for the same order and -1 for the opposite one", () => {
    expect(
      kendallTau([
        [1, 10],
        [2, 20],
        [3, 30],
      ]),
    ).toBe(1);
    expect(
      kendallTau([
        [1, 30],
        [2, 20],
        [3, 10],
      ]),
    ).toBe(-1);
  });

  it("loses a third for one inverted pair of six", () => {
    expect(
      kendallTau([
        [1, 1],
        [2, 3],
        [3, 2],
        [4, 4],
      ]),
    ).toBeCloseTo(4 / 6, 12);
  });

  it("counts ties on one side by tau-b", () => {
    // Pairs: 2 agree, none disagree, 1 tied in a: 2 / sqrt((3 - 1) * 3).
    expect(
      kendallTau([
        [1, 1],
        [1, 2],
        [2, 3],
      ]),
    ).toBeCloseTo(2 / Math.sqrt(6), 12);
  });

  it("has no value without an order", () => {
    expect(kendallTau([[1, 1]])).toBeNull();
    expect(
      kendallTau([
        [1, 1],
        [1, 2],
      ]),
    ).toBeNull();
  });
});

describe("the order that runs decide", () => {
  it("leaves out pairs that runs put in both orders", () => {
    const launches = [
      { simulatedMs: 1, runsMs: [1, 1.1] },
      { simulatedMs: 3, runsMs: [2, 3] },
      { simulatedMs: 2, runsMs: [2.5] },
    ];
    expect(decidedOrder(launches)).toEqual({ pairs: 2, of: 3, tau: 1 });
  });

  it("counts a pair against the model that all runs put in the other order", () => {
    const launches = [
      { simulatedMs: 2, runsMs: [1, 1.1] },
      { simulatedMs: 1, runsMs: [2, 3] },
    ];
    expect(decidedOrder(launches)).toEqual({ pairs: 1, of: 1, tau: -1 });
  });

  it("has no tau where no pair is decided", () => {
    const launches = [
      { simulatedMs: 2, runsMs: [1, 3] },
      { simulatedMs: 1, runsMs: [3] },
    ];
    expect(decidedOrder(launches)).toEqual({ pairs: 0, of: 1, tau: null });
  });
});
