/** Numbers that no hardware has are refused with the field and its range. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import { checkDevice, type DeviceSpec, deviceById } from "../../../src/core/device/index.js";

const h200 = deviceById("h200");

/** The H200 with another number. */
function withNumber(path: string, value: number): DeviceSpec {
  const [group = "", field] = path.split(".");
  if (field === undefined) return { ...h200, [group]: value };
  const inner = h200[group as keyof DeviceSpec] as object;
  return { ...h200, [group]: { ...inner, [field]: value } };
}

function refusal(spec: DeviceSpec): string {
  try {
    checkDevice(spec);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return "taken";
}

describe("a device", () => {
  it.each([
    ["smClockMHz", 1e18, "1 to 20000"],
    ["smClockMHz", 1e-3, "1 to 20000"],
    ["dram.peakBandwidthGBps", 1e-12, "0.01 to 1000000"],
    ["dram.latencyCycles", 1e20, "0 to 100000"],
    ["smCount", 1e6, "1 to 4096"],
    ["l2.sizeBytes", 2 ** 50, "0 to 68719476736"],
    ["launch.emptyKernelEventMicroseconds", 1e12, "0 to 1000000"],
    ["atomics.sameAddressIntervalCycles", 1e-9, "0.001 to 100000"],
  ])("whose %s is %d is refused with the field and its range", (field, value, range) => {
    const message = refusal(withNumber(field, value));
    expect(message).toContain(field);
    expect(message).toContain(range);
  });

  it("with five times the clock or a hundred times the bandwidth would be taken, and so is the H200 itself", () => {
    expect(refusal(withNumber("dram.peakBandwidthGBps", 100 * h200.dram.peakBandwidthGBps))).toBe("taken");
    expect(refusal(withNumber("smClockMHz", 5 * h200.smClockMHz))).toBe("taken");
    expect(refusal({ ...h200 })).toBe("taken");
  });
});
