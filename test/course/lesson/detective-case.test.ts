import { describe, expect, test } from "vitest";
import { detectiveCase, explain, Gpu, lineProfile, metric } from "../../../src/index.js";

const gpu = new Gpu("v100");

describe("a detective's case", () => {
  test.each([1, 2, 3])("%i: explain finds its cause, at its line, and the kernel's name tells nothing", (number) => {
    const { launch, cause, line } = detectiveCase(gpu, number);
    const finding = explain(launch).findings.find(({ rule }) => rule === cause);
    // A loop's line, or one within it.
    expect(Math.abs((finding?.line?.line ?? 0) - line)).toBeLessThanOrEqual(2);
    expect(launch.kernel).toBe("suspect");
    expect(lineProfile(launch).lines.map((each) => each.line)).toContain(line);
  });

  test("1 has perfect branches and loads, and one lane of 32 in most instructions", () => {
    const { launch } = detectiveCase(gpu, 1);
    expect(metric(launch, "branch_efficiency").value).toBe(100);
    expect(metric(launch, "gld_efficiency").value).toBe(100);
    expect(metric(launch, "warp_execution_efficiency").value).toBeLessThan(20);
  });

  test("that there is not is refused with the numbers that there are", () => {
    expect(() => detectiveCase(gpu, 4)).toThrow(/from 1 to 3/);
  });
});
