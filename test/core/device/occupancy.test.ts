import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { h200 } from "../../../src/core/device/gpus/h200.js";
import {
  gtx970,
  m2070,
  modifyDevice,
  type OccupancySpec,
  occupancy,
  occupancyDeviceById,
  occupancyDevices,
  unlimitedBlocks,
} from "../../../src/core/device/index.js";

/** Rows of NVIDIA's own calculator: occupancy/occupancy.csv by cuda_occupancy.h of CUDA 13.0, occupancy/occupancy-fermi.csv by that of CUDA 7.0. */
function calculatorRows(file: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`../../reference/${file}`, import.meta.url), "utf8");
  return text
    .split("\n")
    .slice(1)
    .filter((line) => line !== "")
    .map((line) => line.split(","));
}

const IDS: Readonly<Record<string, string>> = { RTX4080Laptop: "rtx4080-laptop" };

function deviceOf(name: string): OccupancySpec {
  return occupancyDeviceById(IDS[name] ?? name);
}

function computedRow(row: readonly string[]): string {
  const [name = "", ...cells] = row;
  const [threadsPerBlock = 0, registersPerThread = 0, staticSharedBytes = 0, dynamicSharedBytes = 0] =
    cells.map(Number);
  const result = occupancy(deviceOf(name), {
    threadsPerBlock,
    registersPerThread,
    staticSharedBytes,
    dynamicSharedBytes,
  });
  const { limits } = result;
  const numbers = [
    threadsPerBlock,
    registersPerThread,
    staticSharedBytes,
    dynamicSharedBytes,
    result.activeBlocksPerSm,
    result.activeWarpsPerSm,
    limits.registers,
    limits.sharedMemory,
    limits.warps,
    limits.blocks,
  ];
  return `${name},${numbers.join(",")},${result.limitingFactors.map((factor) => `${factor} `).join("")}`;
}

describe("occupancy against NVIDIA's calculator", () => {
  for (const [file, count] of [
    ["occupancy/occupancy.csv", 600],
    ["occupancy/occupancy-fermi.csv", 200],
  ] as const) {
    const rows = calculatorRows(file);
    it(`has the ${count} rows of ${file}`, () => expect(rows.length).toBe(count));
    for (const name of new Set(rows.map(([device = ""]) => device))) {
      it(`gives all columns of each row of ${name} in ${file}`, () => {
        const own = rows.filter(([device]) => device === name);
        expect(own.map(computedRow)).toEqual(own.map((row) => row.join(",")));
      });
    }
  }
});

describe("occupancy by hand", () => {
  it("is 40 of 64 warps for 128 threads of 48 registers and 4096 bytes on a GTX 970, as the notes work it out", () => {
    const result = occupancy(gtx970, { threadsPerBlock: 128, registersPerThread: 48, staticSharedBytes: 4096 });
    expect(result.activeWarpsPerSm).toBe(40);
    expect(result.theoreticalOccupancy).toBe(0.625);
    expect(result.limitingFactors).toEqual(["registers"]);
    expect(result.limits.sharedMemory).toBe(24);
  });

  it("is full on the M2070 for 192 threads of 20 registers: 8 blocks of 6 warps, 20 x 32 = 640 registers a warp", () => {
    const result = occupancy(m2070, { threadsPerBlock: 192, registersPerThread: 20 });
    expect(result.activeBlocksPerSm).toBe(8);
    expect(result.theoreticalOccupancy).toBe(1);
    expect(result.allocatedRegistersPerBlock).toBe(3840);
  });

  it("falls on the M2070 from 20 to 21 registers a thread: 768 instead of 704 a warp, 21 warps a half, 42 in all", () => {
    const result = occupancy(m2070, { threadsPerBlock: 192, registersPerThread: 21 });
    expect(result.allocatedRegistersPerBlock).toBe(768 * 6);
    expect(result.activeWarpsPerSm).toBe(42);
  });

  it("is two thirds on the M2070 for blocks of 128, since an SM holds 8 blocks", () => {
    const result = occupancy(m2070, { threadsPerBlock: 128, registersPerThread: 10 });
    expect(result.theoreticalOccupancy).toBeCloseTo(2 / 3);
    expect(result.limitingFactors).toEqual(["blocks"]);
  });

  it("is whole on the M2070 for three blocks of 512 threads with 2048 bytes each", () => {
    const result = occupancy(m2070, { threadsPerBlock: 512, registersPerThread: 20, dynamicSharedBytes: 2048 });
    expect(result.activeBlocksPerSm).toBe(3);
    expect(result.limits.sharedMemory).toBe(24);
  });

  it("sets no limit by shared memory where none is taken", () => {
    expect(occupancy(m2070, { threadsPerBlock: 32, registersPerThread: 8 }).limits.sharedMemory).toBe(unlimitedBlocks);
  });

  it("counts the reserved kilobyte of each block on the H200: 228 blocks of 0 bytes, 114 of 1024", () => {
    const bytes = (dynamicSharedBytes: number): number =>
      occupancy(h200, { threadsPerBlock: 32, registersPerThread: 16, dynamicSharedBytes }).limits.sharedMemory;
    expect(bytes(0)).toBe(228);
    expect(bytes(1024)).toBe(114);
  });

  it("lets a kernel that opts in take 100 KiB on the H200, and none that does not", () => {
    const launch = { threadsPerBlock: 256, registersPerThread: 16, dynamicSharedBytes: 102400 };
    expect(occupancy(h200, launch).activeBlocksPerSm).toBe(0);
    expect(occupancy(h200, { ...launch, dynamicSharedOptInBytes: 102400 }).activeBlocksPerSm).toBe(2);
  });

  it("holds fewer blocks with a smaller carve-out", () => {
    const launch = {
      threadsPerBlock: 64,
      registersPerThread: 16,
      dynamicSharedBytes: 15360,
      sharedCarveoutBytes: 65536,
    };
    expect(occupancy(h200, launch).limits.sharedMemory).toBe(4);
  });

  it("limits by barriers on the H200: 64 for an SM", () => {
    const result = occupancy(h200, { threadsPerBlock: 32, registersPerThread: 16, barriers: 16 });
    expect(result.activeBlocksPerSm).toBe(4);
    expect(result.limitingFactors).toEqual(["barriers"]);
  });

  it("doubles the warps of a device with twice the registers", () => {
    const launch = { threadsPerBlock: 256, registersPerThread: 128 };
    const twice = modifyDevice(h200, { limits: { registersPerSm: 131072, registersPerBlock: 131072 } });
    expect(occupancy(h200, launch).activeWarpsPerSm).toBe(16);
    expect(occupancy(twice, launch).activeWarpsPerSm).toBe(32);
  });

  it("refuses a carve-out that the GPU does not have", () => {
    const launch = { threadsPerBlock: 64, registersPerThread: 16, sharedCarveoutBytes: 50000 };
    expect(() => occupancy(h200, launch)).toThrow(/sharedCarveoutBytes one of 0, 8192/);
  });

  it.each([
    ["threadsPerBlock", { threadsPerBlock: 0, registersPerThread: 8 }],
    ["registersPerThread", { threadsPerBlock: 32, registersPerThread: 8.5 }],
    ["dynamicSharedBytes", { threadsPerBlock: 32, registersPerThread: 8, dynamicSharedBytes: -4 }],
    ["staticSharedBytes", { threadsPerBlock: 32, registersPerThread: 8, staticSharedBytes: Number.NaN }],
  ])("names %s when it is no count", (name, launch) => {
    expect(() => occupancy(h200, launch)).toThrow(name);
  });
});

describe("occupancy of any launch", () => {
  const launches = fc.record({
    device: fc.constantFrom(...occupancyDevices),
    threadsPerBlock: fc.integer({ min: 1, max: 1024 }),
    registersPerThread: fc.integer({ min: 1, max: 63 }),
    dynamicSharedBytes: fc.integer({ min: 0, max: 49152 }),
  });

  it("never takes more warps, registers or shared memory than an SM has", () => {
    fc.assert(
      fc.property(launches, ({ device, ...launch }) => {
        const result = occupancy(device, launch);
        const { limits } = device;
        expect(result.activeWarpsPerSm).toBeLessThanOrEqual(limits.maxWarpsPerSm);
        expect(result.activeBlocksPerSm).toBeLessThanOrEqual(limits.maxBlocksPerSm);
        expect(result.activeBlocksPerSm * result.allocatedRegistersPerBlock).toBeLessThanOrEqual(limits.registersPerSm);
        expect(result.activeBlocksPerSm * result.allocatedSharedBytesPerBlock).toBeLessThanOrEqual(
          limits.sharedBytesPerSm,
        );
      }),
      { seed: 1 },
    );
  });

  it("never rises with more registers a thread, but for Fermi's odd counts", () => {
    fc.assert(
      fc.property(launches, ({ device, ...launch }) => {
        fc.pre(device.limits.doubleUnitRegisterCounts.length === 0);
        const more = occupancy(device, { ...launch, registersPerThread: launch.registersPerThread + 1 });
        expect(more.activeBlocksPerSm).toBeLessThanOrEqual(occupancy(device, launch).activeBlocksPerSm);
      }),
      { seed: 2 },
    );
  });
});
