/** The device heap, against a list of what is in use, kept by the test. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import { ALLOCATION_ALIGNMENT_BYTES, Allocator } from "../../../src/core/host/allocator.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const UNIT = ALLOCATION_ALIGNMENT_BYTES;
const heap = (units: number): Allocator => new Allocator(0, units * UNIT);

describe("the device heap", () => {
  it("gives the first range that is large enough, not the best", () => {
    const allocator = heap(16);
    const [large, , small] = [4, 1, 2, 1].map((units) => allocator.allocate(units * UNIT));
    allocator.release(large ?? -1);
    allocator.release(small ?? -1);
    expect(allocator.allocate(2 * UNIT)).toBe(large);
  });

  it("aligns every address to 256 bytes, as cudaMalloc does", () => {
    const allocator = new Allocator(100, 100 * UNIT);
    const addresses = [1, 255, 257, 3].map((bytes) => allocator.allocate(bytes));
    expect(addresses).toEqual([UNIT, 2 * UNIT, 3 * UNIT, 5 * UNIT]);
  });

  it("gives two ranges of 0 bytes different addresses", () => {
    const allocator = heap(4);
    expect(allocator.allocate(0)).not.toBe(allocator.allocate(0));
  });

  for (const order of [
    [0, 1, 2],
    [2, 1, 0],
    [0, 2, 1],
    [1, 0, 2],
  ]) {
    it(`joins neighbours that were freed in the order ${order.join(", ")}`, () => {
      const allocator = heap(3);
      const addresses = [0, 1, 2].map(() => allocator.allocate(UNIT));
      for (const index of order) allocator.release(addresses[index] ?? -1);
      expect(allocator.largestFreeBytes).toBe(3 * UNIT);
      expect(allocator.allocate(3 * UNIT)).toBe(0);
    });
  }

  it("does not join ranges with a used one between them", () => {
    const allocator = heap(3);
    const [first, , last] = [0, 1, 2].map(() => allocator.allocate(UNIT));
    allocator.release(first ?? -1);
    allocator.release(last ?? -1);
    expect([allocator.freeBytes, allocator.largestFreeBytes]).toEqual([2 * UNIT, UNIT]);
    expect(() => allocator.allocate(2 * UNIT)).toThrow(/cudaErrorMemoryAllocation/);
  });

  it("refuses to free a range twice, or an address that it never gave", () => {
    const allocator = heap(4);
    const address = allocator.allocate(2 * UNIT);
    expect(allocator.release(address + UNIT)).toBe(false);
    expect(allocator.release(address)).toBe(true);
    expect(allocator.release(address)).toBe(false);
    expect(allocator.freeBytes).toBe(4 * UNIT);
  });

  it("is exhausted with cudaErrorMemoryAllocation, which says what is free and in what pieces", () => {
    const allocator = heap(4);
    allocator.allocate(3 * UNIT);
    expect(() => allocator.allocate(2 * UNIT)).toThrow(
      new RegExp(`cudaErrorMemoryAllocation: ${2 * UNIT} bytes do not fit: ${UNIT} bytes .* largest piece has ${UNIT}`),
    );
    expect(allocator.allocate(UNIT)).toBe(3 * UNIT);
  });

  it("never gives out a byte twice, and has all of them back at the end", () => {
    const action = fc.oneof(
      fc.record({ allocate: fc.integer({ min: 0, max: 6 * UNIT }) }),
      fc.record({ free: fc.nat(20) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const allocator = heap(32);
        const used: { start: number; end: number }[] = [];
        for (const step of actions) {
          if ("allocate" in step) {
            const bytes = step.allocate;
            try {
              const start = allocator.allocate(bytes);
              expect(start % UNIT).toBe(0);
              expect(start + bytes).toBeLessThanOrEqual(32 * UNIT);
              expect(used.some((range) => start < range.end && range.start < start + Math.max(bytes, 1))).toBe(false);
              used.push({ start, end: start + Math.max(bytes, 1) });
            } catch (error) {
              expect(error).toBeInstanceOf(InputError);
              expect(allocator.largestFreeBytes).toBeLessThan(Math.max(bytes, 1));
            }
          } else if (used.length > 0) {
            const [range] = used.splice(step.free % used.length, 1);
            expect(allocator.release(range?.start ?? -1)).toBe(true);
          }
        }
        for (const { start } of used) allocator.release(start);
        expect(allocator.largestFreeBytes).toBe(32 * UNIT);
      }),
      { numRuns: 200 },
    );
  });
});

describe("a GPU's memory", () => {
  it("is exhausted with cudaErrorMemoryAllocation, and the GPU goes on", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    const held = gpu.alloc({ type: "i32" }, 1000).fill(7);
    expect(() => gpu.alloc({ type: "i32" }, 1 << 18)).toThrow(/cudaErrorMemoryAllocation/);
    expect(held.read().every((value) => value === 7)).toBe(true);
    expect(gpu.alloc({ type: "i32" }, 1000).length).toBe(1000);
  });

  it("can be allocated again once it is free", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    for (let round = 0; round < 20; round++) {
      const buffer = gpu.alloc({ type: "f64" }, 60_000);
      buffer.free();
    }
    expect(gpu.allocatedBytes).toBe(0);
  });

  it("holds zeros where it is allocated again after something else was there", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    gpu.alloc({ type: "i32" }, 5000).fill(-1).free();
    expect(
      gpu
        .alloc({ type: "i32" }, 5000)
        .read()
        .every((value) => value === 0),
    ).toBe(true);
  });

  it("is all free after a reset, and the buffers are freed ones", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    const buffers = [1, 10, 100].map((length) => gpu.alloc({ type: "i32" }, length));
    expect(gpu.allocatedBytes).toBe(444);
    gpu.reset();
    expect(gpu.allocatedBytes).toBe(0);
    expect(() => buffers[1]?.read()).toThrow(/was freed/);
  });

  it("cannot be allocated for what is no type, or for bool", () => {
    const gpu = new Gpu("v100", { memoryBytes: 1 << 20 });
    for (const wrong of [undefined, "i32", {}, { type: "bool" }, { type: "int" }]) {
      const type: unknown = wrong;
      expect(() => gpu.alloc(type as { type: "i32" }, 4)).toThrow(/gpu\.alloc: type is .*\nGive one of i32, u32/);
    }
  });

  for (const length of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`cannot be allocated for ${length} elements`, () => {
      expect(() => new Gpu("v100").alloc({ type: "i32" }, length)).toThrow(/gpu\.alloc: .* elements/);
    });
  }
});
