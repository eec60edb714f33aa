/** Buffers: copies both ways, and every misuse of them told by its cause. */
import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/core/base/errors.js";
import { f32, f64, float4, i32, i64, int2, u32, u64 } from "../../../src/core/frontend/index.js";
import { Gpu } from "../../../src/core/host/gpu.js";

const gpu = new Gpu("v100", { memoryBytes: 16 << 20 });

describe("a buffer", () => {
  it("holds zeros when it is new", () => {
    expect([...gpu.alloc(i32, 5).read()]).toEqual([0, 0, 0, 0, 0]);
  });

  it("gives back what was written, for every element type", () => {
    const ints = Int32Array.of(-(2 ** 31), -1, 0, 2 ** 31 - 1);
    const unsigned = Uint32Array.of(0, 1, 2 ** 32 - 1);
    const floats = Float32Array.of(-0, 1e-45, Math.PI, Number.POSITIVE_INFINITY);
    const doubles = Float64Array.of(5e-324, Math.PI, -0);
    const longs = BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n);
    const unsignedLongs = BigUint64Array.of(0n, 2n ** 64n - 1n);
    expect(gpu.alloc(i32, 4).write(ints).read()).toEqual(ints);
    expect(gpu.alloc(u32, 3).write(unsigned).read()).toEqual(unsigned);
    expect(gpu.alloc(f32, 4).write(floats).read()).toEqual(floats);
    expect(gpu.alloc(f64, 3).write(doubles).read()).toEqual(doubles);
    expect(gpu.alloc(i64, 2).write(longs).read()).toEqual(longs);
    expect(gpu.alloc(u64, 2).write(unsignedLongs).read()).toEqual(unsignedLongs);
  });

  it("keeps the payload of a NaN", () => {
    const bits = Uint32Array.of(0x7fc01234, 0xff812345);
    const buffer = gpu.upload(new Float32Array(bits.buffer));
    expect(new Uint32Array(buffer.read().buffer)).toEqual(bits);
  });

  it("of vectors counts vectors, and is read as their scalars", () => {
    const vectors = gpu.alloc(float4, 3);
    expect([vectors.length, vectors.byteLength, vectors.read().length]).toEqual([3, 48, 12]);
    expect([
      ...gpu
        .alloc(int2, 2)
        .write(Int32Array.of(1, 2, 3, 4))
        .read(),
    ]).toEqual([1, 2, 3, 4]);
  });

  it("is read into a copy: what happens on the device later does not change it", () => {
    const buffer = gpu.upload(Int32Array.of(1, 2));
    const copy = buffer.read();
    buffer.fill(9);
    expect([...copy]).toEqual([1, 2]);
  });

  it("is written as a copy: what happens to the array later does not change it", () => {
    const data = Int32Array.of(1, 2);
    const buffer = gpu.upload(data);
    data.fill(9);
    expect([...buffer.read()]).toEqual([1, 2]);
  });

  it("of part of an array takes that part", () => {
    expect([...gpu.upload(Int32Array.of(1, 2, 3, 4).subarray(1, 3)).read()]).toEqual([2, 3]);
  });

  it("is written at an offset, and the rest stays", () => {
    expect([...gpu.alloc(i32, 5).fill(7).write(Int32Array.of(1, 2), 3).read()]).toEqual([7, 7, 7, 1, 2]);
  });

  it("is filled value by value", () => {
    expect([...gpu.alloc(f32, 3).fill(0.5).read()]).toEqual([0.5, 0.5, 0.5]);
    expect([...gpu.alloc(i64, 2).fill(-3n).read()]).toEqual([-3n, -3n]);
    expect([...gpu.alloc(u64, 2).fill(3).read()]).toEqual([3n, 3n]);
  });

  it("of no elements can be read, written and filled", () => {
    const empty = gpu.alloc(i32, 0);
    expect(empty.write(new Int32Array(0)).fill(1).read().length).toBe(0);
  });

  for (const [length, offset] of [
    [5, 0],
    [2, 3],
    [1, -1],
    [1, 0.5],
    [1, Number.NaN],
  ] as const) {
    it(`of 4 refuses ${length} values at offset ${offset} with cudaErrorInvalidValue and stays as it was`, () => {
      const buffer = gpu.alloc(i32, 4).fill(7);
      expect(() => buffer.write(new Int32Array(length), offset)).toThrow(/cudaErrorInvalidValue/);
      expect([...buffer.read()]).toEqual([7, 7, 7, 7]);
    });
  }

  it("refuses an array of another type, and names the one that it takes", () => {
    const ints = gpu.alloc(i32, 4);
    const floats: unknown = new Float32Array(4);
    expect(() => ints.write(floats as Int32Array)).toThrow(
      /buffer of int was given a Float32Array\.\nGive it Int32Array/,
    );
    const plain: unknown = [1, 2, 3, 4];
    expect(() => ints.write(plain as Int32Array)).toThrow(/was given an Array/);
  });

  it("is not made of an array of clamped bytes, or of a plain one", () => {
    for (const data of [new Uint8ClampedArray(4), new DataView(new ArrayBuffer(4)), [1, 2], null, undefined]) {
      const given: unknown = data;
      expect(() => gpu.upload(given as Int32Array)).toThrow(InputError);
    }
  });

  it("that was freed can be neither read, written, filled nor freed", () => {
    const buffer = gpu.alloc(i32, 4);
    buffer.free();
    expect(() => buffer.read()).toThrow(/was freed/);
    expect(() => buffer.write(new Int32Array(4))).toThrow(/was freed/);
    expect(() => buffer.fill(1)).toThrow(/was freed/);
    expect(() => buffer.free()).toThrow(/was freed before/);
  });

  it("freed twice does not free what was allocated in its place", () => {
    const own = new Gpu("v100", { memoryBytes: 1 << 20 });
    const first = own.alloc(i32, 100);
    first.free();
    const second = own.alloc(i32, 100).fill(5);
    expect(second.address).toBe(first.address);
    expect(() => first.free()).toThrow();
    const third = own.alloc(i32, 100).fill(6);
    expect(third.address).not.toBe(second.address);
    expect(second.read()[99]).toBe(5);
  });

  it("stays as it is while the memory behind it grows", () => {
    const own = new Gpu("v100");
    const buffer = own.upload(Int32Array.from({ length: 1000 }, (_, i) => i));
    for (let i = 0; i < 6; i++) own.alloc(i32, 1 << (14 + i)).fill(-1);
    expect(buffer.read().every((value, i) => value === i)).toBe(true);
  });
});
