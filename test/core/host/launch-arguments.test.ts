/** Arguments of a launch: bound by name, converted as C converts them, refused where CUDA's compiler would. */
import { describe, expect, it } from "vitest";
import { f32, f64, float4, i32, i64, type Kernel, kernel, ptr, u32, u64 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";
import type { LaunchArgument, LaunchArguments } from "../../../src/core/host/launch-arguments.js";

const gpu = new Gpu("v100", { memoryBytes: 16 << 20 });
const one = { grid: 1, block: 1 };

const copyFirst: Kernel = kernel(
  "copyFirst",
  { params: { input: ptr(i32), output: ptr(i32), n: i32 } },
  ({ input, output, n }, { threadIdx }) => {
    if (threadIdx.x < n) output[threadIdx.x] = input[threadIdx.x];
  },
);

/** What a kernel finds in a parameter of each type. */
const keepI32: Kernel = kernel("keepI32", { params: { value: i32, output: ptr(i32) } }, ({ value, output }) => {
  output[0] = value;
});
const keepU32: Kernel = kernel("keepU32", { params: { value: u32, output: ptr(u32) } }, ({ value, output }) => {
  output[0] = value;
});
const keepF32: Kernel = kernel("keepF32", { params: { value: f32, output: ptr(f32) } }, ({ value, output }) => {
  output[0] = value;
});
const keepF64: Kernel = kernel("keepF64", { params: { value: f64, output: ptr(f64) } }, ({ value, output }) => {
  output[0] = value;
});
const keepI64: Kernel = kernel("keepI64", { params: { value: i64, output: ptr(i64) } }, ({ value, output }) => {
  output[0] = value;
});
const keepU64: Kernel = kernel("keepU64", { params: { value: u64, output: ptr(u64) } }, ({ value, output }) => {
  output[0] = value;
});
const sumOfVectors: Kernel = kernel(
  "sumOfVectors",
  { params: { vectors: ptr(float4), output: ptr(f32) } },
  ({ vectors, output }, { threadIdx }) => {
    const v = vectors[threadIdx.x];
    output[threadIdx.x] = v.x + v.y + v.z + v.w;
  },
);

function kept(keeper: Kernel, type: Parameters<Gpu["alloc"]>[0], value: LaunchArgument): number | bigint | undefined {
  const output = gpu.alloc(type, 1);
  gpu.launch(keeper, one, { value, output });
  const result: ArrayLike<number | bigint> = output.read();
  return result[0];
}

const input = gpu.upload(Int32Array.of(1, 2, 3));
const output = gpu.alloc(i32, 3);

function launchWith(changes: LaunchArguments): () => unknown {
  return () => gpu.launch(copyFirst, { grid: 1, block: 32 }, { input, output, n: 3, ...changes });
}

describe("the arguments of a launch", () => {
  it("are bound by their names, in whatever order they stand", () => {
    const target = gpu.alloc(i32, 3);
    gpu.launch(copyFirst, { grid: 1, block: 32 }, { n: 3, output: target, input });
    expect([...target.read()]).toEqual([1, 2, 3]);
  });

  it("that are missing are named", () => {
    expect(() => gpu.launch(copyFirst, one, { input, n: 3 })).toThrow(/copyFirst: no argument for parameter output/);
  });

  it("that the kernel does not have are named, with those that it has", () => {
    expect(launchWith({ size: 3 })).toThrow(/copyFirst has no parameter size\.\nIts parameters are input, output, n/);
  });

  it("are refused where a number stands for a buffer, and a buffer for a number", () => {
    expect(launchWith({ input: 3 })).toThrow(/parameter input is int\*, but 3 was given/);
    expect(launchWith({ n: input })).toThrow(/parameter n is int, but a buffer was given/);
  });

  it("are refused where the buffer holds another type", () => {
    expect(launchWith({ input: gpu.alloc(f32, 3) })).toThrow(/input is int\*, but the buffer holds float/);
    expect(launchWith({ input: gpu.alloc(u32, 3) })).toThrow(/input is int\*, but the buffer holds unsigned int/);
  });

  it("may be a buffer of scalars for a pointer to vectors of them", () => {
    const vectors = gpu.upload(Float32Array.from({ length: 8 }, (_, i) => i));
    const sums = gpu.alloc(f32, 2);
    gpu.launch(sumOfVectors, { grid: 1, block: 2 }, { vectors, output: sums });
    expect([...sums.read()]).toEqual([6, 22]);
  });

  it("of vectors do not reach into a last incomplete one", () => {
    const vectors = gpu.upload(new Float32Array(7));
    const launch = (): unknown =>
      gpu.launch(sumOfVectors, { grid: 1, block: 2 }, { vectors, output: gpu.alloc(f32, 2) });
    expect(launch).toThrow(/reads vectors\[1\], but vectors has 1 float4 elements/);
  });

  it("are refused where the buffer lives on another GPU", () => {
    const other = new Gpu("v100", { memoryBytes: 1 << 20 }).upload(Int32Array.of(1, 2, 3));
    expect(launchWith({ input: other })).toThrow(/given as input lives on another GPU/);
  });

  it("are refused where the buffer was freed", () => {
    const freed = gpu.alloc(i32, 3);
    freed.free();
    expect(launchWith({ output: freed })).toThrow(/given as output was freed/);
  });

  it("leave memory as it is when one is refused", () => {
    const target = gpu.alloc(i32, 3).fill(9);
    expect(launchWith({ output: target, n: 0.5 })).toThrow();
    expect([...target.read()]).toEqual([9, 9, 9]);
  });
});

describe("a number given to a parameter", () => {
  it("of int reaches the kernel from -2^31 to 2^31 - 1", () => {
    for (const value of [-(2 ** 31), -1, 0, 2 ** 31 - 1]) expect(kept(keepI32, i32, value)).toBe(value);
  });

  it("of unsigned int reaches the kernel from 0 to 2^32 - 1", () => {
    for (const value of [0, 2 ** 31, 2 ** 32 - 1]) expect(kept(keepU32, u32, value)).toBe(value);
  });

  it("of 64 bits reaches the kernel whole, as bigint or as number", () => {
    expect(kept(keepI64, i64, -(2n ** 63n))).toBe(-(2n ** 63n));
    expect(kept(keepU64, u64, 2n ** 64n - 1n)).toBe(2n ** 64n - 1n);
    expect(kept(keepI64, i64, -(2 ** 53))).toBe(-(2n ** 53n));
  });

  it("of float is rounded to the nearest float", () => {
    expect(kept(keepF32, f32, 0.1)).toBe(Math.fround(0.1));
    expect(kept(keepF32, f32, 2 ** 24 + 1)).toBe(2 ** 24);
    expect(kept(keepF32, f32, 1e39)).toBe(Number.POSITIVE_INFINITY);
    expect(kept(keepF32, f32, -0)).toBe(-0);
    expect(kept(keepF32, f32, Number.NaN)).toBeNaN();
  });

  it("of double stays as it is", () => {
    for (const value of [0.1, 1e39, 5e-324, -0]) expect(kept(keepF64, f64, value)).toBe(value);
  });

  it("of int that lies outside is refused, not wrapped", () => {
    for (const value of [2 ** 31, -(2 ** 31) - 1, 2 ** 32, 1e20]) {
      expect(() => kept(keepI32, i32, value)).toThrow(/value is int, but -?\d+ is outside -2147483648 to 2147483647/);
    }
    for (const value of [-1, 2 ** 32]) {
      expect(() => kept(keepU32, u32, value)).toThrow(/is outside 0 to 4294967295/);
    }
    expect(() => kept(keepI64, i64, 2n ** 63n)).toThrow(/is outside/);
    expect(() => kept(keepU64, u64, -1n)).toThrow(/is outside/);
  });

  it("of int that is no whole number is refused, not cut off", () => {
    for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => kept(keepI32, i32, value)).toThrow(/is not an integer/);
    }
  });

  it("may be a boolean, which C takes for 0 or 1", () => {
    expect([kept(keepI32, i32, true), kept(keepF32, f32, false)]).toEqual([1, 0]);
  });

  for (const [name, wrong] of [
    ["a string", "12"],
    ["null", null],
    ["an array", [1]],
    ["an object", { x: 1 }],
  ] as const) {
    it(`is refused where it is ${name}`, () => {
      const given: unknown = wrong;
      for (const [keeper, type] of [
        [keepI32, i32],
        [keepF32, f32],
        [keepF64, f64],
        [keepI64, i64],
      ] as const) {
        expect(() => kept(keeper, type, given as number)).toThrow(/was given\.\nGive it a number/);
      }
    });
  }
});
