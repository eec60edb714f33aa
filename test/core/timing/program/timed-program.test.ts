import { describe, expect, it } from "vitest";
import { h200, v100 } from "../../../../src/core/device/index.js";
import type { DeviceSpec } from "../../../../src/core/device/spec.js";
import { i32, kernel, ptr } from "../../../../src/core/frontend/index.js";
import { lower } from "../../../../src/core/lower/lower.js";
import { timedProgram } from "../../../../src/core/timing/program/timed-program.js";

const double = kernel("double", { params: { data: ptr(i32) } }, ({ data }, { threadIdx }) => {
  data[threadIdx.x]! *= 2;
});
const program = lower(double.ir, { computeCapability: h200.computeCapability, contractFma: true });

describe("what timing needs of a program and a device", () => {
  it("is made once", () => {
    expect(timedProgram(program, h200)).toBe(timedProgram(program, h200));
  });

  it("is another device's own", () => {
    expect(timedProgram(program, v100).microcode.latency).not.toEqual(timedProgram(program, h200).microcode.latency);
  });

  it("follows a device's numbers where they can change", () => {
    const slow = { ...h200, l1: { ...h200.l1 }, pipes: { ...h200.pipes, lsu: { ...h200.pipes.lsu } } };
    const changing: DeviceSpec = slow;
    const intervals = (): readonly number[] => [...timedProgram(program, changing).microcode.interval];
    const before = intervals();
    slow.pipes.lsu = { ...slow.pipes.lsu, issueIntervalCycles: 7 };
    expect(before).not.toContain(7);
    expect(intervals()).toContain(7);
  });
});
