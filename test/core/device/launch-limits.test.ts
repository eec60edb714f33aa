import { describe, expect, it } from "vitest";
import { InputError, LaunchError } from "../../../src/core/base/errors.js";
import {
  checkLaunch,
  h200,
  type LaunchConfiguration,
  m2070,
  type OccupancySpec,
  v100,
} from "../../../src/core/device/index.js";

const fine: LaunchConfiguration = {
  kernel: "reduce",
  grid: [65536, 1, 1],
  block: [256, 1, 1],
  dynamicSharedBytes: 1024,
  registersPerThread: 12,
};

function refusal(spec: OccupancySpec, change: Partial<LaunchConfiguration>): LaunchError {
  try {
    checkLaunch(spec, { ...fine, ...change });
  } catch (error) {
    if (error instanceof LaunchError) return error;
    throw error;
  }
  throw new Error("the launch was allowed");
}

describe("launches that CUDA allows", () => {
  it("lets the labs' launch pass on every generation", () => {
    for (const spec of [v100, h200]) expect(() => checkLaunch(spec, fine)).not.toThrow();
    expect(() => checkLaunch(m2070, { ...fine, grid: [32768, 2, 1] })).not.toThrow();
  });

  it("lets a block of 1024 x 1 x 1 and one of 16 x 1 x 64 pass", () => {
    for (const block of [
      [1024, 1, 1],
      [16, 1, 64],
    ] as const) {
      expect(() => checkLaunch(v100, { ...fine, block })).not.toThrow();
    }
  });

  it("lets exactly 48 KiB of shared memory pass, static and dynamic together", () => {
    expect(() => checkLaunch(v100, { ...fine, staticSharedBytes: 1024, dynamicSharedBytes: 48128 })).not.toThrow();
  });

  it("lets a kernel that opted in take 96 KiB on the V100", () => {
    const launch = { ...fine, dynamicSharedBytes: 98304, dynamicSharedOptInBytes: 98304 };
    expect(() => checkLaunch(v100, launch)).not.toThrow();
  });
});

describe("launches that CUDA refuses as cudaErrorInvalidConfiguration", () => {
  it.each<readonly [string, OccupancySpec, Partial<LaunchConfiguration>, RegExp]>([
    ["a grid of 0 blocks", v100, { grid: [0, 1, 1] }, /grid\.x is 0/],
    ["a block of 0 threads", v100, { block: [32, 0, 1] }, /block\.y is 0/],
    ["2048 threads along x", v100, { block: [2048, 1, 1] }, /block\.x is 2048.*allows 1024/],
    ["32 x 33 threads", v100, { block: [32, 33, 1] }, /32 x 33 x 1 = 1056 threads.*allows 1024/],
    ["65 threads along z", v100, { block: [1, 1, 65] }, /block\.z is 65.*allows 64/],
    ["65536 blocks along y", v100, { grid: [1, 65536, 1] }, /grid\.y is 65536.*allows 65535/],
    ["65536 blocks along x on Fermi", m2070, {}, /grid\.x is 65536.*allows 65535/],
  ])("%s", (_what, spec, change, text) => {
    const error = refusal(spec, change);
    expect(error.code).toBe("cudaErrorInvalidConfiguration");
    expect(error.what).toContain("invalid configuration argument");
    expect(error.what).toContain("reduce");
    expect(error.what).toMatch(text);
    expect(error.cure).not.toBe("");
  });
});

describe("launches that CUDA refuses as cudaErrorInvalidValue", () => {
  it("more dynamic shared memory than 48 KiB without opting in, and says that it may opt in", () => {
    const error = refusal(v100, { dynamicSharedBytes: 65536 });
    expect(error.code).toBe("cudaErrorInvalidValue");
    expect(error.what).toContain("65536 bytes");
    expect(error.cure).toContain("cudaFuncAttributeMaxDynamicSharedMemorySize");
  });

  it("more than the GPU has for a block, without that advice", () => {
    const error = refusal(m2070, { grid: [1, 1, 1], dynamicSharedBytes: 65536 });
    expect(error.code).toBe("cudaErrorInvalidValue");
    expect(error.cure).toContain("49152");
    expect(error.cure).not.toContain("opt in");
  });

  it("opting in to more than there is", () => {
    expect(refusal(v100, { dynamicSharedOptInBytes: 131072 }).what).toContain("opts in to 131072");
  });

  it("more than it opted in to", () => {
    const error = refusal(h200, { dynamicSharedBytes: 70000, dynamicSharedOptInBytes: 65536 });
    expect(error.what).toContain("65536 are allowed");
  });

  it("static arrays of more than 48 KiB", () => {
    expect(refusal(h200, { staticSharedBytes: 50000 }).what).toContain("50000 bytes of static shared memory");
  });
});

describe("launches that CUDA refuses as cudaErrorLaunchOutOfResources", () => {
  it("1024 threads of 128 registers: 131072, but a block has 65536", () => {
    const error = refusal(v100, { block: [1024, 1, 1], registersPerThread: 128 });
    expect(error.code).toBe("cudaErrorLaunchOutOfResources");
    expect(error.what).toContain("too many resources requested for launch");
    expect(error.what).toContain("131072 registers");
    expect(error.what).toContain("65536");
  });

  it("100 registers a thread on Fermi, which has 63", () => {
    const error = refusal(m2070, { grid: [1, 1, 1], registersPerThread: 100 });
    expect(error.code).toBe("cudaErrorLaunchOutOfResources");
    expect(error.what).toContain("63");
  });
});

describe("cooperative launches", () => {
  it("are refused when not all blocks are resident at once: 8 of 256 threads on each of 80 SMs", () => {
    const error = refusal(v100, { cooperative: true, grid: [641, 1, 1] });
    expect(error.code).toBe("cudaErrorCooperativeLaunchTooLarge");
    expect(error.what).toContain("640");
    expect(() => checkLaunch(v100, { ...fine, cooperative: true, grid: [640, 1, 1] })).not.toThrow();
  });
});

describe("launches with numbers that are no counts", () => {
  it.each([
    ["grid.x", { grid: [1.5, 1, 1] }],
    ["block.y", { block: [32, -1, 1] }],
    ["dynamicSharedBytes", { dynamicSharedBytes: Number.NaN }],
  ] as const)("name %s", (name, change) => {
    expect(() => checkLaunch(v100, { ...fine, ...change })).toThrow(InputError);
    expect(() => checkLaunch(v100, { ...fine, ...change })).toThrow(name);
  });
});
