/**
 * Launches that CUDA refuses, under CUDA's names for the errors, and impossible options. Limits: CUDA C++ Programming
 * Guide, technical specifications per compute capability.
 */
import { describe, expect, it } from "vitest";
import { InputError, LaunchError } from "../../../src/core/base/errors.js";
import { f32, i32, type Kernel, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchConfig } from "../../../src/core/host/launch.js";

const mark: Kernel = kernel("mark", { params: { output: ptr(i32) } }, ({ output }, { threadIdx }) => {
  output[threadIdx.x] = 1;
});
const dynamic: Kernel = kernel(
  "dynamic",
  { params: { output: ptr(i32) } },
  ({ output }, { externShared, threadIdx, syncthreads, blockDim }) => {
    const values = externShared(i32);
    values[threadIdx.x] = threadIdx.x;
    syncthreads();
    output[threadIdx.x] = values[blockDim.x - 1 - threadIdx.x];
  },
);
const largeStatic: Kernel = kernel(
  "largeStatic",
  { params: { output: ptr(i32) } },
  ({ output }, { shared, threadIdx, syncthreads }) => {
    const values = shared(i32, 12289);
    values[threadIdx.x] = threadIdx.x;
    syncthreads();
    output[threadIdx.x] = values[threadIdx.x ^ 1];
  },
);

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
const output = gpu.alloc(i32, 1024);

function errorOf(launched: Kernel, config: LaunchConfig, on: Gpu = gpu): LaunchError {
  try {
    on.launch(launched, config, { output: on === gpu ? output : on.alloc(i32, 1024) });
  } catch (error) {
    if (error instanceof LaunchError) return error;
    throw error;
  }
  throw new Error("the launch was not refused");
}

describe("a launch", () => {
  it("of 1024 threads a block is taken, of 1025 refused as an invalid configuration, on a V100", () => {
    gpu.launch(mark, { grid: 1, block: 1024 }, { output });
    const error = errorOf(mark, { grid: 1, block: 1025 });
    expect(error.code).toBe("cudaErrorInvalidConfiguration");
    expect(error.message).toContain("invalid configuration argument. Kernel mark");
    expect(error.message).toContain("1024");
  });

  it("of 1024 threads is counted over all three axes", () => {
    gpu.launch(mark, { grid: 1, block: [16, 16, 4] }, { output });
    expect(errorOf(mark, { grid: 1, block: [16, 16, 5] }).what).toContain("16 x 16 x 5 = 1280 threads");
  });

  it("of a block deeper than 64 is refused though the threads are few", () => {
    expect(errorOf(mark, { grid: 1, block: [1, 1, 65] }).what).toContain("block.z is 65");
  });

  for (const config of [
    { grid: 0, block: 32 },
    { grid: 1, block: 0 },
    { grid: [1, 0], block: 32 },
    { grid: 1, block: [32, 1, 0] },
  ] satisfies LaunchConfig[]) {
    it(`with a zero in it is an invalid configuration: ${JSON.stringify(config)}`, () => {
      expect(errorOf(mark, config).code).toBe("cudaErrorInvalidConfiguration");
    });
  }

  it("of 65536 blocks is refused on Fermi along x and on all GPUs along y", () => {
    const fermi = new Gpu("m2070", { memoryBytes: 1 << 20 });
    expect(errorOf(mark, { grid: 65536, block: 1 }, fermi).what).toContain("grid.x is 65536");
    expect(errorOf(mark, { grid: [1, 65536], block: 1 }).what).toContain("grid.y is 65536");
    gpu.launch(mark, { grid: 65536, block: 1 }, { output });
  });

  it("of 48 KiB of dynamic shared memory is taken, of 4 bytes more refused as an invalid value", () => {
    gpu.launch(dynamic, { grid: 1, block: 64, sharedBytes: 49152 }, { output });
    const error = errorOf(dynamic, { grid: 1, block: 64, sharedBytes: 49156 });
    expect(error.code).toBe("cudaErrorInvalidValue");
    expect(error.message).toMatch(/49156 .*49152 are allowed/);
  });

  it("of more static shared memory than 48 KiB is refused", () => {
    expect(errorOf(largeStatic, { grid: 1, block: 64 }).what).toMatch(/49156 bytes of static shared memory/);
  });

  it("without dynamic shared memory for a kernel that uses it is refused, with the cure", () => {
    expect(() => gpu.launch(dynamic, { grid: 1, block: 64 }, { output })).toThrow(/sharedBytes/);
  });

  for (const config of [
    { grid: Number.NaN, block: 32 },
    { grid: 1, block: Number.NaN },
    { grid: 1.5, block: 32 },
    { grid: 1, block: -32 },
    { grid: Number.POSITIVE_INFINITY, block: 32 },
    { grid: 1, block: 32, sharedBytes: -4 },
    { grid: 1, block: 32, sharedBytes: Number.NaN },
    { grid: 1, block: 32, sharedBytes: 1.5 },
  ] satisfies LaunchConfig[]) {
    const shown = Object.entries(config).map(([name, value]) => `${name} ${value}`);
    it(`with ${shown.join(", ")} is refused as no number of anything`, () => {
      expect(() => gpu.launch(mark, config, { output })).toThrow(InputError);
      expect(() => gpu.launch(mark, config, { output })).toThrow(/whole number/);
    });
  }

  it("with a word of the configuration missing or misspelt is refused", () => {
    const missing: unknown = { block: 32 };
    expect(() => gpu.launch(mark, missing as LaunchConfig, { output })).toThrow(InputError);
    const misspelt: unknown = { grid: 1, block: 32, sharedbytes: 128 };
    expect(() => gpu.launch(mark, misspelt as LaunchConfig, { output })).toThrow(/sharedbytes/);
    const words = [{ cache: "hot" }, { schedule: {} }, { schedule: { seed: 0.5 } }, { schedule: "random" }];
    for (const word of words) {
      const config: unknown = { grid: 1, block: 32, ...word };
      expect(() => gpu.launch(mark, config as LaunchConfig, { output })).toThrow(InputError);
    }
  });

  it("without a kernel, a configuration or arguments says which is missing", () => {
    const none: unknown = undefined;
    const config = { grid: 1, block: 32 };
    const closure: unknown = () => 1;
    expect(() => gpu.launch(none as Kernel, config, { output })).toThrow(/gpu\.launch: kernel is missing/);
    expect(() => gpu.launch(closure as Kernel, config, { output })).toThrow(/kernel is a function/);
    expect(() => gpu.launch(mark, none as LaunchConfig, { output })).toThrow(
      /was given undefined for its options.\nIt takes { grid, block, /,
    );
    expect(() => gpu.launch(mark, config, none as { output: typeof output })).toThrow(/arguments is missing/);
  });

  it("that was refused has run nothing", () => {
    output.fill(0);
    errorOf(mark, { grid: 1, block: 2000 });
    expect(output.read().every((value) => value === 0)).toBe(true);
  });
});

describe("a GPU", () => {
  it("of an unknown name is refused with the names that exist", () => {
    expect(() => new Gpu("v1000")).toThrow(/v100/);
  });

  for (const value of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`has no memory or step limit of ${value}`, () => {
      expect(() => new Gpu("v100", { memoryBytes: value })).toThrow(/memoryBytes/);
      expect(() => new Gpu("v100", { stepLimit: value })).toThrow(/stepLimit/);
    });
  }
});

describe("static shared memory beyond what a block may have", () => {
  it("is refused at the line of the largest array, with the sizes of all", () => {
    const twoTiles: Kernel = kernel(
      "twoTiles",
      { params: { output: ptr(i32) } },
      ({ output }, { shared, threadIdx }) => {
        const small = shared(i32, 64);
        const tile = shared(f32, [128, 129]);
        small[threadIdx.x] = 1;
        tile[threadIdx.x][0] = 2.5;
        output[threadIdx.x] = small[threadIdx.x];
      },
    );
    const refused = errorOf(twoTiles, { grid: 1, block: 64 });
    expect(refused.code).toBe("cudaErrorInvalidValue");
    expect(refused.message).toContain("float tile[128][129]: 66048");
    expect(refused.message).toMatch(/const tile = shared\(.*\[128, 129\]\);\n.*\^\^\^\^/);
    expect(refused.cure).toContain("externShared(type)");
  });
});

describe("dynamic shared memory beyond 48 KiB", () => {
  it("needs the kernel to opt in, and the refusal says how", () => {
    const refused = errorOf(dynamic, { grid: 1, block: 32, sharedBytes: 65536 });
    expect(refused.code).toBe("cudaErrorInvalidValue");
    expect(refused.cure).toContain("sharedOptInBytes: 65536");
  });

  it("is there after that, and lowers the occupancy", () => {
    const { occupancy } = gpu.launch(
      dynamic,
      { grid: 1, block: 32, sharedBytes: 65536, sharedOptInBytes: 65536 },
      { output },
    );
    expect(output.read()[0]).toBe(31);
    // 96 KiB an SM.
    expect(occupancy.activeBlocksPerSm).toBe(1);
  });

  it("is refused beyond what the GPU has, opted in or not", () => {
    const config = { grid: 1, block: 32, sharedBytes: 120_000, sharedOptInBytes: 120_000 };
    expect(errorOf(dynamic, config).message).toContain("98304 for a block");
  });
});

it("a block of 2048 threads is refused with a cure that helps", () => {
  const refused = errorOf(mark, { grid: 1, block: 2048 });
  expect(refused.message).toContain("block.x is 2048, but");
  expect(refused.cure).toBe("Use smaller blocks and a larger grid; block.x may be 1024 at most.");
});
