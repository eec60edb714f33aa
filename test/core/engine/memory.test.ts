import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import { createDeviceMemory } from "../../../src/core/engine/memory.js";

const MIB = 1 << 20;

describe("device memory", () => {
  it("has the scratch area in front of the first free address, and never address 0 in either", () => {
    const memory = createDeviceMemory({ initialBytes: MIB, maximumBytes: 64 * MIB, shared: false });
    expect(memory.scratchAddress).toBeGreaterThan(0);
    expect(memory.firstFreeAddress).toBeGreaterThanOrEqual(memory.scratchAddress + memory.scratchBytes);
    expect(memory.byteLength).toBeGreaterThanOrEqual(memory.firstFreeAddress);
  });
  it("keeps its contents when it grows", () => {
    const memory = createDeviceMemory({ initialBytes: MIB, maximumBytes: 64 * MIB, shared: false, scratchBytes: 256 });
    new Uint8Array(memory.buffer)[5000] = 42;
    memory.grow(10 * MIB);
    expect([memory.byteLength, new Uint8Array(memory.buffer)[5000]]).toEqual([10 * MIB, 42]);
  });
  it("stands on a SharedArrayBuffer if asked", () => {
    const memory = createDeviceMemory({ initialBytes: MIB, maximumBytes: 8 * MIB, shared: true });
    expect(memory.buffer).toBeInstanceOf(SharedArrayBuffer);
  });
  it("refuses to grow past its maximum, with the cure", () => {
    const memory = createDeviceMemory({ initialBytes: MIB, maximumBytes: 8 * MIB, shared: false });
    expect(() => memory.grow(9 * MIB)).toThrow(InputError);
    expect(() => memory.grow(9 * MIB)).toThrow(/free buffers/);
  });
  it("refuses impossible sizes", () => {
    expect(() => createDeviceMemory({ initialBytes: 2 * MIB, maximumBytes: MIB, shared: false })).toThrow(InputError);
    expect(() => createDeviceMemory({ initialBytes: 0, maximumBytes: 2 ** 33, shared: false })).toThrow(InputError);
  });
});
