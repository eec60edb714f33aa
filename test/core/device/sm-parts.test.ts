import { describe, expect, it } from "vitest";
import { deviceById, devices, smParts } from "../../../src/core/device/index.js";

const lanes = (id: string): Readonly<Record<string, number>> =>
  Object.fromEntries(smParts(deviceById(id)).units.map(({ title, lanesPerSm }) => [title, lanesPerSm]));

describe("the parts of an SM", () => {
  it("are those of NVIDIA's whitepapers, for a Fermi GF100", () => {
    // 32 cores of an integer and a floating-point unit each, 16 double fused multiply-adds a clock, 4 SFUs, 16 load/store units.
    expect(lanes("m2070")).toEqual({ INT: 32, FP32: 32, FP64: 16, SFU: 4, "LD/ST": 16 });
    expect(smParts(deviceById("m2070"))).toMatchObject({ schedulers: 2, warpsPerScheduler: 24, lanesClock: 2 });
  });

  it("are those of NVIDIA's whitepapers, for a Volta GV100", () => {
    // 64 INT32, 64 FP32, 32 FP64 cores, 16 SFUs, 32 load/store units, in four partitions.
    expect(lanes("v100")).toEqual({ INT: 64, FP32: 64, FP64: 32, SFU: 16, "LD/ST": 32 });
    expect(smParts(deviceById("v100"))).toMatchObject({ schedulers: 4, warpsPerScheduler: 16, lanesClock: 1 });
  });

  it("have whole numbers of lanes, warps and registers on every GPU", () => {
    for (const device of devices) {
      const { units, warpsPerScheduler, registersPerScheduler } = smParts(device);
      for (const count of [warpsPerScheduler, registersPerScheduler, ...units.map((unit) => unit.lanesPerSm)]) {
        expect(Number.isInteger(count) && count > 0, device.id).toBe(true);
      }
    }
  });
});
