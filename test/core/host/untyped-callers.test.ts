/** Mistakes that a type checker would find, made by a caller that has none, as in a notebook cell with `any`. */
import { afterEach, describe, expect, it } from "vitest";
import { i32, kernel, ptr } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
afterEach(() => gpu.reset());

const mark = kernel("mark", { params: { output: ptr(i32), n: i32 } }, ({ output, n }, { threadIdx }) => {
  output[threadIdx.x] = n;
});

type Loose = {
  launch(...given: readonly unknown[]): unknown;
  alloc(...given: readonly unknown[]): { fill(value: unknown): unknown };
};
const loose = gpu as unknown as Loose;

function launching(output: unknown, n: unknown = 1, config: unknown = { grid: 1, block: 32 }): () => unknown {
  return () => loose.launch(mark, config, { output, n });
}

describe("a buffer parameter", () => {
  it("given a typed array says how to copy it, and does not print it", () => {
    expect(launching(new Int32Array(1e6))).toThrow(
      "parameter output is int*, but an Int32Array was given.\nCopy the array to the GPU first: output: gpu.upload(array).",
    );
  });
  it("given something else names it", () => {
    expect(launching([1, 2])).toThrow("but an Array was given");
    expect(launching(null)).toThrow("but null was given");
    expect(launching(() => 1)).toThrow("but a function was given");
  });
});

describe("a configuration", () => {
  it("with a misspelt word says which is meant", () => {
    expect(launching(gpu.alloc(i32, 32), 1, { grid: 1, block: 32, shared: 64 })).toThrow("Did you mean sharedBytes?");
  });
  it("without a grid, or with a text, says so", () => {
    expect(launching(gpu.alloc(i32, 32), 1, { block: 32 })).toThrow("grid is missing");
    expect(launching(gpu.alloc(i32, 32), 1, { grid: "1", block: 32 })).toThrow('grid is "1"');
  });
  it("with four dimensions, or none, is refused", () => {
    expect(launching(gpu.alloc(i32, 32), 1, { grid: [1, 1, 1, 1], block: 32 })).toThrow("grid has 4 dimensions");
    expect(launching(gpu.alloc(i32, 32), 1, { grid: 1, block: [] })).toThrow("block has 0 dimensions");
  });
});

describe("other places", () => {
  it("an option that a GPU does not have is refused", () => {
    expect(() => new Gpu("v100", { memory: 5 } as never)).toThrow("there is no option memory");
  });
  it("a buffer is filled with numbers alone", () => {
    expect(() => loose.alloc(i32, 4).fill("x")).toThrow("buffer.fill was given string");
  });
  it("a parameter's type is one of the language", () => {
    const declare = (type: unknown) => () => kernel("k", { params: { a: type } } as never, (() => {}) as never);
    for (const type of [Int32Array, ptr, "int*", { type: "i32" }, 5])
      expect(declare(type)).toThrow("number or a pointer");
    expect(() => ptr(Int32Array as never)).toThrow("ptr: element is a function.\nGive a type, such as i32");
  });
});
